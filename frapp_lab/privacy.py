"""How much one report gives away (FRAPP §2.1 and §4.1).

Privacy is the *amplification* γ: no report may be more than γ times as likely from one record as
from another. It bounds every posterior probability, whatever the data are.
"""

from __future__ import annotations

import math

import numpy as np

from frapp_lab.checks import (
    check_alpha,
    check_gamma,
    check_matrix,
    check_share,
    max_alpha,  # noqa: F401  part of this module's vocabulary
    off_diagonal,
)

# --- (ρ₁, ρ₂) ↔ γ ↔ ε -----------------------------------------------------------------------------


def gamma_from_breach(rho1: float, rho2: float) -> float:
    """The γ that keeps every prior below ρ₁ below ρ₂ afterwards (FRAPP Eq. 2).

    >>> gamma_from_breach(0.05, 0.50)
    19.0
    """
    check_share("rho1", rho1)
    check_share("rho2", rho2)
    if rho2 <= rho1:
        raise ValueError(
            f"rho2 is {rho2!r} and rho1 is {rho1!r}: ρ₂ must be above ρ₁, because a report can "
            "raise a worst-case probability but never lower it"
        )
    return (rho2 / (1 - rho2)) / (rho1 / (1 - rho1))


def worst_posterior(prior: float, gamma: float) -> float:
    """The highest probability to which a report can raise a property's prior: ρ₂ from ρ₁ and γ.

    >>> round(worst_posterior(0.05, 19), 9)
    0.5
    """
    check_share("prior", prior)
    gamma = check_gamma(gamma)
    return prior * gamma / (prior * gamma + 1 - prior)


def highest_prior(posterior: float, gamma: float) -> float:
    """The highest prior that γ keeps at or below a posterior: ρ₁ from ρ₂ and γ.

    >>> round(highest_prior(0.50, 19), 9)
    0.05
    """
    check_share("posterior", posterior)
    gamma = check_gamma(gamma)
    return posterior / (posterior + gamma * (1 - posterior))


def epsilon_from_gamma(gamma: float) -> float:
    """The ε of ε-local differential privacy: γ-amplification is the same thing, with ε = ln γ.

    >>> round(epsilon_from_gamma(19), 3)
    2.944
    """
    return math.log(check_gamma(gamma))


def gamma_from_epsilon(epsilon: float) -> float:
    """The γ of ε-local differential privacy: γ = e^ε.

    >>> round(gamma_from_epsilon(math.log(19)), 9)
    19.0
    """
    check_share("epsilon", epsilon, 0, 700, "γ = e^ε must be above 1 and finite")
    return math.exp(epsilon)


# --- any matrix -----------------------------------------------------------------------------------


def amplification(matrix: np.ndarray) -> float:
    """The γ that a perturbation matrix attains: the largest ratio within one row (FRAPP Eq. 2).

    A row of zeros is a report that nobody sends; it gives nothing away.

    >>> amplification([[0.75, 0.25], [0.25, 0.75]])
    3.0
    """
    a = check_matrix(matrix)
    high, low = a.max(axis=1), a.min(axis=1)
    sent = high > 0
    with np.errstate(divide="ignore"):
        return float((high[sent] / low[sent]).max())


def posterior(matrix: np.ndarray, prior: np.ndarray, holds: np.ndarray) -> np.ndarray:
    """P(Q | report) for every report, for any matrix, prior and property (FRAPP §4.1).

    `prior` is the distribution of the records, `holds` says for which of them Q is true. A report
    that cannot occur has no posterior (NaN).

    >>> posterior([[0.75, 0.25], [0.25, 0.75]], [0.1, 0.9], [True, False])
    array([0.25      , 0.03571429])
    """
    a = check_matrix(matrix)
    prior = np.asarray(prior, dtype=float)
    holds = np.asarray(holds, dtype=bool)
    for name, vector in (("prior", prior), ("holds", holds)):
        if vector.shape != a.shape[1:]:
            raise ValueError(
                f"{name} has shape {vector.shape}: it needs one entry for each of the "
                f"{a.shape[1]} records, the matrix's columns"
            )
    if (prior < 0).any() or abs(prior.sum() - 1) > 1e-9:
        raise ValueError(
            f"prior sums to {prior.sum():g}, with least entry {prior.min():g}: it must be a "
            "distribution over the records, so nothing negative and a sum of 1"
        )
    with np.errstate(invalid="ignore"):
        return a @ (prior * holds) / (a @ prior)


# --- RAN-GD: each client's r is hidden ------------------------------------------------------------


