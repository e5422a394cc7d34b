"""Does a client keep its promise? An audit of code that nobody has seen."""

from __future__ import annotations

import math

import numpy as np

from frapp_lab.explorers import controls
from frapp_lab.explorers.kit.card import Card, Number
from frapp_lab.explorers.kit.explorer import Groups, explorer
from frapp_lab.explorers.kit.words import say, short
from frapp_lab.explorers.models import audit as model
from frapp_lab.explorers.models.audit import Band, Parameters, Result
from frapp_lab.figures.look import AFTER, BLACK, CHANGED, ESTIMATE, GREY, KEPT
from frapp_lab.figures.marks import (
    LOG_AXIS,
    Mark,
    Panel,
    area,
    axis,
    band,
    dots,
    label,
    line,
    note,
    spikes,
    zeros,
)

FIRST = Parameters()
CONTROLS: Groups = {
    "Settings": [
        controls.Gamma(value=FIRST.gamma, ends=("claims more privacy", "less")),
        controls.Choice("client", "client", tuple(model.CLIENTS), FIRST.client,
                        "which client is audited: all claim to keep γ, not all do", look="buttons"),
        controls.Slider("n_reports", "reports of each input", FIRST.n_reports, 100, 1_000_000, 0.05,
                        "how often the client is asked with either input", log=True, whole=True),
        controls.Button("run_in", "Play", "let reports run in, and watch what they prove",
                        "n_reports", seconds=0.25, in_bar=True),
        controls.Slider("confidence", "confidence (%)", 100 * FIRST.confidence, 50.0, 99.9, 0.1,
                        "how sure the lower bound of ε is", percent=True),
        controls.Switch("reveal", "reveal the code", FIRST.reveal,
                        "say what the client really runs"),
        controls.Seed(FIRST.seed),
    ],
    "More: ε": [controls.Breach()],
}  # fmt: skip
LOWEST = 3e-4
"""Where 0 is drawn, in percent: what came at all is above it (the rarest is expected at 0.008)."""
STRIP = 2.25, 2.85
"""Where the event's stars stand, in powers of ten: above 100 %, and apart from it."""
MOST, TOP = 200, 240
"""Percent of the claimed ε: what is more is drawn at `MOST`, and above stands the verdict."""


@explorer(CONTROLS, Parameters, model.band)
def audit(p: Parameters, band: Band | None = None) -> Card:
    """A client, its claim and the number of reports: what the reports of two inputs prove."""
    result = model.compute(p)
    epsilon, claim, half = _short(result.epsilon), _short(result.claim), p.n_reports // 2
    proved = f"With {short(p.confidence)} confidence ε is at least {epsilon}"
    verdict = f"nothing against the claim of {claim}, but no proof of it"
    if result.is_refuted:
        verdict = f"the claim of {claim} is refuted"
    gamma = f"{math.exp(result.epsilon):.4g}"
    return Card(
        headline=f"{proved}: {verdict}.",
        numbers=[
            Number(epsilon, "proved: ε is at least this", f"claimed {claim}"),
            Number(gamma, "proved: γ is at least this", f"claimed {p.gamma:.4g}"),
            Number(short(result.power), "of such audits refute the claim"),
        ],
        panels=[_reports(result), _proved(result, band)],
        words=_words(result),
        lines={
            "n_reports": f"{p.n_reports - half:,} choose the event, {half:,} measure it",
            "confidence": f"wrong in at most {short(1 - p.confidence)} of audits",
        },
    )


def _reports(result: Result) -> Panel:
    """Draw how often each report came from either input of the audit, a little apart."""
    n, notes = len(result.reports), []
    ends, middle = [10**end for end in STRIP for _ in range(2)], sum(STRIP) / 2
    marks = [area("strip", [-0.6, n - 0.4, n - 0.4, -0.6], ends, GREY, 0.18)]
    for k in np.flatnonzero(result.event).tolist():
        notes.append(note("★", k, middle, ESTIMATE, xanchor="center", size=16))
    looks = ("000", KEPT, "circle", -0.14), ("111", CHANGED, "square", 0.14)
    for i, (name, colour, symbol, beside) in enumerate(looks):
        x, says, shares = np.arange(n) + beside, f"input {name}", 100 * result.shares[i]
        least = np.maximum(100 * result.low[i], LOWEST)
        seen = dots(f"reports {i}", x, shares, colour, symbol, says=says, ghost=True)
        marks.append(spikes(f"interval {i}", x, least, 100 * result.high[i], colour, says=says))
        for mark, is_there in zip(zeros(seen, LOWEST), (True, False), strict=False):
            which = range(n) if is_there else np.flatnonzero(shares == 0).tolist()
            share = "%{y:.3g} %" if is_there else "never came"
            text = {"text": [result.reports[k] for k in which], "mode": "markers"}
            hover = f"report %{{text}} of {says}: {share}<extra></extra>"
            marks.append(mark | text | {"hovertemplate": hover})
    names = {"tickvals": list(range(n)), "ticktext": list(result.reports)}
    across = axis(-0.6, n - 0.4, "report", tickangle=-90 if n > 4 else 0, **names)
    at = [0.001, 0.01, 0.1, 1, 10, 100]
    texts = ["0", *(f"{share:g} %" for share in at), "event"]
    ticks = {"tickvals": [LOWEST, *at, 10**middle], "ticktext": texts}
    up = axis(math.log10(LOWEST) - 0.2, STRIP[1], **LOG_AXIS | ticks)
    return Panel("Reports", across, up, marks, notes, says="● of 000, ■ of 111, ★ event")


