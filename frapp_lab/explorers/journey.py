"""People walk through the matrix one by one, and the crowd is undone."""

from __future__ import annotations

import math
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np

from frapp_lab.explorers import controls
from frapp_lab.explorers.kit.card import Card, Number
from frapp_lab.explorers.kit.explorer import explorer
from frapp_lab.explorers.models import journey as model
from frapp_lab.explorers.models.journey import (
    CUT,
    DIAGONAL,
    LETTERS,
    LOOKS,
    MASK,
    OWN,
    SCHEMES,
    Parameters,
    Result,
)
from frapp_lab.figures import look, marks
from frapp_lab.figures.marks import Panel

FIRST = Parameters()
COLOURS = ("#0072B2", "#B37B00", "#008763", "#A34D8F", "#CC4A00", "#4B5BA8")
NIGHT = ("#56B4E9", "#E5B13A", "#35C79F", "#E39AD0", "#FF8F4A", "#9AA8EE")
"""The values' colours, by day and by night: a colour is a secret."""

WORDS = {
    "problem": "Nobody can send anything: {problem}.",
    "start": "{N} people, one secret value each. Chance stands between them and the miner.",
    "kept": "Person {i} has {v} and keeps it. The miner sees a grey {r}.",
    "drew": "Person {i} has {v}, must draw, and the die says {r}. The miner sees a grey {r}.",
    "flipped": "Person {i} has {v}; {flips} of its {n} bits flip{s}. The miner sees {r}.",
    "pasted": "Person {i}: {v} is {fate}, {items} pasted in. The miner sees {r}.",
    "drawn": "Person {i} has {v} and draws {r} from column {v}. The miner sees a grey {r}.",
    "some": "{k} of {N} have reported; {lies} of the reports are not the sender’s own value.",
    "all": "All {N} have reported; {lies} of the reports are not the sender’s own value.",
    "take": "Chance put about {chance} reports into every row: take them off.",
    "take_bits": "Chance alone sets the bit of a value about {chance} times: take them off.",
    "divide": "About {left} kept their value: divide by that, and the rest grows back.",
    "divide_bits": "What is left is about {left} of the truth: divide by that, and it grows back.",
    "invert": "A⁻¹ takes off what chance put in and lets the rest grow back, both at once.",
    "undone": "Undone: a count is {miss} people off on average{below}.",
    "noisy": "Too little of the truth is left: undone counts are {miss} people off on average.",
    "singular": "This matrix cannot be undone: different crowds would send the same reports.",
    "row": "A report {r} makes “this person has {v}” {before} → {after} likely{sure}.",
    "never": "Nobody can send {r}: its row of the matrix is empty.",
    "column": "Somebody with {v} sends {v} {gamma} times as often as any other value: that is γ.",
    "column_any": "Somebody with {v} sends {r} most often: in {best} of all cases.",
    "how_diagonal": "Each keeps the value with {left} and otherwise sends any of the {n} alike: "
    "{own} send their own value, {other} each other one.",
    "how_MASK": "Each of the {n} bits stays with {own} and flips with {other}.",
    "how_cut": "The own item is kept in one of two cases; every item that is not in it by then is "
    "pasted in with {other}.",
    "how_own": "Each draws a report from the column of the own value; γ of the matrix is {gamma}.",
    "counts": "Reports: {reports}. Truth of those: {truths}. Undone: {undone}.",
    "number_diagonal": "send their own value; {other} each other",
    "number_MASK": "of all bits stay; {other} flip",
    "number_cut": "of the missing items are pasted in",
    "number_own": "γ of this matrix",
    "number_row": "belief in {v}, after a report {r}",
    "number_sent": "have reported, {lies} not their own value",
    "number_typical": "typical error of a count, undone",
    "number_miss": "error of a count; {typical} is typical",
}
"""All that is said, with places for numbers; the page fills them in the same way."""

_FILES = ("journey_model.js", "journey_places.js", "journey.js", "journey.css")
PAGE = [Path(__file__).parent / "page" / name for name in _FILES]
KIND = {DIAGONAL: "diagonal", MASK: "MASK", CUT: "cut", OWN: "own"}

