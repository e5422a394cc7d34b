"""RAN-GD: what each client hides by an r of their own, and what that changes (FRAPP §4)."""

from __future__ import annotations

import math
from collections.abc import Iterable
from typing import ClassVar

import plotly.graph_objects as go

from frapp_lab import figures
from frapp_lab.explorers import controls
from frapp_lab.explorers.base import Explorer
from frapp_lab.figures import rounded
from frapp_lab.models import randomization as model
from frapp_lab.models.randomization import LENGTH, PEOPLE, TRIED, Result

TOP = 4
BAR_NAMES = ["0", "¼", "½", "¾", "1", "chosen"]


def _skeleton() -> go.Figure:
    figure = figures.panels(
        2, 2,
        ["range of ρ₂(r) along α", "law of ρ₂(r) at the chosen α",
         f"variance of Y, largest of n cells<br>({PEOPLE:,} people)",
         f"support error, length {LENGTH}<br>(CENSUS, n = 2,000)"],
        height=640, horizontal_spacing=0.15, vertical_spacing=0.2,
    )  # fmt: skip
    ran, det, dash = figures.VERMILION, figures.BLUE, {"line_dash": "dash"}
    chosen = {"mode": "lines+markers", "marker_size": 9}
    dots = {"mode": "markers", "marker_size": 9, "marker_symbol": "diamond"}
    for row, column, trace in (
        (1, 1, figures.line("low", "ρ₂(−α)", ran)),
        (1, 1, figures.line("high", "ρ₂(+α)", ran, fill="tonexty", fillcolor="#FBE3D3")),
        (1, 1, figures.line("middle", "DET-GD", det, True).update(dash)),
        (1, 1, figures.line("chosen", "chosen α", figures.BLACK, True, **chosen)),
        (1, 2, figures.line("before", "before the report", figures.GREY, True)),
        (1, 2, figures.line("after", "after it", ran, True)),
        (1, 2, figures.line("middle law", "DET-GD", det).update(dash)),
        (2, 1, go.Bar(meta="within", name="E Var(Y | r)", marker_color=figures.SKY)),
        (2, 1, go.Bar(meta="between", name="Var E(Y | r)", marker_color=figures.ORANGE)),
        (2, 1, figures.line("plain", "DET-GD", det).update(dash)),
        (2, 1, figures.line("together", "one r shared by all", figures.PINK, True, **dots)),
        (2, 2, figures.scheme_line("RAN-GD", "error", True)),
        (2, 2, figures.line("plain error", "DET-GD", det).update(dash)),
        (2, 2, figures.line("expected", "expected, any α", figures.GREEN, True)),
        (2, 2, figures.line("chosen error", "chosen α", figures.BLACK, False, **chosen)),
    ):
        figure.add_trace(trace.update(legendgroup=trace.name), row, column)
    figure.update_layout(barmode="stack", bargap=0.25, margin_t=112, legend_font_size=11)
    figure.update_yaxes(title_font_size=12)
    title = {"text": "α, share of its maximum", "font_size": 12}
    figure.update_xaxes(title=title, range=[-0.04, 1.04])
    figure.update_xaxes(title_text="ρ₂(r) (%)", range=None, row=1, col=2)
    figure.update_xaxes(type="category", dtick=1, range=[-0.6, 5.6], row=2, col=1)
    figure.update_yaxes(title_text="ρ₂ (%)", range=[-2, 102], row=1, col=1)
    figure.update_yaxes(title_text="clients (% per point)", rangemode="tozero", row=1, col=2)
    figure.update_yaxes(title_text="% of DET-GD's", range=[0, 100 * TOP], row=2, col=1)
    figure.update_yaxes(title_text="error (%)", rangemode="tozero", row=2, col=2)
    return figure


def _series(result: Result) -> dict[str, dict[str, object]]:
    share, along = result.parameters.alpha_share, rounded(result.shares)
    middle, (rho, before, after) = [100 * result.middle] * 2, result.law
    # The law ends at the ends of the range: close its outline there.
    along_rho = rounded([100 * v for v in (rho[0], *rho, rho[-1])], 7)
    bars, chosen = BAR_NAMES, rounded([share])
    series: dict[str, tuple[list, Iterable[float]]] = {
        "low": (along, 100 * result.low), "high": (along, 100 * result.high),
        "middle": ([0, 1], middle), "chosen": (chosen * 2, [100 * v for v in result.range]),
        "before": (along_rho, [0, *before, 0]), "after": (along_rho, [0, *after, 0]),
        "middle law": (rounded(middle, 7), [0, 1.05 * max(*before, *after)]),
        "within": (bars, 100 * result.within), "between": (bars, 100 * result.between),
        "plain": (bars, [100] * len(bars)), "together": (bars, 100 * result.shared),
        "error": (list(TRIED), result.tried), "chosen error": (chosen, [result.chosen]),
        "plain error": ([0, 1], [result.plain] * 2), "expected": ([0, 1], [result.expected] * 2),
    }  # fmt: skip
    return {name: {"x": x, "y": rounded(y)} for name, (x, y) in series.items()}


