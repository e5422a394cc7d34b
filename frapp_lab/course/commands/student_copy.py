"""Write the lessons for students: without outputs, solutions and teacher's notes.

A sentence that links to what is left out is left out too. The folder must be new or empty.

    frapp-lab student-copy for_students
"""

from __future__ import annotations

import argparse
import re
from pathlib import Path

import nbformat

from frapp_lab.course.lessons import NOTEBOOKS, SOLUTIONS, TEACHERS, course_files

LINK = re.compile(rf"\]\((?:\.\./)*(?:{SOLUTIONS}|{TEACHERS})(?:/[^)]*)?\)")
"""A link into one of the folders that students do not get."""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add what `frapp-lab student-copy` takes."""
    parser.add_argument("target", type=Path, metavar="TARGET", help="a new or empty folder")


def run(options: argparse.Namespace) -> int:
    """Write the students' copy of the lessons."""
    target = options.target
    if target.exists() and not (target.is_dir() and not any(target.iterdir())):
        raise ValueError(
            f"TARGET is {target}: it exists and is not an empty folder; choose another one, "
            "because nothing is overwritten"
        )
    names = course_files(SOLUTIONS, TEACHERS)
    copies = {name: copy_of(NOTEBOOKS / name) for name in names}  # all is read, then all is written
    for name, content in copies.items():
        (target / name).parent.mkdir(parents=True, exist_ok=True)
        (target / name).write_bytes(content)
    print(f"{len(copies)} files in {target}")
    return 0


def copy_of(path: Path) -> bytes:
    """Give a file as students get it."""
    if path.suffix == ".md":
        return without_links(path.read_text(encoding="utf-8")).encode()
    if path.suffix != ".ipynb":
        return path.read_bytes()
    notebook = nbformat.read(path, as_version=4)
    for cell in notebook.cells:
        if cell.cell_type == "code":
            cell.outputs, cell.execution_count = [], None
        else:
            cell.source = without_links(cell.source)
    return nbformat.writes(notebook).encode()


def without_links(text: str) -> str:
    """Leave out the sentences that link to what students do not get.

    >>> without_links("Try it. The answer is [here](solutions/00_start_here.ipynb). Go on.")
    'Try it. Go on.'
    """
    if not LINK.search(text):
        return text
    blocks = text.split("\n\n")
    kept = [
        "".join(part for part in re.split(r"(?<=[.!?]\s)", block + " ") if not LINK.search(part))
        for block in blocks
    ]
    return "\n\n".join(block.rstrip() for block in kept if block.strip())
