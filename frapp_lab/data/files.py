"""Tables in CSV and Parquet files, whole or piece by piece.

A CSV file holds texts, as they stand there: what looks like a number in one piece may not in the
next, and a category is known by its name. Only an empty value is missing.
"""

from __future__ import annotations

import csv
import functools
import gzip
import os
import zlib
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import numpy as np

from frapp_lab._base.later import pd
from frapp_lab._base.places import shipped

DATA = shipped("data")
"""Folder of the data files that come with the package."""

PIECE = 2**18
"""Largest number of rows of a file held at a time."""

ENDINGS = (".parquet", ".csv", ".csv.gz")
"""Endings of the files that are read; a folder may hold others beside them."""

_AS_TEXT: dict[str, Any] = {"dtype": str, "keep_default_na": False, "na_values": [""]}


@functools.cache
def shipped_columns(name: str) -> dict[str, np.ndarray]:
    """Read a data file that comes with the package, without pandas, which takes long to load."""
    with gzip.open(DATA / name, "rt", encoding="utf-8", newline="") as file:
        names, *rows = csv.reader(file)
    return {
        name: np.array(column, dtype=np.int64 if column[0].isdigit() else object)
        for name, column in zip(names, zip(*rows, strict=True), strict=True)
    }


def read_csv(path: str | Path, columns: Sequence[str] | None = None) -> pd.DataFrame:
    """Read a CSV file as a table of texts, or only the named columns.

    >>> import io
    >>> read_csv(io.StringIO("sex,smokes\\nF,NA\\nM,07\\n"), ["smokes"])["smokes"].tolist()
    ['NA', '07']
    """
    with naming(path):
        header = _header(path)
        frame = _unshifted(pd.read_csv(path, **_AS_TEXT))
        return _filled(frame[check_columns(header, header if columns is None else columns)])


def read_parquet(path: str | Path, columns: Sequence[str] | None = None) -> pd.DataFrame:
    """Read a Parquet file as a table, or only the named columns."""
    with naming(path), _opened(path) as file:
        wanted = None if columns is None else _flat(file.schema_arrow, columns)
        # What pandas wrote as an index is a column too for whoever names it.
        return _filled(file.read(wanted).to_pandas(ignore_metadata=wanted is not None))


def pieces(path: str | Path, columns: Sequence[str]) -> Iterator[tuple[int, pd.DataFrame]]:
    """Read a file's columns PIECE rows at a time, each piece with the number of its first row.

    The texts of a Parquet file come as categoricals, so that each is held once. The pieces depend
    on the file alone.
    """
    first = 0
    frames = _parquet(path, columns) if _is_parquet(path) else _csv(path, columns)
    for frame in frames:
        if len(frame):  # of a CSV file without rows there comes one
            yield first, frame
        first += len(frame)
    if not first:
        raise ValueError(f"{path}: there is no row in it, and at least one record is needed")


def columns_of(path: str | Path) -> list[str]:
    """Read the names of a CSV or Parquet file's columns, without its rows."""
    is_parquet = _is_parquet(path)
    with naming(path):
        if not is_parquet:
            return _header(path)
        with _opened(path) as file:
            index = (file.schema_arrow.pandas_metadata or {}).get("index_columns", ())
            return [name for name in file.schema_arrow.names if name not in index]


def check_columns(found: Iterable[str], wanted: Sequence[str]) -> list[str]:
    """Check that each wanted column is once among those found in a file, and give them back."""
    found = list(found)
    missing = [name for name in wanted if name not in found]
    if missing:
        raise ValueError(
            f"there is no column {missing[0]!r}; the columns are {', '.join(map(str, found))}, "
            f"and {', '.join(wanted)} are needed"
        )
    repeated = [name for name in wanted if found.count(name) > 1]
    if repeated:
        raise ValueError(
            f"column {repeated[0]!r} is there {found.count(repeated[0])} times: rename all but "
            "one, because a column is known by its name"
        )
    return list(wanted)


