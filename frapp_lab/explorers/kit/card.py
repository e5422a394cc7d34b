"""The two widgets of one's own that explorers are made of: the slider, and the card.

What they do in the page is in `page/`, which has no build step.
"""

from __future__ import annotations

import functools
import gzip
from math import log, log10
from pathlib import Path
from typing import Any

import anywidget
import ipywidgets as widgets
import plotly
import traitlets
from plotly.offline import get_plotlyjs

PAGE = Path(__file__).parent / "page"


class _Number(traitlets.Any):
    """What a page calls 5 is 5.0 here, also where traitlets sees no change and looks no further."""

    def validate(self, obj: Any, value: Any) -> Any:
        """A whole number only where the slider has no others."""
        return float(value) if type(value) is int and not obj.whole else value


class Slider(anywidget.AnyWidget):
    """A number with a name, an exact box and a line that says what the value means.

    It is a widget like any other: show it, put it into a box, link it, observe its `value`. As a
    "stepper" it has two buttons in place of the slider, as a "box" neither, as a "note" it is only
    its `line`. On a `log` scale `step`
    is in powers of ten. `mark` is a value to be marked on the slider, and `words` names values.

    >>> Slider(value=19, min=1.01, max=1000, step=0.01, log=True, description="γ")
    γ = 19
    """

    _esm = PAGE / "slider.js"
    _css = PAGE / "slider.css"
    value = _Number(0.0, allow_none=False).tag(sync=True, echo_update=False)
    min = traitlets.Float(0.0).tag(sync=True)
    max = traitlets.Float(1.0).tag(sync=True)
    step = traitlets.Float(0.1).tag(sync=True)
    log = traitlets.Bool(False).tag(sync=True)
    whole = traitlets.Bool(False).tag(sync=True)
    description = traitlets.Unicode("").tag(sync=True)
    tooltip = traitlets.Unicode("").tag(sync=True)
    line = traitlets.Unicode("").tag(sync=True)
    mark = traitlets.Float(None, allow_none=True).tag(sync=True)
    words = traitlets.Dict().tag(sync=True)
    look = traitlets.Enum(("bar", "box", "stepper", "note"), "bar").tag(sync=True)
    touched = traitlets.Int(0).tag(sync=True, echo_update=False)

    def __init__(self, **options: Any) -> None:
        value = options.pop("value", options.get("min", 0.0))
        super().__init__(**options)
        self.value = value

    @traitlets.validate("value")
    def _is_in_range(self, proposal: Any) -> float:
        value, name = proposal["value"], self.description or "value"
        fine = isinstance(value, int | float) and not isinstance(value, bool)
        if not fine or not self.min <= value <= self.max:
            raise ValueError(
                f"{name} is {value!r}: it must be a number from {self.min:g} to {self.max:g}, the "
                "ends of its slider"
            )
        if self.whole and value != int(value):
            raise ValueError(f"{name} is {value!r}: it must be a whole number")
        return int(value) if self.whole else float(value)

    @property
    def n_steps(self) -> int:
        """How many steps the slider has, from `min` to `max`."""
        if self.log:
            return max(1, round(log10(self.max / self.min) / self.step))
        return max(1, round((self.max - self.min) / self.step))

    def at(self, place: int) -> float:
        """The value at a step, as the page has it; the first and the last are `min` and `max`."""
        n = self.n_steps
        if place <= 0:
            value = self.min
        elif place >= n:
            value = self.max
        elif self.log:
            value = float(f"{self.min * (self.max / self.min) ** (place / n):.3g}")
        else:
            value = float(f"{self.min + place * self.step:.12g}")
        return round(value) if self.whole else value

    def place(self, value: float) -> int:
        """The step nearest to a value."""
        if self.log:
            share = log(value / self.min) / log(self.max / self.min)
        else:
            share = (value - self.min) / (self.max - self.min)
        return round(share * self.n_steps)

    def shown(self, value: float) -> str:
        """A value as the page shows it: its word, or a number of a few digits.

        >>> Slider(max=7, whole=True, words={"0": "all"}).shown(0), Slider().shown(1e6)
        ('all', '1000000')
        """
        digits = 6 if abs(value) >= 1000 else 4
        number = value if value == int(value) else float(f"{value:.{digits}g}")
        return self.words.get(f"{value:g}", f"{number:.15g}")

    def __repr__(self) -> str:
        return f"{self.description} = {self.shown(self.value)}"


class Script(widgets.Widget):
    """plotly's script, packed: sent once and shared by all cards of a page."""

    version = traitlets.Unicode().tag(sync=True)
    packed = traitlets.Bytes().tag(sync=True)

    def __repr__(self) -> str:
        return f"plotly's script, {self.version}"


@functools.cache
def plotly_script() -> Script:
    """The one script of this process."""
    packed = gzip.compress(get_plotlyjs().encode(), compresslevel=6, mtime=0)
    return Script(version=plotly.__version__, packed=packed)


class Feed(widgets.Widget):
    """What a card shows, sent as a whole, and its film.

    A plain widget: anywidget drops what is sent to a model whose script takes two seconds to load,
    as it can on a slow machine.
    """

    state = traitlets.Dict().tag(sync=True)

    def __repr__(self) -> str:
        return str(self.state.get("words", ""))


class Card(anywidget.AnyWidget):
    """Headline, three numbers, figure and words: all of it is the state of its feed."""

    _esm = PAGE / "card.js"
    _css = PAGE / "card.css"
    feed = traitlets.Instance(Feed).tag(sync=True, **widgets.widget_serialization)
    controls = traitlets.Dict().tag(sync=True, **widgets.widget_serialization)
    script = traitlets.Instance(Script).tag(sync=True, **widgets.widget_serialization)
    shown = traitlets.Bool(False).tag(sync=True, echo_update=False)

    def __init__(self, state: dict[str, Any], **options: Any) -> None:
        super().__init__(feed=Feed(state=state), **options)

    @traitlets.default("script")
    def _shared(self) -> Script:
        return plotly_script()

    @property
    def state(self) -> dict[str, Any]:
        """What is shown."""
        return self.feed.state

    @state.setter
    def state(self, state: dict[str, Any]) -> None:
        self.feed.state = state

    def send_film(self, message: dict[str, Any]) -> None:
        """Send frames of a film."""
        self.feed.send(message)

    def __repr__(self) -> str:
        return repr(self.feed)
