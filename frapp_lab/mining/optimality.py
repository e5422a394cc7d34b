"""The paper's bound on condition numbers, and matrices that beat it (FRAPP §3)."""

from __future__ import annotations

import itertools
import math

import numpy as np

from frapp_lab._base.checks import check_domain_size, check_gamma, check_integer
from frapp_lab.mechanisms.mechanism import MAX_ENTRIES


def condition_lower_bound(gamma: float, domain_size: int) -> float:
    """Compute (γ + n − 1)/(γ − 1), the least of symmetric *positive definite* matrices (§3).

    >>> round(condition_lower_bound(19, 2000), 4)
    112.1111
    """
    return (check_gamma(gamma) + check_domain_size(domain_size) - 1) / (gamma - 1)


def fano_matrix() -> np.ndarray:
    """Build a symmetric 7×7 matrix with γ = 2 and condition number 5√2 < 8: it beats the bound.

    It is (J + N)/10, where N says which of the Fano plane's 7 points lie on which of its 7 lines.

    >>> from frapp_lab import MatrixMechanism, Schema
    >>> fano = MatrixMechanism(Schema.of_sizes(7), fano_matrix())
    >>> round(fano.condition_number(1), 4), condition_lower_bound(2, 7)
    (7.0711, 8.0)
    """
    # {1, 2, 4} is a perfect difference set mod 7; adding indices makes the incidence symmetric.
    i = np.arange(7)
    incidence = np.isin((i[:, None] + i) % 7, (1, 2, 4))
    return (1 + incidence) / 10


def subset_selection_matrix(domain_size: int, subset_size: int, gamma: float) -> np.ndarray:
    """Build subset selection's matrix, which can beat the bound: a report is a subset of d cells.

    Subsets with the true cell are γ times as likely. A C(n, d) × n matrix, for small domains (Wang
    et al. 2016; Ye & Barg 2018).

    >>> subset_selection_matrix(4, 2, 3).shape
    (6, 4)
    """
    n, d = _subset(domain_size, subset_size)
    gamma = check_gamma(gamma)
    if math.comb(n, d) * n > MAX_ENTRIES:
        raise ValueError(
            f"there are {math.comb(n, d):,} subsets of {d} cells of {n}: their matrix is larger "
            f"than the limit of {MAX_ENTRIES:,} entries; subset_selection_condition needs none"
        )
    subsets = itertools.combinations(range(n), d)
    holds = np.array([[u in subset for u in range(n)] for subset in subsets])
    weights = np.where(holds, gamma, 1.0)
    return weights / weights.sum(axis=0)


def subset_selection_condition(domain_size: int, subset_size: int, gamma: float) -> float:
    """Compute the condition number of subset selection, which can be below the paper's bound.

    >>> round(subset_selection_condition(2000, 100, 19), 2)
    21.65
    """
    n, d = _subset(domain_size, subset_size)
    g = check_gamma(gamma) - 1
    # AᵀA is a·I + b·J up to a factor. In units of r = C(n−1, d−1): C(n, d) = n/d subsets in all,
    # and `both` of them hold two given cells.
    both = (d - 1) / (n - 1)
    smallest = g**2 * (1 - both)
    largest = smallest + n * (n / d + 2 * g + g**2 * both)
    return math.sqrt(largest / smallest)


def subset_selection_deviation(domain_size: int, subset_size: int, gamma: float) -> float:
    """Measure how optimal a subset size is: √N times the deviation of an empty cell's estimate.

    >>> diagonal = subset_selection_deviation(2000, 1, 19)
    >>> round(diagonal / subset_selection_deviation(2000, 100, 19), 2)
    5.17
    """
    n, d = _subset(domain_size, subset_size)
    gamma = check_gamma(gamma)
    total = gamma * d + n - d
    own = gamma * d / total  # P(report holds the true cell)
    other = (gamma * d * (d - 1) + (n - d) * d) / (n - 1) / total  # P(it holds another given one)
    return math.sqrt(other * (1 - other)) / (own - other)


def _subset(domain_size: int, subset_size: int) -> tuple[int, int]:
    n = check_domain_size(domain_size)
    why = f"a report is a proper subset of the {n:,} cells"
    return n, check_integer("subset_size", subset_size, 1, n - 1, why)
