"""What the card of matrices says: of a scheme's matrix, a typed one, a pushed one, and of a row."""

from __future__ import annotations

import math

from frapp_lab.explorers.kit.words import in_words, say, short
from frapp_lab.explorers.models.lit_row import Shown
from frapp_lab.explorers.models.matrices import OWN, PUSHED, Result
from frapp_lab.explorers.models.own_matrix import EXAMPLE, RECORDS, SUPPORT, Own


def said(number: float) -> str:
    """Write a number of a matrix on its card, which may be infinite or missing."""
    if math.isfinite(number):
        return in_words(number)
    return "∞" if math.isinf(number) else "–"


def named(shown: Shown, u: int) -> str:
    """Name what a column of the matrix stands for: `record 7`, `bits 101`."""
    return f"{shown.of} {shown.columns[u]}"


def headline(result: Result) -> str:
    """Say of the matrix shown what there is to be seen, or of its row that was chosen."""
    if result.asks_row and result.shown:
        return _row_headline(result, result.shown)
    own = {OWN: _own_headline, PUSHED: _pushed_headline}
    return own.get(result.label, _headline)(result)


def words(result: Result) -> str:
    """Say in words all that the card of matrices shows."""
    return {OWN: _own_words, PUSHED: _pushed_words}.get(result.label, _words)(result)


def _headline(result: Result) -> str:
    label, k = result.label, result.length
    if result.chosen.problem:
        return f"{label} cannot be had at this setting: the words say why."
    if result.chosen.why_not:
        return f"{label} cannot undo itemsets of length {k}: its matrix is singular."
    number, (other, others) = in_words(result.number), result.rival
    rest = "" if in_words(others) == number else f", that of {other} {in_words(others)}"
    return f"At length {k} the condition number of {label} is {number}{rest}."


def _words(result: Result) -> str:
    """Say the bound on condition numbers, each scheme's, and in its own words what it cannot do."""
    p, n, k, lowest = result.parameters, result.n_cells, result.length, result.lowest
    return say(
        f"{n} cells, γ = {p.gamma:.4g}, itemsets of length {k}. No symmetric positive definite "
        f"matrix over all {n} cells has a condition number below (γ + n − 1)/(γ − 1) = "
        f"{in_words(result.lower_bound)}. DET-GD attains this bound, and it has the same number at "
        "every length; RAN-GD has DET-GD's matrix on average.",
        _lit(result, f"{result.label}'s matrix"),
        _bayes(result.shown),
        bool(lowest)
        and f"Condition numbers at length {k}: {_listed(result)}. {' and '.join(lowest)} "
        f"{'have' if len(lowest) > 1 else 'has'} the lowest of those shown. The matrices are of "
        "different sizes, so a number says how much a scheme can magnify the noise in its own "
        "reports, not yet how large that noise is.",
        bool(result.below)
        and f"Below the bound: {', '.join(result.below)}. That is no contradiction, because the "
        f"bound is for symmetric positive definite matrices over all {n} cells: a matrix that is "
        "smaller or of another kind may lie below it.",
        *result.missing,
        *(f"{s} cannot be undone here: {f.why_not}." for s, f in result.every.items() if f.why_not),
        p.gamma < 1.5
        and "So close to γ = 1 every column of a matrix is almost the same: the heat map loses its "
        "diagonal, and the condition numbers grow without limit.",
        not p.schemes and "No scheme is switched on.",
        p.own != EXAMPLE and own_message(result.own),
    )


def _lit(result: Result, whose: str) -> str:
    """Say which two entries of the matrix's lit row make the ratio."""
    if not (shown := result.shown) or not shown.lit:
        return ""
    high, low = (f"{shown.matrix[shown.row, u]:.3g}" for u in (shown.largest, shown.smallest))
    part = "This matrix is of a part of the report; over whole reports the largest is"
    rest = f". {part} γ = {result.chosen.gamma:.4g}"
    if result.is_gamma:
        rest = ", and that is γ"
    elif shown.ratio < shown.highest * (1 - 1e-9):
        rest = f"; in the row where it is largest it is {said(shown.highest)}"
    elif result.label == PUSHED:
        rest = ""
    entries = f"In the lit row of {whose} the largest entry is {high} and the smallest {low}"
    return f"{entries}: their ratio is {said(shown.ratio)}{rest}."


def _bayes(shown: Shown | None) -> str:
    """Say who could have sent the report of the matrix's lit row."""
    if not shown or shown.row is None:
        return ""
    if shown.senders is None:
        return f"Nobody sends report {shown.rows[shown.row]}: its row has only zeros."
    (least, most), n = _ends(shown), len(shown.columns)
    likely = (
        f"{named(shown, shown.largest)} with {most}, {named(shown, shown.smallest)} with {least}"
    )
    before = f"if all {n} are equally common, {short(1 / n)} each"
    return f"Who sent the lit report {shown.rows[shown.row]}? By Bayes, {before}: {likely}."