def _proved(result: Result, drawn: Band | None) -> Panel:
    """Draw what the audit proves along the number of reports, and the verdict as a stamp."""
    x, path, ends = result.sizes, _relative(result, result.path), [100, 10**6]
    silent, says = {"hoverinfo": "skip"}, "%{x:,} reports prove ε ≥ %{text}<extra></extra>"
    proved = [_short(epsilon) for epsilon in result.path.tolist()]
    claim = line("claim", ends, [100, 100], BLACK, "claimed", dash="dash", width=1.5, **silent)
    said = {"ghost": True, "text": proved, "hovertemplate": says}
    marks = [claim, line("path", x, path, ESTIMATE, "this audit", **said)]
    notes = [_stamp(result), *(_beside(mark["name"], mark) for mark in marks)]
    if drawn is not None:
        low, high = (_relative(result, edge) for edge in drawn)
        marks.insert(0, band("audits", model.SIZES, low, high, ESTIMATE, "90 % of audits"))
        widest = int(np.argmax(high - low))
        if high[widest] - low[widest] > 5:  # a thinner band is hardly seen
            upper = -1 - widest  # a band goes back along its upper edge
            notes.append(label("90 % of audits", marks[0], upper, xanchor="right", xshift=-8))
    if result.parameters.reveal:
        true = _relative(result, np.array([result.true] * 2))
        marks.insert(-1, line("truth", ends, true, AFTER, "the code's ε", dash="dot", **silent))
        notes.append(_beside(f"the code: ε = {_short(result.true)}", marks[-2]))
    said["text"] = proved[-1:]
    marks.append(dots("chosen", x[-1:], path[-1:], ESTIMATE, "diamond", size=13, **said))
    across = axis(1.9, 6.1, "reports of each input", **LOG_AXIS)
    at = list(range(0, MOST + 1, 50))
    texts = [*map(str, at[:-1]), f"{MOST}+"]
    up = axis(0, TOP, "% of the claimed ε", tickvals=at, ticktext=texts)
    return Panel("Proved ε", across, up, marks, notes, says="claims may be false")


def _stamp(result: Result) -> Mark:
    """Stamp the verdict of the audit above all that can be proved."""
    words, colour = ("REFUTED", CHANGED) if result.is_refuted else ("NOT REFUTED", GREY)
    return note(f"<b>{words}</b>", 0.03, 0.97, colour, corner=True, yanchor="top", size=24)


def _beside(text: str, mark: Mark) -> Mark:
    """Write words at the end of a line of the audit."""
    return label(text, mark, yshift=9, xanchor="right")


def _relative(result: Result, epsilon: np.ndarray) -> np.ndarray:
    """Give ε in percent of the claimed ε, as the card of the audit draws it: no proof is 0."""
    return np.minimum(100 * epsilon / result.claim, MOST)


def _words(result: Result) -> str:
    """Say what the audited client sent, what was measured, what it proves, and how much is luck."""
    p, epsilon = result.parameters, _short(result.epsilon)
    own, other = map(short, result.event_shares)
    names = [name for name, one in zip(result.reports, result.event, strict=True) if one]
    form = "the bits of the two records" if len(result.reports) == 4 else "a record"
    code, kept = model.CODES[model.CLIENTS[p.client]], "breaks" if result.is_broken else "keeps"
    return say(
        f"{p.client.capitalize()} claims γ = {p.gamma:.4g}, so ε = {_short(result.claim)}. It "
        f"is asked {p.n_reports:,} times with the record 000 and as often with 111, and sends "
        f"{form}. Half of the reports choose the event that tells the two apart best, here "
        f"{', '.join(names)}; in the other half it comes in {own} of the reports of the input "
        f"it speaks for and in {other} of the other's. With {short(p.confidence)} confidence ε "
        f"is at least {epsilon}, and γ at least {math.exp(result.epsilon):.4g}.",
        result.is_refuted and "That is more than the client claims: the claim is refuted.",
        not result.is_refuted
        and "That is not more than the client claims. It is no proof of the claim: another "
        "event, other inputs or more reports may yet refute it.",
        f"Of {model.DRAWS} audits like this one {short(result.power)} refute the claim; "
        "the band is where the middle 90 % of them lie.",
        p.reveal
        and f"The code is {code}: its γ is {math.exp(result.true):.4g} "
        f"(ε = {_short(result.true)}), so it {kept} its claim.",
        p.reveal
        and result.is_refuted
        and not result.is_broken
        and "This audit is one of the few that are wrong.",
    )


def _short(epsilon: float) -> str:
    return f"{epsilon:.3g}" if epsilon < 0.995 else f"{epsilon:.2f}"
