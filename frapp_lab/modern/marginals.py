"""SMP, PAIR and TRIPLE, whose clients tell of one, two or three attributes, drawn at random.

The tables that are told are made consistent, and of all joint distributions that have them the one
of the largest entropy is taken (iterative proportional fitting). This *model* says that attributes
depend on each other in no other way than the tables show; where they do, the estimate is biased.
"""

from __future__ import annotations

import functools
import itertools
import math
from collections.abc import Callable, Iterable, Sequence

import numpy as np

from frapp_lab.data.cube import Cube, all_marginals, uniform_supports
from frapp_lab.mechanisms.lies import USUAL, Liars
from frapp_lab.mechanisms.mechanism import MAX_ENTRIES
from frapp_lab.mechanisms.registry import scheme
from frapp_lab.modern.best_shares import best_shares
from frapp_lab.modern.fit_tables import clipped, consistent, largest_entropy, table_rows
from frapp_lab.modern.marginal_reports import MarginalReports

ROUNDS = 3
"""Number of times that tables are made consistent and freed of negative entries in turn."""

CHOICES = 24
"""Number of the reports, best by themselves, that liars mix."""

BEGIN = 4
"""Number of single reports at which the search for the best mixture begins."""

AT_ONCE = 64
"""Largest number of surveys that are estimated at a time."""


