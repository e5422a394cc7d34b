"""What `ColumnByColumn` draws and says, against an enumeration of all reports."""

import itertools
from math import prod

import numpy as np
import pytest

import frapp_lab as fl
from explorers.cards import texts, traces
from frapp_lab import explorers
from frapp_lab.explorers import column_by_column as card
from frapp_lab.explorers.models import column_by_column

SIZES = (4, 5, 5, 5, 2, 2)
NAMES = ("age", "fnlwgt", "hours-per-week", "race", "sex", "native-country")
CATEGORIES = [a.categories for a in fl.load_census().schema.attributes]


def record(ex):
    """The client's own codes."""
    return tuple(ex.controls[name].value for name in NAMES)


def keep(gamma, j):
    """P(column j is kept | all before it were), from the sums of the matrix's entries."""

    def of_first(k):
        return gamma - 1 + prod(SIZES[k:])

    return of_first(j + 1) / of_first(j)


def draw(own, gamma, seed):
    """The report by the paper's algorithm, one uniform number for each column."""
    report, on_track = [], True
    for j, u in enumerate(np.random.default_rng(seed).random(6)):
        k = keep(gamma, j)
        chances = [
            (k if v == own[j] else (1 - k) / (SIZES[j] - 1)) if on_track else 1 / SIZES[j]
            for v in range(SIZES[j])
        ]
        report.append(next(v for v in range(SIZES[j]) if u < sum(chances[: v + 1])))
        on_track = on_track and report[-1] == own[j]
    return tuple(report)


def means(own, gamma):
    """How many values all reports of a record look at on average, by columns and by a scan."""
    chances = dict.fromkeys(itertools.product(*map(range, SIZES)), 1 / (gamma + 1999))
    chances[own] *= gamma
    by_columns = sum(chance * (sum(v) + 6) for v, chance in chances.items())
    return by_columns, sum(i * chance for i, chance in enumerate(chances.values(), 1))


def segments(ex, row):
    """What stands in a bar: (start, width, words, is it in use)."""
    shown, found = traces(ex), []
    for kind, rest in itertools.product(("own", "other", "uniform"), ("", " unused")):
        trace = shown.get(kind + rest)
        if trace:
            points = zip(trace["base"], trace["x"], trace["y"], trace["customdata"], strict=True)
            found += [(b, x, words, not rest, kind) for b, x, y, words in points if y == row]
    return sorted(found)


