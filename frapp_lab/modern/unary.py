"""SUE and OUE, unary encodings: a report is one bit for each cell, drawn many at a time.

A number between 0 and 1 means a pattern of some bits, as often as it should. Most numbers are
looked up in a guide, the few that lie near the border of two patterns are searched.
"""

from __future__ import annotations

import math
from functools import cached_property

import numpy as np

from frapp_lab.mechanisms.registry import scheme
from frapp_lab.modern.support_sets import IndependentBits

GROUP = 16
"""Number of bits that one random number draws at a time: the pattern that they make."""

AT_ONCE = 2**16
"""Number of random numbers that become patterns at a time; they fit near the processor."""


class Unary(IndependentBits):
    """Send a bit for each cell: the own is 1 with probability p, any other with q."""

    @property
    def luck(self) -> dict[str, int]:
        """Take one number for the own bit, and one for each group of bits."""
        return {self.label: 1 + math.ceil(self.schema.n_cells / GROUP)}

    @cached_property
    def _groups(self) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """Compute the cumulative chances of a group's patterns, and a guide to them.

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


@scheme("SUE", order=10, modern=True)
class SymmetricUnary(Unary):
    """Send a bit for each cell, the own 1 and all others 0, each kept with √γ : 1: SUE.

    >>> from frapp_lab import Schema
    >>> m = SymmetricUnary(Schema.of_sizes(4, 5, 5, 5, 2, 2), 19)
    >>> round(m.p, 4), round(m.q, 4)
    (0.8134, 0.1866)
    """

    @cached_property
    def p(self) -> float:
        root = math.sqrt(self.gamma)
        return root / (root + 1)

    @property
    def q(self) -> float:
        return 1 - self.p


@scheme("OUE", order=11, modern=True)
class OptimisedUnary(Unary):
    """Send a bit for each cell; the own is 1 as often as not, any other with 1/(γ + 1): OUE.

    Nearly all bits are of other cells, so it matters most that these are seldom 1.

    >>> from frapp_lab import Schema
    >>> m = OptimisedUnary(Schema.of_sizes(4, 5, 5, 5, 2, 2), 19)
    >>> m.p, m.q
    (0.5, 0.05)
    """

    @property
    def p(self) -> float:
        return 0.5

    @property
    def q(self) -> float:
        return 1 / (self.gamma + 1)


def _search(cumulative: np.ndarray, numbers: np.ndarray, first: np.ndarray) -> np.ndarray:
    """Find each number's pattern of a unary report's bits: most often `first`, or one further."""
    found = first + (numbers >= cumulative[first])
    beyond = numbers >= cumulative[found]
    found[beyond] = np.searchsorted(cumulative, numbers[beyond], side="right")
    return found
