"""A card's state is one plain dictionary, as `page/card.js` reads it: here states are made."""

from __future__ import annotations

import logging
import zlib
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from frapp_lab.explorers.kit.card import Card, picture
from frapp_lab.explorers.kit.controls import Control, Slider
from frapp_lab.figures.marks import Panel

if TYPE_CHECKING:
    from frapp_lab.explorers.kit.explorer import Explorer

log = logging.getLogger(__name__)

State = dict[str, Any]
Values = Mapping[str, Any]


class States:
    """An explorer's states, as a function of the values of its controls."""

    def __init__(self, kind: Explorer, groups: Mapping[str, Sequence[Control]]) -> None:
        self.kind, self.groups = kind, groups
        self.declared = [control for group in groups.values() for control in group]
        self.held = {part.name: part for control in self.declared for part in control.parts()}
        _check_names([part for c in self.declared for part in (*c.parts(), *c.follows())])
        self.sliders = [name for name, part in self.held.items() if isinstance(part, Slider)]
        self.shipped = {name: part.value for name, part in self.held.items()}
        self._gives = {k: v for control in self.declared for k, v in control.gives().items()}

    def slider(self, name: str) -> Slider:
        """Give the slider of this name."""
        part = self.held[name]
        if not isinstance(part, Slider):
            raise ValueError(f"{name} is no slider: it must be one of {', '.join(self.sliders)}")
        return part

    def check(self, settings: Values, what: str) -> None:
        """Refuse names of controls that there are not."""
        unknown = [name for name in settings if name not in self.held]
        if unknown:
            raise ValueError(f"{', '.join(unknown)} is none of {what}: {', '.join(self.held)}")

    def values(self, settings: Values) -> dict[str, Any]:
        """Give the values of all controls, with these settings."""
        self.check(settings, "this explorer's controls")
        said = self.shipped | dict(settings)
        return {name: part.checked(said[name]) for name, part in self.held.items()}

    def parameters(self, values: Values) -> Any:
        """Give what the controls say, as the explorer's function takes it."""
        said: dict[str, Any] = {}
        for control in self.declared:
            said |= control.read(values)
        return self.kind.reads(**said)

    def card(self, values: Values, band: Any = None) -> Card:
        """Give what is shown at these values."""
        drawn = {} if band is None else {"band": band}
        return self.kind.show(self.parameters(values), **self._gives, **drawn)

    def at(self, values: Values) -> dict[str, Any]:
        """Give what the controls stand at, as the page knows it: of a list, which place."""
        return {name: self.held[name].place_of(value) for name, value in values.items()}

    def call(self, values: Values) -> str:
        """Write the call that makes the explorer with these values."""
        changed = {name: v for name, v in values.items() if v != self.shipped[name]}
        return f"explorers.{self.kind.__name__}({arguments(changed)})"

    def state(self, values: Values, band: Any = None) -> tuple[State, Exception | None]:
        """Give what the card shows; an error becomes a sentence, and is given too."""
        lines: dict[str, str] = {}
        derived: dict[str, float] = {}
        for control in self.declared:
            lines |= control.lines(values)
            derived |= control.derived(values)
        fault = None
        try:
            card = self.card(values, band)
            drawn = picture(card)
        except Exception as error:  # whatever it is, the learner must see it and be able to go on
            fault = error
            if not isinstance(error, ValueError):  # no odd setting but a fault in the program
                log.exception("%s cannot show its setting", self.kind.__name__)
            words = f"This setting cannot be shown: {_what(error)}.".replace("..", ".")
            card = Card(words, (), (Panel("", {}, {}, ()),), words)
            drawn = picture(card)
        said = {name: part.said(values[name]) for name, part in self.held.items()}
        return {
            "id": key_of(values) + ("!" if fault else "+" * (band is not None)),
            "at": self.at(values),
            "keys": {name: key_of(values, name) for name in self.sliders},
            "said": {name: text for name, text in said.items() if text},
            "derived": derived,
            "call": self.call(values),
            "error": _what(fault),
            "chips": dict(card.chips),
            "headline": card.headline,
            "numbers": [vars(number) for number in card.numbers],
            "words": card.words,
            "lines": lines | dict(card.lines),
            "marks": dict(card.limits),
            "columns": [panel.title for panel in card.panels] if card.columns else [],
            "numbers_of": {k: [vars(n) for n in ns] for k, ns in card.numbers_of.items()},
            "stage": dict(card.stage),
            **drawn._asdict(),
        }, fault


def arguments(changed: Values) -> str:
    """Write values of an explorer's state as arguments of its copied call.

    >>> arguments({"gamma": 5}), arguments({"C&P": False})
    ('gamma=5', "**{'C&P': False}")
    """
    if all(name.isidentifier() for name in changed):
        return ", ".join(f"{name}={value!r}" for name, value in changed.items())
    return f"**{dict(changed)!r}"


def _check_names(parts: Sequence[Control]) -> None:
    """Refuse two controls of one name before states are made; a button is always named reset."""
    names = ["reset", *(part.name for part in parts)]
    for name in names:
        if names.count(name) > 1:
            raise ValueError(
                f"two controls are named {name!r}: each needs a name of its own, because its "
                "value is known by it"
            )


def _what(error: Exception | None) -> str:
    return "" if error is None else str(error) or type(error).__name__


def key_of(values: Mapping[str, Any], without: str = "") -> str:
    """Give a short key of a state's settings, or of all but one of them.

    >>> key_of({"gamma": 19, "n": 10}, without="n") == key_of({"gamma": 19})
    True
    """
    rest = {name: value for name, value in values.items() if name != without}
    return f"{zlib.crc32(repr(rest).encode()):08x}"


def thin(state: State, base: State) -> State:
    """Give a state without what it shares with another one: traces and parts of the layout."""
    old = {trace["meta"]: trace for trace in base["data"]}
    data = []
    for trace in state["data"]:
        same = old.get(trace["meta"], {})
        whole = not set(same) <= set(trace)  # what is gone cannot be told by what is new
        new = {k: v for k, v in trace.items() if whole or same.get(k, same) != v}
        data.append(new | {"meta": trace["meta"], "whole": whole})
    layout = {k: v for k, v in state["layout"].items() if base["layout"].get(k) != v}
    return state | {"data": data, "layout": layout}
