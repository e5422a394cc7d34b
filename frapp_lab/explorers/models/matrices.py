"""The matrices of the schemes or of one's own, and how hard each is to undo (FRAPP §3 and §6)."""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from typing import Any

from frapp_lab.data.schema import Schema
from frapp_lab.explorers.models.lit_row import Shown, light
from frapp_lab.explorers.models.mining_runs import Scheme, label_of
from frapp_lab.explorers.models.own_matrix import EXAMPLE, Own, read_own, wrong_sums
from frapp_lab.explorers.models.pushed_diagonal import Pushed
from frapp_lab.mechanisms.bits import BitMechanism
from frapp_lab.mechanisms.gamma_diagonal import GammaDiagonal
from frapp_lab.mechanisms.mechanism import Mechanism
from frapp_lab.mechanisms.registry import in_short, make_scheme, schemes
from frapp_lab.mining.optimality import condition_lower_bound

OWN, PUSHED = "my own", "pushed diagonal"
"""The matrix that is typed, and the one whose diagonal a slider pushes."""

MOST_ROWS = 64
"""The rows that can be chosen: as many as three attributes of four categories have cells."""

HIGHEST = 6.0
"""The power of ten up to which condition numbers are shown."""


@dataclass(frozen=True)
class Parameters:
    """γ, the sizes of the attributes, the itemsets' length, C&P's K, and the matrix shown."""

    gamma: float = 19.0
    sizes: tuple[int, ...] = (3, 2, 2)
    length: int = 3
    K: int = 3
    schemes: tuple[Scheme, ...] = field(default_factory=schemes)
    matrix: Scheme = "DET-GD"
    own: str = EXAMPLE
    push: float = 0.3
    """How far the diagonal is pushed from 1/n to 1."""
    row: int = 0
    """The row that is lit, from 1; if there is none, the one that makes γ."""


@dataclass(frozen=True)
class SchemeResult:
    """A scheme's condition numbers by length, and in its own words what cannot be had."""

    numbers: tuple[float, ...] = ()
    gamma: float = math.nan
    """The γ that whole reports attain."""
    singular: tuple[int, ...] = ()
    """The lengths that cannot be undone."""
    why_not: str = ""
    """Why itemsets of the chosen length cannot be reconstructed."""
    problem: str = ""
    short: str = ""
    """Why the scheme cannot be had at all, in its own words and in a few."""


@dataclass(frozen=True)
class Result:
    """Every scheme by its label, and the matrix that is shown, if there is one."""

    parameters: Parameters
    label: str
    chosen: SchemeResult
    number: float
    """Its condition number: infinite if it is singular, missing if there is no matrix."""
    shown: Shown | None
    own: Own
    is_own: bool
    keeps: bool
    """Whether schemes are compared with it, at its γ and n, and whether it keeps the γ asked."""
    gamma: float
    length: int
    n_cells: int
    lower_bound: float
    """Missing where γ is 1 or infinite."""
    schemes: dict[str, SchemeResult]
    drawn: dict[str, SchemeResult]
    """Every scheme that is switched on, and a typed or pushed matrix beside them."""
    pushed: Pushed

    @property
    def at_length(self) -> dict[str, float]:
        """Give the schemes' condition numbers at this length, where there is one."""
        k = self.length
        return {s: f.numbers[k - 1] for s, f in self.schemes.items() if len(f.numbers) >= k}

    @property
    def lowest(self) -> list[str]:
        """Name the schemes with the lowest condition number at this length."""
        numbers = self.at_length
        return [s for s, c in numbers.items() if c <= min(numbers.values()) * (1 + 1e-9)]

    @property
    def below(self) -> list[str]:
        """Name the schemes whose condition number at this length is below the bound."""
        return [s for s, c in self.at_length.items() if c < self.lower_bound * (1 - 1e-9)]

    @property
    def rival(self) -> tuple[str, float]:
        """Give the scheme of the highest condition number here, or, beside that one, the lowest."""
        others = self.at_length | {self.label: self.number}
        pick = max if max(others.values()) > self.number else min
        label = pick(others, key=others.__getitem__)
        return label, others[label]

    @property
    def ratio(self) -> float:
        """Give the ratio in the matrix's lit row; missing where there is none."""
        return self.shown.ratio if self.shown else math.nan

    @property
    def asks_row(self) -> bool:
        """Tell whether a row of the matrix was chosen that is there and is ever sent."""
        row, shown = self.parameters.row, self.shown
        return bool(shown and shown.lit and 0 < row <= len(shown.rows))

    @property
    def is_gamma(self) -> bool:
        """Tell whether the ratio in the matrix's lit row is γ itself."""
        return math.isclose(self.ratio, self.chosen.gamma, rel_tol=1e-6)

    @property
    def rarest(self) -> tuple[int, int]:
        """Give the report that makes the matrix's γ, and who is least likely to send it, from 1."""
        if not self.shown:
            return (0, 0)
        worst = light(self.shown.matrix, self.shown.rows, self.shown.columns)
        return ((worst.row or 0) + 1, worst.smallest + 1)

    @property
    def every(self) -> dict[str, SchemeResult]:
        """Give the schemes, and the one whose matrix is shown."""
        return self.schemes | ({} if self.label == OWN else {self.label: self.chosen})

    @property
    def missing(self) -> list[str]:
        """Say whose matrices cannot be had, and why; those of one reason in one sentence."""
        reasons = _alike({label: found.problem for label, found in self.every.items()})
        return [f"{', '.join(them)} cannot be had here: {why}." for why, them in reasons.items()]

    @property
    def singular(self) -> dict[int, list[str]]:
        """Name for each length whose matrices cannot be undone from there on."""
        return _alike({label: (*found.singular, 0)[0] for label, found in self.drawn.items()})


