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

    $1/2^«n»$ = «2**-n».

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
from traceback import walk_tb
from typing import Any, NamedTuple

import numpy as np

import frapp_lab as fl
from frapp_lab._base.random_streams import stream

HEADING = re.compile(r"^```.*?^```$|^(#[^\n]*)", re.DOTALL | re.MULTILINE)  # but not inside a block
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
        """Add up the marks of all parts."""
        return sum(part.marks for part in self.parts)

    def lines(self, answers: bool) -> list[str]:
        """List the parts as they are printed: asked, or answered."""
        return [
            f"({chr(ord('a') + i)}) {part.answer if answers else part.ask} *({part.marks})*"
            for i, part in enumerate(self.parts)
        ]


class Words(NamedTuple):
    """Hold a piece of a sheet and the line on which it begins."""

    line: int
    text: str


@dataclass(frozen=True)
class Entry:
    """Hold a question as it stands in a sheet, and make it with numbers."""

    sheet: str
    name: str
    title: str
    minutes: int
    code: Words
    text: Words
    parts: list[tuple[int, Words, Words]] = field(default_factory=list)

    @property
    def lesson(self) -> str:
        """Take the lesson's number from the name of the sheet."""
        return Path(self.sheet).stem.removeprefix("exam_")

    def make(self, rng: np.random.Generator) -> Question:
        """Draw the numbers, and write all texts with them."""
        names: dict[str, Any] = {**TOOLS, "rng": rng}
        self._run(self.code, "exec", names)
        for needed in ("given", "results"):
            if not isinstance(names.get(needed), dict) or not names[needed]:
                raise self.refusal(self.code.line, f'{needed} must be set, as {{"name": number}}')
        text = self._fill(self.text, names)
        parts = tuple(
            Part(self._fill(ask, names), marks, self._fill(answer, names))
            for marks, ask, answer in self.parts
        )
        if not parts:
            raise self.refusal(self.text.line, "'## 3 · What?' must follow, for nothing is asked")
        return Question(self.title, text, parts, names["given"], names["results"])

    def refusal(self, line: int, why: str) -> ValueError:
        """Say what is wrong with a line of the sheet."""
        return ValueError(f"{self.sheet}, line {line}, question {self.name!r}: {why}")

    def _fill(self, words: Words, names: dict[str, Any]) -> str:
        def value(found: re.Match) -> str:
            line = words.line + words.text[: found.start()].count("\n")
            if found[1] is None:
                raise self.refusal(line, "« and » must enclose a formula, in pairs")
            return self._run(Words(line, found[1].strip()), "eval", names, found[2] or "")

        if not words.text:
            raise self.refusal(words.line, "there must be a text below this line")
        return VALUE.sub(value, words.text)

    def _run(self, code: Words, mode: str, names: dict[str, Any], spec: str = "") -> str:
        try:  # with the sheet's own lines, so that an error tells where it is
            value = eval(compile("\n" * (code.line - 1) + code.text, self.sheet, mode), names)
            return written(value, spec) if mode == "eval" else ""
        except Exception as error:
            frames = walk_tb(error.__traceback__)
            lines = [line for frame, line in frames if frame.f_code.co_filename == self.sheet]
            line = (lines or [getattr(error, "lineno", None) or code.line])[0]
            what = f"«{code.text}»" if mode == "eval" else "the Python"
            why = f"{what} fails with {type(error).__name__}: {error}"
            raise self.refusal(line, why) from error


def read(path: Path) -> dict[str, Entry]:
    """Read the questions of a sheet by name, and make each once, so that mistakes are seen now."""
    sheet, entries = path.read_text(encoding="utf-8"), dict[str, Entry]()

    def words(start: int, end: int) -> Words:
        text = sheet[start:end].strip()
        return Words(sheet.count("\n", 0, sheet.index(text, start)) + 1, text)

    cuts = [cut for cut in HEADING.finditer(sheet) if cut[1]]
    ends = [*(cut.start() for cut in cuts[1:]), len(sheet)]
    for cut, end in zip(cuts, ends, strict=True):
        line, heading = words(*cut.span())
        code = CODE.match(sheet, cut.end(), end)
        if (question := QUESTION.fullmatch(heading)) and code:
            name, title, minutes = question.groups()
            drawn, text = words(*code.span(1)), words(code.end(), end)
            entry = Entry(path.name, name, title, int(minutes), drawn, text)
            if entries.setdefault(name, entry) is not entry:
                raise entry.refusal(line, "the name is there already, so choose another one")
        elif entries and (part := PART.fullmatch(heading)):
            entry.parts.append((int(part[1]), Words(line, part[2]), words(cut.end(), end)))
        else:
            name = entry.name if entries and heading.startswith("##") else heading
            raise ValueError(
                f"{path.name}, line {line}, question {name!r}: {heading!r} must be "
                "'# name: Title (5 minutes)' and a block ```python for a question, or "
                "'## 3 · What is asked?' with the marks of a part"
            )
    for entry in entries.values():
        entry.make(stream(0, entry.name))
    return {f"{entry.lesson}.{entry.name}": entry for entry in entries.values()}


def written(value: Any, spec: str = "") -> str:
    """Write what stands between « and » in a sheet.

    >>> written("yes"), written(7), written(0.123456), written([1200, 800], ",")
    ('yes', '7', '0.1235', '1,200, 800')
    """
    if isinstance(value, list | tuple | set | np.ndarray):
        several = sorted(value) if isinstance(value, set) else value
        return ", ".join(written(one, spec) for one in several)
    return format(value, spec) if spec or isinstance(value, str | Integral) else show(value)


def show(value: float) -> str:
    """Write a number as it stands in an answer: whole, or with four digits.

    >>> show(0.123456), show(2500.0), show(-1234.56)
    ('0.1235', '2,500', '−1,235')
    """
    whole = round(value)
    text = f"{whole:,}" if abs(value - whole) < 1e-9 or abs(value) >= 1000 else f"{value:.4g}"
    return text.replace("-", "−")


def percent(value: float) -> str:
    """Write a share in percent.

    >>> percent(0.05), percent(0.4567)
    ('5 %', '45.7 %')
    """
    return f"{round(100 * value, 1):g} %"


def matrix(entries: np.ndarray) -> str:
    """Write a matrix inside a formula.

    >>> print(matrix(np.eye(2)))
    \\begin{pmatrix} 1 & 0 \\\\ 0 & 1 \\end{pmatrix}
    """
    rows = [" & ".join(show(float(entry)) for entry in row) for row in np.asarray(entries)]
    return r"\begin{pmatrix} " + r" \\ ".join(rows) + r" \end{pmatrix}"


def table(head: Iterable[str], *rows: Iterable[object]) -> str:
    """Write a table of few numbers in Markdown.

    >>> print(table(["option", "1"], ["reports", 620]))
    | option | 1 |
    |---|---|
    | reports | 620 |
    """
    lines: list[list[object]] = [list(head), *(list(row) for row in rows)]
    texts = [
        "| " + " | ".join(f"{c:,}" if isinstance(c, int) else str(c) for c in line) + " |"
        for line in lines
    ]
    return "\n".join([texts[0], "|" + "---|" * len(lines[0]), *texts[1:]])


def pick(rng: np.random.Generator, *options: Any) -> Any:
    """Take one of the options by a fair draw.

    >>> pick(np.random.default_rng(0), "only")
    'only'
    """
    return options[int(rng.integers(len(options)))]


TOOLS = {"fl": fl, "matrix": matrix, "np": np, "percent": percent, "pick": pick, "show": show,
         "table": table}  # fmt: skip
"""What the Python of a sheet may use without an import, beside `rng`."""