def _row_headline(result: Result, shown: Shown) -> str:
    """Say what Bayes makes of the row of the matrix that was chosen."""
    report, least, most = shown.rows[shown.row or 0], *_ends(shown)
    if least == most:
        nothing = "almost nothing" if shown.ratio > 1 + 1e-9 else "nothing"
        return f"Report {report} says {nothing}: it is as likely from every {shown.of}."
    sent = f"Report {report} came from {named(shown, shown.largest)} with {most}"
    return f"{sent}, if all {len(shown.columns)} are equally common."


def _ends(shown: Shown) -> tuple[str, str]:
    """Write the chances of the least likely and of the likeliest sender of the lit report."""
    chances = (0.0,) if shown.senders is None else shown.senders
    return short(float(min(chances))), short(float(max(chances)))


def _listed(result: Result) -> str:
    return ", ".join(f"{label} {in_words(number)}" for label, number in result.at_length.items())


def _own_headline(result: Result) -> str:
    own = result.own
    if own.problems:
        return f"My own matrix: {own.problems[0]}."
    has = f"My own matrix has γ = {said(own.gamma)}"
    if math.isinf(own.condition):
        return f"{has}, and it is singular: nobody can undo it."
    if math.isinf(own.gamma):
        return f"{has}: report {result.rarest[0]} rules out record {result.rarest[1]}."
    condition, other = in_words(own.condition), in_words(result.lower_bound)
    return f"{has} and condition number {condition}; γ-diagonal has {other}."


def own_message(own: Own) -> str:
    """Say in a sentence or two what the typed matrix means, for the card of matrices."""
    if own.problems or own.matrix is None:
        return f"My own matrix: {'; '.join(own.problems)}."
    rows, columns = own.matrix.shape
    it = f"My own matrix ({rows} × {columns}) has γ = {said(own.gamma)}"
    if math.isinf(own.condition):
        return f"{it}. It is singular: different data give the same reports, so none can be undone."
    other = f"; that of γ-diagonal at the same γ and n is {100 * own.diagonal:.2g}"
    return (
        f"{it} and condition number {in_words(own.condition)}. With N = {RECORDS:,} records an "
        f"estimated support of {100 * SUPPORT:g} % would have a standard deviation of "
        f"{100 * own.deviation:.2g} percentage points{other * math.isfinite(own.diagonal)}."
    )


def _own_words(result: Result) -> str:
    own, (report, record), listed = result.own, result.rarest, _listed(result) * result.is_own
    bound = result.lower_bound if result.is_own else math.nan
    return say(
        own_message(own),
        bool(own.problems)
        and "A column holds the chances of all reports of one record: none is negative, and they "
        "sum to one. The condition numbers shown are those of the schemes at "
        f"γ = {result.gamma:.4g} and {result.n_cells} cells.",
        _lit(result, "my own matrix"),
        _bayes(result.shown),
        math.isinf(own.gamma)
        and f"Report {report} cannot come from record {record}: whoever sends it has ruled that "
        "record out. No γ bounds this.",
        listed and f"At this γ and n the schemes' condition numbers are: {listed}.",
        *result.missing,
        math.isfinite(bound) and f"The bound (γ + n − 1)/(γ − 1) is {in_words(bound)}.",
        own.condition < bound * (1 - 1e-9)
        and "My own matrix lies below it: it is not symmetric positive definite.",
    )


def _pushed_headline(result: Result) -> str:
    """Say how far the diagonal is pushed, and whether γ stops it."""
    it, gamma = result.pushed, f"γ = {result.pushed.gamma:.4g}"
    kappa, ratio = in_words(it.condition), said(it.ratio)
    if it.share == 0:
        return f"All entries are 1/{it.n}: the reports say nothing, and nobody can undo them."
    if it.at_limit:
        return f"The diagonal is where {gamma} stops it: condition number {kappa}, the lower bound."
    if not it.keeps:
        return f"{gamma} stops this: diagonal ÷ others is {ratio}. Condition number {kappa}."
    return f"Diagonal ÷ others is {ratio}, and {gamma} allows more. Condition number {kappa}."


def _pushed_words(result: Result) -> str:
    """Say the proof of §3 with the numbers of the pushed diagonal."""
    it, n = result.pushed, result.pushed.n
    return say(
        f"{n} cells, γ = {it.gamma:.4g}. The diagonal is {it.diagonal:.4g}, every other entry "
        f"{it.other:.4g}: their ratio is {said(it.ratio)}, which "
        f"{'keeps to' if it.keeps else 'breaks'} γ.",
        f"A column sums to one, so that a larger diagonal leaves less for the {n - 1} others. "
        "Each of them must be at least a γth of it, so that the diagonal cannot exceed "
        f"γ/(γ + n − 1) = {it.limit:.3g}. The mark on the slider is there.",
        f"The smallest eigenvalue is (n·d − 1)/(n − 1) = {it.share:.4g} with d the diagonal, and "
        f"the condition number is 1 over it: {said(it.condition)}. It falls as the diagonal grows, "
        f"until γ stops it at {in_words(result.lower_bound)}: that is DET-GD.",
        result.length < len(result.parameters.sizes)
        and f"The matrix shown is that of itemsets of length {result.length}; the condition number "
        "is the same at every length.",
        _lit(result, "the matrix shown"),
        _bayes(result.shown),
        *result.missing,
    )
