"""Calls with a time limit, because a learner's function need not end."""

from __future__ import annotations

import signal
import sys
import threading
import time
from collections.abc import Callable


class TimeUp(BaseException):
    """Say that the time is over; no Exception, so that `except Exception` lets it through."""


def within(seconds: float, function: Callable, *arguments: object) -> object:
    """Call a function and give its result; raise `TimeUp` in it once the seconds are over.

    A timer's signal does this, and it ends a wait as well. Where there is none, on Windows and in
    all threads but the main one, the clock is read at every line of Python: that ends loops, but
    not a wait within one line.

    >>> within(1, divmod, 7, 2)
    (3, 1)
    """
    if threading.current_thread() is threading.main_thread() and hasattr(signal, "setitimer"):
        return _with_signal(seconds, function, arguments)
    return _with_trace(seconds, function, arguments)


def _with_signal(seconds: float, function: Callable, arguments: tuple) -> object:
    def stop(*_: object) -> None:
        raise TimeUp

    handler = signal.signal(signal.SIGALRM, stop)
    # Again and again after the first time, so that a bare `except:` in a loop cannot keep it away.
    timer = signal.setitimer(signal.ITIMER_REAL, seconds, 0.05)
    try:
        return function(*arguments)
    finally:
        signal.setitimer(signal.ITIMER_REAL, *timer)
        signal.signal(signal.SIGALRM, handler or signal.SIG_DFL)


def _with_trace(seconds: float, function: Callable, arguments: tuple) -> object:
    end = time.monotonic() + seconds

    def look(*_: object) -> Callable:
        if time.monotonic() > end:
            raise TimeUp
        return look

    tracer = sys.gettrace()
    sys.settrace(look)
    try:
        return function(*arguments)
    finally:
        sys.settrace(tracer)
