"""A matrix with one entry on its diagonal and another elsewhere: where γ stops it (FRAPP §3)."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np


@dataclass(frozen=True)
class Pushed:
    """A diagonal over n cells, pushed a `share` of its way from 1/n, where nothing is told, to 1.

    That share is also the matrix's smallest eigenvalue, and the chance to send the truth on
    purpose.

    >>> pushed = Pushed(0.6, 12, gamma=19)
    >>> f"{pushed.diagonal:.3f} {pushed.other:.4f} {pushed.condition:.3f} {pushed.limit:.3f}"
    '0.633 0.0333 1.667 0.633'
    """

    share: float
    n: int
    gamma: float

    @property
    def diagonal(self) -> float:
        """Give the entry on the pushed diagonal."""
        return self.share + self.other

    @property
    def other(self) -> float:
        """Give the entry beside the pushed diagonal; a column sums to one."""
        return (1 - self.share) / self.n

    @property
    def ratio(self) -> float:
        """Give the ratio of the two entries, which γ bounds."""
        return self.diagonal / self.other if self.other else math.inf

    @property
    def condition(self) -> float:
        """Give the condition number of the pushed matrix, at any length of itemsets."""
        return 1 / self.share if self.share else math.inf

    @property
    def limit(self) -> float:
        """Give the largest diagonal entry that γ allows: n − 1 others of at least a γth of it."""
        return self.gamma / (self.gamma + self.n - 1)

    @property
    def stop(self) -> float:
        """Give the share of the way at which γ stops the diagonal."""
        return (self.gamma - 1) / (self.gamma + self.n - 1)

    @property
    def keeps(self) -> bool:
        """Tell whether the pushed matrix keeps to γ."""
        return self.ratio <= self.gamma * (1 + 1e-9)

    @property
    def at_limit(self) -> bool:
        """Tell whether the diagonal is pushed as far as γ allows."""
        return math.isclose(self.ratio, self.gamma, rel_tol=1e-6)

    def matrix(self, cells: int) -> np.ndarray:
        """Give the matrix of a part of the record with so many cells; of n cells it is the whole.

        >>> Pushed(0.4, 3, gamma=19).matrix(3).round(3).tolist()
        [[0.6, 0.2, 0.2], [0.2, 0.6, 0.2], [0.2, 0.2, 0.6]]
        """
        return self.share * np.eye(cells) + (1 - self.share) / cells
