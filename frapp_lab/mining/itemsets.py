"""Frequent itemsets of clean data, or of any cube of supports (FRAPP §6 and §7).

All itemsets of a table are the cells of its cube, so that mining is a threshold on one array.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from frapp_lab._base.checks import check_flag, check_integer, check_number
from frapp_lab._base.later import pd
from frapp_lab.data.cube import Cube, lengths
from frapp_lab.data.dataset import Dataset, check_dataset
from frapp_lab.data.schema import Schema


def check_min_support(min_support: float) -> float:
    """Check a minimum support of itemsets: a share of the records, above 0 and up to 1."""
    why = "it is a share of the records (2 % is 0.02)"
    return check_number("min_support", min_support, "(0, 1]", why)


@dataclass(frozen=True, eq=False)
class Itemsets:
    """Hold itemsets as arrays: a row of `codes` for each, −1 where an attribute is not in it."""

    schema: Schema
    codes: np.ndarray
    support: np.ndarray

    @property
    def length(self) -> np.ndarray:
        """Count the items of each."""
        return (self.codes >= 0).sum(axis=1)

    def largest(self, top: int | None = None) -> np.ndarray:
        """Find the positions of the `top` itemsets by support, or of all, by length."""
        if top is None:
            return np.argsort(self.length, kind="stable")
        check_integer("top", top, 1, math.inf, "it is a number of itemsets")
        return np.argsort(-self.support, kind="stable")[:top]

    def names(self, positions: np.ndarray) -> list[frozenset[str]]:
        """Name the itemsets at these positions, as sets of readable `attribute=value` items."""
        names = [f"{a.name}={c}" for a in self.schema.attributes for c in a.categories]
        first = np.r_[0, np.cumsum(self.schema.sizes)[:-1]]
        codes = self.codes[positions]
        present = codes >= 0
        items = np.array(names, dtype=object)[(codes + first)[present]].tolist()
        ends = present.sum(axis=1).cumsum().tolist()
        starts = [0, *ends][: len(ends)]
        return [frozenset(items[a:b]) for a, b in zip(starts, ends, strict=True)]

    def frame(self, top: int | None = None) -> pd.DataFrame:
        """Make a table like mlxtend's: support, itemsets (frozensets of names) and length."""
        order = self.largest(top)
        itemsets = np.empty(len(order), dtype=object)  # else numpy would look into the frozensets
        itemsets[:] = self.names(order)
        columns = {"support": self.support[order], "itemsets": itemsets}
        return pd.DataFrame({**columns, "length": self.length[order]})


def codes_of(schema: Schema, cells: np.ndarray) -> np.ndarray:
    """Give the codes of the itemsets that are these cells of a (flat) cube."""
    codes = np.stack(np.unravel_index(cells, [s + 1 for s in schema.sizes]), axis=1)
    codes[codes == schema.sizes] = -1
    return codes


def frequent_cells(
    supports: np.ndarray, min_support: float, prune: bool, max_length: int
) -> np.ndarray:
    """Mark the cells of a cube that are frequent itemsets; the empty one is left out."""
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


def apriori(cube: Cube, min_support: float, max_length: int) -> Itemsets:
    """Find frequent itemsets level by level, subset by subset, of a cube too large to hold."""
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
    """List candidate itemsets, one longer than those found: attribute subsets and their cells."""
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
    dataset: Dataset | Cube, min_support: float, max_length: int | None = None, prune: bool = False
) -> Itemsets:
    """Find the frequent itemsets of clean data, or of a cube of estimates, as arrays."""
    min_support = check_min_support(min_support)
    check_flag("prune", prune)
    cube = dataset if isinstance(dataset, Cube) else check_dataset(dataset).supports
    schema = cube.schema
    max_length = schema.n_attributes if max_length is None else max_length
    schema.check_length(max_length, "max_length")
    if not cube.is_small:
        return apriori(cube, min_support, max_length)
    supports = cube.array
    cells = np.flatnonzero(frequent_cells(supports, min_support, prune, max_length))
    return Itemsets(schema, codes_of(schema, cells), supports.ravel()[cells])


def frequent_itemsets(
    dataset: Dataset | Cube,
    min_support: float,
    max_length: int | None = None,
    top: int | None = None,
    prune: bool = False,
) -> pd.DataFrame:
    """Find the frequent itemsets of clean data: support, itemsets, length (FRAPP §7, Table 3).

    Parameters
    ----------
    dataset
        Clean data, or a mechanism's estimate.
    min_support
        The least share of the records, above 0.
    max_length
        The largest number of items; without it all lengths are looked at.
    top
        Keep only this number of itemsets, those with the highest support.
    prune
        Whether an itemset counts only if all its subsets do, as in `mine`.

    Returns
    -------
    DataFrame
        A row for each itemset, a frozenset of `attribute=value` names.

    Examples
    --------
    >>> from frapp_lab import load_census
    >>> frequent_itemsets(load_census(), min_support=0.02, max_length=1).shape
    (19, 3)
    """
    return frequent_arrays(dataset, min_support, max_length, prune).frame(top)
