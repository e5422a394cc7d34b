"""What can be mined from noise: errors by itemset length, and the itemsets lost and invented."""

from __future__ import annotations

from dataclasses import dataclass

import ipywidgets as widgets
import numpy as np
import pandas as pd
import plotly.graph_objects as go

from frapp_lab import figures
from frapp_lab.experiments import run_trials, summarise
from frapp_lab.explorers import parts, simulation
from frapp_lab.explorers.base import Explorer
from frapp_lab.explorers.parts import Control
from frapp_lab.figures import rounded
from frapp_lab.mechanisms.base import schemes
from frapp_lab.mining import ERRORS, MiningRun

PANELS = {"support_error": 1, "false_negatives": 2, "false_positives": 3}
DRAWS = 50
SHOWN = 10
TICKS = [f"{digit}{'0' * zeros}" for zeros in range(7) for digit in (1, 2, 5)]
SUPPORTS = {"type": "log", "tickvals": [float(tick) for tick in TICKS], "ticktext": TICKS}
"""A log axis of percents."""


@dataclass(frozen=True)
class Parameters:
    """What the controls say."""

    data: simulation.Data
    gamma: float
    alpha_share: float
    min_support: float
    schemes: tuple[str, ...]
    prune: bool
    seed: int


@dataclass(frozen=True)
class Result:
    """One run of each scheme, or why it cannot be had; and the intervals, if asked for."""

    parameters: Parameters
    name: str
    runs: dict[str, MiningRun | str]
    intervals: pd.DataFrame | None


class Mining(Explorer):
    """Support error, σ⁻ and σ⁺ by length for the schemes chosen (FRAPP §6 and §7)."""

    def __init__(self) -> None:
        self._intervals: tuple[Parameters, pd.DataFrame] | None = None
        self._bar = widgets.IntProgress(min=0, layout={"width": "97%", "visibility": "hidden"})
        super().__init__()

    def groups(self) -> list[tuple[str, list[Control]]]:
        """Privacy, data, schemes, draw."""
        support = parts.slider(
            "min_support", "minimum support (%)", 2.0, 0.5, 20.0, 0.5,
            "an itemset is frequent if at least this share of the records has it",
        )  # fmt: skip
        prune = parts.switch(
            "prune", "prune: lose the supersets too", True,
            "Apriori looks at an itemset only if all its subsets were found",
        )  # fmt: skip
        button = widgets.Button(
            description=f"Add the intervals of {DRAWS} draws", layout={"width": "97%"},
            tooltip="mine so many times and show where 90 % of the errors lie",
        )  # fmt: skip
        button.on_click(lambda _: self.add_intervals())
        draw = parts.seed()
        draw.view = widgets.VBox([draw.view, button, self._bar])
        draw.extras["intervals"] = button
        return [
            ("Privacy", [parts.gamma(), parts.alpha()]),
            ("Data", [*simulation.data_controls(), support]),
            ("Schemes", parts.schemes(schemes(paper=True))),
            ("Apriori", [prune]),
            ("Draw", [draw]),
        ]

    @staticmethod
    def legend() -> str:
        """The schemes' colours and markers."""
        return figures.scheme_legend(schemes())

    def parameters(self) -> tuple[Parameters, pd.DataFrame | None]:
        """What the controls say, and the intervals if they were made for just this."""
        p = Parameters(
            simulation.chosen_data(self.value),
            self.value("gamma"),
            self.value("alpha"),
            self.value("min_support") / 100,
            tuple(name for name in schemes() if self.value(name)),
            self.value("prune"),
            self.value("seed"),
        )
        known = self._intervals is not None and self._intervals[0] == p
        return p, self._intervals[1] if known else None

    def add_intervals(self) -> None:
        """Mine fifty times more, with a progress bar, and show the 5–95 % intervals."""
        p, _ = self.parameters()

        def progress(done: int, total: int) -> None:
            self._bar.max, self._bar.value = total, done

        self._bar.value, self._bar.layout.visibility = 0, "visible"
        try:
            self._intervals = (p, intervals(p, progress))
        except ValueError:  # the summary says what is wrong with the setting
            self._intervals = None
        finally:
            self._bar.layout.visibility = "hidden"
        self.update()

    @staticmethod
    def compute(parameters: tuple[Parameters, pd.DataFrame | None]) -> Result:
        """One run of each scheme on the stored random numbers."""
        p, known = parameters

        def run(scheme: str) -> MiningRun | str:
            try:
                return simulation.simulate(
                    p.data, scheme, p.gamma, p.alpha_share, p.min_support, p.seed, p.prune
                )
            except ValueError as error:
                return str(error)

        return Result(p, p.data.load().name, simulation.for_schemes(p.schemes, run), known)

    @staticmethod
    def skeleton() -> go.Figure:
        """Three panels of errors above, lost and invented itemsets below."""
        figure = figures.panels(
            2, 6, None, height=580,
            specs=[[{"colspan": 2}, None, {"colspan": 2}, None, {"colspan": 2}, None],
                   [{"colspan": 3}, None, None, {"colspan": 3}, None, None]],
            horizontal_spacing=0.13, vertical_spacing=0.16,
        )  # fmt: skip
        figure.update_layout(margin={"t": 16}, showlegend=False)
        for scheme in schemes():
            colour = figures.scheme_class(scheme).style.colour
            for error, panel in PANELS.items():
                band = figures.line(f"band {error} {scheme}", scheme, colour, fill="toself")
                band.update(line_width=0, opacity=0.25, hoverinfo="skip", legendgroup=scheme)
                figure.add_trace(band, 1, 2 * panel - 1)
                line = figures.scheme_line(scheme, f"{error} {scheme}")
                figure.add_trace(line, 1, 2 * panel - 1)
            for name, column in (("lost", 1), ("invented", 4)):
                dots = figures.scheme_line(scheme, f"{name} {scheme}")
                dots.update(mode="markers", marker_size=6, opacity=0.6)
                dots.update(hovertemplate="%{text}<br>%{x} %<extra>" + scheme + "</extra>")
                figure.add_trace(dots, 2, column)
        figure.update_yaxes(**figures.LOG_AXIS, title_text="support error (%)", row=1, col=1)
        figure.update_yaxes(range=[-3, 103], dtick=50, title_text="lost, σ⁻ (%)", row=1, col=3)
        figure.update_yaxes(rangemode="tozero", title_text="invented, σ⁺ (%)", row=1, col=5)
        figure.update_yaxes(title_text="itemset length", dtick=1, row=2)
        figure.update_xaxes(title_text="itemset length", dtick=1, row=1)
        for column, what in ((1, "true support of the largest lost (%)"),
                             (4, "estimate of the largest invented (%)")):  # fmt: skip
            figure.update_xaxes(title_text=what, **SUPPORTS, row=2, col=column)
        return figure

    @staticmethod
    def series(result: Result) -> dict[str, dict[str, object]]:
        """The data of all traces."""
        series = {}
        for place, (scheme, run) in enumerate(result.runs.items()):
            if isinstance(run, str):
                continue
            table = run.error_array()
            lengths = list(range(1, len(table) + 1))
            for error in PANELS:
                values = rounded(table[:, ERRORS.index(error)])
                series[f"{error} {scheme}"] = {"x": lengths, "y": values}
                if result.intervals is not None:
                    series[f"band {error} {scheme}"] = _band(result.intervals, scheme, error)
            for name in ("lost", "invented"):
                changed = run.changed(name)
                largest = changed.largest(SHOWN)
                # Schemes lie side by side, not on top of each other.
                aside = 0.14 * (place - (len(result.runs) - 1) / 2)
                series[f"{name} {scheme}"] = {
                    "x": rounded(100 * changed.support[largest]),
                    "y": rounded(changed.length[largest] + aside),
                    "text": [", ".join(sorted(items)) for items in changed.names(largest)],
                }
        return series

    @staticmethod
    def describe(result: Result) -> str:
        """What was found, lost and invented."""
        p = result.parameters
        text = [
            f"{result.name} at γ = {p.gamma:.4g} and {100 * p.min_support:g} % minimum support, "
            + ("with" if p.prune else "without")
            + " pruning."
        ]
        for scheme, run in result.runs.items():
            if isinstance(run, str):
                text.append(f"{scheme} cannot be had here: {run}.")
                continue
            n_true, kept = int(run.frequent.sum()), int((run.found & run.frequent).sum())
            text.append(
                f"{scheme} finds {kept} of {n_true} frequent itemsets, loses {n_true - kept} and "
                f"invents {int(run.found.sum()) - kept}{_longest(run)}."
            )
        if not result.runs:
            text.append("No scheme is switched on.")
        if p.gamma < 1.5:
            text.append("So close to γ = 1 a report says almost nothing, and so do the estimates.")
        if result.intervals is not None:
            text.append(f"The bands hold the middle 90 % of {DRAWS} draws.")
        return " ".join(text)


