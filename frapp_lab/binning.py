"""Turning a numeric column into categories: intervals with readable names."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np


@dataclass(frozen=True)
class Bins:
    """Intervals between rising edges, closed on the right or on the left.

    An infinite last edge makes the last interval open-ended.

    >>> Bins((15, 35, 55, np.inf)).labels
    ('(15,35]', '(35,55]', '>55')
    >>> Bins((0, 20, 40, np.inf), closed="left").labels
    ('[0,20)', '[20,40)', '>=40')
    """

    edges: tuple[float, ...]
    closed: str = "right"
    name: str = "bins"

    def __post_init__(self) -> None:
        """Refuse edges that make no intervals."""
        if len(self.edges) < 3 or not all(
            a < b for a, b in zip(self.edges[:-1], self.edges[1:], strict=True)
        ):
            raise ValueError(
                f"bins for {self.name!r} have the edges {list(self.edges)}: give at least three "
                "rising numbers, because an attribute needs two intervals or more"
            )

    @property
    def labels(self) -> tuple[str, ...]:
        """The intervals' names, in order."""
        right = self.closed == "right"
        names = []
        for low, high in zip(self.edges[:-1], self.edges[1:], strict=True):
            if np.isinf(high):
                names.append(f"{'>' if right else '>='}{_number(low)}")
            else:
                brackets = "(]" if right else "[)"
                names.append(f"{brackets[0]}{_number(low)},{_number(high)}{brackets[1]}")
        return tuple(names)

    def codes(self, values: np.ndarray, name: str) -> np.ndarray:
        """The interval of each value; a value outside all of them is refused.

        >>> Bins((15, 35, 55)).codes(np.array([16, 35, 36]), "age")
        array([0, 0, 1])
        """
        side = "left" if self.closed == "right" else "right"
        codes = np.searchsorted(self.edges, values, side=side) - 1
        outside = np.flatnonzero((codes < 0) | (codes >= len(self.edges) - 1))
        if len(outside):
            row = outside[0]
            raise ValueError(
                f"bins for {name!r} do not cover the data: row {row} holds {values[row]}, outside "
                f"{self.labels[0]} … {self.labels[-1]} ({len(outside):,} such rows); the data run "
                f"from {values.min()} to {values.max()}"
            )
        return codes


def equal_width(name: str, number: int, low: float, high: float, closed: str) -> Bins:
    """A number of intervals of equal width between two limits.

    >>> equal_width("age", 4, 15, 95, "right").labels
    ('(15,35]', '(35,55]', '(55,75]', '(75,95]')
    """
    if not 2 <= number <= 1000:
        raise ValueError(
            f"bins for {name!r}: {number} intervals were asked for; allowed are 2 to 1000, because "
            "an attribute needs two values or more"
        )
    edges = np.linspace(low, high, number + 1)
    return Bins(tuple(float(e) for e in edges), closed, name)


def _number(value: float) -> str:
    # Six digits name every edge of up to 1000 intervals apart; 15.0 reads as 15.
    return np.format_float_positional(value, precision=6, fractional=False, trim="-")
