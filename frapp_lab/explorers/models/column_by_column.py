"""One record, perturbed column by column (FRAPP §5)."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from frapp_lab.explorers.models.data import Data
from frapp_lab.mechanisms.gamma_diagonal import GammaDiagonal

CENSUS = Data("CENSUS")
N_BOOLEAN = 31
"""The number of yes/no questions in a survey that stands for what a scan cannot do."""

BOOLEAN_SCAN, BOOLEAN_COLUMNS = 2 ** (N_BOOLEAN - 1), 1.5 * N_BOOLEAN
"""How many values are looked at there on average by a scan, and column by column."""


@dataclass(frozen=True)
class Parameters:
    """A record of CENSUS as codes (at first one that is common there), γ, and the seed.

    `columns` says how many of the record's columns have been drawn: at first none.
    """

    record: tuple[int, ...] = (0, 1, 2, 0, 1, 0)
    gamma: float = 19.0
    seed: int = 3
    columns: int = 0


@dataclass(frozen=True)
class Step:
    """What happens in one column."""

    name: str
    categories: tuple[str, ...]
    own: int
    reported: int
    u: float
    before: bool
    """Whether all columns before it kept their values."""
    matching: np.ndarray
    uniform: np.ndarray
    """The chance of each value if they did, and if not."""
    is_drawn: bool

    @property
    def keep(self) -> float:
        """Give the chance that the column keeps its value if all columns before it did."""
        return float(self.matching[self.own])

    def aim(self, before: bool) -> tuple[float, float]:
        """Give from where to where a dart keeps the column's value, as for those `before` it."""
        chances = self.matching if before else self.uniform
        end = float(chances.cumsum()[self.own])
        return end - float(chances[self.own]), end

    @property
    def matched(self) -> bool:
        return self.reported == self.own


@dataclass(frozen=True)
class Result:
    """The columns' steps, and how many values are looked at: here, and by all its reports."""

    parameters: Parameters
    steps: tuple[Step, ...]
    drawn: tuple[Step, ...]
    """All columns, and those that have been drawn."""
    unchanged: float
    unchanged_so_far: float
    """The chance that no column changes, which is γx, and that none of those drawn does."""
    n_changed: int
    by_columns: int
    """Of the columns that are drawn."""
    by_scan: int
    n_cells: int
    mean_columns: float
    mean_scan: float
    """The mean of `by_columns` and `by_scan` over all reports of this record."""

    @property
    def first_change(self) -> int:
        """Give the place of the first of the drawn columns that changed; if none did, the end."""
        return next((j for j, s in enumerate(self.drawn) if not s.matched), len(self.steps))

    @property
    def is_whole(self) -> bool:
        return len(self.drawn) == len(self.steps)


def compute(parameters: Parameters) -> Result:
    """Perturb the record column by column, with one uniform number for each."""
    p, schema = parameters, CENSUS.load().schema
    mechanism, record = GammaDiagonal(schema, p.gamma), np.array([p.record])
    uniforms = np.random.default_rng(p.seed).random(schema.n_attributes)
    report, steps = np.empty((1, 0), dtype=int), []
    for j, (a, u) in enumerate(zip(schema.attributes, uniforms, strict=True)):
        matching, chances = (
            mechanism.column_chances(record, reported)[0] for reported in (record[:, :j], report)
        )
        value = int((u >= chances.cumsum()[:-1]).sum())
        steps.append(Step(
            name=a.name, categories=a.categories, own=p.record[j], reported=value, u=float(u),
            before=bool((report == record[:, :j]).all()), matching=matching,
            uniform=np.full(a.size, 1 / a.size), is_drawn=j < p.columns,
        ))  # fmt: skip
        report = np.append(report, [[value]], axis=1)
    drawn, stay = steps[: p.columns], mechanism.stay
    sizes, own = np.array(schema.sizes), int(schema.encode(record)[0])
    return Result(
        parameters=p, steps=tuple(steps), drawn=tuple(drawn),
        unchanged=math.prod(step.keep for step in steps),
        unchanged_so_far=math.prod(step.keep for step in drawn),
        n_changed=sum(not step.matched for step in drawn), n_cells=schema.n_cells,
        by_columns=sum(step.reported + 1 for step in drawn),
        by_scan=int(schema.encode(report)[0]) + 1,
        mean_columns=float(stay * (record + 1).sum() + (1 - stay) * (sizes + 1).sum() / 2),
        mean_scan=stay * (own + 1) + (1 - stay) * (schema.n_cells + 1) / 2,
    )  # fmt: skip
