"""Widgets made of declarations. Each slider is paired with a labelled number box."""

from __future__ import annotations

import functools
import math
from dataclasses import dataclass, field, replace

import ipywidgets as widgets

from frapp_lab import privacy
from frapp_lab.explorers import controls

FULL = {"width": "97%"}
GAMMA = controls.Slider(
    "gamma", "amplification γ", 19.0, 1.01, 1000.0, 0.01,
    "how many times likelier a report may be from one record than from another", log=True,
)  # fmt: skip


@dataclass
class Made:
    """The widgets of a declaration: those that hold a value, further ones, and what is shown."""

    held: dict[str, widgets.Widget]
    view: widgets.Widget
    extras: dict[str, widgets.Widget] = field(default_factory=dict)

    def __post_init__(self) -> None:
        """Remember the first values."""
        self.holders = tuple(self.held.values())
        self.initial = {name: holder.value for name, holder in self.held.items()}

    def reset(self) -> None:
        """Go back to the first values."""
        for name, value in self.initial.items():
            self.held[name].value = value


@functools.singledispatch
def make(declared: controls.Control, explorer: object) -> Made:
    """The widgets of a declaration, for an explorer."""
    raise ValueError(f"{declared!r} is no control: see frapp_lab.explorers.controls")


@make.register
def _slider(declared: controls.Slider, explorer: object = None) -> Made:
    """The box holds the value: a page snaps a slider to its steps and says so.

    A change of the slider by half a step or less is such an echo and not a move.
    """
    d, whole = declared, isinstance(declared.step, int)
    box = (widgets.BoundedIntText if whole else widgets.BoundedFloatText)(
        value=d.value, min=d.low, max=d.high, step=d.step, description=d.label, tooltip=d.meaning,
        style={"description_width": "190px"}, layout=FULL,
    )  # fmt: skip
    look = {
        "value": d.value, "readout": False, "continuous_update": True, "tooltip": d.meaning,
        "layout": {"width": "93%", "height": "22px", "margin": "-2px 8px 0 4px"},
    }  # fmt: skip
    if d.log:
        step, scale, digits = 0.01, math.log10, 4
        ends = math.log10(d.low), math.log10(d.high)
        bar = widgets.FloatLogSlider(min=ends[0], max=ends[1], step=step, **look)
    else:
        step, scale, digits = d.step, float, 10
        kind = widgets.IntSlider if whole else widgets.FloatSlider
        bar = kind(min=d.low, max=d.high, step=step, **look)

    def apart() -> bool:
        return abs(scale(bar.value) - scale(box.value)) > step / 2

    def moved(_: object) -> None:
        if apart():
            box.value = min(max(float(f"{bar.value:.{digits}g}"), d.low), d.high)

    def typed(_: object) -> None:
        if apart():
            bar.value = box.value

    bar.observe(moved, "value")
    box.observe(typed, "value")
    view = widgets.VBox([box, bar], layout={"margin": "0 0 2px 0"})
    return Made({d.name: box}, view, {f"{d.name} slider": bar})


@make.register
def _choice(declared: controls.Choice, explorer: object = None) -> Made:
    d = declared
    box = widgets.Dropdown(
        options=d.options, value=d.value, description=d.label, tooltip=d.meaning,
        style={"description_width": "110px"}, layout=FULL,
    )  # fmt: skip
    return Made({d.name: box}, box)


@make.register
def _switch(declared: controls.Switch, explorer: object = None) -> Made:
    box = widgets.Checkbox(
        value=declared.value, description=declared.label, tooltip=declared.meaning, indent=False,
        layout={"width": "auto", "margin": "2px 12px 2px 2px"},
    )  # fmt: skip
    return Made({declared.name: box}, box)


@make.register
def _seed(declared: controls.Seed, explorer: object = None) -> Made:
    box = widgets.BoundedIntText(
        value=declared.value, min=0, max=10**6, description="seed", layout={"width": "55%"},
        tooltip="the same seed, the same luck", style={"description_width": "40px"},
    )  # fmt: skip
    button = widgets.Button(
        description="New draw", tooltip="draw all random numbers anew", layout={"width": "40%"}
    )

    def draw(_: object) -> None:
        box.value = (box.value + 1) % (box.max + 1)

    button.on_click(draw)
    row = widgets.HBox([box, button], layout={"justify_content": "space-between"})
    return Made({"seed": box}, row, {"new_draw": button})


