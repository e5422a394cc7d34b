"""The noise of a few supports that SMP, PAIR or TRIPLE fit, quickly for one γ after the other.

It is the delta method of `MarginalMechanism`, in other coordinates. A table of some
attributes is told by its *effects*: the means of contrasts, functions that are products over
attributes and have the mean 0 along each. Tables that share an effect average it, and the fit
follows the effects in a way that has nothing to do with γ: that part is worked out once.
"""

from __future__ import annotations

import itertools
import math

import numpy as np

from frapp_lab.data.cube import Cube
from frapp_lab.modern.marginals import MarginalMechanism

SMALLEST = 1e-12
"""Share of the largest spread that is added to all, so that hardly spread directions hold still."""


class Response:
    """Work out how the fitted supports of some itemsets follow what is told, once for every γ.

    `wanted` says of which itemsets, as an array of truth values like `supports.array`.

    >>> from frapp_lab import load_census, make_scheme
    >>> census = load_census()
    >>> pair = make_scheme("PAIR", census.schema, 19)
    >>> wanted = census.supports.array > 0.5
    >>> quick = Response(pair, census.supports, wanted).deviation(pair)
    >>> slow = pair.standard_deviation(census.supports, 1).array[wanted]
    >>> bool(abs(quick - slow).max() < 1e-4)
    True
    """

    def __init__(self, mechanism: MarginalMechanism, supports: Cube, wanted: np.ndarray) -> None:
        schema, self._tables = mechanism.schema, list(mechanism.told)
        every = (slice(-1),) * schema.n_attributes
        given = np.asarray(supports.array, dtype=float)[every].ravel()
        fit = mechanism.limit(supports).array
        fitted = fit[every].ravel()
        self.bias = (fit - supports.array)[wanted]
        """The error of the fit that no number of records takes away."""
        sizes = schema.sizes
        records = schema.decode(np.arange(schema.n_cells))
        subsets = sorted({s for table in self._tables for s in _subsets(table)})
        parts = [_contrasts(records[:, s], [sizes[j] for j in s]) for s in subsets]
        ends = np.cumsum([len(part) for part in parts])
        self._places = {
            s: slice(e - len(p), e) for s, p, e in zip(subsets, parts, ends, strict=True)
        }
        features = np.concatenate(parts)
        # The fit p stays of the form exp(λ·features), so that it follows their means θ by
        # dp = D Fᵀ G⁻¹ dθ, with D = diag(p) and G the features' covariance under p.
        weighted = features * fitted
        mean = weighted.sum(axis=1)
        covariance = weighted @ features.T - np.outer(mean, mean)
        covariance += SMALLEST * covariance.max() * np.eye(len(covariance))
        held = holds(np.argwhere(wanted), records, sizes).astype(float)
        moved = weighted @ held.T - np.outer(mean, fit[wanted])
        self._slopes = np.linalg.solve(covariance, moved).T
        """The slope of each support along each mean."""
        self._told = [np.ravel(supports[[schema.names[j] for j in t]]) for t in self._tables]
        self._effects = [
            [features[self._places[s]][:, _first(records, t)] for s in _subsets(t)]
            for t in self._tables
        ]
        self._forms = [*map(self._form, self._tables, self._effects, self._told)]
        # The records are given and not drawn: this part of the spread is not by chance.
        spread = self._slopes @ features
        self._given = (spread**2) @ given - (spread @ given) ** 2

    def deviation(self, mechanism: MarginalMechanism) -> np.ndarray:
        """Compute the noise of each fitted support, √N times its standard deviation."""
        variance = -self._given
        many = zip(self._forms, self._shares(mechanism), mechanism.stay, strict=True)
        for (flat, mean, pairs), own, stay in many:
            # In place of @, which would wake other threads for so small a product.
            squares = np.einsum("e,ei->i", own**2 * (1 - stay), flat)
            i, j = np.triu_indices(len(own))
            squares += np.einsum("p,pi->i", own[i] * own[j] * stay, pairs)
            spread = squares / stay**2 - np.einsum("e,ei->i", own, mean) ** 2
            variance = variance + len(self._tables) * spread
        return np.sqrt(np.maximum(variance, 0))

    def _form(
        self, table: tuple[int, ...], effects: list[np.ndarray], told: np.ndarray
    ) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """Work out what a table's effects are worth in the fit, by effect and itemset.

        That is the mean square over uniform reports, in which effects do not mix; the mean over
        true ones; and, for each pair of effects, the mean product over true ones.
        """
        worth = np.stack(
            [
                self._slopes[:, self._places[s]] @ e
                for s, e in zip(_subsets(table), effects, strict=True)
            ],
            axis=1,
        )
        pairs = (worth * told) @ worth.swapaxes(1, 2)
        i, j = np.triu_indices(len(effects))
        both_ways = np.where(i == j, 1, 2)[:, None]
        return (worth**2).mean(axis=2).T, (worth @ told).T, pairs[:, i, j].T * both_ways

    def gain(self, mechanism: MarginalMechanism, which: int) -> float:
        """Compute how much one itemset's fitted support rises with each liar, per client.

        The liars are few: so all of them send the report that lifts it the most.
        """
        lifts, slope = [], self._slopes[which]
        for i, own in enumerate(self._shares(mechanism)):
            subsets = zip(own, _subsets(self._tables[i]), self._effects[i], strict=True)
            worth = sum(share * slope[self._places[s]] @ effect for share, s, effect in subsets)
            stay = mechanism.stay[i]
            # What honest reports are worth on average; uniform ones are worth nothing.
            lifts.append((worth.max() - stay * (worth @ self._told[i])) / stay)
        return float(max(lifts)) * len(self._tables)

    def _shares(self, mechanism: MarginalMechanism) -> list[np.ndarray]:
        """Give, for each table, its share in the fit of each of its effects."""
        stay = mechanism.stay
        cells = np.array([len(told) for told in self._told])
        noise = (1 - stay) / cells
        # Tables that share an effect average it, with the weights of `MarginalMechanism`.
        weights = stay**2 / (noise * (1 - noise) * cells)
        total: dict[tuple[int, ...], float] = {}
        for weight, table in zip(weights, self._tables, strict=True):
            for subset in _subsets(table):
                total[subset] = total.get(subset, 0.0) + weight
        return [
            weight / np.array([total[s] for s in _subsets(table)])
            for weight, table in zip(weights, self._tables, strict=True)
        ]


