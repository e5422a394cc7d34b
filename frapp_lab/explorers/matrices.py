"""The matrices of the schemes side by side, and how hard each is to undo."""

from __future__ import annotations

import itertools
import math
from dataclasses import dataclass

import numpy as np
import plotly.graph_objects as go

from frapp_lab import figures
from frapp_lab.explorers import parts
from frapp_lab.explorers.base import Explorer
from frapp_lab.explorers.parts import Control
from frapp_lab.figures import rounded
from frapp_lab.mechanisms.base import Mechanism, make_scheme, schemes
from frapp_lab.mechanisms.bits import BitMechanism
from frapp_lab.optimality import condition_lower_bound
from frapp_lab.schema import Schema

LENGTHS = (1, 2, 3)
SHOWN = {
    "DET-GD": ("n × n cells", "cell"),
    "IND-RR": ("n × n cells", "cell"),
    "MASK": ("itemset's bits", "bits"),
    "C&P": ("itemset's bits", "bits"),
}
"""The heat maps, each with what its matrix is over. RAN-GD's expected matrix is DET-GD's."""

IMPOSSIBLE = "γ ≤ K + 1:<br>not to<br>be had"
SHADES = ("#FFFFFF", "#DCEBF7", "#B3D3EC", "#7FB5DC", "#4593C7", "#0072B2", "#00568A", "#002F4D")


@dataclass(frozen=True)
class Parameters:
    """What the controls say."""

    gamma: float
    sizes: tuple[int, ...]
    length: int
    K: int
    schemes: tuple[str, ...]


@dataclass(frozen=True)
class SchemeResult:
    """One scheme: its matrix and condition numbers by length; `problem` says why there are none."""

    numbers: tuple[float, ...] = ()
    matrix: np.ndarray | None = None
    labels: tuple[str | int, ...] = ()
    problem: str = ""


@dataclass(frozen=True)
class Result:
    """All that the figure and the summary show."""

    parameters: Parameters
    n_cells: int
    lower_bound: float
    schemes: dict[str, SchemeResult]
    heights: tuple[float, float]
    """The lowest and the highest place in the panel of condition numbers."""