@pytest.mark.parametrize("seed", range(8))
@pytest.mark.parametrize("gamma", [1.01, 19.0, 1000.0])
def test_what_is_drawn_is_the_papers_algorithm(seed, gamma):
    ex = explorers.ColumnByColumn(gamma=gamma, seed=seed, race=3, columns=6)
    own = record(ex)
    assert own == (0, 1, 2, 3, 1, 0)
    report, shown, before = draw(own, gamma, seed), traces(ex), True
    uniforms = np.random.default_rng(seed).random(6)
    darts = {
        round(y): (x, name)
        for name in ("kept", "changed")
        for x, y in zip(*(shown.get(name, {"x": [], "y": []})[a] for a in "xy"), strict=True)
    }
    for j, name in enumerate(NAMES):
        upper, lower = segments(ex, j - 0.15), segments(ex, j + 0.15)
        assert [s[2] for s in upper] == [f"{name}: {c}" for c in CATEGORIES[j]]
        k = keep(gamma, j)
        widths = [k if v == own[j] else (1 - k) / (SIZES[j] - 1) for v in range(SIZES[j])]
        assert [s[1] for s in upper] == pytest.approx(widths, rel=1e-3)
        assert [s[0] for s in upper] == pytest.approx(np.cumsum([0, *widths[:-1]]), abs=1e-3)
        assert [s[4] == "own" for s in upper] == [v == own[j] for v in range(SIZES[j])]
        # Lower bars come only with the mismatch that calls for them.
        assert [s[1] for s in lower] == pytest.approx([1 / SIZES[j]] * (SIZES[j] * (not before)))
        assert {s[3] for s in upper} == {before}
        assert {s[3] for s in lower} == (set() if before else {True})
        used = upper if before else lower
        hit = [s[2] for s in used if s[0] <= uniforms[j] < s[0] + s[1]]
        assert hit == [f"{name}: {CATEGORIES[j][report[j]]}"]
        is_kept = report[j] == own[j]
        assert darts[j] == (pytest.approx(uniforms[j], rel=1e-3), "kept" if is_kept else "changed")
        outcome = texts(ex)[2 + 3 * j :][:3]  # after the titles, three for each column
        assert outcome[:2] == ["▸ " * (j == 5) + f"<b>{name}</b>", CATEGORIES[j][own[j]]]
        assert outcome[2] == (
            f"✕ {CATEGORIES[j][report[j]]}" if not is_kept
            else "● kept" if before else "● same by chance"
        )  # fmt: skip
        ends = shown["edges"]["x"][6 * j :][:6]
        start = sum(widths[: own[j]])
        assert ends[0] == ends[1] == pytest.approx(start, abs=1e-3)
        assert ends[3] == ends[4] == pytest.approx(start + k, abs=1e-3)
        before = before and is_kept
    cells = list(itertools.product(*map(range, SIZES)))
    columns, scan = means(own, gamma)
    assert shown["columns"]["x"] == [sum(report) + 6, pytest.approx(columns, abs=0.05), 46.5]
    assert shown["scan"]["x"] == [cells.index(report) + 1, pytest.approx(scan, abs=0.5), 2**30]
    numbers = ex.card.state["numbers"]
    assert numbers[0]["value"] == f"{100 * gamma / (gamma + 1999):.3g} %"
    assert numbers[1]["value"] == str(sum(a != b for a, b in zip(report, own, strict=True)))
    assert (numbers[2]["value"], numbers[2]["rest"]) == (
        str(sum(report) + 6),
        f"scan: {cells.index(report) + 1:,}",
    )


def test_what_is_not_drawn_is_not_told():
    ex = explorers.ColumnByColumn()
    for gamma, seed, columns in itertools.product((2.0, 19.0, 900.0), range(6), range(6)):
        ex.set(gamma=gamma, seed=seed, columns=columns)
        shown, own, report = traces(ex), record(ex), draw(record(ex), gamma, seed)
        darts = sum(len(shown.get(name, {"x": []})["x"]) for name in ("kept", "changed"))
        assert darts == columns
        for j in range(columns, 6):
            rows = segments(ex, j - 0.15) + segments(ex, j + 0.15)
            assert not any(in_use for *_, in_use, _ in rows)
            has_lower = report[:columns] != own[:columns] and j > next(
                i for i in range(columns) if report[i] != own[i]
            )
            assert bool(segments(ex, j + 0.15)) == has_lower
        assert texts(ex).count("not drawn yet") == 1  # the next column says it for all
        assert [t for t in texts(ex) if t.startswith("▸")] == [
            f"▸ <b>{name}</b>" for name in NAMES[:columns][-1:]
        ]
        assert "scan: not known yet" in texts(ex)
        mean, scan = means(own, gamma)
        assert shown["scan"]["x"] == [pytest.approx(scan, abs=0.5), 2**30]
        looked_at = sum(report[:columns]) + columns
        assert shown["columns"]["x"] == [
            *([looked_at] if columns else []), pytest.approx(mean, abs=0.05), 46.5
        ]  # fmt: skip
        values = [number["value"] for number in ex.card.state["numbers"]]
        changed = sum(a != b for a, b in zip(report[:columns], own, strict=False))
        chance = 100 * prod(keep(gamma, j) for j in range(columns or 6))
        assert values[1:] == [str(changed), str(looked_at)]
        assert float(values[0].removesuffix(" %")) == pytest.approx(chance, rel=0.006)
        assert ex.summary.endswith("about 1.1 billion.")
        assert f"takes {mean:.1f} steps by columns and {scan:,.0f} by a scan" in ex.summary
        assert f"columns: {mean:.1f}" in texts(ex)
        assert f"scan: {scan:,.0f}" in texts(ex)
        assert "this report took" not in ex.summary
        waiting = ", ".join(NAMES[columns:])
        assert f"Not yet drawn: {waiting}." in ex.summary
        assert not any(f"{name} {c[v]}: " in ex.summary for name, c, v in
                       zip(NAMES[columns:], CATEGORIES[columns:], own[columns:], strict=True)
                       )  # fmt: skip


