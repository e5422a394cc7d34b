"""How much one report may give away."""

from __future__ import annotations

from typing import Any, ClassVar

import plotly.graph_objects as go

from frapp_lab import figures
from frapp_lab.explorers import controls
from frapp_lab.explorers.kit.base import Explorer, Number
from frapp_lab.explorers.models import posterior as model
from frapp_lab.explorers.models.posterior import Result
from frapp_lab.figures import rounded

LOW, HIGH = (-9.0, -9.0), (8.0, 13.0)
"""The ends of the axes of log-odds, which hold all priors and bounds of the sliders."""

AXES = {
    "percent": {
        "xaxis": {"range": [0, 100], "dtick": 25, "ticksuffix": " %"},
        "xaxis_title": {"text": "prior", "font": {"size": 12}, "standoff": 6},
        "yaxis": {"range": [0, 112], "dtick": 25, "ticksuffix": " %"},
    },
    "log-odds": {
        "xaxis": {"range": [LOW[0], HIGH[0]], "dtick": 4, "ticksuffix": ""},
        "xaxis_title": {"text": "log-odds ln(q/(1 − q)) of the prior", "font": {"size": 12},
                        "standoff": 6},
        "yaxis": {"range": [LOW[1], HIGH[1]], "dtick": 4, "ticksuffix": ""},
    },
}  # fmt: skip


