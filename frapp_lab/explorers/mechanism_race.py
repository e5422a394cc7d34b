"""Every registered mechanism at one γ: who errs least, and what that costs."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple

from frapp_lab.explorers import controls
from frapp_lab.explorers.kit.card import Card, Number
from frapp_lab.explorers.kit.explorer import Groups, explorer
from frapp_lab.explorers.kit.words import in_words, plain, say
from frapp_lab.explorers.models import mechanism_race as model
from frapp_lab.explorers.models.leak import PEOPLE
from frapp_lab.explorers.models.mechanism_race import Parameters, Result
from frapp_lab.figures.look import AFTER, BEFORE, BLACK, GREY, GRID
from frapp_lab.figures.marks import Mark, Panel, area, axis, dots, label, line, note
from frapp_lab.figures.styles import style_of

FIRST = Parameters()


class View(NamedTuple):
    """What the race shows of each scheme: a button, a title, an axis in powers of ten, its name."""

    button: str
    title: str
    low: float
    high: float
    ticks: Mapping[float, str]
    across: str
    unit: str = ""


VIEWS = {
    "error": View("error", "Mean error", -1, 6,
                  {0.1: "0.1 %", 1: "", 10: "10 %", 100: "", 1e3: "1,000 %", 1e4: "",
                   1e5: "10⁵ %", 1e6: ""},
                  "of a support, log scale<br>├ from the model's part · pale: real draws", " %"),
    "leak": View("guessed", "Guessed", 0, 2,
                 {tick: f"{tick} %" for tick in (1, 2, 5, 10, 20, 50, 100)},
                 "records guessed, log scale", " %"),
    "gain": View("liars", "People per liar", -1, 6,
                 {0.1: "", 1: "1", 10: "", 100: "100", 1e3: "", 1e4: "10⁴", 1e5: "", 1e6: "10⁶"},
                 "people that one liar counts for, log scale"),
    "bits": View("bits", "Bits in a report", 0, 4.5,
                 {1: "1", 10: "10", 100: "100", 1e3: "1,000", 1e4: "10⁴"}, "bits, log scale"),
}  # fmt: skip
BUTTONS = *((view.button, name) for name, view in VIEWS.items()), ("map", "map")

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
                "shown", "show", BUTTONS, FIRST.shown,
                "by what the schemes are ranked; or, on a map, which is best in one cell",
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
        numbers=_numbers(result, result.best),
        numbers_of={scheme: _numbers(result, scheme) for scheme in result.runners},
        panels=[_map(result) if p.shown == "map" else _ranking(result, band or {})],
        words=_words(result),
        lines={
            "cells": f"{result.n_cells:,} cells",
            "length": f"{result.n_itemsets:,} frequent itemsets",
            "thousands": f"{p.n_records:,}, {in_words(p.n_records / result.n_cells)} per cell",
        },
        height=422,
        layout={"margin": {"l": 58, "r": 16 if p.shown == "map" else 96, "t": 30, "b": 58}},
    )


# --- the figure -----------------------------------------------------------------------------------


def _ranking(result: Result, band: Band) -> Panel:
    """Draw a row for each scheme in the race, always the same one, and write its rank beside it."""
    name = result.parameters.shown
    view, values = VIEWS[name], result.measured(name)
    ranks, (rows, headings) = _ranks(values, view), model.rows()
    bottom = max(rows.values()) + 0.6
    ends, best = [10**view.low, 10**view.high], rows[result.best]
    edges = [best - 0.5, best - 0.5, best + 0.5, best + 0.5]
    marks = [area("winner", ends + ends[::-1], edges, style_of(result.best).colour, 0.16)]
    notes = [
        note(plain(why), 0.02, rows[scheme], GREY, xref="x domain")
        for scheme, (_, why) in result.problems.items()
    ]
    notes += [note(text, 0.01, at, GREY, xref="x domain", size=10) for text, at in headings]
    if name == "leak":
        blind = [100 * result.blind] * 2
        look: dict[str, Any] = {"dash": "dash", "width": 1.5, "hoverinfo": "skip"}
        marks.append(line("blind", blind, [0.4, bottom], BEFORE, **look))
        notes.append(label("without a report", marks[-1], 0, colour=BEFORE, xshift=5) | {"y": 0.6})
    for scheme in (scheme for scheme in rows if scheme in values):
        row, style = rows[scheme], style_of(scheme)
        group: dict[str, Any] = {"says": scheme, "legendgroup": scheme}
        said = own = _written(values[scheme], view)
        if name == "error":
            marks += _model_and_draws(result, scheme, row, band)
            floor = result.runners[scheme].floor
            own += f" ({_percent(floor)} by the model alone)" if floor else ""
        # What is beyond stands at the edge, as an arrow.
        place = min(max(values[scheme], ends[0]), ends[1])
        arrow = "arrow-right" if values[scheme] > place else "arrow-left"
        symbol = style.marker if values[scheme] == place else arrow
        hover = f"{plain(scheme)}: {own}, rank {ranks[scheme]}<extra></extra>"
        marks.append(
            dots(f"{name} {scheme}", [place], [row], style.colour, symbol, size=11, edge=2,
                 hovertemplate=hover, ghost=True, **group)
        )  # fmt: skip
        colour, bold = (style.colour, "<b>{}</b>") if row == best else (BLACK, "{}")
        text = f"{ranks[scheme]} · {said}".replace(" × ", "×").replace("over ", "> ")
        aside: dict[str, Any] = {"xref": "x domain", "xshift": 6, "size": 11}
        notes.append(note(bold.format(text), 1, row, colour, **aside))
    names: dict[str, Any] = {"tickvals": [*rows.values()], "ticktext": [*map(plain, rows)]}
    x: dict[str, Any] = {"tickvals": [*view.ticks], "ticktext": [*view.ticks.values()]}
    x |= {"showgrid": True, "gridcolor": GRID, "tickfont": {"size": 10}, "type": "log"}
    across = axis(view.low, view.high, view.across, **x)
    return Panel(
        view.title, across, axis(bottom, 0.4, **names), marks, notes, says="← less is better"
    )


def _model_and_draws(result: Result, scheme: str, row: float, band: Band) -> list[Mark]:
    """Draw beside an error in the race the part that is the model's, and a bar of real draws."""
    runner, colour, marks = result.runners[scheme], style_of(scheme).colour, []
    low, high = VIEWS["error"].low, VIEWS["error"].high
    look: dict[str, Any] = {"mode": "lines+markers", "hoverinfo": "skip", "legendgroup": scheme}
    if scheme in band:
        tips = {"symbol": "line-ns-open", "size": 15, "line": {"width": 3, "color": colour}}
        draws = line(
            f"draws {scheme}", band[scheme], [row] * 2, colour, width=9, marker=tips, **look
        )
        marks.append(draws | {"opacity": 0.45})
    if runner.floor:
        tips = {"symbol": "line-ns-open", "size": [11, 0], "line": {"width": 2}}
        ends = [max(runner.floor, 10**low), min(runner.error, 10**high)]
        marks.append(
            line(f"floor {scheme}", ends, [row] * 2, BLACK, width=1.5, marker=tips, **look)
        )
    return marks


