"""IND-RR: randomised response on every column by itself, the privacy budget split evenly."""

from __future__ import annotations

import functools
import math
from functools import cached_property

import numpy as np
from numpy.typing import ArrayLike

from frapp_lab.data.cube import Cube, map_axes
from frapp_lab.data.schema import Schema
from frapp_lab.mechanisms.at_gamma import AtGamma
from frapp_lab.mechanisms.counting import CountingMechanism
from frapp_lab.mechanisms.gamma_diagonal import GammaDiagonal
from frapp_lab.mechanisms.lies import USUAL, Liars
from frapp_lab.mechanisms.registry import scheme


@scheme("IND-RR", order=5)
class IndependentColumns(AtGamma, CountingMechanism):
    """Perturb each column by a γ-diagonal matrix of its own, with γ^(1/M): IND-RR (FRAPP §2).

    Parameters
    ----------
    schema
        The attributes of the records.
    gamma
        The amplification of all columns together.

    Examples
    --------
    >>> m = IndependentColumns(Schema.of_sizes(4, 5, 5, 5, 2, 2), 19)
    >>> round(m.condition_number(1), 3)
    8.892
    """

    @cached_property
    def columns(self) -> tuple[GammaDiagonal, ...]:
        """Make the mechanism of each column."""
        share = self.gamma ** (1 / self.schema.n_attributes)
        return tuple(GammaDiagonal(Schema((a,)), share) for a in self.schema.attributes)

    @property
    def luck(self) -> dict[str, int]:
        return {"IND-RR": 2 * self.schema.n_attributes}

    def itemset_matrix(self, length: int) -> np.ndarray:
        """Multiply (Kronecker) the matrices of the columns that are hardest to undo."""
        return functools.reduce(np.kron, [c.matrix() for c in self._hardest(length)])

    def condition_number(self, length: int) -> float:
        """Multiply the columns' condition numbers, for the worst subset of this length."""
        return math.prod(c.condition_number(1) for c in self._hardest(length))

    def _hardest(self, length: int) -> list[GammaDiagonal]:
        ranked = sorted(self.columns, key=lambda c: c.condition_number(1))
        return ranked[-self.require(length) :]

    def _perturb(self, records: np.ndarray, uniforms: np.ndarray) -> np.ndarray:
        moved = uniforms[:, ::2] >= [column.stay for column in self.columns]
        values = (uniforms[:, 1::2] * self.schema.sizes).astype(records.dtype)
        return np.where(moved, values, records)

    def craft(self, codes: np.ndarray, n_reports: int, liars: Liars = USUAL) -> np.ndarray:
        return np.tile(np.maximum(codes, 0), (n_reports, 1))

    def log_likelihood(self, perturbed: ArrayLike) -> np.ndarray:
        reports, cells = self.schema.check(perturbed), np.arange(self.schema.n_cells)
        same = sum(
            reports[:, [j]] == column for j, column in enumerate(self.schema.decode(cells).T)
        )
        return same * (math.log(self.gamma) / self.schema.n_attributes)

    def _perturb_counts(self, counts: np.ndarray, rng: np.random.Generator) -> np.ndarray:
        # One column after the other: those who move share out their line evenly.
        for j, column in enumerate(self.columns):
            stayed = rng.binomial(counts, column.stay)
            moved = (counts - stayed).sum(axis=j)
            size = self.schema.sizes[j]
            shared = rng.multinomial(moved, np.full(size, 1 / size))
            counts = stayed + np.moveaxis(shared, -1, j)
        return counts

    def apply(self, counts: np.ndarray) -> np.ndarray:
        for j, column in enumerate(self.columns):
            counts = column.stay * counts + column.x * counts.sum(axis=j, keepdims=True)
        return counts

    def _estimate(self, shares: Cube, positions: tuple[int, ...]) -> np.ndarray:
        chosen = [self.columns[j] for j in positions]
        scale, shift = [1 / c.stay for c in chosen], [-c.x / c.stay for c in chosen]
        return map_axes(shares.build(positions), scale, shift)

    def _deviation(self, supports: Cube, positions: tuple[int, ...]) -> np.ndarray:
        """Multiply the columns' second moments: an estimate is a mean of products over columns."""
        # A column's factor is (1[report = value] − x)/s. The mean of its square is x(1 − x)/s², and
        # by (1 − 2x)/s more if the true value matches.
        chosen = [self.columns[j] for j in positions]
        scale = [(1 - 2 * c.x) / c.stay for c in chosen]
        shift = [c.x * (1 - c.x) / c.stay**2 for c in chosen]
        share = supports.build(positions)
        return np.sqrt(np.maximum(map_axes(share, scale, shift) - share, 0))
