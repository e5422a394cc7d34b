"""The whole paper on one screen."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import plotly.graph_objects as go

from frapp_lab import figures
from frapp_lab.explorers import controls
from frapp_lab.explorers.kit.base import Number
from frapp_lab.explorers.models import mining as model
from frapp_lab.explorers.models.mining import Band, Parameters, Result, SchemeResult
from frapp_lab.explorers.schemes import SchemeExplorer
from frapp_lab.figures import rounded
from frapp_lab.mining.mining_run import ERRORS

SHOWN = {"false_negatives": "lost", "support_error": "error", "false_positives": "invented"}
"""The errors, by the word that stands on their button."""

ERROR_AXES = {
    "false_negatives": {"type": "linear", "range": [-3, 103], "dtick": 25, "ticksuffix": " %"},
    "support_error": {"type": "log", "range": [0, 4.5], "dtick": 1, "ticksuffix": " %"},
    "false_positives": {"type": "log", "range": [-1, 4.5], "dtick": 1, "ticksuffix": " %"},
}
TITLES = {
    "false_negatives": "Itemsets lost",
    "support_error": "Error of the supports",
    "false_positives": "Itemsets invented",
}
HIGHEST = 8.0
"""The power of ten up to which condition numbers are shown."""

MIN_SUPPORT = controls.Slider(
    "min_support", "min. support (%)", 2.0, 0.5, 20.0, 0.5,
    "an itemset is frequent if at least this share of the records has it", percent=True,
)  # fmt: skip
ERROR = controls.Choice(
    "error", "errors", tuple((word, error) for error, word in SHOWN.items()), "false_negatives",
    "which error of mining the last panel shows", look="buttons",
)  # fmt: skip


class MiningExplorer(SchemeExplorer):
    """An explorer of mining runs: behind the line of each scheme lies the band of its draws."""

    model = model

    def band(self, parameters: Parameters) -> Iterator[dict[str, Band] | None]:
        """Where many draws lie."""
        return model.bands(parameters)

    def band_series(self, result: Result, band: dict[str, Band]) -> dict[str, dict[str, object]]:
        """Behind each scheme's line the band of its draws."""
        error = result.parameters.error
        return {f"draws {label}": outline(here, error) for label, here in band.items()}


