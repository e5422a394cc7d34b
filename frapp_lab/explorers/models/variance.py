"""What each client's own r does to the variance of the reports, and to mining (FRAPP §4.2)."""

from __future__ import annotations

import functools
import math
from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from frapp_lab import privacy
from frapp_lab._base.random_streams import stream
from frapp_lab.data.cube import lengths
from frapp_lab.explorers.models.cache import remember
from frapp_lab.explorers.models.data import Data
from frapp_lab.explorers.models.mining_runs import DRAWS, simulate
from frapp_lab.explorers.models.valid_alpha import Alpha, valid_alpha
from frapp_lab.mechanisms.gamma_diagonal import GammaDiagonal
from frapp_lab.mining.mining_run import ERRORS
from frapp_lab.mining.reconstruction import variance_split
from frapp_lab.scale import run_trials

CENSUS = Data("CENSUS")
MIN_SUPPORT, LENGTH, PEOPLE = 0.02, 4, 10_000
TRIED = (0.0, 0.25, 0.5, 0.75, 1.0)
"""Shares of the largest valid α."""
ERROR = ERRORS.index("support_error_all")
SURVEYS, WIDEST = 200, 46
BINS = np.arange(-WIDEST, WIDEST + 1)
"""Errors of an estimate that are counted, in DET-GD's standard deviations: all fall among them."""
Band = tuple[float, float]


@dataclass(frozen=True)
class Parameters:
    """γ, α in units of γx, the size of the small survey's domain, the seed, and what is drawn."""

    gamma: float = 19.0
    alpha: float = 0.4
    domain_size: int = 10
    seed: int = 7
    view: str = "surveys"


@dataclass(frozen=True)
class Surveys:
    """How far the estimates of simulated surveys are off, in DET-GD's standard deviations."""

    errors: np.ndarray

    @property
    def counts(self) -> np.ndarray:
        """Count the surveys in each of `BINS`."""
        return np.histogram(self.errors, np.append(BINS - 0.5, BINS[-1] + 0.5))[0]

    @property
    def deviation(self) -> float:
        """Give the root of the mean square: the truth is known, and the estimate unbiased."""
        return float(np.sqrt(np.mean(self.errors**2)))


@dataclass(frozen=True)
class Result:
    """Simulated surveys, variances relative to DET-GD's, and mining errors in percent."""

    parameters: Parameters
    alpha: Alpha
    mined: Alpha
    """α in the survey, and in CENSUS, which has more cells."""
    each: Surveys
    together: Surveys
    """With an r of every client's own, and with one r for all clients of a survey."""
    people: float
    """DET-GD's standard deviation of the estimated count of the largest cell."""
    within: np.ndarray
    between: np.ndarray
    shared: np.ndarray
    """E Var(Y | r), Var E(Y | r), and the variance with one r for all: at `TRIED` and chosen α."""
    largest_cell: int
    deviation: float
    """DET-GD's standard deviation of Y there."""
    tried: tuple[float, ...]
    chosen: float
    """RAN-GD's errors of mining at `TRIED`, the first of which is DET-GD's, and at the chosen α."""
    expected: float
    """What theory expects of both schemes."""

    @property
    def plain(self) -> float:
        return self.tried[0]

    @property
    def along(self) -> tuple[float, float]:
        return min(*self.tried, self.chosen), max(*self.tried, self.chosen)

    def relative(self, error: float) -> float:
        return error / self.expected


def compute(parameters: Parameters) -> Result:
    """Find the two terms of the variance for several α, and mine as often."""
    p, n = parameters, parameters.domain_size
    alpha = valid_alpha(p.alpha, p.gamma, n)
    mined = valid_alpha(p.alpha, p.gamma, CENSUS.load().schema.n_cells)
    counts, split = _falling(n), []
    for share in (*TRIED, alpha.share):
        own = variance_split(counts, p.gamma, share * alpha.largest)
        shared = variance_split(counts, p.gamma, share * alpha.largest, shared=True)
        split.append([own.within[0], own.between[0], shared.total[0]])
    within, between, shared_total = np.transpose(split) / own.deterministic[0]
    deviation, largest = math.sqrt(own.deterministic[0]), int(counts[0])
    each, together = _surveys(p, alpha.value, largest, deviation)
    return Result(
        parameters=p, alpha=alpha, mined=mined, each=each, together=together,
        people=deviation / (alpha.unit - alpha.unit / p.gamma),
        within=within, between=between, shared=shared_total,
        largest_cell=largest, deviation=deviation,
        tried=tuple(_error(p.gamma, share, p.seed) for share in TRIED),
        chosen=_error(p.gamma, mined.share, p.seed), expected=_expected_error(p.gamma),
    )  # fmt: skip