@make.register
def _gamma(declared: controls.Gamma, explorer: object = None) -> Made:
    main = make(replace(GAMMA, value=declared.value), explorer)
    gamma, busy = main.held["gamma"], [False]

    def box(label: str, low: float, high: float, step: float, tooltip: str):
        return widgets.BoundedFloatText(
            value=low, min=low, max=high, step=step, description=label, tooltip=tooltip,
            style={"description_width": "58px"}, layout={"width": "48%"},
        )  # fmt: skip

    def show(_: object = None) -> None:
        busy[0] = True
        epsilon.value = round(privacy.epsilon_from_gamma(gamma.value), 3)
        if declared.breach:
            rho2.value = round(100 * privacy.worst_posterior(rho1.value / 100, gamma.value), 2)
        busy[0] = False

    def set_gamma(wanted: float) -> None:
        gamma.value = min(max(wanted, GAMMA.low), GAMMA.high)
        show()

    def by_epsilon(_: object) -> None:
        if not busy[0]:
            set_gamma(privacy.gamma_from_epsilon(epsilon.value))

    def by_breach(_: object) -> None:
        if not busy[0]:
            # A ρ₂ at or below ρ₁ would need γ ≤ 1: take the smallest γ there is.
            before, after = rho1.value / 100, rho2.value / 100
            above = after > before
            set_gamma(privacy.gamma_from_breach(before, after) if above else GAMMA.low)

    low, high = (round(privacy.epsilon_from_gamma(g), 4) for g in (GAMMA.low, GAMMA.high))
    epsilon = box("ε = ln γ", low, high, 0.1, "the ε of local differential privacy")
    epsilon.observe(by_epsilon, "value")
    gamma.observe(show, "value")
    held, views, extras = main.held, [main.view, epsilon], {**main.extras, "epsilon": epsilon}
    if declared.breach:
        rho1 = box("ρ₁ (%)", 0.1, 99, 1, "a property's probability before the report")
        rho1.value = 5
        rho2 = box("ρ₂ (%)", 0.1, 99.99, 1, "the highest probability that a report can raise it to")
        rho1.observe(show, "value")
        rho2.observe(by_breach, "value")
        row = widgets.HBox([rho1, rho2], layout={"justify_content": "space-between"})
        held, extras = {**held, "rho1": rho1}, {**extras, "rho2": rho2}
        views.insert(1, row)
    show()
    return Made(held, widgets.VBox(views), extras)


@make.register
def _several(declared: controls.Several, explorer: object) -> Made:
    return _together([make(part, explorer) for part in declared.parts])


@make.register
def _schemes(declared: controls.Schemes, explorer: object) -> Made:
    boxes = [
        make(controls.Switch(label, label, label in declared.chosen, f"show {label}"), explorer)
        for label in declared.choices
    ]
    return _together(boxes, widgets.Box(layout={"flex_flow": "row wrap"}))


@make.register
def _data_set(declared: controls.DataSet, explorer: object) -> Made:
    marks, words = {"HEALTH": " (synthetic)"}, "CENSUS is real; HEALTH is a synthetic stand-in"
    options = tuple((name + marks.get(name, ""), name) for name in declared.names)
    first = make(controls.Choice("data", "data set", options, declared.names[0], words), explorer)
    sizes = {
        name: _together([make(part, explorer) for part in declared.sizes(name)])
        for name in declared.names
    }

    def show(_: object = None) -> None:
        for name, made in sizes.items():
            made.view.layout.display = "" if name == first.held["data"].value else "none"

    first.held["data"].observe(show, "value")
    show()
    return _together([first, *sizes.values()])


@make.register
def _button(declared: controls.Button, explorer: object) -> Made:
    bar = widgets.IntProgress(min=0, layout={"width": "97%", "visibility": "hidden"})
    button = widgets.Button(
        description=declared.label, tooltip=declared.meaning, layout={"width": "97%"}
    )

    def progress(done: int, total: int) -> None:
        bar.max, bar.value = total, done

    def click(_: object) -> None:
        bar.value, bar.layout.visibility = 0, "visible"
        try:
            getattr(explorer, declared.name)(progress)
        finally:
            bar.layout.visibility = "hidden"

    button.on_click(click)
    return Made({}, widgets.VBox([button, bar]), {declared.name: button})


def _together(parts: list[Made], box: widgets.Box | None = None) -> Made:
    """Several as one."""
    view = widgets.VBox() if box is None else box
    view.children = [part.view for part in parts]
    holders = {name: widget for part in parts for name, widget in part.held.items()}
    return Made(holders, view, {n: w for part in parts for n, w in part.extras.items()})
