"""Warner's coin: one question, a noisy answer from each, and an estimate for all."""

from __future__ import annotations

import math
from typing import ClassVar

import numpy as np
import plotly.graph_objects as go

from frapp_lab import figures
from frapp_lab.explorers import controls
from frapp_lab.explorers.base import Explorer
from frapp_lab.figures import rounded
from frapp_lab.models import randomized_response as model
from frapp_lab.models.randomized_response import MOST_PEOPLE, TIMES, Estimates, Result

SHOWN = 400
KINDS = {
    (True, True): ("yes, says yes", figures.BLUE, "circle"),
    (True, False): ("yes, says no", figures.BLUE, "circle-open"),
    (False, True): ("no, says yes", figures.ORANGE, "square"),
    (False, False): ("no, says no", figures.ORANGE, "square-open"),
}
SHARES = [
    ("true share", figures.BLACK, "diamond"),
    ("yes answers", figures.PINK, "square"),
    ("estimate", figures.GREEN, "circle"),
]


def _skeleton() -> go.Figure:
    figure = figures.panels(
        2, 2, ["people", "shares", "repetitions"], 500, horizontal_spacing=0.17,
        vertical_spacing=0.24, specs=[[{"rowspan": 2}, {}], [None, {}]],
    )  # fmt: skip
    figure.update_layout(margin_l=16)
    for name, colour, symbol in (*KINDS.values(), *SHARES):
        column, hover = (1, "name") if ", says" in name else (2, "name+x")
        marker = {"color": colour, "symbol": symbol, "size": 11, "line_width": 1.5}
        trace = figures.line(name, name, colour, column == 1, mode="markers")
        trace.update(marker=marker, marker_line_color=colour, hoverinfo=hover)
        figure.add_trace(trace, 1, column)
    figure.add_trace(figures.line("interval", "± 2 sd", figures.GREEN), 1, 2)
    bars = go.Bar(x=[], y=[], name="estimates", meta="repeated", showlegend=False)
    figure.add_trace(bars.update(marker_color=figures.GREEN, opacity=0.6), 2, 2)
    figure.add_trace(figures.line("curve", "theory", figures.VERMILION), 2, 2)
    for row in (1, 2):
        true_line = figures.line(f"truth {row}", "true share", figures.BLACK)
        figure.add_trace(true_line.update(line={"dash": "dash", "width": 1}), row, 2)
    bare = {"showticklabels": False, "ticks": "", "showgrid": False, "zeroline": False}
    figure.update_xaxes(title_text="each mark is one person", row=1, col=1, **bare)
    figure.update_yaxes(row=1, col=1, **bare)
    figure.update_xaxes(title_text="share of “yes” (%)", nticks=6, row=1, col=2)
    figure.update_yaxes(range=[0.5, 3.5], zeroline=False, tickvals=[3, 2, 1], row=1, col=2)
    figure.update_xaxes(title_text="estimated share (%)", nticks=6, row=2, col=2)
    figure.update_yaxes(title_text="times", rangemode="tozero", row=2, col=2)
    return figure