def _note(result: Result) -> str:
    n = result.parameters.domain_size
    return f"n = {n:,} cells, α = {result.alpha:.3g} = {result.alpha_in_gx:.2f} γx"


def _describe(result: Result) -> str:
    return _privacy_text(result) + _accuracy_text(result)


def _percent(value: float) -> str:
    return f"{value:,.0f} %" if value >= 1000 else f"{value:.3g} %"


def _privacy_text(result: Result) -> str:
    p, middle = result.parameters, _percent(100 * result.middle)
    text = (
        f"At γ = {p.gamma:.4g} a report can raise a prior of {100 * p.prior:g} % to {middle} at "
        "most if every client has the same matrix (DET-GD). "
    )
    if p.gamma < 1.5:
        text += "So close to γ = 1 a report says almost nothing about its client. "
    if not result.alpha:
        return text + "With α = 0 all have r = 0: the range is one point, and RAN-GD is DET-GD. "
    low, high = (_percent(100 * v) for v in result.range)
    tilt = result.above - 0.5
    paper = f"{'more' if tilt > 0 else 'less'} than the paper says, since the report tells about r"
    paper = "as the paper says" if abs(tilt) < 5e-4 else paper
    leak = f"to as much as {result.leaked:,.4g}."
    if math.isinf(result.leaked):
        leak = "without bound: at an end of the range the matrix has zeros, which rule records out."
    return text + (
        f"With r hidden within ±{result.alpha_in_gx:.2g} γx, ρ₂(r) lies between {low} and {high}. "
        f"Before the report it is above {middle} with probability 50 %, after it with "
        f"{100 * result.above:.1f} %, {paper}. A Bayesian miner averages over r and still "
        f"believes {_percent(100 * result.believed)}, whatever α. If r leaks, the amplification "
        f"rises {leak} "
    )


def _accuracy_text(result: Result) -> str:
    between, shared = 100 * result.between[-1], result.shared[-1]
    low, high = result.along
    text = (
        f"In the largest cell, with {result.largest_cell:,} of {PEOPLE:,} people, Y has a standard "
        f"deviation of {result.deviation:.3g}. "
    )
    if result.alpha:
        smaller = "; make n smaller" if result.parameters.domain_size > 100 else ""
        thin = f" (too little to be seen{smaller})" if between < 1 else ""
        beyond = ", far above the panel" if shared > TOP else ""
        text += (
            f"A random r takes {between:.2g} % off the first variance term and adds the same "
            f"by the second{thin}: they cancel exactly. With one r shared by all clients the "
            f"variance would be {shared:,.3g} times DET-GD's{beyond}. "
        )
    own = "" if result.alpha else " (one and the same scheme now, with the same draws)"
    return text + (
        f"Mining CENSUS, the error at length {LENGTH} is {_percent(result.chosen)} with RAN-GD and "
        f"{_percent(result.plain)} with DET-GD{own}; theory expects {_percent(result.expected)} "
        f"for both. Along α it stays between {_percent(low)} and {_percent(high)}: that is the "
        "luck of r, not α."
    )


class Randomization(Explorer):
    """α, γ, n and a prior: the posterior range, its law, the two variance terms, mining errors."""

    model = model
    groups: ClassVar = {
        "Privacy": [
            controls.Gamma(),
            controls.ALPHA,
            controls.Slider("prior", "prior of a property (%)", 5.0, 0.5, 60.0, 0.5, "how likely a "
                            "property of a client is before the report is seen", percent=True),
        ],
        "Data": [
            controls.Slider("n", "domain size n", 2000, 3, 10_000, 1,
                            "how many records there can be", log=True, field="domain_size")
        ],
        "Draw": [controls.Seed()],
    }  # fmt: skip
    skeleton, series = staticmethod(_skeleton), staticmethod(_series)
    note, describe = staticmethod(_note), staticmethod(_describe)
