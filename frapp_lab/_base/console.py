"""What commands share: a bar that shows how far they are, and files written whole or not at all."""

from __future__ import annotations

import os
import secrets
import shutil
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

from frapp_lab._base.later import pd

Progress = Callable[[int, int], None]


def console_progress(what: str = "trials") -> Progress:
    """Show a progress bar on a terminal once two seconds have passed."""
    start = time.monotonic()

    def show(done: int, total: int) -> None:
        if sys.stderr.isatty() and time.monotonic() - start > 2:
            filled = "#" * (30 * done // total)
            end = "\n" if done == total else ""
            print(f"\r{what} [{filled:<30}] {done}/{total}", end=end, file=sys.stderr, flush=True)

    return show


def bar_or_lines(what: str) -> Progress:
    """Show how far a command is: a bar on a console, and elsewhere a line at every tenth."""
    if sys.stderr.isatty():
        return console_progress(what)

    def show(done: int, total: int) -> None:
        if 10 * done // total > 10 * (done - 1) // total:
            print(f"{what} {done}/{total}", file=sys.stderr, flush=True)

    return show


def place(path: Path) -> Path:
    """Find the file that a console command may write; a link stays, and its target is written."""
    try:
        out = path.resolve()
    except (OSError, RuntimeError) as error:
        raise ValueError(f"--out is {path}: the link leads nowhere ({error})") from None
    if not out.parent.is_dir():
        raise ValueError(f"--out is {path}: there is no folder {out.parent}")
    if os.path.lexists(out) and not out.is_file():
        kind = "a folder" if out.is_dir() else "no plain file but a pipe, a device or the like"
        raise ValueError(f"--out is {path}: that is {kind}, and a file is wanted")
    try:
        if out.exists() and not os.access(out, os.W_OK):
            raise PermissionError("the file is read-only")
        tempfile.TemporaryFile(dir=out.parent).close()
    except OSError as error:
        raise ValueError(f"--out is {path}: it cannot be written there ({error})") from None
    return out


def write_csv(table: pd.DataFrame, path: Path) -> None:
    """Write a console command's table beside the old file, and put it in place when it is whole."""
    part = path.with_name(f".{secrets.token_hex(8)}.part")
    try:
        with part.open("x", encoding="utf-8", newline="") as file:
            table.to_csv(file, index=False, float_format="%.6g")
        if path.exists():
            shutil.copymode(path, part)
        part.replace(path)
    finally:
        part.unlink(missing_ok=True)
