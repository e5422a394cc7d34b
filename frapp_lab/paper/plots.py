"""The paper's figures: means with intervals as markers, theory as a line (FRAPP §7)."""

from __future__ import annotations

from collections.abc import Iterable

import pandas as pd

from frapp_lab import figures
from frapp_lab.data.dataset import Dataset
from frapp_lab.figures import StaticFigure, go
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
    """Draw Figures 1 and 2: ρ (log scale), σ⁻ and σ⁺ by length; means, 5–95 % bands, theory.

    `summary` has one setting for each scheme, and a column `predicted` for theory. Where theory is
    known it is the line and the trials are markers; elsewhere a dotted line joins the markers.

    >>> from frapp_lab.paper.tables import figure_1, load_census
    >>> error_figure(figure_1(trials=1), load_census(), "One trial").figure.layout.title.text
    'One trial: CENSUS'
    """
    schemes = summary["scheme"].unique()
    figure = _figure([name for name, _ in _ERRORS.values()], f"{title}: {label(dataset)}")
    said: dict[str, list[str]] = {scheme: [] for scheme in schemes}
    for column, (error, (_, axis)) in enumerate(_ERRORS.items(), 1):
        rows = summary[summary["error"] == error]
        log = column == 1 or (log_positives and column == 3)
        for scheme in schemes:
            here = rows[rows["scheme"] == scheme]
            name, legend = f"{scheme} {error}", column == 1
            _add_errors(figure, here, "length", scheme, name, column, legend, scheme, log)
            said[scheme].append(f"{axis.split()[0]} {_say(here['mean'])}")
        if log:
            figure.update_yaxes(figures.LOG_AXIS, row=1, col=column)
        figure.update_yaxes(title_text=axis, row=1, col=column)
    _add_theory_key(figure, summary)
    figure.update_xaxes(title_text="itemset length", dtick=1)
    lines = "; ".join(f"{scheme}: {', '.join(texts)}" for scheme, texts in said.items())
    trials, longest = int(summary["trials"].max()), int(summary["length"].max())
    text = f"{label(dataset)}, means over {trials} trials in percent, lengths 1 to {longest}."
    return StaticFigure(figure, f"{text} {lines}.")


def alpha_figure(
    ranges: pd.DataFrame, errors: pd.DataFrame, data: Iterable[Dataset]
) -> StaticFigure:
    """Draw Figure 3: RAN-GD along α, the posterior's range and ρ, from `figure_3`'s tables.

    >>> from frapp_lab.paper.tables import figure_3, load_census, load_health
    >>> data, tables = [load_census(), load_health()], figure_3(trials=1, alpha_shares=[0, 1])
    >>> alpha_figure(*tables, data).figure.layout.title.text
    'Figure 3: RAN-GD along α, CENSUS and synthetic HEALTH (stand-in)'
    """
    data = list(data)
    panels = [f"({c}) ρ, {d.name}" for c, d in zip("bc", data, strict=True)]
    names = " and ".join(map(label, data))
    titles = [f"(a) ρ₂; dotted: {data[1].name}", *panels]
    figure = _figure(titles, f"Figure 3: {ALONG_ALPHA} along α, {names}")
    for dataset, dash in zip(data, ("solid", "dot"), strict=True):
        here = ranges[ranges["dataset"] == dataset.name]
        for end, name, colour in (
            ("high", "ρ₂⁺", figures.VERMILION),
            ("middle", f"ρ₂ of {BESIDE}", figures.BLUE),
            ("low", "ρ₂⁻", figures.SKY),
        ):
            trace = figures.line(f"{end} {dataset.name}", name, colour, legend=dash == "solid")
            trace.update(x=here["alpha_share"].tolist(), y=figures.rounded(100 * here[end]))
            trace.line.dash = dash
            figure.add_trace(trace, 1, 1)
    figure.update_yaxes(title_text="worst posterior (%)", range=[0, 75], row=1, col=1)
    said = []
    for column, dataset in enumerate(data, 2):
        rows = errors[errors["dataset"] == dataset.name]
        here = rows[rows["error"] == "support_error_all"]
        name, legend = f"{ALONG_ALPHA} {dataset.name}", column == 2
        _add_errors(figure, here, "alpha_share", ALONG_ALPHA, name, column, legend, BESIDE)
        top = figures.rounded([1.25 * here["high"].max()])[0]
        figure.update_yaxes(title_text="ρ over F (%)", range=[0, top], row=1, col=column)
        said.append(f"{label(dataset)}: {_say(here['mean'])}")
    _add_theory_key(figure, errors)
    figure.update_xaxes(title_text="α / γx")
    shares = ", ".join(f"{share:g}" for share in here["alpha_share"])
    text = f"Mean ρ at length {here['length'].iloc[0]} in percent for α/γx = {shares}."
    low, high = (100 * ranges[end] for end in ("low", "high"))
    ends = f"The posterior's range grows from a point to [{low.min():.0f} %, {high.max():.1f} %]."
    return StaticFigure(figure, f"{text} {'; '.join(said)}. {ends}")


