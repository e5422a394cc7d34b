"""Submissions by student: all files are read before any of them is executed."""

from __future__ import annotations

import os
import re
from dataclasses import dataclass
from pathlib import Path

LARGEST = 100_000_000
"""Largest size of a notebook in bytes."""

# The names that learning platforms give to downloaded folders and files.
PLATFORMS = (
    re.compile(r"(?P<name>.+?)_(?P<id>\d+)_assignsubmission_.*"),  # Moodle
    re.compile(r"(?P<name>[^_]+)_(?:LATE_)?(?P<id>\d+)_\d+_.+"),  # Canvas
)


@dataclass(frozen=True, order=True)
class Student:
    """Hold a student's name and, where the platform told it, its number for them."""

    name: str
    id: str = ""

    @classmethod
    def of(cls, name: str) -> Student:
        """Read a student from the name of a handed-in folder, or of a file without one.

        >>> Student.of("Anna Ek_4711_assignsubmission_file")
        Student(name='Anna Ek', id='4711')
        >>> Student.of("anna")
        Student(name='anna', id='')
        """
        found = next((m for m in (p.fullmatch(name) for p in PLATFORMS) if m), None)
        return cls(found["name"], found["id"]) if found else cls(name)


@dataclass(frozen=True)
class Submission:
    """Hold a notebook as it was handed in: its code cells, or why there are none."""

    name: str
    cells: tuple[str, ...] = ()
    problem: str = ""


def submissions(folder: Path) -> dict[Student, list[Submission]]:
    """List all that was handed in, by student: a folder for each, or a file for each.

    A student without a notebook has an empty list. Hidden files are passed over.
    """
    if not folder.is_dir():
        raise ValueError(f"HANDED_IN is {folder}: there is no such folder")
    found: dict[Student, list[Submission]] = {}
    for path in sorted(folder.iterdir()):
        if _is_hidden(path.name):
            continue
        if path.is_dir() and not path.is_symlink():
            listed = found.setdefault(Student.of(path.name), [])
            listed += [_read(one, folder) for one in _notebooks(path)]
        elif path.suffix.lower() == ".ipynb":
            found.setdefault(Student.of(path.stem), []).append(_read(path, folder))
    if not found:
        raise ValueError(
            f"HANDED_IN is {folder}: it holds neither notebooks nor folders; it must have a folder "
            "for each student, or a notebook for each"
        )
    return found


def _is_hidden(name: str) -> bool:
    return name.startswith((".", "__MACOSX"))


def _notebooks(folder: Path) -> list[Path]:
    paths = []
    for place, folders, files in os.walk(folder):  # does not follow links
        folders[:] = [name for name in folders if not _is_hidden(name)]
        paths += [
            Path(place, name)
            for name in files
            if name.lower().endswith(".ipynb") and not _is_hidden(name)
        ]
    return sorted(paths)


def _read(path: Path, folder: Path) -> Submission:
    name = path.relative_to(folder).as_posix()
    try:
        return Submission(name, _cells(path))
    except Exception as error:  # a file may be broken in any way
        said = str(error) if isinstance(error, _Refused) else type(error).__name__
        return Submission(name, problem=f"cannot be read ({said})")


class _Refused(Exception):
    pass


def _cells(path: Path) -> tuple[str, ...]:
    """Read the code cells of a handed-in notebook, and nothing else that is stored in it."""
    import nbformat

    if path.is_symlink() or not path.is_file():  # a link may lead to another student's file
        raise _Refused("no plain file but a link, a folder or the like")
    if path.stat().st_size > LARGEST:
        raise _Refused(f"{path.stat().st_size / 1e6:,.0f} MB are too many for a notebook")
    cells = nbformat.reads(path.read_text(encoding="utf-8"), as_version=4).cells
    sources = [cell["source"] for cell in cells if cell["cell_type"] == "code"]
    if not all(isinstance(source, str) for source in sources):
        raise _Refused("a cell without text")
    return tuple(source for source in sources if source.strip())
