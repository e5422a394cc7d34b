"""Widgets made of declarations: those that hold a value, further ones, and how they stand."""

from __future__ import annotations

import functools
import html
from collections.abc import Sequence
from dataclasses import dataclass, field

import ipywidgets as widgets

from frapp_lab.explorers.kit import controls
from frapp_lab.explorers.kit.page_widgets import Slider


@dataclass
class Made:
    """The widgets of a declaration: those that hold a value, further ones, and what is shown."""

    held: dict[str, widgets.Widget]
    view: widgets.Widget
    extras: dict[str, widgets.Widget] = field(default_factory=dict)
    in_bar: bool = False


@functools.singledispatch
def make(declared: controls.Control) -> Made:
    """Make the widgets of a declaration: of its parts and of what follows from them, in order."""
    if not isinstance(declared, controls.Control):
        raise ValueError(f"{declared!r} is no control: see frapp_lab.explorers.controls")
    held = {part.name for part in declared.parts()}
    made = _together(declared.in_order(), declared.look)
    everything = made.held
    made.held = {name: widget for name, widget in everything.items() if name in held}
    made.extras |= {name: widget for name, widget in everything.items() if name not in held}
    made.in_bar = declared.in_bar
    return made


def _together(parts: Sequence[controls.Control], look: str = "") -> Made:
    """Make the widgets of several declarations as one, as `look` has them stand."""
    made = [make(part) for part in parts]
    box = {"row": widgets.HBox, "sizes": widgets.Box, "chips": widgets.Box}.get(look, widgets.VBox)
    whole = Made({}, box([part.view for part in made]))
    if look:
        whole.view.add_class(f"frapp-{look}")
    for part in made:
        whole.held |= part.held
        whole.extras |= part.extras
    return whole


@make.register
def _slider(declared: controls.Slider) -> Made:
    d = declared
    slider = Slider(
        value=d.value,
        min=d.low,
        max=d.high,
        step=d.step,
        log=d.log,
        whole=d.is_whole,
        description=d.label,
        tooltip=d.meaning,
        look=d.look,
        words={f"{value:g}": word for value, word in d.words},
        ends=list(d.ends),
        sets=list(d.sets),
    )
    return Made({d.name: slider}, slider, in_bar=d.in_bar)


@make.register
def _choice(declared: controls.Choice) -> Made:
    d = declared
    look = {"options": d.options, "value": d.value, "description": d.label, "tooltip": d.meaning}
    if d.look == "buttons":
        box = widgets.RadioButtons(**look, orientation="horizontal")
        box.add_class("frapp-buttons")
    else:
        style = {"description_width": "initial"}
        box = widgets.Dropdown(**look, style=style, layout={"width": "auto"})
    return Made({d.name: box}, box, in_bar=d.in_bar)


@make.register
def _switch(declared: controls.Switch) -> Made:
    d, layout = declared, {"width": "auto", "margin": "0"}
    box = widgets.Checkbox(
        value=d.value, description=d.label, tooltip=d.meaning, indent=False, layout=layout
    )
    return Made({d.name: box}, box, in_bar=d.in_bar)


@make.register
def _text(declared: controls.Text) -> Made:
    d, layout = declared, {"width": "98%", "margin": "0"}
    label = widgets.HTML(f"<span>{html.escape(d.label)}</span>", layout={"margin": "0"})
    box = widgets.Textarea(value=d.value, rows=d.rows, tooltip=d.meaning, layout=layout)
    box.add_class("frapp-text")
    notes = _together(d.follows())
    return Made({d.name: box}, widgets.VBox([label, box, *notes.view.children]), notes.held)


@make.register
def _seed(declared: controls.Seed) -> Made:
    made = _together(declared.parts(), "row")
    button = _button("New draw", "draw all random numbers anew")
    box = made.held["seed"]

    def draw(_: object) -> None:
        box.value = (box.value + 1) % int(box.max + 1)

    button.on_click(draw)
    return Made(made.held, widgets.HBox([button, box]), {"new_draw": button})


@make.register
def _chips(declared: controls.Chips) -> Made:
    made = _together(declared.parts(), "chips")
    for label, box in made.held.items():
        box.description_allow_html, box.description = True, declared.chip(label)
    made.in_bar = declared.in_bar
    return made


@make.register
def _cases(declared: controls.Cases) -> Made:
    top = _together([declared.choice, *declared.follows()], "top-row")
    name = declared.choice.name
    looks = {
        case: controls.Several("", tuple(parts)).look for case, parts in declared.cases.items()
    }
    cases = {case: _together(parts, looks[case]) for case, parts in declared.cases.items()}
    whole = Made({name: top.held.pop(name)}, widgets.VBox(), top.held)

    def show(_: object = None) -> None:
        for case, made in cases.items():
            made.view.layout.display = "" if case == whole.held[name].value else "none"

    for made in cases.values():
        whole.held |= made.held
    whole.held[name].observe(show, "value")
    show()
    whole.view.children = [top.view, *(made.view for made in cases.values())]
    whole.view.add_class("frapp-data")
    return whole


@make.register
def _of_button(declared: controls.Button) -> Made:
    button = _button(declared.label, declared.meaning)
    return Made({}, button, {declared.name: button}, declared.in_bar)


def _button(label: str, meaning: str) -> widgets.Button:
    return widgets.Button(description=label, tooltip=meaning, layout={"width": "auto"})
