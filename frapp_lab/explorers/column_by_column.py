"""One record, perturbed column by column (FRAPP §5)."""

from __future__ import annotations

from typing import Any

from frapp_lab.explorers import controls
from frapp_lab.explorers.kit.card import Card, Number
from frapp_lab.explorers.kit.explorer import Groups, explorer
from frapp_lab.explorers.kit.words import decades, in_words, say, short
from frapp_lab.explorers.models import column_by_column as model
from frapp_lab.explorers.models.column_by_column import (
    BOOLEAN_COLUMNS,
    BOOLEAN_SCAN,
    N_BOOLEAN,
    Parameters,
    Result,
    Step,
)
from frapp_lab.figures.look import BLACK, CHANGED, GREY, GRID, KEPT, plain, rounded, shade
from frapp_lab.figures.marks import LOG_AXIS, Mark, Panel, axis, bars, dots, label, note, spikes

UPPER, LOWER = -0.15, 0.15
"""Where a column's two bars stand: if all columns before it matched, and if not."""

FILLS = {"own": (KEPT, "#FFFFFF"), "other": (shade(CHANGED, 0.22), CHANGED)}
FILLS |= {"uniform": (shade(GREY, 0.3), GREY)}
"""Bars' colours and outlines; a pale fill is told from the paper by its outline."""

BARE: dict[str, Any] = {"showgrid": False, "showticklabels": False, "ticks": ""}


def _controls() -> Groups:
    first = Parameters()
    record = tuple(
        controls.Choice(
            a.name, a.name, tuple((c, code) for code, c in enumerate(a.categories)), value,
            f"the client's own value of {a.name}",
        )
        for a, value in zip(model.CENSUS.load().schema.attributes, first.record, strict=True)
    )  # fmt: skip
    return {
        "Settings": [
            controls.Gamma(value=first.gamma),
            controls.Slider(
                "columns", "columns drawn", first.columns, 0, len(record), 1,
                "how many columns of the record have been drawn",
            ),
            controls.Button(
                "next_column", "Next", "draw the next column; after the last, anew", "columns",
                in_bar=True,
            ),
            controls.Button(
                "play_columns", "Play", "draw column after column", "columns", seconds=0.9,
                in_bar=True,
            ),
            controls.Seed(first.seed),
        ],
        "The client's record": [controls.Several("record", record)],
        "More: ε": [controls.Breach()],
    }  # fmt: skip


@explorer(_controls, Parameters)
def column_by_column(p: Parameters) -> Card:
    """A record, γ and a seed: what every column reports and how many steps that takes."""
    result = model.compute(p)
    is_whole, n = result.is_whole, len(result.steps)
    chance, what = result.unchanged_so_far, "chance of no change so far"
    if is_whole or not result.drawn:  # before the first column nothing can have changed yet
        chance, what = result.unchanged, "chance γx, that nothing changes"
    last = f"up to {result.drawn[-1].name}" if result.drawn else "none yet"
    scan = f"scan: {result.by_scan:,}" if is_whole else ""
    return Card(
        headline=_headline(result),
        numbers=[
            Number(short(chance), what),
            Number(str(result.n_changed), "columns changed", f"of {n}"),
            Number(str(result.by_columns), "values looked at", scan),
        ],
        panels=[_chances(result), _looked_at(result)],
        words=_words(result),
        lines={"columns": "all" if is_whole else last},
        height=426,
        gap=0.06,
        layout={"margin": {"l": 134, "r": 10, "t": 46, "b": 44}, "barmode": "overlay"},
    )


# --- the figure -----------------------------------------------------------------------------------


def _chances(result: Result) -> Panel:
    """Draw the bars of each column, darts where it is drawn, and what becomes of it."""
    steps = list(enumerate(result.steps))
    # The lower bars come with the mismatch that calls for them: until then they would only confuse.
    lower = {j for j, _ in steps if j > result.first_change}
    segments = [segment for j, step in steps for segment in _segments(j, step, j in lower)]
    marks = []
    for kind, fill in FILLS.items():
        for name, opacity in ((kind, 1.0), (f"{kind} unused", 0.35)):
            marks += _bars(name, *fill, opacity, [s for s in segments if s[0] == name])
    edges = [x for _, step in steps for x in step.aim(before=True)]
    middles = [j + UPPER for j, _ in steps for _ in range(2)]
    low, high = [y - 0.13 for y in middles], [y + 0.13 for y in middles]
    look: dict[str, Any] = {"opacity": 0.6, "says": "ends of the own value", "ghost": True}
    marks.append(spikes("edges", edges, low, high, KEPT, **look))  # what γ moves
    drawn = steps[: len(result.drawn)]
    marks += _darts("kept", KEPT, "circle", [(j, s) for j, s in drawn if s.matched])
    marks += _darts("changed", CHANGED, "x", [(j, s) for j, s in drawn if not s.matched])
    words = [text for j, step in steps for text in _names(j, step, len(drawn))]
    key = f"<br>■ own value □ another{' ▒ uniform' if lower else ''}"  # filled as the bars are
    if drawn:
        j, step = drawn[-1]
        ring: dict[str, Any] = {"size": 16, "edge": 2, "hoverinfo": "skip"}
        marks.append(dots("now", [step.u], [_height(j, step)], BLACK, "circle-open", **ring))
        words.append(label(_aimed(step), marks[-1], xshift=14, size=11))
    across, down = axis(0, 1, "random number (the dart)", tick=0.25), axis(5.6, -0.6, **BARE)
    return Panel("Chance of each value", across, down, marks, words, width=0.68, says=key)