def intervals(p: Parameters, progress: object = None) -> pd.DataFrame:
    """The mean and the 5–95 % interval of each error over fifty draws."""
    tables = []
    for scheme in p.schemes:
        try:
            trials = run_trials(
                p.data.load(), [scheme], [p.gamma], [p.alpha_share], [p.min_support], DRAWS,
                p.seed, p.prune,
                lambda done, total, s=scheme: progress and progress(
                    p.schemes.index(s) * total + done, len(p.schemes) * total
                ),
            )  # fmt: skip
        except ValueError:  # a scheme that cannot be had here
            continue
        tables.append(summarise(trials))
    if not tables:
        raise ValueError("none of the chosen schemes can be had at this setting")
    return pd.concat(tables, ignore_index=True)


def _band(table: pd.DataFrame, scheme: str, error: str) -> dict[str, object]:
    """The outline of an interval: along its low edge and back along its high one."""
    here = table[(table["scheme"] == scheme) & (table["error"] == error)].dropna(subset=["low"])
    x = here["length"].tolist()
    floor = 0.1 if error == "support_error" else 0.0  # a log axis has no zero
    low, high = (np.maximum(here[c], floor) for c in ("low", "high"))
    return {"x": x + x[::-1], "y": rounded(low) + rounded(high)[::-1]}


def _longest(run: MiningRun) -> str:
    hits = np.nonzero(run.found & run.frequent)
    if not len(hits[0]):
        return ""
    sizes = np.array(run.schema.sizes)[:, None]
    longest = int((np.array(hits) < sizes).sum(axis=0).max())
    return f"; the longest right one has {longest} item{'s' if longest > 1 else ''}"
