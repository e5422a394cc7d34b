"""What `Reconstruction` draws and says, against formulas that are written here."""

import itertools
import re

import numpy as np
import pytest

from explorers.cards import traces
from frapp_lab import explorers
from frapp_lab.explorers.models import reconstruction as model
from frapp_lab.figures.look import TRUTH

ROWS = ["taken", "reports", "estimate", "bound", "clip and renormalise", "projection", "EM"]


def survey(ex):
    """X, Y and A as the controls and the figure have them."""
    n, gamma = ex.controls["n"].value, ex.controls["gamma"].value
    shown = traces(ex)
    a = np.full((n, n), 1 / (gamma + n - 1)) + np.eye(n) * (gamma - 1) / (gamma + n - 1)
    return np.array(shown["X"]["y"]), np.array(shown["Y"]["y"]), a


def percents(ex):
    """Every error that is drawn, by its row: of all that are within the axis."""
    shown = traces(ex)
    points = {
        y: x
        for name in [f"off {row}" for row in ROWS] + ["chosen"]
        if name in shown
        for x, y in zip(shown[name]["x"], shown[name]["y"], strict=True)
    }
    return {ROWS[y]: points[y] for y in sorted(points)}


def spoken(text):
    """The percentages of a text."""
    found = re.findall(r"(\d[\d,.]*(?:e-?\d+)?) %", text)
    return [float(number.replace(",", "")) for number in found]


@pytest.mark.parametrize("repair", model.REPAIRS)
def test_what_is_drawn_solves_the_equations(repair):
    ex = explorers.Reconstruction(n=6, gamma=5.0, repair=repair, shape="falling")
    x, y, a = survey(ex)
    shown, norm = traces(ex), np.linalg.norm
    assert x.sum() == y.sum() == 2000
    raw = np.linalg.solve(a, y)
    assert shown["X"]["x"] == shown["estimate"]["x"] == [1, 2, 3, 4, 5, 6]
    assert shown["estimate"]["y"] == pytest.approx(raw, rel=1e-3)
    assert ("mended" in shown) == (repair != "none")
    reports, actual = norm(y - a @ x) / norm(a @ x), norm(raw - x) / norm(x)
    errors = percents(ex)
    assert list(errors) == ROWS
    c = np.linalg.cond(a)
    taken = np.sqrt(((y - x) ** 2).sum() / (x**2).sum())
    assert [errors[row] for row in ROWS[:4]] == pytest.approx(
        [100 * taken, 100 * reports, 100 * actual, 100 * c * reports], rel=1e-3
    )
    assert shown["times c"]["x"] == [errors["reports"], errors["bound"]]
    if repair != "none":
        mended = np.array(shown["mended"]["y"])
        assert mended.min() >= 0
        assert shown["chosen"]["x"] == pytest.approx([100 * norm(mended - x) / norm(x)], abs=0.1)
        assert shown["chosen"]["y"] == [ROWS.index(repair)]
        assert f"off {repair}" not in shown
    # Var X̂ = A⁻¹ Cov(Y) A⁻ᵀ; nine of ten of a normal law lie within 1.645 of its deviations.
    covariance = sum(k * (np.diag(a[:, u]) - np.outer(a[:, u], a[:, u])) for u, k in enumerate(x))
    sd = np.sqrt(np.diag(np.linalg.inv(a) @ covariance @ np.linalg.inv(a).T))
    assert shown["band"]["base"] == pytest.approx(x - 1.645 * sd, rel=2e-3, abs=0.1)
    assert shown["band"]["y"] == pytest.approx(2 * 1.645 * sd, rel=1e-3)


def test_nine_of_ten_draws_lie_in_the_pale_bars():
    ex, inside = explorers.Reconstruction(n=8), []
    for seed in range(60):
        ex.controls["seed"].value = seed
        shown = traces(ex)
        low, raw = np.array(shown["band"]["base"]), np.array(shown["estimate"]["y"])
        inside += list((low <= raw) & (raw <= low + np.array(shown["band"]["y"])))
    assert 0.86 < np.mean(inside) < 0.94


def test_the_band_of_each_error_holds_nine_of_ten_draws():
    ex = explorers.Reconstruction(people=500, gamma=6.0)
    *nothing, band = model.bands(ex.parameters())
    assert set(nothing) == {None}
    assert list(band) == ROWS
    drawn = []
    for seed in range(100, 160):
        ex.controls["seed"].value = seed
        drawn.append(list(percents(ex).values()))
    for row, errors in zip(ROWS, np.array(drawn).T, strict=True):
        low, high = (100 * end for end in band[row])
        assert 0.75 < np.mean((low <= errors) & (errors <= high)) < 1
    assert "draws" not in traces(ex)
    marks = explorers.Reconstruction.show(ex.parameters(), band).panels[1].marks
    line = marks[0]  # behind all else
    assert line["meta"] == "draws"
    assert line["x"][2::3] == line["y"][2::3] == [None] * 7
    assert line["x"][0::3] == pytest.approx([100 * band[row][0] for row in ROWS], rel=1e-3)
    assert line["x"][1::3] == pytest.approx([100 * band[row][1] for row in ROWS], rel=1e-3)
    assert line["y"][0::3] == line["y"][1::3] == [0, 1, 2, 3, 4, 5, 6]


