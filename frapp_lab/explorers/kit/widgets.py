"""Widgets made of declarations."""

from __future__ import annotations

import functools
import html
from dataclasses import dataclass, field
from typing import Any

import ipywidgets as widgets

from frapp_lab.explorers import controls
from frapp_lab.explorers.kit.card import Slider


@dataclass
class Made:
    """The widgets of a declaration: those that hold a value, further ones, and what is shown."""

    held: dict[str, widgets.Widget]
    view: widgets.Widget
    extras: dict[str, widgets.Widget] = field(default_factory=dict)
    in_bar: bool = False


@functools.singledispatch
def make(declared: controls.Control, explorer: Any) -> Made:
    """The widgets of a declaration, for an explorer."""
    raise ValueError(f"{declared!r} is no control: see frapp_lab.explorers.controls")


@make.register
def _slider(declared: controls.Slider, explorer: Any) -> Made:
    d = declared
    slider = Slider(
        value=d.value, min=d.low, max=d.high, step=d.step, log=d.log, whole=d.is_whole,
        description=d.label, tooltip=d.meaning, look=d.look,
        words={f"{value:g}": word for value, word in d.words},
    )  # fmt: skip
    return Made({d.name: slider}, slider)


@make.register
def _choice(declared: controls.Choice, explorer: Any) -> Made:
    d = declared
    look = {"options": d.options, "value": d.value, "description": d.label, "tooltip": d.meaning}
    if d.look == "buttons":
        box = widgets.RadioButtons(**look, orientation="horizontal")
        box.add_class("frapp-buttons")
    else:
        style = {"description_width": "initial"}
        box = widgets.Dropdown(**look, style=style, layout={"width": "auto"})
    return Made({d.name: box}, box)


@make.register
def _switch(declared: controls.Switch, explorer: Any) -> Made:
    box = widgets.Checkbox(
        value=declared.value, description=declared.label, tooltip=declared.meaning, indent=False,
        layout={"width": "auto", "margin": "0"},
    )  # fmt: skip
    return Made({declared.name: box}, box)


@make.register
def _text(declared: controls.Text, explorer: Any) -> Made:
    d = declared
    label = widgets.HTML(f"<span>{html.escape(d.label)}</span>", layout={"margin": "0"})
    box = widgets.Textarea(
        value=d.value, rows=d.rows, tooltip=d.meaning, layout={"width": "98%", "margin": "0"}
    )
    box.add_class("frapp-text")
    note = Slider(look="note", description=d.label, tooltip=d.meaning)
    return Made({d.name: box}, widgets.VBox([label, box, note]), {f"{d.name}_note": note})


@make.register
def _seed(declared: controls.Seed, explorer: Any) -> Made:
    box = Slider(
        value=declared.value, min=0, max=10**6, step=1, whole=True, description="seed",
        tooltip="the same seed, the same luck", look="box",
    )  # fmt: skip
    button = widgets.Button(
        description="New draw", tooltip="draw all random numbers anew", layout={"width": "auto"}
    )

    def draw(_: object) -> None:
        box.value = (box.value + 1) % (10**6 + 1)

    button.on_click(draw)
    return Made({"seed": box}, widgets.HBox([button, box]), {"new_draw": button})


@make.register
def _gamma(declared: controls.Gamma, explorer: Any) -> Made:
    slider = controls.Slider(
        "gamma", "amplification γ", declared.value, controls.LOWEST_GAMMA, controls.HIGHEST_GAMMA,
        0.02, "how many times likelier a report may be from one record than from another", log=True,
    )  # fmt: skip
    return make(slider, explorer)


