"""The data sets of the paper (FRAPP §7, Tables 1 and 2), and any table of your own."""

from __future__ import annotations

import functools
import warnings
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path

import numpy as np
import pandas as pd

from frapp_lab import nhis
from frapp_lab.binning import Bins, equal_width
from frapp_lab.checks import check_integer
from frapp_lab.cube import Cube
from frapp_lab.schema import Attribute, Schema

_HERE = Path(__file__).parent
# In a checkout the data lie beside the package, in an installed wheel inside it.
DATA = _HERE / "data" if (_HERE / "data").is_dir() else _HERE.parent / "data"
"""The folder that holds the data files."""


@dataclass(frozen=True, eq=False)
class Dataset:
    """A table of categorical records with its schema.

    `records` is an N×M array of integer codes. `synthetic` marks made-up data, which say nothing
    about the world; `dropped` is the number of records that had to be left out.

    >>> Dataset(Schema.of_sizes(2, 3), [[0, 2], [1, 0]], name="tiny")
    <Dataset tiny: 2 records, 2 attributes, 6 cells>
    """

    schema: Schema
    records: np.ndarray = field(repr=False)
    name: str = "table"
    synthetic: bool = False
    dropped: int = 0

    def __post_init__(self) -> None:
        """Check the records against the schema, and freeze them."""
        records = self.schema.check(self.records)
        if records is self.records:  # the caller's own array must stay writable
            records = records.view()
        records.flags.writeable = False
        object.__setattr__(self, "records", records)

    def __repr__(self) -> str:
        """One line: name, number of records, shape of the domain."""
        kind = ", synthetic" if self.synthetic else ""
        dropped = f"; {self.dropped:,} records dropped" if self.dropped else ""
        return (
            f"<Dataset {self.name}{kind}: {len(self):,} records, {self.schema.n_attributes} "
            f"attributes, {self.schema.n_cells:,} cells{dropped}>"
        )

    def __len__(self) -> int:
        """The number N of records."""
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
        return Cube(self.schema, lambda positions: self.cube.build(positions) / len(self))

    @classmethod
    def from_counts(
        cls, schema: Schema, counts: np.ndarray, name: str = "table", synthetic: bool = False
    ) -> Dataset:
        """A data set with the given joint counts, in the order of the cells.

        >>> Dataset.from_counts(Schema.of_sizes(2, 2), [[0, 2], [1, 0]]).records.tolist()
        [[0, 1], [0, 1], [1, 0]]
        """
        counts = schema.check_counts(counts).ravel()
        cells = np.flatnonzero(counts)
        return cls(schema, schema.decode(cells).repeat(counts[cells], axis=0), name, synthetic)

    @classmethod
    def from_frame(
        cls, frame: pd.DataFrame, schema: Schema | None = None, name: str = "table"
    ) -> Dataset:
        """A data set of any table of categorical columns.

        Without a schema the categories are those that occur, sorted; a pandas Categorical keeps
        its own categories in its own order. Category names are the values as text.

        >>> Dataset.from_frame(pd.DataFrame({"sex": ["F", "M"], "smokes": [True, False]}))
        <Dataset table: 2 records, 2 attributes, 4 cells>
        """
        if not len(frame) or not len(frame.columns):
            raise ValueError(f"frame has shape {frame.shape}: an empty table holds nothing to mine")
        if not frame.columns.is_unique:
            column = frame.columns[frame.columns.duplicated()][0]
            raise ValueError(f"column {column!r} appears more than once: rename one of them")
        for column in frame.columns:
            missing = np.flatnonzero(frame[column].isna())
            if len(missing):
                raise ValueError(
                    f"column {column!r}, row {missing[0]}: the value is missing ({len(missing)} in "
                    "all); drop these rows, or make 'unknown' a category of its own"
                )
        if schema is None:
            schema = Schema(tuple(_attribute_of(frame[c]) for c in frame.columns))
        elif set(schema.names) != set(map(str, frame.columns)):
            raise ValueError(
                f"frame has the columns {', '.join(map(str, frame.columns))}; "
                f"the schema needs exactly {', '.join(schema.names)}"
            )
        by_name = {str(column): frame[column] for column in frame.columns}
        codes = [_codes(by_name[attribute.name], attribute) for attribute in schema.attributes]
        return cls(schema, np.stack(codes, axis=1), name)

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


def _attribute_of(column: pd.Series) -> Attribute:
    if isinstance(column.dtype, pd.CategoricalDtype):
        values = list(column.cat.categories)
    else:
        values = list(column.unique())
        try:
            values.sort()
        except TypeError:  # values of several types have no order but that of their names
            values.sort(key=str)
    return Attribute(str(column.name), tuple(map(str, values)))


def _codes(column: pd.Series, attribute: Attribute) -> np.ndarray:
    # Only the distinct values are turned into text, not every row.
    positions, values = pd.factorize(column)
    code_of = {category: code for code, category in enumerate(attribute.categories)}
    codes = np.array([code_of.get(str(value), -1) for value in values])[positions]
    unknown = np.flatnonzero(codes < 0)
    if len(unknown):
        row = unknown[0]
        raise ValueError(
            f"column {attribute.name!r}, row {row}: {column.iloc[row]!r} is no category of it; "
            f"known are {', '.join(attribute.categories)}"
        )
    return codes


# --- CENSUS ---------------------------------------------------------------------------------------

