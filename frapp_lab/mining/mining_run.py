"""Mining perturbed data: a run of Apriori on estimated supports, and its errors (FRAPP §6, §7)."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from functools import cached_property

import numpy as np

from frapp_lab._base.checks import check_flag
from frapp_lab._base.later import pd
from frapp_lab._base.random_streams import Seed
from frapp_lab.data.cube import Cube, lengths
from frapp_lab.data.dataset import Dataset, check_dataset
from frapp_lab.data.schema import Schema
from frapp_lab.mechanisms.mechanism import Mechanism
from frapp_lab.mechanisms.registry import make_scheme
from frapp_lab.mining.itemsets import Itemsets, apriori, check_min_support, codes_of, frequent_cells

ERRORS = ("support_error", "support_error_all", "false_negatives", "false_positives")
"""Columns of a table of errors, all in percent."""

GAMMA, MIN_SUPPORT = 19.0, 0.02
"""The paper's setting: (ρ₁, ρ₂) = (5 %, 50 %), so γ = 19, and a minimum support of 2 %."""

DECISIONS = ("estimate", "low", "high")
"""Numbers that may have to reach the minimum support for an itemset to be found: see `mine`."""


@dataclass(frozen=True, eq=False)
class MiningRun:
    """Hold one run of Apriori on perturbed data: what was estimated and found, and the errors.

    Its arrays are like `Cube.array`, or, where that is too large, have an entry for each itemset
    that is frequent or was found.

    Parameters
    ----------
    schema
        The attributes.
    min_support
        The minimum support that was asked for.
    supports
        The true supports.
    estimates
        The reconstructed supports; NaN where the scheme cannot reconstruct.
    found
        Which itemsets were found to be frequent, R in the paper.
    frequent
        Which itemsets truly are frequent, F in the paper.
    codes
        Which itemsets the entries are, where the arrays are not like `Cube.array`.
    interval
        The lower and upper ends of each support's interval, if they were asked for.

    Examples
    --------
    >>> from frapp_lab import load_census
    >>> run = mine(load_census(), "IND-RR", min_support=0.02, rng=0)
    >>> len(run.itemsets) + len(run.lost) - len(run.invented)  # all that are truly frequent
    563
    """

    schema: Schema
    min_support: float
    supports: np.ndarray = field(repr=False)
    estimates: np.ndarray = field(repr=False)
    found: np.ndarray = field(repr=False)
    frequent: np.ndarray = field(repr=False)
    codes: np.ndarray | None = field(default=None, repr=False)
    interval: tuple[np.ndarray, np.ndarray] | None = field(default=None, repr=False)

    def chosen(self, which: np.ndarray, supports: np.ndarray) -> Itemsets:
        """Give some of the run's itemsets, with these supports."""
        cells = np.flatnonzero(which)
        codes = codes_of(self.schema, cells) if self.codes is None else self.codes[cells]
        return Itemsets(self.schema, codes, supports.ravel()[cells])

    @cached_property
    def itemsets(self) -> pd.DataFrame:
        """List the itemsets found, with reconstructed supports, and intervals if asked for."""
        frame = self.chosen(self.found, self.estimates).frame()
        for name, ends in zip(("low", "high"), self.interval or (), strict=False):
            frame[name] = self.chosen(self.found, ends).frame()["support"]
        return frame

    def changed(self, how: str) -> Itemsets:
        """Give the itemsets "lost" (with true supports) or "invented" (with estimated ones)."""
        if how == "lost":
            return self.chosen(self.frequent & ~self.found, self.supports)
        if how == "invented":
            return self.chosen(self.found & ~self.frequent, self.estimates)
        raise ValueError(f'how is {how!r}: itemsets are either "lost" or "invented"')

    @cached_property
    def lost(self) -> pd.DataFrame:
        """List the truly frequent itemsets that were not found, with their true supports."""
        return self.changed("lost").frame()

    @cached_property
    def invented(self) -> pd.DataFrame:
        """List the itemsets found that are not frequent, with their reconstructed supports."""
        return self.changed("invented").frame()

    def error_array(self) -> np.ndarray:
        """Compute the errors: a row for each length 1 … M and a column for each of `ERRORS`."""
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
        """Tabulate the errors by itemset length, in percent (FRAPP §7).

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
    """Perturb, then run Apriori with support reconstruction at every pass (FRAPP §6, §7).

    Parameters
    ----------
    dataset
        The clean data, which are perturbed, and beside which the run is judged.
    mechanism
        A mechanism, or the label of a scheme that is made for `gamma`.
    min_support
        The least share of the records, above 0.
    rng
        A seed or a generator; give either this or `uniforms`.
    prune
        Whether an itemset is looked at only if all its subsets were found; without it every
        itemset is judged by its own estimate.
    gamma
        The amplification to attain, if `mechanism` is a label.
    uniforms
        The luck itself: a seed as `rng` is `mechanism.uniforms(len(dataset), seed)`.
    decide
        Which number must reach the minimum: the "estimate"; the "low" end of its interval, which
        finds what is surely frequent; or the "high" end, which loses little.
    confidence
        The confidence of the interval, such as 0.95, whose ends `run.itemsets` then has as `low`
        and `high`.

    Returns
    -------
    MiningRun
        What was found, lost and invented, and the errors.

    Examples
    --------
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
        found = frequent_cells(decided.array, min_support, prune, dataset.schema.n_attributes)
        return replace(run, found=found, interval=(ends[0].array, ends[1].array))
    if not prune:
        raise ValueError(
            f"prune is {prune!r}: the {dataset.schema.n_attributes} attributes have too many "
            "itemsets to look at each, so that only those whose subsets were found can be"
        )
    return _by_level(dataset, estimate, decided, ends, min_support, mechanism.max_length)


def _by_level(
    dataset: Dataset,
    estimate: Cube,
    decided: Cube,
    ends: tuple[Cube, Cube] | None,
    min_support: float,
    max_length: int,
) -> MiningRun:
    """Make a mining run over what is frequent or was found, for a domain too large to hold."""
    schema, m = dataset.schema, dataset.schema.n_attributes
    frequent = apriori(dataset.supports, min_support, m)
    found = apriori(decided, min_support, max_length)
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
    """Look up for a mining run a cube's numbers at itemsets, by subsets; NaN where too long."""
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
    """Run Apriori on estimated supports, beside the truth: the part of `mine` after estimation."""
    min_support = check_min_support(min_support)
    check_dataset(dataset)
    supports, m = dataset.supports.array, dataset.schema.n_attributes
    if np.shape(estimates) != supports.shape:
        raise ValueError(
            f"estimates have shape {np.shape(estimates)}: the cube of {dataset.name} has shape "
            f"{supports.shape}, one more than each attribute's size"
        )
    check_flag("prune", prune)
    found = frequent_cells(estimates, min_support, prune, m)
    frequent = frequent_cells(supports, min_support, False, m)
    return MiningRun(dataset.schema, min_support, supports, estimates, found, frequent)
