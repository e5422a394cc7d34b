"""Two published schemes that break their promise, for lesson and audit; none is registered."""

from __future__ import annotations

import math

import numpy as np

from frapp_lab._base.checks import check_gamma
from frapp_lab.data.schema import Schema, check_schema
from frapp_lab.mechanisms.matrix import MatrixMechanism
from frapp_lab.modern.unary import OptimisedUnary


class FakeData(MatrixMechanism):
    """Tell one attribute, drawn at random, and make all others up: RS+FD (2021).

    Nobody sees which one was told, so it is told with γ' = M(γ − 1) + 1. That keeps γ for two
    records that differ in one attribute. But they may differ in all of them.

    >>> m = FakeData(Schema.of_sizes(2, 2, 2), 19)
    >>> m.claimed, round(m.amplification, 9)
    (19.0, 55.0)
    """

    label = "RS+FD"

    def __init__(self, schema: Schema, gamma: float) -> None:
        self.claimed = check_gamma(gamma)
        m, n = check_schema(schema).n_attributes, schema.n_cells
        told = m * (self.claimed - 1) + 1
        records = schema.decode(np.arange(n))
        chances = np.zeros((n, n))
        for size, column in zip(schema.sizes, records.T, strict=True):
            same = column[:, None] == column
            others = math.prod(schema.sizes) / size
            chances += np.where(same, told, 1) / (told + size - 1) / others
        super().__init__(schema, chances / m)


class MissingLine(OptimisedUnary):
    """Send OUE's bits as pure-LDP had it before 1.2: an own bit that is not told keeps its noise.

    One line was missing, the one that clears the own bit first. So it attains γ + 2.

    >>> m = MissingLine(Schema.of_sizes(2, 2), 19)
    >>> m.claimed, round(m.amplification, 9)
    (19.0, 21.0)
    """

    label = "OUE, a line missing"

    def __init__(self, schema: Schema, gamma: float) -> None:
        super().__init__(schema, gamma)
        self.claimed = self.gamma

    @property
    def p(self) -> float:
        """Give the flawed scheme's p = ½ + ½q: the own bit is told, or else set by chance."""
        return 0.5 + 0.5 * self.q

    @property
    def amplification(self) -> float:
        """Compute what the flawed scheme attains: p(1 − q)/q(1 − p) = γ + 2."""
        return self.p * (1 - self.q) / (self.q * (1 - self.p))
