"""Grade handed-in notebooks: execute each anew, and count the answers that are right.

HANDED_IN has a folder for each student, as learning platforms give it, or a notebook for each.
Every notebook is executed in a kernel of its own, in an empty folder, with a time limit. Nothing
that is stored in it counts, only calls of check that the grader witnesses; the last call on each
exercise decides. Right answers to 02.1, 02.2 and so on give a point each; quick checks such as 02.a
give none.

This runs other people's code. A kernel of its own keeps one notebook apart from the next and from
the table of points. It does not protect this computer: the code may read and delete your files and
use the network, as you may. Run it in a container or an account without anything to lose.

    frapp-lab grade handed_in --out grades.csv
"""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

from frapp_lab.console import bar_or_lines, place, write_csv
from frapp_lab.grading.kernel import SECONDS, Outcome, execute
from frapp_lab.grading.points import LAYOUTS, table
from frapp_lab.grading.submissions import Student, submissions


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """What the command takes."""
    parser.add_argument("handed_in", type=Path, metavar="HANDED_IN", help="the folder")
    parser.add_argument("--out", required=True, type=Path, metavar="FILE", help="a CSV file")
    parser.add_argument("--layout", choices=LAYOUTS, default="table",
                        help="a table of all, or what Moodle or Canvas import")  # fmt: skip
    parser.add_argument("--seconds", type=float, default=SECONDS,
                        help=f"how long a notebook may run (default: {SECONDS:g})")  # fmt: skip


def run(options: argparse.Namespace) -> int:
    """Execute all notebooks and write the table."""
    if not options.seconds > 0:
        raise ValueError(f"--seconds is {options.seconds:g}: it must be above 0")
    out = place(options.out)
    found = submissions(options.handed_in)
    total = sum(len(books) for books in found.values())
    print(
        f"{len(found)} students, {total} notebooks. This runs their code with your rights on this "
        "computer: see frapp-lab grade --help.",
        file=sys.stderr,
    )
    progress, done = bar_or_lines("notebooks"), 0
    graded: dict[Student, list[tuple[str, Outcome]]] = {student: [] for student in found}
    for student, books in found.items():
        for book in books:
            outcome = Outcome(problems=[book.problem])
            if not book.problem:
                outcome = execute(book.cells, options.seconds)
            graded[student].append((book.name, outcome))
            done += 1
            progress(done, total)
    out.parent.mkdir(parents=True, exist_ok=True)  # a notebook may have deleted it
    write_csv(LAYOUTS[options.layout](graded), out)
    for _, row in table(graded).iterrows():
        if row["problem"]:
            print(f"{row['student']}: {row['problem']}", file=sys.stderr)
    print(f"{len(found)} students, {total} notebooks: points in {options.out}")
    return 0
