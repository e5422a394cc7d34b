"""The matrices of the schemes side by side, and how hard each is to undo."""

from __future__ import annotations

import numpy as np
import plotly.graph_objects as go

from frapp_lab import figures
from frapp_lab.explorers import controls
from frapp_lab.explorers.schemes import SchemeExplorer
from frapp_lab.figures import rounded
from frapp_lab.models import matrices as model
from frapp_lab.models.matrices import Result

LENGTHS = (1, 2, 3)
BELOW = "condition number of the reconstruction matrix, by itemset length"
SHADES = ("#FFFFFF", "#DCEBF7", "#B3D3EC", "#7FB5DC", "#4593C7", "#0072B2", "#00568A", "#002F4D")


class Matrices(SchemeExplorer):
    """The matrices as heat maps, and their condition numbers by itemset length (FRAPP §3, §6)."""

    model = model

    def _first(self) -> tuple[str, ...]:
        return tuple(self.choices)

    @property
    def groups(self) -> dict[str, list[controls.Control]]:
        """γ, three attributes, the schemes, and an option of one of them."""
        hint = "how many categories it has: the joint domain is the product of all three"
        sizes = tuple(
            controls.Slider(f"size_{j}", f"values of attribute {j}", size, 2, 4, 1, hint)
            for j, size in enumerate(model.Parameters().sizes, 1)
        )
        return {
            "Privacy": [controls.Gamma()],
            "Data": [
                controls.Several("sizes", sizes),
                controls.Slider("length", "itemset length", 2, 1, 3, 1,
                                "the matrices shown are those that undo itemsets of this length"),
            ],
            "Schemes": [controls.Schemes(self.choices, self.chosen)],
            "Cut-and-paste": [
                controls.Slider("K", "items C&P keeps at most, K", 3, 1, 3, 1, "cut-and-paste "
                                "keeps 0 to K items of a record; beyond K its matrix is singular")
            ],
        }  # fmt: skip

    @property
    def _panels(self) -> int:
        return 4 if len(self.choices) <= 5 else 5

    def skeleton(self) -> go.Figure:
        """Heat maps above, the condition numbers below."""
        n = self._panels
        figure = figures.panels(
            2, n, ["–"] * n + [BELOW], height=600, row_heights=[0.4, 0.6], vertical_spacing=0.24,
            horizontal_spacing=0.4 / n, specs=[[{}] * n, [{"colspan": n}] + [None] * (n - 1)],
        )  # fmt: skip
        for col in range(1, n + 1):
            heat = go.Heatmap(
                x=[], y=[], z=[], meta=f"matrix {col}", name="", coloraxis="coloraxis",
                hovertemplate="true %{x} → reported %{y}: %{z}",
            )  # fmt: skip
            figure.add_trace(heat, 1, col)
        small = {"title_font_size": 11, "title_standoff": 3, "tickfont_size": 10, "row": 1}
        figure.update_xaxes(title_text="true", type="category", **small)
        figure.update_yaxes(title_text="reported", type="category", autorange="reversed", **small)
        chosen = figures.line("length", "chosen length", figures.GREY, hoverinfo="skip")
        figure.add_trace(chosen.update(line_dash="dot"), 2, 1)
        for scheme in self.choices:
            figure.add_trace(self.line(scheme, f"condition {scheme}"), 2, 1)
            crosses = self.line(scheme, f"singular {scheme}", mode="markers+text", text=[])
            crosses.update(marker={"symbol": "x", "size": 11}, textposition="middle left")
            crosses.hoverinfo = "skip"
            figure.add_trace(crosses, 2, 1)
        figure.update_xaxes(title_text="itemset length", dtick=1, range=[0.75, 3.25], row=2)
        figure.update_yaxes(title_text="condition number", row=2, **figures.LOG_AXIS)
        # The shades stand at squares, so that small probabilities can be told apart.
        scale = [[(i / (len(SHADES) - 1)) ** 2, shade] for i, shade in enumerate(SHADES)]
        title = {"text": "probability", "side": "right"}
        bar = {"title": title, "orientation": "h", "thickness": 8, "len": 0.5, "tickfont_size": 10,
               "x": 0.5, "y": 0.6, "yanchor": "top"}  # fmt: skip
        colours = {"cmin": 0, "cmax": 1, "colorscale": scale, "colorbar": bar}
        return figure.update_layout(coloraxis=colours, margin_t=45, showlegend=False)

    def series(self, result: Result) -> dict[str, dict[str, object]]:
        """Of a matrix A[v, u] the rows are the reports v, from the top, and the columns u."""
        series = {"length": {"x": [result.parameters.length] * 2, "y": rounded(result.heights)}}
        for scheme, found in result.schemes.items():
            known, beyond = LENGTHS[: len(found.numbers)], LENGTHS[len(found.numbers) :]
            series[f"condition {scheme}"] = {"x": list(known), "y": rounded(found.numbers)}
            if beyond and not found.problem:
                top, words = rounded(result.heights[1:]), [f"{scheme} singular "]
                series[f"singular {scheme}"] = {
                    "x": list(beyond), "y": top * len(beyond), "text": words * len(beyond)
                }  # fmt: skip
        for col, scheme in enumerate(list(result.shown)[: self._panels], 1):
            matrix, labels = result.matrices[scheme], list(result.schemes[scheme].labels)
            # A large matrix holds few values: round each of them once.
            values, where = np.unique(matrix, return_inverse=True)
            z = np.array(rounded(values, 3))[where].reshape(matrix.shape).tolist()
            series[f"matrix {col}"] = {"x": labels, "y": labels, "z": z}
        return series

    def layout(self, result: Result) -> dict[str, object]:
        """Each heat map is called by the schemes whose matrix it is."""
        texts = [""] * self._panels + [BELOW]
        for col, (scheme, others) in enumerate(list(result.shown.items())[: self._panels]):
            rows, columns = result.matrices[scheme].shape
            texts[col] = f"<b>{', '.join([scheme, *others])}</b><br>{rows} × {columns}"
        return {"annotations": [{"text": text} for text in texts]}

    def note(self, result: Result) -> str:
        """The size of the joint domain, and what there was no room for."""
        sizes = " · ".join(map(str, result.parameters.sizes))
        left = ", ".join(list(result.shown)[self._panels :])
        left = f"; no room for the matrix of {left}: switch another off" if left else ""
        return f"n = {sizes} = {result.n_cells} cells in the joint domain{left}"

    def describe(self, result: Result) -> str:
        """The bound, each scheme's number, and in its own words what a scheme cannot do."""
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
        text += [f"{s} cannot be had here: {f.problem}." for s, f in made if f.problem]
        text += [f"{s} cannot be undone here: {f.why_not}." for s, f in made if f.why_not]
        if p.gamma < 1.5:
            text.append(
                "So close to γ = 1 every column of a matrix is almost the same: each heat map "
                "loses its diagonal, and the condition numbers grow without limit."
            )
        if not p.schemes:
            text.append("No scheme is switched on.")
        return " ".join(text)
