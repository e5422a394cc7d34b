"""Exercises that answer back: `check("02.1", answer)`.

A lesson's exercises are one file, `lesson_*.py`, found by itself; a notebook cell can add others.
An exercise is a function that is called when it is asked for. It computes the right answer, and
the mistakes that people make, each under the hint that helps them on:

    @exercise("10.1")
    def half():
        mistakes = {"This is twice as much.": 2.0, "Half of one is not nothing.": 0.0}
        return Exercise(0.5, mistakes, "Two halves are one.")

What follows the dot is a number for an exercise at the end of a lesson, and a letter for a quick
check inside its text (`check("02.a", answer)`). `predict` records what a learner expects to see.
"""

from __future__ import annotations

import pkgutil
from collections.abc import Callable
from importlib import import_module

from frapp_lab.course.exercises.judging import DOTS, Estimator, Exercise, Verdict
from frapp_lab.course.exercises.predictions import Prediction, predict

__all__ = [
    "EXERCISES",
    "Estimator",
    "Exercise",
    "Prediction",
    "Verdict",
    "check",
    "exercise",
    "predict",
]

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
        if (there.__module__, there.__qualname__) != (make.__module__, make.__qualname__):
            raise ValueError(
                f"number is {number!r}: {there.__qualname__} of {there.__module__} has it already, "
                "so choose another one"
            )
        EXERCISES[number] = make
        return make

    return register


def check(number: str, answer: object) -> Verdict:
    """Say whether an answer is right; if not, give a hint, and never the answer.

    >>> check("00.1", ...)
    00.1 – not answered yet. Put your answer in place of the three dots.
    """
    if not isinstance(number, str) or number not in EXERCISES:
        raise ValueError(
            f"number is {number!r}: there is no such exercise; there are {', '.join(EXERCISES)}"
        )
    if answer is ... or answer is None:
        return Verdict(number, None, DOTS)
    return Verdict(number, *EXERCISES[number]().judge(answer))


for _module in pkgutil.iter_modules(__path__):  # last, because lessons import this package
    if _module.name.startswith("lesson_"):
        import_module(f"{__name__}.{_module.name}")
