"""What every perturbation scheme can do, and how one's own joins them, by `@scheme("LABEL")`."""

from __future__ import annotations

import functools
import inspect
import math
from abc import ABC, abstractmethod
from collections.abc import Callable
from dataclasses import dataclass
from numbers import Number
from typing import Any, ClassVar, TypeVar

import numpy as np
from numpy.typing import ArrayLike

from frapp_lab._base.checks import as_array, check_gamma, check_integer, check_number, shown
from frapp_lab._base.random_streams import Seed, blocks, generator, stream
from frapp_lab.data.cube import Cube
from frapp_lab.data.schema import Schema, check_schema
from frapp_lab.mechanisms.lies import USUAL, Liars

MAX_ENTRIES = 10**7
"""The largest dense matrix that is built."""


# --- the registry ---------------------------------------------------------------------------------


@dataclass(frozen=True)
class Style:
    """How a scheme is drawn everywhere: colour, marker and dash, as plotly names them."""

    colour: str
    marker: str
    dash: str = "solid"


SPARE_STYLES = (
    Style("#B0413E", "star"),
    Style("#2F6F73", "hexagon"),
    Style("#A34D8F", "cross"),
    Style("#5C5C00", "pentagon"),
    Style("#4B5BA8", "bowtie"),
    Style("#8C5A2B", "star-square"),
)
"""For schemes that bring no style of their own, in the order in which they come."""

_registered: dict[str, type[Mechanism]] = {}
M = TypeVar("M", bound="type[Mechanism]")


def scheme(
    label: str, style: Style | None = None, order: int = 100, paper: bool = False,
    modern: bool = False,
) -> Callable[[M], M]:  # fmt: skip
    """Register the class below under a label; it must have `for_gamma(schema, gamma, **options)`.

    `order` is its place in lists, `paper` says that FRAPP compares it (§7), `modern` that it came
    later, so that only those see it who ask. A class that is defined anew, as when a notebook's
    cell runs again, takes the old one's place.

    >>> from frapp_lab import GammaDiagonal, make_scheme
    >>> @scheme("SHY-GD")
    ... class Shy(GammaDiagonal):
    ...     '''A γ-diagonal matrix that uses half of what it is allowed.'''
    ...
    ...     @classmethod
    ...     def for_gamma(cls, schema, gamma):
    ...         return cls(schema, (1 + gamma) / 2)
    >>> make_scheme("SHY-GD", Schema.of_sizes(2, 3), 19)
    Shy(<2 attributes, 6 cells>, gamma=10)
    >>> forget("SHY-GD")
    """

    if not isinstance(label, str) or not label.strip():
        raise TypeError(
            f"label is {shown(label)}: it must be a text, as in @scheme('SHY-GD') above the class, "
            "because schemes are asked for by it"
        )
    if not isinstance(style, Style | None):
        raise TypeError(f"style is {shown(style)}: it must be a Style(colour, marker), or None")
    check_integer("order", order, -(10**9), 10**9, "it is a place in a list")

    def register(cls: M) -> M:
        if not isinstance(cls, type) or not issubclass(cls, Mechanism):
            raise TypeError(
                f"{shown(cls)} is no class of mechanisms: a registered scheme inherits Mechanism, "
                "or a relative of it such as MatrixMechanism, because all is asked of it by that"
            )
        new = f"{cls.__module__}.{cls.__qualname__}"
        known = _registered.get(label, cls)
        old = f"{known.__module__}.{known.__qualname__}"
        if old != new:
            raise ValueError(
                f"label is {label!r}: {old} is registered under it, and a label means one scheme; "
                "choose another, or forget(label) first"
            )
        given = any("for_gamma" in vars(c) for c in cls.__mro__ if c is not Mechanism)
        if not given or not _takes_two(cls.for_gamma):
            raise ValueError(
                f"{cls.__qualname__} has no for_gamma(schema, gamma): a registered scheme needs "
                "it, as a classmethod, because schemes are compared at the same γ"
            )
        cls.label, cls.order, cls.paper, cls.modern = label, order, paper, modern
        used = {other.style for name, other in _registered.items() if name != label}
        spare = (s for s in SPARE_STYLES if s not in used)
        cls.style = style or next(spare, SPARE_STYLES[len(_registered) % len(SPARE_STYLES)])
        _registered[label] = cls
        return cls

    return register


