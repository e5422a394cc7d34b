"""Promises to clients and how they translate: (ρ₁, ρ₂) ↔ γ ↔ ε (FRAPP §2.1)."""

from __future__ import annotations

import math

from frapp_lab._base.checks import check_gamma, check_number


def gamma_from_breach(rho1: float, rho2: float) -> float:
    """Find the γ that promises to keep every prior below ρ₁ below ρ₂ afterwards (FRAPP Eq. 2).

    Parameters
    ----------
    rho1
        The prior probability up to which a property is protected.
    rho2
        The posterior probability that no report may reach, above ρ₁.

    Returns
    -------
    float
        γ = ρ₂(1 − ρ₁) / (ρ₁(1 − ρ₂)).

    Raises
    ------
    ValueError
        If ρ₂ is not above ρ₁: a report never lowers a worst case.

    Examples
    --------
    >>> gamma_from_breach(0.05, 0.50)
    19.0
    """
    rho1, rho2 = check_number("rho1", rho1), check_number("rho2", rho2)
    if rho2 <= rho1:
        raise ValueError(
            f"rho2 is {rho2!r} and rho1 is {rho1!r}: ρ₂ must be above ρ₁, because a report can "
            "raise a worst-case probability but never lower it"
        )
    gamma = (rho2 / (1 - rho2)) / (rho1 / (1 - rho1))
    if not 1 < gamma < math.inf:
        raise ValueError(
            f"rho1 is {rho1!r} and rho2 is {rho2!r}: they must be less close or less far apart, "
            f"because γ is to be above 1 and finite, and to a computer it is {gamma:g} here"
        )
    return gamma


def worst_posterior(prior: float, gamma: float) -> float:
    """Find the highest posterior ρ₂ to which a report can raise a prior ρ₁ under the promise of γ.

    Parameters
    ----------
    prior
        The probability before the report.
    gamma
        The amplification bound, above 1.

    Returns
    -------
    float
        The highest probability after the report.

    Examples
    --------
    >>> round(worst_posterior(0.05, 19), 9)
    0.5
    """
    prior, gamma = check_number("prior", prior), check_gamma(gamma)
    return prior * gamma / (prior * gamma + 1 - prior)


def highest_prior(posterior: float, gamma: float) -> float:
    """Find the highest prior ρ₁ that γ promises to keep at or below a posterior ρ₂.

    >>> round(highest_prior(0.50, 19), 9)
    0.05
    """
    posterior, gamma = check_number("posterior", posterior), check_gamma(gamma)
    return posterior / (posterior + gamma * (1 - posterior))


def epsilon_from_gamma(gamma: float) -> float:
    """Turn γ into the ε of ε-local differential privacy, which is the same promise: ε = ln γ.

    Parameters
    ----------
    gamma
        The amplification bound, above 1.

    Returns
    -------
    float
        The ε, above 0.

    Examples
    --------
    >>> round(epsilon_from_gamma(19), 3)
    2.944
    """
    return math.log(check_gamma(gamma))


def gamma_from_epsilon(epsilon: float) -> float:
    """Turn the ε of ε-local differential privacy into γ = e^ε, which is the same promise.

    Parameters
    ----------
    epsilon
        The ε, above 0.

    Returns
    -------
    float
        The amplification bound γ, above 1.

    Examples
    --------
    >>> round(gamma_from_epsilon(math.log(19)), 9)
    19.0
    """
    why = "γ = e^ε must be above 1 and finite, to a computer too"
    return math.exp(check_number("epsilon", epsilon, "[2.3e-16, 700]", why))
