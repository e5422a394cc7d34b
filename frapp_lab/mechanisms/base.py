"""What every perturbation scheme can do."""

from __future__ import annotations

from abc import ABC, abstractmethod

import numpy as np

from frapp_lab import luck
from frapp_lab.checks import check_integer
from frapp_lab.cube import Cube
from frapp_lab.schema import Schema

MAX_ENTRIES = 10**7
"""The largest dense matrix that is built."""


class Mechanism(ABC):
    """A perturbation scheme: what clients do to their records, and how the miner undoes it.

    A *report* is what one client sends. Where a report is again a record of the schema, the array
    of reports looks like the array of records; MASK and cut-and-paste send bits instead.

    All randomness comes from numpy's generator (see `luck.py`). It is for learning and simulation,
    not for protecting real people: its numbers can be predicted by whoever sees enough of them.

    >>> from frapp_lab import GammaDiagonal
    >>> issubclass(GammaDiagonal, Mechanism)
    True
    """

    label: str
    schema: Schema

    # --- the client ---

    @property
    @abstractmethod
    def luck(self) -> dict[str, int]:
        """How many uniform numbers the perturbation of a record takes, from which stream of luck.

        Schemes that name the same stream share their draws: see `frapp_lab.luck`.
        """

    @property
    def n_uniforms(self) -> int:
        """How many uniform random numbers the perturbation of one record takes."""
        return sum(self.luck.values())

    def uniforms(self, n_records: int, rng: luck.Seed) -> np.ndarray:
        """The random numbers that perturb so many records: keep them to compare settings fairly.

        With the same uniforms, a change of γ, α or p moves the same draws: what changes in the
        reports is due to the mechanism and not to luck.
        """
        check_integer("n_records", n_records, 1, np.inf, "there must be somebody to report")
        return np.concatenate(list(luck.blocks(rng, self.luck, n_records)))

    def perturb(
        self,
        records: np.ndarray,
        rng: luck.Seed | None = None,
        *,
        uniforms: np.ndarray | None = None,
    ) -> np.ndarray:
        """What the clients send. Give a seed or a generator, or the uniforms of an earlier call."""
        records = self.schema.check(records)
        if (rng is None) == (uniforms is None):
            raise ValueError(
                "give either rng (a seed or a numpy Generator) or uniforms (from "
                "mechanism.uniforms), so that it is plain where the randomness comes from"
            )
        if uniforms is not None:
            if np.shape(uniforms) != (len(records), self.n_uniforms):
                raise ValueError(
                    f"uniforms have shape {np.shape(uniforms)}: {self.label} takes "
                    f"{self.n_uniforms} for each of the {len(records):,} records"
                )
            return self._perturb(records, uniforms)
        reports, start = [], 0
        for block in luck.blocks(rng, self.luck, len(records)):
            reports.append(self._perturb(records[start : start + len(block)], block))
            start += len(block)
        return reports[0] if len(reports) == 1 else np.concatenate(reports)

    @abstractmethod
    def _perturb(self, records: np.ndarray, uniforms: np.ndarray) -> np.ndarray:
        """Perturb checked records with the given uniforms."""

    # --- the miner ---

    @abstractmethod
    def estimate(self, perturbed: np.ndarray) -> Cube:
        """The estimated support of every itemset: est[attribute subset] → array (FRAPP §6)."""

    @abstractmethod
    def standard_deviation(self, supports: Cube, n_records: int) -> Cube:
        """The exact standard deviation of every estimated support, from the true supports."""

    @property
    def max_length(self) -> int:
        """The longest itemset whose support can be reconstructed."""
        return self.schema.n_attributes

    def check_length(self, length: int) -> int:
        """A length of itemsets that this scheme can reconstruct."""
        m = self.schema.n_attributes
        return check_integer("length", length, 1, m, f"the schema has {m} attributes")

    @abstractmethod
    def condition_number(self, length: int) -> float:
        """The condition number of the reconstruction matrix for itemsets of this length."""

    # --- the matrix ---

    @property
    @abstractmethod
    def amplification(self) -> float:
        """The γ that the scheme really attains (FRAPP Eq. 2)."""

    def matrix(self) -> np.ndarray:
        """The dense matrix A[v, u] = p(u → v), for small domains."""
        rows, columns = self._matrix_shape()
        if rows * columns > MAX_ENTRIES:
            raise ValueError(
                f"the matrix of {self.label} has {rows:,} × {columns:,} entries here, more than "
                f"the limit of {MAX_ENTRIES:,}: use a smaller schema, or the methods that need no "
                "matrix"
            )
        return self._matrix()

    def _matrix_shape(self) -> tuple[int, int]:
        return self.schema.n_cells, self.schema.n_cells

    @abstractmethod
    def _matrix(self) -> np.ndarray:
        """The matrix, once its size is known to be harmless."""


class CountingMechanism(Mechanism):
    """A scheme whose reports are records of the same schema: their joint counts say it all."""

    def estimate(self, perturbed: np.ndarray) -> Cube:
        """The estimated support of every itemset, from the clients' reports (FRAPP §6)."""
        reports = self.schema.check(perturbed, "perturbed records")
        return self._estimate(Cube.of_records(self.schema, reports), len(reports))

    def estimate_counts(self, perturbed_counts: np.ndarray) -> Cube:
        """The estimated support of every itemset, from the joint counts of the reports."""
        counts = self.schema.check_counts(perturbed_counts, "perturbed_counts")
        return self._estimate(Cube.of_counts(self.schema, counts), int(counts.sum()))

    def perturb_counts(self, counts: np.ndarray, rng: int | np.random.Generator) -> np.ndarray:
        """The joint counts of the reports, drawn directly: the cost does not grow with N."""
        return self._perturb_counts(self.schema.check_counts(counts), np.random.default_rng(rng))

    @abstractmethod
    def apply(self, counts: np.ndarray) -> np.ndarray:
        """A·X without the matrix: the expected counts of the reports (FRAPP §2.2).

        All these schemes have symmetric matrices, so that this is Aᵀ·X too.
        """

    @abstractmethod
    def _estimate(self, reported: Cube, n_records: int) -> Cube: ...

    @abstractmethod
    def _perturb_counts(self, counts: np.ndarray, rng: np.random.Generator) -> np.ndarray: ...

    def _matrix(self) -> np.ndarray:
        cells = np.eye(self.schema.n_cells).reshape(-1, *self.schema.sizes)
        return np.stack([self.apply(cell).ravel() for cell in cells], axis=1)
