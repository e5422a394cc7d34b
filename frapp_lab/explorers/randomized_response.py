"""Warner's coin: one question, a noisy answer from each, and an estimate for all."""

from __future__ import annotations

import math
from typing import Any

from frapp_lab.explorers import controls
from frapp_lab.explorers.kit.card import Card, Number
from frapp_lab.explorers.kit.explorer import explorer
from frapp_lab.explorers.kit.words import say
from frapp_lab.explorers.models import randomized_response as model
from frapp_lab.explorers.models.randomized_response import SHOWN, TIMES, Parameters, Result
from frapp_lab.figures.look import AFTER, BLACK, CHANGED, ESTIMATE, GRID, KEPT, TRUTH, shade
from frapp_lab.figures.marks import Mark, Panel, axis, bars, dots, line, note

FIRST = Parameters()
CONTROLS = {
    "Settings": [
        controls.Slider(
            "coin", "truthful answer p (%)", round(100 * FIRST.coin), 50, 100, 1,
            "how probable a truthful answer is; otherwise the opposite is said", percent=True,
        ),
        controls.Slider(
            "truth", "people who are “yes” (%)", round(100 * FIRST.truth), 0, 100, 1,
            "the true share, which nobody is told", percent=True,
        ),
        controls.Slider(
            "people", "people asked", FIRST.people, 10, model.MOST_PEOPLE, 0.02, "how many",
            log=True, whole=True,
        ),
        controls.Slider(
            "repetitions", "repetitions shown", FIRST.repetitions, 1, TIMES, 1,
            "how many of 200 further askings have dropped into the histogram",
        ),
        controls.Button(
            "drop", "Play", "let the estimates drop into the histogram one by one",
            "repetitions", seconds=0.15, in_bar=True,
        ),
        controls.Switch(
            "by_answer", "sort by answer", FIRST.by_answer,
            "those who say yes stand first, those who say no below", in_bar=True,
        ),
        controls.Switch(
            "hidden", "the miner’s view", FIRST.hidden,
            "show what the miner sees: answers, and nobody's truth", in_bar=True,
        ),
        controls.Seed(FIRST.seed),
    ],
}  # fmt: skip
LOW, HIGH = (100 * edge for edge in model.AXIS)
SHARES = axis(LOW, HIGH, tick=50, ticksuffix=" %", showgrid=True, gridcolor=GRID)
BARE: dict[str, Any] = {"showticklabels": False, "showgrid": False}
LEFT, RIGHT = (0.0, 0.3276), (0.4176, 1.0)
TOP = 64
"""How many estimates the tallest bar that fits has."""

GLYPHS = {"circle": "●", "circle-open": "○", "square": "■", "square-open": "□"}


@explorer(CONTROLS, Parameters)
def randomized_response(p: Parameters) -> Card:
    """People answer truthfully with probability p, else the opposite (Warner 1965; FRAPP §2.1)."""
    result = model.compute(p)
    gamma = "infinite" if p.coin == 1 else f"{result.gamma:.3g} · ε = {math.log(result.gamma):.3g}"
    return Card(
        headline=_headline(result),
        numbers=_numbers(result),
        panels=[_people(result), _shares(result), _repetitions(result)],
        words=_words(result),
        lines={"coin": f"γ = p/(1 − p) = {gamma}"},
        height=400,
        layout={"margin": {"l": 10, "r": 10, "t": 30, "b": 44}, "bargap": 0},
    )


# --- the figure -----------------------------------------------------------------------------------


def _people(result: Result) -> Panel:
    """Draw each of the people who answer yes or no; of the truth only what is not hidden."""
    p, grid = result.parameters, result.grid
    yes, says = result.is_yes[:SHOWN], result.says_yes[:SHOWN]
    # The shape is the truth, filled is a yes, the colour says whether the coin has changed it.
    kinds = [
        ("yes, says yes", yes & says, KEPT, "circle"),
        ("yes, says no", yes & ~says, CHANGED, "circle-open"),
        ("no, says yes", ~yes & says, CHANGED, "square"),
        ("no, says no", ~yes & ~says, KEPT, "square-open"),
    ]
    if p.hidden:
        kinds = [("says yes", says, AFTER, "circle"), ("says no", ~says, AFTER, "circle-open")]
    look: dict[str, Any] = {"size": min(14, 115 / grid.side), "edge": 1.4, "hoverinfo": "name"}
    marks, words = [], []
    for i, (name, who, colour, symbol) in enumerate(kinds):
        marks.append(dots(name, grid.column[who], grid.row[who], colour, symbol, **look))
        key, below = f"{GLYPHS[symbol]} {name}", -0.01 - 0.066 * i
        words.append(note(key, 0, below, colour, corner=True, yanchor="top"))
    for head, answer in zip(grid.heads, (True, False), strict=False):
        n, n_yes = _who(result, answer, SHOWN)
        text = f"{n} say {'yes' if answer else 'no'}"
        words.append(note(text + f", {n_yes} are “yes”" * (not p.hidden), -0.5, head, BLACK))
    title = f"First {SHOWN} of {p.people:,}" if p.people > SHOWN else f"All {p.people} people"
    across = axis(-0.7, grid.side - 0.3, showline=False, **BARE)
    down = axis(grid.n_rows - 0.3, -0.7, showline=False, **BARE)
    return Panel(title, across, down, marks, words, place=(LEFT, (0.21, 1)))


