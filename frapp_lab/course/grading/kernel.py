"""Kernels for submissions: each is executed in one of its own, whose witness is listened to."""

from __future__ import annotations

import contextlib
import hmac
import json
import os
import queue
import re
import secrets
import signal
import site
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from jupyter_client.blocking import BlockingKernelClient
from jupyter_client.kernelspec import KernelSpec, KernelSpecManager
from jupyter_client.manager import KernelManager

from frapp_lab._base.places import PACKAGE
from frapp_lab.course.exercises import EXERCISES
from frapp_lab.course.grading import witness

SECONDS = 300.0
"""Time limit in seconds for a notebook; the longest lesson takes a minute or two."""

MOST_OUTPUT = 50_000_000
"""Largest number of bytes a notebook may send; every message counts as a thousand at least."""

PATIENCE = 120.0
"""Time limit in seconds for the start of a kernel."""


@dataclass
class Outcome:
    """Hold what was witnessed: the last verdict on each exercise, and what went wrong in words."""

    verdicts: dict[str, bool | None] = field(default_factory=dict)
    problems: list[str] = field(default_factory=list)

    def note(self, problem: str) -> None:
        """Take down, once, what went wrong in the kernel of a submission."""
        if problem not in self.problems:
            self.problems.append(problem)


class _Stop(Exception):
    """Say why the notebook may not go on."""


def execute(cells: Sequence[str], seconds: float = SECONDS) -> Outcome:
    """Run a submission's cells in a kernel, also after errors, and note every witnessed verdict."""
    outcome, secret, number = Outcome(), secrets.token_hex(16), 0
    try:
        with _kernel() as (manager, client):
            run = _Run(manager, client, secret, outcome)
            run.cell(f"from {witness.__name__} import watch; watch({secret!r})", PATIENCE, True)
            if outcome.problems:
                raise _Stop("frapp_lab could not be loaded")
            end = time.monotonic() + seconds
            for number, source in enumerate(cells, 1):
                error = run.cell(source, end - time.monotonic())
                if error:
                    outcome.note(f"cell {number} ended with {error}")
    except _Stop as why:
        left = len(cells) - number
        then = f"; cells left: {left}" if left else ""
        outcome.note(f"stopped in cell {number} of {len(cells)}, because {why}{then}")
    except Exception as error:  # a kernel may fail, and hostile code may send anything
        outcome.note(f"could not be executed any further ({type(error).__name__})")
    return outcome


class _Run:
    """Hold a kernel and what it has sent so far."""

    def __init__(
        self, manager: KernelManager, client: BlockingKernelClient, secret: str, outcome: Outcome
    ) -> None:
        self.manager, self.client, self.secret = manager, client, secret
        self.outcome, self.sent, self.calls = outcome, 0, 0

    def cell(self, source: str, seconds: float, silent: bool = False) -> str:
        """Run one cell in the kernel, and give the name of the error that ended it, if any."""
        end, error = time.monotonic() + seconds, ""
        asked = self.client.execute(
            source, silent=silent, store_history=not silent, allow_stdin=False, stop_on_error=False
        )
        while True:
            if time.monotonic() > end:
                raise _Stop("its time was over")
            try:
                message = self.client.get_iopub_msg(timeout=0.5)
            except queue.Empty:
                if not self.manager.is_alive():
                    raise _Stop("its kernel died") from None
                continue
            kind, content = message["msg_type"], message["content"]
            self._weigh(message)
            if kind == "comm_open" and content.get("target_name") == witness.TARGET:
                self._hear(content.get("data"))
            if message["parent_header"].get("msg_id") == asked:
                if kind == "error":
                    error = re.sub(r"\W", "", str(content.get("ename")))[:50] or "an error"
                if kind == "status" and content["execution_state"] == "idle":
                    return error

    def _weigh(self, message: dict) -> None:
        size = len(json.dumps(message["content"], default=str))
        size += sum(len(part) for part in message.get("buffers", ()))
        self.sent += max(size, 1000)
        if self.sent > MOST_OUTPUT:
            raise _Stop(f"it wrote more than {MOST_OUTPUT / 1e6:g} MB")

    def _hear(self, data: object) -> None:
        """Take down a verdict that came from the kernel if its signature is right."""
        report = data if isinstance(data, dict) else {}
        said, signature = report.get("said", []), str(report.get("signature"))
        wanted = witness.sign(self.secret, said)
        signed = hmac.compare_digest(signature.encode(), wanted.encode())
        # A report that is sent again does not count, nor one that the witness would never send.
        if not signed or not _is_report(said) or said[0] != self.calls:
            self.outcome.note("a verdict was forged")
            return
        _, number, right, changed = said
        self.calls += 1
        if changed:
            self.outcome.note("what judges the answers was changed, so later answers do not count")
        self.outcome.verdicts[number] = None if changed else right


def _is_report(said: object) -> bool:
    """Say whether a kernel sent a report: call number, known exercise, verdict, judges changed."""
    if not isinstance(said, list) or len(said) != 4:
        return False
    _, number, right, changed = said
    known = isinstance(number, str) and number in EXERCISES
    return known and isinstance(right, bool | None) and isinstance(changed, bool)


class _ThisPython(KernelSpecManager):
    """Offer one kernel: the interpreter that runs the grader."""

    def get_kernel_spec(self, kernel_name: str) -> KernelSpec:
        """Give the kernel, whatever its name."""
        argv = [sys.executable, "-m", "ipykernel_launcher", "-f", "{connection_file}"]
        return KernelSpec(argv=argv, display_name="Python 3", language="python")


@contextlib.contextmanager
def _kernel() -> Iterator[tuple[KernelManager, BlockingKernelClient]]:
    """Start a kernel in an empty folder, with a home of its own; remove all of it afterwards."""
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as name:
        home, work = Path(name, "home"), Path(name, "work")
        home.mkdir()
        work.mkdir()
        environment = {
            **os.environ,
            # What one notebook leaves at home, the next one must not find: IPython runs such files.
            "HOME": str(home),
            "USERPROFILE": str(home),
            "IPYTHONDIR": str(home / "ipython"),
            "PYTHONUSERBASE": site.getuserbase(),
            # This library, and not another one that is installed.
            "PYTHONPATH": os.pathsep.join(
                [str(PACKAGE.parent), *filter(None, [os.environ.get("PYTHONPATH")])]
            ),
            "FRAPP_LAB_FILM": "0",
        }
        manager = KernelManager(
            kernel_spec_manager=_ThisPython(), connection_file=str(home / "kernel.json")
        )
        quiet = {"stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL}
        manager.start_kernel(cwd=str(work), env=environment, **quiet)
        client = manager.blocking_client()
        client.start_channels()
        try:
            client.wait_for_ready(timeout=PATIENCE)
            yield manager, client
        finally:
            client.stop_channels()
            if hasattr(signal, "SIGKILL"):  # it and the processes that it started
                with contextlib.suppress(OSError, RuntimeError):
                    manager.signal_kernel(signal.SIGKILL)
            manager.shutdown_kernel(now=True)
