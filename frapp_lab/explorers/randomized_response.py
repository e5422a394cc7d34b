"""Warner's coin: one question, a noisy answer from each, and an estimate for all."""

from __future__ import annotations

import math
from typing import Any, ClassVar

import numpy as np
import plotly.graph_objects as go

from frapp_lab import figures
from frapp_lab.explorers import controls
from frapp_lab.explorers.kit.base import Explorer, Number
from frapp_lab.explorers.models import randomized_response as model
from frapp_lab.explorers.models.randomized_response import (
    AXIS,
    MOST_PEOPLE,
    SHOWN,
    TIMES,
    Estimates,
    Result,
)
from frapp_lab.figures import rounded

LOW, HIGH = (100 * edge for edge in AXIS)
TOP = 64
"""How many estimates the tallest bar that fits has."""

KINDS = {
    (True, True): ("yes, says yes", figures.KEPT, "circle"),
    (True, False): ("yes, says no", figures.CHANGED, "circle-open"),
    (False, True): ("no, says yes", figures.CHANGED, "square"),
    (False, False): ("no, says no", figures.KEPT, "square-open"),
}
"""The shape is the truth, filled is a yes, the colour says whether the coin has changed it."""

ANSWERS = {
    True: ("says yes", figures.AFTER, "circle"),
    False: ("says no", figures.AFTER, "circle-open"),
}
GLYPHS = {"circle": "●", "circle-open": "○", "square": "■", "square-open": "□"}
SHARES = [
    ("true share", figures.TRUTH, "diamond"),
    ("yes answers", figures.AFTER, "square"),
    ("estimate", figures.ESTIMATE, "circle"),
]


