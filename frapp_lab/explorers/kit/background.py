"""Work for when the kernel has nothing else to do: slice after slice, never beside a cell."""

from __future__ import annotations

import asyncio
import os
from collections.abc import Callable, Iterator

PAUSE = 0.004
"""Seconds between two slices, in which the kernel hears what it is told."""

FILM_SECONDS = 2.0
"""The processor time that one touch of a slider may cost."""


def film_is_on() -> bool:
    """Tell whether the background makes films; on a shared hub FRAPP_LAB_FILM=0 forbids it."""
    return os.environ.get("FRAPP_LAB_FILM", "1") not in ("0", "no", "off")


class Background:
    """Jobs by name, done in slices on the loop that also runs cells: while one runs, they wait.

    A job is an iterator, and a slice is one step of it. The job that was named first goes first.
    Without a loop (outside a kernel) nothing is ever begun.
    """

    def __init__(self, *names: str) -> None:
        self._jobs: dict[str, Iterator[object] | None] = dict.fromkeys(names)
        self._timers: dict[str, asyncio.TimerHandle | None] = {}  # None until the loop has set it
        self._awake = False
        try:
            self.loop: asyncio.AbstractEventLoop | None = asyncio.get_running_loop()
        except RuntimeError:
            self.loop = None

    def begin(self, name: str, job: Iterator[object]) -> None:
        """Do a job, in place of an older one of that name."""
        if self.loop is None:
            return
        self._jobs[name] = job
        self.loop.call_soon_threadsafe(self._wake)

    def stop(self, *names: str) -> None:
        """Forget jobs that are not yet done."""
        for name in names:
            self._jobs[name] = None

    def later(self, name: str, seconds: float, call: Callable[[], None]) -> None:
        """Call once it has been quiet for so long: a later call takes the place of an earlier."""
        if self.loop is not None:
            self._timers.setdefault(name, None)  # from now on it is not quiet
            self.loop.call_soon_threadsafe(self._set_timer, name, seconds, call)

    @property
    def is_quiet(self) -> bool:
        """Whether nothing is left to be done."""
        return not self._timers and not any(self._jobs.values())

    def close(self) -> None:
        """Forget everything."""
        self.stop(*self._jobs)
        for timer in self._timers.values():
            if timer is not None:
                timer.cancel()
        self._timers.clear()

    def _set_timer(self, name: str, seconds: float, call: Callable[[], None]) -> None:
        if name not in self._timers:
            return  # it was closed in between
        if (older := self._timers[name]) is not None:
            older.cancel()

        def ring() -> None:
            del self._timers[name]
            call()

        assert self.loop is not None
        self._timers[name] = self.loop.call_later(seconds, ring)

    def _wake(self) -> None:
        if not self._awake:
            self._awake = True
            self._slice()

    def _slice(self) -> None:
        name = next((name for name, job in self._jobs.items() if job is not None), None)
        if name is None:
            self._awake = False
            return
        job = self._jobs[name]
        assert job is not None
        try:
            next(job)
        except StopIteration:
            if self._jobs[name] is job:
                self._jobs[name] = None
        except BaseException:
            self._jobs[name] = None
            self._awake = False
            raise
        assert self.loop is not None
        self.loop.call_later(PAUSE, self._slice)
