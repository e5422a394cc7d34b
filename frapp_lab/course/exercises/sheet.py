"""Exercise sheets: the exercises of a lesson in Markdown, with their answers.

`sheets/exercises_NN.md` holds those of lesson NN. A heading gives an exercise's number and what it
asks for. A block of Python computes `solution`: a number, an array or a function. Then come the
mistakes that people make, each a formula with its hint, and what is said when the answer is right:

    # 10.1 · The chance of two heads

    ```python
    p = 0.5
    solution = p**2
    ```

    - `p`: This is the chance of one head. There are two coins.
    - `2 * p`: Chances of independent coins are multiplied, not added.

    Right: Independent chances multiply.

If `solution` is a function, a mistake is a formula of its arguments, and the Python sets `inputs`,
a list of tuples of arguments. For an estimator it sets `surveys`, a list of `(draw, truth,
deviation)`, see `Estimator`. `percent = True` says that the answer is in percent. `np` and `fl` are
there without an import. Text before the first exercise is a note; Python in it is for all of them.
"""

from __future__ import annotations

import inspect
import re
from copy import deepcopy
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

import numpy as np

import frapp_lab as fl
from frapp_lab.course.exercises.judging import Answer, Estimator, Exercise
from frapp_lab.course.sheets import Piece, Where, cut

TEXT = r"[^\n]+(?:\n(?!- |Right: |```|#)[^\n]+)*"
PART = re.compile(
    rf"^```python\n(?P<code>.*?)^```$|^- `(?P<formula>[^`\n]+)`: (?P<hint>{TEXT})"
    rf"|^Right: (?P<lesson>{TEXT})|^(?P<other>[^\n]+)",
    re.DOTALL | re.MULTILINE,
)


class ExerciseSheet:
    """Hold the exercises of a sheet; nothing of it is executed yet."""

    def __init__(self, path: Path) -> None:
        self.name = path.name
        self.note, sections = cut(path, heading=r"^# (\S+) · ([^\n]+)$")
        self.exercises = [
            SheetExercise(self, found[1], found[2], *below) for found, below in sections
        ]

    @cached_property
    def names(self) -> dict[str, Any]:
        """Execute the Python of the note, which all exercises share, when it is first needed."""
        names, where = {"np": np, "fl": fl}, Where(self.name, "the note")
        for part, line in _parts(*self.note):
            if part["code"]:
                where.run(Piece(line + 1, part["code"]), names)
            elif part[0].startswith("#"):
                raise where.refusal(line, f"{part[0]!r} is no '# 10.1 · What'")
        return names


@dataclass(frozen=True)
class SheetExercise:
    """Hold an exercise as it stands in a sheet; a call makes it."""

    sheet: ExerciseSheet
    number: str
    title: str
    line: int
    text: str

    @property
    def place(self) -> str:
        """Say where the exercise stands in its sheet."""
        return f"line {self.line} of {self.sheet.name}"

    @property
    def _where(self) -> Where:
        return Where(self.sheet.name, f"exercise {self.number}")

    def names(self) -> dict[str, Any]:
        """Execute its Python and give all names that are then known."""
        names, parts = dict(self.sheet.names), _parts(self.line, self.text)
        for part, line in parts:
            if part["other"]:
                kinds = "neither Python nor a mistake (- `formula`: hint) nor 'Right: …'"
                raise self._where.refusal(line, f"{part[0]!r} is {kinds}")
        for part, line in parts:
            if part["code"]:
                self._where.run(Piece(line + 1, part["code"]), names)
        return names

    def __call__(self) -> Exercise | Estimator:
        """Make the exercise, or refuse a text that is wrong."""
        names, refusal = self.names(), self._where.refusal
        solution, surveys = names.get("solution"), names.get("surveys", [])
        inputs = tuple(names.get("inputs", ()))
        tried = [surveys[0][0](np.random.default_rng(0))] if surveys else inputs[:1]
        if solution is None:
            raise refusal(self.line, "its Python must set solution, the right answer")
        if callable(solution) is not bool(tried):
            raise refusal(self.line, "inputs, or surveys, must be set just for a function")
        mistakes: dict[str, Any] = {}
        lesson = ""
        for part, line in _parts(self.line, self.text):
            if part["formula"]:
                hint = _one_line(part["hint"])
                if hint in mistakes:
                    raise refusal(line, f"the hint {hint!r} is there twice")
                mistakes[hint] = self._mistake(Piece(line, part["formula"]), names, tried)
            lesson = _one_line(part["lesson"] or lesson)
        if not mistakes or not lesson:
            raise refusal(self.line, "mistakes (- `formula`: hint) and 'Right: …' must follow")
        made: Any = None
        for draw, truth, deviation in reversed(surveys):
            made = Estimator(draw, solution, truth, deviation, mistakes, lesson, made)
        return made or Exercise(solution, mistakes, lesson, inputs, names.get("percent", False))

    def _mistake(self, formula: Piece, names: dict, tried: Any) -> Answer:
        if not callable(names["solution"]):
            return self._where.run(formula, names, "eval")
        arguments = ", ".join(inspect.signature(names["solution"]).parameters)
        function = Piece(formula.line, f"lambda {arguments}: {formula.text}")
        mistake = self._where.run(function, names, "eval")
        with np.errstate(all="ignore"):  # once, so that a wrong formula is not found by a learner
            self._where.call(formula.line, lambda: mistake(*deepcopy(tried[0])))
        return mistake


def _parts(line: int, text: str) -> list[tuple[re.Match, int]]:
    """Find the parts of an exercise sheet's text that begins on a line, each with its line."""
    return [(part, line + text.count("\n", 0, part.start())) for part in PART.finditer(text)]


def _one_line(text: str) -> str:
    return re.sub(r"\s*\n\s*", " ", text.strip())
