"""An explorer of one's own, in one cell of a notebook."""

from __future__ import annotations

import dataclasses
import inspect
import math
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from frapp_lab.explorers.kit.card import Card
from frapp_lab.explorers.kit.controls import Control
from frapp_lab.explorers.kit.explorer import Explorer, Groups
from frapp_lab.explorers.kit.states import States, Values, arguments
from frapp_lab.figures.look import PALETTE, places_of, plain, rounded
from frapp_lab.figures.marks import LAYOUT, LOG_AXIS, Panel, axis, line

if TYPE_CHECKING:
    from frapp_lab.explorers.kit.open_explorer import OpenExplorer

Curves = Mapping[str, tuple[Iterable, Iterable[float]]]


def explore(
    function: Callable[..., Card | tuple[Curves, str]],
    controls: Sequence[Control] | Groups,
    *,
    x: str = "",
    y: str = "",
    heading: str = "Controls",
    log_x: bool = False,
    log_y: bool = False,
    x_range: tuple[float, float] | None = None,
    y_range: tuple[float, float] | None = None,
    height: int = 345,
    notice: Mapping[str, Values] | None = None,
    **settings: Any,
) -> OpenExplorer:
    """Open a function of one's own with controls; it gives a card, or curves and a text.

    Parameters
    ----------
    function : function
        Takes the controls' values by name. It gives a `Card`, or ({name: (xs, ys)}, text).
    controls : sequence or mapping
        The controls, or controls by heading: the first group is in sight, the others fold away.
    x, y : str
        Titles of the axes of curves.
    heading : str
        The heading of controls that have none.
    log_x, log_y : bool
        Whether an axis has a log scale.
    x_range, y_range : pair of float, optional
        The ends of the axes, which then stand still, so that a change is seen.
    height : int
        The height of the curves' figure in pixels.
    notice : mapping, optional
        Settings by name, {"a small γ": {"gamma": 5}, …}; each becomes a button.
    **settings
        First values of controls, by name.

    Examples
    --------
    >>> from frapp_lab.explorers.controls import Slider
    >>> slider = Slider("gamma", "γ", 19.0, 1.01, 100.0, 0.1, "amplification")
    >>> def odds(gamma):
    ...     return {"odds": ([0, 1], [0, gamma])}, f"γ is {gamma:g}."
    >>> explore(odds, [slider], gamma=5)
    γ is 5.
    """
    from frapp_lab.explorers.kit.open_explorer import OpenExplorer  # it loads widgets

    look = {
        "x": x, "y": y, "heading": heading, "log_x": log_x, "log_y": log_y, "x_range": x_range,
        "y_range": y_range, "height": height,
    }  # fmt: skip
    groups = controls if isinstance(controls, Mapping) else {heading: controls}

    def show(said: Values) -> Card:
        made = function(**said)
        return made if isinstance(made, Card) else _card(made, look)

    states = _States(Explorer(show, groups), groups, function, controls, look)
    return OpenExplorer(states, notice=notice, **settings)


class _States(States):
    """States whose copied call is that of `explore`."""

    def __init__(
        self, kind: Explorer, groups: Groups, function: Callable, controls: Any, look: Values
    ) -> None:
        super().__init__(kind, groups)
        self._function, self._controls, self._look = function, controls, look

    def call(self, values: Values) -> str:
        name = getattr(self._function, "__name__", "")
        options = inspect.signature(explore).parameters
        look = {k: v for k, v in self._look.items() if v != options[k].default}
        changed = {k: v for k, v in values.items() if v != self.shipped[k]}
        # What is called as an option of explore is told by the control itself.
        told = {k: v for k, v in changed.items() if k in options}
        parts = look | {k: v for k, v in changed.items() if k not in told}
        function = name if name.isidentifier() else "your_function"  # a lambda has no name
        said = [function, _written(self._controls, told), arguments(parts)]
        return f"explorers.explore({', '.join(filter(None, said))})"


def _card(made: object, look: Values) -> Card:
    """Make a card of the curves and the text that one's own function gave to `explore`."""
    match made:
        case (Mapping() as curves, str() as text) if len(curves) <= len(PALETTE):
            pass
        case _:
            raise ValueError(
                f"the function gave {str(made)[:60]}: it must give a Card, or "
                f"({{name: (xs, ys)}}, text) with at most {len(PALETTE)} curves"
            )
    marks, words = [], False
    for place, (colour, (name, (xs, ys))) in enumerate(zip(PALETTE, curves.items(), strict=False)):
        xs, ys = places_of(xs), rounded(ys)
        if len(xs) != len(ys):
            raise ValueError(
                f"the curve {name!r} has {len(xs)} x and {len(ys)} y: each x needs one y, because "
                "the two make a point"
            )
        words = words or any(isinstance(x, str) for x in xs)
        mark = line(str(place), (), (), colour, name, mode="lines+markers", showlegend=True)
        marks.append(mark | {"x": xs, "y": ys, "ghost": True})
    across = _axis(look, "x") | ({"type": "category"} if words else {})
    headline = text.split(". ")[0].removesuffix(".") + "."
    panel = Panel("", across, _axis(look, "y"), marks)
    legend = {**LAYOUT["legend"], "y": 1.02, "yref": "paper"}
    layout = {"showlegend": True, "legend": legend}
    return Card(headline, (), (panel,), text, height=look["height"], layout=layout)


def _axis(look: Values, name: str) -> dict[str, Any]:
    log, ends = look[f"log_{name}"], look[f"{name}_range"]
    made = axis(title=plain(look[name]), **LOG_AXIS if log else {})
    if ends:
        made["range"] = [math.log10(end) for end in ends] if log else list(ends)
    return made


def _written(value: object, values: Values) -> str:
    """Write controls as Python for the copied call of `explore`, with these values by name."""
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
