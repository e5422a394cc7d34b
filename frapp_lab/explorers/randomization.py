"""RAN-GD: what each client hides by an r of their own, and what that changes (FRAPP §4)."""

from __future__ import annotations

import functools
import math
from dataclasses import dataclass

import numpy as np
import plotly.graph_objects as go

from frapp_lab import figures, privacy
from frapp_lab.explorers import parts, simulation
from frapp_lab.explorers.base import Explorer
from frapp_lab.explorers.parts import Control
from frapp_lab.figures import rounded
from frapp_lab.mechanisms.base import make_scheme
from frapp_lab.privacy import max_alpha, off_diagonal
from frapp_lab.reconstruction import variance_split
from frapp_lab.theory import predicted_errors

CENSUS = simulation.Data("CENSUS", ())
MIN_SUPPORT, LENGTH, PEOPLE = 0.02, 4, 10_000
BARS, TOP = (0.0, 0.25, 0.5, 0.75, 1.0), 4
BAR_NAMES = ["0", "¼", "½", "¾", "1", "chosen"]
TRIED = (0.0, 0.2, 0.4, 0.6, 0.8, 1.0)


@dataclass(frozen=True)
class Parameters:
    """What the controls say."""

    gamma: float
    alpha_share: float
    domain_size: int
    prior: float
    seed: int


@dataclass(frozen=True)
class Result:
    """All that the figure and the summary show; probabilities are shares, variances relative."""

    parameters: Parameters
    alpha: float
    alpha_in_gx: float
    along: np.ndarray
    """Shares of the largest α, ρ₂(−α) and ρ₂(+α)."""
    range: tuple[float, float]
    middle: float
    believed: float
    above: float
    law: np.ndarray
    """ρ₂ and its densities before and after the report, in % per percentage point."""
    variance: np.ndarray
    """The terms within and between, and the total for one shared r, for each bar."""
    largest_cell: int
    deviation: float
    leaked: float
    errors: np.ndarray
    """RAN-GD's at the shares tried and at the chosen one, DET-GD's, and what theory expects."""


class Randomization(Explorer):
    """α, γ, n and a prior: the posterior range, its law, the two variance terms, mining errors."""

    def groups(self) -> list[tuple[str, list[Control]]]:
        """Privacy, domain, draw."""
        prior = parts.slider(
            "prior", "prior of a property (%)", 5.0, 0.5, 60.0, 0.5,
            "how likely a property of a client is before the report is seen",
        )  # fmt: skip
        size = parts.slider(
            "n", "domain size n", 2000, 3, 10_000, 1, "how many records there can be", log=True
        )
        privacy_parts = [parts.gamma(), parts.alpha(), prior]
        return [("Privacy", privacy_parts), ("Data", [size]), ("Draw", [parts.seed()])]

    def parameters(self) -> Parameters:
        """What the controls say."""
        gamma, alpha, n, prior, seed = map(self.value, ("gamma", "alpha", "n", "prior", "seed"))
        return Parameters(gamma, round(alpha, 4), round(n), prior / 100, seed)

    @staticmethod
    def compute(parameters: Parameters) -> Result:
        """Posterior range and law, variance terms and mining errors."""
        p, n = parameters, parameters.domain_size
        largest = max_alpha(p.gamma, n)
        alpha, shares = p.alpha_share * largest, np.linspace(0, 1, 51)
        ends = np.stack([-shares, shares]) * largest
        middle = privacy.worst_posterior(p.prior, p.gamma)
        counts, split = _falling(n), []
        for share in (*BARS, p.alpha_share):
            own = variance_split(counts, p.gamma, share * largest)
            shared = variance_split(counts, p.gamma, share * largest, shared=True)
            split.append([own.within[0], own.between[0], shared.total[0]])
        errors = [_error("RAN-GD", p.gamma, share, p.seed) for share in (*TRIED, p.alpha_share)]
        errors += [_error("DET-GD", p.gamma, 0.0, p.seed), _expected_error(p.gamma)]
        return Result(
            p, alpha, alpha / (p.gamma * off_diagonal(p.gamma, n)),
            np.vstack([shares, privacy.realized_posterior(p.prior, p.gamma, ends, n)]),
            privacy.posterior_range(p.prior, p.gamma, alpha, n), middle,
            privacy.bayesian_posterior(p.prior, p.gamma, alpha, n),
            float(1 - privacy.posterior_cdf(middle, p.prior, p.gamma, alpha, n, True)),
            _law(p, alpha), np.transpose(split) / own.deterministic[0],
            int(counts[0]), math.sqrt(own.deterministic[0]),
            max(privacy.realized_amplification(p.gamma, alpha, n)), np.array(errors),
        )  # fmt: skip

    @staticmethod
    def skeleton() -> go.Figure:
        """The range and its law above, the variance and the mining error below."""
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
            (2, 2, figures.line("chosen error", "chosen α", figures.BLACK, **chosen)),
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

    @staticmethod
    def series(result: Result) -> dict[str, dict[str, object]]:
        """The data of all traces."""
        share, (shares, low, high) = result.parameters.alpha_share, 100 * result.along
        middle, (rho, before, after) = [100 * result.middle] * 2, result.law
        # The law ends at the ends of the range: close its outline there.
        rho = rounded(100 * np.array([rho[0], *rho, rho[-1]]), 7)
        within, between, shared = 100 * result.variance
        bars, along = BAR_NAMES, rounded(shares / 100)
        series = {
            "low": (along, low), "high": (along, high), "middle": ([0, 1], middle),
            "chosen": ([share] * 2, 100 * np.array(result.range)),
            "before": (rho, [0, *before, 0]), "after": (rho, [0, *after, 0]),
            "middle law": (rounded(middle, 7), [0, 1.05 * result.law[1:].max()]),
            "within": (bars, within), "between": (bars, between),
            "plain": (bars, [100] * len(bars)), "together": (bars, shared),
            "error": (list(TRIED), result.errors[:-3]),
            "chosen error": ([share], result.errors[-3:-2]),
            "plain error": ([0, 1], [result.errors[-2]] * 2),
            "expected": ([0, 1], [result.errors[-1]] * 2),
        }  # fmt: skip
        return {name: {"x": x, "y": rounded(y)} for name, (x, y) in series.items()}

    @staticmethod
    def note(result: Result) -> str:
        """What the settings amount to."""
        n = result.parameters.domain_size
        return f"n = {n:,} cells, α = {result.alpha:.3g} = {result.alpha_in_gx:.2f} γx"

    @staticmethod
    def describe(result: Result) -> str:
        """The four panels in words."""
        return _privacy_text(result) + _accuracy_text(result)


