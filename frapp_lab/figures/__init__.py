"""One look for all figures: made once, as a skeleton of named traces, and filled from a result."""

from __future__ import annotations

import itertools
import math
import re
from collections.abc import Collection, Iterable, Mapping
from typing import Any

import frapp_lab.figures.quick_import  # before plotly, which it makes load faster

# isort: split
import plotly.graph_objects as go
from plotly.subplots import make_subplots

from frapp_lab.figures.styles import style_of
from frapp_lab.mechanisms.registry import schemes

BLUE, VERMILION, GREEN, PINK, BLACK = "#0072B2", "#D55E00", "#009E73", "#CC79A7", "#333333"
ORANGE, SKY, GREY = "#B37B00", "#2B8CC4", "#7F7F7F"
"""After Okabe and Ito, which colour-blind readers can tell apart; all at least 3:1 on white."""

TRUTH, ESTIMATE, BEFORE, AFTER = BLACK, "#6A3D9A", GREY, "#A0522D"
KEPT, CHANGED = "#00798C", "#A50026"
"""What is no scheme has a colour of its own, the same in all explorers; schemes bring theirs."""

GRID = "rgba(128, 128, 128, 0.25)"
"""Seen on light and on dark paper."""

LOG_AXIS = {"type": "log", "dtick": 1, "exponentformat": "power", "tickfont": {"size": 10}}
"""Powers of ten; plotly sets them a quarter larger than it is told."""


def rounded(values: Iterable[float], digits: int = 4) -> list[float | None]:
    """Round numbers to a few significant digits; what is missing or infinite becomes None.

    >>> rounded([112.11111, float("nan"), 0.000123456])
    [112.1, None, 0.0001235]
    """
    return [float(f"{v:.{digits}g}") if math.isfinite(v) else None for v in map(float, values)]


def places_of(xs: Iterable) -> list:
    """Give the places along an axis: rounded numbers, or names, if there is a word among them."""
    xs = list(xs)
    if any(isinstance(x, str) for x in xs):
        return [plain(x) if isinstance(x, str) else x for x in xs]
    return rounded(xs, 6)


RAISED = str.maketrans("0123456789", "⁰¹²³⁴⁵⁶⁷⁸⁹")


def in_words(number: float) -> str:
    """Write a number of any size for a sentence.

    >>> in_words(8.1944), in_words(302190.4), in_words(9.96e6)
    ('8.19', '302,190', '1.0 × 10⁷')
    """
    if number < 999.5:
        return f"{number:.3g}"
    if number < 1e6:
        return f"{number:,.0f}"
    if number > 1e15:
        return "more than 10¹⁵ (singular to a computer)"
    digits, power = f"{number:.1e}".split("e")
    return f"{digits} × 10{str(int(power)).translate(RAISED)}"


def plain(text: object) -> str:
    """Escape a name for plotly's texts, in which <b> or <a href=…> would be markup.

    >>> plain("C&P, age <20")
    'C&P, age &lt;20'
    """
    return re.sub(r"&(?=#?\w+;)", "&amp;", str(text)).replace("<", "&lt;")


def panels(rows: int, columns: int, titles: list[str] | None, height: int, **options) -> go.Figure:
    """Make an empty figure of several panels in the course's look: a white card on any theme."""
    figure = make_subplots(rows, columns, subplot_titles=titles, **options)
    figure.update_layout(
        template=None,  # templates cost time on every trace
        paper_bgcolor="white",
        plot_bgcolor="white",
        height=height,
        autosize=True,
        font={"size": 12, "color": "#222222"},
        margin={"l": 60, "r": 16, "t": 70, "b": 54},
        legend={"orientation": "h", "x": 0, "y": 1.0, "yref": "container", "yanchor": "top"},
        hovermode="closest",
        uirevision="keep",  # zoom and hidden traces survive an update
        # At every update plotly guesses anew what kind of axis it is: names such as "01" are names.
        autotypenumbers="strict",
    )
    figure.update_annotations(font_size=13)
    # Plain axes, and no measuring of labels: these are what makes plotly slow to redraw.
    axis = {"linecolor": GREY, "zeroline": False, "nticks": 5, "tickangle": 0}
    axis |= {"automargin": False, "ticklabeloverflow": "allow"}
    figure.update_xaxes(**axis, showgrid=False, title_standoff=6)
    figure.update_yaxes(**axis, gridcolor=GRID, title_standoff=4)
    return figure


