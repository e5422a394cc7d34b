"""SUE: basic RAPPOR (Erlingsson, Pihur & Korolova 2014), a symmetric unary encoding."""

from __future__ import annotations

import math
from functools import cached_property

from frapp_lab.mechanisms.registry import scheme
from frapp_lab.mechanisms.style import Style
from frapp_lab.modern.unary import Unary


@scheme("SUE", Style("#7A5195", "triangle-down"), order=10, modern=True)
class SymmetricUnary(Unary):
    """SUE: one bit for each cell, its own is 1, and every bit keeps its value with √γ : 1.

    >>> from frapp_lab import Schema
    >>> m = SymmetricUnary(Schema.of_sizes(4, 5, 5, 5, 2, 2), 19)
    >>> round(m.p, 4), round(m.q, 4)
    (0.8134, 0.1866)
    """

    @cached_property
    def p(self) -> float:
        """√γ/(√γ + 1)."""
        root = math.sqrt(self.gamma)
        return root / (root + 1)

    @property
    def q(self) -> float:
        """1 − p."""
        return 1 - self.p
