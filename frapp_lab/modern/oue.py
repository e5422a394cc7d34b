"""OUE: optimised unary encoding (Wang, Blocki, Li & Jha 2017)."""

from __future__ import annotations

from frapp_lab.mechanisms.registry import scheme
from frapp_lab.mechanisms.style import Style
from frapp_lab.modern.unary import Unary


@scheme("OUE", Style("#AA3377", "diamond"), order=11, modern=True)
class OptimisedUnary(Unary):
    """OUE: one bit for each cell; its own is 1 as often as not, any other with 1/(γ + 1).

    Nearly all bits are others, so it is they that are kept from lying.

    >>> from frapp_lab import Schema
    >>> m = OptimisedUnary(Schema.of_sizes(4, 5, 5, 5, 2, 2), 19)
    >>> m.p, m.q
    (0.5, 0.05)
    """

    @property
    def p(self) -> float:
        """½."""
        return 0.5

    @property
    def q(self) -> float:
        """1/(γ + 1)."""
        return 1 / (self.gamma + 1)
