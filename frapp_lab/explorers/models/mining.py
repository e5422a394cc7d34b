"""The whole paper: privacy, condition numbers, and what each scheme finds (FRAPP §3 to §7)."""

from __future__ import annotations

import functools
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from dataclasses import dataclass, field
from functools import cached_property
from typing import NamedTuple

import numpy as np

from frapp_lab import privacy
from frapp_lab.data.cube import lengths
from frapp_lab.explorers.models import mining_runs
from frapp_lab.explorers.models.data import Data
from frapp_lab.explorers.models.mining_runs import DRAWS, Scheme, label_of, source_of
from frapp_lab.explorers.models.valid_alpha import Alpha, valid_alpha
from frapp_lab.mechanisms.mechanism import Mechanism
from frapp_lab.mechanisms.registry import in_short, schemes
from frapp_lab.mining.itemsets import Itemsets
from frapp_lab.mining.mining_run import ERRORS, MiningRun
from frapp_lab.scale import run_trials

EDGES = 0.001, 1.0
"""The least and the largest support that is drawn: what lies beyond is drawn there."""

MOST = {"frequent": 200, "invented": 60}
"""The most itemsets that are drawn, of those frequent and of those invented."""


@dataclass(frozen=True)
class Parameters:
    """The data, privacy (α in units of γx), the schemes, the luck, and what is looked at."""

    data: Data = field(default_factory=Data)
    prior: float = 0.05
    gamma: float = 19.0
    alpha: float = 0.5
    min_support: float = 0.02
    schemes: tuple[Scheme, ...] = field(default_factory=lambda: schemes(paper=True))
    prune: bool = True
    seed: int = 7
    error: str = "false_negatives"
    scheme: Scheme = "DET-GD"
    """Of which one the itemsets are looked at, whether it is among the schemes or not."""
    length: int = 0
    """How long these itemsets are; 0 is all of them."""


@dataclass(frozen=True)
class SchemeResult:
    """One scheme: condition numbers by length, and a run of it."""

    condition_numbers: tuple[float, ...] = ()
    why_not: str = ""
    """In the mechanism's own words, why longer itemsets than it has numbers for cannot be had."""
    run: MiningRun | None = None
    errors: np.ndarray | None = None
    n_true: int = 0
    n_kept: int = 0
    """How many itemsets are frequent, and how many of them it finds."""
    n_invented: int = 0
    longest: int = 0
    """The length of the longest itemset that it rightly finds."""
    problem: str = ""
    short: str = ""
    """Why the scheme cannot be had at all, in its own words and in a few."""


@dataclass(frozen=True)
class Points:
    """The itemsets of a run that are frequent or found: those frequent first, the largest first."""

    itemsets: Itemsets
    estimates: np.ndarray
    """NaN where an itemset was not looked at, or cannot be reconstructed."""
    kinds: np.ndarray
    """Each is "found", "lost" or "invented"."""
    counts: dict[str, int]
    """How many there are of each kind."""
    n_true: int
    n_unseen: int
    """How many are frequent, and how many of those that are lost have no estimate."""
    error: float
    """ρ, the mean relative error of those that are rightly found; NaN where there are none."""
    drawn: np.ndarray
    x: np.ndarray
    y: np.ndarray
    """Evenly chosen positions, and the supports and estimates there, within the edges."""


@dataclass(frozen=True)
class Result:
    """What one report gives away, and every scheme by its label."""

    parameters: Parameters
    name: str
    n_cells: int
    n_attributes: int
    n_records: int
    alpha: float
    largest: float
    unit: float
    """As in `Alpha`."""
    r: np.ndarray
    rho: np.ndarray
    within: np.ndarray
    """ρ₂(r) for every r, and which r lie within ±α."""
    range: tuple[float, float]
    middle: float
    schemes: dict[str, SchemeResult]

    @cached_property
    def shown(self) -> SchemeResult:
        """Mine the scheme whose itemsets are looked at, if it is not among the schemes."""
        p = self.parameters
        found = self.schemes.get(label_of(p.scheme))
        return _scheme(p, p.scheme) if found is None else found

    @cached_property
    def points(self) -> Points | None:
        """Give the mined itemsets that are looked at; None where their scheme cannot be had."""
        run, p = self.shown.run, self.parameters
        return None if run is None else points(run, p.prune, p.length)


