"""Reports of SMP, PAIR and TRIPLE: records with blanks, of which a small table is told.

What is told is the table's cell, perturbed by a γ-diagonal matrix of its own: few cells, so little
noise.
"""

from __future__ import annotations

import itertools
import math
from functools import cached_property
from typing import ClassVar

import numpy as np
from numpy.typing import ArrayLike

from frapp_lab.data.attribute import Attribute
from frapp_lab.data.schema import Schema
from frapp_lab.mechanisms.at_gamma import AtGamma
from frapp_lab.mechanisms.counting import CountingMechanism


class MarginalReports(AtGamma, CountingMechanism):
    """Tell of `k` attributes of a record: a report is a record with blanks."""

    k: ClassVar[int]

    @cached_property
    def told(self) -> list[tuple[int, ...]]:
        """List the tables, by the positions of their attributes; a client draws one of them."""
        m = self.schema.n_attributes
        return list(itertools.combinations(range(m), min(self.k, m)))

    @cached_property
    def table_cells(self) -> np.ndarray:
        """Count the cells of each table."""
        return np.array([math.prod(self.schema.sizes[j] for j in table) for table in self.told])

    @cached_property
    def stay(self) -> np.ndarray:
        """Give each table's chance that its true cell is told on purpose, and not a uniform one."""
        return (self.gamma - 1) / (self.gamma - 1 + self.table_cells)

    @cached_property
    def reports(self) -> Schema:
        """Give the schema of records in which every attribute's last value is a blank: not told."""
        return Schema(
            tuple(Attribute(a.name, (*a.categories, _blank(a))) for a in self.schema.attributes)
        )

    @property
    def bits_per_report(self) -> float:
        return math.log2(self.table_cells.sum())

    # --- the client ---

    @property
    def luck(self) -> dict[str, int]:
        """Take a number for the table, one for whether it is true, and one for each value."""
        return {self.label: 2 + len(self.told[0])}

    def _perturb(self, records: np.ndarray, uniforms: np.ndarray) -> np.ndarray:
        sizes, dtype = np.array(self.schema.sizes), self.reports.dtype
        which = (uniforms[:, 0] * len(self.told)).astype(np.int64)
        columns, rows = np.array(self.told)[which], np.arange(len(records))[:, None]
        values = (uniforms[:, 2:] * sizes[columns]).astype(dtype)
        stay = (uniforms[:, 1] < self.stay[which])[:, None]
        reports = np.tile(sizes.astype(dtype), (len(records), 1))  # all blank
        reports[rows, columns] = np.where(stay, records[rows, columns], values)
        return reports

    def log_likelihood(self, perturbed: ArrayLike) -> np.ndarray:
        reports = self.reports.check(perturbed)
        agrees = np.ones((len(reports), self.schema.n_cells), dtype=bool)
        cells = self.schema.decode(np.arange(self.schema.n_cells))
        for j, size in enumerate(self.schema.sizes):
            agrees &= (reports[:, [j]] == cells[:, j]) | (reports[:, [j]] == size)
        return math.log(self.gamma) * agrees

    # --- counts ---

    def _place(self, table: tuple[int, ...]) -> tuple[slice | int, ...]:
        """Find where the reports of a table stand among the joint counts of all reports."""
        m = self.schema.n_attributes
        return tuple(slice(-1) if j in table else -1 for j in range(m))

    def _margin(self, counts: np.ndarray, table: tuple[int, ...]) -> np.ndarray:
        return counts.sum(axis=tuple(j for j in range(counts.ndim) if j not in table))

    def _perturb_counts(self, counts: np.ndarray, rng: np.random.Generator) -> np.ndarray:
        out = np.zeros(self.reports.sizes, dtype=np.int64)
        many = len(self.told)
        drawn = rng.multinomial(counts.ravel(), np.full(many, 1 / many))
        for table, stay, n, who in zip(
            self.told, self.stay, self.table_cells, drawn.T, strict=True
        ):
            true = self._margin(who.reshape(counts.shape), table)
            stayed = rng.binomial(true, stay)
            moved = rng.multinomial(true.sum() - stayed.sum(), np.full(n, 1 / n))
            out[self._place(table)] = stayed + moved.reshape(true.shape)
        return out

    def apply(self, counts: np.ndarray) -> np.ndarray:
        out = np.zeros(self.reports.sizes)
        for table, stay, n in zip(self.told, self.stay, self.table_cells, strict=True):
            uniform = (1 - stay) / n * np.sum(counts)
            out[self._place(table)] = stay * self._margin(np.asarray(counts), table) + uniform
        return out / len(self.told)

    def apply_transposed(self, counts: np.ndarray) -> np.ndarray:
        out = np.zeros(self.schema.sizes)
        for table, stay, n in zip(self.told, self.stay, self.table_cells, strict=True):
            told = np.asarray(counts)[self._place(table)]
            shape = [s if j in table else 1 for j, s in enumerate(self.schema.sizes)]
            out = out + stay * told.reshape(shape) + (1 - stay) / n * told.sum()
        return out / len(self.told)

    def _matrix_shape(self) -> tuple[int, int]:
        return self.reports.n_cells, self.schema.n_cells

    # --- the matrix ---

    def itemset_matrix(self, length: int) -> np.ndarray:
        """Give the matrix of the largest table: tell the truth, or a uniform cell."""
        if self.require(length) > len(self.told[0]):
            raise ValueError(
                f"length is {length}: {self.label} tells of {len(self.told[0])} attributes at a "
                "time, so that no matrix is undone for longer itemsets; the model fills the gap"
            )
        hardest = int(self.table_cells.argmax())
        cells = math.prod(self.schema.sizes[j] for j in self.told[hardest][:length])
        stay = self.stay[hardest]
        return np.full((cells, cells), (1 - stay) / cells) + stay * np.eye(cells)

    def condition_number(self, length: int) -> float:
        """Compute 1 + n/(γ − 1) of the largest table's n cells; infinite beyond its attributes."""
        if self.require(length) > len(self.told[0]):
            return math.inf
        return float(1 + self.table_cells.max() / (self.gamma - 1))


def _blank(attribute: Attribute) -> str:
    """Find a name for "not told" in a report of a marginal table that is no category's."""
    return next(b for b in map("?".__mul__, itertools.count(1)) if b not in attribute.categories)