def _shares(result: Result) -> Panel:
    """Draw the share of yes in truth, in the randomized answers and by the estimate."""
    e, answers = result.estimates, 100 * result.answers
    true = None if result.parameters.hidden else 100 * result.truth
    look: dict[str, Any] = {"size": 10, "edge": 1.4, "hoverinfo": "name+x"}
    marks = [dots("yes answers", [answers], [2], AFTER, "square", ghost=True, **look)]
    words = [_beside(f"answers {_percent(result.answers)}", 2, AFTER, true, answers, answers)]
    if e is None:
        words.append(_beside("no estimate: division by 0", 1, ESTIMATE, true, LOW, HIGH))
    else:
        low, high = (100 * edge for edge in e.band)
        marks += [
            _estimate("estimate", 100 * e.estimate, 1, ghost=True, hoverinfo="name+x"),
            line("interval", [low, high], [1, 1], ESTIMATE, "90 % of draws", width=3,
                 hoverinfo="name+x", ghost=True),
        ]  # fmt: skip
        words.append(_beside(f"estimate {_percent(e.estimate)}", 1, ESTIMATE, true, low, high))
    if true is None:
        words.append(_beside("the truth is hidden", 3, TRUTH, true, LOW, HIGH))
    else:
        marks += [dots("true share", [true], [3], TRUTH, "diamond", **look)]
        marks += [_truth("truth 1", true, 0.5, 3.6)]
        words.append(_beside(f"truth {_percent(result.truth)}", 3, TRUTH, true, true, true))
    title, up = "Shares of “yes” in this draw", axis(0.5, 3.6, **BARE)
    return Panel(title, SHARES, up, marks, words, place=(RIGHT, (0.6998, 1.0)))


def _repetitions(result: Result) -> Panel:
    """Draw the share of yes estimated in the repetitions, and how many lie beyond the axis."""
    p, e, marks = result.parameters, result.estimates, []
    if e is None:
        said = "At p = 50 % each answer is<br>a fair coin's toss: there is<br>nothing to estimate"
        words = [note(said, 50, TOP / 2, ESTIMATE, xanchor="center")]
    else:
        inside = (e.bins >= LOW / 100) & (e.bins <= HIGH / 100)
        width, thin = float(f"{100 * e.width:.4g}"), {"line": {"width": 0}}
        pale = shade(ESTIMATE, 0.45)
        marks = [
            bars("repeated", 100 * e.bins[inside], e.counts[inside], pale, "estimates",
                 width=width, marker=thin),
            line("curve", 100 * e.curve[0], e.curve[1], ESTIMATE, "theory", dash="dash", width=1.5,
                 ghost=True),
        ]  # fmt: skip
        if p.repetitions < TIMES:
            x, y = e.last
            marks.append(_estimate("last", 100 * x, min(y, TOP), says="the last one"))
        if not p.hidden:
            marks.append(_truth("truth 2", 100 * result.truth, 0, TOP))
        sides = (e.n_below, "◀ {} below", LOW, "left"), (e.n_above, "{} above ▶", HIGH, "right")
        words = [
            note(text.format(n), x, TOP, ESTIMATE, xanchor=side, yanchor="top")
            for n, text, x, side in sides
            if n
        ]
        too_high = ((x, n) for x, n in zip(e.bins, e.counts, strict=True) if n > TOP)
        words += [note(f"▲ {n}", 100 * x, 0.92 * TOP, ESTIMATE, xshift=6) for x, n in too_high]
    seen = f"{p.repetitions} of {TIMES}" if p.repetitions < TIMES else f"Estimates of {TIMES}"
    across, up = axis(title="estimated share of “yes”", **SHARES), axis(0, TOP, tick=20)
    return Panel(f"{seen} repetitions", across, up, marks, words, place=(RIGHT, (0.0, 0.4898)))


def _estimate(name: str, x: float, y: float, **look: Any) -> Mark:
    """Draw an estimated share of yes; one beyond the axis is a mark at its end."""
    symbol = "triangle-left" if x < LOW else "triangle-right" if x > HIGH else "circle"
    return dots(name, [min(max(x, LOW), HIGH)], [y], ESTIMATE, symbol, size=10, edge=1.4, **look)


def _truth(name: str, true: float, low: float, high: float) -> Mark:
    return line(name, [true, true], [low, high], TRUTH, "true share", dash="dot", width=1)


