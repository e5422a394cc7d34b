"""The numbers behind the paper's tables and figures (FRAPP §7)."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import numpy as np
import pandas as pd

from frapp_lab.data.census import load_census
from frapp_lab.data.dataset import Dataset
from frapp_lab.data.files import DATA
from frapp_lab.data.health import load_health
from frapp_lab.mechanisms.randomized import RandomizedGammaDiagonal
from frapp_lab.mechanisms.registry import make_scheme
from frapp_lab.mechanisms.registry import schemes as all_schemes
from frapp_lab.mining.itemsets import frequent_arrays
from frapp_lab.mining.mining_run import GAMMA, MIN_SUPPORT
from frapp_lab.privacy import posterior_range, worst_posterior
from frapp_lab.scale.trials import Progress, run_trials, summarise

PRIOR = 0.05
"""The paper's ρ₁."""

ALONG_ALPHA, BESIDE = "RAN-GD", "DET-GD"
"""What Figure 3 is about: one scheme, and the one it is compared with."""


def health_at_hand(folder: str | Path | None = None) -> Dataset:
    """Load HEALTH for the paper's tables: NHIS's `PERSONSX.DAT` if in `data/`, else the stand-in.

    >>> health_at_hand("no such folder")
    <Dataset HEALTH (stand-in), synthetic: 109,000 records, 7 attributes, 7,500 cells>
    """
    path = Path(folder or DATA) / "PERSONSX.DAT"
    return load_health(path if path.exists() else None)


def label(dataset: Dataset) -> str:
    """Name a data set of the paper's tables for a title, and say so if the data are made up.

    >>> label(load_census()), label(load_health())
    ('CENSUS', 'synthetic HEALTH (stand-in)')
    """
    return f"synthetic {dataset.name}" if dataset.synthetic else dataset.name


def _categories(dataset: Dataset) -> pd.DataFrame:
    rows = [(a.name, a.size, ", ".join(a.categories)) for a in dataset.schema.attributes]
    return pd.DataFrame(rows, columns=["attribute", "size", "categories"])


def table_1() -> pd.DataFrame:
    """List the attributes and categories of CENSUS (FRAPP Table 1).

    >>> table_1()["size"].tolist()
    [4, 5, 5, 5, 2, 2]
    """
    return _categories(load_census())


def table_2(health: Dataset | None = None) -> pd.DataFrame:
    """List the attributes and categories of HEALTH (FRAPP Table 2).

    >>> table_2()["size"].tolist()
    [5, 5, 5, 3, 2, 2, 5]
    """
    return _categories(health or load_health())


def table_3(health: Dataset | None = None, min_support: float = MIN_SUPPORT) -> pd.DataFrame:
    """Count the frequent itemsets by length (FRAPP Table 3); HEALTH is synthetic by default.

    >>> table_3().loc["CENSUS"].dropna().astype(int).tolist()
    [19, 102, 203, 165, 64, 10]
    """
    rows = {}
    for data in (load_census(), health or load_health()):
        found = frequent_arrays(data, min_support).length
        rows[data.name] = np.bincount(found, minlength=data.schema.n_attributes + 1)[1:]
    frame = pd.DataFrame({name: pd.Series(row) for name, row in rows.items()}).T.astype("Int64")
    return frame.set_axis(range(1, frame.shape[1] + 1), axis=1).rename_axis(columns="length")


def figure_1(trials: int = 100, seed: int = 0, progress: Progress | None = None) -> pd.DataFrame:
    """Measure the table of ρ, σ⁻ and σ⁺ by length for four schemes on CENSUS (FRAPP Figure 1).

    >>> figure_1(trials=1).shape
    (96, 11)
    """
    return _errors(load_census(), trials, seed, progress)


def _errors(data: Dataset, trials: int, seed: int, progress: Progress | None) -> pd.DataFrame:
    return summarise(run_trials(data, trials=trials, seed=seed, progress=progress, draw="records"))


def figure_2(
    trials: int = 100,
    seed: int = 0,
    health: Dataset | None = None,
    progress: Progress | None = None,
) -> pd.DataFrame:
    """Measure the same table on HEALTH (FRAPP Figure 2), synthetic unless real data are given.

    >>> figure_2(trials=1).shape
    (112, 11)
    """
    return _errors(health or load_health(), trials, seed, progress)


def figure_3(
    trials: int = 100,
    seed: int = 0,
    health: Dataset | None = None,
    alpha_shares: Sequence[float] = tuple(np.round(np.linspace(0, 1, 11), 1).tolist()),
    length: int = 4,
    progress: Progress | None = None,
) -> tuple[pd.DataFrame, pd.DataFrame]:
    """Tabulate RAN-GD along α (FRAPP Figure 3): the range of ρ₂, and the summary of trials.

    >>> ranges, errors = figure_3(trials=1, alpha_shares=[0.5])
    >>> [round(float(ranges.loc[0, end]), 4) for end in ("low", "middle", "high")]
    [0.3323, 0.5, 0.6011]
    """
    data, rows = [load_census(), health or load_health()], []
    for d in data:
        for share in alpha_shares:
            alpha = RandomizedGammaDiagonal.for_gamma(d.schema, GAMMA, share).alpha
            low, high = posterior_range(PRIOR, GAMMA, alpha, d.schema.n_cells)
            rows.append((d.name, share, low, worst_posterior(PRIOR, GAMMA), high))
    ranges = pd.DataFrame(rows, columns=["dataset", "alpha_share", "low", "middle", "high"])
    tried = run_trials(
        data,
        [ALONG_ALPHA],
        alpha_shares=alpha_shares,
        trials=trials,
        seed=seed,
        progress=progress,
        draw="records",
    )
    return ranges, summarise(tried[tried["length"] == length])


def figure_4(
    health: Dataset | None = None, gamma: float = GAMMA, schemes: Sequence[str] | None = None
) -> pd.DataFrame:
    """Tabulate the condition number of the reconstruction matrix by length (FRAPP Figure 4).

    It is missing where the matrix is singular.

    >>> figure_4().query("scheme == 'DET-GD'").condition_number.round(1).unique().tolist()
    [112.1, 417.7]
    """
    rows = []
    for data in (load_census(), health or load_health()):
        for scheme in schemes or all_schemes(paper=True):
            mechanism = make_scheme(scheme, data.schema, gamma)
            for length in range(1, data.schema.n_attributes + 1):
                exists = length <= mechanism.max_length
                value = mechanism.condition_number(length) if exists else np.nan
                rows.append((data.name, scheme, length, value))
    return pd.DataFrame(rows, columns=["dataset", "scheme", "length", "condition_number"])