def _alike(values: dict[str, Any]) -> dict[Any, list[str]]:
    """Group the labels of matrices by their value, where they have one."""
    return {v: [s for s, w in values.items() if w == v] for v in values.values() if v}


def compute(parameters: Parameters) -> Result:
    """Give one matrix, and every scheme's condition numbers."""
    p, own = parameters, read_own(parameters.own)
    is_own = p.matrix == OWN and not own.problems
    gamma, sizes, length, k = p.gamma, p.sizes, p.length, p.K
    if is_own and own.matrix is not None:
        gamma, sizes, length, k = own.gamma, (own.matrix.shape[1],), 1, 1
    schema = Schema.of_sizes(*sizes)
    made = dict(_scheme(scheme, schema, gamma, length, k)[:2] for scheme in p.schemes)
    pushed = Pushed(p.push, schema.n_cells, gamma)
    if p.matrix == OWN:
        label, chosen, shown = OWN, *_typed(own, p.row)
    elif p.matrix == PUSHED:
        label, chosen, shown = PUSHED, *_pushed(pushed, schema, length, p.row)
    else:
        label, chosen, mechanism = _scheme(p.matrix, schema, gamma, length, k)
        chosen, shown = _picture(chosen, mechanism, length, p.row)
    number = math.nan if chosen.problem else math.inf
    if not (chosen.problem or chosen.why_not):
        number = chosen.numbers[length - 1]
    drawn = made | {label: chosen} if is_own or label == PUSHED else made
    return Result(
        parameters=p, label=label, chosen=chosen, number=number, shown=shown, own=own,
        is_own=is_own, keeps=own.gamma <= p.gamma * (1 + 1e-9), gamma=gamma,
        length=length, n_cells=schema.n_cells, schemes=made, drawn=drawn, pushed=pushed,
        lower_bound=condition_lower_bound(gamma, schema.n_cells)
        if 1 < gamma < math.inf else math.nan,
    )  # fmt: skip


def _scheme(
    scheme: Scheme, schema: Schema, gamma: float, length: int, K: int
) -> tuple[str, SchemeResult, Mechanism | None]:
    label = label_of(scheme)
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
    return label, found, mechanism


def _picture(
    found: SchemeResult, mechanism: Mechanism | None, length: int, row: int
) -> tuple[SchemeResult, Shown | None]:
    """Find what is lit in a scheme's matrix for itemsets of this length; some schemes have none."""
    if mechanism is None:
        return found, None
    try:
        names, matrix = mechanism.itemset_labels(length), mechanism.itemset_matrix(length)
    except ValueError as error:
        return SchemeResult(problem=str(error), short=in_short(error)), None
    part = "bits" if isinstance(mechanism, BitMechanism) else _part(mechanism.schema, length)
    return found, light(matrix, names, names, part, row)


def _part(schema: Schema, length: int) -> str:
    return "values" if length < schema.n_attributes else "record"


def _pushed(
    pushed: Pushed, schema: Schema, length: int, row: int
) -> tuple[SchemeResult, Shown | None]:
    """Light a row of the matrix with a pushed diagonal; at 1/n all its reports are alike."""
    names = GammaDiagonal(schema, 2).itemset_labels(length)
    matrix, every = pushed.matrix(len(names)), schema.n_attributes
    found = SchemeResult((pushed.condition,) * every, pushed.gamma)
    if pushed.share == 0:
        nothing = "all entries are the same, so that reports say nothing"
        found = SchemeResult((), pushed.gamma, tuple(range(1, every + 1)), nothing)
    return found, light(matrix, names, names, _part(schema, length), row)


def _typed(own: Own, row: int) -> tuple[SchemeResult, Shown | None]:
    problem = SchemeResult(problem="; ".join(own.problems))
    if own.matrix is None:
        return problem, None
    rows, columns = (tuple(str(i) for i in range(1, n + 1)) for n in own.matrix.shape)
    if own.problems:
        off, sums = wrong_sums(own.matrix)
        return problem, Shown(own.matrix, rows, columns, None, off=off, sums=sums)
    found = SchemeResult((own.condition,), own.gamma)
    if math.isinf(own.condition):
        rank = "two different tables of records give reports of the same law"
        found = SchemeResult(gamma=own.gamma, singular=(1,), why_not=rank)
    return found, light(own.matrix, rows, columns, row=row)
