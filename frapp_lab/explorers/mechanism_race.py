"""Every registered mechanism at one γ: who errs least, and what that costs."""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import Any

import plotly.graph_objects as go

from frapp_lab import figures
from frapp_lab.explorers import controls
from frapp_lab.explorers.kit.base import Explorer, Number
from frapp_lab.explorers.models import mechanism_race as model
from frapp_lab.explorers.models.mechanism_race import Parameters, Result, Runner
from frapp_lab.figures import rounded
from frapp_lab.figures.styles import style_of
from frapp_lab.mechanisms.registry import schemes

LOW, TOP = -2.0, 6.0
"""The powers of ten between which errors, gains and bits are shown."""
COSTS = {"poison": "people per liar", "bits": "bits per report"}
LETTER, LINE = 0.6, 0.08
"""How wide and how high letters are in the second panel, in powers of ten."""
CELLS, GAMMAS = (0.3, 4.3), (-0.12, 3.3)
"""The ends of the map, as powers of ten."""

N = controls.Slider(
    "thousands", "people N (thousands)", 50, 1, 100_000, 0.05,
    "how many thousand people send a report", log=True, whole=True,
)  # fmt: skip
LENGTH = controls.Slider(
    "length", "itemsets of length", 0, 0, 7, 1,
    "how long the frequent itemsets are whose supports are estimated", look="stepper",
    words=((0, "all"),),
)  # fmt: skip
COST = controls.Choice(
    "cost", "price", (("poison", "poison"), ("bits", "bits")), "poison",
    "whether the second panel shows who can poison the survey, or how long reports are",
    look="buttons",
)  # fmt: skip


