"""Marks: lines, dots, bars and words as plain dictionaries in plotly's form, look and data in one.

A mark's `meta` is its name. One with `ghost=True` stays behind as a pale picture when a control of
an explorer moves. Several marks on two axes are a `Panel`, and `picture` puts panels side by side.
No plotly is needed here: the page draws them.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np

from frapp_lab.figures.look import GREY, GRID, plain, rounded, shade

Mark = dict[str, Any]
Axis = Mapping[str, Any]


# --- marks ----------------------------------------------------------------------------------------


def line(name: str, x: Iterable, y: Iterable, colour: str, says: str = "", **look: Any) -> Mark:
    """Draw a line; `dash` and `width` are its own, all else is named as plotly names it.

    >>> line("a", [1, 2], [3, 4.00001], "#333333", dash="dot")["y"]
    [3, 4.0]
    """
    stroke = {"color": colour, "width": look.pop("width", 2)}
    if dash := look.pop("dash", None):
        stroke["dash"] = dash
    return {
        "type": "scatter",
        "mode": "lines",
        "meta": name,
        "name": plain(says or name),
        "showlegend": False,
        "x": _values(x),
        "y": _values(y),
        "line": stroke,
        **look,
    }


def dots(
    name: str, x: Iterable, y: Iterable, colour: str, symbol: Any = "circle", **look: Any
) -> Mark:
    """Draw points; `size`, `opacity` and `edge` (the width of their outline) are their own."""
    marker = {"color": look.pop("colours", colour), "symbol": symbol, "size": look.pop("size", 9)}
    if "opacity" in look:
        marker["opacity"] = look.pop("opacity")
    if "edge" in look:
        marker["line"] = {"color": colour, "width": look.pop("edge")}
    look = {"mode": "markers", "marker": marker, "cliponaxis": False, **look}
    return line(name, x, y, colour, **look)


def joined_dots(
    name: str, x: Iterable, y: Iterable, colour: str, symbol: Any = "circle", **look: Any
) -> Mark:
    """Draw points with a line through them."""
    stroke = {key: look.pop(key) for key in ("dash", "width") if key in look}
    mark = dots(name, x, y, colour, symbol, mode="lines+markers", **look)
    return mark | {"line": line(name, (), (), colour, **stroke)["line"]}


def spikes(name: str, x: Iterable, low: Iterable, high: Iterable, colour: str, **look: Any) -> Mark:
    """Draw an upright line at each x, from `low` to `high`, silent under the mouse.

    >>> spikes("interval", [1], [2], [3], "#333333")["y"]
    [2, 3, None]
    """
    xs = [v for place in _values(x) for v in (place, place, None)]
    ends = zip(_values(low), _values(high), strict=True)
    ys = [v for low_end, high_end in ends for v in (low_end, high_end, None)]
    return line(name, xs, ys, colour, hoverinfo="skip", **look)


def area(name: str, x: Iterable, y: Iterable, colour: str, opacity: float, **look: Any) -> Mark:
    """Fill an outline, silent under the mouse."""
    fill = {"fill": "toself", "fillcolor": shade(colour, opacity), "hoverinfo": "skip"}
    return line(name, x, y, colour, width=0, **fill | look)


def band(
    name: str, x: Iterable, low: Iterable, high: Iterable, colour: str, says: str = "", **look: Any
) -> Mark:
    """Fill what lies between two lines: along the low one, and back along the high one.

    >>> band("draws", [1, 2], [0, 0], [3, 4], "#333333")["y"]
    [0, 0, 4, 3]
    """
    x = list(x)
    ys = [*low, *reversed(list(high))]
    return area(name, x + x[::-1], ys, colour, 0.16, says=says, **look)


def bars(name: str, x: Iterable, y: Iterable, colour: str, says: str = "", **look: Any) -> Mark:
    """Draw upright bars."""
    return {
        "type": "bar",
        "meta": name,
        "name": plain(says or name),
        "x": _values(x),
        "y": _values(y),
        "marker": {"color": colour, **look.pop("marker", {})},
        **look,
    }


def matrix(
    name: str, z: np.ndarray, columns: Iterable[str], rows: Iterable[str], colour: str, **look: Any
) -> Mark:
    """Draw a heat map as a mark, its colours at squares, so that small shares can be told apart."""
    values, where = np.unique(z, return_inverse=True)  # a large matrix holds few values
    shades = [[(i / 8) ** 2, shade(colour, i / 8)] for i in range(9)]
    return {
        "type": "heatmap",
        "meta": name,
        "name": "",
        "x": [*map(plain, columns)],
        "y": [*map(plain, rows)],
        "z": np.array(rounded(values, 3))[where].reshape(z.shape).tolist(),
        "zmin": 0,
        "zmax": 1,
        "showscale": False,
        "colorscale": shades,
        **look,
    }


def note(text: str, x: Any, y: Any, colour: str, corner: bool = False, **options: Any) -> Mark:
    """Write words at a point of a panel; on a log axis the point is given as a power of ten.

    They may have <b>, <i>, <sup>, <sub> and <br> in them: a name among them needs `plain`. In a
    `corner` x and y are shares of the panel's width and height.
    """
    kind = " domain" if corner else ""
    place = {"x": x, "y": y, "xref": f"x{kind}", "yref": f"y{kind}", "showarrow": False}
    font = {"size": options.pop("size", 12), "color": colour}
    return {"text": text, "font": font, "xanchor": "left", **place, **options}


def label(text: str, mark: Mark, at: int = -1, **options: Any) -> Mark:
    """Write words that belong to a mark, at its point `at` or where a page finds room near it.

    >>> label("here", dots("a", [1, 2], [3, 4], "#333333"), yshift=9)["name"]
    'a'
    """
    ink = mark["line"] if "line" in mark else mark["marker"]
    colour = options.pop("colour", ink["color"])
    return note(text, mark["x"][at], mark["y"][at], colour, name=mark["meta"], **options)


def _values(values: Iterable) -> list:
    """Round a mark's numbers with a point to a few digits; whole ones, names and gaps stay."""
    values = values.tolist() if isinstance(values, np.ndarray) else list(values)
    kinds = set(map(type, values))  # of many values there are few kinds, most often one
    if kinds <= {int, str, type(None)}:
        return values
    if kinds == {float}:
        return rounded(values)
    return [v if v is None or isinstance(v, str | int) else rounded([v])[0] for v in values]


