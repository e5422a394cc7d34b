"""What every perturbation scheme can do: the client's part, the miner's part, and its matrix."""

from __future__ import annotations

import functools
import inspect
import math
from abc import ABC, abstractmethod
from numbers import Number
from typing import ClassVar

import numpy as np
from numpy.typing import ArrayLike

from frapp_lab._base.checks import as_array, check_integer, check_number
from frapp_lab._base.random_streams import Seed, blocks
from frapp_lab.data.cube import Cube
from frapp_lab.data.schema import Schema
from frapp_lab.mechanisms.lies import USUAL, Liars

MAX_ENTRIES = 10**7
"""Number of entries of the largest dense matrix that is built."""


class Mechanism(ABC):
    """Say what clients do to their records, and how the miner undoes it.

    A subclass gives all that is abstract here, and `for_gamma`; the rest follows from that, and
    may be overridden by what is cheaper. All randomness comes from numpy's generator (see
    `_base/random_streams.py`): it is for learning and simulation, not for protecting real people.

    Examples
    --------
    >>> from frapp_lab import GammaDiagonal
    >>> issubclass(GammaDiagonal, Mechanism)
    True
    """

    label: str = "mechanism"
    order: ClassVar[int] = 100
    paper: ClassVar[bool] = False
    modern: ClassVar[bool] = False
    model: ClassVar[str] = ""
    """What its estimates take for granted about the data; empty where they are unbiased."""
    schema: Schema

    @classmethod
    def for_gamma(cls, schema: Schema, gamma: float) -> Mechanism:
        """Make the mechanism of this kind that attains γ; a scheme may take options after it.

        Parameters
        ----------
        schema
            The attributes of the records.
        gamma
            The amplification to attain, above 1.

        Raises
        ------
        ValueError
            If no mechanism of this kind attains γ.
        """
        raise ValueError(f"{cls.__qualname__} cannot be made from γ alone")

    def __repr__(self) -> str:
        names = list(inspect.signature(type(self)).parameters)[1:]
        values = {name: getattr(self, name, None) for name in names}
        said = [f", {name}={v:g}" for name, v in values.items() if isinstance(v, Number)]
        domain = f"<{self.schema.n_attributes} attributes, {self.schema.n_cells:,} cells>"
        return f"{type(self).__name__}({domain}{''.join(said)})"

    # --- the client ---

    @property
    @abstractmethod
    def luck(self) -> dict[str, int]:
        """Say how many uniforms a record takes from which stream; see `_base.random_streams`."""

    @property
    def n_uniforms(self) -> int:
        """Count the uniform random numbers that the perturbation of one record takes."""
        return sum(self.luck.values())

    def uniforms(self, n_records: int, rng: Seed, partition: int = 0) -> np.ndarray:
        """Draw the random numbers that perturb a table: keep them to compare settings fairly."""
        check_integer("n_records", n_records, 1, np.inf, "there must be somebody to report")
        return np.concatenate(list(blocks(rng, self.luck, n_records, partition)))

    def perturb(
        self,
        records: ArrayLike,
        rng: Seed | None = None,
        partition: int = 0,
        *,
        uniforms: ArrayLike | None = None,
    ) -> np.ndarray:
        """Perturb records by a seed, a generator, or the uniforms of an earlier call.

        Parameters
        ----------
        records
            The codes, a row for each client.
        rng
            A seed or a generator; give either this or `uniforms`.
        partition
            The number of this part of a large table; each part has luck of its own.
        uniforms
            The random numbers that `uniforms` drew, a row for each client.

        Returns
        -------
        ndarray
            A report for each client, in the scheme's own form.
        """
        records = self.schema.check(records)
        if rng is None and uniforms is not None:
            given = self._check_uniforms(uniforms, len(records))
            return self._unpacked(self._perturb(records, given))
        if rng is None or uniforms is not None:
            raise ValueError(
                "give either rng (a seed or a numpy Generator) or uniforms (from "
                "mechanism.uniforms), so that it is plain where the randomness comes from"
            )
        reports, stop = np.empty(0), 0
        for block in blocks(rng, self.luck, len(records), partition):
            start, stop = stop, stop + len(block)
            drawn = self._perturb(records[start:stop], block)
            if len(drawn) == len(records):
                return self._unpacked(drawn)
            if start == 0:
                reports = np.empty((len(records), *drawn.shape[1:]), dtype=drawn.dtype)
            reports[start:stop] = drawn
        return self._unpacked(reports)

    def _check_uniforms(self, uniforms: ArrayLike, n_records: int) -> np.ndarray:
        uniforms = as_array("uniforms", uniforms)
        if uniforms.shape != (n_records, self.n_uniforms) or uniforms.dtype.kind != "f":
            raise ValueError(
                f"uniforms have shape {uniforms.shape} and type {uniforms.dtype}: {self.label} "
                f"takes {self.n_uniforms} for each of the {n_records:,} records, as numbers"
            )
        if not (uniforms.min() >= 0 and uniforms.max() < 1):  # NaN is neither
            row, place = np.argwhere(~((uniforms >= 0) & (uniforms < 1)))[0]
            raise ValueError(
                f"uniforms[{row}, {place}] is {uniforms[row, place]}: a uniform random number is 0 "
                "or more and below 1; anything else would send the true record, or none"
            )
        return uniforms

    @abstractmethod
    def _perturb(self, records: np.ndarray, uniforms: np.ndarray) -> np.ndarray:
        """Perturb checked records with the given uniforms."""

    def _unpacked(self, drawn: np.ndarray) -> np.ndarray:
        """Unpack the reports, where `_perturb` draws them in a shorter form."""
        return drawn

    @property
    def bits_per_report(self) -> float:
        """Compute the bits that a report takes: the logarithm of the number of reports."""
        return math.log2(self._matrix_shape()[0])

    def craft(self, codes: np.ndarray, n_reports: int, liars: Liars = USUAL) -> np.ndarray:
        """Make the reports by which liars lift an itemset's estimate the most.

        In `codes` −1 is "any value". Here all possible reports are tried, for small domains.
        """
        reports, place = self.possible_reports(), tuple(codes)
        lift = [self.estimate(report[None]).array[place] for report in reports]
        if np.isnan(lift).all():
            why = self.why_not(int((np.asarray(codes) >= 0).sum()))
            raise ValueError(f"{self.label} has no estimate that a lie could lift: {why}")
        return np.repeat(reports[[int(np.nanargmax(lift))]], n_reports, axis=0)

    def log_likelihood(self, perturbed: ArrayLike) -> np.ndarray:
        """Give ln P(report | cell), a row for each report, up to a number of its own.

        Here from the matrix, for small domains.
        """
        reports = np.ascontiguousarray(perturbed, dtype=self.possible_reports().dtype)
        rows = {report.tobytes(): row for row, report in enumerate(self.possible_reports())}
        with np.errstate(divide="ignore"):
            return np.log(self.matrix())[[rows[report.tobytes()] for report in reports]]

    # --- the miner ---

    @abstractmethod
    def estimate(self, perturbed: ArrayLike) -> Cube:
        """Estimate the support of every itemset (FRAPP §6).

        Parameters
        ----------
        perturbed
            The reports, as `perturb` gives them.

        Returns
        -------
        Cube
            The estimates: `cube[attribute subset]` is an array over their values.
        """

    def statistic(self, perturbed: ArrayLike) -> np.ndarray:
        """Reduce reports to the whole numbers that an estimate needs; they add up over parts.

        Add the arrays of all parts, in any order, and give the sum to `estimate_statistic`.
        """
        raise ValueError(
            f"{self.label} has no statistic: a scheme that says which sums over reports its "
            "estimate needs (statistic, estimate_statistic) can be collected part by part"
        )

    def estimate_statistic(self, statistic: ArrayLike) -> Cube:
        """Estimate as `estimate` does, from the sum of the statistics of all parts."""
        raise ValueError(f"{self.label} has no statistic, so that nothing can be estimated from it")

    def _reconstruct(self, reported: Cube, n_records: int) -> Cube:
        """Estimate from the number of reports, out of `n_records`, that show each itemset."""
        shares = reported / n_records
        return Cube(self.schema, lambda positions: self._estimate(shares, positions), self._guard)

    @abstractmethod
    def _estimate(self, shares: Cube, positions: tuple[int, ...]) -> np.ndarray:
        """Estimate the supports over the attributes at these positions, like `all_marginals`."""

    def limit(self, supports: Cube) -> Cube:
        """Give what estimates tend to with more and more records; a model may miss the truth."""
        return supports

    def standard_deviation(self, supports: Cube, n_records: int) -> Cube:
        """Compute every estimate's exact standard deviation from the true supports."""
        check_integer("n_records", n_records, 1, np.inf, "an estimate needs somebody's report")
        one = Cube(self.schema, lambda positions: self._deviation(supports, positions), self._guard)
        return one / math.sqrt(n_records)

    @abstractmethod
    def _deviation(self, supports: Cube, positions: tuple[int, ...]) -> np.ndarray:
        """Compute the deviation of each estimate from one report, like `all_marginals`."""

    def chance_found(self, supports: Cube, n_records: int, threshold: float) -> np.ndarray:
        """Compute the chance that each estimated support, nearly normal, reaches a threshold."""
        from scipy.special import ndtr  # not at the top: it takes 0.1 s to load

        deviation = self.standard_deviation(supports, n_records).array
        with np.errstate(divide="ignore", invalid="ignore"):
            return ndtr((self.limit(supports).array - threshold) / deviation)

    def interval(
        self, estimate: Cube, n_records: int, confidence: float = 0.95
    ) -> tuple[Cube, Cube]:
        """Give the lower and the upper ends of a score interval for every itemset's true support.

        It holds all supports from which the estimate is not too many standard deviations away, with
        the deviation that goes with that support: Wilson's interval, for any scheme. Where there is
        a `model` it holds what the model makes of the truth, and not always the truth itself.
        """
        from scipy.special import ndtri  # not at the top: it takes 0.1 s to load

        check_integer("n_records", n_records, 1, np.inf, "an estimate needs somebody's report")
        confidence = check_number("confidence", confidence)
        unit = float(ndtri((1 + confidence) / 2)) ** 2 / n_records

        @functools.cache
        def ends(positions: tuple[int, ...]) -> np.ndarray:
            # All f with (est − f)² ≤ z²(v₀ + v₁f)/N: a quadratic inequality.
            found = estimate.build(positions)
            constant, slope = self._variance_line(estimate, positions)
            lean = unit * slope / 2
            half = np.sqrt(np.maximum(unit * (constant + slope * found) + lean**2, 0))
            both = np.clip([found + lean - half, found + lean + half], 0, 1)
            both[(slice(None), *(-1,) * found.ndim)] = 1  # the empty itemset
            return both

        lower = Cube(self.schema, lambda positions: ends(positions)[0], self._guard)
        return lower, Cube(self.schema, lambda positions: ends(positions)[1], self._guard)

    def _variance_line(
        self, estimate: Cube, positions: tuple[int, ...]
    ) -> tuple[np.ndarray, np.ndarray | float]:
        """Give v₀ and v₁: N times an estimate's variance is v₀ + v₁f if the true support is f.

        Here it is estimated, as one number, from all that was.
        """
        return self._deviation(estimate, positions) ** 2, 0.0

    def why_not(self, length: int) -> str:
        """Say why itemsets of this length cannot be reconstructed; empty where they can."""
        return ""

    def require(self, length: int) -> int:
        """Check a length, and say why if its itemsets cannot be reconstructed."""
        if why := self.why_not(self.schema.check_length(length)):
            raise ValueError(why)
        return length

    def _guard(self, length: int) -> None:
        if length:  # the empty itemset's support is known
            self.require(length)

    @property
    def max_length(self) -> int:
        """Give the length of the longest itemset whose support can be reconstructed."""
        lengths = range(self.schema.n_attributes, 0, -1)
        return next((k for k in lengths if not self.why_not(k)), 0)

    @abstractmethod
    def itemset_matrix(self, length: int) -> np.ndarray:
        """Give the matrix undone for itemsets of this length, the hardest of several (§3, §6)."""

    def itemset_labels(self, length: int) -> tuple[str, ...]:
        """Name the rows and columns of `itemset_matrix`: here by the cells' numbers."""
        return tuple(str(i) for i in range(1, len(self.itemset_matrix(length)) + 1))

    def condition_number(self, length: int) -> float:
        """Compute the condition number of `itemset_matrix`.

        Parameters
        ----------
        length
            The number of attributes of an itemset.
        """
        return float(np.linalg.cond(self.itemset_matrix(self.require(length))))

    # --- the matrix ---

    @property
    @abstractmethod
    def amplification(self) -> float:
        """Give the γ that the scheme really attains (FRAPP Eq. 2)."""

    def matrix(self) -> np.ndarray:
        """Build the dense matrix A[v, u] = p(u → v), if it has at most `MAX_ENTRIES` entries."""
        rows, columns = self._matrix_shape()
        if rows * columns > MAX_ENTRIES:
            raise ValueError(
                f"the matrix of {self.label} has {rows:,} × {columns:,} entries here, more than "
                f"the limit of {MAX_ENTRIES:,}: use a smaller schema, or the methods that need no "
                "matrix"
            )
        return self._matrix()

    @abstractmethod
    def possible_reports(self) -> np.ndarray:
        """List every report, in the order of the matrix's rows; for small domains."""

    def _matrix_shape(self) -> tuple[int, int]:
        return self.schema.n_cells, self.schema.n_cells

    @abstractmethod
    def _matrix(self) -> np.ndarray:
        """Build the matrix, once its size is known to be harmless."""
