"""The paper's figures with intervals and theory, and a table of its claims (FRAPP §7).

The numbers come from `frapp_lab.experiments`; here they are drawn, and statements are judged.
"""

from __future__ import annotations

import functools
from collections.abc import Iterable
from pathlib import Path

import numpy as np
import pandas as pd

from frapp_lab import datasets, figures
from frapp_lab.datasets import Dataset
from frapp_lab.figures import StaticFigure, go
from frapp_lab.mechanisms.base import make_scheme
from frapp_lab.theory import predicted_errors

# --- data -----------------------------------------------------------------------------------------


def health_at_hand(folder: str | Path | None = None) -> Dataset:
    """HEALTH from the real NHIS file `PERSONSX.DAT` if it is in `data/`, else the stand-in.

    >>> health_at_hand("no such folder")
    <Dataset HEALTH (stand-in), synthetic: 109,000 records, 7 attributes, 7,500 cells>
    """
    path = Path(folder or datasets.DATA) / "PERSONSX.DAT"
    return datasets.load_health(path if path.exists() else None)


def label(dataset: Dataset) -> str:
    """The name of a data set for a title, which says so if the data are made up.

    >>> label(datasets.load_census()), label(datasets.load_health())
    ('CENSUS', 'synthetic HEALTH (stand-in)')
    """
    return f"synthetic {dataset.name}" if dataset.synthetic else dataset.name


def add_theory(summary: pd.DataFrame, dataset: Dataset) -> pd.DataFrame:
    """A summary of trials with what theory predicts for ρ over all of F.

    That error takes the estimate of every frequent itemset, found or not: pruning does not change
    it. Theory says nothing of the other errors of pruned mining; there the value is missing. Each
    row is predicted for its own γ, α and minimum support.

    >>> from frapp_lab import load_census
    >>> from frapp_lab.experiments import run_trials, summarise
    >>> census = load_census()
    >>> table = add_theory(summarise(run_trials(census, ["DET-GD"], trials=2)), census)
    >>> table.dropna(subset="predicted").predicted.round(0).tolist()
    [141.0, 176.0, 136.0, 82.0, 50.0, 34.0]
    """

    @functools.cache
    def theory(scheme: str, gamma: float, alpha_share: float, min_support: float) -> pd.Series:
        mechanism = make_scheme(scheme, dataset.schema, gamma, alpha_share=alpha_share)
        return predicted_errors(dataset, mechanism, min_support).support_error_all

    shares = summary["alpha_share"].fillna(0)  # RAN-GD alone has an α
    predicted = [
        theory(row.scheme, row.gamma, share, row.min_support)[row.length]
        if row.error == "support_error_all"
        else np.nan
        for row, share in zip(summary.itertuples(), shares, strict=True)
    ]
    return summary.assign(predicted=predicted)


# --- figures --------------------------------------------------------------------------------------

_ERRORS = {
    "support_error_all": ("(a) support error ρ", "ρ over F (%)"),
    "false_negatives": ("(b) false negatives σ⁻", "σ⁻ (%)"),
    "false_positives": ("(c) false positives σ⁺", "σ⁺ (%)"),
}


def error_figure(
    summary: pd.DataFrame, dataset: Dataset, title: str, log_positives: bool = False
) -> StaticFigure:
    """Figures 1 and 2: ρ (log scale), σ⁻ and σ⁺ by length; means, 5–95 % bands, theory dashed.

    `summary` is that of `summarise`, with a column `predicted` where theory is to be shown.

    >>> from frapp_lab import load_census
    >>> from frapp_lab.experiments import run_trials, summarise
    >>> census = load_census()
    >>> table = summarise(run_trials(census, ["DET-GD"], trials=2))
    >>> error_figure(table, census, "Two trials").figure.layout.title.text
    'Two trials: CENSUS'
    """
    schemes = summary["scheme"].unique()
    figure = _figure(3, [name for name, _ in _ERRORS.values()], f"{title}: {label(dataset)}")
    said = {scheme: [] for scheme in schemes}
    for column, (error, (_, axis)) in enumerate(_ERRORS.items(), 1):
        rows = summary[summary["error"] == error]
        log = column == 1 or (log_positives and column == 3)
        for scheme in schemes:
            here = rows[rows["scheme"] == scheme]
            _add_band(figure, here, "length", scheme, column, log)
            trace = figures.scheme_line(scheme, f"{scheme} {error}", legend=column == 1)
            trace.update(x=here["length"].tolist(), y=figures.rounded(here["mean"]))
            figure.add_trace(trace, 1, column)
            _add_theory_line(figure, here, "length", scheme, column)
            said[scheme].append(f"{axis.split()[0]} {_say(here['mean'])}")
        if log:
            figure.update_yaxes(figures.LOG_AXIS, row=1, col=column)
        figure.update_yaxes(title_text=axis, row=1, col=column)
    if "predicted" in summary:
        _add_theory_key(figure)
    figure.update_xaxes(title_text="itemset length", dtick=1)
    trials = int(summary["trials"].max())
    lines = "; ".join(f"{scheme}: {', '.join(texts)}" for scheme, texts in said.items())
    longest = int(summary["length"].max())
    text = f"{label(dataset)}, means over {trials} trials in percent, lengths 1 to {longest}."
    return StaticFigure(figure, f"{text} {lines}.")


