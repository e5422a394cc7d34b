"""A matrix with one row lit: what its extremes say of γ, and who could have sent that report."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np


@dataclass(frozen=True)
class Shown:
    """A matrix A[v, u], and the row that was chosen, or else the one that makes its γ (Eq. 2)."""

    matrix: np.ndarray
    rows: tuple[str, ...]
    columns: tuple[str, ...]
    row: int | None
    """The lit row; None if a column does not even sum to one."""
    largest: int = 0
    smallest: int = 0
    ratio: float = math.nan
    """Missing in a row of zeros."""
    highest: float = math.nan
    """The largest ratio of any row."""
    off: tuple[int, ...] = ()
    sums: tuple[float, ...] = ()
    """Columns that do not sum to one, and what they sum to."""
    of: str = "record"
    """What its rows and columns are: whole records, or an itemset's values or bits."""

    @property
    def lit(self) -> dict[int, str]:
        """Name the two columns in the matrix's lit row whose ratio counts."""
        if self.row is None or math.isnan(self.ratio):
            return {}
        return {self.largest: "largest", self.smallest: "smallest"}

    @property
    def senders(self) -> np.ndarray | None:
        """Give the chances that each column sent the matrix's lit report, if all are as common.

        By Bayes these are the row's entries, divided by their sum.

        >>> light(np.array([[0.9, 0.3], [0.1, 0.7]]), ("1", "2"), ("1", "2"), row=1).senders
        array([0.75, 0.25])
        """
        return self.matrix[self.row] / self.matrix[self.row].sum() if self.lit else None

    @property
    def boxes(self) -> list[tuple[float, float, float, float]]:
        """Give the ends of the matrix's lit row, or of columns that do not sum to one."""
        bottom, right = (n - 0.5 for n in self.matrix.shape)
        if self.row is None:
            return [(u - 0.5, u + 0.5, -0.5, bottom) for u in self.off]
        return [(-0.5, right, self.row - 0.5, self.row + 0.5)]


def light(
    matrix: np.ndarray,
    rows: tuple[str, ...],
    columns: tuple[str, ...],
    of: str = "record",
    row: int = 0,
) -> Shown:
    """Light a row of a matrix, from 1; if there is no such row, that of the largest ratio.

    >>> shown = light(np.array([[0.9, 0.3], [0.1, 0.7]]), ("1", "2"), ("1", "2"))
    >>> shown.row, shown.largest, shown.smallest, round(shown.ratio, 3)
    (1, 1, 0, 7.0)
    """
    high, low = matrix.max(axis=1), matrix.min(axis=1)
    with np.errstate(divide="ignore", invalid="ignore"):
        ratios = np.where(high > 0, high / low, math.nan)  # a row of zeros is sent by nobody
        # Of many such rows the middle one has room around it.
        alike = np.flatnonzero(ratios >= np.nanmax(ratios) * (1 - 1e-9))
    at = row - 1 if 1 <= row <= len(rows) else int(alike[len(alike) // 2])
    largest = int(matrix[at].argmax())
    least = np.flatnonzero(matrix[at] <= low[at] * (1 + 1e-9))
    smallest = int(least[abs(least - largest).argmax()])
    highest = float(np.nanmax(ratios))
    return Shown(matrix, rows, columns, at, largest, smallest, float(ratios[at]), highest, of=of)
