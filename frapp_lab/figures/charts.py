"""Static charts in the course's look, as plain data; plotly's objects are made when asked for."""

from __future__ import annotations

import functools
import itertools
import math
from collections.abc import Collection, Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from frapp_lab.figures import marks
from frapp_lab.figures.look import (
    CHANGED,
    GREY,
    KEPT,
    PALETTE,
    places_of,
    plain,
    rounded,
)
from frapp_lab.figures.marks import LAYOUT, LOG_AXIS, Mark, Panel, axis, line, note, picture
from frapp_lab.figures.styles import style_of
from frapp_lab.mechanisms.registry import schemes

if TYPE_CHECKING:
    import plotly.graph_objects as go

TITLE: Mark = {
    "text": "{}",
    "font": {"size": 13},
    "showarrow": False,
    "x": 0.5,
    "xanchor": "center",
    "y": 1.0,
    "yanchor": "bottom",
}


class StaticFigure:
    """A figure with its summary, for a notebook: plotly's JSON, and the summary as plain text.

    >>> StaticFigure([Panel("", {}, {}, ())], "Nothing to see.")._repr_mimebundle_()["text/plain"]
    'Nothing to see.'
    """

    def __init__(
        self, panels: Sequence[Panel], summary: str, gap: float = 0.1, **layout: Any
    ) -> None:
        self.data, self.layout, *_ = picture(panels, layout, {}, TITLE, gap)
        self.summary = summary

    @functools.cached_property
    def figure(self) -> go.Figure:
        """Give the static chart as plotly's figure; what is changed in it is shown."""
        from frapp_lab.figures.plotly_figure import plotly_figure  # plotly is slow to load

        return plotly_figure(self.data, self.layout)

    def __repr__(self) -> str:
        return self.summary

    def _repr_mimebundle_(self, include=None, exclude=None) -> dict[str, object]:
        asked = vars(self).get("figure")  # somebody may have changed it
        shown = asked.to_plotly_json() if asked else {"data": self.data, "layout": self.layout}
        return {"application/vnd.plotly.v1+json": shown, "text/plain": self.summary}


def scheme_line(scheme: str, name: str, x: Iterable, y: Iterable, **look: Any) -> Mark:
    """Draw a scheme's line on a static chart, with its markers; a marker at 0 is seen whole."""
    style = style_of(scheme)
    stroke = {"dash": style.dash, "edge": 2, "says": scheme, "legendgroup": scheme} | look
    return marks.joined_dots(name, x, y, style.colour, style.marker, **stroke)


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
    own = {name: style_of(name).colour for name in curves if name in schemes(modern=True)}
    # When the colours are used up they come again, dashed or hatched.
    again = (None, "/", ".", "x") if bars else (None, "dash", "dot", "dashdot")
    looks = itertools.product(again, [c for c in PALETTE if c not in own.values()])
    markers = itertools.cycle(("circle", "x-thin-open", "triangle-up"))
    drawn = []
    for name, (xs, ys) in curves.items():
        look, colour = (None, own[name]) if name in own else next(looks, (None, ""))
        if not colour:
            raise ValueError(
                f"curves holds {len(curves)} curves: up to {len(again) * len(PALETTE)} can be told "
                "apart, because there are so many colours and dashes; make several charts"
            )
        if bars:
            mark = marks.bars(
                name, (), (), colour, marker={"pattern": {"shape": look}} if look else {}
            )
        elif name in own:
            mark = scheme_line(name, name, (), ())
        else:
            mark = line(name, (), (), colour, dash=look)
            mark["mode"] = "lines" if points else "lines+markers"
        if name in points:
            mark["mode"] = "markers"
            mark["marker"] = {**mark.get("marker", {}), "symbol": next(markers)}
        drawn.append(mark | {"x": places_of(xs), "y": rounded(ys), "showlegend": True})
    across = axis(title=plain(x), **LOG_AXIS if log_x else {})
    places = [value for mark in drawn for value in mark["x"]]
    whole = all(isinstance(value, float) and value % 1 == 0 for value in places)
    if not log_x and whole and max(places) - min(places) <= 12:
        across["dtick"] = 1
    return StaticFigure(
        [Panel("", across, axis(title=plain(y), **LOG_AXIS if log_y else {}), drawn)],
        summary,
        height=height,
        title={"text": plain(title), "x": 0.02, "font": {"size": 15}},
        showlegend=len(curves) > 1,
        barmode="group",
        legend={**LAYOUT["legend"], "y": 1.02, "yref": "paper", "yanchor": "bottom"},
    )


def match_tree(columns: Iterable[str], sizes: Iterable[int], keep: Iterable[float]) -> StaticFigure:
    """Draw a static chart of §5's column by column: lanes for all matched and after a mismatch.

    `keep` has each column's probability of keeping its value while all before it have matched.

    >>> match_tree(["sex", "age"], [2, 3], [0.6, 0.5])
    While all before match: sex kept with 0.6, age kept with 0.5. After a mismatch: age 1/3 each.
    """
    columns, sizes, keep = list(columns), list(sizes), list(keep)
    end, drawn, words = len(columns), [], []
    for j, (size, h) in enumerate(zip(sizes, keep, strict=True)):
        ways = [(1, 1, f"{h:.3g}", KEPT, 14), (1, 0, f"{1 - h:.3g}", CHANGED, 0)]
        if j:  # the first column has no mismatch before it
            ways.append((0, 0, f"each value 1/{size}", GREY, -14))
        for y, then, chance, colour, shift in ways:
            ends = [j, j + 1], [y, then]
            drawn.append(line(f"{j} {y} {then}", *ends, colour, hoverinfo="skip"))
            paper = "rgba(0, 0, 0, 0)" if y == then else "white"
            look: dict[str, Any] = {"xanchor": "center", "yshift": shift, "bgcolor": paper}
            words.append(note(chance, j + 0.5, (y + then) / 2, colour, **look))
    unchanged = f"nothing changed:<br>{math.prod(keep):.3g}"
    for y, first, colour, text in ((1, 0, KEPT, unchanged), (0, 1, CHANGED, "changed")):
        xs = list(range(first, end + 1))
        lane = xs, [y] * len(xs)
        drawn.append(marks.dots(f"lane {y}", *lane, colour, size=11, hoverinfo="skip"))
        words.append(note(text, end, y, colour, xshift=12))
    names, middles = [plain(c) for c in columns], [j + 0.5 for j in range(end)]
    across = axis(-0.15, end + 0.05, tickvals=middles, ticktext=names)
    lanes = ["after a<br>mismatch", "all matched<br>so far"]
    up = axis(-0.35, 1.35, tickvals=[0, 1], ticktext=lanes, showgrid=False)
    kept = ", ".join(f"{c} kept with {h:.3g}" for c, h in zip(columns, keep, strict=True))
    later = ", ".join(f"{c} 1/{size} each" for c, size in zip(columns[1:], sizes[1:], strict=True))
    return StaticFigure(
        [Panel("", across, up, drawn, words)],
        f"While all before match: {kept}. After a mismatch: {later}.",
        height=290,
        showlegend=False,
        margin={"l": 90, "r": 120, "t": 20, "b": 40},
    )
