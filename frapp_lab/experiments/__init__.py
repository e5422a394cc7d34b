"""Repeated trials with intervals, and theory beside them.

`python -m frapp_lab.experiments --help` runs trials without a notebook.
"""

from __future__ import annotations

import functools
from collections.abc import Sequence

import pandas as pd

from frapp_lab.datasets import Dataset
from frapp_lab.experiments.trials import (
    GAMMA,
    MIN_SUPPORT,
    Progress,
    console_progress,
    run_trials,
    summarise,
)
from frapp_lab.mechanisms.base import make_scheme
from frapp_lab.mechanisms.base import schemes as all_schemes
from frapp_lab.theory import predicted_errors

__all__ = [
    "GAMMA",
    "MIN_SUPPORT",
    "add_theory",
    "console_progress",
    "run_trials",
    "summarise",
    "theory_beside_simulation",
]


def add_theory(summary: pd.DataFrame, dataset: Dataset, pruned: bool = True) -> pd.DataFrame:
    """A summary of trials with what theory predicts, each row for its own γ, α and support.

    Of pruned trials theory knows ρ over all of F alone, because that takes the estimate of every
    frequent itemset, found or not; the other errors' predictions are then missing.

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
    """`summarise` of unpruned trials with one more column, what theory predicts.

    >>> from frapp_lab import load_census
    >>> beside = theory_beside_simulation(load_census(), ["DET-GD"], trials=2)
    >>> int(beside.predicted.isna().sum())
    0
    """
    schemes = all_schemes() if schemes is None else schemes
    settings = [gamma], [0.5], [min_support]
    measured = run_trials(dataset, schemes, *settings, trials, seed, False, progress)
    return add_theory(summarise(measured), dataset, pruned=False)
