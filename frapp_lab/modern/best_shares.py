"""The search for the shares in which liars send their reports."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

STEPS = (1 / 2, 1 / 4, 1 / 10, 1 / 20, 1 / 40)
"""Shares of all reports that are moved in the search, one after the other."""

GO_ON = 2
"""Number of best ends from which the search goes on with a smaller part."""

WORTHWHILE = 1e-4
"""Relative rise of the value above which a move is made."""


def best_shares(
    value: Callable[[np.ndarray], np.ndarray], starts: np.ndarray, groups: np.ndarray
) -> np.ndarray:
    """Search for the shares, which add up to 1, at which a function is largest.

    `value` takes an array whose columns are shares and gives a number for each column. From every
    column of `starts` a part of the whole moves to one place, away from one, or from one to
    another of its group, as long as that helps; then, from the best ends, a smaller part. It may
    end at a local maximum.

    >>> target = np.array([[0.3], [0.7], [0]])
    >>> miss = lambda shares: -(abs(shares - target)).sum(axis=0)
    >>> best_shares(miss, np.eye(3), np.zeros(3)).round(2) + 0.0
    array([0.3, 0.7, 0. ])
    """
    places = np.eye(len(starts))
    beside = (groups[:, None] == groups) & (places == 0)

    def climb(shares: np.ndarray, found: float, step: float) -> tuple[np.ndarray, float]:
        """Make the best move of all, again and again, until none is worthwhile."""
        while True:
            part = np.minimum(shares, step)
            less = (shares - np.diag(part))[(shares > 0) & (shares < 1)]  # a row for each place
            away = less / less.sum(axis=1, keepdims=True)
            one, other = np.nonzero(beside & (shares > 0)[:, None])
            swapped = shares + part[one, None] * (places[other] - places[one])
            moves = np.concatenate([(1 - step) * shares + step * places, away, swapped]).T
            values = value(moves)
            if values.max() <= found + WORTHWHILE * abs(found):
                return shares, found
            shares, found = moves[:, values.argmax()], values.max()

    ends = list(zip(starts.T, value(starts), strict=True))
    for step in STEPS:
        ends = sorted((climb(*end, step) for end in ends), key=lambda end: -end[1])[:GO_ON]
    return ends[0][0]