class Playground(MiningExplorer):
    """γ, α, the domain sizes and the data: condition numbers, posterior range and mining errors."""

    ghosts = ("condition", "rho", "run")

    @property
    def groups(self) -> dict[str, list[controls.Control]]:
        """What the course is about in sight; the rest folds away."""
        return {
            "Settings": [
                controls.Gamma(), controls.ALPHA, controls.DataSet(), self.switches, ERROR,
                controls.Seed(),
            ],
            "More: support, ε, ρ₁ → ρ₂": [MIN_SUPPORT, controls.Breach("prior")],
        }  # fmt: skip

    def skeleton(self) -> go.Figure:
        """Condition numbers, posteriors, one of the errors."""
        figure = figures.card(["Condition number", "Posterior", "Errors"])
        for scheme in self.choices:
            figure.add_trace(self.line(scheme, f"condition {scheme}"), 1, 1)
        band = figures.line("band", "within ±α", figures.AFTER, fill="tozeroy")
        band.update(line_width=0, fillcolor="rgba(160, 82, 45, 0.22)", hoverinfo="skip")
        figure.add_trace(band, 1, 2)
        figure.add_trace(figures.line("rho", "ρ₂(r)", figures.AFTER), 1, 2)
        dashed = figures.line("middle", "averaged over r", figures.BLACK)
        figure.add_trace(dashed.update(line_dash="dash", line_width=1.5), 1, 2)
        for scheme in self.choices:
            figure.add_trace(self.band_line(scheme, f"draws {scheme}"), 1, 3)
        for scheme in self.choices:
            figure.add_trace(self.line(scheme, f"run {scheme}"), 1, 3)
        figure.update_yaxes(
            **figures.LOG_AXIS | {"dtick": 2, "range": [0, HIGHEST + 0.3]}, row=1, col=1
        )
        figure.update_yaxes(range=[0, 102], dtick=25, ticksuffix=" %", row=1, col=2)
        lengths = {"title_text": "itemset length", "dtick": 1, "range": [0.6, 7.4]}
        figure.update_xaxes(**lengths)
        r = {"title_text": "r, in units of γx", "dtick": 0.5, "range": [-1.02, 1.02]}
        return figure.update_xaxes(**r, row=1, col=2)

    def series(self, result: Result) -> dict[str, dict[str, object]]:
        """Posteriors in percent over r in units of γx; of the schemes, all that there is."""
        r, rho = result.r / result.unit, 100 * result.rho
        series: dict[str, dict[str, object]] = {
            "rho": {"x": rounded(r), "y": rounded(rho)},
            "band": {"x": rounded(r[result.within]), "y": rounded(rho[result.within])},
            "middle": {"x": rounded(r[[0, -1]]), "y": rounded([100 * result.middle] * 2)},
        }
        column = ERRORS.index(result.parameters.error)
        for scheme, found in result.schemes.items():
            if found.errors is None:
                continue
            numbers = found.condition_numbers
            ks = list(range(1, len(numbers) + 1))
            series[f"condition {scheme}"] = {"x": ks, "y": rounded(numbers)}
            lengths = list(range(1, len(found.errors) + 1))
            series[f"run {scheme}"] = {"x": lengths, "y": rounded(found.errors[:, column])}
        return series

    def layout(self, result: Result) -> dict[str, object]:
        """The error's own axis and titles, and as many lengths as the data have."""
        p = result.parameters
        lengths = [0.6, result.n_attributes + 0.4]
        titles = ["Condition number", f"Posterior of {100 * p.prior:g} %", TITLES[p.error]]
        return {
            "annotations": [{"text": f"<b>{title}</b>"} for title in titles],
            "yaxis3": ERROR_AXES[p.error], "xaxis_range": lengths, "xaxis3_range": lengths,
        }  # fmt: skip

    def labels(self, result: Result) -> list[dict[str, object]]:
        """The schemes at their lines, and the ends of the posterior's range."""
        ends = {
            scheme: (float(len(found.condition_numbers)), found.condition_numbers[-1])
            for scheme, found in result.schemes.items()
            if found.condition_numbers
        }
        at = result.alpha / result.unit
        texts = [
            figures.label(f"{100 * value:.3g} %", place, 100 * value, figures.AFTER, "2",
                          xanchor=side, yshift=-9 if side == "left" else 9)
            for value, place, side in zip(
                result.range, (-at, at), ("left", "right"), strict=True)
            if at > 0.05
        ]  # fmt: skip
        return self.end_labels(ends, "", HIGHEST) + texts

    def headline(self, result: Result) -> str:
        """What the first of the chosen schemes finds, and which one differs much from it."""
        made = {label: f for label, f in result.schemes.items() if f.errors is not None}
        if not made:
            missing = " and ".join(result.schemes)
            return f"{missing} cannot be had at this setting." if missing else "No scheme is shown."
        first, found = next(iter(made.items()))
        text = f"In this draw {first} finds {found.n_kept} of {found.n_true} frequent itemsets"
        others = {label: f for label, f in made.items() if label != first}
        best = max(others, key=lambda label: others[label].n_kept, default=first)
        if made[best].n_kept > 1.5 * found.n_kept:
            return f"{text}; {best} finds {made[best].n_kept}."
        short = min(others, key=lambda label: others[label].longest, default=first)
        if made[short].longest < found.longest:
            return f"{text}; {short} none longer than {made[short].longest}."
        return text + "."

    def numbers(self, result: Result) -> list[Number]:
        """The worst posterior, and of the first scheme the condition number and what it finds."""
        prior = f"{100 * result.parameters.prior:g} %"
        numbers = [Number(f"{100 * result.middle:.3g} %", f"worst posterior of a {prior} prior")]
        for label, found in result.schemes.items():
            if found.condition_numbers:
                worst = figures.in_words(found.condition_numbers[-1])
                numbers += [
                    Number(worst, f"condition number, {label}"),
                    Number(str(found.n_kept), f"itemsets found, {label}", f"of {found.n_true}"),
                ]
                break
        return numbers

    def lines(self, result: Result) -> dict[str, str]:
        """α as a number, and the size of the domain."""
        return {
            "alpha": controls.alpha_line(result.parameters.alpha, result.alpha, result.unit),
            "cells": f"{result.n_cells:,} cells",
        }

    def marks(self, result: Result) -> dict[str, float]:
        """The largest valid α."""
        return {"alpha": result.largest / result.unit}

    def describe(self, result: Result) -> str:
        """What a report gives away, and what each scheme finds."""
        p = result.parameters
        low, high = (f"{100 * v:.1f} %" for v in result.range)
        text = [
            f"{result.name}, {result.n_cells:,} cells. At γ = {p.gamma:.4g} a prior of "
            f"{100 * p.prior:g} % can rise to {100 * result.middle:.1f} % at most; if each client "
            f"hides an r within ±{result.alpha / result.unit:.2f} γx, ρ₂(r) lies between "
            f"{low} and {high}, but a miner who averages over r still believes "
            f"{100 * result.middle:.1f} %."
        ]
        if p.gamma < 1.5:
            text.append(
                "So close to γ = 1 a report says almost nothing: nobody learns anything about a "
                "client, nor about all of them together."
            )
        if result.n_cells > result.n_records / 5:
            text.append(
                f"The domain is large for {result.n_records:,} records: a cell has only "
                f"{result.n_records / result.n_cells:.1f} of them on average, and the noise of "
                "the γ-diagonal matrix grows with the number of cells."
            )
        for scheme, found in result.schemes.items():
            text.append(_sentence(scheme, found, p.min_support))
        if not p.schemes:
            text.append("No scheme is switched on.")
        return " ".join(text)


def outline(band: Band, error: str) -> dict[str, object]:
    """Along the low edge of a band and back along its high one."""
    column = ERRORS.index(error)
    low, high = band.low[:, column], band.high[:, column]
    known = np.flatnonzero(~np.isnan(low))
    if ERROR_AXES[error]["type"] == "log":  # which has no zero
        low, high = np.maximum(low, 0.01), np.maximum(high, 0.01)
    there = [int(k) + 1 for k in known]
    return {"x": there + there[::-1], "y": rounded(low[known]) + rounded(high[known])[::-1]}


def _sentence(scheme: str, found: SchemeResult, min_support: float) -> str:
    if found.problem:
        return f"{scheme} cannot be had here: {found.problem}."
    numbers, n = found.condition_numbers, len(found.condition_numbers)
    spread = figures.in_words(numbers[0]) if numbers else "none"
    if numbers and numbers[-1] > 1.001 * numbers[0]:
        spread += f" at length 1 to {figures.in_words(numbers[-1])} at length {n}"
    sentence = (
        f"{scheme}: condition number {spread}; it finds {found.n_kept} of {found.n_true} itemsets "
        f"that are frequent at {100 * min_support:g} %"
    )
    if found.why_not:
        reason, *_ = found.why_not.removeprefix(f"length is {n + 1}: ").split(". ")
        sentence += f", none longer than {n}: {reason}"
    return sentence + "."
