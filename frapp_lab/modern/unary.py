"""Unary encodings: a report is one bit for each cell, drawn many at a time.

A number between 0 and 1 means a pattern of some bits, as often as it should. Most numbers are
looked up in a guide, the few that lie near the border of two patterns are searched.
"""

from __future__ import annotations

import math
from functools import cached_property

import numpy as np

from frapp_lab.modern.support_sets import IndependentBits

GROUP = 16
"""One number draws so many bits at a time: the pattern that they make."""

AT_ONCE = 2**16
"""So many numbers become patterns at a time, which all fit into the processor's memory."""


class Unary(IndependentBits):
    """Every client sends a bit for each cell: its own is 1 with probability p, any other with q."""

    @property
    def luck(self) -> dict[str, int]:
        """One number for the own bit, and one for each group of bits."""
        return {self.label: 1 + math.ceil(self.schema.n_cells / GROUP)}

    @cached_property
    def _groups(self) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """The cumulative chances of a group's patterns, and a guide to them.

        Most slots of the unit interval mean one pattern; of the others the guide says all ones.
        """
        many = min(GROUP, self.schema.n_cells)
        ones = np.bitwise_count(np.arange(2**many))
        cumulative = np.cumsum(self.q**ones * (1 - self.q) ** (many - ones))
        cumulative[-1] = 1
        slots = np.arange(2 ** (many + 4) + 1) / 2 ** (many + 4)
        first = np.searchsorted(cumulative, slots[:-1], side="right")
        changes = first != np.searchsorted(cumulative, slots[1:], side="left")
        guide = np.where(changes, len(cumulative) - 1, first)
        return cumulative, first.astype("<u2"), guide.astype("<u2")

    def _perturb(self, records: np.ndarray, uniforms: np.ndarray) -> np.ndarray:
        cumulative, first, guide = self._groups
        numbers = uniforms[:, 1:]
        patterns = np.empty(numbers.shape, dtype=guide.dtype)
        rows = max(1, AT_ONCE // numbers.shape[1])
        slots = np.empty((min(rows, len(records)), numbers.shape[1]), dtype=np.intp)
        for start in range(0, len(records), rows):
            part = numbers[start : start + rows]
            slot = np.multiply(part, len(guide), out=slots[: len(part)], casting="unsafe")
            found = np.take(guide, slot, out=patterns[start : start + rows], mode="wrap")
            unsure = np.divmod(np.flatnonzero(found == len(cumulative) - 1), numbers.shape[1])
            found[unsure] = _search(cumulative, part[unsure], first[slot[unsure]])
        # The own bit has a number of its own.
        place, bit = np.divmod(self.schema.encode(records), GROUP)
        at = np.arange(len(records)), place
        own = np.left_shift(1, bit).astype(patterns.dtype)
        patterns[at] = patterns[at] & ~own | own * (uniforms[:, 0] < self.p)
        return patterns

    def _unpacked(self, drawn: np.ndarray) -> np.ndarray:
        packed, n = drawn.view(np.uint8), self.schema.n_cells
        return np.unpackbits(packed, axis=1, count=n, bitorder="little").view(bool)


def _search(cumulative: np.ndarray, numbers: np.ndarray, first: np.ndarray) -> np.ndarray:
    """Where each number lies, if not before `first`, and most often there or one further on."""
    found = first + (numbers >= cumulative[first])
    beyond = numbers >= cumulative[found]
    found[beyond] = np.searchsorted(cumulative, numbers[beyond], side="right")
    return found
