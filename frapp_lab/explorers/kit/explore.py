"""An explorer of one's own, in one cell of a notebook."""

from __future__ import annotations

import dataclasses
import inspect
import math
from collections.abc import Callable, Iterable, Mapping, Sequence
from types import SimpleNamespace
from typing import Any

import plotly.graph_objects as go

from frapp_lab import figures
from frapp_lab.explorers.controls import Control
from frapp_lab.explorers.kit.base import Explorer, Settings

COLOURS = (figures.BLUE, figures.VERMILION, figures.GREEN, figures.PINK, figures.BLACK,
           figures.ORANGE, figures.SKY, figures.GREY)  # fmt: skip
Curves = Mapping[str, tuple[Iterable, Iterable[float]]]
Checked = tuple[dict[str, tuple[list, list]], str]


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
    **settings: object,
) -> Explorer:
    """Sliders for a function of one's own that gives curves, {name: (xs, ys)}, and a text.

    The function is given the controls' values by name. `x` and `y` title the axes; with `x_range`
    and `y_range` they stand still, so that a change is seen. `controls` may also be given by
    heading, {heading: [control, …]}; the first group is in sight, the others fold away. `notice`
    names settings, {"a small γ": {"gamma": 5}, …}, and each becomes a button. All other arguments
    are first values of controls, by name.

    >>> from frapp_lab.explorers.controls import Slider
    >>> slider = Slider("gamma", "γ", 19.0, 1.01, 100.0, 0.1, "amplification")
    >>> def odds(gamma):
    ...     return {"odds": ([0, 1], [0, gamma])}, f"γ is {gamma:g}."
    >>> explore(odds, [slider], gamma=5)
    γ is 5.
    """
    look = {
        "x": x, "y": y, "heading": heading, "log_x": log_x, "log_y": log_y, "x_range": x_range,
        "y_range": y_range, "height": height,
    }  # fmt: skip
    return _Own(function, controls, look, notice, settings)


class _Own(Explorer, listed=False):
    groups: Mapping[str, Sequence[Control]] = {}
    ghosts = tuple(str(place) for place in range(len(COLOURS)))

    def __init__(
        self,
        function: Callable,
        controls: Sequence[Control] | Mapping[str, Sequence[Control]],
        look: Mapping[str, Any],
        notice: Mapping[str, Settings] | None,
        settings: Settings,
    ) -> None:
        self._function, self._controls, self._look = function, controls, look
        self.groups = controls if isinstance(controls, Mapping) else {look["heading"]: controls}
        self.model = SimpleNamespace(
            Parameters=dict, compute=lambda said: _checked(function(**said))
        )
        super().__init__(notice=notice, **settings)

    def _call(self, values: Mapping[str, Any]) -> str:
        name = getattr(self._function, "__name__", "")
        options = inspect.signature(explore).parameters
        look = {k: v for k, v in self._look.items() if v != options[k].default}
        changed = {k: v for k, v in values.items() if v != self._shipped[k]}
        # What is called as an option of explore is told by the control itself.
        told = {k: v for k, v in changed.items() if k in options}
        parts = look | {k: v for k, v in changed.items() if k not in told}
        said = [f"{k}={v!r}" for k, v in parts.items()]
        if not all(k.isidentifier() for k in parts):
            said = [f"**{parts!r}"]
        function = name if name.isidentifier() else "your_function"  # a lambda has no name
        arguments = [function, _written(self._controls, told), *said]
        return f"explorers.explore({', '.join(arguments)})"

    def skeleton(self) -> go.Figure:
        figure = figures.card([""], self._look["height"])
        for place, colour in enumerate(COLOURS):
            figure.add_trace(figures.line(str(place), "", colour, True, mode="lines+markers"))
        for axis in "xy":
            log, ends = self._look[f"log_{axis}"], self._look[f"{axis}_range"]
            look = figures.LOG_AXIS if log else {}
            look = look | {"title_text": figures.plain(self._look[axis])}
            if ends:
                look["range"] = [math.log10(end) for end in ends] if log else list(ends)
            figure.update_layout({f"{axis}axis": look})
        return figure.update_layout(showlegend=True, legend={"y": 1.02, "yref": "paper"})

    def series(self, result: Checked) -> dict[str, dict[str, object]]:
        return {
            str(place): {"name": figures.plain(name), "x": xs, "y": ys}
            for place, (name, (xs, ys)) in enumerate(result[0].items())
        }

    def layout(self, result: Checked) -> dict[str, object]:
        words = any(isinstance(x, str) for xs, _ in result[0].values() for x in xs)
        return {"xaxis_type": "category"} if words else {}

    def describe(self, result: Checked) -> str:
        return result[1]


def _checked(result: object) -> Checked:
    """The curves as lists, and the text."""
    match result:
        case (Mapping() as curves, str() as text) if len(curves) <= len(COLOURS):
            pass
        case _:
            raise ValueError(
                f"the function gave {str(result)[:60]}: it must give ({{name: (xs, ys)}}, text), "
                f"with at most {len(COLOURS)} curves"
            )
    made = {}
    for name, (xs, ys) in curves.items():
        made[name] = x, y = figures.places_of(xs), figures.rounded(ys)
        if len(x) != len(y):
            raise ValueError(
                f"the curve {name!r} has {len(x)} x and {len(y)} y: each x needs one y, because "
                "the two make a point"
            )
    return made, text


def _written(value: object, values: Mapping[str, object]) -> str:
    """Controls as Python writes them, with these values by their names."""
    if isinstance(value, Mapping):
        return f"{{{', '.join(f'{k!r}: {_written(v, values)}' for k, v in value.items())}}}"
    if isinstance(value, list | tuple) and any(isinstance(part, Control) for part in value):
        said = "".join(f"{_written(part, values)}, " for part in value)
        return f"({said})" if isinstance(value, tuple) else f"[{said.removesuffix(', ')}]"
    if not isinstance(value, Control) or not dataclasses.is_dataclass(value):
        return repr(value)
    said = []
    for place, part in enumerate(dataclasses.fields(value)):
        now = getattr(value, part.name)
        if part.name == "value":
            now = values.get(value.name, now)
        if part.default is dataclasses.MISSING and len(said) == place:
            said.append(_written(now, values))
        elif now != part.default:
            said.append(f"{part.name}={_written(now, values)}")
    return f"explorers.controls.{type(value).__name__}({', '.join(said)})"
