"""RAN-GD: the γ-diagonal matrix with a random diagonal (FRAPP §4)."""

from __future__ import annotations

import numpy as np

from frapp_lab.mechanisms.gamma_diagonal import GammaDiagonal, _short
from frapp_lab.privacy import check_alpha, realized_amplification
from frapp_lab.schema import Schema


class RandomizedGammaDiagonal(GammaDiagonal):
    """RAN-GD: each client draws r uniformly from [−α, α] and puts γx + r on the diagonal (§4).

    The entries are affine in r, E r = 0, and clients draw independently: the reports have exactly
    the law of DET-GD's. So all that the miner does is inherited from there. A client takes DET-GD's
    random numbers and one more for r: at α = 0 the reports are DET-GD's, draw for draw.

    >>> m = RandomizedGammaDiagonal(Schema.of_sizes(4, 5, 5, 5, 2, 2), 19, alpha=0.004)
    >>> [round(a, 2) for a in m.realized_amplification]
    [10.88, 27.18]
    """

    label = "RAN-GD"

    def __init__(self, schema: Schema, gamma: float, alpha: float) -> None:
        super().__init__(schema, gamma)
        self.alpha = check_alpha(alpha, gamma, schema.n_cells)

    def __repr__(self) -> str:
        return (
            f"RandomizedGammaDiagonal({_short(self.schema)}, gamma={self.gamma:g}, "
            f"alpha={self.alpha:g})"
        )

    @property
    def luck(self) -> dict[str, int]:
        """DET-GD's numbers, and one of its own for r."""
        return {**super().luck, "RAN-GD": 1}

    @property
    def realized_amplification(self) -> tuple[float, float]:
        """The amplification of a client's own matrix at r = −α and at r = +α."""
        return realized_amplification(self.gamma, self.alpha, self.schema.n_cells)

    def _perturb(self, records: np.ndarray, uniforms: np.ndarray) -> np.ndarray:
        r = self.alpha * (2 * uniforms[:, -1] - 1)
        return self._perturb_given(records, r, uniforms[:, :-1])

    def _perturb_given(
        self, records: np.ndarray, r: np.ndarray, uniforms: np.ndarray
    ) -> np.ndarray:
        """Perturb each record with its own r."""
        n = self.schema.n_cells
        # As in DET-GD: send the record with probability s(r), else a uniform one.
        stay = self.stay + r * (n / (n - 1))
        reports = self._replace(records, uniforms[:, 0] < stay, uniforms[:, 1:])
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
