"""The data model of FRAPP (§2): a record is a row of integer codes, one per attribute.

The *cells* of the joint domain S_U are numbered 0 … n−1, with the last attribute running fastest.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import ArrayLike

from frapp_lab._base.checks import as_array, check_integer, digits, is_whole, shown, whole
from frapp_lab.data.attribute import Attribute, as_tuple, first_repeated, numbered

MAX_CELLS = 2**24
"""Number of cells of the largest joint domain held as an array: 128 MiB of counts."""


@dataclass(frozen=True)
class Schema:
    """List the attributes of a table in order: the joint domain S_U (FRAPP §2).

    Parameters
    ----------
    attributes
        The attributes, each with its categories; `Schema.of` and `Schema.of_sizes` make them.

    Examples
    --------
    >>> s = Schema.of(sex=["Female", "Male"], age=["young", "middle", "old"])
    >>> s.sizes, s.n_cells
    ((2, 3), 6)
    """

    attributes: tuple[Attribute, ...]

    def __post_init__(self) -> None:
        object.__setattr__(self, "attributes", as_tuple(self.attributes))
        if not all(isinstance(a, Attribute) for a in self.attributes):
            raise TypeError(
                f"attributes are {shown(self.attributes)}: each must be an Attribute with a name "
                "and its categories; Schema.of(sex=['F', 'M']) makes them"
            )
        if not self.attributes:
            raise ValueError("a schema needs at least one attribute, and none was given")
        if (repeated := first_repeated(self.names)) is not None:
            raise ValueError(
                f"column {repeated!r} appears more than once: every attribute needs a name of "
                "its own; rename one of them"
            )

    @classmethod
    def of(cls, **categories: Sequence[str]) -> Schema:
        """Make a schema from keyword arguments: name = categories.

        >>> Schema.of(coin=["heads", "tails"]).names
        ('coin',)
        """
        return cls(tuple(itertools.starmap(Attribute, categories.items())))

    @classmethod
    def of_sizes(cls, *sizes: int) -> Schema:
        """Make a schema of nameless attributes a1, a2, … with values 0, 1, …: for experiments.

        >>> Schema.of_sizes(2, 3).attributes[1]
        Attribute(name='a2', categories=('0', '1', '2'))
        """
        why = "one value tells nothing, and all of them are named"
        for j, size in enumerate(sizes, 1):
            check_integer(f"the size of a{j}", size, 2, MAX_CELLS, why)
        return cls(tuple(numbered(f"a{j}", size) for j, size in enumerate(sizes, 1)))

    @cached_property
    def names(self) -> tuple[str, ...]:
        """Give the attributes' names, in order."""
        return tuple(a.name for a in self.attributes)

    @cached_property
    def sizes(self) -> tuple[int, ...]:
        """Give the attributes' domain sizes, in order."""
        return tuple(a.size for a in self.attributes)

    @cached_property
    def n_cells(self) -> int:
        """Give the size n = |S_U| of the joint domain, however large."""
        return math.prod(self.sizes)

    @property
    def n_attributes(self) -> int:
        """Count the attributes, M in the paper."""
        return len(self.attributes)

    @cached_property
    def dtype(self) -> np.dtype:
        """Give the smallest unsigned integer type that holds every code."""
        return np.min_scalar_type(max(self.sizes) - 1)

    def positions(self, subset: str | Iterable[str]) -> tuple[int, ...]:
        """Find the positions of the named attributes; one name may be given as it is."""
        subset = as_tuple(subset)
        for name in subset:
            if name not in self.names:
                raise ValueError(
                    f"subset names {shown(name)}, which is no attribute here: "
                    f"choose from {', '.join(self.names)}"
                )
        if len(set(subset)) < len(subset):
            raise ValueError(f"subset {subset!r} names an attribute twice: name each once")
        return tuple(self.names.index(name) for name in subset)

    def subset(self, subset: str | Iterable[str]) -> Schema:
        """Make the schema of the named attributes alone, in the order given."""
        return Schema(tuple(self.attributes[j] for j in self.positions(subset)))

    def subsets(self, length: int) -> list[tuple[str, ...]]:
        """List all attribute subsets of one length, in order."""
        return list(itertools.combinations(self.names, length))

    def check_length(self, length: int, name: str = "length") -> int:
        """Check a length that an itemset can have."""
        m = self.n_attributes
        return check_integer(name, length, 1, m, f"there are {m} attributes")

    def check(self, records: ArrayLike, what: str = "records", first_row: int = 0) -> np.ndarray:
        """Return the records in this schema's own integer type, or say what is wrong and where.

        `first_row` is where the records begin, if they are a piece of a larger table.
        """
        records = as_array(what, records)
        if records.ndim != 2 or records.shape[1] != self.n_attributes:
            raise ValueError(
                f"{what} have shape {records.shape}: this schema has {self.n_attributes} "
                f"attributes ({', '.join(self.names)}), so the shape must be "
                f"(N, {self.n_attributes})"
            )
        if not len(records):
            raise ValueError(f"{what} are empty: at least one record is needed")
        if records.dtype.kind not in "iub":
            bad = np.argwhere(~is_whole(records))
            if len(bad):
                row, j = bad[0]
                raise ValueError(
                    f"{what}: row {first_row + row}, column {self.names[j]!r} holds "
                    f"{records[row, j]!r}, which is no code; codes are the integers 0 to "
                    f"{self.sizes[j] - 1} (Dataset.from_frame turns category names into codes)"
                )
        for j, size in enumerate(self.sizes):
            column = records[:, j]
            if column.min() < 0 or column.max() >= size:
                row = np.flatnonzero((column < 0) | (column >= size))[0]
                raise ValueError(
                    f"{what}: row {first_row + row}, column {self.names[j]!r} holds the code "
                    f"{shown(column[row])}, outside 0 to {size - 1}: the records are of another "
                    "schema, or wrongly coded"
                )
        # Columns are contiguous, because everything below works column by column.
        return np.asfortranarray(records, dtype=self.dtype)

    def encode(self, records: ArrayLike) -> np.ndarray:
        """Give the cell index of each record (FRAPP §2 maps S_U to an index set I_U).

        >>> Schema.of_sizes(2, 3).encode([[0, 2], [1, 0]])
        array([2, 3])
        """
        return self._encode(self.check(records))

    def _encode(self, records: np.ndarray) -> np.ndarray:
        self.require_index()
        cells = records[:, 0].astype(np.int64)
        for j, size in enumerate(self.sizes[1:], 1):
            cells *= size
            cells += records[:, j]
        return cells

    def decode(self, cells: ArrayLike) -> np.ndarray:
        """Give the records (rows of codes) of cell indices.

        >>> Schema.of_sizes(2, 3).decode([2, 3])
        array([[0, 2],
               [1, 0]], dtype=uint8)
        """
        self.require_index()
        cells = as_array("cells", cells)
        if cells.dtype.kind not in "iu":
            raise ValueError(f"cells must be integers, not {cells.dtype}: they number the domain")
        bad = np.flatnonzero((cells < 0) | (cells >= self.n_cells))
        if len(bad):
            raise ValueError(
                f"cells[{bad[0]}] is {cells.flat[bad[0]]}, outside 0 to {self.n_cells - 1:,}: "
                "a cell numbers one record value of the joint domain"
            )
        records = np.empty((*cells.shape, self.n_attributes), dtype=self.dtype)
        rest = cells.astype(np.int64)
        for j in reversed(range(self.n_attributes)):
            rest, records[..., j] = np.divmod(rest, self.sizes[j])
        return records

    def values(self, cell: int) -> tuple[str, ...]:
        """Give the category names of one cell.

        >>> Schema.of(sex=["F", "M"], age=["young", "old"]).values(3)
        ('M', 'old')
        """
        codes = self.decode(np.array([cell]))[0]
        return tuple(a.categories[c] for a, c in zip(self.attributes, codes, strict=True))

    def cell(self, values: Sequence[str]) -> int:
        """Give the cell index of one tuple of category names.

        >>> Schema.of(sex=["F", "M"], age=["young", "old"]).cell(["M", "old"])
        3
        """
        if len(values) != self.n_attributes:
            raise ValueError(
                f"values {tuple(values)!r} has {len(values)} entries: give one category name for "
                f"each of {', '.join(self.names)}"
            )
        codes = []
        for a, value in zip(self.attributes, values, strict=True):
            if value not in a.categories:
                raise ValueError(
                    f"values: {value!r} is no category of {a.name!r}: "
                    f"choose from {', '.join(a.categories)}"
                )
            codes.append(a.categories.index(value))
        return int(self.encode([codes])[0])

    def counts(self, records: ArrayLike, checked: bool = False) -> np.ndarray:
        """Count the (checked) records in each cell, in shape `sizes`.

        >>> Schema.of_sizes(2, 3).counts([[0, 2], [1, 0], [0, 2]])
        array([[0, 0, 2],
               [1, 0, 0]])
        """
        known = np.asarray(records) if checked else self.check(records)
        if self.n_cells > MAX_CELLS:
            raise ValueError(
                f"the joint domain has {digits(self.n_cells)} cells, more than the limit of "
                f"{MAX_CELLS:,} that is held as one array: ask for a subset of the attributes, "
                "or work with records"
            )
        cells = self._encode(known).astype(np.intp, copy=False)  # so few fit into 32 bits too
        return np.bincount(cells, minlength=self.n_cells).reshape(self.sizes)

    def check_counts(self, counts: ArrayLike, what: str = "counts") -> np.ndarray:
        """Return joint counts as an integer array, or say what is wrong with them."""
        counts = self.check_shape(counts, what)
        fit = is_whole(counts)
        fit = counts >= 0 if fit.all() else fit
        if not fit.all():
            cell = tuple(np.argwhere(~fit)[0].tolist())
            raise ValueError(
                f"{what}[{cell}] is {counts[cell]}: a count of records is a whole number, 0 or more"
            )
        if not counts.any():
            raise ValueError(f"{what} are all zero: at least one record is needed")
        return whole(counts, what)

    def check_shape(self, counts: ArrayLike, what: str = "counts") -> np.ndarray:
        """Return an array with one axis per attribute, each of that attribute's size."""
        counts = as_array(what, counts)
        if counts.shape != self.sizes:
            raise ValueError(
                f"{what} have shape {counts.shape}: joint counts of this schema have shape "
                f"{self.sizes}, one axis per attribute ({', '.join(self.names)})"
            )
        return counts

    def require_index(self) -> None:
        """Refuse a domain whose cells cannot be numbered in 64 bits."""
        if self.n_cells > 2**62:
            raise ValueError(
                f"the joint domain has {digits(self.n_cells)} cells, more than can be numbered "
                f"(limit {2**62:,}): work with records, or with a subset of the attributes"
            )


def check_schema(schema: Schema, name: str = "schema") -> Schema:
    """Check for a Schema, and nothing that only has one or could become one."""
    if not isinstance(schema, Schema):
        raise TypeError(
            f"{name} is {shown(schema)}: it must be a Schema, such as data.schema of a Dataset, "
            "Schema.of(sex=['F', 'M']) or Schema.of_sizes(2, 3)"
        )
    return schema
