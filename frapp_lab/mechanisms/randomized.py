"""RAN-GD: the γ-diagonal matrix with a random diagonal (FRAPP §4)."""

from __future__ import annotations

from collections.abc import Callable
from typing import Self

import numpy as np

from frapp_lab._base.checks import check_number
from frapp_lab.data.schema import Schema, check_schema
from frapp_lab.mechanisms.gamma_diagonal import GammaDiagonal
from frapp_lab.mechanisms.registry import scheme
from frapp_lab.privacy import check_alpha, max_alpha, realized_amplification

Quantile = Callable[[np.ndarray], np.ndarray]
"""A function that turns uniform numbers into r/α."""


@scheme("RAN-GD", order=2, paper=True)
class RandomizedGammaDiagonal(GammaDiagonal):
    """Draw r from [−α, α] for each client and put γx + r on the diagonal: RAN-GD (§4).

    The reports have exactly the law of DET-GD's, so all that the miner does is inherited.

    Parameters
    ----------
    schema
        The attributes of the records.
    gamma
        The amplification of the matrix at r = 0.
    alpha
        The half-width of r, up to min(γx, (n − 1)x).
    quantile
        A function that turns uniform numbers into r/α, with mean 0; without it r is uniform.

    Examples
    --------
    >>> m = RandomizedGammaDiagonal(Schema.of_sizes(4, 5, 5, 5, 2, 2), 19, alpha=0.004)
    >>> [round(a, 2) for a in m.realized_amplification]
    [10.88, 27.18]
    """

    def __init__(
        self, schema: Schema, gamma: float, alpha: float, quantile: Quantile | None = None
    ) -> None:
        super().__init__(schema, gamma)
        self.alpha = check_alpha(alpha, gamma, schema.n_cells)
        self.quantile = quantile
        if quantile is not None:
            points = 2**16
            r = np.asarray(quantile((np.arange(points) + 0.5) / points), dtype=float)
            if r.shape != (points,) or not (abs(r) <= 1).all() or abs(r.mean()) > 1e-6:
                raise ValueError(
                    "quantile must turn an array of uniform numbers into one of r/α, within "
                    "[−1, 1] so that no matrix has a negative entry, and with mean 0, because the "
                    f"miner undoes the matrix at r = 0; its mean is {r.mean():.3g}, its range "
                    f"[{r.min():.3g}, {r.max():.3g}]"
                )

    @classmethod
    def for_gamma(cls, schema: Schema, gamma: float, alpha_share: float = 0.5) -> Self:
        """Make it for γ, with α as the share `alpha_share` of the largest valid one."""
        check_number("alpha_share", alpha_share, "[0, 1]", "it is a share of the largest valid α")
        return cls(schema, gamma, alpha_share * max_alpha(gamma, check_schema(schema).n_cells))

    @property
    def luck(self) -> dict[str, int]:
        return {**super().luck, "RAN-GD": 1}

    @property
    def realized_amplification(self) -> tuple[float, float]:
        """Give the amplification of a client's own matrix at r = −α and at r = +α."""
        return realized_amplification(self.gamma, self.alpha, self.schema.n_cells)

    def _perturb(self, records: np.ndarray, uniforms: np.ndarray) -> np.ndarray:
        u = uniforms[:, -1]
        r = self.alpha * (2 * u - 1 if self.quantile is None else np.asarray(self.quantile(u)))
        return self.perturb_given(records, r, uniforms[:, :-1])

    def perturb_given(self, records: np.ndarray, r: np.ndarray, uniforms: np.ndarray) -> np.ndarray:
        """Perturb each (checked) record with its own r, and DET-GD's uniforms."""
        n = self.schema.n_cells
        # As in DET-GD: send the record with probability s(r), else a uniform one.
        stay = self.stay + r * (n / (n - 1))
        reports = self._replace(records, self._below(uniforms, stay), uniforms)
        # Near the bound of α, s(r) is negative: even the uniform record hits the true one too
        # often. Turn the surplus of these hits into another record, drawn uniformly.
        rows = np.flatnonzero(stay < 0)
        hits = rows[(reports[rows] == records[rows]).all(axis=1)]
        u, keep = uniforms[hits, 0], np.maximum(n * (self.gamma * self.x + r[hits]), 0)
        hits, u, keep = hits[u >= keep], u[u >= keep], keep[u >= keep]
        if len(hits):
            steps = 1 + ((u - keep) / (1 - keep) * (n - 1)).astype(np.int64)
            cells = (self.schema.encode(records[hits]) + steps) % n
            reports[hits] = self.schema.decode(cells)
        return reports
