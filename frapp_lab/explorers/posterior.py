"""How much one report may give away."""

from __future__ import annotations

from frapp_lab.explorers import controls
from frapp_lab.explorers.kit.card import Card, Number
from frapp_lab.explorers.kit.explorer import Groups, explorer
from frapp_lab.explorers.kit.words import in_words, percent, say, short
from frapp_lab.explorers.models import posterior as model
from frapp_lab.explorers.models.posterior import Parameters, Result
from frapp_lab.figures.look import AFTER, BEFORE, BLACK
from frapp_lab.figures.marks import (
    Panel,
    area,
    axis,
    bars,
    dots,
    drags,
    joined_dots,
    label,
    line,
    note,
)

FIRST = Parameters()
CONTROLS: Groups = {
    "Settings": [
        controls.Gamma(value=FIRST.gamma, prior="prior"),
        controls.Slider(
            "prior", "prior (%)", 100 * FIRST.prior, 0.1, 99.0, 0.1,
            "how probable the attacker thinks value 1 is before the report", percent=True,
        ),
        controls.Slider(
            "n", "number of values n", FIRST.n, 2, 50, 1,
            "how many values a record can have; the rest of the prior is spread evenly",
        ),
        controls.Choice(
            "scale", "scale", ("percent", "log-odds"), FIRST.scale,
            "whether the bound is drawn in percent or in log-odds, ln(q/(1 − q))", look="buttons",
        ),
    ],
    "More: ε, ρ₁ → ρ₂": [controls.Breach("rho1")],
}  # fmt: skip
PERCENTS = axis(0, 112, tick=25, ticksuffix=" %")
LOG_PERCENTS = axis(-9.0, 13.5, tick=4, ticksuffix="")


@explorer(CONTROLS, Parameters)
def posterior(p: Parameters) -> Card:
    """From a prior to the worst posterior under γ, and what an attacker believes (FRAPP §2.1)."""
    result = model.compute(p)
    prior, worst, kept = short(p.prior), short(result.worst), short(result.kept)
    before, after = (in_words(model.odds(share)) for share in (p.prior, result.worst))
    return Card(
        headline=_headline(result, prior, worst),
        numbers=[
            Number(worst, "worst posterior", f"from {prior}"),
            Number(in_words(result.epsilon), "ε = ln γ, added to log-odds"),
            Number(kept, "chance that the true value is sent"),
        ],
        panels=[_in_percent(result) if p.scale == "percent" else _in_log_odds(result),
                _beliefs(result)],
        words=_words(result),
        lines={
            "prior": f"odds {before} × γ = {after}",
            "n": f"kept {kept}, each other {short(result.becomes)}",
        },
        height=400,
        layout={"bargap": 0.1},
    )  # fmt: skip


# --- the figure -----------------------------------------------------------------------------------


def _in_percent(result: Result) -> Panel:
    p = result.parameters
    curve = [0, *(100 * model.PRIORS), 100], [0, *(100 * result.curve), 100]
    corner, point = (100 * p.rho1, 100 * result.rho2), (100 * p.prior, 100 * result.worst)
    # Room on the right, or a narrow card cuts the last tick's words off.
    across = axis(0, 106, "prior", tick=25, ticksuffix=" %")
    return _bound(result, "Worst posterior", across, PERCENTS, 100, curve, corner, point)


def _in_log_odds(result: Result) -> Panel:
    v, curve = result.log_odds, (model.LOG_ODDS, result.log_curve)
    corner, point = (v["rho1"], v["rho2"]), (v["prior"], v["worst"])
    across = axis(-9.0, 8.0, "log-odds ln(q/(1 − q)) of the prior", tick=4, ticksuffix="")
    title, scale = "Worst posterior, log-odds", (model.LOG_PLACES, 100 * model.PLACED)
    return _bound(result, title, across, LOG_PERCENTS, 12, curve, corner, point, scale)


def _bound(
    result: Result, title: str, x: dict, y: dict, top: float,
    curve: tuple, corner: tuple, here: tuple, scale: tuple = (),
) -> Panel:  # fmt: skip
    """Draw the bound on the posterior, the corner out of reach, and this prior, on either scale."""
    p, (low, high), (left, bottom), (prior, worst) = result.parameters, x["range"], corner, here
    outline = [low, left, left, low, low], [bottom, bottom, top, top, bottom]
    breach = area("breach", *outline, BLACK, 0.14)
    breach["line"]["width"] = 1.5  # on dark paper the fill alone is hardly seen
    end = min(high, curve[0][-1])
    across = [low + share * (end - low) for share in (0, 0.25, 0.5, 0.75, 1)]
    nothing = line("nothing", across, across, BEFORE, "nothing learnt", dash="dash",
                   hoverinfo="skip")  # fmt: skip
    bound = line("curve", curve[0], curve[1], AFTER, "worst posterior", ghost=True)
    hover = f"{short(p.prior)} → at most {short(result.worst)}<extra>drag me</extra>"
    rise = joined_dots("rise", [prior, prior], [prior, worst], BLACK, ["circle-open", "circle"],
                       says="this prior", dash="dot", size=11, hovertemplate=hover)  # fmt: skip
    # A mark of its own below the dot, or its words may stand at the prior's circle.
    dot = dots("worst", [prior], [worst], BLACK, size=11, hoverinfo="skip")
    words = [
        label(f"{short(p.prior)} → {short(result.worst)}", dot, xshift=10),
        label(f"out of reach ({short(p.rho1)}, {short(result.rho2)})", breach, 3, yanchor="bottom"),
        label("nothing learnt", nothing, at=2, xshift=6, yanchor="top"),
    ]
    if p.scale == "log-odds":
        words.append(label(f"ln γ = ε = {in_words(result.epsilon)}", bound, at=len(curve[0]) // 2,
                           xanchor="right", xshift=-8, yanchor="bottom"))  # fmt: skip
    marks = [breach, nothing, bound, dot, drags(rise, ["prior", "prior"], "x", scale)]
    return Panel(title, x, y, marks, words, says="(drag the dot)")


