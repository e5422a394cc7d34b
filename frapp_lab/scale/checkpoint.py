"""Finished trials kept in a file, so that interrupted ones can be continued."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator, Mapping, Sequence
from functools import cached_property, partial
from pathlib import Path
from types import CodeType, FunctionType, MethodType
from typing import Any

import numpy as np

from frapp_lab.data.files import check_plain


class Kept:
    """Keep the errors of finished trials by (case, trial), in memory and in a file if one is named.

    Its first line says what the trials are about; each other line is one trial, whose errors have
    the shape of its case. A line that was cut off, as by a loss of power, is as if it had not been
    written.

    >>> kept = Kept(None, {"seed": 0}, [(2, 4)])
    >>> kept.add((0, 7), np.ones((2, 4)))
    >>> kept.errors[0, 7].shape
    (2, 4)
    """

    def __init__(
        self, path: str | Path | None, about: dict[str, Any], shapes: Sequence[tuple[int, int]]
    ) -> None:
        self.errors: dict[tuple[int, int], np.ndarray] = {}
        self._path = None if path is None else check_plain(Path(path))
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
                fits = case >= 0 and np.shape(errors) == shapes[case] and isinstance(trial, int)
                self.errors[case, trial] = np.array(errors, dtype=float)
            except (ValueError, TypeError, IndexError):
                fits = False
            if not fits:
                raise ValueError(
                    f"{self._path}, line {number}: this is no trial of these settings; take the "
                    "line out, and the trial is made once more"
                )
        if whole != text:
            self._path.write_text(whole, encoding="utf-8")

    def add(self, pair: tuple[int, int], errors: np.ndarray) -> None:
        """Add a trial to the checkpoint, with numbers that are read back bit by bit."""
        self.errors[pair] = errors
        if self._path is not None:
            with self._path.open("a", encoding="utf-8") as file:
                file.write(json.dumps([*pair, errors.tolist()]) + "\n")


def digest(value: Any) -> str:
    """Make a checkpoint's digest: a short text that differs where two values differ in any number.

    >>> from frapp_lab import GammaDiagonal, Schema
    >>> two = [GammaDiagonal(Schema.of_sizes(2, 3), gamma) for gamma in (19, 19.0000001)]
    >>> repr(two[0]) == repr(two[1]), digest(two[0]) == digest(two[1])
    (True, False)
    """
    found = hashlib.sha256()
    for part in _said(value):
        found.update(part)
    return found.hexdigest()[:32]


def _said(value: Any) -> Iterator[bytes]:
    """List, for a checkpoint, all that a value holds, but not what it derived from that."""
    inner: Any
    if isinstance(value, np.ndarray):
        yield f"{value.dtype.str}{value.shape}".encode()
        inner = value.tolist() if value.dtype.hasobject else value.tobytes()
    elif isinstance(value, Mapping):
        inner = list(value.items())
    elif isinstance(value, FunctionType):
        cells = [cell.cell_contents for cell in value.__closure__ or ()]
        inner = [value.__code__, value.__defaults__, cells]
    elif isinstance(value, CodeType):
        inner = [value.co_code, value.co_names, value.co_consts]
    elif isinstance(value, MethodType):
        inner = [value.__func__, value.__self__]
    elif isinstance(value, partial):
        inner = [value.func, value.args, value.keywords]
    elif hasattr(value, "__dict__") and not isinstance(value, type):
        kind = type(value)
        given = (n for n in vars(value) if not isinstance(getattr(kind, n, None), cached_property))
        inner = [kind, {name: vars(value)[name] for name in given}]
    else:
        inner = value
    if isinstance(inner, list | tuple):
        yield f"{type(value).__name__} of {len(inner)}: ".encode()
        for part in inner:
            yield from _said(part)
    else:
        yield inner if isinstance(inner, bytes) else f"{inner!r}, ".encode()
