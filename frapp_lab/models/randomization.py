"""RAN-GD: what each client hides by an r of their own, and what that changes (FRAPP §4)."""

from __future__ import annotations

import functools
import math
from dataclasses import dataclass

import numpy as np

from frapp_lab import privacy
from frapp_lab.models.cache import remember
from frapp_lab.models.data import Data
from frapp_lab.models.mining import simulate
from frapp_lab.reconstruction import variance_split
from frapp_lab.theory import predicted_errors

CENSUS = Data("CENSUS")
MIN_SUPPORT, LENGTH, PEOPLE = 0.02, 4, 10_000
BARS = (0.0, 0.25, 0.5, 0.75, 1.0)
TRIED = (0.0, 0.2, 0.4, 0.6, 0.8, 1.0)
NO_LESS = 1e-4
"""A smaller share of α cannot be told from none."""


@dataclass(frozen=True)
class Parameters:
    """γ, α as a share of its largest valid value, n, the prior of a property, and the seed."""

    gamma: float = 19.0
    alpha_share: float = 0.5
    domain_size: int = 2000
    prior: float = 0.05
    seed: int = 7


@dataclass(frozen=True)
class Result:
    """The posterior's range and law, variances relative to DET-GD's, and mining errors in %."""

    parameters: Parameters
    alpha: float
    alpha_in_gx: float
    shares: np.ndarray
    """Shares of the largest α …"""
    low: np.ndarray
    """… with ρ₂(−α) …"""
    high: np.ndarray
    """… and ρ₂(+α)."""
    range: tuple[float, float]
    middle: float
    believed: float
    above: float
    """How probable ρ₂(r) above its middle is after the report."""
    law: tuple[np.ndarray, np.ndarray, np.ndarray]
    """ρ₂ and its densities before and after the report, in % per percentage point."""
    within: np.ndarray
    """E Var(Y | r) at each of `BARS` and at the chosen α."""
    between: np.ndarray
    """Var E(Y | r) there."""
    shared: np.ndarray
    """The whole variance there if all clients had one and the same r."""
    largest_cell: int
    deviation: float
    leaked: float
    """The amplification if r becomes known."""
    tried: tuple[float, ...]
    """RAN-GD's error at each of `TRIED`."""
    chosen: float
    """RAN-GD's error at the chosen α."""
    plain: float
    """DET-GD's error."""
    expected: float
    """What theory expects of both."""

    @property
    def along(self) -> tuple[float, float]:
        """RAN-GD's smallest and largest error of those shown."""
        return min(*self.tried, self.chosen), max(*self.tried, self.chosen)


def compute(parameters: Parameters) -> Result:
    """Posterior range and law, variance terms and mining errors."""
    p, n = parameters, parameters.domain_size
    largest = privacy.max_alpha(p.gamma, n)
    chosen = p.alpha_share if p.alpha_share >= NO_LESS else 0.0
    alpha, shares = chosen * largest, np.linspace(0, 1, 51)
    middle = privacy.worst_posterior(p.prior, p.gamma)
    counts, split = _falling(n), []
    for share in (*BARS, chosen):
        own = variance_split(counts, p.gamma, share * largest)
        shared = variance_split(counts, p.gamma, share * largest, shared=True)
        split.append([own.within[0], own.between[0], shared.total[0]])
    within, between, shared = np.transpose(split) / own.deterministic[0]
    return Result(
        parameters=p, alpha=alpha,
        alpha_in_gx=alpha / (p.gamma * privacy.off_diagonal(p.gamma, n)), shares=shares,
        low=np.asarray(privacy.realized_posterior(p.prior, p.gamma, -shares * largest, n)),
        high=np.asarray(privacy.realized_posterior(p.prior, p.gamma, shares * largest, n)),
        range=privacy.posterior_range(p.prior, p.gamma, alpha, n), middle=middle,
        believed=privacy.bayesian_posterior(p.prior, p.gamma, alpha, n),
        above=float(1 - privacy.posterior_cdf(middle, p.prior, p.gamma, alpha, n, True)),
        law=_law(p, alpha), within=within, between=between, shared=shared,
        largest_cell=int(counts[0]), deviation=math.sqrt(own.deterministic[0]),
        leaked=max(privacy.realized_amplification(p.gamma, alpha, n)),
        tried=tuple(_error("RAN-GD", p.gamma, share, p.seed) for share in TRIED),
        chosen=_error("RAN-GD", p.gamma, chosen, p.seed),
        plain=_error("DET-GD", p.gamma, 0.0, p.seed), expected=_expected_error(p.gamma),
    )  # fmt: skip


@remember(max_bytes=1e6)
def _falling(n: int) -> np.ndarray:
    """People in n cells, as whole numbers that fall like 1, 1/2, 1/3 …"""
    weights = 1 / np.arange(1, n + 1)
    counts = np.rint(PEOPLE * weights.cumsum() / weights.sum())
    return np.diff(counts, prepend=0)


def _law(p: Parameters, alpha: float) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """ρ₂ and the densities of its law before and after the report; at α = 0 it is a spike."""
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
    before, after = (privacy.posterior_cdf(edges, *setting, seen) for seen in (False, True))
    return points, np.diff(before) / np.diff(edges), np.diff(after) / np.diff(edges)


def _error(scheme: str, gamma: float, share: float, seed: int) -> float:
    run = simulate(CENSUS, scheme, gamma, share, MIN_SUPPORT, seed)
    return float(run.error_array()[LENGTH - 1, 1])


@functools.lru_cache(maxsize=64)
def _expected_error(gamma: float) -> float:
    table = predicted_errors(CENSUS.load(), "DET-GD", MIN_SUPPORT, gamma)
    return float(table.support_error_all[LENGTH])
