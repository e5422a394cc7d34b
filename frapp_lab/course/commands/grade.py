"""Grade handed-in notebooks: execute each anew, and count the answers that are right.

HANDED_IN has a folder for each student, as learning platforms give it, or a notebook for each.
Every notebook is executed in a kernel of its own, in an empty folder, with a time limit. Nothing
that is stored in it counts, only calls of check that the grader witnesses; the last call on each
exercise decides. Right answers to 02.1, 02.2 and so on give a point each; quick checks such as 02.a
give none.

FILE is written when all are graded. Until then the table so far is beside it, in grades.partial.csv
if FILE is grades.csv, after each notebook; so what is graded stays if the grader is stopped.

This runs other people's code, and what judges an answer runs in the same process. Some ways to
forge a point are noticed and named, others are not; code that rewrites this library's files changes
how the next notebooks are judged. Nor is this computer protected: the code may read and delete your
files and use the network, as you may. Run it in a container or an account without anything to lose.

    frapp-lab grade handed_in --out grades.csv
"""

from __future__ import annotations

import argparse
import contextlib
import sys
from pathlib import Path

from frapp_lab._base.console import bar_or_lines, place, write_csv
from frapp_lab.course.grading.kernel import SECONDS, Outcome, execute
from frapp_lab.course.grading.points import LAYOUTS, Graded, table
from frapp_lab.course.grading.submissions import Student, submissions

NOT_YET = "not graded yet"
"""What is said of a notebook while it waits."""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add what `frapp-lab grade` takes."""
    add = parser.add_argument
    add("handed_in", type=Path, metavar="HANDED_IN", help="the folder")
    add("--out", required=True, type=Path, metavar="FILE", help="a CSV file")
    add("--layout", choices=LAYOUTS, default="table",
        help="a table of all, or what Moodle or Canvas import")  # fmt: skip
    add("--seconds", type=float, default=SECONDS,
        help=f"how long a notebook may run (default: {SECONDS:g})")  # fmt: skip


def run(options: argparse.Namespace) -> int:
    """Grade all notebooks and write the table; what is graded so far is on disk all the time."""
    if not options.seconds > 0:
        raise ValueError(f"--seconds is {options.seconds:g}: it must be above 0")
    out = place(options.out)
    so_far = out.with_name(f"{out.stem}.partial.csv")
    found = submissions(options.handed_in)
    total = sum(len(books) for books in found.values())
    print(
        f"{len(found)} students, {total} notebooks. This runs their code with your rights on this "
        "computer: see frapp-lab grade --help.",
        file=sys.stderr,
    )
    progress, done = bar_or_lines("notebooks"), 0
    graded: dict[Student, list[tuple[str, Outcome]]] = {}
    try:
        for student, books in found.items():
            graded[student] = [(b.name, Outcome(problems=[b.problem or NOT_YET])) for b in books]
            for which, book in enumerate(books):
                if not book.problem:
                    outcome = execute(book.cells, options.seconds)
                    graded[student][which] = book.name, outcome
                done += 1
                _keep(graded, so_far)
                progress(done, total)
    except KeyboardInterrupt:
        if not done:
            raise
        print(
            f"\nStopped; {options.out} was not written. The {done} of {total} notebooks that are "
            f"graded are in {so_far}.",
            file=sys.stderr,
        )
        return 130
    out.parent.mkdir(parents=True, exist_ok=True)  # a notebook may have deleted it
    write_csv(LAYOUTS[options.layout](graded), out)
    with contextlib.suppress(OSError):
        so_far.unlink()
    for _, row in table(graded).iterrows():
        if row["problem"]:
            print(f"{row['student']}: {row['problem']}", file=sys.stderr)
    print(f"{len(found)} students, {total} notebooks: points in {options.out}")
    return 0


def _keep(graded: Graded, path: Path) -> None:
    """Write the table of `frapp-lab grade` so far, and go on if its place was spoiled."""
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        write_csv(table(graded), path)
    except OSError as error:
        print(f"The table so far cannot be written: {error}", file=sys.stderr)
