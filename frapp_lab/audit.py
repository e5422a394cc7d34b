"""Does a client keep its promise? A lower bound of ε from reports of two inputs."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from frapp_lab.checks import as_array, check_number


@dataclass(frozen=True)
class Audit:
    """What reports of two inputs prove."""

    epsilon: float
    """With this confidence the client's ε is at least this."""
    confidence: float
    event: tuple
    """The reports that tell the inputs apart best."""
    shares: tuple[float, float]
    """How often they came, from the input they speak for and from the other."""

    @property
    def gamma(self) -> float:
        """e^ε: the γ that is proved."""
        return math.exp(self.epsilon)

    def breaks(self, gamma: float) -> bool:
        """Whether a claim of this γ is refuted."""
        return self.gamma > gamma


def epsilon_lower_bound(first: ArrayLike, second: ArrayLike, confidence: float = 0.95) -> Audit:
    """A lower bound of ε, from the reports of two inputs, that holds with this confidence.

    Half of the reports choose the event that tells the inputs apart best, the other half measure
    it: ε is at least the logarithm of the ratio of its chances, and Clopper–Pearson bounds these.
    Reports may be numbers or rows; of long rows give the columns that matter, or no two are alike.

    >>> rng = np.random.default_rng(0)
    >>> yes, no = rng.random(20_000) < 0.75, rng.random(20_000) < 0.25
    >>> audit = epsilon_lower_bound(yes, no)  # randomised response with γ = 3
    >>> round(audit.gamma, 1), audit.breaks(3), audit.breaks(2.5)
    (2.9, False, True)
    """
    confidence = check_number("confidence", confidence)
    one, two = as_array("first", first), as_array("second", second)
    if one.shape[1:] != two.shape[1:] or min(len(one), len(two)) < 2:
        raise ValueError(
            f"first has shape {one.shape} and second has shape {two.shape}: both need two reports "
            "or more, of the same form, because half of them choose what the others measure"
        )
    labels, which = np.unique(np.concatenate([one, two]), axis=0, return_inverse=True)
    which = which.ravel()
    parts = which[: len(one)], which[len(one) :]
    chosen, measured = (
        [np.bincount(part[half::2], minlength=len(labels)) for part in parts] for half in (0, 1)
    )
    level = (1 - confidence) / 2
    best, found, swapped = -math.inf, np.zeros(len(labels), dtype=bool), False
    for turn in (False, True):
        a, b = chosen[::-1] if turn else chosen
        # By the theory of tests the best events are those with the largest ratios.
        order = np.argsort(-(a + 0.5) / (b + 0.5), kind="stable")
        bounds = _log_ratio(a[order].cumsum(), a.sum(), b[order].cumsum(), b.sum(), level)
        if bounds.max() > best:
            best, swapped = bounds.max(), turn
            found = np.isin(np.arange(len(labels)), order[: bounds.argmax() + 1])
    a, b = measured[::-1] if swapped else measured
    bound = _log_ratio(a[found].sum(), a.sum(), b[found].sum(), b.sum(), level)
    shares = (float(a[found].sum() / a.sum()), float(b[found].sum() / b.sum()))
    return Audit(max(0.0, float(bound)), confidence, tuple(labels[found].tolist()), shares)


def _log_ratio(k: ArrayLike, n: int, other: ArrayLike, m: int, level: float) -> np.ndarray:
    """ln of the least first chance over the greatest second one, each wrong with this chance."""
    from scipy.special import betaincinv  # not at the top: it takes 0.1 s to load

    k, other = np.asarray(k, dtype=float), np.asarray(other, dtype=float)
    low = np.where(k > 0, betaincinv(np.maximum(k, 1), n - np.maximum(k, 1) + 1, level), 0)
    high = np.where(other < m, betaincinv(other + 1, np.maximum(m - other, 1e-9), 1 - level), 1.0)
    with np.errstate(divide="ignore"):
        return np.log(low) - np.log(high)
