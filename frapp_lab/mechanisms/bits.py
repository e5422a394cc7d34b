"""What MASK and cut-and-paste share: reports of one bit for every value of every attribute.

If b is a reported bit and β the background's share of ones, then E Π(b − β) over the k items of an
itemset is 0 if the record lacks one of them, and otherwise λ_k. So Σ Π(b − β) / (N λ_k) estimates
the support, without bias. The λ_k are the eigenvalues of the paper's reconstruction matrices, and
this estimate is what their inverses give.
"""

from __future__ import annotations

import itertools
from abc import abstractmethod
from collections.abc import Iterator
from math import comb

import numpy as np
from numpy.typing import ArrayLike

from frapp_lab._base.checks import as_array
from frapp_lab._base.later import pd
from frapp_lab.data.cube import Cube, lengths, map_axes
from frapp_lab.mechanisms.lies import USUAL, Liars
from frapp_lab.mechanisms.mechanism import MAX_ENTRIES, Mechanism

choose = np.vectorize(comb, otypes=[float])

MAX_BITS = 62
"""Largest number of bits of a report packed into one integer."""

MAX_DENSE = 17
"""Largest number of bits of which all patterns are held, whether they occur or not."""


class BitMechanism(Mechanism):
    """Send M_b = Σ|S_U^j| bits, one for each item (FRAPP §7)."""

    @property
    def n_bits(self) -> int:
        """Count the items, M_b in the paper."""
        return sum(self.schema.sizes)

    @property
    def first_bits(self) -> np.ndarray:
        """Give the position of each attribute's first bit."""
        return np.r_[0, np.cumsum(self.schema.sizes)[:-1]]

    @property
    @abstractmethod
    def background(self) -> float:
        """Give β, the chance that the bit of an item that the record does not have is one."""

    @property
    @abstractmethod
    def eigenvalues(self) -> np.ndarray:
        """Give the eigenvalues λ_0 … λ_M."""

    def estimate(self, perturbed: ArrayLike) -> Cube:
        bits = self._check_bits(perturbed)
        cube = Cube(self.schema, lambda positions: self._observed(bits, positions))
        if cube.is_small and self.n_bits <= MAX_BITS:
            return self.estimate_statistic(cube.array)
        return self._reconstruct(cube, len(bits))  # one attribute subset at a time, on demand

    def statistic(self, perturbed: ArrayLike) -> np.ndarray:
        """Count the reports that have all the bits of each itemset: the cube of bit subsets."""
        bits = self._check_bits(perturbed)
        return Cube(self.schema, lambda positions: self._observed(bits, positions)).array

    def estimate_statistic(self, statistic: ArrayLike) -> Cube:
        """Estimate from the cube of bit subsets, whose last number counts all reports."""
        cube = Cube.of_array(self.schema, np.asarray(statistic))
        return self._reconstruct(cube, int(cube[()]))

    @property
    def bits_per_report(self) -> float:
        return float(self.n_bits)

    def craft(self, codes: np.ndarray, n_reports: int, liars: Liars = USUAL) -> np.ndarray:
        """Set the itemset's bits and no others, or leave pairs of them out where that lifts more.

        An estimate is a product of b − β: two zeros are worth more than two ones if β > ½.
        """
        bits = np.zeros((n_reports, self.n_bits), dtype=bool)
        items = (codes + self.first_bits)[codes >= 0]
        zeros = len(items) // 2 * 2 if self.background > 0.5 else 0
        bits[:, items[zeros:]] = True
        return bits

    def log_likelihood(self, perturbed: ArrayLike) -> np.ndarray:
        """Look at how many of a record's own items are shown, and how many are shown in all."""
        with np.errstate(divide="ignore"):
            logs = np.log(self._chance_table())
        return logs.ravel()[self._chance_places(self._check_bits(perturbed))]

    def _chance_table(self) -> np.ndarray:
        """Compute the chance of a report by how many bits it shows, and how many are one's own."""
        shown, both = np.ogrid[: self.n_bits + 1, : self.schema.n_attributes + 1]
        own = np.array(self.schema.n_attributes)
        return self._pattern_chance(self.n_bits, shown, own, np.minimum(both, shown))

    def _chance_places(self, bits: np.ndarray) -> np.ndarray:
        """Find the place in that table, laid out flat, of each report, given each cell."""
        places = bits.sum(axis=1, keepdims=True) * (self.schema.n_attributes + 1)
        for first, size in zip(self.first_bits, self.schema.sizes, strict=True):
            places = places[:, :, None] + bits[:, None, first : first + size]
            places = places.reshape(len(bits), -1)
        return places

    def _estimate(self, shares: Cube, positions: tuple[int, ...]) -> np.ndarray:
        k = len(positions)
        centred = map_axes(shares.build(positions), [1] * k, [-self.background] * k)
        return centred / self._lambda(positions)

    def _lambda(self, positions: tuple[int, ...]) -> np.ndarray:
        """Give λ_k of every itemset; missing where it is 0 and nothing can be reconstructed."""
        known = np.where(self.eigenvalues > 0, self.eigenvalues, np.nan)
        return known[lengths(tuple(self.schema.sizes[j] for j in positions))]

    def itemset_matrix(self, length: int) -> np.ndarray:
        """Give A[v, u] over the bits of one itemset: 2^k × 2^k, patterns from 0…0 to 1…1 (§3).

        >>> from frapp_lab import Mask, Schema
        >>> Mask(Schema.of_sizes(2, 2), p=0.75).itemset_matrix(1)
        array([[0.75, 0.25],
               [0.25, 0.75]])
        """
        k = self.schema.check_length(length)
        if 4**k > MAX_ENTRIES:
            raise ValueError(
                f"length is {k}: the matrix over an itemset's bit patterns has 2^{k} rows and "
                f"columns, more than the limit of {MAX_ENTRIES:,} entries. Use a smaller length, "
                f"or the matrix of counts of size {k + 1} (partial_support_matrix, or "
                "by_count=True)"
            )
        patterns = bit_patterns(k)
        ones = patterns.sum(axis=1)
        return self._pattern_chance(k, ones[:, None], ones, patterns @ patterns.T)

    def itemset_labels(self, length: int) -> tuple[str, ...]:
        """List the bit patterns, 0…0 to 1…1."""
        return tuple("".join(bits) for bits in itertools.product("01", repeat=length))

    def partial_support_matrix(self, length: int) -> np.ndarray:
        """Give P[l', l]: how a record with l of an itemset's k items reports l' of them (§3).

        >>> from frapp_lab import CutAndPaste, Schema
        >>> CutAndPaste(Schema.of_sizes(2, 2), K=1, rho=0.5).partial_support_matrix(1)
        array([[0.5  , 0.375],
               [0.5  , 0.625]])
        """
        k = self.schema.check_length(length)
        # Count the patterns of `shown` ones with `both` of them among the record's own.
        shown, own, both = np.ogrid[: k + 1, : k + 1, : k + 1]
        other = np.maximum(shown - both, 0)
        ways = choose(own, both) * choose(k - own, other) * (both <= shown)
        possible = np.where(ways > 0, both, 0)
        return (ways * self._pattern_chance(k, shown, own, possible)).sum(axis=2)

    @abstractmethod
    def _pattern_chance(
        self, k: int, shown: np.ndarray, own: np.ndarray, both: np.ndarray
    ) -> np.ndarray:
        """Compute the chance of a pattern of `shown` ones, `both` among the `own` of k items."""

    def condition_number(self, length: int, by_count: bool = False) -> float:
        """Take the matrix over bit patterns, or that over counts, the paper's for C&P (§3)."""
        self.require(length)
        matrix = self.partial_support_matrix if by_count else self.itemset_matrix
        return float(np.linalg.cond(matrix(length)))

    def _check_bits(self, perturbed: ArrayLike) -> np.ndarray:
        bits = as_array("perturbed records", perturbed)
        if bits.ndim != 2 or bits.shape[1] != self.n_bits:
            raise ValueError(
                f"perturbed records have shape {bits.shape}: {self.label} sends {self.n_bits} bits "
                f"for this schema, one for each item, so the shape must be (N, {self.n_bits})"
            )
        if not len(bits):
            raise ValueError("perturbed records are empty: at least one report is needed")
        return as_bits(bits, self.label)

    def _observed(self, bits: np.ndarray, positions: tuple[int, ...]) -> np.ndarray:
        """Count the reports that have all the bits of each itemset, as an `all_marginals` array."""
        sizes = [self.schema.sizes[j] for j in positions]
        if sum(sizes) > MAX_BITS:
            raise ValueError(
                f"the attributes asked for have {sum(sizes)} values together, more than the limit "
                f"of {MAX_BITS} bits: ask for a smaller subset of the attributes"
            )
        whole = len(sizes) == self.schema.n_attributes
        chosen = bits if whole else bits[:, self._columns(positions)]
        # Rows of 32 or 64 bits are packed in one go; odd rows would be packed one by one.
        width = 32 if chosen.shape[1] <= 32 else 64
        padded = np.zeros((len(bits), width), dtype=bool)
        padded[:, : chosen.shape[1]] = chosen
        packed = np.packbits(padded.reshape(-1), bitorder="little")
        return _count_subsets(packed.view(f"<i{width // 8}").astype(np.int64), sizes)

    def _columns(self, positions: tuple[int, ...]) -> np.ndarray:
        """Find the bits of these attributes, in order."""
        first, sizes = self.first_bits, self.schema.sizes
        return np.concatenate([np.arange(first[j], first[j] + sizes[j]) for j in positions])

    def _own(self, records: np.ndarray, bits: np.ndarray) -> Iterator[np.ndarray]:
        """Find where in the flat array of bits each attribute's own items lie."""
        rows = np.arange(0, bits.size, self.n_bits)
        for j, first in enumerate(self.first_bits):
            yield rows + (first + records[:, j])

    def _matrix_shape(self) -> tuple[int, int]:
        return 2**self.n_bits, self.schema.n_cells

    def possible_reports(self) -> np.ndarray:
        """List all patterns of bits, the first bit slowest."""
        return bit_patterns(self.n_bits).astype(bool)

    def _matrix(self) -> np.ndarray:
        return self._chance_table().ravel()[self._chance_places(self.possible_reports())]


