"""What the cards of mining share: two controls, the panel of errors, and lines under controls."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from frapp_lab.explorers import controls
from frapp_lab.explorers.models.mining import Band, Parameters, Result
from frapp_lab.explorers.scheme_marks import scheme_band, scheme_labels, scheme_line
from frapp_lab.figures.look import plain
from frapp_lab.figures.marks import Mark, Panel, axis, zeros
from frapp_lab.mining.mining_run import ERRORS

FIRST = Parameters()
MIN_SUPPORT = controls.Slider(
    "min_support", "min. support (%)", 100 * FIRST.min_support, 0.5, 20.0, 0.5,
    "an itemset is frequent if at least this share of the records has it", percent=True,
)  # fmt: skip
SHOWN = (("lost", "false_negatives"), ("error", "support_error"), ("invented", "false_positives"))
"""The errors, each after the word on its button."""

ERROR = controls.Choice(
    "error", "show", SHOWN, FIRST.error, "which error of mining the last panel shows",
    look="buttons",
)  # fmt: skip
NONE = 0.12
"""The row of 0 on a log axis, which has no place for it."""
POWERS = axis(
    -1.1, 4.5, type="log", tickvals=[NONE, 1, 10, 100, 1000, 10_000],
    ticktext=["0", "1 %", "10 %", "100 %", "1,000 %", "10⁴ %"],
)  # fmt: skip
ERROR_AXES = {
    "false_negatives": axis(-3, 103, tick=25, ticksuffix=" %", type="linear"),
    "support_error": POWERS,
    "false_positives": POWERS,
}
TITLES = {
    "false_negatives": "Itemsets lost",
    "support_error": "Error of the supports",
    "false_positives": "Itemsets invented",
}
SAYS = {
    "false_negatives": "lost, of the frequent ones · ↓ better",
    "support_error": "mean error of supports found · ↓ better",
    "false_positives": "invented, for 100 true ones · ↓ better",
}
HOVER = {
    "false_negatives": "{}, length %{{x}}: %{{y:.3g}} % lost<extra></extra>",
    "support_error": "{}, length %{{x}}: supports off by %{{y:.3g}} %<extra></extra>",
    "false_positives": "{}, length %{{x}}: %{{y:.3g}} % invented<extra></extra>",
}


def error_panel(
    result: Result, legend: controls.Schemes, band: Mapping[str, Band] | None = None
) -> Panel:
    """Draw the panel of a mining error by length: each scheme's line, on the band of its draws."""
    error = result.parameters.error
    bands = [draws(legend, label, here, error) for label, here in (band or {}).items()]
    lines = {
        label: scheme_line(legend, label, f"run {label}", range(1, len(found.errors) + 1),
                           found.errors[:, ERRORS.index(error)], ghost=True,
                           hovertemplate=HOVER[error].format(plain(label)))
        for label, found in result.schemes.items()
        if found.errors is not None
    }  # fmt: skip
    up, marks = ERROR_AXES[error], bands + list(lines.values())
    if up["type"] == "log":
        marks = bands + [part for mark in lines.values() for part in zeros(mark, NONE)]
    across = lengths(result, "itemset length · bands: 9 of 10 draws")
    return Panel(TITLES[error], across, up, marks, scheme_labels(lines), says="↓ better")


def draws(legend: controls.Schemes, label: str, band: Band, error: str) -> Mark:
    """Draw a scheme's band in the panel of mining errors, at the lengths where there are draws."""
    low, high = (ends[:, ERRORS.index(error)] for ends in (band.low, band.high))
    known = np.flatnonzero(~np.isnan(low))
    low, high = low[known], high[known]
    if ERROR_AXES[error]["type"] == "log":
        low, high = np.maximum(low, NONE), np.maximum(high, NONE)
    return scheme_band(legend, label, f"draws {label}", known + 1, low, high)


def lengths(result: Result, title: str = "itemset length") -> dict:
    """Make the axis of lengths in panels of mining, as many as the data have attributes."""
    return axis(0.6, result.n_attributes + 0.4, title, tick=1)


def shared_lines(result: Result) -> dict[str, str]:
    """Say α as a number, and the domain's size, in lines that the cards of mining share."""
    alpha = controls.alpha_line(result.parameters.alpha, result.alpha, result.unit)
    return {"alpha": alpha, "cells": f"{result.n_cells:,} cells"}
