"""An explorer in a notebook: widgets that hold values, and a card that follows them."""

from __future__ import annotations

import functools
import threading
import time
from collections.abc import Iterator, Mapping
from typing import Any

import ipywidgets as widgets

from frapp_lab.explorers.kit.background import FILM_SECONDS, Background, film_is_on
from frapp_lab.explorers.kit.controls import Button, Control
from frapp_lab.explorers.kit.page_widgets import Card, Script, Slider, plotly_script
from frapp_lab.explorers.kit.states import State, States, key_of, thin
from frapp_lab.explorers.kit.view import button, compose
from frapp_lab.explorers.kit.widgets import Made, make

REST = 1.0
"""Seconds without a change, after which the band of many draws is made."""

KEPT_STATES = 160
"""The number of states that are kept, so that going back costs nothing."""

Settings = Mapping[str, object]


class OpenExplorer:
    """The card, its controls, and what happens when one of them moves.

    `notice` names settings that a lesson points at: {"a small γ": {"gamma": 5}, …}; each becomes a
    button. All other arguments are first values of controls, by name.
    """

    _film_of = _film_around = ""

    def __init__(
        self, states: States, *, notice: Mapping[str, Settings] | None = None, **settings: object
    ) -> None:
        self.states = states
        self._lock = threading.RLock()  # moves come from several threads of a kernel
        self._background = Background("band", "film")
        self._kept: dict[str, tuple[State, Exception | None]] = {}
        self._bands: dict[str, Any] = {}
        self._axes: State = {}
        self._paused = self.is_telling = False
        self._fresh = (
            True  # nothing has moved since it was opened or reset: the page shows no ghost
        )
        self.error: Exception | None = None
        self.controls: dict[str, widgets.Widget] = {}
        self.held: dict[str, widgets.Widget] = {}
        made = {heading: [self._make(c) for c in group] for heading, group in states.groups.items()}
        self._set(settings, "this explorer's controls")
        self._initial = self._values()
        plotly_script().open()  # it is shared, and may have been closed with all widgets
        boxes = {n: w for n, w in self.controls.items() if isinstance(w, Slider)}
        kind = Card.on_stage(*states.kind.page) if states.kind.page else Card
        self.card = kind(controls=self.held | boxes, state=self._state_now())
        self.controls["reset"] = button("Reset", "back to the first setting", self.reset)
        hints = [self._hint(text, settings) for text, settings in (notice or {}).items()]
        n_first = states.kind.n_first
        self.view = compose(self.card, made, self.controls["reset"], hints, n_first)
        self._tell_steps()
        self.tell_derived()
        for name, holder in self.held.items():
            holder.observe(self._changed, "value")
            if isinstance(holder, Slider):
                holder.observe(lambda _, name=name: self._begin_film(name), "touched")
        self.card.observe(lambda _: self._background.later("rest", 0.2, self._rested), "shown")

    def _make(self, control: Control) -> Made:
        """Make the widgets of a control, and listen to the boxes and buttons among them."""
        made = make(control)
        self.held |= made.held
        self.controls |= made.held | made.extras
        for part in control.follows():
            if part.look != "note":
                typed = functools.partial(self._typed, control, part.name)
                made.extras[part.name].observe(typed, "value")
        if isinstance(control, Button):
            move = functools.partial(self.play, control.slider, control.seconds)
            made.extras[control.name].on_click(lambda _: move())
        return made

    def _typed(self, control: Control, name: str, _: object) -> None:
        """Follow what was typed into a box; a page fills boxes too, with what follows anyway."""
        follows = self.card.state["derived"].get(name) == self.controls[name].value
        if not self.is_telling and not follows:
            boxes = {n: w.value for n, w in self.controls.items() if isinstance(w, Slider)}
            self.set(**control.typed(name, self._values() | boxes))
            self.tell_derived()

    # --- what is shown ---

    @property
    def summary(self) -> str:
        """The text that stands with the figure, with the numbers in it."""
        return self.card.state["words"]

    @property
    def figure(self) -> Any:
        """The figure as plotly knows it."""
        from frapp_lab.figures.plotly_figure import plotly_figure  # plotly is slow to load

        return plotly_figure(self.card.state["data"], self.card.state["layout"])

    @property
    def is_settled(self) -> bool:
        """Whether the card shows all there is: no band or film is still being made."""
        return self._background.is_quiet

    @property
    def settings(self) -> str:
        """The call that makes this explorer with the settings of now."""
        return self.states.call(self._values())

    def parameters(self) -> Any:
        """Give what the controls say, as the explorer's function takes it."""
        return self.states.parameters(self._values())

    def __repr__(self) -> str:
        return self.summary

    def _repr_mimebundle_(self, include=None, exclude=None) -> dict[str, object]:
        bundle = self.view._repr_mimebundle_()
        data = dict(bundle[0] if isinstance(bundle, tuple) else bundle)
        data["text/plain"] = self.summary
        return data

    # --- moves ---

    def reset(self) -> None:
        """Go back to the setting that the explorer opened with: the paper's, where it has one."""
        self._set_all(self._initial, fresh=True)

    def set(self, **settings: object) -> None:
        """Set several controls at once, as one move."""
        self._set_all(self._values() | settings)

    def notice(self, settings: Settings) -> None:
        """Show what a lesson points at: the first setting, with these changes."""
        self._set_all(self._initial | dict(settings))

    def play(self, name: str, seconds: float = 0.8, left_at: float | None = None) -> None:
        """Move a slider step by step to its end, or by one step if there are no seconds between.

        From its end it starts anew. It stops when the slider is no longer where it was left:
        somebody else has moved it.
        """
        slider, holder = self.states.slider(name), self.held[name]
        if left_at is not None and holder.value != left_at:
            return
        at_end = holder.value >= slider.high
        holder.value = slider.low if at_end else slider.at(slider.place(holder.value) + 1)
        left = holder.value
        if seconds and left < slider.high:
            if self._background.loop is None:  # nobody watches
                self.play(name, seconds)
            else:
                self._background.later("play", seconds, lambda: self.play(name, seconds, left))

    def update(self) -> None:
        """Show what the controls say."""
        with self._lock:
            if self._film_around != key_of(self._values(), self._film_of):
                self._background.stop("film")  # another control has moved
            self._background.stop("band")
            self._tell_steps()
            self.card.state = self._state_now()
            if self.card.shown:
                self._background.later("rest", REST, self._rested)
            else:
                self.tell_derived()

    def _tell_steps(self) -> None:
        """Let sliders know what each of their steps means, where that has changed."""
        values = self._values()
        for control in self.states.declared:
            for name, lines in control.says(values).items():
                self.controls[name].says = lines  # nothing is sent where nothing has changed
            for name, words in control.names(values).items():
                self.controls[name].words = words

    def tell_derived(self) -> None:
        """Let the boxes that follow from the controls know; the page has shown it already."""
        self.is_telling = True
        try:
            for name, value in self.card.state["derived"].items():
                self.controls[name].value = value
        finally:
            self.is_telling = False

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

    def _hint(self, text: str, settings: Settings) -> widgets.Button:
        """Make a button for what a lesson points at."""
        self.states.check(settings, f"the controls that notice[{text!r}] sets")
        return button(text, "set the controls to this", lambda: self.notice(settings))

    def _values(self) -> dict[str, Any]:
        return {name: widget.value for name, widget in self.held.items()}

    def _set(self, settings: Settings, what: str) -> None:
        self.states.check(settings, what)
        for name, value in settings.items():
            if self.held[name].value != value:
                self.held[name].value = value

    def _set_all(self, settings: Settings, fresh: bool = False) -> None:
        with self._lock:
            self._paused = True
            try:
                self._set(settings, "this explorer's controls")
            finally:
                self._paused = False
            self._fresh = fresh
            self.update()

    def _changed(self, change: Any) -> None:
        with self._lock:
            if not self._paused and self.states.at(self._values()) != self.card.state["at"]:
                self._fresh = False
                self.update()

    # --- states that are kept, bands and the film ---

    def _state(self, values: dict[str, Any]) -> tuple[State, Exception | None]:
        key = key_of(values)
        band = self._bands.get(key)
        name = key if band is None else f"{key}+"
        if name not in self._kept:
            state, fault = self.states.state(values, band)
            if fault:
                return state, fault
            while len(self._kept) >= KEPT_STATES:
                self._kept.pop(next(iter(self._kept)))
            self._kept[name] = state, fault
        return self._kept[name]

    def _state_now(self) -> State:
        state, self.error = self._state(self._values())
        if self.error is None:
            titles = [n for n in state["layout"]["annotations"] if n["text"].startswith("<b>")]
            self._axes = state["layout"] | {"annotations": titles, "shapes": []}
        else:  # the axes stay, empty
            state = state | {"layout": self._axes or state["layout"]}
        return state | {"fresh": self._fresh}

    def _rested(self) -> None:
        with self._lock:
            self.tell_derived()
            values = self._values()
            if self.states.kind.draws and key_of(values) not in self._bands and not self.error:
                self._background.begin("band", self._draw_band(values))

    def _draw_band(self, values: dict[str, Any]) -> Iterator[None]:
        key, band, draws = key_of(values), None, self.states.kind.draws
        assert draws is not None
        try:
            for band in draws(self.states.parameters(values)):  # noqa: B007
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

    def _begin_film(self, name: str) -> None:
        if self.states.kind.page or not film_is_on():  # a page of its own makes its frames
            return
        with self._lock:
            self._film_of, self._film_around = name, key_of(self._values(), name)
            self._background.begin("film", self._film(name, self._film_around))

    def _film(self, name: str, key: str) -> Iterator[None]:
        """Send the states at the slider's steps, those nearest to where it stands first."""
        slider, holder, sent, spent = self.states.slider(name), self.held[name], set[int](), 0.0
        base = self.card.state
        self.card.send_film({"kind": "film", "name": name, "key": key, "base": base, "frames": []})
        while spent < FILM_SECONDS:
            here = slider.place(holder.value)
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
                state, _ = self._state(values | {name: slider.at(place)})
            frames = [thin(state, base)]
            self.card.send_film({"kind": "film", "name": name, "key": key, "frames": frames})
            spent += time.process_time() - began
            yield


def _is_many(value: object) -> bool:
    return isinstance(value, list | tuple) or hasattr(value, "mapping")
