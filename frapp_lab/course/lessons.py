"""The one list of the lessons: a notebook each, found by itself.

A lesson is a notebook of the folder `notebooks` whose first line is `# 02 · Title: a question?`.
"""

from __future__ import annotations

import json
import re
from dataclasses import dataclass
from pathlib import Path

from frapp_lab._base.places import shipped

NOTEBOOKS = shipped("notebooks")
"""The folder that holds the lessons, their solutions and the teacher's kit."""

SOLUTIONS, TEACHERS = "solutions", "instructor"
"""The folders in it with the worked answers and with the teacher's kit."""


@dataclass(frozen=True)
class Lesson:
    """Hold a lesson's number, its title, the question that it answers (or none), and its file."""

    number: str
    title: str
    question: str
    path: Path


def lessons(folder: Path = NOTEBOOKS) -> list[Lesson]:
    """List all lessons of a folder, in their order.

    >>> lessons()[2].number, lessons()[2].title
    ('02', 'Privacy breaches')
    >>> lessons()[2].question
    'how much may one report give away?'
    """
    return [_lesson(path) for path in sorted(folder.glob("*.ipynb"))]


def _lesson(path: Path) -> Lesson:
    cells = json.loads(path.read_text(encoding="utf-8"))["cells"]
    first = "".join(cells[0]["source"]).split("\n")[0] if cells else ""
    heading = re.fullmatch(r"# (\w+) · ([^:]+)(?:: (.+))?", first)
    if heading is None:
        raise ValueError(
            f"{path.name} begins with {first!r}: a lesson begins with a line such as "
            "'# 02 · Title: a question?', because lists of lessons are made of these lines"
        )
    number, title, question = heading.groups(default="")
    return Lesson(number, title, question, path)


def course_files(*left_out: str, folder: Path = NOTEBOOKS) -> list[Path]:
    """List the files in the lessons' folder, relative to it, without some of its folders.

    >>> "02_privacy_breaches.ipynb" in map(str, course_files("solutions", "instructor"))
    True
    """
    names = [path.relative_to(folder) for path in sorted(folder.rglob("*")) if path.is_file()]
    return [
        name
        for name in names
        if name.parts[0] not in left_out and not any(part.startswith(".") for part in name.parts)
    ]
