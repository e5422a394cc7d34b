"""Open a lesson in JupyterLab, in a folder of your own.

The lessons and their solutions are copied into the folder first, so that you can write into them.
What you have written is never overwritten: a newer version of a file that you have changed is put
beside it, as 02_privacy_breaches.new.ipynb.

    frapp-lab open
    frapp-lab open 02
"""

from __future__ import annotations

import argparse
import contextlib
import hashlib
import itertools
import json
import os
import signal
import subprocess
import sys
from pathlib import Path

from frapp_lab.course.lessons import NOTEBOOKS, TEACHERS, course_files, lessons

RECORD = ".frapp_lab.json"
"""In the learner's folder: for each file the digest of the version that was put there."""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add what `frapp-lab open` takes."""
    add = parser.add_argument
    add("lesson", nargs="?", metavar="LESSON", help="its number, such as 02 (default: the first)")
    add("--folder", type=Path, default=Path("frapp_lab_lessons"),
        help="where your copies are (default: frapp_lab_lessons)")  # fmt: skip
    add("--copy-only", action="store_true", help="copy, and open nothing")
    add("--no-browser", action="store_true", help="start JupyterLab and print its address")
    add("--jupyter", nargs=argparse.REMAINDER, default=[], metavar="OPTION",
        help="all that follows goes to JupyterLab")  # fmt: skip


def run(options: argparse.Namespace) -> int:
    """Copy the lessons and open one of them."""
    folder = options.folder.resolve()
    if folder.is_relative_to(NOTEBOOKS.resolve()):
        raise ValueError(
            f"--folder is {options.folder}: the lessons' own folder; choose another one, because "
            "what you write must not get mixed with what is to be copied"
        )
    if folder.exists() and not folder.is_dir():
        raise ValueError(f"--folder is {options.folder}: that is a file, and a folder is wanted")
    paths = {lesson.number: lesson.path for lesson in lessons()}
    chosen = options.lesson or next(iter(paths))
    if chosen not in paths:
        raise ValueError(f"LESSON is {chosen!r}: there are {', '.join(paths)}")
    for name in bring(folder):
        print(f"newer than yours, put beside it: {folder / name}")
    print(f"your lessons are in {folder}")
    if options.copy_only:
        return 0
    # The interpreter that runs this has frapp_lab; so has the kernel that it finds first.
    command = [sys.executable, "-m", "jupyterlab", paths[chosen].name]
    command += [*(["--no-browser"] if options.no_browser else []), *options.jupyter]
    environment = {**os.environ, "JUPYTER_PREFER_ENV_PATH": "1"}
    server = subprocess.Popen(command, cwd=folder, env=environment)
    before = signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl+C is JupyterLab's, which asks back
    try:
        return server.wait()
    finally:
        signal.signal(signal.SIGINT, before)


def bring(folder: Path, source: Path = NOTEBOOKS) -> list[Path]:
    """Update the learner's folder for `frapp-lab open`; list the files put beside changed ones."""
    record = folder / RECORD
    brought: dict[str, str] = {}
    beside: list[Path] = []
    # Without a record that can be read, every difference is the learner's.
    with contextlib.suppress(OSError, ValueError, TypeError):
        brought = dict(json.loads(record.read_text(encoding="utf-8")))
    for name in course_files(TEACHERS, folder=source):
        newest, key, target = (source / name).read_bytes(), name.as_posix(), folder / name
        if target.exists() and brought.get(key) == _digest(newest):
            continue  # it is this version, whatever the learner wrote into it
        there = _digest(target.read_bytes()) if target.exists() else None
        if there not in {None, _digest(newest), brought.get(key)}:
            target = _free(target)
            beside.append(target.relative_to(folder))
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_bytes(newest)
        brought[key] = _digest(newest)
        record.write_text(json.dumps(brought, indent=1), encoding="utf-8")
    return beside


def _digest(content: bytes) -> str:
    return hashlib.sha256(content).hexdigest()


def _free(path: Path) -> Path:
    """Find a free name for the newer file that `frapp-lab open` puts beside a changed one."""
    names = itertools.chain(["new"], (f"new{number}" for number in itertools.count(2)))
    paths = (path.with_suffix(f".{name}{path.suffix}") for name in names)
    return next(path for path in paths if not path.exists())