def compute(parameters: Parameters) -> Result:
    """Compute all of mining; two schemes at a time, since numpy leaves the interpreter free."""
    p, data, width = parameters, parameters.data.load(), _alpha(parameters)
    n, alpha, largest = data.schema.n_cells, width.value, width.largest
    r = np.union1d(np.linspace(-largest, largest, 61), [-alpha, alpha])
    labels = [label_of(scheme) for scheme in p.schemes]
    if len(set(labels)) < len(labels):
        raise ValueError(
            f"schemes are {', '.join(labels)}: each needs a label of its own (mechanism.label = …)"
        )
    # The slowest are the last in the catalogue, and begin first.
    pool = _pool()
    each = map if pool is None else pool.map
    found = list(each(functools.partial(_scheme, p), p.schemes[::-1]))[::-1]
    return Result(
        parameters=p, name=data.name, n_cells=n, n_attributes=data.schema.n_attributes,
        n_records=len(data), alpha=alpha, largest=largest, unit=width.unit, r=r,
        rho=np.asarray(privacy.realized_posterior(p.prior, p.gamma, r, n)),
        within=abs(r) <= alpha * (1 + 1e-9),
        range=privacy.posterior_range(p.prior, p.gamma, alpha, n),
        middle=privacy.worst_posterior(p.prior, p.gamma),
        schemes=dict(zip(labels, found, strict=True)),
    )  # fmt: skip


@functools.cache
def _pool() -> ThreadPoolExecutor | None:
    """Start two threads that mine for a card; None where none can be, as in a browser's Python."""
    pool = ThreadPoolExecutor(2)
    try:
        pool.submit(int).result()
    except RuntimeError:
        return None
    return pool


def _alpha(p: Parameters) -> Alpha:
    return valid_alpha(p.alpha, p.gamma, p.data.load().schema.n_cells)


def _scheme(p: Parameters, scheme: Scheme) -> SchemeResult:
    try:
        share = _alpha(p).share
        mechanism = mining_runs.made(p.data, *source_of(scheme, p.gamma, share))
        numbers, why_not = _lengths(mechanism)
        run = mining_runs.simulate(p.data, scheme, p.gamma, share, p.min_support, p.seed, p.prune)
    except ValueError as error:
        return SchemeResult(problem=str(error), short=in_short(error))
    right = run.found & run.frequent
    n_kept = int(right.sum())
    return SchemeResult(
        condition_numbers=numbers, why_not=why_not, run=run, errors=run.error_array(),
        n_true=int(run.frequent.sum()), n_kept=n_kept, n_invented=int(run.found.sum()) - n_kept,
        longest=int(lengths(run.schema.sizes)[right].max(initial=0)),
    )  # fmt: skip


@functools.lru_cache(maxsize=64)
def _lengths(mechanism: Mechanism) -> tuple[tuple[float, ...], str]:
    """Give a mined scheme's condition numbers by length, and why there are no more of them."""
    last, m = mechanism.max_length, mechanism.schema.n_attributes
    numbers = tuple(mechanism.condition_number(k) for k in range(1, last + 1))
    return numbers, mechanism.why_not(last + 1) if last < m else ""


