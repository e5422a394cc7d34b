"""Sheets in Markdown: cut at headings, with blocks of Python whose errors tell the line.

`exercises.sheet` and `exams.sheet` say what stands below a heading of theirs.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path
from traceback import walk_tb
from typing import Any, NamedTuple


class Piece(NamedTuple):
    """Hold a piece of a sheet and the line on which it begins."""

    line: int
    text: str

    def part(self, start: int, end: int | None = None) -> Piece:
        """Cut out a smaller piece of an exam or exercise sheet, without the space around it."""
        text = self.text[start:end].strip()
        return Piece(self.line + self.text.count("\n", 0, self.text.index(text, start)), text)


def cut(path: Path, heading: str) -> tuple[Piece, list[tuple[re.Match, Piece]]]:
    """Cut an exam or exercise sheet into the note on top, and each heading with what follows."""
    text = path.read_text(encoding="utf-8")
    found = re.finditer(rf"^```.*?^```$|{heading}", text, re.DOTALL | re.MULTILINE)
    headings = [one for one in found if one[1]]  # without blocks, which may have a # in them
    ends = [*(one.start() for one in headings), len(text)]
    return Piece(1, text[: ends[0]]), [
        (one, Piece(text.count("\n", 0, one.start()) + 1, text[one.end() : end]))
        for one, end in zip(headings, ends[1:], strict=True)
    ]


class Where(NamedTuple):
    """Name a sheet and a part of it; what goes wrong there is refused with the line."""

    sheet: str
    part: str

    def run(self, code: Piece, names: dict, mode: str = "exec", said: str = "") -> Any:
        """Execute Python as if it stood on its line of the exam or exercise sheet."""
        text = "\n" * (code.line - 1) + code.text
        return self.call(code.line, lambda: eval(compile(text, self.sheet, mode), names), said)

    def call(self, line: int, function: Callable[[], Any], said: str = "") -> Any:
        """Call a function for a line of an exam or exercise sheet, and refuse an error in it."""
        try:
            return function()
        except Exception as error:
            frames = walk_tb(error.__traceback__)
            lines = [at for frame, at in frames if frame.f_code.co_filename == self.sheet]
            at = (lines or [getattr(error, "lineno", None) or line])[0]
            raise self.refusal(at, f"{said}{type(error).__name__}: {error}") from error

    def refusal(self, line: int, why: str) -> ValueError:
        """Say what is wrong with a line of the exam or exercise sheet."""
        return ValueError(f"{self.sheet}, line {line}, {self.part}: {why}")
