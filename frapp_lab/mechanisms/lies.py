"""Liars in a survey, and a search for the shares in which they send their reports."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from frapp_lab.cube import Cube

STEPS = (1 / 2, 1 / 4, 1 / 10, 1 / 20, 1 / 40)
"""The parts of all reports that are tried elsewhere, one after the other."""

WORTHWHILE = 1e-4
"""A move is made if the value rises by more than this part of it."""


@dataclass(frozen=True)
class Liars:
    """People who send reports of their choice, so that the estimate of one itemset rises."""

    share: float = 0.01
    """Their share of all reports."""
    supports: Cube | None = None
    """The true supports, where liars know them; without them they take all records as equal."""
    unnoticed: bool = False
    """Whether a lie must have as many ones as an honest report has on average."""


USUAL = Liars()
"""One report in a hundred is a lie, by people who know nothing of the data."""


def best_shares(value: Callable[[np.ndarray], np.ndarray], starts: np.ndarray) -> np.ndarray:
    """Search for the shares, which add up to 1, at which a function is largest.

    `value` takes an array whose columns are shares and gives a number for each column. From every
    column of `starts` a part of the whole moves to one place, or away from one, as long as that
    helps; then a smaller part. The best end is given, which may be a local maximum only.

    >>> target = np.array([[0.3], [0.7], [0]])
    >>> best_shares(lambda shares: -(abs(shares - target)).sum(axis=0), np.eye(3)).round(2) + 0.0
    array([0.3, 0.7, 0. ])
    """
    ends = [_climb(value, start) for start in starts.T]
    return max(ends, key=lambda end: value(end[:, None])[0])


def _climb(value: Callable[[np.ndarray], np.ndarray], shares: np.ndarray) -> np.ndarray:
    """Make the best move of all, again and again, until none is worthwhile."""
    (found,), places = value(shares[:, None]), np.eye(len(shares))
    for step in STEPS:
        while True:
            less = shares - np.diag(np.minimum(shares, step))  # a row for each place
            less = less[(shares > 0) & (shares < 1)]
            away = less / less.sum(axis=1, keepdims=True)
            moves = np.concatenate([(1 - step) * shares + step * places, away]).T
            values = value(moves)
            if values.max() <= found + WORTHWHILE * abs(found):
                break
            shares, found = moves[:, values.argmax()], values.max()
    return shares
