"""Tables that are fitted to each other, and a joint distribution that is fitted to tables.

A table is an array whose first axes are some attributes, given by their positions. Further axes at
its end are carried along: they are other surveys with the same tables.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence

import numpy as np

SWEEPS = 20
"""Largest number of times that iterative proportional fitting goes through all tables."""

FLOOR = 1e-6
"""Share of every table that is spread evenly, so that no cell is ruled out for ever."""


def clipped(table: np.ndarray, n_axes: int) -> np.ndarray:
    """Clip a table for the fit: over its first axes the total is 1, and no entry is below a floor.

    >>> clipped(np.array([3.0, -1.0]), 1).round(4)
    array([1., 0.])
    """
    kept, axes = np.maximum(table, 0), tuple(range(n_axes))
    return (1 - FLOOR) * kept / kept.sum(axis=axes) + FLOOR / math.prod(table.shape[:n_axes])


def consistent(
    tables: Sequence[np.ndarray],
    told: Sequence[tuple[int, ...]],
    weights: Sequence[float],
    sizes: Sequence[int],
) -> list[np.ndarray]:
    """Fit tables to each other: a shared *effect* becomes its weighted mean over all tables.

    A table is a sum of effects, one for each subset of its attributes: what is left of its margin
    when those of smaller subsets are taken off. Tables are consistent if common effects are equal.

    >>> one, two = np.array([0.4, 0.6]), np.array([[0.3, 0.3], [0.2, 0.2]])
    >>> made = consistent([one, two], [(0,), (0, 1)], [1.0, 1.0], [2, 2])
    >>> made[0], made[1].sum(axis=1)
    (array([0.5, 0.5]), array([0.5, 0.5]))
    """

    def others(positions: tuple[int, ...], subset: tuple[int, ...]) -> int:
        """Count the cells of a fitted table that make up one of its margin over a subset."""
        return math.prod(sizes[j] for j in positions if j not in subset)

    sums: dict[tuple[int, ...], np.ndarray] = {}
    total: dict[tuple[int, ...], float] = {}
    effects = [_effects(*each) for each in zip(told, tables, strict=True)]
    for positions, table, weight, parts in zip(told, tables, weights, effects, strict=True):
        for subset, effect in parts.items():
            # Effects are compared as margins, so summed over the other attributes.
            margin = effect * others(positions, subset)
            shape = [sizes[j] for j in subset] + list(table.shape[len(positions) :])
            sums[subset] = sums.get(subset, 0) + weight * margin.reshape(shape)
            total[subset] = total.get(subset, 0) + weight
    made = []
    for positions, table, parts in zip(told, tables, effects, strict=True):
        new = np.zeros(table.shape)
        for subset, effect in parts.items():
            margin = (sums[subset] / total[subset]).reshape(effect.shape)
            new += margin / others(positions, subset)
        made.append(new)
    return made


def largest_entropy(
    tables: Iterable[tuple[Sequence[int], np.ndarray]], sizes: Sequence[int]
) -> np.ndarray:
    """Fit the joint distribution of the largest entropy that has these tables of its axes.

    >>> largest_entropy([([0], np.array([0.4, 0.6])), ([1], np.array([0.5, 0.5]))], [2, 2]).round(4)
    array([[0.2, 0.2],
           [0.3, 0.3]])
    """
    shape, here = tuple(sizes), tuple(range(len(sizes)))
    margins = [(list(axes), clipped(table, len(axes))) for axes, table in tables]
    more = margins[0][1].shape[len(margins[0][0]) :]
    fitted = np.full(shape + more, 1 / math.prod(shape))
    for _ in range(SWEEPS):  # iterative proportional fitting
        before = fitted
        for axes, wanted in margins:
            found = fitted.sum(axis=tuple(a for a in here if a not in axes), keepdims=True)
            order = [*np.argsort(axes), *range(len(axes), wanted.ndim)]
            fitted = fitted * (wanted.transpose(order).reshape(found.shape) / found)
        fitted = fitted / fitted.sum(axis=here)
        if abs(fitted - before).sum(axis=here).max() < 1e-9:
            break
    return fitted


def table_rows(tables: Iterable[Sequence[int]], sizes: Sequence[int]) -> np.ndarray:
    """Say which joint cells each cell of each table of a fit holds, a row for each.

    >>> table_rows([[0]], [2, 2])
    array([[1., 1., 0., 0.],
           [0., 0., 1., 1.]])
    """
    places = np.indices(sizes).reshape(len(sizes), -1)
    rows = []
    for axes in tables:
        shape = [sizes[a] for a in axes]
        number = np.ravel_multi_index([places[a] for a in axes], shape)
        rows.append(np.arange(math.prod(shape))[:, None] == number)
    return np.concatenate(rows).astype(float)


def _effects(positions: tuple[int, ...], table: np.ndarray) -> dict[tuple[int, ...], np.ndarray]:
    """Split a table of the fit, its first axes these attributes, into effects that sum up to it."""
    parts: dict[tuple[int, ...], np.ndarray] = {(): table}
    for axis, j in enumerate(positions):
        split = {}
        for subset, part in parts.items():
            mean = part.mean(axis=axis, keepdims=True)
            split[subset], split[(*subset, j)] = mean, part - mean
        parts = split
    return parts
