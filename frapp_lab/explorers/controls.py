"""Controls of γ, of a breach, of the data and of the schemes, beside the kit's plain ones."""

from __future__ import annotations

import copy
import functools
import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from frapp_lab import privacy
from frapp_lab.explorers.kit.controls import (
    Button,
    Cases,
    Chips,
    Choice,
    Control,
    Part,
    Seed,
    Several,
    Slider,
    Switch,
    Text,
    Values,
)
from frapp_lab.explorers.kit.words import in_words, short
from frapp_lab.explorers.models.data import LOADERS, Data, attributes
from frapp_lab.figures.styles import SPARE_STYLES, Style, style_of
from frapp_lab.mechanisms import registry
from frapp_lab.mechanisms.mechanism import Mechanism

__all__ = [
    "ALPHA",
    "DOMAIN_SIZE",
    "Breach",
    "Button",
    "Choice",
    "Control",
    "DataSet",
    "Domain",
    "Gamma",
    "Schemes",
    "Seed",
    "Several",
    "Slider",
    "Switch",
    "Text",
    "alpha_line",
]

LOWEST_GAMMA, HIGHEST_GAMMA = 1.01, 1000.0


@dataclass(frozen=True, kw_only=True)
class Gamma(Slider):
    """γ by a slider; under it stands what it means."""

    name: str = "gamma"
    label: str = "amplification γ"
    value: float = 19.0
    low: float = LOWEST_GAMMA
    high: float = HIGHEST_GAMMA
    step: float = 0.02
    meaning: str = "how many times likelier a report may be from one record than from another"
    log: bool = True
    short: str = "γ"
    ends: tuple[str, ...] = ("safer", "finds more")
    prior: str = "rho1"
    """The control of the prior that the line under γ speaks of; without it, it is 5 %."""

    def lines(self, values: Values) -> dict[str, str]:
        return {"gamma": _meaning(values["gamma"], values.get(self.prior, 5.0))}

    def says(self, values: Values) -> dict[str, list[str]]:
        return {"gamma": _meanings(self, values.get(self.prior, 5.0))}


def _meaning(gamma: float, prior: float) -> str:
    """Say under the control of γ what it does to a prior, and the ε that it is."""
    epsilon, worst = privacy.epsilon_from_gamma(gamma), privacy.worst_posterior(prior / 100, gamma)
    return f"{prior:.3g} % → at most {short(worst)} · ε = {epsilon:.3g}"


@functools.lru_cache(maxsize=8)
def _meanings(gamma: Gamma, prior: float) -> list[str]:
    """Say what γ means at each step of its control, so that a page knows it at once."""
    return [_meaning(gamma.at(place), prior) for place in range(gamma.n_steps + 1)]


@dataclass(frozen=True)
class Breach(Control):
    """γ by ε and, where the model has a prior, by a breach (ρ₁, ρ₂): one sets the others.

    `field` is the model's name for ρ₁; ρ₂ is what γ makes of it.
    """

    field: str = ""
    name: str = "breach"
    look = "row"

    def parts(self) -> Sequence[Part]:
        words = "a property's probability before the report"
        box = Slider("rho1", "ρ₁ (%)", 5.0, 0.1, 99, 0.1, words, look="box")
        return [box] if self.field else []

    def follows(self) -> Sequence[Slider]:
        words = "the ε of local differential privacy", "the most that a report can raise it to"
        epsilon = Slider("epsilon", "ε = ln γ", 2.944, 0.00995, 6.908, 0.1, words[0], look="box")
        rho2 = Slider("rho2", "ρ₂ (%)", 50.0, 0.1, 99.999, 0.1, words[1], look="box")
        return [epsilon, rho2] if self.field else [epsilon]

    def in_order(self) -> Sequence[Control]:
        first, *others = self.follows()
        return [first, *self.parts(), *others]

    def read(self, values: Values) -> dict[str, Any]:
        return {self.field: values["rho1"] / 100} if self.field else {}

    def derived(self, values: Values) -> dict[str, float]:
        gamma = values["gamma"]
        derived = {"epsilon": float(f"{privacy.epsilon_from_gamma(gamma):.4g}")}
        if self.field:
            worst = privacy.worst_posterior(values["rho1"] / 100, gamma)
            derived["rho2"] = float(f"{100 * worst:.5g}")
        return derived

    def typed(self, name: str, values: Values) -> dict[str, Any]:
        """Give γ from what was typed as ε or as ρ₂, to twelve digits; at the ends of its slider.

        >>> Breach("prior").typed("rho2", {"rho1": 5, "rho2": 50})
        {'gamma': 19.0}
        """
        if name == "epsilon":
            gamma = privacy.gamma_from_epsilon(values["epsilon"])
        elif values["rho2"] > values["rho1"]:
            gamma = privacy.gamma_from_breach(values["rho1"] / 100, values["rho2"] / 100)
        else:  # a ρ₂ at or below ρ₁ would need γ ≤ 1
            gamma = LOWEST_GAMMA
        return {"gamma": min(max(float(f"{gamma:.12g}"), LOWEST_GAMMA), HIGHEST_GAMMA)}


