"""Every explorer, without a browser: setting a control is the same as moving it."""

import functools
import importlib.util
import logging
import re
import subprocess
import sys

import ipywidgets as widgets
import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import frapp_lab as fl
from frapp_lab import explorers, figures
from frapp_lab.explorers import controls
from frapp_lab.explorers.figure import plotly_script
from frapp_lab.mechanisms.base import forget
from frapp_lab.models import mining
from frapp_lab.models.data import Data

SCHEMES = [explorers.Playground, explorers.Mining, explorers.Matrices]
FIELDS = ("x", "y", "z", "text")
CENSUS = fl.load_census()


def pytest_generate_tests(metafunc):
    """Whatever explorers there are when the tests are gathered."""
    if "kind" in metafunc.fixturenames:
        metafunc.parametrize("kind", explorers.every(), ids=lambda kind: kind.__name__)


@pytest.fixture
def ex(kind):
    return kind()


@functools.cache
def made(kind):
    return kind()


@pytest.fixture
def opened(kind):
    """For tests that only look: one for all of them."""
    return made(kind)


def every_attribute_can_be_cut():
    try:
        return bool(fl.load_census(bins={"sex": 1}))
    except ValueError:
        return False


CUT = every_attribute_can_be_cut()
NUMERIC = {"age", "fnlwgt", "hours-per-week", "AGE", "BDDAY12", "DV12"}


def settable(ex):
    """The controls that hold a value, by name."""
    sizes = {part.name for name in ("CENSUS", "HEALTH") for part in controls.DataSet().sizes(name)}
    locked = set() if CUT else {s + end for s in sizes for end in ("", " slider")}
    return {
        name: w
        for name, w in ex.controls.items()
        if not isinstance(w, widgets.Button) and name not in locked
    }


def values_of(widget):
    """A strategy for the values that a control can take."""
    if isinstance(widget, widgets.Checkbox):
        return st.booleans()
    if isinstance(widget, widgets.Dropdown):
        return st.sampled_from([value for _, value in widget._options_full])
    if isinstance(widget, widgets.FloatLogSlider):
        return st.floats(widget.base**widget.min, widget.base**widget.max)
    if isinstance(widget, widgets.BoundedIntText | widgets.IntSlider):
        return st.integers(widget.min, widget.max)
    return st.floats(widget.min, widget.max)


def extremes_of(widget):
    if isinstance(widget, widgets.Checkbox):
        return [False, True]
    if isinstance(widget, widgets.Dropdown):
        return [value for _, value in widget._options_full]
    if isinstance(widget, widgets.FloatLogSlider):
        return [widget.base**widget.min, widget.base**widget.max]
    return [widget.min, widget.max]


def picture(figure):
    """All data of a figure, by trace."""
    return {
        trace["meta"]: {field: trace.get(field) or [] for field in FIELDS}
        for trace in figure._data  # as it is; figure.data checks it at every look
    }


def assert_agrees(ex):
    """The figure and the summary are those of what the controls say now."""
    assert ex.error is None
    result = ex.compute(ex.parameters())
    assert ex.summary == ex.describe(result)
    assert "nan" not in ex.summary.replace("domi-nan", "")
    wanted = ex.series(result)
    for name, trace in picture(ex.figure).items():
        for field in FIELDS:
            values = wanted.get(name, {}).get(field, [])
            assert trace[field] == values, (name, field)


# --- all of them ----------------------------------------------------------------------------------


def test_an_explorer_opens_with_its_models_defaults(opened):
    assert opened.parameters() == opened.model.Parameters()
    assert opened.error is None


def test_the_bundle_holds_a_widget_and_the_summary(opened):
    bundle = opened._repr_mimebundle_()
    assert "application/vnd.jupyter.widget-view+json" in bundle
    assert bundle["text/plain"] == opened.summary == repr(opened)
    assert 80 < len(opened.summary) < 2000
    assert any(character.isdigit() for character in opened.summary)
    assert_agrees(opened)


def test_every_control_at_its_extremes(ex):
    for name, widget in settable(ex).items():
        for value in extremes_of(widget):
            widget.value = value
            assert ex.error is None, (name, value)
            assert_agrees(ex)
        ex.reset()


