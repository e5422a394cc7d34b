"""The mining errors that theory predicts, from exact standard deviations, with no simulation."""

from __future__ import annotations

import math

import numpy as np

from frapp_lab._base.checks import check_number
from frapp_lab._base.later import pd
from frapp_lab.data.cube import lengths
from frapp_lab.data.dataset import Dataset, check_dataset
from frapp_lab.mechanisms.mechanism import Mechanism
from frapp_lab.mechanisms.registry import make_scheme
from frapp_lab.mining.itemsets import check_min_support
from frapp_lab.mining.mining_run import ERRORS, GAMMA, MIN_SUPPORT

MANY = math.log(1e15)
"""Logarithm of the largest number of records that is looked at."""


def predicted_errors(
    dataset: Dataset,
    mechanism: str | Mechanism,
    min_support: float = MIN_SUPPORT,
    gamma: float = GAMMA,
) -> pd.DataFrame:
    """Predict the errors by length, in percent, if each itemset is judged by its own estimate.

    Where the mechanism has a model, the model's own error is counted; its noise is too high where
    negative estimates had to be mended.

    Parameters
    ----------
    dataset
        The clean data.
    mechanism
        A mechanism, or the label of a scheme that is made for `gamma`.
    min_support
        The least share of the records, above 0.
    gamma
        The amplification to attain, if `mechanism` is a label.

    Returns
    -------
    DataFrame
        The columns of `MiningRun.errors` for `prune=False`; pruning is not predicted.

    Examples
    --------
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
    bias = mechanism.limit(dataset.supports).array - share
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
        chance, s, sd, b = found[frequent], s[frequent], sd[frequent], bias[here][frequent]
        everywhere = mean_absolute(b, sd) / s
        while_found = mean_absolute(b, sd, threshold - s) / s
        invented = found[~frequent].sum() / len(chance)
        support_error = while_found.sum() / chance.sum()
        rows.append([support_error, everywhere.mean(), 1 - chance.mean(), invented])
    index = pd.RangeIndex(1, dataset.schema.n_attributes + 1, name="length")
    return 100 * pd.DataFrame(rows, index=index, columns=list(ERRORS))


def mean_absolute(
    bias: np.ndarray, deviation: np.ndarray, above: np.ndarray | float = -math.inf
) -> np.ndarray:
    """Predict E|error| of a normal error, counted only where it lies above a bound.

    >>> mean_absolute(np.array([0.0, 3.0]), np.array([1.0, 0.1])).round(3)
    array([0.798, 3.   ])
    """
    from scipy.special import ndtr  # not at the top: it takes 0.1 s to load

    def beyond(z: np.ndarray) -> np.ndarray:
        """Compute E(bias + deviation·Z) where Z > z."""
        density = np.exp(-(z**2) / 2) / math.sqrt(2 * math.pi)
        return bias * ndtr(-z) + deviation * density

    with np.errstate(divide="ignore", invalid="ignore"):
        zero, bound = -bias / deviation, (above - bias) / deviation
    # Where it is positive, and minus where it is negative and yet above the bound.
    positive = beyond(np.maximum(zero, bound))
    return positive - np.where(bound < zero, beyond(bound) - beyond(zero), 0)


def records_needed(
    dataset: Dataset,
    mechanism: str | Mechanism,
    min_support: float,
    length: int,
    error: float,
    gamma: float = GAMMA,
) -> float:
    """Compute the records that bring a length's predicted mean error down to `error` percent.

    The error is that over all truly frequent itemsets of the length; it falls as 1/√N, or, where
    there is a model, down to the model's own error.

    Parameters
    ----------
    dataset
        Data like those to be collected.
    mechanism
        A mechanism, or the label of a scheme that is made for `gamma`.
    min_support
        The least share of the records, above 0.
    length
        The number of items of the itemsets.
    error
        The mean relative error to reach, in percent.
    gamma
        The amplification to attain, if `mechanism` is a label.

    Returns
    -------
    float
        The number of records, infinite where the error never gets there.

    Raises
    ------
    ValueError
        If no itemset of this length is frequent, so that there is no error.

    Examples
    --------
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
    mechanism = make_scheme(mechanism, dataset.schema, gamma)
    if not mechanism.model:
        return len(dataset) * (now / error) ** 2
    share = dataset.supports.array
    here = (lengths(dataset.schema.sizes) == length) & (share >= min_support)
    bias = (mechanism.limit(dataset.supports).array - share)[here]
    deviation = mechanism.standard_deviation(dataset.supports, 1).array[here]

    def excess(log_n: float) -> float:
        errors = mean_absolute(bias, deviation / math.exp(log_n / 2)) / share[here]
        return float(errors.mean()) - error / 100

    if excess(0.0) <= 0 or excess(MANY) >= 0:
        return 1.0 if excess(0.0) <= 0 else math.inf
    from scipy.optimize import brentq  # not at the top: it takes 0.2 s to load

    return math.exp(brentq(excess, 0.0, MANY))
