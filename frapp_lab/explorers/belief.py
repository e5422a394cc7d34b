"""RAN-GD: what a miner believes of a client who hides an r of their own (FRAPP §4.1)."""

from __future__ import annotations

import math
from typing import ClassVar

import plotly.graph_objects as go

from frapp_lab import figures
from frapp_lab.explorers import controls
from frapp_lab.explorers.kit.base import Explorer, Number
from frapp_lab.explorers.models import belief as model
from frapp_lab.explorers.models.belief import Result
from frapp_lab.figures import rounded
from frapp_lab.figures.styles import style_of

DET = style_of("DET-GD").colour
PALE = "rgba(160, 82, 45, 0.18)"
NARROW = 0.12
"""A range too narrow for a label at each end."""
N = controls.Slider(
    "n", "domain size n", 2000, 3, 10_000, 0.02, "how many records there can be", log=True,
    whole=True, field="domain_size",
)  # fmt: skip
"""How large the domain is; the largest valid α depends on it."""
PRIOR = controls.Slider(
    "prior", "prior of a property (%)", 5.0, 0.5, 60.0, 0.5,
    "how likely a property of a client is before the report is seen", percent=True,
)  # fmt: skip


class Belief(Explorer):
    """γ, α, n and a prior: the range of posteriors, their law, and what a miner believes."""

    model = model
    ghosts = ("low", "high", "after")
    groups: ClassVar = {
        "Settings": [controls.Gamma(), controls.ALPHA, PRIOR, N],
        "More: ε": [controls.Breach()],
    }

    def skeleton(self) -> go.Figure:
        """The range of ρ₂(r) along α, and its law at the chosen α."""
        figure = figures.card(["Range of ρ₂(r) along α", "Law of ρ₂(r) at this α"])
        det = {"line_dash": "dash", "line_width": 1.5}
        area = {"line_width": 0, "hoverinfo": "skip"}
        invalid = figures.line("invalid", "not valid", figures.GREY, fill="toself").update(area)
        before = figures.line("before", "before the report", figures.BEFORE, fill="tozeroy")
        for column, trace in (
            (1, invalid.update(fillcolor="rgba(127, 127, 127, 0.18)")),
            (1, figures.line("low", "ρ₂(−α)", figures.AFTER)),
            (1, figures.line("high", "ρ₂(+α)", figures.AFTER, fill="tonexty", fillcolor=PALE)),
            (1, figures.line("middle", "DET-GD", DET).update(det)),
            (1, figures.line("chosen", "chosen α", figures.AFTER, mode="lines+markers",
                             marker_size=9, cliponaxis=False)),
            (2, before.update(line_dash="dot", fillcolor="rgba(127, 127, 127, 0.15)")),
            (2, figures.line("after", "after the report", figures.AFTER)),
            (2, figures.line("middle law", "DET-GD", DET).update(det)),
        ):  # fmt: skip
            figure.add_trace(trace, 1, column)
        quarters = {"dtick": 25, "tick0": 0}
        figure.update_xaxes(title_text="α, in units of γx", range=[-0.02, 1.03], dtick=0.25)
        figure.update_yaxes(range=[-9, 109], **quarters, ticksuffix=" %", row=1, col=1)
        figure.update_xaxes(title_text="ρ₂(r) (%)", range=[-1, 102], **quarters, row=1, col=2)
        height = {"title_text": "clients (density, highest = 100)", "range": [0, 131]}
        return figure.update_yaxes(**height, tickvals=[0, 25, 50, 75, 100], row=1, col=2)

    def series(self, result: Result) -> dict[str, dict[str, object]]:
        """Posteriors in percent; the density of their law in percent of its highest point."""
        largest, middle = result.alpha.largest_in_gx, rounded([100 * result.middle] * 2)
        # The law ends at the ends of the range: close its outline there.
        along = rounded([100 * v for v in (result.rho[0], *result.rho, result.rho[-1])], 7)
        x = rounded(result.along)
        series: dict[str, dict[str, object]] = {
            "low": {"x": x, "y": rounded(100 * result.low)},
            "high": {"x": x, "y": rounded(100 * result.high)},
            "middle": {"x": [0, 1], "y": middle},
            "chosen": {
                "x": rounded([result.alpha.in_gx] * 2),
                "y": rounded([100 * v for v in result.range]),
            },
            "before": {"x": along, "y": [0, *rounded(100 * result.before), 0]},
            "after": {"x": along, "y": [0, *rounded(100 * result.after), 0]},
            "middle law": {"x": middle, "y": [0, 100]},
        }
        if largest < 1:
            ends = rounded([largest, largest, 1, 1])
            series["invalid"] = {"x": ends, "y": [0, 100, 100, 0]}
        return series

    def labels(self, result: Result) -> list[dict[str, object]]:
        """The ends of the range, DET-GD's level, and how many clients lie above it."""
        at, middle = result.alpha.in_gx, _percent(result.middle)
        # Where the curves are not: at a small α they are near DET-GD's level.
        low_down = result.middle > 0.4
        names = f"DET-GD, and what<br>a Bayesian miner<br>believes: {middle}"
        labels = [
            figures.label(names, 0.02, -7 if low_down else 107, DET, align="left",
                          yanchor="bottom" if low_down else "top"),
        ]  # fmt: skip
        low, high = result.range
        if high - low > NARROW and at > 0.25:
            labels += [
                figures.label(_percent(value), at - 0.03, 100 * value + shift, figures.AFTER,
                              xanchor="right")
                for value, shift in ((low, -5), (high, 5))
            ]  # fmt: skip
        elif at > 0.45:  # one label for both ends, on the side where there is room
            y = 100 * low - 6 if low_down else 100 * high + 6
            both = _both(result.range)
            labels.append(figures.label(both, at - 0.03, y, figures.AFTER, xanchor="right"))
        if result.alpha.largest_in_gx < 0.6:
            centre = (1 + result.alpha.largest_in_gx) / 2
            words = "not valid:<br>an entry would<br>be negative"
            labels.append(figures.label(words, centre, 75, figures.GREY, xanchor="center"))
        texts = [(f"every client: {middle}", figures.AFTER)]
        if result.alpha.value:
            texts = [
                (f"┆ above DET-GD's {middle}:", DET),
                ("┄ 50 % before the report", figures.BEFORE),
                (f"— {100 * result.above:.1f} % after it", figures.AFTER),
            ]
        return labels + [
            figures.label(text, 0, y, colour, "2")
            for (text, colour), y in zip(texts, (126, 117, 108), strict=False)
        ]

    def headline(self, result: Result) -> str:
        """However far the posteriors spread, the belief stays."""
        believed = _percent(result.believed)
        if not result.alpha.value:
            return f"With α = 0 every r is 0: RAN-GD is DET-GD, and all believe {believed}."
        low, high = map(_percent, result.range)
        if low == high:
            return f"α is so small that ρ₂(r) is {low} for every client, as with DET-GD."
        return (
            f"ρ₂(r) lies between {low} and {high}, but a Bayesian miner still believes {believed}."
        )

    def numbers(self, result: Result) -> list[Number]:
        """The range, the belief, and the amplification if r leaks."""
        spread = _both(result.range) if result.alpha.value else _percent(result.middle)
        leaked = "∞" if math.isinf(result.leaked) else figures.in_words(result.leaked)
        return [
            Number(spread, "ρ₂(r), over the clients' r"),
            Number(_percent(result.believed), "belief, whatever α"),
            Number(leaked, "amplification if r leaks", f"γ is {result.parameters.gamma:.4g}"),
        ]

    def lines(self, result: Result) -> dict[str, str]:
        """γ with this prior, α as a number, and how large it can be."""
        p, worst = result.parameters, _percent(result.middle)
        return {
            "gamma": f"{_percent(p.prior)} → at most {worst} · ε = {result.epsilon:.3g}",
            "alpha": controls.alpha_line(p.alpha, result.alpha.value, result.alpha.unit),
            "n": f"largest valid α: {result.alpha.largest_in_gx:.2g} γx",
        }

    def marks(self, result: Result) -> dict[str, float]:
        """The largest valid α."""
        return {"alpha": result.alpha.largest_in_gx}

    def describe(self, result: Result) -> str:
        """What the range is, what a Bayesian miner believes, and what happens if r leaks."""
        p, middle = result.parameters, _percent(result.middle)
        text = (
            f"At γ = {p.gamma:.4g} a report can raise a prior of {100 * p.prior:g} % to {middle} "
            "at most if every client has the same matrix (DET-GD). "
        )
        if p.gamma < 1.5:
            text += "So close to γ = 1 a report says almost nothing about its client. "
        if not result.alpha.value:
            return text + "With α = 0 all have r = 0: the range is one point, and RAN-GD is DET-GD."
        largest = result.alpha.largest_in_gx
        if largest < p.alpha:
            text += (
                f"With n = {p.domain_size:,} cells α can be at most {largest:.2g} γx, because a "
                "larger r would make an entry of the matrix negative. "
            )
        low, high = map(_percent, result.range)
        tilt = result.above - 0.5
        more = "more" if tilt > 0 else "less"
        paper = f"{more} than the paper says, since the report tells about r"
        paper = "as the paper says" if abs(tilt) < 5e-4 else paper
        leak = f"to as much as {result.leaked:,.4g}."
        if math.isinf(result.leaked):
            leak = "without bound: at an end of the range the matrix has zeros, "
            leak += "which rule records out."
        return text + (
            f"With r hidden within ±{result.alpha.in_gx:.2g} γx, ρ₂(r) lies between {low} and "
            f"{high}. Before the report it is above {middle} with probability 50 %, after it with "
            f"{100 * result.above:.1f} %, {paper}. A Bayesian miner averages over r and still "
            f"believes {_percent(result.believed)}, whatever α. If r leaks, the amplification "
            f"rises {leak} The law is drawn as a density, in percent of the highest point of both "
            "curves, so that wide and narrow laws fit the same panel."
        )


def _both(ends: tuple[float, float]) -> str:
    low, high = ends
    return f"{100 * low:.3g} … {_percent(high)}"


def _percent(share: float) -> str:
    return f"{100 * share:.3g} %"
