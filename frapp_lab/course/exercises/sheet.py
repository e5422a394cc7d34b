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
from traceback import walk_tb
from typing import Any

import numpy as np

import frapp_lab as fl
from frapp_lab.course.exercises.judging import Answer, Estimator, Exercise

TEXT = r"[^\n]+(?:\n(?!- |Right: |```|#)[^\n]+)*"
HEADING = re.compile(r"^```.*?^```$|^# (\S+) · ([^\n]+)$", re.DOTALL | re.MULTILINE)
PART = re.compile(
    rf"^```python\n(?P<code>.*?)^```$|^- `(?P<formula>[^`\n]+)`: (?P<hint>{TEXT})"
    rf"|^Right: (?P<lesson>{TEXT})|^(?P<other>[^\n]+)",
    re.DOTALL | re.MULTILINE,
)


class Sheet:
    """The text of a sheet, cut at its headings; nothing of it is executed yet."""

    def __init__(self, path: Path) -> None:
        self.name, text = path.name, path.read_text(encoding="utf-8")
        headings = [found for found in HEADING.finditer(text) if found[1]]
        ends = [*(found.start() for found in headings), len(text)]
        self.note = text[: ends[0]]
        self.exercises = [
            SheetExercise(self, found[1], found[2], text.count("\n", 0, found.end()), text[a:b])
            for found, a, b in zip(headings, (h.end() for h in headings), ends[1:], strict=True)
        ]

    @cached_property
    def names(self) -> dict[str, Any]:
        """Execute the Python of the note, which all exercises share, when it is first needed."""
        names = {"np": np, "fl": fl}
        for part in PART.finditer(self.note):
            line = self.note.count("\n", 0, part.start())
            if part["code"]:
                self.run(part["code"], line + 1, names, "the note")
            elif part[0].startswith("#"):
                raise self.refusal(line, "the note", f"{part[0]!r} is no '# 10.1 · What'")
        return names

    def run(self, code: str, line: int, names: dict, who: str, mode: str = "exec") -> Any:
        """Execute Python that follows a number of lines; an error tells where it is."""
        try:
            return eval(compile("\n" * line + code, self.name, mode), names)
        except Exception as error:
            frames = walk_tb(error.__traceback__)
            lines = [n for frame, n in frames if frame.f_code.co_filename == self.name]
            at = (lines or [getattr(error, "lineno", None) or line + 1])[0]
            raise self.refusal(at - 1, who, f"{type(error).__name__}: {error}") from error

    def refusal(self, line: int, who: str, why: str) -> ValueError:
        """Say what is wrong after a number of lines."""
        return ValueError(f"{self.name}, line {line + 1}, {who}: {why}")


@dataclass(frozen=True)
class SheetExercise:
    """An exercise as it stands in a sheet; a call makes it."""

    sheet: Sheet
    number: str
    title: str
    line: int
    text: str

    @property
    def place(self) -> str:
        """Say where it stands."""
        return f"line {self.line + 1} of {self.sheet.name}"

    def names(self) -> dict[str, Any]:
        """Execute its Python and give all names that are then known."""
        names = dict(self.sheet.names)
        for part, line in self._parts():
            if part["code"]:
                self.sheet.run(part["code"], line + 1, names, f"exercise {self.number}")
        return names

    def __call__(self) -> Exercise | Estimator:
        """Make the exercise, or refuse a text that is wrong."""
        names = self.names()
        solution, surveys = names.get("solution"), names.get("surveys", [])
        inputs = tuple(names.get("inputs", ()))
        tried = [surveys[0][0](np.random.default_rng(0))] if surveys else inputs[:1]
        if solution is None:
            raise self._refusal(self.line, "its Python must set solution, the right answer")
        if callable(solution) is not bool(tried):
            raise self._refusal(self.line, "inputs, or surveys, must be set just for a function")
        mistakes: dict[str, Any] = {}
        lesson = ""
        for part, line in self._parts():
            if part["formula"]:
                hint = _one_line(part["hint"])
                if hint in mistakes:
                    raise self._refusal(line, f"the hint {hint!r} is there twice")
                mistakes[hint] = self._mistake(part["formula"], line, names, solution, tried)
            lesson = _one_line(part["lesson"] or lesson)
        if not mistakes or not lesson:
            raise self._refusal(
                self.line, "mistakes (- `formula`: hint) and 'Right: …' must follow"
            )
        made: Any = None
        for draw, truth, deviation in reversed(surveys):
            made = Estimator(draw, solution, truth, deviation, mistakes, lesson, made)
        percent = names.get("percent", False)
        return made or Exercise(solution, mistakes, lesson, inputs, percent)

    def _mistake(self, formula: str, line: int, names: dict, solution: Any, tried: Any) -> Answer:
        who = f"exercise {self.number}"
        if not callable(solution):
            return self.sheet.run(formula, line, names, who, "eval")
        arguments = ", ".join(inspect.signature(solution).parameters)
        mistake = self.sheet.run(f"lambda {arguments}: {formula}", line, names, who, "eval")
        with np.errstate(all="ignore"):  # once, so that a wrong formula is not found by a learner
            given = {"mistake": mistake, "given": deepcopy(tried[0])}
            self.sheet.run("mistake(*given)", line, given, who, "eval")
        return mistake

    def _parts(self) -> list[tuple[re.Match, int]]:
        """Find the parts of the text, each with the number of lines before it."""
        parts = [
            (part, self.line + self.text.count("\n", 0, part.start()))
            for part in PART.finditer(self.text)
        ]
        for part, line in parts:
            if part["other"]:
                kinds = "neither Python nor a mistake (- `formula`: hint) nor 'Right: …'"
                raise self._refusal(line, f"{part[0]!r} is {kinds}")
        return parts

    def _refusal(self, line: int, why: str) -> ValueError:
        return self.sheet.refusal(line, f"exercise {self.number}", why)


def _one_line(text: str) -> str:
    return re.sub(r"\s*\n\s*", " ", text.strip())
