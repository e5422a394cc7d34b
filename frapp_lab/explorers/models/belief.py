"""What a miner believes of one client when each client hides an r (FRAPP §4.1)."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from frapp_lab import privacy
from frapp_lab.explorers.models.valid_alpha import Alpha, valid_alpha


@dataclass(frozen=True)
class Parameters:
    """γ, α in units of γx, the size of the domain, and the prior of a property."""

    gamma: float = 19.0
    alpha: float = 0.5
    domain_size: int = 2000
    prior: float = 0.05


@dataclass(frozen=True)
class Result:
    """The range of ρ₂(r), its law before and after the report, and what is believed in the end."""

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
    rho: np.ndarray
    before: np.ndarray
    after: np.ndarray
    """The law of ρ₂(r): its density before and after the report, of which the highest is 1."""
    leaked: float
    """The amplification if r becomes known."""
    epsilon: float


def compute(parameters: Parameters) -> Result:
    """Find the range and law of ρ₂(r), and what a miner believes, all in closed form."""
    p, n = parameters, parameters.domain_size
    alpha = valid_alpha(p.alpha, p.gamma, n)
    r = np.linspace(0, alpha.largest, 51)
    middle = privacy.worst_posterior(p.prior, p.gamma)
    rho, before, after = _law(p, alpha.value)
    return Result(
        parameters=p, alpha=alpha, along=r / alpha.unit,
        low=np.asarray(privacy.realized_posterior(p.prior, p.gamma, -r, n)),
        high=np.asarray(privacy.realized_posterior(p.prior, p.gamma, r, n)),
        range=privacy.posterior_range(p.prior, p.gamma, alpha.value, n), middle=middle,
        believed=privacy.bayesian_posterior(p.prior, p.gamma, alpha.value, n),
        above=float(1 - privacy.posterior_cdf(middle, p.prior, p.gamma, alpha.value, n, True)),
        rho=rho, before=before, after=after,
        leaked=max(privacy.realized_amplification(p.gamma, alpha.value, n)),
        epsilon=privacy.epsilon_from_gamma(p.gamma),
    )  # fmt: skip


def _law(p: Parameters, alpha: float) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Find the law of ρ₂(r) for beliefs before and after the report; at α = 0 it is a spike."""
    if not alpha:
        return np.full(2, privacy.worst_posterior(p.prior, p.gamma)), np.ones(2), np.ones(2)
    r = np.linspace(-alpha, alpha, 81)
    rho = np.asarray(privacy.realized_posterior(p.prior, p.gamma, r, p.domain_size))
    # Fine where most clients are, and fine along the axis.
    edges = np.union1d(rho, np.linspace(rho[0], rho[-1], 81))
    edges = edges[np.diff(edges, prepend=-1) > 1e-4 * (rho[-1] - rho[0])]
    points = (edges[1:] + edges[:-1]) / 2
    points[[0, -1]] = edges[[0, -1]]
    setting = p.prior, p.gamma, alpha, p.domain_size
    densities = [
        np.diff(privacy.posterior_cdf(edges, *setting, seen)) / np.diff(edges)
        for seen in (False, True)
    ]
    before, after = densities / np.max(densities)
    return points, before, after
