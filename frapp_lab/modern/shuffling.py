"""The ε of an anonymous channel: shuffled reports hide in each other, and ε gets smaller.

Without names nobody knows whose report is whose. Seen from outside, N shuffled reports of ε-local
privacy have a *central* privacy (ε', δ) with an ε' far below ε.
"""

from __future__ import annotations

import math

import numpy as np

from frapp_lab._base.checks import check_integer, check_number
from frapp_lab.privacy import gamma_from_epsilon


def shuffled_epsilon(epsilon: float, n_records: int, delta: float) -> float:
    """Bound the central ε of N shuffled reports of a local ε (Feldman et al. 2021).

    Their Theorem 3.1, in closed form. It needs many records: ε ≤ ln(N/(16 ln(2/δ))).

    >>> round(shuffled_epsilon(math.log(19), 48_842, 1e-6), 2)
    0.44
    """
    gamma, n = gamma_from_epsilon(epsilon), _check(n_records, delta)
    highest = math.log(n / (16 * math.log(2 / delta)))
    if epsilon > highest:
        raise ValueError(
            f"epsilon is {epsilon:.4g} and n_records is {n:,}: at δ = {delta:g} the bound holds up "
            f"to ε = {highest:.4g}, because fewer reports do not hide each other"
        )
    blanket = 8 * math.sqrt(gamma * math.log(4 / delta) / n) + 8 * gamma / n
    return math.log1p((gamma - 1) / (gamma + 1) * blanket)


def shuffled_delta(epsilon: float, n_records: int, central: float, ones: int = 0) -> float:
    """Compute the exact δ of a central ε, when bits are told by randomised response.

    All that shuffled bits say is how many are 1. One person's bit changes, `ones` of the others'
    bits are 1 and the rest are 0.

    >>> f"{shuffled_delta(math.log(3), 1000, 0.2):.1e}"
    '1.1e-09'
    """
    from scipy.stats import binom  # not at the top: it takes 0.3 s to load

    gamma, n = gamma_from_epsilon(epsilon), _check(n_records)
    check_integer("ones", ones, 0, n - 1, "these are the others")
    check_number("central", central, "[0, inf)", "it is an ε")
    tell = gamma / (gamma + 1)
    high, low = (
        binom.pmf(np.arange(many + 1), many, p)
        for many, p in ((ones, tell), (n - 1 - ones, 1 - tell))
    )
    others = np.convolve(high, low)
    with_one = np.convolve(others, [1 - tell, tell])
    with_zero = np.convolve(others, [tell, 1 - tell])
    return max(
        float(np.maximum(a - math.exp(central) * b, 0).sum())
        for a, b in ((with_one, with_zero), (with_zero, with_one))
    )


def _check(n_records: int, delta: float = 0.5) -> int:
    check_number("delta", delta, "(0, 1)", "it is the chance that the promise fails")
    return check_integer("n_records", n_records, 2, np.inf, "one report hides in no other")
