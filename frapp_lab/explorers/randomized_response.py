"""Warner's coin: one question, a noisy answer from each, and an estimate for all."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
import plotly.graph_objects as go

from frapp_lab import figures
from frapp_lab.explorers import parts
from frapp_lab.explorers.base import Explorer
from frapp_lab.figures import rounded

MOST_PEOPLE, SHOWN, TIMES = 2000, 400, 200
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


@dataclass(frozen=True)
class Parameters:
    """What the controls say; the two shares in whole percent."""

    truth: int
    people: int
    coin: int
    seed: int


@dataclass(frozen=True)
class Estimates:
    """The estimate of this asking and those of the repetitions, with their histogram."""

    estimate: float
    deviation: float
    interval: tuple[float, float]
    repeated: np.ndarray
    n_near: int
    bins: np.ndarray
    counts: np.ndarray
    width: float
    curve: tuple[np.ndarray, np.ndarray]
    range: tuple[float, float]


@dataclass(frozen=True)
class Result:
    """All that the figure and the summary show. At p = ½ there are no estimates."""

    parameters: Parameters
    side: int
    is_yes: np.ndarray
    says_yes: np.ndarray
    truth: float
    answers: float
    gamma: float
    estimates: Estimates | None


class RandomizedResponse(Explorer):
    """People answer truthfully with probability p, else the opposite (Warner 1965; FRAPP §2.1)."""

    def groups(self) -> list[tuple[str, list[parts.Control]]]:
        """Privacy, data, draw."""
        words = "how probable a truthful answer is; otherwise the opposite is said"
        coin = parts.slider("coin", "truthful answer p (%)", 75, 50, 100, 1, words)
        words = "the true share, which nobody is told"
        truth = parts.slider("truth", "people who are “yes” (%)", 30, 0, 100, 1, words)
        people = parts.slider("people", "people asked", 1000, 10, MOST_PEOPLE, 1, "how many")
        return [("Privacy", [coin]), ("Data", [truth, people]), ("Draw", [parts.seed()])]

    def parameters(self) -> Parameters:
        """What the controls say."""
        return Parameters(*(self.value(name) for name in ("truth", "people", "coin", "seed")))

    @staticmethod
    def compute(parameters: Parameters) -> Result:
        """Ask everybody once, and then all of them 200 times more."""
        n, coin = parameters.people, parameters.coin
        # All luck there is: who is "yes", everybody's coin, and the repetitions.
        rng = np.random.default_rng(parameters.seed)
        (order, tosses), again = rng.random((2, MOST_PEOPLE)), rng.random((2, TIMES))
        n_yes = int(parameters.truth * n / 100 + 0.5)
        # The people are given and only the coin is random: the share of "yes" people is exact.
        is_yes = np.zeros(n, dtype=bool)
        is_yes[np.argsort(order[:n], kind="stable")[:n_yes]] = True
        says_yes = is_yes == (tosses[:n] < coin / 100)
        total = int(says_yes.sum())
        return Result(
            parameters, math.ceil(math.sqrt(min(n, SHOWN))), is_yes, says_yes, n_yes / n, total / n,
            coin / (100 - coin) if coin < 100 else math.inf,
            _estimates(n, n_yes, coin / 100, total, again) if coin > 50 else None,
        )  # fmt: skip

    @staticmethod
    def skeleton() -> go.Figure:
        """The people on the left; shares and repetitions, on one scale, on the right."""
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

    @staticmethod
    def series(result: Result) -> dict[str, dict[str, object]]:
        """The data of all traces."""
        series, e, size = {}, result.estimates, min(14, 150 // result.side)
        for (truth, answer), (name, _, _) in KINDS.items():
            these = (result.is_yes == truth) & (result.says_yes == answer)
            row, column = np.divmod(np.flatnonzero(these[:SHOWN]), result.side)
            series[name] = {"x": column.tolist(), "y": row.tolist(), "marker_size": size}
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

    @staticmethod
    def layout(result: Result) -> dict[str, object]:
        """Titles and labels with numbers in them, and one scale for both panels on the right."""
        n, e = result.parameters.people, result.estimates
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
            "xaxis_range": [-1, result.side], "yaxis_range": [result.side, -1],
            "xaxis2_range": scale, "xaxis3_range": scale,
        }  # fmt: skip

    @staticmethod
    def describe(result: Result) -> str:
        """The whole screen in words."""
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


def _estimates(n: int, n_yes: int, p: float, total: int, again: np.ndarray) -> Estimates:
    def share(total: float | np.ndarray) -> float | np.ndarray:
        return (total / n - (1 - p)) / (2 * p - 1)

    noise = math.sqrt(n * p * (1 - p))  # the standard deviation of the number of yes answers
    truth, estimate, deviation = n_yes / n, share(total), noise / n / (2 * p - 1)
    interval = estimate - 2 * deviation, estimate + 2 * deviation
    from scipy.stats import binom  # not at the top: it takes half a second to load

    totals = binom.ppf(again[0], n_yes, p) + binom.ppf(again[1], n - n_yes, 1 - p)
    repeated = share(totals)
    n_near = int((np.abs(repeated - truth) <= 2 * deviation + 1e-9).sum())
    # A bin holds an odd number of possible totals, so that one of them is its middle.
    step = 2 * int(noise / 4) + 1
    middle = round(n_yes * p + (n - n_yes) * (1 - p))
    bins, counts = np.unique(np.floor((totals - middle) / step + 0.5), return_counts=True)
    z = np.linspace(-3.5, 3.5, 57) if noise > 0 else np.array([])
    height = TIMES * step * np.exp(-(z**2) / 2) / math.sqrt(2 * math.pi) / (noise or 1)
    low, high = min(0, interval[0], *repeated), max(1, interval[1], *repeated)
    margin = 0.05 * (high - low)
    return Estimates(
        estimate, deviation, interval, repeated, n_near, share(middle + bins * step),
        counts, max(step / n / (2 * p - 1), 0.2 * margin), (truth + z * deviation, height),
        (low - margin, high + margin),
    )  # fmt: skip


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
    if coin <= 60:
        times = f"1/(2p − 1) = {100 / (2 * coin - 100):.3g}"
        text += f" So close to a fair coin the answers' noise is multiplied by {times}."
    if coin < 100:
        text += (
            f" Of {TIMES} repetitions {e.n_near} come within two standard deviations of the truth, "
            f"from {_percent(e.repeated.min())} to {_percent(e.repeated.max())} in all."
        )
    return text
