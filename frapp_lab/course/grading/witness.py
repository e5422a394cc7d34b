"""The witness in a submission's kernel: it reports every call of `check` to the grader, signed.

The grader calls `watch` before the first cell runs. A verdict counts only if it was made by the
library's own `check`, with the library's own exercise, while nothing that judging consists of was
changed that is looked at here; what a cell prints or shows is no verdict. This keeps out what is
stored or printed, and the plain ways to redefine and patch. It cannot keep out somebody who takes
the process apart: the learner's code runs in the same process, and what this module knows can be
found there.
"""

from __future__ import annotations

import builtins
import hmac
import itertools
import json
import sys
from types import FunctionType

import numpy as np

import frapp_lab as fl
from frapp_lab import course
from frapp_lab.course import exercises
from frapp_lab.course.exercises.sheet import SheetExercise

TARGET = "frapp_lab.check"
"""The name under which verdicts travel; see `comm`, Jupyter's way to send what is no output."""

KERNELS = {"_", "input"}
"""What the kernel itself changes among the built-in names: the last result, and who is asked."""


def sign(secret: str, said: list) -> str:
    """Sign what the witness says, as only those who know the secret can.

    >>> sign("a", [0, "02.1", True, False]) == sign("b", [0, "02.1", True, False])
    False
    """
    return hmac.new(secret.encode(), json.dumps(said).encode(), "sha256").hexdigest()


def watch(secret: str) -> None:
    """Put a witness in place of the library's `check`, to report what the library's says."""
    from comm import create_comm

    judge, makers, calls = exercises.check, dict(exercises.EXERCISES), itertools.count()

    def check(number: str, answer: object) -> exercises.Verdict:
        verdict = judge(number, answer)
        if verdict.number in makers:
            # After judging, because a learner's function is called by it.
            changed = any(now.get(key) is not part for now in [_parts()] for key, part in parts)
            said = [next(calls), verdict.number, verdict.right, changed]
            create_comm(target_name=TARGET, data={"said": said, "signature": sign(secret, said)})
        return verdict

    check.__doc__ = judge.__doc__
    exercises.check = course.check = check
    parts = list(_parts().items())


def _parts() -> dict[tuple, object]:
    """Collect what the witness watches, by name: exercises, judges, and what these call."""
    found: dict[tuple, object] = {}
    for number, make in exercises.EXERCISES.items():
        found["exercise", number] = make
        parts = {"code": getattr(make, "__code__", None)}
        if isinstance(make, SheetExercise):
            parts = {**vars(make), **vars(make.sheet), **make.sheet.names}
        for name, value in parts.items():
            found |= {(number, name): value, **_inner((number, name), value)}
    ours = [m for name, m in list(sys.modules.items()) if name.startswith(course.__name__)]
    for module in [*ours, fl, np, builtins]:
        for name, value in list(vars(module).items()):
            if name in KERNELS or (module not in ours and not callable(value)):
                continue
            found[module.__name__, name] = value
            if module in ours or module is fl:
                found |= _inner((module.__name__, name), value)
    return found


def _inner(key: tuple, value: object) -> dict[tuple, object]:
    """Collect, for the witness, the code of a function, and of the methods of a class of ours."""
    if isinstance(value, FunctionType):
        return {(*key, "code"): value.__code__}
    found: dict[tuple, object] = {}
    if isinstance(value, type) and value.__module__.startswith(course.__name__):
        for name, part in vars(value).items():
            found |= {(*key, name): part, **_inner((*key, name), part)}
    return found
