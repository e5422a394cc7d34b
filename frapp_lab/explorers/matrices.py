"""One matrix with its γ in sight, and how hard each scheme's is to undo."""

from __future__ import annotations

import math
import textwrap
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from frapp_lab.explorers import controls
from frapp_lab.explorers.kit.card import Card, Number
from frapp_lab.explorers.kit.explorer import Groups, explorer
from frapp_lab.explorers.kit.words import in_words, plain, say
from frapp_lab.explorers.models import matrices as model
from frapp_lab.explorers.models.matrices import HIGHEST, OWN, Parameters, Result, Shown
from frapp_lab.explorers.models.own_matrix import RECORDS, SUPPORT, Own
from frapp_lab.explorers.scheme_marks import scheme_line
from frapp_lab.figures.look import BLACK, GREY
from frapp_lab.figures.marks import Mark, Panel, axis, dots, line, matrix, note
from frapp_lab.figures.styles import SPARE_STYLES
from frapp_lab.mechanisms.mechanism import Mechanism

FIRST = Parameters()
FEW, MANY = 4, 16
"""The most columns that have all entries written, and the most rows that have room between them."""
CELLS: dict[str, Any] = {"type": "category", "showgrid": False, "ticks": "", "constrain": "domain"}
INK: dict[str, Any] = {"font": {"size": 12}}  # the page's own colour, which is seen on all shades
ON_PAPER = INK | {"bgcolor": "rgba(255, 255, 255, 0.85)"}
ARROW: dict[str, Any] = {"borderpad": 2, "ax": 0, "showarrow": True, "arrowhead": 0}
ARROW |= {"arrowwidth": 1.5, "arrowcolor": BLACK}


def _controls(schemes: Sequence[str | Mechanism] | None = None) -> Groups:
    legend = controls.Schemes.of(schemes, Parameters().schemes)
    free = [style for style in SPARE_STYLES if style not in legend.styles.values()]
    legend = replace(legend, styles={OWN: (free or SPARE_STYLES)[-1], **legend.styles})
    hint = "how many categories it has: the joint domain is the product of all three"
    sizes = tuple(
        controls.Slider(f"size_{j}", f"attribute {j}", size, 2, 4, 1, hint, look="stepper")
        for j, size in enumerate(FIRST.sizes, 1)
    )
    options, first = (*legend.options, OWN), (*legend.chosen, FIRST.matrix)[0]
    hint = "whose matrix is shown; one of your own can be typed below"
    whose = controls.OneScheme("matrix", "matrix of", options, first, hint, behind=legend.options)
    hint = "the matrix shown is the one that undoes itemsets of this length"
    length = controls.Slider("length", "itemset length", FIRST.length, 1, 3, 1, hint)
    hint = "numbers with spaces or commas between them; 1/3 and 20 % are numbers too"
    own = controls.Text("own", "rows: reports; columns: records", FIRST.own, hint, rows=4)
    hint = "cut-and-paste keeps 0 to K items of a record; beyond K its matrix is singular"
    kept = controls.Slider("K", "items C&P keeps at most, K", FIRST.K, 1, 3, 1, hint)
    gamma = controls.Gamma(value=FIRST.gamma)
    return {
        "Settings": [gamma, whose, length, controls.Several("sizes", sizes), legend],
        "A matrix of my own": [own],
        "More: K, ε": [kept, controls.Breach()],
    }


@explorer(_controls, Parameters)
def matrices(p: Parameters, legend: controls.Schemes) -> Card:
    """A matrix with the row that makes its γ, and condition numbers by itemset length (§3, §6)."""
    result = model.compute(p)
    lines = {"length": f"{result.n_cells} cells in the joint domain"}
    if result.is_own:
        keeps = f"γ = {_said(result.own.gamma)}: it {'keeps' if result.keeps else 'breaks'} this"
        lines = {"length": "not for a matrix of my own", "gamma": f"my own has {keeps}"}
    return Card(
        headline=_own_headline(result) if result.label == OWN else _headline(result),
        numbers=_numbers(result),
        panels=[_heat_map(result, legend), _conditions(result, legend)],
        words=_own_words(result) if result.label == OWN else _words(result),
        lines=lines | {"own_note": _own_message(result.own)},
        chips=legend.chips(result.schemes),
        height=352,
        gap=0.1,
        layout={"shapes": _frames(result.shown)} if result.shown else {},
    )


