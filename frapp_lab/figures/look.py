"""One look for all figures: the palette, and how numbers and names are written in them."""

from __future__ import annotations

import math
import re
from collections.abc import Iterable

BLUE, VERMILION, GREEN, PINK, BLACK = "#0072B2", "#D55E00", "#009E73", "#CC79A7", "#333333"
ORANGE, SKY, GREY = "#B37B00", "#2B8CC4", "#7F7F7F"
PALETTE = BLUE, VERMILION, GREEN, PINK, BLACK, ORANGE, SKY, GREY
"""After Okabe and Ito, which colour-blind readers can tell apart; all at least 3:1 on white."""

TRUTH, ESTIMATE, BEFORE, AFTER = BLACK, "#6A3D9A", GREY, "#A0522D"
KEPT, CHANGED = "#00798C", "#A50026"
"""What is no scheme has a colour of its own, the same in all explorers; schemes bring theirs."""

NIGHT = {
    BLUE: "#56B4E9",
    VERMILION: "#FF8F4A",
    GREEN: "#35C79F",
    PINK: "#E39AC6",
    BLACK: "#E8EAED",
    ORANGE: "#E0A63A",
    SKY: "#7CC4F0",
    GREY: "#A9B2BD",
    ESTIMATE: "#B794E0",
    AFTER: "#E29A6F",
    KEPT: "#3FB8CB",
    CHANGED: "#FF7A85",
}
NIGHT = {day.lower(): night for day, night in NIGHT.items()}
"""The named colours' counterparts for dark paper, at least 3:1 on it; schemes bring theirs."""

GRID = "rgba(128, 128, 128, 0.25)"
"""Seen on light and on dark paper."""

RAISED = str.maketrans("-0123456789", "⁻⁰¹²³⁴⁵⁶⁷⁸⁹")


def shade(colour: str, share: float) -> str:
    """Make a colour of the figures' look transparent.

    >>> shade("#0072B2", 0.16)
    'rgba(0, 114, 178, 0.16)'
    """
    red, green, blue = (int(colour[i : i + 2], 16) for i in (1, 3, 5))
    return f"rgba({red}, {green}, {blue}, {share})"


def rounded(values: Iterable[float], digits: int = 4) -> list[float | None]:
    """Round numbers to the few digits of a figure's look; what is missing or infinite is None.

    >>> rounded([112.11111, float("nan"), 0.000123456])
    [112.1, None, 0.0001235]
    """
    return [float(f"{v:.{digits}g}") if math.isfinite(v) else None for v in map(float, values)]


def in_words(number: float) -> str:
    """Write a number of any size in the look that figures and sentences share.

    >>> in_words(8.1944), in_words(302190.4), in_words(9.96e6), in_words(0.0000986)
    ('8.19', '302,190', '1.0 × 10⁷', '9.9 × 10⁻⁵')
    """
    if number > 1e15:
        return "more than 10¹⁵ (singular to a computer)"
    size = abs(number)
    text = f"{number:,.0f}" if 999.5 <= size < 999_999.5 else f"{number:.3g}"
    if "e" not in text:
        return text
    digits, exponent = f"{number:.1e}".split("e")
    return f"{digits} × {power(int(exponent))}"


def power(exponent: int) -> str:
    """Write a power of ten in the look of all figures.

    >>> power(4), power(-5)
    ('10⁴', '10⁻⁵')
    """
    return f"10{str(exponent).translate(RAISED)}"


def decades(low: int, high: int, step: int = 1, unit: str = "") -> dict[str, list]:
    """Write the ticks of a log axis from one power of ten to another in the look of all numbers.

    >>> decades(-2, 4, 2, " %")["ticktext"]
    ['0.01 %', '1 %', '100 %', '10⁴ %']
    """
    exponents = range(low, high + 1, step)
    texts = [f"{10.0**e:,.{max(0, -e)}f}" if -4 <= e <= 3 else power(e) for e in exponents]
    return {"tickvals": [10.0**e for e in exponents], "ticktext": [t + unit for t in texts]}


def plain(text: object) -> str:
    """Write a name as it is to look in plotly's texts: nothing in it is markup, as <b> would be.

    >>> plain("C&P, age <20")
    'C&P, age &lt;20'
    """
    text = str(text)
    if "&" in text:
        text = re.sub(r"&(?=#?\w+;)", "&amp;", text)
    return text.replace("<", "&lt;")


def places_of(xs: Iterable) -> list:
    """Give numbers along an axis their rounded look; if a word is among them, all are names.

    >>> places_of([1, 2.5]), places_of(["<20", 3])
    ([1.0, 2.5], ['&lt;20', 3])
    """
    xs = list(xs)
    if any(isinstance(x, str) for x in xs):
        return [plain(x) if isinstance(x, str) else x for x in xs]
    return rounded(xs, 6)
