"""The whole paper on one screen."""

from __future__ import annotations

import plotly.graph_objects as go

from frapp_lab import figures
from frapp_lab.explorers import controls
from frapp_lab.explorers.schemes import SchemeExplorer
from frapp_lab.figures import rounded
from frapp_lab.mining import ERRORS
from frapp_lab.models import mining as model
from frapp_lab.models.mining import Result, SchemeResult

SHORT = {"support_error": "error", "false_negatives": "lost", "false_positives": "invented"}
MIN_SUPPORT = controls.Slider(
    "min_support", "minimum support (%)", 2.0, 0.5, 20.0, 0.5,
    "an itemset is frequent if at least this share of the records has it", percent=True,
)  # fmt: skip


class Playground(SchemeExplorer):
    """γ, α, the domain sizes and the data: condition numbers, posterior range and mining errors."""

    model = model

    @property
    def groups(self) -> dict[str, list[controls.Control]]:
        """Privacy, data, schemes and luck, each under its heading."""
        return {
            "Privacy": [controls.Gamma(breach="prior"), controls.ALPHA],
            "Data": [controls.DataSet(), MIN_SUPPORT],
            "Schemes": [controls.Schemes(self.choices, self.chosen)],
            "Draw": [controls.Seed()],
        }

    def skeleton(self) -> go.Figure:
        """Condition numbers and posteriors above, three errors below."""
        figure = figures.panels(
            2, 6, None, height=560,
            specs=[[{"colspan": 3}, None, None, {"colspan": 3}, None, None],
                   [{"colspan": 2}, None, {"colspan": 2}, None, {"colspan": 2}, None]],
            horizontal_spacing=0.13, vertical_spacing=0.16,
        )  # fmt: skip
        figure.update_layout(margin={"t": 16}, showlegend=False)
        for scheme in self.choices:
            figure.add_trace(self.line(scheme, f"condition {scheme}"), 1, 1)
            for column, name in zip((1, 3, 5), SHORT.values(), strict=True):
                figure.add_trace(self.line(scheme, f"{name} {scheme}"), 2, column)
        band = figures.line("band", "within ±α", figures.SKY, fill="tozeroy")
        figure.add_trace(band, 1, 4)
        figure.add_trace(figures.line("rho", "ρ₂(r)", figures.VERMILION), 1, 4)
        dashed = figures.line("middle", "DET-GD", figures.BLUE)
        figure.add_trace(dashed.update(line_dash="dash"), 1, 4)
        figure.update_yaxes(**figures.LOG_AXIS, title_text="condition number", row=1, col=1)
        percents = {"range": [0, 100], "dtick": 50, "title_text": "worst posterior ρ₂ (%)"}
        figure.update_yaxes(**percents, row=1, col=4)
        figure.update_yaxes(**figures.LOG_AXIS, title_text="support error (%)", row=2, col=1)
        figure.update_yaxes(range=[-3, 103], dtick=50, title_text="lost, σ⁻ (%)", row=2, col=3)
        figure.update_yaxes(rangemode="tozero", title_text="invented, σ⁺ (%)", row=2, col=5)
        figure.update_xaxes(title_text="itemset length", dtick=1)
        return figure.update_xaxes(title_text="r, in units of γx", dtick=None, row=1, col=4)

    def series(self, result: Result) -> dict[str, dict[str, object]]:
        """Posteriors in percent over r in units of γx; of the schemes, all that there is."""
        r, rho = result.r / result.unit, 100 * result.rho
        series: dict[str, dict[str, object]] = {
            "rho": {"x": rounded(r), "y": rounded(rho)},
            "band": {"x": rounded(r[result.within]), "y": rounded(rho[result.within])},
            "middle": {"x": rounded(r[[0, -1]]), "y": rounded([100 * result.middle] * 2)},
        }
        for scheme, found in result.schemes.items():
            if found.errors is None:
                continue
            numbers = found.condition_numbers
            ks = list(range(1, len(numbers) + 1))
            series[f"condition {scheme}"] = {"x": ks, "y": rounded(numbers)}
            lengths = list(range(1, len(found.errors) + 1))
            for error, name in SHORT.items():
                values = rounded(found.errors[:, ERRORS.index(error)])
                series[f"{name} {scheme}"] = {"x": lengths, "y": values}
        return series

    def note(self, result: Result) -> str:
        """The sizes, and α in both ways to say it."""
        return (
            f"n = {result.n_cells:,} cells, N = {result.n_records:,} records, "
            f"α = {result.alpha:.3g} = {result.alpha / result.unit:.2f} γx"
        )

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