CROWDS = (60, 200, 500)
_UNDO = (("the reports", 0), ("chance taken off", 1), ("the rest grown back", 2), ("undone", 3))
CONTROLS: dict[str, list[controls.Control]] = {
    "Settings": [
        controls.Gamma(value=FIRST.gamma),
        controls.Choice(
            "scheme", "scheme", SCHEMES, FIRST.scheme, "what stands between people and miner"
        ),
        controls.Slider(
            "values", "values", FIRST.values, 2, 6, 1, "how many values a record can have",
            look="stepper",
        ),
        controls.Choice("people", "people", CROWDS, FIRST.people, "how large the crowd is"),
        controls.Seed(FIRST.seed),
    ],
    "A matrix of my own": [
        controls.Text(
            "own", "rows: reports; columns: values", FIRST.own, "numbers, 1/3 or 20 %", rows=4
        ),
    ],
    "Step by step": [
        controls.Slider(
            "sent", "reports so far", FIRST.sent, 0, 500, 1, "how many people have sent theirs"
        ),
        controls.Choice("undo", "the miner sees", _UNDO, FIRST.undo, "how far undoing has come"),
        controls.Choice("look", "look at", LOOKS, FIRST.look, "whose way is shown in colour"),
    ],
}  # fmt: skip


OPTIONS = {"scheme": SCHEMES, "people": CROWDS, "look": LOOKS}
"""What lists of the page hold, by the control's name."""


def number(x: float, digits: int = 3) -> str:
    """Write a number with a few digits, as the page does.

    >>> number(-2.0), number(1234.5), number(0.09961)
    ('−2', '1230', '0.0996')
    """
    if not math.isfinite(x):
        return "∞"
    rounded = float(f"{x * (1 + 1e-12):.{digits}g}")
    return f"{rounded:.10f}".rstrip("0").rstrip(".").replace("-", "−") if abs(x) >= 1e-6 else "0"


def percent(share: float, digits: int = 3) -> str:
    """Write a share in percent, as the page does."""
    return f"{number(100 * share, digits)} %"


def pattern(shown: np.ndarray) -> str:
    """Write the values that a report shows; a dot stands for one that it does not.

    >>> pattern(np.array([True, False, True]))
    'A·C'
    """
    return "".join(LETTERS[v] if is_on else "·" for v, is_on in enumerate(shown))


def names(result: Result) -> list[str]:
    """Name the rows: by their value, by their pattern of bits, or by number."""
    if result.parameters.scheme in (MASK, CUT) and not result.problem:
        return [pattern(shown) for shown in result.patterns]
    return [LETTERS[r] if len(result.matrix) == result.n else str(r + 1)
            for r in range(len(result.matrix))]  # fmt: skip


def _fields(result: Result) -> dict[str, Any]:
    """Give every number that a sentence may name, written out."""
    p, (kind, at) = result.parameters, result.look
    rows, first = names(result), result.matrix[:, 0]
    spread = np.max(result.matrix, axis=1) / np.maximum(np.min(result.matrix, axis=1), 1e-300)
    gamma = p.gamma if p.scheme != OWN else spread.max()
    own, other = first[0], result.matrix[0, -1]
    if p.scheme in (MASK, CUT):
        own, other = result.chance + result.left, result.chance
    says = {
        "problem": result.problem, "N": p.people, "k": result.sent, "n": result.n,
        "lies": result.lies, "gamma": number(gamma) if gamma < 1e9 else "∞", "own": percent(own),
        "other": percent(other), "left": percent(result.left, 2),
        "chance": number(result.chance * result.sent, 2), "typical": _people(result.typical),
        "miss": _people(result.miss), "below": _below(result.estimate),
        "reports": _listed(rows, result.counts), "truths": _listed(LETTERS, result.truth),
        "undone": _listed(LETTERS, result.estimate) or "nothing yet",
    }  # fmt: skip
    if kind == "row":
        v = int(np.argmax(result.after))
        before, after = result.before[v], result.after[v]
        says |= {
            "r": rows[at], "v": LETTERS[v], "before": percent(before, 2),
            "after": percent(after, 2), "sure": ", and never sure" if after < 1 else "",
        }  # fmt: skip
    if kind == "column":
        best = int(np.argmax(result.matrix[:, at]))
        says |= {"v": LETTERS[at], "r": rows[best], "best": percent(result.matrix[best, at])}
    if kind == "person":
        says |= _person(result, at, rows)
    return says


def _person(result: Result, i: int, rows: list[str]) -> dict[str, Any]:
    v, r, shown = result.values[i], result.reports[i], result.patterns[result.reports[i]]
    flips = int((shown != (np.arange(result.n) == v)).sum())
    kept = result.uniforms[i, 0] >= 0.5  # cut-and-paste's first number, then a number for each item
    pasted = enumerate(result.uniforms[i, 2:] < result.chance)
    items = "".join(LETTERS[b] for b, is_in in pasted if is_in and not (kept and b == v))
    return {
        "i": i + 1, "v": LETTERS[v], "r": rows[r], "flips": flips, "s": "s" * (flips == 1),
        "fate": "kept" if kept else "cut away", "items": items or "nothing",
    }  # fmt: skip


