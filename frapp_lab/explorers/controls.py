"""Controls as plain declarations: what a value is called, what it may be and what it means.

An explorer lists them under headings; `widgets.py` makes widgets of them, and `read` says what
their values are to the explorer's model. There is no widget in them.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from frapp_lab.mechanisms.base import Mechanism
from frapp_lab.models.data import LOADERS, Data, attributes


class Control:
    """A declaration; `field` is the model's name for its value, where that is another name."""

    name: str

    def read(self, values: Mapping[str, Any]) -> dict[str, object]:
        """The model's parameters, from the values of all controls."""
        return {getattr(self, "field", "") or self.name: values[self.name]}


@dataclass(frozen=True)
class Slider(Control):
    """A number between two others; whole if `step` is. What is set in % is a share to the model.

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

    def read(self, values: Mapping[str, Any]) -> dict[str, object]:
        """The number, or the share."""
        value = values[self.name]
        return {self.field or self.name: value / 100 if self.percent else value}


@dataclass(frozen=True)
class Choice(Control):
    """One of several options: values, or pairs of a label and a value."""

    name: str
    label: str
    options: tuple
    value: object
    meaning: str
    field: str = ""


@dataclass(frozen=True)
class Switch(Control):
    """Yes or no."""

    name: str
    label: str
    value: bool
    meaning: str
    field: str = ""


@dataclass(frozen=True)
class Seed(Control):
    """The seed in sight, and a button that draws anew."""

    value: int = 7
    name: str = "seed"


@dataclass(frozen=True)
class Gamma(Control):
    """γ by a slider, by ε or, where a prior is shown, by a breach (ρ₁, ρ₂): one sets the others.

    With `breach` ρ₁ is a value of its own, under that name for the model; ρ₂ is what γ makes of it.
    """

    breach: str | bool = ""
    value: float = 19.0
    name: str = "gamma"

    def read(self, values: Mapping[str, Any]) -> dict[str, object]:
        """γ, and ρ₁ as a share."""
        rho1 = "rho1" if self.breach is True else self.breach
        return {"gamma": values["gamma"]} | ({rho1: values["rho1"] / 100} if rho1 else {})


ALPHA = Slider(
    "alpha", "α, share of its maximum", 0.5, 0.0, 1.0, 0.01,
    "RAN-GD's randomness: 0 is DET-GD, 1 the largest α that makes no entry negative",
    field="alpha_share",
)  # fmt: skip
"""α as a share of its valid maximum, so that it follows γ and n."""


@dataclass(frozen=True)
class Several(Control):
    """Controls whose values are one tuple to the model."""

    field: str
    parts: tuple[Control, ...]

    def read(self, values: Mapping[str, Any]) -> dict[str, object]:
        """The values in their order."""
        return {self.field: tuple(v for part in self.parts for v in part.read(values).values())}


@dataclass(frozen=True)
class Schemes(Control):
    """Which schemes are shown: one check box for each label; `choices` says what is behind it."""

    choices: Mapping[str, str | Mechanism]
    chosen: tuple[str, ...]

    def read(self, values: Mapping[str, Any]) -> dict[str, object]:
        """Those that are switched on."""
        return {"schemes": tuple(made for label, made in self.choices.items() if values[label])}


@dataclass(frozen=True)
class DataSet(Control):
    """The data set and how many categories each attribute has; with one it is left out."""

    names: tuple[str, ...] = tuple(LOADERS)

    def sizes(self, name: str) -> tuple[Slider, ...]:
        """One slider for each attribute."""
        words = "how many categories {} has: the domain grows with each; with one it is left out"
        return tuple(
            Slider(a, f"{a} (1: left out)", size, 1, high, 1, words.format(a))
            for a, size, high in attributes(name)
        )

    def read(self, values: Mapping[str, Any]) -> dict[str, object]:
        """The data set with the sizes of its own attributes."""
        name = values["data"]
        return {"data": Data.of(name, {part.name: values[part.name] for part in self.sizes(name)})}


@dataclass(frozen=True)
class Button(Control):
    """Calls the explorer's method of this name, with a progress bar to tell: (done, total)."""

    name: str
    label: str
    meaning: str

    def read(self, values: Mapping[str, Any]) -> dict[str, object]:
        """Nothing: it holds no value."""
        return {}