def _beliefs(result: Result) -> Panel:
    n, worst = result.parameters.n, 100 * result.worst
    values = list(range(1, n + 1))
    hover = {"hovertemplate": "value %{x}: %{y:.3~r} % %{fullData.name}<extra></extra>"}
    most = line("bound", [0.4, n + 0.6], [worst] * 2, AFTER, "most that γ allows", dash="dash")
    marks = [
        bars("prior", values, 100 * result.before, BEFORE, "before the report", **hover),
        bars("posterior", values, 100 * result.after, AFTER, "after it", ghost=True, **hover),
        most,
    ]  # fmt: skip
    words = [
        note("■ before", 0, 1, BEFORE, corner=True, yanchor="top"),
        note("■ after", 0.4, 1, AFTER, corner=True, yanchor="top"),
        label(f"at most {short(result.worst)}", most, xanchor="right", yanchor="bottom"),
    ]
    step = 1 if n <= 12 else 3 if n <= 25 else 7
    alike = f" (equal priors for 2–{n})" if n > 2 else ""
    across = axis(0.4, n + 0.6, f"client's value{alike}", tick=step, tick0=1)
    return Panel("Beliefs on “value 1”", across, PERCENTS, marks, words)


# --- words ----------------------------------------------------------------------------------------


def _headline(result: Result, prior: str, worst: str) -> str:
    p = result.parameters
    at = f"At γ = {p.gamma:.4g} a report"
    if p.scale == "log-odds":
        most = f"ln γ = ε = {in_words(result.epsilon)}"
        return f"{at} adds at most {most} to log-odds: {prior} → {worst}."
    if p.gamma < 1.5:
        return f"{at} says little: a prior of {prior} rises to {worst} at most."
    return f"{at} can raise a prior of {prior} to {worst} at most."


def _words(result: Result) -> str:
    """Say the bound on the posterior, the promise, and what one attacker believes."""
    p = result.parameters
    digits = 2 if p.gamma < 1.5 else 1
    shares = result.worst, result.rho2, result.before[1], *result.after[:2], result.after_other
    worst, rho2, before, after, others_after, after_other = (percent(s, digits) for s in shares)
    others = "the other value" if p.n == 2 else "each other value"
    large = "So large a γ protects little:"
    return say(
        f"At γ = {p.gamma:.4g} a prior of {short(p.prior)} can rise to {worst} at most "
        f"(ε = {result.epsilon:.2f}). The shaded corner is out of reach: what was believed "
        f"with less than ρ₁ = {short(p.rho1)} stays below ρ₂ = {rho2}.",
        p.scale == "log-odds"
        and "A report multiplies odds by γ at most, so it adds ln γ = ε at most to log-odds: "
        "for every prior the bound is the diagonal, shifted up by the same ε.",
        p.prior > p.rho1 * (1 + 1e-9)
        and "This prior is above ρ₁: the promise does not speak of it, but the curve still "
        "bounds it.",
        f"With {p.n} values, an attacker who sees the report “value 1” believes it with {after}: "
        "just that bound, for any n, because every other value is equally unlikely to give this "
        f"report. The belief in {others} falls from {before} to {others_after}. "
        f"After any other report, value 1 would fall to {after_other}.",
        result.after[0] < result.after[1] * (1 - 1e-9)
        and f"Even now {others} is likelier than value 1: the prior outweighs the report.",
        f"A client's own value is reported with probability {percent(result.kept)}; "
        "this does depend on n.",
        p.gamma < 1.5
        and "So close to γ = 1 a report says little: the curve lies near the diagonal.",
        p.gamma >= 100
        and p.prior < 0.5
        and f"{large} one report can multiply the odds a hundredfold.",
        p.gamma >= 100 and p.prior >= 0.5 and f"{large} the curve shoots up even for small priors.",
        p.prior >= 0.9
        and "The attacker was all but sure beforehand; no γ can hide what is already known.",
    )
