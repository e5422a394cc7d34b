"""The two widgets that explorers are made of in a page: the slider, and the card.

What they do in the page is in `page/`, which has no build step.
"""

from __future__ import annotations

import functools
import gzip
import importlib.metadata
import importlib.util
import re
from pathlib import Path
from typing import Any

import anywidget
import ipywidgets as widgets
import traitlets

from frapp_lab.explorers.kit import controls
from frapp_lab.figures.styles import NIGHT

PAGE = Path(__file__).parent / "page"
NAMES = "steps", "figure", "labels", "hands", "moves", "save", "around", "stage", "card"
SCRIPTS = [f"{name}.js" for name in NAMES]
"""A card's scripts, each after those that it imports from."""


def joined(*names: str | Path) -> str:
    """Join a page widget's scripts: a module made from a text cannot import its neighbours."""
    texts = [(PAGE / name).read_text(encoding="utf-8") for name in names]
    return re.sub(r'^import .* from "\.\.?/.*";\n', "", "\n".join(texts), flags=re.MULTILINE)


class _Number(traitlets.Any):
    """What a page calls 5 is 5.0 here, also where traitlets sees no change and looks no further."""

    def validate(self, obj: Any, value: Any) -> Any:
        """Keep a page's whole number whole only where the slider widget has no others."""
        return float(value) if type(value) is int and not obj.whole else value


class Slider(anywidget.AnyWidget):
    """A number with a name, an exact box and a line that says what the value means.

    It is a widget like any other: show it, put it into a box, link it, observe its `value`. As a
    "stepper" it has two buttons in place of the slider, as a "box" neither, as a "note" it is only
    its `line`. On a `log` scale `step` is in powers of ten. `mark` is a value to be marked on the
    slider, `words` names values, and `ends` are words at its two ends. Where its `line` is known
    for every step, `says` has them all. `sets` says for every step where other controls go with it.

    >>> Slider(value=19, min=1.01, max=1000, step=0.01, log=True, description="γ")
    γ = 19
    """

    _esm = joined("steps.js", "slider.js")
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
    says = traitlets.List(traitlets.Unicode()).tag(sync=True)
    ends = traitlets.List(traitlets.Unicode()).tag(sync=True)
    sets = traitlets.List(traitlets.Dict()).tag(sync=True)
    look = traitlets.Enum(("bar", "box", "stepper", "note"), "bar").tag(sync=True)
    touched = traitlets.Int(0).tag(sync=True, echo_update=False)

    def __init__(self, **options: Any) -> None:
        value = options.pop("value", options.get("min", 0.0))
        super().__init__(**options)
        self.value = value

    @property
    def declared(self) -> controls.Slider:
        """Give the slider widget as a plain declaration, which knows its steps."""
        words = tuple((float(value), word) for value, word in self.words.items())
        ends = self.min, self.max, self.step
        return controls.Slider(
            "", self.description, self.value, *ends, "", self.log, whole=self.whole, words=words
        )

    @traitlets.validate("value")
    def _is_in_range(self, proposal: Any) -> float:
        return self.declared.checked(proposal["value"])

    def __repr__(self) -> str:
        return f"{self.description} = {self.declared.shown(self.value)}"


class Script(widgets.Widget):
    """plotly's script, packed: sent once and shared by all cards of a page."""

    version = traitlets.Unicode().tag(sync=True)
    packed = traitlets.Bytes().tag(sync=True)

    def __repr__(self) -> str:
        return f"plotly's script, {self.version}"


@functools.cache
def plotly_script() -> Script:
    """Give the page widget of plotly's script, one in this process, without loading plotly."""
    found = importlib.util.find_spec("plotly")
    assert found is not None  # a requirement of this package
    assert found.origin is not None
    script = Path(found.origin).parent / "package_data" / "plotly.min.js"
    packed = gzip.compress(script.read_bytes(), compresslevel=6, mtime=0)
    return Script(version=importlib.metadata.version("plotly"), packed=packed)


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

    _esm = joined(*SCRIPTS)
    _css = PAGE / "card.css"
    feed = traitlets.Instance(Feed).tag(sync=True, **widgets.widget_serialization)
    controls = traitlets.Dict().tag(sync=True, **widgets.widget_serialization)
    script = traitlets.Instance(Script).tag(sync=True, **widgets.widget_serialization)
    night = traitlets.Dict(NIGHT).tag(sync=True)
    shown = traitlets.Bool(False).tag(sync=True, echo_update=False)

    def __init__(self, state: dict[str, Any], **options: Any) -> None:
        super().__init__(feed=Feed(state=state), **options)

    @classmethod
    @functools.cache
    def on_stage(cls, *files: Path) -> type[Card]:
        """Make the card of an explorer whose own scripts and styles draw its picture."""
        styles = [PAGE / "card.css", *(file for file in files if file.suffix == ".css")]
        scripts = [file for file in files if file.suffix == ".js"]
        look = "\n".join(file.read_text(encoding="utf-8") for file in styles)
        return type("Card", (cls,), {"_esm": joined(*SCRIPTS, *scripts), "_css": look})

    @traitlets.default("script")
    def _shared(self) -> Script:
        return plotly_script()

    @property
    def state(self) -> dict[str, Any]:
        """Give what the card widget shows in the page."""
        return self.feed.state

    @state.setter
    def state(self, state: dict[str, Any]) -> None:
        self.feed.state = state

    def send_film(self, message: dict[str, Any]) -> None:
        """Send frames of a film to the card widget in the page."""
        self.feed.send(message)

    def __repr__(self) -> str:
        return repr(self.feed)
