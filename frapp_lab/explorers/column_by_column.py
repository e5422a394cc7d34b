"""One record, perturbed column by column (FRAPP §5)."""

from __future__ import annotations

import functools
from typing import Any

import plotly.graph_objects as go

from frapp_lab import figures
from frapp_lab.explorers import controls
from frapp_lab.explorers.base import Explorer
from frapp_lab.figures import rounded
from frapp_lab.models import column_by_column as model
from frapp_lab.models.column_by_column import CENSUS, Result, Step

N_BOOLEAN = 31
GROUPS = ["this<br>one", "mean", f"{N_BOOLEAN}<br>bits"]


def _skeleton() -> go.Figure:
    figure = figures.panels(
        1, 2,
        ["chance of each value: above, if all<br>before matched; below, if not",
         "values looked at"],
        height=580, column_widths=[0.64, 0.36], horizontal_spacing=0.14,
    )  # fmt: skip
    for name, label, colour in (
        ("own", "own value", figures.ORANGE),
        ("other", "another value", figures.SKY),
        ("uniform", "after a mismatch", "#C4C4C4"),
    ):
        figure.add_trace(_segments(name, label, colour, 1.0), 1, 1)
        figure.add_trace(_segments(f"{name} unused", label, colour, 0.3), 1, 1)
    for name, label, colour, symbol in (
        ("kept", "kept", figures.GREEN, "circle"),
        ("changed", "changed", figures.VERMILION, "x"),
    ):
        marker = {"size": 11, "color": colour, "symbol": symbol}
        marker["line"] = {"width": 1.5, "color": "white"}
        points = figures.line(name, label, colour, True, mode="markers", marker=marker)
        points.hovertemplate = "u = %{x:.3f}<br>%{text}<extra></extra>"
        figure.add_trace(points, 1, 1)
    for name, label, colour in (
        ("columns", "by columns", figures.BLUE),
        ("scan", "scan", figures.PINK),
    ):
        bar = go.Bar(
            x=[], y=[], meta=name, name=label, marker_color=colour, textposition="outside",
            textfont_size=9, constraintext="none", cliponaxis=False,
        )  # fmt: skip
        figure.add_trace(bar, 1, 2)
    figure.update_layout(margin_t=126, legend_font_size=11, bargap=0.2)
    figure.update_xaxes(title_font_size=12, tickangle=0, tickfont_size=11)
    figure.update_yaxes(title_font_size=12, tickfont_size=11)
    figure.update_yaxes(automargin=True, row=1, col=1)  # its labels are long
    figure.update_xaxes(
        title_text="probability; a marker stands at u", range=[-0.01, 1.01], row=1, col=1
    )
    figure.update_yaxes(range=[5.6, -0.6], showgrid=False, row=1, col=1)
    figure.update_yaxes(
        **figures.LOG_AXIS | {"dtick": 2, "tickfont": {"size": 9}}, range=[0, 10], row=1, col=2
    )
    return figure


def _series(result: Result) -> dict[str, dict[str, object]]:
    # All are named, also empty ones, so that the legend stays the same.
    series: dict[str, dict[str, Any]] = {
        name: {"x": [], "y": [], "text": []} for name in ("kept", "changed")
    }
    for kind in ("own", "other", "uniform"):
        for name in (kind, f"{kind} unused"):
            series[name] = {"x": [], "y": [], "base": [], "text": []}
    for j, step in enumerate(result.steps):
        rows = (j - 0.2, step.matching, step.before), (j + 0.2, step.uniform, not step.before)
        for y, chances, used in rows:
            starts = chances.cumsum() - chances
            for code, name in enumerate(step.categories):
                kind = "uniform" if y > j else "own" if code == step.own else "other"
                part = series[kind if used else f"{kind} unused"]
                part["x"] += rounded([chances[code]])
                part["base"] += rounded([starts[code]])
                part["y"].append(y)
                part["text"].append(f"{step.name}: {name}")
        part = series["kept" if step.matched else "changed"]
        part["x"] += rounded([step.u])
        part["y"].append(j - 0.2 if step.before else j + 0.2)
        part["text"].append(f"{step.name}: reported {step.categories[step.reported]}")
    columns = [result.by_columns, result.mean_columns, N_BOOLEAN]
    scan = [result.by_scan, result.mean_scan, 2 ** (N_BOOLEAN - 1)]
    labels = [f"{v:,g}" for v in scan[:2]] + [f"2<sup>{N_BOOLEAN - 1}</sup>"]
    series["columns"] = {"x": GROUPS, "y": columns, "text": [f"{v:g}" for v in columns]}
    series["scan"] = {"x": GROUPS, "y": scan, "text": labels}
    return series


