"""Schemes whose one parameter is γ itself, which they attain exactly."""

from __future__ import annotations

from typing import Self

from frapp_lab._base.checks import check_gamma
from frapp_lab.data.schema import Schema, check_schema
from frapp_lab.mechanisms.mechanism import Mechanism


class AtGamma(Mechanism):
    """Keep γ as the scheme's parameter, and as its amplification."""

    def __init__(self, schema: Schema, gamma: float) -> None:
        self.schema = check_schema(schema)
        self.gamma = check_gamma(gamma)

    @classmethod
    def for_gamma(cls, schema: Schema, gamma: float) -> Self:
        return cls(schema, gamma)

    @property
    def amplification(self) -> float:
        return self.gamma