def test_the_headline_is_true_everywhere():
    ex = explorers.Reconstruction()
    kinds = set()
    for gamma, n, shape, repair, seed in itertools.product(
        (1.01, 1.4, 5.0, 19.0, 1000.0), (2, 20), ("one peak", "uniform", "one value only"),
        model.REPAIRS, (7, 8),
    ):  # fmt: skip
        ex.set(gamma=gamma, n=n, shape=shape, repair=repair, seed=seed)
        x, y, a = survey(ex)
        raw, norm = np.linalg.solve(a, y), np.linalg.norm
        shown = np.array(traces(ex).get("mended", {"y": raw})["y"])
        reports, actual, off = (
            100 * norm(d) / norm(of) for d, of in ((y - a @ x, a @ x), (raw - x, x), (shown - x, x))
        )
        headline = ex.card.state["headline"]
        assert "in this draw" in headline.lower()
        assert len(headline) <= 92
        said = spoken(headline)
        if "nothing to mend" in headline:
            kind, true = "idle repair", [actual]
            assert raw.min() >= 0
            assert abs(shown - raw).max() < 0.006 * raw.max()
        elif "hardly left" in headline:
            kind, true = "idle EM", [off]
            assert repair == "EM"
            assert norm(shown - 2000 / n) < 0.11 * norm(x)
        elif "takes the error" in headline:
            kind, true = "repair", [actual, off]
        elif "drowns" in headline:
            kind, true = "drowned", [reports, actual]
            assert actual >= 100
        else:
            kind, true = "theorem", [reports, actual, np.linalg.cond(a) * reports]
            assert said[1] <= said[2] * 1.005
        kinds.add(kind)
        digits = 2e-3 if repair == "none" else 0.1  # what is drawn is rounded
        assert said == pytest.approx(true, rel=0.006, abs=digits)
        numbers = ex.card.state["numbers"]
        assert spoken(numbers[0]["value"]) == pytest.approx([off], rel=0.006, abs=digits)
        assert numbers[2]["value"] == str((raw < -1e-5).sum())
        assert not ex.error
    assert len(kinds) == 5


def test_axes_stand_still_while_gamma_and_the_draw_move():
    ex = explorers.Reconstruction()

    def axes():
        layout = ex.card.state["layout"]
        return {name: part for name, part in layout.items() if "axis" in name}

    first = axes()
    assert all("range" in axis and axis["type"] != "-" for axis in first.values())
    most = max(traces(ex)["X"]["y"])
    assert first["yaxis"]["range"] == pytest.approx([-0.75 * most, 1.75 * most], rel=0.01)
    for gamma, seed, repair in itertools.product((1.01, 1000.0), (0, 7), model.REPAIRS):
        ex.set(gamma=gamma, seed=seed, repair=repair)
        assert axes() == first
    errors = first["xaxis2"]
    assert errors["range"] == [-1, 3]
    for share in (0.0, 15.0, 100.0):
        ex.set(x1=share, x20=share)
        assert axes() == first
    ex.set(n=60, people=100)
    assert axes()["xaxis2"] == errors


@pytest.mark.parametrize("n", [2, 20, 60])
def test_a_bar_that_is_dragged_sets_the_share_at_which_it_then_stands(n):
    ex = explorers.Reconstruction(n=n, shape="falling", people=1000)
    before = np.array(traces(ex)["X"]["y"])
    place = [trace["meta"] for trace in ex.card.state["data"]].index("X")
    hand = ex.card.state["hands"][str(place)]
    named = min(n, 20)
    assert hand["controls"] == [f"x{i}" for i in range(1, named + 1)] + [""] * (n - named)
    assert (hand["does"], hand["axis"]) == ("drag", "y")
    ex.controls["x2"].value = float(np.interp(300, *hand["scale"]))  # to 300 people
    after = np.array(traces(ex)["X"]["y"])
    assert after[1] == 300
    assert after.sum() == 1000
    others = np.arange(n) != 1
    room = before[others] * 700 / before[others].sum()
    assert after[others] == pytest.approx(room, abs=1)  # they make room, and keep their shape
    assert "Set by hand in X: 1 value; the others make room." in ex.summary
    ex.controls["x2"].value = -0.5
    assert traces(ex)["X"]["y"] == before.tolist()
    assert "by hand" not in ex.summary
    ex.set(**{f"x{i}": 0.0 for i in range(1, 21)})  # nobody anywhere cannot be
    assert traces(ex)["X"]["y"][:named] == (before.tolist() if n <= 20 else [0] * named)
    assert sum(traces(ex)["X"]["y"]) == 1000
    assert ex.error is None


