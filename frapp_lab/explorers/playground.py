"""The whole paper on one screen."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

from frapp_lab.explorers import controls
from frapp_lab.explorers.kit.card import Card, Number
from frapp_lab.explorers.kit.explorer import Groups, explorer
from frapp_lab.explorers.kit.words import in_words, percent, say, short
from frapp_lab.explorers.mining_panels import (
    ERROR,
    FIRST,
    MIN_SUPPORT,
    SAYS,
    error_panel,
    lengths,
    shared_lines,
)
from frapp_lab.explorers.models import mining as model
from frapp_lab.explorers.models.mining import Band, Parameters, Result, SchemeResult
from frapp_lab.explorers.models.mining_runs import Scheme
from frapp_lab.explorers.scheme_marks import scheme_labels, scheme_line
from frapp_lab.figures.look import AFTER, BEFORE, BLACK, plain
from frapp_lab.figures.marks import LOG_AXIS, Panel, area, axis, dots, label, line

HIGHEST = 8.0
"""The power of ten up to which condition numbers are shown."""
HOVER = "{}, length %{{x}}: κ = %{{y:,.4r}}<extra></extra>"


def _controls(schemes: Sequence[Scheme] | None = None) -> Groups:
    legend = controls.Schemes.of(schemes, Parameters().schemes)
    return {
        "Settings": [
            controls.Gamma(value=FIRST.gamma), controls.ALPHA, controls.Domain(), legend, ERROR,
            controls.Seed(FIRST.seed),
        ],
        "Data, and each column’s categories": [controls.DataSet(has_note=False)],
        "More: support, ε, ρ₁ → ρ₂": [MIN_SUPPORT, controls.Breach("prior")],
    }  # fmt: skip


@explorer(_controls, Parameters, model.bands, n_first=3)
def playground(
    p: Parameters, legend: controls.Schemes, band: Mapping[str, Band] | None = None
) -> Card:
    """γ, α, the domain sizes and the data: condition numbers, posterior range and mining errors."""
    result = model.compute(p)
    made = {label: found for label, found in result.schemes.items() if found.errors is not None}
    # RAN-GD, which α moves, is looked at first; at α = 0 it is DET-GD.
    first = "RAN-GD" if "RAN-GD" in made else next(iter(made), "")
    return Card(
        headline=_headline(result, first),
        numbers=_numbers(result, first),
        panels=[
            _posterior(result),
            _condition_numbers(result, legend),
            replace(error_panel(result, legend, band), title="Mining", says=SAYS[p.error]),
        ],
        words=_words(result),
        lines=shared_lines(result),
        limits={"alpha": result.largest / result.unit},
        chips=legend.chips(result.schemes),
        columns=True,
        numbers_of={label: _numbers(result, label) for label in made},
        height=264,
    )


# --- the figure -----------------------------------------------------------------------------------


def _posterior(result: Result) -> Panel:
    """Draw on the playground ρ₂(r) over r in units of γx, and the part of it that α allows."""
    r, rho, at = result.r / result.unit, 100 * result.rho, result.alpha / result.unit
    prior, (low, high) = result.parameters.prior, result.range
    middle = line("middle", r[[0, -1]], [100 * result.middle] * 2, BLACK, "averaged over r",
                  dash="dash", width=1.5)  # fmt: skip
    before = line("before", r[[0, -1]], [100 * prior] * 2, BEFORE, "before a report", dash="dot")
    ends = [
        dots(name, [r], [100 * rho], AFTER, hoverinfo="skip")
        for name, r, rho in (("low end", -at, low), ("high end", at, high))
    ]
    marks = [
        area("band", r[result.within], rho[result.within], AFTER, 0.22, says="within ±α",
             fill="tozeroy"),
        before,
        middle,
        line("rho", r, rho, AFTER, "ρ₂(r)", ghost=True,
             hovertemplate="r = %{x:.2f} γx: %{y:.3g} %<extra></extra>"),
        *ends,
    ]  # fmt: skip
    words = [label(f"prior: {short(prior)}", before), label("averaged over r", middle, 0)]
    if at > 0.05:
        words += [
            label(f"<b>{short(v)}</b>", end) for v, end in zip((low, high), ends, strict=True)
        ]
    return Panel(
        "Privacy",
        axis(-1.02, 1.02, "hidden r, in units of γx", tick=0.5),
        axis(0, 102, tick=25, ticksuffix=" %"),
        marks,
        words,
        says="belief after a report · ↓ safer",
    )


def _condition_numbers(result: Result, legend: controls.Schemes) -> Panel:
    lines = {
        name: scheme_line(legend, name, f"condition {name}", range(1, len(ys) + 1), ys, ghost=True,
                          hovertemplate=HOVER.format(plain(name)))
        for name, found in result.schemes.items()
        if found.errors is not None
        for ys in [found.condition_numbers]
    }  # fmt: skip
    up = LOG_AXIS | axis(0, HIGHEST + 0.3, tick=2)
    says = "condition number κ · ↓ better"
    marks = list(lines.values())
    return Panel("Stability", lengths(result), up, marks, scheme_labels(lines), says=says)


# --- words ----------------------------------------------------------------------------------------


def _belief(result: Result, scheme: str) -> str:
    """Say on the playground what a report can raise the prior to: with RAN-GD it depends on r."""
    low, high = result.range
    if scheme != "RAN-GD" or short(low) == short(high):
        return short(result.middle)
    if low >= 0.01 and high <= 0.99:
        return f"{100 * low:.0f}–{100 * high:.0f} %"
    return f"{short(low).removesuffix(' %')}–{short(high)}"


def _headline(result: Result, first: str) -> str:
    """Say on the playground what is traded: a belief, and what a scheme finds for it."""
    p, belief = result.parameters, _belief(result, first)
    told = (
        f"At γ = {p.gamma:.4g} a report turns {short(p.prior)} into {short(result.middle)} at most"
    )
    if belief != short(result.middle):
        told += f", or into {belief} for somebody who knows r"
    if not first:
        missing = " and ".join(result.schemes)
        return f"{told}; {missing} cannot be had." if missing else f"{told}; no scheme is shown."
    found = result.schemes[first]
    lost = found.n_true - found.n_kept
    return f"{told}; in this draw {first} loses {lost:,} of {found.n_true:,} frequent itemsets."


def _numbers(result: Result, scheme: str) -> list[Number]:
    """Give what the playground says of one scheme: belief, condition number, what it gets wrong."""
    belief, found = _belief(result, scheme), result.schemes.get(scheme)
    knows = "at most" if belief == short(result.middle) else "if r is known"
    told = f"from {short(result.parameters.prior)}" if knows == "at most" else knows
    numbers = [Number(belief, "what one report can tell", told)]
    if not found or not found.condition_numbers:
        return [*numbers, Number("–", "how noise is magnified"), Number("–", "what goes wrong")]
    lost, invented = f"{found.n_true - found.n_kept:,} of {found.n_true:,}", f"{found.n_invented:,}"
    wrong = Number(lost, "what goes wrong", f"lost, {invented} invented")
    if result.parameters.error == "false_positives":
        wrong = Number(invented, "what goes wrong", f"invented, {lost} lost")
    condition = f"κ {in_words(found.condition_numbers[-1])}"
    return [*numbers, Number(condition, "how noise is magnified", scheme), wrong]


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
