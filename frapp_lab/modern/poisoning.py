"""Poisoned surveys: what a few liars with reports of their choice do to an estimate."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from frapp_lab._base.checks import check_number
from frapp_lab.data.dataset import Dataset, check_dataset
from frapp_lab.mechanisms.counting import CountingMechanism
from frapp_lab.mechanisms.lies import Liars
from frapp_lab.mechanisms.mechanism import Mechanism
from frapp_lab.mechanisms.registry import make_scheme
from frapp_lab.mining.mining_run import GAMMA

MANY = 10**12
"""Number of reports at which what comes is nearly what is expected."""


def poison_lift(
    dataset: Dataset,
    mechanism: str | Mechanism,
    itemset: Mapping[str, str],
    share: float = 0.01,
    gamma: float = GAMMA,
    unnoticed: bool = False,
) -> float:
    """Compute how much an itemset's estimated support rises if a share of the reports is made up.

    Liars know the true supports and send what `mechanism.craft` makes. For schemes with a model
    that is the best that a search finds: a strategy, and not a bound on what liars can do.
    A liar gains up to 1/(γ − 1)x, the condition number, under DET-GD: one report stands for many.
    Divide by `share` for the gain of a single one. The number is what is to be expected.
    `unnoticed` liars keep to the number of ones that an honest report has (Cao et al. 2021).

    >>> from frapp_lab import load_census
    >>> census = load_census()
    >>> one = dict(zip(census.schema.names, census.schema.values(0)))
    >>> [round(100 * poison_lift(census, s, one), 1) for s in ("DET-GD", "OUE")]
    [112.1, 2.1]
    """
    mechanism = make_scheme(mechanism, check_dataset(dataset).schema, gamma)
    share = check_number("share", share, "[0, 1)", "somebody is honest")
    liars = Liars(share, dataset.supports, unnoticed)
    codes = codes_of(dataset, itemset)
    place = tuple(codes)
    honest = float(mechanism.limit(dataset.supports).array[place])
    if not mechanism.model:
        # The estimate is a mean over reports, so that one report says what each is worth.
        worth = float(mechanism.estimate(mechanism.craft(codes, 1, liars)).array[place])
        return share * (worth - honest)
    if not isinstance(mechanism, CountingMechanism):
        raise TypeError(
            f"{mechanism.label} has a model and its reports are no records, so that what liars do "
            "to it cannot be worked out from expected counts"
        )
    expected = mechanism.apply(dataset.counts) / len(dataset)
    lies = mechanism.reports.counts(mechanism.craft(codes, 1000, liars)) / 1000
    mixed = np.rint(MANY * ((1 - share) * expected + share * lies)).astype(np.int64)
    return float(mechanism.estimate_counts(mixed).array[place]) - honest


def codes_of(dataset: Dataset, itemset: Mapping[str, str]) -> np.ndarray:
    """Give the codes of the itemset that liars lift, from names and categories; −1 is "any value".

    >>> from frapp_lab import Schema
    >>> codes_of(Dataset(Schema.of_sizes(2, 3), [[0, 1]]), {"a2": "1"})
    array([-1,  1])
    """
    codes = np.full(dataset.schema.n_attributes, -1)
    for name, value in itemset.items():
        j = dataset.schema.positions(name)[0]
        categories = dataset.schema.attributes[j].categories
        if value not in categories:
            raise ValueError(
                f"itemset says {name}={value!r}, which is no category of it: choose from "
                f"{', '.join(categories)}"
            )
        codes[j] = categories.index(value)
    if not len(itemset):
        raise ValueError("itemset is empty: name at least one attribute and its value")
    return codes
