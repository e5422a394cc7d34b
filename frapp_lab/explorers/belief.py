"""RAN-GD: what a miner believes of a client who hides an r of their own (FRAPP §4.1)."""

from __future__ import annotations

import math
from dataclasses import replace
from typing import Any

import numpy as np

from frapp_lab.explorers import controls
from frapp_lab.explorers.kit.card import Card, Number
from frapp_lab.explorers.kit.explorer import Groups, explorer
from frapp_lab.explorers.kit.words import in_words, say, short
from frapp_lab.explorers.models import belief as model
from frapp_lab.explorers.models.belief import CLIENTS, Parameters, Result
from frapp_lab.figures.look import AFTER, BLACK, GREY, rounded, shade
from frapp_lab.figures.marks import (
    Mark,
    Panel,
    area,
    axis,
    dots,
    drags,
    joined_dots,
    label,
    line,
)
from frapp_lab.figures.styles import style_of

FIRST = Parameters()
CONTROLS: Groups = {
    "Settings": [
        controls.Gamma(value=FIRST.gamma, prior="prior"),
        replace(controls.ALPHA, value=FIRST.alpha),
        controls.Slider(
            "prior", "prior of a property (%)", 100 * FIRST.prior, 0.5, 60.0, 0.5,
            "how likely a property of a client is before the report is seen", percent=True,
        ),
        replace(controls.DOMAIN_SIZE, value=FIRST.domain_size),
    ],
    "More: ε": [controls.Breach()],
}  # fmt: skip
DET = style_of("DET-GD").colour
PERCENTS = [0, 25, 50, 75, 100]
POSTERIORS = axis(-4, 103, tickvals=PERCENTS, ticktext=[f"{tick} %" for tick in PERCENTS])
"""Both panels have one scale; plotly puts no suffix to ticks that are listed."""


@explorer(CONTROLS, Parameters)
def belief(p: Parameters) -> Card:
    """γ, α, n and a prior: posteriors of a hundred clients fan out, and a miner's belief stays."""
    result = model.compute(p)
    alpha, middle, believed = result.alpha, short(result.middle), short(result.believed)
    gamma, leaked = in_words(p.gamma), _amplification(result.leaked)
    return Card(
        headline=_headline(result, believed),
        numbers=[
            Number(_both(result) if alpha.value else middle, "ρ₂(r), over the clients' r"),
            Number(believed, "belief, whatever α"),
            Number(
                leaked,
                "amplification if r leaks",
                "as without r" if leaked == gamma else f"instead of {gamma}",
            ),
        ],
        panels=[_range(result), _clients(result)],
        words=_words(result),
        lines={
            "alpha": controls.alpha_line(p.alpha, alpha.value, alpha.unit),
            "n": f"largest valid α: {alpha.largest_in_gx:.2g} γx",
        },
        limits={"alpha": alpha.largest_in_gx},
        height=400,
        layout={"margin": {"l": 46, "r": 10, "t": 30, "b": 58}},  # two lines below an axis
    )


# --- the figure -----------------------------------------------------------------------------------


def _range(result: Result) -> Panel:
    """Draw the range of ρ₂(r) along α for the card of beliefs."""
    at, largest = result.alpha.in_gx, result.alpha.largest_in_gx
    marks: list[Mark] = []
    middle = line("middle", [0, 1], [100 * result.middle] * 2, DET, "DET-GD", dash="dash",
                  width=1.5)  # fmt: skip
    notes = [label(f"DET-GD: {short(result.middle)}", middle, xanchor="right", yshift=9)]
    if largest < 1:
        corners = [largest, largest, 1, 1], [0, 100, 100, 0]
        invalid = area("invalid", *corners, GREY, 0.18, says="not valid")
        marks.append(invalid | {"line": {"color": GREY, "width": 1}})
        why = "not valid: an entry<br>would be negative"
        notes.append(label(why, marks[-1], 2, colour=BLACK, xanchor="right", yanchor="top"))
    said: dict[str, Any] = {"hovertemplate": "%{fullData.name} = %{x} γx: %{y} %<extra></extra>"}
    between: dict[str, Any] = {"fill": "tonexty", "fillcolor": shade(AFTER, 0.18), **said}
    ends = [100 * end for end in result.range]
    chosen = joined_dots("chosen", [at, at], ends, AFTER, says="chosen α", **said)
    marks += [
        line("low", result.along, 100 * result.low, AFTER, "−r = α", ghost=True, **said),
        line("high", result.along, 100 * result.high, AFTER, "r = α", ghost=True, **between),
        middle,
        drags(chosen, ["alpha", "alpha"], "x"),
    ]
    across = axis(-0.02, 1.03, "α, in units of γx", tick=0.25)
    return Panel("Range of ρ₂(r) along α", across, POSTERIORS, marks, notes)


