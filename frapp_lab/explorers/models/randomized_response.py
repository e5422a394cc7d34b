"""Warner's coin: one question, a noisy answer from each, and an estimate for all."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TypeVar

import numpy as np

MOST_PEOPLE, TIMES, SHOWN = 2000, 200, 100
"""How many people there may be, how often they are asked again, and how many are drawn."""

REACH = 0.25
"""How far off an estimate may be to be drawn; those beyond are counted."""

LOG_FACTORIALS = np.append(0, np.log(np.arange(1, MOST_PEOPLE + 1))).cumsum()
Numbers = TypeVar("Numbers", float, np.ndarray)


@dataclass(frozen=True)
class Parameters:
    """The true share, how many people there are, how probable the truth is, and the seed.

    Of the view: how many of the people drawn have answered, how many repetitions are seen, whether
    people stand sorted by their answer, and whether the truth is hidden, as it is from the miner.
    """

    truth: float = 0.30
    people: int = 1000
    coin: float = 0.75
    seed: int = 7
    asked: int = SHOWN
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
class Estimate:
    """The share of "yes" that those who have answered seem to have, and how far off it is."""

    share: float
    off: float
    deviation: float
    band: tuple[float, float]
    """Around the estimate; the truth is in it in at least 90 of 100 draws, by the exact law."""


@dataclass(frozen=True)
class Repetitions:
    """The estimates of those repetitions with all people that are seen, with their histogram."""

    estimates: np.ndarray
    truth: float
    n_near: int
    n_below: int
    n_above: int
    """How many come within two standard deviations of the truth, and in bins beyond the reach."""
    bins: np.ndarray
    counts: np.ndarray
    width: float
    last: tuple[float, int]
    """How far off the bin is that the last one fell into, and its count."""
    curve: tuple[np.ndarray, np.ndarray]
    """How far off, and how many of all repetitions theory expects in a bin there."""


@dataclass(frozen=True)
class Result:
    """Who is "yes" and who says so, the shares of both, γ; at p = ½ there are no estimates."""

    parameters: Parameters
    is_yes: np.ndarray
    says_yes: np.ndarray
    n_asked: int
    """How many have answered: all of them once all who are drawn have."""
    truth: float | None
    answers: float | None
    """The shares of "yes" among those who have answered; None if nobody has."""
    gamma: float
    posterior: float | None
    """How probable it is that who says "yes" is "yes"; None if nobody can say it."""
    grid: Grid
    estimate: Estimate | None
    repetitions: Repetitions | None

    @property
    def last(self) -> int | None:
        """Who has answered last in randomized response; None before the first and after all."""
        return self.n_asked - 1 if 0 < self.n_asked < len(self.is_yes) else None


def compute(parameters: Parameters) -> Result:
    """Ask people for a randomized response, one after the other, and all 200 times more."""
    n, coin = parameters.people, parameters.coin
    # All luck there is: who is "yes", everybody's coin, and the repetitions.
    rng = np.random.default_rng(parameters.seed)
    (order, tosses), again = rng.random((2, MOST_PEOPLE)), rng.random((2, TIMES))
    n_yes = int(round(parameters.truth * n, 9) + 0.5)
    # The people are given and only the coin is random: the share of "yes" people is exact.
    is_yes = np.zeros(n, dtype=bool)
    is_yes[np.argsort(order[:n], kind="stable")[:n_yes]] = True
    says_yes = is_yes == (tosses[:n] < coin)
    asked = parameters.asked if parameters.asked < min(n, SHOWN) else n
    of_them, said = int(is_yes[:asked].sum()), int(says_yes[:asked].sum())
    honest, false = n_yes * coin, (n - n_yes) * (1 - coin)
    can_tell = coin > 0.5
    return Result(
        parameters=parameters, is_yes=is_yes, says_yes=says_yes, n_asked=asked,
        truth=of_them / asked if asked else None, answers=said / asked if asked else None,
        gamma=coin / (1 - coin) if coin < 1 else math.inf,
        posterior=honest / (honest + false) if honest + false else None,
        grid=_grid(is_yes[:SHOWN], says_yes[:SHOWN], asked, parameters.by_answer),
        estimate=_estimate(asked, of_them, coin, said) if can_tell and asked else None,
        repetitions=_repeat(n, n_yes, coin, again[:, : parameters.repetitions])
        if can_tell else None,
    )  # fmt: skip


def _grid(is_yes: np.ndarray, says_yes: np.ndarray, asked: int, by_answer: bool) -> Grid:
    n, side = len(is_yes), math.ceil(math.sqrt(len(is_yes)))
    gap = 1 + side // 8  # rows for a heading
    row, column = np.divmod(np.arange(n), side)
    if not by_answer:
        return Grid(side, side, row, column, ())
    heads, top, n_rows = [], 0, side + 2 + 2 * gap
    for answer in (True, False):
        these = np.flatnonzero(says_yes[:asked] == answer)
        these = these[np.argsort(~is_yes[these], kind="stable")]
        heads.append(top + (gap - 1) / 2)
        row[these], column[these] = np.divmod(np.arange(len(these)), side)
        row[these] += top + gap
        top += gap + math.ceil(len(these) / side)
    # Whose answer is not known yet stand at the bottom, the next to be asked first.
    row[asked:] += n_rows - 1 - (n - 1) // side
    return Grid(side, n_rows, row, column, tuple(heads))


def _binomial(n: int, p: float) -> np.ndarray:
    """Give the probabilities of 0 to n yes answers in randomized response."""
    k = np.arange(n + 1)
    if p in (0, 1):
        return (k == n * p).astype(float)
    choose = LOG_FACTORIALS[n] - LOG_FACTORIALS[k] - LOG_FACTORIALS[n - k]
    return np.exp(choose + k * math.log(p) + (n - k) * math.log(1 - p))


def _share(total: Numbers, n: int, p: float) -> Numbers:
    """Estimate the share of "yes" from the number of yes answers in randomized response."""
    return (total / n - (1 - p)) / (2 * p - 1)


def _estimate(n: int, n_yes: int, p: float, total: int) -> Estimate:
    law = np.convolve(_binomial(n_yes, p), _binomial(n - n_yes, 1 - p)).cumsum()
    low, high = np.searchsorted(law, (0.05 + 1e-12, 0.95 - 1e-12))
    share, truth = _share(total, n, p), n_yes / n
    middle = share + truth
    return Estimate(
        share=share, off=share - truth, deviation=math.sqrt(p * (1 - p) / n) / (2 * p - 1),
        band=(middle - _share(int(high), n, p), middle - _share(int(low), n, p)),
    )  # fmt: skip


def _repeat(n: int, n_yes: int, p: float, again: np.ndarray) -> Repetitions:
    noise = math.sqrt(n * p * (1 - p))  # the standard deviation of the number of yes answers
    truth, deviation = n_yes / n, noise / n / (2 * p - 1)
    laws = _binomial(n_yes, p), _binomial(n - n_yes, 1 - p)
    totals = sum(np.searchsorted(law.cumsum()[:-1], u) for law, u in zip(laws, again, strict=True))
    estimates = _share(totals, n, p)
    # A bin holds an odd number of possible totals, so that one of them is its middle.
    step = 2 * int(noise / 4) + 1
    middle = round(n_yes * p + (n - n_yes) * (1 - p))
    places = np.floor((totals - middle) / step + 0.5)
    at, counts = np.unique(places, return_counts=True)
    bins = _share(middle + at * step, n, p) - truth
    z = np.linspace(-3.5, 3.5, 57) if noise > 0 else np.array([])
    height = TIMES * step * np.exp(-(z**2) / 2) / math.sqrt(2 * math.pi) / (noise or 1)
    last = at == places[-1]
    return Repetitions(
        estimates=estimates, truth=truth, bins=bins, counts=counts,
        n_near=int((np.abs(estimates - truth) <= 2 * deviation + 1e-9).sum()),
        width=max(step / n / (2 * p - 1), 0.006),  # a thinner bar would not be seen
        last=(float(bins[last][0]), int(counts[last][0])),
        n_below=int(counts[bins < -REACH].sum()), n_above=int(counts[bins > REACH].sum()),
        curve=(z * deviation, height),
    )  # fmt: skip