def alpha_figure(
    ranges: pd.DataFrame, errors: pd.DataFrame, data: Iterable[Dataset]
) -> StaticFigure:
    """Figure 3: RAN-GD along α, the range of the posterior, and ρ for each data set.

    `ranges` and `errors` are those of `experiments.figure_3`.

    >>> from frapp_lab import load_census, load_health
    >>> from frapp_lab.experiments import figure_3
    >>> tables = figure_3(trials=1, alpha_shares=[0, 1])
    >>> alpha_figure(*tables, [load_census(), load_health()]).figure.layout.title.text
    'Figure 3: RAN-GD along α, CENSUS and synthetic HEALTH (stand-in)'
    """
    data = list(data)
    titles = [
        f"(a) ρ₂; dotted: {data[1].name}",
        *(f"({c}) ρ, {d.name}" for c, d in zip("bc", data, strict=True)),
    ]
    names = " and ".join(map(label, data))
    figure = _figure(3, titles, f"Figure 3: RAN-GD along α, {names}")
    for dataset, dash in zip(data, ("solid", "dot"), strict=True):
        here = ranges[ranges["dataset"] == dataset.name]
        for end, name, colour in (
            ("high", "ρ₂⁺", figures.VERMILION),
            ("middle", "ρ₂ of DET-GD", figures.BLUE),
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
        _add_band(figure, here, "alpha_share", "RAN-GD", column, False)
        trace = figures.scheme_line("RAN-GD", f"RAN-GD {dataset.name}", legend=column == 2)
        trace.update(x=here["alpha_share"].tolist(), y=figures.rounded(here["mean"]))
        figure.add_trace(trace, 1, column)
        _add_theory_line(figure, here, "alpha_share", "DET-GD", column)
        figure.update_yaxes(title_text="ρ over F (%)", row=1, col=column)
        top = figures.rounded([1.25 * here["high"].max()])[0]
        figure.update_yaxes(range=[0, top], row=1, col=column)
        said.append(f"{label(dataset)}: {_say(here['mean'])}")
    if "predicted" in errors:
        _add_theory_key(figure)
    figure.update_xaxes(title_text="α / γx")
    shares = ", ".join(f"{share:g}" for share in here["alpha_share"])
    text = f"Mean ρ at length {here['length'].iloc[0]} in percent for α/γx = {shares}."
    low, high = (100 * ranges[end] for end in ("low", "high"))
    ends = f"The posterior's range grows from a point to [{low.min():.0f} %, {high.max():.1f} %]."
    return StaticFigure(figure, f"{text} {'; '.join(said)}. {ends}")


def condition_figure(conditions: pd.DataFrame, data: Iterable[Dataset]) -> StaticFigure:
    """Figure 4: condition numbers by length on a log scale, one panel for each data set.

    `conditions` are those of `experiments.figure_4`: MASK's and C&P's are both of the matrix over
    an itemset's bit patterns.

    >>> from frapp_lab import load_census, load_health
    >>> from frapp_lab.experiments import figure_4
    >>> condition_figure(figure_4(), [load_census(), load_health()]).figure.layout.title.text
    'Figure 4: condition numbers, CENSUS and synthetic HEALTH (stand-in)'
    """
    data = list(data)
    titles = [f"({c}) {d.name}" for c, d in zip("ab", data, strict=True)]
    figure = _figure(2, titles, f"Figure 4: condition numbers, {' and '.join(map(label, data))}")
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


def _figure(columns: int, titles: list[str], title: str) -> go.Figure:
    figure = figures.panels(1, columns, titles, 430, horizontal_spacing=0.09)
    figure.update_layout(
        title={"text": title, "x": 0.02, "y": 0.97, "yanchor": "top", "font": {"size": 15}},
        legend={"y": 0.9},
        margin={"t": 110},
    )
    return figure


def _add_band(
    figure: go.Figure, rows: pd.DataFrame, x: str, scheme: str, column: int, log: bool
) -> None:
    """The 5–95 % interval as a filled shape; a log scale has no place for zero."""
    rows = rows[rows["low"] > 0] if log else rows.dropna(subset="low")
    colour = figures.scheme_class(scheme).style.colour
    red, green, blue = (int(colour[i : i + 2], 16) for i in (1, 3, 5))
    xs = rows[x].tolist()
    figure.add_trace(
        go.Scatter(
            x=xs + xs[::-1], y=figures.rounded([*rows["high"], *rows["low"][::-1]]),
            fill="toself", fillcolor=f"rgba({red}, {green}, {blue}, 0.15)", mode="lines",
            line={"width": 0}, hoverinfo="skip", showlegend=False, legendgroup=scheme,
        ),
        1, column,
    )  # fmt: skip


def _add_theory_line(
    figure: go.Figure, rows: pd.DataFrame, x: str, scheme: str, column: int
) -> None:
    if "predicted" not in rows or rows["predicted"].isna().all() or scheme == "RAN-GD":
        return  # RAN-GD's law is DET-GD's
    trace = figures.line(
        f"theory {scheme} {column}",
        "theory",
        figures.scheme_class(scheme).style.colour,
        legendgroup=scheme,
    )
    trace.line.dash = "dash"
    trace.update(x=rows[x].tolist(), y=figures.rounded(rows["predicted"]))
    figure.add_trace(trace, 1, column)


def _add_theory_key(figure: go.Figure) -> None:
    trace = figures.line("theory", "theory", figures.GREY, legend=True)
    trace.line.dash = "dash"
    trace.update(x=[None], y=[None])
    figure.add_trace(trace, 1, 1)


def _say(values: Iterable[float]) -> str:
    """Numbers in words: three digits, or all before the point, and a dash where there is none."""

    def one(value: float) -> str:
        if np.isnan(value):
            return "–"
        return f"{value:,.0f}" if value >= 100 else f"{value:.3g}"

    return " ".join(map(one, values))


# --- claims ---------------------------------------------------------------------------------------


def verdict(as_stated: bool, with_condition: bool = False, testable: bool = True) -> str:
    """What the measured values say of a claim as it is stated, and of a weaker form of it.

    A claim about records that are not at hand is not `testable`, whatever a stand-in shows.

    >>> verdict(1 + 1 == 2), verdict(False, with_condition=True), verdict(False)
    ('holds', 'holds with a condition', 'does not hold')
    >>> verdict(True, testable=False)
    'not testable here'
    """
    if not testable:
        return "not testable here"
    if as_stated:
        return "holds"
    return "holds with a condition" if with_condition else "does not hold"


CLAIMS = (
    # privacy
    ("§7", "(5 %, 50 %) privacy means γ = 19", "Eq. 2"),
    ("§2.1", "The ratio of any two entries of A must not exceed γ", "a small MASK matrix"),
    ("§4.1", "γ-diagonal: a prior of 5 % rises to 50 %", "Bayes' rule, 12 cells, worst data"),
    ("§4.1", "RAN-GD, α = γx/2: the posterior lies in [33 %, 60 %]", "ρ₂(±α) for CENSUS"),
    ("§4.1", "Above and below 50 % are equally likely", "law of ρ₂(r), given the report"),
    ("§7", "A miner can determine no worse breach than 33 % for RAN-GD", "Bayes' rule, r unknown"),
    # parameters
    ("§7", "For MASK it is enough to count 2M bits, not all M_b", "a small dense matrix, γ = 19"),
    ("§7", "MASK on CENSUS: p = 0.5610", "(p/(1 − p))^2M = 19; γ at the printed p"),
    ("§7", "MASK on HEALTH: p = 0.5524", "the same"),
    ("§7", "C&P: at γ = 19 the appropriate ρ for K = 3 is 0.494", "γ = Σ ρ^−w for w = 0 … 3"),
    ("§7", "C&P: K = 3 gives the best accuracy", "exact ρ over F, every K, CENSUS"),
    # matrices
    (
        "§3, §7",
        "γ-diagonal: κ = 1 + n/(γ − 1) at every length",
        "numerical κ of 5 marginal matrices",
    ),
    (
        "§3",
        "No symmetric matrix with this γ has a lower κ",
        "Fano plane, random matrices; γ = 2, n = 7",
    ),
    ("§9", "γ-diagonal delivers the best accuracy at a given γ", "subset selection, 2,000 cells"),
    ("§3", "MASK: κ is of the order of 10⁵", "κ at full length, CENSUS and HEALTH"),
    ("§3", "C&P: κ is of the order of 10⁷", "largest κ of counts for K = 3, both data sets"),
    (
        "§7",
        "κ of MASK and C&P grows exponentially with length",
        "ratio of neighbouring lengths, CENSUS",
    ),
    (
        "§3",
        "C&P: p(u → v) depends only on the sizes of u and v",
        "dense matrix, reports of 2 items",
    ),
    # randomising
    ("§4.2", "Two terms of the variance of Y almost cancel", "exact terms, all cells of CENSUS"),
    ("§7", "RAN-GD is at most marginally less accurate than DET-GD", "trials of Figures 1 and 2"),
    ("§7", "RAN-GD's error hardly changes along α", "trials of Figure 3 against DET-GD's theory"),
    # mining
    ("Table 3", "CENSUS has 19, 102, 203, 165, 64, 10 frequent itemsets", "both kinds of bins"),
    ("Table 3", "HEALTH has 23, 123, 292, 361, 250, 86, 12", "mining the data at hand"),
    (
        "§7",
        "DET-GD is visibly better than MASK and C&P",
        "theory: ρ, σ⁻, σ⁺; rivals at their best, CENSUS",
    ),
    (
        "§9",
        "The gain is of an order of magnitude",
        "theory: better rival's error / DET-GD's, CENSUS",
    ),
    ("§7", "MASK and C&P degrade drastically with length", "mean ρ over F, CENSUS"),
    ("§7", "MASK finds nothing above length 4 on CENSUS", "pruned trials that find some"),
    ("§7", "MASK finds nothing above length 5 on HEALTH", "pruned trials that find some"),
    ("§7", "C&P does not work beyond length 3", "the longest length with an estimate"),
    (
        "§7",
        "A low κ is the reason for DET-GD's good results",
        "ranks of κ and of ρ by length, CENSUS",
    ),
    # algorithm
    ("§5", "Scanning the domain takes n/2 steps on average", "a sample of CENSUS"),
    ("§5", "Column by column it takes half the sum of the sizes", "all records of CENSUS"),
    ("§5", "For M boolean columns it takes exactly M steps", "31 boolean columns"),
    ("§5", "A column's draw needs only the previous column", "P(column 3 kept, if column 2 was)"),
)
"""The paper's statements in our words: where it stands, what it says, how it is tested. κ is a
condition number."""


def judged(results: dict[int, tuple[str, str]]) -> pd.DataFrame:
    """A table of claims: for each number in `CLAIMS`, from 1, what was measured and the verdict.

    >>> judged({1: ("19", verdict(True))}).loc[1, ["claim", "measured", "verdict"]].tolist()
    ['(5 %, 50 %) privacy means γ = 19', '19', 'holds']
    """
    return pd.DataFrame(
        [(*CLAIMS[number - 1], *result) for number, result in results.items()],
        columns=["where", "claim", "tested by", "measured", "verdict"],
        index=pd.Index(results, name="no."),
    )


class Prose:
    """A table of texts, shown so that they wrap and begin at the left; plain text has a line each.

    >>> Prose(judged({8: ("0.561037", verdict(True))}))
    8 | §7 | MASK on CENSUS: p = 0.5610 | (p/(1 − p))^2M = 19; γ at the printed p | 0.561037 | holds
    """

    def __init__(self, frame: pd.DataFrame) -> None:
        self.frame = frame

    def __repr__(self) -> str:
        rows = self.frame.itertuples(name=None)
        return "\n".join(" | ".join(map(str, row)) for row in rows)

    def _repr_html_(self) -> str:
        # A dollar sign in a text is money and no formula.
        options = ("display.max_colwidth", None, "display.html.use_mathjax", False)
        with pd.option_context(*options):
            html = self.frame.reset_index().to_html(index=False, border=0)
        html = html.replace(' style="text-align: right;"', "")
        for tag in ("td", "th"):
            html = html.replace(f"<{tag}>", f'<{tag} style="text-align:left;vertical-align:top">')
        return html