def _clients(result: Result) -> Panel:
    """Draw each client's ρ₂(r), and the belief that is the same of all of them."""
    low, high = result.range
    look: dict[str, Any] = {"dash": "dot", "width": 1, "ghost": True}
    all_along, numbers = [0, CLIENTS + 1], list(range(1, CLIENTS + 1))
    ends = [
        line("lowest", all_along, [100 * low] * 2, AFTER, "r = −α", **look),
        line("highest", all_along, [100 * high] * 2, AFTER, "r = +α", **look),
    ]
    said = "client %{x}: r = %{customdata} γx, ρ₂(r) = %{y} %<extra></extra>"
    marks = [
        *ends,
        dots("clients", numbers, 100 * result.rho, AFTER, "circle-open", hovertemplate=said, edge=1,
             size=rounded(8 * np.sqrt(result.likely), 3), customdata=rounded(result.r, 2)),
        line("believed", all_along, [100 * result.believed] * 2, DET, "belief", dash="dash"),
    ]  # fmt: skip
    notes = [label(f"miner's belief: {short(result.believed)}", marks[-1], 0, yshift=9)]
    if result.alpha.value:  # the dots rise from left to right: there is room below on the right
        share = f"50 clients above,<br>{100 * result.above:.1f} % of the weight"
        look = {"xanchor": "right", "yanchor": "top", "yshift": -4, "colour": AFTER}
        notes.insert(0, label(share, marks[-1], **look))  # two lines: they find room first
    if short(low) != short(high):
        notes += [
            label(short(low), ends[0], yshift=-9, xanchor="right"),
            label(short(high), ends[1], yshift=9, xanchor="right"),
        ]
    words = "clients, in the order of their r<br>area: weight, how likely they report this"
    across = axis(0, CLIENTS + 1, words, tickvals=[])
    return Panel("ρ₂(r) of a hundred clients", across, POSTERIORS, marks, notes, width=1.4)


# --- words ----------------------------------------------------------------------------------------


def _headline(result: Result, believed: str) -> str:
    if not result.alpha.value:
        return f"With α = 0 every r is 0: RAN-GD is DET-GD, and all believe {believed}."
    low, high = map(short, result.range)
    if low == high:
        return f"α is so small that every client's posterior ρ₂(r) is {low}, as with DET-GD."
    own = f"A client's posterior ρ₂(r) is {low} to {high}"
    return f"{own}; a Bayesian miner still believes {believed}."


def _words(result: Result) -> str:
    """Say what the range is, what a Bayesian miner believes, and what happens if r leaks."""
    p, alpha, middle = result.parameters, result.alpha, short(result.middle)
    bound = say(
        f"At γ = {p.gamma:.4g} a report can raise a prior of {100 * p.prior:g} % to {middle} "
        "at most if every client has the same matrix (DET-GD).",
        p.gamma < 1.5 and "So close to γ = 1 a report says almost nothing about its client.",
    )
    if not alpha.value:
        return f"{bound} With α = 0 all have r = 0: the range is one point, and RAN-GD is DET-GD."
    (low, high), tilt = map(short, result.range), result.above - 0.5
    paper = f"{'more' if tilt > 0 else 'less'} than the paper says, since the report tells about r"
    if abs(tilt) < 5e-4:
        paper = "as the paper says"
    leak = f"to as much as {result.leaked:,.4g}."
    if math.isinf(result.leaked):
        leak = "without bound: at an end of the range the matrix has zeros, which rule records out."
    return say(
        bound,
        alpha.largest_in_gx < p.alpha
        and f"With n = {p.domain_size:,} cells α can be at most {alpha.largest_in_gx:.2g} γx, "
        "because a larger r would make an entry of the matrix negative.",
        f"With r hidden within ±{alpha.in_gx:.2g} γx, ρ₂(r) lies between {low} and {high}. Before "
        f"the report it is above {middle} with probability 50 %, after it with "
        f"{100 * result.above:.1f} %, {paper}. A Bayesian miner averages over r and still "
        f"believes {short(result.believed)}, whatever α. If r leaks, the amplification "
        f"rises {leak} The hundred clients stand for all: their r are spread evenly over the "
        "range, and the area of a dot is how likely its client sends this report.",
    )


def _amplification(value: float) -> str:
    return "∞" if math.isinf(value) else in_words(value)


def _both(result: Result) -> str:
    low, high = result.range
    return f"{short(low).removesuffix(' %')} … {short(high)}"
