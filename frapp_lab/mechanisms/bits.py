"""What MASK and cut-and-paste share: reports of one bit for every value of every attribute.

Both put a random background under the record's own bits. If b is a reported bit and β the
background's share of ones, then over the perturbation of a record E Π(b − β) over the items of an
itemset is 0 if the record lacks one of them, and otherwise a number λ_k that depends only on the
itemset's length k. So Σ Π(b − β) / (N λ_k) estimates the support, without bias. The λ_k are the
eigenvalues of the paper's reconstruction matrices, and this estimate is what their inverses give.
"""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Iterator

import numpy as np
import pandas as pd
import scipy.sparse

from frapp_lab.cube import Cube, lengths, map_axes
from frapp_lab.mechanisms.base import Mechanism
from frapp_lab.schema import Schema

MAX_BITS = 52
"""As many bits of a report are packed into one number, which must be exact as a float."""


class BitMechanism(Mechanism):
    """A scheme that sends M_b = Σ|S_U^j| bits, one for each item (FRAPP §7)."""

    schema: Schema

    @property
    def n_bits(self) -> int:
        """M_b, the number of items."""
        return sum(self.schema.sizes)

    @property
    def first_bits(self) -> np.ndarray:
        """The position of each attribute's first bit."""
        return np.r_[0, np.cumsum(self.schema.sizes)[:-1]]

    @property
    @abstractmethod
    def background(self) -> float:
        """β: how likely the bit of an item that the record does not have is one."""

    @property
    @abstractmethod
    def eigenvalues(self) -> np.ndarray:
        """λ_0 … λ_M."""

    def estimate(self, perturbed: np.ndarray) -> Cube:
        """The estimated support of every itemset, from the clients' bits."""
        bits = self._check_bits(perturbed)

        def build(positions: tuple[int, ...]) -> np.ndarray:
            sizes = [self.schema.sizes[j] for j in positions]
            observed = self._observed(bits, positions) / len(bits)
            centred = map_axes(observed, np.ones(len(sizes)), [-self.background] * len(sizes))
            with np.errstate(divide="ignore", invalid="ignore"):
                out = centred / self.eigenvalues[lengths(sizes)]
            out[lengths(sizes) > self.max_length] = np.nan
            return out

        return Cube(self.schema, build, self.check_reconstructible)

    def check_reconstructible(self, length: int) -> None:
        """Refuse a length whose matrix is singular; none is, unless a scheme says otherwise."""

    def _check_bits(self, perturbed: np.ndarray) -> np.ndarray:
        bits = np.asarray(perturbed)
        if bits.ndim != 2 or bits.shape[1] != self.n_bits:
            raise ValueError(
                f"perturbed records have shape {bits.shape}: {self.label} sends {self.n_bits} bits "
                f"for this schema, one for each item, so the shape must be (N, {self.n_bits})"
            )
        if not len(bits):
            raise ValueError("perturbed records are empty: at least one report is needed")
        if bits.dtype != bool:
            bad = np.argwhere((bits != 0) & (bits != 1))
            if len(bad):
                row, column = bad[0]
                raise ValueError(
                    f"perturbed records: row {row}, bit {column} is {bits[row, column]!r}: "
                    f"{self.label} sends bits, 0 or 1"
                )
            bits = bits.astype(bool)
        return bits

    def _observed(self, bits: np.ndarray, positions: tuple[int, ...]) -> np.ndarray:
        """How many reports have all the bits of each itemset: an `all_marginals` array."""
        sizes = [self.schema.sizes[j] for j in positions]
        if sum(sizes) > MAX_BITS:
            raise ValueError(
                f"the attributes asked for have {sum(sizes)} values together, more than the limit "
                f"of {MAX_BITS} bits: ask for a smaller subset of the attributes"
            )
        # The widest attributes are summed out first: that leaves the fewest distinct patterns.
        order = sorted(range(len(sizes)), key=lambda i: -sizes[i])
        weights = np.zeros(self.n_bits)
        shift = 0
        for i in order:
            first = self.first_bits[positions[i]]
            weights[first : first + sizes[i]] = 2.0 ** (shift + np.arange(sizes[i]))
            shift += sizes[i]
        patterns = (bits @ weights).astype(np.int64)
        summed = _count_subsets(patterns, [sizes[i] for i in order])
        return summed.transpose(np.argsort(order))

    def _own(self, records: np.ndarray, bits: np.ndarray) -> Iterator[np.ndarray]:
        """For each attribute, where in the flat array of bits the records' own items lie."""
        rows = np.arange(0, bits.size, self.n_bits)
        for j, first in enumerate(self.first_bits):
            yield rows + (first + records[:, j])

    def _matrix_shape(self) -> tuple[int, int]:
        return 2**self.n_bits, self.schema.n_cells

    def _patterns(self) -> tuple[np.ndarray, np.ndarray]:
        """All reports (rows of bits, first bit slowest) and the items of all records."""
        reports = (np.arange(2**self.n_bits)[:, None] >> np.arange(self.n_bits)[::-1]) & 1
        records = self.schema.decode(np.arange(self.schema.n_cells))
        return reports, records + self.first_bits


def _count_subsets(patterns: np.ndarray, sizes: list[int]) -> np.ndarray:
    """Of packed bits, first attribute lowest: how many patterns hold each itemset's bits.

    The attributes are summed out one after the other: of all patterns that agree in the attributes
    still left, add up those with bit v set, for each value v, and those with any. The first ones
    are taken together, in one sparse product, because there the patterns are as many as reports.
    """
    together = 1
    while together < len(sizes) and sum(sizes[: together + 1]) <= 10:
        together += 1
    first, rest = sizes[:together], sizes[together:]
    groups, left = pd.factorize(patterns >> sum(first))
    kinds, found = pd.factorize(patterns & (2 ** sum(first) - 1))
    has = np.ones((len(found), 1))
    for size in first:
        has = (has[:, :, None] * _marks(found, size)[:, None, :]).reshape(len(found), -1)
        found = found >> size
    tally = scipy.sparse.csr_array((np.ones(len(groups)), (groups, kinds)))
    table = tally @ has
    for size in rest:
        marks = _marks(left, size)
        groups, left = pd.factorize(left >> size)
        rows, values = np.nonzero(marks)
        select = scipy.sparse.csr_array(
            (np.ones(len(rows)), (groups[rows] * (size + 1) + values, rows)),
            shape=(len(left) * (size + 1), len(marks)),
        )
        # Axes: group, value, and what was summed out before; the value's axis goes last.
        table = (select @ table).reshape(len(left), size + 1, -1)
        table = table.swapaxes(1, 2).reshape(len(left), -1)
    return table.reshape([size + 1 for size in sizes])


def _marks(patterns: np.ndarray, size: int) -> np.ndarray:
    """Which of the lowest bits are set, and a last column of ones for "any"."""
    marks = np.ones((len(patterns), size + 1))
    marks[:, :size] = (patterns[:, None] >> np.arange(size)) & 1
    return marks