def realized_posterior(
    prior: float, gamma: float, r: float | np.ndarray, domain_size: int
) -> float | np.ndarray:
    """The worst-case posterior ρ₂(r) of a client whose matrix has this r (FRAPP §4.1).

    The paper's numerator lacks a pair of brackets; it must be P(Q)·(γx + r).

    >>> print(f"{realized_posterior(0.05, 19, 0.0, 2000):.2f}")
    0.50
    """
    check_share("prior", prior)
    check_alpha(float(np.max(np.abs(r))), gamma, domain_size)
    x = off_diagonal(gamma, domain_size)
    # At the bound of α an entry is zero, up to rounding; it must not become negative.
    own = prior * np.maximum(gamma * x + r, 0)
    other = (1 - prior) * np.maximum(x - r / (domain_size - 1), 0)
    return own / (own + other)


def posterior_range(
    prior: float, gamma: float, alpha: float, domain_size: int
) -> tuple[float, float]:
    """[ρ₂(−α), ρ₂(+α)]: what a miner who does not know r can say of ρ₂ (FRAPP §4.1).

    The paper's [33 %, 60 %] for α = γx/2 is the limit of an infinite domain.

    >>> low, high = posterior_range(0.05, 19, max_alpha(19, 2000) / 2, 2000)
    >>> round(low, 6), round(high, 6)
    (0.332281, 0.601143)
    """
    alpha = check_alpha(alpha, gamma, domain_size)
    low, high = realized_posterior(prior, gamma, np.array([-alpha, alpha]), domain_size)
    return float(low), float(high)


def posterior_cdf(
    posterior: float | np.ndarray,
    prior: float,
    gamma: float,
    alpha: float,
    domain_size: int,
    given_report: bool = False,
) -> float | np.ndarray:
    """P(ρ₂(r) ≤ posterior): the law of the realised posterior when r is uniform on [−α, α].

    With `given_report` it is the law after the miner has seen the report, which is likelier from a
    client with a large r; then ρ₂ above its middle is a little likelier than below.

    >>> print(f"{posterior_cdf(0.5, 0.05, 19, 0.004, 2000):.3f}")
    0.500
    >>> print(f"{posterior_cdf(0.5, 0.05, 19, 0.004, 2000, given_report=True):.3f}")
    0.447
    """
    check_share("prior", prior)
    alpha = check_alpha(alpha, gamma, domain_size)
    x, n = off_diagonal(gamma, domain_size), domain_size
    if alpha == 0:
        return (np.asarray(posterior) >= worst_posterior(prior, gamma)).astype(float)
    # ρ₂(r) rises with r, so solve ρ₂(r) = t for r. With odds o: P(γx + r) = o(1 − P)(x − r/(n−1)).
    with np.errstate(divide="ignore"):
        odds = np.asarray(posterior, dtype=float) / (1 - np.asarray(posterior, dtype=float))
    ratio = odds * (1 - prior) / prior
    with np.errstate(invalid="ignore"):
        r = np.where(np.isinf(ratio), alpha, (ratio - gamma) * x / (1 + ratio / (n - 1)))
    r = np.clip(r, -alpha, alpha)
    share = (r + alpha) / (2 * alpha)
    if not given_report:
        return share
    # The report's likelihood is linear in r: m0 + m1·r. Its mean over r is m0.
    m0 = prior * gamma * x + (1 - prior) * x
    m1 = prior - (1 - prior) / (n - 1)
    return share + m1 * (r**2 - alpha**2) / (4 * alpha * m0)


def bayesian_posterior(prior: float, gamma: float, alpha: float, domain_size: int) -> float:
    """What a Bayesian miner believes after the report: ρ₂(r) averaged over the law of r given it.

    It does not depend on α: hiding r takes nothing from such a miner (FRAPP §4.1 overlooks this).

    >>> round(bayesian_posterior(0.05, 19, max_alpha(19, 2000), 2000), 9)
    0.5
    """
    alpha = check_alpha(alpha, gamma, domain_size)
    check_share("prior", prior)
    x = off_diagonal(gamma, domain_size)
    # P(Q, report | r) and P(report | r) are linear in r, so two Gauss points integrate exactly.
    points, weights = np.polynomial.legendre.leggauss(2)
    r = alpha * points
    joint = prior * (gamma * x + r)
    report = joint + (1 - prior) * (x - r / (domain_size - 1))
    return float(weights @ joint / (weights @ report))


def realized_amplification(gamma: float, alpha: float, domain_size: int) -> tuple[float, float]:
    """The amplification of the matrices at r = −α and r = +α: what leaks if r becomes known.

    >>> low, high = realized_amplification(19, max_alpha(19, 2000) / 2, 2000)
    >>> round(low, 3), round(high, 3)
    (9.455, 28.636)
    """
    alpha = check_alpha(alpha, gamma, domain_size)
    x = off_diagonal(gamma, domain_size)

    def ratio(r: float) -> float:
        entries = gamma * x + r, x - r / (domain_size - 1)
        # At the bound of α one entry is zero: then a report rules records out.
        return math.inf if min(entries) <= 1e-12 * x else max(entries) / min(entries)

    return ratio(-alpha), ratio(alpha)