def _people(x: float) -> str:
    return f"{x * (1 + 1e-12):.1f}" if math.isfinite(x) else "–"


def _below(estimate: np.ndarray) -> str:
    n = int((estimate < -0.05).sum())
    return f"; {'one falls' if n == 1 else f'{n} fall'} below zero" if n else ""


def _listed(labels: Any, counts: np.ndarray) -> str:
    return ", ".join(f"{label} {number(c)}" for label, c in zip(labels, counts, strict=False))


def _sentence(result: Result) -> str:
    """Choose the sentence that says what is to be seen now."""
    p, (kind, at), bits = result.parameters, result.look, result.parameters.scheme in (MASK, CUT)
    if result.problem:
        return "problem"
    if result.undo:
        if not len(result.estimate):
            return "singular"
        if result.undo == model.UNDONE:
            return "noisy" if result.miss > result.sent / 6 else "undone"
        if p.scheme == OWN:
            return "invert"
        return ("take" if result.undo == model.TAKEN else "divide") + "_bits" * bits
    if kind == "row":
        return "row" if result.after.any() else "never"
    if kind == "column":
        return "column" if p.scheme == DIAGONAL else "column_any"
    if kind == "person":
        kept = result.uniforms[at, 0] < result.left
        drawn = "kept" if kept else "drew"
        return {DIAGONAL: drawn, MASK: "flipped", CUT: "pasted", OWN: "drawn"}[p.scheme]
    if not result.sent:
        return "start"
    return "all" if result.sent == p.people else "some"


def _numbers(result: Result, says: Mapping[str, Any]) -> list[Number]:
    p = result.parameters
    first = says["gamma"] if p.scheme == OWN else says["other" if p.scheme == CUT else "own"]
    label = f"number_{KIND[p.scheme]}"
    if result.look[0] == "row" and not result.undo and result.after.any():
        first, label = f"{says['before'].removesuffix(' %')} → {says['after']}", "number_row"
    last = ("typical", "number_typical")
    if result.undo == model.UNDONE and len(result.estimate):
        last = ("miss", "number_miss")
    return [
        Number(first, WORDS[label].format(**says)),
        Number(str(result.sent), WORDS["number_sent"].format(**says), f"of {p.people}"),
        Number(says[last[0]], WORDS[last[1]].format(**says), "people"),
    ]


def panels(result: Result) -> list[Panel]:
    """Draw the truth, the matrix and the reports as plain panels, where there is no stage."""
    rows, letters = names(result), list(LETTERS[: result.n])
    most = 1.05 * result.parameters.people
    people = marks.bars("truth", letters, result.truth, look.TRUTH, ghost=True)
    sent = marks.bars("reports", rows, result.counts, look.BEFORE, ghost=True)
    squares = marks.matrix("matrix", result.matrix[::-1], letters, rows[::-1], look.BLUE)
    kinds = {"type": "category", "range": [-0.5, result.n - 0.5]}
    tall = {"type": "category", "range": [-0.5, len(rows) - 0.5]}
    share = marks.axis(0, most, "people")
    return [
        Panel("the truth", marks.axis(title="value") | kinds, share, [people]),
        Panel(
            "what each may send", marks.axis(title="value") | kinds, marks.axis() | tall, [squares]
        ),
        Panel("the reports", marks.axis(title="report") | tall, share, [sent]),
    ]


@explorer(CONTROLS, Parameters, n_first=3, page=PAGE)
def journey(p: Parameters) -> Card:
    """People, the matrix, their reports, and the crowd undone: E(Y) = AX, one by one (§2)."""
    result = model.compute(p)
    says = _fields(result)
    headline = WORDS[_sentence(result)].format(**says)
    how = "" if result.problem else WORDS[f"how_{KIND[p.scheme]}"].format(**says)
    lines = {"own_note": result.problem if p.scheme == OWN else ""}
    stage: dict[str, Any] = {
        "name": "journey", "words": WORDS, "kinds": KIND, "options": OPTIONS, "colours": COLOURS,
        "night": NIGHT, "own": None,
    }  # fmt: skip
    if p.scheme == OWN and not result.problem:
        matrix, weights = result.matrix.tolist(), model.own_weights(p)
        stage["own"] = {"text": p.own, "matrix": matrix, "weights": weights}
    return Card(
        headline=headline,
        numbers=_numbers(result, says),
        panels=panels(result),
        words=" ".join([headline, how, WORDS["counts"].format(**says)]),
        lines=lines,
        stage=stage,
        height=400,
    )