class Posterior(Explorer):
    """From a prior to the worst posterior under γ, and what an attacker believes (FRAPP §2.1)."""

    model = model
    ghosts = ("curve", "posterior")
    groups: ClassVar = {
        "Settings": [
            controls.Gamma(),
            controls.Slider("prior", "prior (%)", 5.0, 0.1, 99.0, 0.1,
                            "how probable the attacker thinks value 1 is before the report",
                            percent=True),
            controls.Slider("n", "number of values n", 10, 2, 50, 1, "how many values a record "
                            "can have; the rest of the prior is spread evenly"),
            controls.Choice("scale", "scale", tuple(AXES), "percent", "whether the bound is drawn "
                            "in percent or in log-odds, ln(q/(1 − q))", look="buttons"),
        ],
        "More: ε, ρ₁ → ρ₂": [controls.Breach("rho1")],
    }  # fmt: skip

    def skeleton(self) -> go.Figure:
        """The bound over all priors, and one attacker's beliefs."""
        figure = figures.card(["Worst posterior", "Beliefs on “value 1”"], height=400)
        figure.update_layout(bargap=0.1)
        breach = figures.line("breach", "breach", figures.BLACK, fill="toself", hoverinfo="skip")
        figure.add_trace(breach.update(line_width=0, fillcolor="rgba(51, 51, 51, 0.14)"), 1, 1)
        nothing = figures.line("nothing", "nothing learnt", figures.BEFORE, hoverinfo="skip")
        figure.add_trace(nothing.update(line_dash="dash"), 1, 1)
        figure.add_trace(figures.line("curve", "worst posterior", figures.AFTER), 1, 1)
        rise = figures.line("rise", "this prior", figures.BLACK, mode="lines+markers")
        marker = {"size": 10, "symbol": ["circle-open", "circle"], "color": figures.BLACK}
        figure.add_trace(rise.update(line_dash="dot", marker=marker, cliponaxis=False), 1, 1)
        for name, label, colour in (
            ("prior", "before the report", figures.BEFORE), ("posterior", "after", figures.AFTER)
        ):  # fmt: skip
            figure.add_trace(go.Bar(x=[], y=[], name=label, meta=name, marker_color=colour), 1, 2)
        bound = figures.line("bound", "most that γ allows", figures.AFTER)
        figure.add_trace(bound.update(line_dash="dash"), 1, 2)
        figure.update_yaxes(**AXES["percent"]["yaxis"])
        return figure.update_xaxes(title_text="value of the client", row=1, col=2)

    def series(self, result: Result) -> dict[str, dict[str, object]]:
        """In percent, or in log-odds; beliefs always in percent."""
        p = result.parameters
        values = list(range(1, p.n + 1))
        (left, bottom), (prior, worst) = _points(result)
        curve: tuple[Any, Any]
        if p.scale == "percent":
            (x0, _), (x1, top) = (0.0, 0.0), (100.0, 100.0)
            curve = [0, *(100 * model.PRIORS), 100], [0, *(100 * result.curve), 100]
        else:
            (x0, _), (x1, top) = LOW, HIGH
            curve = model.LOG_ODDS, result.log_curve
        series: dict[str, tuple[Any, Any]] = {
            "breach": ([x0, left, left, x0, x0], [bottom, bottom, top, top, bottom]),
            "nothing": ([x0, x1], [x0, x1]),
            "curve": curve,
            "rise": ([prior, prior], [prior, worst]),
            "prior": (values, 100 * result.before),
            "posterior": (values, 100 * result.after),
            "bound": ([0.4, p.n + 0.6], [100 * result.worst] * 2),
        }
        return {name: {"x": rounded(x), "y": rounded(y)} for name, (x, y) in series.items()}

    def layout(self, result: Result) -> dict[str, object]:
        """The axes of the scale, and a place for each value."""
        n, scale = result.parameters.n, result.parameters.scale
        title = {"percent": "Worst posterior", "log-odds": "Worst posterior, log-odds"}[scale]
        return AXES[scale] | {
            "annotations": [{"text": f"<b>{title}</b>"}],
            "xaxis2_range": [0.4, n + 0.6],
            "xaxis2_tick0": 1,
            "xaxis2_dtick": 1 if n <= 12 else 3 if n <= 25 else 7,
        }

    def labels(self, result: Result) -> list[dict[str, object]]:
        """What the prior becomes, what is out of reach, and a key to the beliefs."""
        here, worst, most = self._here(result), 100 * result.worst, []
        if result.worst > 0.08 + max(result.before[1], result.after[1]):  # above the others' bars
            side = {"xanchor": "right", "yanchor": "top" if worst > 90 else "bottom"}
            text, end = f"at most {_short(result.worst)}", result.parameters.n + 0.5
            most = [figures.label(text, end, worst, figures.AFTER, "2", **side)]
        corner = {"xref": "x domain", "yref": "y domain"}
        near = {"xref": "x2 domain", "yref": "y2 domain", "yanchor": "top"}
        return [
            *here,
            figures.label("▾ breach", 0, 1, figures.BLACK, yanchor="top", **corner),
            figures.label("dashed:<br>nothing learnt", 1, 0.01, figures.BEFORE, xanchor="right",
                          yanchor="bottom", **corner),
            figures.label("■ before", 0, 1, figures.BEFORE, **near),
            figures.label("■ after", 0.4, 1, figures.AFTER, **near),
            *most,
        ]  # fmt: skip

    def _here(self, result: Result) -> list[dict[str, object]]:
        """Where the prior is and where it comes to, beside the lines."""
        _, (prior, worst) = _points(result)
        said = f"{_short(result.parameters.prior)} → {_short(result.worst)}"
        if result.parameters.scale == "log-odds":
            # Both stand along the lines where there is room: above the bound, below the diagonal.
            left, right = min(prior, 1.0), max(prior, -2.0)
            shift = f"ln γ = ε = {result.epsilon:.3g}"
            if prior < -3.2:  # near the left edge only a narrow label stands at its dot
                said, right = said.replace(" →", "<br>→"), max(prior, -4.6)
            return [
                figures.label(said, right, right + result.epsilon, figures.BLACK, xanchor="right",
                              xshift=-4, yshift=4, yanchor="bottom"),
                figures.label(shift, left, left, figures.AFTER, xshift=6, yshift=-4, yanchor="top"),
            ]  # fmt: skip
        place: dict[str, Any]
        if prior > 50:
            place = {"y": worst, "xanchor": "right", "xshift": -8, "yanchor": "bottom"}
        elif worst - prior > 40:
            place = {"y": worst, "xshift": 10, "yanchor": "top"}
        else:  # the bound is near the diagonal: below both
            place = {"y": prior, "xshift": 10, "yshift": -4}
        return [figures.label(said, prior, place.pop("y"), figures.BLACK, **place)]

    def headline(self, result: Result) -> str:
        """What a report can make of the prior."""
        p = result.parameters
        prior, worst = _short(p.prior), _short(result.worst)
        if p.scale == "log-odds":
            return (
                f"At γ = {p.gamma:.4g} a report adds at most ln γ = ε = {result.epsilon:.3g} to "
                f"log-odds: {prior} → {worst}."
            )
        if p.gamma < 1.5:
            return (
                f"At γ = {p.gamma:.4g} a report says little: a prior of {prior} rises to {worst} "
                "at most."
            )
        return f"At γ = {p.gamma:.4g} a report can raise a prior of {prior} to {worst} at most."

    def numbers(self, result: Result) -> list[Number]:
        """The bound, ε, and how often the truth is sent."""
        prior = f"from {_short(result.parameters.prior)}"
        return [
            Number(_short(result.worst), "worst posterior", prior),
            Number(f"{result.epsilon:.3g}", "ε = ln γ, added to log-odds"),
            Number(_short(result.kept), "of the time the own value is sent"),
        ]

    def lines(self, result: Result) -> dict[str, str]:
        """What γ makes of this prior, the prior as odds, which γ multiplies, and the matrix."""
        p = result.parameters
        odds = (model.odds(share) for share in (p.prior, result.worst))
        before, after = map(figures.in_words, odds)
        worst = f"at most {_short(result.worst)}"
        return {
            "gamma": f"{_short(p.prior)} → {worst} · ε = {result.epsilon:.3g}",
            "prior": f"odds {before} × γ = {after}",
            "n": f"kept {_short(result.kept)}, each other {_short(result.becomes)}",
        }

    def describe(self, result: Result) -> str:
        """The bound, the promise, and what one attacker believes."""
        p = result.parameters
        digits = 2 if p.gamma < 1.5 else 1
        worst = _percent(result.worst, digits)
        text = [
            f"At γ = {p.gamma:.4g} a prior of {100 * p.prior:.3g} % can rise to {worst} at most "
            f"(ε = {result.epsilon:.2f}). The shaded corner is out of reach: what was believed "
            f"with less than ρ₁ = {100 * p.rho1:.3g} % stays below ρ₂ = "
            f"{_percent(result.rho2, digits)}."
        ]
        if p.scale == "log-odds":
            text.append(
                "A report multiplies odds by γ at most, so it adds ln γ = ε at most to log-odds: "
                "for every prior the bound is the diagonal, shifted up by the same ε."
            )
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
            text.append(
                f"Even now {others} is likelier than value 1: the prior outweighs the report."
            )
        text.append(
            f"A client's own value is reported with probability {_percent(result.kept)}; "
            "this does depend on n."
        )
        if p.gamma < 1.5:
            text.append("So close to γ = 1 a report says little: the curve lies near the diagonal.")
        elif p.gamma >= 100:
            text.append(
                "So large a γ protects little: one report can multiply the odds a hundredfold."
                if p.prior < 0.5
                else "So large a γ protects little: the curve shoots up even for small priors."
            )
        if p.prior >= 0.9:
            text.append(
                "The attacker was all but sure beforehand; no γ can hide what is already known."
            )
        return " ".join(text)


def _points(result: Result) -> tuple[tuple[float, float], tuple[float, float]]:
    """The corner (ρ₁, ρ₂) and this prior with its bound, on the scale that is shown."""
    p, v = result.parameters, result.log_odds
    if p.scale == "log-odds":
        return (v["rho1"], v["rho2"]), (v["prior"], v["worst"])
    return (100 * p.rho1, 100 * result.rho2), (100 * p.prior, 100 * result.worst)


def _short(share: float) -> str:
    """Three digits, more where that would read as 100 %."""
    return f"{100 * share:.{5 if share > 0.9995 else 4 if share > 0.995 else 3}g} %"


def _percent(share: float, digits: int = 1) -> str:
    """A digit or two after the point, more where that would read as 0 % or 100 %."""
    value = 100 * share
    if value < 0.001:
        return "less than 0.001 %"
    if value < 0.1:
        return f"{value:.2g} %"
    return f"{value:.{3 if value > 99.9 else digits}f} %"
