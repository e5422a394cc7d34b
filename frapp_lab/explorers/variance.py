"""RAN-GD: what an r of each client's own does to the variance, and to mining (FRAPP §4.2)."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import Any, ClassVar

import plotly.graph_objects as go

from frapp_lab import figures
from frapp_lab.explorers import controls
from frapp_lab.explorers.belief import N
from frapp_lab.explorers.kit.base import Explorer, Number
from frapp_lab.explorers.models import variance as model
from frapp_lab.explorers.models.variance import LENGTH, PEOPLE, TRIED, Parameters, Result
from frapp_lab.figures import rounded
from frapp_lab.figures.styles import style_of

BARS = ["0", "¼", "½", "¾", "1", "chosen"]
TOP = 150
"""Percent of DET-GD's variance up to which the panel goes; what is above is marked at its edge."""
DET, RAN = style_of("DET-GD").colour, style_of("RAN-GD").colour
SHARED = "#4A5D23"
"""One r shared by all is neither of the schemes."""
THIN = 0.01
"""A smaller share of a bar cannot be seen."""


class Variance(Explorer):
    """α, γ and n: two terms of the variance that cancel, and an error of mining that stays."""

    model = model
    ghosts = ("within", "error")
    groups: ClassVar = {
        "Settings": [
            controls.Gamma(),
            replace(controls.ALPHA, value=Parameters.alpha),
            replace(N, value=Parameters.domain_size),
            controls.Seed(),
        ],
        "More: ε": [controls.Breach()],
    }

    def skeleton(self) -> go.Figure:
        """The terms of the variance as bars, and the error of mining CENSUS along α."""
        figure = figures.card(["Variance of Y, largest cell", "Error of mining CENSUS"])
        dots: dict[str, Any] = {"mode": "markers", "marker_size": 10, "marker_symbol": "star"}
        band = figures.line("draws", "90 % of draws", RAN, fill="toself", hoverinfo="skip")
        chosen: dict[str, Any] = {"mode": "markers", "marker_symbol": "diamond", "marker_size": 14}
        for column, trace in (
            (1, go.Bar(meta="within", name="E Var(Y | r)", marker_color="rgba(213, 94, 0, 0.2)")),
            (1, go.Bar(meta="between", name="Var E(Y | r)", marker_color="rgba(213, 94, 0, 0.5)",
                       marker_pattern_shape="/", marker_pattern_fgcolor=RAN)),
            (1, figures.line("plain", "DET-GD", DET, line_dash="dash")),
            (1, figures.line("together", "one r for all", SHARED, marker_color=SHARED,
                             cliponaxis=False, **dots)),
            (2, band.update(line_width=0, fillcolor="rgba(213, 94, 0, 0.16)")),
            (2, figures.line("expected", "theory", figures.BLACK, line_dash="dash")),
            (2, figures.line("plain error", "DET-GD", DET)),
            (2, figures.scheme_line("RAN-GD", "error")),
            (2, figures.line("chosen error", "chosen α", RAN, marker_color=RAN, **chosen)),
        ):  # fmt: skip
            figure.add_trace(trace, 1, column)
        figure.update_layout(barmode="stack", bargap=0.25, margin_t=40)
        figure.update_annotations(yshift=7)  # room for marks at the upper edge
        share = {"title_text": "α / largest valid α", "range": [-0.6, 5.6], "dtick": 1}
        figure.update_xaxes(type="category", categoryarray=BARS, **share, row=1, col=1)
        figure.update_yaxes(title_text="% of DET-GD's", range=[0, TOP], dtick=25, row=1, col=1)
        alpha = {"title_text": "α, in units of γx", "range": [-0.05, 1.05], "dtick": 0.25}
        figure.update_xaxes(**alpha, row=1, col=2)
        error = {"title_text": "% of what theory expects", "range": [50, 150], "dtick": 25}
        return figure.update_yaxes(**error, row=1, col=2)

    def series(self, result: Result) -> dict[str, dict[str, object]]:
        """All relative: variances to DET-GD's, errors to what theory expects."""
        errors = [100 * result.relative(error) for error in result.tried]
        chosen = 100 * result.relative(result.chosen)
        return {
            "within": {"x": BARS, "y": rounded(100 * result.within)},
            "between": {"x": BARS, "y": rounded(100 * result.between)},
            "plain": {"x": BARS, "y": [100] * len(BARS)},
            "together": {"x": BARS, "y": rounded(100 * result.shared)},
            "expected": {"x": [0, 1], "y": [100, 100]},
            "plain error": {"x": [0, 1], "y": rounded(errors[:1] * 2)},
            "error": {"x": list(TRIED), "y": rounded(errors)},
            "chosen error": {"x": rounded([result.mined.in_gx]), "y": rounded([chosen])},
        }

    def band(self, parameters: Parameters) -> Iterator[tuple[float, float] | None]:
        """Where many draws lie: the same place for every α."""
        return model.band(parameters)

    def band_series(
        self, result: Result, band: tuple[float, float]
    ) -> dict[str, dict[str, object]]:
        """One band all along α."""
        low, high = (100 * result.relative(error) for error in band)
        return {"draws": {"x": [0, 1, 1, 0], "y": rounded([low, low, high, high])}}

    def labels(self, result: Result) -> list[dict[str, object]]:
        """The two terms at their bars; who is who among the errors, with numbers."""
        thin = result.between.max() < THIN
        second = {"y": 92, "text": "Var E(Y | r): too thin"} if thin else {"y": 108}
        above = ": ▲ above" if 100 * result.shared.max() > TOP else ""
        errors = (
            (f"◆ RAN-GD: {_percent(result.chosen)}", RAN),
            (f"— DET-GD: {_percent(result.plain)}", DET),
            (f"┄ theory: {_percent(result.expected)}", figures.BLACK),
            ("▒ 90 % of draws", RAN),
        )
        return [
            figures.label(f"★ one r for all{above}", -0.5, 138, SHARED),
            figures.label("DET-GD", -0.5, 108, DET),
            figures.label("Var E(Y | r)", 4.45, 0, RAN, xanchor="right") | second,
            figures.label("E Var(Y | r)", 2.5, 38, RAN, xanchor="center"),
        ] + [
            figures.label(text, 0, y, colour, "2")
            for (text, colour), y in zip(errors, (146, 140, 134, 128), strict=True)
        ]

    def headline(self, result: Result) -> str:
        """The variance stays; one r for all would not do."""
        shared = result.shared[-1]
        if not result.alpha.value:
            return "With α = 0 every client's r is 0: RAN-GD is DET-GD, draw by draw."
        if shared < 1.005:
            return "With an r each the variance stays DET-GD's; so small an α changes nothing else."
        stays = "With an r each the variance stays DET-GD's"
        return f"{stays}; with one r for all it is {figures.in_words(shared)} times that."

    def numbers(self, result: Result) -> list[Number]:
        """What the second term takes over, what a shared r does, and the error of mining."""
        times = figures.in_words(result.shared[-1])
        expected = f"theory {_percent(result.expected)}"
        return [
            Number(_small(result.between[-1]), "moves to Var E(Y | r)", "of the variance"),
            Number(f"{times} ×", "DET-GD's variance with one r for all"),
            Number(_percent(result.chosen), "error of mining, this draw", expected),
        ]

    def lines(self, result: Result) -> dict[str, str]:
        """α as a number, and how large it can be."""
        p, alpha = result.parameters, result.alpha
        return {
            "alpha": controls.alpha_line(p.alpha, alpha.value, alpha.unit),
            "n": f"largest valid α: {alpha.largest_in_gx:.2g} γx",
        }

    def marks(self, result: Result) -> dict[str, float]:
        """The largest valid α."""
        return {"alpha": result.alpha.largest_in_gx}

    def describe(self, result: Result) -> str:
        """How the terms cancel, what a shared r would do, and what mining sees of it."""
        p, alpha, between = result.parameters, result.alpha, result.between[-1]
        low, high = result.along
        text = (
            f"In the largest of n = {p.domain_size:,} cells, with {result.largest_cell:,} of "
            f"{PEOPLE:,} people, Y has a standard deviation of {result.deviation:.3g}. "
        )
        if alpha.largest_in_gx < p.alpha:
            text += (
                f"Here α can be at most {alpha.largest_in_gx:.2g} γx: a larger r would make an "
                "entry of the matrix negative. "
            )
        if alpha.value:
            smaller = "; make n smaller" if p.domain_size > 100 else ""
            thin = f" (too little to be seen{smaller})" if between < THIN else ""
            beyond = ", above the panel" if 100 * result.shared[-1] > TOP else ""
            text += (
                f"A random r takes {_small(between)} off the first variance term and adds the same "
                f"by the second{thin}: they cancel exactly. With one r shared by all clients the "
                f"variance would be {figures.in_words(result.shared[-1])} times DET-GD's{beyond}. "
            )
        own = "" if result.mined.value else " (one and the same scheme now, with the same draws)"
        return text + (
            f"Mining CENSUS with α = {result.mined.in_gx:.2g} γx, the error at length {LENGTH} in "
            f"this draw is {_percent(result.chosen)} with RAN-GD and {_percent(result.plain)} with "
            f"DET-GD{own}; theory expects {_percent(result.expected)} for both. Along α it stays "
            f"between {_percent(low)} and {_percent(high)}: that is the luck of r, not α. "
            "The band, where 90 % of many draws lie, is the same for every α."
        )


def _small(share: float) -> str:
    return f"{100 * share:.2g} %"


def _percent(value: float) -> str:
    return f"{value:,.0f} %" if value >= 1000 else f"{value:.3g} %"