class RandomizedResponse(Explorer):
    """People answer truthfully with probability p, else the opposite (Warner 1965; FRAPP §2.1)."""

    model = model
    ghosts = ("yes answers", "estimate", "interval", "curve")
    groups: ClassVar = {
        "Settings": [
            controls.Slider("coin", "truthful answer p (%)", 75, 50, 100, 1, "how probable a "
                            "truthful answer is; otherwise the opposite is said", percent=True),
            controls.Slider("truth", "people who are “yes” (%)", 30, 0, 100, 1,
                            "the true share, which nobody is told", percent=True),
            controls.Slider("people", "people asked", 1000, 10, MOST_PEOPLE, 0.02, "how many",
                            log=True, whole=True),
            controls.Slider("repetitions", "repetitions shown", TIMES, 1, TIMES, 1,
                            "how many of 200 further askings have dropped into the histogram"),
            controls.Button("drop", "Play", "let the estimates drop into the histogram one by one",
                            in_bar=True),
            controls.Switch("by_answer", "sort by answer", False,
                            "those who say yes stand first, those who say no below", in_bar=True),
            controls.Switch("hidden", "the miner’s view", False,
                            "show what the miner sees: answers, and nobody's truth", in_bar=True),
            controls.Seed(),
        ],
    }  # fmt: skip

    def drop(self) -> None:
        """Let the estimates drop into the histogram one by one."""
        self.play("repetitions", 0.15)

    def skeleton(self) -> go.Figure:
        """The people, and beside them the shares above the histogram, on the same axis."""
        figure = figures.card(
            ["People", "Shares", "Estimates"], rows=2, columns=2, vertical_spacing=0.21,
            specs=[[{"rowspan": 2}, {}], [None, {}]], column_widths=[0.36, 0.64],
            row_heights=[0.38, 0.62], horizontal_spacing=0.09, height=400,
        )  # fmt: skip
        figure.update_layout(margin_l=10, bargap=0)
        for column, looks in ((1, (*KINDS.values(), *ANSWERS.values())), (2, SHARES)):
            for name, colour, symbol in looks:
                trace = figures.line(name, name, colour, mode="markers", cliponaxis=False)
                trace.update(hoverinfo="name" if column == 1 else "name+x")
                figure.add_trace(trace.update(marker=_marker(colour, symbol)), 1, column)
        interval = figures.line("interval", "90 % of draws", figures.ESTIMATE, hoverinfo="name+x")
        figure.add_trace(interval.update(line_width=3), 1, 2)
        bars = go.Bar(x=[], y=[], name="estimates", meta="repeated", marker_line_width=0)
        figure.add_trace(bars.update(marker_color="rgba(106, 61, 154, 0.45)"), 2, 2)
        theory = figures.line("curve", "theory", figures.ESTIMATE)
        figure.add_trace(theory.update(line_dash="dash", line_width=1.5), 2, 2)
        last = figures.line("last", "the last one", figures.ESTIMATE, mode="markers")
        figure.add_trace(last.update(marker=_marker(figures.ESTIMATE, "circle")), 2, 2)
        for row in (1, 2):
            true_line = figures.line(f"truth {row}", "true share", figures.TRUTH)
            figure.add_trace(true_line.update(line={"dash": "dot", "width": 1}), row, 2)
        bare = {"showticklabels": False, "showgrid": False, "showline": False}
        figure.update_xaxes(row=1, col=1, **bare)
        figure.update_yaxes(row=1, col=1, domain=[0.21, 1], **bare)
        shares = {"range": [LOW, HIGH], "dtick": 50, "ticksuffix": " %"}
        figure.update_xaxes(col=2, showgrid=True, gridcolor=figures.GRID, **shares)
        figure.update_yaxes(range=[0.5, 3.6], showticklabels=False, showgrid=False, row=1, col=2)
        figure.update_xaxes(title_text="estimated share of “yes”", row=2, col=2)
        return figure.update_yaxes(range=[0, TOP], dtick=20, row=2, col=2)

    def series(self, result: Result) -> dict[str, dict[str, object]]:
        """Of people only what is not hidden; estimates in percent, within the axis."""
        p, e = result.parameters, result.estimates
        series = _people(result)
        series["yes answers"] = {"x": rounded([100 * result.answers]), "y": [2]}
        if not p.hidden:
            true = rounded([100 * result.truth] * 2)
            series["true share"] = {"x": true[:1], "y": [3]}
            series["truth 1"] = {"x": true, "y": [0.5, 3.6]}
        if e is None:
            return series
        if not p.hidden:
            series["truth 2"] = {"x": true, "y": [0, TOP]}
        series["estimate"] = _point(100 * e.estimate, 1)
        series["interval"] = {"x": rounded(100 * np.array(e.band)), "y": [1, 1]}
        inside = (e.bins >= AXIS[0]) & (e.bins <= AXIS[1])
        bars = {"x": rounded(100 * e.bins[inside]), "y": e.counts[inside].tolist()}
        series["repeated"] = {**bars, "width": rounded([100 * e.width])[0]}
        series["curve"] = {"x": rounded(100 * e.curve[0]), "y": rounded(e.curve[1])}
        if p.repetitions < TIMES:
            series["last"] = _point(100 * e.last[0], min(e.last[1], TOP))
        return series

    def layout(self, result: Result) -> dict[str, object]:
        """As many places as people are shown, and what the panels are about."""
        p, grid = result.parameters, result.grid
        askings = f"{p.repetitions} of {TIMES} repetitions"
        titles = [
            f"First {SHOWN} of {p.people:,}" if p.people > SHOWN else f"All {p.people} people",
            "Shares of “yes” in this draw",
            askings if p.repetitions < TIMES else f"Estimates of {TIMES} repetitions",
        ]
        return {
            "annotations": [{"text": f"<b>{title}</b>"} for title in titles],
            "xaxis_range": [-0.7, grid.side - 0.3], "yaxis_range": [grid.n_rows - 0.3, -0.7],
        }  # fmt: skip

    def labels(self, result: Result) -> list[dict[str, object]]:
        """A key under the people, words at the shares, and how many estimates lie beyond."""
        p, e = result.parameters, result.estimates
        looks = list((ANSWERS if p.hidden else KINDS).values())
        labels = [
            figures.label(f"{GLYPHS[symbol]} {name}", 0, -0.01 - 0.066 * i, colour,
                          xref="x domain", yref="y domain", yanchor="top")
            for i, (name, colour, symbol) in enumerate(looks)
        ]  # fmt: skip
        for head, text in zip(result.grid.heads, _heads(result), strict=False):
            labels.append(figures.label(text, -0.5, head, figures.BLACK))
        true = None if p.hidden else 100 * result.truth

        def beside(text: str, y: int, colour: str, *ends: float) -> None:
            labels.append(_beside(text, y, colour, true, *ends))

        if true is None:
            beside("the truth is hidden", 3, figures.TRUTH, LOW, HIGH)
        else:
            beside(f"truth {_percent(result.truth)}", 3, figures.TRUTH, true)
        said = f"answers {_percent(result.answers)}"
        beside(said, 2, figures.AFTER, 100 * result.answers)
        if e is None:
            beside("no estimate: division by 0", 1, figures.ESTIMATE, LOW, HIGH)
            said = (
                "At p = 50 % each answer is<br>a fair coin's toss: there is<br>nothing to estimate"
            )
            labels.append(figures.label(said, 50, TOP / 2, figures.ESTIMATE, "3", xanchor="center"))
            return labels
        ends = (100 * edge for edge in e.band)
        beside(f"estimate {_percent(e.estimate)}", 1, figures.ESTIMATE, *ends)
        for edge, side, n, text in (
            (LOW, "left", e.n_below, "◀ {} below"), (HIGH, "right", e.n_above, "{} above ▶")
        ):  # fmt: skip
            if n:
                labels.append(figures.label(
                    text.format(n), edge, TOP, figures.ESTIMATE, "3", xanchor=side, yanchor="top"
                ))  # fmt: skip
        for x, n in zip(e.bins, e.counts, strict=True):
            if n > TOP:
                labels.append(figures.label(
                    f"▲ {n}", 100 * x, 0.92 * TOP, figures.ESTIMATE, "3", xshift=6
                ))  # fmt: skip
        return labels

    def headline(self, result: Result) -> str:
        """The estimate, or who is among those who say yes."""
        p, e = result.parameters, result.estimates
        n_yes, n_both = _who(result, everybody=True)[True]
        if e is None:
            return "At p = 50 % every answer is a coin's toss: there is nothing to estimate."
        if math.isinf(result.gamma):
            return "Everybody tells the truth: the estimate is exact, and nothing is hidden."
        if p.hidden:
            return f"{n_yes:,} of {p.people:,} say yes; whose yes is true, the miner cannot see."
        if p.by_answer:
            share = f": {_percent(n_both / n_yes)}" if n_yes else ""
            return f"In this draw {n_both:,} of the {n_yes:,} who say yes are “yes”{share}."
        return (
            f"In this draw the estimate is {_percent(e.estimate)}, {_off(e, result)}; "
            f"the truth is {_percent(result.truth)}."
        )

    def numbers(self, result: Result) -> list[Number]:
        """The estimate, its error, and what a yes gives away."""
        e, chance = result.estimates, result.posterior
        truth = "hidden" if result.parameters.hidden else _percent(result.truth)
        gamma = "∞" if math.isinf(result.gamma) else f"{result.gamma:.3g}"
        third = Number("–" if chance is None else _percent(chance), "chance that a yes is true")
        if result.parameters.hidden:  # the chance would tell the true share
            third = Number(gamma, "γ, what one answer gives away")
        return [
            Number(_percent(e.estimate) if e else "none", "estimate in this draw",
                   f"truth {truth}"),
            Number(f"{100 * e.deviation:.1f}" if e else "∞", "its standard deviation", "points"),
            third,
        ]  # fmt: skip

    def lines(self, result: Result) -> dict[str, str]:
        """What the coin is as γ."""
        gamma = result.gamma
        said = "infinite" if math.isinf(gamma) else f"{gamma:.3g} · ε = {math.log(gamma):.3g}"
        return {"coin": f"γ = p/(1 − p) = {said}"}

    def describe(self, result: Result) -> str:
        """What is seen of the people, of the estimate and of the repetitions."""
        p = result.parameters
        n_yes, n_both = _who(result, everybody=True)[True]
        start = (
            f"{int(result.is_yes.sum()):,} of {p.people:,} people are “yes”: "
            f"{_percent(result.truth)}. {_percent(result.answers)} of the answers are yes. "
        )
        if p.hidden:
            start = (
                f"The miner's view: {n_yes:,} of {p.people:,} people say yes, "
                f"{_percent(result.answers)}. All who gave the same answer look alike; who told "
                "the truth, and the true share, are hidden. "
            )
        elif n_yes:
            start += (
                f"Of the {n_yes:,} who say yes {n_both:,} are “yes” ({_percent(n_both / n_yes)})"
                f"{'; the coin made the others say it' if n_both < n_yes else ''}. "
            )
        if result.estimates is None:
            return start + (
                "At p = 50 % each answer is a fair coin's toss, whoever gives it: half are yes "
                "on average, whatever the truth. There is no estimate, because it would divide by "
                "2p − 1, which is zero. One answer gives away nothing (γ = 1), nor do all of them."
            )
        end = (
            f"What one answer gives away: “yes” is γ = {result.gamma:.4g} times as likely from a "
            "person who is “yes” as from one who is not. The paper's γ = 19 is a coin of 95 %."
        )
        if math.isinf(result.gamma):
            end = "Everybody tells the truth: nothing is hidden, and γ = p/(1 − p) is infinite."
        return start + _about(result.estimates, result) + " " + end


