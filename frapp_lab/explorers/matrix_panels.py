"""The three panels of the card of matrices: a heat map, the lit row's senders, and κ by length."""

from __future__ import annotations

import math
import textwrap
from collections.abc import Sequence
from typing import Any

import numpy as np

from frapp_lab.explorers.controls import Schemes
from frapp_lab.explorers.kit.words import plain, short
from frapp_lab.explorers.models.lit_row import Shown
from frapp_lab.explorers.models.matrices import HIGHEST, MOST_ROWS, OWN, PUSHED, Result
from frapp_lab.explorers.scheme_marks import scheme_line
from frapp_lab.figures import marks
from frapp_lab.figures.look import BLACK, GREY
from frapp_lab.figures.marks import Mark, Panel, axis, label, note

LEFT, RIGHT = (0.0, 0.5), (0.58, 1.0)
MAP, ROW = (LEFT, (0.34, 1.0)), (LEFT, (0.0, 0.22))
"""Where panels stand: the senders right under the columns that they are."""

FEW, MANY = 4, 16
"""The most columns that have all entries written, and the most rows that have room between them."""
CELLS: dict[str, Any] = {"type": "category", "showgrid": False, "ticks": "", "nticks": 16}
INK: dict[str, Any] = {"font": {"size": 12}}  # the page's own colour, which is seen on all shades
NONE = ("",)
"""Without a matrix, too, an axis goes from somewhere to somewhere, or nothing is drawn anew."""

PUSHES = np.geomspace(100, 0.1, 41)
"""Places of the slider that pushes the diagonal; the condition number is 100 over each."""


def heat_map(result: Result, legend: Schemes) -> Panel:
    """Draw a matrix A[v, u]: its rows are the reports v, from the top, its columns records u."""
    name, shown = plain(result.label), result.shown
    rows, columns = shown.matrix.shape if shown else (1, 1)
    up = f"reported {shown.of} v" if shown and shown.of != "record" else "report v"
    x = _cells(shown.columns if shown else NONE, "", showticklabels=False)
    y = _cells(shown.rows if shown else NONE, up) | {"range": [rows - 0.5, -0.5]}  # from the top
    if shown is None:
        wrapped = textwrap.wrap(result.chosen.problem, 36, break_on_hyphens=False)
        corner: dict[str, Any] = {"xref": "paper", "yref": "paper", "yanchor": "top"}
        why = note("<br>".join(map(plain, wrapped)), 0, 0.97, BLACK, align="left", **corner)
        return Panel(f"{name}: no matrix", x, y, (), [why], place=MAP)
    place = "matrix", shown.matrix, shown.columns, shown.rows, legend.colour(result.label)
    gap, says = int(rows <= MANY), "true %{x} → reported %{y}: %{z}"
    heat = marks.matrix(*place, hovertemplate=says, xgap=gap, ygap=gap)
    # A click on the row that is chosen gives it back.
    values = [v * (v != result.parameters.row) for v in range(1, min(rows, MOST_ROWS) + 1)]
    heat = marks.picks(heat, "row", values, along="y")
    return Panel(
        f"{name}, {rows} × {columns}", x, y, [heat], _entries(shown), place=MAP,
        says="click a row" if shown.lit else "",
    )  # fmt: skip


def _cells(names: Sequence[str], title: str, **more: Any) -> dict[str, Any]:
    """Make an axis of a matrix's rows or columns, in their order."""
    order = {"categoryorder": "array", "categoryarray": [*map(plain, names)]}
    return axis(-0.5, len(names) - 0.5, title, **CELLS, **order, **more)


def frames(shown: Shown | None) -> list[Mark]:
    """Frame the lit row in the picture of a matrix, or the columns that do not sum to one."""
    if shown is None:
        return []
    look = {"color": BLACK, "width": 2.5, "dash": "dot" if shown.off else "solid"}
    frame = {"type": "rect", "xref": "x", "yref": "y", "line": look}
    return [frame | dict(zip(("x0", "x1", "y0", "y1"), box, strict=True)) for box in shown.boxes]


def _entries(shown: Shown) -> list[Mark]:
    """Write the entries of a matrix into its cells if they are few, those that count in bold."""
    rows, columns = shown.matrix.shape
    notes = []
    for v, u in np.ndindex(rows, columns) if columns <= FEW and rows <= 2 * FEW else ():
        text = f"{shown.matrix[v, u]:.3g}"
        text = f"<b>{text}</b>" if v == shown.row and u in shown.lit else text
        notes.append(note(text, u, v, "", xanchor="center", **INK))
    return notes


