"""What a report gives away under any perturbation matrix: its amplification and posteriors."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike

from frapp_lab._base.checks import as_array, check_array, check_matrix


def amplification(matrix: ArrayLike) -> float:
    """Find the γ that a perturbation matrix attains: the largest ratio in one row (FRAPP Eq. 2).

    Parameters
    ----------
    matrix
        A[v, u], the probability that record u is reported as v.

    Returns
    -------
    float
        γ, infinite where some report rules a record out.

    Examples
    --------
    >>> amplification([[0.75, 0.25], [0.25, 0.75]])
    3.0
    """
    a = check_matrix(matrix)
    high, low = a.max(axis=1), a.min(axis=1)
    sent = high > 0  # a row of zeros is a report that nobody sends
    with np.errstate(divide="ignore"):
        return float((high[sent] / low[sent]).max())


def posterior(matrix: ArrayLike, prior: ArrayLike, holds: ArrayLike) -> np.ndarray:
    """Give P(Q | report) for every report of a matrix; `holds` says which records have Q (§4.1).

    Parameters
    ----------
    matrix
        A[v, u], the probability that record u is reported as v.
    prior
        The probability of each record before any report.
    holds
        Whether Q is true of each record.

    Returns
    -------
    ndarray
        The posterior after each report; NaN for a report that cannot occur.

    Examples
    --------
    >>> posterior([[0.75, 0.25], [0.25, 0.75]], [0.1, 0.9], [True, False])
    array([0.25      , 0.03571429])
    """
    a = check_matrix(matrix)
    prior, holds = check_array("prior", prior), as_array("holds", holds)
    for name, vector in (("prior", prior), ("holds", holds)):
        if vector.shape != a.shape[1:]:
            raise ValueError(
                f"{name} has shape {vector.shape}: it needs one entry for each of the "
                f"{a.shape[1]} records, the matrix's columns"
            )
    if holds.dtype.kind not in "biuf" or not np.isin(holds, (0, 1)).all():
        raise ValueError(
            f"holds is {holds.tolist()}: each entry must be True or False, because it says whether "
            "Q is true of that record"
        )
    if not (prior >= 0).all() or abs(prior.sum() - 1) > 1e-9:
        raise ValueError(
            f"prior sums to {prior.sum():g}, with least entry {prior.min():g}: it must be a "
            "distribution over the records, so nothing negative and a sum of 1"
        )
    with np.errstate(invalid="ignore"):
        return a @ (prior * holds) / (a @ prior)