@make.register
def _breach(declared: controls.Breach, explorer: Any) -> Made:
    def box(name: str, label: str, low: float, high: float, value: float, meaning: str) -> Slider:
        made = Slider(
            value=value, min=low, max=high, step=0.1, description=label, tooltip=meaning, look="box"
        )
        boxes[name] = made
        return made

    def typed(name: str, _: object) -> None:
        # A page fills the boxes by itself: what follows from γ anyway was not typed.
        follows = explorer.card.state["derived"].get(name) == boxes[name].value
        if not explorer.is_telling and not follows:
            values = {n: w.value for n, w in {**explorer.held, **boxes}.items()}
            explorer.controls["gamma"].value = declared.gamma(name, values)
            explorer.tell_derived()

    boxes: dict[str, Slider] = {}
    held = {}
    box("epsilon", "ε = ln γ", 0.00995, 6.908, 2.944, "the ε of local differential privacy")
    if declared.field:
        held["rho1"] = box(
            "rho1", "ρ₁ (%)", 0.1, 99, 5, "a property's probability before the report"
        )
        box("rho2", "ρ₂ (%)", 0.1, 99.999, 50, "the most that a report can raise it to")
    for name in ("epsilon", "rho2"):
        if name in boxes:
            boxes[name].observe(functools.partial(typed, name), "value")
    row = widgets.HBox(list(boxes.values()))
    row.add_class("frapp-row")
    return Made(held, row, {name: b for name, b in boxes.items() if name not in held})


@make.register
def _several(declared: controls.Several, explorer: Any) -> Made:
    made = _together([make(part, explorer) for part in declared.parts])
    if all(getattr(part, "look", "") == "stepper" for part in declared.parts):
        made.view.add_class("frapp-sizes")
    return made


@make.register
def _schemes(declared: controls.Schemes, explorer: Any) -> Made:
    boxes = [
        make(controls.Switch(label, label, label in declared.chosen, f"show {label}"), explorer)
        for label in declared.choices
    ]
    made = _together(boxes, widgets.Box())
    for label, box in made.held.items():
        box.description_allow_html, box.description = True, declared.chip(label)
    made.view.add_class("frapp-chips")
    return made


@make.register
def _data_set(declared: controls.DataSet, explorer: Any) -> Made:
    marks, words = {"HEALTH": " (synthetic)"}, "CENSUS is real; HEALTH is a synthetic stand-in"
    options = tuple((name + marks.get(name, ""), name) for name in declared.names)
    first = make(controls.Choice("data", "data", options, declared.names[0], words), explorer)
    note = Slider(look="note", description="cells", tooltip="how many cells the domain has")
    sizes = {
        name: _together([make(part, explorer) for part in declared.sizes(name)], widgets.Box())
        for name in declared.names
    }

    def show(_: object = None) -> None:
        for name, made in sizes.items():
            made.view.layout.display = "" if name == first.held["data"].value else "none"

    for made in sizes.values():
        made.view.add_class("frapp-sizes")
    first.held["data"].observe(show, "value")
    show()
    top = _together([first, Made({}, note, {"cells": note})], widgets.Box())
    top.view.add_class("frapp-top-row")
    whole = _together([top, *sizes.values()])
    whole.view.add_class("frapp-data")
    return whole


@make.register
def _button(declared: controls.Button, explorer: Any) -> Made:
    button = widgets.Button(
        description=declared.label, tooltip=declared.meaning, layout={"width": "auto"}
    )
    button.on_click(lambda _: getattr(explorer, declared.name)())
    return Made({}, button, {declared.name: button})


def _together(parts: list[Made], box: widgets.Box | None = None) -> Made:
    """Several as one."""
    view = widgets.VBox() if box is None else box
    view.children = [part.view for part in parts]
    held, extras = joined([part.held for part in parts]), joined([part.extras for part in parts])
    return Made(held, view, extras)


def joined(parts: list[dict[str, Any]]) -> dict[str, Any]:
    """Several dictionaries as one; no two may have a name in common."""
    whole: dict[str, Any] = {}
    for part in parts:
        for name in part.keys() & whole.keys():
            raise ValueError(
                f"two controls are named {name!r}: each needs a name of its own, because its value "
                "is known by it"
            )
        whole |= part
    return whole
