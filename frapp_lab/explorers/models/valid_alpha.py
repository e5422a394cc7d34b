"""How wide RAN-GD's interval is: α in the paper's unit γx, and as it can be had (FRAPP §4)."""

from __future__ import annotations

from dataclasses import dataclass

from frapp_lab import privacy

NO_LESS = 1e-4
"""A smaller share of γx cannot be told from none."""


@dataclass(frozen=True)
class Alpha:
    """An α that makes no entry of a matrix negative."""

    value: float
    """The one that is asked for, or the largest valid one where that is smaller."""
    largest: float
    unit: float
    """γx."""

    @property
    def in_gx(self) -> float:
        return self.value / self.unit

    @property
    def largest_in_gx(self) -> float:
        return self.largest / self.unit

    @property
    def share(self) -> float:
        """Give α as a share of the largest valid one."""
        return min(1.0, float(f"{self.value / self.largest:.12g}"))


def valid_alpha(alpha: float, gamma: float, domain_size: int) -> Alpha:
    """Give an α that is asked for in units of γx as it can be had at this γ and n (FRAPP §4).

    >>> valid_alpha(0.5, gamma=19, domain_size=10).share  # (n−1)x is less than γx/2
    1.0
    """
    largest = privacy.max_alpha(gamma, domain_size)
    unit = gamma * privacy.off_diagonal(gamma, domain_size)
    return Alpha(min(alpha * unit, largest) if alpha >= NO_LESS else 0.0, largest, unit)
