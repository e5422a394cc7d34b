"""One matrix with its γ in sight, and how hard each scheme's is to undo."""

from __future__ import annotations

import math
import textwrap
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import plotly.graph_objects as go

from frapp_lab import figures
from frapp_lab.explorers import controls
from frapp_lab.explorers.kit.base import Number
from frapp_lab.explorers.models import matrices as model
from frapp_lab.explorers.models.matrices import HIGHEST, OWN, Result, Shown
from frapp_lab.explorers.schemes import SchemeExplorer
from frapp_lab.figures import in_words, rounded
from frapp_lab.figures.styles import SPARE_STYLES
from frapp_lab.mechanisms.mechanism import Mechanism

TOP = HIGHEST + 0.6
"""The power of ten at which the panel of condition numbers ends; singular ones stand below it."""

FEW = 4
"""With so few columns all entries are written into the cells."""

MANY = 16
"""With more rows there is no room between them."""

PAPER = "rgba(255, 255, 255, 0.85)"


@dataclass(frozen=True)
class Whose(controls.Choice):
    """Whose matrix is shown: to the model it is the scheme itself, of the same label or not."""

    choices: Mapping[str, str | Mechanism] = field(default_factory=dict)

    def read(self, values: Mapping[str, object]) -> dict[str, object]:
        """The scheme, or that it is one's own."""
        return {self.name: self.choices.get(str(values[self.name]), OWN)}


