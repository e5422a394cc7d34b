"""Does a client keep its promise? An audit of code that nobody has seen."""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import Any, ClassVar

import numpy as np
import plotly.graph_objects as go

from frapp_lab import figures
from frapp_lab.explorers import controls
from frapp_lab.explorers.kit.base import Explorer, Number
from frapp_lab.explorers.models import audit as model
from frapp_lab.explorers.models.audit import Parameters, Result
from frapp_lab.figures import rounded

LOWEST = 1e-3
"""The smallest share that is drawn, in percent."""
TOP = 330
"""Percent of the claimed γ: no client here has more than three times what it claims."""
COLOURS = (figures.KEPT, figures.CHANGED)
BOUND = figures.ESTIMATE


class Audit(Explorer):
    """A client, its claim and the number of reports: what the reports of two inputs prove."""

    model = model
    ghosts = ("path", "chosen", "reports")
    groups: ClassVar = {
        "Settings": [
            controls.Gamma(),
            controls.Choice("client", "client", tuple(model.CLIENTS), "client 1",
                            "which client is audited: all claim to keep γ", look="buttons"),
            controls.Slider("n_reports", "reports of each input", 10_000, 100, 1_000_000, 0.05,
                            "how often the client is asked with either input", log=True,
                            whole=True),
            controls.Slider("confidence", "confidence (%)", 95.0, 50.0, 99.9, 0.1,
                            "how sure the lower bound of ε is", percent=True),
            controls.Switch("reveal", "reveal the code", False, "say what the client really runs"),
            controls.Seed(),
        ],
        "More: ε": [controls.Breach()],
    }  # fmt: skip

    def skeleton(self) -> go.Figure:
        """How often each report came, and the bound along the number of reports."""
        figure = figures.card(["Reports of two inputs", "Proved γ"])
        for i, name in enumerate(("000", "111")):
            span = figures.line(f"interval {i}", f"input {name}", COLOURS[i], hoverinfo="skip")
            figure.add_trace(span, 1, 1)
            look = {"size": 9, "symbol": ("circle", "square")[i], "color": COLOURS[i]}
            dots: dict[str, Any] = {"mode": "markers", "marker": look, "cliponaxis": False}
            trace = figures.line(f"reports {i}", f"input {name}", COLOURS[i], **dots)
            figure.add_trace(trace.update(hovertemplate="%{y:.3g} %"), 1, 1)
        band = figures.line("audits", "90 % of audits", BOUND, fill="toself", hoverinfo="skip")
        thin = {"line_width": 1.5}
        for trace in (
            band.update(line_width=0, fillcolor="rgba(106, 61, 154, 0.16)"),
            figures.line("claim", "claimed", figures.BLACK).update(line_dash="dash", **thin),
            figures.line("truth", "the code's γ", figures.AFTER).update(line_dash="dot"),
            figures.line("path", "this audit", BOUND),
            figures.line("chosen", "so many reports", BOUND, mode="markers", cliponaxis=False,
                         marker={"size": 13, "symbol": "diamond", "color": BOUND}),
        ):  # fmt: skip
            figure.add_trace(trace, 1, 2)
        figure.update_xaxes(range=[-0.6, 7.6], title_text="report", row=1, col=1)
        share = figures.LOG_AXIS | {"range": [math.log10(LOWEST), 2.9]}
        share["title_text"] = "% of reports"
        figure.update_yaxes(share, row=1, col=1)
        reports = {"range": [1.9, 6.1], "title_text": "reports of each input"}
        figure.update_xaxes(figures.LOG_AXIS | reports, row=1, col=2)
        proved = {"title_text": "% of the claimed γ", "range": [0, TOP], "dtick": 50}
        return figure.update_yaxes(**proved, row=1, col=2)

    def series(self, result: Result) -> dict[str, dict[str, object]]:
        """Shares in percent, a little apart; bounds in percent of the claimed γ."""
        series: dict[str, dict[str, object]] = {}
        n = len(result.reports)
        for i, beside in enumerate((-0.14, 0.14)):
            places = rounded(k + beside for k in range(n))
            low = np.maximum(100 * result.low[i], LOWEST)
            high = 100 * result.high[i]
            series[f"interval {i}"] = {
                "x": [v for place in places for v in (place, place, None)],
                "y": [v for ends in zip(low, high, strict=True) for v in (*rounded(ends), None)],
            }
            seen = np.where(result.shares[i] > 0, 100 * result.shares[i], np.nan)
            series[f"reports {i}"] = {"x": places, "y": rounded(seen)}
        x = list(result.sizes)
        series |= {
            "claim": {"x": [100, 10**6], "y": [100, 100]},
            "path": {"x": x, "y": rounded(self._relative(result, result.path))},
            "chosen": {"x": x[-1:], "y": rounded(self._relative(result, result.path[-1:]))},
        }
        if result.parameters.reveal:
            true = rounded(self._relative(result, np.array([result.true] * 2)))
            series["truth"] = {"x": [100, 10**6], "y": true}
        return series

    def _relative(self, result: Result, epsilon: np.ndarray) -> np.ndarray:
        """e^ε in percent of the claimed γ."""
        return 100 * np.exp(epsilon - result.claim)

    def band(self, parameters: Parameters) -> Iterator[tuple[np.ndarray, np.ndarray] | None]:
        """Where many audits lie."""
        return model.band(parameters)

    def band_series(
        self, result: Result, band: tuple[np.ndarray, np.ndarray]
    ) -> dict[str, dict[str, object]]:
        """Along the low edge and back along the high one."""
        low, high = (rounded(self._relative(result, ends)) for ends in band)
        x = list(model.SIZES)
        return {"audits": {"x": x + x[::-1], "y": low + high[::-1]}}

    def layout(self, result: Result) -> dict[str, object]:
        """The reports by their names."""
        n = len(result.reports)
        return {"xaxis_tickvals": list(range(n)), "xaxis_ticktext": list(result.reports),
                "xaxis_range": [-0.6, n - 0.4], "xaxis_tickangle": -90 if n > 4 else 0}  # fmt: skip

    def labels(self, result: Result) -> list[dict[str, object]]:
        """Which reports are the event, who is who, and the claim."""
        p = result.parameters
        notes = [
            figures.label("★", k, 2.36, BOUND, xanchor="center", font={"size": 16, "color": BOUND})
            for k in np.flatnonzero(result.event).tolist()
        ]
        corner = {"xref": "x domain", "yref": "y domain", "yanchor": "bottom"}
        texts = (("● of 000", COLOURS[0], 0.0), ("■ of 111", COLOURS[1], 0.34),
                 ("★ event", BOUND, 0.68))  # fmt: skip
        notes += [figures.label(text, x, 0.94, colour, **corner) for text, colour, x in texts]
        said = [("◆ this audit", BOUND), ("▒ 90 % of audits", BOUND), ("┄ claimed", figures.BLACK)]
        if p.reveal:
            said.append((f"⋯ the code: γ = {math.exp(result.true):.4g}", figures.AFTER))
        notes += [
            figures.label(text, 6.05, 10 + 17 * i, colour, "2", xanchor="right")
            for i, (text, colour) in enumerate(said)
        ]
        return notes

    def headline(self, result: Result) -> str:
        """What is proved, and what it means for the claim."""
        p = result.parameters
        text = f"With {100 * p.confidence:.3g} % confidence ε is at least {_short(result.epsilon)}"
        if result.is_refuted:
            return f"{text}: the claim of {_short(result.claim)} is refuted."
        return f"{text}: nothing against the claim of {_short(result.claim)}, but no proof of it."

    def numbers(self, result: Result) -> list[Number]:
        """The bound, the claim, and how often such an audit refutes it."""
        p = result.parameters
        claim = f"claimed {_short(result.claim)}"
        proved = f"claimed {p.gamma:.4g}"
        return [
            Number(_short(result.epsilon), "proved: ε is at least this", claim),
            Number(f"{math.exp(result.epsilon):.4g}", "proved: γ is at least this", proved),
            Number(f"{100 * result.power:.3g} %", "of such audits refute the claim"),
        ]

    def lines(self, result: Result) -> dict[str, str]:
        """How the reports are used, and what the client is, if that may be told."""
        p = result.parameters
        half = p.n_reports // 2
        return {
            "n_reports": f"{p.n_reports - half:,} choose the event, {half:,} measure it",
            "confidence": f"wrong in at most {100 * (1 - p.confidence):.3g} % of audits",
        }

    def describe(self, result: Result) -> str:
        """What was sent, what was chosen and measured, what it proves, and how much is luck."""
        p = result.parameters
        own, other = (f"{100 * share:.3g} %" for share in result.event_shares)
        names = [name for name, one in zip(result.reports, result.event, strict=True) if one]
        form = "the bits of the two records" if len(result.reports) == 4 else "a record"
        text = [
            f"{p.client.capitalize()} claims γ = {p.gamma:.4g}, so ε = {_short(result.claim)}. It "
            f"is asked {p.n_reports:,} times with the record 000 and as often with 111, and sends "
            f"{form}. Half of the reports choose the event that tells the two apart best, here "
            f"{', '.join(names)}; in the other half it comes in {own} of the reports of the input "
            f"it speaks for and in {other} of the other's. With {100 * p.confidence:.3g} % "
            f"confidence ε is at least {_short(result.epsilon)}, and γ at least "
            f"{math.exp(result.epsilon):.4g}."
        ]
        if result.is_refuted:
            text.append("That is more than the client claims: the claim is refuted.")
        else:
            text.append(
                "That is not more than the client claims. It is no proof of the claim: another "
                "event, other inputs or more reports may yet refute it."
            )
        text.append(
            f"Of {model.DRAWS} audits like this one {100 * result.power:.3g} % refute the claim; "
            "the band is where the middle 90 % of them lie."
        )
        if p.reveal:
            kept = "breaks its claim" if result.is_broken else "keeps its claim"
            text.append(
                f"The code is {model.CODES[p.client]}: its γ is {math.exp(result.true):.4g} "
                f"(ε = {_short(result.true)}), so it {kept}."
            )
            if result.is_refuted and not result.is_broken:
                text.append("This audit is one of the few that are wrong.")
        return " ".join(text)


def _short(epsilon: float) -> str:
    return f"{epsilon:.3g}" if epsilon < 0.995 else f"{epsilon:.2f}"
