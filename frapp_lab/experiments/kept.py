"""Finished trials, kept in a file, so that what was interrupted goes on where it was."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np


class Kept:
    """The errors of finished trials by (case, trial), in memory and in a file if one is named.

    Its first line says what the trials are about; each other line is one trial. A line that was cut
    off, as by a loss of power, is as if it had not been written.

    >>> kept = Kept(None, {"seed": 0})
    >>> kept.add((0, 7), np.ones((2, 4)))
    >>> kept.errors[0, 7].shape
    (2, 4)
    """

    def __init__(self, path: str | Path | None, about: dict[str, Any]) -> None:
        self.errors: dict[tuple[int, int], np.ndarray] = {}
        self._path = None if path is None else Path(path)
        if self._path is None:
            return
        head = json.dumps(about)
        text = (
            self._path.read_text(encoding="utf-8", errors="replace") if self._path.exists() else ""
        )
        whole = text[: text.rfind("\n") + 1] or head + "\n"
        first, *lines = whole.splitlines()
        if first != head or not (text.startswith(head) or head.startswith(text)):
            raise ValueError(
                f"{self._path} does not hold trials of these settings: it must be a new file, or "
                "one that was kept by the same data, schemes, parameters and seed"
            )
        for number, line in enumerate(lines, 2):
            try:
                case, trial, errors = json.loads(line)
            except ValueError:
                raise ValueError(f"{self._path}, line {number}: this is no trial") from None
            self.errors[case, trial] = np.array(errors, dtype=float)
        if whole != text:
            self._path.write_text(whole, encoding="utf-8")

    def add(self, pair: tuple[int, int], errors: np.ndarray) -> None:
        """Keep one more trial: Python writes numbers so that they are read back bit by bit."""
        self.errors[pair] = errors
        if self._path is not None:
            with self._path.open("a", encoding="utf-8") as file:
                file.write(json.dumps([*pair, errors.tolist()]) + "\n")
