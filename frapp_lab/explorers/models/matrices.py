"""The matrices of the schemes or of one's own, and how hard each is to undo (FRAPP §3 and §6)."""

from __future__ import annotations

import functools
import math
import re
import unicodedata
from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np

from frapp_lab.data.cube import Cube
from frapp_lab.data.schema import Schema
from frapp_lab.mechanisms.bits import BitMechanism
from frapp_lab.mechanisms.gamma_diagonal import GammaDiagonal
from frapp_lab.mechanisms.matrix import MatrixMechanism
from frapp_lab.mechanisms.mechanism import Mechanism
from frapp_lab.mechanisms.registry import in_short, make_scheme, schemes
from frapp_lab.mining.optimality import condition_lower_bound
from frapp_lab.privacy import amplification

OWN = "my own"
"""The matrix that is typed."""

EXAMPLE = "0.6 0.2 0.2\n0.2 0.6 0.2\n0.2 0.2 0.6"
"""The γ-diagonal matrix for three records at γ = 3."""

RECORDS, SUPPORT = 48_842, 0.02
"""As many records as CENSUS has, and the paper's minimum support (FRAPP §7)."""

MOST_ENTRIES = 4096
"""Of a matrix that is typed."""

HIGHEST = 6.0
"""The power of ten up to which condition numbers are shown."""

GAP = 0.43
"""Names of lines are so far apart that they do not touch, in powers of ten."""


@dataclass(frozen=True)
class Parameters:
    """γ, the sizes of the attributes, the itemsets' length, C&P's K, and the matrix shown."""

    gamma: float = 19.0
    sizes: tuple[int, ...] = (3, 2, 2)
    length: int = 3
    K: int = 3
    schemes: tuple[str | Mechanism, ...] = field(default_factory=schemes)
    matrix: str | Mechanism = "DET-GD"
    own: str = EXAMPLE


@dataclass(frozen=True)
class SchemeResult:
    """A scheme's condition numbers by length, and in its own words what cannot be had."""

    numbers: tuple[float, ...] = ()
    gamma: float = math.nan
    """The γ that whole reports attain."""
    why_not: str = ""
    """Why itemsets of the chosen length cannot be reconstructed."""
    problem: str = ""
    """Why the scheme cannot be had at all …"""
    short: str = ""
    """… and in few words."""
    singular: tuple[int, ...] = ()
    """The lengths that cannot be undone."""


@dataclass(frozen=True)
class Shown:
    """A matrix A[v, u], and the row in which two records differ most (FRAPP Eq. 2)."""

    matrix: np.ndarray
    rows: tuple[str, ...]
    columns: tuple[str, ...]
    row: int | None
    """The lit row; None if a column does not even sum to one."""
    largest: int = 0
    smallest: int = 0
    ratio: float = math.nan
    off: tuple[int, ...] = ()
    """Columns that do not sum to one."""
    sums: tuple[float, ...] = ()
    """What they sum to."""
    of: str = "record"
    """What its rows and columns are: whole records, or an itemset's values or bits."""


@dataclass(frozen=True)
class Own:
    """A matrix that was typed: what is wrong with it, or what it can do."""

    problems: tuple[str, ...] = ()
    matrix: np.ndarray | None = None
    """Its entries, if they can be read."""
    gamma: float = math.nan
    condition: float = math.nan
    """Infinite if it is singular."""
    deviation: float = math.nan
    """Of the estimated support that is hardest to estimate: see `deviation`."""
    diagonal: float = math.nan
    """The same of the γ-diagonal matrix at its γ and n, where there is one."""


@dataclass(frozen=True)
class Result:
    """Every scheme by its label, and the matrix that is shown, if there is one."""

    parameters: Parameters
    label: str
    """Whose matrix is shown."""
    chosen: SchemeResult
    number: float
    """Its condition number: infinite if it is singular, missing if there is no matrix."""
    shown: Shown | None
    own: Own
    is_own: bool
    """Whether a matrix of one's own is compared, with schemes at its γ and n."""
    keeps: bool
    """Whether it keeps the γ that is asked for."""
    gamma: float
    n_cells: int
    lower_bound: float
    """Missing where γ is 1 or infinite."""
    schemes: dict[str, SchemeResult]
    names: dict[str, tuple[int, float]]
    """Where names of lines stand: the length, and a power of ten."""


