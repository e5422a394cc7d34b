"""Surveys larger than memory: one function per file, on one machine or on a Dask cluster.

`pip install "frapp_lab[scale]"`. A survey is many files, or a Dask DataFrame. Each part is read,
checked, perturbed and reduced to the mechanism's statistic, piece by piece; only these small sums
travel, and they add up to the same numbers in any order and any place.

**A part that runs again repeats its reports.** When a worker is lost, its parts run once more
elsewhere. With fresh noise that would be a second report on the same people, and two reports may
tell γ times as much as one: up to γ². So luck belongs to the seed and the part's number, and a
retry gives what the first run would have given. For the same reason ask for one survey with one
seed, and add files at the end: a file's number is its place in the list.
"""

from __future__ import annotations

import os
import warnings
from collections.abc import Iterable, Iterator, Sequence
from contextlib import closing, suppress
from pathlib import Path
from typing import Any

import numpy as np

from frapp_lab._base.checks import check_flag, check_integer, shown
from frapp_lab._base.console import Progress
from frapp_lab._base.later import pd
from frapp_lab._base.random_streams import Seed, check_seed, stream
from frapp_lab.data import files
from frapp_lab.data.attribute import numbered
from frapp_lab.data.columns import MANY, attribute_of, check_column, records_of
from frapp_lab.data.dataset import Dataset, check_dataset
from frapp_lab.data.schema import Schema
from frapp_lab.mechanisms.counting import draw_statistic
from frapp_lab.mechanisms.mechanism import Mechanism
from frapp_lab.scale.cluster import spread


def collect(
    source: Any,
    mechanism: Mechanism,
    seed: Seed = 0,
    *,
    codes: bool = False,
    draw: str = "records",
    client: Any = None,
    progress: Progress | None = None,
) -> np.ndarray:
    """Collect the statistic of all reports of a survey, for `mechanism.estimate_statistic`.

    `source` is a folder, a file or a list of files (.parquet, .csv, .csv.gz), or a Dask DataFrame.
    A file under two names is refused, and a hidden one is passed over with a warning. The columns
    are the schema's attributes, others are ignored. They hold category names, or with `codes` the
    numbers 0, 1, … of the schema. `client` is a `dask.distributed.Client`, whose
    workers must see the same files; without it the files are read here, one after the other.

    With `draw="records"` every record gets its report: the first piece of part i is
    `mechanism.perturb(records, seed, partition=i)`. With `draw="counts"` the joint counts of each
    piece's reports are drawn where their law is known: the same law, other luck, less time.
    """
    if not isinstance(mechanism, Mechanism):
        raise TypeError(
            f"mechanism is {shown(mechanism)}: it must be a mechanism, as make_scheme(label, "
            "schema, gamma) gives, because the files are checked against its schema"
        )
    seed = check_seed(seed)
    check_flag("codes", codes)
    if draw not in ("counts", "records"):
        raise ValueError(
            f'draw is {draw!r}: it must be "records" (every client draws) or "counts" (joint '
            "counts are drawn where their law is known)"
        )
    parts = _parts(source)
    total, done = np.zeros((), dtype=np.int64), 0
    with closing(spread(part_statistic, parts, (mechanism, seed, codes, draw), client)) as results:
        for _, statistic in results:
            total, done = total + statistic, done + 1
            if progress is not None:
                progress(done, len(parts))
    if not total.ndim:
        raise ValueError("source has no rows: at least one record is needed")
    return total


def part_statistic(number: int, part: Any, shared: tuple[Mechanism, Seed, bool, str]) -> np.ndarray:
    """Read, check, perturb and reduce a survey's part to its statistic; the same at every run.

    A part is a file or a pandas DataFrame. A piece beyond its first `files.PIECE` records has luck
    of its own too.
    """
    part, (mechanism, seed, codes, draw) = _loaded(part), shared
    schema = mechanism.schema
    total = np.zeros((), dtype=np.int64)
    for piece, (first, frame) in enumerate(_frames(number, part, schema.names)):
        with files.naming(_name(number, part)):
            records = _coded(frame, schema, first) if codes else records_of(frame, schema, first)
        luck = number + (piece << 32)
        statistic = None
        if draw == "counts":
            counts = schema.counts(records, checked=True)
            statistic = draw_statistic(mechanism, counts, seed, luck)
        if statistic is None:
            statistic = mechanism.statistic(mechanism.perturb(records, seed, luck))
        total = total + statistic
    return total


def find_schema(source: Any, client: Any = None) -> Schema:
    """Find the schema of a survey by reading all of it: the categories that occur, sorted.

    It looks at private data, and says so in a warning: a category that one person has tells of
    this person, before any perturbation. Write the schema down where you can.
    """
    parts = _parts(source)
    names = _columns(parts[0][1] if _is_path(parts[0][1]) else source)
    warnings.warn(
        "the schema is found by looking at every record, unperturbed: a rare category tells that "
        "somebody has it; where the categories are known beforehand, give them as a Schema",
        stacklevel=2,
    )
    values: dict[str, set] = {name: set() for name in names}
    rows = 0
    with closing(spread(part_values, parts, names, client)) as results:
        for _, (n_rows, found) in results:
            rows += n_rows
            for name in names:
                values[name] |= found[name]
    return Schema(tuple(attribute_of(name, values[name], rows) for name in names))


