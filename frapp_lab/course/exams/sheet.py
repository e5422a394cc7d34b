"""Exam sheets: the questions on a lesson in Markdown, with numbers that a seed draws.

`sheets/exam_NN.md` holds the questions on lesson NN. A heading gives a question's name, title and
minutes. A block of Python draws its numbers from `rng` and sets `given`, the numbers that the text
tells, and `results`, those that the answers find. Then come the text and, under a heading with its
marks, each thing that is asked, with its worked answer:

    # coins: Some coins (2 minutes)

    ```python
    n = pick(rng, 3, 4, 5)
    given, results = {"n": n}, {"all": 2**-n}
    ```

    «n» fair coins are tossed.

    ## 2 · How likely is it that all of them show heads?

    $2^{-«n»}$ = «2**-n».

Between « and » stands a formula. Words and whole numbers are written as they are, other numbers by
`show`, several with commas between them, and «N:,» as Python formats it. `np`, `fl` and the
functions below are there without an import. Text before the first question is a note that is not
printed. A sheet that is wrong is refused with the line.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from numbers import Integral
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

import frapp_lab as fl
from frapp_lab._base.random_streams import stream
from frapp_lab.course.sheets import Piece, Where, cut

QUESTION = re.compile(r"# ([a-z]\w*): ([^«»]+) \(([1-9]\d*) minutes\)")
PART = re.compile(r"## ([1-9]\d*) · (.+)")
CODE = re.compile(r"\s*```python\n(.*?)^```$", re.DOTALL | re.MULTILINE)
VALUE = re.compile(r"«([^«»]+?)(?::([,.\d]*[dfg%]?))?»|[«»]")


class Part(NamedTuple):
    """Hold one thing that is asked, its marks and its worked answer, both in Markdown."""

    ask: str
    marks: int
    answer: str


@dataclass(frozen=True)
class Question:
    """Hold a question with its numbers: those `given` in the text, and the answers' `results`."""

    title: str
    text: str
    parts: tuple[Part, ...]
    given: Mapping[str, Any] = field(repr=False)
    results: Mapping[str, float] = field(repr=False)

    @property
    def marks(self) -> int:
        """Add up the marks of all parts of an exam question."""
        return sum(part.marks for part in self.parts)

    def lines(self, answers: bool) -> list[str]:
        """List the parts of an exam question as they are printed: asked, or answered."""
        return [
            f"({chr(ord('a') + i)}) {part.answer if answers else part.ask} *({part.marks})*"
            for i, part in enumerate(self.parts)
        ]


@dataclass(frozen=True)
class Entry:
    """Hold a question as it stands in a sheet, and make it with numbers."""

    where: Where
    name: str
    title: str
    minutes: int
    code: Piece
    text: Piece
    parts: list[tuple[int, Piece, Piece]] = field(default_factory=list)

    @property
    def lesson(self) -> str:
        """Take the lesson's number from the name of the exam sheet."""
        return Path(self.where.sheet).stem.removeprefix("exam_")

    def make(self, rng: np.random.Generator) -> Question:
        """Draw the numbers of an exam question, and write all its texts with them."""
        names: dict[str, Any] = {**TOOLS, "rng": rng}
        self.where.run(self.code, names, said="the Python fails with ")
        refusal = self.where.refusal
        for needed in ("given", "results"):
            if not isinstance(names.get(needed), dict) or not names[needed]:
                raise refusal(self.code.line, f'{needed} must be set, as {{"name": number}}')
        text = self._fill(self.text, names)
        parts = tuple(
            Part(self._fill(ask, names), marks, self._fill(answer, names))
            for marks, ask, answer in self.parts
        )
        if not parts:
            raise refusal(self.text.line, "'## 3 · What?' must follow, for nothing is asked")
        return Question(self.title, text, parts, names["given"], names["results"])

    def _fill(self, piece: Piece, names: dict[str, Any]) -> str:
        def value(found: re.Match) -> str:
            line = piece.part(found.start()).line
            if found[1] is None:
                raise self.where.refusal(line, "« and » must enclose a formula, in pairs")
            formula, said = Piece(line, found[1].strip()), f"«{found[1].strip()}» fails with "
            result = self.where.run(formula, names, "eval", said)
            return self.where.call(line, lambda: written(result, found[2] or ""), said)

        if not piece.text:
            raise self.where.refusal(piece.line, "there must be a text below this line")
        return VALUE.sub(value, piece.text)