def test_random_settings(ex):
    held = settable(ex)

    @settings(
        max_examples=60, deadline=None, derandomize=True, database=None,
        suppress_health_check=list(HealthCheck),
    )  # fmt: skip
    @given(st.data())
    def sets(data):
        name = data.draw(st.sampled_from(sorted(set(held) - {"data"})))
        held[name].value = data.draw(values_of(held[name]))
        assert_agrees(ex)

    sets()


def test_away_and_back_is_the_same_picture(ex):
    before, text = picture(ex.figure), ex.summary
    for name, widget in settable(ex).items():
        old = widget.value
        for value in extremes_of(widget):
            widget.value = value
        widget.value = old
        if name in ("epsilon", "rho2"):  # they show γ rounded: set γ itself back
            ex.controls["gamma"].value = 19
        assert ex.summary == text, name
        assert picture(ex.figure) == before, name


def test_reset_returns_to_the_first_setting(ex):
    before, text = picture(ex.figure), ex.summary
    for widget in settable(ex).values():
        widget.value = extremes_of(widget)[-1]
    ex.controls["reset"].click()
    assert ex.summary == text
    assert picture(ex.figure) == before
    assert ex.parameters() == ex.model.Parameters()


@pytest.mark.parametrize(
    ("error", "logged"), [(ValueError("gamma is 0: it must be above 1"), 0), (KeyError("age"), 1)]
)
def test_an_error_becomes_a_sentence_and_the_next_setting_recovers(
    ex, monkeypatch, caplog, error, logged
):
    text = ex.summary

    def fails(parameters):
        raise error

    monkeypatch.setattr(type(ex), "compute", staticmethod(fails))
    with caplog.at_level(logging.ERROR):
        ex.update()
    assert ex.error is error
    assert ex.summary == f"This setting cannot be shown: {error}."
    assert all(not values for trace in picture(ex.figure).values() for values in trace.values())
    # A fault in the program is also told where a programmer looks, with the place where it is.
    assert len(caplog.records) == logged
    assert all(record.exc_info[1] is error for record in caplog.records)
    monkeypatch.undo()
    ex.update()
    assert ex.summary == text
    assert_agrees(ex)


def test_every_control_has_a_tooltip(opened):
    for name, widget in opened.controls.items():
        assert widget.tooltip, name


def test_figure_data_are_plain_rounded_numbers(opened):
    for trace in picture(opened.figure).values():
        for field in ("x", "y"):
            for value in trace[field]:
                assert value is None or isinstance(value, str | int | float)
                if isinstance(value, float):
                    assert value == float(f"{value:.7g}")


def test_what_is_typed_stays_as_typed(ex):
    for part in ex._declared:
        if isinstance(part, controls.Slider) and isinstance(part.step, float):
            typed = part.low + 0.123456 * (part.high - part.low)
            ex.controls[part.name].value = typed
            assert ex.controls[part.name].value == typed
            bar = ex.controls[f"{part.name} slider"]
            if not part.log:  # the page answers with the nearest step
                bar.value = round(typed / part.step) * part.step
                assert ex.controls[part.name].value == typed
                bar.value = bar.value + part.step  # and this is a move
                assert ex.controls[part.name].value == pytest.approx(bar.value)


def test_a_prior_that_is_shown_changes_what_is_shown(ex):
    if "rho1" in ex.controls:
        before, text = picture(ex.figure), ex.summary
        ex.controls["rho1"].value = 20
        assert picture(ex.figure) != before
        assert ex.summary != text


# --- controls -------------------------------------------------------------------------------------


def test_gamma_is_set_by_any_of_three():
    ex = explorers.Playground()
    ex.controls["epsilon"].value = 1.0
    assert ex.controls["gamma"].value == pytest.approx(2.718, abs=1e-3)
    assert ex.controls["rho2"].value == pytest.approx(12.52, abs=0.01)
    ex.controls["rho2"].value = 50
    assert ex.controls["gamma"].value == pytest.approx(19)
    assert ex.controls["epsilon"].value == pytest.approx(2.944)
    ex.controls["rho1"].value = 10
    assert ex.controls["gamma"].value == pytest.approx(19)
    assert ex.controls["rho2"].value == pytest.approx(67.86, abs=0.01)
    ex.controls["gamma slider"].value = 100
    assert ex.controls["gamma"].value == pytest.approx(100)
    ex.controls["rho2"].value = 5  # below ρ₁: the smallest γ there is
    assert ex.controls["gamma"].value == 1.01


