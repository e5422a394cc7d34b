"""How an answer is judged: compared with the right one, then with the mistakes people make."""

from __future__ import annotations

import time
from collections.abc import Callable
from contextlib import suppress
from copy import deepcopy
from dataclasses import dataclass
from typing import Any

import numpy as np

from frapp_lab.course.exercises.timeout import TimeUp, within

Answer = float | np.ndarray | Callable

TOLERANCE = 0.005
"""How far an answer may be off, relative to the right one."""

FUNCTION_TOLERANCE = 1e-4
"""How far the results of a function may be off: it need not round."""

PATIENCE, ALL_PATIENCE = 5.0, 60.0
"""Time limits in seconds: per call of a learner's function, and per estimator."""

N_SURVEYS = 500
"""Number of surveys on which an estimator is tried."""

DOTS = "Put your answer in place of the three dots."
"""What is said while there is no answer: a stub has `answer = ...`, or a body `return ...`."""

LIMIT = 4.5
"""Standard errors by which its mean and its spread may be off."""

ROOM = LIMIT / (2 * (N_SURVEYS - 1)) ** 0.5
"""How far the spread over these surveys may be off, relative to the promised one."""


@dataclass(frozen=True)
class Verdict:
    """Hold what `check` says; `right` is None while there is no answer."""

    number: str
    right: bool | None
    message: str

    def __repr__(self) -> str:
        said = {True: "right", False: "not yet", None: "not answered yet"}[self.right]
        return f"{self.number} – {said}. {self.message}"


@dataclass(frozen=True)
class Exercise:
    """Hold a question whose answer is a number, an array or a function.

    `mistakes` are wrong answers that people give, each under its hint. `lesson` is said when the
    answer is right. A function is called with each of `inputs`, a tuple of argument tuples, and its
    results are compared. `percent` says that the answer is in percent.
    """

    solution: Answer
    mistakes: dict[str, Answer]
    lesson: str
    inputs: tuple[tuple, ...] = ()
    percent: bool = False

    @np.errstate(all="ignore")
    def judge(self, answer: object) -> tuple[bool | None, str]:
        """Say whether an answer is right, or None for a stub, and a hint or the lesson."""
        try:
            given = self._results(answer)
        except Unanswered:
            return None, DOTS
        except Unusable as problem:
            return False, str(problem)
        right = self._results(self.solution)
        tolerance = FUNCTION_TOLERANCE if callable(self.solution) else TOLERANCE
        if _all_close(given, right, tolerance):
            return True, self.lesson
        # An answer of few digits may be near a mistake by chance: it counts if it is exact.
        rounded = not callable(self.solution) and _is_rounded(given[0], right[0])
        for hint, mistake in self.mistakes.items():
            if _all_close(given, self._results(mistake), 1e-9 if rounded else tolerance):
                return False, hint
        if rounded:
            return False, "Rounded too far to tell whether it is right: give more digits."
        return False, general_hint(given, right, self.percent)

    def _results(self, answer: object) -> list[np.ndarray]:
        if not callable(self.solution):
            return [_as_array(answer)]
        if not callable(answer):
            raise Unusable(
                "A function is wanted here: give its name, without brackets after it, so that it "
                "can be tried on several inputs."
            )
        return [_as_array(_call(answer, arguments)) for arguments in self.inputs]


