"""How much one report may give away (FRAPP §2.1)."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from frapp_lab import privacy
from frapp_lab.mechanisms.gamma_diagonal import GammaDiagonal
from frapp_lab.schema import Schema

PRIORS = np.linspace(0.001, 0.999, 250)


@dataclass(frozen=True)
class Parameters:
    """An attacker's prior on the first of n values, γ, and the ρ₁ of the promise."""

    prior: float = 0.05
    gamma: float = 19.0
    rho1: float = 0.05
    n: int = 10


@dataclass(frozen=True)
class Result:
    """The bound for all priors, and one attacker's beliefs `before` and `after` "value 1"."""

    parameters: Parameters
    epsilon: float
    worst: float
    rho2: float
    curve: np.ndarray
    kept: float
    becomes: float
    """How likely a value is reported as one given other value."""
    before: np.ndarray
    after: np.ndarray
    after_other: float


def compute(parameters: Parameters) -> Result:
    """The bound by its formula, the beliefs by Bayes' rule on the matrix."""
    p = parameters
    matrix = GammaDiagonal(Schema.of_sizes(p.n), p.gamma).matrix()
    before = np.full(p.n, (1 - p.prior) / (p.n - 1))
    before[0] = p.prior
    # The belief in each value after every report: posteriors[value, report].
    posteriors = np.array([privacy.posterior(matrix, before, is_it) for is_it in np.eye(p.n)])
    return Result(
        parameters=p, epsilon=privacy.epsilon_from_gamma(p.gamma),
        worst=privacy.worst_posterior(p.prior, p.gamma),
        rho2=privacy.worst_posterior(p.rho1, p.gamma),
        curve=np.array([privacy.worst_posterior(prior, p.gamma) for prior in PRIORS]),
        kept=float(matrix[0, 0]), becomes=float(matrix[1, 0]), before=before,
        after=posteriors[:, 0], after_other=float(posteriors[0, 1]),
    )  # fmt: skip