def zeros(mark: Mark, row: float) -> list[Mark]:
    """Break a mark where it is 0, which a log axis cannot show: hollow there, on the row of 0.

    >>> [m["y"] for m in zeros(joined_dots("a", [1, 2, 3], [5, 0, 7], "#333333"), 0.1)]
    [[5, None, 7], [0.1]]
    """
    none = [x for x, y in zip(mark["x"], mark["y"], strict=True) if y == 0]
    if not none:
        return [mark]
    look = {"symbol": mark["marker"]["symbol"].removesuffix("-open") + "-open", "edge": 2}
    says = {"says": mark["name"], "hovertemplate": "%{x}: 0<extra>%{fullData.name}</extra>"}
    row_of_0 = [row] * len(none)
    hollow = dots(f"{mark['meta']}, none", none, row_of_0, mark["line"]["color"], **look, **says)
    hollow |= {key: mark[key] for key in ("legendgroup",) if key in mark}
    return [mark | {"y": [y or None for y in mark["y"]]}, hollow]


# --- hands: what a page lets a reader do with a mark ----------------------------------------------


def picks(mark: Mark, control: str, values: Iterable, along: str = "") -> Mark:
    """Let a click on a point of a mark set a control to that point's value.

    On a matrix `along` says whether a click chooses a column ("x") or a row ("y").

    >>> picks(dots("a", [1], [2], "#333333"), "row", [7])["hand"]["values"]
    [7]
    """
    return mark | {
        "hand": {"does": "pick", "control": control, "values": list(values), "along": along}
    }


def drags(
    mark: Mark, controls: Sequence[str], axis: str, scale: Sequence[Iterable[float]] = ()
) -> Mark:
    """Let points of a mark be dragged along an axis; each sets its own control, if it has one.

    `scale` is two lists: places along the axis, which rise, and the control's values there.

    >>> drags(dots("a", [1], [2], "#333333"), ["prior"], "x")["hand"]["controls"]
    ['prior']
    """
    places = [list(map(float, ends)) for ends in scale]
    return mark | {
        "hand": {"does": "drag", "controls": list(controls), "axis": axis, "scale": places}
    }


# --- axes and panels ------------------------------------------------------------------------------


def axis(low: float | None = None, high: float = 0, title: str = "", **more: Any) -> dict[str, Any]:
    """Make an axis of a panel of marks with fixed ends; `tick` is the step between its ticks.

    >>> axis(0, 100, "prior", tick=25)
    {'range': [0, 100], 'title': {'text': 'prior'}, 'dtick': 25}
    """
    made: dict[str, Any] = {} if low is None else {"range": [low, high]}
    made |= {"title": {"text": title}} if title else {}
    if "tick" in more:
        made["dtick"] = more.pop("tick")
    return made | more


