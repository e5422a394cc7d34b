"""The whole paper: privacy, condition numbers, and what each scheme finds (FRAPP §3 to §7).

What is costly is remembered, so that moving one control computes only what depends on it. The luck
is that of `mine(…, rng=seed)`: another γ, α or minimum support moves the same draws.
"""

from __future__ import annotations

import functools
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from dataclasses import dataclass, field
from functools import cached_property

import numpy as np

from frapp_lab import privacy
from frapp_lab._base.random_streams import blocks
from frapp_lab.explorers.models.cache import remember
from frapp_lab.explorers.models.data import Data
from frapp_lab.explorers.models.valid_alpha import Alpha, valid_alpha
from frapp_lab.mechanisms.mechanism import Mechanism
from frapp_lab.mechanisms.registry import in_short, make_scheme, options_of, scheme_class, schemes
from frapp_lab.mining.itemsets import Itemsets
from frapp_lab.mining.mining_run import ERRORS, MiningRun, judge
from frapp_lab.scale import run_trials

Scheme = str | Mechanism
"""The label of a registered scheme, or a mechanism."""

DRAWS = 40
"""How many draws a band is made of."""

EDGES = 0.001, 1.0
"""The least and the largest support that is drawn: what lies beyond is drawn there."""

MOST = {"frequent": 200, "invented": 60}
"""At most so many itemsets are drawn."""


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
    run: MiningRun | None = None
    errors: np.ndarray | None = None
    n_true: int = 0
    n_kept: int = 0
    """How many of the truly frequent itemsets it finds."""
    n_invented: int = 0
    longest: int = 0
    """The length of the longest itemset that it rightly finds."""
    why_not: str = ""
    """In the mechanism's own words, why longer itemsets than it has numbers for cannot be had."""
    problem: str = ""
    """In its own words, why the scheme cannot be had at all …"""
    short: str = ""
    """… and in few words."""


@dataclass(frozen=True)
class Points:
    """The itemsets of a run that are frequent or found: those frequent first, the largest first."""

    itemsets: Itemsets
    """With their true supports."""
    estimates: np.ndarray
    """NaN where an itemset was not looked at, or cannot be reconstructed."""
    kinds: np.ndarray
    """Each is "found", "lost" or "invented"."""
    counts: dict[str, int]
    """How many there are of each kind."""
    n_true: int
    n_unseen: int
    """How many of the lost have no estimate."""
    error: float
    """ρ, the mean relative error of those that are rightly found; NaN where there are none."""
    drawn: np.ndarray
    """The positions of those that are drawn: evenly from the largest to the smallest."""
    x: np.ndarray
    """The true supports of those drawn, within the edges."""
    y: np.ndarray
    """Their estimates; what has none is at the lower edge."""


@dataclass(frozen=True)
class Result:
    """What one report gives away, and every scheme by its label."""

    parameters: Parameters
    name: str
    n_cells: int
    n_attributes: int
    n_records: int
    alpha: float
    """The one that is asked for, or the largest valid one where that is smaller."""
    largest: float
    unit: float
    """γx, in which r and α are told."""
    r: np.ndarray
    rho: np.ndarray
    """ρ₂(r), for every r."""
    within: np.ndarray
    """Which r lie within ±α."""
    range: tuple[float, float]
    middle: float
    schemes: dict[str, SchemeResult]

    @cached_property
    def shown(self) -> SchemeResult:
        """The scheme whose itemsets are looked at; made when it is asked for."""
        p = self.parameters
        found = self.schemes.get(label_of(p.scheme))
        return _scheme(p, p.scheme) if found is None else found

    @cached_property
    def points(self) -> Points | None:
        """Its itemsets; None where it cannot be had."""
        run, p = self.shown.run, self.parameters
        return None if run is None else points(run, p.prune, p.length)


def compute(parameters: Parameters) -> Result:
    """Everything at once; two schemes at a time, since numpy leaves the interpreter free."""
    p = parameters
    data = p.data.load()
    n = data.schema.n_cells
    width = _alpha(p)
    alpha, largest = width.value, width.largest
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
        parameters=p, name=data.name, n_cells=n, n_records=len(data), alpha=alpha,
        n_attributes=data.schema.n_attributes,
        largest=largest, unit=width.unit, r=r,
        rho=np.asarray(privacy.realized_posterior(p.prior, p.gamma, r, n)),
        within=abs(r) <= alpha * (1 + 1e-9),
        range=privacy.posterior_range(p.prior, p.gamma, alpha, n),
        middle=privacy.worst_posterior(p.prior, p.gamma),
        schemes=dict(zip(labels, found, strict=True)),
    )  # fmt: skip


@functools.cache
def _pool() -> ThreadPoolExecutor | None:
    """Two threads; None where none can be started, as in a browser's Python."""
    pool = ThreadPoolExecutor(2)
    try:
        pool.submit(int).result()
    except RuntimeError:
        return None
    return pool


def _alpha(p: Parameters) -> Alpha:
    return valid_alpha(p.alpha, p.gamma, p.data.load().schema.n_cells)


def label_of(scheme: Scheme) -> str:
    """How a scheme is called."""
    return scheme if isinstance(scheme, str) else scheme.label


