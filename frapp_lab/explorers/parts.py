"""Reusable controls. Each slider is paired with a labelled number box and has a tooltip."""

from __future__ import annotations

import math

import ipywidgets as widgets

from frapp_lab.mechanisms.base import schemes as all_schemes
from frapp_lab.privacy import (
    epsilon_from_gamma,
    gamma_from_breach,
    gamma_from_epsilon,
    worst_posterior,
)

FULL = {"width": "97%"}
GAMMA_RANGE = (1.01, 1000.0)


class Control:
    """One value that a learner sets: the widget that holds it, and what is shown around it.

    `main` holds the value; `extras` are further widgets by name, which set the same value otherwise
    or, if they are among `also`, hold a value of their own.
    """

    def __init__(
        self,
        name: str,
        main: widgets.Widget,
        view: widgets.Widget | None = None,
        extras: dict[str, widgets.Widget] | None = None,
        also: tuple[widgets.Widget, ...] = (),
    ) -> None:
        self.name, self.main, self.view = name, main, view or main
        self.extras = extras or {}
        self.holders = (main, *also)
        self.initial = tuple(holder.value for holder in self.holders)

    def reset(self) -> None:
        """Go back to the first value."""
        for holder, value in zip(self.holders, self.initial, strict=True):
            holder.value = value


def slider(
    name: str,
    label: str,
    value: float,
    low: float,
    high: float,
    step: float,
    tooltip: str,
    log: bool = False,
) -> Control:
    """A slider with a labelled number box above it; whole numbers if the step is one."""
    whole = isinstance(step, int)
    box_type = widgets.BoundedIntText if whole else widgets.BoundedFloatText
    box = box_type(
        value=value, min=low, max=high, step=step, description=label, tooltip=tooltip,
        style={"description_width": "190px"}, layout=FULL,
    )  # fmt: skip
    common = {
        "value": value, "readout": False, "continuous_update": True, "tooltip": tooltip,
        "layout": {"width": "93%", "height": "22px", "margin": "-2px 8px 0 4px"},
    }  # fmt: skip
    if log:
        return _log_slider(name, box, low, high, common)
    bar_type = widgets.IntSlider if whole else widgets.FloatSlider
    bar = bar_type(min=low, max=high, step=step, **common)
    widgets.link((bar, "value"), (box, "value"))
    return Control(name, bar, _pair(box, bar))


def _pair(box: widgets.Widget, bar: widgets.Widget) -> widgets.Widget:
    return widgets.VBox([box, bar], layout={"margin": "0 0 2px 0"})


def _log_slider(
    name: str, box: widgets.Widget, low: float, high: float, common: dict[str, object]
) -> Control:
    """The box holds the value, because a page snaps a log slider to its steps and says so.

    A change of the slider by half a step or less is such an echo and not a move.
    """
    step = 0.01
    bar = widgets.FloatLogSlider(min=math.log10(low), max=math.log10(high), step=step, **common)

    def moved(_: object) -> None:
        if abs(math.log10(bar.value / box.value)) > step / 2:
            box.value = min(max(float(f"{bar.value:.4g}"), low), high)

    def typed(_: object) -> None:
        if abs(math.log10(bar.value / box.value)) > step / 2:
            bar.value = box.value

    bar.observe(moved, "value")
    box.observe(typed, "value")
    return Control(name, box, _pair(box, bar), {f"{name} slider": bar})


def choice(name: str, label: str, options: list, value: object, tooltip: str) -> Control:
    """A drop-down list."""
    return Control(
        name,
        widgets.Dropdown(
            options=options, value=value, description=label, tooltip=tooltip,
            style={"description_width": "110px"}, layout=FULL,
        ),
    )  # fmt: skip


def switch(name: str, label: str, value: bool, tooltip: str) -> Control:
    """A check box."""
    return Control(
        name,
        widgets.Checkbox(
            value=value,
            description=label,
            tooltip=tooltip,
            indent=False,
            layout={"width": "auto", "margin": "2px 12px 2px 2px"},
        ),
    )