def _map(result: Result) -> Panel:
    """Draw the race's map: the scheme best in one cell, by domain size and γ, and this setting."""
    regions = ("diagonal", "DET-GD", 0.22), ("subset", "SS", 0.32), ("unary", "SS", 0.16)
    marks = [area(name, *model.MAP[name], style_of(s).colour, pale) for name, s, pale in regions]
    for name, dash in (("2γ + 1", "solid"), ("3γ + 2", "dash")):
        look: dict[str, Any] = {"dash": dash, "width": 1.5, "hoverinfo": "skip"}
        marks.append(line(name, *model.MAP[name], BLACK, f"n = {name}", **look))
    n, gamma = result.n_cells, result.parameters.gamma
    star: dict[str, Any] = {"size": 15, "says": "here", "ghost": True}
    hover = f"{n:,} cells, γ = {gamma:.4g}<extra></extra>"
    marks.append(dots("here", [n], [gamma], AFTER, "star", hovertemplate=hover, **star))
    words = [
        note("DET-GD errs least", 0.4, 2.8, style_of("DET-GD").colour),
        note("SS errs least,<br>OUE is next", 4.25, 0.35, style_of("SS").colour, xanchor="right"),
        note("n = 2γ + 1", 2.5, 2.35, BLACK, xanchor="right"),
        note("n = 3γ + 2", 1.65, 0.75, BLACK),
        label("here", marks[-1], yshift=-16, xanchor="center"),
    ]
    across, up = ({"tickvals": ticks, "ticktext": [f"{tick:,}" for tick in ticks], "type": "log"}
                  for ticks in ([10, 100, 1000, 10_000], [1, 10, 100, 1000]))  # fmt: skip
    x, y = axis(0.3, 4.3, "cells n", **across), axis(-0.12, 3.3, "γ", **up)
    return Panel("Best in one rare cell", x, y, marks, words)