class Matrices(SchemeExplorer):
    """A matrix with the row that makes its γ, and condition numbers by itemset length (§3, §6)."""

    model = model
    ghosts = ("condition",)

    def _first(self) -> tuple[str, ...]:
        return tuple(self.choices)

    @property
    def groups(self) -> dict[str, list[controls.Control]]:
        """γ, whose matrix, three attributes and a length in sight; one's own matrix in a fold."""
        hint = "how many categories it has: the joint domain is the product of all three"
        first = model.Parameters()
        sizes = tuple(
            controls.Slider(f"size_{j}", f"attribute {j}", size, 2, 4, 1, hint, look="stepper")
            for j, size in enumerate(first.sizes, 1)
        )
        whose = Whose(
            "matrix", "matrix of", (*self.choices, OWN), next(iter(self.chosen), "DET-GD"),
            "whose matrix is shown; one of your own can be typed below", choices=self.choices,
        )  # fmt: skip
        length = controls.Slider(
            "length", "itemset length", first.length, 1, 3, 1,
            "the matrix shown is the one that undoes itemsets of this length",
        )  # fmt: skip
        own = controls.Text(
            "own", "rows: reports; columns: records", first.own,
            "numbers with spaces or commas between them; 1/3 and 20 % are numbers too", rows=4,
        )  # fmt: skip
        kept = controls.Slider(
            "K", "items C&P keeps at most, K", first.K, 1, 3, 1,
            "cut-and-paste keeps 0 to K items of a record; beyond K its matrix is singular",
        )  # fmt: skip
        return {
            "Settings": [
                controls.Gamma(), whose, length, controls.Several("sizes", sizes), self.switches,
            ],
            "A matrix of my own": [own],
            "More: K, ε": [kept, controls.Breach()],
        }  # fmt: skip

    def skeleton(self) -> go.Figure:
        """The heat map, and the condition numbers."""
        free = [style for style in SPARE_STYLES if style not in self._styles.values()]
        self._styles.setdefault(OWN, (free or SPARE_STYLES)[-1])
        figure = figures.card(
            ["Matrix", "Condition number"], 352, column_widths=[0.53, 0.47], horizontal_spacing=0.1
        )
        heat = go.Heatmap(
            x=[], y=[], z=[], meta="matrix", name="", zmin=0, zmax=1, showscale=False,
            hovertemplate="true %{x} → reported %{y}: %{z}",
        )  # fmt: skip
        figure.add_trace(heat, 1, 1)
        bound = figures.line("bound", "lower bound", figures.GREY)
        figure.add_trace(bound.update(line_dash="dash"), 1, 2)
        for scheme in (*self.choices, OWN):
            figure.add_trace(self.line(scheme, f"condition {scheme}"), 1, 2)
            mark = self.line(scheme, f"singular {scheme}", mode="markers", hoverinfo="skip")
            mark.marker.update(symbol="circle-x-open", size=12)
            figure.add_trace(mark, 1, 2)
        cells = {"type": "category", "showgrid": False, "ticks": "", "constrain": "domain"}
        figure.update_xaxes(
            **cells, title_text="true record u", constraintoward="left", row=1, col=1
        )
        down = {"title_text": "report v", "constraintoward": "top", "scaleanchor": "x"}
        figure.update_yaxes(**cells, **down, nticks=16, row=1, col=1)
        figure.update_xaxes(
            title_text="itemset length", tickvals=[1, 2, 3], range=[0.7, 4.3], row=1, col=2
        )
        powers = range(int(HIGHEST) + 1)  # and no tick below 1
        ticks = {
            "tickvals": [10**i for i in powers],
            "ticktext": ["1", "10", *(f"10<sup>{i}</sup>" for i in powers[2:])],
        }
        figure.update_yaxes(type="log", range=[-1, TOP], **ticks, row=1, col=2)
        return figure

    def series(self, result: Result) -> dict[str, dict[str, object]]:
        """Of a matrix A[v, u] the rows are the reports v, from the top, and the columns u."""
        series: dict[str, dict[str, object]] = {}
        if shown := result.shown:
            # A large matrix holds few values: round each of them once.
            values, where = np.unique(shown.matrix, return_inverse=True)
            z = np.array(rounded(values, 3))[where].reshape(shown.matrix.shape).tolist()
            series["matrix"] = {
                "x": [*map(figures.plain, shown.columns)], "y": [*map(figures.plain, shown.rows)],
                "z": z,
                "colorscale": self._shades(result.label),
                "xgap": int(len(z) <= MANY), "ygap": int(len(z) <= MANY),
            }  # fmt: skip
        if math.isfinite(result.lower_bound):
            ends = [0.3, 1] if result.is_own else [0.7, 3]
            series["bound"] = {"x": ends, "y": rounded([result.lower_bound] * 2)}
        for scheme, found in self._drawn(result).items():
            if found.numbers:
                ks = list(range(1, len(found.numbers) + 1))
                series[f"condition {scheme}"] = {"x": ks, "y": rounded(found.numbers)}
            if found.singular:
                top = rounded([10**HIGHEST] * len(found.singular))
                series[f"singular {scheme}"] = {"x": list(found.singular), "y": top}
        return series

    def _drawn(self, result: Result) -> dict[str, model.SchemeResult]:
        """All that stands in the panel of condition numbers."""
        return result.schemes | ({OWN: result.chosen} if result.is_own else {})

    def _shades(self, label: str) -> list[list[object]]:
        """From nothing to the scheme's colour, at squares: small chances can be told apart."""
        red, green, blue = (int(self.colour(label)[i : i + 2], 16) for i in (1, 3, 5))
        return [[(i / 8) ** 2, f"rgba({red}, {green}, {blue}, {i / 8})"] for i in range(9)]

    def layout(self, result: Result) -> dict[str, object]:
        """As many rows and columns as there are, and the lit row in a frame."""
        # Without a matrix, too, an axis goes from somewhere to somewhere, or nothing is drawn anew.
        changes: dict[str, object] = {"xaxis_range": [-0.5, 0.5], "yaxis_range": [0.5, -0.5]}
        label = figures.plain(result.label)
        title = f"{label}: no matrix"
        if shown := result.shown:
            rows, columns = shown.matrix.shape
            title = f"Matrix of {label}, {rows} × {columns}"
            changes = {
                "xaxis_range": [-0.5, columns - 0.5], "yaxis_range": [rows - 0.5, -0.5],
                "shapes": _frames(shown),
            }  # fmt: skip
            if shown.of != "record":
                changes["xaxis_title"] = _title(f"true {shown.of} u of an itemset")
                changes["yaxis_title"] = _title(f"reported {shown.of} v", standoff=4)
        if result.is_own:
            title2 = _title("all at the γ and n of my own")
            changes |= {"xaxis2_range": [0.2, 1.8], "xaxis2_tickvals": [], "xaxis2_title": title2}
        return changes | {"annotations": [{"text": f"<b>{title}</b>"}]}

    def labels(self, result: Result) -> list[dict[str, object]]:
        """The two entries whose ratio counts, the schemes at their lines, and the bound."""
        if result.shown is None:
            wrapped = textwrap.wrap(result.chosen.problem, 36, break_on_hyphens=False)
            words = "<br>".join(map(figures.plain, wrapped))
            entries = [figures.label(words, 0, 0.97, figures.BLACK, align="left",
                                     xref="paper", yref="paper", yanchor="top")]  # fmt: skip
        else:
            entries = _entries(result.shown)
        names, bound = [], result.lower_bound
        for label, (length, height) in result.names.items():
            beside: dict[str, Any] = {"xshift": 9}
            if length < 3 and not result.is_own:  # other lines go on there
                beside = {"xanchor": "right", "yshift": 12}
            text, colour = figures.plain(label), self.colour(label)
            names.append(figures.label(text, length, height, colour, "2", **beside))
        if math.isfinite(bound):
            under: dict[str, Any] = {"yanchor": "top", "yshift": -4, "align": "left"}
            text, left = "lower bound<br>(γ+n−1)/(γ−1)", 1.15
            if result.is_own:
                text, left = "lower bound", 0.25
            at = (left, math.log10(bound), figures.GREY, "2")
            names.append(figures.label(text, *at, **under))
        if missing := [label for label, found in self._drawn(result).items() if found.problem]:
            at = (0.25 if result.is_own else 0.75, HIGHEST + 0.35, self.colour(missing[0]), "2")
            who = figures.plain(", ".join(missing))
            names.append(figures.label(f"{who}: cannot be had here", *at))
        singular: dict[int, list[str]] = {}
        for label, found in self._drawn(result).items():
            if found.singular:
                singular.setdefault(found.singular[0], []).append(label)
        aside = {"xshift": 9} if result.is_own else {"xanchor": "right", "xshift": -9}
        for length, labels in singular.items():
            at = (length, HIGHEST, self.colour(labels[0]), "2")
            who = figures.plain(", ".join(labels))
            names.append(figures.label(f"{who} singular", *at, **aside))
        return entries + names

    def headline(self, result: Result) -> str:
        """What the shown matrix costs, beside the scheme that differs from it."""
        if result.label == OWN:
            return _own_headline(result)
        label, found, k = result.label, result.chosen, result.parameters.length
        if found.problem:
            return f"{label} cannot be had at this setting: the words say why."
        if found.why_not:
            return f"{label} cannot undo itemsets of length {k}: its matrix is singular."
        number = result.number
        text = f"At length {k} the condition number of {label} is {in_words(number)}"
        others = {s: f.numbers[k - 1] for s, f in result.schemes.items() if len(f.numbers) >= k}
        others[label] = number
        high, low = max(others, key=others.__getitem__), min(others, key=others.__getitem__)
        other = high if others[high] > number else low
        if in_words(others[other]) == in_words(number):
            return text + "."
        return f"{text}, that of {other} {in_words(others[other])}."

    def numbers(self, result: Result) -> list[Number]:
        """γ as a ratio of two entries, the condition number, and what it is to be held against."""
        shown, gamma = result.shown, result.chosen.gamma
        ratio, rest = "–", ""
        if shown and shown.row is not None:
            ratio = _said(shown.ratio)
            is_gamma = math.isclose(shown.ratio, gamma, rel_tol=1e-6)
            rest = "= γ" if is_gamma else f"below γ = {gamma:.4g}"
        numbers = [
            Number(ratio, "largest ÷ smallest in the lit row", rest),
            Number(_said(result.number), f"condition number, {result.label}"),
        ]
        own = result.own
        if result.label == OWN:
            other = f"γ-diagonal {_points(own.diagonal)}" if math.isfinite(own.diagonal) else ""
            label = f"points on a support of {100 * model.SUPPORT:g} %"
            return [*numbers, Number(_points(own.deviation), label, other)]
        if math.isfinite(result.lower_bound):
            label = f"lower bound, {result.n_cells} cells"
            numbers.append(Number(in_words(result.lower_bound), label))
        return numbers

    def lines(self, result: Result) -> dict[str, str]:
        """What was typed means, and whether it keeps γ."""
        lines = {"own_note": _own_message(result)}
        if not result.is_own:
            return lines | {"length": f"{result.n_cells} cells in the joint domain"}
        word = "keeps" if result.keeps else "breaks"
        gamma = f"my own has γ = {_said(result.own.gamma)}: it {word} this"
        return lines | {"gamma": gamma, "length": "not for a matrix of my own"}

    def describe(self, result: Result) -> str:
        """The bound, each scheme's number, and in its own words what a scheme cannot do."""
        p = result.parameters
        if result.label == OWN:
            return _own_words(result)
        n, k = result.n_cells, p.length
        text = [
            f"{n} cells, γ = {p.gamma:.4g}, itemsets of length {k}. No symmetric positive definite "
            f"matrix over all {n} cells has a condition number below (γ + n − 1)/(γ − 1) = "
            f"{in_words(result.lower_bound)}. DET-GD attains this bound, and it has the "
            "same number at every length; RAN-GD has DET-GD's matrix on average."
        ]
        made = result.schemes.items()
        if shown := result.shown:
            text.append(_lit(shown, f"{result.label}'s matrix", result.chosen.gamma))
        numbers = {scheme: f.numbers[k - 1] for scheme, f in made if len(f.numbers) >= k}
        if numbers:
            listed = ", ".join(f"{scheme} {in_words(c)}" for scheme, c in numbers.items())
            low = min(numbers.values())
            best = " and ".join(s for s, c in numbers.items() if c <= low * (1 + 1e-9))
            verb = "have" if " and " in best else "has"
            text.append(
                f"Condition numbers at length {k}: {listed}. {best} {verb} the lowest of those "
                "shown. The matrices are of different sizes, so a number says how much a scheme "
                "can magnify the noise in its own reports, not yet how large that noise is."
            )
            below = [s for s, c in numbers.items() if c < result.lower_bound * (1 - 1e-9)]
            if below:
                text.append(
                    f"Below the bound: {', '.join(below)}. That is no contradiction, because the "
                    f"bound is for symmetric positive definite matrices over all {n} cells: a "
                    "matrix that is smaller or of another kind may lie below it."
                )
        every = result.schemes | {result.label: result.chosen}
        text += _missing(every)
        text += [f"{s} cannot be undone here: {f.why_not}." for s, f in every.items() if f.why_not]
        if p.gamma < 1.5:
            text.append(
                "So close to γ = 1 every column of a matrix is almost the same: the heat map "
                "loses its diagonal, and the condition numbers grow without limit."
            )
        if not p.schemes:
            text.append("No scheme is switched on.")
        if p.own != model.EXAMPLE:
            text.append(_own_message(result))
        return " ".join(text)


