"""The part that SUE, OUE, OLH and SS share: a report *supports* cells of the joint domain.

It supports the record's own cell with probability p, and any other one with a smaller q. So the
number of reports that support a cell has the mean N(q + (p − q)f), and (share − q)/(p − q) is an
unbiased estimate of f (Wang et al. 2017). Cells that are supported are γ times as likely as others.
"""

from __future__ import annotations

import math
from abc import abstractmethod

import numpy as np
from numpy.typing import ArrayLike

from frapp_lab._base.checks import as_array, check_array, digits
from frapp_lab._base.random_streams import Seed, generator
from frapp_lab.data.cube import Cube, uniform_supports
from frapp_lab.data.schema import Schema, check_schema
from frapp_lab.mechanisms.at_gamma import AtGamma
from frapp_lab.mechanisms.bits import as_bits, bit_patterns
from frapp_lab.mechanisms.lies import USUAL, Liars

MAX_JOINT = 2**20
"""Number of cells of the largest joint domain whose cells are supported one by one."""

MOST_BITS = 2**22
"""Largest number of cells whose support is worked out at a time."""


def check_joint(schema: Schema, label: str) -> Schema:
    """Check a schema whose cells are to be supported one by one.

    >>> check_joint(Schema.of_sizes(2, 3), "OUE").n_cells
    6
    """
    if check_schema(schema).n_cells > MAX_JOINT:
        raise ValueError(
            f"schema has {digits(schema.n_cells)} cells: {label} looks at every one of them for "
            f"every report, and the limit is {MAX_JOINT:,}; use fewer or smaller attributes, or a "
            "scheme such as DET-GD or PAIR, which need not"
        )
    return schema


def cells_with(schema: Schema, codes: np.ndarray) -> np.ndarray:
    """Mark, of the cells that reports can support, those with an itemset; −1 is "any value".

    >>> cells_with(Schema.of_sizes(2, 2), np.array([-1, 1]))
    array([False,  True, False,  True])
    """
    records = schema.decode(np.arange(schema.n_cells))
    return ((records == codes) | (np.asarray(codes) < 0)).all(axis=1)


