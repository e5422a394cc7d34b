"""From reports back to the data: X, Y and X̂, Theorem 1, and what mends the estimate."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from frapp_lab.explorers import controls
from frapp_lab.explorers.kit.card import Card, Number
from frapp_lab.explorers.kit.explorer import Groups, explorer
from frapp_lab.explorers.kit.words import count, say
from frapp_lab.explorers.models import reconstruction as model
from frapp_lab.explorers.models.reconstruction import AS_IT_IS, REPAIRS, Parameters, Result
from frapp_lab.figures.look import AFTER, BLACK, ESTIMATE, GREY, GRID, TRUTH, rounded, shade
from frapp_lab.figures.marks import Mark, Panel, axis, bars, dots, drags, line, note

FIRST = Parameters()
SHORT = dict(zip(REPAIRS, ("none", "clip", "projection", "EM"), strict=True))
SHARES = tuple(
    controls.Slider(
        f"x{value}", f"value {value} (%)", AS_IT_IS, AS_IT_IS, 100.0, 0.5,
        f"how many of all people have value {value}; –: as many as the data have",
        look="stepper", words=((AS_IT_IS, "–"),),
    )
    for value in range(1, model.BY_HAND + 1)
)  # fmt: skip
"""Where keys set what a hand drags in the figure."""

CONTROLS: Groups = {
    "Settings": [
        controls.Gamma(value=FIRST.gamma),
        controls.Slider("n", "domain size n", FIRST.n, 2, 60, 1, "how many values there are"),
        controls.Slider(
            "people", "people N", FIRST.people, 100, model.MOST_PEOPLE, 0.02,
            "how many people send a report", log=True, whole=True,
        ),
        controls.Choice(
            "shape", "data", model.SHAPES, FIRST.shape,
            "shape of the data: how the true counts are spread",
        ),
        controls.Choice(
            "repair", "repair", tuple((SHORT[r], r) for r in REPAIRS), FIRST.repair,
            "what is done to the estimate afterwards", look="buttons",
        ),
        controls.Seed(FIRST.seed),
    ],
    "Set X by hand": [controls.Several("by_hand", SHARES)],
    "More: ε": [controls.Breach()],
}  # fmt: skip
ROWS = {
    "taken": ("Y taken as X", AFTER, "circle"),
    "reports": ("reports Y, from E(Y)", AFTER, "line-ns-open"),
    "estimate": ("estimate X̂", ESTIMATE, "circle"),
    "bound": ("Theorem 1's bound", BLACK, "line-ns-open"),
    **{r: (f"repair: {SHORT[r]}", ESTIMATE, "diamond-open") for r in REPAIRS[1:]},
}
"""The errors from top to bottom: what they are called, their colour and their marker."""

NEAREST, FURTHEST = 0.1, 1000
"""The ends of the axis of errors, in percent: two decades to either side of a useful estimate."""

Band = dict[str, tuple[float, float]]


@explorer(CONTROLS, Parameters, model.bands)
def reconstruction(p: Parameters, band: Band | None = None) -> Card:
    """How wrong X̂ = A⁻¹Y is, what Theorem 1 allows, and what mends it (FRAPP §2.2 and §2.3)."""
    result = model.compute(p)
    negative, kappa = result.estimates["none"] < 0, f"{result.condition_number:,.4g}"
    what = "the estimate is off" if p.repair == "none" else f"off after {SHORT[p.repair]}"
    return Card(
        headline=_headline(result),
        numbers=[
            Number(_text(result.errors[p.repair]), what),
            Number(kappa, "condition number κ"),
            Number(str(negative.sum()), "raw estimates below zero", f"of {p.n}"),
        ],
        panels=[_counts(result), _errors(result, band)],
        words=_words(result),
        lines={
            "n": f"κ = 1 + n/(γ − 1) = {kappa}",
            "people": f"{_text(result.stay)} send their own value on purpose, the others any",
        },
        height=396,
        gap=0.08,
        layout={"margin": {"l": 54, "r": 66, "t": 46, "b": 44}, "barmode": "overlay"},
    )


# --- the figure -----------------------------------------------------------------------------------


def _counts(result: Result) -> Panel:
    """Draw people by value: the data X, the reports Y and the reconstructed X̂."""
    p, values = result.parameters, list(range(1, result.parameters.n + 1))
    says = "{}, value %{{x}}: %{{y:,.4~g}} people<extra></extra>".format
    look: dict[str, Any] = {"size": 7, "edge": 2, "hovertemplate": says("estimate X̂")}
    raw, is_raw = result.estimates["none"], p.repair == "none"
    low, high = -0.75 * result.scale, 1.75 * result.scale
    outline = {"line": {"color": TRUTH, "width": 1.5}}  # of full colour: seen on any paper
    truth = bars(
        "X", values, result.counts, shade(TRUTH, 0.2), "data X", width=0.86, marker=outline,
        hovertemplate=says("data X"),
    )  # fmt: skip
    held = [*(part.name for part in SHARES), *[""] * p.n][: p.n]
    marks = [
        drags(truth, held, "y", scale=[(0, p.people), (0, 100)]),
        bars("band", values, result.high - result.low, shade(ESTIMATE, 0.25), "9 of 10 draws",
             base=rounded(result.low), width=0.5, hoverinfo="skip"),
        dots("Y", values, result.reported, AFTER, "line-ew-open", says="reports Y",
             **look | {"hovertemplate": says("reports Y")}),
        dots("estimate", values, raw, ESTIMATE, says="estimate X̂",
             ghost=bool(low <= raw.min() and raw.max() <= high), **look)
        | {"opacity": 1.0 if is_raw else 0.4},
    ]  # fmt: skip
    if not is_raw:
        mended, look["says"] = result.estimates[p.repair], "X̂ after repair"
        look["hovertemplate"] = says(look["says"])
        marks.append(dots("mended", values, mended, ESTIMATE, "diamond", **look))
    zero = {"zeroline": True, "zerolinecolor": GREY, "zerolinewidth": 1.5}
    across = axis(0.4, p.n + 0.6, "value; pale: 9 of 10 draws", tick=1 if p.n <= 10 else 5)
    key = f"<br>▮ X truth ━ Y reports ● X̂ {'estimate' if is_raw else '◆ repaired'}"
    up = axis(low, high, "people", **zero)
    return Panel("People by value", across, up, marks, width=0.54, says=key)


def _errors(result: Result, band: Band | None) -> Panel:
    """Draw all errors of reconstruction in rows; one beyond the axis is a mark at its end."""
    repair, off = result.parameters.repair, result.off
    ends = [_on_axis(off["reports"]), _on_axis(off["bound"])]
    marks = [] if band is None else [_draws(band)]
    marks.append(
        line("times c", ends, [[*ROWS].index("bound")] * 2, BLACK, "× c", dash="dot", width=1.5)
    )
    words, beyond = [], []
    # What is left of a picture that is partly beyond its axis would look like an outlier.
    ghost = all(NEAREST <= 100 * off[row] <= FURTHEST for row in ROWS)
    for y, (row, (name, colour, symbol)) in enumerate(ROWS.items()):
        percent, number = 100 * off[row], _text(off[row])
        look: dict[str, Any] = {"says": name, "size": 11, "edge": 2, "ghost": ghost}
        look["hovertemplate"] = f"{name}: {number} off<extra></extra>"
        if not NEAREST <= percent <= FURTHEST:
            side = "right" if percent > FURTHEST else "left"
            beyond.append((_on_axis(off[row]), y, f"triangle-{side}"))
        elif row == repair:
            look["says"] = "chosen repair"
            marks.append(dots("chosen", [percent], [y], colour, "diamond", **look))
        else:
            marks.append(dots(f"off {row}", [percent], [y], colour, symbol, **look))
        if row == repair:
            name, number = f"<b>{name}</b>", f"<b>{number}</b>"
        at: dict[str, Any] = {"xref": "x domain", "size": 11}
        words.append(note(name, 0, y - 0.36, colour, **at))
        at |= {"xanchor": "right", "xshift": 62}  # beside the panel, where words stay in line
        words.append(note(number, 1, y - 0.36, colour, **at))
    if beyond:
        xs, ys, symbols = zip(*beyond, strict=True)
        marks.append(dots("beyond", xs, ys, BLACK, [*symbols], size=10))
    ticks = {"tickvals": [0.1, 1, 10, 100, 1000], "ticktext": ["0.1", "1", "10", "100", "1,000"]}
    across = axis(
        math.log10(NEAREST), math.log10(FURTHEST), "relative error in % (log)", type="log",
        showgrid=True, gridcolor=GRID, **ticks,
    )  # fmt: skip
    down = axis(len(ROWS) - 0.5, -0.6, showticklabels=False, showgrid=False, ticks="")
    says = "<br>← better; grey: 9 of 10 draws"
    return Panel("How far off", across, down, marks, words, width=0.46, says=says)


def _draws(band: Band) -> Mark:
    """Draw a bar behind each error of reconstruction: where it lies in nine of ten draws."""
    x = [v for row in ROWS for v in (*map(_on_axis, band[row]), None)]
    y = [v for place in range(len(ROWS)) for v in (place, place, None)]
    return line("draws", x, y, shade(GREY, 0.4), "9 of 10 draws", width=9, hoverinfo="skip")


def _on_axis(share: float) -> float:
    """Give the place of an error of reconstruction on its axis, which has no zero."""
    return min(max(100 * share, NEAREST), FURTHEST)


# --- words ----------------------------------------------------------------------------------------


def _headline(result: Result) -> str:
    """Say how far chance moves reports and reconstruction, or what the repair does."""
    repair, after = result.parameters.repair, _text(result.errors[result.parameters.repair])
    reports, actual, bound = map(_text, result.stages)
    if repair == "EM" and _is_idle(result):
        start = "In this draw EM has hardly left the uniform table where it starts"
        return f"{start}, and is {after} off."
    if repair != "none" and not result.mends:
        return f"In this draw {SHORT[repair]} has nothing to mend: X̂ stays {actual} off."
    if repair != "none":
        return f"In this draw {SHORT[repair]} takes the error of X̂ from {actual} to {after}."
    errors = f"In this draw chance moves Y by {reports}, X̂ by {actual}"
    if result.errors["none"] >= 1:
        return f"{errors}: that drowns the data."
    return f"{errors}; Theorem 1 allows {bound}."


def _words(result: Result) -> str:
    """Say Theorem 1 with its numbers, which estimates are negative, and what repairs do."""
    p, c = result.parameters, f"{result.condition_number:,.4g}"
    reports, actual, bound = map(_text, result.stages)
    return say(
        f"{p.people:,} people, {p.n} values, γ = {p.gamma:.4g}. The condition number is "
        f"1 + n/(γ − 1) = {c}. The reports Y lie {reports} off what was to be expected. "
        f"Theorem 1 lets the estimate X̂ be up to {c} times as far off: the bound is {bound}; "
        f"the error really made is {actual}.",
        p.gamma < 1.5
        and "So close to γ = 1 the columns of the matrix are almost equal: whatever the data "
        "are, the reports look alike. To tell them apart, the inverse must magnify small "
        "differences, and it magnifies chance just as much.",
        bool(result.set_by_hand)
        and f"Set by hand in X: {count(len(result.set_by_hand), 'value')}; the others make room.",
        _negatives(result),
        _repair(result),
        _is_idle(result)
        and f"In its {model.EM_STEPS} steps EM has hardly left the uniform table where it starts: "
        "its error says what the data are like, not what the reports taught.",
    )


def _negatives(result: Result) -> str:
    negative = result.estimates["none"] < 0
    noise = f"The standard deviation of an estimate is {_range(result.deviation)} people"
    if not negative.any():
        return f"{noise}; none of the {len(negative)} is negative in this draw."
    return (
        f"{noise}. Below zero: {negative.sum()} of {len(negative)} estimates, for values that "
        f"{_range(result.counts[negative])} people have. That is noise, not a bug: an estimate is "
        "right on average, so where people are few beside the noise it must fall too low about as "
        "often as too high."
    )


def _repair(result: Result) -> str:
    chosen, errors = result.parameters.repair, result.errors
    best = min(REPAIRS, key=lambda name: round(errors[name], 6))
    best = "X̂ without repair" if best == "none" else SHORT[best]
    listed = ", ".join(f"{SHORT[name]} {_text(errors[name])}" for name in REPAIRS)
    before, after = _text(errors["none"]), _text(errors[chosen])
    return say(
        chosen == "none" and "No repair is switched on.",
        chosen != "none"
        and not result.mends
        and f"The repair ({chosen}) has nothing to mend and leaves X̂ as it is.",
        chosen != "none"
        and result.mends
        and f"The repair ({chosen}) leaves no entry negative and keeps the total; it takes the "
        f"error from {before} to {after}. A mended estimate is no longer right on average.",
        f"Errors by repair: {listed}; the smallest here is that of {best}.",
    )


def _is_idle(result: Result) -> bool:
    """Tell whether EM on the card of reconstruction has learnt next to nothing."""
    return result.em_moved < 0.1 and not result.is_uniform


def _text(share: float) -> str:
    """Write an error of reconstruction, which may be many times the data."""
    percent = 100 * share if share > 1e-6 else 0
    return f"{percent:,.0f} %" if percent >= 100 else f"{percent:.3g} %"


def _range(values: np.ndarray) -> str:
    ends = float(values.min()), float(values.max())
    low, high = (f"{v:,.0f}" if v >= 100 or v == int(v) else f"{v:.3g}" for v in ends)
    return low if low == high else f"{low} to {high}"
