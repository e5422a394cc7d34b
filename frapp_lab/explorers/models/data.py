"""Which data, and how finely cut: a setting that can be compared and remembered."""

from __future__ import annotations

import functools
from collections.abc import Callable, Mapping
from dataclasses import dataclass

from frapp_lab.data.census import load_census
from frapp_lab.data.dataset import Dataset
from frapp_lab.data.health import load_health

LOADERS: dict[str, Callable[..., Dataset]] = {"CENSUS": load_census, "HEALTH": load_health}
FINER = {"CENSUS": {"age": 8, "fnlwgt": 8, "hours-per-week": 8}, "HEALTH": {}}
"""Attributes that can have more categories than in the paper."""


@dataclass(frozen=True)
class Data:
    """A data set of the paper with domain sizes that differ from the paper's; 1 is left out.

    >>> Data("CENSUS", (("age", 8),)).load().schema.sizes
    (8, 5, 5, 5, 2, 2)
    """

    name: str = "CENSUS"
    sizes: tuple[tuple[str, int], ...] = ()

    @classmethod
    def of(cls, name: str, sizes: Mapping[str, int]) -> Data:
        """Take sizes of attributes as an explorer sets them; those of the paper go without saying.

        >>> Data.of("CENSUS", {"age": 4, "fnlwgt": 2})
        Data(name='CENSUS', sizes=(('fnlwgt', 2),))
        """
        paper = {attribute: size for attribute, size, _ in attributes(name)}
        return cls(name, tuple((a, size) for a, size in sizes.items() if size != paper[a]))

    def load(self) -> Dataset:
        return _load(self)


@functools.lru_cache(maxsize=8)
def _load(data: Data) -> Dataset:
    return LOADERS[data.name](bins=dict(data.sizes))


@functools.cache
def attributes(name: str) -> tuple[tuple[str, int, int], ...]:
    """Give each attribute of an explorer's data, the paper's size and the largest to be had."""
    paper = Data(name).load().schema.attributes
    return tuple((a.name, a.size, FINER[name].get(a.name, a.size)) for a in paper)
