"""RAN-GD: what an r of each client's own does to the variance, and to mining (FRAPP §4.2)."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from frapp_lab.explorers import controls
from frapp_lab.explorers.kit.card import Card, Number
from frapp_lab.explorers.kit.explorer import Groups, explorer
from frapp_lab.explorers.kit.words import in_words, say
from frapp_lab.explorers.models import variance as model
from frapp_lab.explorers.models.variance import LENGTH, PEOPLE, TRIED, Band, Parameters, Result
from frapp_lab.figures.look import BLACK, shade
from frapp_lab.figures.marks import Mark, Panel, axis, band, bars, dots, joined_dots, line, note
from frapp_lab.figures.styles import style_of

FIRST = Parameters()
CONTROLS: Groups = {
    "Settings": [
        controls.Gamma(value=FIRST.gamma),
        replace(controls.ALPHA, value=FIRST.alpha),
        replace(controls.DOMAIN_SIZE, value=FIRST.domain_size),
        controls.Seed(FIRST.seed),
    ],
    "More: ε": [controls.Breach()],
}
BARS = ["0", "¼", "½", "¾", "1", "chosen"]
TOP = 150
"""Percent of DET-GD's variance up to which the panel goes; what is above is marked at its edge."""
STYLE = style_of("RAN-GD")
DET, RAN = style_of("DET-GD").colour, STYLE.colour
SHARED = "#4A5D23"
"""One r shared by all is neither of the schemes."""
THIN = 0.01
"""A smaller share of a bar cannot be seen."""


@explorer(CONTROLS, Parameters, model.band)
def variance(p: Parameters, band: Band | None = None) -> Card:
    """α, γ and n: two terms of the variance that cancel, and an error of mining that stays."""
    result = model.compute(p)
    alpha, between, times = result.alpha, result.between[-1], in_words(result.shared[-1])
    theory = f"theory {_percent(result.expected)}"
    return Card(
        headline=_headline(result),
        numbers=[
            Number(f"{100 * between:.2g} %", "moves to Var E(Y | r)", "of the variance"),
            Number(f"{times} ×", "DET-GD's variance with one r for all"),
            Number(_percent(result.chosen), "error of mining, this draw", theory),
        ],
        panels=[_terms(result), _errors(result, band)],
        words=_words(result),
        lines={
            "alpha": controls.alpha_line(p.alpha, alpha.value, alpha.unit),
            "n": f"largest valid α: {alpha.largest_in_gx:.2g} γx",
        },
        limits={"alpha": alpha.largest_in_gx},
        layout={
            "barmode": "stack",
            "bargap": 0.25,
            "margin": {"l": 46, "r": 10, "t": 40, "b": 44},  # room for marks at the upper edge
        },
    )


# --- the figure -----------------------------------------------------------------------------------


def _terms(result: Result) -> Panel:
    """Draw the terms of the variance as bars, in percent of DET-GD's."""
    hatched = {"pattern": {"shape": "/", "fgcolor": RAN}}
    within, between, shared = 100 * result.within, 100 * result.between, 100 * result.shared
    marks = [
        bars("within", BARS, within, shade(RAN, 0.2), "E Var(Y | r)", ghost=True),
        bars("between", BARS, between, shade(RAN, 0.5), "Var E(Y | r)", marker=hatched),
        line("plain", BARS, [100] * len(BARS), DET, "DET-GD", dash="dash"),
        dots("together", BARS, shared, SHARED, "star", size=10, says="one r for all"),
    ]
    second, height = "Var E(Y | r)", 108
    if result.between.max() < THIN:
        second, height = f"{second}: too thin", 92
    above = ": ▲ above" if shared.max() > TOP else ""
    notes = [
        note(f"★ one r for all{above}", -0.5, 138, SHARED),
        note("DET-GD", -0.5, 108, DET),
        note(second, 4.45, height, RAN, xanchor="right"),
        note("E Var(Y | r)", 2.5, 38, RAN, xanchor="center"),
    ]
    names: dict[str, Any] = {"type": "category", "categoryarray": BARS}
    across = axis(-0.6, 5.6, "α / largest valid α", tick=1, **names)
    up = axis(0, TOP, "% of DET-GD's", tick=25)
    return Panel("Variance of Y, largest cell", across, up, marks, notes)


def _errors(result: Result, drawn: Band | None) -> Panel:
    """Draw errors of mining along α for the card of variance, in percent of what theory expects."""
    errors = [100 * result.relative(error) for error in result.tried]
    at, chosen = result.mined.in_gx, 100 * result.relative(result.chosen)
    marks: list[Mark] = []
    if drawn is not None:
        low, high = (100 * result.relative(error) for error in drawn)
        marks.append(band("draws", [0, 1], [low] * 2, [high] * 2, RAN, "90 % of draws"))
    marks += [
        line("expected", [0, 1], [100, 100], BLACK, "theory", dash="dash"),
        line("plain error", [0, 1], errors[:1] * 2, DET, "DET-GD"),
        joined_dots("error", TRIED, errors, RAN, STYLE.marker, says="RAN-GD", dash=STYLE.dash,
                    edge=2, ghost=True),
        dots("chosen error", [at], [chosen], RAN, "diamond", size=14, says="chosen α"),
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
    if not result.alpha.value:
        return "With α = 0 every client's r is 0: RAN-GD is DET-GD, draw by draw."
    stays = "With an r each the variance stays DET-GD's"
    if result.shared[-1] < 1.005:
        return f"{stays}; so small an α changes nothing else."
    return f"{stays}; with one r for all it is {in_words(result.shared[-1])} times that."


def _words(result: Result) -> str:
    """Say how the variance's terms cancel, what a shared r would do, and what mining sees of it."""
    p, alpha, mined = result.parameters, result.alpha, result.mined
    between, shared = result.between[-1], result.shared[-1]
    low, high = map(_percent, result.along)
    smaller = "; make n smaller" if p.domain_size > 100 else ""
    thin = f" (too little to be seen{smaller})" if between < THIN else ""
    beyond = ", above the panel" if 100 * shared > TOP else ""
    own = "" if mined.value else " (one and the same scheme now, with the same draws)"
    return say(
        f"In the largest of n = {p.domain_size:,} cells, with {result.largest_cell:,} of "
        f"{PEOPLE:,} people, Y has a standard deviation of {result.deviation:.3g}.",
        alpha.largest_in_gx < p.alpha
        and f"Here α can be at most {alpha.largest_in_gx:.2g} γx: a larger r would make an "
        "entry of the matrix negative.",
        alpha.value > 0
        and f"A random r takes {100 * between:.2g} % off the first variance term and adds the same "
        f"by the second{thin}: they cancel exactly. With one r shared by all clients the "
        f"variance would be {in_words(shared)} times DET-GD's{beyond}.",
        f"Mining CENSUS with α = {mined.in_gx:.2g} γx, the error at length {LENGTH} in "
        f"this draw is {_percent(result.chosen)} with RAN-GD and {_percent(result.plain)} with "
        f"DET-GD{own}; theory expects {_percent(result.expected)} for both. Along α it stays "
        f"between {low} and {high}: that is the luck of r, not α. "
        "The band, where 90 % of many draws lie, is the same for every α.",
    )


def _percent(value: float) -> str:
    return f"{value:,.0f} %" if value >= 1000 else f"{value:.3g} %"
