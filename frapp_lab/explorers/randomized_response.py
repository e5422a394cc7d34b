"""Warner's coin: one question, a noisy answer from each, and an estimate for all."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from frapp_lab.explorers import controls
from frapp_lab.explorers import randomized_response_words as wording
from frapp_lab.explorers.kit.card import Card
from frapp_lab.explorers.kit.explorer import explorer
from frapp_lab.explorers.models import randomized_response as model
from frapp_lab.explorers.models.randomized_response import SHOWN, TIMES, Parameters, Result
from frapp_lab.figures.look import AFTER, BLACK, CHANGED, ESTIMATE, GREY, GRID, KEPT, TRUTH, shade
from frapp_lab.figures.marks import Mark, Panel, area, axis, bars, dots, label, line, note

FIRST = Parameters()
CONTROLS = {
    "Settings": [
        controls.Slider(
            "coin", "truthful answer p (%)", round(100 * FIRST.coin), 50, 100, 1,
            "how probable heads are, and a truthful answer; on tails the opposite is said",
            percent=True, ends=("safer", "more exact"),
        ),
        controls.Slider(
            "truth", "truly “yes” (%)", round(100 * FIRST.truth), 0, 100, 1,
            "the true share, which nobody is told", percent=True,
        ),
        controls.Slider(
            "people", "people asked", FIRST.people, 10, model.MOST_PEOPLE, 0.02, "how many",
            log=True, whole=True,
        ),
        controls.Slider(
            "asked", "answered so far", FIRST.asked, 0, SHOWN, 1,
            "how many of the people drawn have tossed their coin and answered",
            words=((SHOWN, "all"),),
        ),
        controls.Slider(
            "repetitions", "repetitions shown", FIRST.repetitions, 1, TIMES, 1,
            "how many of 200 further askings have dropped into the histogram",
        ),
        controls.Button(
            "ask", "Play the asking", "let people toss their coins and answer one by one",
            "asked", seconds=0.4, in_bar=True,
        ),
        controls.Button(
            "drop", "Play the repetitions", "let the estimates drop into the histogram one by one",
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
LOW, HIGH = -10, 110
REACH = round(100 * model.REACH)
TOP = 64
"""How many estimates the tallest bar that fits has."""
BARE: dict[str, Any] = {"showticklabels": False, "showgrid": False}
LEFT, RIGHT = (0.0, 0.37), (0.45, 1.0)
KEY = 0.37
"""The share of the people's panel that is left for its key."""


@explorer(CONTROLS, Parameters)
def randomized_response(p: Parameters) -> Card:
    """People answer truthfully with probability p, else the opposite (Warner 1965; FRAPP §2.1)."""
    result = model.compute(p)
    gamma = "infinite" if p.coin == 1 else f"{result.gamma:.3g} · ε = {math.log(result.gamma):.3g}"
    return Card(
        headline=wording.headline(result),
        numbers=wording.numbers(result),
        panels=[_people(result), _shares(result), _repetitions(result)],
        words=wording.words(result),
        lines={"coin": f"γ = p/(1 − p) = {gamma}", "asked": wording.so_far(result)},
        height=410,
        layout={"margin": {"l": 24, "r": 10, "t": 30, "b": 44}, "bargap": 0},
    )


# --- the figure -----------------------------------------------------------------------------------


