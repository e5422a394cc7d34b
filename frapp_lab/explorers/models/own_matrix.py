"""A matrix that is typed: how it is read, what is wrong with it, and what it can do (FRAPP §2)."""

from __future__ import annotations

import functools
import math
import re
import unicodedata
from dataclasses import dataclass

import numpy as np

from frapp_lab.data.cube import Cube
from frapp_lab.data.schema import Schema
from frapp_lab.mechanisms.gamma_diagonal import GammaDiagonal
from frapp_lab.mechanisms.matrix import MatrixMechanism
from frapp_lab.mechanisms.mechanism import Mechanism
from frapp_lab.privacy import amplification

EXAMPLE = "0.6 0.2 0.2\n0.2 0.6 0.2\n0.2 0.2 0.6"
"""The γ-diagonal matrix for three records at γ = 3."""

RECORDS, SUPPORT = 48_842, 0.02
"""The number of records in CENSUS, and the paper's minimum support (FRAPP §7)."""

MOST_ENTRIES = 4096


@dataclass(frozen=True)
class Own:
    """A matrix that was typed: what is wrong with it, or what it can do."""

    problems: tuple[str, ...] = ()
    matrix: np.ndarray | None = None
    gamma: float = math.nan
    condition: float = math.nan
    """Infinite if it is singular."""
    deviation: float = math.nan
    diagonal: float = math.nan
    """What the function `deviation` gives, and what of the γ-diagonal matrix at its γ and n."""


@functools.lru_cache(maxsize=64)
def read_own(text: str) -> Own:
    """Tell what a typed matrix can do, or in words what is wrong with it; never raise.

    >>> read_own("0.9 0.3\\n0.1 0.6").problems
    ('column 2 sums to 0.9, which is 0.1 too little',)
    """
    try:
        a = parse(text)
    except ValueError as error:
        return Own((str(error),))
    if problems := _problems(a):
        decimal_comma = re.search(r"\b0,\d", text) and "." not in text
        hint = ("a comma stands between numbers: write 0.5 with a point",) if decimal_comma else ()
        return Own((*hint, *problems), a)
    gamma = float(f"{amplification(a):.12g}")
    schema = Schema.of_sizes(a.shape[1])
    mechanism = MatrixMechanism(schema, a)
    known = not mechanism.why_not(1)
    return Own(
        matrix=a, gamma=gamma, condition=mechanism.condition_number(1) if known else math.inf,
        deviation=deviation(mechanism) if known else math.nan,
        diagonal=deviation(GammaDiagonal(schema, gamma)) if 1 < gamma < math.inf else math.nan,
    )  # fmt: skip


def parse(text: str) -> np.ndarray:
    """Read a typed matrix: numbers, fractions or percentages between spaces, commas or semicolons.

    >>> parse("1/2, 25 %\\n0.5; 0.75")
    array([[0.5 , 0.25],
           [0.5 , 0.75]])
    """
    plain = unicodedata.normalize("NFKC", text).replace("⁄", "/").replace("−", "-")
    plain = re.sub(r"[ \t]*([/%])[ \t]*", r"\1 ", plain).replace("/ ", "/")
    lines = re.sub(r"[\[({})]", " ", plain.replace("]", "\n")).splitlines()  # also of Python
    rows = [words for line in lines if (words := re.findall(r"[^\s,;]+", line))]
    if not rows:
        raise ValueError("there is no number yet: type a row on each line")
    n = sum(map(len, rows))
    if n > MOST_ENTRIES:
        raise ValueError(f"it has {n:,} entries: at most {MOST_ENTRIES:,} can be shown")
    values = [
        [_number(word, v, u) for u, word in enumerate(words, 1)] for v, words in enumerate(rows, 1)
    ]
    first = len(values[0])
    for v, row in enumerate(values, 1):
        if (n := len(row)) != first:
            said = f"row {v} has {n} number{'s' * (n != 1)} and row 1 has {first}"
            raise ValueError(f"{said}: all need as many")
    return np.array(values)


def _number(word: str, v: int, u: int) -> float:
    where = f"row {v}, column {u}"
    try:
        top, *bottom = word.rstrip("%").split("/")
        value = float(top)
        for part in bottom:
            value /= float(part)
    except (ValueError, OverflowError):
        said = word if len(word) <= 12 else f"{word[:11]}…"
        raise ValueError(f"{where}: “{said}” is no number") from None
    except ZeroDivisionError:
        raise ValueError(f"{where}: {word} divides by 0") from None
    if not math.isfinite(value):
        raise ValueError(f"{where}: {word} is no probability")
    return value / 100 if word.endswith("%") else value


def _problems(a: np.ndarray) -> list[str]:
    """Name the entries and columns of a typed matrix that are no probabilities (FRAPP Eq. 1)."""
    rows, columns = a.shape
    if columns < 2:
        return ["one column is one record: there is nothing to hide; type more"]
    if rows < 2:
        return ["one row is one report, which says nothing; type more"]
    negative = [
        f"row {v + 1}, column {u + 1} is −{-a[v, u]:.4g}: no probability is below 0"
        for v, u in np.argwhere(a < 0)
    ]
    wrong = [
        f"column {u + 1} sums to {total:.6g}, which is {abs(total - 1):.3g} "
        f"{'too little' if total < 1 else 'too much'}"
        for u, total in zip(*wrong_sums(a), strict=True)
    ]
    return _some(negative, "entries") + _some(wrong, "columns")


def _some(said: list[str], what: str) -> list[str]:
    return said if len(said) <= 3 else [*said[:2], f"and so on for {len(said) - 2} more {what}"]


def wrong_sums(a: np.ndarray) -> tuple[tuple[int, ...], tuple[float, ...]]:
    """Give the columns of a typed matrix that do not sum to one, and what they sum to."""
    with np.errstate(over="ignore"):
        sums = a.sum(axis=0)
    off = np.flatnonzero(~(abs(sums - 1) <= 1e-9))
    return tuple(map(int, off)), tuple(map(float, sums[off]))


def deviation(mechanism: Mechanism) -> float:
    """Give the standard deviation of an estimated `SUPPORT`, by which a typed matrix is judged.

    All other values are equally common; of all values it is the one that is hardest to estimate
    (FRAPP §2.3).

    >>> round(deviation(GammaDiagonal(Schema.of_sizes(3), 3)), 5)
    0.00455
    """
    schema = mechanism.schema
    n, (name,) = schema.n_cells, schema.names
    found = []
    for value in range(n):
        shares = np.full(n, (1 - SUPPORT) / (n - 1))
        shares[value] = SUPPORT
        cube = Cube.of_counts(schema, shares)
        found.append(mechanism.standard_deviation(cube, RECORDS)[name][value])
    return float(max(found))
