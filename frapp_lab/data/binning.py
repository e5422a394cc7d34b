"""Domain sizes: intervals that cut a numeric column, and categories that are merged."""

from __future__ import annotations

import itertools
from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from frapp_lab._base.checks import check_integer, shown
from frapp_lab.data import nhis
from frapp_lab.data.attribute import Attribute
from frapp_lab.data.dataset import Dataset
from frapp_lab.data.schema import Schema


@dataclass(frozen=True)
class Bins:
    """Cut an attribute into intervals between rising edges, closed on the right or on the left.

    >>> Bins((15, 35, 55, np.inf)).labels
    ('(15,35]', '(35,55]', '>55')
    >>> Bins((0, 20, 40, np.inf), closed="left").labels
    ('[0,20)', '[20,40)', '>=40')
    """

    edges: tuple[float, ...]
    closed: str = "right"
    name: str = "bins"

    def __post_init__(self) -> None:
        rising = np.ndim(self.edges) == 1 and all(a < b for a, b in itertools.pairwise(self.edges))
        if not rising or len(self.edges) < 3:
            raise ValueError(
                f"bins for {self.name!r} have the edges {list(self.edges)}: give at least three "
                "rising numbers, because an attribute needs two intervals or more"
            )

    @property
    def labels(self) -> tuple[str, ...]:
        """Name the intervals, in order."""
        right = self.closed == "right"
        first, last = "(]" if right else "[)"
        # Six digits, or as many as tell all edges apart; 15.0 reads as 15.
        edges = next(e for e in map(self._edges, range(6, 18)) if len({*e}) == len(e))
        names = [f"{first}{low},{high}{last}" for low, high in itertools.pairwise(edges)]
        if np.isinf(self.edges[-1]):
            names[-1] = f"{'>' if right else '>='}{edges[-2]}"
        return tuple(names)

    def _edges(self, digits: int) -> list[str]:
        return [
            np.format_float_positional(e, precision=digits, fractional=False, trim="-")
            for e in self.edges
        ]

    def codes(self, values: np.ndarray) -> np.ndarray:
        """Find the interval of each value; refuse a value outside all of them.

        >>> Bins((15, 35, 55)).codes(np.array([16, 35, 36]))
        array([0, 0, 1])
        """
        codes = np.searchsorted(self.edges, values, "left" if self.closed == "right" else "right")
        codes = codes - 1
        outside = np.flatnonzero((codes < 0) | (codes >= len(self.edges) - 1))
        if len(outside):
            row = outside[0]
            raise ValueError(
                f"bins for {self.name!r} do not cover the data: row {row} holds {values[row]}, "
                f"outside {self.labels[0]} … {self.labels[-1]} ({len(outside):,} such rows); "
                f"the data run from {values.min()} to {values.max()}"
            )
        return codes


def equal_width(name: str, number: int, low: float, high: float, closed: str) -> Bins:
    """Make bins of equal width between two limits.

    >>> equal_width("age", 4, 15, 95, "right").labels
    ('(15,35]', '(35,55]', '(55,75]', '(75,95]')
    """
    check_integer(f"bins for {name!r}", number, 2, 1000, "an attribute needs two values or more")
    edges = np.linspace(low, high, number + 1)
    return Bins(tuple(float(e) for e in edges), closed, name)


def check_bins(bins: Mapping | None) -> Mapping:
    """Check the `bins` of a loader: sizes by attribute; None stands for no changes."""
    if bins is not None and not isinstance(bins, Mapping):
        raise TypeError(
            f"bins are {shown(bins)}: give a dict of attributes and their sizes, such as "
            "{'age': 8}, because every size belongs to an attribute"
        )
    return bins or {}


def merge(data: Dataset, sizes: Mapping[str, int]) -> Dataset:
    """Merge categories as `bins` say: each named attribute gets its size, and size 1 drops it."""
    old = dict(zip(data.schema.names, data.schema.attributes, strict=True))
    for name, size in sizes.items():
        if name not in old:
            raise ValueError(
                f"bins names {shown(name)}, which is no attribute of {data.name}: "
                f"choose from {', '.join(old)}"
            )
        why = "its categories can only be merged, and with 1 it is left out"
        check_integer(f"bins for {name!r}", size, 1, old[name].size, why)
    kept = [
        _fewer(attribute, column, sizes.get(name, attribute.size))
        for (name, attribute), column in zip(old.items(), data.records.T, strict=True)
        if sizes.get(name) != 1
    ]
    if not kept:
        raise ValueError(
            "bins leave no attribute: at least one must not be left out by a size of 1"
        )
    attributes, columns = zip(*kept, strict=True)
    records = np.stack(columns, axis=1)
    return Dataset(Schema(attributes), records, data.name, data.synthetic, data.dropped)


def _fewer(attribute: Attribute, codes: np.ndarray, size: int) -> tuple[Attribute, np.ndarray]:
    """Merge an attribute's highest or rarest categories, and its column's, into the last bin."""
    name, names = attribute.name, attribute.categories
    if size == attribute.size:
        return attribute, codes
    order = np.arange(attribute.size)
    if name not in nhis.ORDERED:
        order = np.argsort(-np.bincount(codes, minlength=attribute.size), kind="stable")
    kept, merged = np.sort(order[: size - 1]), order[size - 1 :]
    if name in nhis.NUMERIC:
        together = f"{names[merged[0]].split('-')[0]}+"
    else:
        together = " or ".join(names[c] for c in (merged if name in nhis.ORDERED else merged[::-1]))
    new = np.full(attribute.size, size - 1)
    new[kept] = np.arange(size - 1)
    return Attribute(name, (*(names[c] for c in kept), together)), new[codes]
