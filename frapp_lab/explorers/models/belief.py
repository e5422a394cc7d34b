"""What a miner believes of one client when each client hides an r (FRAPP §4.1)."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from frapp_lab import privacy
from frapp_lab.explorers.models.valid_alpha import Alpha, valid_alpha

CLIENTS = 100
SPREAD = (2 * np.arange(CLIENTS) + 1) / CLIENTS - 1
"""Their r in units of α, in order: each stands for one in a hundred, so they are spread evenly."""


@dataclass(frozen=True)
class Parameters:
    """γ, α in units of γx, the size of the domain, and the prior of a property."""

    gamma: float = 19.0
    alpha: float = 0.5
    domain_size: int = 2000
    prior: float = 0.05


@dataclass(frozen=True)
class Result:
    """The range of ρ₂(r), a hundred clients in it, and what is believed in the end."""

    parameters: Parameters
    alpha: Alpha
    along: np.ndarray
    low: np.ndarray
    high: np.ndarray
    """Values of α up to the largest valid one, in units of γx, with ρ₂(−α) and ρ₂(+α)."""
    range: tuple[float, float]
    middle: float
    """ρ₂(0), DET-GD's worst posterior."""
    believed: float
    """The belief of a miner who averages over r."""
    above: float
    """How probable ρ₂(r) above its middle is after the report."""
    r: np.ndarray
    rho: np.ndarray
    """Every client's r, in units of γx, and ρ₂(r)."""
    likely: np.ndarray
    """How likely each of the clients sends the report, beside the mean of all."""
    leaked: float
    """The amplification if r becomes known."""
    epsilon: float


def compute(parameters: Parameters) -> Result:
    """Find the range of ρ₂(r), where clients lie in it, and what a miner believes."""
    p, n = parameters, parameters.domain_size
    alpha = valid_alpha(p.alpha, p.gamma, n)
    r = np.linspace(0, alpha.largest, 51)
    middle = privacy.worst_posterior(p.prior, p.gamma)
    own, x = alpha.value * SPREAD, privacy.off_diagonal(p.gamma, n)
    sends = p.prior * (p.gamma * x + own) + (1 - p.prior) * (x - own / (n - 1))
    return Result(
        parameters=p, alpha=alpha, along=r / alpha.unit,
        low=np.asarray(privacy.realized_posterior(p.prior, p.gamma, -r, n)),
        high=np.asarray(privacy.realized_posterior(p.prior, p.gamma, r, n)),
        range=privacy.posterior_range(p.prior, p.gamma, alpha.value, n), middle=middle,
        believed=privacy.bayesian_posterior(p.prior, p.gamma, alpha.value, n),
        above=float(1 - privacy.posterior_cdf(middle, p.prior, p.gamma, alpha.value, n, True)),
        r=own / alpha.unit, likely=sends / sends.mean(),
        rho=np.asarray(privacy.realized_posterior(p.prior, p.gamma, own, n)),
        leaked=max(privacy.realized_amplification(p.gamma, alpha.value, n)),
        epsilon=privacy.epsilon_from_gamma(p.gamma),
    )  # fmt: skip
