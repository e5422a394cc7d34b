"""Warner's coin: one question, a noisy answer from each, and an estimate for all."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TypeVar

import numpy as np

MOST_PEOPLE, TIMES = 2000, 200
Numbers = TypeVar("Numbers", float, np.ndarray)


@dataclass(frozen=True)
class Parameters:
    """The true share, how many are asked, how probable a truthful answer is, and the seed."""

    truth: float = 0.30
    people: int = 1000
    coin: float = 0.75
    seed: int = 7


@dataclass(frozen=True)
class Estimates:
    """The estimate of this asking and those of the repetitions, with their histogram."""

    estimate: float
    deviation: float
    interval: tuple[float, float]
    repeated: np.ndarray
    n_near: int
    """How many repetitions come within two standard deviations of the truth."""
    bins: np.ndarray
    counts: np.ndarray
    width: float
    curve: tuple[np.ndarray, np.ndarray]
    """Shares, and how many repetitions theory expects in a bin there."""
    range: tuple[float, float]


@dataclass(frozen=True)
class Result:
    """Who is "yes" and who says so, the shares of both, γ; at p = ½ there are no estimates."""

    parameters: Parameters
    is_yes: np.ndarray
    says_yes: np.ndarray
    truth: float
    answers: float
    gamma: float
    estimates: Estimates | None


def compute(parameters: Parameters) -> Result:
    """Ask everybody once, and then all of them 200 times more."""
    n, coin = parameters.people, parameters.coin
    # All luck there is: who is "yes", everybody's coin, and the repetitions.
    rng = np.random.default_rng(parameters.seed)
    (order, tosses), again = rng.random((2, MOST_PEOPLE)), rng.random((2, TIMES))
    n_yes = int(round(parameters.truth * n, 9) + 0.5)
    # The people are given and only the coin is random: the share of "yes" people is exact.
    is_yes = np.zeros(n, dtype=bool)
    is_yes[np.argsort(order[:n], kind="stable")[:n_yes]] = True
    says_yes = is_yes == (tosses[:n] < coin)
    total = int(says_yes.sum())
    return Result(
        parameters=parameters, is_yes=is_yes, says_yes=says_yes, truth=n_yes / n,
        answers=total / n, gamma=coin / (1 - coin) if coin < 1 else math.inf,
        estimates=_estimates(n, n_yes, coin, total, again) if coin > 0.5 else None,
    )  # fmt: skip


def _estimates(n: int, n_yes: int, p: float, total: int, again: np.ndarray) -> Estimates:
    def share(total: Numbers) -> Numbers:
        return (total / n - (1 - p)) / (2 * p - 1)

    noise = math.sqrt(n * p * (1 - p))  # the standard deviation of the number of yes answers
    truth, estimate, deviation = n_yes / n, share(total), noise / n / (2 * p - 1)
    interval = estimate - 2 * deviation, estimate + 2 * deviation
    from scipy.stats import binom  # not at the top: it takes half a second to load

    totals = binom.ppf(again[0], n_yes, p) + binom.ppf(again[1], n - n_yes, 1 - p)
    repeated = share(totals)
    # A bin holds an odd number of possible totals, so that one of them is its middle.
    step = 2 * int(noise / 4) + 1
    middle = round(n_yes * p + (n - n_yes) * (1 - p))
    bins, counts = np.unique(np.floor((totals - middle) / step + 0.5), return_counts=True)
    z = np.linspace(-3.5, 3.5, 57) if noise > 0 else np.array([])
    height = TIMES * step * np.exp(-(z**2) / 2) / math.sqrt(2 * math.pi) / (noise or 1)
    low, high = min(0, interval[0], *repeated), max(1, interval[1], *repeated)
    margin = 0.05 * (high - low)
    return Estimates(
        estimate=estimate, deviation=deviation, interval=interval, repeated=repeated,
        n_near=int((np.abs(repeated - truth) <= 2 * deviation + 1e-9).sum()),
        bins=share(middle + bins * step), counts=counts,
        width=max(step / n / (2 * p - 1), 0.2 * margin), curve=(truth + z * deviation, height),
        range=(low - margin, high + margin),
    )  # fmt: skip