# --- the figure -----------------------------------------------------------------------------------


def _heat_map(result: Result, legend: controls.Schemes) -> Panel:
    """Draw a matrix A[v, u]: its rows are the reports v, from the top, its columns records u."""
    label, shown, across, up = plain(result.label), result.shown, "true record u", "report v"
    if shown and shown.of != "record":
        across, up = f"true {shown.of} u of an itemset", f"reported {shown.of} v"
    # Without a matrix, too, an axis goes from somewhere to somewhere, or nothing is drawn anew.
    rows, columns = shown.matrix.shape if shown else (1, 1)
    x = axis(-0.5, columns - 0.5, across, **CELLS, constraintoward="left")
    y = axis(rows - 0.5, -0.5, up, **CELLS, constraintoward="top", scaleanchor="x", nticks=16)
    if shown is None:
        wrapped = textwrap.wrap(result.chosen.problem, 36, break_on_hyphens=False)
        corner: dict[str, Any] = {"xref": "paper", "yref": "paper", "yanchor": "top"}
        why = note("<br>".join(map(plain, wrapped)), 0, 0.97, BLACK, align="left", **corner)
        return Panel(f"{label}: no matrix", x, y, (), [why], 0.53)
    place = "matrix", shown.matrix, shown.columns, shown.rows, legend.colour(result.label)
    gap, says = int(rows <= MANY), "true %{x} → reported %{y}: %{z}"
    heat = matrix(*place, hovertemplate=says, xgap=gap, ygap=gap)
    return Panel(f"Matrix of {label}, {rows} × {columns}", x, y, [heat], _entries(shown), 0.53)


def _frames(shown: Shown) -> list[Mark]:
    """Frame the lit row in the picture of a matrix, or the columns that do not sum to one."""
    look = {"color": BLACK, "width": 2.5, "dash": "dot" if shown.off else "solid"}
    frame = {"type": "rect", "xref": "x", "yref": "y", "line": look}
    return [frame | dict(zip(("x0", "x1", "y0", "y1"), box, strict=True)) for box in shown.boxes]


def _entries(shown: Shown) -> list[Mark]:
    """Write on the picture of a matrix its lit row's extremes, or sums; if few, all entries."""
    rows, columns = shown.matrix.shape
    few, notes = columns <= FEW and rows <= 2 * FEW, []
    short = {"largest": "max", "smallest": "min"} if columns == FEW else {}
    for at in np.ndindex(rows, columns) if few else ():
        text, word = f"{shown.matrix[at]:.3g}", shown.lit.get(at, "")
        text = f"<b>{text}</b><br>{short.get(word, word)}" if word else text
        notes.append(note(text, at[1], at[0], "", xanchor="center", **INK))
    for step, ((v, u), word) in enumerate(() if few else shown.lit.items(), 1):
        text, side = f"{word} <b>{shown.matrix[v, u]:.3g}</b>", ON_PAPER | ARROW
        side |= {"ay": (-24 if v >= rows / 2 else 24) * step}
        notes.append(note(text, u, v, "", **side, xanchor="left" if u < columns / 2 else "right"))
    sums = [*zip(shown.off, shown.sums, strict=True)]
    for u, total in sums if few else sums[:1]:
        notes.append(note(f"Σ = {total:.4g}", u, rows - 1.5, "", xanchor="center", **ON_PAPER))
    return notes


