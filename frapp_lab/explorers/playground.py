"""The whole paper on one screen."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from frapp_lab.explorers import controls
from frapp_lab.explorers.kit.card import Card, Number
from frapp_lab.explorers.kit.explorer import Groups, explorer
from frapp_lab.explorers.kit.words import in_words, percent, say, short
from frapp_lab.explorers.mining_panels import (
    ERROR,
    FIRST,
    MIN_SUPPORT,
    error_panel,
    lengths,
    shared_lines,
)
from frapp_lab.explorers.models import mining as model
from frapp_lab.explorers.models.mining import Band, Parameters, Result, SchemeResult
from frapp_lab.explorers.models.mining_runs import Scheme
from frapp_lab.explorers.scheme_marks import end_notes, scheme_line
from frapp_lab.figures.look import AFTER, BLACK
from frapp_lab.figures.marks import LOG_AXIS, Panel, area, axis, line, note

HIGHEST = 8.0
"""The power of ten up to which condition numbers are shown."""


def _controls(schemes: Sequence[Scheme] | None = None) -> Groups:
    legend = controls.Schemes.of(schemes, Parameters().schemes)
    return {
        "Settings": [
            controls.Gamma(value=FIRST.gamma), controls.ALPHA, controls.DataSet(), legend, ERROR,
            controls.Seed(FIRST.seed),
        ],
        "More: support, ε, ρ₁ → ρ₂": [MIN_SUPPORT, controls.Breach("prior")],
    }  # fmt: skip


@explorer(_controls, Parameters, model.bands)
def playground(
    p: Parameters, legend: controls.Schemes, band: Mapping[str, Band] | None = None
) -> Card:
    """γ, α, the domain sizes and the data: condition numbers, posterior range and mining errors."""
    result = model.compute(p)
    return Card(
        headline=_headline(result),
        numbers=_numbers(result),
        panels=[
            _condition_numbers(result, legend),
            _posterior(result),
            error_panel(result, legend, band),
        ],
        words=_words(result),
        lines=shared_lines(result),
        limits={"alpha": result.largest / result.unit},
        chips=legend.chips(result.schemes),
    )


# --- the figure -----------------------------------------------------------------------------------


def _condition_numbers(result: Result, legend: controls.Schemes) -> Panel:
    numbers = {
        label: found.condition_numbers
        for label, found in result.schemes.items()
        if found.errors is not None
    }
    lines = [
        scheme_line(legend, label, f"condition {label}", range(1, len(ys) + 1), ys, ghost=True)
        for label, ys in numbers.items()
    ]
    ends = {label: (float(len(ys)), ys[-1]) for label, ys in numbers.items() if ys}
    up = LOG_AXIS | axis(0, HIGHEST + 0.3, tick=2)
    words = end_notes(legend, ends, HIGHEST)
    return Panel("Condition number", lengths(result), up, lines, words)


def _posterior(result: Result) -> Panel:
    """Draw on the playground ρ₂(r) over r in units of γx, and the part of it that α allows."""
    r, rho, at = result.r / result.unit, 100 * result.rho, result.alpha / result.unit
    middle = [100 * result.middle] * 2
    marks = [
        area("band", r[result.within], rho[result.within], AFTER, 0.22, says="within ±α",
             fill="tozeroy"),
        line("rho", r, rho, AFTER, "ρ₂(r)", ghost=True),
        line("middle", r[[0, -1]], middle, BLACK, "averaged over r", dash="dash", width=1.5),
    ]  # fmt: skip
    low, high = result.range
    words = [
        note(short(low), -at, 100 * low, AFTER, yshift=-9),
        note(short(high), at, 100 * high, AFTER, xanchor="right", yshift=9),
    ]
    return Panel(
        f"Posterior of {short(result.parameters.prior)}",
        axis(-1.02, 1.02, "r, in units of γx", tick=0.5),
        axis(0, 102, tick=25, ticksuffix=" %"),
        marks,
        words if at > 0.05 else (),
    )


# --- words ----------------------------------------------------------------------------------------


def _headline(result: Result) -> str:
    """Say what the playground's first chosen scheme finds, and which one differs much from it."""
    made = {label: found for label, found in result.schemes.items() if found.errors is not None}
    if not made:
        missing = " and ".join(result.schemes)
        return f"{missing} cannot be had at this setting." if missing else "No scheme is shown."
    first, found = next(iter(made.items()))
    text = f"In this draw {first} finds {found.n_kept} of {found.n_true} frequent itemsets"
    others = [label for label in made if label != first]
    best = max(others, key=lambda label: made[label].n_kept, default=first)
    if made[best].n_kept > 1.5 * found.n_kept:
        return f"{text}; {best} finds {made[best].n_kept}."
    shortest = min(others, key=lambda label: made[label].longest, default=first)
    if made[shortest].longest < found.longest:
        return f"{text}; {shortest} none longer than {made[shortest].longest}."
    return text + "."


def _numbers(result: Result) -> list[Number]:
    """Give the playground's worst posterior, and the first scheme's condition number and finds."""
    prior = short(result.parameters.prior)
    numbers = [Number(short(result.middle), f"worst posterior of a {prior} prior")]
    for label, found in result.schemes.items():
        if found.condition_numbers:
            worst = in_words(found.condition_numbers[-1])
            return [
                *numbers,
                Number(worst, f"condition number, {label}"),
                Number(str(found.n_kept), f"itemsets found, {label}", f"of {found.n_true}"),
            ]
    return numbers


def _words(result: Result) -> str:
    """Say on the playground what a report gives away, and what each scheme finds."""
    p = result.parameters
    low, high, middle = (percent(share) for share in (*result.range, result.middle))
    return say(
        f"{result.name}, {result.n_cells:,} cells. At γ = {p.gamma:.4g} a prior of "
        f"{short(p.prior)} can rise to {middle} at most; if each client hides an r within "
        f"±{result.alpha / result.unit:.2f} γx, ρ₂(r) lies between {low} and {high}, but a miner "
        f"who averages over r still believes {middle}.",
        p.gamma < 1.5
        and "So close to γ = 1 a report says almost nothing: nobody learns anything about a "
        "client, nor about all of them together.",
        result.n_cells > result.n_records / 5
        and f"The domain is large for {result.n_records:,} records: a cell has only "
        f"{result.n_records / result.n_cells:.1f} of them on average, and the noise of "
        "the γ-diagonal matrix grows with the number of cells.",
        *(_sentence(label, found, p.min_support) for label, found in result.schemes.items()),
        not p.schemes and "No scheme is switched on.",
    )


def _sentence(label: str, found: SchemeResult, min_support: float) -> str:
    if found.problem:
        return f"{label} cannot be had here: {found.problem}."
    numbers, n = found.condition_numbers, len(found.condition_numbers)
    spread = in_words(numbers[0]) if numbers else "none"
    if numbers and numbers[-1] > 1.001 * numbers[0]:
        spread += f" at length 1 to {in_words(numbers[-1])} at length {n}"
    sentence = (
        f"{label}: condition number {spread}; it finds {found.n_kept} of {found.n_true} itemsets "
        f"that are frequent at {100 * min_support:g} %"
    )
    if found.why_not:
        reason, *_ = found.why_not.removeprefix(f"length is {n + 1}: ").split(". ")
        sentence += f", none longer than {n}: {reason}"
    return sentence + "."