def _people(result: Result) -> Panel:
    """Draw each person's truth, coin and answer; of those not asked yet no answer, small."""
    p, grid, last = result.parameters, result.grid, result.last
    yes, says = result.is_yes[:SHOWN], result.says_yes[:SHOWN]
    there = np.arange(len(yes)) < result.n_asked
    # The shape is the truth, filled is a yes, the colour says whether the coin has changed it.
    kinds = [
        ("yes, says yes", yes & says, KEPT, "circle"),
        ("no, says no", ~yes & ~says, KEPT, "square-open"),
        ("yes, says no", yes & ~says, CHANGED, "circle-open"),
        ("no, says yes", ~yes & says, CHANGED, "square"),
    ]
    waiting = [("yes, not asked", yes, "circle-open"), ("no, not asked", ~yes, "square-open")]
    heads, tails = (f"{100 * share:.0f} %" for share in (p.coin, 1 - p.coin))
    key = [
        (f"<b>heads {heads}: the truth</b><br>● yes says yes □ no says no", KEPT),
        (f"<b>tails {tails}: the opposite</b><br>○ yes says no ■ no says yes", CHANGED),
    ]
    if p.hidden:
        kinds = [("says yes", says, AFTER, "circle"), ("says no", ~says, AFTER, "circle-open")]
        waiting = [("not asked", yes | ~yes, "circle-open")]
        key = [("● says yes", AFTER), ("○ says no", AFTER)]
    size = min(14, 160 / grid.n_rows)
    marks = [_crowd(result, name, who & there, ink, form, size) for name, who, ink, form in kinds]
    marks += [
        _crowd(result, name, who & ~there, GREY, form, size / 2) for name, who, form in waiting
    ]
    words = [_under(text, 0.21 - 0.145 * i, colour) for i, (text, colour) in enumerate(key)]
    if last is not None:
        at = [grid.column[last]], [grid.row[last]]
        ring: dict[str, Any] = {"size": 1.6 * size, "edge": 2.5, "hoverinfo": "skip"}
        marks.append(dots("last answer", *at, BLACK, "circle-open", **ring))
        kept = result.is_yes[last] == result.says_yes[last]
        colour = AFTER if p.hidden else KEPT if kept else CHANGED
        words.append(_under(f"<b>{wording.toss(result, last)[0]}</b>", 0.315, colour))
    for head, answer in zip(grid.heads, (True, False), strict=False):
        n, n_yes = wording.who(result, answer, SHOWN)
        text = f"{n} say {'yes' if answer else 'no'}"
        words.append(note(text + f", {n_yes} are “yes”" * (not p.hidden), -0.5, head, BLACK))
    title = f"First {SHOWN} of {p.people:,}" if p.people > SHOWN else f"All {p.people} people"
    if result.n_asked < p.people:
        title = f"{result.n_asked} of {len(yes)} have answered"
    side = axis(-0.7, grid.side - 0.3, showline=False, **BARE)
    down = axis((grid.n_rows + 0.4) / (1 - KEY) - 0.7, -0.7, showline=False, **BARE)
    return Panel(title, side, down, marks, words, place=(LEFT, (0, 1)))


def _crowd(
    result: Result, name: str, who: np.ndarray, colour: str, symbol: str, size: float
) -> Mark:
    """Draw those of the people who are of one kind; each says under the mouse who it is."""
    grid, these = result.grid, np.flatnonzero(who)
    says = [f"person {i + 1}: {name}" for i in these]
    look: dict[str, Any] = {"edge": 1.4, "hovertext": says, "hoverinfo": "text"}
    return dots(name, grid.column[these], grid.row[these], colour, symbol, size=size, **look)


def _under(text: str, y: float, colour: str) -> Mark:
    """Write a part of the key under the people."""
    return note(text, 0, y, colour, corner=True)


def _shares(result: Result) -> Panel:
    """Draw the share of yes in truth, in the randomized answers and by the estimate."""
    p, e, marks, words = result.parameters, result.estimate, [], []
    look: dict[str, Any] = {"size": 10, "edge": 1.4, "hoverinfo": "name+x"}
    if result.truth is None or result.answers is None:
        words.append(note("nobody has answered yet", 0, 2, AFTER))
    else:
        marks.append(dots("yes answers", [100 * result.answers], [2], AFTER, "square", ghost=True,
                          **look))  # fmt: skip
        words.append(label(f"answers {wording.percent(result.answers)}", marks[-1], xshift=10))
        if p.hidden:
            words.append(note("the truth is hidden", 0, 3, TRUTH))
        else:
            true = 100 * result.truth
            marks.append(dots("true share", [true], [3], TRUTH, "diamond", **look))
            words.append(label(f"truth {wording.percent(result.truth)}", marks[-1], xshift=10))
            marks.append(_upright("truth 1", true, 0.5, 3.6, "true share"))
    if e is not None:
        ends = [_inside(100 * edge, LOW, HIGH) for edge in e.band]
        marks += [
            _estimate("estimate", 100 * e.share, 1, LOW, HIGH, ghost=True, hoverinfo="name+x"),
            line("interval", ends, [1, 1], ESTIMATE, "90 % band", width=3, ghost=True,
                 hovertemplate="holds the truth in at least<br>90 of 100 draws<extra></extra>"),
        ]  # fmt: skip
        words.append(label(f"estimate {wording.percent(e.share)}", marks[-1], xshift=10))
    elif result.n_asked:
        words.append(note("no estimate: division by 0", 0, 1, ESTIMATE))
    title = f"Shares of “yes” {'in this draw' if result.n_asked == p.people else 'so far'}"
    across = axis(LOW, HIGH, tick=25, ticksuffix=" %", showgrid=True, gridcolor=GRID)
    says, place = "━ 90 % band" * (e is not None and p.coin < 1), (RIGHT, (0.6998, 1.0))
    return Panel(title, across, axis(0.5, 3.6, **BARE), marks, words, place=place, says=says)


