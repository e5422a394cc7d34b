"""What can be mined from noise: true against estimated supports, and errors by itemset length."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from frapp_lab.explorers import controls
from frapp_lab.explorers.kit.card import Card, Number
from frapp_lab.explorers.kit.explorer import Groups, explorer
from frapp_lab.explorers.kit.words import count, in_words, plain, say
from frapp_lab.explorers.mining_panels import ERROR, FIRST, MIN_SUPPORT, error_panel, shared_lines
from frapp_lab.explorers.models import mining as model
from frapp_lab.explorers.models.mining import Band, Parameters, Points, Result, SchemeResult
from frapp_lab.explorers.models.mining_runs import DRAWS, Scheme, label_of
from frapp_lab.figures.look import AFTER, BEFORE, CHANGED, KEPT, TRUTH
from frapp_lab.figures.marks import Mark, Panel, axis, dots, label, line, note

KINDS = {
    "found": ("●", "circle", KEPT, 0),
    "lost": ("✕", "x-thin-open", CHANGED, 1.5),
    "invented": ("▲", "triangle-up", AFTER, 0),
}
"""What can become of an itemset: its marker as a letter and as plotly calls it, colour, outline."""

LOW, HIGH = (float(np.log10(100 * edge)) for edge in model.EDGES)
SUPPORTS = {"type": "log", "tickvals": [0.1, 1, 10, 100]}
TRUE = axis(
    LOW - 0.1, HIGH + 0.1, "true support (%)", ticktext=["≤ 0.1", "1", "10", "100"], **SUPPORTS
)
ESTIMATED = axis(
    LOW - 0.3, HIGH + 0.5, "estimated support (%)", ticktext=["≤ 0.1", "1", "10", "≥ 100"],
    **SUPPORTS,
)  # fmt: skip
"""Beyond the edges there is room for words."""


def _controls(schemes: Sequence[Scheme] | None = None) -> Groups:
    legend = controls.Schemes.of(schemes, Parameters().schemes)
    chosen = legend.chosen or tuple(legend.options)
    first = "DET-GD" if "DET-GD" in legend.chosen else chosen[0]
    return {
        "Settings": [
            controls.Gamma(value=FIRST.gamma), MIN_SUPPORT,
            controls.OneScheme(
                "scheme", "itemsets of", tuple(legend.options), first,
                "of which scheme the first panel shows the itemsets", behind=legend.options,
            ),
            controls.Slider(
                "length", "only itemsets of length", FIRST.length, 0, 7, 1,
                "how many items the itemsets of the first panel have", look="stepper",
                words=((0, "all"),),
            ),
            controls.Switch(
                "prune", "prune: lose the supersets too", FIRST.prune,
                "Apriori looks at an itemset only if all its subsets were found",
            ),
            legend, ERROR, controls.Seed(FIRST.seed),
        ],
        "Data, and each column’s categories": [controls.DataSet()],
        "More: α, ε": [controls.ALPHA, controls.Breach()],
    }  # fmt: skip


@explorer(_controls, Parameters, model.bands)
def mining(p: Parameters, legend: controls.Schemes, band: Mapping[str, Band] | None = None) -> Card:
    """Itemsets lost and invented, support error, σ⁻ and σ⁺ by length (FRAPP §6 and §7)."""
    result = model.compute(p)
    said = count(result.shown.n_true, "itemset is frequent", "itemsets are frequent")
    frequent = {} if result.points is None else {"min_support": said}
    return Card(
        headline=_headline(p, result.points),
        numbers=_numbers(result.points),
        panels=[_itemsets(p, result.points), error_panel(result, legend, band)],
        words=_words(result),
        lines=frequent | shared_lines(result),
        limits={"alpha": result.largest / result.unit},
        chips=legend.chips(result.schemes),
    )


# --- the figure -----------------------------------------------------------------------------------


def _itemsets(p: Parameters, points: Points | None) -> Panel:
    """Draw itemsets at their true and estimated supports, in the quadrants of the minimum."""
    low, high = (100 * edge for edge in model.EDGES)
    at = 100 * p.min_support
    thin: dict[str, Any] = {"width": 1.5, "hoverinfo": "skip", "cliponaxis": False}
    marks = [
        line("perfect", [low, high], [low, high], TRUTH, dash="dot", **thin),
        line("minimum", [low, high, None, at, at], [at, at, None, low, high], BEFORE,
             dash="solid", **thin),
    ]  # fmt: skip
    title = f"Itemsets of {plain(label_of(p.scheme))}" + f", length {p.length}" * bool(p.length)
    if points is None:
        text = f"{plain(label_of(p.scheme))} cannot be had here"
        words = [note(text, LOW - 0.1, HIGH, CHANGED, yanchor="bottom")]
        return Panel(title, TRUE, ESTIMATED, marks, words)
    return Panel(title, TRUE, ESTIMATED, marks + _dots(points), _quadrants(p, points, marks[1]))


def _dots(points: Points) -> list[Mark]:
    """Draw the mined itemsets, in a trace for each kind: found, lost and invented.

    Found and lost ones have the same places in both traces, so that x and texts, which γ does not
    change, need not be sent again.
    """
    kinds, supports = points.kinds[points.drawn], points.itemsets.support[points.drawn]
    names = _names(points)
    said = [
        # Of those found by mistake x may lie beyond the edge.
        [_estimated(estimate), *[f"{100 * true:.3g} %"] * (kind == "invented")]
        for kind, estimate, true in zip(
            kinds, points.estimates[points.drawn], supports, strict=True)
    ]  # fmt: skip
    n = int((kinds != "invented").sum())
    marks = []
    for kind, (_, marker, colour, edge) in KINDS.items():
        part = slice(n, None) if kind == "invented" else slice(n)
        here = kinds[part] == kind
        truth = "%{customdata[1]}" if kind == "invented" else "%{x:.3g} %"
        hover = f"%{{text}}:<br>true {truth}, %{{customdata[0]}}, {kind}<extra></extra>"
        mark = dots(
            kind, 100 * points.x[part], np.where(here, 100 * points.y[part], np.nan), colour,
            marker, size=6, opacity=0.75, edge=edge, text=names[part], hovertemplate=hover,
            customdata=[v if h else None for v, h in zip(said[part], here, strict=True)],
        )  # fmt: skip
        marks.append(mark)
    return marks


def _names(points: Points) -> list[str]:
    """Name the mined itemsets that are drawn in words, with at most three items in a line."""
    attributes, names = points.itemsets.schema.attributes, []
    for codes in points.itemsets.codes[points.drawn].tolist():
        values = zip(attributes, codes, strict=True)
        items = [plain(f"{a.name} = {a.categories[code]}") for a, code in values if code >= 0]
        lines = [" & ".join(items[at : at + 3]) for at in range(0, len(items), 3)]
        names.append("<br>& ".join(lines))
    return names


def _estimated(share: float) -> str:
    return "never estimated" if np.isnan(share) else f"estimated {100 * share:.3g} %"


def _quadrants(p: Parameters, points: Points, minimum: Mark) -> list[Mark]:
    """Write what each of the four quadrants means, and how many itemsets are in it."""
    at = float(np.log10(100 * p.min_support))
    above: dict[str, Any] = {"yanchor": "bottom", "align": "left", "yshift": 3}
    places: dict[str, tuple[float, float, str, dict[str, Any]]] = {
        "found": (max(at, 0), HIGH, "<br>", above | {"xshift": 2}),
        "invented": (LOW - 0.1, HIGH, "<br>", above),
        "lost": (HIGH + 0.1, LOW, " ", {"yanchor": "top", "yshift": -4, "xanchor": "right"}),
    }
    never = {"lost": f" ({points.n_unseen:,} never estimated)" * bool(points.n_unseen)}
    words = [
        note(f"{KINDS[kind][0]} {kind}{gap}<b>{points.counts[kind]:,}</b>{never.get(kind, '')}",
             x, y, KINDS[kind][2], **look)
        for kind, (x, y, gap, look) in places.items()
    ]  # fmt: skip
    right: dict[str, Any] = {"xanchor": "right", "yanchor": "bottom"}
    words += [
        label(f"minimum {100 * p.min_support:g} %", minimum, 1, size=11, **right),
        note("rightly<br>not found", at, LOW, BEFORE, size=11, align="right", xshift=-5, yshift=9,
             **right),
    ]  # fmt: skip
    if at < 0.6:  # else there is no room beside the number of those found
        right |= {"yshift": 3, "align": "right"}
        words.append(note("estimate<br>= truth", HIGH + 0.1, HIGH, TRUTH, **right))
    return words


# --- words ----------------------------------------------------------------------------------------


def _headline(p: Parameters, points: Points | None) -> str:
    """Say how many itemsets mining with the scheme that is looked at finds and invents."""
    label = label_of(p.scheme)
    if points is None:
        return f"{label} cannot be had at this setting."
    which = f"frequent itemsets{f' of length {p.length}' * bool(p.length)}"
    found, invented = points.counts["found"], points.counts["invented"]
    invents = f"invents {invented:,}" if invented else "invents none"
    if not points.n_true:
        return f"There are no {which}; in this draw {label} {invents}."
    return f"In this draw {label} finds {found:,} of {points.n_true:,} {which} and {invents}."


def _numbers(points: Points | None) -> list[Number]:
    """Give σ⁻, σ⁺ and ρ of that scheme's itemsets, as numbers of itemsets and in percent."""
    about = "mean error ρ of those found"
    if points is None:  # three even so, because then the card keeps its height
        return [Number("–", label) for label in ("itemsets lost", "itemsets invented", about)]
    error = "–" if np.isnan(points.error) else f"{in_words(100 * points.error)} %"
    never = f", {points.n_unseen:,} never estimated" * bool(points.n_unseen)
    return [
        Number(f"{points.counts['lost']:,}", "itemsets lost", f"of {points.n_true:,}{never}"),
        Number(f"{points.counts['invented']:,}", "itemsets invented"),
        Number(error, about),
    ]