# --- the figure -----------------------------------------------------------------------------------


def _frames(shown: Shown) -> list[dict[str, object]]:
    """A frame around the lit row, or around the columns that do not sum to one."""
    rows, columns = shown.matrix.shape
    across, down = (-0.5, columns - 0.5), (-0.5, rows - 0.5)
    boxes = [((u - 0.5, u + 0.5), down) for u in shown.off]
    if shown.row is not None:
        boxes = [(across, (shown.row - 0.5, shown.row + 0.5))]
    look = {"color": figures.BLACK, "width": 2.5, "dash": "dot" if shown.off else "solid"}
    return [
        {"type": "rect", "xref": "x", "yref": "y", "x0": x[0], "x1": x[1], "y0": y[0], "y1": y[1],
         "line": look}
        for x, y in boxes
    ]  # fmt: skip


def _entries(shown: Shown) -> list[dict[str, object]]:
    """The largest and the smallest entry of the lit row, or what columns sum to; all, if few."""
    rows, columns = shown.matrix.shape
    few = columns <= FEW and rows <= 2 * FEW
    ink: dict[str, Any] = {"font": {"size": 12}}  # the page's own, which is seen on all shades
    lit = {} if shown.row is None else {shown.largest: "largest", shown.smallest: "smallest"}
    labels = []
    if few:
        short = {"largest": "max", "smallest": "min"} if columns == FEW else {}
        for v, u in np.ndindex(rows, columns):
            text = f"{shown.matrix[v, u]:.3g}"
            if v == shown.row and u in lit:
                text = f"<b>{text}</b><br>{short.get(lit[u], lit[u])}"
            labels.append(figures.label(text, u, v, "", xanchor="center", **ink))
    else:
        above = lit and shown.row >= rows / 2
        for step, (u, word) in enumerate(lit.items(), 1):
            text = f"{word} <b>{shown.matrix[shown.row, u]:.3g}</b>"
            labels.append(figures.label(
                text, u, shown.row, "", xanchor="left" if u < columns / 2 else "right",
                ax=0, ay=(-24 if above else 24) * step, showarrow=True, arrowhead=0,
                arrowwidth=1.5, arrowcolor=figures.BLACK, bgcolor=PAPER, borderpad=2, **ink,
            ))  # fmt: skip
    sums = list(zip(shown.off, shown.sums, strict=True))
    for u, total in sums if few else sums[:1]:
        text, at = f"Σ = {total:.4g}", (u, rows - 1.5)
        labels.append(figures.label(text, *at, "", xanchor="center", bgcolor=PAPER, **ink))
    return labels


