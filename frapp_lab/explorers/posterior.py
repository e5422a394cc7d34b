"""How much one report may give away."""

from __future__ import annotations

from typing import ClassVar

import numpy as np
import plotly.graph_objects as go

from frapp_lab import figures
from frapp_lab.explorers import controls
from frapp_lab.explorers.base import Explorer
from frapp_lab.figures import rounded
from frapp_lab.models import posterior as model
from frapp_lab.models.posterior import Result


def _skeleton() -> go.Figure:
    figure = figures.panels(
        1, 2, ["how far a report can raise a prior", "beliefs on report “value 1” (%)"],
        height=460, horizontal_spacing=0.13, column_widths=[0.44, 0.56],
    )  # fmt: skip
    figure.update_layout(margin_t=90, bargap=0.1)
    breach = figures.line("breach", "breach", figures.VERMILION, True)
    breach.update(fill="toself", fillcolor="rgba(213, 94, 0, 0.18)", line_width=1)
    figure.add_trace(breach, 1, 1)
    nothing = figures.line("nothing", "learnt nothing", figures.GREY, True)
    figure.add_trace(nothing.update(line_dash="dash"), 1, 1)
    figure.add_trace(figures.line("curve", "worst posterior", figures.BLUE, True), 1, 1)
    rise = figures.line("rise", "this prior", figures.BLACK, True, mode="lines+markers")
    rise.update(line_dash="dot", marker={"size": 9, "symbol": ["circle-open", "circle"]})
    figure.add_trace(rise, 1, 1)
    for name, label, colour in (
        ("prior", "before the report", figures.SKY), ("posterior", "after it", figures.BLUE)
    ):  # fmt: skip
        figure.add_trace(go.Bar(x=[], y=[], name=label, meta=name, marker_color=colour), 1, 2)
    bound = figures.line("bound", "most that γ allows", figures.BLUE)
    figure.add_trace(bound.update(line_dash="dash"), 1, 2)
    figure.update_yaxes(range=[0, 102])
    figure.update_yaxes(title_text="posterior (%)", row=1, col=1)
    figure.update_xaxes(title_text="prior (%)", range=[0, 100], row=1, col=1)
    return figure.update_xaxes(title_text="value of the respondent", row=1, col=2)


def _series(result: Result) -> dict[str, dict[str, object]]:
    p = result.parameters
    values = list(range(1, p.n + 1))
    left, bottom, prior, worst = rounded(
        100 * np.array([p.rho1, result.rho2, p.prior, result.worst])
    )
    series = {
        "breach": ([0, left, left, 0, 0], [bottom, bottom, 100, 100, bottom]),
        "nothing": ([0, 100], [0, 100]),
        "curve": (
            rounded([0, *(100 * model.PRIORS), 100]), rounded([0, *(100 * result.curve), 100])
        ),
        "rise": ([prior, prior], [prior, worst]),
        "prior": (values, rounded(100 * result.before)),
        "posterior": (values, rounded(100 * result.after)),
        "bound": ([0.4, p.n + 0.6], [worst, worst]),
    }  # fmt: skip
    return {name: {"x": x, "y": y} for name, (x, y) in series.items()}


def _layout(result: Result) -> dict[str, object]:
    n = result.parameters.n
    return {
        "xaxis2_range": [0.4, n + 0.6],
        "xaxis2_tick0": 1,
        "xaxis2_dtick": 1 if n <= 12 else 3 if n <= 25 else 7,
    }


def _note(result: Result) -> str:
    return (
        f"γ-diagonal matrix on {result.parameters.n} values: a value is kept with "
        f"{_percent(result.kept)} and becomes each other one with {_percent(result.becomes)}"
    )


def _describe(result: Result) -> str:
    p = result.parameters
    digits = 2 if p.gamma < 1.5 else 1
    worst = _percent(result.worst, digits)
    text = [
        f"At γ = {p.gamma:.4g} a prior of {100 * p.prior:.3g} % can rise to {worst} at most "
        f"(ε = {result.epsilon:.2f}). The shaded corner is out of reach: what was believed "
        f"with less than ρ₁ = {100 * p.rho1:.3g} % stays below ρ₂ = "
        f"{_percent(result.rho2, digits)}."
    ]
    if p.prior > p.rho1 * (1 + 1e-9):
        text.append(
            "This prior is above ρ₁: the promise does not speak of it, but the curve still "
            "bounds it."
        )
    others = "the other value" if p.n == 2 else "each other value"
    text.append(
        f"With {p.n} values, an attacker who sees the report “value 1” believes it with "
        f"{_percent(result.after[0], digits)}: just that bound, for any n, because every other "
        f"value is equally unlikely to give this report. The belief in {others} falls from "
        f"{_percent(result.before[1], digits)} to {_percent(result.after[1], digits)}. "
        f"After any other report, value 1 would fall to {_percent(result.after_other, digits)}."
    )
    if result.after[0] < result.after[1] * (1 - 1e-9):
        text.append(f"Even now {others} is likelier than value 1: the prior outweighs the report.")
    text.append(
        f"A respondent's own value is reported with probability {_percent(result.kept)}; "
        "this does depend on n."
    )
    if p.gamma < 1.5:
        text.append(
            "So close to γ = 1 a report says almost nothing: the curve lies on the diagonal."
        )
    elif p.gamma >= 100:
        text.append(
            "So large a γ protects little: one report can make a rare suspicion nearly certain."
            if p.prior < 0.5
            else "So large a γ protects little: the curve shoots up even for small priors."
        )
    if p.prior >= 0.9:
        text.append(
            "The attacker was all but sure beforehand; no γ can hide what is already known."
        )
    return " ".join(text)


def _percent(share: float, digits: int = 1) -> str:
    """A digit or two after the point, more where that would read as 0 % or 100 %."""
    value = 100 * share
    if value < 0.001:
        return "less than 0.001 %"
    if value < 0.1:
        return f"{value:.2g} %"
    return f"{value:.{3 if value > 99.9 else digits}f} %"


class Posterior(Explorer):
    """From a prior to the worst posterior under γ, and what an attacker believes (FRAPP §2.1)."""

    model = model
    groups: ClassVar = {
        "Privacy": [controls.Gamma(breach="rho1")],
        "Attacker": [
            controls.Slider("prior", "prior (%)", 5.0, 0.1, 99.0, 0.1,
                            "how probable the attacker thinks value 1 is before the report",
                            percent=True),
            controls.Slider("n", "number of values n", 10, 2, 50, 1, "how many values a record "
                            "can have; the rest of the prior is spread evenly"),
        ],
    }  # fmt: skip
    skeleton, series = staticmethod(_skeleton), staticmethod(_series)
    layout, note, describe = staticmethod(_layout), staticmethod(_note), staticmethod(_describe)
