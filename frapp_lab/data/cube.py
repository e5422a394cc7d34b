"""The data cube: one number for every itemset over every subset of the attributes (FRAPP §6).

An array of *all marginals* has one more slot on each axis, index −1, for "any value".
"""

from __future__ import annotations

import functools
import math
from collections.abc import Callable, Iterable
from functools import cached_property

import numpy as np

from frapp_lab._base.checks import check_array, digits, whole
from frapp_lab.data.schema import MAX_CELLS, Schema, check_schema

LONG = 64
"""Number of values above which an axis is long."""


def all_marginals(counts: np.ndarray) -> np.ndarray:
    """Make a cube of counts: append to every axis a slot, "any value", that holds the sum over it.

    >>> all_marginals(np.array([[1, 2], [3, 4]]))
    array([[ 1,  2,  3],
           [ 3,  4,  7],
           [ 4,  6, 10]])
    """
    counts = check_array("counts", counts)
    sizes = counts.shape
    # One small matrix product per axis. The product takes the first axis away and puts it, one
    # slot longer, at the end: after all axes the order is the old one and nothing was copied.
    out = counts.astype(np.float64)
    for size in sizes:
        line = out.reshape(size, -1).T
        if size > LONG:  # a product would cost the square of the size
            out = np.hstack([line, line.sum(axis=1, keepdims=True)])
        else:
            out = line @ np.hstack([np.eye(size), np.ones((size, 1))])
    out = out.reshape([s + 1 for s in sizes])
    total, kind = out.flat[-1], counts.dtype.kind
    if kind == "f":
        return out if math.isfinite(total) else _add(counts.astype(np.float64))
    # Sums of counts are exact in float64 up to 2**53; terms that cancel may be larger than it says.
    exact = total < 2**53 and (kind != "i" or counts.min() >= 0)
    return out.astype(np.int64) if exact else _add(whole(counts))


def _add(counts: np.ndarray) -> np.ndarray:
    """Make a cube as `all_marginals` does, by plain addition: slower, and right for any number."""
    for axis in range(counts.ndim):
        counts = np.concatenate([counts, counts.sum(axis=axis, keepdims=True)], axis=axis)
    return counts


def map_axes(array: np.ndarray, scale: Iterable[float], shift: Iterable[float]) -> np.ndarray:
    """Map each axis of a cube's array: value ← scale·value + shift·any.

    `scale` and `shift` have one entry per axis; the "any" slots stay as they are.

    >>> map_axes(np.array([1.0, 3.0, 4.0]), [2.0], [-0.5])
    array([0., 4., 4.])
    """
    out = np.array(array, dtype=float)
    for axis, (a, b) in enumerate(zip(scale, shift, strict=True)):
        view = np.moveaxis(out, axis, 0)
        view[:-1] = a * view[:-1] + b * view[-1]
    return out


KEPT = 2**17
"""Number of entries of the largest array (1 MB) that is kept."""


def kept(function: Callable[[tuple[int, ...]], np.ndarray]) -> Callable:
    """Keep the last 64 small cubes, as read-only arrays, that a function of domain sizes gave."""

    def fresh(sizes: tuple[int, ...]) -> np.ndarray:
        array = function(sizes)
        array.flags.writeable = False
        return array

    remembered = functools.lru_cache(maxsize=64)(fresh)

    @functools.wraps(function)
    def chosen(sizes: tuple[int, ...]) -> np.ndarray:
        small = math.prod(s + 1 for s in sizes) <= KEPT
        return remembered(sizes) if small else fresh(sizes)

    return chosen


@kept
def lengths(sizes: tuple[int, ...]) -> np.ndarray:
    """Count the items of every itemset of a cube: the axes of its cell that are not "any".

    >>> lengths((1, 2))
    array([[2, 2, 1],
           [1, 1, 0]])
    """
    out = np.full([s + 1 for s in sizes], len(sizes))
    for axis in range(len(sizes)):
        np.moveaxis(out, axis, 0)[-1] -= 1
    return out


@kept
def uniform_supports(sizes: tuple[int, ...]) -> np.ndarray:
    """Give the cube of all supports if every cell were equally likely, like `all_marginals`."""
    out = np.ones(())
    for size in sizes:
        out = np.multiply.outer(out, np.r_[np.full(size, 1 / size), 1.0])
    return out


