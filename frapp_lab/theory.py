"""The mining errors that theory predicts, from the exact standard deviations, with no simulation.

An estimated support is a mean of many independent terms, so it is nearly normal about the true
support; its standard deviation is known exactly. That gives every itemset's chance to be found
(`Mechanism.chance_found`, which a scheme may know better).
"""

from __future__ import annotations

import math

import numpy as np
import pandas as pd

from frapp_lab.checks import check_integer, check_number
from frapp_lab.cube import lengths
from frapp_lab.datasets import Dataset
from frapp_lab.mechanisms.base import Mechanism, make_scheme
from frapp_lab.mining import ERRORS, GAMMA, MIN_SUPPORT, check_min_support


def predicted_errors(
    dataset: Dataset,
    mechanism: str | Mechanism,
    min_support: float = MIN_SUPPORT,
    gamma: float = GAMMA,
) -> pd.DataFrame:
    """The expected errors by length, in percent, when every itemset is judged by its own estimate.

    The columns are those of `MiningRun.errors` for `prune=False`. Pruning is not predicted: it
    depends on how the estimates of an itemset and of its subsets vary together. `mechanism` may be
    the label of a scheme, made for `gamma`.

    >>> from frapp_lab import load_census
    >>> predicted = predicted_errors(load_census(), "DET-GD", 0.02)
    >>> predicted.support_error_all.round(0).tolist()
    [141.0, 176.0, 136.0, 82.0, 50.0, 34.0]
    """
    threshold = check_min_support(min_support)
    mechanism = make_scheme(mechanism, dataset.schema, gamma)
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
            rows.append([np.nan, np.nan, 100.0, np.nan])
            continue
        f = frequent
        m = (threshold - s[f]) / sd[f]
        # E|error|, and E|error| where the itemset is found: the estimate is s + sd·Z with Z > m,
        # and for a frequent itemset m ≤ 0.
        mean_abs = sd[f] / s[f] * math.sqrt(2 / math.pi)
        density = np.exp(-(m**2) / 2) / math.sqrt(2 * math.pi)
        while_found = sd[f] / s[f] * (2 / math.sqrt(2 * math.pi) - density)
        rows.append(
            [
                while_found.sum() / found[f].sum(),
                mean_abs.mean(),
                1 - found[f].mean(),
                found[~f].sum() / f.sum(),
            ]
        )
        rows[-1] = [100 * value for value in rows[-1]]
    index = pd.RangeIndex(1, dataset.schema.n_attributes + 1, name="length")
    return pd.DataFrame(rows, index=index, columns=list(ERRORS))


def records_needed(
    dataset: Dataset,
    mechanism: str | Mechanism,
    min_support: float,
    length: int,
    error: float,
    gamma: float = GAMMA,
) -> float:
    """How many records bring the mean relative support error of a length down to `error` percent.

    The error is that over all truly frequent itemsets of the length; it falls as 1/√N. The data are
    thought to be more of the same kind. Infinite where the scheme cannot reconstruct the length.

    >>> from frapp_lab import GammaDiagonal, load_census
    >>> census = load_census()
    >>> n = records_needed(census, GammaDiagonal(census.schema, 19), 0.02, length=4, error=10)
    >>> f"{n:.1e}"
    '3.3e+06'
    """
    m = dataset.schema.n_attributes
    check_integer("length", length, 1, m, f"the data have {m} attributes")
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