def _takes_two(function: Any) -> bool:
    try:
        inspect.signature(function).bind(None, None)
    except (TypeError, ValueError):
        return False
    return True


def forget(label: str) -> None:
    """Take a scheme out of the registry."""
    _registered.pop(scheme_class(label).label)


def schemes(paper: bool = False, modern: bool = False) -> tuple[str, ...]:
    """The labels of the course's schemes and of one's own, or of those that the paper compares.

    With `modern` those that came after the paper are among them: then these are all there are.

    >>> schemes(paper=True)
    ('DET-GD', 'RAN-GD', 'MASK', 'C&P')
    """
    ranked = sorted(_registered.items(), key=lambda item: item[1].order)
    return tuple(
        label for label, cls in ranked if (cls.paper or not paper) and (modern or not cls.modern)
    )


def scheme_class(label: str) -> type[Mechanism]:
    """The class that is registered under a label.

    >>> scheme_class("MASK").__name__
    'Mask'
    """
    if not isinstance(label, str) or label not in _registered:
        known = ", ".join(schemes(modern=True))
        raise ValueError(f"scheme {label!r} is not known: choose from {known}")
    return _registered[label]


def options_of(label: str) -> tuple[str, ...]:
    """The options that a scheme's `for_gamma` takes, such as RAN-GD's alpha_share.

    >>> options_of("RAN-GD"), options_of("DET-GD")
    (('alpha_share',), ())
    """
    return tuple(inspect.signature(scheme_class(label).for_gamma).parameters)[2:]


def make_scheme(
    scheme: str | Mechanism, schema: Schema, gamma: float = 19.0, **options: Any
) -> Mechanism:
    """The scheme with this label that attains γ, or less; a mechanism is given back as it is.

    An option goes to a scheme that knows it (`alpha_share` to RAN-GD, `K` to C&P), and is refused
    if none does.

    >>> make_scheme("C&P", Schema.of_sizes(4, 5, 5, 5, 2, 2), 19).K
    3
    """
    check_schema(schema)
    if isinstance(scheme, Mechanism):
        if scheme.schema != schema:
            raise ValueError(
                f"{scheme.label} is made for the attributes {', '.join(scheme.schema.names)} with "
                f"sizes {scheme.schema.sizes}, and the data have {', '.join(schema.names)} with "
                f"sizes {schema.sizes}: make the mechanism with dataset.schema"
            )
        return scheme
    cls = scheme_class(scheme)
    known = {name for label in _registered for name in options_of(label)}
    if not options.keys() <= known:
        raise ValueError(
            f"options {sorted(options.keys() - known)} are known to no scheme: the schemes know "
            f"{', '.join(sorted(known))}"
        )
    own = options_of(scheme)
    made = cls.for_gamma(schema, gamma, **{k: v for k, v in options.items() if k in own})
    if not isinstance(made, Mechanism):
        raise TypeError(
            f"{scheme}: {cls.__qualname__}.for_gamma gives {shown(made)}, and it must give a "
            "mechanism, because that is what perturbs and estimates"
        )
    if not made.amplification <= check_gamma(gamma) * (1 + 1e-9):  # one part in 10⁹ is rounding
        raise ValueError(
            f"{scheme}: gamma is {gamma:g}, and what {cls.__qualname__}.for_gamma gives attains "
            f"{made.amplification:g}: it must be γ or less, because a scheme that tells more is "
            "no rival of those that keep the promise"
        )
    return made


def in_short(error: ValueError) -> str:
    """Why a scheme cannot be had, in the few words of the error's note where it has one.

    >>> error = ValueError("gamma is 3: I hide nothing below 4")
    >>> in_short(error)
    'cannot be had here'
    >>> error.add_note("needs γ > 4")
    >>> in_short(error)
    'needs γ > 4'
    """
    return str(next(iter(getattr(error, "__notes__", ())), "cannot be had here"))


