"""Marks of schemes, each in its colour, with its marker and dash, wherever it is drawn."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from frapp_lab.explorers.controls import Schemes
from frapp_lab.figures.look import plain
from frapp_lab.figures.marks import Mark, band, joined_dots, label


def scheme_line(
    legend: Schemes, label: str, name: str, x: Iterable, y: Iterable, **look: Any
) -> Mark:
    """Draw a scheme's line on a card, with its markers, as the legend has them."""
    style = legend.styles[label]
    stroke = {"dash": style.dash, "edge": 2, "legendgroup": label} | look
    return joined_dots(name, x, y, style.colour, style.marker, says=label, **stroke)


def scheme_band(
    legend: Schemes, label: str, name: str, x: Iterable, low: Iterable, high: Iterable
) -> Mark:
    """Fill the band of many draws behind a scheme's line."""
    return band(name, x, low, high, legend.colour(label), label, legendgroup=label)


def scheme_labels(lines: Mapping[str, Mark]) -> list[Mark]:
    """Name schemes' lines, each in its colour; lines that are the same share a label."""
    shared: dict[str, list[str]] = {}
    for name, mark in lines.items():
        shared.setdefault(repr(mark["y"]), []).append(name)
    return [
        label(f"<b>{plain(' = '.join(names))}</b>", lines[names[0]])
        for names in shared.values()
        if lines[names[0]]["x"]
    ]
