"""Checks of what is given: each names the thing, its value, what is allowed, and why."""

from __future__ import annotations

import contextlib
import math
from numbers import Integral, Real

import numpy as np
from numpy.typing import ArrayLike


def check_number(
    name: str, value: float, interval: str = "(0, 1)", why: str = "it is a probability"
) -> float:
    """Check a number against an interval, whose ends are open ( ) or closed [ ].

    >>> check_number("min_confidence", 1, "(0, 1]", "it is a share")
    1.0
    """
    low, high = map(float, interval[1:-1].split(","))
    number, ends = math.nan, interval[0] + interval[-1]
    if isinstance(value, Real) and not isinstance(value, bool):
        with contextlib.suppress(OverflowError):  # a whole number that no float holds
            number = float(value)
    above = number > low or (number == low and ends[0] == "[")
    if above and (number < high or (number == high and ends[1] == "]")):
        return number
    allowed = {
        "()": f"strictly between {low:.6g} and {high:.6g}",
        "(]": f"above {low:.6g} and at most {high:.6g}",
        "[)": f"of at least {low:.6g} and below {high:.6g}",
        "[]": f"from {low:.6g} to {high:.6g}",
    }[ends]
    if high == math.inf:
        allowed = f"{'above' if ends[0] == '(' else 'of at least'} {low:.6g} and finite"
    raise ValueError(f"{name} is {shown(value)}: it must be a number {allowed}, because {why}")


def check_integer(name: str, value: int, low: int, high: float, why: str) -> int:
    """Check a whole number between two limits, both included."""
    if not isinstance(value, Integral) or isinstance(value, bool) or not low <= value <= high:
        allowed = f"of {low} or more" if high == math.inf else f"from {low} to {shown(high)}"
        raise ValueError(
            f"{name} is {shown(value)}: it must be a whole number {allowed}, because {why}"
        )
    return int(value)


def check_flag(name: str, value: bool) -> bool:
    """Check a flag: True or False, and nothing that only counts as one of them."""
    if not isinstance(value, bool | np.bool_):
        raise TypeError(
            f"{name} is {shown(value)}: it must be True or False, because any text, even 'False', "
            "would count as True"
        )
    return bool(value)


def check_gamma(gamma: float) -> float:
    """Check the amplification bound γ: finite and above 1."""
    why = "at γ = 1 a report says nothing at all and with γ = ∞ it may say everything"
    return check_number("gamma", gamma, "(1, inf)", why)


def check_domain_size(domain_size: int) -> int:
    """Check the size n of a joint domain: two cells or more, and a number that floats can hold."""
    why = "a domain of one value holds no secret, and a computer takes 1/n of a larger one for 0"
    return check_integer("domain_size", domain_size, 2, 10**300, why)


def check_array(name: str, value: ArrayLike) -> np.ndarray:
    """Check that an array holds real numbers."""
    array = as_array(name, value)
    if array.dtype.kind == "O":  # Python's own numbers, such as fractions
        with contextlib.suppress(TypeError, ValueError):
            array = array.astype(float) if max(map(abs, array.flat)) < 2**63 else array
    if array.dtype.kind not in "biuf":
        raise TypeError(
            f"{name} holds {shown(array.flat[0] if array.size else value)}, of the type "
            f"{array.dtype}: it must hold real numbers of 64 bits, neither complex ones nor text"
        )
    return array


def as_array(name: str, value: ArrayLike) -> np.ndarray:
    """Check and make an array of anything: none of it masked, and all rows of one length."""
    if np.ma.is_masked(value):
        raise ValueError(
            f"{name}: {np.ma.count_masked(value):,} of its values are masked, which means unknown, "
            "and what is under a mask would count; leave these out first"
        )
    try:
        return np.asarray(value)
    except ValueError:
        raise ValueError(
            f"{name}: all rows must have the same length, because they make up one array"
        ) from None


