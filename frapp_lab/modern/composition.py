"""What several reports of one person give away: fresh ones add up, memoised ones do not."""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import ArrayLike

from frapp_lab._base.checks import check_domain_size, check_gamma, check_integer, check_matrix
from frapp_lab.mechanisms.mechanism import MAX_ENTRIES

WHY = "somebody must report"


def repeated_gamma(gamma: float, n_reports: int) -> float:
    """Compute γᵏ, what k fresh reports may give away together; ε = ln γ adds up.

    It is infinite where it is larger than any number of a computer, about 10³⁰⁸.

    >>> repeated_gamma(19, 2), repeated_gamma(19, 1000)
    (361.0, inf)
    """
    try:
        return check_gamma(gamma) ** check_integer("n_reports", n_reports, 1, np.inf, WHY)
    except OverflowError:
        return math.inf


def gamma_per_report(gamma: float, n_reports: int) -> float:
    """Find the γ that each of k fresh reports may have, if all of them together may have γ.

    >>> round(gamma_per_report(361, 2), 9)
    19.0
    """
    return check_gamma(gamma) ** (1 / check_integer("n_reports", n_reports, 1, np.inf, WHY))


def two_stage_gamma(permanent: float, instantaneous: float, domain_size: int) -> float:
    """Compose the γ of *one* report of a memoised answer that is perturbed anew for each report.

    Both stages are γ-diagonal, as basic RAPPOR's are for a bit: the answer is drawn once, with
    `permanent`, and kept; all reports together never give away more than that.

    >>> round(two_stage_gamma(3, 3, 2), 3)
    1.667
    """
    n = check_domain_size(domain_size)
    first, second = (check_gamma(gamma) - 1 for gamma in (permanent, instantaneous))
    # 1 + ns/(1 − s) with s = g₁g₂/((g₁ + n)(g₂ + n)) and g = γ − 1, so that 1 − s is not rounded.
    return 1 + 1 / (1 / first + 1 / second + n / first / second)


def repeated_matrix(matrix: ArrayLike, n_reports: int) -> np.ndarray:
    """Compose the matrix of k fresh reports: a row for every sequence, the first report slowest.

    >>> from frapp_lab import amplification
    >>> round(amplification(repeated_matrix([[0.75, 0.25], [0.25, 0.75]], 2)), 9)
    9.0
    """
    a = check_matrix(matrix)
    _check_room(a, n_reports)
    out = np.ones((1, a.shape[1]))
    for _ in range(n_reports):
        out = (out[:, None, :] * a).reshape(-1, a.shape[1])
    return out


def memoised_matrix(permanent: ArrayLike, instantaneous: ArrayLike, n_reports: int) -> np.ndarray:
    """Compose the matrix of k reports of one memoised answer, each perturbed once more by itself.

    With the identity as the second matrix the very same report is sent each time.

    >>> from frapp_lab import amplification
    >>> half = [[0.75, 0.25], [0.25, 0.75]]
    >>> round(amplification(memoised_matrix(half, half, 5)), 2)  # with fresh ones it is 243
    2.97
    """
    first, second = check_matrix(permanent), check_matrix(instantaneous)
    if second.shape[1] != first.shape[0]:
        raise ValueError(
            f"instantaneous has {second.shape[1]} columns and permanent has {first.shape[0]} rows: "
            "what the first matrix answers, the second perturbs"
        )
    return repeated_matrix(second, n_reports) @ first


def _check_room(matrix: np.ndarray, n_reports: int) -> None:
    check_integer("n_reports", n_reports, 1, np.inf, WHY)
    if n_reports * np.log(len(matrix)) + np.log(matrix.shape[1]) > np.log(MAX_ENTRIES):
        raise ValueError(
            f"n_reports is {n_reports}: there are {len(matrix)}^{n_reports} sequences of reports, "
            f"and their matrix is larger than the limit of {MAX_ENTRIES:,} entries"
        )