ALPHA = Slider(
    "alpha",
    "randomness α (γx)",
    0.5,
    0.0,
    1.0,
    0.01,
    "RAN-GD's randomness in the paper's unit γx: each client hides an r within ±α",
    short="α",
    ends=("one matrix", "one for each"),
)
"""α in the paper's unit; its largest valid value depends on γ and n, and is marked."""

DOMAIN_SIZE = Slider(
    "n", "domain size n", 2000, 3, 10_000, 0.02, "how many records there can be", log=True,
    whole=True, field="domain_size",
)  # fmt: skip
"""How many cells the domain has; the largest valid α depends on it."""


def alpha_line(asked: float, alpha: float, unit: float) -> str:
    """Say under the control of α, which is in units of γx, what it is and whether it can be had."""
    text = f"each hides an r within ±{in_words(alpha)}"
    if alpha < asked * unit * (1 - 1e-9):
        return f"{text}: at most {alpha / unit:.2g} γx is valid here"
    return text


class DataSet(Cases):
    """The data set and how many categories each attribute has; with one it is left out."""

    def __init__(self, names: tuple[str, ...] = tuple(LOADERS), has_note: bool = True) -> None:
        marks, words = {"HEALTH": " (synthetic)"}, "CENSUS is real; HEALTH is a synthetic stand-in"
        options = tuple((name + marks.get(name, ""), name) for name in names)
        note = Slider("cells", "cells", 0, 0, 1, 1, "how many cells the domain has", look="note")
        choice, cases = Choice("data", "data", options, names[0], words), map(_sizes, names)
        known = dict(zip(names, cases, strict=True))
        super().__init__(choice, known, note if has_note else None, "data")

    def read(self, values: Values) -> dict[str, Any]:
        name = values["data"]
        return {"data": Data.of(name, {part.name: values[part.name] for part in self.cases[name]})}


@dataclass(frozen=True)
class Domain(Control):
    """The size of the domain by one slider, which sets how many categories each attribute has."""

    name: str = "domain"

    def follows(self) -> Sequence[Slider]:
        meaning = "how finely the data are cut: all attributes together"
        ends = "coarse, calm", "fine, noisy"
        return [
            Slider("domain", "cells of the domain", 3, 0, 5, 1, meaning, ends=ends, sets=_ladder())
        ]  # fmt: skip

    def derived(self, values: Values) -> dict[str, float]:
        """Give the step that is nearest to the attributes' sizes."""
        here = math.prod(values[name] for name, *_ in attributes(values["data"]))
        cells = [_cells(values["data"], step) for step in _ladder()]
        return {"domain": min(range(len(cells)), key=lambda k: abs(math.log(cells[k] / here)))}

    def typed(self, name: str, values: Values) -> dict[str, Any]:
        return dict(_ladder()[values["domain"]])

    def names(self, values: Values) -> dict[str, dict[str, str]]:
        cells = [_cells(values["data"], step) for step in _ladder()]
        return {"domain": {str(place): f"{n:,}" for place, n in enumerate(cells)}}

    def lines(self, values: Values) -> dict[str, str]:
        sizes = [values[name] for name, *_ in attributes(values["data"])]
        return {"domain": f"{math.prod(sizes):,} cells: {' · '.join(map(str, sizes))}"}


