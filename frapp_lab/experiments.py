"""Repeated trials with intervals, and the numbers behind the paper's tables and figures (§7)."""

from __future__ import annotations

import sys
import time
import zlib
from collections.abc import Callable, Iterable, Sequence

import numpy as np
import pandas as pd

from frapp_lab.checks import check_integer, max_alpha
from frapp_lab.datasets import Dataset, load_census, load_health
from frapp_lab.mechanisms.catalogue import SCHEMES, make_scheme
from frapp_lab.mining import ERRORS, check_min_support, frequent_arrays, mine
from frapp_lab.privacy import posterior_range, worst_posterior
from frapp_lab.theory import predicted_errors

GAMMA, MIN_SUPPORT, PRIOR = 19.0, 0.02, 0.05
"""The paper's setting: (ρ₁, ρ₂) = (5 %, 50 %), so γ = 19, and a minimum support of 2 %."""

PAPER_SCHEMES = SCHEMES[:4]
"""The schemes that the paper compares."""

Progress = Callable[[int, int], None]


def console_progress(what: str = "trials") -> Progress:
    """A progress bar on a terminal, shown only once two seconds have passed.

    >>> console_progress()(1, 2)
    """
    start = time.monotonic()

    def show(done: int, total: int) -> None:
        if sys.stderr.isatty() and time.monotonic() - start > 2:
            bar = "#" * (30 * done // total)
            end = "\n" if done == total else ""
            print(f"\r{what} [{bar:<30}] {done}/{total}", end=end, file=sys.stderr, flush=True)

    return show


# --- trials ---------------------------------------------------------------------------------------


def run_trials(
    datasets: Dataset | Iterable[Dataset],
    schemes: Sequence[str] = PAPER_SCHEMES,
    gammas: Sequence[float] = (GAMMA,),
    alpha_shares: Sequence[float] = (0.5,),
    min_supports: Sequence[float] = (MIN_SUPPORT,),
    trials: int = 100,
    seed: int = 0,
    prune: bool = True,
    progress: Progress | None = None,
) -> pd.DataFrame:
    """Mine every combination so many times; one tidy row for each trial and itemset length.

    `alpha_shares` (α as a share of its largest valid value) concerns RAN-GD only. Trial i is always
    trial i: it depends on the seed, the data set, the scheme and i, but not on how many trials are
    asked for, nor on what else is. Different γ, α and supports of one trial share their seed.

    >>> from frapp_lab import load_census
    >>> run_trials(load_census(), ["DET-GD"], trials=2).shape
    (12, 11)
    """
    datasets = [datasets] if isinstance(datasets, Dataset) else list(datasets)
    check_integer("trials", trials, 1, np.inf, "an error is measured by trying")
    check_integer("seed", seed, 0, np.inf, "numpy takes seeds of 0 or more")
    for name, values in (
        ("datasets", datasets),
        ("schemes", schemes),
        ("gammas", gammas),
        ("alpha_shares", alpha_shares),
        ("min_supports", min_supports),
    ):
        if not len(values):
            raise ValueError(f"{name} is empty: give at least one, or there is nothing to try")
    for min_support in min_supports:
        check_min_support(min_support)
    settings = [
        (data, scheme, gamma, share, make_scheme(scheme, data.schema, gamma, share or 0))
        for data in datasets
        for scheme in schemes
        for gamma in gammas
        for share in (alpha_shares if scheme == "RAN-GD" else (None,))
    ]
    progress = progress or console_progress()
    blocks, done = [], 0
    total = len(settings) * len(min_supports) * trials
    for data, scheme, gamma, share, mechanism in settings:
        key = zlib.crc32(f"{data.name}/{scheme}".encode())
        lengths = np.arange(1, data.schema.n_attributes + 1)
        for min_support in min_supports:
            rows = []
            for trial in range(trials):
                rng = np.random.default_rng([seed, key, trial])
                rows.append(mine(data, mechanism, min_support, rng, prune).error_array())
                done += 1
                progress(done, total)
            block = pd.DataFrame(np.concatenate(rows), columns=list(ERRORS))
            block.insert(0, "length", np.tile(lengths, trials))
            block.insert(0, "trial", np.repeat(np.arange(trials), len(lengths)))
            block.insert(0, "min_support", min_support)
            block.insert(0, "alpha_share", np.nan if share is None else share)
            block.insert(0, "gamma", gamma)
            block.insert(0, "scheme", scheme)
            block.insert(0, "dataset", data.name)
            blocks.append(block)
    return pd.concat(blocks, ignore_index=True)


SETTING = ["dataset", "scheme", "gamma", "alpha_share", "min_support", "length"]
"""What a row of a summary is about."""


def summarise(trials: pd.DataFrame) -> pd.DataFrame:
    """The mean and the 5–95 % interval of every error over the trials.

    One row for each setting, length and error: mean, low, high, and the number of trials in which
    the error exists at all.

    >>> from frapp_lab import load_census
    >>> summary = summarise(run_trials(load_census(), ["DET-GD"], trials=3))
    >>> summary.columns[-5:].tolist()
    ['error', 'mean', 'low', 'high', 'trials']
    """
    long = trials.melt([*SETTING, "trial"], list(ERRORS), "error", "value")
    groups = long.groupby([*SETTING, "error"], dropna=False, sort=False)["value"]
    return pd.DataFrame(
        {
            "mean": groups.mean(),
            "low": groups.quantile(0.05),
            "high": groups.quantile(0.95),
            "trials": groups.count(),
        }
    ).reset_index()


def theory_beside_simulation(
    dataset: Dataset,
    schemes: Sequence[str] = SCHEMES,
    gamma: float = GAMMA,
    min_support: float = MIN_SUPPORT,
    trials: int = 100,
    seed: int = 0,
    progress: Progress | None = None,
) -> pd.DataFrame:
    """`summarise` of unpruned trials with one more column, what theory predicts.

    >>> from frapp_lab import load_census
    >>> "predicted" in theory_beside_simulation(load_census(), ["DET-GD"], trials=2).columns
    True
    """
    measured = summarise(
        run_trials(dataset, schemes, [gamma], [0.5], [min_support], trials, seed, False, progress)
    )
    predicted = {
        scheme: predicted_errors(dataset, make_scheme(scheme, dataset.schema, gamma), min_support)
        for scheme in schemes
    }
    values = [
        predicted[row.scheme].loc[row.length, row.error] for row in measured.itertuples(index=False)
    ]
    return measured.assign(predicted=values)


# --- the paper's tables ---------------------------------------------------------------------------


def _categories(dataset: Dataset) -> pd.DataFrame:
    rows = [(a.name, a.size, ", ".join(a.categories)) for a in dataset.schema.attributes]
    return pd.DataFrame(rows, columns=["attribute", "size", "categories"])


def table_1() -> pd.DataFrame:
    """CENSUS: attributes and categories (FRAPP Table 1).

    >>> table_1()["size"].tolist()
    [4, 5, 5, 5, 2, 2]
    """
    return _categories(load_census())


def table_2(health: Dataset | None = None) -> pd.DataFrame:
    """HEALTH: attributes and categories (FRAPP Table 2).

    >>> table_2()["size"].tolist()
    [5, 5, 5, 3, 2, 2, 5]
    """
    return _categories(health or load_health())


def table_3(health: Dataset | None = None, min_support: float = MIN_SUPPORT) -> pd.DataFrame:
    """The number of frequent itemsets by length (FRAPP Table 3). HEALTH is synthetic by default.

    >>> table_3().loc["CENSUS"].dropna().astype(int).tolist()
    [19, 102, 203, 165, 64, 10]
    """
    rows = {}
    for data in (load_census(), health or load_health()):
        found = frequent_arrays(data, min_support).length
        rows[data.name] = np.bincount(found, minlength=data.schema.n_attributes + 1)[1:]
    frame = pd.DataFrame({name: pd.Series(row) for name, row in rows.items()}).T.astype("Int64")
    return frame.set_axis(range(1, frame.shape[1] + 1), axis=1).rename_axis(columns="length")


# --- the paper's figures --------------------------------------------------------------------------


def figure_1(trials: int = 100, seed: int = 0, progress: Progress | None = None) -> pd.DataFrame:
    """CENSUS: support error, σ⁻ and σ⁺ by length for four schemes (FRAPP Figure 1).

    >>> figure_1(trials=1).shape
    (96, 11)
    """
    return summarise(run_trials(load_census(), trials=trials, seed=seed, progress=progress))


def figure_2(
    trials: int = 100,
    seed: int = 0,
    health: Dataset | None = None,
    progress: Progress | None = None,
) -> pd.DataFrame:
    """HEALTH: the same (FRAPP Figure 2), on the synthetic stand-in unless the real data are given.

    >>> figure_2(trials=1).shape
    (112, 11)
    """
    data = health or load_health()
    return summarise(run_trials(data, trials=trials, seed=seed, progress=progress))


def figure_3(
    trials: int = 100,
    seed: int = 0,
    health: Dataset | None = None,
    alpha_shares: Sequence[float] = tuple(np.round(np.linspace(0, 1, 11), 1).tolist()),
    length: int = 4,
    progress: Progress | None = None,
) -> tuple[pd.DataFrame, pd.DataFrame]:
    """RAN-GD along α (FRAPP Figure 3): the posterior range, and the support error at length 4.

    Returns two tables: (a) for each data set and α the range [ρ₂⁻, ρ₂⁺] with DET-GD's ρ₂ between;
    (b), (c) the summary of the trials.

    >>> ranges, errors = figure_3(trials=1, alpha_shares=[0.5])
    >>> ranges.loc[0, ["low", "middle", "high"]].round(4).tolist()
    [0.3323, 0.5, 0.6011]
    """
    datasets = [load_census(), health or load_health()]
    rows = []
    for data in datasets:
        n = data.schema.n_cells
        for share in alpha_shares:
            low, high = posterior_range(PRIOR, GAMMA, share * max_alpha(GAMMA, n), n)
            rows.append((data.name, share, low, worst_posterior(PRIOR, GAMMA), high))
    ranges = pd.DataFrame(rows, columns=["dataset", "alpha_share", "low", "middle", "high"])
    errors = summarise(
        run_trials(
            datasets, ["RAN-GD"], alpha_shares=alpha_shares, trials=trials, seed=seed,
            progress=progress,
        )
    )  # fmt: skip
    return ranges, errors[errors["length"] == length].reset_index(drop=True)


def figure_4(
    health: Dataset | None = None, gamma: float = GAMMA, schemes: Sequence[str] = PAPER_SCHEMES
) -> pd.DataFrame:
    """The condition number of the reconstruction matrix by length (FRAPP Figure 4).

    A singular matrix has none: there the value is missing.

    >>> figure_4().query("scheme == 'DET-GD'").condition_number.round(1).unique().tolist()
    [112.1, 417.7]
    """
    rows = []
    for data in (load_census(), health or load_health()):
        for scheme in schemes:
            mechanism = make_scheme(scheme, data.schema, gamma)
            for length in range(1, data.schema.n_attributes + 1):
                exists = length <= mechanism.max_length
                value = mechanism.condition_number(length) if exists else np.nan
                rows.append((data.name, scheme, length, value))
    return pd.DataFrame(rows, columns=["dataset", "scheme", "length", "condition_number"])