def test_the_headline_is_true_everywhere():
    ex, kinds = explorers.ColumnByColumn(), set()
    for gamma, seed, columns in itertools.product((1.01, 19.0, 1000.0), range(8), range(7)):
        ex.set(gamma=gamma, seed=seed, columns=columns)
        headline, own = ex.card.state["headline"], record(ex)
        assert len(headline) <= 85
        report = draw(own, gamma, seed)[:columns]
        wrong = [j for j in range(columns) if report[j] != own[j]]
        if columns == 0:
            start = "Nothing is drawn yet: age would be kept with chance "
            assert headline.startswith(start)
            said = float(headline.removeprefix(start).removesuffix(" %."))
            assert said == pytest.approx(100 * keep(gamma, 0), rel=0.006)
            continue
        assert "in this draw" in headline.lower()
        j = columns - 1
        value = CATEGORIES[j][report[j]]
        if columns == 6 and not wrong:
            kind, said = "none", "No column changed in this draw: the record is sent as it is."
        elif columns == 6 and wrong == [5]:
            kind = "last"
            said = "1 of 6 columns changed in this draw: native-country, the last one."
        elif columns == 6:
            kind, first = "some", NAMES[wrong[0]]
            said = f"{len(wrong)} of 6 columns changed in this draw; after {first} all are uniform."
        elif not wrong:
            kind = "match"
            said = f"In this draw {NAMES[j]} is kept; the chance of that was {keep(gamma, j):.2f}."
        elif wrong == [j]:
            kind = "mismatch"
            said = f"In this draw {NAMES[j]} becomes {value}: from here every column is uniform."
        else:
            kind = "uniform, other" if j in wrong else "uniform, same"
            ending = f"becomes {value}" if j in wrong else f"stays {value} by chance"
            said = f"In this draw {NAMES[j]}, drawn uniformly, {ending}."
        assert headline == said
        kinds.add(kind)
    assert kinds >= {"none", "some", "match", "mismatch", "uniform, other", "uniform, same"}


def test_a_change_of_the_last_column_alone_leaves_none_to_be_uniform():
    seed = next(s for s in range(5000) if draw((0, 1, 2, 0, 1, 0), 19.0, s) == (0, 1, 2, 0, 1, 1))
    ex = explorers.ColumnByColumn(seed=seed, columns=6)
    assert ex.card.state["headline"] == (
        "1 of 6 columns changed in this draw: native-country, the last one."
    )


def test_next_and_play_draw_column_after_column():
    ex = explorers.ColumnByColumn()
    seen = []
    ex.controls["columns"].observe(lambda change: seen.append(change["new"]), "value")
    for _ in range(8):
        ex.controls["next_column"].click()
    assert seen == [1, 2, 3, 4, 5, 6, 0, 1]  # the first press is the first thing that happens
    ex.controls["columns"].value, seen[:] = 4, []
    ex.controls["play_columns"].click()
    assert seen == [5, 6]
    ex.controls["play_columns"].click()
    assert seen[2:] == [0, 1, 2, 3, 4, 5, 6]


def test_axes_stand_still():
    ex = explorers.ColumnByColumn()

    def axes():
        layout = ex.card.state["layout"]
        return {name: part for name, part in layout.items() if "axis" in name}

    first = axes()
    assert all("range" in axis and axis["type"] != "-" for axis in first.values())
    for gamma, seed, columns in itertools.product((1.01, 1000.0), (0, 3), (0, 6)):
        ex.set(gamma=gamma, seed=seed, columns=columns)
        assert axes() == first


