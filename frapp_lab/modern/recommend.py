"""The recommended mechanism: that with the smallest predicted error on data like these."""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass, field

import numpy as np

from frapp_lab._base.checks import check_gamma, check_integer
from frapp_lab._base.later import pd
from frapp_lab._base.random_streams import Seed, generator
from frapp_lab.data.cube import lengths as itemset_lengths
from frapp_lab.data.dataset import Dataset
from frapp_lab.data.schema import Schema
from frapp_lab.mechanisms.counting import CountingMechanism
from frapp_lab.mechanisms.mechanism import Mechanism
from frapp_lab.mechanisms.registry import make_scheme, schemes
from frapp_lab.mining.itemsets import check_min_support
from frapp_lab.mining.mining_run import GAMMA, MIN_SUPPORT
from frapp_lab.mining.predicted_errors import MANY, mean_absolute
from frapp_lab.modern.guessing import guess_chance


@dataclass(frozen=True)
class Recommendation:
    """Name the mechanism with the smallest predicted error, and say what is known about it."""

    scheme: str
    error: float
    """The mean relative error of a support, in percent."""
    model_error: float
    """The part of the error that no number of records takes away, in percent."""
    leak: float
    """The chance that an attacker who knows such data guesses a record from its report."""
    blind: float
    """The chance that such an attacker guesses a record without its report."""
    records_to_halve: float
    """Number of records that would halve the error; infinite if none do."""
    why: str
    """The recommendation in words."""
    table: pd.DataFrame = field(repr=False)
    """All schemes, the best first: error, noise and model_error in percent, and bits a report."""

    def __str__(self) -> str:
        return self.why


def recommend(
    reference: Dataset | Schema,
    n_records: int,
    gamma: float = GAMMA,
    lengths: Iterable[int] | None = None,
    min_support: float = MIN_SUPPORT,
    draws: int = 16,
    rng: Seed = 0,
) -> Recommendation:
    """Recommend the mechanism with the smallest predicted error of frequent itemsets' supports.

    Where estimates are unbiased the error is computed; where there is a model it is measured.
    Schemes that cannot do it, at this γ or for one of the lengths, are not in the table.

    Parameters
    ----------
    reference
        Data that resemble what will be collected, because the error of a model depends on them.
        With a schema alone schemes are ranked by their noise on uniform data, where no model is
        wrong.
    n_records
        The number of records that will be collected.
    gamma
        The amplification to attain, above 1.
    lengths
        The lengths of the itemsets that matter; without it all do.
    min_support
        The least share of the records, above 0.
    draws
        The number of surveys over which a model's error is averaged.
    rng
        A seed or a generator for these surveys.

    Returns
    -------
    Recommendation
        The scheme, its error, why, and a table of all schemes.

    Examples
    --------
    >>> from frapp_lab import load_census
    >>> found = recommend(load_census(), 50_000, gamma=19)
    >>> found.scheme, found.table.index[-1]
    ('PAIR', 'MASK')
    """
    n = check_integer("n_records", n_records, 2, 10**15, "their reports are counted")
    gamma = check_gamma(gamma)
    check_min_support(min_support)
    check_integer("draws", draws, 1, np.inf, "the error of a model is measured by trying")
    blank = isinstance(reference, Schema)
    if not isinstance(reference, Dataset | Schema):
        raise TypeError(
            f"reference is a {type(reference).__name__}: give a Dataset that resembles what will "
            "be collected, or at least a Schema"
        )
    data = _uniform(reference) if isinstance(reference, Schema) else reference
    kinds = itemset_lengths(data.schema.sizes)
    every = range(1, data.schema.n_attributes + 1)
    asked = [
        data.schema.check_length(k, "lengths") for k in (every if lengths is None else lengths)
    ]
    supports = data.supports.array
    wanted = np.isin(kinds, asked) & ((supports >= min_support) | blank) & (supports > 0)
    if not wanted.any():
        raise ValueError(
            f"no itemset of the lengths {asked} has a support of {min_support:g} in the reference: "
            "choose a smaller min_support or other lengths, because errors are relative to supports"
        )
    counts, source = scaled(data.counts, n), generator(rng)
    rows = {}
    for label in schemes(modern=True):
        try:
            mechanism = make_scheme(label, data.schema, gamma)
            rows[label] = _errors(data, mechanism, wanted, n, counts, draws, source)
        except ValueError:  # this γ or this domain is not for this scheme
            continue
    table = pd.DataFrame.from_dict(rows, "index").dropna().rename_axis("scheme")
    # Schemes of one law have one error: then the shorter report is better.
    table = table.assign(tie=table["error"].round(6)).sort_values(["tie", "bits"], kind="stable")
    table = table.drop(columns="tie")
    return _said(data, table, wanted, n, gamma, blank, source)