def _series(result: Result) -> dict[str, dict[str, object]]:
    series, e, side = {}, result.estimates, _side(result)
    for (truth, answer), (name, _, _) in KINDS.items():
        these = (result.is_yes == truth) & (result.says_yes == answer)
        row, column = np.divmod(np.flatnonzero(these[:SHOWN]), side)
        series[name] = {
            "x": column.tolist(),
            "y": row.tolist(),
            "marker_size": min(14, 150 // side),
        }
    true = rounded([100 * result.truth] * 2)
    top = max([1, *e.counts, *e.curve[1]]) if e else 1
    series["truth 1"] = {"x": true, "y": [0.5, 3.5]}
    series["truth 2"] = {"x": true, "y": rounded([0, 1.05 * top])}
    series["true share"] = {"x": true[:1], "y": [3]}
    series["yes answers"] = {"x": rounded([100 * result.answers]), "y": [2]}
    if e:
        series["estimate"] = {"x": rounded([100 * e.estimate]), "y": [1]}
        series["interval"] = {"x": rounded(100 * np.array(e.interval)), "y": [1, 1]}
        series["repeated"] = {"x": rounded(100 * e.bins), "y": e.counts.tolist()}
        series["repeated"]["width"] = rounded([100 * e.width])[0]
        series["curve"] = {"x": rounded(100 * e.curve[0]), "y": rounded(e.curve[1])}
    return series


def _layout(result: Result) -> dict[str, object]:
    n, e, side = result.parameters.people, result.estimates, _side(result)
    titles = [
        f"the first {SHOWN} of {n:,} people" if n > SHOWN else f"all {n} people",
        "shares, estimate ± 2 sd" if e else "shares; there is no estimate",
        f"estimates when asked {TIMES} times" if e else "nothing to estimate at p = 50 %",
    ]
    scale = rounded(100 * np.array(e.range if e else (-0.05, 1.05)))
    labels = [f"true<br>{_percent(result.truth)}", f"answers<br>{_percent(result.answers)}"]
    labels.append(f"estimate<br>{_percent(e.estimate) if e else 'none'}")
    return {
        "annotations": [{"text": text} for text in titles], "yaxis2_ticktext": labels,
        "xaxis_range": [-1, side], "yaxis_range": [side, -1],
        "xaxis2_range": scale, "xaxis3_range": scale,
    }  # fmt: skip


def _describe(result: Result) -> str:
    start = (
        f"{int(result.is_yes.sum()):,} of {result.parameters.people:,} people are “yes”: "
        f"{_percent(result.truth)}. {_percent(result.answers)} of the answers are yes. "
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


def _side(result: Result) -> int:
    """The side of the square that the people stand in."""
    return math.ceil(math.sqrt(min(result.parameters.people, SHOWN)))


def _percent(share: float) -> str:
    return f"{round(100 * share, 1) + 0.0:.1f} %".replace("-", "−")


def _about(e: Estimates, result: Result) -> str:
    off, coin = round(100 * (e.estimate - result.truth), 1), result.parameters.coin
    how = f"{abs(off):.1f} points too {'high' if off > 0 else 'low'}" if off else "right"
    text = (
        f"From them the estimate is (answers − (1 − p))/(2p − 1) = {_percent(e.estimate)}, "
        f"which is {how}; its standard deviation is {100 * e.deviation:.1f} points."
    )
    if not -1e-9 <= e.estimate <= 1 + 1e-9:
        text += (
            f" An estimate {'below 0' if e.estimate < 0 else 'above 100'} % is noise, no error: "
        )
        text += "the coins fell unevenly. Cutting such estimates off would spoil their average."
    if coin <= 0.6:
        times = f"1/(2p − 1) = {1 / (2 * coin - 1):.3g}"
        text += f" So close to a fair coin the answers' noise is multiplied by {times}."
    if coin < 1:
        text += (
            f" Of {TIMES} repetitions {e.n_near} come within two standard deviations of the truth, "
            f"from {_percent(e.repeated.min())} to {_percent(e.repeated.max())} in all."
        )
    return text


class RandomizedResponse(Explorer):
    """People answer truthfully with probability p, else the opposite (Warner 1965; FRAPP §2.1)."""

    model = model
    groups: ClassVar = {
        "Privacy": [
            controls.Slider("coin", "truthful answer p (%)", 75, 50, 100, 1, "how probable a "
                            "truthful answer is; otherwise the opposite is said", percent=True)
        ],
        "Data": [
            controls.Slider("truth", "people who are “yes” (%)", 30, 0, 100, 1,
                            "the true share, which nobody is told", percent=True),
            controls.Slider("people", "people asked", 1000, 10, MOST_PEOPLE, 1, "how many"),
        ],
        "Draw": [controls.Seed()],
    }  # fmt: skip
    skeleton, series = staticmethod(_skeleton), staticmethod(_series)
    layout, describe = staticmethod(_layout), staticmethod(_describe)
