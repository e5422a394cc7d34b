"""RAN-GD: what an r of each client's own does to the variance, and to mining (FRAPP §4.2)."""

from __future__ import annotations

import math
from dataclasses import replace
from typing import Any

from frapp_lab.explorers import controls
from frapp_lab.explorers.kit.card import Card, Number
from frapp_lab.explorers.kit.explorer import Groups, explorer
from frapp_lab.explorers.kit.words import in_words, say
from frapp_lab.explorers.models import variance as model
from frapp_lab.explorers.models.variance import SURVEYS, Band, Parameters, Result, Surveys
from frapp_lab.figures.look import BLACK, CHANGED, shade
from frapp_lab.figures.marks import (
    Mark,
    Panel,
    axis,
    band,
    bars,
    dots,
    drags,
    joined_dots,
    label,
    line,
    note,
)
from frapp_lab.figures.styles import style_of

FIRST = Parameters()
CONTROLS: Groups = {
    "Settings": [
        controls.Gamma(value=FIRST.gamma),
        replace(controls.ALPHA, value=FIRST.alpha),
        replace(controls.DOMAIN_SIZE, value=FIRST.domain_size),
        controls.Choice(
            "view", "view", (("surveys", "surveys"), ("terms and mining", "terms")), FIRST.view,
            "errors of many surveys, or the terms of the variance and the error of mining",
            look="buttons",
        ),
        controls.Seed(FIRST.seed),
    ],
    "More: ε": [controls.Breach()],
}  # fmt: skip
BARS = ["0", "¼", "½", "¾", "1", "chosen"]
TOP = 150
"""Percent of DET-GD's variance up to which the panel goes; what is above is marked at its edge."""
TALLEST = 130
"""How many surveys the tallest bar that fits has."""
STYLE = style_of("RAN-GD")
DET, RAN, SHARED = style_of("DET-GD").colour, STYLE.colour, CHANGED
THIN = 0.01
"""A smaller share of a bar cannot be seen."""


@explorer(CONTROLS, Parameters, model.band)
def variance(p: Parameters, band: Band | None = None) -> Card:
    """α, γ and n: what an r each keeps and one r for all spoils, in surveys and in two terms."""
    result = model.compute(p)
    alpha, between, times = result.alpha, result.between[-1], in_words(result.shared[-1])
    terms, theory = p.view == "terms", f"theory {_percent(result.expected)}"
    return Card(
        headline=_headline(result),
        numbers=[
            Number(f"{100 * between:.2g} %", "moves to Var E(Y | r)", "of the variance"),
            Number(f"{times} ×", "DET-GD's variance with one r for all"),
            Number(_percent(result.chosen), "error of mining, this draw", theory),
        ],
        panels=[_terms(result), _errors(result, band)] if terms else _surveys(result),
        words=_words(result),
        lines={
            "alpha": controls.alpha_line(p.alpha, alpha.value, alpha.unit),
            "n": f"largest valid α: {alpha.largest_in_gx:.2g} γx",
        },
        limits={"alpha": alpha.largest_in_gx},
        layout={
            "barmode": "stack",
            "bargap": 0.25 if terms else 0,
            "shapes": [] if terms else _behind(),
            "margin": {"l": 46, "r": 10, "t": 40, "b": 44},  # room for marks at the upper edge
        },
    )


# --- the figure -----------------------------------------------------------------------------------


def _surveys(result: Result) -> list[Panel]:
    """Draw the errors of surveys with an r each above those with one r for all, on one axis."""
    times = math.sqrt(result.shared[-1])
    each = _histogram("each", result.each, RAN, 1, result.people)
    together = _histogram("all", result.together, SHARED, times, result.people)
    ends, up = (-model.WIDEST, model.WIDEST), axis(0, TALLEST, "surveys", tick=50)
    below = axis(*ends, "error ÷ DET-GD's σ", tick=20, tick0=0)
    across = axis(*ends, tick=20, tick0=0, showticklabels=False)
    return [
        Panel("An r each", across, up, *each, place=((0, 1), (0.57, 1)), says=f"{SURVEYS} surveys"),
        Panel("One r for all", below, up, *together, place=((0, 1), (0, 0.43)),
              says="the same luck otherwise"),
    ]  # fmt: skip


