"""DET-GD: the γ-diagonal matrix (FRAPP §3), with γx on the diagonal and x elsewhere."""

from __future__ import annotations

import functools
import math
from functools import cached_property

import numpy as np

from frapp_lab.checks import check_gamma
from frapp_lab.cube import Cube
from frapp_lab.mechanisms.base import CountingMechanism
from frapp_lab.privacy import off_diagonal
from frapp_lab.schema import Schema


class GammaDiagonal(CountingMechanism):
    """DET-GD: the true record is γ times as likely as any other one (FRAPP §3).

    Equivalently: with probability s = (γ − 1)x send the record as it is, and otherwise a record
    drawn uniformly from the whole domain. The columns of a uniform record are independent, so this
    costs O(M) per record, whatever the size of the domain.

    >>> census = Schema.of_sizes(4, 5, 5, 5, 2, 2)
    >>> round(GammaDiagonal(census, 19).condition_number(3), 4)
    112.1111
    """

    label = "DET-GD"

    def __init__(self, schema: Schema, gamma: float) -> None:
        self.schema = schema
        self.gamma = check_gamma(gamma)

    def __repr__(self) -> str:
        return f"GammaDiagonal({_short(self.schema)}, gamma={self.gamma:g})"

    @property
    def luck(self) -> dict[str, int]:
        """One number that decides whether the record stays, and one for each block of columns."""
        return {"DET-GD": 1 + len(self._blocks)}

    @cached_property
    def x(self) -> float:
        """The off-diagonal entry x = 1/(γ + n − 1)."""
        return off_diagonal(self.gamma, self.schema.n_cells)

    @cached_property
    def stay(self) -> float:
        """The probability s = (γ − 1)x that a record is sent on purpose as it is."""
        return (self.gamma - 1) * self.x

    @property
    def amplification(self) -> float:
        """γ itself."""
        return self.gamma

    def condition_number(self, length: int) -> float:
        """1 + n/(γ − 1), the same for itemsets of every length (FRAPP §3 and §6)."""
        self.check_length(length)
        return 1 + self.schema.n_cells / (self.gamma - 1)

    def _perturb(self, records: np.ndarray, uniforms: np.ndarray) -> np.ndarray:
        return self._replace(records, uniforms[:, 0] < self.stay, uniforms[:, 1:])

    def _replace(self, records: np.ndarray, stay: np.ndarray, uniforms: np.ndarray) -> np.ndarray:
        """A uniform record in place of every one that does not stay."""
        reports = np.empty_like(records, order="F")
        for (first, table), uniform in zip(self._blocks, uniforms.T, strict=True):
            cells = (uniform * table.shape[1]).astype(np.int64)
            for j, values in enumerate(table, first):
                np.take(values, cells, out=reports[:, j], mode="clip")
                np.copyto(reports[:, j], records[:, j], where=stay)
        return reports

    @cached_property
    def _blocks(self) -> list[tuple[int, np.ndarray]]:
        """The columns in blocks of few joint values, so that one uniform draws a whole block.

        Each block is its first column and a table of its columns' values in all of its cells.
        """
        blocks, first = [], 0
        while first < self.schema.n_attributes:
            last = first + 1
            while math.prod(self.schema.sizes[first : last + 1]) <= 2**16 and (
                last < self.schema.n_attributes
            ):
                last += 1
            part = Schema(self.schema.attributes[first:last])
            table = part.decode(np.arange(part.n_cells)).T.astype(self.schema.dtype, order="C")
            blocks.append((first, table))
            first = last
        return blocks

    def _perturb_counts(self, counts: np.ndarray, rng: np.random.Generator) -> np.ndarray:
        stayed = rng.binomial(counts, self.stay)
        moved = int(counts.sum() - stayed.sum())
        n = self.schema.n_cells
        return stayed + rng.multinomial(moved, np.full(n, 1 / n)).reshape(counts.shape)

    def apply(self, counts: np.ndarray) -> np.ndarray:
        """A·X in O(n): s·X + x·ΣX."""
        return self.stay * counts + self.x * np.sum(counts)

    def _estimate(self, reported: Cube, n_records: int) -> Cube:
        # Over any attribute subset E(sup^V) = s·sup^U + (1 − s)·u, with u the share of each of its
        # cells in a uniform record: the rank-one inverse of FRAPP §6, for all subsets at once.
        def build(positions: tuple[int, ...]) -> np.ndarray:
            observed = reported.build(positions) / n_records
            uniform = self._uniform(positions)
            return (observed - (1 - self.stay) * uniform) / self.stay

        return Cube(self.schema, build)

    def standard_deviation(self, supports: Cube, n_records: int) -> Cube:
        """From the Poisson-binomial variance of each reported support (FRAPP §2.3).

        A record that supports an itemset is reported to do so with probability p_in, any other one
        with p_out; the two kinds are independent Bernoulli trials.
        """

        def build(positions: tuple[int, ...]) -> np.ndarray:
            share = supports.build(positions)
            p_out = (1 - self.stay) * self._uniform(positions)
            p_in = p_out + self.stay
            variance = share * p_in * (1 - p_in) + (1 - share) * p_out * (1 - p_out)
            # For the empty itemset p_in is 1, up to rounding.
            return np.sqrt(np.maximum(variance, 0) / n_records) / self.stay

        return Cube(self.schema, build)

    def uniform_supports(self) -> np.ndarray:
        """The supports of all itemsets if every cell were equally likely, like `Cube.array`."""
        return self._uniform(tuple(range(self.schema.n_attributes)))

    def _uniform(self, positions: tuple[int, ...]) -> np.ndarray:
        return _uniform_supports(tuple(self.schema.sizes[j] for j in positions))


@functools.lru_cache(maxsize=64)
def _uniform_supports(sizes: tuple[int, ...]) -> np.ndarray:
    out = np.ones(())
    for size in sizes:
        out = np.multiply.outer(out, np.r_[np.full(size, 1 / size), 1.0])
    return out


def _short(schema: Schema) -> str:
    return f"<{schema.n_attributes} attributes, {schema.n_cells:,} cells>"