def test_what_controls_say_to_a_model():
    ex = explorers.Playground()
    for name, value in {
        "rho1": 20, "gamma": 7, "alpha": 0.3, "min_support": 4.5, "seed": 5, "age": 7, "fnlwgt": 3,
        "RAN-GD": False, "C&P": False, "IND-RR": True,
    }.items():  # fmt: skip
        ex.controls[name].value = value
    assert ex.parameters() == mining.Parameters(
        data=Data("CENSUS", (("age", 7), ("fnlwgt", 3))),
        prior=0.2,
        gamma=7,
        alpha_share=0.3,
        min_support=0.045,
        schemes=("DET-GD", "MASK", "IND-RR"),
        seed=5,
    )
    ex.controls["data"].value = "HEALTH"
    ex.controls["AGE"].value = 2
    assert ex.parameters().data == Data("HEALTH", (("AGE", 2),))
    ex = explorers.RandomizedResponse()
    ex.controls["coin"].value = 99
    assert ex.parameters() == ex.model.Parameters(coin=0.99)
    ex = explorers.ColumnByColumn()
    ex.controls["sex"].value = 0
    ex.controls["sex"].value = 1
    record = dict(zip(CENSUS.schema.names, ex.parameters().record, strict=True))
    assert record["sex"] == 1
    ex = explorers.Matrices()
    ex.controls["size_1"].value = 4
    assert ex.parameters().sizes == (4, 2, 2)


def test_a_breach_is_called_rho1_unless_the_model_calls_it_otherwise():
    values = {"gamma": 19.0, "rho1": 5}
    assert controls.Gamma().read(values) == {"gamma": 19}
    assert controls.Gamma(breach=True).read(values) == {"gamma": 19, "rho1": 0.05}
    assert controls.Gamma(breach="prior").read(values) == {"gamma": 19, "prior": 0.05}


def test_new_draw_takes_the_next_seed():
    ex = explorers.Reconstruction()
    ex.controls["new_draw"].click()
    assert ex.parameters().seed == 8
    assert_agrees(ex)


@pytest.mark.parametrize("which", SCHEMES[:2], ids=lambda which: which.__name__)
def test_every_attribute_has_a_size_and_one_is_left_out(which):
    ex = which()
    for name in ("CENSUS", "HEALTH"):
        ex.controls["data"].value = name
        for part in controls.DataSet().sizes(name):
            assert "1: left out" in ex.controls[part.name].description
            assert ex.controls[part.name].min == 1
            shown = 8 if name == "CENSUS" and part.name in NUMERIC else part.value
            assert ex.controls[part.name].max == shown
    assert "stand-in" in ex.summary
    for size in ("AGE", "BDDAY12", "DV12"):
        ex.controls[size].value = 2
    assert_agrees(ex)
    if not CUT:
        pytest.skip("the data cannot yet be cut by every attribute")
    ex.controls["SEX"].value = 1
    ex.controls["HEALTH"].value = 3
    assert_agrees(ex)
    assert ex.compute(ex.parameters()).n_cells == 2 * 2 * 2 * 3 * 2 * 3


# --- what they draw -------------------------------------------------------------------------------


def test_the_posterior_starts_from_the_prior_that_is_set():
    ex = explorers.Playground()
    ex.controls["rho1"].value = 20
    middle = picture(ex.figure)["middle"]["y"]
    odds = 19 * 0.2 / 0.8
    assert middle == pytest.approx([100 * odds / (1 + odds)] * 2, rel=1e-3)