@dataclass(frozen=True)
class Estimator:
    """Hold a question whose answer is an estimator, which is tried on many surveys.

    `draw(rng)` gives the arguments of one survey. `truth` is what is estimated and `deviation` the
    standard deviation that the formula promises. Its mean must lie within 4.5 standard errors of
    the truth, and its spread within 4.5 standard errors of the promised one. `also` has surveys of
    another kind, which it must pass too. `mistakes` and `lesson` are as in an `Exercise`.
    """

    draw: Callable[[np.random.Generator], tuple]
    solution: Callable
    truth: float | np.ndarray
    deviation: float | np.ndarray
    mistakes: dict[str, Callable]
    lesson: str
    also: Estimator | None = None

    @np.errstate(all="ignore")
    def judge(self, answer: object) -> tuple[bool | None, str]:
        """Say whether an answer is right, or None for a stub, and a hint or the lesson."""
        if not callable(answer):
            return False, "An estimator is a function: give its name, without brackets after it."
        rng = np.random.default_rng(20050)
        surveys = [self.draw(rng) for _ in range(N_SURVEYS)]
        try:
            given = self._run(answer, surveys)
        except Unanswered:
            return None, DOTS
        except Unusable as problem:
            return False, str(problem)
        if not np.isfinite(given).all():
            return False, "Your estimator gives values that are not finite."
        bias, low, high = self._bias_and_spread(given)
        if _passes(bias, low, high):
            if self.also is not None:
                return self.also.judge(answer)
            return True, (
                f"{self.lesson} (Tried on {N_SURVEYS} surveys: the mean is within {LIMIT} standard "
                f"errors of the truth, and the spread within {100 * ROOM:.0f} % of the formula's.)"
            )
        for hint, mistake in self.mistakes.items():
            if _close(given, self._run(mistake, surveys), 1e-6):
                return False, hint
        if np.max(self.truth) <= 1 and _passes(*self._bias_and_spread(given / 100)):
            return False, (
                "This is a hundred times too large: a share between 0 and 1 is wanted, not percent "
                "or a number of people."
            )
        if bias > LIMIT:
            return False, (
                f"Over {N_SURVEYS} surveys its mean misses the truth by {bias:.0f} standard "
                f"errors; an unbiased estimator stays below {LIMIT}."
            )
        wrong = high if high > 1 + ROOM else low
        return False, (
            f"Its mean is near the truth here, but its spread over {N_SURVEYS} surveys is "
            f"{wrong:.2f} times what the formula says; within {100 * ROOM:.0f} % would pass."
        )

    def _bias_and_spread(self, given: np.ndarray) -> tuple[float, float, float]:
        """Find a judged answer's worst bias, in standard errors, and range of relative spreads."""
        spread = given.std(axis=0, ddof=1)
        # A mean of widely spread estimates is off by more, without a bias.
        error = np.maximum(spread, self.deviation) / N_SURVEYS**0.5
        ratios = spread / self.deviation
        return np.max(abs(given.mean(axis=0) - self.truth) / error), np.min(ratios), np.max(ratios)

    def _run(self, answer: Callable, surveys: list[tuple]) -> np.ndarray:
        """Give a judged answer's estimates, a row for each survey; stop at a wrong shape."""
        results: list[np.ndarray] = []
        end = time.monotonic() + ALL_PATIENCE
        for arguments in surveys:
            result = _as_array(_call(answer, arguments))
            if result.shape != np.shape(self.truth):
                hint = _shape_hint(result.shape, np.shape(self.truth))
                raise Unusable(f"{hint} Other surveys gave the right shape." if results else hint)
            results.append(result)
            if time.monotonic() > end:
                raise Unusable(
                    f"Your estimator is too slow: it came to survey {len(results)} of {N_SURVEYS} "
                    f"in {ALL_PATIENCE:g} seconds."
                )
        return np.array(results)


class Unusable(Exception):
    """Say why an answer cannot be compared."""


class Unanswered(Unusable):
    """Say that a function's body still returns the three dots."""


class Stopped(Unusable):
    """Say which error stopped what a learner wrote."""


def _safely(function: Callable, *arguments: object) -> Any:
    """Call what a learner wrote, to judge it: it may raise anything, and need not end."""
    try:
        return within(PATIENCE, function, *arguments)
    except KeyboardInterrupt:  # by the learner, who wants to stop
        raise
    except TimeUp:
        raise Unusable(
            f"It was stopped after {PATIENCE:g} seconds: is there a loop that does not end?"
        ) from None
    except BaseException as error:
        said = type(error).__name__
        with suppress(BaseException):  # an error's text can raise an error too
            said = f"{said}: {error}"
        raise Stopped(said[:300]) from error


