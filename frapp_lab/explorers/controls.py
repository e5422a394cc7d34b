"""Controls as plain declarations: what a value is called, what it may be and what it means.

An explorer lists them under headings; `widgets.py` makes widgets of them, and `read` says what
their values are to the explorer's model. There is no widget in them.
"""

from __future__ import annotations

import html
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from frapp_lab import privacy
from frapp_lab.explorers.models.data import LOADERS, Data, attributes
from frapp_lab.mechanisms.mechanism import Mechanism

LOWEST_GAMMA, HIGHEST_GAMMA = 1.01, 1000.0


class Control:
    """A declaration; `field` is the model's name for its value, where that is another name."""

    name: str
    in_bar = False
    """Whether it stands right above the figure, because it says what is shown there."""

    def read(self, values: Mapping[str, Any]) -> dict[str, object]:
        """The model's parameters, from the values of all controls."""
        return {getattr(self, "field", "") or self.name: values[self.name]}

    def lines(self, values: Mapping[str, Any]) -> dict[str, str]:
        """What values mean, for the line under a control of that name."""
        return {}

    def derived(self, values: Mapping[str, Any]) -> dict[str, float]:
        """Values of further boxes, which follow from those of the controls."""
        return {}


@dataclass(frozen=True)
class Slider(Control):
    """A number between two others; whole if `step` is. What is set in % is a share to the model.

    On a log scale `step` is in powers of ten. As a `look` there is the slider with its exact box
    ("bar"), two buttons and the box ("stepper"), or the box alone ("box"); `words` names values.

    >>> Slider("rho", "ρ (%)", 5.0, 0.1, 99.9, 0.1, "a share", percent=True).read({"rho": 99})
    {'rho': 0.99}
    """

    name: str
    label: str
    value: float
    low: float
    high: float
    step: float
    meaning: str
    log: bool = False
    percent: bool = False
    field: str = ""
    look: str = "bar"
    whole: bool | None = None
    words: tuple[tuple[float, str], ...] = ()

    @property
    def is_whole(self) -> bool:
        """Whether only whole numbers are allowed."""
        return isinstance(self.step, int) if self.whole is None else self.whole

    def read(self, values: Mapping[str, Any]) -> dict[str, object]:
        """The number, or the share."""
        value = values[self.name]
        return {self.field or self.name: value / 100 if self.percent else value}


@dataclass(frozen=True)
class Choice(Control):
    """One of several options: values, or pairs of a label and a value.

    As a `look` there is a list ("list"), or buttons side by side ("buttons").
    """

    name: str
    label: str
    options: tuple
    value: object
    meaning: str
    field: str = ""
    look: str = "list"

    @property
    def in_bar(self) -> bool:  # type: ignore[override]
        """Buttons are a switch of the figure."""
        return self.look == "buttons"


@dataclass(frozen=True)
class Switch(Control):
    """Yes or no."""

    name: str
    label: str
    value: bool
    meaning: str
    field: str = ""
    in_bar: bool = False


@dataclass(frozen=True)
class Text(Control):
    """Lines of text that are typed or pasted."""

    name: str
    label: str
    value: str
    meaning: str
    field: str = ""
    rows: int = 5


@dataclass(frozen=True)
class Seed(Control):
    """The seed in sight, and a button that draws anew."""

    value: int = 7
    name: str = "seed"


@dataclass(frozen=True)
class Gamma(Control):
    """γ by a slider; under it stands what it means."""

    value: float = 19.0
    name: str = "gamma"

    def lines(self, values: Mapping[str, Any]) -> dict[str, str]:
        """ε, and what a report can make of a prior."""
        gamma, prior = values["gamma"], values.get("rho1", 5) / 100
        epsilon = f"ε = {privacy.epsilon_from_gamma(gamma):.3g}"
        worst = f"{100 * privacy.worst_posterior(prior, gamma):.3g} %"
        return {"gamma": f"{100 * prior:.3g} % → at most {worst} · {epsilon}"}