def test_the_intervals_are_those_of_fifty_draws_like_the_one_shown(monkeypatch):
    from frapp_lab.experiments import run_trials, summarise

    monkeypatch.setattr(mining, "DRAWS", 5)
    ex = explorers.Mining(schemes=["DET-GD"])
    assert not picture(ex.figure)["band false_negatives DET-GD"]["x"]
    ex.controls["intervals"].click()
    trials = run_trials(CENSUS, ["DET-GD"], trials=5, seed=7, draw="records")
    first = trials[trials["trial"] == 0]["false_negatives"]
    assert picture(ex.figure)["false_negatives DET-GD"]["y"] == figures.rounded(first)
    table = summarise(trials)
    table = table[table["error"] == "false_negatives"]
    band = picture(ex.figure)["band false_negatives DET-GD"]
    wanted = figures.rounded(table["low"]) + figures.rounded(table["high"])[::-1]
    assert band["y"] == wanted
    assert "50 draws" in ex.summary
    ex.controls["gamma"].value = 10  # the intervals belong to the setting they were made for
    assert not picture(ex.figure)["band false_negatives DET-GD"]["x"]


def test_what_the_playground_draws_is_the_result():
    ex = explorers.Playground()
    ex.controls["alpha"].value = 0.02
    ex.controls["gamma"].value = 10
    result, shown = ex.compute(ex.parameters()), picture(ex.figure)
    gx = 10 / (10 + 2000 - 1)
    r = np.array(shown["rho"]["x"]) * gx
    assert shown["rho"]["y"] == pytest.approx(
        100 * 0.05 * (gx + r) / (0.05 * (gx + r) + 0.95 * (gx / 10 - r / 1999)), rel=2e-3, abs=0.01
    )
    assert [shown["rho"]["x"][i] for i in (0, -1)] == [-1, 1]
    assert [shown["band"]["x"][i] for i in (0, -1)] == pytest.approx([-0.02, 0.02])
    assert shown["condition DET-GD"]["x"] == [1, 2, 3, 4, 5, 6]
    assert shown["condition DET-GD"]["y"] == [223.2] * 6
    assert len(shown["condition C&P"]["x"]) == 3
    for scheme, found in result.schemes.items():
        for name, column in (("error", 0), ("lost", 2), ("invented", 3)):
            assert shown[f"{name} {scheme}"]["y"] == figures.rounded(found.errors[:, column])


def test_what_mining_draws_is_the_result():
    ex = explorers.Mining()
    shown, result = picture(ex.figure), ex.compute(ex.parameters())
    run = fl.mine(CENSUS, "MASK", 0.02, rng=7)
    for error in ("support_error", "false_negatives", "false_positives"):
        assert shown[f"{error} MASK"]["y"] == figures.rounded(run.errors[error])
    for name, table in (("lost", run.lost), ("invented", run.invented)):
        largest = table.sort_values("support", ascending=False, kind="stable").head(10)
        assert shown[f"{name} MASK"]["x"] == figures.rounded(100 * largest["support"])
        texts = {", ".join(sorted(items)): len(items) for items in largest["itemsets"]}
        assert set(shown[f"{name} MASK"]["text"]) == set(texts)
        lengths = np.round(shown[f"{name} MASK"]["y"])
        assert lengths.tolist() == [texts[text] for text in shown[f"{name} MASK"]["text"]]
    found = result.schemes["MASK"]
    assert f"MASK finds {found.n_kept} of 563" in ex.summary
    assert f"loses {len(run.lost)} and invents {len(run.invented)}" in ex.summary


