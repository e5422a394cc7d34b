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


def collect(notebooks: Iterable[str | Path]) -> pd.DataFrame:
    """For teachers: what `check` said in executed notebooks, a row for each, a column per exercise.

    It reads the stored outputs, so execute what was handed in first.

    >>> collect([]).empty
    True
    """
    import nbformat

    rows = {}
    for path in map(Path, notebooks):
        rows[path.stem] = row = {}
        for cell in nbformat.read(path, as_version=4).cells:
            for output in cell.get("outputs", []):
                text = output.get("data", {}).get("text/plain", "")
                number, dash, said = text.partition(" – ")
                if dash and number in EXERCISES:
                    row[number] = said.split(".")[0]
    return pd.DataFrame.from_dict(rows, orient="index").sort_index(axis=1)
