"""Schemes whose reports are records, so that their joint counts are all an estimate needs."""

from __future__ import annotations

import math
from abc import abstractmethod

import numpy as np
from numpy.typing import ArrayLike

from frapp_lab._base.random_streams import Seed, generator, stream
from frapp_lab.data.cube import Cube
from frapp_lab.data.schema import Schema
from frapp_lab.mechanisms.mechanism import Mechanism


class CountingMechanism(Mechanism):
    """Report records of a schema, so that their joint counts are all that an estimate needs."""

    @property
    def reports(self) -> Schema:
        """Give the schema of the reports: most often, that of the records."""
        return self.schema

    def estimate(self, perturbed: ArrayLike) -> Cube:
        reports = self.reports.check(perturbed, "perturbed records")
        cube = Cube.of_records(self.reports, reports)
        if cube.is_small:
            return self.estimate_statistic(self.reports.counts(reports, checked=True))
        return self._reconstruct(cube, len(reports))  # one attribute subset at a time, on demand

    def statistic(self, perturbed: ArrayLike) -> np.ndarray:
        """Give the joint counts of the reports."""
        return self.reports.counts(self.reports.check(perturbed, "perturbed records"), checked=True)

    def estimate_statistic(self, statistic: ArrayLike) -> Cube:
        return self.estimate_counts(statistic)

    def estimate_counts(self, perturbed_counts: ArrayLike) -> Cube:
        """Estimate the support of every itemset from the joint counts of the reports."""
        counts = self.reports.check_counts(perturbed_counts, "perturbed_counts")
        return self._reconstruct(Cube.of_counts(self.reports, counts), int(counts.sum()))

    def possible_reports(self) -> np.ndarray:
        return self.reports.decode(np.arange(self.reports.n_cells))

    def perturb_counts(self, counts: ArrayLike, rng: Seed) -> np.ndarray:
        """Draw the joint counts of the reports directly, at a cost that does not grow with N."""
        return self._perturb_counts(self.schema.check_counts(counts), generator(rng))

    @abstractmethod
    def apply(self, counts: np.ndarray) -> np.ndarray:
        """Compute A·X without the matrix: the expected counts of the reports (FRAPP §2.2)."""

    def apply_transposed(self, counts: np.ndarray) -> np.ndarray:
        """Compute Aᵀ·Y; the same as `apply` where A is symmetric."""
        return self.apply(counts)

    def column_chances(self, records: np.ndarray, reported: np.ndarray) -> np.ndarray:
        """Give the law of the reports' next column, given each record and those so far (§5)."""
        j, sizes = reported.shape[1], self.reports.sizes
        done, size = math.prod(sizes[:j]), sizes[j]
        sums = self.matrix().reshape(done, size, -1, self.schema.n_cells).sum(axis=2)
        prefix = np.zeros(len(records), dtype=np.int64)
        for column, base in zip(reported.T, sizes[:j], strict=True):
            prefix = prefix * base + column
        chances = sums[prefix, :, self.schema.encode(records)]
        return chances / chances.sum(axis=1, keepdims=True)

    @abstractmethod
    def _perturb_counts(self, counts: np.ndarray, rng: np.random.Generator) -> np.ndarray: ...

    def _matrix(self) -> np.ndarray:
        cells = np.eye(self.schema.n_cells).reshape(-1, *self.schema.sizes)
        return np.stack([self.apply(cell).ravel() for cell in cells], axis=1)


def draw_statistic(
    mechanism: Mechanism, counts: ArrayLike, seed: Seed, partition: int = 0
) -> np.ndarray | None:
    """Draw a mechanism's statistic from joint counts alone; None if its law is unknown.

    It has the law of the statistic of reports, and its luck is that of seed, scheme and partition,
    but another luck than that of reports.
    """
    if not hasattr(mechanism, "perturb_counts"):
        return None
    name = f"counts of {next(iter(mechanism.luck))}"
    return mechanism.perturb_counts(counts, stream(seed, name, partition))


def check_counting(mechanism: CountingMechanism) -> CountingMechanism:
    """Check for a mechanism whose reports are records."""
    if not isinstance(mechanism, CountingMechanism):
        raise TypeError(
            f"mechanism is {mechanism!r}: it must be one whose reports are records, such as "
            "DET-GD, because their cells are counted or drawn one by one"
        )
    return mechanism