def test_heat_maps_have_reports_as_rows_and_records_as_columns():
    ex = explorers.Matrices()
    ex.controls["length"].value = 3
    result, shown = ex.compute(ex.parameters()), picture(ex.figure)
    assert list(result.shown) == ["DET-GD", "MASK", "C&P", "IND-RR"]
    titles = [a["text"] for a in ex.figure._layout_obj._props["annotations"]]
    assert titles[0] == "<b>DET-GD, RAN-GD</b><br>12 × 12"
    assert titles[2] == "<b>C&P</b><br>8 × 8"
    assert titles[-1].startswith("condition number")
    for place, scheme in enumerate(result.shown, 1):
        z = np.array(shown[f"matrix {place}"]["z"])
        matrix = fl.make_scheme(scheme, fl.Schema.of_sizes(3, 2, 2), 19).itemset_matrix(3)
        np.testing.assert_allclose(z, matrix, rtol=0.006)
        assert np.array(z).sum(axis=0) == pytest.approx(1, abs=0.03)  # each column is a law
        number = shown[f"condition {scheme}"]["y"][2]
        assert np.linalg.cond(z) == pytest.approx(number, rel=0.05)
    # C&P's is not symmetric: a true 000 cannot lose what it has not.
    labels, z = shown["matrix 3"]["x"], np.array(shown["matrix 3"]["z"])
    assert labels == shown["matrix 3"]["y"] == shown["matrix 2"]["x"]
    assert labels[:3] == ["000", "001", "010"]
    cut_and_paste = fl.CutAndPaste.for_gamma(fl.Schema.of_sizes(3, 2, 2), 19, 3)
    assert z[7, 0] == pytest.approx(cut_and_paste.rho**3, rel=0.01)
    axes = ex.figure._layout_obj._props
    assert (axes["xaxis"]["title"]["text"], axes["yaxis"]["title"]["text"]) == ("true", "reported")
    assert axes["yaxis"]["autorange"] == "reversed"


def test_a_matrix_that_cannot_be_undone_is_told_in_the_mechanisms_words():
    ex = explorers.Matrices()
    ex.controls["K"].value = 1
    assert "C&P cannot be undone here: length is 2: cut-and-paste with K = 1" in ex.summary
    assert picture(ex.figure)["singular C&P"]["x"] == [2, 3]
    ex.controls["gamma"].value = 1.5
    assert "C&P cannot be had here: gamma is 1.5 and K is 1" in ex.summary
    assert len(ex.compute(ex.parameters()).shown) == 3


def test_what_the_posterior_draws_is_the_result():
    ex = explorers.Posterior()
    ex.controls["prior"].value, ex.controls["n"].value, ex.controls["rho1"].value = 10.0, 4, 20
    shown = picture(ex.figure)
    assert shown["prior"]["y"] == pytest.approx([10, 30, 30, 30])
    after = np.array([19 * 10, 30, 30, 30]) / (190 + 90)
    assert shown["posterior"]["y"] == pytest.approx(100 * after, rel=1e-3)
    assert shown["rise"]["x"] == [10, 10]
    assert shown["rise"]["y"] == [10, pytest.approx(67.86)]
    assert shown["bound"]["y"] == [pytest.approx(67.86)] * 2
    rho2 = 100 * 19 * 0.2 / (19 * 0.2 + 0.8)
    assert shown["breach"]["x"] == [0, 20, 20, 0, 0]
    assert shown["breach"]["y"] == pytest.approx([rho2, rho2, 100, 100, rho2], rel=1e-3)
    x, y = (np.array(shown["curve"][f]) / 100 for f in "xy")
    assert y == pytest.approx(19 * x / (19 * x + 1 - x), abs=1e-3)


def test_what_randomization_draws_is_the_result():
    ex = explorers.Randomization()
    for setting in ({}, {"n": 10, "alpha": 0.3, "prior": 30.0}):
        for name, value in setting.items():
            ex.controls[name].value = value
        result, shown = ex.compute(ex.parameters()), picture(ex.figure)
        for name, values in (
            ("low", 100 * result.low), ("high", 100 * result.high),
            ("chosen", [100 * v for v in result.range]), ("within", 100 * result.within),
            ("between", 100 * result.between), ("together", 100 * result.shared),
            ("error", result.tried), ("chosen error", [result.chosen]),
            ("plain error", [result.plain] * 2), ("expected", [result.expected] * 2),
        ):  # fmt: skip
            assert shown[name]["y"] == figures.rounded(values), name
        assert shown["chosen"]["x"] == [result.parameters.alpha_share] * 2
        assert shown["error"]["x"] == [0, 0.2, 0.4, 0.6, 0.8, 1]
        assert shown["low"]["y"][25] < shown["middle"]["y"][0] < shown["high"]["y"][25]
        for name in ("before", "after"):  # a density: its area is 100 % of the clients
            x, y = shown[name]["x"], shown[name]["y"]
            assert np.trapezoid(y, x) / 100 == pytest.approx(1, abs=0.02)
    assert shown["within"]["x"] == ["0", "¼", "½", "¾", "1", "chosen"]


