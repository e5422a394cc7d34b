"""Repeated trials with intervals, as tidy tables, and what theory predicts beside them."""

from __future__ import annotations

import functools
from collections.abc import Iterable, Iterator, Sequence
from contextlib import closing
from pathlib import Path
from typing import Any

import numpy as np

from frapp_lab._base.checks import check_integer, check_number, shown
from frapp_lab._base.console import Progress, console_progress
from frapp_lab._base.later import pd
from frapp_lab._base.random_streams import Seed
from frapp_lab.data.dataset import Dataset, check_dataset
from frapp_lab.mechanisms.counting import draw_statistic
from frapp_lab.mechanisms.mechanism import Mechanism
from frapp_lab.mechanisms.registry import make_scheme, options_of
from frapp_lab.mechanisms.registry import schemes as all_schemes
from frapp_lab.mining.itemsets import check_min_support
from frapp_lab.mining.mining_run import ERRORS, GAMMA, MIN_SUPPORT, MiningRun, judge, mine
from frapp_lab.mining.predicted_errors import predicted_errors
from frapp_lab.scale.checkpoint import Kept, digest
from frapp_lab.scale.cluster import spread


def run_trials(
    datasets: Dataset | Iterable[Dataset],
    schemes: Sequence[str | Mechanism] | None = None,
    gammas: Sequence[float] = (GAMMA,),
    alpha_shares: Sequence[float] = (0.5,),
    min_supports: Sequence[float] = (MIN_SUPPORT,),
    trials: int = 100,
    seed: int = 0,
    prune: bool = True,
    progress: Progress | None = None,
    draw: str = "counts",
    first: int = 0,
    client: Any = None,
    keep: str | Path | None = None,
) -> pd.DataFrame:
    """Mine every combination `trials` times; one tidy row for each trial and itemset length.

    `schemes` are labels or mechanisms (with a γ of their own), by default those of the paper. Trial
    i depends on the seed, the scheme and i alone; its γ, α and supports share their luck. They are
    counted from `first`, so that some can be made now and others later. With
    `draw="records"` it is `mine(data, scheme, …, rng=(seed, i))`; with `draw="counts"` joint counts
    are drawn where their law is known, which is faster and the same for RAN-GD and DET-GD.

    A `dask.distributed.Client` as `client` spreads the trials over its workers; the table is the
    same. `keep` names a file to which every finished trial is added, and which is read first: what
    was interrupted goes on where it was.

    >>> from frapp_lab import load_census
    >>> run_trials(load_census(), ["DET-GD"], trials=2).shape
    (12, 11)
    """
    datasets = [datasets] if isinstance(datasets, Dataset) else datasets
    schemes = all_schemes(paper=True) if schemes is None else schemes
    check_integer("trials", trials, 1, np.inf, "an error is measured by trying")
    check_integer("first", first, 0, np.inf, "trials are counted from 0")
    check_integer("seed", seed, 0, np.inf, "numpy takes seeds of 0 or more")
    datasets, schemes = _listed("datasets", datasets), _listed("schemes", schemes)
    gammas, alpha_shares = _listed("gammas", gammas), _listed("alpha_shares", alpha_shares)
    min_supports = _listed("min_supports", min_supports)
    for data in datasets:
        check_dataset(data)
    if draw not in ("counts", "records"):
        raise ValueError(
            f'draw is {draw!r}: it must be "counts" (joint counts are drawn where their law is '
            'known) or "records" (every client draws)'
        )
    for min_support in min_supports:
        check_min_support(min_support)
    for share in alpha_shares:
        check_number("alpha_share", share, "[0, 1]", "it is a share of the largest valid α")
    settings = [
        (data, *setting)
        for data in datasets
        for scheme in schemes
        for setting in _settings(scheme, data, gammas, alpha_shares)
    ]
    if len({(data.name, *setting[:3]) for data, *setting in settings}) < len(settings):
        raise ValueError(
            "two of the schemes have the same label and γ, and their trials would be mixed: give "
            "one of the mechanisms a label of its own (mechanism.label = …)"
        )
    cases = [(*setting, min_support) for setting in settings for min_support in min_supports]
    about = [] if keep is None else [_about(*case) for case in cases]
    shapes = [(case[0].schema.n_attributes, len(ERRORS)) for case in cases]
    kept = Kept(keep, {"seed": seed, "prune": prune, "draw": draw, "cases": about}, shapes)
    every = [(case, trial) for case in range(len(cases)) for trial in range(first, first + trials)]
    open_ones = [pair for pair in every if pair not in kept.errors]
    progress, done = progress or console_progress(), len(every) - len(open_ones)
    # Here one at a time, so that an interrupt loses one; for workers many, so that little travels.
    size = 1 if client is None else max(1, min(25, len(open_ones) // 20))
    tasks = [(open_ones[i : i + size],) for i in range(0, len(open_ones), size)]
    with closing(spread(_trials, tasks, (cases, seed, prune, draw), client)) as results:
        for place, errors in results:
            for pair, error_array in zip(tasks[place][0], errors, strict=True):
                kept.add(pair, error_array)
                done += 1
                progress(done, len(every))
    blocks = []
    for case, (data, label, gamma, share, _, min_support) in enumerate(cases):
        lengths = np.arange(1, data.schema.n_attributes + 1)
        rows = [kept.errors[case, trial] for trial in range(first, first + trials)]
        columns = {
            "dataset": data.name,
            "scheme": label,
            "gamma": gamma,
            "alpha_share": share,
            "min_support": min_support,
            "trial": np.repeat(np.arange(first, first + trials), len(lengths)),
            "length": np.tile(lengths, trials),
        }
        block = pd.DataFrame(np.concatenate(rows), columns=list(ERRORS))
        blocks.append(pd.DataFrame(columns).join(block))
    return pd.concat(blocks, ignore_index=True)


def _about(
    data: Dataset, label: str, gamma: float, share: float, mechanism: Mechanism, min_support: float
) -> tuple:
    """Say what a case of `run_trials` is about, for the first line of the file that it keeps."""
    setting = label, float(gamma), float(share), repr(mechanism), float(min_support)
    return data.name, len(data), *setting, digest([data, mechanism])


def _listed(name: str, values: Iterable) -> list:
    """List the values that `run_trials` tries; refuse one text or one number."""
    if isinstance(values, str) or not isinstance(values, Iterable):
        raise TypeError(
            f"{name} is {shown(values)}: give a list of them, even of one, because each is tried"
        )
    if not (listed := list(values)):
        raise ValueError(f"{name} is empty: give at least one, or there is nothing to try")
    return listed


def _settings(
    scheme: str | Mechanism, data: Dataset, gammas: Sequence[float], alpha_shares: Sequence[float]
) -> Iterator[tuple[str, float, float, Mechanism]]:
    """Give each setting of `run_trials`: label, γ, share of α (missing if none) and mechanism."""
    if isinstance(scheme, Mechanism):
        yield scheme.label, scheme.amplification, np.nan, make_scheme(scheme, data.schema)
        return
    shared = "alpha_share" in options_of(scheme)
    for gamma in gammas:
        for share in alpha_shares if shared else (np.nan,):
            options = {"alpha_share": share} if shared else {}
            yield scheme, gamma, share, make_scheme(scheme, data.schema, gamma, **options)


def _trials(
    pairs: list[tuple[int, int]], shared: tuple[list[tuple], int, bool, str]
) -> list[np.ndarray]:
    """Compute the errors of some trials, each a case and a number."""
    cases, seed, prune, draw = shared
    errors = []
    for case, trial in pairs:
        data, *_, mechanism, min_support = cases[case]
        run = _trial(data, mechanism, min_support, (seed, trial), prune, draw)
        errors.append(run.error_array())
    return errors


def _trial(
    data: Dataset, mechanism: Mechanism, min_support: float, seed: Seed, prune: bool, draw: str
) -> MiningRun:
    if draw == "counts" and data.cube.is_small:
        statistic = draw_statistic(mechanism, data.counts, seed)
        if statistic is not None:
            return judge(data, mechanism.estimate_statistic(statistic).array, min_support, prune)
    return mine(data, mechanism, min_support, seed, prune)


SETTING = ["dataset", "scheme", "gamma", "alpha_share", "min_support", "length"]
"""Columns of a summary that say what a row is about."""


def summarise(trials: pd.DataFrame) -> pd.DataFrame:
    """Compute the mean and the 5–95 % interval of every error, and count its trials.

    >>> from frapp_lab import load_census
    >>> summary = summarise(run_trials(load_census(), ["DET-GD"], trials=3))
    >>> summary.columns[-5:].tolist()
    ['error', 'mean', 'low', 'high', 'trials']
    """
    long = trials.melt([*SETTING, "trial"], list(ERRORS), "error", "value")
    groups = long.groupby([*SETTING, "error"], dropna=False, sort=False)["value"]
    ends = {"low": groups.quantile(0.05), "high": groups.quantile(0.95)}
    columns = {"mean": groups.mean(), **ends, "trials": groups.count()}
    return pd.DataFrame(columns).reset_index()


def add_theory(summary: pd.DataFrame, dataset: Dataset, pruned: bool = True) -> pd.DataFrame:
    """Add to a summary of trials what theory predicts: of pruned ones just `support_error_all`.

    >>> from frapp_lab import load_census
    >>> census = load_census()
    >>> table = add_theory(summarise(run_trials(census, ["DET-GD"], trials=2)), census)
    >>> table.dropna(subset="predicted").predicted.round(0).tolist()
    [141.0, 176.0, 136.0, 82.0, 50.0, 34.0]
    """

    @functools.cache
    def theory(scheme: str, gamma: float, alpha_share: float, min_support: float) -> pd.DataFrame:
        mechanism = make_scheme(scheme, dataset.schema, gamma, alpha_share=alpha_share)
        errors = predicted_errors(dataset, mechanism, min_support)
        known = ["support_error_all"] if pruned else errors.columns
        return errors[known].reindex(columns=errors.columns)

    # Where a scheme has no α its share is missing, and a missing value equals nothing, itself too.
    rows = summary.fillna({"alpha_share": 0}).itertuples()
    predicted = [
        theory(row.scheme, row.gamma, row.alpha_share, row.min_support).loc[row.length, row.error]
        for row in rows
    ]
    return summary.assign(predicted=predicted)


def theory_beside_simulation(
    dataset: Dataset,
    schemes: Sequence[str] | None = None,
    gamma: float = GAMMA,
    min_support: float = MIN_SUPPORT,
    trials: int = 100,
    seed: int = 0,
    progress: Progress | None = None,
) -> pd.DataFrame:
    """Run and summarise unpruned trials, with one more column: what theory predicts."""
    schemes = all_schemes() if schemes is None else schemes
    settings = [gamma], [0.5], [min_support]
    measured = run_trials(dataset, schemes, *settings, trials, seed, False, progress)
    return add_theory(summarise(measured), dataset, pruned=False)