def _subsets(table: tuple[int, ...]) -> list[tuple[int, ...]]:
    """List all subsets of a table's attributes but the empty one: they carry a fit's noise."""
    return [s for j in range(1, len(table) + 1) for s in itertools.combinations(table, j)]


def _contrasts(records: np.ndarray, sizes: list[int]) -> np.ndarray:
    """Build the contrasts that carry the noise of the fit, a row each: products over attributes."""
    rows = np.ones((1, len(records)))
    for column, size in zip(records.T, sizes, strict=True):
        one = (np.eye(size) - 1 / size)[:-1, column]  # the last follows from the others
        rows = (rows[:, None] * one).reshape(-1, len(records))
    return rows


def holds(itemsets: np.ndarray, records: np.ndarray, sizes: tuple[int, ...]) -> np.ndarray:
    """Mark, for the noise of supports, which cells each itemset holds; the last place is "any"."""
    held = np.ones((len(itemsets), len(records)), dtype=bool)
    for item, column, size in zip(itemsets.T, records.T, sizes, strict=True):
        held &= (item[:, None] == column) | (item[:, None] == size)
    return held


def _first(records: np.ndarray, table: tuple[int, ...]) -> np.ndarray:
    """Find, for the noise of the fit, one record of each cell of a table, in the table's order."""
    shape = [int(records[:, j].max()) + 1 for j in table]
    number = np.ravel_multi_index(tuple(records[:, j] for j in table), shape)
    first = np.zeros(math.prod(shape), dtype=np.int64)
    first[number[::-1]] = np.arange(len(records))[::-1]
    return first