@functools.cache
def _ladder() -> tuple[Mapping[str, int], ...]:
    """Give the attributes' sizes at each step of the slider of the domain, for all data sets."""
    steps: list[dict[str, int]] = [{} for _ in range(6)]
    for data in LOADERS:
        for name, paper, largest in attributes(data):
            coarse = [max(2, round(2 + (paper - 2) * k / 3)) for k in range(3)]
            sizes = [*coarse, paper, (paper + largest) // 2, largest]
            for step, size in zip(steps, sizes, strict=True):
                step[name] = min(size, largest)
    return tuple(steps)


def _cells(data: str, sizes: Mapping[str, int]) -> int:
    return math.prod(sizes[name] for name, *_ in attributes(data))


def _sizes(data: str) -> tuple[Slider, ...]:
    """Make the controls of a data set's sizes, a small stepper for each attribute."""
    words = "how many categories {} has: the domain grows with each; with one it is left out"
    return tuple(
        Slider(a, a, size, 1, high, 1, words.format(a), look="stepper", words=((1, "out"),))
        for a, size, high in attributes(data)
    )


GLYPHS = {"circle": "●", "diamond-open": "◇", "square": "■", "triangle-up": "▲",
          "x-thin-open": "✕", "star": "★", "hexagon": "⬢", "cross": "✚", "pentagon": "⬟",
          "bowtie": "⧓", "star-square": "✦", "triangle-down": "▼", "diamond": "◆",
          "triangle-left": "◀", "triangle-right": "▶", "hourglass": "⧗", "circle-open": "○",
          "square-open": "□", "triangle-up-open": "△"}  # fmt: skip
"""Markers as letters, for the check boxes that are the legend."""


@dataclass(frozen=True)
class Schemes(Chips):
    """The registered schemes and mechanisms of one's own: a check box each, as the legend.

    A card's function is handed it as `legend`, because it knows how each of them looks.
    """

    name: str = "schemes"
    styles: Mapping[str, Style] = field(default_factory=dict)

    @classmethod
    def of(
        cls, asked: Sequence[str | Mechanism] | None, first: Sequence[str | Mechanism]
    ) -> Schemes:
        """Offer a check box for each scheme; those `asked` for are on, by label or as mechanisms.

        Where none is asked for, those named `first` are. A modern scheme joins when it is asked.
        """
        options: dict[str, Any] = {label: label for label in registry.schemes()}
        styles = {label: style_of(label) for label in options}
        chosen = []
        for scheme in first if asked is None else asked:
            label, made, style = _joined(scheme, options, styles)
            options.setdefault(label, made)
            styles.setdefault(label, style)
            chosen.append(label)
        marks = {
            label: f'<span style="color:{s.colour}" aria-hidden="true">'
            f"{GLYPHS.get(s.marker, '●')}</span>"
            for label, s in styles.items()
        }
        return cls(options, tuple(chosen), marks, styles=styles)

    def gives(self) -> dict[str, Any]:
        return {"legend": self}

    def chips(self, missing: Mapping[str, Any]) -> dict[str, str]:
        """Write all check boxes; `missing` has a `short` and a full `problem` by label, if any."""
        why = {label: (found.short, found.problem) for label, found in missing.items()}
        return {label: self.chip(label, *why.get(label, ())) for label in self.options}

    def colour(self, label: str) -> str:
        """Give the colour that a scheme has in figures and on its check box."""
        return self.styles[label].colour


def _joined(
    scheme: str | Mechanism, options: Mapping[str, Any], styles: Mapping[str, Style]
) -> tuple[str, str | Mechanism, Style]:
    """Give label, scheme and look of a check box that joins others, so that none is there twice."""
    if isinstance(scheme, str):
        label = registry.scheme_class(scheme).label
        return label, label, style_of(label)
    label, number = scheme.label, 1
    while label in options:
        number += 1
        label = f"{scheme.label} ({number})"
    if label != scheme.label:
        scheme = copy.copy(scheme)
        scheme.label = label
    used = set(styles.values())
    free = [style for style in (style_of(label), *SPARE_STYLES) if style not in used]
    return label, scheme, (free or SPARE_STYLES)[0]


@dataclass(frozen=True)
class OneScheme(Choice):
    """One of the schemes: its label here, to the model what is behind it."""

    behind: Mapping[str, Any] = field(default_factory=dict)

    def read(self, values: Values) -> dict[str, Any]:
        return {self.name: self.behind.get(values[self.name], values[self.name])}
