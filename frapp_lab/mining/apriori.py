"""Frequent itemsets from clean data and from perturbed data (FRAPP §6 and §7).

All itemsets of a table are the cells of its cube, so that mining is a threshold on one array.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from functools import cached_property

import numpy as np

from frapp_lab._base.checks import check_flag, check_integer, check_number
from frapp_lab._base.later import pd
from frapp_lab._base.random_streams import Seed
from frapp_lab.data.cube import Cube, lengths
from frapp_lab.data.dataset import Dataset, check_dataset
from frapp_lab.data.schema import Schema
from frapp_lab.mechanisms.mechanism import Mechanism
from frapp_lab.mechanisms.registry import make_scheme

ERRORS = ("support_error", "support_error_all", "false_negatives", "false_positives")
"""The columns of a table of errors, all in percent."""


GAMMA, MIN_SUPPORT = 19.0, 0.02
"""The paper's setting: (ρ₁, ρ₂) = (5 %, 50 %), so γ = 19, and a minimum support of 2 %."""

DECISIONS = ("estimate", "low", "high")
"""What must reach the minimum support for an itemset to be found: see `mine`."""


def check_min_support(min_support: float) -> float:
    """A minimum support: a share of the records, above 0 and up to 1.

    >>> check_min_support(0.02)
    0.02
    """
    why = "it is a share of the records (2 % is 0.02)"
    return check_number("min_support", min_support, "(0, 1]", why)


# --- itemsets -------------------------------------------------------------------------------------


@dataclass(frozen=True, eq=False)
class Itemsets:
    """Itemsets as arrays: `codes` has a row for each, with −1 where an attribute is not in it."""

    schema: Schema
    codes: np.ndarray
    support: np.ndarray

    @property
    def length(self) -> np.ndarray:
        """The number of items in each."""
        return (self.codes >= 0).sum(axis=1)

    def largest(self, top: int | None = None) -> np.ndarray:
        """The positions of so many itemsets with the highest support, or of all, by length."""
        if top is None:
            return np.argsort(self.length, kind="stable")
        check_integer("top", top, 1, math.inf, "it is a number of itemsets")
        return np.argsort(-self.support, kind="stable")[:top]

    def names(self, positions: np.ndarray) -> list[frozenset[str]]:
        """The itemsets at these positions, as sets of readable `attribute=value` items."""
        names = [f"{a.name}={c}" for a in self.schema.attributes for c in a.categories]
        first = np.r_[0, np.cumsum(self.schema.sizes)[:-1]]
        codes = self.codes[positions]
        present = codes >= 0
        items = np.array(names, dtype=object)[(codes + first)[present]].tolist()
        ends = present.sum(axis=1).cumsum().tolist()
        starts = [0, *ends][: len(ends)]
        return [frozenset(items[a:b]) for a, b in zip(starts, ends, strict=True)]

    def frame(self, top: int | None = None) -> pd.DataFrame:
        """As mlxtend's users know it: support, itemsets (frozensets of names) and length."""
        order = self.largest(top)
        itemsets = np.empty(len(order), dtype=object)  # else numpy would look into the frozensets
        itemsets[:] = self.names(order)
        columns = {"support": self.support[order], "itemsets": itemsets}
        return pd.DataFrame({**columns, "length": self.length[order]})


def _codes(schema: Schema, cells: np.ndarray) -> np.ndarray:
    """The codes of the itemsets that are these cells of a (flat) cube."""
    codes = np.stack(np.unravel_index(cells, [s + 1 for s in schema.sizes]), axis=1)
    codes[codes == schema.sizes] = -1
    return codes


def _passes(supports: np.ndarray, min_support: float, prune: bool, max_length: int) -> np.ndarray:
    """Which cells of a cube are frequent; the empty itemset is not asked for."""
    with np.errstate(invalid="ignore"):  # NaN marks what cannot be reconstructed
        found = supports >= min_support
    if prune:
        # The empty itemset counts as found, whatever its estimate.
        found[(-1,) * found.ndim] = True
        for axis in range(found.ndim):
            view = np.moveaxis(found, axis, 0)
            view[:-1] &= view[-1]
    kinds = lengths(tuple(s - 1 for s in supports.shape))
    return found & (kinds > 0) & (kinds <= max_length)