class MarginalMechanism(MarginalReports):
    """Tell of `k` attributes, and fit a model to the tables that all clients tell."""

    def craft(self, codes: np.ndarray, n_reports: int, liars: Liars = USUAL) -> np.ndarray:
        """Search the tables, their cells and the shares among them that lift the itemset most.

        The search is good and not perfect: what it finds is a strategy, not a bound.
        """
        codes = np.asarray(codes)
        lies = np.concatenate([self._reports_of(table) for table in self.told])
        lift = self._lift(codes, liars)
        # Lies that lift it by themselves, and those that tell of nothing but the itemset, which
        # may help each other; the search begins at each of the best, at all of these, and at all
        # that tell of the whole itemset.
        alone = lift(np.eye(len(lies)))
        inside = ((lies == codes) | (lies == self.schema.sizes)).all(axis=1)
        around = ((lies == codes) | (codes < 0)).all(axis=1)
        chosen = np.union1d(np.argsort(-alone)[:CHOICES], np.flatnonzero(inside))

        def value(shares: np.ndarray) -> np.ndarray:
            among_all = np.zeros((len(lies), shares.shape[1]))
            among_all[chosen] = shares
            return lift(among_all)

        best = np.argsort(-alone)[:BEGIN, None] == chosen
        starts = [
            start / start.sum() for start in (*best, inside[chosen], around[chosen]) if start.any()
        ]
        tables = np.repeat(np.arange(len(self.told)), self.table_cells)
        shares = best_shares(value, np.array(starts).T, tables[chosen])
        ends = np.rint(shares.cumsum() * n_reports)
        return lies[chosen[np.searchsorted(ends, np.arange(n_reports), side="right")]]

    def _reports_of(self, table: tuple[int, ...]) -> np.ndarray:
        """List the reports that tell of a table, in the order of its cells."""
        shape = [self.schema.sizes[j] for j in table]
        reports = np.tile(np.array(self.schema.sizes), (math.prod(shape), 1))
        reports[:, table] = np.indices(shape).reshape(len(table), -1).T
        return reports

    def _lift(self, codes: np.ndarray, liars: Liars) -> Callable[[np.ndarray], np.ndarray]:
        """Make a function that says how much an estimate rises, for columns of shares of lies."""
        supports = liars.supports or Cube(
            self.schema, lambda p: uniform_supports(tuple(self.schema.sizes[j] for j in p))
        )
        honest = []
        for table, stay, n in zip(self.told, self.stay, self.table_cells, strict=True):
            true = supports[[self.schema.names[j] for j in table]]
            honest.append(((1 - stay) / n + stay * true)[..., None] / len(self.told))
        every = tuple(range(self.schema.n_attributes))
        itemset = tuple(slice(None) if code < 0 else code for code in codes)

        def estimate(told: Sequence[np.ndarray]) -> np.ndarray:
            fitted = self._fit(self._tables(told), every)[itemset]
            return fitted.reshape(-1, fitted.shape[-1]).sum(axis=0)

        without = estimate(honest)

        def lift(shares: np.ndarray) -> np.ndarray:
            found = []
            for part in np.array_split(shares, 1 + shares.shape[1] // AT_ONCE, axis=1):
                lies = np.split(part, self.table_cells.cumsum()[:-1])
                told = [
                    (1 - liars.share) * true + liars.share * lie.reshape(*true.shape[:-1], -1)
                    for true, lie in zip(honest, lies, strict=True)
                ]
                found.append(estimate(told) - without)
            return np.concatenate(found)

        return lift

    # --- the miner ---

    def _reconstruct(self, reported: Cube, n_records: int) -> Cube:
        tables = functools.cache(lambda: self._tables(self._told_cells(reported)))
        return Cube(self.schema, lambda positions: self._joint(tables(), positions), self._guard)

    def _estimate(self, shares: Cube, positions: tuple[int, ...]) -> np.ndarray:
        return self._joint(self._tables(self._told_cells(shares)), positions)

    def _told_cells(self, reported: Cube) -> list[np.ndarray]:
        """Read off how many reports tell each cell of each table."""
        names = [[self.schema.names[j] for j in table] for table in self.told]
        return [np.asarray(reported[n], dtype=float)[(slice(-1),) * len(n)] for n in names]

    def _tables(self, told: Sequence[np.ndarray]) -> list[np.ndarray]:
        """Estimate all tables from how often their cells are told, and make them consistent.

        Few entries are negative then. Further axes at the end are carried along, here and below:
        other surveys with the same tables.
        """
        tables = []
        for reports, stay, n, table in zip(
            told, self.stay, self.table_cells, self.told, strict=True
        ):
            total = reports.sum(axis=tuple(range(len(table))))
            # A table that nobody told of is taken to be uniform.
            share = np.where(total > 0, reports, 1 / n) / np.where(total > 0, total, 1)
            tables.append((share - (1 - stay) / n) / stay)
        for _ in range(ROUNDS):
            made = zip(self._consistent(tables), self.told, strict=True)
            tables = [clipped(one, len(table)) for one, table in made]
        return self._consistent(tables)

    def _consistent(self, tables: Sequence[np.ndarray]) -> list[np.ndarray]:
        """Make the tables equal in what they share; the less noise, the more a table weighs."""
        # The sum over many noisy cells is noisy: noise per cell counts, and cells to be summed.
        x = (1 - self.stay) / self.table_cells
        weights = self.stay**2 / (x * (1 - x) * self.table_cells)
        return consistent(tables, self.told, weights.tolist(), self.schema.sizes)

    def _joint(self, tables: Sequence[np.ndarray], positions: tuple[int, ...]) -> np.ndarray:
        """Fit these attributes, like `all_marginals`.

        Where the whole cube is small these are all attributes, else just those that are asked for.
        """
        return all_marginals(self._fit(tables, positions))

    def _fit(self, tables: Sequence[np.ndarray], positions: tuple[int, ...]) -> np.ndarray:
        """Fit the joint distribution of the largest entropy that these attributes' tables have."""
        parts = self._within(tables, positions)
        margins = [([positions.index(j) for j in subset], table) for subset, table in parts]
        return largest_entropy(margins, [self.schema.sizes[j] for j in positions])

    def _within(
        self, tables: Sequence[np.ndarray], positions: tuple[int, ...]
    ) -> Iterable[tuple[tuple[int, ...], np.ndarray]]:
        """Give the tables, or margins of them, that speak of these attributes alone."""
        known = dict(zip(self.told, tables, strict=True))
        for subset in itertools.combinations(sorted(positions), min(self.k, len(positions))):
            table = next((t for t in self.told if set(subset) <= set(t)), None)
            if table is None:
                names = ", ".join(self.schema.names[j] for j in subset)
                raise ValueError(
                    f"no table of {self.label} tells of {names} together: `told` must hold every "
                    f"{self.k} attributes that are asked for, because nothing is known of others"
                )
            axes = tuple(a for a, j in enumerate(table) if j not in subset)
            yield subset, known[table].sum(axis=axes)

    def limit(self, supports: Cube) -> Cube:
        """Fit the true tables: the fit differs from the truth where the model does."""

        def build(positions: tuple[int, ...]) -> np.ndarray:
            tables = [
                np.asarray(supports[[self.schema.names[j] for j in table]], dtype=float)
                for table in self.told
            ]
            return self._joint(tables, positions)

        return Cube(self.schema, build, self._guard)

    def _deviation(self, supports: Cube, positions: tuple[int, ...]) -> np.ndarray:
        """Apply the delta method: how the fit moves with each reported share, times its noise.

        Clipping is left out, so that this is too much where there are few records.
        """
        n_raw, sizes = int(self.table_cells.sum()), [self.schema.sizes[j] for j in positions]
        if n_raw * max(n_raw, math.prod(sizes)) > 4 * MAX_ENTRIES:
            raise ValueError(
                f"the tables of {self.label} have {n_raw:,} cells here and the attributes asked "
                f"for {math.prod(sizes):,}: the deviation needs a matrix larger than the limit; "
                "use fewer or smaller attributes"
            )
        # C: from the raw tables, side by side, to the consistent ones of these attributes.
        ends = self.table_cells.cumsum()
        raw = [
            np.eye(n_raw)[end - n : end].reshape(*(self.schema.sizes[j] for j in table), n_raw)
            for table, n, end in zip(self.told, self.table_cells, ends, strict=True)
        ]
        parts = list(self._within(self._consistent(raw), positions))
        consistent = np.concatenate([part.reshape(-1, n_raw) for _, part in parts])
        # The fit p stays of the form exp(Tᵀλ) with tables t = Tp, so that it follows them by
        # dp = D Tᵀ (T D Tᵀ)⁻¹ dt with D = diag(p). With Q = (T D Tᵀ)^−½ T this is D Qᵀ (…)^−½ dt.
        fitted = self.limit(supports).build(positions)[(slice(-1),) * len(positions)].ravel()
        rows = table_rows([[positions.index(j) for j in subset] for subset, _ in parts], sizes)
        values, vectors = np.linalg.eigh((rows * fitted) @ rows.T)
        known = values > 1e-10 * values[-1]
        root = vectors[:, known] / np.sqrt(values[known])
        q, moves = root.T @ rows, root.T @ consistent
        # The covariance of (…)^−½ dt: each table's reports are multinomial, and about N/(number of
        # tables) of them; but the records are given and not drawn, which takes a little off.
        covariance = np.zeros((len(q), len(q)))
        for table, stay, n, end in zip(self.told, self.stay, self.table_cells, ends, strict=True):
            true = np.ravel(supports[[self.schema.names[j] for j in table]])
            share, slope = (1 - stay) / n + stay * true, moves[:, end - n : end]
            mean = slope @ share
            spread = (slope * share) @ slope.T - np.outer(mean, mean)
            covariance += spread * (len(self.told) / stay**2)
        given = supports.build(positions)[(slice(-1),) * len(positions)].ravel()
        mean = q @ given
        covariance -= (q * given) @ q.T - np.outer(mean, mean)
        lift = all_marginals((q * fitted).reshape(-1, *sizes))[:-1].reshape(len(q), -1)
        variance = ((covariance @ lift) * lift).sum(axis=0).reshape([s + 1 for s in sizes])
        variance[(-1,) * variance.ndim] = 0
        return np.sqrt(np.maximum(variance, 0))


@scheme("SMP", order=15, modern=True)
class OneAttribute(MarginalMechanism):
    """Tell of one attribute; longer itemsets are products: SMP.

    >>> from frapp_lab import Schema
    >>> m = OneAttribute(Schema.of_sizes(4, 5, 5, 5, 2, 2), 19)
    >>> len(m.told), round(m.condition_number(1), 2), m.condition_number(2)
    (6, 1.28, inf)
    """

    k = 1
    model = "attributes are independent"


@scheme("PAIR", order=16, modern=True)
class OnePair(MarginalMechanism):
    """Tell of one pair of attributes; longer itemsets are fitted to all pairs: PAIR.

    >>> from frapp_lab import Schema
    >>> m = OnePair(Schema.of_sizes(4, 5, 5, 5, 2, 2), 19)
    >>> len(m.told), round(m.bits_per_report, 1)
    (15, 7.7)
    """

    k = 2
    model = "attributes depend on each other in pairs, and in no other way"


@scheme("TRIPLE", order=17, modern=True)
class OneTriple(MarginalMechanism):
    """Tell of three attributes; longer itemsets are fitted to all triples: TRIPLE.

    >>> from frapp_lab import Schema
    >>> m = OneTriple(Schema.of_sizes(4, 5, 5, 5, 2, 2), 19)
    >>> len(m.told), round(m.bits_per_report, 1)
    (20, 10.0)
    """

    k = 3
    model = "attributes depend on each other in threes, and in no other way"
