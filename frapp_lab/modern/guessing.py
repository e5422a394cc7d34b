"""How often an attacker who knows the joint counts guesses a record from its reports.

γ bounds the worst that one report can do. Two schemes with one γ may yet differ in what reports
tell most of the time, and in what several fresh reports of one person tell together.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from frapp_lab._base.checks import check_integer
from frapp_lab._base.random_streams import Seed, generator
from frapp_lab.data.dataset import Dataset, check_dataset
from frapp_lab.mechanisms.mechanism import MAX_ENTRIES, Mechanism
from frapp_lab.mechanisms.registry import make_scheme
from frapp_lab.mining.mining_run import GAMMA

MOST = 10_000
"""Largest number of reports of one person: on CENSUS that takes some minutes."""

ROOM = 2**23
"""Largest number of reports times cells that are weighed at a time."""


@dataclass(frozen=True)
class Guess:
    """Hold an attacker's success."""

    chance: float
    """The chance that the whole record is guessed."""
    error: float
    """The standard error of `chance`: 0 where it is exact."""
    blind: float
    """The chance that the record is guessed without any report."""


def guess_chance(
    dataset: Dataset,
    mechanism: str | Mechanism,
    n_reports: int = 1,
    draws: int = 4000,
    rng: Seed = 0,
    gamma: float = GAMMA,
) -> Guess:
    """Compute the chance that the best guess is right, after some fresh reports of one person.

    The attacker knows how many records of each kind there are, and the mechanism. Exact for small
    domains; else a mean over `draws` people of how sure the attacker is.

    >>> from frapp_lab import Schema
    >>> coins = Dataset(Schema.of_sizes(2), [[0], [1]])
    >>> guess_chance(coins, "DET-GD", gamma=3).chance, guess_chance(coins, "DET-GD", gamma=3).blind
    (0.75, 0.5)
    """
    mechanism = make_scheme(mechanism, check_dataset(dataset).schema, gamma)
    why = "without a report the guess is blind, and each is drawn and weighed by itself"
    check_integer("n_reports", n_reports, 1, MOST, why)
    check_integer("draws", draws, 2, np.inf, "a mean and its error need two people")
    prior = dataset.counts.ravel() / len(dataset)
    cells = len(prior)
    if (matrix := _matrix(mechanism, n_reports)) is not None:
        joint = prior[None]
        for _ in range(n_reports):
            joint = (joint[:, None, :] * matrix).reshape(-1, cells)
        return Guess(float(joint.max(axis=1).sum()), 0.0, float(prior.max()))
    source, sure = generator(rng), []
    with np.errstate(divide="ignore"):
        known = np.log(prior)
    step = max(1, ROOM // cells)
    for start in range(0, draws, step):
        people = source.choice(len(dataset), min(step, draws - start))
        records = dataset.records[people]
        weight = np.tile(known, (len(people), 1))
        for _ in range(n_reports):
            weight += mechanism.log_likelihood(mechanism.perturb(records, source))
        # The posterior of the likeliest cell, with all weights taken from it first.
        weight -= weight.max(axis=1, keepdims=True)
        sure.append(1 / np.exp(weight).sum(axis=1))
    found = np.concatenate(sure)
    return Guess(
        float(found.mean()), float(found.std(ddof=1) / math.sqrt(draws)), float(prior.max())
    )


def _matrix(mechanism: Mechanism, n_reports: int) -> np.ndarray | None:
    """Build the matrix for an exact chance of a guess, if that of all reports can be held."""
    room = math.log(MAX_ENTRIES)
    n_cells = math.log(mechanism.schema.n_cells)
    if (n_reports + 1) * n_cells > room:
        return None
    try:
        matrix = mechanism.matrix()
    except ValueError:  # too large
        return None
    return matrix if n_reports * math.log(len(matrix)) + n_cells <= room else None
