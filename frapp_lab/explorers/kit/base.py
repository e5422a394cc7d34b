"""What every explorer is: controls → parameters → one pure compute → a state for the card."""

from __future__ import annotations

import inspect
import json
import logging
import threading
import time
from abc import ABC, abstractmethod
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, ClassVar

import frapp_lab.figures.quick_import  # noqa: F401  before plotly, which it makes load faster

# isort: split
import ipywidgets as widgets
import plotly.graph_objects as go

from frapp_lab import figures
from frapp_lab.explorers.controls import Control
from frapp_lab.explorers.kit.background import FILM_SECONDS, Background, film_is_on
from frapp_lab.explorers.kit.card import Card, Script, Slider, plotly_script
from frapp_lab.explorers.kit.card_state import Number, State, ghost, key_of, thin
from frapp_lab.explorers.kit.view import button, compose
from frapp_lab.explorers.kit.widgets import Made, joined, make

log = logging.getLogger(__name__)

REST = 1.0
"""Seconds without a change, after which a move is over."""

KEPT_STATES = 160
"""Number of states that are kept, so that going back costs nothing."""

Settings = Mapping[str, object]


class Explorer(ABC):
    """A headline, three numbers, controls, one figure, and the same in words.

    A subclass says what it shows: `groups` (the controls; the first group is in sight, each further
    one folds away under its heading), `model` (with `Parameters` and `compute`, a pure function to
    a result), `skeleton` and `series` (the figure with its fixed axes, and the data of its traces),
    `headline`, `numbers` and `describe` (the words). Nothing numeric happens anywhere but in the
    model. Every subclass is found by `every`, unless it is made with `listed=False`.

    `notice` names settings that a lesson points at: {"a small γ": {"gamma": 5}, …}; each becomes a
    button. All other arguments are first values of controls, by name.
    """

    model: Any
    ghosts: ClassVar[tuple[str, ...]] = ()
    """The traces of which the state before a move stays as a ghost, by how their names begin."""
    _known: ClassVar[dict[tuple[str, str], type[Explorer]]] = {}

    def __init_subclass__(cls, listed: bool = True, **options: object) -> None:
        """Join the others; a class that is defined anew takes the old one's place."""
        super().__init_subclass__(**options)
        if listed:
            Explorer._known[cls.__module__, cls.__qualname__] = cls

    def __init__(self, *, notice: Mapping[str, Settings] | None = None, **settings: object) -> None:
        self._lock = threading.RLock()  # moves come from several threads of a kernel
        self._background = Background("band", "film")
        self.controls: dict[str, widgets.Widget] = {}
        self.held: dict[str, widgets.Widget] = {}
        self._declared: list[Control] = []
        self.is_telling = False
        groups = {heading: self._make(group) for heading, group in self.groups.items()}
        self._initial = {name: widget.value for name, widget in self.held.items()}
        self._shipped = dict(self._initial)
        self._set(settings, "this explorer's controls")
        self._initial = self._values()
        figure = self.skeleton()
        self._traces = [trace.to_plotly_json() for trace in figure.data]
        self._layout = json.loads(figure.to_json())["layout"]
        self._states: dict[str, State] = {}
        self._bands: dict[str, Any] = {}
        self._before: State | None = None
        self._moved_at = -10 * REST
        self._paused = False
        self.error: Exception | None = None
        self._fault: Exception | None = None
        plotly_script().open()  # it is shared, and may have been closed with all widgets
        self.card = Card(controls=dict(self.held | self._boxes()), state=self._state_now())
        self.controls["reset"] = button("Reset", "back to the first setting", self.reset)
        hints = [self._hint(text, settings) for text, settings in (notice or {}).items()]
        self.view = compose(self.card, groups, self.controls["reset"], hints)
        self.tell_derived()
        for name, holder in self.held.items():
            holder.observe(self._changed, "value")
            if isinstance(holder, Slider):
                holder.observe(lambda _, name=name: self._begin_film(name), "touched")
        self.card.observe(self._on_shown, "shown")

    # --- what a subclass gives ---

    @property
    @abstractmethod
    def groups(self) -> Mapping[str, Sequence[Control]]:
        """The headings, and the controls under each; a plain attribute of the class will do."""

    @abstractmethod
    def skeleton(self) -> go.Figure:
        """The figure with all its traces, empty, and the axes as they stay: see `figures.card`."""

    @abstractmethod
    def series(self, result: Any) -> dict[str, dict[str, object]]:
        """The data of the figure's traces."""

    @abstractmethod
    def describe(self, result: Any) -> str:
        """The summary: one paragraph in plain words, with the numbers in it."""

    def headline(self, result: Any) -> str:
        """The finding, in one sentence that is true for this setting."""
        return self.describe(result).split(". ")[0].removesuffix(".") + "."

    def numbers(self, result: Any) -> Sequence[Number]:
        """The three numbers that matter."""
        return ()

    def lines(self, result: Any) -> dict[str, str]:
        """What values mean, for the lines under the controls, by the control's name."""
        return {}

    def marks(self, result: Any) -> dict[str, float]:
        """Values to be marked on sliders, by the control's name."""
        return {}

    def chips(self, result: Any) -> dict[str, str]:
        """What stands on check boxes that are chips, as HTML, by the control's name."""
        return {}

    def layout(self, result: Any) -> dict[str, object]:
        """What of the figure's layout depends on the result: see `figures.patched`."""
        return {}

    def labels(self, result: Any) -> list[dict[str, object]]:
        """Words in the figure, made by `figures.label`."""
        return []

    def band(self, parameters: Any) -> Iterator[Any]:
        """Draw many times, a little at each step; the last thing that is given is the band.

        It is drawn while nothing moves, kept for its setting, and given to `band_series`.
        """
        return iter(())

    def band_series(self, result: Any, band: Any) -> dict[str, dict[str, object]]:
        """The data of the traces that show the band."""
        return {}

    # --- what is shown ---

    @property
    def summary(self) -> str:
        """The text that stands with the figure, with the numbers in it."""
        return self.card.state["words"]

    @property
    def figure(self) -> go.Figure:
        """The figure as plotly knows it."""
        state = self.card.state
        return go.Figure({"data": state["data"], "layout": state["layout"]})

    @property
    def is_settled(self) -> bool:
        """Whether the card shows all there is: no band or film is still being made."""
        return self._background.is_quiet

    @property
    def settings(self) -> str:
        """The call that makes this explorer with the settings of now."""
        return self._call(self._values())

    def parameters(self) -> Any:
        """What the controls say, as the model's frozen parameters: field by field."""
        return self._parameters(self._values())

    def compute(self, parameters: Any) -> Any:
        """The model's result."""
        return self.model.compute(parameters)

    def reset(self) -> None:
        """Go back to the setting that the explorer opened with: the paper's, where it has one."""
        self._set_all(self._initial)

    def set(self, **settings: object) -> None:
        """Set several controls at once, as one move."""
        self._set_all(self._values() | settings, as_move=True)

    def notice(self, settings: Settings) -> None:
        """Show what a lesson points at: the first setting, with these changes."""
        self._set_all(self._initial | dict(settings), as_move=True)

    def play(self, name: str, seconds: float = 0.8, left_at: float | None = None) -> None:
        """Move a slider step by step to its end; from its end it starts anew.

        It ends when the slider is no longer where it was left: somebody else has moved it.
        """
        slider = self.held[name]
        if left_at is not None and slider.value != left_at:
            return
        at_end = slider.value >= slider.max
        slider.value = slider.min if at_end else slider.at(slider.place(slider.value) + 1)
        if slider.value < slider.max:
            if self._background.loop is None:  # nobody watches
                self.play(name)
            else:
                left = slider.value
                self._background.later("play", seconds, lambda: self.play(name, seconds, left))

    def close(self) -> None:
        """Close all its widgets, so that the page and the memory forget it."""
        self._background.close()
        for widget in {**self.held, **self.controls, "card": self.card}.values():
            widget.unobserve_all()
        open_ones = [self.view, *self.controls.values()]
        while open_ones:
            widget = open_ones.pop()
            if widget.comm is None or isinstance(widget, Script):
                continue
            held = [getattr(widget, name) for name in widget.keys]
            widget.close()
            for value in held:
                many = value.values() if isinstance(value, dict) else value
                held_ones = many if not isinstance(many, str) and _is_many(many) else [value]
                open_ones += [one for one in held_ones if isinstance(one, widgets.Widget)]

    def __repr__(self) -> str:
        return self.summary

    def _repr_mimebundle_(self, include=None, exclude=None) -> dict[str, object]:
        bundle = self.view._repr_mimebundle_()
        data = dict(bundle[0] if isinstance(bundle, tuple) else bundle)
        data["text/plain"] = self.summary
        return data

    # --- controls and their place ---

    def _make(self, group: Sequence[Control]) -> list[Made]:
        made = []
        for control in group:
            part = make(control, self)
            part.in_bar = control.in_bar
            joined([{"reset": None}, self.controls, part.held, part.extras])
            self.held |= part.held
            self.controls |= part.held | part.extras
            self._declared.append(control)
            made.append(part)
        return made

    def _boxes(self) -> dict[str, widgets.Widget]:
        """Boxes and notes that follow from the controls: the card fills them."""
        return {
            name: widget
            for name, widget in self.controls.items()
            if isinstance(widget, Slider) and name not in self.held
        }

    def _hint(self, text: str, settings: Settings) -> widgets.Button:
        """A button for what a lesson points at."""
        self._check(settings, f"the controls that notice[{text!r}] sets")
        return button(text, "set the controls to this", lambda: self.notice(settings))

    def _values(self) -> dict[str, Any]:
        return {name: widget.value for name, widget in self.held.items()}

    def _check(self, settings: Settings, what: str) -> None:
        unknown = [name for name in settings if name not in self.held]
        if unknown:
            raise ValueError(f"{', '.join(unknown)} is none of {what}: {', '.join(self.held)}")

    def _set(self, settings: Settings, what: str) -> None:
        self._check(settings, what)
        for name, value in settings.items():
            if self.held[name].value != value:
                self.held[name].value = value

    def _set_all(self, settings: Settings, as_move: bool = False) -> None:
        with self._lock:
            self._paused = True
            try:
                self._set(settings, "this explorer's controls")
            finally:
                self._paused = False
            self._forget_before()
            if as_move and self.card.shown:
                self._before = self.card.state
            self.update()

    def _call(self, values: Mapping[str, Any]) -> str:
        changed = {name: v for name, v in values.items() if v != self._shipped[name]}
        plain = all(name.isidentifier() for name in changed)
        said = ", ".join(f"{name}={value!r}" for name, value in changed.items())
        return f"explorers.{type(self).__name__}({said if plain else f'**{changed!r}'})"

    # --- states ---

    def _parameters(self, values: Mapping[str, Any]) -> Any:
        said: dict[str, object] = {}
        for control in self._declared:
            said |= control.read(values)
        return self.model.Parameters(**said)

    def _at(self, values: Mapping[str, Any]) -> dict[str, object]:
        """What the controls stand at, as the page knows it: of a list, which place."""
        at = dict(values)
        for name, widget in self.held.items():
            if isinstance(widget, widgets.Dropdown | widgets.RadioButtons):
                at[name] = [value for _, value in widget._options_full].index(values[name])
        return at

    def _said(self, values: Mapping[str, Any]) -> Iterator[tuple[str, str]]:
        """What sliders and lists stand at, in their own words."""
        for name, widget in self.held.items():
            if isinstance(widget, Slider):
                yield name, widget.shown(values[name])
            elif isinstance(widget, widgets.Dropdown | widgets.RadioButtons):
                options = widget._options_full
                yield name, next(text for text, value in options if value == values[name])

    def _state(self, values: dict[str, Any]) -> State:
        """What the card shows at these settings; an error becomes a sentence."""
        key = key_of(values)
        band = self._bands.get(key)
        name = key if band is None else f"{key}+"
        if name not in self._states:
            state = self._made_state(values, band)
            if state["error"]:
                return state | {"id": f"{name}!"}
            while len(self._states) >= KEPT_STATES:
                self._states.pop(next(iter(self._states)))
            self._states[name] = state | {"id": name}
        return self._states[name]

    def _made_state(self, values: dict[str, Any], band: Any) -> State:
        sliders = [name for name, widget in self.held.items() if isinstance(widget, Slider)]
        lines: dict[str, str] = {}
        derived: dict[str, float] = {}
        for control in self._declared:
            lines |= control.lines(values)
            derived |= control.derived(values)
        state: State = {
            "at": self._at(values),
            "keys": {name: key_of(values, name) for name in sliders},
            "said": {name: f"{self._name(name)} = {said}" for name, said in self._said(values)},
            "derived": derived, "call": self._call(values), "error": "", "before": None,
            "chips": {},
        }  # fmt: skip
        try:
            result = self.compute(self._parameters(values))
            series = self.series(result)
            if band is not None:
                series |= self.band_series(result, band)
            words, headline = self.describe(result), self.headline(result)
            numbers = [vars(number) for number in self.numbers(result)]
            lines |= self.lines(result)
            layout = figures.patched(self._layout, self.layout(result))
            layout["annotations"] = [*layout.get("annotations", []), *self.labels(result)]
            data, marks = figures.filled(self._traces, series), self.marks(result)
            state["chips"] = self.chips(result)
        except Exception as error:  # whatever it is, the learner must see it and be able to go on
            self._fault = error
            if not isinstance(error, ValueError):  # no odd setting but a fault in the program
                log.exception("%s cannot show its setting", type(self).__name__)
            what = str(error) or type(error).__name__
            words = f"This setting cannot be shown: {what}.".replace("..", ".")
            headline, numbers, layout, data, marks = words, [], self._layout, [], {}
            state["error"] = what
        ghosts = [
            i for i, t in enumerate(data) if self.ghosts and t["meta"].startswith(self.ghosts)
        ]
        return state | {
            "headline": headline, "numbers": numbers, "words": words, "lines": lines,
            "marks": marks, "data": data, "layout": layout, "ghosts": ghosts,
        }  # fmt: skip

    def _name(self, name: str) -> str:
        """A control's name in a few letters."""
        return {"gamma": "γ", "alpha": "α"}.get(name, self.controls[name].description)

    def _state_now(self) -> State:
        state = self._state(self._values())
        self.error = self._fault if state["error"] else None
        return state | {"before": ghost(self._before, state)}

    def _forget_before(self) -> None:
        self._before, self._moved_at = None, time.monotonic()

    # --- moves ---

    def _changed(self, change: Any) -> None:
        with self._lock:
            if self._paused or self._at(self._values()) == self.card.state["at"]:
                return
            now = time.monotonic()
            if not self.card.shown:
                self._forget_before()
            elif now - self._moved_at > REST:
                self._before = self.card.state
            self._moved_at = now
            self.update()

    def update(self) -> None:
        """Show what the controls say."""
        with self._lock:
            values = self._values()
            if self._film_around != key_of(values, self._film_of):
                self._background.stop("film")  # another control has moved
            self._background.stop("band")
            self.card.state = self._state_now()
            if self.card.shown:
                self._background.later("rest", REST, self._rested)
            else:
                self.tell_derived()

    def tell_derived(self) -> None:
        """Let the boxes that follow from the controls know; the page has shown it already."""
        self.is_telling = True
        try:
            for name, value in self.card.state["derived"].items():
                self.controls[name].value = value
        finally:
            self.is_telling = False

    def _on_shown(self, _: object) -> None:
        self._background.later("rest", 0.2, self._rested)

    def _rested(self) -> None:
        with self._lock:
            self.tell_derived()
            values = self._values()
            if key_of(values) not in self._bands and not self.error:
                self._background.begin("band", self._draw_band(values))

    def _draw_band(self, values: dict[str, Any]) -> Iterator[None]:
        key, band = key_of(values), None
        try:
            for band in self.band(self._parameters(values)):  # noqa: B007
                yield
        except ValueError:  # the figure says why there is nothing to draw
            return
        if band is None:
            return
        with self._lock:
            while len(self._bands) >= KEPT_STATES:
                self._bands.pop(next(iter(self._bands)))
            self._bands[key] = band
            if key_of(self._values()) == key:
                self.card.state = self._state_now()

    # --- the film ---

    _film_of = ""
    _film_around = ""

    def _begin_film(self, name: str) -> None:
        if not film_is_on() or not isinstance(self.held[name], Slider):
            return
        with self._lock:
            self._film_of, self._film_around = name, key_of(self._values(), name)
            self._background.begin("film", self._film(name, self._film_around))

    def _film(self, name: str, key: str) -> Iterator[None]:
        """Send the states at the slider's steps, those nearest to where it stands first."""
        slider, sent, spent = self.held[name], set[int](), 0.0
        base = self.card.state
        self.card.send_film({"kind": "film", "name": name, "key": key, "base": base, "frames": []})
        while spent < FILM_SECONDS:
            here = slider.place(slider.value)
            left = [k for k in range(slider.n_steps + 1) if k not in sent]
            if not left:
                return
            place = min(left, key=lambda k: abs(k - here))
            sent.add(place)
            began = time.process_time()
            with self._lock:
                values = self._values()
                if key_of(values, name) != key:
                    return
                state = self._state(values | {name: slider.at(place)})
            frames = [thin(state, base)]
            self.card.send_film({"kind": "film", "name": name, "key": key, "frames": frames})
            spent += time.process_time() - began
            yield


def _is_many(value: object) -> bool:
    return isinstance(value, list | tuple) or hasattr(value, "mapping")


def every() -> tuple[type[Explorer], ...]:
    """All explorers there are: those of this folder, and those of a file or cell of one's own."""
    return tuple(kind for kind in Explorer._known.values() if not inspect.isabstract(kind))