def _scheme(p: Parameters, scheme: Scheme) -> SchemeResult:
    try:
        share = _alpha(p).share
        mechanism = _made(p.data, *_source(scheme, p.gamma, share))
        numbers, why_not = _lengths(mechanism)
        run = simulate(p.data, scheme, p.gamma, share, p.min_support, p.seed, p.prune)
    except ValueError as error:
        return SchemeResult(problem=str(error), short=in_short(error))
    right = run.found & run.frequent
    items = (np.array(np.nonzero(right)) < np.array(run.schema.sizes)[:, None]).sum(axis=0)
    n_kept = int(right.sum())
    return SchemeResult(
        condition_numbers=numbers, run=run, errors=run.error_array(),
        n_true=int(run.frequent.sum()), n_kept=n_kept, n_invented=int(run.found.sum()) - n_kept,
        longest=int(items.max(initial=0)), why_not=why_not,
    )  # fmt: skip


def simulate(
    data: Data,
    scheme: Scheme,
    gamma: float,
    alpha_share: float,
    min_support: float,
    seed: int,
    prune: bool = True,
) -> MiningRun:
    """One mining run on the random numbers that belong to the seed."""
    estimates = _estimates(data, seed, *_source(scheme, gamma, alpha_share))
    return judge(data.load(), estimates, min_support, prune)


def points(run: MiningRun, prune: bool = True, length: int = 0) -> Points:
    """True and estimated supports of a run's itemsets of one length, or of all (FRAPP §7)."""
    either = run.found | run.frequent
    all_of_them = run.chosen(either, run.supports)
    estimates, found, true = (a[either] for a in (run.estimates, run.found, run.frequent))
    if prune:
        estimates = np.where(_looked_at(run, all_of_them.codes), estimates, np.nan)
    order = np.lexsort((-np.where(true, all_of_them.support, estimates), ~true))
    if length:
        order = order[all_of_them.length[order] == length]
    itemsets = Itemsets(run.schema, all_of_them.codes[order], all_of_them.support[order])
    truth, estimates, found, true = (
        itemsets.support, estimates[order], found[order], true[order],
    )  # fmt: skip
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
    """Whether Apriori looks at itemsets: if all that lack one of their items were found."""
    found = run.found.copy()
    found[(-1,) * found.ndim] = True  # the empty itemset
    looked = np.ones(len(codes), dtype=bool)
    for axis in range(found.ndim):
        smaller = codes.copy()
        smaller[:, axis] = -1  # in a cube, too, the last place is "any value"
        looked &= (codes[:, axis] < 0) | found[tuple(smaller.T)]
    return looked


def _evenly(n: int, most: int) -> np.ndarray:
    """At most so many of n places, the first and the last among them."""
    return np.linspace(0, max(n - 1, 0), min(n, most)).round().astype(int)


@dataclass(frozen=True)
class Band:
    """Where the middle 90 % of many draws lie, by length and error, in percent."""

    low: np.ndarray
    high: np.ndarray


def bands(parameters: Parameters) -> Iterator[dict[str, Band] | None]:
    """The 5–95 % band of each scheme's errors, draw by draw: the last that is given is whole."""
    p = parameters
    drawn: dict[str, list[np.ndarray]] = {label_of(scheme): [] for scheme in p.schemes}
    # What is looked at is no part of it: another error or scheme shows the same draws.
    sources = tuple(_source(scheme, p.gamma, _alpha(p).share) for scheme in p.schemes)
    key = p.data, sources, p.min_support, p.seed, p.prune, DRAWS
    if key in _bands:
        yield _bands[key]
        return
    settings = [p.gamma], [_alpha(p).share], [p.min_support], 1, p.seed, p.prune
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
    low, high = np.full((2, *known.shape), np.nan)
    low[known], high[known] = np.nanquantile(runs[:, known], [0.05, 0.95], axis=0)
    return Band(low, high)


def _silent(done: int, total: int) -> None:
    """No word on how far it is."""


# --- what is remembered ---------------------------------------------------------------------------


def _source(scheme: Scheme, gamma: float, alpha_share: float) -> tuple:
    """What a mechanism is made from, and nothing else: it is what results are remembered by.

    A class, not its label, because a label can be given to another class.
    """
    if isinstance(scheme, Mechanism):
        return scheme, None, None
    knows_alpha = "alpha_share" in options_of(scheme)
    return scheme_class(scheme), gamma, alpha_share if knows_alpha else None


@functools.lru_cache(maxsize=64)
def _made(data: Data, source: Mechanism | type[Mechanism], *setting: float | None) -> Mechanism:
    scheme = source if isinstance(source, Mechanism) else source.label
    options = zip(("gamma", "alpha_share"), setting, strict=True)
    return make_scheme(scheme, data.load().schema, **{k: v for k, v in options if v is not None})


@functools.lru_cache(maxsize=64)
def _lengths(mechanism: Mechanism) -> tuple[tuple[float, ...], str]:
    """The condition numbers by length, and why there are no more of them."""
    last, m = mechanism.max_length, mechanism.schema.n_attributes
    numbers = tuple(mechanism.condition_number(k) for k in range(1, last + 1))
    return numbers, mechanism.why_not(last + 1) if last < m else ""


@remember(max_bytes=36e6, hold=5)
def _uniforms(n_records: int, luck: tuple[tuple[str, int], ...], seed: int) -> np.ndarray:
    """The uniforms of a mechanism with such luck: they do not depend on γ, α or p."""
    return np.concatenate(list(blocks(seed, dict(luck), n_records)))


@remember(max_bytes=16e6)
def _estimates(data: Data, seed: int, *source: object) -> np.ndarray:
    mechanism, loaded = _made(data, *source), data.load()
    uniforms = _uniforms(len(loaded), tuple(mechanism.luck.items()), seed)
    return mechanism.estimate(mechanism.perturb(loaded.records, uniforms=uniforms)).array