def _apriori(cube: Cube, min_support: float, max_length: int) -> Itemsets:
    """Level by level, for a cube too large to hold: one attribute subset at a time."""
    schema = cube.schema
    found: dict[tuple[str, ...], np.ndarray] = {(): np.array(True)}
    codes = [np.empty((0, schema.n_attributes), dtype=int)]
    supports = [np.empty(0)]
    for _ in range(max_length):
        level = {}
        for subset, mask in _candidates(schema, found):
            support = cube[subset]
            mask &= support >= min_support
            if mask.any():
                level[subset] = mask
                rows = np.full((mask.sum(), schema.n_attributes), -1)
                rows[:, schema.positions(subset)] = np.argwhere(mask)
                codes.append(rows)
                supports.append(support[mask])
        found = level
    return Itemsets(schema, np.concatenate(codes), np.concatenate(supports))


def _candidates(
    schema: Schema, found: dict[tuple[str, ...], np.ndarray]
) -> Iterator[tuple[tuple[str, ...], np.ndarray]]:
    """Attribute subsets one longer than those found, and which of their cells have all subsets."""
    for parent in sorted(found, key=schema.positions):
        last = schema.positions(parent)[-1] if parent else -1
        for name in schema.names[last + 1 :]:
            subset = (*parent, name)
            smaller = [subset[:drop] + subset[drop + 1 :] for drop in range(len(subset))]
            if all(names in found for names in smaller):
                mask = np.ones(schema.subset(subset).sizes, dtype=bool)
                for drop, names in enumerate(smaller):
                    mask &= np.expand_dims(found[names], drop)
                if mask.any():
                    yield subset, mask


def frequent_arrays(
    dataset: Dataset | Cube,
    min_support: float,
    max_length: int | None = None,
    prune: bool = False,
) -> Itemsets:
    """The frequent itemsets of clean data, or of a cube of estimated supports, as arrays.

    >>> from frapp_lab import load_census
    >>> np.bincount(frequent_arrays(load_census(), 0.02).length)
    array([  0,  19, 102, 203, 165,  64,  10])
    """
    min_support = check_min_support(min_support)
    check_flag("prune", prune)
    cube = dataset if isinstance(dataset, Cube) else check_dataset(dataset).supports
    schema = cube.schema
    max_length = schema.n_attributes if max_length is None else max_length
    schema.check_length(max_length, "max_length")
    if not cube.is_small:
        return _apriori(cube, min_support, max_length)
    supports = cube.array
    cells = np.flatnonzero(_passes(supports, min_support, prune, max_length))
    return Itemsets(schema, _codes(schema, cells), supports.ravel()[cells])


def frequent_itemsets(
    dataset: Dataset | Cube,
    min_support: float,
    max_length: int | None = None,
    top: int | None = None,
    prune: bool = False,
) -> pd.DataFrame:
    """The frequent itemsets of clean data: support, itemsets, length (FRAPP §7, Table 3).

    `top` keeps only so many, those with the highest support. A mechanism's estimate may stand for
    the data; with `prune`, as in `mine`, an itemset then counts only if all its subsets do.

    >>> from frapp_lab import load_census
    >>> frequent_itemsets(load_census(), min_support=0.02, max_length=1).shape
    (19, 3)
    """
    return frequent_arrays(dataset, min_support, max_length, prune).frame(top)


# --- mining perturbed data ------------------------------------------------------------------------