Segment = tuple[str, float, float, float, str, str]
"""Its trace, where it starts, its width, its height, which value it is, and words in it."""


def _segments(j: int, step: Step, has_lower: bool) -> list[Segment]:
    """Cut the bars of a column into a segment for each value."""
    found = []
    for side, chances in ((UPPER, step.matching), (LOWER, step.uniform))[: 1 + has_lower]:
        used = step.is_drawn and step.before == (side == UPPER)
        starts = chances.cumsum() - chances
        for code, category in enumerate(step.categories):
            kind = "own" if code == step.own else "other" if side == UPPER else "uniform"
            says, chance = plain(f"{step.name}: {category}"), float(chances[code])
            text = f"own {chance:.2f}" if used and kind == "own" else ""
            name = kind if used else f"{kind} unused"
            found.append((name, float(starts[code]), chance, j + side, says, text))
    return found


def _bars(name: str, colour: str, edge: str, opacity: float, segments: list[Segment]) -> list[Mark]:
    """Draw the segments of columns' bars, each with a start of its own; none are no mark."""
    if not segments:
        return []
    _, starts, widths, heights, says, texts = zip(*segments, strict=True)
    outline = {"line": {"color": edge, "width": 1.5}}
    mark = bars(
        name, widths, heights, colour, base=rounded(starts), customdata=[*says], text=[*texts],
        orientation="h", width=0.26, opacity=opacity, marker=outline, textposition="inside",
        insidetextanchor="middle", textangle=0, textfont={"size": 10, "color": "#FFFFFF"},
        hovertemplate="%{customdata}: chance %{x:.3f}<extra></extra>",
    )  # fmt: skip
    return [mark]


def _darts(name: str, colour: str, symbol: str, steps: list[tuple[int, Step]]) -> list[Mark]:
    """Draw the random numbers of columns beside the bars that they hit; none are no mark."""
    heights = [_height(j, s) for j, s in steps]
    says = [plain(f"{s.name}: reported {s.categories[s.reported]}") for _, s in steps]
    edge = {"width": 1.5, "color": "#FFFFFF"}
    marker = {"size": 11, "color": colour, "symbol": symbol, "line": edge}
    hover = "dart at %{x:.3f}<br>%{text}<extra></extra>"
    look: dict[str, Any] = {"marker": marker, "text": says, "hovertemplate": hover}
    return [dots(name, [s.u for _, s in steps], heights, colour, **look)] if steps else []


def _height(j: int, step: Step) -> float:
    """Give where a column's dart stands: beside the bar that it hits."""
    return j + 2.95 * (UPPER if step.before else LOWER)


def _names(j: int, step: Step, n_drawn: int) -> list[Mark]:
    """Write beside a column its name, the client's value, and what becomes of it."""
    outcome, colour = _outcome(step) if j <= n_drawn else ("", "")  # the next one speaks for all
    name = f"{'▸ ' * (j == n_drawn - 1)}<b>{plain(step.name)}</b>"
    own = plain(step.categories[step.own])
    left: dict[str, Any] = {"xanchor": "right", "xref": "x domain"}
    return [
        _label(text, -0.02, j + below, tint, **left)
        for text, tint, below in ((name, "", -0.31), (own, "", 0), (plain(outcome), colour, 0.31))
        if text
    ]


def _looked_at(result: Result) -> Panel:
    """Draw how many values are looked at, column by column and by a scan."""
    scan = result.by_scan if result.is_whole else None
    counted = {
        "this report": (result.by_columns, scan),
        "on average": (round(result.mean_columns, 1), round(result.mean_scan)),
        f"{N_BOOLEAN} yes/no": (BOOLEAN_COLUMNS, BOOLEAN_SCAN),
    }
    marks, words = [], []
    for i, (name, colour, below) in enumerate((("columns", BLACK, 0.2), ("scan", GREY, 0.5))):
        known = [(row + below, n[i]) for row, n in enumerate(counted.values()) if n[i]]
        heights, counts = zip(*known, strict=True)
        marks.append(bars(name, counts, heights, colour, orientation="h", width=0.1))
    for row, (name, (by_columns, by_scan)) in enumerate(counted.items()):
        words += [
            _label(f"<b>{name}</b>", 0, row - 0.13),
            _label(f"columns: {_said(by_columns)}", 0, row + 0.05),
            _label(f"scan: {_said(by_scan)}", 0, row + 0.36, GREY),
        ]
    look: dict[str, Any] = LOG_AXIS | decades(0, 9, 3) | {"showgrid": True, "gridcolor": GRID}
    across = axis(0, 9.3, "values (log)", **look)
    title, says = "Values looked at", "<br>by columns, or a scan"
    return Panel(title, across, axis(2.75, -0.25, **BARE), marks, words, width=0.32, says=says)


