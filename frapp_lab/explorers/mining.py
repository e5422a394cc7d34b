"""What can be mined from noise: true against estimated supports, and errors by itemset length."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
import plotly.graph_objects as go

from frapp_lab import figures
from frapp_lab.explorers import controls
from frapp_lab.explorers.kit.base import Number
from frapp_lab.explorers.models import mining as model
from frapp_lab.explorers.models.mining import DRAWS, Parameters, Points, Result, SchemeResult
from frapp_lab.explorers.playground import ERROR, ERROR_AXES, MIN_SUPPORT, TITLES, MiningExplorer
from frapp_lab.figures import rounded
from frapp_lab.mechanisms.mechanism import Mechanism
from frapp_lab.mining.mining_run import ERRORS

KINDS = {
    "found": ("●", "circle", figures.KEPT),
    "lost": ("✕", "x-thin-open", figures.CHANGED),
    "invented": ("▲", "triangle-up", figures.AFTER),
}
"""What can become of an itemset, with its marker as a letter and as plotly calls it."""

LOW, HIGH = (np.log10(100 * edge) for edge in model.EDGES)
SUPPORTS = {"type": "log", "tickvals": [0.1, 1, 10, 100]}
TRUE = SUPPORTS | {
    "title_text": "true support (%)", "range": [LOW - 0.1, HIGH + 0.1],
    "ticktext": ["≤ 0.1", "1", "10", "100"],
}  # fmt: skip
ESTIMATED = SUPPORTS | {
    "title_text": "estimated support (%)", "range": [LOW - 0.3, HIGH + 0.5],
    "ticktext": ["≤ 0.1", "1", "10", "≥ 100"],
}  # fmt: skip
"""Beyond the edges there is room for words."""

PRUNE = controls.Switch(
    "prune", "prune: lose the supersets too", True,
    "Apriori looks at an itemset only if all its subsets were found",
)  # fmt: skip
LENGTH = controls.Slider(
    "length", "only itemsets of length", 0, 0, 7, 1,
    "how many items the itemsets of the first panel have", look="stepper", words=((0, "all"),),
)  # fmt: skip


@dataclass(frozen=True)
class _Shown(controls.Choice):
    """The scheme whose itemsets are drawn: its label here, to the model what is behind it."""

    choices: Mapping[str, str | Mechanism] | None = None

    def read(self, values: Mapping[str, Any]) -> dict[str, object]:
        return {self.name: (self.choices or {})[values[self.name]]}


class Mining(MiningExplorer):
    """Itemsets lost and invented, support error, σ⁻ and σ⁺ by length (FRAPP §6 and §7)."""

    model = model
    ghosts = ("run",)

    @property
    def groups(self) -> dict[str, list[controls.Control]]:
        """Privacy, support, data and the scheme looked at in sight; the rest folds away."""
        first = "DET-GD" if "DET-GD" in self.chosen else next(iter(self.chosen or self.choices))
        scheme = _Shown(
            "scheme", "itemsets of", tuple(self.choices), first,
            "of which scheme the first panel shows the itemsets", choices=self.choices,
        )  # fmt: skip
        return {
            "Settings": [
                controls.Gamma(), MIN_SUPPORT, controls.DataSet(), scheme, LENGTH, PRUNE,
                self.switches, ERROR, controls.Seed(),
            ],
            "More: α, ε": [controls.ALPHA, controls.Breach()],
        }  # fmt: skip

    def skeleton(self) -> go.Figure:
        """Itemsets by their true and estimated support; one of the errors by length."""
        figure = figures.card(["Itemsets", "Errors"])
        thin: dict[str, Any] = {"hoverinfo": "skip", "cliponaxis": False}
        for name, colour, dash in (("perfect", figures.TRUTH, "dot"),
                                   ("minimum", figures.BEFORE, "solid")):  # fmt: skip
            trace = figures.line(name, name, colour, **thin)
            figure.add_trace(trace.update(line_width=1.5, line_dash=dash), 1, 1)
        for kind, (_, marker, colour) in KINDS.items():
            look = {"color": colour, "symbol": marker, "size": 6, "opacity": 0.75}
            look["line"] = {"color": colour, "width": 1.5 if kind == "lost" else 0}
            dots = figures.line(kind, kind, colour, mode="markers", marker=look, cliponaxis=False)
            truth = "%{customdata[1]}" if kind == "invented" else "%{x:.3g} %"
            said = f"%{{text}}<br>truly {truth}<br>estimated %{{customdata[0]}}"
            dots.update(hovertemplate=f"{said}<extra>{kind}</extra>")
            figure.add_trace(dots, 1, 1)
        for scheme in self.choices:
            figure.add_trace(self.band_line(scheme, f"draws {scheme}"), 1, 2)
        for scheme in self.choices:
            figure.add_trace(self.line(scheme, f"run {scheme}"), 1, 2)
        figure.update_xaxes(**TRUE, row=1, col=1)
        figure.update_yaxes(**ESTIMATED, row=1, col=1)
        lengths = {"title_text": "itemset length", "dtick": 1, "range": [0.6, 7.4]}
        return figure.update_xaxes(**lengths, row=1, col=2)

    def series(self, result: Result) -> dict[str, dict[str, object]]:
        """Supports in percent of the itemsets drawn; one of the errors of each scheme."""
        low, high = (100 * edge for edge in model.EDGES)
        at = 100 * result.parameters.min_support
        series: dict[str, dict[str, object]] = {
            "perfect": {"x": [low, high], "y": [low, high]},
            "minimum": {"x": [low, high, None, at, at], "y": [at, at, None, low, high]},
        }
        if result.points is not None:
            series |= _dots(result.points)
        column = ERRORS.index(result.parameters.error)
        for scheme, found in result.schemes.items():
            if found.errors is not None:
                lengths = list(range(1, len(found.errors) + 1))
                series[f"run {scheme}"] = {"x": lengths, "y": rounded(found.errors[:, column])}
        return series

    def layout(self, result: Result) -> dict[str, object]:
        """Whose itemsets they are, the error's own axis, and as many lengths as the data have."""
        p = result.parameters
        title = f"Itemsets of {figures.plain(model.label_of(p.scheme))}"
        titles = [title + f", length {p.length}" * bool(p.length), TITLES[p.error]]
        return {
            "annotations": [{"text": f"<b>{title}</b>"} for title in titles],
            "yaxis2": ERROR_AXES[p.error], "xaxis2_range": [0.6, result.n_attributes + 0.4],
        }  # fmt: skip

    def labels(self, result: Result) -> list[dict[str, object]]:
        """What each of the four quadrants means, and how many itemsets are in it."""
        p, here = result.parameters, result.points
        at = float(np.log10(100 * p.min_support))
        if here is None:
            text = f"{figures.plain(model.label_of(p.scheme))} cannot be had here"
            return [figures.label(text, LOW - 0.1, HIGH, figures.CHANGED, yanchor="bottom")]
        above: dict[str, Any] = {"yanchor": "bottom", "align": "left", "yshift": 3}
        places = {
            "found": (max(at, 0), HIGH, "<br>", above | {"xshift": 2}),
            "invented": (LOW - 0.1, HIGH, "<br>", above),
            "lost": (HIGH + 0.1, LOW, " ", {"yanchor": "top", "yshift": -4, "xanchor": "right"}),
        }
        texts = [
            figures.label(f"{KINDS[kind][0]} {kind}{gap}<b>{here.counts[kind]:,}</b>", x, y,
                          KINDS[kind][2], **options)
            for kind, (x, y, gap, options) in places.items()
        ]  # fmt: skip
        small: dict[str, Any] = {"font": {"size": 11, "color": figures.BEFORE}}
        # Where a quadrant is small there is no room for all the words.
        minimum = "minimum<br>" * (at >= 0) + f"{100 * p.min_support:g} %"
        texts += [
            figures.label(minimum, LOW - 0.1, at, "", yanchor="top", align="left", **small),
            figures.label("rightly<br>not found", at, LOW, "", yanchor="bottom", xanchor="right",
                          align="right", **small),
        ]  # fmt: skip
        if at < 1:
            right: dict[str, Any] = {"xanchor": "right", "yanchor": "bottom", "yshift": 3}
            texts.append(figures.label("ρ = 0", HIGH + 0.1, HIGH, figures.TRUTH, **right))
        return texts

    def headline(self, result: Result) -> str:
        """What the scheme that is looked at finds and invents."""
        p, here = result.parameters, result.points
        scheme = model.label_of(p.scheme)
        if here is None:
            return f"{scheme} cannot be had at this setting."
        which = f"frequent itemsets{f' of length {p.length}' * bool(p.length)}"
        invents = (
            f"invents {here.counts['invented']:,}" if here.counts["invented"] else "invents none"
        )
        if not here.n_true:
            return f"There are no {which}; in this draw {scheme} {invents}."
        return (
            f"In this draw {scheme} finds {here.counts['found']:,} of {here.n_true:,} {which} "
            f"and {invents}."
        )

    def numbers(self, result: Result) -> list[Number]:
        """σ⁻, σ⁺ and ρ of the itemsets of that scheme, as numbers of itemsets and in percent."""
        here = result.points
        about = "mean error ρ of those found"
        if here is None:  # as many as ever, so that the card keeps its height
            return [Number("–", label) for label in ("lost", "itemsets invented", about)]
        error = "–" if np.isnan(here.error) else f"{figures.in_words(100 * here.error)} %"
        lost = f"lost, {here.n_unseen:,} of them never estimated" if here.n_unseen else "lost"
        return [
            Number(f"{here.counts['lost']:,}", lost, f"of {here.n_true:,}"),
            Number(f"{here.counts['invented']:,}", "itemsets invented"),
            Number(error, about),
        ]

    def lines(self, result: Result) -> dict[str, str]:
        """How many itemsets are frequent, α as a number, and the size of the domain."""
        n = result.shown.n_true
        frequent = {"min_support": f"{n:,} itemsets are frequent"} if result.points else {}
        return frequent | {
            "alpha": controls.alpha_line(result.parameters.alpha, result.alpha, result.unit),
            "cells": f"{result.n_cells:,} cells",
        }

    def marks(self, result: Result) -> dict[str, float]:
        """The largest valid α."""
        return {"alpha": result.largest / result.unit}

    def describe(self, result: Result) -> str:
        """What each scheme found, lost and invented, and what is drawn of one of them."""
        p = result.parameters
        pruned = "with" if p.prune else "without"
        text = [
            f"{result.name} at γ = {p.gamma:.4g} and {100 * p.min_support:g} % minimum support, "
            f"{pruned} pruning."
        ]
        text += [_sentence(scheme, found) for scheme, found in result.schemes.items()]
        if not p.schemes:
            text.append("No scheme is switched on.")
        if p.gamma < 1.5:
            text.append("So close to γ = 1 a report says almost nothing, and so do the estimates.")
        label = model.label_of(p.scheme)
        if label not in result.schemes and result.points is None:
            text.append(_sentence(label, result.shown))
        if result.points is not None:
            text.append(_drawn(label, result.points, p, result.shown))
        if result.schemes:
            text.append(f"A line is one draw; a band holds the middle 90 % of {DRAWS} draws.")
        return " ".join(text)