@dataclass(frozen=True)
class Breach(Control):
    """γ by ε and, where the model has a prior, by a breach (ρ₁, ρ₂): one sets the others.

    `field` is the model's name for ρ₁; ρ₂ is what γ makes of it.
    """

    field: str = ""
    name: str = "breach"

    def read(self, values: Mapping[str, Any]) -> dict[str, object]:
        """ρ₁ as a share."""
        return {self.field: values["rho1"] / 100} if self.field else {}

    def derived(self, values: Mapping[str, Any]) -> dict[str, float]:
        """ε and ρ₂, rounded to what a box shows."""
        gamma = values["gamma"]
        derived = {"epsilon": float(f"{privacy.epsilon_from_gamma(gamma):.4g}")}
        if self.field:
            worst = privacy.worst_posterior(values["rho1"] / 100, gamma)
            derived["rho2"] = float(f"{100 * worst:.5g}")
        return derived

    def gamma(self, name: str, values: Mapping[str, Any]) -> float:
        """γ from what was typed as ε or as ρ₂, to twelve digits; at the ends of its slider.

        >>> Breach("prior").gamma("rho2", {"rho1": 5, "rho2": 50})
        19.0
        """
        if name == "epsilon":
            gamma = privacy.gamma_from_epsilon(values["epsilon"])
        elif values["rho2"] > values["rho1"]:
            gamma = privacy.gamma_from_breach(values["rho1"] / 100, values["rho2"] / 100)
        else:  # a ρ₂ at or below ρ₁ would need γ ≤ 1
            gamma = LOWEST_GAMMA
        return min(max(float(f"{gamma:.12g}"), LOWEST_GAMMA), HIGHEST_GAMMA)


ALPHA = Slider(
    "alpha", "randomness α (γx)", 0.5, 0.0, 1.0, 0.01,
    "RAN-GD's randomness in the paper's unit γx: each client hides an r within ±α",
)  # fmt: skip
"""α in the paper's unit; its largest valid value depends on γ and n, and is marked."""


def alpha_line(asked: float, alpha: float, unit: float) -> str:
    """What an α in units of γx is, and whether it can be had."""
    text = f"r within ±{alpha:.3g}"
    if alpha < asked * unit * (1 - 1e-9):
        return f"{text}: at most {alpha / unit:.2g} γx is valid here"
    return text


@dataclass(frozen=True)
class Several(Control):
    """Controls whose values are one tuple to the model."""

    field: str
    parts: tuple[Control, ...]
    name: str = "several"

    def read(self, values: Mapping[str, Any]) -> dict[str, object]:
        """The values in their order."""
        return {self.field: tuple(v for part in self.parts for v in part.read(values).values())}


@dataclass(frozen=True)
class Schemes(Control):
    """Which schemes are shown: one check box for each label; `choices` says what is behind it."""

    choices: Mapping[str, str | Mechanism]
    chosen: tuple[str, ...]
    marks: Mapping[str, str]
    """HTML that stands before a label: the scheme's marker in its colour."""
    name: str = "schemes"
    in_bar = True

    def chip(self, label: str, short: str = "", problem: str = "") -> str:
        """The HTML on a scheme's box: grey, and with the reason, where it cannot be had."""
        text = f"{self.marks[label]} {html.escape(label)}"
        if not problem:
            return text
        title = html.escape(problem)
        return f'<span class="frapp-missing" title="{title}">{text}: {html.escape(short)}</span>'

    def read(self, values: Mapping[str, Any]) -> dict[str, object]:
        """Those that are switched on."""
        return {"schemes": tuple(made for label, made in self.choices.items() if values[label])}


@dataclass(frozen=True)
class DataSet(Control):
    """The data set and how many categories each attribute has; with one it is left out."""

    names: tuple[str, ...] = tuple(LOADERS)
    name: str = "data"

    def sizes(self, name: str) -> tuple[Slider, ...]:
        """A small stepper for each attribute."""
        words = "how many categories {} has: the domain grows with each; with one it is left out"
        return tuple(
            Slider(
                a, a, size, 1, high, 1, words.format(a), look="stepper", words=((1, "out"),)
            )
            for a, size, high in attributes(name)
        )  # fmt: skip

    def read(self, values: Mapping[str, Any]) -> dict[str, object]:
        """The data set with the sizes of its own attributes."""
        name = values["data"]
        return {"data": Data.of(name, {part.name: values[part.name] for part in self.sizes(name)})}


@dataclass(frozen=True)
class Button(Control):
    """Calls the explorer's method of this name."""

    name: str
    label: str
    meaning: str
    in_bar: bool = False

    def read(self, values: Mapping[str, Any]) -> dict[str, object]:
        """Nothing: it holds no value."""
        return {}