class Matrices(Explorer):
    """The matrices as heat maps, and their condition numbers by itemset length (FRAPP §3, §6)."""

    def groups(self) -> list[tuple[str, list[Control]]]:
        """Privacy, data, schemes."""
        hint = "how many categories it has: the joint domain is the product of all three"
        sizes = [
            parts.slider(f"size_{j}", f"values of attribute {j}", size, 2, 4, 1, hint)
            for j, size in enumerate((3, 2, 2), 1)
        ]
        hint = "the matrices of MASK and C&P are those that undo itemsets of this length"
        length = parts.slider("length", "itemset length", 2, 1, 3, 1, hint)
        hint = "cut-and-paste keeps 0 to K items of a record; beyond K its matrix is singular"
        kept = parts.slider("K", "items C&P keeps at most, K", 3, 1, 3, 1, hint)
        return [
            ("Privacy", [parts.gamma()]),
            ("Data", [*sizes, length]),
            ("Schemes", parts.schemes(schemes())),
            ("Cut-and-paste", [kept]),
        ]

    @staticmethod
    def legend() -> str:
        """The schemes' colours and markers."""
        return figures.scheme_legend(schemes())

    def parameters(self) -> Parameters:
        """What the controls say."""
        sizes = tuple(self.value(f"size_{j}") for j in (1, 2, 3))
        chosen = tuple(name for name in schemes() if self.value(name))
        return Parameters(self.value("gamma"), sizes, self.value("length"), self.value("K"), chosen)

    @staticmethod
    def compute(parameters: Parameters) -> Result:
        """Every scheme's matrix and condition numbers."""
        p = parameters
        schema = Schema.of_sizes(*p.sizes)
        made = {scheme: _scheme(scheme, schema, p) for scheme in p.schemes}
        numbers = [c for found in made.values() for c in found.numbers if math.isfinite(c)] or [1.0]
        low, high = math.log10(min(numbers) / 1.1), math.log10(2.5 * max(numbers))
        heights = 10.0 ** math.floor(low), 10.0 ** math.ceil(high)
        bound = condition_lower_bound(p.gamma, schema.n_cells)
        return Result(p, schema.n_cells, bound, made, heights)

    @staticmethod
    def skeleton() -> go.Figure:
        """Four heat maps above, the condition numbers below."""
        titles = [f"<b>{scheme}</b><br>{over}" for scheme, (over, _) in SHOWN.items()]
        titles.append("condition number of the reconstruction matrix, by itemset length")
        figure = figures.panels(
            2, 4, titles, height=600, specs=[[{}] * 4, [{"colspan": 4}, None, None, None]],
            row_heights=[0.4, 0.6], horizontal_spacing=0.1, vertical_spacing=0.24,
        )  # fmt: skip
        small = {"title_font_size": 11, "title_standoff": 3, "tickfont_size": 10, "row": 1}
        for col, (scheme, (_, unit)) in enumerate(SHOWN.items(), 1):
            heat = go.Heatmap(
                x=[], y=[], z=[], meta=f"matrix {scheme}", name=scheme, coloraxis="coloraxis",
                hovertemplate="true %{x} → reported %{y}: %{z}",
            )  # fmt: skip
            figure.add_trace(heat, 1, col)
            # Bit patterns are names, cells are numbers with a few ticks.
            ticks = {"nticks": 5} if unit == "cell" else {"type": "category"}
            look = small | ticks | {"col": col}
            figure.update_xaxes(title_text=f"true {unit}", **look)
            figure.update_yaxes(title_text=f"reported {unit}", autorange="reversed", **look)
        figure.add_trace(_words("impossible", "text"), 1, 4)
        chosen = figures.line("length", "chosen length", figures.GREY, hoverinfo="skip")
        figure.add_trace(chosen.update(line_dash="dot"), 2, 1)
        for scheme in schemes():
            figure.add_trace(figures.scheme_line(scheme, f"condition {scheme}"), 2, 1)
        singular = _words("singular", "markers+text", textposition="middle left")
        singular.marker = {
            "symbol": "x",
            "size": 11,
            "color": figures.scheme_class("C&P").style.colour,
        }
        figure.add_trace(singular, 2, 1)
        figure.update_xaxes(title_text="itemset length", dtick=1, range=[0.75, 3.25], row=2)
        figure.update_yaxes(title_text="condition number", row=2, **figures.LOG_AXIS)
        # The shades stand at squares, so that small probabilities can be told apart.
        scale = [[(i / (len(SHADES) - 1)) ** 2, shade] for i, shade in enumerate(SHADES)]
        title = {"text": "probability", "side": "right"}
        bar = {"title": title, "orientation": "h", "thickness": 8, "len": 0.5, "tickfont_size": 10,
               "x": 0.5, "y": 0.6, "yanchor": "top"}  # fmt: skip
        colours = {"cmin": 0, "cmax": 1, "colorscale": scale, "colorbar": bar}
        return figure.update_layout(coloraxis=colours, margin_t=45, showlegend=False)

    @staticmethod
    def series(result: Result) -> dict[str, dict[str, object]]:
        """The data of all traces."""
        p = result.parameters
        series = {"length": {"x": [p.length] * 2, "y": rounded(result.heights)}}
        for scheme, found in result.schemes.items():
            if found.problem:
                series["impossible"] = {"x": ["–"], "y": ["–"], "text": [IMPOSSIBLE]}
                continue
            known, beyond = LENGTHS[: len(found.numbers)], LENGTHS[len(found.numbers) :]
            series[f"condition {scheme}"] = {"x": list(known), "y": rounded(found.numbers)}
            if beyond:
                top = rounded(result.heights[1:]) * len(beyond)
                words = ["C&P singular "] * len(beyond)
                series["singular"] = {"x": list(beyond), "y": top, "text": words}
            if found.matrix is not None:
                labels = list(found.labels)
                # A large matrix holds few values: round each of them once.
                values, where = np.unique(found.matrix, return_inverse=True)
                z = np.array(rounded(values, 3))[where].reshape(found.matrix.shape)
                series[f"matrix {scheme}"] = {"x": labels, "y": labels, "z": z.tolist()}
        return series

    @staticmethod
    def note(result: Result) -> str:
        """What the settings amount to."""
        sizes = " · ".join(map(str, result.parameters.sizes))
        return f"n = {sizes} = {result.n_cells} cells in the joint domain"

    @staticmethod
    def describe(result: Result) -> str:
        """The whole screen in words."""
        p, n, k = result.parameters, result.n_cells, result.parameters.length
        text = [
            f"{n} cells, γ = {p.gamma:.4g}, itemsets of length {k}. No symmetric positive definite "
            f"matrix over all {n} cells has a condition number below (γ + n − 1)/(γ − 1) = "
            f"{figures.in_words(result.lower_bound)}. DET-GD attains this bound, and it has the "
            "same number at every length; RAN-GD has DET-GD's matrix on average."
        ]
        made = result.schemes.items()
        numbers = {scheme: f.numbers[k - 1] for scheme, f in made if len(f.numbers) >= k}
        if numbers:
            listed = ", ".join(f"{scheme} {figures.in_words(c)}" for scheme, c in numbers.items())
            low = min(numbers.values())
            best = " and ".join(s for s, c in numbers.items() if c <= low * (1 + 1e-9))
            verb = "have" if " and " in best else "has"
            text.append(
                f"Condition numbers at length {k}: {listed}. {best} {verb} the lowest of those "
                "shown. The matrices are of different sizes, so a number says how much a scheme "
                "can magnify the noise in its own reports, not yet how large that noise is."
            )
        text.extend(_cut_and_paste(result))
        if p.gamma < 1.5:
            text.append(
                "So close to γ = 1 every column of a matrix is almost the same: each heat map "
                "loses its diagonal, and the condition numbers grow without limit."
            )
        if not p.schemes:
            text.append("No scheme is switched on.")
        return " ".join(text)


