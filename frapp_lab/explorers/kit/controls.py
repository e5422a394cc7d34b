"""Controls as plain declarations: what a value is called, what it may be and what it means.

`parts` of a control hold its values; `follows` are boxes and notes that follow from the values of
all controls; `read` says what they are to the explorer's function. There is no widget in them.
"""

from __future__ import annotations

import html
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from math import log, log10
from typing import Any

Values = Mapping[str, Any]


class Control:
    """A declaration; `field` is the function's name for its value, where that is another name."""

    name: str
    in_bar = False
    """Whether it stands right above the figure, because it says what is shown there."""
    look = ""
    """How its parts stand together: "row", "sizes", "chips", or below each other."""

    def parts(self) -> Sequence[Part]:
        """Give the declarations that hold a value."""
        return ()

    def follows(self) -> Sequence[Slider]:
        """Give the boxes and notes that follow from the values of all controls."""
        return ()

    def in_order(self) -> Sequence[Control]:
        """Give the control's parts and what follows in the order in which they stand in sight."""
        return [*self.parts(), *self.follows()]

    def read(self, values: Values) -> dict[str, Any]:
        """Give the function's arguments, from the values of all controls."""
        return {getattr(self, "field", "") or self.name: values[self.name]} if self.parts() else {}

    def gives(self) -> dict[str, Any]:
        """Give what the function is handed beside its parameters, whatever the values are."""
        return {}

    def lines(self, values: Values) -> dict[str, str]:
        """Say what values mean, for the lines under controls, by name."""
        return {}

    def says(self, values: Values) -> dict[str, list[str]]:
        """Say what each step of a slider means, by name, where no card is needed for that."""
        return {}

    def names(self, values: Values) -> dict[str, dict[str, str]]:
        """Name the steps of sliders, by slider and value, where other controls decide that."""
        return {}

    def derived(self, values: Values) -> dict[str, float]:
        """Give the values of the boxes that follow, by name."""
        return {}

    def typed(self, name: str, values: Values) -> dict[str, Any]:
        """Give the values of controls that follow from what was typed into a box that follows."""
        return {}


class Part(Control):
    """A control that holds one value, `value` at first."""

    label: str
    value: Any
    meaning: str

    def parts(self) -> Sequence[Part]:
        return (self,)

    def checked(self, value: Any) -> Any:
        """Give the control's value as it is held, or say why it cannot be."""
        return value

    def place_of(self, value: Any) -> Any:
        """Give the control's value as the page knows it."""
        return value

    def said(self, value: Any) -> str:
        """Say what the control stands at, in a few letters."""
        return ""


@dataclass(frozen=True)
class Slider(Part):
    """A number between two others; whole if `step` is. What is set in % is a share when read.

    On a log scale `step` is in powers of ten. As a `look` there is the slider with its exact box
    ("bar"), two buttons and the box ("stepper"), or the box alone ("box"); `words` names values,
    `ends` the two ends. `sets` has, for each step, where other controls go that it follows from.

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
    short: str = ""
    ends: tuple[str, ...] = ()
    sets: tuple[Mapping[str, Any], ...] = ()
    in_bar: bool = False

    @property
    def is_whole(self) -> bool:
        """Tell whether the declared control allows whole numbers only."""
        return isinstance(self.step, int) if self.whole is None else self.whole

    @property
    def n_steps(self) -> int:
        """Count the declared control's steps from `low` to `high`."""
        length = log10(self.high / self.low) if self.log else self.high - self.low
        return max(1, round(length / self.step))

    def at(self, place: int) -> float:
        """Give the control's value at a step, as the page has it; first and last are the ends."""
        n = self.n_steps
        if place <= 0:
            value = self.low
        elif place >= n:
            value = self.high
        elif self.log:
            value = float(f"{self.low * (self.high / self.low) ** (place / n):.3g}")
        else:
            value = float(f"{self.low + place * self.step:.12g}")
        return round(value) if self.is_whole else value

    def place(self, value: float) -> int:
        """Give the declared control's step nearest to a value."""
        share = (value - self.low) / (self.high - self.low)
        if self.log:
            share = log(value / self.low) / log(self.high / self.low)
        return round(share * self.n_steps)

    def shown(self, value: float) -> str:
        """Write a control's value as the page shows it: its word, or a number of a few digits.

        >>> Slider("n", "n", 0, 0, 7, 1, "", words=((0, "all"),)).shown(0)
        'all'
        """
        number = (
            value if value == int(value) else float(f"{value:.{6 if abs(value) >= 1000 else 4}g}")
        )
        words = {f"{at:g}": word for at, word in self.words}
        return words.get(f"{value:g}", f"{number:.15g}")

    def checked(self, value: Any) -> float:
        name = self.label or "value"
        fine = isinstance(value, int | float) and not isinstance(value, bool)
        if not fine or not self.low <= value <= self.high:
            raise ValueError(
                f"{name} is {value!r}: it must be a number from {self.low:g} to {self.high:g}, the "
                "ends of its slider"
            )
        if self.is_whole and value != int(value):
            raise ValueError(f"{name} is {value!r}: it must be a whole number")
        return int(value) if self.is_whole else float(value)

    def said(self, value: float) -> str:
        return f"{self.short or self.label} = {self.shown(value)}"

    def read(self, values: Values) -> dict[str, Any]:
        value = values[self.name]
        return {self.field or self.name: value / 100 if self.percent else value}