def _dots(points: Points) -> dict[str, dict[str, object]]:
    """The traces of the itemsets drawn.

    Found and lost ones have the same places in both traces, so that x and texts, which γ does not
    change, need not be sent again.
    """
    kinds = points.kinds[points.drawn]
    names = [
        figures.plain(", ".join(sorted(items))) for items in points.itemsets.names(points.drawn)
    ]
    x, y = rounded(100 * points.x), rounded(100 * points.y)
    said = [
        ["never" if np.isnan(value) else f"{100 * value:.3g} %"]
        for value in points.estimates[points.drawn]
    ]
    n = int((kinds != "invented").sum())
    for place in range(n, len(said)):  # of those found by mistake x may lie beyond the edge
        said[place].append(f"{100 * points.itemsets.support[points.drawn[place]]:.3g} %")
    parts = {"found": slice(n), "lost": slice(n), "invented": slice(n, None)}
    return {
        kind: {
            "x": x[part], "text": names[part],
            "y": [v if k == kind else None for v, k in zip(y[part], kinds[part], strict=True)],
            "customdata": [
                v if k == kind else None for v, k in zip(said[part], kinds[part], strict=True)
            ],
        }
        for kind, part in parts.items()
    }  # fmt: skip


def _drawn(scheme: str, points: Points, p: Parameters, shown: SchemeResult) -> str:
    which = f"of length {p.length} " if p.length else ""
    text = (
        f"The first panel shows {len(points.drawn)} of {scheme}'s {len(points.kinds)} itemsets "
        f"{which}that are frequent or found, evenly from the largest support to the smallest; on "
        "the diagonal an estimate is right. Supports below 0.1 %, negative ones too, and above "
        "100 % stand at the edges"
    )
    if points.n_unseen:
        reasons = {
            "Apriori had lost a part of them": p.prune,
            "they are too long for the scheme": bool(shown.why_not),
        }
        why = " or ".join(reason for reason, holds in reasons.items() if holds)
        text += f", as do the {points.n_unseen} lost ones that were never estimated: {why}"
    return text + "."


def _sentence(scheme: str, found: SchemeResult) -> str:
    if found.problem:
        return f"{scheme} cannot be had here: {found.problem}."
    longest = f"; the longest right one has {found.longest} item" if found.longest else ""
    return (
        f"{scheme} finds {found.n_kept} of {found.n_true} frequent itemsets, loses "
        f"{found.n_true - found.n_kept} and invents {found.n_invented}{longest}"
        f"{'s' if found.longest > 1 else ''}."
    )
