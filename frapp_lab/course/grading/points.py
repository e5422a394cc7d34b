"""Points: one for each exercise whose last witnessed verdict is right, as tables for platforms."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

import pandas as pd

from frapp_lab.course.exercises import EXERCISES
from frapp_lab.course.grading.kernel import Outcome
from frapp_lab.course.grading.submissions import Student

Graded = Mapping[Student, Sequence[tuple[str, Outcome]]]
"""For each student the names of the notebooks, and what was witnessed in them."""


def lesson_of(number: str) -> str:
    """Name the lesson that an exercise belongs to, for the tables of points.

    >>> lesson_of("02.1")
    '02'
    """
    return number.partition(".")[0]


def exercises_of(lesson: str) -> list[str]:
    """List the exercises that give a point: 02.1 does, and 02.a, a quick check, does not.

    >>> exercises_of("04")
    ['04.1', '04.2', '04.3', '04.4', '04.5']
    """
    numbers = [n for n in EXERCISES if lesson_of(n) == lesson and n.partition(".")[2].isdigit()]
    return sorted(numbers, key=lambda number: int(number.partition(".")[2]))


def table(graded: Graded) -> pd.DataFrame:
    """Make a row for each student: points, sums by lesson, the sum of all, problems in words.

    A place is empty where a student handed in no notebook of that lesson. A lesson that is found in
    two of a student's notebooks gives no points, because nobody can know which one is meant.
    """
    every = [outcome for books in graded.values() for _, outcome in books]
    lessons = sorted({lesson_of(number) for outcome in every for number in outcome.verdicts})
    rows = [_row(student, books, lessons) for student, books in sorted(graded.items())]
    columns = ["student", "id"]
    for lesson in lessons:
        columns += [*exercises_of(lesson), f"lesson {lesson}"]
    made = pd.DataFrame(rows, columns=[*columns, "total", "problem"])
    return made.astype(dict.fromkeys(made.columns[2:-1], "Int64"))


def _row(student: Student, books: Sequence[tuple[str, Outcome]], lessons: list[str]) -> dict:
    row: dict[str, object] = {"student": _plain(student.name), "id": student.id, "total": 0}
    problems = [f"{name}: {problem}" for name, outcome in books for problem in outcome.problems]
    if not books:
        problems.append("no notebook was handed in")
    for name, outcome in books:
        if not outcome.verdicts and not outcome.problems:
            problems.append(f"{name}: no call of check was witnessed, so there are no points")
    for lesson in lessons:
        holding = [
            (name, outcome.verdicts)
            for name, outcome in books
            if any(lesson_of(number) == lesson for number in outcome.verdicts)
        ]
        if len(holding) > 1:
            names = " and ".join(name for name, _ in holding)
            problems.append(f"lesson {lesson} is in {names}: none counts, keep one")
        if not holding:
            continue
        verdicts = holding[0][1] if len(holding) == 1 else {}
        points = {number: int(verdicts.get(number) is True) for number in exercises_of(lesson)}
        total = sum(points.values())
        row |= {**points, f"lesson {lesson}": total, "total": row["total"] + total}  # type: ignore[operator]
    row["problem"] = _plain("; ".join(problems))
    return row


def _plain(text: str) -> str:
    """Make a text fit for a table of points: any file holds it, no spreadsheet sees a formula."""
    text = text.encode("utf-8", "backslashreplace").decode()  # a file's name may be any bytes
    return f"'{text}" if text.startswith(("=", "+", "-", "@", "\t", "\r")) else text


def moodle(graded: Graded) -> pd.DataFrame:
    """Make Moodle's grading worksheet: the sum, and the points as a comment for the student."""
    points = table(graded)
    numbers = _numbers(points)
    said = [
        ", ".join(f"{number}: {row[number]}" for number in numbers if pd.notna(row[number]))
        for _, row in points.iterrows()
    ]
    known = points["id"] != ""
    return pd.DataFrame(
        {
            "Identifier": ("Participant " + points["id"]).where(known, points["student"]),
            "Full name": points["student"],
            "Grade": points["total"],
            "Maximum Grade": len(numbers),
            "Feedback comments": said,
        }
    )


def canvas(graded: Graded) -> pd.DataFrame:
    """Make Canvas's gradebook: a column for each lesson, and the points possible above it."""
    points = table(graded)
    possible: dict[str, object] = {"Student": "    Points Possible"}
    made = {
        "Student": points["student"],
        "ID": points["id"],
        "SIS User ID": "",
        "SIS Login ID": points["student"].where(points["id"] == "", ""),
        "Section": "",
    }
    for name in points.columns:
        if name.startswith("lesson "):
            made[name] = points[name]
            possible[name] = len(exercises_of(name.removeprefix("lesson ")))
    rows = pd.DataFrame(made, columns=list(made)).astype(object)
    return pd.concat([pd.DataFrame([possible], columns=list(made), dtype=object), rows])


def _numbers(points: pd.DataFrame) -> list[str]:
    return [name for name in points.columns if name in EXERCISES]


LAYOUTS: dict[str, Callable[[Graded], pd.DataFrame]] = {
    "table": table,
    "moodle": moodle,
    "canvas": canvas,
}
"""The tables that can be written, by name."""
