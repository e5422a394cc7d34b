"""Tables in CSV and Parquet files, whole or piece by piece.

A CSV file holds texts, as they stand there: what looks like a number in one piece may not in the
next, and a category is known by its name. Only an empty value is missing.
"""

from __future__ import annotations

import zlib
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pandas as pd

PIECE = 2**18
"""At most so many rows of a file are held at a time."""

ENDINGS = (".parquet", ".csv", ".csv.gz")
"""The files that are read; a folder may hold others beside them."""

_AS_TEXT: dict[str, Any] = {"dtype": str, "keep_default_na": False, "na_values": [""]}


def read_csv(path: str | Path, columns: Sequence[str] | None = None) -> pd.DataFrame:
    """A CSV file as a table of texts, or those of its columns that are named.

    >>> import io
    >>> read_csv(io.StringIO("sex,smokes\\nF,NA\\nM,07\\n"), ["smokes"])["smokes"].tolist()
    ['NA', '07']
    """
    with naming(path):
        frame = pd.read_csv(path, **_AS_TEXT)
        return frame if columns is None else frame[check_columns(frame.columns, columns)]


def read_parquet(path: str | Path, columns: Sequence[str] | None = None) -> pd.DataFrame:
    """A Parquet file as a table, or those of its columns that are named."""
    parquet = _pyarrow()
    with naming(path), parquet.ParquetFile(path) as file:
        wanted = None if columns is None else check_columns(file.schema_arrow.names, columns)
        return file.read(wanted).to_pandas()


def pieces(path: str | Path, columns: Sequence[str]) -> Iterator[tuple[int, pd.DataFrame]]:
    """The named columns, PIECE rows at a time, each piece with the number of its first row.

    The texts of a Parquet file come as categoricals, so that each is held once. The pieces depend
    on the file alone.
    """
    first = 0
    frames = _parquet(path, columns) if _is_parquet(path) else _csv(path, columns)
    for frame in frames:
        yield first, frame
        first += len(frame)
    if not first:
        raise ValueError(f"{path}: there is no row in it, and at least one record is needed")


def columns_of(path: str | Path) -> list[str]:
    """The names of a file's columns, without reading its rows."""
    parquet = _pyarrow() if _is_parquet(path) else None
    with naming(path):
        if parquet is None:
            return list(pd.read_csv(path, nrows=0, **_AS_TEXT).columns)
        with parquet.ParquetFile(path) as file:
            return list(file.schema_arrow.names)


def check_columns(found: Iterable[str], wanted: Sequence[str]) -> list[str]:
    """The wanted columns, if all of them are among those found.

    >>> check_columns(["age", "sex"], ["sex"])
    ['sex']
    """
    found = list(found)
    missing = [name for name in wanted if name not in found]
    if missing:
        raise ValueError(
            f"there is no column {missing[0]!r}; the columns are {', '.join(map(str, found))}, "
            f"and {', '.join(wanted)} are needed"
        )
    return list(wanted)


@contextmanager
def naming(path: object) -> Iterator[None]:
    """Whatever goes wrong with a file inside, its name is said."""
    try:
        yield
    except FileNotFoundError:
        raise ValueError(f"{path}: there is no such file") from None
    except (ValueError, OSError, EOFError, zlib.error) as error:
        raise ValueError(f"{path}: {error}") from error


def _parquet(path: str | Path, columns: Sequence[str]) -> Iterator[pd.DataFrame]:
    found = columns_of(path)
    with naming(path):
        wanted = check_columns(found, columns)
    # Texts are numbered in the file already: they are read as these numbers.
    with naming(path), _pyarrow().ParquetFile(path, read_dictionary=wanted) as file:
        # One thread: the work is spread over files, and the processor time is that of one core.
        for batch in file.iter_batches(PIECE, columns=wanted, use_threads=False):
            yield batch.to_pandas(split_blocks=True)


def _csv(path: str | Path, columns: Sequence[str]) -> Iterator[pd.DataFrame]:
    with naming(path), pd.read_csv(path, chunksize=PIECE, **_AS_TEXT) as reader:
        for frame in reader:
            yield frame[check_columns(frame.columns, columns)]


def _is_parquet(path: str | Path) -> bool:
    name = str(path)
    if not name.endswith(ENDINGS):
        raise ValueError(f"{path}: a file's name must end in {', '.join(ENDINGS)}")
    return name.endswith(".parquet")


def _pyarrow() -> Any:
    try:
        import pyarrow.parquet  # not at the top: only who reads Parquet needs it
    except ImportError:
        raise ImportError('Parquet needs pyarrow: pip install "frapp_lab[scale]"') from None
    return pyarrow.parquet
