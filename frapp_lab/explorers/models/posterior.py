"""How much one report may give away (FRAPP §2.1)."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from frapp_lab import privacy
from frapp_lab.data.schema import Schema
from frapp_lab.mechanisms.gamma_diagonal import GammaDiagonal

PRIORS = np.linspace(0.001, 0.999, 250)
LOG_ODDS = np.linspace(-10.0, 10.0, 21)
"""The priors at which the bound is drawn, as shares and as log-odds."""

LOG_PLACES = np.linspace(math.log(0.001 / 0.999), math.log(0.99 / 0.01), 93)
PLACED = 1 / (1 + np.exp(-LOG_PLACES))
"""Where priors stand in log-odds, from the lowest that can be chosen to the highest."""


@dataclass(frozen=True)
class Parameters:
    """An attacker's prior on the first of n values, γ, the ρ₁ of the promise, and the scale."""

    prior: float = 0.05
    gamma: float = 19.0
    rho1: float = 0.05
    n: int = 10
    scale: str = "percent"


@dataclass(frozen=True)
class Result:
    """The bound for all priors, and one attacker's beliefs `before` and `after` "value 1"."""

    parameters: Parameters
    epsilon: float
    worst: float
    rho2: float
    log_odds: dict[str, float]
    """Those of the prior, its bound, ρ₁ and ρ₂."""
    curve: np.ndarray
    log_curve: np.ndarray
    """The bound at `PRIORS`, and its log-odds at priors with `LOG_ODDS`."""
    kept: float
    becomes: float
    """How likely a value is reported as one given other value."""
    before: np.ndarray
    after: np.ndarray
    after_other: float


def odds(share: float) -> float:
    """Give odds for the card of posteriors: how many times likelier a thing is than its opposite.

    >>> odds(0.75)
    3.0
    """
    return share / (1 - share)


def compute(parameters: Parameters) -> Result:
    """Find the worst posterior by its formula, the beliefs by Bayes' rule on the matrix."""
    p = parameters
    matrix = GammaDiagonal(Schema.of_sizes(p.n), p.gamma).matrix()
    before = np.full(p.n, (1 - p.prior) / (p.n - 1))
    before[0] = p.prior
    # The belief in each value after every report: posteriors[value, report].
    posteriors = np.array([privacy.posterior(matrix, before, is_it) for is_it in np.eye(p.n)])

    def bound(prior: float) -> float:
        return privacy.worst_posterior(prior, p.gamma)

    shares = {"prior": p.prior, "worst": bound(p.prior), "rho1": p.rho1, "rho2": bound(p.rho1)}
    return Result(
        parameters=p, epsilon=privacy.epsilon_from_gamma(p.gamma),
        worst=shares["worst"], rho2=shares["rho2"],
        curve=np.array([bound(prior) for prior in PRIORS]),
        log_odds={name: math.log(odds(share)) for name, share in shares.items()},
        log_curve=np.array([math.log(odds(bound(1 / (1 + math.exp(-v))))) for v in LOG_ODDS]),
        kept=float(matrix[0, 0]), becomes=float(matrix[1, 0]), before=before,
        after=posteriors[:, 0], after_other=float(posteriors[0, 1]),
    )  # fmt: skip
