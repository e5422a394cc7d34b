"""The γ-diagonal matrix with a random diagonal: valid α, and ranges of posteriors (FRAPP §4)."""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import ArrayLike

from frapp_lab._base.checks import (
    check_array,
    check_domain_size,
    check_flag,
    check_gamma,
    check_number,
    digits,
)
from frapp_lab.privacy.promises import worst_posterior


def off_diagonal(gamma: float, domain_size: int) -> float:
    """Compute x = 1/(γ + n − 1) of the γ-diagonal matrix (§3), which sets the ranges of r and ρ₂.

    >>> f"{off_diagonal(19, 2000):.6e}"
    '4.955401e-04'
    """
    return 1 / (check_gamma(gamma) + check_domain_size(domain_size) - 1)


def max_alpha(gamma: float, domain_size: int) -> float:
    """Find the largest range [−α, α] in which every r gives a Markov matrix: α = min(γx, (n−1)x).

    >>> max_alpha(19, 2000) == 19 * off_diagonal(19, 2000)
    True
    """
    x = off_diagonal(gamma, domain_size)
    return float(min(gamma * x, (domain_size - 1) * x))


def check_alpha(alpha: float, gamma: float, domain_size: int) -> float:
    """Check the half-width α of the range of RAN-GD's r, in absolute terms as in the paper (§4)."""
    highest = max_alpha(gamma, domain_size)
    why = (
        f"beyond min(γx, (n−1)x), at γ = {gamma:g} and n = {digits(domain_size)}, some client's "
        "matrix would have a negative entry"
    )
    # The bound itself is allowed; a share of it may land one rounding error above.
    return min(check_number("alpha", alpha, f"[0, {highest * (1 + 1e-12)!r}]", why), highest)


def _entries(gamma: float, r, domain_size: int) -> tuple:
    """Compute a client's matrix entries, diagonal and other, which set where ρ₂(r) lies (§4)."""
    x = off_diagonal(gamma, domain_size)
    return gamma * x + r, x - r / (domain_size - 1)


def realized_posterior(
    prior: float, gamma: float, r: float | np.ndarray, domain_size: int
) -> float | np.ndarray:
    """Compute the worst posterior ρ₂(r), a point in its range, of a client with this r (§4.1).

    >>> print(f"{realized_posterior(0.05, 19, 0.0, 2000):.2f}")
    0.50
    """
    prior = check_number("prior", prior)
    check_alpha(float(np.max(np.abs(check_array("r", r)), initial=0)), gamma, domain_size)
    # At the bound of α an entry is zero, up to rounding; it must not become negative.
    match, other = (np.maximum(e, 0) for e in _entries(gamma, r, domain_size))
    return prior * match / (prior * match + (1 - prior) * other)


def posterior_range(
    prior: float, gamma: float, alpha: float, domain_size: int
) -> tuple[float, float]:
    """Give [ρ₂(−α), ρ₂(+α)], all that a miner who does not know r can say of ρ₂ (FRAPP §4.1).

    Parameters
    ----------
    prior
        The probability ρ₁ before the report.
    gamma
        The amplification bound, above 1.
    alpha
        The half-width of RAN-GD's random r, up to `max_alpha(gamma, domain_size)`.
    domain_size
        The number n of cells of the joint domain.

    Returns
    -------
    tuple of float
        The ends ρ₂(−α) and ρ₂(+α).

    Examples
    --------
    >>> low, high = posterior_range(0.05, 19, max_alpha(19, 2000) / 2, 2000)
    >>> round(low, 6), round(high, 6)
    (0.332281, 0.601143)
    """
    alpha = check_alpha(alpha, gamma, domain_size)
    low, high = (realized_posterior(prior, gamma, r, domain_size) for r in (-alpha, alpha))
    return float(low), float(high)


def posterior_cdf(
    posterior: ArrayLike,
    prior: float,
    gamma: float,
    alpha: float,
    domain_size: int,
    given_report: bool = False,
) -> np.ndarray:
    """Compute P(ρ₂(r) ≤ posterior), the law of ρ₂ over its range when r is uniform on [−α, α].

    With `given_report` it is the law after the miner has seen the report.

    >>> print(f"{posterior_cdf(0.5, 0.05, 19, 0.004, 2000):.3f}")
    0.500
    >>> print(f"{posterior_cdf(0.5, 0.05, 19, 0.004, 2000, given_report=True):.3f}")
    0.447
    """
    prior, alpha = check_number("prior", prior), check_alpha(alpha, gamma, domain_size)
    check_flag("given_report", given_report)
    given = check_array("posterior", posterior).astype(float)
    if not ((given >= 0) & (given <= 1)).all():
        raise ValueError(
            f"posterior holds {given.min():g} to {given.max():g}: all must be numbers from 0 to 1, "
            "because they are probabilities"
        )
    x, n = off_diagonal(gamma, domain_size), domain_size
    if alpha == 0:
        return (given >= worst_posterior(prior, gamma)).astype(float)
    # ρ₂(r) rises with r, so solve ρ₂(r) = t for r. With odds o: P(γx + r) = o(1 − P)(x − r/(n−1)).
    with np.errstate(divide="ignore", invalid="ignore"):
        ratio = given / (1 - given) * (1 - prior) / prior
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
    """Average ρ₂(r) over its range, by the law of r given the report; α does not change it (§4.1).

    >>> round(bayesian_posterior(0.05, 19, max_alpha(19, 2000), 2000), 9)
    0.5
    """
    prior, alpha = check_number("prior", prior), check_alpha(alpha, gamma, domain_size)
    # P(Q, report | r) and P(report | r) are linear in r, so two Gauss points integrate exactly.
    points, weights = np.polynomial.legendre.leggauss(2)
    match, other = _entries(gamma, alpha * points, domain_size)
    report = prior * match + (1 - prior) * other
    return float(weights @ (prior * match) / (weights @ report))


def realized_amplification(gamma: float, alpha: float, domain_size: int) -> tuple[float, float]:
    """Compute the amplification at the ends of r's range, −α and +α: what leaks if r becomes known.

    >>> low, high = realized_amplification(19, max_alpha(19, 2000) / 2, 2000)
    >>> round(low, 3), round(high, 3)
    (9.455, 28.636)
    """
    alpha = check_alpha(alpha, gamma, domain_size)

    def ratio(r: float) -> float:
        low, high = sorted(_entries(gamma, r, domain_size))
        # At the bound of α one entry is zero, up to rounding: then a report rules records out.
        return math.inf if low <= 1e-12 * off_diagonal(gamma, domain_size) else high / low

    return ratio(-alpha), ratio(alpha)