def _marker(colour: str, symbol: str, size: float = 10) -> dict[str, object]:
    return {"color": colour, "symbol": symbol, "size": size,
            "line": {"width": 1.4, "color": colour}}  # fmt: skip


def _people(result: Result) -> dict[str, dict[str, object]]:
    hidden, grid = result.parameters.hidden, result.grid
    is_yes, says_yes = result.is_yes[:SHOWN], result.says_yes[:SHOWN]
    size = min(14, 115 / grid.side)
    series = {}
    looks: dict[Any, tuple[str, str, str]] = ANSWERS if hidden else KINDS  # type: ignore[assignment]
    for kind, (name, colour, symbol) in looks.items():
        these = says_yes == kind if hidden else (is_yes == kind[0]) & (says_yes == kind[1])
        series[name] = {
            "x": grid.column[these].tolist(), "y": grid.row[these].tolist(),
            "marker": _marker(colour, symbol, size),
        }  # fmt: skip
    return series


def _point(x: float, y: float) -> dict[str, object]:
    """A point of the estimates; beyond the axis it is a mark at its end."""
    symbol = "triangle-left" if x < LOW else "triangle-right" if x > HIGH else "circle"
    marker = _marker(figures.ESTIMATE, symbol)
    return {"x": rounded([min(max(x, LOW), HIGH)]), "y": [y], "marker": marker}