def as_bits(bits: np.ndarray, label: str) -> np.ndarray:
    """Turn numbers into truth values, if all of them are 0 or 1."""
    if bits.dtype == bool:
        return bits
    bad = np.argwhere((bits != 0) & (bits != 1))
    if len(bad):
        row, column = bad[0]
        raise ValueError(
            f"perturbed records: row {row}, bit {column} is {bits[row, column]!r}: {label} sends "
            "bits, 0 or 1"
        )
    return bits.astype(bool)


def bit_patterns(n_bits: int) -> np.ndarray:
    """List all patterns of n bits, the first bit slowest."""
    return (np.arange(2**n_bits)[:, None] >> np.arange(n_bits)[::-1]) & 1


def _count_subsets(patterns: np.ndarray, sizes: list[int]) -> np.ndarray:
    """Count the packed patterns (first attribute lowest) that hold each itemset's bits.

    Attributes are summed out: of all patterns that agree in the attributes still left, add up those
    with bit v set, for each value v, and those with any. The widest go first, several together in
    one sparse product, because there the patterns are as many as reports; after them, few are left.
    """
    import scipy.sparse  # not at the top: it takes 0.2 s to load

    order = sorted(range(len(sizes)), key=lambda i: -sizes[i])
    together = 1
    while together < len(order) and sum(sizes[i] for i in order[: together + 1]) <= 10:
        together += 1
    first, rest = order[:together], order[together:]
    kinds, rows = _field(patterns, sizes, first), _field(patterns, sizes, rest)
    kinds, found = _numbered(kinds, sum(sizes[i] for i in first), 10)
    rows, left = _numbered(rows, sum(sizes[i] for i in rest), MAX_DENSE)
    has = np.ones((len(found), 1))
    for i in first:
        has = (has[:, :, None] * _marks(found, sizes[i])[:, None, :]).reshape(len(found), -1)
        found = found >> sizes[i]
    # Counts below 2^24 are whole numbers in single precision too, and half the memory.
    exact = np.float32 if len(patterns) < 2**24 else np.float64
    places = rows.astype(np.int32), kinds.astype(np.int32)
    shape = len(left), len(found)
    counts = scipy.sparse.coo_array((np.ones(len(patterns), exact), places), shape=shape)
    table = counts @ has.astype(exact)
    complete = sum(sizes[i] for i in rest) <= MAX_DENSE
    for i in rest:
        table, left = _sum_out(table, left, sizes[i], complete)
    table = table.reshape([sizes[i] + 1 for i in order]).transpose(np.argsort(order))
    return table.astype(np.int64)


