"""How schemes are drawn: a colour, a marker and a dash for each."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Style:
    """Say how a scheme is drawn everywhere: colour, marker and dash, as plotly names them."""

    colour: str
    marker: str
    dash: str = "solid"


SPARE_STYLES = (
    Style("#B0413E", "star"),
    Style("#2F6F73", "hexagon"),
    Style("#A34D8F", "cross"),
    Style("#5C5C00", "pentagon"),
    Style("#4B5BA8", "bowtie"),
    Style("#8C5A2B", "star-square"),
)
"""Styles for schemes that bring none of their own, in the order in which they are given out."""