# --- the interface --------------------------------------------------------------------------------


class Mechanism(ABC):
    """A perturbation scheme: what clients do to their records, and how the miner undoes it.

    A subclass gives all that is abstract here, and `for_gamma`; all else follows, and may be said
    more cheaply. All randomness comes from numpy's generator (see `luck.py`): it is for learning
    and simulation, not for protecting real people.

    >>> from frapp_lab import GammaDiagonal
    >>> issubclass(GammaDiagonal, Mechanism)
    True
    """

    label: str = "mechanism"
    style: ClassVar[Style] = SPARE_STYLES[-1]
    order: ClassVar[int] = 100
    paper: ClassVar[bool] = False
    modern: ClassVar[bool] = False
    model: ClassVar[str] = ""
    """What its estimates take for granted about the data; empty where they are unbiased."""
    schema: Schema

    @classmethod
    def for_gamma(cls, schema: Schema, gamma: float) -> Mechanism:
        """The mechanism of this kind that attains γ; a scheme may take options after it."""
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
        """How many uniform numbers a record takes from which stream; see `_base.random_streams`."""

    @property
    def n_uniforms(self) -> int:
        """How many uniform random numbers the perturbation of one record takes."""
        return sum(self.luck.values())

    def uniforms(self, n_records: int, rng: Seed, partition: int = 0) -> np.ndarray:
        """The random numbers that perturb so many records: keep them to compare settings fairly."""
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
        """What the clients send. Give a seed or a generator, or the uniforms of an earlier call.

        A large table may be perturbed part by part: each partition has luck of its own.
        """
        records = self.schema.check(records)
        if uniforms is not None and rng is None:
            drawn = self._perturb(records, self._check_uniforms(uniforms, len(records)))
            return self._unpacked(drawn)
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
        """The reports, where `_perturb` draws them in a shorter form."""
        return drawn

    @property
    def bits_per_report(self) -> float:
        """How many bits a report takes: the logarithm of how many there are."""
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
        """ln P(report | cell), a row for each report, up to a number of its own.

        Here from the matrix, for small domains.
        """
        reports = np.ascontiguousarray(perturbed, dtype=self.possible_reports().dtype)
        rows = {report.tobytes(): row for row, report in enumerate(self.possible_reports())}
        with np.errstate(divide="ignore"):
            return np.log(self.matrix())[[rows[report.tobytes()] for report in reports]]

    # --- the miner ---

    @abstractmethod
    def estimate(self, perturbed: ArrayLike) -> Cube:
        """The estimated support of every itemset: est[attribute subset] → array (FRAPP §6)."""

    def statistic(self, perturbed: ArrayLike) -> np.ndarray:
        """What the estimate needs of the reports: whole numbers that add up over parts of a survey.

        Add the arrays of all parts, in any order, and give the sum to `estimate_statistic`.
        """
        raise ValueError(
            f"{self.label} has no statistic: a scheme that says which sums over reports its "
            "estimate needs (statistic, estimate_statistic) can be collected part by part"
        )

    def estimate_statistic(self, statistic: ArrayLike) -> Cube:
        """The estimates of `estimate`, from the sum of the statistics of all parts."""
        raise ValueError(f"{self.label} has no statistic, so that nothing can be estimated from it")

    def _reconstruct(self, reported: Cube, n_records: int) -> Cube:
        """The estimates, from how many of so many reports show each itemset."""
        shares = reported / n_records
        return Cube(self.schema, lambda positions: self._estimate(shares, positions), self._guard)

    @abstractmethod
    def _estimate(self, shares: Cube, positions: tuple[int, ...]) -> np.ndarray:
        """The estimates of the attributes at these positions, like `all_marginals`."""

    def limit(self, supports: Cube) -> Cube:
        """What the estimates tend to with ever more records: the truth, unless there is a model."""
        return supports

    def standard_deviation(self, supports: Cube, n_records: int) -> Cube:
        """The exact standard deviation of every estimated support, from the true supports."""
        check_integer("n_records", n_records, 1, np.inf, "an estimate needs somebody's report")
        one = Cube(self.schema, lambda positions: self._deviation(supports, positions), self._guard)
        return one / math.sqrt(n_records)

    @abstractmethod
    def _deviation(self, supports: Cube, positions: tuple[int, ...]) -> np.ndarray:
        """The deviation of each of these estimates from one report, like `all_marginals`."""

    def chance_found(self, supports: Cube, n_records: int, threshold: float) -> np.ndarray:
        """The probability that each itemset's estimated support, nearly normal, reaches it."""
        from scipy.special import ndtr  # not at the top: it takes 0.1 s to load

        deviation = self.standard_deviation(supports, n_records).array
        with np.errstate(divide="ignore", invalid="ignore"):
            return ndtr((self.limit(supports).array - threshold) / deviation)

    def interval(
        self, estimate: Cube, n_records: int, confidence: float = 0.95
    ) -> tuple[Cube, Cube]:
        """The lower and the upper ends of a score interval for every itemset's true support.

        It holds all supports from which the estimate is not too many standard deviations away, with
        the deviation that goes with that support: Wilson's interval, for any scheme. Where there is
        a `model` it holds what the model makes of the truth, and not always the truth itself.
        """
        from scipy.special import ndtri  # not at the top: it takes 0.1 s to load

        check_integer("n_records", n_records, 1, np.inf, "an estimate needs somebody's report")
        confidence = check_number("confidence", confidence)
        unit = float(ndtri((1 + confidence) / 2)) ** 2 / n_records

        @functools.cache
        def ends(positions: tuple[int, ...]) -> tuple[np.ndarray, np.ndarray]:
            # All f with (est − f)² ≤ z²(v₀ + v₁f)/N: a quadratic inequality.
            found = estimate.build(positions)
            constant, slope = self._variance_line(estimate, positions)
            lean = unit * slope / 2
            half = np.sqrt(np.maximum(unit * (constant + slope * found) + lean**2, 0))
            low, high = np.clip(found + lean - half, 0, 1), np.clip(found + lean + half, 0, 1)
            low[(-1,) * low.ndim] = high[(-1,) * low.ndim] = 1  # the empty itemset
            return low, high

        lower = Cube(self.schema, lambda positions: ends(positions)[0], self._guard)
        return lower, Cube(self.schema, lambda positions: ends(positions)[1], self._guard)

    def _variance_line(
        self, estimate: Cube, positions: tuple[int, ...]
    ) -> tuple[np.ndarray, np.ndarray | float]:
        """v₀ and v₁: N times an estimate's variance is v₀ + v₁f if the true support is f.

        Here it is estimated, as one number, from all that was.
        """
        return self._deviation(estimate, positions) ** 2, 0.0

    def why_not(self, length: int) -> str:
        """Why itemsets of this length cannot be reconstructed; empty where they can."""
        return ""

    def require(self, length: int) -> int:
        """A length whose itemsets can be reconstructed; else a refusal that says why not."""
        if why := self.why_not(self.schema.check_length(length)):
            raise ValueError(why)
        return length

    def _guard(self, length: int) -> None:
        if length:  # the empty itemset's support is known
            self.require(length)

    @property
    def max_length(self) -> int:
        """The longest itemset whose support can be reconstructed."""
        lengths = range(self.schema.n_attributes, 0, -1)
        return next((k for k in lengths if not self.why_not(k)), 0)

    @abstractmethod
    def itemset_matrix(self, length: int) -> np.ndarray:
        """The matrix undone for itemsets of this length, the hardest if they differ (§3, §6)."""

    def itemset_labels(self, length: int) -> tuple[str, ...]:
        """The names of the rows and columns of `itemset_matrix`: here the cells' numbers."""
        return tuple(str(i) for i in range(1, len(self.itemset_matrix(length)) + 1))

    def condition_number(self, length: int) -> float:
        """The condition number of `itemset_matrix`."""
        return float(np.linalg.cond(self.itemset_matrix(self.require(length))))

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

    @abstractmethod
    def possible_reports(self) -> np.ndarray:
        """Every report that can be sent, in the order of the matrix's rows; for small domains."""

    def _matrix_shape(self) -> tuple[int, int]:
        return self.schema.n_cells, self.schema.n_cells

    @abstractmethod
    def _matrix(self) -> np.ndarray:
        """The matrix, once its size is known to be harmless."""