def _beside(text: str, y: int, colour: str, true: float | None, low: float, high: float) -> Mark:
    """Write words beside a share of yes from `low` to `high`, clear of the line at the truth."""
    wide = 3.8 * len(text)
    for x, end, side in ((high, high + wide, "left"), (low, low - wide, "right")):
        crosses = true is not None and min(x, end) < true < max(x, end)
        if LOW <= end <= HIGH and not crosses:
            shift = 12 if side == "left" else -12
            return note(text, x, y, colour, xanchor=side, xshift=shift)
    at = 0 if true is None else true
    side, shift = ("left", 5) if at <= 50 else ("right", -5)
    return note(text, at, y, colour, xanchor=side, xshift=shift, yshift=12)


# --- words ----------------------------------------------------------------------------------------


def _headline(result: Result) -> str:
    p, e = result.parameters, result.estimates
    n_yes, n_both = _who(result, True)
    if e is None:
        return "At p = 50 % every answer is a coin's toss: there is nothing to estimate."
    if p.coin == 1:
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


def _numbers(result: Result) -> list[Number]:
    e, chance, hidden = result.estimates, result.posterior, result.parameters.hidden
    gamma = "∞" if math.isinf(result.gamma) else f"{result.gamma:.3g}"
    truth = "hidden" if hidden else _percent(result.truth)
    given_away = Number("–" if chance is None else _percent(chance), "chance that a yes is true")
    if hidden:  # the chance would tell the true share
        given_away = Number(gamma, "γ, what one answer gives away")
    return [
        Number(_percent(e.estimate) if e else "none", "estimate in this draw", f"truth {truth}"),
        Number(f"{100 * e.deviation:.1f}" if e else "∞", "its standard deviation", "points"),
        given_away,
    ]


def _words(result: Result) -> str:
    """Say what is seen of the randomized answers, of the estimate and of the repetitions."""
    p, e = result.parameters, result.estimates
    (n_yes, n_both), answers = _who(result, True), _percent(result.answers)
    share = f"({_percent(n_both / n_yes)})" if n_yes else ""
    others = "; the coin made the others say it" if n_both < n_yes else ""
    return say(
        p.hidden
        and f"The miner's view: {n_yes:,} of {p.people:,} people say yes, {answers}. All who gave "
        "the same answer look alike; who told the truth, and the true share, are hidden.",
        not p.hidden
        and f"{result.is_yes.sum():,} of {p.people:,} people are “yes”: {_percent(result.truth)}. "
        f"{answers} of the answers are yes.",
        not p.hidden
        and n_yes > 0
        and f"Of the {n_yes:,} who say yes {n_both:,} are “yes” {share}{others}.",
        e is None
        and "At p = 50 % each answer is a fair coin's toss, whoever gives it: half are yes on "
        "average, whatever the truth. There is no estimate, because it would divide by 2p − 1, "
        "which is zero. One answer gives away nothing (γ = 1), nor do all of them.",
        e is not None and _about(e, result),
        e is not None
        and p.coin < 1
        and f"What one answer gives away: “yes” is γ = {result.gamma:.4g} times as likely from a "
        "person who is “yes” as from one who is not. The paper's γ = 19 is a coin of 95 %.",
        p.coin == 1
        and "Everybody tells the truth: nothing is hidden, and γ = p/(1 − p) is infinite.",
    )


def _about(e: model.Estimates, result: Result) -> str:
    """Say how near the estimates from randomized answers come."""
    p, (low, high) = result.parameters, map(_percent, e.band)
    how = "" if p.hidden else f", {_off(e, result)}"
    return say(
        "From the answers the estimate is (answers − (1 − p))/(2p − 1) = "
        f"{_percent(e.estimate)}{how}; its standard deviation is {100 * e.deviation:.1f} points.",
        p.coin < 1
        and f"In at least 90 of 100 draws such a band ({low} to {high}) holds the truth.",
        not -1e-9 <= e.estimate <= 1 + 1e-9
        and f"An estimate {'below 0' if e.estimate < 0 else 'above 100'} % is noise, no error: the "
        "coins fell unevenly. Cutting such estimates off would spoil their average.",
        p.coin <= 0.6
        and "So close to a fair coin the answers' noise is multiplied by "
        f"1/(2p − 1) = {1 / (2 * p.coin - 1):.3g}.",
        p.coin < 1
        and f"Of {p.repetitions} repetitions {e.n_near} come within two standard deviations of the "
        f"truth, from {_percent(e.repeated.min())} to {_percent(e.repeated.max())} in all.",
        e.n_below + e.n_above > 0 and f"{e.n_below + e.n_above} of them lie beyond the panel.",
    )


def _who(result: Result, answer: bool, first: int | None = None) -> tuple[int, int]:
    """Count those who give an answer, of all or of the first ones, and who of them are "yes"."""
    these = result.says_yes[:first] == answer
    return int(these.sum()), int(result.is_yes[:first][these].sum())


def _percent(share: float) -> str:
    """Write a share of yes answers or its estimate, which may lie below zero."""
    return f"{round(100 * share, 1) + 0.0:.1f} %".replace("-", "−")


def _off(e: model.Estimates, result: Result) -> str:
    off = round(100 * (e.estimate - result.truth), 1)
    return f"{abs(off):.1f} points too {'high' if off > 0 else 'low'}" if off else "which is right"
