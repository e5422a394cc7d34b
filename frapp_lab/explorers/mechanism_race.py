"""Every registered mechanism at one γ: who errs least, and what that costs."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping
from typing import Any

from frapp_lab.explorers import controls
from frapp_lab.explorers.kit.card import Card, Number
from frapp_lab.explorers.kit.explorer import Groups, explorer
from frapp_lab.explorers.kit.words import in_words, plain, say
from frapp_lab.explorers.models import mechanism_race as model
from frapp_lab.explorers.models.leak import PEOPLE
from frapp_lab.explorers.models.mechanism_race import Parameters, Result
from frapp_lab.figures.look import AFTER, BEFORE, BLACK, GREY
from frapp_lab.figures.marks import LOG_AXIS, Mark, Panel, area, axis, dots, line, note
from frapp_lab.figures.styles import style_of
from frapp_lab.mechanisms.registry import schemes

FIRST = Parameters()
LOW, TOP = -2.0, 6.0
"""The powers of ten between which errors, gains and bits are shown."""
COSTS = {"poison": "people per liar", "bits": "bits per report"}
LETTER, LINE = 0.6, 0.08
"""How wide and how high letters are in the second panel, in powers of ten."""

Band = Mapping[str, tuple[float, float]]


def _controls() -> Groups:
    return {
        "Settings": [
            controls.Gamma(value=FIRST.gamma),
            controls.Slider(
                "thousands", "people N (thousands)", FIRST.thousands, 1, 100_000, 0.05,
                "how many thousand people send a report", log=True, whole=True,
            ),
            controls.DataSet(),
            controls.Slider(
                "length", "itemsets of length", FIRST.length, 0, 7, 1,
                "how long the frequent itemsets are whose supports are estimated", look="stepper",
                words=((0, "all"),),
            ),
            controls.Choice(
                "cost", "price", tuple(COSTS), FIRST.cost,
                "whether the second panel shows who can poison the survey, or how long reports are",
                look="buttons",
            ),
        ],
        "More: ε": [controls.Breach()],
    }  # fmt: skip


@explorer(_controls, Parameters, model.bands)
def mechanism_race(p: Parameters, band: Band | None = None) -> Card:
    """γ, N, the domain and the itemsets: error, leak, poison and bits of every mechanism."""
    result = model.compute(p)
    return Card(
        headline=_headline(result),
        numbers=_numbers(result),
        panels=[_errors(result, band or {}), _costs(result), _map(result)],
        words=_words(result),
        lines={
            "cells": f"{result.n_cells:,} cells",
            "length": f"{result.n_itemsets:,} frequent itemsets",
            "thousands": f"{p.n_records:,}, {in_words(p.n_records / result.n_cells)} per cell",
        },
    )


# --- the figure -----------------------------------------------------------------------------------


def _colour(label: str) -> str:
    return style_of(label).colour


def _place(value: float) -> float:
    """Give a number's place in the race's panels as a power of ten; beyond them it is the edge."""
    return min(max(math.log10(max(value, 10**LOW)), LOW), TOP)


def _in_order(result: Result) -> list[str]:
    """Give the schemes that run in the race in the order in which they are registered."""
    return [label for label in schemes(modern=True) if label in result.runners]


def _dot(name: str, label: str, x: float, y: float, says: str, **look: Any) -> Mark:
    """Draw a scheme's dot on the card of the race, at a power of ten across."""
    look |= {"size": 11, "edge": 2, "hovertemplate": f"{says}<extra>{plain(label)}</extra>"}
    marker = style_of(label).marker
    return dots(f"{name} {label}", [10**x], [y], _colour(label), marker, says=label, **look)


def _bar(
    name: str, x: Iterable, y: Iterable, colour: str, says: str, width: float, size: int, edge: dict
) -> Mark:
    """Draw a line between two upright tips beside the race's errors."""
    tips = {"symbol": "line-ns-open", "size": size, "line": edge}
    look: dict[str, Any] = {"mode": "lines+markers", "hoverinfo": "skip", "marker": tips}
    return line(name, x, y, colour, says, width=width, **look)


