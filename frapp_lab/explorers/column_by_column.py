"""One record, perturbed column by column (FRAPP §5)."""

from __future__ import annotations

import functools
from typing import Any

import plotly.graph_objects as go

from frapp_lab import figures
from frapp_lab.explorers import controls
from frapp_lab.explorers.kit.base import Explorer, Number
from frapp_lab.explorers.models import column_by_column as model
from frapp_lab.explorers.models.column_by_column import (
    BOOLEAN_COLUMNS,
    BOOLEAN_SCAN,
    CENSUS,
    N_BOOLEAN,
    Result,
    Step,
)
from frapp_lab.figures import plain, rounded

UPPER, LOWER = -0.17, 0.17
"""Where a column's two bars stand: if all columns before it matched, and if not."""

THIS, MEAN, MANY = 0.0, 1.0, 2.0
COUNTED = {THIS: "this report", MEAN: "on average", MANY: f"{N_BOOLEAN} yes/no"}
FILLS = {
    "own": figures.KEPT, "other": "rgba(165, 0, 38, 0.22)", "uniform": "rgba(127, 127, 127, 0.4)",
}  # fmt: skip


class ColumnByColumn(Explorer):
    """A record, γ and a seed: what every column reports and how many steps that takes."""

    model = model
    ghosts = ("edges",)

    @functools.cached_property
    def groups(self) -> dict[str, list[controls.Control]]:
        """γ, how far the draw has come, and the seed; the record folds away."""
        first = model.Parameters()
        record = tuple(
            controls.Choice(a.name, a.name, tuple((c, code) for code, c in enumerate(a.categories)),
                            value, f"the client's own value of {a.name}")
            for a, value in zip(CENSUS.load().schema.attributes, first.record, strict=True)
        )  # fmt: skip
        return {
            "Settings": [
                controls.Gamma(),
                controls.Slider("columns", "columns drawn", first.columns, 0, len(record), 1,
                                "how many columns of the record have been drawn"),
                controls.Button("next_column", "Next", "draw the next column; after the last, anew",
                                in_bar=True),
                controls.Button("play_columns", "Play", "draw column after column", in_bar=True),
                controls.Seed(first.seed),
            ],
            "The client's record": [controls.Several("record", record)],
            "More: ε": [controls.Breach()],
        }  # fmt: skip

    def next_column(self) -> None:
        """Draw one column more; after the last, start anew."""
        slider = self.held["columns"]
        slider.value = slider.value + 1 if slider.value < slider.max else slider.min

    def play_columns(self) -> None:
        """Draw column after column."""
        self.play("columns", 0.9)

    def skeleton(self) -> go.Figure:
        """Six columns with two bars each, and how many values are looked at."""
        figure = figures.card(
            ["Chance of each value", "Looked at"], column_widths=[0.68, 0.32],
            horizontal_spacing=0.06,
        )  # fmt: skip
        figure.update_layout(margin_l=134, barmode="overlay")
        for kind, colour in FILLS.items():
            figure.add_trace(_segments(kind, colour, 1.0), 1, 1)
            figure.add_trace(_segments(f"{kind} unused", colour, 0.3), 1, 1)
        edges = figures.line("edges", "ends of the own value", figures.KEPT, hoverinfo="skip")
        figure.add_trace(edges.update(opacity=0.6), 1, 1)
        for name, colour, symbol in (
            ("kept", figures.KEPT, "circle"),
            ("changed", figures.CHANGED, "x"),
        ):
            look = {"size": 11, "color": colour, "symbol": symbol}
            look["line"] = {"width": 1.5, "color": "#FFFFFF"}
            darts = figures.line(name, name, colour, mode="markers", marker=look, cliponaxis=False)
            darts.hovertemplate = "dart at %{x:.3f}<br>%{text}<extra></extra>"
            figure.add_trace(darts, 1, 1)
        for name, colour in (("columns", figures.BLACK), ("scan", figures.GREY)):
            bars = go.Bar(x=[], y=[], meta=name, name=name, orientation="h", width=0.13,
                          marker_color=colour)  # fmt: skip
            figure.add_trace(bars, 1, 2)
        chance = {"title_text": "probability; markers are darts", "range": [0, 1]}
        figure.update_xaxes(**chance, dtick=0.25, row=1, col=1)
        figure.update_yaxes(range=[5.5, -0.5], showgrid=False, showticklabels=False, ticks="")
        figure.update_yaxes(range=[2.75, -0.25], row=1, col=2)
        return figure.update_xaxes(
            **figures.LOG_AXIS | {"dtick": 3, "range": [0, 9.3]}, showgrid=True,
            gridcolor=figures.GRID, title_text="values (log)", row=1, col=2,
        )  # fmt: skip

    def series(self, result: Result) -> dict[str, dict[str, Any]]:
        """Segments of the chances, darts of the columns that are drawn, and counts of values."""
        series: dict[str, dict[str, Any]] = {}
        for j, step in enumerate(result.steps):
            # Before the first column nothing can mismatch: it has one bar.
            for side, chances in ((UPPER, step.matching), (LOWER, step.uniform))[: 1 + (j > 0)]:
                used, y = step.is_drawn and step.before == (side == UPPER), j + side
                widths, starts = rounded(chances), rounded(chances.cumsum() - chances)
                for code, name in enumerate(step.categories):
                    kind = "own" if code == step.own else "other" if side == UPPER else "uniform"
                    _add(
                        series, kind if used else f"{kind} unused", x=widths[code],
                        base=starts[code], y=y, customdata=plain(f"{step.name}: {name}"),
                        text=f"own {chances[code]:.2f}" if used and kind == "own" else "",
                    )  # fmt: skip
            end = step.matching.cumsum()[step.own]
            up, down = rounded([j + UPPER - 0.15, j + UPPER + 0.15])
            for x in rounded([end - step.keep, end]):  # what γ moves
                for there, height in ((x, up), (x, down), (None, None)):
                    _add(series, "edges", x=there, y=height)
            if step.is_drawn:
                _add(
                    series, "kept" if step.matched else "changed", x=rounded([step.u])[0],
                    y=rounded([j + 2.3 * (UPPER if step.before else LOWER)])[0],
                    text=plain(f"{step.name}: reported {step.categories[step.reported]}"),
                )  # fmt: skip
        by_columns, by_scan = _counts(result)
        for name, counts, below in (("columns", by_columns, 0.2), ("scan", by_scan, 0.5)):
            known = {place: value for place, value in counts.items() if value}
            series[name] = {"x": list(known.values()), "y": [place + below for place in known]}
        return series

    def labels(self, result: Result) -> list[dict[str, object]]:
        """Each column with what becomes of it, and each count with its number."""
        words = []
        for j, step in enumerate(result.steps):
            outcome, colour = _outcome(step)
            name, own = plain(step.name), plain(step.categories[step.own])
            texts = (f"<b>{name}</b>", ""), (own, ""), (plain(outcome), colour)
            for (text, tint), below in zip(texts, (-0.31, 0, 0.31), strict=True):
                words.append(_label(text, -0.02, j + below, tint, xanchor="right", xref="x domain"))
        words.append(_label("lower bars: after a mismatch", 0, LOWER, figures.GREY))
        first = result.steps[0]
        if first.is_drawn:
            ends = first.matching.cumsum()
            after = first.own < len(ends) / 2  # where there is more room for it
            place = (ends[first.own] + 1) / 2 if after else (ends[first.own] - first.keep) / 2
            [place] = rounded([place])
            words.append(_label("another value", place, UPPER, figures.CHANGED, xanchor="center"))
        by_columns, by_scan = _counts(result)
        for place, name in COUNTED.items():
            words += [
                _label(f"<b>{name}</b>", 0, place - 0.12, "", "2"),
                _label(f"columns: {_said(by_columns[place])}", 0, place + 0.07, "", "2"),
                _label(f"scan: {_said(by_scan[place])}", 0, place + 0.37, figures.GREY, "2"),
            ]
        return words

    def headline(self, result: Result) -> str:
        """What happens at the last column that is drawn, or what was changed in all."""
        if not result.drawn:
            return "Nothing is drawn yet: each column waits for a random number of its own."
        step = result.drawn[-1]
        reported = step.categories[step.reported]
        if not result.is_whole:
            start = f"In this draw {step.name}"
            if not step.before:
                ending = f"stays {reported} by chance" if step.matched else f"becomes {reported}"
                return f"{start}, drawn uniformly, {ending}."
            if step.matched:
                return f"{start} is kept; the chance of that was {step.keep:.2f}."
            return f"{start} becomes {reported}: from here every column is uniform."
        if not result.n_changed:
            return "No column changed in this draw: the record is sent as it is."
        first = next(step for step in result.steps if not step.matched)
        text = f"{result.n_changed} of {len(result.steps)} columns changed in this draw"
        if first is step:
            return f"{text}: {step.name}, the last one."
        return f"{text}; after {first.name} all are uniform."

    def numbers(self, result: Result) -> list[Number]:
        """The chance of no change, what has changed, and how many values were looked at."""
        what = "chance γx, that nothing changes"
        if not result.is_whole:
            what = "chance of no change so far"
        chance = f"{100 * result.unchanged_so_far:.2g} %" if result.drawn else "100 %"
        scan = f"scan: {result.by_scan:,}" if result.is_whole else ""
        return [
            Number(chance, what),
            Number(str(result.n_changed), "columns changed", f"of {len(result.steps)}"),
            Number(str(result.by_columns), "values looked at", scan),
        ]

    def lines(self, result: Result) -> dict[str, str]:
        """Which column was drawn last."""
        last = f"up to {result.drawn[-1].name}" if result.drawn else "none yet"
        return {"columns": "all" if result.is_whole else last}

    def describe(self, result: Result) -> str:
        """Column after column in words, and what a scan would take."""
        text = [f"At γ = {result.parameters.gamma:.4g}, column by column:"]
        for step in result.drawn:
            text += _sentences(step)
        if not result.is_whole:
            waiting = ", ".join(step.name for step in result.steps[len(result.drawn) :])
            text.append(f"Not yet drawn: {waiting}.")
        elif not result.n_changed:
            text.append("No column was changed: the record is sent as it is.")
        if result.parameters.gamma < 1.5:
            text.append(
                "So close to γ = 1 even a matching column is nearly uniform: the report says "
                "almost nothing about the record."
            )
        text.append(
            f"All six columns stay the same with probability γx = {100 * result.unchanged:.2g} %, "
            "the product of the six probabilities of keeping."
        )
        if result.is_whole:
            text.append(
                f"Column by column this report took {result.by_columns} steps; a scan of all "
                f"{result.n_cells:,} cells would have taken {result.by_scan:,} to reach it."
            )
        text.append(
            f"On average a report of this record takes {result.mean_columns:.1f} steps by columns "
            f"and {result.mean_scan:,.0f} by a scan. With {N_BOOLEAN} yes/no columns it would be "
            f"{BOOLEAN_COLUMNS:g} against 2 to the power {N_BOOLEAN - 1}, "
            f"about {BOOLEAN_SCAN / 1e9:.1f} billion."
        )
        return " ".join(text)