# --- words ----------------------------------------------------------------------------------------


def _said(ratio: float) -> str:
    """A number that may be infinite or missing."""
    if math.isfinite(ratio):
        return in_words(ratio)
    return "∞" if math.isinf(ratio) else "–"


def _points(share: float) -> str:
    """A standard deviation in percentage points."""
    return f"±{100 * share:.2g}" if math.isfinite(share) else "–"


def _lit(shown: Shown, label: str, gamma: float) -> str:
    if shown.row is None:
        return ""
    high, low = (f"{shown.matrix[shown.row, u]:.3g}" for u in (shown.largest, shown.smallest))
    text = (
        f"In the lit row of {label} the largest entry is {high} and the smallest {low}: "
        f"their ratio is {_said(shown.ratio)}"
    )
    if math.isclose(shown.ratio, gamma, rel_tol=1e-6):
        return f"{text}, and that is γ."
    whole = f"over whole reports the largest is γ = {gamma:.4g}"
    return f"{text}. This matrix is of a part of the report; {whole}."


def _title(text: str, standoff: int = 6) -> dict[str, Any]:
    """Give an axis another title, in the look of those of the skeleton."""
    return {"text": text, "font": {"size": 12}, "standoff": standoff}


def _missing(found: Mapping[str, model.SchemeResult]) -> list[str]:
    """Which schemes cannot be had, and why; those of one reason in one sentence."""
    reasons: dict[str, list[str]] = {}
    for label, scheme in found.items():
        if scheme.problem:
            reasons.setdefault(scheme.problem, []).append(label)
    return [f"{', '.join(labels)} cannot be had here: {why}." for why, labels in reasons.items()]


