"""Runs of mining that several models share.

What is costly is remembered, so that moving one control computes only what depends on it. The luck
is that of `mine(…, rng=seed)`: another γ, α or minimum support moves the same draws.
"""

from __future__ import annotations

import functools

import numpy as np

from frapp_lab._base.random_streams import blocks
from frapp_lab.explorers.models.cache import remember
from frapp_lab.explorers.models.data import Data
from frapp_lab.mechanisms.mechanism import Mechanism
from frapp_lab.mechanisms.registry import make_scheme, options_of, scheme_class
from frapp_lab.mining.mining_run import MiningRun, judge

Scheme = str | Mechanism
"""The label of a registered scheme, or a mechanism."""

DRAWS = 40
"""The number of draws that a band is made of."""


def label_of(scheme: Scheme) -> str:
    """Give what the scheme of an explorer's mining runs is called."""
    return scheme if isinstance(scheme, str) else scheme.label


def simulate(
    data: Data,
    scheme: Scheme,
    gamma: float,
    alpha_share: float,
    min_support: float,
    seed: int,
    prune: bool = True,
) -> MiningRun:
    """Run mining once for an explorer, on the random numbers that belong to the seed."""
    estimates = _estimates(data, seed, *source_of(scheme, gamma, alpha_share))
    return judge(data.load(), estimates, min_support, prune)


def source_of(scheme: Scheme, gamma: float, alpha_share: float) -> tuple:
    """Give what an explorer's mining runs make a mechanism from: results are remembered by it.

    It holds a class and not its label, because a label can be given to another class.
    """
    if isinstance(scheme, Mechanism):
        return scheme, None, None
    knows_alpha = "alpha_share" in options_of(scheme)
    return scheme_class(scheme), gamma, alpha_share if knows_alpha else None


@functools.lru_cache(maxsize=256)
def made(data: Data, source: Mechanism | type[Mechanism], *setting: float | None) -> Mechanism:
    """Make the mechanism of explorers' mining runs from its source: a class, γ, α as a share."""
    scheme = source if isinstance(source, Mechanism) else source.label
    options = zip(("gamma", "alpha_share"), setting, strict=False)
    return make_scheme(scheme, data.load().schema, **{k: v for k, v in options if v is not None})


@remember(max_bytes=36e6, hold=5)
def _uniforms(n_records: int, luck: tuple[tuple[str, int], ...], seed: int) -> np.ndarray:
    """Draw the uniforms of explorers' mining runs of this luck: they do not depend on γ, α or p."""
    return np.concatenate(list(blocks(seed, dict(luck), n_records)))


@remember(max_bytes=16e6)
def _estimates(data: Data, seed: int, *source: object) -> np.ndarray:
    mechanism, loaded = made(data, *source), data.load()
    uniforms = _uniforms(len(loaded), tuple(mechanism.luck.items()), seed)
    return mechanism.estimate(mechanism.perturb(loaded.records, uniforms=uniforms)).array
