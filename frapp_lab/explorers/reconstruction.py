"""From reports back to the data: X, Y and X̂, Theorem 1, and what mends the estimate."""

from __future__ import annotations

from collections.abc import Iterator
from typing import ClassVar

import numpy as np
import plotly.graph_objects as go

from frapp_lab import figures
from frapp_lab.explorers import controls
from frapp_lab.explorers.kit.base import Explorer, Number
from frapp_lab.explorers.models import reconstruction as model
from frapp_lab.explorers.models.reconstruction import (
    EM_STEPS,
    MOST_PEOPLE,
    REPAIRS,
    SHAPES,
    Parameters,
    Result,
)
from frapp_lab.figures import rounded

SHORT = dict(zip(REPAIRS, ("none", "clip", "projection", "EM"), strict=True))
ROWS = {
    "reports": ("reports Y", figures.AFTER, "line-ns-open"),
    "estimate": ("estimate X̂", figures.ESTIMATE, "circle"),
    "bound": ("Theorem 1's bound", figures.BLACK, "line-ns-open"),
    **{r: (f"repair: {SHORT[r]}", figures.ESTIMATE, "diamond-open") for r in REPAIRS[1:]},
}
"""The errors from top to bottom: what they are called, their colour and their marker."""

NEAREST, FURTHEST = 0.1, 1e5
"""The ends of the axis of errors, in percent."""

BELOW, ABOVE = -0.75, 1.75
"""The ends of the axis of people, in units of the largest true count."""

SETTINGS = [
    controls.Gamma(),
    controls.Slider("n", "domain size n", 20, 2, 60, 1, "how many values there are"),
    controls.Slider(
        "people", "people N", 2000, 100, MOST_PEOPLE, 0.02, "how many people send a report",
        log=True, whole=True,
    ),
    controls.Choice(
        "shape", "data", SHAPES, "one peak", "shape of the data: how the true counts are spread"
    ),
    controls.Choice(
        "repair", "repair", tuple((SHORT[r], r) for r in REPAIRS), "none",
        "what is done to the estimate afterwards", look="buttons",
    ),
    controls.Seed(),
]  # fmt: skip