LOG_AXIS: dict[str, Any] = {
    "type": "log",
    "dtick": 1,
    "exponentformat": "power",
    "tickfont": {"size": 10},
}
"""Powers of ten; plotly sets them a quarter larger than it is told."""
LAYOUT: dict[str, Any] = {
    "template": {},  # templates cost time on every trace
    "paper_bgcolor": "white",
    "plot_bgcolor": "white",
    "autosize": True,
    "font": {"size": 12, "color": "#222222"},
    "margin": {"l": 60, "r": 16, "t": 70, "b": 54},
    "legend": {"orientation": "h", "x": 0, "y": 1.0, "yref": "container", "yanchor": "top"},
    "hovermode": "closest",
    "uirevision": "keep",  # zoom and hidden traces survive an update
    # At every update plotly guesses anew what kind of axis it is: names such as "01" are names.
    "autotypenumbers": "strict",
}
"""What all figures share: a white card on any theme."""

# Plain axes, and no measuring of labels: these are what makes plotly slow to redraw.
_AXIS: dict[str, Any] = {
    "linecolor": GREY,
    "zeroline": False,
    "nticks": 5,
    "tickangle": 0,
    "automargin": False,
    "ticklabeloverflow": "allow",
}
X = _AXIS | {"showgrid": False, "title": {"standoff": 6}}
Y = _AXIS | {"gridcolor": GRID, "title": {"standoff": 4}}


@dataclass(frozen=True)
class Panel:
    """A title, two axes (see `axis`), what is drawn, and words at points of it (see `note`)."""

    title: str
    x: Axis
    y: Axis
    marks: Sequence[Mark]
    notes: Sequence[Mark] = ()
    width: float = 1.0
    """Its width, beside those of the others."""
    place: tuple[tuple[float, float], tuple[float, float]] | None = None
    """Its ends across and up, as shares of the figure, where panels are not all side by side."""
    says: str = ""
    """A few words beside the title: what is drawn, and whether low or high is better."""


class Picture(NamedTuple):
    """Traces and a layout in plotly's form, which traces leave a ghost, and what hands can do."""

    data: list[Mark]
    layout: dict[str, Any]
    ghosts: list[int]
    hands: dict[str, Mark]
    """What `picks` and `drags` say, by the trace's place in the data."""


def picture(
    panels: Sequence[Panel], layout: Mapping[str, Any], still: Axis, title: Mark, gap: float
) -> Picture:
    """Put panels of marks side by side.

    `still` is what all axes share, `title` how the panels' titles look, {} in its text being the
    title, and `gap` is the space between two panels, as a share of the width.
    """
    data: list[Mark] = []
    titles, notes, ghosts, hands = [], [], [], {}
    made = LAYOUT | dict(layout)
    unit = (1 - gap * (len(panels) - 1)) / sum(panel.width for panel in panels)
    left = 0.0
    for i, panel in enumerate(panels):
        n = str(i + 1) if i else ""
        right = left + unit * panel.width
        across, up = panel.place or ((left, right), (0.0, 1.0))
        left = right + gap
        made[f"xaxis{n}"] = _axis(X, still, panel.x, across, f"y{n}")
        made[f"yaxis{n}"] = _axis(Y, still, panel.y, up, f"x{n}")
        for mark in panel.marks:
            if mark.get("ghost"):
                ghosts.append(len(data))
            if "hand" in mark:
                hands[str(len(data))] = mark["hand"]
            kept = {key: value for key, value in mark.items() if key not in ("ghost", "hand")}
            data.append({"xaxis": f"x{n}", "yaxis": f"y{n}", **kept})
        on = {"xref": f"x{n} domain", "yref": f"y{n} domain"}
        if panel.title or panel.says:
            text = title["text"].format(panel.title) if panel.title else ""
            titles.append({**title, **on, "text": f"{text} {panel.says}".strip()})
        notes += [{**_on_log(words, panel), **_refs(words, n)} for words in panel.notes]
    return Picture(data, made | {"annotations": titles + notes}, ghosts, hands)


def _axis(base: Axis, still: Axis, own: Axis, ends: Iterable[float], anchor: str) -> dict[str, Any]:
    title = {**base["title"], **still.get("title", {}), **own.get("title", {})}
    domain = [round(end, 6) for end in ends]
    return {**base, **still, "anchor": anchor, "domain": domain, **own, "title": title}


def _on_log(words: Mark, panel: Panel) -> Mark:
    """Put a mark's label where its point is: on a log axis plotly's notes are at powers of ten."""
    places = {"x": panel.x, "y": panel.y} if "name" in words else {}
    logs = [key for key, on in places.items() if on.get("type") == "log" and words[key]]
    return words | {key: round(math.log10(words[key]), 6) for key in logs}


def _refs(words: Mark, n: str) -> dict[str, str]:
    """Number the axes that a note refers to: `x domain` becomes `x2 domain`."""
    refs = {ref: words[ref] for ref in ("xref", "yref") if words[ref] != "paper"}
    return {ref: f"{at[0]}{n}{at[1:]}" for ref, at in refs.items()}
