"""From reports back to the data: X, Y and X̂, Theorem 1, and what mends the estimate."""

from __future__ import annotations

from collections.abc import Iterable
from typing import ClassVar

import numpy as np
import plotly.graph_objects as go

from frapp_lab import figures
from frapp_lab.explorers import controls
from frapp_lab.explorers.base import Explorer
from frapp_lab.figures import rounded
from frapp_lab.models import reconstruction as model
from frapp_lab.models.reconstruction import EM_STEPS, MOST_PEOPLE, REPAIRS, SHAPES, Result

SHORT = dict(zip(REPAIRS, ("none", "clip", "projection", "EM"), strict=True))
PALE = "#D0D0D0"
STAGES = ("reports Y", "estimate X̂", "its bound")


def _skeleton() -> go.Figure:
    titles = ["the data X, the reports Y and the estimate X̂ for each value",
              "Theorem 1: errors and bound", "error after each repair"]  # fmt: skip
    figure = figures.panels(
        2, 2, titles, height=600, specs=[[{"colspan": 2}, None], [{}, {}]],
        row_heights=[0.58, 0.42], horizontal_spacing=0.16, vertical_spacing=0.19,
    )  # fmt: skip
    figure.add_trace(go.Bar(x=[], y=[], name="data X", meta="X", marker_color=PALE), 1, 1)
    sd = figures.line("deviation", "X̂ ± 1 sd", figures.SKY, True, hoverinfo="skip")
    figure.add_trace(sd, 1, 1)
    for name, label, colour, symbol in (
        ("Y", "reports Y", figures.ORANGE, "line-ew-open"),
        ("above", "estimate X̂", figures.BLUE, "circle"),
        ("below", "X̂ below zero", figures.VERMILION, "circle"),
        ("mended", "X̂ after repair", figures.GREEN, "diamond-open"),
    ):
        dots = figures.line(name, label, colour, True, mode="markers")
        dots.marker = {"symbol": symbol, "size": 7, "color": colour}
        dots.marker.line = {"width": 2, "color": colour}
        figure.add_trace(dots, 1, 1)
    look = {"texttemplate": "%{y:,.3~r}", "textposition": "outside", "cliponaxis": False}
    theorem = [figures.ORANGE, figures.BLUE, figures.SKY], 1
    for name, (colours, column) in {
        "theorem": theorem, "chosen": (figures.GREEN, 2), "others": (PALE, 2)
    }.items():  # fmt: skip
        bars = go.Bar(x=[], y=[], meta=name, name="error", marker_color=colours, **look)
        figure.add_trace(bars.update(showlegend=False), 2, column)
    figure.update_layout(barmode="overlay", bargap=0.2)
    figure.update_xaxes(title_text="value of the attribute", row=1)
    figure.update_yaxes(title_text="people", row=1)
    axes = (("which error", STAGES), ("repair (chosen one in green)", tuple(SHORT.values())))
    for column, (title, order) in enumerate(axes, 1):
        figure.update_xaxes(title_text=title, type="category", categoryorder="array",
                            categoryarray=order, row=2, col=column)  # fmt: skip
    figure.update_xaxes(tickfont_size=11, row=2)
    return figure.update_yaxes(title_text="relative error (%)", row=2)


def _series(result: Result) -> dict[str, dict[str, object]]:
    p, raw, sd = result.parameters, result.estimates["none"], result.deviation
    values = np.arange(1, p.n + 1)
    bars = np.column_stack([raw - sd, raw + sd, np.full(p.n, np.nan)])
    series = {
        "X": {"x": values.tolist(), "y": result.counts.tolist()},
        "Y": {"x": values.tolist(), "y": result.reported.tolist()},
        "deviation": {"x": np.repeat(values, 3).tolist(), "y": rounded(bars.ravel())},
        "theorem": {"x": list(STAGES), "y": _percents(result.stages)},
    }
    for name, here in (("above", raw >= 0), ("below", raw < 0)):
        series[name] = {"x": values[here].tolist(), "y": rounded(raw[here])}
    if p.repair != "none":
        series["mended"] = {"x": values.tolist(), "y": rounded(result.estimates[p.repair])}
    for name, chosen in (("chosen", True), ("others", False)):
        kept = [repair for repair in REPAIRS if (repair == p.repair) == chosen]
        errors = _percents(result.errors[repair] for repair in kept)
        series[name] = {"x": [SHORT[repair] for repair in kept], "y": errors}
    return series


def _layout(result: Result) -> dict[str, object]:
    n = result.parameters.n
    return {
        "xaxis": {"dtick": 1 if n <= 20 else 5, "range": [0.2, n + 0.8]},
        "yaxis2_range": _from_zero(_percents(result.stages)),
        "yaxis3_range": _from_zero(_percents(result.errors.values())),
    }


