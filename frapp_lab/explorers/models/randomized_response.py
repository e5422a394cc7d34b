"""Warner's coin: one question, a noisy answer from each, and an estimate for all."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TypeVar

import numpy as np

MOST_PEOPLE, TIMES, SHOWN = 2000, 200, 400
"""How many people there may be, how often they are asked again, and how many are drawn."""

AXIS = -0.3, 1.3
"""The shares that are drawn; estimates beyond are counted."""

LOG_FACTORIALS = np.append(0, np.log(np.arange(1, MOST_PEOPLE + 1))).cumsum()
Numbers = TypeVar("Numbers", float, np.ndarray)


@dataclass(frozen=True)
class Parameters:
    """The true share, how many are asked, how probable a truthful answer is, and the seed.

    Of the view: how many repetitions are seen, whether people stand sorted by their answer, and
    whether the truth is hidden, as it is from the miner.
    """

    truth: float = 0.30
    people: int = 1000
    coin: float = 0.75
    seed: int = 7
    repetitions: int = TIMES
    by_answer: bool = False
    hidden: bool = False


@dataclass(frozen=True)
class Grid:
    """Where each of the people drawn stands, in a square or in two blocks by answer."""

    side: int
    n_rows: int
    row: np.ndarray
    column: np.ndarray
    heads: tuple[float, ...]
    """Where the blocks' headings stand."""


@dataclass(frozen=True)
class Estimates:
    """The estimate of this asking and those of the repetitions seen, with their histogram."""

    estimate: float
    deviation: float
    band: tuple[float, float]
    """Around the estimate; the truth is in it in at least 90 of 100 draws, by the exact law."""
    repeated: np.ndarray
    n_near: int
    n_below: int
    n_above: int
    """How many come within two standard deviations of the truth, and in bins beyond the axis."""
    bins: np.ndarray
    counts: np.ndarray
    width: float
    last: tuple[float, int]
    """The middle and the count of the bin that the last one fell into."""
    curve: tuple[np.ndarray, np.ndarray]
    """Shares, and how many of all repetitions theory expects in a bin there."""


@dataclass(frozen=True)
class Result:
    """Who is "yes" and who says so, the shares of both, γ; at p = ½ there are no estimates."""

    parameters: Parameters
    is_yes: np.ndarray
    says_yes: np.ndarray
    truth: float
    answers: float
    gamma: float
    posterior: float | None
    """How probable it is that who says "yes" is "yes"; None if nobody can say it."""
    grid: Grid
    estimates: Estimates | None


def compute(parameters: Parameters) -> Result:
    """Ask everybody for a randomized response once, and then all of them up to 200 times more."""
    n, coin = parameters.people, parameters.coin
    # All luck there is: who is "yes", everybody's coin, and the repetitions.
    rng = np.random.default_rng(parameters.seed)
    (order, tosses), again = rng.random((2, MOST_PEOPLE)), rng.random((2, TIMES))
    n_yes = int(round(parameters.truth * n, 9) + 0.5)
    # The people are given and only the coin is random: the share of "yes" people is exact.
    is_yes = np.zeros(n, dtype=bool)
    is_yes[np.argsort(order[:n], kind="stable")[:n_yes]] = True
    says_yes = is_yes == (tosses[:n] < coin)
    honest, false = n_yes * coin, (n - n_yes) * (1 - coin)
    shown = slice(parameters.repetitions)
    return Result(
        parameters=parameters, is_yes=is_yes, says_yes=says_yes, truth=n_yes / n,
        answers=int(says_yes.sum()) / n, gamma=coin / (1 - coin) if coin < 1 else math.inf,
        posterior=honest / (honest + false) if honest + false else None,
        grid=_grid(is_yes[:SHOWN], says_yes[:SHOWN], parameters.by_answer),
        estimates=_estimates(n, n_yes, coin, int(says_yes.sum()), again[:, shown])
        if coin > 0.5 else None,
    )  # fmt: skip


def _grid(is_yes: np.ndarray, says_yes: np.ndarray, by_answer: bool) -> Grid:
    side = math.ceil(math.sqrt(len(is_yes)))
    gap = 1 + side // 8  # rows for a heading
    row, column = np.divmod(np.arange(len(is_yes)), side)
    heads, top = [], 0
    for answer in (True, False) if by_answer else ():
        these = np.flatnonzero(says_yes == answer)
        these = these[np.argsort(~is_yes[these], kind="stable")]
        heads.append(top + (gap - 1) / 2)
        row[these], column[these] = np.divmod(np.arange(len(these)), side)
        row[these] += top + gap
        top += gap + math.ceil(len(these) / side)
    n_rows = side + 1 + 2 * gap if by_answer else side
    return Grid(side, n_rows, row, column, tuple(heads))


def _binomial(n: int, p: float) -> np.ndarray:
    """Give the probabilities of 0 to n yes answers in randomized response."""
    k = np.arange(n + 1)
    if p in (0, 1):
        return (k == n * p).astype(float)
    choose = LOG_FACTORIALS[n] - LOG_FACTORIALS[k] - LOG_FACTORIALS[n - k]
    return np.exp(choose + k * math.log(p) + (n - k) * math.log(1 - p))


def _estimates(n: int, n_yes: int, p: float, total: int, again: np.ndarray) -> Estimates:
    def share(total: Numbers) -> Numbers:
        return (total / n - (1 - p)) / (2 * p - 1)

    noise = math.sqrt(n * p * (1 - p))  # the standard deviation of the number of yes answers
    truth, estimate, deviation = n_yes / n, share(total), noise / n / (2 * p - 1)
    laws = _binomial(n_yes, p), _binomial(n - n_yes, 1 - p)
    low, high = np.searchsorted(np.convolve(*laws).cumsum(), (0.05 + 1e-12, 0.95 - 1e-12))
    drawn = (np.searchsorted(law.cumsum()[:-1], u) for law, u in zip(laws, again, strict=True))
    totals = sum(drawn)
    repeated = share(totals)
    # A bin holds an odd number of possible totals, so that one of them is its middle.
    step = 2 * int(noise / 4) + 1
    middle = round(n_yes * p + (n - n_yes) * (1 - p))
    places = np.floor((totals - middle) / step + 0.5)
    at, counts = np.unique(places, return_counts=True)
    bins = share(middle + at * step)
    z = np.linspace(-3.5, 3.5, 57) if noise > 0 else np.array([])
    height = TIMES * step * np.exp(-(z**2) / 2) / math.sqrt(2 * math.pi) / (noise or 1)
    return Estimates(
        estimate=estimate, deviation=deviation,
        band=(estimate + truth - share(int(high)), estimate + truth - share(int(low))),
        repeated=repeated, n_near=int((np.abs(repeated - truth) <= 2 * deviation + 1e-9).sum()),
        bins=bins, counts=counts,
        width=max(step / n / (2 * p - 1), 0.02),  # a thinner bar would not be seen
        last=(float(share(middle + places[-1] * step)), int(counts[at == places[-1]][0])),
        n_below=int(counts[bins < AXIS[0]].sum()), n_above=int(counts[bins > AXIS[1]].sum()),
        curve=(truth + z * deviation, height),
    )  # fmt: skip