def test_only_what_gamma_moves_has_a_ghost():
    ex = explorers.ColumnByColumn()
    shown = [[ex.card.state["data"][i] for i in ex.card.state["ghosts"]]]
    for columns, seed in ((0, 3), (4, 8)):
        ex.set(columns=columns, seed=seed)
        shown.append([ex.card.state["data"][i] for i in ex.card.state["ghosts"]])
    assert shown[0] == shown[1] == shown[2]
    assert [trace["meta"] for trace in shown[0]] == ["edges"]


def test_at_each_step_the_dart_is_told_beside_what_it_had_to_hit():
    ex, kinds = explorers.ColumnByColumn(), set()
    assert not any("hits" in text or "misses" in text for text in texts(ex))
    for gamma, seed, columns in itertools.product((1.01, 19.0, 1000.0), range(12), range(1, 7)):
        ex.set(gamma=gamma, seed=seed, columns=columns)
        own, j = record(ex), columns - 1
        report, u = draw(own, gamma, seed), np.random.default_rng(seed).random(6)[j]
        on_track = report[:j] == own[:j]
        k = keep(gamma, j) if on_track else 1 / SIZES[j]
        low = own[j] * (1 - k) / (SIZES[j] - 1)
        [told] = [note for note in ex.card.state["layout"]["annotations"] if note.get("name")]
        assert told["name"] == "now"
        ring = traces(ex)["now"]
        assert (ring["x"], ring["y"]) == ([told["x"]], [told["y"]])
        assert ring["x"] == [pytest.approx(u, rel=1e-3)]
        assert ring["y"] == [pytest.approx(j + (-0.44 if on_track else 0.44), abs=0.01)]
        at, verb, span = told["text"].split()
        start, end = map(float, span.split("–"))
        assert (float(at), start, end) == pytest.approx((u, low, low + k), abs=0.006)
        # As it is written, too: no dart seems to lie on an edge.
        assert verb == ("hits" if start < float(at) < end else "misses")
        assert float(at) not in (start, end)
        assert (verb == "hits") == (report[j] == own[j])
        kinds.add((verb, on_track))
    assert len(kinds) == 4


def test_a_dart_near_an_edge_is_told_with_more_digits():
    step = column_by_column.Step(
        name="a", categories=("b", "c"), own=0, reported=1, u=0.50002, before=True,
        matching=np.array([0.5, 0.5]), uniform=np.array([0.5, 0.5]), is_drawn=True,
    )  # fmt: skip
    assert card._aimed(step) == "0.50002 misses 0.00000–0.50000"


def test_no_value_of_the_record_is_an_error():
    ex = explorers.ColumnByColumn(columns=6)
    for name, size in zip(NAMES, SIZES, strict=True):
        for code in (0, size - 1):
            ex.controls[name].value = code
            assert ex.error is None
    assert record(ex) == tuple(size - 1 for size in SIZES)
    assert ex.parameters().record == record(ex)


def test_it_opens_before_anything_has_happened():
    ex = explorers.ColumnByColumn()
    assert ex.parameters().columns == 0
    assert ex.summary.startswith(
        "At γ = 19 each column waits for a random number. Not yet drawn: age, fnlwgt, "
    )
    assert "uniform" not in traces(ex)
    assert not {"kept", "changed", "now"} & set(traces(ex))


def test_the_words_of_the_opening_setting_when_all_is_drawn():
    assert (
        "hours-per-week [40,60): kept with probability 0.32, dart at 0.80, reported [60,80): a "
        "mismatch. From here every column is uniform. race White: uniform, dart at 0.58, reported "
        "Amer-Indian-Eskimo. sex Male: uniform, dart at 0.09, reported Female. native-country "
        "United-States: uniform, dart at 0.43, reported United-States by chance. All six columns "
        "stay the same with probability γx = 0.942 %, the product of the six probabilities of "
        "keeping. Column by column this report took 12 steps; a scan of all 2,000 cells would have "
        "taken 169 to reach it."
    ) in explorers.ColumnByColumn(columns=6).summary
    near = explorers.ColumnByColumn(gamma=1.01, columns=6).summary
    assert "So close to γ = 1 even a matching column is nearly uniform" in near
    sent = explorers.ColumnByColumn(gamma=1000.0, columns=6).summary
    assert "No column was changed: the record is sent as it is." in sent
