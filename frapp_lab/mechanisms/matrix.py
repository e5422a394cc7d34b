"""The framework itself: any matrix A (FRAPP §2), for domains that can be held.

An itemset's estimated support is a mean over the reports of a weight w_v; it is unbiased if
Σ_v w_v A_vu is 1 for records u that have the itemset and 0 for the others. Such weights exist for
every itemset if A has full column rank (its inverse or pseudo-inverse), and for some even if not.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Callable
from contextlib import suppress
from functools import cached_property

import numpy as np
from numpy.typing import ArrayLike

from frapp_lab._base.checks import check_matrix
from frapp_lab.data.attribute import numbered
from frapp_lab.data.cube import Cube, all_marginals
from frapp_lab.data.schema import Schema, check_schema
from frapp_lab.mechanisms.counting import CountingMechanism
from frapp_lab.mechanisms.mechanism import MAX_ENTRIES
from frapp_lab.privacy import amplification

TOLERANCE = 1e-9
"""Largest error of an entry for matrices to count as equal."""

MAX_KEPT = 2**26
"""Number of bytes of a singular matrix's weights that are kept, because they are costly to find."""


class MatrixMechanism(CountingMechanism):
    """Perturb by any matrix: A[v, u] is the probability that record u is reported as v.

    Parameters
    ----------
    schema
        The attributes of the records.
    A
        The matrix: a column for each record, a row for each report.
    reports
        The schema of the reports; without it a square matrix reports records, and any other one
        the numbers of its rows.

    Examples
    --------
    >>> schema = Schema.of(smokes=["no", "yes"])
    >>> m = MatrixMechanism(schema, [[0.9, 0.3], [0.1, 0.7]])
    >>> round(m.amplification, 3), round(m.condition_number(1), 3)
    (7.0, 1.768)
    >>> m.estimate_counts([60, 40])["smokes"].round(3)
    array([0.5, 0.5])
    """

    label = "MATRIX"

    def __init__(self, schema: Schema, A: ArrayLike, reports: Schema | None = None) -> None:
        schema, a = check_schema(schema), check_matrix(A).copy()
        rows, columns = a.shape
        if columns != schema.n_cells or a.size > MAX_ENTRIES:
            raise ValueError(
                f"A has shape {a.shape}: it needs a column for each of the {schema.n_cells:,} "
                f"records of the schema, and at most {MAX_ENTRIES:,} entries"
            )
        if reports is None:
            reports = schema if rows == columns else Schema((numbered("report", max(rows, 2)),))
        if check_schema(reports, "reports").n_cells != rows:
            raise ValueError(
                f"reports has {reports.n_cells:,} cells and A has {rows:,} rows: each row is the "
                "chance of one report"
            )
        a.flags.writeable = False
        self.schema, self.A, self._reports = schema, a, reports

    @property
    def reports(self) -> Schema:
        return self._reports

    @property
    def amplification(self) -> float:
        return amplification(self.A)

    def _matrix_shape(self) -> tuple[int, int]:
        return self.A.shape

    def _matrix(self) -> np.ndarray:
        return self.A

    # --- the client ---

    @property
    def luck(self) -> dict[str, int]:
        return {"MATRIX": 1}

    def _perturb(self, records: np.ndarray, uniforms: np.ndarray) -> np.ndarray:
        cells = self.schema.encode(records)
        found = np.empty(len(cells), dtype=np.int64)
        order = np.argsort(cells, kind="stable")
        present, starts = np.unique(cells[order], return_index=True)
        for cell, rows in zip(present, np.split(order, starts[1:]), strict=True):
            cumulative = self.A[:, cell].cumsum()
            # The last sum is 1 up to rounding; beyond it lies the last report that is possible.
            last = np.flatnonzero(self.A[:, cell])[-1]
            found[rows] = np.searchsorted(cumulative[:last], uniforms[rows, 0], side="right")
        return self.reports.decode(found)

    def _perturb_counts(self, counts: np.ndarray, rng: np.random.Generator) -> np.ndarray:
        cells = np.flatnonzero(counts)
        chances = self.A[:, cells] / self.A[:, cells].sum(axis=0)
        drawn = rng.multinomial(counts.ravel()[cells], chances.T)
        return drawn.sum(axis=0).reshape(self.reports.sizes)

    def apply(self, counts: np.ndarray) -> np.ndarray:
        return (self.A @ np.ravel(counts)).reshape(self.reports.sizes)

    def apply_transposed(self, counts: np.ndarray) -> np.ndarray:
        return (self.A.T @ np.ravel(counts)).reshape(self.schema.sizes)

    # --- the miner ---

    @property
    def rank(self) -> int:
        """Give the rank of A: below the number of records, A is singular."""
        return self._undone[0]

    @property
    def _inverse(self) -> np.ndarray:
        return self._undone[1]

    @cached_property
    def _undone(self) -> tuple[int, np.ndarray]:
        """Find the rank of A, and its inverse, or where it has none its pseudo-inverse."""
        a, rows, columns = self.A, *self.A.shape
        rounding = max(rows, columns) * np.finfo(float).eps
        if rows == columns:
            with suppress(np.linalg.LinAlgError):
                inverse = np.linalg.inv(a)
                # The norms bound the ratio of singular values. Far from what rounding makes of 0
                # that tells the rank in a tenth of the time that singular values take.
                if np.linalg.norm(a) * np.linalg.norm(inverse) * rounding < 1e-3:
                    return rows, inverse
        # As numpy's matrix_rank and pinv have it, but with one decomposition for both.
        u, s, vt = np.linalg.svd(a, full_matrices=False)
        rank, large = int((s > s[0] * rounding).sum()), s > 1e-15 * s[0]
        if rank == rows == columns:
            return rank, np.linalg.inv(a)
        return rank, vt.T @ (np.divide(1, s, where=large, out=np.zeros_like(s))[:, None] * u.T)

    def weights(self, positions: tuple[int, ...]) -> np.ndarray | None:
        """Give w[i, v] for every cell i of the attributes at these positions, or None."""
        if self.rank == self.schema.n_cells:
            return _marginal(self._inverse, self.schema.sizes, positions)
        kept = self._solved
        if positions not in kept:
            found = self._solve(positions)
            held = sum(weights.nbytes for weights in kept.values() if weights is not None)
            if found is not None:
                found.flags.writeable = False
                if held + found.nbytes > MAX_KEPT:
                    return found
            kept[positions] = found
        return kept[positions]

    @cached_property
    def _solved(self) -> dict[tuple[int, ...], np.ndarray | None]:
        return {}

    def _solve(self, positions: tuple[int, ...]) -> np.ndarray | None:
        """Find the weights where A is singular."""
        # Where reports of these attributes depend on these attributes alone, undo just those.
        own = self.marginal_matrix(positions)
        whole = len(positions) == self.schema.n_attributes  # then it is A itself
        if own is not None and not whole and np.linalg.matrix_rank(own) == len(own):
            reports = _marginal(np.eye(len(self.A)), self.reports.sizes, positions)
            return np.linalg.inv(own) @ reports
        out = _marginal(self._inverse, self.schema.sizes, positions)
        wanted = _marginal(np.eye(self.schema.n_cells), self.schema.sizes, positions)
        return out if abs(out @ self.A - wanted).max() < TOLERANCE else None

    def marginal_matrix(self, positions: tuple[int, ...]) -> np.ndarray | None:
        """Give the matrix of these attributes (FRAPP §6); None if it depends on others too."""
        if self.reports.sizes != self.schema.sizes:
            return None
        law = _marginal(self.A, self.reports.sizes, positions)
        by_cell = _grouped(law.T, self.schema.sizes, positions)  # cells × others × reports
        alike = abs(by_cell - by_cell[:, :1]).max() < TOLERANCE
        return by_cell[:, 0].T if alike else None

    def _by_subset(self, positions: tuple[int, ...], number: Callable) -> np.ndarray:
        """Put `number(subset, weights)` of every subset together like `Cube.array`."""
        out = np.full([self.schema.sizes[j] + 1 for j in positions], np.nan)
        for size in range(len(positions) + 1):
            for subset in itertools.combinations(positions, size):
                weights = self.weights(subset)
                if weights is not None:
                    place = tuple(slice(-1) if j in subset else -1 for j in positions)
                    shape = [self.schema.sizes[j] for j in subset]
                    out[place] = np.reshape(number(subset, weights), shape)
        return out

    def _estimate(self, shares: Cube, positions: tuple[int, ...]) -> np.ndarray:
        reported = _cells(shares)
        if self.rank < self.schema.n_cells:
            return self._by_subset(positions, lambda _, weights: weights @ reported)
        # The cells' estimates say all: any other estimate is a sum of them.
        cells = _marginal((self._inverse @ reported)[:, None], self.schema.sizes, positions)
        return all_marginals(cells.reshape([self.schema.sizes[j] for j in positions]))

    def _deviation(self, supports: Cube, positions: tuple[int, ...]) -> np.ndarray:
        """Take the mean square of a report's weight, whose mean is 0 or 1 given the record."""
        cells = _cells(supports)
        reported = self.A @ cells

        def number(subset: tuple[int, ...], weights: np.ndarray) -> np.ndarray:
            share = _marginal(cells[:, None], self.schema.sizes, subset)[:, 0]
            return np.sqrt(np.maximum(weights**2 @ reported - share, 0))

        return self._by_subset(positions, number)

    def why_not(self, length: int) -> str:
        """Refuse where a singular matrix sends different records to the same reports."""
        if self.rank == self.schema.n_cells:
            return ""
        for positions in itertools.combinations(range(self.schema.n_attributes), length):
            if self.weights(positions) is None:
                names = ", ".join(self.schema.names[j] for j in positions)
                return (
                    f"length is {length}: A is singular (its rank is {self.rank} for "
                    f"{self.schema.n_cells} records), and different tables of {names} give reports "
                    "of the same law, so that no estimate can tell them apart"
                )
        return ""

    def itemset_matrix(self, length: int) -> np.ndarray:
        """Take the hardest matrix over `length` attributes; A itself where one has none."""
        self.schema.check_length(length)
        made = []
        for positions in itertools.combinations(range(self.schema.n_attributes), length):
            own = self.marginal_matrix(positions)
            made.append(self.A if own is None else own)
        return max(made, key=np.linalg.cond)


def _cells(cube: Cube) -> np.ndarray:
    """Give a cube's numbers of the single cells, in the order of the matrix's rows or columns."""
    every = tuple(range(cube.schema.n_attributes))
    return cube.build(every)[(slice(-1),) * len(every)].ravel()


def _grouped(values: np.ndarray, sizes: tuple[int, ...], chosen: tuple[int, ...]) -> np.ndarray:
    """Group a matrix's rows, the cells of `sizes`: chosen attributes × all others × columns."""
    others = [j for j in range(len(sizes)) if j not in chosen]
    table = values.reshape(*sizes, -1).transpose(*chosen, *others, len(sizes))
    return table.reshape(math.prod(sizes[j] for j in chosen), -1, values.shape[-1])


def _marginal(values: np.ndarray, sizes: tuple[int, ...], chosen: tuple[int, ...]) -> np.ndarray:
    """Sum a matrix's rows, the cells of `sizes`, over all but the chosen attributes."""
    return _grouped(values, sizes, chosen).sum(axis=1)
