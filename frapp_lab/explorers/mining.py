"""What can be mined from noise: errors by itemset length, and the itemsets lost and invented."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import numpy as np
import pandas as pd
import plotly.graph_objects as go

from frapp_lab import figures
from frapp_lab.explorers import controls
from frapp_lab.explorers.playground import MIN_SUPPORT
from frapp_lab.explorers.schemes import SchemeExplorer
from frapp_lab.figures import rounded
from frapp_lab.mining import ERRORS
from frapp_lab.models import mining as model
from frapp_lab.models.mining import DRAWS, Parameters, Result, SchemeResult

PANELS = {"support_error": 1, "false_negatives": 2, "false_positives": 3}
SHOWN = 10
TICKS = [f"{digit}{'0' * zeros}" for zeros in range(7) for digit in (1, 2, 5)]
SUPPORTS = {"type": "log", "tickvals": [float(tick) for tick in TICKS], "ticktext": TICKS}
"""A log axis of percents."""


class Mining(SchemeExplorer):
    """Support error, σ⁻ and σ⁺ by length for the schemes chosen (FRAPP §6 and §7)."""

    model = model
    _intervals: tuple[Parameters, pd.DataFrame] | None = None

    @property
    def groups(self) -> dict[str, list[controls.Control]]:
        """Privacy, data, schemes, Apriori and luck, each under its heading."""
        return {
            "Privacy": [controls.Gamma(), controls.ALPHA],
            "Data": [controls.DataSet(), MIN_SUPPORT],
            "Schemes": [controls.Schemes(self.choices, self.chosen)],
            "Apriori": [
                controls.Switch("prune", "prune: lose the supersets too", True,
                                "Apriori looks at an itemset only if all its subsets were found")
            ],
            "Draw": [
                controls.Seed(),
                controls.Button("intervals", f"Add the intervals of {DRAWS} draws",
                                "mine so many times and show where 90 % of the errors lie"),
            ],
        }  # fmt: skip

    def intervals(self, progress: Callable[[int, int], None] | None = None) -> None:
        """Mine fifty times more, and show the 5–95 % intervals as long as the setting stays."""
        p = self.parameters()
        try:
            self._intervals = (p, model.intervals(p, progress))
        except ValueError:  # the summary says what is wrong with the setting
            self._intervals = None
        self.update()

    def compute(self, parameters: Parameters) -> Result:
        """The model's result, with the intervals if they were made for just this setting."""
        result = model.compute(parameters)
        setting, intervals = self._intervals or (None, None)
        return replace(result, intervals=intervals) if setting == parameters else result

    def skeleton(self) -> go.Figure:
        """Three panels of errors above, lost and invented itemsets below."""
        figure = figures.panels(
            2, 6, None, height=580,
            specs=[[{"colspan": 2}, None, {"colspan": 2}, None, {"colspan": 2}, None],
                   [{"colspan": 3}, None, None, {"colspan": 3}, None, None]],
            horizontal_spacing=0.13, vertical_spacing=0.16,
        )  # fmt: skip
        figure.update_layout(margin={"t": 16}, showlegend=False)
        for scheme in self.choices:
            for error, panel in PANELS.items():
                band = figures.line(
                    f"band {error} {scheme}", scheme, self.colour(scheme), fill="toself"
                )
                band.update(line_width=0, opacity=0.25, hoverinfo="skip", legendgroup=scheme)
                figure.add_trace(band, 1, 2 * panel - 1)
                figure.add_trace(self.line(scheme, f"{error} {scheme}"), 1, 2 * panel - 1)
            for name, column in (("lost", 1), ("invented", 4)):
                dots = self.line(scheme, f"{name} {scheme}", mode="markers", text=[])
                dots.update(hovertemplate="%{text}<br>%{x} %<extra>" + scheme + "</extra>")
                figure.add_trace(dots.update(marker_size=6, opacity=0.6), 2, column)
        figure.update_yaxes(**figures.LOG_AXIS, title_text="support error (%)", row=1, col=1)
        figure.update_yaxes(range=[-3, 103], dtick=50, title_text="lost, σ⁻ (%)", row=1, col=3)
        figure.update_yaxes(rangemode="tozero", title_text="invented, σ⁺ (%)", row=1, col=5)
        figure.update_yaxes(title_text="itemset length", dtick=1, row=2)
        figure.update_xaxes(title_text="itemset length", dtick=1, row=1)
        for column, what in ((1, "true support of the largest lost (%)"),
                             (4, "estimate of the largest invented (%)")):  # fmt: skip
            figure.update_xaxes(title_text=what, **SUPPORTS, row=2, col=column)
        return figure

    def series(self, result: Result) -> dict[str, dict[str, object]]:
        """Errors by length, and the ten largest of the itemsets that changed."""
        series: dict[str, dict[str, object]] = {}
        for place, (scheme, found) in enumerate(result.schemes.items()):
            if found.run is None or found.errors is None:
                continue
            lengths = list(range(1, len(found.errors) + 1))
            for error in PANELS:
                values = rounded(found.errors[:, ERRORS.index(error)])
                series[f"{error} {scheme}"] = {"x": lengths, "y": values}
                if result.intervals is not None:
                    series[f"band {error} {scheme}"] = _band(result.intervals, scheme, error)
            for name in ("lost", "invented"):
                changed = found.run.changed(name)
                largest = changed.largest(SHOWN)
                # Schemes lie side by side, not on top of each other.
                aside = 0.14 * (place - (len(result.schemes) - 1) / 2)
                series[f"{name} {scheme}"] = {
                    "x": rounded(100 * changed.support[largest]),
                    "y": rounded(changed.length[largest] + aside),
                    "text": [", ".join(sorted(items)) for items in changed.names(largest)],
                }
        return series

    def describe(self, result: Result) -> str:
        """What each scheme found, lost and invented."""
        p = result.parameters
        pruned = "with" if p.prune else "without"
        text = [
            f"{result.name} at γ = {p.gamma:.4g} and {100 * p.min_support:g} % minimum support, "
            f"{pruned} pruning."
        ]
        text += [_sentence(scheme, found) for scheme, found in result.schemes.items()]
        if not p.schemes:
            text.append("No scheme is switched on.")
        if p.gamma < 1.5:
            text.append("So close to γ = 1 a report says almost nothing, and so do the estimates.")
        if result.intervals is not None:
            text.append(f"The bands hold the middle 90 % of {DRAWS} draws.")
        return " ".join(text)


def _sentence(scheme: str, found: SchemeResult) -> str:
    if found.problem:
        return f"{scheme} cannot be had here: {found.problem}."
    longest = f"; the longest right one has {found.longest} item" if found.longest else ""
    return (
        f"{scheme} finds {found.n_kept} of {found.n_true} frequent itemsets, loses "
        f"{found.n_true - found.n_kept} and invents {found.n_invented}{longest}"
        f"{'s' if found.longest > 1 else ''}."
    )


def _band(table: pd.DataFrame, scheme: str, error: str) -> dict[str, object]:
    """The outline of an interval: along its low edge and back along its high one."""
    here = table[(table["scheme"] == scheme) & (table["error"] == error)].dropna(subset=["low"])
    x = here["length"].tolist()
    floor = 0.1 if error == "support_error" else 0.0  # a log axis has no zero
    low, high = (np.maximum(here[c], floor) for c in ("low", "high"))
    return {"x": x + x[::-1], "y": rounded(low) + rounded(high)[::-1]}