def _errors(
    data: Dataset,
    mechanism: Mechanism,
    wanted: np.ndarray,
    n: int,
    counts: np.ndarray,
    draws: int,
    rng: np.random.Generator,
) -> dict[str, float]:
    """Predict a scheme's error for the recommendation, and the part of it that is the model's."""
    share = data.supports.array[wanted]

    def percent(errors: np.ndarray) -> float:
        return 100 * float((errors / share).mean())

    if mechanism.model and isinstance(mechanism, CountingMechanism):
        bias = abs(mechanism.limit(data.supports).array[wanted] - share)
        found = [
            percent(abs(mechanism.estimate_counts(drawn).array[wanted] - share))
            for drawn in (mechanism.perturb_counts(counts, rng) for _ in range(draws))
        ]
        error, floor = float(np.mean(found)), percent(bias)
        noise = math.sqrt(max(error**2 - floor**2, 0))
    else:
        deviation = mechanism.standard_deviation(data.supports, n).array[wanted]
        error = noise = percent(deviation) * math.sqrt(2 / math.pi)
        floor = 0.0
    bits = mechanism.bits_per_report
    return {"error": error, "noise": noise, "model_error": floor, "bits": bits}


def _said(
    data: Dataset,
    table: pd.DataFrame,
    wanted: np.ndarray,
    n: int,
    gamma: float,
    blank: bool,
    rng: np.random.Generator,
) -> Recommendation:
    """Put the recommendation, the best scheme of a table, into words."""
    best = str(table.index[0])
    mechanism = make_scheme(best, data.schema, gamma)
    error, floor = float(table["error"].iloc[0]), float(table["model_error"].iloc[0])
    behind = table[table["error"] > error * (1 + 1e-9)]  # some schemes have one law
    halve = _records_to_halve(data, mechanism, wanted, n, error, floor)
    guess = guess_chance(data, mechanism, rng=rng)
    if blank:
        why = (
            f"{best} has the least noise: {error:.3g} % on data where all cells are equally "
            f"likely. Nothing is known of the data, so that the error of a model is left out; "
            "give a data set that resembles what will be collected."
        )
    else:
        why = (
            f"{best} has the smallest predicted error, {error:.3g} % of a support on average"
            + "".join(f"; {s} has {e:.3g} %" for s, e in behind["error"][:1].items())
            + "."
        )
    if mechanism.model and blank:
        why += f" It takes for granted that {mechanism.model}."
    elif mechanism.model:
        why += (
            f" It takes for granted that {mechanism.model}, which alone makes {floor:.3g} % here; "
            "the rest is noise."
        )
    else:
        why += " It takes nothing for granted about the data: all of that is noise."
    many = f"{halve:,.0f}" if halve < 1e15 else f"{halve:.3g}"
    more = f"{many} records would halve it."
    if halve == math.inf:
        more = "No number of records would halve it: then a scheme that assumes less is better."
    why += (
        f" {more} From a report at γ = {gamma:g} an attacker who knows such data guesses "
        f"{100 * guess.chance:.3g} % of the records, without it {100 * guess.blind:.3g} %."
    )
    return Recommendation(best, error, floor, guess.chance, guess.blind, halve, why, table)


def _records_to_halve(
    data: Dataset, mechanism: Mechanism, wanted: np.ndarray, n: int, error: float, floor: float
) -> float:
    """Find the number of records at which the recommended scheme's error is half of that with n."""
    if not mechanism.model:
        return 4.0 * n
    if floor >= error / 2:
        return math.inf
    from scipy.optimize import brentq  # not at the top: it takes 0.2 s to load

    share = data.supports.array[wanted]
    bias = mechanism.limit(data.supports).array[wanted] - share
    deviation = mechanism.standard_deviation(data.supports, 1).array[wanted]

    def excess(log_n: float) -> float:
        errors = mean_absolute(bias, deviation / math.exp(log_n / 2)) / share
        return 100 * float(errors.mean()) - error / 2

    most = MANY if excess(MANY) < 0 else 700.0  # e^700 is near the largest number of a computer
    return math.exp(brentq(excess, 0.0, most))


def _uniform(schema: Schema) -> Dataset:
    return Dataset.from_counts(schema, np.ones(schema.sizes, dtype=np.int64), "uniform")


def scaled(counts: np.ndarray, n: int) -> np.ndarray:
    """Scale a recommendation's reference counts to the total n, as nearly as whole numbers can be.

    >>> scaled(np.array([1, 2]), 10)
    array([3, 7])
    """
    exact = counts / counts.sum() * n
    out = np.floor(exact).astype(np.int64)
    missing = n - int(out.sum())
    out.flat[np.argsort((out - exact).ravel(), kind="stable")[:missing]] += 1
    return out
