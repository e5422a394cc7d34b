"""Exercises that answer back: `check("02.1", answer)`.

Each lesson has a file with its exercises: the right answer, computed with the library, and the
mistakes that people make, each with its own hint. Nothing is computed before it is asked for.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from pathlib import Path

import pandas as pd

from frapp_lab.exercises import (
    lesson_00,
    lesson_01,
    lesson_02,
    lesson_03,
    lesson_04,
    lesson_05,
    lesson_06,
    lesson_07,
    lesson_08,
)
from frapp_lab.exercises.judging import Estimator, Exercise, Mistake, Verdict

__all__ = ["EXERCISES", "Estimator", "Exercise", "Mistake", "Verdict", "check", "collect"]

EXERCISES: dict[str, Callable[[], Exercise | Estimator]] = {
    **lesson_00.EXERCISES,
    **lesson_01.EXERCISES,
    **lesson_02.EXERCISES,
    **lesson_03.EXERCISES,
    **lesson_04.EXERCISES,
    **lesson_05.EXERCISES,
    **lesson_06.EXERCISES,
    **lesson_07.EXERCISES,
    **lesson_08.EXERCISES,
}
"""All exercises by number; each is made when it is asked for."""


def check(number: str, answer: object) -> Verdict:
    """Say whether an answer is right; if not, give a hint, and never the answer.

    >>> check("00.1", ...)
    00.1 – not answered yet. Put your answer in place of the three dots.
    """
    if number not in EXERCISES:
        raise ValueError(
            f"number is {number!r}: there is no such exercise; there are {', '.join(EXERCISES)}"
        )
    if answer is ... or answer is None:
        return Verdict(number, None, "Put your answer in place of the three dots.")
    return Verdict(number, *EXERCISES[number]().judge(answer))


def collect(notebooks: str | Path | Iterable[str | Path]) -> pd.DataFrame:
    """For teachers: what `check` said in executed notebooks, a row for each, a column per exercise.

    It reads what cells show, so clear all outputs of what was handed in and execute it first; the
    instructor guide has a recipe. What is printed, as by `print(check(…))`, does not count. The
    column `problem` says which notebooks cannot be read or were not executed to the end.

    >>> collect([]).empty
    True
    """
    if isinstance(notebooks, str | Path):
        notebooks = [notebooks]
    rows = {}
    for path in map(Path, notebooks):
        try:
            rows[path.as_posix()] = _said_in(path)
        except Exception as error:  # a file may be broken in any way
            rows[path.as_posix()] = {"problem": f"cannot be read ({type(error).__name__})"}
    table = pd.DataFrame.from_dict(rows, orient="index")
    return table.reindex(columns=["problem", *sorted(table.columns.drop("problem", "ignore"))])


def _said_in(path: Path) -> dict[str, str]:
    """What `check` said in a notebook by exercise, and what is wrong with the notebook."""
    import nbformat

    cells = nbformat.read(path, as_version=4).cells
    cells = [cell for cell in cells if cell.cell_type == "code"]
    left = sum(bool(cell.source.strip()) and not _was_executed(cell) for cell in cells)
    row = {"problem": f"not executed to the end (cells left: {left})" if left else ""}
    for output in (output for cell in cells for output in cell.outputs):
        number, dash, said = output.get("data", {}).get("text/plain", "").partition(" – ")
        if dash and number in EXERCISES:
            row[number] = said.split(".")[0]
    return row


def _was_executed(cell: dict) -> bool:
    """Whether a cell was begun and, where times are recorded, came to its end."""
    times = cell["metadata"].get("execution", {"shell.execute_reply": "not recorded"})
    return cell["execution_count"] is not None and "shell.execute_reply" in times