def _note(result: Result) -> str:
    return f"{_text(result.stay)} of the people send their own value on purpose, the others any"


def _describe(result: Result) -> str:
    p, c = result.parameters, f"{result.condition_number:,.4g}"
    reports, actual, bound = map(_text, result.stages)
    text = [
        f"{p.people:,} people, {p.n} values, γ = {p.gamma:.4g}. The condition number is "
        f"1 + n/(γ − 1) = {c}. The reports Y lie {reports} off what was to be expected. "
        f"Theorem 1 lets the estimate X̂ be up to {c} times as far off: the bound is {bound}; "
        f"the error really made is {actual}."
    ]
    if p.gamma < 1.5:
        text.append(
            "So close to γ = 1 the columns of the matrix are almost equal: whatever the data "
            "are, the reports look alike. To tell them apart, the inverse must magnify small "
            "differences, and it magnifies chance just as much."
        )
    text += [_negatives(result), _repair(result)]
    if result.em_moved < 0.1 and p.shape != "uniform":
        text.append(
            f"In its {EM_STEPS} steps EM has hardly left the uniform table where it starts: "
            "its error says what the data are like, not what the reports taught."
        )
    return " ".join(text)


def _percents(shares: Iterable[float]) -> list[float | None]:
    return rounded([100 * share for share in shares], 3)


def _from_zero(percents: list[float | None]) -> list[float]:
    """The range of an axis for bars with a number above each."""
    return [0, 1.2 * max((value for value in percents if value), default=1.0)]


def _text(share: float) -> str:
    percent = 100 * share if share > 1e-6 else 0
    return f"{percent:,.0f} %" if percent >= 100 else f"{percent:.3g} %"


def _range(values: np.ndarray) -> str:
    ends = float(values.min()), float(values.max())
    low, high = (f"{v:,.0f}" if v >= 100 or v == int(v) else f"{v:.3g}" for v in ends)
    return low if low == high else f"{low} to {high}"


def _negatives(result: Result) -> str:
    negative = result.estimates["none"] < 0
    noise = f"The standard deviation of an estimate is {_range(result.deviation)} people"
    if not negative.any():
        return f"{noise}; none of the {len(negative)} is negative in this draw."
    return (
        f"{noise}. Below zero: {negative.sum()} of {len(negative)} estimates, for values that "
        f"{_range(result.counts[negative])} people have. That is noise, not a bug: an estimate is "
        "right on average, so where people are few beside the noise it must fall too low about as "
        "often as too high."
    )


def _repair(result: Result) -> str:
    chosen, errors = result.parameters.repair, result.errors
    best = min(REPAIRS, key=lambda name: round(errors[name], 6))
    best = "X̂ without repair" if best == "none" else SHORT[best]
    listed = ", ".join(f"{SHORT[name]} {_text(errors[name])}" for name in REPAIRS)
    listed = f"Errors by repair: {listed}; the smallest here is that of {best}."
    if chosen == "none":
        return f"No repair is switched on. {listed}"
    raw, mended = result.estimates["none"], result.estimates[chosen]
    if raw.min() >= 0 and np.abs(mended - raw).max() < 0.005 * raw.max():
        return f"The repair ({chosen}) has nothing to mend and leaves X̂ as it is. {listed}"
    before, after = _text(errors["none"]), _text(errors[chosen])
    return (
        f"The repair ({chosen}) leaves no entry negative and keeps the total; it takes the error "
        f"from {before} to {after}. A mended estimate is no longer right on average. {listed}"
    )


class Reconstruction(Explorer):
    """How wrong X̂ = A⁻¹Y is, what Theorem 1 allows, and what mends it (FRAPP §2.2 and §2.3)."""

    model = model
    groups: ClassVar = {
        "Privacy": [controls.Gamma()],
        "Data": [
            controls.Slider("n", "domain size n", 20, 2, 60, 1, "how many values there are"),
            controls.Slider("people", "people N", 2000, 100, MOST_PEOPLE, 1,
                            "how many people send a report", log=True),
            controls.Choice("shape", "shape of data", SHAPES, "one peak",
                            "how the true counts are spread"),
        ],
        "Estimate": [
            controls.Choice("repair", "repair", REPAIRS, "none",
                            "what is done to the estimate afterwards")
        ],
        "Draw": [controls.Seed()],
    }  # fmt: skip
    skeleton, series = staticmethod(_skeleton), staticmethod(_series)
    layout, note, describe = staticmethod(_layout), staticmethod(_note), staticmethod(_describe)
