"""Audits of a client: a lower bound of its ε from its reports of two inputs."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from frapp_lab._base.checks import as_array, check_number


@dataclass(frozen=True)
class Audit:
    """Hold what reports of two inputs prove."""

    epsilon: float
    """The lower bound of the client's ε, which holds with this confidence."""
    confidence: float
    event: tuple
    """The reports that tell the inputs apart best."""
    shares: tuple[float, float]
    """The event's share of the reports of the input it speaks for, and of the other input."""

    @property
    def gamma(self) -> float:
        """Give the γ that an audit proves of a client, e^ε."""
        return math.exp(self.epsilon)

    def breaks(self, gamma: float) -> bool:
        """Say whether the audit refutes a client's claim of this γ."""
        return self.gamma > gamma


def epsilon_lower_bound(first: ArrayLike, second: ArrayLike, confidence: float = 0.95) -> Audit:
    """Audit a client: bound its ε from below, by its reports of two inputs, with this confidence.

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
        np.array([np.bincount(part[half::2], minlength=len(labels)) for part in parts])
        for half in (0, 1)
    )
    bound, event, shares = bound_counts(chosen, measured, confidence)
    first_share, second_share = shares.tolist()
    return Audit(
        float(bound), confidence, tuple(labels[event].tolist()), (first_share, second_share)
    )


def bound_counts(
    chosen: np.ndarray, measured: np.ndarray, confidence: float
) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Find an audit's bound of ε from counts: how often each report came from either input.

    The last two axes are the inputs and the reports, those before are audits of their own. Gives
    the bounds, the events that were chosen, and how often they came in what was measured, from the
    input they speak for and from the other.

    >>> bound, event, shares = bound_counts(np.array([[75, 25], [25, 75]]),
    ...                                     np.array([[70, 30], [30, 70]]), 0.95)
    >>> round(float(bound), 2), event.tolist(), shares.tolist()
    (0.41, [True, False], [0.7, 0.3])
    """
    level = (1 - confidence) / 2
    best: list[np.ndarray] = []
    events: list[np.ndarray] = []
    for turn in (1, -1):
        a, b = np.moveaxis(chosen[..., ::turn, :], -2, 0)
        # By the theory of tests the best events are those with the largest ratios.
        order = np.argsort(-(a + 0.5) / (b + 0.5), axis=-1, kind="stable")
        ranked = [np.take_along_axis(c, order, -1).cumsum(axis=-1) for c in (a, b)]
        totals = [c.sum(axis=-1, keepdims=True) for c in (a, b)]
        bounds = _log_ratio(ranked[0], totals[0], ranked[1], totals[1], level)
        rank = np.argsort(order, axis=-1, kind="stable")
        best.append(bounds.max(axis=-1))
        events.append(rank <= bounds.argmax(axis=-1)[..., None])
    swapped = (best[1] > best[0])[..., None]
    event = np.where(swapped, events[1], events[0])
    held = (measured * event[..., None, :]).sum(axis=-1)
    total = measured.sum(axis=-1)
    held, total = (np.where(swapped, c[..., ::-1], c) for c in (held, total))
    bound = _log_ratio(held[..., 0], total[..., 0], held[..., 1], total[..., 1], level)
    return np.maximum(bound, 0.0), event, held / total


def _log_ratio(
    k: ArrayLike, n: ArrayLike, other: ArrayLike, m: ArrayLike, level: float
) -> np.ndarray:
    """Bound an audit's ln(chance / other chance) from below; each chance is off with this level."""
    from scipy.special import betaincinv  # not at the top: it takes 0.1 s to load

    k, other, m = (np.asarray(a, dtype=float) for a in (k, other, m))
    low = np.where(k > 0, betaincinv(np.maximum(k, 1), n - np.maximum(k, 1) + 1, level), 0)
    high = np.where(other < m, betaincinv(other + 1, np.maximum(m - other, 1e-9), 1 - level), 1.0)
    with np.errstate(divide="ignore"):
        return np.log(low) - np.log(high)