def _conditions(result: Result, legend: controls.Schemes) -> Panel:
    """Draw matrices' condition numbers by length; singular ones are at the top, no tick below 1."""
    x, ends = axis(0.7, 4.3, "itemset length", tickvals=[1, 2, 3]), [0.7, 3]
    said, left, marks, notes = "lower bound<br>(γ+n−1)/(γ−1)", 1.15, [], _names(result, legend)
    if result.is_own:
        x, ends = axis(0.2, 1.8, "all at the γ and n of my own", tickvals=[]), [0.3, 1]
        said, left = "lower bound", 0.25
    if math.isfinite(bound := result.lower_bound):
        marks.append(line("bound", ends, [bound] * 2, GREY, "lower bound", dash="dash"))
        under: dict[str, Any] = {"yanchor": "top", "yshift": -4, "align": "left"}
        notes.append(note(said, left, math.log10(bound), GREY, **under))
    for label in filter(result.drawn.get, (*legend.options, OWN)):
        numbers, singular = result.drawn[label].numbers, result.drawn[label].singular
        if numbers:
            at, name = range(1, len(numbers) + 1), f"condition {label}"
            marks.append(scheme_line(legend, label, name, at, numbers, ghost=True))
        if singular:
            place = f"singular {label}", singular, [10**HIGHEST] * len(singular)
            look: dict[str, Any] = {"size": 12, "edge": 2, "hoverinfo": "skip", "says": label}
            marks.append(dots(*place, legend.colour(label), "circle-x-open", **look))
    tens = {10**i: f"10<sup>{i}</sup>" if i > 1 else str(10**i) for i in range(int(HIGHEST) + 1)}
    y = axis(-1, HIGHEST + 0.6, type="log", tickvals=[*tens], ticktext=[*tens.values()])
    return Panel("Condition number", x, y, marks, notes, 0.47)


def _names(result: Result, legend: controls.Schemes) -> list[Mark]:
    """Name the lines of condition numbers, the schemes not to be had, and what is singular."""
    notes: list[Mark] = []
    after: dict[str, Any] = {"xshift": 9}
    above, before = {"xanchor": "right", "yshift": 12}, {"xanchor": "right", "xshift": -9}
    if result.is_own:  # no other lines go on there
        above = before = after

    def write(labels: Sequence[str], rest: str, x: float, y: float, **place: Any) -> None:
        notes.append(note(plain(", ".join(labels)) + rest, x, y, legend.colour(labels[0]), **place))

    for label, (length, height) in result.names.items():
        write([label], "", length, height, **(above if length < 3 else after))
    if missing := [label for label, found in result.schemes.items() if found.problem]:
        write(missing, ": cannot be had here", 0.25 if result.is_own else 0.75, HIGHEST + 0.35)
    for length, labels in result.singular.items():
        write(labels, " singular", length, HIGHEST, **before)
    return notes


# --- numbers and words ----------------------------------------------------------------------------


def _said(number: float) -> str:
    """Write a number of a matrix on its card, which may be infinite or missing."""
    if math.isfinite(number):
        return in_words(number)
    return "∞" if math.isinf(number) else "–"


def _numbers(result: Result) -> list[Number]:
    own, rest = result.own, f"below γ = {result.chosen.gamma:.4g}" * (result.ratio > 0)
    rest = "= γ" if result.is_gamma else rest
    ratio = Number(_said(result.ratio), "largest ÷ smallest in the lit row", rest)
    last = Number(_said(result.lower_bound), f"lower bound, {result.n_cells} cells")
    if result.label == OWN:
        error, other = (f"±{100 * x:.2g}" * math.isfinite(x) for x in (own.deviation, own.diagonal))
        label = f"points on a support of {100 * SUPPORT:g} %"
        last = Number(error or "–", label, other and f"γ-diagonal {other}")
    return [ratio, Number(_said(result.number), f"condition number, {result.label}"), last]


def _headline(result: Result) -> str:
    label, k = result.label, result.length
    if result.chosen.problem:
        return f"{label} cannot be had at this setting: the words say why."
    if result.chosen.why_not:
        return f"{label} cannot undo itemsets of length {k}: its matrix is singular."
    number, (other, others) = in_words(result.number), result.rival
    rest = "" if in_words(others) == number else f", that of {other} {in_words(others)}"
    return f"At length {k} the condition number of {label} is {number}{rest}."


