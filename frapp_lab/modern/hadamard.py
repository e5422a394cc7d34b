"""HR, Hadamard response (Acharya, Sun & Zhang 2019): few bits, and a fast transform to undo it.

Reports are the columns of a Hadamard matrix, in some blocks. A record has a row of one block, and
its own reports are the columns where that row is +1: they are γ times as likely as all others. Two
rows of a block agree in half of their columns, so that a transform of the counts tells them apart.
"""

from __future__ import annotations

import functools
import math
from functools import cached_property

import numpy as np
from numpy.typing import ArrayLike

from frapp_lab.data.attribute import Attribute
from frapp_lab.data.cube import Cube
from frapp_lab.data.schema import Schema
from frapp_lab.mechanisms.at_gamma import AtGamma
from frapp_lab.mechanisms.counting import CountingMechanism
from frapp_lab.mechanisms.lies import USUAL, Liars
from frapp_lab.mechanisms.registry import scheme
from frapp_lab.mining.reconstruction import project_to_simplex
from frapp_lab.modern.support_sets import MOST_BITS, cells_with, check_joint


def transform(values: np.ndarray) -> np.ndarray:
    """Apply the Walsh–Hadamard transform along the last axis, whose size is a power of two.

    >>> transform(np.array([1.0, 2.0, 3.0, 4.0]))
    array([10., -2., -4.,  0.])
    """
    out, size, step = np.array(values, dtype=float), np.shape(values)[-1], 1
    while step < size:
        pairs = out.reshape(*out.shape[:-1], -1, 2, step)
        out = np.stack(
            [pairs[..., 0, :] + pairs[..., 1, :], pairs[..., 0, :] - pairs[..., 1, :]], axis=-2
        ).reshape(out.shape)
        step *= 2
    return out