def _scheme(scheme: str, schema: Schema, p: Parameters) -> SchemeResult:
    try:
        mechanism = make_scheme(scheme, schema, p.gamma, K=p.K)
    except ValueError as error:
        return SchemeResult(problem=str(error))
    numbers = tuple(mechanism.condition_number(k) for k in LENGTHS if k <= mechanism.max_length)
    if scheme not in SHOWN:
        return SchemeResult(numbers)
    return SchemeResult(numbers, *_matrix(mechanism, p.length))


def _matrix(mechanism: Mechanism, length: int) -> tuple[np.ndarray, tuple]:
    """The full matrix, or for bits the one that undoes itemsets of this length, and its labels."""
    if isinstance(mechanism, BitMechanism):
        patterns = tuple("".join(bits) for bits in itertools.product("01", repeat=length))
        return mechanism.itemset_matrix(length), patterns
    return mechanism.matrix(), tuple(range(1, mechanism.schema.n_cells + 1))


def _words(name: str, mode: str, **options) -> go.Scatter:
    """An empty trace of text."""
    return go.Scatter(
        x=[], y=[], name=name, meta=name, text=[], mode=mode, showlegend=False, hoverinfo="skip",
        cliponaxis=False, **options,
    )  # fmt: skip


def _cut_and_paste(result: Result) -> list[str]:
    p, found = result.parameters, result.schemes.get("C&P")
    items = f"K = {p.K} {'item' if p.K == 1 else 'items'}"
    if found is not None and found.problem:
        way_out = "choose a smaller K" if p.gamma > 2 else "no K is small enough for γ up to 2"
        return [
            f"C&P cannot be had here: keeping up to {items} costs an amplification above "
            f"K + 1 = {p.K + 1}, however much noise is added, and γ is {p.gamma:.4g}; {way_out}."
        ]
    if found is not None and p.length > p.K:
        return [
            f"C&P is singular at length {p.length}: it keeps at most {items} of a record, so a "
            f"report never shows {p.length} of its items together other than by chance, and no "
            "inverse can bring back what was never sent."
        ]
    return []
