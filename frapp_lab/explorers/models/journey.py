"""People send reports through a matrix, and the miner undoes the crowd (FRAPP §2).

Everything is a function of the settings and of how many have sent. `page/journey_model.js` is its
twin: luck is a hash, so that a page without Python draws the same numbers.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import lru_cache

import numpy as np

from frapp_lab.data.cube import Cube
from frapp_lab.data.schema import Schema
from frapp_lab.explorers.models.own_matrix import EXAMPLE, read_own
from frapp_lab.mechanisms.cut_and_paste import CutAndPaste
from frapp_lab.mechanisms.gamma_diagonal import GammaDiagonal
from frapp_lab.mechanisms.mask import Mask
from frapp_lab.mechanisms.matrix import MatrixMechanism
from frapp_lab.mechanisms.mechanism import Mechanism

DIAGONAL, MASK, CUT, OWN = SCHEMES = ("γ-diagonal", "MASK", "cut-and-paste", "my own matrix")
LETTERS = "ABCDEF"
MOST_ROWS = 8
"""Rows of a matrix that fit the stage: three values' bits have eight patterns."""
CROWD, PERSON = "everybody", "the last person"
LOOKS = (CROWD, PERSON, *(f"column {v}" for v in range(6)), *(f"row {r}" for r in range(8)))
"""What is looked at: everybody, the last person's way, a column of the matrix, or a row of it."""
NONE, TAKEN, GROWN, UNDONE = range(4)
"""How far the miner is with undoing."""


@dataclass(frozen=True)
class Parameters:
    """The settings: 60 people, so that each can be seen, and γ = 6, so that halves remain."""

    gamma: float = 6.0
    scheme: str = DIAGONAL
    values: int = 5
    people: int = 60
    sent: int = 0
    undo: int = NONE
    look: str = CROWD
    own: str = EXAMPLE
    seed: int = 7


@dataclass(frozen=True)
class Result:
    """Who has what, who sent what, and what the miner makes of it."""

    parameters: Parameters
    problem: str
    """Why there is no matrix: then nobody sends anything."""
    n: int
    sent: int
    undo: int
    look: tuple[str, int]
    """The kind of what is looked at, and its number; the crowd where there is none such."""
    matrix: np.ndarray
    patterns: np.ndarray
    """Which values each row's report shows."""
    values: np.ndarray
    reports: np.ndarray
    """The row that each person sends, or will send."""
    uniforms: np.ndarray
    truth: np.ndarray
    counts: np.ndarray
    shown: np.ndarray
    """Counts of those who have sent: by value, by the report's row, and of reports with a value."""
    chance: float
    """How often a value is in a report of somebody who does not have it."""
    left: float
    """What is left of a count when chance's part is taken off, as a share."""
    estimate: np.ndarray
    low: np.ndarray
    high: np.ndarray
    """Undone counts, and the ends of their 95 % intervals; empty where nothing can be undone."""
    typical: float
    """The expected error of an undone count, whatever the luck, in people."""
    before: np.ndarray
    after: np.ndarray
    """What is believed of a sender of the row that is looked at, or of row 0."""

    @property
    def lies(self) -> int:
        """Count the reports that are not just the sender's own value."""
        own = self.patterns[self.reports[: self.sent], self.values[: self.sent]]
        alone = self.patterns[self.reports[: self.sent]].sum(axis=1) == 1
        return int(self.sent - (own & alone).sum())

    @property
    def miss(self) -> float:
        """Compute the mean distance of undone counts from the truth."""
        return float(abs(self.estimate - self.truth).mean()) if len(self.estimate) else math.nan


def luck(seed: int, people: int, draws: int) -> np.ndarray:
    """Hash everybody's random numbers from a seed: a row for each person.

    >>> luck(7, 2, 2).round(4)
    array([[0.2106, 0.9116],
           [0.8443, 0.2316]])
    """

    def mixed(h: np.ndarray) -> np.ndarray:
        for shift, factor in ((16, 0x7FEB352D), (15, 0x846CA68B), (16, 1)):
            h = (h ^ (h >> np.uint32(shift))) * np.uint32(factor)
        return h

    start = mixed(np.array([(seed + 0x9E3779B9) % 2**32], np.uint32))
    person = mixed(start + np.arange(people, dtype=np.uint32))
    return mixed(person[:, None] + np.arange(1, draws + 1, dtype=np.uint32)) / 2.0**32