class Reconstruction(Explorer):
    """How wrong X̂ = A⁻¹Y is, what Theorem 1 allows, and what mends it (FRAPP §2.2 and §2.3)."""

    model = model
    ghosts = ("estimate", "off", "chosen")
    groups: ClassVar = {"Settings": SETTINGS, "More: ε": [controls.Breach()]}

    def skeleton(self) -> go.Figure:
        """People by value, and all errors on one axis."""
        figure = figures.card(
            ["Data X, reports Y, estimate X̂", "How far off"],
            column_widths=[0.54, 0.46], horizontal_spacing=0.08,
        )  # fmt: skip
        figure.update_layout(margin={"t": 54, "l": 54, "r": 20}, barmode="overlay")
        figure.update_annotations(y=1.09)  # the key stands under the first title
        for name, label, colour, width in (
            ("X", "data X", "rgba(51, 51, 51, 0.36)", 0.86),
            ("band", "9 of 10 draws", "rgba(106, 61, 154, 0.25)", 0.5),
        ):
            bars = go.Bar(x=[], y=[], name=label, meta=name, marker_color=colour, width=width)
            figure.add_trace(bars, 1, 1)
        figure.data[1].hoverinfo = "skip"
        for name, label, colour, symbol in (
            ("Y", "reports Y", figures.AFTER, "line-ew-open"),
            ("estimate", "estimate X̂", figures.ESTIMATE, "circle"),
            ("mended", "X̂ after repair", figures.ESTIMATE, "diamond"),
        ):
            figure.add_trace(_markers(name, label, colour, symbol, 7), 1, 1)
        draws = figures.line("draws", "9 of 10 draws", "rgba(127, 127, 127, 0.4)")
        figure.add_trace(draws.update(line_width=9, hoverinfo="skip"), 1, 2)
        times = figures.line("times c", "× c", figures.BLACK)
        figure.add_trace(times.update(line_dash="dot", line_width=1.5), 1, 2)
        for row, (label, colour, symbol) in ROWS.items():
            figure.add_trace(_markers(f"off {row}", label, colour, symbol, 11), 1, 2)
        figure.add_trace(_markers("chosen", "chosen repair", figures.ESTIMATE, "diamond", 11), 1, 2)
        figure.add_trace(_markers("beyond", "beyond", figures.BLACK, "circle", 10), 1, 2)
        figure.update_xaxes(title_text="value; pale: 9 of 10 draws", row=1, col=1)
        zero = {"zeroline": True, "zerolinecolor": figures.GREY, "zerolinewidth": 1.5}
        figure.update_yaxes(title_text="people", **zero, row=1, col=1)
        ticks = {"tickvals": [0.1, 10, 1e3, 1e5], "ticktext": ["0.1 %", "10 %", "1,000 %", "10⁵ %"]}
        figure.update_xaxes(
            type="log", range=list(np.log10([NEAREST, FURTHEST])), showgrid=True,
            gridcolor=figures.GRID, title_text="relative error (log)", **ticks, row=1, col=2,
        )  # fmt: skip
        return figure.update_yaxes(
            range=[len(ROWS) - 0.5, -0.6], showticklabels=False, showgrid=False, ticks="",
            row=1, col=2,
        )  # fmt: skip

    def series(self, result: Result) -> dict[str, dict[str, object]]:
        """Counts in people, errors in percent; errors beyond their axis are marked at its end."""
        p, values = result.parameters, list(range(1, result.parameters.n + 1))
        series: dict[str, dict[str, object]] = {
            "X": {"x": values, "y": result.counts.tolist()},
            "band": {
                "x": values, "base": rounded(result.low), "y": rounded(result.high - result.low),
            },
            "Y": {"x": values, "y": result.reported.tolist()},
            "estimate": {
                "x": values, "y": rounded(result.estimates["none"]),
                "opacity": 1.0 if p.repair == "none" else 0.4,
            },
        }  # fmt: skip
        if p.repair != "none":
            series["mended"] = {"x": values, "y": rounded(result.estimates[p.repair])}
        places: list[tuple[float, int, str]] = []
        for y, (row, share) in enumerate(result.off.items()):
            percent = 100 * share
            if NEAREST <= percent <= FURTHEST:
                name = "chosen" if row == p.repair else f"off {row}"
                series[name] = {"x": rounded([percent]), "y": [y]}
            else:
                far = percent > FURTHEST
                places.append((FURTHEST, y, "triangle-right") if far else
                              (NEAREST, y, "triangle-left"))  # fmt: skip
        if places:
            x, rows, symbols = map(list, zip(*places, strict=True))
            marker = {"symbol": symbols, "size": 10, "color": figures.BLACK}
            series["beyond"] = {"x": x, "y": rows, "marker": marker}
        ends = [100 * result.off[row] for row in ("reports", "bound")]
        series["times c"] = {"x": _on_axis(ends), "y": [list(ROWS).index("bound")] * 2}
        return series

    def band(self, parameters: Parameters) -> Iterator[dict[str, tuple[float, float]] | None]:
        """Where the errors of many draws lie."""
        return model.bands(parameters)

    def band_series(
        self, result: Result, band: dict[str, tuple[float, float]]
    ) -> dict[str, dict[str, object]]:
        """A bar behind each error."""
        x, y = [], []
        for place, row in enumerate(ROWS):
            x += [*_on_axis([100 * share for share in band[row]]), None]
            y += [place, place, None]
        return {"draws": {"x": x, "y": y}}

    def layout(self, result: Result) -> dict[str, object]:
        """Room for the values there are, and for as many people."""
        n, most = result.parameters.n, float(result.counts.max())
        return {
            "xaxis": {"dtick": 1 if n <= 10 else 5, "range": [0.4, n + 0.6]},
            "yaxis_range": [BELOW * most, ABOVE * most],
        }

    def labels(self, result: Result) -> list[dict[str, object]]:
        """What the marks are, and every error with its name and number."""
        key = {"▮ X": figures.TRUTH, "━ Y": figures.AFTER, "● X̂": figures.ESTIMATE}
        if result.parameters.repair != "none":
            key["◆ repaired"] = figures.ESTIMATE
        above = {"xref": "x domain", "yref": "y domain", "yanchor": "bottom"}
        words = [
            figures.label(text, 0.17 * place, 1.015, colour, **above)
            for place, (text, colour) in enumerate(key.items())
        ]
        for y, (row, (name, colour, _)) in enumerate(ROWS.items()):
            number = _text(result.off[row])
            if row == result.parameters.repair:
                name, number = f"<b>{name}</b>", f"<b>{number}</b>"
            for text, x, side in ((name, 0, "left"), (number, 1.08, "right")):
                label = figures.label(text, x, y - 0.33, colour, "2", xanchor=side)
                words.append(label | {"xref": "x2 domain", "font": {"size": 11, "color": colour}})
        return words

    def headline(self, result: Result) -> str:
        """How far off reports, estimate and bound are, or what the repair does."""
        repair, errors = result.parameters.repair, result.errors
        reports, actual, bound = map(_text, result.stages)
        if repair == "EM" and _is_idle(result):
            return (
                f"In this draw EM has hardly left the uniform table where it starts, and is "
                f"{_text(errors[repair])} off."
            )
        if repair != "none" and not result.mends:
            return f"In this draw {SHORT[repair]} has nothing to mend: X̂ stays {actual} off."
        if repair != "none":
            after = _text(errors[repair])
            return f"In this draw {SHORT[repair]} takes the error of X̂ from {actual} to {after}."
        if errors["none"] >= 1:
            return f"In this draw X̂ is {actual} off, the reports {reports}: chance drowns the data."
        return (
            f"In this draw reports are {reports} off, the estimate {actual}; Theorem 1 allows "
            f"{bound}."
        )

    def numbers(self, result: Result) -> list[Number]:
        """The error, the condition number, and how many estimates are absurd."""
        repair, negative = result.parameters.repair, result.estimates["none"] < 0
        what = "the estimate is off" if repair == "none" else f"off after {SHORT[repair]}"
        return [
            Number(_text(result.errors[repair]), what),
            Number(f"{result.condition_number:,.4g}", "condition number κ"),
            Number(str(negative.sum()), "raw estimates below zero", f"of {len(negative)}"),
        ]

    def lines(self, result: Result) -> dict[str, str]:
        """The formula of the condition number, and what people do."""
        return {
            "n": f"κ = 1 + n/(γ − 1) = {result.condition_number:,.4g}",
            "people": f"{_text(result.stay)} send their own value on purpose, the others any",
        }

    def describe(self, result: Result) -> str:
        """Theorem 1 with its numbers, negative estimates, and the repairs."""
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
        if _is_idle(result):
            text.append(
                f"In its {EM_STEPS} steps EM has hardly left the uniform table where it starts: "
                "its error says what the data are like, not what the reports taught."
            )
        return " ".join(text)


def _markers(name: str, label: str, colour: str, symbol: str, size: int) -> go.Scatter:
    look = {"symbol": symbol, "size": size, "color": colour, "line": {"width": 2, "color": colour}}
    return figures.line(name, label, colour, mode="markers", marker=look)


def _on_axis(percents: list[float]) -> list[float | None]:
    """Ends of a line on the axis of errors, which has no zero."""
    return rounded([min(max(percent, NEAREST), FURTHEST) for percent in percents])


def _is_idle(result: Result) -> bool:
    """Whether EM has learnt next to nothing."""
    return result.em_moved < 0.1 and result.parameters.shape != "uniform"


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
    if not result.mends:
        return f"The repair ({chosen}) has nothing to mend and leaves X̂ as it is. {listed}"
    before, after = _text(errors["none"]), _text(errors[chosen])
    return (
        f"The repair ({chosen}) leaves no entry negative and keeps the total; it takes the error "
        f"from {before} to {after}. A mended estimate is no longer right on average. {listed}"
    )
