"""What the mining explorers share: data, stored random numbers, and one run of a scheme.

All functions are pure: the same arguments give the same numbers. What is costly is remembered, so
that moving one control computes only what depends on it.
"""

from __future__ import annotations

import functools
from collections.abc import Callable, Iterable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from typing import TypeVar

import numpy as np

from frapp_lab.datasets import Dataset, load_census, load_health
from frapp_lab.explorers import parts
from frapp_lab.explorers.parts import Control
from frapp_lab.luck import blocks
from frapp_lab.mechanisms.base import make_scheme
from frapp_lab.mining import MiningRun, judge

Outcome = TypeVar("Outcome")

PAPER_SIZES = {
    "CENSUS": {"age": 4, "fnlwgt": 5, "hours-per-week": 5},
    "HEALTH": {"AGE": 5, "BDDAY12": 5, "DV12": 5},
}
"""The attributes whose domain size can be changed, with the sizes of the paper."""


@dataclass(frozen=True)
class Data:
    """Which data, with which domain sizes: hashable, so that results can be remembered."""

    name: str = "CENSUS"
    sizes: tuple[tuple[str, int], ...] = ()

    def load(self) -> Dataset:
        """The data set; the paper's own bins where the size is the paper's."""
        return _load(self)


@functools.lru_cache(maxsize=16)
def _load(data: Data) -> Dataset:
    paper = PAPER_SIZES[data.name]
    changed = {name: size for name, size in data.sizes if size != paper[name]}
    if data.name == "CENSUS":
        return load_census(bins=changed)
    return load_health(bins=changed)


def data_controls() -> list[Control]:
    """The data set and, for each of its numeric attributes, the domain size."""
    name = parts.choice(
        "data", "data set", [("CENSUS", "CENSUS"), ("HEALTH (synthetic)", "HEALTH")], "CENSUS",
        "CENSUS is real; HEALTH is a synthetic stand-in",
    )  # fmt: skip
    made, views = [name], {}
    for owner, sizes in PAPER_SIZES.items():
        for attribute, size in sizes.items():
            high = 8 if owner == "CENSUS" else size
            made.append(
                parts.slider(
                    attribute,
                    f"values of {attribute}",
                    size,
                    2,
                    high,
                    1,
                    f"how many categories {attribute} has: the domain grows with each",
                )
            )
            views[attribute] = made[-1].view

    def show(_: object = None) -> None:
        for owner, sizes in PAPER_SIZES.items():
            for attribute in sizes:
                views[attribute].layout.display = "" if owner == name.main.value else "none"

    name.main.observe(show, "value")
    show()
    return made


def chosen_data(value: object) -> Data:
    """What the data controls say; `value` is an explorer's way to read a control."""
    name = value("data")
    return Data(name, tuple((attribute, value(attribute)) for attribute in PAPER_SIZES[name]))


@functools.lru_cache(maxsize=8)
def _uniforms(n_records: int, luck: tuple[tuple[str, int], ...], seed: int) -> np.ndarray:
    """The uniforms of a mechanism with such luck, kept: they do not depend on γ, α or p."""
    return np.concatenate(list(blocks(seed, dict(luck), n_records)))


@functools.lru_cache(maxsize=64)
def _estimates(data: Data, scheme: str, gamma: float, alpha_share: float, seed: int) -> np.ndarray:
    loaded = data.load()
    mechanism = make_scheme(scheme, loaded.schema, gamma, alpha_share=alpha_share)
    uniforms = _uniforms(len(loaded), tuple(mechanism.luck.items()), seed)
    return mechanism.estimate(mechanism.perturb(loaded.records, uniforms=uniforms)).array


def simulate(
    data: Data,
    scheme: str,
    gamma: float,
    alpha_share: float,
    min_support: float,
    seed: int,
    prune: bool = True,
) -> MiningRun:
    """One mining run on the random numbers that belong to the seed.

    A change of γ, α or the minimum support re-thresholds the same numbers.
    """
    share = alpha_share if scheme == "RAN-GD" else 0.5  # it concerns no other scheme
    estimates = _estimates(data, scheme, gamma, share, seed)
    return judge(data.load(), estimates, min_support, prune)


_pool = ThreadPoolExecutor(2)


def for_schemes(schemes: Iterable[str], run: Callable[[str], Outcome]) -> dict[str, Outcome]:
    """`run` for each scheme, two at a time: numpy leaves the interpreter free meanwhile."""
    schemes = list(schemes)
    # The slowest are the last in the catalogue, and begin first.
    done = dict(zip(schemes[::-1], _pool.map(run, schemes[::-1]), strict=True))
    return {scheme: done[scheme] for scheme in schemes}