def senders(result: Result, legend: Schemes) -> Panel:
    """Draw who could have sent the matrix's lit report, under the columns, or sums that are off."""
    shown, title, drawn, notes, prior = result.shown, "Who sent a report?", [], [], ""
    across = f"true {shown.of} u" if shown else "true record u"
    if shown and shown.of != "record":
        across += " of an itemset"
    x = _cells(shown.columns if shown else NONE, across)
    if shown and shown.senders is not None:
        title, n = f"Who sent report {plain(shown.rows[shown.row or 0])}?", len(shown.columns)
        names, chances = [*map(plain, shown.columns)], 100 * shown.senders
        says = f"true %{{x}}: %{{y:.3~g}} %, and {short(1 / n)} before the report<extra></extra>"
        row = marks.bars("senders", names, chances, legend.colour(result.label), hovertemplate=says)
        before = marks.line("before", names, [100 / n] * n, GREY, "before the report", dash="dot")
        drawn, prior = [row, before], "if all equally likely"
        notes = [
            label(f"{word} {short(shown.senders[u])}", row, u, colour=BLACK, yshift=9)
            for u, word in shown.lit.items()
        ]
        notes.append(label(f"before: 1 in {n}", before, yshift=9, xanchor="right"))
    elif shown and shown.row is not None:
        title = f"Nobody sends report {plain(shown.rows[shown.row])}"
    elif shown:
        title, sums = "Each column must sum to 1", [*zip(shown.off, shown.sums, strict=True)]
        for u, total in sums if len(shown.columns) <= FEW else sums[:1]:
            notes.append(note(f"Σ = {total:.4g}", u, 50, BLACK, xanchor="center"))
    y = axis(0, 100, tickvals=[0, 50, 100], ticktext=["0", "50 %", "100 %"])
    return Panel(title, x, y, drawn, notes, place=ROW, says=prior)


def conditions(result: Result, legend: Schemes) -> Panel:
    """Draw matrices' condition numbers by length; singular ones are at the top, no tick below 1."""
    # The bound is one on matrices over all cells: those of shorter itemsets are smaller.
    x, ends = axis(0.7, 4.3, "itemset length", tickvals=[1, 2, 3]), [2.6, 3.4]
    if result.is_own:
        x, ends = axis(0.2, 1.8, "all at the γ and n of my own", tickvals=[]), [0.3, 1]
    drawn, notes = [], []
    if math.isfinite(bound := result.lower_bound):
        cells = f"{result.n_cells} cells"
        says = f"lower bound if positive definite, {cells}: %{{y:.3~g}}<extra></extra>"
        drawn.append(marks.line("bound", ends, [bound] * 2, GREY, dash="dash", hovertemplate=says))
        notes.append(label(f"lower bound, {cells}", drawn[0], 0, yshift=-10))
    for name in filter(result.drawn.get, (*legend.options, OWN, PUSHED)):
        for mark, words in _scheme(result, legend, name):
            drawn.append(mark)
            known = [i for i, height in enumerate(mark["y"]) if height]  # some schemes have no κ
            notes += [label(plain(name) + words, mark, i, xshift=9) for i in known[-1:]]
    tens = {10**i: f"10<sup>{i}</sup>" if i > 1 else str(10**i) for i in range(int(HIGHEST) + 1)}
    y = axis(-1, HIGHEST + 0.6, type="log", tickvals=[*tens], ticktext=[*tens.values()])
    place = RIGHT, (0.0, 1.0)
    return Panel("Condition number", x, y, drawn, notes, place=place, says="↓ better")


def _scheme(result: Result, legend: Schemes, name: str) -> list[tuple[Mark, str]]:
    """Draw a matrix's condition numbers and singular lengths, each with what its label adds."""
    found, drawn, group = result.drawn[name], [], {"legendgroup": name}
    if numbers := found.numbers:
        at, says = range(1, len(numbers) + 1), f"{plain(name)}, length %{{x}}: κ = %{{y:,.4~g}}"
        says += "<extra></extra>"
        look: dict[str, Any] = group | {"ghost": True, "hovertemplate": says}
        words = " breaks γ" * (name == PUSHED and not result.pushed.keeps)
        mark = scheme_line(legend, name, f"condition {name}", at, numbers, **look)
        if name == PUSHED:  # its line is dragged down until γ stops it, and further
            mark = marks.drags(mark, ["push"] * len(numbers), "y", scale=[100 / PUSHES, PUSHES])
        drawn.append((mark, words))
    if found.singular:
        place = f"singular {name}", found.singular, [10**HIGHEST] * len(found.singular)
        look = {"size": 12, "edge": 2, "hoverinfo": "skip", "says": name, **group}
        mark = marks.dots(*place, legend.colour(name), "circle-x-open", **look)
        drawn.append((mark, " singular"))
    return drawn