def _field(patterns: np.ndarray, sizes: list[int], chosen: list[int]) -> np.ndarray:
    """Pack the bits of the chosen attributes side by side, the first one lowest."""
    out, place = np.zeros(len(patterns), dtype=np.int64), 0
    for i in chosen:
        out |= ((patterns >> sum(sizes[:i])) & (2 ** sizes[i] - 1)) << place
        place += sizes[i]
    return out


def _numbered(values: np.ndarray, n_bits: int, limit: int) -> tuple[np.ndarray, np.ndarray]:
    """Number the patterns of bits: by themselves if all of that number of bits may be held."""
    return (values, np.arange(2**n_bits)) if n_bits <= limit else pd.factorize(values)


def _sum_out(
    table: np.ndarray, left: np.ndarray, size: int, complete: bool
) -> tuple[np.ndarray, np.ndarray]:
    """Sum out the lowest attribute of the bit patterns left; its values go to a last axis.

    `complete` says that all patterns are left, in order: then no search is needed.
    """
    n_columns = table.shape[1]
    if complete:
        marks = _marks(np.arange(2**size), size)
        summed = table.reshape(-1, 2**size, n_columns).swapaxes(1, 2) @ marks.astype(table.dtype)
        return summed.reshape(len(summed), -1), np.arange(len(summed))
    import scipy.sparse

    marks = _marks(left, size)
    groups, left = pd.factorize(left >> size)
    rows, values = np.nonzero(marks)
    select = scipy.sparse.csr_array(
        (np.ones(len(rows), table.dtype), (groups[rows] * (size + 1) + values, rows)),
        shape=(len(left) * (size + 1), len(marks)),
    )
    summed = (select @ table).reshape(len(left), size + 1, n_columns).swapaxes(1, 2)
    return summed.reshape(len(left), -1), left


def _marks(patterns: np.ndarray, size: int) -> np.ndarray:
    """Mark which of the lowest bits are set, with a last column of ones for "any"."""
    marks = np.ones((len(patterns), size + 1))
    marks[:, :size] = (patterns[:, None] >> np.arange(size)) & 1
    return marks