@dataclass(frozen=True)
class Choice(Part):
    """One of several options: values, or pairs of a label and a value.

    As a `look` there is a list ("list"), or buttons side by side ("buttons").
    """

    name: str
    label: str
    options: tuple
    value: Any
    meaning: str
    field: str = ""
    look: str = "list"

    @property
    def in_bar(self) -> bool:  # type: ignore[override]
        """Tell whether the control stands right above the figure: buttons do, as a switch of it."""
        return self.look == "buttons"

    @property
    def pairs(self) -> list[tuple[str, Any]]:
        """Give the control's options as pairs of a label and a value."""
        pairs = all(isinstance(o, tuple) and len(o) == 2 for o in self.options)
        return [*self.options] if pairs else [(str(o), o) for o in self.options]

    def checked(self, value: Any) -> Any:
        if value not in (values := [known for _, known in self.pairs]):
            listed = ", ".join(map(str, values))
            raise ValueError(f"{self.name} is {value!r}: it must be one of {listed}")
        return value

    def place_of(self, value: Any) -> int:
        return [known for _, known in self.pairs].index(value)

    def said(self, value: Any) -> str:
        return f"{self.label} = {self.pairs[self.place_of(value)][0]}"


@dataclass(frozen=True)
class Switch(Part):
    """Yes or no."""

    name: str
    label: str
    value: bool
    meaning: str
    field: str = ""
    in_bar: bool = False

    def checked(self, value: Any) -> bool:
        if not isinstance(value, bool):
            raise ValueError(f"{self.name} is {value!r}: it must be True or False, on or off")
        return value


@dataclass(frozen=True)
class Text(Part):
    """Lines of text that are typed or pasted; a note, `NAME_note`, says their meaning."""

    name: str
    label: str
    value: str
    meaning: str
    field: str = ""
    rows: int = 5

    def follows(self) -> Sequence[Slider]:
        return (Slider(f"{self.name}_note", self.label, 0, 0, 1, 1, self.meaning, look="note"),)

    def checked(self, value: Any) -> str:
        if not isinstance(value, str):
            raise ValueError(f"{self.name} is {value!r}: it must be a text")
        return value


@dataclass(frozen=True)
class Seed(Control):
    """The seed in sight, and a button that draws anew."""

    value: int = 7
    name: str = "seed"

    def parts(self) -> Sequence[Part]:
        words = "the same seed, the same luck"
        return (Slider("seed", "seed", self.value, 0, 10**6, 1, words, look="box"),)


@dataclass(frozen=True)
class Several(Control):
    """Controls whose values are one tuple to the function."""

    field: str
    members: tuple[Control, ...]
    name: str = "several"

    @property
    def look(self) -> str:  # type: ignore[override]
        """Let controls stand side by side if all are steppers."""
        return "sizes" * all(part.look == "stepper" for part in self.members)

    def parts(self) -> Sequence[Part]:
        return [part for member in self.members for part in member.parts()]

    def in_order(self) -> Sequence[Control]:
        return self.members

    def read(self, values: Values) -> dict[str, Any]:
        return {self.field: tuple(v for part in self.members for v in part.read(values).values())}


@dataclass(frozen=True)
class Button(Control):
    """Moves a slider by one step, or, with `seconds` between the steps, to its end."""

    name: str
    label: str
    meaning: str
    slider: str
    seconds: float = 0.0
    in_bar: bool = False


@dataclass(frozen=True)
class Chips(Control):
    """What is shown, several of several: a check box each, with a mark in its colour before it."""

    options: Mapping[str, Any]
    """What is behind each label."""
    chosen: tuple[str, ...]
    marks: Mapping[str, str]
    """The mark before each label, as HTML."""
    name: str = "chips"
    in_bar = True
    look = "chips"

    def parts(self) -> Sequence[Part]:
        return [Switch(s, s, s in self.chosen, f"show {s}") for s in self.options]

    def chip(self, label: str, why_not: str = "", in_full: str = "") -> str:
        """Write the HTML on a control's box: grey, and with the reason, where it cannot be had."""
        text = f"{self.marks[label]} {html.escape(label)}"
        why, title = html.escape(why_not), html.escape(in_full)
        missing = f'<span class="frapp-missing" title="{title}">{text}: {why}</span>'
        return missing if in_full else text

    def read(self, values: Values) -> dict[str, Any]:
        return {self.name: tuple(made for label, made in self.options.items() if values[label])}


@dataclass(frozen=True)
class Cases(Control):
    """A choice, a note beside it, and parts of each option that are seen when it is chosen."""

    choice: Choice
    cases: Mapping[Any, Sequence[Part]]
    note: Slider | None = None
    name: str = "cases"

    def parts(self) -> Sequence[Part]:
        return [self.choice, *(part for case in self.cases.values() for part in case)]

    def follows(self) -> Sequence[Slider]:
        return [self.note] if self.note else []

    def read(self, values: Values) -> dict[str, Any]:
        return {key: value for part in self.parts() for key, value in part.read(values).items()}