def _words(result: Result) -> str:
    """Say what each scheme found, lost and invented, and what is drawn of one of them."""
    p, label, points = result.parameters, label_of(result.parameters.scheme), result.points
    return say(
        f"{result.name} at γ = {p.gamma:.4g} and {100 * p.min_support:g} % minimum support, "
        f"{'with' if p.prune else 'without'} pruning.",
        *(_sentence(scheme, found) for scheme, found in result.schemes.items()),
        not p.schemes and "No scheme is switched on.",
        p.gamma < 1.5
        and "So close to γ = 1 a report says almost nothing, and so do the estimates.",
        points is None and label not in result.schemes and _sentence(label, result.shown),
        points is not None and _drawn(label, points, p, result.shown),
        bool(result.schemes)
        and f"A line is one draw; a band holds the middle 90 % of {DRAWS} draws.",
    )


def _drawn(label: str, points: Points, p: Parameters, shown: SchemeResult) -> str:
    which = f"of length {p.length} " if p.length else ""
    text = (
        f"The first panel shows {len(points.drawn)} of {label}'s {len(points.kinds)} itemsets "
        f"{which}that are frequent or found, evenly from the largest support to the smallest; on "
        "the diagonal an estimate is right. Supports below 0.1 %, negative ones too, and above "
        "100 % stand at the edges"
    )
    if points.n_unseen:
        reasons = {
            "Apriori had lost a subset of each": p.prune,
            "they are too long for the scheme": bool(shown.why_not),
        }
        why = " or ".join(reason for reason, holds in reasons.items() if holds)
        text += f", as do the {points.n_unseen} lost ones that were never estimated: {why}"
    return text + "."


def _sentence(label: str, found: SchemeResult) -> str:
    if found.problem:
        return f"{label} cannot be had here: {found.problem}."
    items = f"; the longest right one has {count(found.longest, 'item')}" * bool(found.longest)
    return (
        f"{label} finds {found.n_kept} of {found.n_true} frequent itemsets, loses "
        f"{found.n_true - found.n_kept} and invents {found.n_invented}{items}."
    )