@dataclass(frozen=True, eq=False)
class MiningRun:
    """One run of Apriori on perturbed data: what was estimated, what was found, and the errors.

    Its arrays are like `Cube.array`, or, where that is too large, have an entry for each itemset
    that is frequent or was found; `codes` says which these are.

    >>> from frapp_lab import load_census
    >>> run = mine(load_census(), "IND-RR", min_support=0.02, rng=0)
    >>> len(run.itemsets) + len(run.lost) - len(run.invented)  # all that are truly frequent
    563
    """

    schema: Schema
    min_support: float
    supports: np.ndarray = field(repr=False)
    """The true supports."""
    estimates: np.ndarray = field(repr=False)
    """The reconstructed supports; NaN where the scheme cannot reconstruct."""
    found: np.ndarray = field(repr=False)
    """Which itemsets were found to be frequent, R in the paper."""
    frequent: np.ndarray = field(repr=False)
    """Which itemsets truly are frequent, F in the paper."""
    codes: np.ndarray | None = field(default=None, repr=False)
    interval: tuple[np.ndarray, np.ndarray] | None = field(default=None, repr=False)
    """The lower and upper ends of each support's interval, if they were asked for."""

    def chosen(self, which: np.ndarray, supports: np.ndarray) -> Itemsets:
        """Some of the run's itemsets, with these supports."""
        cells = np.flatnonzero(which)
        codes = _codes(self.schema, cells) if self.codes is None else self.codes[cells]
        return Itemsets(self.schema, codes, supports.ravel()[cells])

    @cached_property
    def itemsets(self) -> pd.DataFrame:
        """The itemsets found, with their reconstructed supports, and intervals if asked for."""
        frame = self.chosen(self.found, self.estimates).frame()
        for name, ends in zip(("low", "high"), self.interval or (), strict=False):
            frame[name] = self.chosen(self.found, ends).frame()["support"]
        return frame

    def changed(self, how: str) -> Itemsets:
        """The itemsets "lost" (with true supports) or "invented" (with estimated ones)."""
        if how == "lost":
            return self.chosen(self.frequent & ~self.found, self.supports)
        if how == "invented":
            return self.chosen(self.found & ~self.frequent, self.estimates)
        raise ValueError(f'how is {how!r}: itemsets are either "lost" or "invented"')

    @cached_property
    def lost(self) -> pd.DataFrame:
        """Truly frequent itemsets that were not found, with their true supports."""
        return self.changed("lost").frame()

    @cached_property
    def invented(self) -> pd.DataFrame:
        """Itemsets found that are not frequent, with their reconstructed supports."""
        return self.changed("invented").frame()

    def error_array(self) -> np.ndarray:
        """The errors by length, one row for each of 1 … M and one column for each of `ERRORS`."""
        # Flat arrays, because this is the inner loop of every experiment.
        flat = (self.found, self.frequent, self.supports, self.estimates)
        found, frequent, supports, estimates = (a.ravel() for a in flat)
        m = self.schema.n_attributes
        if self.codes is None:
            kinds = lengths(self.schema.sizes).ravel()
        else:
            kinds = (self.codes >= 0).sum(axis=1)

        def by_length(cells: np.ndarray, weights: np.ndarray | None = None) -> np.ndarray:
            return np.bincount(kinds[cells], weights, m + 1)[1:]

        true = np.flatnonzero(frequent)
        relative = abs(estimates[true] - supports[true]) / supports[true]
        kept = found[true]
        n_both, n_frequent = by_length(true[kept]), by_length(true)
        with np.errstate(divide="ignore", invalid="ignore"):
            # 0/0 is NaN: where nothing is frequent or nothing was found there is no error.
            columns = [
                by_length(true[kept], relative[kept]) / n_both,
                by_length(true, relative) / n_frequent,
                (n_frequent - n_both) / n_frequent,
                (by_length(np.flatnonzero(found)) - n_both) / n_frequent,
            ]
        out = 100 * np.stack(columns, axis=1)
        out[n_frequent == 0] = np.nan
        # Where a scheme cannot reconstruct at all it has not avoided false positives.
        out[by_length(np.flatnonzero(~np.isnan(estimates))) == 0, 3] = np.nan
        return out

    @cached_property
    def errors(self) -> pd.DataFrame:
        """The errors by itemset length, in percent (FRAPP §7).

        `support_error` is ρ over the itemsets found correctly, as the paper's text defines it,
        `support_error_all` over all truly frequent ones, as its formula does; `false_negatives` is
        σ⁻ and `false_positives` σ⁺. An error over no itemsets is missing, not zero.
        """
        index = pd.RangeIndex(1, self.schema.n_attributes + 1, name="length")
        return pd.DataFrame(self.error_array(), index=index, columns=list(ERRORS))


