"""Exam questions: a seed gives every class numbers of its own, with a worked answer.

Questions are Markdown sheets in the folder `sheets`, one for each lesson, found by themselves.
The module `sheet` says how a question is written. A copy of the package without this folder has
no questions and no answers.
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import cache
from pathlib import Path

import numpy as np

from frapp_lab._base.checks import check_integer
from frapp_lab._base.random_streams import stream
from frapp_lab.course.exams.sheet import Entry, Part, Question, percent, read, show

__all__ = ["SHEETS", "Entry", "Part", "Question", "lessons", "make", "paper"]
__all__ += ["percent", "questions", "read", "show"]

SHEETS = Path(__file__).parent / "sheets"
"""The folder of the sheets, `exam_NN.md` for lesson NN."""


@cache
def questions() -> dict[str, Entry]:
    """Read all exam questions, by name: the lesson's number, a point, and the question's own.

    >>> questions()["02.breach"].minutes
    15
    """
    paths = sorted(SHEETS.glob("exam_*.md"))
    return {name: entry for path in paths for name, entry in read(path).items()}


def lessons() -> list[str]:
    """List the lessons that have exam questions.

    >>> lessons()[:2]
    ['01', '02']
    """
    return sorted({entry.lesson for entry in questions().values()})


def make(name: str, seed: int) -> Question:
    """Find the exam question of a name among all sheets, and make it with the numbers of a seed.

    >>> make("02.breach", 7) == make("02.breach", 7)
    True
    """
    _check_sheets()
    if name not in questions():
        raise ValueError(
            f"name is {name!r}: there is no such question; there are {', '.join(questions())}"
        )
    seed = check_integer("seed", seed, 0, np.inf, "a paper is found again by its seed")
    return questions()[name].make(stream(seed, name))


def paper(
    seed: int, chosen: Iterable[str] = (), each: int | None = 1, answers: bool = False
) -> str:
    """Write an exam paper in Markdown, or its answer sheet; the same seed gives the same paper.

    It takes `each` questions from each chosen lesson, or all of them if `each` is None; without a
    choice it takes them from all lessons.

    >>> print(paper(7, ["02"]).splitlines()[0])
    # Exam paper: 15 minutes, 15 marks
    """
    _check_sheets()
    chosen = sorted(set(chosen)) or lessons()
    for lesson in chosen:
        if lesson not in lessons():
            raise ValueError(
                f"lessons has {lesson!r}: there are questions on {', '.join(lessons())}"
            )
    names = []
    for lesson in chosen:
        there = [name for name, entry in questions().items() if entry.lesson == lesson]
        many = len(there) if each is None else each
        check_integer("each", many, 1, len(there), f"lesson {lesson} has {len(there)} questions")
        order = stream(seed, f"paper {lesson}").permutation(len(there))
        names += [there[i] for i in sorted(order[:many])]
    asked = [(questions()[name], make(name, seed)) for name in names]
    minutes, marks = sum(entry.minutes for entry, _ in asked), sum(one.marks for _, one in asked)
    # Who knows the seed can print the answers, so that the paper does not show it.
    kind = f"Answers to exam paper {seed}" if answers else "Exam paper"
    lines = [f"# {kind}: {minutes} minutes, {marks} marks"]
    for number, (entry, one) in enumerate(asked, 1):
        lines += [
            f"## {number} · {one.title}",
            f"*(lesson {entry.lesson}, {entry.minutes} minutes, {one.marks} marks)*",
            one.text,
            *one.lines(answers),
        ]
    return "\n\n".join(lines) + "\n"


def _check_sheets() -> None:
    if not questions():
        raise ValueError(
            f"there are no exam questions, because the sheets are not there: {SHEETS} has no "
            "exam_NN.md, as in a copy of the course without answers"
        )