def card(titles: list[str], height: int = 380, rows: int = 1, **options) -> go.Figure:
    """Make an empty figure for an explorer's card: panels side by side, each under its title.

    Every axis has a type, and the explorer gives it a range, so that axes stand still.
    """
    columns = options.pop("columns", len(titles) // rows)
    options = {"horizontal_spacing": 0.24 / columns, **options}
    figure = panels(rows, columns, titles, height, **options)
    figure.update_layout(margin={"l": 46, "r": 10, "t": 30, "b": 44}, showlegend=False)
    for number, note in enumerate(figure.layout.annotations, 1):
        axis = str(number) if number > 1 else ""  # titles stand at the corners of their panels
        note.update(x=0, xref=f"x{axis} domain", y=1, yref=f"y{axis} domain", yanchor="bottom")
        note.update(xanchor="left", yshift=6, text=f"<b>{note.text}</b>", font_size=12)
    figure.update_xaxes(type="linear", tickfont_size=11, title_font_size=12, fixedrange=True)
    return figure.update_yaxes(type="linear", tickfont_size=11, title_font_size=12, fixedrange=True)


def scheme_line(scheme: str, name: str, legend: bool = False, **options) -> go.Scatter:
    """Make an empty line in a scheme's colour and marker, which `filled` finds by `name`."""
    style = style_of(scheme)
    look = {"color": style.colour, "width": 2, "dash": style.dash}
    marker = {"marker_color": style.colour, "marker_symbol": style.marker, "marker_size": 9}
    marker |= {"marker_line_width": 2, "marker_line_color": style.colour}
    names = {"name": plain(scheme), "meta": name, "legendgroup": scheme, "showlegend": legend}
    # Not clipped, so that a marker at 0 is seen whole.
    options = {"mode": "lines+markers", "cliponaxis": False, **marker, **options}
    return go.Scatter(x=[], y=[], line=look, **names, **options)


def line(name: str, label: str, colour: str, legend: bool = False, **options) -> go.Scatter:
    """Make an empty line in any colour, which `filled` finds by `name`."""
    options.setdefault("mode", "lines")
    names = {"name": plain(label), "meta": name, "showlegend": legend}
    return go.Scatter(x=[], y=[], line={"color": colour, "width": 2}, **names, **options)


def filled(
    traces: Iterable[Mapping[str, Any]], series: Mapping[str, Mapping[str, object]]
) -> list[dict[str, Any]]:
    """Fill the traces that are named in `series` with its data; leave out the others.

    They are plain dictionaries, because plotly's own objects check everything anew.

    >>> traces = [line("a", "A", BLUE).to_plotly_json(), line("b", "B", GREEN).to_plotly_json()]
    >>> [trace["y"] for trace in filled(traces, {"a": {"x": [1, 2], "y": [3, 4]}})]
    [[3, 4]]
    """
    unknown = set(series) - {trace["meta"] for trace in traces}
    if unknown:
        raise KeyError(f"the figure has no traces named {sorted(unknown)}")
    return [{**t, **series[t["meta"]]} for t in traces if t["meta"] in series]


def patched(layout: Mapping[str, Any], changes: Mapping[str, Any]) -> dict[str, Any]:
    """Change parts of a layout: `xaxis2_range` is the range of `xaxis2`.

    A list changes what stands at its places, and what is longer is added.

    >>> patched({"xaxis": {"type": "log"}}, {"xaxis_range": [0, 1]})
    {'xaxis': {'type': 'log', 'range': [0, 1]}}
    """
    new = dict(layout)
    for key, value in changes.items():
        part, _, name = key.partition("_")
        if name:
            new[part] = {**new.get(part, {}), name: value}
        elif isinstance(value, Mapping):
            new[part] = {**new.get(part, {}), **value}
        elif isinstance(value, list) and isinstance(new.get(part), list | tuple):
            old = list(new[part])
            merged = [{**a, **b} for a, b in zip(old, value, strict=False)]
            new[part] = merged + old[len(value) :] + value[len(old) :]
        else:
            new[part] = value
    return new


def label(text: str, x: object, y: object, colour: str, axes: str = "", **options) -> dict:
    """Put words at a point of the panel whose axes have this number.

    They may have <b>, <i>, <sup>, <sub> and <br> in them: a name among them needs `plain`. On a log
    axis the point is given as a power of ten, as plotly wants it.
    """
    place = {"x": x, "y": y, "xref": f"x{axes}", "yref": f"y{axes}", "showarrow": False}
    font = {"size": 12, "color": colour}
    return {"text": text, "font": font, "xanchor": "left", **place, **options}


class StaticFigure:
    """Show a figure in a notebook: plotly's JSON, and a summary as plain text.

    >>> shown = StaticFigure(go.Figure(), "Nothing to see.")
    >>> shown._repr_mimebundle_()["text/plain"]
    'Nothing to see.'
    """

    def __init__(self, figure: go.Figure, summary: str) -> None:
        self.figure, self.summary = figure, summary

    def __repr__(self) -> str:
        return self.summary

    def _repr_mimebundle_(self, include=None, exclude=None) -> dict[str, object]:
        picture = self.figure.to_plotly_json()
        return {"application/vnd.plotly.v1+json": picture, "text/plain": self.summary}


def chart(
    curves: Mapping[str, tuple[Iterable, Iterable[float]]],
    x: str,
    y: str,
    summary: str,
    *,
    title: str = "",
    log_x: bool = False,
    log_y: bool = False,
    bars: bool = False,
    points: Collection[str] = (),
    height: int = 360,
) -> StaticFigure:
    """Draw curves by name, each with its x and y values; `x` and `y` title the axes.

    A curve named as a scheme has its colour and marker. Those named in `points` have markers and no
    line, and then all others have a line only. `summary` says what is to be seen.

    >>> chart({"MASK": ([1, 2], [8.2, 67.1])}, "length", "condition number", "It grows.")
    It grows.
    """
    figure = panels(1, 1, None, height)
    own = {name: style_of(name) for name in curves if name in schemes(modern=True)}
    taken = {style.colour for style in own.values()}
    palette = (BLUE, VERMILION, GREEN, PINK, BLACK, ORANGE, SKY, GREY)
    # When the colours are used up they come again, dashed or hatched.
    again = (None, "/", ".", "x") if bars else (None, "dash", "dot", "dashdot")
    looks = itertools.product(again, [colour for colour in palette if colour not in taken])
    markers = itertools.cycle(("circle", "x-thin-open", "triangle-up"))
    for name, (xs, ys) in curves.items():
        look, colour = (None, own[name].colour) if name in own else next(looks, (None, None))
        if colour is None:
            raise ValueError(
                f"curves holds {len(curves)} curves: up to {len(again) * len(palette)} can be told "
                "apart, because there are so many colours and dashes; make several charts"
            )
        if bars:
            trace = go.Bar(name=plain(name), meta=name, marker_color=colour)
            trace.marker.pattern.shape = look
        elif name in own:
            trace = scheme_line(name, name)
        else:
            trace = line(name, name, colour, mode="lines" if points else "lines+markers")
            trace.line.dash = look
        if name in points:
            trace.update(mode="markers", marker_symbol=next(markers))
        trace.update(x=places_of(xs), y=rounded(ys), showlegend=True)
        figure.add_trace(trace)
    figure.update_layout(
        title={"text": plain(title), "x": 0.02, "font": {"size": 15}},
        showlegend=len(curves) > 1,
        barmode="group",
        legend={"y": 1.02, "yref": "paper", "yanchor": "bottom"},
    )
    figure.update_xaxes(LOG_AXIS if log_x else {}, title_text=plain(x))
    figure.update_yaxes(LOG_AXIS if log_y else {}, title_text=plain(y))
    places = [value for trace in figure.data for value in trace.x]
    if not log_x and all(isinstance(value, float) and value % 1 == 0 for value in places):
        figure.update_xaxes(dtick=1 if max(places) - min(places) <= 12 else None)
    return StaticFigure(figure, summary)


def match_tree(columns: Iterable[str], sizes: Iterable[int], keep: Iterable[float]) -> StaticFigure:
    """Draw column by column as a tree of two lanes: all matched, or after a mismatch (FRAPP §5).

    `keep` has each column's probability of keeping its value while all before it have matched.

    >>> match_tree(["sex", "age"], [2, 3], [0.6, 0.5])
    While all before match: sex kept with 0.6, age kept with 0.5. After a mismatch: age 1/3 each.
    """
    columns, sizes, keep = list(columns), list(sizes), list(keep)
    figure, end = panels(1, 1, None, height=290), len(columns)
    for j, (size, h) in enumerate(zip(sizes, keep, strict=True)):
        ways = [(1, 1, f"{h:.3g}", KEPT, 14), (1, 0, f"{1 - h:.3g}", CHANGED, 0)]
        if j:  # the first column has no mismatch before it
            ways.append((0, 0, f"each value 1/{size}", GREY, -14))
        for y, then, chance, colour, shift in ways:
            figure.add_scatter(x=[j, j + 1], y=[y, then], mode="lines", line_color=colour)
            words = label(chance, j + 0.5, (y + then) / 2, colour, xanchor="center", yshift=shift)
            figure.add_annotation(words, bgcolor="rgba(0, 0, 0, 0)" if y == then else "white")
    for y, first, colour in ((1, 0, KEPT), (0, 1, CHANGED)):
        x = list(range(first, end + 1))
        dots = {"marker_size": 11, "marker_color": colour, "cliponaxis": False}
        figure.add_scatter(x=x, y=[y] * len(x), mode="markers", **dots)
    unchanged = f"nothing changed:<br>{math.prod(keep):.3g}"
    for y, text, colour in ((1, unchanged, KEPT), (0, "changed", CHANGED)):
        figure.add_annotation(label(text, end, y, colour, xshift=12))
    figure.update_layout(showlegend=False, margin={"l": 90, "r": 120, "t": 20, "b": 40})
    middles = [j + 0.5 for j in range(end)]
    figure.update_xaxes(
        tickvals=middles, ticktext=[plain(c) for c in columns], range=[-0.15, end + 0.05]
    )
    lanes = ["after a<br>mismatch", "all matched<br>so far"]
    figure.update_yaxes(tickvals=[0, 1], ticktext=lanes, range=[-0.35, 1.35], showgrid=False)
    kept = ", ".join(f"{c} kept with {h:.3g}" for c, h in zip(columns, keep, strict=True))
    later = ", ".join(f"{c} 1/{size} each" for c, size in zip(columns[1:], sizes[1:], strict=True))
    return StaticFigure(figure, f"While all before match: {kept}. After a mismatch: {later}.")