@functools.lru_cache(maxsize=8)
def _falling(n: int) -> np.ndarray:
    """People in n cells, as whole numbers that fall like 1, 1/2, 1/3 …"""
    weights = 1 / np.arange(1, n + 1)
    counts = np.rint(PEOPLE * weights.cumsum() / weights.sum())
    return np.diff(counts, prepend=0)


def _law(p: Parameters, alpha: float) -> np.ndarray:
    """ρ₂ and the densities of its law before and after the report; at α = 0 it is a spike."""
    if not alpha:
        return np.array([[privacy.worst_posterior(p.prior, p.gamma)] * 2, [1, 1], [1, 1]])
    r = np.linspace(-alpha, alpha, 81)
    rho = privacy.realized_posterior(p.prior, p.gamma, r, p.domain_size)
    # Fine where most clients are, and fine along the axis.
    edges = np.union1d(rho, np.linspace(rho[0], rho[-1], 81))
    edges = edges[np.diff(edges, prepend=-1) > 1e-4 * (rho[-1] - rho[0])]
    points = (edges[1:] + edges[:-1]) / 2
    points[[0, -1]] = edges[[0, -1]]
    setting = p.prior, p.gamma, alpha, p.domain_size
    laws = [privacy.posterior_cdf(edges, *setting, seen) for seen in (False, True)]
    return np.vstack([points, np.diff(laws) / np.diff(edges)])


def _error(scheme: str, gamma: float, share: float, seed: int) -> float:
    run = simulation.simulate(CENSUS, scheme, gamma, share, MIN_SUPPORT, seed)
    return float(run.error_array()[LENGTH - 1, 1])


@functools.lru_cache(maxsize=64)
def _expected_error(gamma: float) -> float:
    data = CENSUS.load()
    table = predicted_errors(data, make_scheme("DET-GD", data.schema, gamma), MIN_SUPPORT)
    return float(table.support_error_all[LENGTH])


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
    between, shared = 100 * result.variance[1, -1], result.variance[2, -1]
    *tried, chosen, plain, expected = result.errors
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
        f"Mining CENSUS, the error at length {LENGTH} is {_percent(chosen)} with RAN-GD and "
        f"{_percent(plain)} with DET-GD{own}; theory expects {_percent(expected)} for both. Along "
        f"α it stays between {_percent(min(*tried, chosen))} and {_percent(max(*tried, chosen))}: "
        "that is the luck of r, not α."
    )
