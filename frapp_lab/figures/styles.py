"""The looks of schemes in all figures: shipped ones have their own, others spare ones."""

from __future__ import annotations

from dataclasses import dataclass

from frapp_lab.mechanisms.registry import schemes


@dataclass(frozen=True)
class Style:
    """Hold a scheme's colour, marker and dash, as plotly names them."""

    colour: str
    marker: str
    dash: str = "solid"


SHIPPED = {
    "DET-GD": Style("#0072B2", "circle"),
    "RAN-GD": Style("#D55E00", "diamond-open", "dot"),
    "MASK": Style("#009E73", "square"),
    "C&P": Style("#CC79A7", "triangle-up"),
    "IND-RR": Style("#8A6D00", "x-thin-open"),
    "SUE": Style("#7A5195", "triangle-down"),
    "OUE": Style("#AA3377", "diamond"),
    "OLH": Style("#228833", "triangle-left"),
    "SS": Style("#4477AA", "triangle-right"),
    "HR": Style("#997700", "hourglass"),
    "SMP": Style("#6B4226", "circle-open"),
    "PAIR": Style("#CC3311", "square-open"),
    "TRIPLE": Style("#00708A", "triangle-up-open"),
}
"""The looks of the schemes that come with the library, by label."""

SPARE_STYLES = (
    Style("#B0413E", "star"),
    Style("#2F6F73", "hexagon"),
    Style("#A34D8F", "cross"),
    Style("#5C5C00", "pentagon"),
    Style("#4B5BA8", "bowtie"),
    Style("#8C5A2B", "star-square"),
)
"""The looks of all other schemes, in the order in which they are listed."""


def style_of(label: str) -> Style:
    """Give the look of a scheme by its label; one that is not shipped gets a spare one.

    >>> style_of("MASK").marker, style_of("MINE") in SPARE_STYLES
    ('square', True)
    """
    if label in SHIPPED:
        return SHIPPED[label]
    own = [name for name in schemes(modern=True) if name not in SHIPPED]
    place = own.index(label) if label in own else len(own)
    return SPARE_STYLES[place % len(SPARE_STYLES)]