@scheme("HR", order=14, modern=True)
class HadamardResponse(AtGamma, CountingMechanism):
    """Send a column of a Hadamard matrix, γ times as likely if the record's row is +1 there: HR.

    >>> m = HadamardResponse(Schema.of_sizes(4, 5, 5, 5, 2, 2), 19)
    >>> m.blocks, m.block_size, m.bits_per_report
    (16, 128, 11.0)
    """

    def __init__(self, schema: Schema, gamma: float) -> None:
        super().__init__(check_joint(schema, self.label), gamma)

    @cached_property
    def blocks(self) -> int:
        """Give the number of blocks: the largest power of two below γ and 2n, as in the paper."""
        return 2 ** (math.ceil(math.log2(min(self.gamma, 2 * self.schema.n_cells))) - 1)

    @cached_property
    def block_size(self) -> int:
        """Give the columns of a block; its first row, all of it +1, is not used."""
        return 2 ** math.ceil(math.log2(math.ceil(self.schema.n_cells / self.blocks) + 1))

    @cached_property
    def shares(self) -> float:
        """Compute Z, the weight of all reports, if a record's own have γ and all others 1."""
        return (self.gamma - 1) * self.block_size / 2 + self.blocks * self.block_size

    @property
    def stay(self) -> float:
        """Give the chance that an own report is drawn on purpose; else any report is drawn."""
        return (self.gamma - 1) * self.block_size / 2 / self.shares

    @cached_property
    def _places(self) -> tuple[np.ndarray, np.ndarray]:
        """Find the block and the row of each cell."""
        block, row = np.divmod(np.arange(self.schema.n_cells), self.block_size - 1)
        return block, row + 1

    @property
    def reports(self) -> Schema:
        return _columns(self.blocks * self.block_size)

    # --- the client ---

    @property
    def luck(self) -> dict[str, int]:
        """Take one number that decides whether an own report is sent, and one that draws it."""
        return {"HR": 2}

    def _perturb(self, records: np.ndarray, uniforms: np.ndarray) -> np.ndarray:
        block, row = (place[self.schema.encode(records)] for place in self._places)
        # A column where the row is −1 has a neighbour where it is +1: flip the row's lowest bit.
        inside = (uniforms[:, 1] * self.block_size).astype(np.int64)
        inside = np.where(_minus(row, inside), inside ^ (row & -row), inside)
        any_column = (uniforms[:, 1] * (self.blocks * self.block_size)).astype(np.int64)
        own = uniforms[:, 0] < self.stay
        sent = np.where(own, block * self.block_size + inside, any_column)
        return sent.astype(self.reports.dtype)[:, None]

    def supported(self, perturbed: ArrayLike) -> np.ndarray:
        """Mark the cells whose own reports each report is among."""
        columns = self.reports.encode(perturbed)
        (block, row), which = self._places, columns // self.block_size
        inside = columns % self.block_size
        return (which[:, None] == block) & ~_minus(row, inside[:, None])

    def log_likelihood(self, perturbed: ArrayLike) -> np.ndarray:
        return math.log(self.gamma) * self.supported(perturbed)

    def craft(self, codes: np.ndarray, n_reports: int, liars: Liars = USUAL) -> np.ndarray:
        """Send the column with the largest weight for the itemset."""
        weights = transform(self._grid(cells_with(self.schema, codes)))
        return np.full((n_reports, 1), weights.argmax())

    # --- counts ---

    def _grid(self, cells: np.ndarray) -> np.ndarray:
        """Arrange the cells' numbers by block and row."""
        out = np.zeros((self.blocks, self.block_size))
        out[self._places] = np.ravel(cells)
        return out

    def apply(self, counts: np.ndarray) -> np.ndarray:
        """Compute A·X by one fast transform."""
        grid = self._grid(counts)
        own = (grid.sum(axis=1, keepdims=True) + transform(grid)) / 2
        return ((grid.sum() + (self.gamma - 1) * own) / self.shares).ravel()

    def apply_transposed(self, counts: np.ndarray) -> np.ndarray:
        grid = np.reshape(counts, (self.blocks, self.block_size))
        own = (grid.sum(axis=1, keepdims=True) + transform(grid)) / 2
        out = (grid.sum() + (self.gamma - 1) * own) / self.shares
        return out[self._places].reshape(self.schema.sizes)

    def _perturb_counts(self, counts: np.ndarray, rng: np.random.Generator) -> np.ndarray:
        size = self.block_size
        own = rng.binomial(counts.ravel(), self.stay)
        n_columns = self.blocks * size
        moved = int(counts.sum() - own.sum())
        out = rng.multinomial(moved, np.full(n_columns, 1 / n_columns))
        cells = np.flatnonzero(own)
        rows = max(1, MOST_BITS // size)
        for start in range(0, len(cells), rows):
            part = cells[start : start + rows]
            block, row = (place[part, None] for place in self._places)
            # The columns where the row is +1: its lowest bit follows from all the others.
            number, bit = np.arange(size // 2), row & -row
            column = ((number & -bit) << 1) | (number & (bit - 1))
            column = np.where(_minus(row, column), column | bit, column)
            drawn = rng.multinomial(own[part], np.full(size // 2, 2 / size))
            out += np.bincount((block * size + column).ravel(), drawn.ravel(), len(out)).astype(int)
        return out

    # --- the miner ---

    def _estimate(self, shares: Cube, positions: tuple[int, ...]) -> np.ndarray:
        reported = shares.build((0,))[:-1].reshape(self.blocks, self.block_size)
        cells = transform(reported)[self._places] / self.stay
        found = Cube.of_counts(self.schema, cells.reshape(self.schema.sizes)).build(positions)
        found[(-1,) * found.ndim] = 1  # the empty itemset's support is known
        return found

    def _deviation(self, supports: Cube, positions: tuple[int, ...]) -> np.ndarray:
        """Take the mean square of a report's weight, whose mean is 0 or 1 given the record."""
        # The square of a sum of rows is a sum over pairs of rows of one block, and the product of
        # two rows is a row: its mean is known. A pair counts for all itemsets that hold both cells.
        m = self.schema.n_attributes
        every = supports.build(tuple(range(m)))[(slice(-1),) * m]
        means = transform(self.apply(every).reshape(self.blocks, self.block_size))
        records = self.schema.decode(np.arange(self.schema.n_cells))[:, positions].astype(np.intp)
        sizes = [self.schema.sizes[j] for j in positions]
        block, row = self._places
        pairs = np.zeros(math.prod(s + 1 for s in sizes))
        step = max(1, MOST_BITS // self.block_size)
        for start in range(0, self.schema.n_cells, step):
            one = np.arange(start, min(start + step, self.schema.n_cells))
            for b in np.unique(block[one]):
                first, second = one[block[one] == b], np.flatnonzero(block == b)
                code = np.zeros((len(first), len(second)), dtype=np.intp)
                for j, size in enumerate(sizes):
                    own = records[first, j][:, None]
                    code = code * (size + 1) + np.where(own == records[second, j], own, size)
                weights = means[b][row[first][:, None] ^ row[second]]
                pairs += np.bincount(code.ravel(), weights.ravel(), len(pairs))
        moment = pairs.reshape([s + 1 for s in sizes])
        for axis in range(len(sizes)):
            np.moveaxis(moment, axis, 0)[-1] = moment.sum(axis=axis)
        variance = moment / self.stay**2 - supports.build(positions)
        variance[(-1,) * variance.ndim] = 0
        return np.sqrt(np.maximum(variance, 0))

    def _variance_line(
        self, estimate: Cube, positions: tuple[int, ...]
    ) -> tuple[np.ndarray, np.ndarray | float]:
        # Of few records the cells' estimates are far off, and some negative: the nearest table that
        # there can be gives a variance that can be.
        every = tuple(range(self.schema.n_attributes))
        cells = estimate.build(every)[(slice(-1),) * len(every)]
        cells = project_to_simplex(cells + (1 - cells.sum()) / cells.size)
        return super()._variance_line(Cube.of_counts(self.schema, cells), positions)

    # --- the matrix ---

    def itemset_matrix(self, length: int) -> np.ndarray:
        """Give the whole matrix: all itemsets are estimated from the cells."""
        self.require(length)
        return self.matrix()

    def _matrix_shape(self) -> tuple[int, int]:
        return self.blocks * self.block_size, self.schema.n_cells

    def condition_number(self, length: int) -> float:
        """Compute that of the whole matrix, from the few eigenvalues that AᵀA has."""
        # Cells of one block share half of their columns. So within a block differences have one
        # eigenvalue, and sums over blocks have those of a small matrix.
        self.require(length)
        sizes = np.bincount(self._places[0]).astype(float)
        half = (self.gamma - 1) ** 2 * self.block_size / 4
        flat = self.blocks * self.block_size + (self.gamma - 1) * self.block_size
        sums = flat * np.sqrt(np.outer(sizes, sizes)) + np.diag(half * (1 + sizes))
        values = np.append(np.linalg.eigvalsh(sums), [half] if sizes.max() > 1 else [])
        return math.sqrt(values.max() / values.min())


@functools.lru_cache(maxsize=16)
def _columns(n: int) -> Schema:
    """Name the columns of a Hadamard matrix: thousands of names, the same for many a γ."""
    return Schema((Attribute("column", tuple(map(str, range(n)))),))


def _minus(row: np.ndarray, column: np.ndarray) -> np.ndarray:
    """Mark where the Hadamard matrix is −1: row and column share an odd number of bits."""
    return (np.bitwise_count(np.bitwise_and(row, column)) & 1).astype(bool)
