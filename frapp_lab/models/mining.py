"""The whole paper: privacy, condition numbers, and what each scheme finds (FRAPP §3 to §7).

What is costly is remembered, so that moving one control computes only what depends on it. The luck
is that of `mine(…, rng=seed)`: another γ, α or minimum support moves the same draws.
"""

from __future__ import annotations

import functools
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field

import numpy as np
import pandas as pd

from frapp_lab import privacy
from frapp_lab.experiments import run_trials, summarise
from frapp_lab.luck import blocks
from frapp_lab.mechanisms.base import Mechanism, make_scheme, options_of, scheme_class, schemes
from frapp_lab.mining import MiningRun, judge
from frapp_lab.models.cache import remember
from frapp_lab.models.data import Data

Scheme = str | Mechanism
"""The label of a registered scheme, or a mechanism."""

DRAWS = 50
"""How many draws an interval is made of."""


@dataclass(frozen=True)
class Parameters:
    """The data, privacy (α as a share of its largest valid value), the schemes and the luck."""

    data: Data = field(default_factory=Data)
    prior: float = 0.05
    gamma: float = 19.0
    alpha_share: float = 0.5
    min_support: float = 0.02
    schemes: tuple[Scheme, ...] = field(default_factory=lambda: schemes(paper=True))
    prune: bool = True
    seed: int = 7


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
    """In its own words, why the scheme cannot be had at all."""


@dataclass(frozen=True)
class Result:
    """What one report gives away, and every scheme by its label."""

    parameters: Parameters
    name: str
    n_cells: int
    n_records: int
    alpha: float
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
    intervals: pd.DataFrame | None = None


def compute(parameters: Parameters) -> Result:
    """Everything at once; two schemes at a time, since numpy leaves the interpreter free."""
    p = parameters
    data = p.data.load()
    n = data.schema.n_cells
    largest = privacy.max_alpha(p.gamma, n)
    alpha = p.alpha_share * largest
    r = np.union1d(np.linspace(-largest, largest, 61), [-alpha, alpha])
    labels = [label_of(scheme) for scheme in p.schemes]
    if len(set(labels)) < len(labels):
        raise ValueError(
            f"schemes are {', '.join(labels)}: each needs a label of its own (mechanism.label = …)"
        )
    # The slowest are the last in the catalogue, and begin first.
    found = list(_pool.map(functools.partial(_scheme, p), p.schemes[::-1]))[::-1]
    return Result(
        parameters=p, name=data.name, n_cells=n, n_records=len(data), alpha=alpha,
        unit=p.gamma * privacy.off_diagonal(p.gamma, n), r=r,
        rho=np.asarray(privacy.realized_posterior(p.prior, p.gamma, r, n)),
        within=abs(r) <= alpha * (1 + 1e-9),
        range=privacy.posterior_range(p.prior, p.gamma, alpha, n),
        middle=privacy.worst_posterior(p.prior, p.gamma),
        schemes=dict(zip(labels, found, strict=True)),
    )  # fmt: skip


_pool = ThreadPoolExecutor(2)


def label_of(scheme: Scheme) -> str:
    """How a scheme is called."""
    return scheme if isinstance(scheme, str) else scheme.label


def _scheme(p: Parameters, scheme: Scheme) -> SchemeResult:
    try:
        mechanism = _made(p.data, *_source(scheme, p.gamma, p.alpha_share))
        numbers, why_not = _lengths(mechanism)
        run = simulate(p.data, scheme, p.gamma, p.alpha_share, p.min_support, p.seed, p.prune)
    except ValueError as error:
        return SchemeResult(problem=str(error))
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


def intervals(
    parameters: Parameters, progress: Callable[[int, int], None] | None = None
) -> pd.DataFrame:
    """The mean and the 5–95 % interval of each error over fifty draws like the one shown."""
    p, tables = parameters, []
    for number, scheme in enumerate(p.schemes):

        def tell(done: int, total: int, before: int = number) -> None:
            if progress:
                progress(before * total + done, len(p.schemes) * total)

        try:
            trials = run_trials(
                p.data.load(), [scheme], [p.gamma], [p.alpha_share], [p.min_support], DRAWS,
                p.seed, p.prune, tell, draw="records",
            )  # fmt: skip
        except ValueError:  # a scheme that cannot be had here
            continue
        tables.append(summarise(trials))
    if not tables:
        raise ValueError("none of the chosen schemes can be had at this setting")
    return pd.concat(tables, ignore_index=True)


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


@remember(max_bytes=80e6)
def _uniforms(n_records: int, luck: tuple[tuple[str, int], ...], seed: int) -> np.ndarray:
    """The uniforms of a mechanism with such luck: they do not depend on γ, α or p."""
    return np.concatenate(list(blocks(seed, dict(luck), n_records)))


@remember(max_bytes=16e6)
def _estimates(data: Data, seed: int, *source: object) -> np.ndarray:
    mechanism, loaded = _made(data, *source), data.load()
    uniforms = _uniforms(len(loaded), tuple(mechanism.luck.items()), seed)
    return mechanism.estimate(mechanism.perturb(loaded.records, uniforms=uniforms)).array