def is_whole(array: np.ndarray) -> np.ndarray:
    """Check of each entry of an array of any type whether it is a whole number."""
    if array.dtype.kind in "iub":
        return np.ones(array.shape, dtype=bool)
    if array.dtype.kind == "f":
        return np.isfinite(array) & (array == np.round(array))
    fits = [isinstance(value, int | np.integer) for value in array.ravel()]
    return np.array(fits, dtype=bool).reshape(array.shape)


def whole(counts: np.ndarray, what: str = "counts") -> np.ndarray:
    """Check that whole numbers have a total of at most 2⁶³ − 1, and give them as int64."""
    limit = 2**63
    total = counts.size * max(abs(int(counts.min())), abs(int(counts.max())))
    if total >= limit:  # at the most; now they are added exactly
        total = sum(abs(int(count)) for count in counts.flat)
    if total >= limit:
        raise ValueError(
            f"{what} have a total of {digits(total)} or more: it must be below 2^63 = {limit:,}, "
            "because they are added as 64-bit numbers"
        )
    return counts.astype(np.int64)


def shown(value: object) -> str:
    """Show a value in the message of a failed check, shortened if it is long.

    >>> shown("19"), shown(10**300)
    ("'19'", '10^300')
    """
    if isinstance(value, int) and abs(value) >= 10**30:
        return digits(value)
    text = repr(value.item() if isinstance(value, np.generic) else value)
    return text if len(text) <= 120 else f"{text[:117]}..."


def digits(number: int) -> str:
    """Write a whole number of any size for a failed check's message, so that it can be read.

    >>> digits(2**31), digits(2**1100)
    ('2,147,483,648', 'about 1.4 × 10^331')
    """
    if abs(number) < 10**30:
        return f"{number:,}"
    power = round(math.log10(abs(number)), 9)
    if number == 10 ** int(power):
        return f"10^{power:g}"
    return f"about {'-' * (number < 0)}{10 ** (power % 1):.1f} × 10^{int(power)}"


def check_matrix(matrix: ArrayLike, gamma: float | None = None) -> np.ndarray:
    """Check an array that is to be a perturbation matrix (FRAPP Eq. 1, and Eq. 2 if γ is given).

    Parameters
    ----------
    matrix
        A[v, u], the probability that record u is reported as v.
    gamma
        The largest ratio allowed within a row; without it any matrix of probabilities will do.

    Returns
    -------
    ndarray
        The matrix as an array of floats.

    Raises
    ------
    ValueError
        If an entry is negative, a column does not sum to 1, or a row breaks γ; it says which.

    Examples
    --------
    >>> check_matrix([[0.75, 0.25], [0.25, 0.75]], gamma=3).shape
    (2, 2)
    """
    a = check_array("matrix", matrix).astype(float)
    if a.ndim != 2 or not a.size:
        raise ValueError(f"matrix has shape {a.shape}: it must have rows (reports) and columns")
    bad = np.argwhere(~(a >= 0) | np.isinf(a))
    if len(bad):
        v, u = bad[0]
        raise ValueError(
            f"matrix[{v}, {u}] is {a[v, u]:g}: every entry is the probability of a report, so it "
            "must be a number of 0 or more"
        )
    sums = a.sum(axis=0)
    off = np.flatnonzero(abs(sums - 1) > 1e-9)
    if len(off):
        u = off[0]
        raise ValueError(
            f"matrix: column {u} sums to {sums[u]:.6g}: it must sum to 1, because column u holds "
            "the probabilities of all reports of a record u (A[v, u] is that of report v)"
        )
    if gamma is not None:
        gamma = check_gamma(gamma)
        # One part in 10⁹ is rounding, not a breach.
        broken = np.flatnonzero(a.max(axis=1) > gamma * a.min(axis=1) * (1 + 1e-9))
        if len(broken):
            v = broken[0]
            high, low = int(a[v].argmax()), int(a[v].argmin())
            raise ValueError(
                f"matrix: in row {v}, entry {high} is {a[v, high]:.6g} and entry {low} is "
                f"{a[v, low]:.6g}, a ratio above γ = {gamma:g}: the report {v} would tell these "
                "two records apart more than allowed"
            )
    return a
