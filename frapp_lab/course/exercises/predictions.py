"""Predict, then look: a learner commits to a guess, and the lesson comes back to it."""

from __future__ import annotations

from dataclasses import dataclass
from types import EllipsisType

import numpy as np

NEAR = 0.2
"""A predicted number this near, relative to what comes out, is called near."""


@dataclass(frozen=True)
class Prediction:
    """Hold what was predicted, or None if nothing was."""

    said: str | float | None
    options: tuple[str, ...] = ()
    unit: str = ""

    def compare(self, came_out: str | float) -> None:
        """Say what came out beside what was predicted.

        >>> Prediction("more", ("more", "fewer")).compare("fewer")
        You said “more”; it is “fewer”. What made you think so?
        >>> Prediction(3.0, unit=" %").compare(2.7386)
        You said 3 %; it is 2.74 %: near.
        """
        if came_out not in self.options if self.options else isinstance(came_out, str):
            raise ValueError(
                f"came_out is {came_out!r}: it must be {_one_of(self.options)}, "
                "as the question was asked"
            )
        it = self._shown(came_out)
        if self.said is None:
            print(f"It is {it}. (No prediction was made.)")
        elif self.said == came_out:
            print(f"You said {it}, and so it is.")
        elif isinstance(self.said, str) or isinstance(came_out, str):
            print(f"You said {self._shown(self.said)}; it is {it}. What made you think so?")
        else:
            near = abs(self.said - came_out) <= NEAR * abs(came_out)
            verdict = "near." if near else "what made the difference?"
            print(f"You said {self._shown(self.said)}; it is {it}: {verdict}")

    def _shown(self, value: str | float) -> str:
        if isinstance(value, str):
            return f"“{value}”"
        return f"{np.format_float_positional(float(f'{value:.3g}'), trim='-')}{self.unit}"


def predict(said: str | float | EllipsisType, *options: str, unit: str = "") -> Prediction:
    """Record a prediction: one of the options, or a number if there are none.

    >>> first = predict(..., "more", "fewer")
    No prediction yet: put “more” or “fewer” in place of the three dots.
    >>> first.compare("fewer")
    It is “fewer”. (No prediction was made.)
    >>> second = predict(3, unit=" %")
    Noted: 3 %.
    """
    wanted = f"put {_one_of(options)} in place of the three dots"
    prediction = Prediction(_understood(said, options), options, unit)
    if said is ... or said is None:
        print(f"No prediction yet: {wanted}.")
    elif prediction.said is None:
        print(f"{said!r} is no prediction here: {wanted}.")
    else:
        print(f"Noted: {prediction._shown(prediction.said)}.")
    return prediction


def _understood(said: object, options: tuple[str, ...]) -> str | float | None:
    if said is ... or said is None:
        return None
    if options:
        words = str(said).strip().casefold()
        return next((option for option in options if option.casefold() == words), None)
    try:
        value = float(said)  # type: ignore[arg-type]
    except (TypeError, ValueError):
        return None
    return value if np.isfinite(value) else None


def _one_of(options: tuple[str, ...]) -> str:
    if not options:
        return "a number"
    *first, last = (f"“{option}”" for option in options)
    return f"{', '.join(first)} or {last}" if first else last