def _words(result: Result) -> str:
    """Say the bound on condition numbers, each scheme's, and in its own words what it cannot do."""
    p, n, k, lowest = result.parameters, result.n_cells, result.length, result.lowest
    return say(
        f"{n} cells, γ = {p.gamma:.4g}, itemsets of length {k}. No symmetric positive definite "
        f"matrix over all {n} cells has a condition number below (γ + n − 1)/(γ − 1) = "
        f"{in_words(result.lower_bound)}. DET-GD attains this bound, and it has the same number at "
        "every length; RAN-GD has DET-GD's matrix on average.",
        _lit(result, f"{result.label}'s matrix"),
        bool(lowest)
        and f"Condition numbers at length {k}: {_listed(result)}. {' and '.join(lowest)} "
        f"{'have' if len(lowest) > 1 else 'has'} the lowest of those shown. The matrices are of "
        "different sizes, so a number says how much a scheme can magnify the noise in its own "
        "reports, not yet how large that noise is.",
        bool(result.below)
        and f"Below the bound: {', '.join(result.below)}. That is no contradiction, because the "
        f"bound is for symmetric positive definite matrices over all {n} cells: a matrix that is "
        "smaller or of another kind may lie below it.",
        *result.missing,
        *(f"{s} cannot be undone here: {f.why_not}." for s, f in result.every.items() if f.why_not),
        p.gamma < 1.5
        and "So close to γ = 1 every column of a matrix is almost the same: the heat map loses its "
        "diagonal, and the condition numbers grow without limit.",
        not p.schemes and "No scheme is switched on.",
        p.own != FIRST.own and _own_message(result.own),
    )


def _lit(result: Result, whose: str) -> str:
    """Say which two entries of the matrix's lit row make the ratio."""
    if not (shown := result.shown) or not shown.lit:
        return ""
    high, low = (f"{shown.matrix[shown.row, u]:.3g}" for u in (shown.largest, shown.smallest))
    part = "This matrix is of a part of the report; over whole reports the largest is"
    rest = ", and that is γ" if result.is_gamma else f". {part} γ = {result.chosen.gamma:.4g}"
    entries = f"In the lit row of {whose} the largest entry is {high} and the smallest {low}"
    return f"{entries}: their ratio is {_said(shown.ratio)}{rest}."


def _listed(result: Result) -> str:
    return ", ".join(f"{label} {in_words(number)}" for label, number in result.at_length.items())


def _own_headline(result: Result) -> str:
    own = result.own
    if own.problems:
        return f"My own matrix: {own.problems[0]}."
    has = f"My own matrix has γ = {_said(own.gamma)}"
    if math.isinf(own.condition):
        return f"{has}, and it is singular: nobody can undo it."
    if math.isinf(own.gamma):
        return f"{has}: report {result.rarest[0]} rules out record {result.rarest[1]}."
    condition, other = in_words(own.condition), in_words(result.lower_bound)
    return f"{has} and condition number {condition}; γ-diagonal has {other}."


def _own_message(own: Own) -> str:
    """Say in a sentence or two what the typed matrix means, for the card of matrices."""
    if own.problems or own.matrix is None:
        return f"My own matrix: {'; '.join(own.problems)}."
    rows, columns = own.matrix.shape
    it = f"My own matrix ({rows} × {columns}) has γ = {_said(own.gamma)}"
    if math.isinf(own.condition):
        return f"{it}. It is singular: different data give the same reports, so none can be undone."
    other = f"; that of γ-diagonal at the same γ and n is {100 * own.diagonal:.2g}"
    return (
        f"{it} and condition number {in_words(own.condition)}. With N = {RECORDS:,} records an "
        f"estimated support of {100 * SUPPORT:g} % would have a standard deviation of "
        f"{100 * own.deviation:.2g} percentage points{other * math.isfinite(own.diagonal)}."
    )


def _own_words(result: Result) -> str:
    own, (report, record), listed = result.own, result.rarest, _listed(result) * result.is_own
    bound = result.lower_bound if result.is_own else math.nan
    return say(
        _own_message(own),
        bool(own.problems)
        and "A column holds the chances of all reports of one record: none is negative, and they "
        "sum to one. The condition numbers shown are those of the schemes at "
        f"γ = {result.gamma:.4g} and {result.n_cells} cells.",
        _lit(result, "my own matrix"),
        math.isinf(own.gamma)
        and f"Report {report} cannot come from record {record}: whoever sends it has ruled that "
        "record out. No γ bounds this.",
        listed and f"At this γ and n the schemes' condition numbers are: {listed}.",
        *result.missing,
        math.isfinite(bound) and f"The bound (γ + n − 1)/(γ − 1) is {in_words(bound)}.",
        own.condition < bound * (1 - 1e-9)
        and "My own matrix lies below it: it is not symmetric positive definite.",
    )