def _histogram(
    name: str, surveys: Surveys, colour: str, times: float, people: float
) -> tuple[list[Mark], list[Mark]]:
    """Draw a histogram of surveys' errors, and the law's standard deviation beside DET-GD's."""
    edges: dict[str, Any] = {"dash": "dash", "width": 1.5, "hoverinfo": "skip"}
    said = "%{y} surveys: about %{x} standard deviations off<extra></extra>"
    wide = line(f"{name} deviation", [-times, times], [90, 90], colour, width=4, ghost=True,
                says="standard deviation")  # fmt: skip
    top = [0, TALLEST]
    plain = line(f"{name} plain", [-1, -1, None, 1, 1], [*top, None, *top], DET, **edges)
    marks = [
        bars(name, model.BINS, surveys.counts, colour, "surveys", hovertemplate=said),
        plain,
        wide,
    ]
    notes = [
        note(f"━ standard deviation<br>{in_words(people * times)} people", 0, 1, colour,
             corner=True, yanchor="top", align="left"),
        note(f"┆ DET-GD's<br>{in_words(people)} people", 1, 1, DET, corner=True, xanchor="right",
             yanchor="top", align="left"),
    ]  # fmt: skip
    return marks, notes


def _behind() -> list[Mark]:
    """Shade ±1 of DET-GD's deviations behind the surveys' bars, where no line or area can lie."""
    look = {"line": {"width": 0}, "fillcolor": shade(DET, 0.16)}
    box: Mark = {"type": "rect", "layer": "below", **look}
    box |= {"x0": -1, "x1": 1, "y0": 0, "y1": TALLEST}
    return [box | {"xref": f"x{n}", "yref": f"y{n}"} for n in ("", "2")]


def _terms(result: Result) -> Panel:
    """Draw the terms of the variance as bars, in percent of DET-GD's."""
    pattern, edge = {"shape": "/", "fgcolor": RAN, "solidity": 0.4}, {"color": RAN, "width": 1}
    hatched = {"pattern": pattern, "line": edge}
    within, between, shared = 100 * result.within, 100 * result.between, 100 * result.shared
    marks = [
        bars("within", BARS, within, RAN, "E Var(Y | r)", ghost=True),
        bars("between", BARS, between, RAN, "Var E(Y | r)", marker=hatched),
        line("plain", BARS, [100] * len(BARS), DET, "DET-GD", dash="dash"),
        dots("together", BARS, shared, SHARED, "star", size=10, says="one r for all"),
    ]
    thin = ": too thin" if result.between.max() < THIN else ""
    above = ": ▲ above" if shared.max() > TOP else ""
    keys = [
        (f"★ one r for all{above}", SHARED),
        (f"▨ Var E(Y | r){thin}", RAN),
        ("■ E Var(Y | r)", RAN),
    ]
    notes = [note(text, -0.5, 144 - 9 * i, colour) for i, (text, colour) in enumerate(keys)]
    notes.append(label("DET-GD", marks[2], yshift=9, xanchor="right"))
    names: dict[str, Any] = {"type": "category", "categoryarray": BARS}
    across = axis(-0.6, 5.6, "α / largest valid α", tick=1, **names)
    up = axis(0, TOP, "% of DET-GD's", tick=25)
    return Panel("Variance of Y, largest cell", across, up, marks, notes)