def _add(series: dict[str, dict[str, list]], name: str, **point: object) -> None:
    """One point more in a trace."""
    for key, value in point.items():
        series.setdefault(name, {}).setdefault(key, []).append(value)


def _segments(name: str, colour: str, opacity: float) -> go.Bar:
    """Empty horizontal segments; each gets a start of its own, so that one trace holds many."""
    return go.Bar(
        x=[], y=[], meta=name, name=name, orientation="h", width=0.3, opacity=opacity,
        marker={"color": colour, "line": {"color": "#FFFFFF", "width": 1.5}},
        textposition="inside", insidetextanchor="middle", textangle=0,
        textfont={"size": 10, "color": "#FFFFFF"},
        hovertemplate="%{customdata}<br>probability %{x:.3f}<extra></extra>",
    )  # fmt: skip


def _label(
    text: str, x: object, y: object, colour: str, axes: str = "", **options: object
) -> dict[str, object]:
    """A small label; without a colour it has that of all text."""
    font = {"size": 11, "color": colour} if colour else {"size": 11}
    return figures.label(text, x, y, colour, axes, **options) | {"font": font}


def _counts(result: Result) -> tuple[dict[float, float | None], dict[float, float | None]]:
    """How many values are looked at, by columns and by a scan; None is not known yet."""
    scan = result.by_scan if result.is_whole else None
    return (
        {THIS: result.by_columns, MEAN: round(result.mean_columns, 1), MANY: BOOLEAN_COLUMNS},
        {THIS: scan, MEAN: round(result.mean_scan), MANY: BOOLEAN_SCAN},
    )


def _said(count: float | None) -> str:
    if count is None:
        return "not known yet"
    return f"2<sup>{N_BOOLEAN - 1}</sup>" if count == BOOLEAN_SCAN else f"{count:,g}"


def _outcome(step: Step) -> tuple[str, str]:
    """What becomes of a column, and its colour."""
    if not step.is_drawn:
        return "not drawn yet", figures.GREY
    if step.matched:
        return ("● kept" if step.before else "● same by chance"), figures.KEPT
    return f"✕ {step.categories[step.reported]}", figures.CHANGED


def _sentences(step: Step) -> list[str]:
    name, reported = f"{step.name} {step.categories[step.own]}", step.categories[step.reported]
    if not step.before:
        luck = " by chance" if step.matched else ""
        return [f"{name}: uniform, dart at {step.u:.2f}, reported {reported}{luck}."]
    start = f"{name}: kept with probability {step.keep:.2f}, dart at {step.u:.2f}, "
    if step.matched:
        return [f"{start}reported {reported}: a match."]
    return [f"{start}reported {reported}: a mismatch.", "From here every column is uniform."]