def condition_figure(conditions: pd.DataFrame, data: Iterable[Dataset]) -> StaticFigure:
    """Draw Figure 4: the condition numbers of `figure_4` by length, one panel for each data set.

    >>> from frapp_lab.paper.tables import figure_4, load_census, load_health
    >>> condition_figure(figure_4(), [load_census(), load_health()]).figure.layout.title.text
    'Figure 4: condition numbers, CENSUS and synthetic HEALTH (stand-in)'
    """
    data = list(data)
    titles = [f"({c}) {d.name}" for c, d in zip("ab", data, strict=True)]
    figure = _figure(titles, f"Figure 4: condition numbers, {' and '.join(map(label, data))}")
    said = []
    for column, dataset in enumerate(data, 1):
        rows = conditions[conditions["dataset"] == dataset.name]
        texts = []
        for scheme, here in rows.groupby("scheme", sort=False):
            trace = figures.scheme_line(scheme, f"{scheme} {dataset.name}", legend=column == 1)
            values = figures.rounded(here["condition_number"])
            trace.update(x=here["length"].tolist(), y=values)
            figure.add_trace(trace, 1, column)
            texts.append(f"{scheme} {_say(here['condition_number'])}")
        said.append(f"{label(dataset)}, lengths 1 to {rows['length'].max()}: {'; '.join(texts)}")
    figure.update_yaxes(figures.LOG_AXIS)
    figure.update_yaxes(title_text="condition number", row=1, col=1)
    figure.update_xaxes(title_text="itemset length", dtick=1)
    return StaticFigure(figure, f"Condition numbers. {'. '.join(said)}.")


def _figure(titles: list[str], title: str) -> go.Figure:
    titles, title = [figures.plain(t) for t in titles], figures.plain(title)
    figure = figures.panels(1, len(titles), titles, 430, horizontal_spacing=0.09)
    return figure.update_layout(
        title={"text": title, "x": 0.02, "y": 0.97, "yanchor": "top", "font": {"size": 15}},
        legend={"y": 0.9},
        margin={"t": 110},
    )


def _add_errors(
    figure: go.Figure,
    rows: pd.DataFrame,
    x: str,
    scheme: str,
    name: str,
    column: int,
    legend: bool,
    theory_of: str,
    log: bool = False,
) -> None:
    """Draw one scheme in one panel: the 5–95 % interval as a filled shape, theory, the means."""
    if not rows[x].is_unique:
        several = [c for c in SETTING if c != x and rows[c].nunique(dropna=False) > 1]
        raise ValueError(
            f"the table has several rows for {scheme} at one {x} (they differ in "
            f"{', '.join(several) or 'nothing'}), and one line would mix them: choose one setting"
        )
    colour = style_of(scheme).colour
    red, green, blue = (int(colour[i : i + 2], 16) for i in (1, 3, 5))
    band = rows[rows["low"] > 0] if log else rows.dropna(subset="low")  # a log scale has no zero
    xs = band[x].tolist()
    shape = go.Scatter(x=xs + xs[::-1], y=figures.rounded([*band["high"], *band["low"][::-1]]))
    shape.update(fill="toself", fillcolor=f"rgba({red}, {green}, {blue}, 0.15)")
    shape.update(mode="lines", line={"width": 0}, hoverinfo="skip")
    figure.add_trace(shape.update(showlegend=False, legendgroup=scheme), 1, column)
    xs, trace = rows[x].tolist(), figures.scheme_line(scheme, name, legend)
    if "predicted" not in rows or rows["predicted"].isna().all():
        trace.update(line_dash="dot", line_width=1)  # to join the markers, and not to be theory
    else:
        trace.mode = "markers"  # the line is theory's
        ys = figures.rounded(rows["predicted"])
        drawn = figure.select_traces({"name": "theory"}, row=1, col=column)
        if (xs, ys) not in [(list(t.x), list(t.y)) for t in drawn]:  # two schemes may have one law
            theory = f"theory {theory_of} {column}", "theory", style_of(theory_of).colour
            line = figures.line(*theory, legendgroup=theory_of)
            figure.add_trace(line.update(x=xs, y=ys), 1, column)
    figure.add_trace(trace.update(x=xs, y=figures.rounded(rows["mean"])), 1, column)


def _add_theory_key(figure: go.Figure, table: pd.DataFrame) -> None:
    if "predicted" in table:
        trace = figures.line("theory", "theory", figures.GREY, legend=True)
        figure.add_trace(trace.update(x=[None], y=[None]), 1, 1)


def _say(values: Iterable[float]) -> str:
    """Write numbers with three digits, or all before the point; a dash where one is missing."""
    return " ".join("–" if v != v else f"{v:,.0f}" if v >= 100 else f"{v:.3g}" for v in values)
