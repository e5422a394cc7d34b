"""DET-GD: the γ-diagonal matrix (FRAPP §3), with γx on the diagonal and x elsewhere."""

from __future__ import annotations

import math
from functools import cached_property

import numpy as np
from numpy.typing import ArrayLike

from frapp_lab._base.checks import check_domain_size, check_integer
from frapp_lab.data.cube import Cube, uniform_supports
from frapp_lab.data.schema import Schema
from frapp_lab.mechanisms.at_gamma import AtGamma
from frapp_lab.mechanisms.counting import CountingMechanism
from frapp_lab.mechanisms.lies import USUAL, Liars
from frapp_lab.mechanisms.registry import scheme
from frapp_lab.privacy import off_diagonal

GRID = 2.0**53
"""Number of equal steps from 0 to 1 on which numpy's uniform numbers lie."""

FINE = 30
"""Number of binary digits to which a probability is met."""


@scheme("DET-GD", order=1, paper=True)
class GammaDiagonal(AtGamma, CountingMechanism):
    """Send the true record γ times as likely as any other one: DET-GD (FRAPP §3).

    That is: with probability s = (γ − 1)x send the record, and otherwise a uniform one.

    Parameters
    ----------
    schema
        The attributes of the records.
    gamma
        The amplification, which it attains exactly.

    Examples
    --------
    >>> census = Schema.of_sizes(4, 5, 5, 5, 2, 2)
    >>> round(GammaDiagonal(census, 19).condition_number(3), 4)
    112.1111
    """

    def __init__(self, schema: Schema, gamma: float) -> None:
        super().__init__(schema, gamma)
        check_domain_size(schema.n_cells)

    @cached_property
    def x(self) -> float:
        """Give the off-diagonal entry x = 1/(γ + n − 1)."""
        return off_diagonal(self.gamma, self.schema.n_cells)

    @cached_property
    def stay(self) -> float:
        """Give the probability s = (γ − 1)x that a record is sent on purpose as it is."""
        return (self.gamma - 1) * self.x

    def itemset_matrix(self, length: int) -> np.ndarray:
        """Stay, or draw a uniform cell, over the cells of the first attributes (FRAPP §6)."""
        cells = math.prod(self.schema.sizes[: self.require(length)])
        return np.full((cells, cells), (1 - self.stay) / cells) + self.stay * np.eye(cells)

    def condition_number(self, length: int) -> float:
        """Compute 1 + n/(γ − 1), the same for itemsets of every length (FRAPP §3 and §6)."""
        self.require(length)
        return 1 + self.schema.n_cells / (self.gamma - 1)

    # --- the client ---

    @cached_property
    def _digits(self) -> int:
        """Count the uniforms that decide whether a record stays: one has 53 binary digits of s."""
        return max(1, math.ceil((FINE - math.log2(self.stay)) / 53))

    @property
    def luck(self) -> dict[str, int]:
        """Take numbers that decide whether the record stays, and one for each block of columns."""
        return {"DET-GD": self._digits + len(self._blocks)}

    def _perturb(self, records: np.ndarray, uniforms: np.ndarray) -> np.ndarray:
        return self._replace(records, self._below(uniforms, self.stay), uniforms)

    def _below(self, uniforms: np.ndarray, chance: float | np.ndarray) -> np.ndarray:
        """Compare with a chance the number whose digits to base 2⁵³ are the first uniforms."""
        if self._digits == 1:
            return uniforms[:, 0] < chance
        below, equal = np.zeros(len(uniforms), dtype=bool), np.ones(len(uniforms), dtype=bool)
        for digit in GRID * uniforms[:, : self._digits].T:
            chance = GRID * chance
            wanted = np.floor(chance)
            below |= equal & (digit < wanted)
            equal &= digit == wanted
            chance = chance - wanted
        return below

    def _replace(self, records: np.ndarray, stay: np.ndarray, uniforms: np.ndarray) -> np.ndarray:
        """Put a uniform record in place of every one that does not stay."""
        reports = np.empty_like(records, order="F")
        columns = uniforms[:, self._digits : self._digits + len(self._blocks)].T
        for (first, table), uniform in zip(self._blocks, columns, strict=True):
            cells = (uniform * table.shape[1]).astype(np.intp)
            for j, values in enumerate(table, first):
                np.take(values, cells, out=reports[:, j], mode="clip")
                np.copyto(reports[:, j], records[:, j], where=stay)
        return reports

    @cached_property
    def _blocks(self) -> list[tuple[int, np.ndarray]]:
        """List the blocks of columns that one uniform draws: first column, all joint values."""
        blocks, first, m = [], 0, self.schema.n_attributes
        while first < m:
            last = first + 1
            while last < m and math.prod(self.schema.sizes[first : last + 1]) <= 2**16:
                last += 1
            table = np.indices(self.schema.sizes[first:last], dtype=self.schema.dtype)
            blocks.append((first, table.reshape(last - first, -1)))
            first = last
        return blocks

    def craft(self, codes: np.ndarray, n_reports: int, liars: Liars = USUAL) -> np.ndarray:
        """Send any record with the itemset; the condition number is what each liar gains."""
        return np.tile(np.maximum(codes, 0), (n_reports, 1))

    def log_likelihood(self, perturbed: ArrayLike) -> np.ndarray:
        out = np.zeros((len(np.asarray(perturbed)), self.schema.n_cells))
        out[np.arange(len(out)), self.schema.encode(perturbed)] = math.log(self.gamma)
        return out

    def column_chances(self, records: np.ndarray, reported: np.ndarray) -> np.ndarray:
        """Keep the next value with `match_probability` if all before it were kept (§5)."""
        j = reported.shape[1]
        size, matched = self.schema.sizes[j], (reported == records[:, :j]).all(axis=1)
        keep = self.match_probability(j)
        chances = np.full((len(records), size), 1 / size)
        chances[matched] = (1 - keep) / (size - 1)
        chances[np.flatnonzero(matched), records[matched, j]] = keep
        return chances

    def match_probability(self, column: int) -> float:
        """Give P(column j keeps its value | all before it did), the first case in FRAPP §5.

        >>> round(GammaDiagonal(Schema.of_sizes(2, 2), 3).match_probability(0), 4)
        0.6667
        """
        last = self.schema.n_attributes - 1
        check_integer("column", column, 0, last, "columns are counted from 0")

        def all_match(first: int) -> float:
            """Compute P(the first columns all keep their values) = (γ + n_M/n_j − 1)x."""
            return (self.gamma - 1 + math.prod(self.schema.sizes[first:])) * self.x

        return float(all_match(column + 1) / all_match(column))

    # --- counts ---

    def _perturb_counts(self, counts: np.ndarray, rng: np.random.Generator) -> np.ndarray:
        stayed = rng.binomial(counts, self.stay)
        moved = int(counts.sum() - stayed.sum())
        n = self.schema.n_cells
        return stayed + rng.multinomial(moved, np.full(n, 1 / n)).reshape(counts.shape)

    def apply(self, counts: np.ndarray) -> np.ndarray:
        """Compute A·X in O(n): s·X + x·ΣX."""
        return self.stay * counts + self.x * np.sum(counts)

    # --- the miner ---

    def _estimate(self, shares: Cube, positions: tuple[int, ...]) -> np.ndarray:
        # Over any attribute subset E(sup^V) = s·sup^U + (1 − s)·u, with u the share of each of its
        # cells in a uniform record: the rank-one inverse of FRAPP §6, for all subsets at once.
        return (shares.build(positions) - self._background(positions)) / self.stay

    def _deviation(self, supports: Cube, positions: tuple[int, ...]) -> np.ndarray:
        """Take the Poisson-binomial variance of each reported support (FRAPP §2.3)."""
        constant, slope = self._variance_line(supports, positions)
        # For the empty itemset it is 0, up to rounding.
        return np.sqrt(np.maximum(constant + slope * supports.build(positions), 0))

    def _variance_line(
        self, estimate: Cube, positions: tuple[int, ...]
    ) -> tuple[np.ndarray, np.ndarray]:
        p_out = self._background(positions)
        p_in = p_out + self.stay
        outside = p_out * (1 - p_out) / self.stay**2
        return outside, p_in * (1 - p_in) / self.stay**2 - outside

    def chance_found(self, supports: Cube, n_records: int, threshold: float) -> np.ndarray:
        """Use the binomial law with the mean and variance of the number of reports, often few."""
        from scipy.special import betainc

        deviation = self.standard_deviation(supports, n_records).array
        background = self._background(tuple(range(self.schema.n_attributes)))
        with np.errstate(divide="ignore", invalid="ignore"):
            mean = n_records * (background + self.stay * supports.array)
            variance = (n_records * self.stay * deviation) ** 2
            needed = np.ceil(n_records * (background + self.stay * threshold) - 1e-9)
            p = 1 - variance / mean
            n = mean / p
            chance = betainc(needed, np.maximum(n - needed + 1, 1e-9), p)
        return np.where(needed > n, 0.0, chance)

    def uniform_supports(self) -> np.ndarray:
        """Give the supports of all itemsets if every cell were equally likely."""
        return uniform_supports(self.schema.sizes)

    def _background(self, positions: tuple[int, ...]) -> np.ndarray:
        """Compute how likely a record without an itemset is reported to support it."""
        sizes = tuple(self.schema.sizes[j] for j in positions)
        return (1 - self.stay) * uniform_supports(sizes)
