"""OLH, optimised local hashing (Wang, Blocki, Li & Jha 2017): OUE's law in a few bits.

The client draws a hash function of the cells to g values and sends it with its own cell's value,
perturbed. A report supports all cells with that value. If the values of different cells are drawn
apart from each other, these are independent bits, as in OUE; the function here is a good mixer.
"""

from __future__ import annotations

import math
from functools import cached_property

import numpy as np
from numpy.typing import ArrayLike

from frapp_lab._base.checks import as_array
from frapp_lab.mechanisms.lies import USUAL, Liars
from frapp_lab.mechanisms.registry import scheme
from frapp_lab.modern.support_sets import IndependentBits, cells_with

SEED_BITS = 32
"""Number of bits that name a hash function."""

TRIES = 2**12
"""Number of hash functions of which liars choose the best."""


def hashed(seeds: np.ndarray, cells: np.ndarray, values: int) -> np.ndarray:
    """Compute the value, below `values`, that each seed's hash function gives to a cell.

    >>> hashed(np.array([[1], [2]]), np.arange(3), 20).shape
    (2, 3)
    """
    # The seed moves the start, the cell makes large steps, and murmur3's last lines mix the bits.
    x = seeds.astype(np.uint32) + cells.astype(np.uint32) * np.uint32(0x9E3779B1)
    x ^= x >> 16
    x *= np.uint32(0x85EBCA6B)
    x ^= x >> 13
    x *= np.uint32(0xC2B2AE35)
    x ^= x >> 16
    return x % np.uint32(values)


@scheme("OLH", order=12, modern=True)
class LocalHashing(IndependentBits):
    """Send a hash function of one's own, and the perturbed value of one's cell under it: OLH.

    >>> from frapp_lab import Schema
    >>> m = LocalHashing(Schema.of_sizes(4, 5, 5, 5, 2, 2), 19)
    >>> m.g, round(m.p, 4), m.q, round(m.bits_per_report, 1)
    (20, 0.5, 0.05, 36.3)
    """

    @cached_property
    def g(self) -> int:
        """Give the number of values of the hash functions: γ + 1, rounded."""
        return max(2, min(round(self.gamma + 1), 2**31))

    @property
    def p(self) -> float:
        return self.gamma / (self.gamma + self.g - 1)

    @property
    def q(self) -> float:
        return 1 / self.g

    @property
    def luck(self) -> dict[str, int]:
        """Take one number for the hash function, and one for the value."""
        return {"OLH": 2}

    @property
    def bits_per_report(self) -> float:
        return SEED_BITS + math.log2(self.g)

    def _perturb(self, records: np.ndarray, uniforms: np.ndarray) -> np.ndarray:
        seeds = (uniforms[:, 0] * 2**SEED_BITS).astype(np.int64)
        own = hashed(seeds, self.schema.encode(records), self.g)
        # Keep the value with probability p − x, or else send any of the g, each with x.
        stay = (self.gamma - 1) / (self.gamma + self.g - 1)
        again = np.maximum(uniforms[:, 1] - stay, 0) / (1 - stay)
        other = np.minimum(again * self.g, self.g - 1).astype(np.int64)
        return np.stack([seeds, np.where(uniforms[:, 1] < stay, own, other)], axis=1)

    def supported(self, perturbed: ArrayLike) -> np.ndarray:
        """Mark the cells that have the reported value under the reported hash function."""
        reports = as_array("perturbed records", perturbed)
        if reports.ndim != 2 or reports.shape[1] != 2 or not len(reports):
            raise ValueError(
                f"perturbed records have shape {reports.shape}: OLH sends a seed and a value, so "
                "the shape must be (N, 2) with N of 1 or more"
            )
        limits = np.array([2**SEED_BITS, self.g])
        bad = np.argwhere((reports < 0) | (reports >= limits) | (reports != np.floor(reports)))
        if len(bad):
            row, j = bad[0]
            raise ValueError(
                f"perturbed records: row {row} holds {reports[row, j]} as its "
                f"{('seed', 'value')[j]}: it is a whole number from 0 to {limits[j] - 1:,}"
            )
        cells = np.arange(self.schema.n_cells)
        return hashed(reports[:, :1], cells, self.g) == reports[:, 1:].astype(np.uint32)

    def craft(self, codes: np.ndarray, n_reports: int, liars: Liars = USUAL) -> np.ndarray:
        """Choose, of many hash functions, the one that supports most of the itemset's cells."""
        cells = np.flatnonzero(cells_with(self.schema, codes))
        seeds = np.arange(max(1, min(TRIES, 2**24 // len(cells))))
        values = hashed(seeds[:, None], cells, self.g)
        best, value, most = 0, 0, -1
        for seed, row in zip(seeds, values, strict=True):
            found = np.bincount(row.astype(np.intp))
            if found.max() > most:
                best, value, most = int(seed), int(found.argmax()), int(found.max())
        return np.tile([best, value], (n_reports, 1))
