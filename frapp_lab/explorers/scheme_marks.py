"""Marks of schemes, each in its colour, with its marker and dash, wherever it is drawn."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping
from typing import Any

from frapp_lab.explorers.controls import Schemes
from frapp_lab.figures.look import plain
from frapp_lab.figures.marks import Mark, band, joined_dots, note


def scheme_line(
    legend: Schemes, label: str, name: str, x: Iterable, y: Iterable, **look: Any
) -> Mark:
    """Draw a scheme's line on a card, with its markers, as the legend has them."""
    style = legend.styles[label]
    stroke = {"dash": style.dash, "edge": 2} | look
    return joined_dots(name, x, y, style.colour, style.marker, says=label, **stroke)


def scheme_band(
    legend: Schemes, label: str, name: str, x: Iterable, low: Iterable, high: Iterable
) -> Mark:
    """Fill the band of many draws behind a scheme's line."""
    return band(name, x, low, high, legend.colour(label), label)


def end_notes(legend: Schemes, ends: Mapping[str, tuple[float, float]], top: float) -> list[Mark]:
    """Mark the last points of schemes' lines with their names, on a log axis up to `top`.

    Schemes that end at the same point share a note, in the colour of the first.
    """
    shared: dict[tuple[float, float], list[str]] = {}
    for label, (x, y) in ends.items():
        shared.setdefault((x, min(top, round(math.log10(y), 2))), []).append(label)
    look: dict[str, Any] = {"xanchor": "right", "yshift": 11, "xshift": 4}
    return [
        note(plain(" = ".join(labels)), x, y, legend.colour(labels[0]), **look)
        for (x, y), labels in shared.items()
    ]