def points(run: MiningRun, prune: bool = True, length: int = 0) -> Points:
    """Give true and estimated supports of a run's itemsets for the card of mining (FRAPP §7)."""
    either = run.found | run.frequent
    all_of_them = run.chosen(either, run.supports)
    estimates, found, true = (a[either] for a in (run.estimates, run.found, run.frequent))
    if prune:
        estimates = np.where(_looked_at(run, all_of_them.codes), estimates, np.nan)
    order = np.lexsort((-np.where(true, all_of_them.support, estimates), ~true))
    if length:
        order = order[all_of_them.length[order] == length]
    itemsets = Itemsets(run.schema, all_of_them.codes[order], all_of_them.support[order])
    truth, (estimates, found, true) = itemsets.support, (a[order] for a in (estimates, found, true))
    kinds = np.where(true, np.where(found, "found", "lost"), "invented")
    n_true, kept = int(true.sum()), true & found
    relative = abs(estimates[kept] - truth[kept]) / truth[kept]
    invented = n_true + _evenly(len(order) - n_true, MOST["invented"])
    drawn = np.concatenate([_evenly(n_true, MOST["frequent"]), invented])
    return Points(
        itemsets=itemsets, estimates=estimates, kinds=kinds, n_true=n_true,
        counts={kind: int((kinds == kind).sum()) for kind in ("found", "lost", "invented")},
        n_unseen=int(np.isnan(estimates).sum()),
        error=float(relative.mean()) if kept.any() else np.nan,
        drawn=drawn, x=truth[drawn].clip(*EDGES),
        y=np.nan_to_num(estimates[drawn], nan=0.0).clip(*EDGES),
    )  # fmt: skip


def _looked_at(run: MiningRun, codes: np.ndarray) -> np.ndarray:
    """Tell for the card which itemsets Apriori looks at: their next shorter subsets were found."""
    found = run.found.copy()
    found[(-1,) * found.ndim] = True  # the empty itemset
    looked = np.ones(len(codes), dtype=bool)
    for axis in range(found.ndim):
        smaller = codes.copy()
        smaller[:, axis] = -1  # in a cube, too, the last place is "any value"
        looked &= (codes[:, axis] < 0) | found[tuple(smaller.T)]
    return looked


def _evenly(n: int, most: int) -> np.ndarray:
    """Choose `most` of n mined itemsets or fewer to be drawn, the first and the last among them."""
    return np.linspace(0, max(n - 1, 0), min(n, most)).round().astype(int)


class Band(NamedTuple):
    """Where the middle 90 % of many draws lie, by length and error, in percent."""

    low: np.ndarray
    high: np.ndarray


def bands(parameters: Parameters) -> Iterator[dict[str, Band] | None]:
    """Mine often with each scheme for a card; the last thing given is its errors' 5–95 % band."""
    p, share = parameters, _alpha(parameters).share
    drawn: dict[str, list[np.ndarray]] = {label_of(scheme): [] for scheme in p.schemes}
    # What is looked at is no part of it: another error or scheme shows the same draws.
    sources = tuple(source_of(scheme, p.gamma, share) for scheme in p.schemes)
    key = p.data, sources, p.min_support, p.seed, p.prune, DRAWS
    if key in _bands:
        yield _bands[key]
        return
    settings = [p.gamma], [share], [p.min_support], 1, p.seed, p.prune
    for trial in range(DRAWS):
        for scheme in p.schemes:
            with suppress(ValueError):  # a scheme that cannot be had here
                trials = run_trials(p.data.load(), [scheme], *settings, _silent, first=trial)
                drawn[label_of(scheme)].append(trials[list(ERRORS)].to_numpy())
            yield None
    while len(_bands) >= 16:
        _bands.pop(next(iter(_bands)))
    _bands[key] = {label: _band(np.array(runs)) for label, runs in drawn.items() if runs}
    yield _bands[key]


_bands: dict[tuple, dict[str, Band]] = {}


def _band(runs: np.ndarray) -> Band:
    known = ~np.isnan(runs).all(axis=0)
    ends = np.full((2, *known.shape), np.nan)
    ends[:, known] = np.nanquantile(runs[:, known], [0.05, 0.95], axis=0)
    return Band(*ends)


def _silent(done: int, total: int) -> None:
    """Say nothing on how far the mining for a band is."""
