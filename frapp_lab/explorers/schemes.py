"""What explorers of several schemes share: which there are to choose from, and how they look."""

from __future__ import annotations

import copy
from collections.abc import Sequence

import plotly.graph_objects as go

from frapp_lab import figures
from frapp_lab.explorers.base import Explorer
from frapp_lab.mechanisms import base

GLYPHS = dict(zip([style.marker for style in base.SPARE_STYLES], "★⬢✚⬟⧓✦", strict=True))


class SchemeExplorer(Explorer):
    """An explorer of the registered schemes and of mechanisms of one's own.

    Without `schemes` those of the paper are switched on; with it those that are named there, by
    label or as mechanisms.
    """

    def __init__(self, schemes: Sequence[str | base.Mechanism] | None = None) -> None:
        self.choices: dict[str, str | base.Mechanism] = {s: s for s in base.schemes()}
        self._styles = {label: base.scheme_class(label).style for label in self.choices}
        self.chosen = tuple(map(self._choose, self._first() if schemes is None else schemes))
        super().__init__()

    def _first(self) -> Sequence[str]:
        return base.schemes(paper=True)

    def _choose(self, scheme: str | base.Mechanism) -> str:
        """The label under which a scheme stands among the choices; a mechanism joins them."""
        if isinstance(scheme, str):
            return base.scheme_class(scheme).label
        label, number = scheme.label, 1
        while label in self.choices:
            number += 1
            label = f"{scheme.label} ({number})"
        if label != scheme.label:
            scheme = copy.copy(scheme)
            scheme.label = label
        used = set(self._styles.values())
        free = [style for style in (scheme.style, *base.SPARE_STYLES) if style not in used]
        self.choices[label], self._styles[label] = scheme, (free or base.SPARE_STYLES)[0]
        return label

    def line(self, label: str, name: str, **options) -> go.Scatter:
        """An empty line in the colour and with the marker of a scheme."""
        style = self._styles[label]
        look = {"color": style.colour, "symbol": style.marker, "size": 9}
        look["line"] = {"width": 2, "color": style.colour}
        options = {"mode": "lines+markers", "cliponaxis": False, "legendgroup": label, **options}
        trace = figures.line(name, label, style.colour, marker=look, **options)
        return trace.update(line_dash=style.dash)

    def colour(self, label: str) -> str:
        """The colour of a scheme."""
        return self._styles[label].colour

    def legend(self) -> str:
        """The schemes' colours and markers."""
        own = [label for label, scheme in self.choices.items() if not isinstance(scheme, str)]
        legend = figures.scheme_legend(label for label in self.choices if label not in own)
        entries = [
            f'<span style="color:{self.colour(label)}; white-space:nowrap; margin-right:14px">'
            f'{GLYPHS.get(self._styles[label].marker, "●")} <span style="color:#222">{label}</span>'
            "</span>"
            for label in own
        ]
        return legend.removesuffix("</div>") + "".join(entries) + "</div>"