def schemes(chosen: tuple[str, ...]) -> list[Control]:
    """Which schemes are shown: one check box for each, named as the scheme."""
    return [switch(name, name, name in chosen, f"show {name}") for name in all_schemes()]


def gamma(breach: bool = False) -> Control:
    """γ by a slider, by ε or, where a prior is shown, by a breach (ρ₁, ρ₂): one sets the others.

    ρ₁ is a value of its own, for the explorer to show; ρ₂ is what γ makes of it.
    """
    main = slider(
        "gamma", "amplification γ", 19.0, *GAMMA_RANGE, 0.01,
        "how many times likelier a report may be from one record than from another", log=True,
    )  # fmt: skip

    def box(label: str, low: float, high: float, step: float, tooltip: str):
        return widgets.BoundedFloatText(
            value=low, min=low, max=high, step=step, description=label, tooltip=tooltip,
            style={"description_width": "58px"}, layout={"width": "48%"},
        )  # fmt: skip

    low, high = (round(epsilon_from_gamma(g), 4) for g in GAMMA_RANGE)
    epsilon = box("ε = ln γ", low, high, 0.1, "the ε of local differential privacy")
    rho1 = box("ρ₁ (%)", 0.1, 99, 1, "a property's probability before the report")
    rho2 = box("ρ₂ (%)", 0.1, 99.99, 1, "the highest probability that a report can raise it to")
    busy = [False]

    def show(_: object = None) -> None:
        busy[0] = True
        epsilon.value = round(epsilon_from_gamma(main.main.value), 3)
        rho2.value = round(100 * worst_posterior(rho1.value / 100, main.main.value), 2)
        busy[0] = False

    def set_gamma(wanted: float) -> None:
        main.main.value = min(max(wanted, GAMMA_RANGE[0]), GAMMA_RANGE[1])
        show()

    def by_epsilon(_: object) -> None:
        if not busy[0]:
            set_gamma(gamma_from_epsilon(epsilon.value))

    def by_breach(_: object) -> None:
        # A ρ₂ at or below ρ₁ would need γ ≤ 1: take the smallest γ there is.
        if not busy[0]:
            above = rho2.value > rho1.value
            set_gamma(
                gamma_from_breach(rho1.value / 100, rho2.value / 100) if above else GAMMA_RANGE[0]
            )

    rho1.value = 5
    show()
    main.main.observe(show, "value")
    rho1.observe(lambda _: None if busy[0] else show(), "value")
    epsilon.observe(by_epsilon, "value")
    rho2.observe(by_breach, "value")
    extras = {**main.extras, "epsilon": epsilon}
    if not breach:
        return Control("gamma", main.main, widgets.VBox([main.view, epsilon]), extras)
    row = widgets.HBox([rho1, rho2], layout={"justify_content": "space-between"})
    view = widgets.VBox([main.view, row, epsilon])
    extras |= {"rho1": rho1, "rho2": rho2}
    return Control("gamma", main.main, view, extras, also=(rho1,))


def alpha() -> Control:
    """α as a share of its valid maximum, so that it follows γ and n."""
    return slider(
        "alpha", "α, share of its maximum", 0.5, 0.0, 1.0, 0.01,
        "RAN-GD's randomness: 0 is DET-GD, 1 the largest α that makes no entry negative",
    )  # fmt: skip


def seed(value: int = 7) -> Control:
    """The seed in sight, and a button that draws anew."""
    box = widgets.BoundedIntText(
        value=value, min=0, max=10**6, description="seed", tooltip="the same seed, the same luck",
        style={"description_width": "40px"}, layout={"width": "55%"},
    )  # fmt: skip
    button = widgets.Button(
        description="New draw", tooltip="draw all random numbers anew", layout={"width": "40%"}
    )

    def draw(_: object) -> None:
        box.value = (box.value + 1) % (box.max + 1)

    button.on_click(draw)
    row = widgets.HBox([box, button], layout={"justify_content": "space-between"})
    return Control("seed", box, row, {"new_draw": button})