@lru_cache(maxsize=16)
def crowd(people: int, n: int) -> np.ndarray:
    """Give everybody a value: six tenths as many have the next one, in an order without meaning."""
    shares = 0.6 ** np.arange(n)
    ends = np.floor(people * np.cumsum(shares) / shares.sum() + 0.5)
    values = np.empty(people, dtype=np.intp)
    order = np.argsort(luck(0, people, 1)[:, 0], kind="stable")
    values[order] = np.searchsorted(ends[:-1], np.arange(people), side="right")
    return values


def mechanism_of(p: Parameters) -> Mechanism:
    """Make the matrix that people send through, or say why it cannot be had."""
    if p.scheme == OWN:
        own = read_own(p.own)
        if own.problems or own.matrix is None:
            raise ValueError(own.problems[0])
        rows, columns = own.matrix.shape
        if rows > MOST_ROWS or columns > len(LETTERS):
            raise ValueError(f"it is {rows} × {columns}, and 8 rows and 6 columns fit this stage")
        return MatrixMechanism(Schema.of_sizes(columns), own.matrix)
    if p.scheme == DIAGONAL:
        return GammaDiagonal(Schema.of_sizes(p.values), p.gamma)
    schema = Schema.of_sizes(min(p.values, 3))
    if p.scheme == MASK:
        return Mask.for_gamma(schema, p.gamma)
    if p.gamma <= 2:
        raise ValueError("cut-and-paste keeps one item in two, which needs a γ above 2")
    return CutAndPaste.for_gamma(schema, p.gamma)


def own_weights(p: Parameters) -> list[list[float]] | None:
    """Give what undoes a matrix of one's own, a row for each value; None where nothing does."""
    made = mechanism_of(p)
    if made.why_not(1) or not isinstance(made, MatrixMechanism):
        return None
    weights = made.weights((0,))
    return None if weights is None else weights.tolist()


def compute(p: Parameters) -> Result:
    """Let everybody draw, and undo what those have sent who have."""
    problem, people = "", p.people
    try:
        made = mechanism_of(p)
    except ValueError as error:
        problem, made = str(error), GammaDiagonal(Schema.of_sizes(p.values), p.gamma)
    n, matrix = made.schema.n_cells, made.matrix()
    bits = p.scheme in (MASK, CUT) and not problem
    patterns = made.possible_reports().astype(bool) if bits else np.eye(*matrix.shape) > 0
    values, uniforms = crowd(people, n), luck(p.seed, people, made.n_uniforms)
    sends = made.perturb(values[:, None], uniforms=uniforms)
    reports = (sends @ 2 ** np.arange(n - 1, -1, -1) if bits else sends[:, 0]).astype(np.intp)
    sent = 0 if problem else min(p.sent, people)
    truth = np.bincount(values[:sent], minlength=n)
    counts = np.bincount(reports[:sent], minlength=len(matrix))
    everybody = np.bincount(values, minlength=n) / people
    shares = truth / sent if sent else everybody
    known = not made.why_not(1)
    estimate, low, high = (np.empty(0),) * 3
    if sent and known:
        found = made.estimate(sends[:sent])
        ends = made.interval(found, sent)
        estimate, low, high = (sent * cube.array[:-1] for cube in (found, *ends))
    supports = Cube.of_array(made.schema, np.append(shares, 1.0))
    deviation = made.standard_deviation(supports, sent or people).array[:-1] if known else np.inf
    look = _look(p.look, n, len(matrix), sent)
    joint = everybody * matrix[look[1] if look[0] == "row" else 0]
    chance, left = matrix[0, -1], matrix[0, 0] - matrix[0, -1]
    if bits:
        chance = float(patterns[:, 0] @ matrix[:, -1])
        left = float(patterns[:, 0] @ matrix[:, 0]) - chance
    return Result(
        parameters=p, problem=problem, n=n, sent=sent, undo=p.undo if sent else NONE, look=look,
        matrix=matrix, patterns=patterns, values=values, reports=reports, uniforms=uniforms,
        truth=truth, counts=counts, shown=patterns.T @ counts, chance=chance, left=left,
        estimate=estimate, low=low, high=high,
        typical=float((sent or people) * math.sqrt(2 / math.pi) * np.mean(deviation)),
        before=everybody, after=joint / joint.sum() if joint.sum() else joint,
    )  # fmt: skip


def _look(name: str, n: int, rows: int, sent: int) -> tuple[str, int]:
    """Give what is looked at, or everybody where there is none such."""
    kind, _, number = name.partition(" ")
    if name == PERSON:
        return ("person", sent - 1) if sent else ("crowd", 0)
    if (kind == "row" and int(number) < rows) or (kind == "column" and int(number) < n):
        return kind, int(number)
    return "crowd", 0