def mine(
    dataset: Dataset,
    mechanism: str | Mechanism,
    min_support: float = MIN_SUPPORT,
    rng: Seed | None = None,
    prune: bool = True,
    *,
    gamma: float = GAMMA,
    uniforms: np.ndarray | None = None,
    decide: str = "estimate",
    confidence: float | None = None,
) -> MiningRun:
    """Perturb, then Apriori with support reconstruction at the end of every pass (FRAPP §6, §7).

    `mechanism` is a mechanism, or the label of a scheme that is made for `gamma`. With `prune` an
    itemset is looked at only if all its subsets were found; without it every itemset is judged by
    its own estimate. A seed as `rng` and `mechanism.uniforms(len(dataset), seed)` are one luck.

    With a `confidence`, such as 0.95, `run.itemsets` has the ends `low` and `high` of an interval
    for each support. `decide="low"` finds what is surely frequent, whose low end reaches the
    minimum; `decide="high"` all that may be, and loses little.

    >>> from frapp_lab import GammaDiagonal, load_census
    >>> census = load_census()
    >>> run = mine(census, GammaDiagonal(census.schema, 19), min_support=0.02, rng=0)
    >>> run.errors.shape
    (6, 4)
    """
    min_support = check_min_support(min_support)
    check_flag("prune", prune)
    check_dataset(dataset)
    mechanism = make_scheme(mechanism, dataset.schema, gamma)
    if decide not in DECISIONS:
        raise ValueError(f"decide is {decide!r}: choose from {', '.join(DECISIONS)}")
    estimate = mechanism.estimate(mechanism.perturb(dataset.records, rng, uniforms=uniforms))
    decided, ends = estimate, None
    if confidence is not None or decide != "estimate":
        level = 0.95 if confidence is None else confidence
        ends = mechanism.interval(estimate, len(dataset), level)
        decided = dict(zip(DECISIONS, (estimate, *ends), strict=True))[decide]
    if estimate.is_small:
        run = judge(dataset, estimate.array, min_support, prune)
        if ends is None:
            return run
        found = _passes(decided.array, min_support, prune, dataset.schema.n_attributes)
        return replace(run, found=found, interval=(ends[0].array, ends[1].array))
    if not prune:
        raise ValueError(
            f"prune is {prune!r}: the {dataset.schema.n_attributes} attributes have too many "
            "itemsets to look at each, so that only those whose subsets were found can be"
        )
    return _by_level(dataset, estimate, decided, ends, min_support, mechanism.max_length)


def _by_level(
    dataset: Dataset, estimate: Cube, decided: Cube, ends: tuple[Cube, Cube] | None,
    min_support: float, max_length: int,
) -> MiningRun:  # fmt: skip
    """A run over the itemsets that are frequent or were found, for a domain too large to hold."""
    schema, m = dataset.schema, dataset.schema.n_attributes
    frequent = _apriori(dataset.supports, min_support, m)
    found = _apriori(decided, min_support, max_length)
    both = np.concatenate([frequent.codes, found.codes])
    codes, places = np.unique(both, axis=0, return_inverse=True)
    is_frequent, is_found = np.zeros((2, len(codes)), dtype=bool)
    is_frequent[places.ravel()[: len(frequent.codes)]] = True
    is_found[places.ravel()[len(frequent.codes) :]] = True
    truth = _look_up(dataset.supports, codes, m)
    estimates = _look_up(estimate, codes, max_length)
    run = MiningRun(schema, min_support, truth, estimates, is_found, is_frequent, codes)
    if ends is None:
        return run
    low, high = (_look_up(end, codes, max_length) for end in ends)
    return replace(run, interval=(low, high))


def _look_up(cube: Cube, codes: np.ndarray, max_length: int) -> np.ndarray:
    """The numbers of a cube at itemsets, one attribute subset at a time; NaN where too long."""
    out = np.full(len(codes), np.nan)
    subsets, which = np.unique(codes >= 0, axis=0, return_inverse=True)
    for i, present in enumerate(subsets):
        rows = np.flatnonzero(which.ravel() == i)
        if present.sum() <= max_length:
            names = [n for n, there in zip(cube.schema.names, present, strict=True) if there]
            out[rows] = cube[names][tuple(codes[rows][:, present].T)]
    return out


def judge(
    dataset: Dataset, estimates: np.ndarray, min_support: float, prune: bool = True
) -> MiningRun:
    """Apriori on estimated supports, beside the truth: the part of `mine` after the estimation.

    >>> from frapp_lab import load_census
    >>> census = load_census()
    >>> judge(census, census.supports.array, 0.02).errors.to_numpy().max()  # the truth has no error
    np.float64(0.0)
    """
    min_support = check_min_support(min_support)
    check_dataset(dataset)
    supports, m = dataset.supports.array, dataset.schema.n_attributes
    if np.shape(estimates) != supports.shape:
        raise ValueError(
            f"estimates have shape {np.shape(estimates)}: the cube of {dataset.name} has shape "
            f"{supports.shape}, one more than each attribute's size"
        )
    check_flag("prune", prune)
    return MiningRun(
        dataset.schema,
        min_support,
        supports,
        estimates,
        _passes(estimates, min_support, prune, m),
        _passes(supports, min_support, False, m),
    )