def _beside(
    text: str, y: int, colour: str, true: float | None, low: float, high: float | None = None
) -> dict[str, object]:  # fmt: skip
    """Words beside what reaches from `low` to `high`, clear of the line at the truth."""
    high, wide = low if high is None else high, 3.8 * len(text)
    for x, end, side in ((high, high + wide, "left"), (low, low - wide, "right")):
        crosses = true is not None and min(x, end) < true < max(x, end)
        if LOW <= end <= HIGH and not crosses:
            shift = 12 if side == "left" else -12
            return figures.label(text, x, y, colour, "2", xanchor=side, xshift=shift)
    at = 0 if true is None else true
    side, shift = ("left", 5) if at <= 50 else ("right", -5)
    return figures.label(text, at, y, colour, "2", xanchor=side, xshift=shift, yshift=12)


def _who(result: Result, everybody: bool = False) -> dict[bool, tuple[int, int]]:
    """By answer: how many give it, and how many of them are "yes"."""
    part = slice(None if everybody else SHOWN)
    is_yes, says_yes = result.is_yes[part], result.says_yes[part]
    return {
        answer: (int((says_yes == answer).sum()), int(is_yes[says_yes == answer].sum()))
        for answer in (True, False)
    }


def _heads(result: Result) -> list[str]:
    return [
        f"{n} say {'yes' if answer else 'no'}"
        + ("" if result.parameters.hidden else f", {n_yes} are “yes”")
        for answer, (n, n_yes) in _who(result).items()
    ]


def _percent(share: float) -> str:
    return f"{round(100 * share, 1) + 0.0:.1f} %".replace("-", "−")


def _off(e: Estimates, result: Result) -> str:
    off = round(100 * (e.estimate - result.truth), 1)
    return f"{abs(off):.1f} points too {'high' if off > 0 else 'low'}" if off else "which is right"


def _about(e: Estimates, result: Result) -> str:
    p = result.parameters
    how = "" if p.hidden else f", {_off(e, result)}"
    text = (
        "From the answers the estimate is (answers − (1 − p))/(2p − 1) = "
        f"{_percent(e.estimate)}{how}; "
        f"its standard deviation is {100 * e.deviation:.1f} points."
    )
    if p.coin < 1:
        low, high = map(_percent, e.band)
        text += f" In at least 90 of 100 draws such a band ({low} to {high}) holds the truth."
    if not -1e-9 <= e.estimate <= 1 + 1e-9:
        text += (
            f" An estimate {'below 0' if e.estimate < 0 else 'above 100'} % is noise, no error: "
        )
        text += "the coins fell unevenly. Cutting such estimates off would spoil their average."
    if p.coin <= 0.6:
        times = f"1/(2p − 1) = {1 / (2 * p.coin - 1):.3g}"
        text += f" So close to a fair coin the answers' noise is multiplied by {times}."
    if p.coin < 1:
        text += (
            f" Of {p.repetitions} repetitions {e.n_near} come within two standard deviations of "
            f"the truth, from {_percent(e.repeated.min())} to {_percent(e.repeated.max())} in all."
        )
    if e.n_below or e.n_above:
        text += f" {e.n_below + e.n_above} of them lie beyond the panel."
    return text