def _own_headline(result: Result) -> str:
    own = result.own
    if own.problems:
        return f"My own matrix: {own.problems[0]}."
    if math.isinf(own.condition):
        return f"My own matrix has γ = {_said(own.gamma)}, and it is singular: nobody can undo it."
    text = (
        f"My own matrix has γ = {_said(own.gamma)} and condition number {in_words(own.condition)}"
    )
    if math.isfinite(result.lower_bound):
        return f"{text}; γ-diagonal has {in_words(result.lower_bound)}."
    at = result.shown
    assert at is not None
    assert at.row is not None  # or γ would not be infinite
    return f"My own matrix has γ = ∞: report {at.row + 1} rules out record {at.smallest + 1}."


def _own_message(result: Result) -> str:
    """What was typed means, in a sentence or two."""
    own = result.own
    if own.problems:
        return f"My own matrix: {'; '.join(own.problems)}."
    assert own.matrix is not None  # or there would be problems
    rows, columns = own.matrix.shape
    text = f"My own matrix ({rows} × {columns}) has γ = {_said(own.gamma)}"
    if math.isinf(own.condition):
        return (
            f"{text}. It is singular: different data give the same reports, so none can be undone."
        )
    text += (
        f" and condition number {in_words(own.condition)}. With N = {model.RECORDS:,} records an "
        f"estimated support of {100 * model.SUPPORT:g} % would have a standard deviation of "
        f"{100 * own.deviation:.2g} percentage points"
    )
    if math.isfinite(own.diagonal):
        return f"{text}; that of γ-diagonal at the same γ and n is {100 * own.diagonal:.2g}."
    return f"{text}."


def _own_words(result: Result) -> str:
    own, text = result.own, [_own_message(result)]
    listed = ", ".join(
        f"{s} {in_words(f.numbers[0])}" for s, f in result.schemes.items() if f.numbers
    )
    if own.problems:
        text.append(
            "A column holds the chances of all reports of one record: none is negative, and they "
            "sum to one. The condition numbers shown are those of the schemes at "
            f"γ = {result.gamma:.4g} and {result.n_cells} cells."
        )
        return " ".join(text + _missing(result.schemes))
    shown = result.shown
    assert shown is not None
    text.append(_lit(shown, "my own matrix", own.gamma))
    if math.isinf(own.gamma):
        assert shown.row is not None
        text.append(
            f"Report {shown.row + 1} cannot come from record {shown.smallest + 1}: whoever sends "
            "it has ruled that record out. No γ bounds this."
        )
    if listed:
        text.append(f"At this γ and n the schemes' condition numbers are: {listed}.")
    text += _missing(result.schemes)
    if math.isfinite(result.lower_bound):
        bound = in_words(result.lower_bound)
        text.append(f"The bound (γ + n − 1)/(γ − 1) is {bound}.")
        if own.condition < result.lower_bound * (1 - 1e-9):
            text.append("My own matrix lies below it: it is not symmetric positive definite.")
    return " ".join(text)