def _call(function: Callable, arguments: tuple) -> object:
    try:
        # Copies, so that a function that changes its arguments cannot spoil the next call.
        return _safely(function, *deepcopy(arguments))
    except Stopped as error:
        raise Unusable(
            f"Your function stopped with {error}. It was called with "
            f"{len(arguments)} argument{'s' if len(arguments) != 1 else ''}."
        ) from error


def _as_array(answer: object) -> np.ndarray:
    if answer is ...:
        raise Unanswered
    if answer is None:
        raise Unusable("Your function returned nothing: does it end with return?")
    try:
        return _safely(np.array, answer, float)
    except Stopped as error:
        raise Unusable(
            f"A number or an array of numbers is wanted here, and this is of type "
            f"{type(answer).__name__}."
        ) from error


def _passes(bias: float, low: float, high: float) -> bool:
    return bias <= LIMIT and low >= 1 - ROOM and high <= 1 + ROOM


def _all_close(given: list[np.ndarray], right: list[np.ndarray], tolerance: float) -> bool:
    return all(_close(a, b, tolerance) for a, b in zip(given, right, strict=True))


def _is_rounded(given: np.ndarray, right: np.ndarray) -> bool:
    """Say whether a judged answer is the right one with fewer digits, of which some are left.

    0 and 1 are no roundings of a probability: they say “never” and “certainly”.
    """
    if given.shape != right.shape:
        return False
    if np.any((given == 0) & (right != 0) | (given == 1) & (right < 1)):
        return False
    return any(
        np.allclose(given, given.round(places), rtol=0, atol=1e-12)
        and np.all(abs(given - right) <= 0.5 * 10.0**-places + 1e-12)
        for places in range(5)
    )


def _close(a: np.ndarray, b: np.ndarray, tolerance: float) -> bool:
    scale = np.abs(b).max(initial=0)
    return a.shape == b.shape and np.allclose(a, b, rtol=tolerance, atol=1e-9 * scale)


def general_hint(given: list[np.ndarray], right: list[np.ndarray], percent: bool = False) -> str:
    """Give a hint for a mistake that nobody foresaw; it never says the answer."""
    for a, b in zip(given, right, strict=True):
        if a.shape != b.shape:
            return _shape_hint(a.shape, b.shape)
        if not np.isfinite(a).all():
            return "The answer is not finite: is something divided by zero?"

    def right_after(change: Callable) -> bool:
        return _all_close([change(a) for a in given], right, TOLERANCE)

    if all(a.ndim == 2 for a in given) and right_after(np.transpose):
        return "Rows and columns are swapped: column u holds what a client with record u sends."
    if len(given) == 1 and given[0].ndim == 0 and given[0] in (0, 1) and 0 < right[0] < 1:
        said = "“certainly”, or “all”" if given[0] else "“never”, or “none”"
        return f"This would be {said}: look for a case where it comes out otherwise."
    is_share = all(np.abs(b).max(initial=0) <= 1 for b in right)
    if is_share and right_after(lambda a: a / 100):
        return "This is in percent; a share between 0 and 1 is wanted."
    if percent and right_after(lambda a: 100 * a):
        return "This is a share; percent is wanted."
    if right_after(np.negative):
        return "The sign is the wrong way round."
    a, b = (np.concatenate([np.ravel(values) for values in side]) for side in (given, right))
    ratios = a[b != 0] / b[b != 0]
    if not a[b == 0].any():  # its zeros are in the right places
        if len(ratios) > 1 and np.ptp(ratios) < 1e-6 * abs(ratios).max():
            return "The shape is right, but all values are off by one and the same factor."
        if np.all(abs(ratios - 1) < 0.05):
            return "Very near: did you round on the way, or leave out a small term?"
    return "That is not it. Read the question again, and try a small case."


def _shape_hint(given: tuple, wanted: tuple) -> str:
    def words(shape: tuple) -> str:
        return f"an array of shape {shape}" if shape else "a single number"

    return f"This is {words(given)}; {words(wanted)} is wanted."