def compute(parameters: Parameters) -> Result:
    """One matrix, and every scheme's condition numbers."""
    p, own = parameters, read_own(parameters.own)
    is_own = p.matrix == OWN and not own.problems
    gamma, sizes, length, k = p.gamma, p.sizes, p.length, p.K
    if is_own and own.matrix is not None:
        gamma, sizes, length, k = own.gamma, (own.matrix.shape[1],), 1, 1
    schema = Schema.of_sizes(*sizes)
    made = dict(_scheme(scheme, schema, gamma, length, k)[:2] for scheme in p.schemes)
    if p.matrix == OWN:
        label, chosen, shown = OWN, _own_scheme(own), _own_shown(own)
    else:
        label, chosen, shown = _scheme(p.matrix, schema, gamma, length, k)
    number = math.nan if chosen.problem else math.inf
    if not (chosen.problem or chosen.why_not):
        number = chosen.numbers[length - 1]
    drawn = made | {OWN: chosen} if is_own else made
    return Result(
        parameters=p, label=label, chosen=chosen, number=number, shown=shown, own=own,
        is_own=is_own, keeps=own.gamma <= p.gamma * (1 + 1e-9), gamma=gamma,
        n_cells=schema.n_cells, schemes=made, names=_names(drawn),
        lower_bound=condition_lower_bound(gamma, schema.n_cells)
        if 1 < gamma < math.inf else math.nan,
    )  # fmt: skip


def _scheme(
    scheme: str | Mechanism, schema: Schema, gamma: float, length: int, K: int
) -> tuple[str, SchemeResult, Shown | None]:
    label = scheme if isinstance(scheme, str) else scheme.label
    try:
        mechanism = make_scheme(scheme, schema, gamma, K=K)
    except ValueError as error:
        return label, SchemeResult(problem=str(error), short=in_short(error)), None
    last, every = mechanism.max_length, schema.n_attributes
    found = SchemeResult(
        numbers=tuple(mechanism.condition_number(k) for k in range(1, last + 1)),
        gamma=mechanism.amplification, why_not=mechanism.why_not(length),
        singular=tuple(range(last + 1, every + 1)),
    )  # fmt: skip
    names, matrix = mechanism.itemset_labels(length), mechanism.itemset_matrix(length)
    part = "values" if length < every else "record"
    if isinstance(mechanism, BitMechanism):
        part = "bits"
    return label, found, light(matrix, names, names, part)


