"""The mining errors that theory predicts, from exact standard deviations, with no simulation."""

from __future__ import annotations

import math

import numpy as np
import pandas as pd

from frapp_lab.checks import check_number
from frapp_lab.cube import lengths
from frapp_lab.datasets import Dataset, check_dataset
from frapp_lab.mechanisms.base import Mechanism, make_scheme
from frapp_lab.mining import ERRORS, GAMMA, MIN_SUPPORT, check_min_support


def predicted_errors(
    dataset: Dataset,
    mechanism: str | Mechanism,
    min_support: float = MIN_SUPPORT,
    gamma: float = GAMMA,
) -> pd.DataFrame:
    """The expected errors by length, in percent, when every itemset is judged by its own estimate.

    The columns are those of `MiningRun.errors` for `prune=False`; pruning is not predicted.
    `mechanism` may be the label of a scheme, made for `gamma`.

    >>> from frapp_lab import load_census
    >>> predicted = predicted_errors(load_census(), "DET-GD", 0.02)
    >>> predicted.support_error_all.round(0).tolist()
    [141.0, 176.0, 136.0, 82.0, 50.0, 34.0]
    """
    threshold = check_min_support(min_support)
    mechanism = make_scheme(mechanism, check_dataset(dataset).schema, gamma)
    share = dataset.supports.array
    deviation = mechanism.standard_deviation(dataset.supports, len(dataset)).array
    chances = mechanism.chance_found(dataset.supports, len(dataset), threshold)
    kinds = lengths(dataset.schema.sizes)
    rows = []
    for length in range(1, dataset.schema.n_attributes + 1):
        here = kinds == length
        s, sd, found = share[here], deviation[here], chances[here]
        frequent = s >= threshold
        if not frequent.any():
            rows.append([np.nan] * len(ERRORS))
            continue
        if np.isnan(sd).all():  # the scheme cannot reconstruct this length
            rows.append([np.nan, np.nan, 1, np.nan])
            continue
        chance, relative = found[frequent], sd[frequent] / s[frequent]
        # E|error|, and E|error| where the itemset is found: the estimate is s + sd·Z with Z > m,
        # and for a frequent itemset m ≤ 0.
        m = (threshold - s[frequent]) / sd[frequent]
        mean_abs = relative * math.sqrt(2 / math.pi)
        while_found = mean_abs - relative * np.exp(-(m**2) / 2) / math.sqrt(2 * math.pi)
        invented = found[~frequent].sum() / len(chance)
        support_error = while_found.sum() / chance.sum()
        rows.append([support_error, mean_abs.mean(), 1 - chance.mean(), invented])
    index = pd.RangeIndex(1, dataset.schema.n_attributes + 1, name="length")
    return 100 * pd.DataFrame(rows, index=index, columns=list(ERRORS))


def records_needed(
    dataset: Dataset,
    mechanism: str | Mechanism,
    min_support: float,
    length: int,
    error: float,
    gamma: float = GAMMA,
) -> float:
    """How many records bring the mean relative support error of a length down to `error` percent.

    The error is that over all truly frequent itemsets of the length; it falls as 1/√N. Infinite
    where the scheme cannot reconstruct the length.

    >>> from frapp_lab import GammaDiagonal, load_census
    >>> census = load_census()
    >>> n = records_needed(census, GammaDiagonal(census.schema, 19), 0.02, length=4, error=10)
    >>> f"{n:.1e}"
    '3.3e+06'
    """
    check_dataset(dataset).schema.check_length(length)
    check_number("error", error, "(0, inf)", "no number of records makes it vanish")
    now = predicted_errors(dataset, mechanism, min_support, gamma).support_error_all[length]
    if np.isnan(now):
        if (dataset.supports.array[lengths(dataset.schema.sizes) == length] < min_support).all():
            raise ValueError(
                f"length is {length}: no itemset of that length has a support of {min_support:g}, "
                "so that there is no error to bring down"
            )
        return math.inf
    return len(dataset) * (now / error) ** 2