def test_what_randomized_response_draws_is_the_result():
    ex = explorers.RandomizedResponse()
    ex.controls["people"].value = 90
    result, shown = ex.compute(ex.parameters()), picture(ex.figure)
    places = {}
    for name in ("yes, says yes", "yes, says no", "no, says yes", "no, says no"):
        for x, y in zip(shown[name]["x"], shown[name]["y"], strict=True):
            places[10 * y + x] = name
    assert len(places) == 90
    for person, name in places.items():
        truth, answer = name.split(", says ")
        assert (truth == "yes", answer == "yes") == (
            result.is_yes[person],
            result.says_yes[person],
        )
    e = result.estimates
    assert shown["true share"]["x"] == [30]
    assert shown["yes answers"]["x"] == figures.rounded([100 * result.answers])
    assert shown["estimate"]["x"] == figures.rounded([100 * e.estimate])
    assert shown["interval"]["x"] == figures.rounded(100 * np.array(e.interval))
    assert shown["repeated"]["x"] == figures.rounded(100 * e.bins)
    assert sum(shown["repeated"]["y"]) == 200


def test_what_reconstruction_draws_is_the_result():
    ex = explorers.Reconstruction()
    ex.controls["repair"].value, ex.controls["n"].value = "projection", 6
    result, shown = ex.compute(ex.parameters()), picture(ex.figure)
    assert shown["X"]["x"] == [1, 2, 3, 4, 5, 6]
    assert shown["X"]["y"] == result.counts.tolist()
    assert shown["Y"]["y"] == result.reported.tolist()
    assert shown["mended"]["y"] == figures.rounded(result.estimates["projection"])
    raw = dict(zip(shown["above"]["x"] + shown["below"]["x"],
                   shown["above"]["y"] + shown["below"]["y"], strict=True))  # fmt: skip
    assert [raw[i] for i in range(1, 7)] == figures.rounded(result.estimates["none"])
    assert all(value < 0 for value in shown["below"]["y"])
    assert shown["theorem"]["y"] == figures.rounded([100 * s for s in result.stages], 3)
    assert shown["chosen"]["x"] == ["projection"]
    low, high, gap = (shown["deviation"]["y"][i::3] for i in range(3))
    assert gap == [None] * 6
    spread = (np.array(high) - np.array(low)) / 2
    assert spread == pytest.approx(result.deviation, rel=0.01)


def test_what_column_by_column_draws_is_the_result():
    ex = explorers.ColumnByColumn()
    result, shown = ex.compute(ex.parameters()), picture(ex.figure)
    for j, step in enumerate(result.steps):
        row = j - 0.2 if step.before else j + 0.2
        used = [
            (base, x, text)
            for name in ("own", "other", "uniform")
            for base, x, y, text in zip(
                next(t for t in ex.figure._data if t["meta"] == name)["base"],
                shown[name]["x"], shown[name]["y"], shown[name]["text"], strict=True,
            )
            if y == row
        ]  # fmt: skip
        assert sum(x for _, x, _ in used) == pytest.approx(1, abs=1e-3)
        hit = [text for base, x, text in used if base <= step.u < base + x]
        assert hit == [f"{step.name}: {step.categories[step.reported]}"]
    assert shown["columns"]["y"] == [result.by_columns, 11.5, 31]
    assert shown["scan"]["y"] == [result.by_scan, 1000, 2**30]


# --- schemes of one's own -------------------------------------------------------------------------


@pytest.fixture
def shy():
    @fl.scheme("SHY-GD")
    class Shy(fl.GammaDiagonal):
        @classmethod
        def for_gamma(cls, schema, gamma):
            return cls(schema, (1 + gamma) / 2)

    yield Shy
    forget("SHY-GD")