# --- numbers and words ----------------------------------------------------------------------------


def _written(value: float, view: View) -> str:
    """Write a measure on the card of the race, however large or small."""
    if value > 1e15:
        return f"over 10¹⁵{view.unit}"
    return f"{in_words(value) if value >= 0.01 else '< 0.01'}{view.unit}"


def _percent(value: float) -> str:
    return _written(value, VIEWS["error"])


def _ranks(values: Mapping[str, float], view: View) -> dict[str, int]:
    """Give the places in the race: schemes with the same written measure share one."""
    said = {scheme: _written(value, view) for scheme, value in values.items()}
    return {
        s: 1 + sum(w < v and said[other] != said[s] for other, w in values.items())
        for s, v in values.items()
    }


def _headline(result: Result) -> str:
    """Say who wins the race, and what is to be seen of it now."""
    name, best, shown = result.best, result.runners[result.best], result.parameters.shown
    if shown == "map":
        two = model.selection_wins(result.parameters.gamma)
        who, also = ("SS", "; DET-GD does") if result.n_cells > two else ("DET-GD", ", as")
        said = f"Without a model {who} errs least in one rare cell{also}"
        return f"{said} up to 2γ + 1 = {two:,.4g} cells."
    if shown == "leak":
        said = f"{_percent(100 * best.leak)} of the records are guessed from its reports, blind"
        return f"{name} errs least; {said} {_percent(100 * result.blind)}."
    if shown != "error":
        values = {s: _written(v, VIEWS[shown]) for s, v in result.measured(shown).items()}
        least, _ = _ends(result.measured(shown))
        rest = (
            ", the fewest"
            if values[least] == values[name]
            else f"; {least} has the fewest: {values[least]}"
        )
        if shown == "bits":
            return f"{name} errs least; it sends {values[name]} bits{rest}."
        return f"{name} errs least; a liar counts for {values[name]} people{rest}."
    equal = [s for s, rank in result.ranks("error").items() if rank == 1 and s != name]
    like = f", like {' and '.join(equal)}," if equal else ""
    which = f" at length {result.length}" if result.length else ""
    paper = result.runners.get("DET-GD")
    other = f", where DET-GD has {_percent(paper.error)}" if paper and paper is not best else ""
    rest = "; more people would not help much" if best.floor > best.error / 2 else ""
    return f"{name} errs least{like}{which}: {_percent(best.error)}{other}{rest}."


def _numbers(result: Result, scheme: str) -> list[Number]:
    """Give the error of one scheme in the race, its leak, and a liar's weight or the bits."""
    runner = result.runners[scheme]
    price = Number(_written(runner.gain, VIEWS["gain"]), "people that one liar counts for")
    if result.parameters.shown == "bits":
        price = Number(in_words(runner.bits), "bits in a report")
    blind = f"blind {_percent(100 * result.blind)}"
    return [
        Number(_percent(runner.error), "error of a support", scheme),
        Number(_percent(100 * runner.leak), "guessed from a report", blind),
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
