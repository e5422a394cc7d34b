"""RAN-GD: what a miner believes of a client who hides an r of their own (FRAPP §4.1)."""

from __future__ import annotations

import math
from dataclasses import replace
from typing import Any

from frapp_lab.explorers import controls
from frapp_lab.explorers.kit.card import Card, Number
from frapp_lab.explorers.kit.explorer import Groups, explorer
from frapp_lab.explorers.kit.words import in_words, say
from frapp_lab.explorers.models import belief as model
from frapp_lab.explorers.models.belief import Parameters, Result
from frapp_lab.figures.look import AFTER, BEFORE, GREY, rounded, shade
from frapp_lab.figures.marks import Mark, Panel, area, axis, joined_dots, line, note
from frapp_lab.figures.styles import style_of

FIRST = Parameters()
CONTROLS: Groups = {
    "Settings": [
        controls.Gamma(value=FIRST.gamma),
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
NARROW = 0.12
"""A range too narrow for a label at each end."""


@explorer(CONTROLS, Parameters)
def belief(p: Parameters) -> Card:
    """γ, α, n and a prior: the range of posteriors, their law, and what a miner believes."""
    result = model.compute(p)
    alpha, middle, believed = result.alpha, _percent(result.middle), _percent(result.believed)
    return Card(
        headline=_headline(result, believed),
        numbers=[
            Number(_both(result) if alpha.value else middle, "ρ₂(r), over the clients' r"),
            Number(believed, "belief, whatever α"),
            Number(
                "∞" if math.isinf(result.leaked) else in_words(result.leaked),
                "amplification if r leaks",
                f"γ is {p.gamma:.4g}",
            ),
        ],
        panels=[_range(result), _law(result)],
        words=_words(result),
        lines={
            "gamma": f"{_percent(p.prior)} → at most {middle} · ε = {result.epsilon:.3g}",
            "alpha": controls.alpha_line(p.alpha, alpha.value, alpha.unit),
            "n": f"largest valid α: {alpha.largest_in_gx:.2g} γx",
        },
        limits={"alpha": alpha.largest_in_gx},
    )


# --- the figure -----------------------------------------------------------------------------------


def _range(result: Result) -> Panel:
    """Draw the range of ρ₂(r) along α for the card of beliefs."""
    at, largest = result.alpha.in_gx, result.alpha.largest_in_gx
    marks: list[Mark] = []
    if largest < 1:
        ends = [largest, largest, 1, 1]
        marks.append(area("invalid", ends, [0, 100, 100, 0], GREY, 0.18, says="not valid"))
    between: dict[str, Any] = {"fill": "tonexty", "fillcolor": shade(AFTER, 0.18)}
    marks += [
        line("low", result.along, 100 * result.low, AFTER, "ρ₂(−α)", ghost=True),
        line("high", result.along, 100 * result.high, AFTER, "ρ₂(+α)", ghost=True, **between),
        line("middle", [0, 1], [100 * result.middle] * 2, DET, "DET-GD", dash="dash", width=1.5),
        joined_dots("chosen", [at, at], [100 * end for end in result.range], AFTER,
                    says="chosen α"),
    ]  # fmt: skip
    across = axis(-0.02, 1.03, "α, in units of γx", tick=0.25)
    up = axis(-9, 109, tick=25, tick0=0, ticksuffix=" %")
    return Panel("Range of ρ₂(r) along α", across, up, marks, _range_notes(result))


def _range_notes(result: Result) -> list[Mark]:
    """Write DET-GD's level and the ends of the range of ρ₂(r) on the card of beliefs."""
    at, (low, high), largest = result.alpha.in_gx, result.range, result.alpha.largest_in_gx
    # Where the curves are not: at a small α they are near DET-GD's level.
    low_down = result.middle > 0.4
    place: dict[str, Any] = {"y": 107, "yanchor": "top"}
    if low_down:
        place = {"y": -7, "yanchor": "bottom"}
    names = f"DET-GD, and what<br>a Bayesian miner<br>believes: {_percent(result.middle)}"
    notes = [note(names, 0.02, colour=DET, align="left", **place)]
    ends = []
    if high - low > NARROW and at > 0.25:
        ends = [(_percent(low), 100 * low - 5), (_percent(high), 100 * high + 5)]
    elif at > 0.45:  # one label for both ends, on the side where there is room
        ends = [(_both(result), 100 * low - 6 if low_down else 100 * high + 6)]
    notes += [note(text, at - 0.03, y, AFTER, xanchor="right") for text, y in ends]
    if largest < 0.6:
        words = "not valid:<br>an entry would<br>be negative"
        notes.append(note(words, (1 + largest) / 2, 75, GREY, xanchor="center"))
    return notes


def _law(result: Result) -> Panel:
    """Draw the density of ρ₂(r) before and after the report for the card of beliefs."""
    middle = _percent(result.middle)
    before, after = ([0, *(100 * law), 0] for law in (result.before, result.after))
    # The law ends at the ends of the range: close its outline there. A narrow one needs digits.
    along = rounded((100 * v for v in (result.rho[0], *result.rho, result.rho[-1])), 7)
    below: dict[str, Any] = {"fill": "tozeroy", "fillcolor": shade(BEFORE, 0.15), "dash": "dot"}
    marks = [
        line("before", (), before, BEFORE, "before the report", **below) | {"x": along},
        line("after", (), after, AFTER, "after the report", ghost=True) | {"x": along},
        line("middle law", [100 * result.middle] * 2, [0, 100], DET, "DET-GD", dash="dash",
             width=1.5),
    ]  # fmt: skip
    said = [(f"every client: {middle}", AFTER)]
    if result.alpha.value:
        said = [
            (f"┆ above DET-GD's {middle}:", DET),
            ("┄ 50 % before the report", BEFORE),
            (f"— {100 * result.above:.1f} % after it", AFTER),
        ]
    notes = [note(text, 0, 126 - 9 * i, colour) for i, (text, colour) in enumerate(said)]
    across = axis(-1, 102, "ρ₂(r) (%)", tick=25, tick0=0)
    up = axis(0, 131, "clients (density, highest = 100)", tickvals=[0, 25, 50, 75, 100])
    return Panel("Law of ρ₂(r) at this α", across, up, marks, notes)


# --- words ----------------------------------------------------------------------------------------


def _headline(result: Result, believed: str) -> str:
    if not result.alpha.value:
        return f"With α = 0 every r is 0: RAN-GD is DET-GD, and all believe {believed}."
    low, high = map(_percent, result.range)
    if low == high:
        return f"α is so small that ρ₂(r) is {low} for every client, as with DET-GD."
    return f"ρ₂(r) lies between {low} and {high}, but a Bayesian miner still believes {believed}."


def _words(result: Result) -> str:
    """Say what the range is, what a Bayesian miner believes, and what happens if r leaks."""
    p, alpha, middle = result.parameters, result.alpha, _percent(result.middle)
    bound = say(
        f"At γ = {p.gamma:.4g} a report can raise a prior of {100 * p.prior:g} % to {middle} "
        "at most if every client has the same matrix (DET-GD).",
        p.gamma < 1.5 and "So close to γ = 1 a report says almost nothing about its client.",
    )
    if not alpha.value:
        return f"{bound} With α = 0 all have r = 0: the range is one point, and RAN-GD is DET-GD."
    (low, high), tilt = map(_percent, result.range), result.above - 0.5
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
        f"believes {_percent(result.believed)}, whatever α. If r leaks, the amplification "
        f"rises {leak} The law is drawn as a density, in percent of the highest point of both "
        "curves, so that wide and narrow laws fit the same panel.",
    )


def _both(result: Result) -> str:
    low, high = result.range
    return f"{100 * low:.3g} … {_percent(high)}"


def _percent(share: float) -> str:
    return f"{100 * share:.3g} %"
