"""A card as plain data: what an explorer shows at one setting. No plotly, no widgets."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from frapp_lab.figures import marks
from frapp_lab.figures.marks import Mark, Panel, Picture


@dataclass(frozen=True)
class Number:
    """One of the three bold numbers: `269`, `of 563`, `itemsets found`."""

    value: str
    label: str
    rest: str = ""


@dataclass(frozen=True)
class Card:
    """The finding in a sentence, three numbers, panels side by side, and the same in words."""

    headline: str
    numbers: Sequence[Number]
    panels: Sequence[Panel]
    words: str
    lines: Mapping[str, str] = field(default_factory=dict)
    """What values mean, for the lines under controls, by the control's name."""
    limits: Mapping[str, float] = field(default_factory=dict)
    """Values to be marked on sliders, by the control's name."""
    chips: Mapping[str, str] = field(default_factory=dict)
    """What stands on check boxes that are chips, as HTML, by the control's name."""
    columns: bool = False
    """Whether each number stands right above the panel of its place, with the panel's title."""
    numbers_of: Mapping[str, Sequence[Number]] = field(default_factory=dict)
    """The numbers while one group of marks is looked at, by its name (`legendgroup`)."""
    height: int = 380
    gap: float | None = None
    """The space between two panels, as a share of the width."""
    layout: Mapping[str, Any] = field(default_factory=dict)
    """Anything else of plotly's layout: shapes, the gap between bars."""
    stage: Mapping[str, Any] = field(default_factory=dict)
    """What a script of the explorer's own draws in place of the panels; `name` says which."""


ON_CARD = {"margin": {"l": 46, "r": 10, "t": 30, "b": 44}, "showlegend": False}
STILL = {"tickfont": {"size": 11}, "type": "linear", "fixedrange": True}
STILL |= {"title": {"font": {"size": 12}}}
"""Every axis of a card has a type and a range, so that it stands still."""

TITLE: Mark = {
    "text": "<b>{}</b>",
    "font": {"size": 12},
    "showarrow": False,
    "x": 0,
    "xanchor": "left",
    "y": 1.0,
    "yanchor": "bottom",
    "yshift": 8,
}


def picture(card: Card) -> Picture:
    """Put a card's panels side by side; where numbers stand above them, they bring the titles."""
    layout = ON_CARD | {"height": card.height} | dict(card.layout)
    gap = 0.24 / len(card.panels) if card.gap is None else card.gap
    panels = [replace(panel, title="") for panel in card.panels] if card.columns else card.panels
    return marks.picture(panels, layout, STILL, TITLE, gap)
