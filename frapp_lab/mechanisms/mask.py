"""MASK (Rizvi & Haritsa 2002): flip every bit with probability 1 − p."""

from __future__ import annotations

import numpy as np

from frapp_lab._base.checks import check_gamma
from frapp_lab.data.cube import Cube, map_axes
from frapp_lab.data.schema import Schema, check_schema
from frapp_lab.mechanisms.bits import BitMechanism
from frapp_lab.mechanisms.registry import scheme


@scheme("MASK", order=3, paper=True)
class Mask(BitMechanism):
    """Keep each of the record's M_b bits with probability p, and flip the others: MASK (FRAPP §3).

    Parameters
    ----------
    schema
        The attributes of the records.
    p
        The probability that a bit keeps its value, above ½.

    Examples
    --------
    >>> census = Schema.of_sizes(4, 5, 5, 5, 2, 2)
    >>> m = Mask.for_gamma(census, 19)
    >>> round(m.p, 6), round(m.condition_number(4))
    (0.561037, 4503)
    """

    def __init__(self, schema: Schema, p: float) -> None:
        if not 0.5 < p <= 1:
            raise ValueError(
                f"p is {p!r}: it must lie in (½, 1], because at p = ½ a bit says nothing (the "
                "matrix is singular), below ½ it says the opposite, and it is a probability"
            )
        self.schema = check_schema(schema)
        self.p = float(p)

    @classmethod
    def for_gamma(cls, schema: Schema, gamma: float) -> Mask:
        """Find the p that attains γ: (p/(1 − p))^(2M) = γ, as two records differ in up to 2M bits.

        >>> round(Mask.for_gamma(Schema.of_sizes(5, 5, 5, 3, 2, 2, 5), 19).p, 6)
        0.552386
        """
        odds = check_gamma(gamma) ** (1 / (2 * check_schema(schema).n_attributes))
        made = cls(schema, odds / (1 + odds))
        while made.amplification > gamma * (1 + 1e-9):  # so near 1 a rounded p tells more, or all
            made = cls(schema, float(np.nextafter(made.p, 0)))
        return made

    @property
    def amplification(self) -> float:
        """Compute (p/(1 − p))^(2M), infinite at p = 1."""
        with np.errstate(divide="ignore"):
            return float(np.divide(self.p, 1 - self.p) ** (2 * self.schema.n_attributes))

    @property
    def luck(self) -> dict[str, int]:
        return {"MASK": self.n_bits}

    @property
    def background(self) -> float:
        return 1 - self.p

    @property
    def eigenvalues(self) -> np.ndarray:
        return (2 * self.p - 1) ** np.arange(self.schema.n_attributes + 1.0)

    def condition_number(self, length: int, by_count: bool = False) -> float:
        """Compute (2p − 1)^−k, or that of the smaller matrix of counts."""
        if by_count:
            return super().condition_number(length, by_count)
        return float(1 / self.eigenvalues[self.require(length)])

    def _pattern_chance(
        self, k: int, shown: np.ndarray, own: np.ndarray, both: np.ndarray
    ) -> np.ndarray:
        flipped = shown + own - 2 * both
        return self.p ** (k - flipped) * (1 - self.p) ** flipped

    def _perturb(self, records: np.ndarray, uniforms: np.ndarray) -> np.ndarray:
        # A zero that flips is a one: so the flips are the bits, but for the record's own items.
        bits = np.ascontiguousarray(uniforms >= self.p)
        flat = bits.reshape(-1)
        for own in self._own(records, bits):
            flat[own] = ~flat[own]
        return bits

    def _deviation(self, supports: Cube, positions: tuple[int, ...]) -> np.ndarray:
        """Multiply the bits' second moments: an estimate is a mean of products over bits."""
        # A bit's factor is (b − (1 − p))/(2p − 1). The mean of its square is p(1 − p)/(2p − 1)²,
        # and by 1 more for the record's own items.
        share, k = supports.build(positions), len(positions)
        other = self.p * (1 - self.p) / (2 * self.p - 1) ** 2
        return np.sqrt(np.maximum(map_axes(share, [1] * k, [other] * k) - share, 0))
