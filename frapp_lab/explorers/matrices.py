"""One matrix with its γ in sight, and how hard each scheme's is to undo."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from frapp_lab.explorers import controls
from frapp_lab.explorers.kit.card import Card, Number
from frapp_lab.explorers.kit.controls import Cases
from frapp_lab.explorers.kit.explorer import Groups, explorer
from frapp_lab.explorers.kit.words import short
from frapp_lab.explorers.matrix_panels import conditions, frames, heat_map, senders
from frapp_lab.explorers.matrix_words import headline, named, own_message, said, words
from frapp_lab.explorers.models import matrices as model
from frapp_lab.explorers.models.matrices import MOST_ROWS, OWN, PUSHED, Parameters, Result
from frapp_lab.explorers.models.own_matrix import SUPPORT
from frapp_lab.figures.styles import SPARE_STYLES
from frapp_lab.mechanisms.mechanism import Mechanism

FIRST = Parameters()


class _Steppers(controls.Several):
    """The sizes of the attributes and the matrix's lit row, side by side to save room."""

    def read(self, values: controls.Values) -> dict[str, Any]:
        *sizes, row = super().read(values)[self.field]
        return {self.field: tuple(sizes), "row": row}


def _controls(schemes: Sequence[str | Mechanism] | None = None) -> Groups:
    legend = controls.Schemes.of(schemes, Parameters().schemes)
    free = [style for style in SPARE_STYLES if style not in legend.styles.values()]
    looks = zip((PUSHED, OWN), (free if len(free) > 1 else SPARE_STYLES)[-2:], strict=True)
    legend = replace(legend, styles={**dict(looks), **legend.styles})
    hint = "how many categories it has: the joint domain is the product of all three"
    sizes = tuple(
        controls.Slider(f"size_{j}", f"attribute {j}", size, 2, 4, 1, hint, look="stepper")
        for j, size in enumerate(FIRST.sizes, 1)
    )
    options, first = (*legend.options, PUSHED, OWN), (*legend.chosen, FIRST.matrix)[0]
    hint = "whose matrix is shown; one of your own can be typed below"
    whose = controls.OneScheme("matrix", "matrix of", options, first, hint, behind=legend.options)
    hint = "how far the diagonal is pushed from 1/n, where reports say nothing, to 1, the truth"
    push = controls.Slider(
        "push", "push the diagonal (%)", 100 * FIRST.push, 0.0, 100.0, 0.5, hint, percent=True,
        short="push",
    )  # fmt: skip
    hint = "the report whose sender is asked for: click its row; γ's: the row that makes γ"
    row = controls.Slider(
        "row", "lit row", 0, 0, MOST_ROWS, 1, hint, look="stepper", words=((0, "γ's"),)
    )
    hint = "the matrix shown is the one that undoes itemsets of this length"
    length = controls.Slider("length", "itemset length", FIRST.length, 1, 3, 1, hint)
    hint = "numbers with spaces or commas between them; 1/3 and 20 % are numbers too"
    own = controls.Text("own", "rows: reports; columns: records", FIRST.own, hint, rows=4)
    hint = "cut-and-paste keeps 0 to K items of a record; beyond K its matrix is singular"
    kept = controls.Slider("K", "items C&P keeps at most, K", FIRST.K, 1, 3, 1, hint)
    gamma = controls.Gamma(value=FIRST.gamma)
    return {
        "Settings": [
            gamma, Cases(whose, {PUSHED: (push,)}), length, _Steppers("sizes", (*sizes, row)),
            legend,
        ],
        "A matrix of my own": [own],
        "More: K, ε": [kept, controls.Breach()],
    }  # fmt: skip


@explorer(_controls, Parameters)
def matrices(p: Parameters, legend: controls.Schemes) -> Card:
    """A matrix with the row that makes its γ, and condition numbers by itemset length (§3, §6)."""
    result = model.compute(p)
    lines = {"length": f"{result.n_cells} cells in the joint domain"}
    if result.is_own:
        keeps = f"γ = {said(result.own.gamma)}: it {'keeps' if result.keeps else 'breaks'} this"
        lines = {"length": "not for a matrix of my own", "gamma": f"my own has {keeps}"}
    if result.label == PUSHED:
        it = result.pushed
        lines["push"] = f"diagonal {it.diagonal:.3g}, all others {it.other:.3g}"
    return Card(
        headline=headline(result),
        numbers=_numbers(result),
        panels=[make(result, legend) for make in (heat_map, senders, conditions)],
        words=words(result),
        lines=lines | {"own_note": own_message(result.own)},
        limits={"push": 100 * result.pushed.stop} if result.label == PUSHED else {},
        chips=legend.chips(result.schemes),
        height=410,
        layout={"shapes": frames(result.shown), "bargap": 0.15},
    )


def _numbers(result: Result) -> list[Number]:
    own, gamma, shown = result.own, result.chosen.gamma, result.shown
    rest = f"{'above' if result.ratio > gamma else 'below'} γ = {gamma:.4g}" * (result.ratio > 0)
    rest = "= γ" if result.is_gamma else rest
    ratio = Number(said(result.ratio), "largest ÷ smallest in the lit row", rest)
    last = Number(said(result.lower_bound), "lower bound", f"{result.n_cells} cells")
    if result.label == OWN:
        error, other = (f"±{100 * x:.2g}" * math.isfinite(x) for x in (own.deviation, own.diagonal))
        label = f"points on a support of {100 * SUPPORT:g} %"
        last = Number(error or "–", label, other and f"γ-diagonal {other}")
    if result.asks_row and shown and shown.senders is not None:
        before, sender = short(1 / len(shown.columns)), named(shown, shown.largest)
        rest = f"{sender}; {before} before"
        last = Number(short(shown.senders.max()), "likeliest sender of the lit report", rest)
    return [ratio, Number(said(result.number), f"condition number, {result.label}"), last]