def _errors(result: Result, drawn: Band | None) -> Panel:
    """Draw errors of mining along α for the card of variance, in percent of what theory expects."""
    errors = [100 * result.relative(error) for error in result.tried]
    at, chosen = result.mined.in_gx, 100 * result.relative(result.chosen)
    here = dots("chosen error", [at], [chosen], RAN, "diamond", size=14, says="chosen α")
    marks: list[Mark] = []
    if drawn is not None:
        low, high = (100 * result.relative(error) for error in drawn)
        draws = band("draws", [0, 1], [low] * 2, [high] * 2, RAN, "90 % of draws")
        marks.append(draws | {"line": {"color": RAN, "width": 1}})
    marks += [
        line("expected", [0, 1], [100, 100], BLACK, "theory", dash="dash"),
        line("plain error", [0, 1], errors[:1] * 2, DET, "DET-GD"),
        joined_dots("error", model.TRIED, errors, RAN, STYLE.marker, says="RAN-GD", dash=STYLE.dash,
                    edge=2, ghost=True),
        drags(here, ["alpha"], "x"),
    ]  # fmt: skip
    said = [
        (f"◆ RAN-GD: {_percent(result.chosen)}", RAN),
        (f"— DET-GD: {_percent(result.plain)}", DET),
        (f"┄ theory: {_percent(result.expected)}", BLACK),
        ("▒ 90 % of draws", RAN),
    ]
    notes = [note(text, 0, 146 - 6 * i, colour) for i, (text, colour) in enumerate(said)]
    across = axis(-0.05, 1.05, "α, in units of γx", tick=0.25)
    up = axis(50, 150, "% of what theory expects", tick=25)
    return Panel("Error of mining CENSUS", across, up, marks, notes)


# --- words ----------------------------------------------------------------------------------------


def _headline(result: Result) -> str:
    largest, times = result.alpha.largest_in_gx, in_words(result.shared[-1])
    if not result.alpha.value:
        return "With α = 0 every client's r is 0: RAN-GD is DET-GD, draw by draw."
    if largest < result.parameters.alpha * (1 - 1e-9):  # or γ would seem to mend a shared r
        nothing = "so small an α changes almost nothing" * bool(result.shared[-1] < 1.005)
        finds = nothing or f"one r for all gives {times} times DET-GD's variance"
        return f"Only α ≤ {largest:.2g} γx is valid here: {finds}."
    stays = "With an r each the variance stays DET-GD's"
    if result.shared[-1] < 1.005:
        return f"{stays}; so small an α changes nothing else."
    return f"{stays}; with one r for all it is {times} times that."


def _words(result: Result) -> str:
    """Say how the variance's terms cancel, what a shared r would do, and what mining sees of it."""
    p, alpha, mined = result.parameters, result.alpha, result.mined
    between, shared = result.between[-1], result.shared[-1]
    low, high = map(_percent, result.along)
    surveys = result.each, result.together
    each, together = (in_words(result.people * s.deviation) for s in surveys)
    smaller = "; make n smaller" if p.domain_size > 100 else ""
    terms = p.view == "terms"
    thin = f" (too little to be seen{smaller})" if terms and between < THIN else ""
    beyond = ", above the panel" if terms and 100 * shared > TOP else ""
    own = "" if mined.value else " (one and the same scheme now, with the same draws)"
    return say(
        f"In the largest of n = {p.domain_size:,} cells, with {result.largest_cell:,} of "
        f"{model.PEOPLE:,} people, Y has a standard deviation of {result.deviation:.3g}. DET-GD's "
        f"estimate of that count has one of {in_words(result.people)} people. In {SURVEYS} "
        f"simulated surveys the errors have one of {each} people with an r each, and of "
        f"{together} with one r for all.",
        alpha.largest_in_gx < p.alpha
        and f"Here α can be at most {alpha.largest_in_gx:.2g} γx: a larger r would make an "
        "entry of the matrix negative.",
        alpha.value > 0
        and f"A random r takes {100 * between:.2g} % off the first variance term and adds the same "
        f"by the second{thin}: they cancel exactly. With one r shared by all clients the "
        f"variance would be {in_words(shared)} times DET-GD's{beyond}.",
        f"Mining CENSUS with α = {mined.in_gx:.2g} γx, the error at length {model.LENGTH} in "
        f"this draw is {_percent(result.chosen)} with RAN-GD and {_percent(result.plain)} with "
        f"DET-GD{own}; theory expects {_percent(result.expected)} for both. Along α it stays "
        f"between {low} and {high}: that is the luck of r, not α.",
        terms and "The band, where 90 % of many draws lie, is the same for every α.",
    )


def _percent(value: float) -> str:
    return f"{in_words(value)} %"