def _repetitions(result: Result) -> Panel:
    """Draw how far off the estimated share of yes was in the repetitions with all people."""
    p, e, r = result.parameters, result.estimate, result.repetitions
    marks: list[Mark] = []
    if r is None:
        said = "At p = 50 % each answer is<br>a fair coin's toss: there is<br>nothing to estimate"
        words = [note(said, 0, 1, ESTIMATE, True, yanchor="top", align="left", xshift=4)]
        marks.append(_upright("truth 2", 0, 0, TOP / 2, "right"))  # axes need a mark to be drawn
    else:
        inside = np.abs(r.bins) <= model.REACH
        width, thin = float(f"{100 * r.width:.4g}"), {"line": {"width": 0}}
        sides = (
            (r.n_below, "◀ {} lower", -REACH, "left"),
            (r.n_above, "{} higher ▶", REACH, "right"),
        )
        words = [
            note(text.format(n), x, TOP, ESTIMATE, xanchor=side, yanchor="top")
            for n, text, x, side in sides
            if n
        ]
        if r.truth < model.REACH - 0.05 and not p.hidden:
            zero, ends = -100 * r.truth, [0, 0, TOP, TOP]
            marks.append(area("below 0", [-REACH, zero, zero, -REACH], ends, GREY, 0.2))
            words.append(note("below 0 %", -REACH, 0.8 * TOP, GREY, xshift=4))
        marks += [
            bars("repeated", 100 * r.bins[inside], r.counts[inside], shade(ESTIMATE, 0.65),
                 "estimates", width=width, marker=thin,
                 hovertemplate="%{y} estimates about %{x:+.1f} points off<extra></extra>"),
            line("curve", 100 * r.curve[0], r.curve[1], BLACK, "theory", dash="dash", width=1.5,
                 ghost=True, hoverinfo="name"),
            _upright("truth 2", 0, 0, TOP, "right"),
        ]  # fmt: skip
        if p.repetitions < TIMES:
            x, y = r.last
            marks.append(
                _estimate("last", 100 * x, min(y, TOP), -REACH, REACH, says="the last one")
            )
        if e is not None and not p.hidden:
            marks.append(_estimate("this draw", 100 * e.off, 0.9 * TOP, -REACH, REACH, ghost=True))
            words.append(label("this draw", marks[-1], xshift=10))
        too_high = ((x, n) for x, n in zip(r.bins, r.counts, strict=True) if n > TOP)
        words += [note(f"▲ {n}", 100 * x, 0.75 * TOP, ESTIMATE, xshift=6) for x, n in too_high]
    seen = f"{p.repetitions} of {TIMES}" if p.repetitions < TIMES else f"{TIMES}"
    ticks = {"tickvals": [-20, -10, 0, 10, 20], "ticktext": ["−20", "−10", "right", "+10", "+20"]}
    across = axis(-REACH, REACH, "points too low or too high", **ticks)
    title = f"How far off? {seen} repetitions"
    return Panel(title, across, axis(0, TOP, tick=20), marks, words, place=(RIGHT, (0.0, 0.4898)))


def _inside(x: float, low: float, high: float) -> float:
    """Give a share of yes, or the end of an axis that it lies beyond."""
    return min(max(x, low), high)


def _estimate(name: str, x: float, y: float, low: float, high: float, **look: Any) -> Mark:
    """Draw an estimated share of yes; one beyond the axis is a mark at its end."""
    symbol = "triangle-left" if x < low else "triangle-right" if x > high else "circle"
    return dots(name, [_inside(x, low, high)], [y], ESTIMATE, symbol, size=10, edge=1.4, **look)


def _upright(name: str, x: float, low: float, high: float, says: str) -> Mark:
    return line(name, [x, x], [low, high], TRUTH, says, dash="dot", width=1, hoverinfo="name")