@pytest.mark.parametrize("which", SCHEMES, ids=lambda which: which.__name__)
def test_a_registered_scheme_appears_by_itself(which, shy):
    ex = which()
    ex.controls["SHY-GD"].value = True
    assert "SHY-GD" in ex.summary
    assert "SHY-GD" in ex.legend()
    assert_agrees(ex)


def test_a_scheme_that_is_defined_anew_is_not_mixed_up_with_the_old_one(shy):
    first = explorers.Mining(schemes=["SHY-GD"]).summary

    def honest(cls, schema, gamma):
        return cls(schema, gamma)

    anew = type("Shy", (fl.GammaDiagonal,), {"for_gamma": classmethod(honest)})
    anew.__module__, anew.__qualname__ = shy.__module__, shy.__qualname__
    fl.scheme("SHY-GD")(anew)
    assert explorers.Mining(schemes=["SHY-GD"]).summary != first


def test_mechanisms_of_ones_own_stand_beside_the_registered_ones():
    mine = fl.Mask(CENSUS.schema, 0.9)  # its label is taken
    other = fl.CutAndPaste.for_gamma(CENSUS.schema, 19, K=2)
    other.label = "C&P, K = 2"
    for which in (explorers.Playground, explorers.Mining):
        ex = which(schemes=[mine, "DET-GD", other])
        assert [s for s in ex.choices if ex.controls[s].value] == [
            "DET-GD", "MASK (2)", "C&P, K = 2",
        ]  # fmt: skip
        assert "MASK (2)" in ex.summary
        colours = [ex.colour(label) for label in ex.choices]
        assert len(set(colours)) == len(colours)
        assert_agrees(ex)
        errors = fl.mine(CENSUS, mine, 0.02, rng=7).errors["false_negatives"]
        name = "lost" if which is explorers.Playground else "false_negatives"
        assert picture(ex.figure)[f"{name} MASK (2)"]["y"] == figures.rounded(errors)
    assert mine.label == "MASK"  # the one that was given stays as it is
    assert "none longer than 2: cut-and-paste with K = 2 keeps" in (
        explorers.Playground(schemes=[other]).summary
    )
    ex.controls["age"].value = 8  # the mechanisms were made for other data
    assert "MASK (2) cannot be had here: MASK (2) is made for the attributes age" in ex.summary
    assert ex.error is None


def test_a_singular_matrix_speaks_for_itself():
    tiny = fl.Schema.of_sizes(3, 2, 2)
    halves = np.zeros((12, 12))
    halves[::2, ::2] = halves[::2, 1::2] = 1 / 6
    ex = explorers.Matrices(schemes=[fl.MatrixMechanism(tiny, halves)])
    assert "MATRIX cannot be undone here: length is 2: A is singular" in ex.summary
    assert picture(ex.figure)["singular MATRIX"]["x"]


# --- explorers of one's own -----------------------------------------------------------------------

OWN_FILE = '''
"""How odds grow: an explorer in a file of its own."""
from dataclasses import dataclass
from types import SimpleNamespace

from frapp_lab import explorers, figures


@dataclass(frozen=True)
class Parameters:
    times: float = 19.0


def compute(parameters):
    return [1, parameters.times]


class Odds(explorers.Explorer):
    """Odds before and after."""

    model = SimpleNamespace(Parameters=Parameters, compute=compute)
    groups = {"Odds": [explorers.controls.Slider("times", "times", 19.0, 1.0, 99.0, 0.1, "how")]}

    def skeleton(self):
        return figures.panels(1, 1, None, 300).add_trace(
            figures.line("odds", "odds", figures.BLUE))

    def series(self, result):
        return {"odds": {"x": [0, 1], "y": figures.rounded(result)}}

    def describe(self, result):
        return (f"The odds grow from {result[0]} to {result[1]:g}: after the report they are that "
                "many times as high as before, whoever sent it.")
'''


