"""The noise of a few supports that HR estimates, quickly for one γ after the other.

A report's weight for an itemset is a sum of rows, one for each cell that it holds. Its mean square
is a sum over pairs of cells, and γ enters that in two numbers only: all else is worked out once.
"""

from __future__ import annotations

import numpy as np

from frapp_lab.data.cube import Cube
from frapp_lab.modern.fit_noise import holds
from frapp_lab.modern.hadamard import HadamardResponse, transform

FEW, AT_ONCE = 128, 64
"""Most cells of an itemset whose pairs are listed, and how many others are transformed at once."""


class PairSums:
    """Add up over pairs of cells of some itemsets, once for each number of HR's blocks.

    `wanted` says of which itemsets, as an array of truth values like `supports.array`.

    >>> from frapp_lab import load_census, make_scheme
    >>> census = load_census()
    >>> hr = make_scheme("HR", census.schema, 19)
    >>> wanted = census.supports.array > 0.5
    >>> quick = PairSums(census.supports, wanted).deviation(hr)
    >>> slow = hr.standard_deviation(census.supports, 1).array[wanted]
    >>> bool(abs(quick - slow).max() < 1e-9)
    True
    """

    def __init__(self, supports: Cube, wanted: np.ndarray) -> None:
        schema = supports.schema
        array = np.asarray(supports.array, dtype=float)
        self._given, self._shares = array[wanted], array[(slice(-1),) * array.ndim].ravel()
        records = schema.decode(np.arange(schema.n_cells))
        itemsets = np.argwhere(wanted)
        self._is_noisy = (itemsets < schema.sizes).any(axis=1)  # the empty one's support is known
        held = holds(itemsets, records, schema.sizes)
        self._sizes = held.sum(axis=1)
        self._many = np.flatnonzero(self._sizes > FEW)
        self._held = held[self._many]
        groups = [np.flatnonzero(self._sizes == n) for n in range(1, FEW + 1)]
        self._few = [
            (group, np.nonzero(held[group])[1].reshape(len(group), -1))
            for group in groups
            if len(group)
        ]
        self._known: dict[int, np.ndarray] = {}

    def deviation(self, mechanism: HadamardResponse) -> np.ndarray:
        """Compute the noise of each support under HR, √N times its standard deviation."""
        if mechanism.blocks not in self._known:
            self._known[mechanism.blocks] = self._sums(mechanism)
        flat = mechanism.block_size / mechanism.shares * self._sizes
        moment = flat + mechanism.stay * self._known[mechanism.blocks]
        variance = moment / mechanism.stay**2 - self._given
        return np.sqrt(np.maximum(variance, 0)) * self._is_noisy

    def _sums(self, mechanism: HadamardResponse) -> np.ndarray:
        """Sum, over pairs of cells of one block, the share of the cell whose row is the product.

        The product of a row with itself is the block's row of ones: for it all the block counts.
        """
        blocks, size = mechanism.blocks, mechanism.block_size
        used = np.zeros(blocks * (size - 1))  # a block's first row is no cell's
        used[: len(self._shares)] = self._shares
        kernel = np.zeros((blocks, size))
        kernel[:, 1:] = used.reshape(blocks, -1)
        kernel[:, 0] = kernel.sum(axis=1)
        sums = np.zeros(len(self._sizes))
        for which, cells in self._few:
            block, row = np.divmod(cells, size - 1)
            first, row = (block * size)[:, :, None], row + 1
            found = kernel.ravel()[first + (row[:, :, None] ^ row[:, None, :])]
            sums[which] = np.where(first == first.swapaxes(1, 2), found, 0).sum(axis=(1, 2))
        # Or all pairs at once: a sum over columns of the squared sum of rows. The transform is one
        # of a few bits after the other (large products would wake other threads); whole numbers
        # are exact in single precision.
        low = min(2 ** (size.bit_length() // 2), 64)
        middle = min(size // low, 64)
        high = size // (low * middle)
        one, two, three = (transform(np.eye(n)).astype(np.float32) for n in (high, middle, low))
        spectrum = transform(kernel).ravel() / size
        for start in range(0, len(self._many), AT_ONCE):
            held = self._held[start : start + AT_ONCE]
            rows = np.zeros((len(held), blocks * (size - 1)), dtype=np.float32)
            rows[:, : held.shape[1]] = held
            grid = np.zeros((len(held), blocks, size), dtype=np.float32)
            grid[:, :, 1:] = rows.reshape(len(held), blocks, -1)
            weights = two @ (grid.reshape(-1, middle, low) @ three)
            weights = one @ weights.reshape(-1, high, middle * low)
            squares = np.square(weights.reshape(len(held), -1), dtype=float)
            sums[self._many[start : start + AT_ONCE]] = np.einsum("sc,c->s", squares, spectrum)
        return sums