# Table 1 prints the hours right-closed; only left-closed bins give the paper's Table 3.
_CENSUS_BINS = {
    "age": Bins((15, 35, 55, 75, np.inf)),
    "fnlwgt": Bins((0, 1e5, 2e5, 3e5, 4e5, np.inf)),
    "hours-per-week": Bins((0, 20, 40, 60, 80, np.inf), closed="left"),
}
_CENSUS_RANGE = {"age": (15, 95), "fnlwgt": (0, 1_500_000), "hours-per-week": (0, 100)}
_CENSUS_NOMINAL = (
    Attribute("race", ("White", "Asian-Pac-Islander", "Amer-Indian-Eskimo", "Other", "Black")),
    Attribute("sex", ("Female", "Male")),
    Attribute("native-country", ("United-States", "Other")),
)


@functools.cache
def _raw_census() -> pd.DataFrame:
    return pd.read_csv(DATA / "census.csv.gz", na_filter=False)


def raw_census() -> pd.DataFrame:
    """The six raw columns of UCI Adult that FRAPP uses, unbinned.

    >>> raw_census().shape
    (48842, 6)
    """
    return _raw_census().copy()


def load_census(bins: Mapping[str, int | Sequence[float]] | None = None) -> Dataset:
    """CENSUS (FRAPP §7, Table 1): UCI Adult, train and test, binned so that Table 3 comes out.

    `bins` re-bins a numeric attribute: a number of equal-width intervals, or their edges.

    >>> load_census()
    <Dataset CENSUS: 48,842 records, 6 attributes, 2,000 cells>
    >>> load_census(bins={"age": 8, "hours-per-week": [0, 40, 100]}).schema.sizes
    (8, 5, 2, 5, 2, 2)
    """
    frame = _raw_census()
    chosen = dict(_CENSUS_BINS)
    for name, wanted in (bins or {}).items():
        if name not in chosen:
            raise ValueError(
                f"bins names {name!r}, which is no numeric attribute of CENSUS: "
                f"choose from {', '.join(chosen)}"
            )
        closed = chosen[name].closed
        if isinstance(wanted, int | np.integer):
            chosen[name] = equal_width(name, wanted, *_CENSUS_RANGE[name], closed)
        else:
            chosen[name] = Bins(tuple(wanted), closed, name)
    country = frame["native-country"]
    nominal = frame.assign(**{"native-country": country.where(country == "United-States", "Other")})
    schema = Schema((*(Attribute(name, b.labels) for name, b in chosen.items()), *_CENSUS_NOMINAL))
    codes = [b.codes(frame[name].to_numpy(), name) for name, b in chosen.items()]
    codes += [_codes(nominal[a.name], a) for a in _CENSUS_NOMINAL]
    return Dataset(schema, np.stack(codes, axis=1), "CENSUS")


# --- HEALTH ---------------------------------------------------------------------------------------


def load_health(path: str | Path | None = None, bins: Mapping[str, int] | None = None) -> Dataset:
    """HEALTH (FRAPP §7, Table 2): a synthetic stand-in, or the real NHIS 1993 person file.

    Without a path it gives the stand-in, which has the shape of the problem but says nothing about
    health or about the paper's figures (see `data/README.md`). With the path of `PERSONSX.DAT` it
    reads the real file; records with an unknown code are dropped, and a warning says how many.
    `bins` gives AGE, BDDAY12 or DV12 fewer categories, by merging the highest ones.

    >>> load_health()
    <Dataset HEALTH (stand-in), synthetic: 109,000 records, 7 attributes, 7,500 cells>
    >>> load_health(bins={"AGE": 3}).schema.attributes[0].categories
    ('0-19', '20-39', '40+')
    """
    return _merge_highest(_all_health(path), bins or {})


def _all_health(path: str | Path | None) -> Dataset:
    schema = Schema(nhis.ATTRIBUTES)
    if path is None:
        table = pd.read_csv(DATA / "health_standin.csv.gz", na_filter=False)
        cells = Dataset.from_frame(table.drop(columns="count"), schema)
        counts = np.zeros(schema.sizes, dtype=np.int64)
        counts[tuple(cells.records.T)] = table["count"]
        return Dataset.from_counts(schema, counts, "HEALTH (stand-in)", synthetic=True)
    codes, unknown, dropped = nhis.read(Path(path))
    if dropped:
        which = ", ".join(f"{name}: {number:,}" for name, number in unknown.items())
        warnings.warn(
            f"{dropped:,} of {len(codes) + dropped:,} records have an unknown code and were "
            f"dropped ({which})",
            stacklevel=3,
        )
    return Dataset(schema, codes, "HEALTH", dropped=dropped)


def _merge_highest(data: Dataset, bins: Mapping[str, int]) -> Dataset:
    attributes, records = list(data.schema.attributes), np.array(data.records)
    for name, number in bins.items():
        if name not in nhis.NUMERIC:
            raise ValueError(
                f"bins names {name!r}, which is no numeric attribute of HEALTH: "
                f"choose from {', '.join(nhis.NUMERIC)}"
            )
        j = data.schema.names.index(name)
        old = attributes[j].categories
        check_integer(
            f"bins for {name!r}", number, 2, len(old), "only its categories can be merged"
        )
        if number < len(old):
            lowest = old[number - 1].split("-")[0]
            attributes[j] = Attribute(name, (*old[: number - 1], f"{lowest}+"))
            np.minimum(records[:, j], number - 1, out=records[:, j])
    return Dataset(Schema(tuple(attributes)), records, data.name, data.synthetic, data.dropped)