class CountingMechanism(Mechanism):
    """A scheme whose reports are records of a schema: their joint counts say it all."""

    @property
    def reports(self) -> Schema:
        """What reports look like: most often, as the records do."""
        return self.schema

    def estimate(self, perturbed: ArrayLike) -> Cube:
        """The estimated support of every itemset, from the clients' reports (FRAPP §6)."""
        reports = self.reports.check(perturbed, "perturbed records")
        cube = Cube.of_records(self.reports, reports)
        if cube.is_small:
            return self.estimate_statistic(self.reports.counts(reports, checked=True))
        return self._reconstruct(cube, len(reports))  # one attribute subset at a time, on demand

    def statistic(self, perturbed: ArrayLike) -> np.ndarray:
        """The joint counts of the reports."""
        return self.reports.counts(self.reports.check(perturbed, "perturbed records"), checked=True)

    def estimate_statistic(self, statistic: ArrayLike) -> Cube:
        """The estimates, from joint counts."""
        return self.estimate_counts(statistic)

    def estimate_counts(self, perturbed_counts: ArrayLike) -> Cube:
        """The estimated support of every itemset, from the joint counts of the reports."""
        counts = self.reports.check_counts(perturbed_counts, "perturbed_counts")
        return self._reconstruct(Cube.of_counts(self.reports, counts), int(counts.sum()))

    def possible_reports(self) -> np.ndarray:
        """All records of the schema of reports."""
        return self.reports.decode(np.arange(self.reports.n_cells))

    def perturb_counts(self, counts: ArrayLike, rng: Seed) -> np.ndarray:
        """The joint counts of the reports, drawn directly: the cost does not grow with N."""
        return self._perturb_counts(self.schema.check_counts(counts), generator(rng))

    @abstractmethod
    def apply(self, counts: np.ndarray) -> np.ndarray:
        """A·X without the matrix: the expected counts of the reports (FRAPP §2.2)."""

    def apply_transposed(self, counts: np.ndarray) -> np.ndarray:
        """Aᵀ·Y; the same as `apply` where A is symmetric."""
        return self.apply(counts)

    def column_chances(self, records: np.ndarray, reported: np.ndarray) -> np.ndarray:
        """The law of the reports' next column, given each record and the columns so far (§5)."""
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
    """The statistic of records with these joint counts, drawn directly; None if that is unknown.

    `perturb_counts` has the law of the reports' statistic; its luck is another one than that of
    reports, and belongs to seed, scheme and partition too.

    >>> from frapp_lab import GammaDiagonal, Mask
    >>> schema = Schema.of_sizes(2, 3)
    >>> draw_statistic(GammaDiagonal(schema, 19), np.full((2, 3), 10), 0).sum()
    np.int64(60)
    >>> draw_statistic(Mask(schema, 0.7), np.full((2, 3), 10), 0)
    """
    if not hasattr(mechanism, "perturb_counts"):
        return None
    name = f"counts of {next(iter(mechanism.luck))}"
    return mechanism.perturb_counts(counts, stream(seed, name, partition))


def check_counting(mechanism: CountingMechanism) -> CountingMechanism:
    """A mechanism whose reports are records.

    >>> from frapp_lab import GammaDiagonal
    >>> check_counting(GammaDiagonal(Schema.of_sizes(2, 3), 19)).label
    'DET-GD'
    """
    if not isinstance(mechanism, CountingMechanism):
        raise TypeError(
            f"mechanism is {mechanism!r}: it must be one whose reports are records, such as "
            "DET-GD, because their cells are counted or drawn one by one"
        )
    return mechanism
