"""Exercises that answer back: `check("02.1", answer)`.

A lesson's exercises are a Markdown sheet in the folder `sheets`, found by itself; see
`frapp_lab.course.exercises.sheet`. A copy of the package without this folder has no answers.
`add_sheet` adds another one, and a notebook cell can add a function that makes an exercise:

    @exercise("10.1")
    def half():
        mistakes = {"This is twice as much.": 2.0, "Half of one is not nothing.": 0.0}
        return Exercise(0.5, mistakes, "Two halves are one.")

What follows the dot is a number for an exercise at the end of a lesson, and a letter for a quick
check inside its text (`check("02.a", answer)`). `predict` records what a learner expects to see.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from frapp_lab.course.exercises.judging import DOTS, Estimator, Exercise, Verdict
from frapp_lab.course.exercises.predictions import Prediction, predict
from frapp_lab.course.exercises.sheet import ExerciseSheet, SheetExercise

__all__ = ["EXERCISES", "SHEETS", "Estimator", "Exercise", "Prediction", "Verdict"]
__all__ += ["add_sheet", "check", "exercise", "predict"]

SHEETS = Path(__file__).parent / "sheets"
"""The folder of the sheets, `exercises_NN.md` for lesson NN."""

EXERCISES: dict[str, Callable[[], Exercise | Estimator]] = {}
"""All exercises by number; each is made when it is asked for."""


def exercise(number: str) -> Callable[[Callable], Callable]:
    """Register the function that makes an exercise, as `@exercise("02.1")` above it.

    Defining the same function again, as when a cell is run twice, replaces it.
    """
    if not isinstance(number, str) or number.split() != [number]:
        raise ValueError(f'number is {number!r}: it must be text without spaces, such as "02.1"')

    def register(make: Callable) -> Callable:
        there = EXERCISES.get(number, make)
        if _place(there) != _place(make):
            raise ValueError(
                f"number is {number!r}: {_place(there)} has it already, so choose another one"
            )
        EXERCISES[number] = make
        return make

    return register


def _place(make: Callable) -> str:
    """Say where an exercise is made, so that no two are registered under one number."""
    if isinstance(make, SheetExercise):
        return make.place
    return f"{make.__qualname__} of {make.__module__}"


def add_sheet(path: str | Path) -> None:
    """Register the exercises of a sheet; adding it again, after a change, replaces them."""
    sheet = ExerciseSheet(Path(path))
    for number, make in list(EXERCISES.items()):
        if isinstance(make, SheetExercise) and make.sheet.name == sheet.name:
            del EXERCISES[number]
    for made in sheet.exercises:
        exercise(made.number)(made)


def check(number: str, answer: object) -> Verdict:
    """Say whether an answer to a numbered exercise is right; if not, give a hint, never the answer.

    >>> check("00.1", ...)
    00.1 – not answered yet. Put your answer in place of the three dots.
    """
    if not isinstance(number, str) or number not in EXERCISES:
        if not any(SHEETS.glob("*.md")):
            raise ValueError(
                f"number is {number!r}: it cannot be checked, because the sheets are not there: "
                f"{SHEETS} has no exercises_NN.md, as in a copy of the course without answers"
            )
        raise ValueError(
            f"number is {number!r}: there is no such exercise; there are {', '.join(EXERCISES)}"
        )
    if answer is ... or answer is None:
        return Verdict(number, None, DOTS)
    return Verdict(number, *EXERCISES[number]().judge(answer))


for _path in sorted(SHEETS.glob("exercises_*.md")):  # read, but not executed
    add_sheet(_path)
