"""An explorer of one's own, in one cell of a notebook."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Mapping, Sequence
from types import SimpleNamespace

import plotly.graph_objects as go

from frapp_lab import figures
from frapp_lab.explorers.base import Explorer, Settings
from frapp_lab.explorers.controls import Control

COLOURS = (figures.BLUE, figures.VERMILION, figures.GREEN, figures.PINK, figures.BLACK,
           figures.ORANGE, figures.SKY, figures.GREY)  # fmt: skip
Curves = Mapping[str, tuple[Iterable, Iterable[float]]]


def explore(
    function: Callable[..., tuple[Curves, str]],
    controls: Sequence[Control] | Mapping[str, Sequence[Control]],
    *,
    x: str = "",
    y: str = "",
    heading: str = "Controls",
    log_x: bool = False,
    log_y: bool = False,
    x_range: tuple[float, float] | None = None,
    y_range: tuple[float, float] | None = None,
    height: int = 345,
    notice: Mapping[str, Settings] | None = None,
) -> Explorer:
    """Sliders for a function of one's own that gives curves, {name: (xs, ys)}, and a text.

    The function is given the controls' values by name. `x` and `y` title the axes; with `x_range`
    and `y_range` they stand still, so that a change is seen. `controls` may also be given by
    heading, {heading: [control, …]}; the first group is in sight, the others fold away. `notice`
    names settings, {"a small γ": {"gamma": 5}, …}, and each becomes a button.

    >>> from frapp_lab.explorers.controls import Slider
    >>> slider = Slider("gamma", "γ", 19.0, 1.01, 100.0, 0.1, "amplification")
    >>> explore(lambda gamma: ({"odds": ([0, 1], [0, gamma])}, f"γ is {gamma:g}."), [slider])
    γ is 19.
    """
    groups = controls if isinstance(controls, Mapping) else {heading: controls}
    axes = {"x": (x, log_x, x_range), "y": (y, log_y, y_range)}
    return _Own(function, groups, axes, height, notice)


Axis = tuple[str, bool, tuple[float, float] | None]


class _Own(Explorer, listed=False):
    groups: Mapping[str, Sequence[Control]] = {}
    ghosts = tuple(str(place) for place in range(len(COLOURS)))

    def __init__(
        self,
        function: Callable,
        groups: Mapping[str, Sequence[Control]],
        axes: Mapping[str, Axis],
        height: int,
        notice: Mapping[str, Settings] | None,
    ) -> None:
        self.groups, self._axes, self._height = groups, axes, height
        self.model = SimpleNamespace(Parameters=dict, compute=lambda said: function(**said))
        super().__init__(notice=notice)

    def skeleton(self) -> go.Figure:
        figure = figures.card([""], self._height)
        for place, colour in enumerate(COLOURS):
            figure.add_trace(figures.line(str(place), "", colour, True, mode="lines+markers"))
        for axis, (title, log, ends) in self._axes.items():
            look = (figures.LOG_AXIS if log else {}) | {"title_text": title}
            if ends:
                look["range"] = [math.log10(end) for end in ends] if log else list(ends)
            figure.update_layout({f"{axis}axis": look})
        return figure.update_layout(showlegend=True, legend={"y": 1.02, "yref": "paper"})

    def series(self, result: object) -> dict[str, dict[str, object]]:
        curves, _ = self._checked(result)
        series: dict[str, dict[str, object]] = {}
        for place, (name, (xs, ys)) in enumerate(curves.items()):
            xs = list(xs)
            words = any(isinstance(value, str) for value in xs)
            xs = xs if words else figures.rounded(xs, 6)
            series[str(place)] = {"name": name, "x": xs, "y": figures.rounded(ys)}
        return series

    def describe(self, result: object) -> str:
        return self._checked(result)[1]

    @staticmethod
    def _checked(result: object) -> tuple[Curves, str]:
        match result:
            case (Mapping() as curves, str() as text) if len(curves) <= len(COLOURS):
                return curves, text
        raise ValueError(
            f"the function gave {str(result)[:60]}: it must give ({{name: (xs, ys)}}, text), with "
            f"at most {len(COLOURS)} curves"
        )
