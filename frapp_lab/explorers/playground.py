"""The whole paper on one screen."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import plotly.graph_objects as go

from frapp_lab import figures
from frapp_lab.explorers import parts, simulation
from frapp_lab.explorers.base import Explorer
from frapp_lab.explorers.parts import Control
from frapp_lab.figures import rounded
from frapp_lab.mechanisms.base import make_scheme, schemes
from frapp_lab.mining import ERRORS
from frapp_lab.privacy import (
    max_alpha,
    off_diagonal,
    posterior_range,
    realized_posterior,
    worst_posterior,
)

SHORT = {"support_error": "error", "false_negatives": "lost", "false_positives": "invented"}


@dataclass(frozen=True)
class Parameters:
    """What the controls say."""

    data: simulation.Data
    prior: float
    gamma: float
    alpha_share: float
    min_support: float
    schemes: tuple[str, ...]
    seed: int


@dataclass(frozen=True)
class SchemeResult:
    """One scheme: condition numbers and errors by length; `problem` says why there are none."""

    condition_numbers: tuple[float, ...] = ()
    errors: np.ndarray | None = None
    n_found: int = 0
    n_true: int = 0
    problem: str = ""


@dataclass(frozen=True)
class Result:
    """All that the figure and the summary show."""

    parameters: Parameters
    name: str
    n_cells: int
    n_records: int
    x: float
    alpha: float
    r: np.ndarray
    rho: np.ndarray
    range: tuple[float, float]
    middle: float
    schemes: dict[str, SchemeResult]


class Playground(Explorer):
    """γ, α, the domain sizes and the data: condition numbers, posterior range and mining errors."""

    def groups(self) -> list[tuple[str, list[Control]]]:
        """Privacy, data, schemes, draw."""
        support = parts.slider(
            "min_support", "minimum support (%)", 2.0, 0.5, 20.0, 0.5,
            "an itemset is frequent if at least this share of the records has it",
        )  # fmt: skip
        return [
            ("Privacy", [parts.gamma(breach=True), parts.alpha()]),
            ("Data", [*simulation.data_controls(), support]),
            ("Schemes", parts.schemes(schemes(paper=True))),
            ("Draw", [parts.seed()]),
        ]

    @staticmethod
    def legend() -> str:
        """The schemes' colours and markers."""
        return figures.scheme_legend(schemes())

    def parameters(self) -> Parameters:
        """What the controls say."""
        return Parameters(
            simulation.chosen_data(self.value),
            self.value("rho1") / 100,
            self.value("gamma"),
            self.value("alpha"),
            self.value("min_support") / 100,
            tuple(name for name in schemes() if self.value(name)),
            self.value("seed"),
        )

    @staticmethod
    def compute(parameters: Parameters) -> Result:
        """Everything at once."""
        p = parameters
        data = p.data.load()
        n = data.schema.n_cells
        largest = max_alpha(p.gamma, n)
        alpha = p.alpha_share * largest
        r = np.union1d(np.linspace(-largest, largest, 61), [-alpha, alpha])
        return Result(
            p,
            data.name,
            n,
            len(data),
            off_diagonal(p.gamma, n),
            alpha,
            r,
            realized_posterior(p.prior, p.gamma, r, n),
            posterior_range(p.prior, p.gamma, alpha, n),
            worst_posterior(p.prior, p.gamma),
            simulation.for_schemes(p.schemes, lambda scheme: _scheme(p, scheme)),
        )

    @staticmethod
    def skeleton() -> go.Figure:
        """Two panels above, three below."""
        figure = figures.panels(
            2, 6, None, height=560,
            specs=[[{"colspan": 3}, None, None, {"colspan": 3}, None, None],
                   [{"colspan": 2}, None, {"colspan": 2}, None, {"colspan": 2}, None]],
            horizontal_spacing=0.13, vertical_spacing=0.16,
        )  # fmt: skip
        figure.update_layout(margin={"t": 16}, showlegend=False)
        for scheme in schemes():
            figure.add_trace(figures.scheme_line(scheme, f"condition {scheme}"), 1, 1)
            for column, name in zip((1, 3, 5), SHORT.values(), strict=True):
                figure.add_trace(figures.scheme_line(scheme, f"{name} {scheme}"), 2, column)
        band = figures.line("band", "within ±α", figures.SKY, fill="tozeroy")
        figure.add_trace(band, 1, 4)
        figure.add_trace(figures.line("rho", "ρ₂(r)", figures.VERMILION), 1, 4)
        dashed = figures.line("middle", "DET-GD", figures.BLUE)
        figure.add_trace(dashed.update(line_dash="dash"), 1, 4)
        figure.update_yaxes(**figures.LOG_AXIS, title_text="condition number", row=1, col=1)
        figure.update_yaxes(
            range=[0, 100], dtick=50, title_text="worst posterior ρ₂ (%)", row=1, col=4
        )
        figure.update_yaxes(**figures.LOG_AXIS, title_text="support error (%)", row=2, col=1)
        figure.update_yaxes(range=[-3, 103], dtick=50, title_text="lost, σ⁻ (%)", row=2, col=3)
        figure.update_yaxes(rangemode="tozero", title_text="invented, σ⁺ (%)", row=2, col=5)
        figure.update_xaxes(title_text="itemset length", dtick=1)
        figure.update_xaxes(title_text="r, in units of γx", dtick=None, row=1, col=4)
        return figure

    @staticmethod
    def series(result: Result) -> dict[str, dict[str, object]]:
        """The data of all traces."""
        unit = result.parameters.gamma * result.x
        inside = abs(result.r) <= result.alpha * (1 + 1e-9)
        r, rho = rounded(result.r / unit), rounded(100 * result.rho)
        series = {
            "rho": {"x": r, "y": rho},
            "band": {
                "x": [a for a, i in zip(r, inside, strict=True) if i],
                "y": [b for b, i in zip(rho, inside, strict=True) if i],
            },
            "middle": {"x": [r[0], r[-1]], "y": rounded([100 * result.middle] * 2)},
        }
        for scheme, found in result.schemes.items():
            if found.problem:
                continue
            ks = list(range(1, len(found.condition_numbers) + 1))
            numbers = rounded(found.condition_numbers)
            series[f"condition {scheme}"] = {"x": ks, "y": numbers}
            lengths = list(range(1, len(found.errors) + 1))
            for error, name in SHORT.items():
                values = rounded(found.errors[:, ERRORS.index(error)])
                series[f"{name} {scheme}"] = {"x": lengths, "y": values}
        return series

    @staticmethod
    def note(result: Result) -> str:
        """What the settings amount to."""
        return (
            f"n = {result.n_cells:,} cells, N = {result.n_records:,} records, "
            f"α = {result.alpha:.3g} = "
            f"{result.alpha / (result.parameters.gamma * result.x):.2f} γx"
        )

    @staticmethod
    def describe(result: Result) -> str:
        """The whole screen in words."""
        p = result.parameters
        low, high = (f"{100 * v:.1f} %" for v in result.range)
        text = [
            f"{result.name}, {result.n_cells:,} cells. At γ = {p.gamma:.4g} a prior of "
            f"{100 * p.prior:g} % can rise to {100 * result.middle:.1f} % at most; if each client "
            f"hides an r within ±{result.alpha / (p.gamma * result.x):.2f} γx, ρ₂(r) lies between "
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


def _scheme(p: Parameters, scheme: str) -> SchemeResult:
    try:
        mechanism = make_scheme(scheme, p.data.load().schema, p.gamma, alpha_share=p.alpha_share)
    except ValueError as error:
        return SchemeResult(problem=str(error))
    run = simulation.simulate(p.data, scheme, p.gamma, p.alpha_share, p.min_support, p.seed)
    numbers = tuple(mechanism.condition_number(k) for k in range(1, mechanism.max_length + 1))
    kept = int((run.found & run.frequent).sum())
    return SchemeResult(numbers, run.error_array(), kept, int(run.frequent.sum()))


def _sentence(scheme: str, found: SchemeResult, min_support: float) -> str:
    if found.problem:
        return f"{scheme} cannot be had here: {found.problem}."
    numbers = found.condition_numbers
    spread = figures.in_words(numbers[0])
    if numbers[-1] > 1.001 * numbers[0]:
        spread += f" at length 1 to {figures.in_words(numbers[-1])} at length {len(numbers)}"
    sentence = (
        f"{scheme}: condition number {spread}; it finds {found.n_found} of {found.n_true} itemsets "
        f"that are frequent at {100 * min_support:g} %"
    )
    if len(numbers) < len(found.errors):
        sentence += (
            f", none longer than {len(numbers)}, where its matrix is singular (it keeps at most "
            f"{len(numbers)} items)"
        )
    return sentence + "."
