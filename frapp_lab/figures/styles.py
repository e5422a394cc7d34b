"""The looks of schemes in all figures: shipped ones have their own, others spare ones."""

from __future__ import annotations

from dataclasses import dataclass

from frapp_lab.figures import look
from frapp_lab.mechanisms.registry import schemes


@dataclass(frozen=True)
class Style:
    """Hold a scheme's colour by day and by night, its marker and dash, as plotly names them."""

    colour: str
    night: str
    marker: str
    dash: str = "solid"


SHIPPED = {
    "DET-GD": Style("#0072B2", "#56B4E9", "circle"),
    "RAN-GD": Style("#D55E00", "#FF8F4A", "diamond-open", "dot"),
    "MASK": Style("#009E73", "#35C79F", "square"),
    "C&P": Style("#CC79A7", "#E39AC6", "triangle-up"),
    "IND-RR": Style("#8A6D00", "#CBB04A", "x-thin-open"),
    "SUE": Style("#7A5195", "#BE9BD6", "triangle-down"),
    "OUE": Style("#AA3377", "#E584B8", "diamond"),
    "OLH": Style("#228833", "#66C277", "triangle-left"),
    "SS": Style("#4477AA", "#8CB8E8", "triangle-right"),
    "HR": Style("#997700", "#D6B650", "hourglass"),
    "SMP": Style("#6B4226", "#C69B7B", "circle-open"),
    "PAIR": Style("#CC3311", "#FF8A70", "square-open"),
    "TRIPLE": Style("#00708A", "#4FBCD8", "triangle-up-open"),
}
"""The looks of the schemes that come with the library, by label."""

SPARE_STYLES = (
    Style("#B0413E", "#F08E8B", "star"),
    Style("#2F6F73", "#6FBFC4", "hexagon"),
    Style("#A34D8F", "#DE95CC", "cross"),
    Style("#5C5C00", "#BDBD55", "pentagon"),
    Style("#4B5BA8", "#9AA8EE", "bowtie"),
    Style("#8C5A2B", "#D6A26E", "star-square"),
)
"""The looks of all other schemes, in the order in which they are listed."""

NIGHT = look.NIGHT | {s.colour.lower(): s.night for s in (*SHIPPED.values(), *SPARE_STYLES)}
"""Every named colour's counterpart for dark paper."""


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