def _layout(result: Result) -> dict[str, object]:
    labels = [
        f"<b>{step.name}</b><br>{step.categories[step.own]}<br>"
        + ("kept" if step.matched else f"→ {step.categories[step.reported]}")
        for step in result.steps
    ]
    return {"yaxis_tickvals": list(range(len(labels))), "yaxis_ticktext": labels}


def _describe(result: Result) -> str:
    text = [f"At γ = {result.parameters.gamma:.4g}, column by column:"]
    for step in result.steps:
        text += _sentences(step)
    if all(step.matched for step in result.steps):
        text.append("No column was changed: the record is sent as it is.")
    if result.parameters.gamma < 1.5:
        text.append(
            "So close to γ = 1 even a matching column is nearly uniform: the report says "
            "almost nothing about the record."
        )
    text.append(
        f"All six columns stay the same with probability γx = {100 * result.unchanged:.2g} %, "
        "the product of the six probabilities of keeping. Column by column this report took "
        f"{result.by_columns} steps; a scan of all {result.n_cells:,} cells would have taken "
        f"{result.by_scan:,} to reach it. By the paper's count it is on average "
        f"{result.mean_columns:g} (half the sum of the domain sizes) against "
        f"{result.mean_scan:,g} (half their "
        f"product). With {N_BOOLEAN} yes/no columns it would be {N_BOOLEAN} against "
        f"2 to the power {N_BOOLEAN - 1}, about {2 ** (N_BOOLEAN - 1) / 1e9:.1f} billion."
    )
    return " ".join(text)


def _segments(name: str, label: str, colour: str, opacity: float) -> go.Bar:
    """Empty horizontal segments; each gets a start of its own, so that one trace holds many."""
    return go.Bar(
        x=[], y=[], meta=name, name=label, orientation="h", width=0.36, offset=-0.18,
        marker={"color": colour, "line": {"color": "white", "width": 1.5}}, opacity=opacity,
        textposition="none", legendgroup=label, showlegend=opacity == 1,
        hovertemplate="%{text}<br>probability %{x:.3f}<extra></extra>",
    )  # fmt: skip


def _sentences(step: Step) -> list[str]:
    name, reported = f"{step.name} {step.categories[step.own]}", step.categories[step.reported]
    if not step.before:
        luck = " by chance" if step.matched else ""
        return [f"{name}: uniform, u = {step.u:.2f}, reported {reported}{luck}."]
    start = f"{name}: kept with probability {step.keep:.2f}, u = {step.u:.2f}, "
    if step.matched:
        return [f"{start}reported {reported}: a match."]
    return [f"{start}reported {reported}: a mismatch.", "From here every column is uniform."]


class ColumnByColumn(Explorer):
    """A record, γ and a seed: what every column reports and how many steps that takes."""

    model = model
    skeleton, series = staticmethod(_skeleton), staticmethod(_series)
    layout, describe = staticmethod(_layout), staticmethod(_describe)

    @functools.cached_property
    def groups(self) -> dict[str, list[controls.Control]]:
        """One list of values for each attribute of CENSUS, γ, and the seed."""
        first = model.Parameters()
        record = tuple(
            controls.Choice(a.name, a.name, tuple((c, code) for code, c in enumerate(a.categories)),
                            value, f"the client's own value of {a.name}")
            for a, value in zip(CENSUS.load().schema.attributes, first.record, strict=True)
        )  # fmt: skip
        return {
            "The client's record": [controls.Several("record", record)],
            "Privacy": [controls.Gamma()],
            "Draw": [controls.Seed(first.seed)],
        }
