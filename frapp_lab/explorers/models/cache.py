"""Remembering what is costly, within bounds."""

from __future__ import annotations

import functools
import threading
from collections.abc import Callable

import numpy as np


def remember(max_bytes: float, hold: int = 0) -> Callable:
    """Cache a function's arrays, at most so many bytes, those that were wanted last; read-only.

    The last `hold` of them are kept however large they are, because they are wanted together.

    >>> @remember(max_bytes=1e6)
    ... def zeros(n):
    ...     return np.zeros(n)
    >>> zeros(3) is zeros(3), zeros(3).flags.writeable
    (True, False)
    """

    def decorate(function: Callable[..., np.ndarray]) -> Callable[..., np.ndarray]:
        kept: dict[tuple, np.ndarray] = {}
        lock = threading.Lock()  # schemes are mined two at a time

        @functools.wraps(function)
        def remembered(*key: object) -> np.ndarray:
            with lock:
                if key in kept:
                    kept[key] = kept.pop(key)  # the last to go now
                    return kept[key]
            value = function(*key)
            value.flags.writeable = False
            with lock:
                kept[key] = value
                while len(kept) > hold and sum(a.nbytes for a in kept.values()) > max_bytes:
                    kept.pop(next(iter(kept)))
            return value

        vars(remembered)["kept"] = kept  # to be looked at
        return remembered

    return decorate