def light(
    matrix: np.ndarray, rows: tuple[str, ...], columns: tuple[str, ...], of: str = "record"
) -> Shown:
    """The matrix with the row whose largest and smallest entries have the largest ratio.

    >>> shown = light(np.array([[0.9, 0.3], [0.1, 0.7]]), ("1", "2"), ("1", "2"))
    >>> shown.row, shown.largest, shown.smallest, round(shown.ratio, 3)
    (1, 1, 0, 7.0)
    """
    high, low = matrix.max(axis=1), matrix.min(axis=1)
    with np.errstate(divide="ignore", invalid="ignore"):
        ratios = np.where(high > 0, high / low, 0)  # a row of zeros is sent by nobody
        # Of many such rows the middle one has room around it.
        alike = np.flatnonzero(ratios >= ratios.max() * (1 - 1e-9))
    row = int(alike[len(alike) // 2])
    largest = int(matrix[row].argmax())
    least = np.flatnonzero(matrix[row] <= low[row] * (1 + 1e-9))
    smallest = int(least[abs(least - largest).argmax()])
    return Shown(matrix, rows, columns, row, largest, smallest, float(ratios[row]), of=of)


# --- a matrix of one's own ------------------------------------------------------------------------


@functools.lru_cache(maxsize=64)
def read_own(text: str) -> Own:
    """What a typed matrix can do, or in words what is wrong with it; it never raises.

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
    """Numbers, fractions or percentages with spaces, commas or semicolons; a row per line.

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
        if len(row) != first:
            raise ValueError(
                f"row {v} has {_many(len(row), 'number')} and row 1 has {first}: all need as many"
            )
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


def _many(n: int, word: str) -> str:
    return f"{n} {word}{'s' * (n != 1)}"


def _problems(a: np.ndarray) -> list[str]:
    """Which entries and columns are no probabilities (FRAPP Eq. 1), in words."""
    rows, columns = a.shape
    if columns < 2:
        return ["one column is one record: there is nothing to hide; type more"]
    if rows < 2:
        return ["one row is one report, which says nothing; type more"]
    negative = [
        f"row {v + 1}, column {u + 1} is −{-a[v, u]:.4g}: no probability is below 0"
        for v, u in np.argwhere(a < 0)
    ]
    return _some(negative, "entries") + _some(
        [
            f"column {u + 1} sums to {total:.6g}, which is {abs(total - 1):.3g} "
            f"{'too little' if total < 1 else 'too much'}"
            for u, total in zip(*_off(a), strict=True)
        ],
        "columns",
    )


def _some(said: list[str], what: str) -> list[str]:
    return said if len(said) <= 3 else [*said[:2], f"and so on for {len(said) - 2} more {what}"]


def _off(a: np.ndarray) -> tuple[tuple[int, ...], tuple[float, ...]]:
    """The columns that do not sum to one, and what they sum to."""
    with np.errstate(over="ignore"):
        sums = a.sum(axis=0)
    off = np.flatnonzero(~(abs(sums - 1) <= 1e-9))
    return tuple(map(int, off)), tuple(map(float, sums[off]))


def deviation(mechanism: Mechanism) -> float:
    """The standard deviation of an estimated support of `SUPPORT` with `RECORDS` records (§2.3).

    All other values are equally common; of all values it is the one that is hardest to estimate.

    >>> round(deviation(GammaDiagonal(Schema.of_sizes(3), 3)), 5)
    0.00455
    """
    schema = mechanism.schema
    n, (name,) = schema.n_cells, schema.names
    worst = 0.0
    for value in range(n):
        shares = np.full(n, (1 - SUPPORT) / (n - 1))
        shares[value] = SUPPORT
        found = mechanism.standard_deviation(Cube.of_counts(schema, shares), RECORDS)
        worst = max(worst, float(found[name][value]))
    return worst


def _own_scheme(own: Own) -> SchemeResult:
    if own.problems:
        return SchemeResult(problem="; ".join(own.problems))
    if math.isinf(own.condition):
        rank = "two different tables of records give reports of the same law"
        return SchemeResult(gamma=own.gamma, why_not=rank, singular=(1,))
    return SchemeResult((own.condition,), own.gamma)


def _own_shown(own: Own) -> Shown | None:
    if own.matrix is None:
        return None
    rows, columns = (tuple(str(i) for i in range(1, n + 1)) for n in own.matrix.shape)
    if own.problems:
        return Shown(own.matrix, rows, columns, None, 0, 0, math.nan, *_off(own.matrix))
    return light(own.matrix, rows, columns)


# --- names beside lines ---------------------------------------------------------------------------


def _names(made: dict[str, SchemeResult]) -> dict[str, tuple[int, float]]:
    """Names at the ends of the lines; where several end at one length, they stand apart."""
    names = {}
    for length in {len(found.numbers) for found in made.values() if found.numbers}:
        ends = {s: found.numbers[-1] for s, found in made.items() if len(found.numbers) == length}
        labels = sorted(ends, key=ends.__getitem__)
        heights = [min(math.log10(ends[label]), HIGHEST) for label in labels]
        for label, height in zip(labels, apart(heights, GAP), strict=True):
            names[label] = (length, height)
    return names


def apart(heights: Sequence[float], gap: float) -> list[float]:
    """Heights moved as little as can be, so that no two are nearer than a gap.

    >>> apart([5, 1, 1], 2)
    [5, 0.0, 2.0]
    """
    order = sorted(range(len(heights)), key=lambda i: heights[i])
    groups: list[list[float]] = []  # of those that push each other
    for rank, i in enumerate(order):
        groups.append([heights[i] - rank * gap])
        while len(groups) > 1 and np.mean(groups[-2]) > np.mean(groups[-1]):
            last = groups.pop()
            groups[-1] += last
    moved = [
        group[0] if len(group) == 1 else float(np.mean(group)) for group in groups for _ in group
    ]
    return [m + gap * order.index(i) for i, m in sorted(zip(order, moved, strict=True))]
