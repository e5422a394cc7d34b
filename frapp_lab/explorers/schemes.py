"""What explorers of several schemes share: which there are to choose from, and how they look."""

from __future__ import annotations

import copy
import math
from collections.abc import Mapping, Sequence
from typing import Any

import plotly.graph_objects as go

from frapp_lab import figures
from frapp_lab.explorers.controls import Schemes
from frapp_lab.explorers.kit.base import Explorer, Settings
from frapp_lab.figures.styles import SPARE_STYLES, style_of
from frapp_lab.mechanisms import registry
from frapp_lab.mechanisms.mechanism import Mechanism

GLYPHS = {"circle": "●", "diamond-open": "◇", "square": "■", "triangle-up": "▲",
          "x-thin-open": "✕", "star": "★", "hexagon": "⬢", "cross": "✚", "pentagon": "⬟",
          "bowtie": "⧓", "star-square": "✦", "triangle-down": "▼", "diamond": "◆",
          "triangle-left": "◀", "triangle-right": "▶", "hourglass": "⧗", "circle-open": "○",
          "square-open": "□", "triangle-up-open": "△"}  # fmt: skip
"""Markers as letters, for the check boxes that are the legend."""


class SchemeExplorer(Explorer):
    """An explorer of the registered schemes and of mechanisms of one's own.

    Without `schemes` those of the paper are switched on; with it those that are named there, by
    label or as mechanisms.
    """

    def __init__(
        self,
        schemes: Sequence[str | Mechanism] | None = None,
        *,
        notice: Mapping[str, Settings] | None = None,
        **settings: object,
    ) -> None:
        self.choices: dict[str, str | Mechanism] = {s: s for s in registry.schemes()}
        self._styles = {label: style_of(label) for label in self.choices}
        self.chosen = tuple(map(self._choose, self._first() if schemes is None else schemes))
        super().__init__(notice=notice, **settings)

    def _first(self) -> Sequence[str]:
        return registry.schemes(paper=True)

    def _choose(self, scheme: str | Mechanism) -> str:
        """The label under which a scheme stands among the choices; a mechanism joins them."""
        if isinstance(scheme, str):
            known = registry.scheme_class(scheme)  # a modern one joins when it is asked for
            self.choices.setdefault(known.label, known.label)
            self._styles.setdefault(known.label, style_of(known.label))
            return known.label
        label, number = scheme.label, 1
        while label in self.choices:
            number += 1
            label = f"{scheme.label} ({number})"
        if label != scheme.label:
            scheme = copy.copy(scheme)
            scheme.label = label
        used = set(self._styles.values())
        free = [style for style in (style_of(scheme.label), *SPARE_STYLES) if style not in used]
        self.choices[label], self._styles[label] = scheme, (free or SPARE_STYLES)[0]
        return label

    @property
    def switches(self) -> Schemes:
        """A check box for each scheme, with its marker in its colour: they are the legend."""
        marks = {
            label: f'<span style="color:{s.colour}" aria-hidden="true">'
            f"{GLYPHS.get(s.marker, '●')}</span>"
            for label, s in self._styles.items()
        }
        return Schemes(self.choices, self.chosen, marks)

    def chips(self, result: Any) -> dict[str, str]:
        """The legend, in which a scheme that cannot be had here says so."""
        missing = {s: (f.short, f.problem) for s, f in result.schemes.items()}
        switches = self.switches
        return {label: switches.chip(label, *missing.get(label, ())) for label in self.choices}

    def line(self, label: str, name: str, **options) -> go.Scatter:
        """An empty line in the colour and with the marker of a scheme."""
        style = self._styles[label]
        look = {"color": style.colour, "symbol": style.marker, "size": 9}
        look["line"] = {"width": 2, "color": style.colour}
        options = {"mode": "lines+markers", "cliponaxis": False, **options}
        trace = figures.line(name, label, style.colour, marker=look, **options)
        return trace.update(line_dash=style.dash)

    def band_line(self, label: str, name: str) -> go.Scatter:
        """An empty area in the colour of a scheme, for the band behind its line."""
        red, green, blue = (int(self.colour(label)[i : i + 2], 16) for i in (1, 3, 5))
        trace = figures.line(name, label, self.colour(label), fill="toself", hoverinfo="skip")
        return trace.update(line_width=0, fillcolor=f"rgba({red}, {green}, {blue}, 0.16)")

    def colour(self, label: str) -> str:
        """The colour of a scheme."""
        return self._styles[label].colour

    def end_labels(
        self, ends: Mapping[str, tuple[float, float]], axes: str, top: float
    ) -> list[dict[str, object]]:
        """Schemes' names at the last points of their lines on a log axis, up to `top`.

        Schemes that end at the same point share a label, in the colour of the first.
        """
        shared: dict[tuple[float, float], list[str]] = {}
        for label, (x, y) in ends.items():
            shared.setdefault((x, min(top, round(math.log10(y), 2))), []).append(label)
        return [
            figures.label(figures.plain(" = ".join(labels)), x, y, self.colour(labels[0]), axes,
                          xanchor="right", yshift=11, xshift=4)
            for (x, y), labels in shared.items()
        ]  # fmt: skip