def _label(text: str, x: Any, y: float, colour: str = "", **options: Any) -> Mark:
    """Write small words on the card of columns; without a colour they have that of all text."""
    font = {"size": 11, "color": colour} if colour else {"size": 11}
    return note(text, x, y, colour, font=font, **options)


# --- words ----------------------------------------------------------------------------------------


def _said(count: float | None) -> str:
    if count is None:
        return "not known yet"
    return f"2<sup>{N_BOOLEAN - 1}</sup>" if count == BOOLEAN_SCAN else in_words(count)


def _aimed(step: Step) -> str:
    """Say where a column's dart fell and where it had to fall, in digits that tell them apart."""
    places = step.u, *step.aim(step.before)
    written = ([f"{place:.{digits}f}" for place in places] for digits in range(2, 17))
    u, low, high = next(texts for texts in written if texts[0] not in texts[1:])
    return f"{u} {'hits' if step.matched else 'misses'} {low}–{high}"


def _outcome(step: Step) -> tuple[str, str]:
    """Say what becomes of a column, and give the colour of that."""
    if not step.is_drawn:
        return "not drawn yet", GREY
    if step.matched:
        return ("● kept" if step.before else "● same by chance"), KEPT
    return f"✕ {step.categories[step.reported]}", CHANGED


def _headline(result: Result) -> str:
    """Say what happens at the last column that is drawn, or what was changed in all."""
    if not result.drawn:
        first = result.steps[0]
        return f"Nothing is drawn yet: {first.name} would be kept with chance {short(first.keep)}."
    step = result.drawn[-1]
    reported = step.categories[step.reported]
    if not result.is_whole:
        start = f"In this draw {step.name}"
        if not step.before:
            ending = f"stays {reported} by chance" if step.matched else f"becomes {reported}"
            return f"{start}, drawn uniformly, {ending}."
        if step.matched:
            return f"{start} is kept; the chance of that was {step.keep:.2f}."
        return f"{start} becomes {reported}: from here every column is uniform."
    if not result.n_changed:
        return "No column changed in this draw: the record is sent as it is."
    first = result.steps[result.first_change]
    text = f"{result.n_changed} of {len(result.steps)} columns changed in this draw"
    if first is step:
        return f"{text}: {step.name}, the last one."
    return f"{text}; after {first.name} all are uniform."


def _words(result: Result) -> str:
    """Say column after column what happens, and what a scan would take."""
    waiting = ", ".join(step.name for step in result.steps[len(result.drawn) :])
    return say(
        f"At γ = {result.parameters.gamma:.4g}, column by column:" if result.drawn
        else f"At γ = {result.parameters.gamma:.4g} each column waits for a random number.",
        *map(_sentences, result.drawn),
        not result.is_whole and f"Not yet drawn: {waiting}.",
        result.is_whole
        and not result.n_changed
        and "No column was changed: the record is sent as it is.",
        result.parameters.gamma < 1.5
        and "So close to γ = 1 even a matching column is nearly uniform: the report says "
        "almost nothing about the record.",
        f"All six columns stay the same with probability γx = {short(result.unchanged)}, "
        "the product of the six probabilities of keeping.",
        result.is_whole
        and f"Column by column this report took {result.by_columns} steps; a scan of all "
        f"{result.n_cells:,} cells would have taken {result.by_scan:,} to reach it.",
        f"On average a report of this record takes {result.mean_columns:.1f} steps by columns "
        f"and {result.mean_scan:,.0f} by a scan. With {N_BOOLEAN} yes/no columns it would be "
        f"{BOOLEAN_COLUMNS:g} against 2 to the power {N_BOOLEAN - 1}, "
        f"about {BOOLEAN_SCAN / 1e9:.1f} billion.",
    )  # fmt: skip


def _sentences(step: Step) -> str:
    name, reported = f"{step.name} {step.categories[step.own]}", step.categories[step.reported]
    if not step.before:
        luck = " by chance" if step.matched else ""
        return f"{name}: uniform, dart at {step.u:.2f}, reported {reported}{luck}."
    start = f"{name}: kept with probability {step.keep:.2f}, dart at {step.u:.2f}, "
    if step.matched:
        return f"{start}reported {reported}: a match."
    return f"{start}reported {reported}: a mismatch. From here every column is uniform."