def test_an_explorer_in_a_new_file_joins_the_generic_tests(tmp_path):
    (tmp_path / "odds.py").write_text(OWN_FILE)
    before = len(explorers.every())
    spec = importlib.util.spec_from_file_location("odds", tmp_path / "odds.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    try:
        assert explorers.every()[-1] is module.Odds
        assert len(explorers.every()) == before + 1
        for test in (
            test_the_bundle_holds_a_widget_and_the_summary,
            test_every_control_at_its_extremes,
            test_random_settings,
            test_away_and_back_is_the_same_picture,
            test_reset_returns_to_the_first_setting,
            test_what_is_typed_stays_as_typed,
        ):
            test(module.Odds())
    finally:
        explorers.Explorer._known.pop(("odds", "Odds"))


def test_an_explorer_in_a_cell_of_a_notebook():
    def curves(gamma):
        prior = np.linspace(0.01, 0.99, 99)
        after = gamma * prior / (gamma * prior + 1 - prior)
        return {"worst": (prior, after)}, f"At γ = {gamma:g} 5 % can become {after[4]:.0%}."

    slider = controls.Slider("gamma", "γ", 19.0, 0.0, 100.0, 0.5, "amplification")
    ex = explorers.explore(curves, [slider], x="prior", y="posterior")
    assert ex.summary == repr(ex) == "At γ = 19 5 % can become 50%."
    shown = picture(ex.figure)["0"]
    assert (shown["x"][4], shown["y"][4]) == (0.05, 0.5)
    axes = ex.figure._layout_obj._props
    assert (axes["xaxis"]["title"]["text"], axes["yaxis"]["title"]["text"]) == (
        "prior", "posterior",
    )  # fmt: skip
    ex.controls["gamma"].value = 100
    assert ex.summary == "At γ = 100 5 % can become 84%."
    assert picture(ex.figure)["0"]["y"][4] == 0.8403
    assert_agrees(ex)
    assert "application/vnd.jupyter.widget-view+json" in ex._repr_mimebundle_()
    ex.reset()
    assert ex.summary == "At γ = 19 5 % can become 50%."
    assert type(ex) not in explorers.every()


def test_an_own_functions_faults_become_sentences(caplog):
    slider = controls.Slider("n", "n", 1, 0, 20, 1, "how many")
    ex = explorers.explore(
        lambda n: ({str(i): ([0, 1], [i, 1 // n]) for i in range(n)}, "Good."), {"One": [slider]}
    )
    assert ex.summary == "Good."
    ex.controls["n"].value = 9
    assert "at most 8 curves" in ex.summary
    assert isinstance(ex.error, ValueError)
    ex.controls["n"].value = 2
    assert ex.summary == "Good."
    assert ex.error is None
    ex = explorers.explore(lambda n: "no curves", [slider])
    assert "it must give ({name: (xs, ys)}, text)" in ex.summary
    assert not caplog.records
    ex = explorers.explore(lambda m: m, [slider])
    assert isinstance(ex.error, TypeError)
    assert len(caplog.records) == 1


# --- the rest -------------------------------------------------------------------------------------


def test_importing_the_library_loads_no_widgets_and_no_plotly():
    code = "import sys, frapp_lab; print({'plotly', 'ipywidgets'} & set(sys.modules))"
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert run.stdout.strip() == "set()"


def test_a_static_figure_is_shown_with_its_summary():
    figure = figures.panels(1, 1, ["a"], 300)
    bundle = figures.StaticFigure(figure, "One panel.")._repr_mimebundle_()
    assert bundle["text/plain"] == "One panel."
    assert bundle["application/vnd.plotly.v1+json"]["layout"]["height"] == 300


def test_every_scheme_has_a_colour_and_a_marker_of_its_own():
    styles = [figures.scheme_class(label).style for label in figures.schemes()]
    colours, markers = zip(*((s.colour, s.marker) for s in styles), strict=True)
    assert len(set(colours)) == len(set(markers)) == len(styles)


def test_the_page_is_kept_from_reporting_every_default():
    # A later plotly may call these otherwise: then explorers are slower and a reload may lose data.
    silenced = re.findall(r"_send(?:TraceDeltas|LayoutDelta)\(\w+\)\{return;", plotly_script().text)
    assert len(silenced) == 2


def test_all_figures_share_one_script():
    first, second = explorers.Matrices().figure, explorers.Posterior().figure
    assert first._script is second._script
    assert len(first.get_state()["_esm"]) < 5000