class JointMechanism(AtGamma):
    """Support cells by a report: the record's own with p, any other with q."""

    def __init__(self, schema: Schema, gamma: float) -> None:
        super().__init__(check_joint(schema, self.label), gamma)

    @property
    @abstractmethod
    def p(self) -> float:
        """Give the chance that a report supports the record's own cell."""

    @property
    @abstractmethod
    def q(self) -> float:
        """Give the chance that a report supports any other cell."""

    # --- the reports ---

    def supported(self, perturbed: ArrayLike) -> np.ndarray:
        """Mark the cells that each report supports: here the reports themselves."""
        bits = as_array("perturbed records", perturbed)
        n = self.schema.n_cells
        if bits.ndim != 2 or bits.shape[1] != n or not len(bits):
            raise ValueError(
                f"perturbed records have shape {bits.shape}: {self.label} sends {n:,} bits here, "
                f"one for each cell, so the shape must be (N, {n}) with N of 1 or more"
            )
        return as_bits(bits, self.label)

    def log_likelihood(self, perturbed: ArrayLike) -> np.ndarray:
        return math.log(self.amplification) * self.supported(perturbed)

    def craft(self, codes: np.ndarray, n_reports: int, liars: Liars = USUAL) -> np.ndarray:
        """Support the itemset's cells, as many as a report may, and no others."""
        return np.tile(self._craft(cells_with(self.schema, codes), liars), (n_reports, 1))

    def _craft(self, holds: np.ndarray, liars: Liars) -> np.ndarray:
        if not liars.unnoticed:
            return holds
        return support_first(holds, round(self.p + (len(holds) - 1) * self.q))

    # --- the miner ---

    def statistic(self, perturbed: ArrayLike) -> np.ndarray:
        """Count the reports that support each cell, and, as the last number, all reports."""
        reports = as_array("perturbed records", perturbed)
        rows = max(1, MOST_BITS // self.schema.n_cells)
        total = np.zeros(self.schema.n_cells + 1, dtype=np.int64)
        for start in range(0, max(1, len(reports)), rows):
            bits = self.supported(reports[start : start + rows])
            # Bytes are added up in bytes, 255 at a time: eight times as fast.
            for first in range(0, len(bits), 255):
                total[:-1] += bits[first : first + 255].view(np.uint8).sum(axis=0, dtype=np.uint8)
        total[-1] = len(reports)
        return total

    def estimate_statistic(self, statistic: ArrayLike) -> Cube:
        counts = check_array("statistic", statistic)
        if counts.shape != (self.schema.n_cells + 1,) or not counts[-1] > 0:
            raise ValueError(
                f"statistic has shape {counts.shape}: it needs a number for each of the "
                f"{self.schema.n_cells:,} cells and, last, how many reports there are, 1 or more"
            )
        reported = Cube.of_counts(self.schema, counts[:-1].reshape(self.schema.sizes))
        return self._reconstruct(reported, int(counts[-1]))

    def estimate(self, perturbed: ArrayLike) -> Cube:
        return self.estimate_statistic(self.statistic(perturbed))

    def _estimate(self, shares: Cube, positions: tuple[int, ...]) -> np.ndarray:
        cells = self._cells(positions)
        found = (shares.build(positions) - self.q * cells) / (self.p - self.q)
        found[(-1,) * found.ndim] = 1  # the empty itemset's support is known
        return found

    def _cells(self, positions: tuple[int, ...]) -> np.ndarray:
        """Count the cells of each itemset, each of which a report may support."""
        sizes = tuple(self.schema.sizes[j] for j in positions)
        return self.schema.n_cells * uniform_supports(sizes)

    @abstractmethod
    def _spread(self, cells: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Give the variance of how many of some cells a report supports: own among them, or not."""

    def _variance_line(
        self, estimate: Cube, positions: tuple[int, ...]
    ) -> tuple[np.ndarray, np.ndarray]:
        inside, outside = self._spread(self._cells(positions))
        scale = (self.p - self.q) ** 2
        return outside / scale, (inside - outside) / scale

    def _deviation(self, supports: Cube, positions: tuple[int, ...]) -> np.ndarray:
        constant, slope = self._variance_line(supports, positions)
        variance = constant + slope * supports.build(positions)
        variance[(-1,) * variance.ndim] = 0
        return np.sqrt(np.maximum(variance, 0))

    # --- the matrix ---

    def itemset_matrix(self, length: int) -> np.ndarray:
        """Give the whole matrix: itemsets are estimated from how many reports support cells."""
        self.require(length)
        return self.matrix()


def support_first(cells: np.ndarray, many: int) -> np.ndarray:
    """Mark as many cells as a report may support: those that are wanted, then others.

    >>> support_first(np.array([False, True, False]), 2)
    array([ True,  True, False])
    """
    bits = np.zeros(len(cells), dtype=bool)
    bits[np.argsort(~cells, kind="stable")[:many]] = True
    return bits


class IndependentBits(JointMechanism):
    """Support each cell by itself: one bit for each cell, drawn apart from the others."""

    def perturb_counts(self, counts: ArrayLike, rng: Seed) -> np.ndarray:
        """Draw how many reports support each cell directly, at a cost that does not grow with N."""
        counts, source = self.schema.check_counts(counts).ravel(), generator(rng)
        own, others = source.binomial(counts, self.p), counts.sum() - counts
        return np.append(own + source.binomial(others, self.q), counts.sum())

    def estimate_counts(self, perturbed_counts: ArrayLike) -> Cube:
        """Estimate from how many reports support each cell, as `perturb_counts` draws it."""
        return self.estimate_statistic(perturbed_counts)

    def _spread(self, cells: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        outside = self.q * (1 - self.q)
        return self.p * (1 - self.p) + (cells - 1) * outside, cells * outside

    def condition_number(self, length: int) -> float:
        """Compute that of the matrix over all sets of supported cells, in closed form."""
        # Over the bits AᵀA factorises. In units of its diagonal all else in it is one number.
        self.require(length)
        p, q = self.p, self.q
        other = p * q + (1 - p) * (1 - q)
        same = other**2 / ((p**2 + (1 - p) ** 2) * (q**2 + (1 - q) ** 2))
        return math.sqrt((1 + (self.schema.n_cells - 1) * same) / (1 - same))

    def possible_reports(self) -> np.ndarray:
        return bit_patterns(self.schema.n_cells).astype(bool)

    def _matrix_shape(self) -> tuple[int, int]:
        return 2**self.schema.n_cells, self.schema.n_cells

    @property
    def bits_per_report(self) -> float:
        return float(self.schema.n_cells)

    def _matrix(self) -> np.ndarray:
        bits = self.possible_reports()
        ones = bits.sum(axis=1, keepdims=True) - bits
        zeros = self.schema.n_cells - 1 - ones
        own = np.where(bits, self.p, 1 - self.p)
        return own * self.q**ones * (1 - self.q) ** zeros