class MechanismRace(Explorer):
    """γ, N, the domain and the itemsets: error, leak, poison and bits of every mechanism."""

    model = model
    ghosts = ("cost", "here")

    @property
    def groups(self) -> dict[str, list[controls.Control]]:
        """What decides the race in sight; ε folds away."""
        return {
            "Settings": [controls.Gamma(), N, controls.DataSet(), LENGTH, COST],
            "More: ε": [controls.Breach()],
        }

    def skeleton(self) -> go.Figure:
        """A row for each scheme, what it costs, and the map of domain sizes and γ."""
        self.racers = schemes(modern=True)
        titles = ["Error of a support", "Records guessed", "Best in one cell"]
        figure = figures.card(titles, column_widths=[1.25, 1, 1])
        for label in self.racers:
            drawn = figures.line(f"draws {label}", label, _colour(label), hoverinfo="skip")
            bar = {"symbol": "line-ns-open", "size": 13}
            bar["line"] = {"width": 3, "color": _colour(label)}
            drawn.update(mode="lines+markers", line_width=9, marker=bar, opacity=0.45)
            figure.add_trace(drawn, 1, 1)
        floor = figures.line("floor", "the model's own error", figures.BLACK, hoverinfo="skip")
        floor.update(mode="lines+markers", line_width=1.5)
        floor.update(marker={"symbol": "line-ns-open", "size": 9, "line_width": 2})
        figure.add_trace(floor, 1, 1)
        for column, name, said in ((1, "error", "%{x:.3g} %"),
                                   (2, "cost", "guessed %{y:.3g} %<br>%{x:.3g}")):  # fmt: skip
            for label in self.racers:
                dots: dict[str, Any] = {"mode": "markers", "cliponaxis": False}
                trace = figures.line(f"{name} {label}", label, _colour(label), **dots)
                trace.update(hovertemplate=f"{said}<extra>{figures.plain(label)}</extra>")
                symbol = {"symbol": style_of(label).marker, "color": _colour(label)}
                look = symbol | {"size": 11, "line": {"width": 2, "color": _colour(label)}}
                figure.add_trace(trace.update(marker=look), 1, column)
        blind = figures.line("blind", "guessed without a report", figures.BEFORE)
        figure.add_trace(blind.update(line_dash="dash", line_width=1.5), 1, 2)
        for name, label, pale in (("diagonal", "DET-GD", 0.22), ("subset", "SS", 0.32),
                                  ("unary", "SS", 0.16)):  # fmt: skip
            area = figures.line(name, name, _colour(label), fill="toself", hoverinfo="skip")
            area.update(line_width=0, fillcolor=_pale(label, pale))
            figure.add_trace(area, 1, 3)
        for name, dash in (("2γ + 1", "solid"), ("3γ + 2", "dash")):
            border = figures.line(name, f"n = {name}", figures.BLACK, hoverinfo="skip")
            figure.add_trace(border.update(line_dash=dash, line_width=1.5), 1, 3)
        star = {"size": 15, "symbol": "star", "color": figures.AFTER}
        here = figures.line("here", "you are here", figures.AFTER, mode="markers", marker=star,
                            cliponaxis=False)  # fmt: skip
        figure.add_trace(here, 1, 3)
        log = figures.LOG_AXIS
        figure.update_xaxes(log | {"range": [LOW, TOP], "dtick": 2}, row=1, col=1)
        figure.update_xaxes(title_text="% of the support", row=1, col=1)
        rows = {"range": [len(self.racers) + 0.6, 0.4], "showgrid": False}
        figure.update_yaxes(**rows, tickfont_size=10, row=1, col=1)
        figure.update_xaxes(log | {"range": [LOW, TOP], "dtick": 2}, row=1, col=2)
        shares = [1, 2, 5, 10, 20, 50, 100]
        leak = {"type": "log", "range": [0.3, 2.07], "tickvals": shares, "ticksuffix": " %"}
        figure.update_yaxes(leak, row=1, col=2)
        figure.update_xaxes(log | {"range": CELLS, "title_text": "cells n"}, row=1, col=3)
        return figure.update_yaxes(log | {"range": GAMMAS}, row=1, col=3)

    def series(self, result: Result) -> dict[str, dict[str, object]]:
        """Of each scheme its row and its price; the map is always the same, but for the star."""
        p, known = result.parameters, self._known_ones(result)
        floors = [(label, row) for label, row in known.items() if result.runners[label].floor]
        series: dict[str, dict[str, object]] = {
            "floor": {
                "x": [v for label, _ in floors for v in
                      [*rounded(10 ** _place(v) for v in (result.runners[label].floor,
                                                          result.runners[label].error)), None]],
                "y": [v for _, row in floors for v in (row, row, None)],
            },
            "blind": {"x": [10**LOW, 10**TOP], "y": rounded([100 * result.blind] * 2)},
            "here": {"x": [result.n_cells], "y": rounded([p.gamma])},
        }  # fmt: skip
        for label, row in known.items():
            runner = result.runners[label]
            leak, price = 100 * runner.leak, _price(runner, p.cost)
            series[f"error {label}"] = {"x": rounded([10 ** _place(runner.error)]), "y": [row]}
            series[f"cost {label}"] = {"x": rounded([10 ** _place(price)]), "y": rounded([leak])}
        for name, (x, y) in model.MAP.items():
            series[name] = {"x": rounded(x), "y": rounded(y)}
        return series

    def band(self, parameters: Parameters) -> Iterator[dict[str, tuple[float, float]] | None]:
        """Where real draws lie of the schemes with a model, whose errors theory only nears."""
        return model.bands(parameters)

    def band_series(
        self, result: Result, band: dict[str, tuple[float, float]]
    ) -> dict[str, dict[str, object]]:
        """A bar in the row of the scheme."""
        rows = self._known_ones(result)
        return {
            f"draws {label}": {"x": rounded(ends), "y": [rows[label]] * 2}
            for label, ends in band.items()
            if label in rows
        }

    def layout(self, result: Result) -> dict[str, object]:
        """The schemes in the order of their errors, and the price that is shown."""
        names = [*self._known_ones(result), *(s for s in result.problems if s in self.racers)]
        cost = result.parameters.cost
        title = {"text": COSTS[cost], "font": {"size": 12}, "standoff": 6}
        return {
            "yaxis_tickvals": list(range(1, len(names) + 1)),
            "yaxis_ticktext": [figures.plain(name) for name in names], "xaxis2_title": title,
        }  # fmt: skip

    def labels(self, result: Result) -> list[dict[str, object]]:
        """Errors at their dots, names at the prices where there is room, and the regions."""
        p, rows = result.parameters, self._known_ones(result)
        notes = []
        for label, row in rows.items():
            runner = result.runners[label]
            error, at = runner.error, _place(runner.error)
            left = at > TOP - 3 and not runner.floor  # where there is room, and no line
            notes.append(
                figures.label(_percent(error), at, row, _colour(label), xshift=-9 if left else 9,
                              xanchor="right" if left else "left")
            )  # fmt: skip
        for label in result.problems:
            if label in self.racers:
                row = len(rows) + 1 + list(result.problems).index(label)
                notes.append(
                    figures.label(figures.plain(result.short[label]), -1.9, row, figures.GREY)
                )
        notes += self._prices(result)
        corner = {"xref": "x2 domain", "xanchor": "right", "yanchor": "top"}
        notes.append(
            figures.label("┄ without a report", 1, math.log10(100 * result.blind), figures.BEFORE,
                          "2", **corner)
        )  # fmt: skip
        x, y = math.log10(result.n_cells), math.log10(p.gamma)
        below, region = y > 0.4, 0.3 if y > 1.5 else 1.85  # out of the star's way
        return [
            *notes,
            figures.label("DET-GD", 0.4, 3.15, _colour("DET-GD"), "3"),
            figures.label("SS,<br>OUE next", 4.2, region, _colour("SS"), "3", xanchor="right",
                          align="right"),
            figures.label("γ", 0, 0.98, figures.BLACK, "3", xref="x3 domain", yref="y3 domain",
                          xanchor="right", xshift=-5),
            figures.label("n = 2γ + 1", 2.5, 2.35, figures.BLACK, "3", xanchor="right"),
            figures.label("n = 3γ + 2", 1.6, 0.75, figures.BLACK, "3"),
            figures.label("here", x, y, figures.AFTER, "3", xanchor="center",
                          yshift=-15 if below else 15),
        ]  # fmt: skip

    def _known_ones(self, result: Result) -> dict[str, int]:
        """The rows of the schemes that run, the best first."""
        known = [label for label in result.runners if label in self.racers]
        return {label: row for row, label in enumerate(known, 1)}

    def _prices(self, result: Result) -> list[dict[str, object]]:
        """Names beside their dots, on the side where they hide no other dot or name."""
        dots = {
            label: (_place(_price(runner, result.parameters.cost)), math.log10(100 * runner.leak))
            for label, runner in result.runners.items()
            if label in self.racers
        }
        # Below the dots stand the words on the blind guess.
        taken = [(0.0, TOP, math.log10(100 * result.blind) - LINE / 2)]
        notes = []
        for label, (x, y) in dots.items():
            wide = LETTER * len(label)
            for side, left, right in (("left", x + 0.5, x + wide), ("right", x - wide, x - 0.5)):
                free = left > LOW - 0.2 and right < TOP + 0.5
                for a, b in dots.values():
                    near = abs(b - y) < LINE and left - 0.3 < a < right + 0.3
                    free &= abs(a - x) < 0.4 or not near
                for a, z, b in taken:
                    free &= not (abs(b - y) < LINE and a < right and left < z)
                if free:
                    taken.append((left, right, y))
                    shift = 9 if side == "left" else -9
                    notes.append(
                        figures.label(
                            figures.plain(label),
                            x,
                            y,
                            _colour(label),
                            "2",
                            xanchor=side,
                            xshift=shift,
                        )
                    )
                    break
        return notes

    def headline(self, result: Result) -> str:
        """Who wins, and by how much over the paper's scheme."""
        best = result.runners[result.best]
        which = f" at length {result.length}" if result.length else ""
        text = f"{result.best} errs least{which}: {_percent(best.error)}"
        if "DET-GD" in result.runners and result.best != "DET-GD":
            text += f", where DET-GD has {_percent(result.runners['DET-GD'].error)}"
        if best.floor > best.error / 2:
            return f"{text}; more people would not help much."
        return f"{text}."

    def numbers(self, result: Result) -> list[Number]:
        """Of the winner the error, the leak, and a liar's weight or the bits."""
        best, p = result.runners[result.best], result.parameters
        own = f"of it the model's {_percent(best.floor)}" if best.model else ""
        price = Number(figures.in_words(best.gain), f"people a liar counts for, {result.best}")
        if p.cost == "bits":
            price = Number(figures.in_words(best.bits), f"bits in a report, {result.best}")
        blind = f"blind {_percent(100 * result.blind)}"
        return [
            Number(_percent(best.error), f"error, {result.best}", own),
            Number(_percent(100 * best.leak), f"guessed from a report, {result.best}", blind),
            price,
        ]

    def lines(self, result: Result) -> dict[str, str]:
        """How many itemsets are looked at, and the size of the domain."""
        p = result.parameters
        return {
            "cells": f"{result.n_cells:,} cells",
            "length": f"{result.n_itemsets:,} frequent itemsets",
            "thousands": f"{p.n_records:,}, {figures.in_words(result.per_cell)} per cell",
        }

    def describe(self, result: Result) -> str:
        """The ranking, what the winner takes for granted and gives away, and the map."""
        p, best = result.parameters, result.runners[result.best]
        which = f"the {result.n_itemsets:,} frequent itemsets"
        which += f" of length {result.length}" if result.length else ""
        ranks = "; ".join(f"{s} {_percent(r.error)}" for s, r in result.runners.items())
        text = [
            f"{result.name}, {result.n_cells:,} cells, {p.n_records:,} people, γ = {p.gamma:.4g}. "
            f"Mean relative error of {which}, by theory: {ranks}."
        ]
        text += [f"{s} cannot do it here: {why}." for s, why in result.problems.items()]
        if best.model:
            text.append(
                f"{result.best} takes for granted that {best.model}: this alone makes "
                f"{_percent(best.floor)}, the rest is noise, which falls with the root of N."
            )
        else:
            text.append(
                f"{result.best} takes nothing for granted about the data: all of its error is "
                "noise, which falls with the root of N."
            )
        leaks = {s: r.leak for s, r in result.runners.items() if not r.tried}
        most, least = max(leaks, key=leaks.__getitem__), min(leaks, key=leaks.__getitem__)
        text.append(
            f"All keep the same γ, and yet an attacker who knows such data guesses a record from "
            f"its report in {_percent(100 * leaks[least])} ({least}) to "
            f"{_percent(100 * leaks[most])} ({most}) of all cases; without a report in "
            f"{_percent(100 * result.blind)}."
        )
        if tried := [s for s, r in result.runners.items() if r.tried]:
            text.append(f"How often with {' and '.join(tried)} was tried on {model.PEOPLE} people.")
        gains = {s: r.gain for s, r in result.runners.items()}
        most, least = max(gains, key=gains.__getitem__), min(gains, key=gains.__getitem__)
        text.append(
            "One liar who sends the best report that is known, and looks honest, to lift the "
            f"itemset {', '.join(result.target)} counts for "
            f"{figures.in_words(gains[least])} people under {least} and for "
            f"{figures.in_words(gains[most])} under {most}."
        )
        two, three = model.selection_wins(p.gamma), model.unary_wins(p.gamma)
        text.append(
            f"For a single rare cell and no model, DET-GD has the least noise up to n = 2γ + 1 = "
            f"{two:,.4g} cells, and subset selection beyond; OUE passes DET-GD at n = 3γ + 2 = "
            f"{three:,.4g}."
        )
        if any(r.model for r in result.runners.values()):
            text.append(
                "The thin lines begin at the models' own errors. Where errors are large, theory "
                "makes those of schemes with a model too high, since it does not know that "
                "negative estimates are mended: the pale bars show real draws."
            )
        return " ".join(text)


def _colour(label: str) -> str:
    return style_of(label).colour


def _pale(label: str, opacity: float) -> str:
    red, green, blue = (int(_colour(label)[i : i + 2], 16) for i in (1, 3, 5))
    return f"rgba({red}, {green}, {blue}, {opacity})"


def _price(runner: Runner, cost: str) -> float:
    return runner.gain if cost == "poison" else runner.bits


def _place(value: float) -> float:
    """Where a number stands, as a power of ten: what is beyond the panel is at its edge."""
    return min(max(math.log10(max(value, 10**LOW)), LOW), TOP)


def _percent(value: float) -> str:
    """In words, however large or small."""
    if value > 1e15:
        return "over 10¹⁵ %"
    return f"{figures.in_words(value)} %" if value >= 0.01 else "less than 0.01 %"
