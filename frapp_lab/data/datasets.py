"""The data sets of the paper (FRAPP §7, Tables 1 and 2), and any table of your own."""

from __future__ import annotations

import csv
import functools
import gzip
import warnings
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from numbers import Integral, Number
from pathlib import Path

import numpy as np

from frapp_lab._base.checks import check_array, check_flag, check_integer, digits, shown
from frapp_lab._base.later import pd
from frapp_lab._base.places import shipped
from frapp_lab.data import files, nhis
from frapp_lab.data.attribute import Attribute, first_repeated
from frapp_lab.data.binning import Bins, equal_width
from frapp_lab.data.cube import Cube
from frapp_lab.data.schema import Schema, check_schema

DATA = shipped("data")
"""The folder that holds the data files."""

FEW, MANY = 50, 1000
"""A column of up to FEW values holds categories, one of more than MANY none: see `from_frame`."""


@dataclass(frozen=True, eq=False)
class Dataset:
    """A table of categorical records, N×M integer codes, with its schema.

    `synthetic` marks made-up data; `dropped` is the number of records that had to be left out.

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
        """The joint counts X of FRAPP §2: an array of shape `schema.sizes`.

        >>> Dataset(Schema.of_sizes(2, 2), [[0, 1], [1, 1], [0, 1]]).counts
        array([[0, 2],
               [0, 1]])
        """
        counts = self.schema.counts(self.records, checked=True)
        counts.flags.writeable = False
        return counts

    @cached_property
    def cube(self) -> Cube:
        """The counts of every attribute subset.

        >>> Dataset(Schema.of_sizes(2, 2), [[0, 1], [1, 1], [0, 1]]).cube["a2"]
        array([0, 3])
        """
        cube = Cube.of_records(self.schema, self.records)
        return Cube.of_counts(self.schema, self.counts) if cube.is_small else cube

    @cached_property
    def supports(self) -> Cube:
        """The support of every itemset: its share of the records (FRAPP §6).

        >>> Dataset(Schema.of_sizes(2, 2), [[0, 1], [1, 1], [0, 1], [0, 0]]).supports["a1"]
        array([0.75, 0.25])
        """
        return self.cube / len(self)

    @classmethod
    def from_counts(
        cls, schema: Schema, counts: np.ndarray, name: str = "table", synthetic: bool = False
    ) -> Dataset:
        """A data set with the given joint counts, in the order of the cells.

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
        """A data set of any table of categorical columns.

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
            schema = Schema(tuple(_attribute_of(by_name[c]) for c in by_name.columns))
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
        """A data set of a Parquet file of categorical columns; see `from_frame`.

        It needs pyarrow (`pip install "frapp_lab[scale]"`). With a schema only its columns are
        read. What does not fit into memory is for `frapp_lab.scale`.
        """
        wanted = None if schema is None else check_schema(schema).names
        return cls.from_frame(files.read_parquet(path, wanted), schema, name)

    @classmethod
    def from_csv(
        cls, path: str | Path, schema: Schema | None = None, name: str = "table"
    ) -> Dataset:
        """A data set of a CSV file of categorical columns; see `from_frame`.

        Values are texts as they stand there, and an empty one is missing. With a schema only its
        columns are read. What does not fit into memory is for `frapp_lab.scale`.
        """
        wanted = None if schema is None else check_schema(schema).names
        return cls.from_frame(files.read_csv(path, wanted), schema, name)

    def to_frame(self) -> pd.DataFrame:
        """The records as a pandas DataFrame with ordered categorical columns.

        >>> Dataset(Schema.of(sex=["F", "M"], age=["young", "old"]), [[1, 0]]).to_frame()
          sex    age
        0   M  young
        """
        return pd.DataFrame(
            {
                a.name: pd.Categorical.from_codes(self.records[:, j], a.categories, ordered=True)
                for j, a in enumerate(self.schema.attributes)
            }
        )


def records_of(frame: pd.DataFrame, schema: Schema, first_row: int = 0) -> np.ndarray:
    """The codes of a table of category names, or in which row there is none.

    `first_row` is where the table begins, if it is a piece of a larger one.

    >>> records_of(pd.DataFrame({"sex": ["F", "M", "F"]}), Schema.of(sex=["M", "F"])).T
    array([[1, 0, 1]], dtype=uint8)
    """
    records = np.empty((len(frame), schema.n_attributes), dtype=schema.dtype, order="F")
    for j, attribute in enumerate(schema.attributes):
        check_column(frame[attribute.name], first_row)
        records[:, j] = _codes(frame[attribute.name], attribute, first_row)
    return records


def check_column(column: pd.Series, first_row: int = 0) -> None:
    """Refuse a column that lacks a value, or whose values are no categories.

    >>> check_column(pd.Series(["F", "M"]))
    """
    missing = np.flatnonzero(column.isna())
    if len(missing):
        raise ValueError(
            f"column {column.name!r}, row {first_row + missing[0]}: the value is missing "
            f"({len(missing)} in all); drop these rows, or make 'unknown' a category of its own"
        )
    kinds = set(map(type, column)) if column.dtype == object else set()
    unfit = [kind.__name__ for kind in kinds if kind.__hash__ is None]
    if unfit:
        raise TypeError(
            f"column {column.name!r} holds values of the type {unfit[0]}: a category must be one "
            "value, such as a text or a number"
        )
    flags = {kind for kind in kinds if issubclass(kind, bool | np.bool_)}
    if flags and any(issubclass(kind, Number) for kind in kinds - flags):
        raise ValueError(
            f"column {column.name!r} holds True or False beside numbers: make all of them texts or "
            "all of them numbers, because to pandas True and 1 are the same value"
        )


def _attribute_of(column: pd.Series) -> Attribute:
    if isinstance(column.dtype, pd.CategoricalDtype):
        return Attribute(str(column.name), tuple(map(str, column.cat.categories)))
    return attribute_of(str(column.name), column.unique(), len(column))


def attribute_of(name: str, values: Iterable, n_rows: int) -> Attribute:
    """The attribute of a column with these different values, sorted, if they can be categories.

    >>> attribute_of("smokes", [True, False], 10)
    Attribute(name='smokes', categories=('False', 'True'))
    """
    values = list(values)
    number = len(values)
    try:
        numbers = [float(value) for value in values]  # in a CSV file these are texts
    except (TypeError, ValueError, OverflowError):  # some are no numbers
        numbers = [value for value in values if isinstance(value, float)]
    fractions = any(value % 1 for value in numbers)
    if number > FEW and (number > MANY or number > n_rows / 2 or fractions):
        raise ValueError(
            f"column {name!r} has {number:,} different values in {n_rows:,} rows, too "
            "many for categories: drop it if it names people or rows, merge its values, or cut "
            f"measurements into intervals, as in frame[{name!r}] = pd.cut(frame[{name!r}], 5). Up "
            f"to {FEW} values are taken as they are, and up to {MANY:,} if they are no fractions "
            "and each is found in two rows on average; those of a pd.Categorical, or of a schema "
            "that you give, always"
        )
    try:
        values.sort()
    except TypeError:  # values of several types have no order but that of their names
        values.sort(key=str)
    return Attribute(str(name), tuple(map(str, values)))


def _codes(column: pd.Series, attribute: Attribute, first_row: int = 0) -> np.ndarray:
    # Only the distinct values are turned into text, not every row.
    if isinstance(column.dtype, pd.CategoricalDtype):
        positions, values = column.cat.codes.to_numpy(), column.cat.categories
    else:
        positions, values = pd.factorize(column)
    code_of = {category: code for code, category in enumerate(attribute.categories)}
    codes = np.array([code_of.get(str(value), -1) for value in values])
    if (codes < 0).any() and (codes[positions] < 0).any():
        row = np.argmax(codes[positions] < 0)
        raise ValueError(
            f"column {attribute.name!r}, row {first_row + row}: {column.iloc[row]!r} is no "
            f"category of it; known are {', '.join(attribute.categories)}"
        )
    if (codes == np.arange(len(codes))).all():  # as in files that were written with this schema
        return positions
    return np.take(codes.astype(np.min_scalar_type(attribute.size)), positions)


def check_dataset(dataset: Dataset) -> Dataset:
    """A Dataset, and not the table that one could be made of.

    >>> check_dataset(Dataset(Schema.of_sizes(2, 3), [[0, 2]])).name
    'table'
    """
    if not isinstance(dataset, Dataset):
        raise ValueError(
            f"dataset is of type {type(dataset).__name__}: a Dataset is wanted; "
            "Dataset.from_frame(frame) makes one of a table"
        )
    return dataset


# --- CENSUS ---------------------------------------------------------------------------------------

# Table 1 prints the hours right-closed; only left-closed bins give the paper's Table 3.
_CENSUS_BINS = {
    "age": Bins((15, 35, 55, 75, np.inf), "right", "age"),
    "fnlwgt": Bins((0, 1e5, 2e5, 3e5, 4e5, np.inf), "right", "fnlwgt"),
    "hours-per-week": Bins((0, 20, 40, 60, 80, np.inf), "left", "hours-per-week"),
}
_CENSUS_RANGE = {"age": (15, 95), "fnlwgt": (0, 1_500_000), "hours-per-week": (0, 100)}
_CENSUS_NOMINAL = (
    Attribute("race", ("White", "Asian-Pac-Islander", "Amer-Indian-Eskimo", "Other", "Black")),
    Attribute("sex", ("Female", "Male")),
    Attribute("native-country", ("United-States", "Other")),
)


@functools.cache
def _shipped(name: str) -> dict[str, np.ndarray]:
    """The columns of a data file, read without pandas, which takes longer to load than to read."""
    with gzip.open(DATA / name, "rt", encoding="utf-8", newline="") as file:
        names, *rows = csv.reader(file)
    return {
        name: np.array(column, dtype=np.int64 if column[0].isdigit() else object)
        for name, column in zip(names, zip(*rows, strict=True), strict=True)
    }


@functools.cache
def _nominal_codes() -> list[np.ndarray]:
    columns = dict(_shipped("census.csv.gz"))
    country = columns["native-country"]
    columns["native-country"] = np.where(country == "United-States", country, "Other")
    return [_places(columns[a.name], a) for a in _CENSUS_NOMINAL]


def _places(values: Iterable[str], attribute: Attribute) -> np.ndarray:
    return np.array(list(map(attribute.categories.index, values)))


def raw_census() -> pd.DataFrame:
    """The six raw columns of UCI Adult that FRAPP uses, unbinned.

    >>> raw_census().shape
    (48842, 6)
    """
    return pd.DataFrame(_shipped("census.csv.gz")).infer_objects()


def load_census(bins: Mapping[str, int | Sequence[float]] | None = None) -> Dataset:
    """CENSUS (FRAPP §7, Table 1): UCI Adult, train and test, binned so that Table 3 comes out.

    `bins` gives attributes other domain sizes: age, fnlwgt and hours-per-week are cut into so many
    intervals of equal width, or at the edges given, and of the others the rarest categories are
    merged. An attribute of size 1 is left out.

    >>> load_census()
    <Dataset CENSUS: 48,842 records, 6 attributes, 2,000 cells>
    >>> load_census(bins={"age": 8, "hours-per-week": [0, 40, 100], "sex": 1}).schema.sizes
    (8, 5, 2, 5, 2)
    """
    columns = _shipped("census.csv.gz")
    chosen, sizes = dict(_CENSUS_BINS), {}
    for name, wanted in _check_bins(bins).items():
        if name not in chosen or (isinstance(wanted, Integral) and wanted == 1):
            sizes[name] = wanted
        elif np.ndim(wanted) == 0:
            chosen[name] = equal_width(name, wanted, *_CENSUS_RANGE[name], chosen[name].closed)
        else:
            edges = check_array(f"bins for {name!r}", wanted).tolist()
            chosen[name] = Bins(tuple(edges), chosen[name].closed, name)
    schema = Schema((*(Attribute(name, b.labels) for name, b in chosen.items()), *_CENSUS_NOMINAL))
    codes = [b.codes(columns[name]) for name, b in chosen.items()] + _nominal_codes()
    return _merge(Dataset(schema, np.stack(codes, axis=1), "CENSUS"), sizes)


# --- HEALTH ---------------------------------------------------------------------------------------


def load_health(path: str | Path | None = None, bins: Mapping[str, int] | None = None) -> Dataset:
    """HEALTH (FRAPP §7, Table 2): a synthetic stand-in, or the real NHIS 1993 person file.

    With the path of `PERSONSX.DAT` it reads the real file; records with an unknown code are
    dropped, and a warning says how many. `bins` gives attributes fewer categories: of AGE, BDDAY12,
    DV12 and HEALTH the highest are merged, of the others the rarest; one of size 1 is left out.

    >>> load_health()
    <Dataset HEALTH (stand-in), synthetic: 109,000 records, 7 attributes, 7,500 cells>
    >>> load_health(bins={"AGE": 3}).schema.attributes[0].categories
    ('0-19', '20-39', '40+')
    """
    schema, sizes = Schema(nhis.ATTRIBUTES), _check_bins(bins)
    if path is None:
        table = _shipped("health_standin.csv.gz")
        counts = np.zeros(schema.sizes, dtype=np.int64)
        counts[tuple(_places(table[a.name], a) for a in schema.attributes)] = table["count"]
        made_up = Dataset.from_counts(schema, counts, "HEALTH (stand-in)", synthetic=True)
        return _merge(made_up, sizes)
    codes, unknown, dropped = nhis.read(Path(path))
    if dropped:
        which = ", ".join(f"{name}: {number:,}" for name, number in unknown.items())
        warnings.warn(
            f"{dropped:,} of {len(codes) + dropped:,} records have an unknown code and were "
            f"dropped ({which})",
            stacklevel=2,
        )
    return _merge(Dataset(schema, codes, "HEALTH", dropped=dropped), sizes)


# --- domain sizes ---------------------------------------------------------------------------------


def _check_bins(bins: Mapping | None) -> Mapping:
    if bins is not None and not isinstance(bins, Mapping):
        raise TypeError(
            f"bins are {shown(bins)}: give a dict of attributes and their sizes, such as "
            "{'age': 8}, because every size belongs to an attribute"
        )
    return bins or {}


def _merge(data: Dataset, sizes: Mapping[str, int]) -> Dataset:
    """The data with fewer categories, or without the attributes whose size is 1."""
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
    """An attribute and its column, the highest or the rarest categories merged into the last."""
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