def part_values(number: int, part: Any, names: list[str]) -> tuple[int, dict[str, set]]:
    """Count the rows of a survey's part, and collect the values that its columns hold."""
    part = _loaded(part)
    with files.naming(_name(number, part)):
        if set(found := _columns(part)) != set(names):
            raise ValueError(
                f"its columns are {', '.join(found)}, and those of the first part are "
                f"{', '.join(names)}: all parts of a survey have the same columns"
            )
    rows = 0
    values: dict[str, set] = {name: set() for name in names}
    for first, frame in _frames(number, part, names):
        rows += len(frame)
        with files.naming(_name(number, part)):
            for name in names:
                check_column(frame[name], first)
                values[name].update(frame[name].unique())
                if len(values[name]) > MANY:
                    attribute_of(name, values[name], rows)  # refuses, before there are too many
    return rows, values


def resample(
    dataset: Dataset,
    folder: str | Path,
    n_records: int,
    n_files: int,
    seed: int = 0,
    codes: bool = False,
) -> list[Path]:
    """Draw records of a data set, with replacement, into Parquet files: a survey like it.

    For trying out: what it holds is synthetic, even if the data set is not. The folder must not
    hold another survey.
    """
    check_dataset(dataset)
    why = "each file holds a record at least"
    check_integer("n_files", n_files, 1, check_integer("n_records", n_records, 1, 2**40, why), why)
    Path(folder).mkdir(parents=True, exist_ok=True)
    if old := sorted(path.name for path in Path(folder).iterdir() if _is_data(path)):
        raise ValueError(
            f"folder is {folder}: it holds {old[0]} already, and what is left of an older survey "
            "would be counted with the new one; take an empty folder"
        )
    made = []
    for i in range(n_files):
        size = n_records * (i + 1) // n_files - n_records * i // n_files
        chosen = stream(seed, "resample", i).integers(len(dataset), size=size)
        part = Dataset(dataset.schema, dataset.records[chosen])
        frame = pd.DataFrame(part.records, columns=part.schema.names) if codes else part.to_frame()
        made.append(Path(folder) / f"part-{i:05d}.parquet")
        frame.to_parquet(made[-1], index=False)
    return made


# --- parts ----------------------------------------------------------------------------------------


def _parts(source: Any) -> list[tuple[int, Any]]:
    """Number the parts of a survey: files, or the partitions of a Dask DataFrame."""
    if hasattr(source, "to_delayed"):
        return list(enumerate(source.to_delayed(optimize_graph=True)))
    if _is_path(source):
        folder = Path(source)
        if not folder.is_dir():
            return [(0, folder)]
        every = sorted(path for path in folder.iterdir() if _is_data(path))
        paths = [path for path in every if not path.name.startswith(".")]
        if not paths:
            raise ValueError(
                f"{folder}: there is no file in this folder that ends in {', '.join(files.ENDINGS)}"
            )
        if len(paths) < len(every):
            hidden = ", ".join(path.name for path in every if path not in paths)
            warnings.warn(f"{folder}: hidden files are passed over: {hidden}", stacklevel=3)
        return _once(paths)
    if isinstance(source, pd.DataFrame) or not isinstance(source, Iterable):
        raise TypeError(
            f"source is {shown(source)}: give a folder, a file, a list of files or a Dask "
            "DataFrame; a table in memory is for Dataset.from_frame"
        )
    if not (paths := list(source)):
        raise ValueError("source is empty: give at least one file")
    return _once([Path(path) for path in paths])


def _once(paths: list[Path]) -> list[tuple[int, Path]]:
    """Number a survey's files, if no two are one: by path, by link, or in another format."""
    numbered, seen = list(enumerate(paths)), dict[object, int]()
    for number, path in numbered:
        place = os.path.realpath(path)
        ending = next((e for e in files.ENDINGS if place.lower().endswith(e)), "")
        keys: list[object] = [place[: len(place) - len(ending)]]
        with suppress(OSError):
            found = path.stat()
            keys.append((found.st_dev, found.st_ino))  # a hard link is a name like the first
        for key in keys:
            if (first := seen.setdefault(key, number)) != number:
                raise ValueError(
                    f"source has {paths[first]} and {path}, the same file or table more than once: "
                    "its people would report twice, with other noise, and that could tell up to γ²"
                )
    return numbered


def _is_data(path: Path) -> bool:
    return path.name.lower().endswith(files.ENDINGS)


def _is_path(part: Any) -> bool:
    return isinstance(part, str | Path)


def _loaded(part: Any) -> Any:
    """Give a survey's part, file name or table: without a cluster a partition is made here."""
    return part.compute(scheduler="synchronous") if hasattr(part, "compute") else part


def _name(number: int, part: Any) -> str:
    return str(part) if _is_path(part) else f"partition {number}"


def _columns(part: Any) -> list[str]:
    return files.columns_of(part) if _is_path(part) else [str(name) for name in part.columns]


def _frames(number: int, part: Any, names: Sequence[str]) -> Iterator[tuple[int, pd.DataFrame]]:
    """Cut a survey's part into pieces, each with the number of its first row."""
    if _is_path(part):
        yield from files.pieces(part, names)
        return
    frame = part.set_axis(part.columns.map(str), axis=1)
    with files.naming(_name(number, part)):
        files.check_columns(frame.columns, names)
    for first in range(0, len(frame), files.PIECE):
        yield first, frame.iloc[first : first + files.PIECE]


def _coded(frame: pd.DataFrame, schema: Schema, first: int) -> np.ndarray:
    """Give the records of a survey's table of codes; in a CSV file they are texts, "0", "1", …"""
    columns = [frame[name].to_numpy() for name in schema.names]
    if all(column.dtype.kind in "iu" for column in columns):
        return schema.check(np.stack(columns).T, "codes", first)
    numbers = tuple(numbered(a.name, a.size) for a in schema.attributes)
    return records_of(frame, Schema(numbers), first)