def _errors(result: Result, band: Band) -> Panel:
    """Draw a row for each scheme in the race, the best first; those that cannot run come last."""
    rows = {label: row for row, label in enumerate([*result.runners, *result.problems], 1)}
    marks, notes, xs, ys = [], [], [], []
    for label in filter(band.get, _in_order(result)):
        place, colour = (band[label], [rows[label]] * 2), _colour(label)
        bar = _bar(f"draws {label}", *place, colour, label, 9, 13, {"width": 3, "color": colour})
        marks.append(bar | {"opacity": 0.45})
    for label, runner in result.runners.items():
        at, row = _place(runner.error), rows[label]
        if runner.floor:
            xs += [10 ** _place(runner.floor), 10**at, None]
            ys += [row, row, None]
        left = at > TOP - 3 and not runner.floor  # where there is room, and no line
        side: dict[str, Any] = {"xshift": -9, "xanchor": "right"} if left else {"xshift": 9}
        notes.append(note(_percent(runner.error), at, row, _colour(label), **side))
    notes += [note(plain(why), -1.9, rows[s], GREY) for s, (_, why) in result.problems.items()]
    marks.append(_bar("floor", xs, ys, BLACK, "the model's own error", 1.5, 9, {"width": 2}))
    for label in _in_order(result):
        at = _place(result.runners[label].error)
        marks.append(_dot("error", label, at, rows[label], "%{x:.3g} %"))
    names: dict[str, Any] = {"ticktext": [*map(plain, rows)], "tickfont": {"size": 10}}
    y = axis(len(rows) + 0.6, 0.4, showgrid=False, tickvals=[*rows.values()], **names)
    x = LOG_AXIS | axis(LOW, TOP, "% of the support", tick=2)
    return Panel("Error of a support", x, y, marks, notes, 1.25)


def _costs(result: Result) -> Panel:
    """Draw what a report of each scheme in the race gives away against the price."""
    cost, blind = result.parameters.cost, 100 * result.blind
    places = {
        label: (_place(runner.gain if cost == "poison" else runner.bits), 100 * runner.leak)
        for label, runner in result.runners.items()
    }
    says = "guessed %{y:.3g} %<br>%{x:.3g}"
    marks = [_dot("cost", s, *places[s], says, ghost=True) for s in _in_order(result)]
    look: dict[str, Any] = {"dash": "dash", "width": 1.5, "says": "guessed without a report"}
    marks.append(line("blind", [10**LOW, 10**TOP], [blind] * 2, BEFORE, **look))
    corner: dict[str, Any] = {"xref": "x domain", "xanchor": "right", "yanchor": "top"}
    words = note("┄ without a report", 1, math.log10(blind), BEFORE, **corner)
    shares = [1, 2, 5, 10, 20, 50, 100]
    y = axis(0.3, 2.07, type="log", tickvals=shares, ticksuffix=" %")
    x = LOG_AXIS | axis(LOW, TOP, COSTS[cost], tick=2)
    return Panel("Records guessed", x, y, marks, [*_prices(places, blind), words])


def _prices(places: Mapping[str, tuple[float, float]], blind: float) -> list[Mark]:
    """Write the racing schemes' names beside their dots, where they hide no other dot or name."""
    at = {label: (x, math.log10(leak)) for label, (x, leak) in places.items()}
    # Below the dots stand the words on the blind guess.
    taken, notes = [(0.0, TOP, math.log10(blind) - LINE / 2)], []
    for label, (x, y) in at.items():
        wide = LETTER * len(label)
        others = [(a - 0.3, a + 0.3, b) for a, b in at.values() if abs(a - x) >= 0.4]
        for side, shift, left, right in (
            ("left", 9, x + 0.5, x + wide),
            ("right", -9, x - wide, x - 0.5),
        ):
            hides = (abs(b - y) < LINE and a < right and left < z for a, z, b in taken + others)
            if left > LOW - 0.2 and right < TOP + 0.5 and not any(hides):
                taken.append((left, right, y))
                notes.append(note(plain(label), x, y, _colour(label), xanchor=side, xshift=shift))
                break
    return notes


def _map(result: Result) -> Panel:
    """Draw the race's map: the scheme best in one cell, by domain size and γ, and this setting."""
    n, gamma = result.n_cells, result.parameters.gamma
    regions = ("diagonal", "DET-GD", 0.22), ("subset", "SS", 0.32), ("unary", "SS", 0.16)
    marks = [area(name, *model.MAP[name], _colour(s), pale) for name, s, pale in regions]
    for name, dash in (("2γ + 1", "solid"), ("3γ + 2", "dash")):
        look: dict[str, Any] = {"dash": dash, "width": 1.5, "hoverinfo": "skip"}
        marks.append(line(name, *model.MAP[name], BLACK, f"n = {name}", **look))
    star: dict[str, Any] = {"size": 15, "says": "you are here", "ghost": True}
    marks.append(dots("here", [n], [gamma], AFTER, "star", **star))
    x, y = math.log10(n), math.log10(gamma)
    right: dict[str, Any] = {"xanchor": "right"}
    region = 0.3 if y > 1.5 else 1.85  # out of the star's way
    words = [
        note("DET-GD", 0.4, 3.15, _colour("DET-GD")),
        note("SS,<br>OUE next", 4.2, region, _colour("SS"), align="right", **right),
        note("γ", 0, 0.98, BLACK, corner=True, xshift=-5, **right),
        note("n = 2γ + 1", 2.5, 2.35, BLACK, **right),
        note("n = 3γ + 2", 1.6, 0.75, BLACK),
        note("here", x, y, AFTER, xanchor="center", yshift=-15 if y > 0.4 else 15),
    ]
    across, up = LOG_AXIS | axis(0.3, 4.3, "cells n"), LOG_AXIS | axis(-0.12, 3.3)
    return Panel("Best in one cell", across, up, marks, words)


