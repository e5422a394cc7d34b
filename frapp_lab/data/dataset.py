"""A data set: a table of categorical records with its schema, made from arrays, tables or files."""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path

import numpy as np

from frapp_lab._base.checks import check_flag, digits
from frapp_lab._base.later import pd
from frapp_lab.data import files
from frapp_lab.data.attribute import first_repeated
from frapp_lab.data.columns import check_column, column_attribute, records_of
from frapp_lab.data.cube import Cube
from frapp_lab.data.schema import Schema, check_schema


@dataclass(frozen=True, eq=False)
class Dataset:
    """Hold a table of categorical records, N×M integer codes, with its schema.

    Parameters
    ----------
    schema
        The attributes, one for each column.
    records
        The codes, a row for each person.
    name
        The name by which the data are shown.
    synthetic
        Whether the data are made up.
    dropped
        The number of records that had to be left out.

    Examples
    --------
    >>> Dataset(Schema.of_sizes(2, 3), [[0, 2], [1, 0]], name="tiny")
    <Dataset tiny: 2 records, 2 attributes, 6 cells>
    """

    schema: Schema
    records: np.ndarray = field(repr=False)
    name: str = "table"
    synthetic: bool = False
    dropped: int = 0

    def __post_init__(self) -> None:
        check_flag("synthetic", self.synthetic)
        records = check_schema(self.schema).check(self.records)
        if records is self.records:  # the caller's own array must stay writable
            records = records.view()
        records.flags.writeable = False
        object.__setattr__(self, "records", records)

    def __repr__(self) -> str:
        kind = ", synthetic" if self.synthetic else ""
        dropped = f"; {self.dropped:,} records dropped" if self.dropped else ""
        return (
            f"<Dataset {self.name}{kind}: {len(self):,} records, {self.schema.n_attributes} "
            f"attributes, {digits(self.schema.n_cells)} cells{dropped}>"
        )

    def __len__(self) -> int:
        return len(self.records)

    @cached_property
    def counts(self) -> np.ndarray:
        """Count the records of each cell, X in FRAPP §2: an array of shape `schema.sizes`.

        >>> Dataset(Schema.of_sizes(2, 2), [[0, 1], [1, 1], [0, 1]]).counts
        array([[0, 2],
               [0, 1]])
        """
        counts = self.schema.counts(self.records, checked=True)
        counts.flags.writeable = False
        return counts

    @cached_property
    def cube(self) -> Cube:
        """Give the counts of every attribute subset."""
        cube = Cube.of_records(self.schema, self.records)
        return Cube.of_counts(self.schema, self.counts) if cube.is_small else cube

    @cached_property
    def supports(self) -> Cube:
        """Give the support of every itemset: its share of the records (FRAPP §6).

        >>> Dataset(Schema.of_sizes(2, 2), [[0, 1], [1, 1], [0, 1], [0, 0]]).supports["a1"]
        array([0.75, 0.25])
        """
        return self.cube / len(self)

    @classmethod
    def from_counts(
        cls, schema: Schema, counts: np.ndarray, name: str = "table", synthetic: bool = False
    ) -> Dataset:
        """Make a data set with the given joint counts, in the order of the cells.

        >>> Dataset.from_counts(Schema.of_sizes(2, 2), [[0, 2], [1, 0]]).records.tolist()
        [[0, 1], [0, 1], [1, 0]]
        """
        counts = check_schema(schema).check_counts(counts).ravel()
        cells = np.flatnonzero(counts)
        records = np.repeat(schema.decode(cells), counts[cells].astype(np.intp), axis=0)
        return cls(schema, records, name, synthetic)

    @classmethod
    def from_frame(
        cls, frame: pd.DataFrame, schema: Schema | None = None, name: str = "table"
    ) -> Dataset:
        """Make a data set of any table of categorical columns.

        Without a schema the categories are those that occur, sorted, or those of a Categorical in
        its own order; their names are the values as text. A column of more than 50 values is
        refused if they look like measurements or names of people.

        >>> Dataset.from_frame(pd.DataFrame({"sex": ["F", "M"], "smokes": [True, False]}))
        <Dataset table: 2 records, 2 attributes, 4 cells>
        """
        if not isinstance(frame, pd.DataFrame):
            raise TypeError(
                f"frame is a {type(frame).__name__}: it must be a pandas DataFrame, with a column "
                "for each attribute; pd.DataFrame(…) or series.to_frame() makes one"
            )
        if not len(frame) or not len(frame.columns):
            raise ValueError(f"frame has shape {frame.shape}: an empty table holds nothing to mine")
        if (repeated := first_repeated(map(str, frame.columns))) is not None:
            raise ValueError(
                f"column {repeated!r} appears more than once: rename one of them, because columns "
                "are known by their names as text"
            )
        by_name = frame.set_axis(frame.columns.map(str), axis=1)
        if schema is None:
            for column in by_name.columns:
                check_column(by_name[column])
            schema = Schema(tuple(column_attribute(by_name[c]) for c in by_name.columns))
        elif set(check_schema(schema).names) != set(by_name.columns):
            raise ValueError(
                f"frame has the columns {', '.join(by_name.columns)}; "
                f"the schema needs exactly {', '.join(schema.names)}"
            )
        return cls(schema, records_of(by_name, schema), name)

    @classmethod
    def from_parquet(
        cls, path: str | Path, schema: Schema | None = None, name: str = "table"
    ) -> Dataset:
        """Read a data set from a Parquet file of categorical columns; see `from_frame`.

        It needs pyarrow (`pip install "frapp_lab[scale]"`). With a schema only its columns are
        read. What does not fit into memory is for `frapp_lab.scale`.
        """
        wanted = None if schema is None else check_schema(schema).names
        return cls.from_frame(files.read_parquet(path, wanted), schema, name)

    @classmethod
    def from_csv(
        cls, path: str | Path, schema: Schema | None = None, name: str = "table"
    ) -> Dataset:
        """Read a data set from a CSV file of categorical columns; see `from_frame`.

        Values are texts as they stand there, and an empty one is missing. With a schema only its
        columns are read. What does not fit into memory is for `frapp_lab.scale`.
        """
        wanted = None if schema is None else check_schema(schema).names
        return cls.from_frame(files.read_csv(path, wanted), schema, name)

    def to_frame(self) -> pd.DataFrame:
        """Give the records as a pandas DataFrame with ordered categorical columns.

        >>> Dataset(Schema.of(sex=["F", "M"], age=["young", "old"]), [[1, 0]]).to_frame()
          sex    age
        0   M  young
        """
        columns = zip(self.schema.attributes, self.records.T, strict=True)
        named = pd.Categorical.from_codes
        return pd.DataFrame({a.name: named(c, a.categories, ordered=True) for a, c in columns})


def check_dataset(dataset: Dataset) -> Dataset:
    """Check for a Dataset, in place of the table that one could be made of."""
    if not isinstance(dataset, Dataset):
        raise ValueError(
            f"dataset is of type {type(dataset).__name__}: a Dataset is wanted; "
            "Dataset.from_frame(frame) makes one of a table"
        )
    return dataset