def band(parameters: Parameters) -> Iterator[Band | None]:
    """Mine often for the card of variance; the last thing given is the errors' middle 90 %.

    DET-GD's are drawn: RAN-GD's reports have the same law at every α (FRAPP §4).
    """
    if parameters.view == "surveys":  # where no error of mining is drawn
        return
    errors = []
    for trial in range(DRAWS):
        errors.append(_drawn(parameters.gamma, parameters.seed, trial))
        yield None
    low, high = np.quantile(errors, [0.05, 0.95])
    yield float(low), float(high)


def _surveys(p: Parameters, alpha: float, mine: int, unit: float) -> tuple[Surveys, Surveys]:
    """Ask 10,000 people again and again, with an r each and with one r for all; errors in `unit`.

    A client reports the largest cell with the chance in their matrix. All luck is drawn
    beforehand: α widens every r, and moves the thresholds.
    """
    luck, own, one = _luck(p.seed), _own(p.seed), stream(p.seed, "one r").uniform(-1, 1, SURVEYS)
    x = privacy.off_diagonal(p.gamma, p.domain_size)
    expected = mine * p.gamma * x + (PEOPLE - mine) * x

    def asked(theirs: np.ndarray, of_others: np.ndarray) -> Surveys:
        yes = luck[:, :mine] < p.gamma * x + alpha * theirs
        also = luck[:, mine:] < x - alpha / (p.domain_size - 1) * of_others
        reports = np.count_nonzero(yes, axis=1) + np.count_nonzero(also, axis=1)
        return Surveys((reports - expected) / unit)

    shared = one.astype(np.float32)[:, None]
    return asked(own[:, :mine], own[:, mine:]), asked(shared, shared)


@remember(max_bytes=0, hold=1)
def _luck(seed: int) -> np.ndarray:
    """Draw the luck of each client's report in each survey, for the card of variance."""
    return stream(seed, "reports").random((SURVEYS, PEOPLE), dtype=np.float32)


@remember(max_bytes=0, hold=1)
def _own(seed: int) -> np.ndarray:
    """Draw every client's own r in each survey, in units of α."""
    return 2 * stream(seed, "an r each").random((SURVEYS, PEOPLE), dtype=np.float32) - 1


@remember(max_bytes=1e6)
def _falling(n: int) -> np.ndarray:
    """Make the survey whose variance is split: whole numbers in n cells fall like 1, 1/2, 1/3 …"""
    weights = 1 / np.arange(1, n + 1)
    counts = np.rint(PEOPLE * weights.cumsum() / weights.sum())
    return np.diff(counts, prepend=0)


@functools.lru_cache(maxsize=1024)
def _error(gamma: float, share: float, seed: int) -> float:
    # Without α both schemes are one, with the same luck; DET-GD is the quicker one.
    scheme = "RAN-GD" if share else "DET-GD"
    run = simulate(CENSUS, scheme, gamma, share, MIN_SUPPORT, seed)
    return float(run.error_array()[LENGTH - 1, ERROR])


@functools.lru_cache(maxsize=4096)
def _drawn(gamma: float, seed: int, trial: int) -> float:
    table = run_trials(
        CENSUS.load(), ["DET-GD"], [gamma], min_supports=[MIN_SUPPORT], trials=1, seed=seed,
        progress=lambda done, total: None, first=trial,
    )  # fmt: skip
    return float(table[ERRORS[ERROR]].to_numpy()[LENGTH - 1])


@functools.lru_cache(maxsize=64)
def _expected_error(gamma: float) -> float:
    """Do what `predicted_errors` does for the card of variance: quickly, for one length."""
    census = CENSUS.load()
    mechanism = GammaDiagonal(census.schema, gamma)
    deviation = mechanism.standard_deviation(census.supports, len(census)).array
    support = census.supports.array
    there = (lengths(census.schema.sizes) == LENGTH) & (support >= MIN_SUPPORT)
    return float(100 * math.sqrt(2 / math.pi) * (deviation[there] / support[there]).mean())