# --- numbers and words ----------------------------------------------------------------------------


def _percent(value: float) -> str:
    """Write percent on the card of the race, however large or small."""
    if value > 1e15:
        return "over 10¹⁵ %"
    return f"{in_words(value)} %" if value >= 0.01 else "less than 0.01 %"


def _headline(result: Result) -> str:
    """Say who wins the race, and by how much over the paper's scheme."""
    name, best, paper = result.best, result.runners[result.best], result.runners.get("DET-GD")
    which = f" at length {result.length}" if result.length else ""
    other = f", where DET-GD has {_percent(paper.error)}" if paper and paper is not best else ""
    rest = "; more people would not help much" if best.floor > best.error / 2 else ""
    return f"{name} errs least{which}: {_percent(best.error)}{other}{rest}."


def _numbers(result: Result) -> list[Number]:
    """Give the error of the race's winner, its leak, and a liar's weight or the bits."""
    name, best = result.best, result.runners[result.best]
    own = f"of it the model's {_percent(best.floor)}" if best.model else ""
    price = Number(in_words(best.gain), f"people a liar counts for, {name}")
    if result.parameters.cost == "bits":
        price = Number(in_words(best.bits), f"bits in a report, {name}")
    blind = f"blind {_percent(100 * result.blind)}"
    return [
        Number(_percent(best.error), f"error, {name}", own),
        Number(_percent(100 * best.leak), f"guessed from a report, {name}", blind),
        price,
    ]


def _words(result: Result) -> str:
    """Say the race's ranking, what the winner takes for granted and gives away, and the map."""
    p, runners, best = result.parameters, result.runners, result.runners[result.best]
    ranks = "; ".join(f"{s} {_percent(r.error)}" for s, r in runners.items())
    low, high = _ends({s: r.leak for s, r in runners.items() if not r.tried})
    least, most = _ends({s: r.gain for s, r in runners.items()})
    tried = " and ".join(s for s, r in runners.items() if r.tried)
    two, three = model.selection_wins(p.gamma), model.unary_wins(p.gamma)
    return say(
        f"{result.name}, {result.n_cells:,} cells, {p.n_records:,} people, γ = {p.gamma:.4g}. "
        f"Mean relative error of the {result.n_itemsets:,} frequent itemsets"
        f"{f' of length {result.length}' if result.length else ''}, by theory: {ranks}.",
        *(f"{s} cannot do it here: {why}." for s, (why, _) in result.problems.items()),
        bool(best.model)
        and f"{result.best} takes for granted that {best.model}: this alone makes "
        f"{_percent(best.floor)}, the rest is noise, which falls with the root of N.",
        not best.model
        and f"{result.best} takes nothing for granted about the data: all of its error is noise, "
        "which falls with the root of N.",
        "All keep the same γ, and yet an attacker who knows such data guesses a record from its "
        f"report in {_percent(100 * runners[low].leak)} ({low}) to "
        f"{_percent(100 * runners[high].leak)} ({high}) of all cases; without a report in "
        f"{_percent(100 * result.blind)}.",
        tried and f"How often with {tried} was tried on {PEOPLE} people.",
        "One liar who sends the best report that is known, and looks honest, to lift the itemset "
        f"{', '.join(result.target)} counts for {in_words(runners[least].gain)} people under "
        f"{least} and for {in_words(runners[most].gain)} under {most}.",
        "For a single rare cell and no model, DET-GD has the least noise up to n = 2γ + 1 = "
        f"{two:,.4g} cells, and subset selection beyond; OUE passes DET-GD at n = 3γ + 2 = "
        f"{three:,.4g}.",
        any(r.model for r in runners.values())
        and "The thin lines begin at the models' own errors. Where errors are large, theory makes "
        "those of schemes with a model too high, since it does not know that negative estimates "
        "are mended: the pale bars show real draws.",
    )


def _ends(values: Mapping[str, float]) -> tuple[str, str]:
    """Name the schemes in the race that have the least and the most."""
    return min(values, key=values.__getitem__), max(values, key=values.__getitem__)