def read(path: Path) -> dict[str, Entry]:
    """Read an exam sheet's questions by name, and make each once, so that mistakes are seen now."""
    entries = dict[str, Entry]()
    for found, below in cut(path, heading=r"^(#[^\n]*)")[1]:
        heading, code = found[0].strip(), CODE.match(below.text)
        if (question := QUESTION.fullmatch(heading)) and code:
            name, title, minutes = question.groups()
            where = Where(path.name, f"question {name!r}")
            drawn, text = below.part(*code.span(1)), below.part(code.end())
            entry = Entry(where, name, title, int(minutes), drawn, text)
            if entries.setdefault(name, entry) is not entry:
                raise where.refusal(below.line, "the name is there already, so choose another one")
        elif entries and (part := PART.fullmatch(heading)):
            entry.parts.append((int(part[1]), Piece(below.line, part[2]), below.part(0)))
        else:
            name = entry.name if entries and heading.startswith("##") else heading
            raise Where(path.name, f"question {name!r}").refusal(
                below.line,
                f"{heading!r} must be '# name: Title (5 minutes)' and a block ```python for a "
                "question, or '## 3 · What is asked?' with the marks of a part",
            )
    for entry in entries.values():
        entry.make(stream(0, entry.name))
    return {f"{entry.lesson}.{entry.name}": entry for entry in entries.values()}


def written(value: Any, spec: str = "") -> str:
    """Write what stands between « and » in an exam sheet.

    >>> written("yes"), written(7), written(0.123456), written([1200, 800], ",")
    ('yes', '7', '0.1235', '1,200, 800')
    """
    if isinstance(value, list | tuple | set | np.ndarray):
        several = sorted(value) if isinstance(value, set) else value
        return ", ".join(written(one, spec) for one in several)
    return format(value, spec) if spec or isinstance(value, str | Integral) else show(value)


def show(value: float) -> str:
    """Write a number as it stands in an exam sheet's answer: whole, or with four digits.

    >>> show(0.123456), show(2500.0), show(-1234.56)
    ('0.1235', '2,500', '−1,235')
    """
    whole = round(value)
    text = f"{whole:,}" if abs(value - whole) < 1e-9 or abs(value) >= 1000 else f"{value:.4g}"
    return text.replace("-", "−")


def percent(value: float) -> str:
    """Write a share in percent, for an exam sheet.

    >>> percent(0.05), percent(0.4567)
    ('5 %', '45.7 %')
    """
    return f"{round(100 * value, 1):g} %"


def matrix(entries: np.ndarray) -> str:
    """Write a matrix inside a formula of an exam sheet.

    >>> print(matrix(np.eye(2)))
    \\begin{pmatrix} 1 & 0 \\\\ 0 & 1 \\end{pmatrix}
    """
    rows = [" & ".join(show(float(entry)) for entry in row) for row in np.asarray(entries)]
    return r"\begin{pmatrix} " + r" \\ ".join(rows) + r" \end{pmatrix}"


def table(head: Iterable[str], *rows: Iterable[object]) -> str:
    """Write a table of few numbers in Markdown, for an exam sheet.

    >>> print(table(["option", "1"], ["reports", 620]))
    | option | 1 |
    |---|---|
    | reports | 620 |
    """
    texts = [[f"{c:,}" if isinstance(c, int) else str(c) for c in line] for line in (head, *rows)]
    lines = [f"| {' | '.join(line)} |" for line in texts]
    return "\n".join([lines[0], "|" + "---|" * len(texts[0]), *lines[1:]])


def pick(rng: np.random.Generator, *options: Any) -> Any:
    """Take one of the options by a fair draw, for the numbers of an exam sheet.

    >>> pick(np.random.default_rng(0), "only")
    'only'
    """
    return options[int(rng.integers(len(options)))]


TOOLS = {"fl": fl, "np": np} | {f.__name__: f for f in (matrix, percent, pick, show, table)}
"""What the Python of a sheet may use without an import, beside `rng`."""