class Cube:
    """Hold one number for every itemset: `cube[attribute subset]` is an array over their values.

    For a small domain all subsets are computed at once, on first use; else each on demand. Most
    often a cube is made by `of_counts`, `of_array` or `of_records`.

    Parameters
    ----------
    schema
        The attributes.
    build
        A function that gives the `all_marginals` array of the attributes at some positions.
    guard
        A function that raises for itemset lengths whose numbers cannot be had.

    Examples
    --------
    >>> s = Schema.of_sizes(2, 3)
    >>> cube = Cube.of_counts(s, np.array([[1, 2, 3], [4, 5, 6]]))
    >>> cube["a1"], cube["a2", "a1"].shape, cube[()]
    (array([ 6, 15]), (3, 2), array(21))
    """

    def __init__(
        self,
        schema: Schema,
        build: Callable[[tuple[int, ...]], np.ndarray],
        guard: Callable[[int], object] = lambda length: None,
    ) -> None:
        self.schema = check_schema(schema)
        self.build = build
        self._guard = guard

    @classmethod
    def of_counts(cls, schema: Schema, counts: np.ndarray) -> Cube:
        """Make the cube of an array of joint counts (or of anything that adds up).

        >>> Cube.of_counts(Schema.of_sizes(2), np.array([3, 4]))[()]
        array(7)
        """
        counts = check_array("counts", check_schema(schema).check_shape(counts))

        def build(positions: tuple[int, ...]) -> np.ndarray:
            others = tuple(j for j in range(schema.n_attributes) if j not in positions)
            kept = counts
            if others:
                numbers = counts.astype(float) if counts.dtype.kind == "f" else whole(counts)
                kept = numbers.sum(axis=others)
            return all_marginals(np.transpose(kept, np.argsort(np.argsort(positions))))

        return cls(schema, build)

    @classmethod
    def of_array(cls, schema: Schema, array: np.ndarray) -> Cube:
        """Make the cube whose numbers are known, as `Cube.array` gives them."""
        array, shape = check_array("array", array), tuple(s + 1 for s in check_schema(schema).sizes)
        if array.shape != shape:
            raise ValueError(
                f"array has shape {array.shape}: the cube of this schema has shape {shape}, one "
                'more than each attribute\'s size, because the last slot is "any value"'
            )

        def build(positions: tuple[int, ...]) -> np.ndarray:
            chosen = tuple(slice(None) if j in positions else -1 for j in range(array.ndim))
            return np.transpose(array[chosen], np.argsort(np.argsort(positions)))

        return cls(schema, build)

    @classmethod
    def of_records(cls, schema: Schema, records: np.ndarray) -> Cube:
        """Make the cube of the counts of (checked) records."""

        def build(positions: tuple[int, ...]) -> np.ndarray:
            chosen = schema.subset(schema.names[j] for j in positions)
            return all_marginals(chosen.counts(records[:, positions], checked=True))

        return cls(schema, build)

    def __truediv__(self, number: float) -> Cube:
        """Divide every number of this cube by one number: counts become shares."""
        return Cube(self.schema, lambda positions: self.build(positions) / number, self._guard)

    @cached_property
    def n_itemsets(self) -> int:
        """Count the numbers of the whole cube."""
        return math.prod(s + 1 for s in self.schema.sizes)

    @property
    def is_small(self) -> bool:
        """Say whether the whole cube can be held as one array."""
        return self.n_itemsets <= MAX_CELLS

    @cached_property
    def array(self) -> np.ndarray:
        """Give the whole cube: axes as in the schema, index −1 meaning "any value".

        >>> Cube.of_counts(Schema.of_sizes(2), np.array([3, 4])).array
        array([3, 4, 7])
        """
        if not self.is_small:
            raise ValueError(
                f"the whole cube has {digits(self.n_itemsets)} itemsets, more than the limit of "
                f"{MAX_CELLS:,}: ask for one attribute subset at a time"
            )
        out = self.build(tuple(range(self.schema.n_attributes))).view()
        out.flags.writeable = False  # it is kept, and given to everyone who asks
        return out

    def __getitem__(self, subset: str | Iterable[str]) -> np.ndarray:
        positions = self.schema.positions(subset)
        self._guard(len(positions))
        if self.is_small:
            index = tuple(
                slice(-1) if j in positions else -1 for j in range(self.schema.n_attributes)
            )
            in_order, out = sorted(positions), self.array[index]
        else:
            # The empty itemset is "any value" of any attribute.
            index = (slice(-1),) * len(positions) or (-1,)
            in_order, out = list(positions), self.build(positions or (0,))[index]
        return np.asarray(out).transpose([in_order.index(j) for j in positions])
