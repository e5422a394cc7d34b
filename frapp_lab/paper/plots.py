"""The paper's figures: means with intervals as markers, theory as a line (FRAPP §7)."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

import pandas as pd

from frapp_lab.data.dataset import Dataset
from frapp_lab.figures.charts import StaticFigure, scheme_line
from frapp_lab.figures.look import BLUE, GREY, SKY, VERMILION, plain, rounded
from frapp_lab.figures.marks import LAYOUT, LOG_AXIS, Mark, Panel, area, axis, line
from frapp_lab.figures.styles import style_of
from frapp_lab.paper.tables import ALONG_ALPHA, BESIDE, label
from frapp_lab.scale.trials import SETTING

_ERRORS = {
    "support_error_all": ("(a) support error ρ", "ρ over F (%)"),
    "false_negatives": ("(b) false negatives σ⁻", "σ⁻ (%)"),
    "false_positives": ("(c) false positives σ⁺", "σ⁺ (%)"),
}


def error_figure(
    summary: pd.DataFrame, dataset: Dataset, title: str, log_positives: bool = False
) -> StaticFigure:
    """Draw figures 1 and 2: ρ (log scale), σ⁻ and σ⁺ by length; means, 5–95 % bands, and theory.

    `summary` has one setting for each scheme, and a column `predicted` for theory. Where theory is
    known it is the line and the trials are markers; elsewhere a dotted line joins the markers.

    >>> from frapp_lab.paper.tables import figure_1, load_census
    >>> error_figure(figure_1(trials=1), load_census(), "One trial").layout["title"]["text"]
    'One trial: CENSUS'
    """
    schemes = summary["scheme"].unique()
    panels = []
    said: dict[str, list[str]] = {scheme: [] for scheme in schemes}
    for number, (error, (name, title_of)) in enumerate(_ERRORS.items(), 1):
        rows = summary[summary["error"] == error]
        log = number == 1 or (log_positives and number == 3)
        marks: list[Mark] = []
        for scheme in schemes:
            here = rows[rows["scheme"] == scheme]
            means = scheme_line(scheme, f"{scheme} {error}", (), (), showlegend=number == 1)
            marks += _errors(here, "length", scheme, means, f"{scheme} {number}", marks, log)
            said[scheme].append(f"{title_of.split()[0]} {_say(here['mean'])}")
        marks += _theory_key(summary) if number == 1 else []
        up = axis(title=title_of, **LOG_AXIS if log else {})
        panels.append(Panel(name, axis(title="itemset length", tick=1), up, marks))
    lines = "; ".join(f"{scheme}: {', '.join(texts)}" for scheme, texts in said.items())
    trials, longest = int(summary["trials"].max()), int(summary["length"].max())
    text = f"{label(dataset)}, means over {trials} trials in percent, lengths 1 to {longest}."
    return _figure(panels, f"{title}: {label(dataset)}", f"{text} {lines}.")


def alpha_figure(
    ranges: pd.DataFrame, errors: pd.DataFrame, data: Iterable[Dataset]
) -> StaticFigure:
    """Draw figure 3: RAN-GD along α, the posterior's range and ρ, from the tables of `figure_3`.

    >>> from frapp_lab.paper.tables import figure_3, load_census, load_health
    >>> data, tables = [load_census(), load_health()], figure_3(trials=1, alpha_shares=[0, 1])
    >>> alpha_figure(*tables, data).layout["title"]["text"]
    'Figure 3: RAN-GD along α, CENSUS and synthetic HEALTH (stand-in)'
    """
    data = list(data)
    posteriors: list[Mark] = []
    ends = ("high", "ρ₂⁺", VERMILION), ("middle", f"ρ₂ of {BESIDE}", BLUE), ("low", "ρ₂⁻", SKY)
    for dataset, dash in zip(data, ("solid", "dot"), strict=True):
        rows = ranges[ranges["dataset"] == dataset.name]
        for end, says, colour in ends:
            x, y = rows["alpha_share"].tolist(), rounded(100 * rows[end])
            look = {"dash": dash, "showlegend": dash == "solid"}
            posteriors.append(line(f"{end} {dataset.name}", x, y, colour, says, **look))
    across = axis(title="α / γx")
    title = f"(a) ρ₂; dotted: {data[1].name}"
    panels = [Panel(title, across, axis(0, 75, "worst posterior (%)"), posteriors)]
    said = []
    for letter, dataset in zip("bc", data, strict=True):
        rows = errors[errors["dataset"] == dataset.name]
        here = rows[rows["error"] == "support_error_all"]
        name, first = f"{ALONG_ALPHA} {dataset.name}", letter == "b"
        means = scheme_line(ALONG_ALPHA, name, (), (), showlegend=first)
        marks = _errors(here, "alpha_share", BESIDE, means, f"{BESIDE} {letter}", [])
        up = axis(0, rounded([1.25 * here["high"].max()])[0] or 0, "ρ over F (%)")
        panels.append(Panel(f"({letter}) ρ, {dataset.name}", across, up, marks))
        said.append(f"{label(dataset)}: {_say(here['mean'])}")
    posteriors += _theory_key(errors)
    shares = ", ".join(f"{share:g}" for share in here["alpha_share"])
    text = f"Mean ρ at length {here['length'].iloc[0]} in percent for α/γx = {shares}."
    low, high = (100 * ranges[end] for end in ("low", "high"))
    grows = f"The posterior's range grows from a point to [{low.min():.0f} %, {high.max():.1f} %]."
    title = f"Figure 3: {ALONG_ALPHA} along α, {' and '.join(map(label, data))}"
    return _figure(panels, title, f"{text} {'; '.join(said)}. {grows}")


def condition_figure(conditions: pd.DataFrame, data: Iterable[Dataset]) -> StaticFigure:
    """Draw figure 4: the condition numbers of `figure_4` by length, a panel for each data set.

    >>> from frapp_lab.paper.tables import figure_4, load_census, load_health
    >>> data = [load_census(), load_health()]
    >>> condition_figure(figure_4(), data).layout["title"]["text"]
    'Figure 4: condition numbers, CENSUS and synthetic HEALTH (stand-in)'
    """
    data = list(data)
    panels, said = [], []
    for letter, dataset in zip("ab", data, strict=True):
        rows = conditions[conditions["dataset"] == dataset.name]
        marks, texts = [], []
        for scheme, here in rows.groupby("scheme", sort=False):
            points = here["length"].tolist(), rounded(here["condition_number"])
            mark = scheme_line(scheme, f"{scheme} {dataset.name}", *points)
            marks.append(mark | {"showlegend": letter == "a"})
            texts.append(f"{scheme} {_say(here['condition_number'])}")
        up = axis(title="condition number" * (letter == "a"), **LOG_AXIS)
        across = axis(title="itemset length", tick=1)
        panels.append(Panel(f"({letter}) {dataset.name}", across, up, marks))
        said.append(f"{label(dataset)}, lengths 1 to {rows['length'].max()}: {'; '.join(texts)}")
    title = f"Figure 4: condition numbers, {' and '.join(map(label, data))}"
    return _figure(panels, title, f"Condition numbers. {'. '.join(said)}.")


def _figure(panels: list[Panel], title: str, summary: str) -> StaticFigure:
    look = {"x": 0.02, "y": 0.97, "yanchor": "top", "font": {"size": 15}}
    return StaticFigure(
        [replace(panel, title=plain(panel.title)) for panel in panels],
        summary,
        gap=0.09,
        height=430,
        title={"text": plain(title), **look},
        legend={**LAYOUT["legend"], "y": 0.9},
        margin={**LAYOUT["margin"], "t": 110},
    )


def _errors(
    rows: pd.DataFrame,
    x: str,
    theory_of: str,
    means: Mark,
    name: str,
    others: list[Mark],
    log: bool = False,
) -> list[Mark]:
    """Draw a scheme in figure 1, 2 or 3: 5–95 % interval, theory unless another has it, means."""
    scheme = means["legendgroup"]
    if not rows[x].is_unique:
        several = [c for c in SETTING if c != x and rows[c].nunique(dropna=False) > 1]
        raise ValueError(
            f"the table has several rows for {scheme} at one {x} (they differ in "
            f"{', '.join(several) or 'nothing'}), and one line would mix them: choose one setting"
        )
    band = rows[rows["low"] > 0] if log else rows.dropna(subset="low")  # a log scale has no zero
    xs, ys = band[x].tolist(), rounded([*band["high"], *band["low"][::-1]])
    colour = style_of(scheme).colour
    marks = [area(f"band {name}", xs + xs[::-1], ys, colour, 0.15, legendgroup=scheme)]
    xs = rows[x].tolist()
    if "predicted" not in rows or rows["predicted"].isna().all():
        means["line"] |= {"dash": "dot", "width": 1}  # to join the markers, and not to be theory
    else:
        means["mode"] = "markers"  # the line is theory's
        ys = rounded(rows["predicted"])
        drawn = [(mark["x"], mark["y"]) for mark in others if mark["name"] == "theory"]
        if (xs, ys) not in drawn:  # two schemes may have one law
            colour, look = style_of(theory_of).colour, {"legendgroup": theory_of}
            marks.append(line(f"theory {name}", xs, ys, colour, "theory", **look))
    return [*marks, means | {"x": xs, "y": rounded(rows["mean"])}]


def _theory_key(table: pd.DataFrame) -> list[Mark]:
    """Draw nothing, in grey, so that the legend of figures 1 to 3 says what a plain line is."""
    key = line("theory", [None], [None], GREY, showlegend=True)
    return [key] if "predicted" in table else []


def _say(values: Iterable[float]) -> str:
    """Write the numbers of the paper's figures, with three digits or more, and a dash for none."""
    return " ".join("–" if v != v else f"{v:,.0f}" if v >= 100 else f"{v:.3g}" for v in values)
