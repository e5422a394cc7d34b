"""Checks of parameters: each names the parameter, its value, what is allowed, and why."""

from __future__ import annotations

import math
from numbers import Integral, Real

import numpy as np


def check_gamma(gamma: float) -> float:
    """The amplification bound γ: finite and above 1.

    >>> check_gamma(19)
    19.0
    """
    if not isinstance(gamma, Real) or not 1 < gamma < math.inf:
        raise ValueError(
            f"gamma is {gamma!r}: it must be a finite number above 1, because at γ = 1 a report "
            "says nothing at all and with γ = ∞ it may say everything"
        )
    return float(gamma)


def check_share(
    name: str, value: float, low: float = 0.0, high: float = 1.0, why: str = "it is a probability"
) -> float:
    """A number strictly between two limits.

    >>> check_share("prior", 0.05)
    0.05
    """
    if not isinstance(value, Real) or not low < value < high:
        raise ValueError(
            f"{name} is {value!r}: it must lie strictly between {low:g} and {high:g}, because {why}"
        )
    return float(value)


def check_integer(name: str, value: int, low: int, high: float, why: str) -> int:
    """A whole number between two limits, both included.

    >>> check_integer("length", 2, 1, 6, "there are 6 attributes")
    2
    """
    if not isinstance(value, Integral) or isinstance(value, bool) or not low <= value <= high:
        raise ValueError(
            f"{name} is {value!r}: it must be a whole number from {low} to {high}, because {why}"
        )
    return int(value)


def check_domain_size(domain_size: int) -> int:
    """The size n of a joint domain: two cells or more.

    >>> check_domain_size(2000)
    2000
    """
    return check_integer(
        "domain_size", domain_size, 2, math.inf, "a domain of one value holds no secret"
    )


def off_diagonal(gamma: float, domain_size: int) -> float:
    """The entry x = 1/(γ + n − 1) of the γ-diagonal matrix (FRAPP §3).

    >>> f"{off_diagonal(19, 2000):.6e}"
    '4.955401e-04'
    """
    return 1 / (check_gamma(gamma) + check_domain_size(domain_size) - 1)


def max_alpha(gamma: float, domain_size: int) -> float:
    """The largest α for which every r in [−α, α] gives a Markov matrix: min(γx, (n−1)x).

    >>> max_alpha(19, 2000) == 19 * off_diagonal(19, 2000)
    True
    """
    x = off_diagonal(gamma, domain_size)
    return min(gamma * x, (domain_size - 1) * x)


def check_alpha(alpha: float, gamma: float, domain_size: int) -> float:
    """The half-width α of RAN-GD's random r, in absolute terms as in the paper (§4).

    >>> check_alpha(0.002, 19, 2000)
    0.002
    """
    highest = max_alpha(gamma, domain_size)
    # The bound itself is allowed; a share of it may land one rounding error above.
    if not isinstance(alpha, Real) or not 0 <= alpha <= highest * (1 + 1e-12):
        raise ValueError(
            f"alpha is {alpha!r}: it must lie from 0 to {highest:.6g} = min(γx, (n−1)x) at "
            f"γ = {gamma:g} and n = {domain_size:,}, because otherwise some client's matrix would "
            "have a negative entry"
        )
    return min(float(alpha), highest)


def check_matrix(matrix: np.ndarray, gamma: float | None = None) -> np.ndarray:
    """A perturbation matrix (FRAPP Eq. 1, and Eq. 2 if γ is given), or which entry breaks it.

    >>> check_matrix([[0.75, 0.25], [0.25, 0.75]], gamma=3).shape
    (2, 2)
    """
    a = np.asarray(matrix, dtype=float)
    if a.ndim != 2 or not a.size:
        raise ValueError(f"matrix has shape {a.shape}: it must have rows (reports) and columns")
    bad = np.argwhere(~(a >= 0) | np.isinf(a))
    if len(bad):
        v, u = bad[0]
        raise ValueError(
            f"matrix[{v}, {u}] is {a[v, u]:g}: every entry is the probability of a report, so it "
            "must be a number of 0 or more"
        )
    sums = a.sum(axis=0)
    bad = np.flatnonzero(abs(sums - 1) > 1e-9)
    if len(bad):
        u = bad[0]
        raise ValueError(
            f"matrix: column {u} sums to {sums[u]:.6g}: it must sum to 1, because column u holds "
            "the probabilities of all reports of a record u (A[v, u] = p(u → v))"
        )
    if gamma is not None:
        gamma = check_gamma(gamma)
        # One part in 10⁹ is rounding, not a breach.
        broken = np.flatnonzero(a.max(axis=1) > gamma * a.min(axis=1) * (1 + 1e-9))
        if len(broken):
            v = broken[0]
            high, low = int(a[v].argmax()), int(a[v].argmin())
            raise ValueError(
                f"matrix: in row {v}, entry {high} is {a[v, high]:.6g} and entry {low} is "
                f"{a[v, low]:.6g}, a ratio above γ = {gamma:g}: the report {v} would tell these "
                "two records apart more than allowed"
            )
    return a