def test_the_bars_of_x_have_an_outline_of_full_colour():
    marker = traces(explorers.Reconstruction())["X"]["marker"]
    assert marker["line"]["color"] == TRUTH


def test_errors_beyond_their_axis_are_marked_at_its_ends():
    ex = explorers.Reconstruction(n=60, people=100, gamma=1.01, shape="uniform")
    assert set(percents(ex)) == set(ROWS) - {"estimate", "bound"}
    beyond = traces(ex)["beyond"]
    assert (beyond["x"], beyond["y"]) == ([1000, 1000], [2, 3])
    assert beyond["marker"]["symbol"] == ["triangle-right"] * 2
    for seed in range(200):  # until the reports happen to be just as expected
        ex.set(n=2, people=100, gamma=1000.0, shape="uniform", seed=seed)
        if ex.card.state["numbers"][0]["value"] == "0 %":
            break
    beyond = traces(ex)["beyond"]
    rows = beyond["y"]
    assert {1, 2, 3} <= set(rows)  # not Y taken as X: that is off whatever the luck
    assert {beyond["x"][rows.index(row)] for row in (1, 2, 3)} == {0.1}
    assert beyond["marker"]["symbol"][0] == "triangle-left"
    assert "chance moves Y by 0 %, X̂ by 0 %" in ex.card.state["headline"]


def test_every_error_has_its_name_and_number_and_every_mark_its_key():
    ex = explorers.Reconstruction(repair="projection")
    texts = [note["text"] for note in ex.card.state["layout"]["annotations"]]
    for text in ("reports Y, from E(Y)", "Y taken as X", "Theorem 1's bound", "7.57 %", "12.1 %",
                 "16 %", "<b>repair: projection</b>", "<b>10.9 %</b>"):  # fmt: skip
        assert text in texts
    assert texts[0].endswith("▮ X truth ━ Y reports ● X̂ ◆ repaired")
    ex.controls["repair"].value = "none"
    texts = [note["text"] for note in ex.card.state["layout"]["annotations"]]
    assert texts[0].endswith("▮ X truth ━ Y reports ● X̂ estimate")
    assert not any("<b>repair" in text for text in texts)


def test_the_numbers_of_all_errors_stand_in_one_column_beside_the_panel():
    for gamma in (1.01, 19.0, 1000.0):
        notes = explorers.Reconstruction(gamma=gamma).card.state["layout"]["annotations"]
        numbers = [note for note in notes if note["text"].endswith((" %", " %</b>"))]
        assert len(numbers) == len(ROWS)
        assert {(n["x"], n["xref"], n["xanchor"], n["xshift"]) for n in numbers} == {
            (1, "x2 domain", "right", 62)
        }


def test_what_is_partly_beyond_its_axis_leaves_no_ghost():
    def ghosts(ex):
        state = ex.card.state
        return {state["data"][i]["meta"] for i in state["ghosts"]}

    ex = explorers.Reconstruction()
    assert ghosts(ex) == {"estimate", *(f"off {row}" for row in ROWS)}
    ex.set(gamma=2.0)  # estimates are beyond their panel, errors are not
    assert ghosts(ex) == {f"off {row}" for row in ROWS}
    ex.set(gamma=1.2)
    assert ghosts(ex) == set()


def test_undoing_buys_most_of_the_error_of_reports_that_are_taken_for_the_truth():
    errors = percents(explorers.Reconstruction())
    assert errors["taken"] > 3 * errors["estimate"]


@pytest.mark.parametrize(
    ("setting", "words"),
    [
        ({}, "the bound is 16 %; the error really made is 12.1 %"),
        ({"gamma": 1.2}, "the inverse must magnify small differences"),
        ({"gamma": 1.01}, "EM has hardly left the uniform table where it starts"),
        ({"gamma": 1000.0, "shape": "uniform", "repair": "projection"}, "has nothing to mend"),
        ({"n": 2, "people": 100}, "none of the 2 is negative in this draw"),
    ],
)
def test_the_words_tell_what_is_odd_about_a_setting(setting, words):
    ex = explorers.Reconstruction(**setting)
    assert words in ex.summary
    assert not ex.error
    assert ex.card.state["lines"]["n"].startswith("κ = 1 + n/(γ − 1) = ")


def test_no_extreme_is_an_error():
    ex = explorers.Reconstruction()
    for n, people, gamma, shape in itertools.product(
        (2, 60), (100, 100_000), (1.01, 1000.0), model.SHAPES
    ):
        ex.set(n=n, people=people, gamma=gamma, shape=shape)
        assert ex.error is None
        assert 80 <= len(ex.summary) <= 2000
