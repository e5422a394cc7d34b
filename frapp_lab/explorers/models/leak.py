"""What one report gives away: how often an attacker guesses a record from it."""

from __future__ import annotations

import functools

import numpy as np

from frapp_lab._base.random_streams import stream
from frapp_lab.explorers.models.cache import remember
from frapp_lab.explorers.models.data import Data
from frapp_lab.explorers.models.mining_runs import made
from frapp_lab.mechanisms.gamma_diagonal import GammaDiagonal
from frapp_lab.mechanisms.independent import IndependentColumns
from frapp_lab.mechanisms.mechanism import Mechanism
from frapp_lab.modern.hadamard import HadamardResponse
from frapp_lab.modern.marginals import MarginalMechanism
from frapp_lab.modern.subset_selection import SubsetSelection
from frapp_lab.modern.support_sets import IndependentBits

SUPPORTING = (IndependentBits, SubsetSelection, HadamardResponse, MarginalMechanism)
OURS = Mechanism.__module__.partition(".")[0] + "."
"""Where schemes are whose law is known."""
PEOPLE = 200
"""Number of people who are guessed where the leak can only be found by trying."""
FEW = 24
"""Number of the likeliest cells of a Hadamard block that are looked at before all others."""


@functools.lru_cache(maxsize=4096)
def leak(data: Data, kind: type[Mechanism], gamma: float) -> float:
    """Give how often the likeliest record is the right one: the mean of max p(u)·P(report | u).

    Most schemes have two chances: a report is γ times as likely from records that it *supports*.
    Then the best guess is the likeliest record that is supported, or else the likeliest of all.
    """
    mechanism, prior = made(data, kind, gamma), _prior(data)
    if not is_known(kind):
        return tried(data, mechanism)
    flat = np.sort(prior.ravel())[::-1]
    n, top = len(flat), flat[0]
    if isinstance(mechanism, IndependentBits):
        # The likeliest supported record is the jth likeliest, if it is in and those before are not.
        p, q = mechanism.p, mechanism.q
        first = q * (1 - q) ** np.arange(n)
        ratio = p * (1 - q) / (q * (1 - p))
        mean = float(first @ np.maximum(ratio * flat, top)) + (1 - q) ** n * top
        return float((1 - p) / (1 - q) * mean)
    if isinstance(mechanism, SubsetSelection):
        # Of d cells drawn from n the first is the jth: so many of those before are left out.
        d, before = mechanism.d, np.arange(n)
        left = np.maximum((n - d - before) / (n - before), 0)
        first = np.append(1.0, left.cumprod()[:-1]) * (1 - left)
        return n / (gamma * d + n - d) * float(first @ np.maximum(gamma * flat, top))
    if isinstance(mechanism, HadamardResponse):
        likeliest = _likeliest(data, mechanism.blocks)
        return float(np.maximum(gamma * likeliest, top).sum()) / mechanism.shares
    if isinstance(mechanism, MarginalMechanism):
        axes = range(prior.ndim)
        told = [prior.max(axis=tuple({*axes} - {*table})) for table in mechanism.told]
        return float(np.mean([_diagonal(likeliest, gamma, top) for likeliest in told]))
    if isinstance(mechanism, GammaDiagonal):  # RAN-GD's reports have the same law
        return _diagonal(flat, gamma, top)
    assert isinstance(mechanism, IndependentColumns)
    # One column after the other: the report's own value, or the likeliest of all.
    best = prior
    for j, column in enumerate(mechanism.columns):
        most = best.max(axis=j, keepdims=True)
        best = column.x * np.maximum(column.gamma * best, most)
    return float(best.sum())


def _diagonal(likeliest: np.ndarray, gamma: float, top: float) -> float:
    """Give the leak of a report under a γ-diagonal matrix over these cells."""
    return float(np.maximum(gamma * likeliest, top).sum()) / (gamma + likeliest.size - 1)


def is_known(kind: type[Mechanism]) -> bool:
    """Tell whether a scheme's leak is known in closed form: a relative may do something else."""
    ours = kind.__module__.startswith(OURS)
    return ours and issubclass(kind, (*SUPPORTING, GammaDiagonal, IndependentColumns))


def tried(data: Data, mechanism: Mechanism) -> float:
    """Find the leak by trying: the blind guess, and what a report adds to it on average.

    The mean belief in the likeliest record of all is known; so only what is above it is drawn.
    """
    source, loaded = stream(0, "guesses"), data.load()
    records = loaded.records[source.choice(len(loaded), PEOPLE)]
    prior = _prior(data).ravel()
    there = np.flatnonzero(prior)  # no other record can be the right one
    top = int(prior[there].argmax())
    weight = mechanism.log_likelihood(mechanism.perturb(records, source))[:, there]
    weight += np.log(prior[there])
    weight -= weight.max(axis=1, keepdims=True)
    np.exp(weight, out=weight)
    return float(prior.max() + ((1 - weight[:, top]) / weight.sum(axis=1)).mean())


@remember(max_bytes=4e6)
def _prior(data: Data) -> np.ndarray:
    """Give what an attacker knows of records before a report leaks anything."""
    return data.load().counts / len(data.load())


@remember(max_bytes=4e6)
def _likeliest(data: Data, blocks: int) -> np.ndarray:
    """Give for the leak of each Hadamard report the chance of the likeliest record it supports."""
    mechanism = HadamardResponse(data.load().schema, 2 * blocks)  # which has so many blocks
    size, prior = mechanism.block_size, _prior(data).ravel()
    cells = np.zeros((blocks, size - 1))  # a block's first row is no cell's
    cells.ravel()[: len(prior)] = prior
    # A report supports half of its block's cells: so one of the likeliest few is among them.
    first = np.argsort(-cells, axis=1)[:, :FEW]
    held = np.bitwise_count((first + 1)[:, None, :] & np.arange(size)[:, None]) % 2 == 0
    likeliest = np.where(held, np.take_along_axis(cells, first, axis=1)[:, None], 0).max(axis=2)
    for column in np.flatnonzero(~held.any(axis=2)):
        likeliest.ravel()[column] = prior[mechanism.supported([[column]])[0]].max(initial=0)
    return likeliest.ravel()