@contextmanager
def naming(path: object) -> Iterator[None]:
    """Name the data file in every error that is raised while it is read."""
    try:
        yield
    except FileNotFoundError:
        raise ValueError(f"{path}: there is no such file") from None
    except (ValueError, OSError, EOFError, zlib.error) as error:
        raise ValueError(f"{path}: {error}") from error


def _parquet(path: str | Path, columns: Sequence[str]) -> Iterator[pd.DataFrame]:
    with naming(path), _opened(path) as file:
        wanted = _flat(file.schema_arrow, columns)
    # Texts are numbered in the file already: they are read as these numbers.
    with naming(path), _opened(path, read_dictionary=wanted) as file:
        # One thread: the work is spread over files, and the processor time is that of one core.
        for batch in file.iter_batches(PIECE, columns=wanted, use_threads=False):
            yield batch.to_pandas(split_blocks=True, ignore_metadata=True)


def _flat(schema: Any, columns: Sequence[str]) -> list[str]:
    """Give back the wanted columns of a Parquet file, if each holds one value a row."""
    from pyarrow.types import is_nested

    for name in check_columns(schema.names, columns):
        if is_nested(schema.field(name).type):
            raise ValueError(
                f"column {name!r} holds values of the type {schema.field(name).type}: a category "
                "must be one value, such as a text or a number"
            )
    return list(columns)


def _csv(path: str | Path, columns: Sequence[str]) -> Iterator[pd.DataFrame]:
    with naming(path):
        wanted = check_columns(_header(path), columns)
    with naming(path), pd.read_csv(path, chunksize=PIECE, **_AS_TEXT) as reader:
        for frame in reader:
            yield _unshifted(frame)[wanted]


def _header(path: str | Path) -> list[str]:
    """Read the names of a CSV file's columns as they are; pandas would rename repeated ones."""
    start = path.tell() if hasattr(path, "tell") else None
    first = pd.read_csv(check_plain(path), header=None, nrows=1, **_AS_TEXT)
    if start is not None:
        path.seek(start)  # type: ignore[union-attr]
    return [f"Unnamed: {j}" if pd.isna(name) else name for j, name in enumerate(first.iloc[0])]


def _unshifted(frame: pd.DataFrame) -> pd.DataFrame:
    """Refuse a CSV file's rows that are longer than its header: pandas would shift their values."""
    if not isinstance(frame.index, pd.RangeIndex):
        raise ValueError(
            f"its rows hold {frame.index.nlevels + len(frame.columns)} values and its first line "
            f"{len(frame.columns)} names ({', '.join(frame.columns)}): each value needs the name "
            "of its column"
        )
    return frame


def _filled(frame: pd.DataFrame) -> pd.DataFrame:
    if not len(frame):
        raise ValueError("there is no row in it, and at least one record is needed")
    return frame


def check_plain(path: Any) -> Any:
    """Give back a file's path if it can be read to its end; a pipe or a device may never end."""
    if isinstance(path, str | os.PathLike) and os.path.exists(path) and not os.path.isfile(path):
        kind = "a folder" if os.path.isdir(path) else "a pipe, a device or the like"
        raise ValueError(f"{path} is {kind}: a plain file is wanted, which can be read to its end")
    return path


def _is_parquet(path: str | Path) -> bool:
    name = str(path).lower()
    if not name.endswith(ENDINGS):
        raise ValueError(f"{path}: a file's name must end in {', '.join(ENDINGS)}")
    return name.endswith(".parquet")


def _opened(path: Any, **options: Any) -> Any:
    """Open a Parquet file that is a plain file."""
    check_plain(path)
    try:
        import pyarrow.parquet  # not at the top: only who reads Parquet needs it
    except ImportError:
        raise ImportError('Parquet needs pyarrow: pip install "frapp_lab[scale]"') from None
    return pyarrow.parquet.ParquetFile(path, **options)
