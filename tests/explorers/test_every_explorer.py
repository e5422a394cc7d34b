"""Every explorer, without a browser: setting a control is the same as moving it."""

import dataclasses
import functools
import importlib.util
import json
import logging
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
from frapp_lab.explorers.kit import base
from frapp_lab.explorers.kit.card import Slider, plotly_script
from frapp_lab.explorers.kit.card_state import key_of
from frapp_lab.explorers.models import mining
from frapp_lab.explorers.models.data import Data
from frapp_lab.figures.styles import SPARE_STYLES, style_of
from frapp_lab.mechanisms.registry import forget

SCHEMES = [explorers.Playground, explorers.Mining, explorers.Matrices]
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
    if made(kind).view.comm is None:  # a test has closed all widgets
        made.cache_clear()
    return made(kind)


def settable(ex):
    """The controls that can be set, by name: what holds a value, and the boxes that set γ."""
    boxes = {name: ex.controls[name] for name in ("epsilon", "rho2") if name in ex.controls}
    return {**ex.held, **boxes}


def values_of(widget):
    """A strategy for the values that a control can take."""
    if isinstance(widget, widgets.Checkbox):
        return st.booleans()
    if isinstance(widget, widgets.Dropdown | widgets.RadioButtons):
        return st.sampled_from(options_of(widget))
    if isinstance(widget, widgets.Textarea):
        return st.sampled_from([widget.value, "", "0.5 0.5", "1 2\n3", "a b"])
    if widget.whole:
        return st.integers(int(widget.min), int(widget.max))
    return st.floats(widget.min, widget.max)


def options_of(widget):
    return [o[1] if isinstance(o, tuple) else o for o in widget.options]


def extremes_of(widget):
    if isinstance(widget, widgets.Checkbox):
        return [False, True]
    if isinstance(widget, widgets.Dropdown | widgets.RadioButtons):
        return options_of(widget)
    if isinstance(widget, widgets.Textarea):
        return ["", widget.value]
    return [widget.min, widget.max]


def picture(ex):
    """The figure's data by trace, as the card has them."""
    return {trace["meta"]: trace for trace in ex.card.state["data"]}


def still(axes):
    """What may not change while a slider moves: kinds and ranges of the axes."""
    return {
        name: (axis.get("type"), tuple(axis["range"]))
        for name, axis in axes.items()
        if name[1:5] == "axis"
    }


def assert_agrees(ex):
    """The card's figure and words are those of what the controls say now."""
    assert ex.error is None
    result, state = ex.compute(ex.parameters()), ex.card.state
    assert state["words"] == ex.summary == ex.describe(result)
    assert state["headline"] == ex.headline(result)
    assert "nan" not in ex.summary
    wanted = ex.series(result)
    assert set(picture(ex)) == set(wanted)
    for name, trace in picture(ex).items():
        for field, values in wanted[name].items():
            assert trace[field] == values, (name, field)
    assert state["at"].keys() == ex.held.keys()


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


def test_a_card_has_a_headline_three_numbers_and_at_most_three_panels(opened):
    state = opened.card.state
    assert 20 < len(state["headline"]) < 100
    assert state["headline"].endswith(".")
    assert len(state["numbers"]) == 3
    assert all(n["value"] and n["label"] for n in state["numbers"])
    panels = [name for name in state["layout"] if name.startswith("xaxis")]
    assert 1 <= len(panels) <= 3
    assert opened.ghosts


def test_every_axis_says_what_kind_it_is_and_from_where_to_where(opened):
    axes = {n: a for n, a in opened.card.state["layout"].items() if n[1:5] == "axis"}
    assert axes
    for name, axis in axes.items():
        assert axis["type"] in ("linear", "log", "category"), name
        assert len(axis["range"]) == 2, name


def test_axes_stand_still_while_gamma_moves(ex):
    if "gamma" not in ex.controls:
        return
    first = still(ex.card.state["layout"])
    for value in (1.01, 1.5, 5, 60, 1000):
        ex.controls["gamma"].value = value
        assert still(ex.card.state["layout"]) == first, value


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
        assert 20 < len(ex.card.state["headline"]) < 120

    sets()


def test_away_and_back_is_the_same_picture(ex):
    before, text = picture(ex), ex.summary
    for name, widget in settable(ex).items():
        old = widget.value
        for value in extremes_of(widget):
            widget.value = value
        widget.value = old
        if name in ("epsilon", "rho2"):  # they show γ rounded: set γ itself back
            ex.controls["gamma"].value = 19
        assert ex.summary == text, name
        assert picture(ex) == before, name


def test_reset_returns_to_the_first_setting(ex):
    before, text = picture(ex), ex.summary
    for widget in settable(ex).values():
        widget.value = extremes_of(widget)[-1]
    ex.controls["reset"].click()
    assert ex.summary == text
    assert picture(ex) == before
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
    ex._states.clear()
    with caplog.at_level(logging.ERROR):
        ex.update()
    assert ex.error is error
    assert ex.summary == f"This setting cannot be shown: {error}."
    assert ex.card.state["headline"] == ex.summary
    assert not ex.card.state["data"]
    # A fault in the program is also told where a programmer looks, with the place where it is.
    assert len(caplog.records) == logged
    assert all(record.exc_info[1] is error for record in caplog.records)
    monkeypatch.undo()
    ex.update()
    assert ex.summary == text
    assert_agrees(ex)


def test_every_control_has_a_name_and_a_tooltip(opened):
    for name, widget in opened.controls.items():
        assert widget.tooltip, name
        if not isinstance(widget, widgets.Textarea):
            assert widget.description, name


def test_the_state_is_plain_and_small(opened):
    assert len(json.dumps(opened.card.state)) < 60_000
    for trace in picture(opened).values():
        for field in ("x", "y"):
            for value in trace.get(field, []):
                assert value is None or isinstance(value, str | int | float)
                if isinstance(value, float):
                    assert value == float(f"{value:.7g}")


def test_what_is_typed_stays_as_typed(ex):
    for name, widget in ex.held.items():
        if isinstance(widget, Slider) and not widget.whole:
            typed = widget.min + 0.123456 * (widget.max - widget.min)
            widget.value = typed
            assert ex.controls[name].value == typed
            assert ex.card.state["at"][name] == typed


def test_a_prior_that_is_shown_changes_what_is_shown(ex):
    if "rho1" in ex.controls:
        before, text = picture(ex), ex.summary
        ex.controls["rho1"].value = 20
        assert picture(ex) != before
        assert ex.summary != text


def test_the_settings_are_a_call_that_makes_the_explorer_again(ex):
    for widget in ex.held.values():
        widget.value = extremes_of(widget)[-1]
    again = eval(ex.settings, {"explorers": explorers, type(ex).__name__: type(ex)})
    assert again.parameters() == ex.parameters()
    assert again.summary == ex.summary
    again.controls["reset"].click()  # which is the setting that it opened with
    assert again.parameters() == ex.parameters()


def test_settings_made_before_it_is_shown_leave_no_ghost(ex):
    name, widget = next(iter(ex.held.items()))
    widget.value = widget.max
    assert ex.card.state["before"] is None, name


def test_a_move_leaves_a_ghost_until_reset(ex, monkeypatch):
    clock = [100.0]
    monkeypatch.setattr(base.time, "monotonic", lambda: clock[0])
    ex.card.shown = True
    first = ex.card.state
    name, slider = next((n, w) for n, w in ex.held.items() if isinstance(w, Slider))
    places = [slider.at(k) for k in (0, slider.n_steps // 3, slider.n_steps)]
    for value in places:  # one move, because it never rests
        clock[0] += 0.5
        slider.value = value
        before = ex.card.state["before"]
        assert before["id"] == first["id"]
        assert before["numbers"] == first["numbers"]
        assert before["data"] == [first["data"][i] for i in first["ghosts"]]
        assert f"{first['at'][name]:g}" in before["words"]
    rested = ex.card.state
    clock[0] += 2
    slider.value = places[0]
    assert ex.card.state["before"]["id"] == rested["id"]
    ex.reset()
    assert ex.card.state["before"] is None


def test_a_frame_of_the_film_is_the_state_of_that_step(ex, monkeypatch):
    sent = []
    monkeypatch.setattr(type(ex.card), "send_film", lambda card, message: sent.append(message))
    name, slider = next((n, w) for n, w in ex.held.items() if isinstance(w, Slider))
    job = ex._film(name, key_of(ex._values(), name))
    for _ in range(4):
        next(job)
    opening, *frames = sent
    here = slider.place(slider.value)
    for message in frames:
        (frame,) = message["frames"]
        place = slider.place(frame["at"][name])
        assert abs(place - here) <= 3
        assert frame["at"][name] == slider.at(place)
        slider.value = frame["at"][name]
        old = {trace["meta"]: trace for trace in opening["base"]["data"]}
        state = ex.card.state
        assert frame["id"] == state["id"]
        for thin, trace in zip(frame["data"], state["data"], strict=True):
            shared = {} if thin["whole"] else old[thin["meta"]]
            assert {**shared, **{k: v for k, v in thin.items() if k != "whole"}} == trace
        assert {**opening["base"]["layout"], **frame["layout"]} == state["layout"]
        for part in ("headline", "numbers", "words", "lines", "marks", "derived", "call"):
            assert frame[part] == state[part]


def test_the_film_ends_when_another_control_moves_or_its_time_is_over(ex, monkeypatch):
    monkeypatch.setattr(type(ex.card), "send_film", lambda card, message: None)
    sliders = {n: w for n, w in ex.held.items() if isinstance(w, Slider)}
    if len(sliders) < 2:
        return
    (name, _), (_, other), *_ = sliders.items()
    job = ex._film(name, key_of(ex._values(), name))
    next(job)
    other.value = other.min if other.value != other.min else other.max
    assert next(job, "over") == "over"
    spent = iter(range(10**6))
    monkeypatch.setattr(base.time, "process_time", lambda: next(spent))
    assert len(list(ex._film(name, key_of(ex._values(), name)))) == base.FILM_SECONDS


def test_buttons_show_what_a_lesson_points_at(kind):
    name, slider = next((n, w) for n, w in made(kind).held.items() if isinstance(w, Slider))
    ex = kind(notice={"the lowest": {name: slider.min}, "the highest": {name: slider.max}})
    box = ex.view.children[0].children[1]
    assert [button.description for button in box.children] == ["the lowest", "the highest"]
    ex.controls["reset"].click()
    box.children[1].click()
    assert ex.held[name].value == slider.max
    assert_agrees(ex)
    with pytest.raises(ValueError, match="nonsense is none of the controls that notice"):
        kind(notice={"odd": {"nonsense": 1}})
    with pytest.raises(ValueError, match="nonsense is none of this explorer's controls"):
        kind(nonsense=1)


def test_closing_forgets_all_widgets(kind):
    ex = kind()
    everything = [ex.card, ex.view, *ex.controls.values()]
    assert all(widget.comm is not None for widget in everything)
    ex.close()
    assert all(widget.comm is None for widget in everything)
    assert plotly_script().comm is not None  # others share it
    widgets.Widget.close_all()
    assert_agrees(kind())


# --- controls -------------------------------------------------------------------------------------


def test_a_slider_is_a_widget_like_any_other():
    slider = Slider(value=19, min=1.01, max=1000, step=0.02, log=True, description="γ")
    seen = []
    slider.observe(lambda change: seen.append(change["new"]), "value")
    slider.value = 5
    assert seen == [5]
    other = widgets.FloatText()
    widgets.link((slider, "value"), (other, "value"))
    other.value = 7.5
    assert slider.value == 7.5
    widgets.jslink((slider, "value"), (other, "value"))
    assert widgets.HBox([slider]).children == (slider,)
    assert repr(slider) == "γ = 7.5"
    assert widgets.HBox([slider])._repr_mimebundle_()


@pytest.mark.parametrize("value", [1.0, 1001, "19", float("nan"), True])
def test_a_slider_refuses_what_is_out_of_range_in_words(value):
    slider = Slider(value=19, min=1.01, max=1000, step=0.02, log=True, description="γ")
    with pytest.raises(ValueError, match=r"γ is .*: it must be a number from 1\.01 to 1000"):
        slider.value = value
    assert slider.value == 19


def test_what_a_page_calls_5_is_what_python_calls_5():
    slider, whole = Slider(value=5.0, min=0, max=10), Slider(value=5, min=0, max=10, whole=True)
    for one, said in ((slider, "5.0"), (whole, "5")):
        one.set_state({"value": 5})  # no change for traitlets
        assert repr(one.value) == said


def test_a_whole_slider_refuses_parts():
    slider = Slider(value=4, min=1, max=8, step=1, whole=True, description="age")
    slider.value = 5.0
    assert repr(slider.value) == "5"
    with pytest.raises(ValueError, match=r"age is 4\.5: it must be a whole number"):
        slider.value = 4.5


@pytest.mark.parametrize(
    ("low", "high", "step", "log"),
    [(1.01, 1000, 0.02, True), (0, 1, 0.01, False), (1, 8, 1, False)],
)
def test_the_steps_of_a_slider_go_from_end_to_end(low, high, step, log):
    slider = Slider(value=low, min=low, max=high, step=step, log=log)
    values = [slider.at(k) for k in range(slider.n_steps + 1)]
    assert (values[0], values[-1]) == (low, high)
    assert values == sorted(set(values))
    assert [slider.place(value) for value in values] == list(range(len(values)))
    moves = np.diff(np.log10(values) if log else values)
    assert moves.mean() == pytest.approx(step, rel=0.02)


def test_gamma_is_set_by_any_of_three():
    ex = explorers.Playground()
    ex.controls["epsilon"].value = 1.0
    assert ex.controls["gamma"].value == pytest.approx(np.e)
    assert ex.controls["epsilon"].value == 1
    assert ex.controls["rho2"].value == 12.516
    ex.controls["rho2"].value = 50
    assert ex.controls["gamma"].value == 19  # and not 18.99999999
    assert ex.controls["epsilon"].value == 2.944
    ex.controls["rho1"].value = 10
    assert ex.controls["gamma"].value == 19
    assert ex.controls["rho2"].value == 67.857
    ex.controls["gamma"].value = 100
    assert ex.controls["rho2"].value == 91.743
    ex.controls["rho2"].value = 5  # below ρ₁: the smallest γ there is
    assert ex.controls["gamma"].value == 1.01
    ex.controls["gamma"].value = 99
    assert repr(ex.controls["gamma"].value) == "99.0"


def test_what_was_before_is_said_in_the_controls_own_words():
    ex = explorers.MechanismRace()
    ex.card.shown = True
    ex.controls["length"].value = 1
    assert ex.card.state["before"]["words"] == "itemsets of length = all"
    ex.set(thousands=1_000_000 // 1000, length=2)
    ex.set(data="HEALTH")
    assert ex.card.state["before"]["words"] == "data = CENSUS"
    ex.set(data="CENSUS")
    assert ex.card.state["before"]["words"] == "data = HEALTH (synthetic)"
    ex = explorers.Audit(n_reports=1_000_000)
    ex.card.shown = True
    ex.controls["n_reports"].value = 100
    assert ex.card.state["before"]["words"] == "reports of each input = 1000000"  # and not 1e+06


@pytest.mark.parametrize(
    "group",
    [
        [controls.Slider("n", "n", 1, 0, 2, 1, "one"), controls.Switch("n", "m", True, "two")],
        [controls.Several("s", (controls.Seed(), controls.Gamma(), controls.Seed(5)))],
        [controls.Gamma(), controls.Text("reset", "text", "", "its name is a button's")],
    ],
)
def test_two_controls_of_one_name_are_refused(group):
    with pytest.raises(ValueError, match=r"two controls are named '\w+': each needs a name of its"):
        explorers.explore(lambda **said: ({}, "Nothing."), group)


def test_what_a_gamma_means_stands_under_it():
    ex = explorers.Playground()
    assert ex.card.state["lines"]["gamma"] == "5 % → at most 50 % · ε = 2.94"
    ex.controls["rho1"].value = 10
    assert ex.card.state["lines"]["gamma"] == "10 % → at most 67.9 % · ε = 2.94"
    assert ex.card.state["derived"] == {"epsilon": 2.944, "rho2": 67.857}


def test_what_controls_say_to_a_model():
    ex = explorers.Playground()
    for name, value in {
        "rho1": 20, "gamma": 7, "alpha": 0.3, "min_support": 4.5, "seed": 5, "age": 7, "fnlwgt": 3,
        "RAN-GD": False, "C&P": False, "IND-RR": True, "error": "support_error",
    }.items():  # fmt: skip
        ex.controls[name].value = value
    assert ex.parameters() == mining.Parameters(
        data=Data("CENSUS", (("age", 7), ("fnlwgt", 3))),
        prior=0.2,
        gamma=7,
        alpha=0.3,
        min_support=0.045,
        schemes=("DET-GD", "MASK", "IND-RR"),
        seed=5,
        error="support_error",
    )
    ex.controls["data"].value = "HEALTH"
    ex.controls["AGE"].value = 2
    assert ex.parameters().data == Data("HEALTH", (("AGE", 2),))
    ex = explorers.RandomizedResponse()
    ex.controls["coin"].value = 99
    assert ex.parameters().coin == 0.99
    ex = explorers.Matrices()
    ex.controls["size_1"].value = 4
    assert ex.parameters().sizes == (4, 2, 2)


def test_new_draw_takes_the_next_seed():
    ex = explorers.Reconstruction()
    ex.controls["new_draw"].click()
    assert ex.parameters().seed == 8
    assert_agrees(ex)


@pytest.mark.parametrize("which", SCHEMES[:2], ids=lambda which: which.__name__)
def test_every_attribute_has_a_size_and_one_is_left_out(which):
    ex = which()
    finer = {"age", "fnlwgt", "hours-per-week"}
    for name in ("CENSUS", "HEALTH"):
        ex.controls["data"].value = name
        for part in controls.DataSet().sizes(name):
            stepper = ex.controls[part.name]
            assert (stepper.look, stepper.words) == ("stepper", {"1": "out"})
            assert (stepper.min, stepper.max) == (1, 8 if part.name in finer else part.value)
    assert "stand-in" in ex.summary
    assert ex.card.state["lines"]["cells"] == "7,500 cells"
    for size in ("AGE", "BDDAY12", "DV12"):
        ex.controls[size].value = 2
    assert_agrees(ex)
    ex.controls["SEX"].value = 1
    ex.controls["HEALTH"].value = 3
    assert_agrees(ex)
    assert ex.card.state["lines"]["cells"] == "144 cells"


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
    assert "SHY-GD" in ex.controls["SHY-GD"].description
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
        assert picture(ex)["run MASK (2)"]["y"] == figures.rounded(errors)
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
    assert "MATRIX cannot be undone here: length is 3: A is singular" in ex.summary
    assert picture(ex)["singular MATRIX"]["x"]


@pytest.fixture
def fussy():
    @fl.scheme("FUSSY")
    class Fussy(fl.GammaDiagonal):
        @classmethod
        def for_gamma(cls, schema, gamma):
            if gamma > 30:
                raise ValueError("a γ above 30 is <b>too much</b> for me")
            return cls(schema, gamma)

    yield Fussy
    forget("FUSSY")


@pytest.mark.parametrize("which", SCHEMES, ids=lambda which: which.__name__)
def test_a_scheme_that_cannot_be_had_says_so_on_its_chip_and_in_words(which, fussy):
    ex = which(schemes=["DET-GD", "C&P", "FUSSY"])

    def greyed():
        chips = ex.card.state["chips"].items()
        return {label: text for label, text in chips if "frapp-missing" in text}

    assert greyed() == {}
    for gamma, is_there in ((4.001, True), (4, False), (1.01, False)):
        ex.controls["gamma"].value = gamma
        assert ("C&P cannot be had here" in ex.summary) != is_there
        assert ("C&P" in greyed()) != is_there
        if not is_there:
            assert "C&amp;P: needs γ &gt; 4</span>" in greyed()["C&P"]
            assert f'title="gamma is {gamma:g} and K is 3: cut-and-paste' in greyed()["C&P"]
            assert f"C&P cannot be had here: gamma is {gamma:g} and K is 3: cut" in ex.summary
    ex.controls["gamma"].value = 31
    assert "FUSSY cannot be had here: a γ above 30 is <b>too much</b> for me." in ex.summary
    assert list(greyed()) == ["FUSSY"]
    assert "FUSSY: cannot be had here</span>" in greyed()["FUSSY"]
    assert "<b>" not in greyed()["FUSSY"]
    for label in ("DET-GD", "C&P"):
        ex.controls[label].value = False
    assert "No scheme is shown" not in ex.card.state["headline"]
    ex.controls["FUSSY"].value = False  # what is not asked for is not missing
    assert greyed() == {}
    assert ex.card.state["chips"]["C&P"] == ex.controls["C&P"].description


def test_what_c_and_p_needs_follows_its_k():
    ex = explorers.Matrices(gamma=3, K=2)
    assert "needs γ &gt; 3" in ex.card.state["chips"]["C&P"]
    ex.controls["K"].value = 1
    assert "needs" not in ex.card.state["chips"]["C&P"]
    ex.controls["matrix"].value = "my own"
    every = ", ".join(ex.choices)
    for typed, who, why in (
        ("0.6 0.4\n0.4 0.6", "C&P", "needs γ &gt; 2"), ("1 0\n0 1", every, "cannot be had here"),
        ("0.5 0.5\n0.5 0.5", every, "cannot be had here"), ("3", "C&P", "needs γ &gt; 2"),
    ):  # fmt: skip
        ex.set(own=typed, gamma=2)
        chips = {s: text for s, text in ex.card.state["chips"].items() if "missing" in text}
        assert ", ".join(chips) == who
        assert all(f": {why}</span>" in text for text in chips.values())
        assert f"{who} cannot be had here: gamma is " in ex.summary


@pytest.mark.parametrize("setting", [{"gamma": 1.5, "matrix": "C&P"}, {"matrix": "my own"}])
def test_without_a_matrix_the_axes_still_have_ends(setting):
    ex = explorers.Matrices(own="a b", **setting)
    assert "matrix" not in picture(ex)
    test_every_axis_says_what_kind_it_is_and_from_where_to_where(ex)


def test_the_race_says_who_cannot_run_and_why(fussy):
    ex = explorers.MechanismRace(length=2, gamma=3)
    notes = [note["text"] for note in ex.card.state["layout"]["annotations"]]
    assert notes.count("needs γ > 4") == 1
    assert "C&P cannot do it here: gamma is 3 and K is 3" in ex.summary
    ex.set(gamma=31, length=4)
    notes = [note["text"] for note in ex.card.state["layout"]["annotations"]]
    assert notes.count("only up to length 3") == notes.count("cannot be had here") == 1
    assert "C&P cannot do it here: length is 4: cut-and-paste with K = 3 keeps" in ex.summary
    assert "FUSSY cannot do it here: a γ above 30 is <b>too much</b> for me." in ex.summary


# --- no label is markup ---------------------------------------------------------------------------

ODD = '<img src=x onerror="alert(1)"><b>A</b> & &lt;'


def markup(value, path=""):
    """Where in a state a page would find the tags of a label."""
    if isinstance(value, str):
        return [path] if "<img" in value or "<b>A" in value else []
    if not isinstance(value, dict | list | tuple):
        return []
    parts = value.items() if isinstance(value, dict) else enumerate(value)
    seen = [(k, part) for k, part in parts if k not in ("meta", "legendgroup")]
    return [found for key, part in seen for found in markup(part, f"{path}/{key}")]


@pytest.fixture
def odd():
    @fl.scheme(ODD)
    class Odd(fl.GammaDiagonal):
        @classmethod
        def for_gamma(cls, schema, gamma):
            return cls(schema, gamma)

    yield ODD
    forget(ODD)


PLAIN_TEXT = {"at", "call", "headline", "lines", "numbers", "said", "words"}
"""What the page shows as text, whatever is in it."""


@pytest.mark.parametrize("which", [*SCHEMES, explorers.MechanismRace], ids=lambda w: w.__name__)
def test_a_schemes_label_is_never_markup(which, odd):
    ex = which() if which is explorers.MechanismRace else which(schemes=[odd, "DET-GD", "C&P"])
    settings = [
        {},
        {"gamma": 3.0},
        {"length": 1},
        {"matrix": odd},
        {"scheme": odd},
        {"data": "HEALTH"},
    ]
    for setting in settings:
        if setting.keys() <= ex.held.keys():
            ex.set(**setting)
            assert ex.error is None
            state = {k: v for k, v in ex.card.state.items() if k not in PLAIN_TEXT}
            assert markup(state) == []
            shown = json.dumps([state["data"], state["layout"]], ensure_ascii=False)
            assert "&lt;img src=x" in shown
            assert "&lt;b>A&lt;/b> & &amp;lt;" in shown


def test_a_controls_label_is_never_markup():
    every = [
        controls.Slider("a", ODD, 1, 0, 2, 1, "a"), controls.Text("b", ODD, "", "b"),
        controls.Switch("c", ODD, True, "c"), controls.Choice("d", ODD, (ODD,), ODD, "d"),
    ]  # fmt: skip
    ex = explorers.explore(
        lambda **said: ({ODD: ([ODD, "b"], [1, 2])}, ODD), {ODD: every, "more": [controls.Seed()]},
        x=ODD, y=ODD,
    )  # fmt: skip
    seen, left = [], [ex.view]
    while left:
        widget = left.pop()
        seen.append(widget)
        left += getattr(widget, "children", ())
    said = [w.value for w in seen if isinstance(w, widgets.HTML | widgets.HTMLMath)]
    said += [w.description for w in seen if getattr(w, "description_allow_html", False)]
    assert markup(said) == []
    assert any("&lt;img" in text for text in said)  # the label of the text
    assert markup(ex.card.state["layout"]) == []
    (trace,) = ex.card.state["data"]
    assert trace["name"] == trace["x"][0] == figures.plain(ODD)


def test_categories_and_curves_are_never_markup():
    assert figures.plain("C&P, γ > 4: a<b & &lt;") == "C&P, γ > 4: a&lt;b & &amp;lt;"
    for shown in (
        figures.chart({ODD: ([ODD], [1])}, ODD, ODD, "", title=ODD),
        figures.chart({ODD: ([ODD], [1]), "b": (["c"], [2])}, "x", "y", "", bars=True),
        figures.match_tree([ODD, "b"], [2, 2], [0.5, 0.5]),
    ):
        figure = shown.figure.to_plotly_json()
        assert markup(json.loads(json.dumps(figure, default=list))) == []
        assert "&lt;img" in json.dumps(figure, default=list)


def test_a_records_categories_are_never_markup(monkeypatch):
    step = explorers.column_by_column.Step
    ex = explorers.ColumnByColumn()
    result = ex.compute(ex.parameters())
    odd_ones = tuple(
        dataclasses.replace(s, name=ODD, categories=(ODD,) * len(s.categories))
        for s in result.steps
    )
    assert isinstance(odd_ones[0], step)
    result = dataclasses.replace(result, steps=odd_ones)
    assert markup([ex.series(result), ex.labels(result)]) == []
    mined = explorers.Mining()
    result = mined.compute(mined.parameters())
    names = type(result.points.itemsets).names
    monkeypatch.setattr(
        type(result.points.itemsets), "names",
        lambda self, which: [{f"{ODD}{item}" for item in items} for items in names(self, which)],
    )  # fmt: skip
    assert markup(mined.series(result)) == []


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

    ghosts = ("odds",)

    def skeleton(self):
        figure = figures.card(["Odds"]).update_xaxes(range=[0, 1]).update_yaxes(range=[0, 99])
        return figure.add_trace(figures.line("odds", "odds", figures.BLUE))

    def numbers(self, result):
        from frapp_lab.explorers.kit.base import Number
        return [Number(f"{v:g}", "odds") for v in (*result, sum(result))]

    def series(self, result):
        return {"odds": {"x": [0, 1], "y": figures.rounded(result)}}

    def describe(self, result):
        return (f"The odds grow from {result[0]} to {result[1]:g}. After the report they are "
                "that many times as high as before, whoever sent it.")
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
            test_a_card_has_a_headline_three_numbers_and_at_most_three_panels,
            test_every_axis_says_what_kind_it_is_and_from_where_to_where,
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
    notice = {"a small γ": {"gamma": 3.0}}
    ex = explorers.explore(
        curves, [slider], x="prior", y="posterior", y_range=(0, 1), notice=notice
    )
    assert ex.summary == repr(ex) == "At γ = 19 5 % can become 50%."
    shown = picture(ex)["0"]
    assert (shown["x"][4], shown["y"][4]) == (0.05, 0.5)
    layout = ex.figure.layout
    assert (layout.xaxis.title.text, layout.yaxis.title.text) == ("prior", "posterior")
    assert layout.yaxis.range == (0, 1)
    ex.controls["gamma"].value = 100
    assert ex.summary == "At γ = 100 5 % can become 84%."
    assert picture(ex)["0"]["y"][4] == 0.8403
    assert_agrees(ex)
    assert "application/vnd.jupyter.widget-view+json" in ex._repr_mimebundle_()
    ex.view.children[0].children[1].children[0].click()  # the button of what is to be noticed
    assert ex.summary == "At γ = 3 5 % can become 14%."
    ex.reset()
    assert ex.summary == "At γ = 19 5 % can become 50%."
    assert type(ex) not in explorers.every()


def suspicion(x, seed, kind):
    return {kind: (["few", "many"], [seed, x])}, f"{kind}: {x:g} and {seed}."


def test_an_own_explorers_settings_are_a_call_that_makes_it_again():
    kinds = (("first kind", "one"), ("second <b>kind</b>", "two"))
    group = {
        "A": [controls.Slider("x", "x", 2.0, 0.0, 9.0, 0.5, "a name that explore has too")],
        "B": [controls.Several("both", (controls.Seed(3),)),
              controls.Choice("kind", "kind", kinds, "one", "which")],
    }  # fmt: skip

    def sums(x, both, kind):
        return suspicion(x, both[0], kind)

    ex = explorers.explore(
        sums, group, x="how many", log_y=True, y_range=(1, 10), kind="two", height=300
    )
    assert ex.summary == "two: 2 and 3."
    ex.reset()
    assert ex.summary == "two: 2 and 3."
    ex.set(x=4.5, seed=8)
    assert ex.settings.startswith("explorers.explore(sums, {'A': [explorers.controls.Slider('x', ")
    assert "seed=8" in ex.settings
    again = eval(ex.settings, {"explorers": explorers, "sums": sums})
    assert again.summary == ex.summary == "two: 4.5 and 8."
    ours, theirs = ({k: v for k, v in e.card.state.items() if k in ("data", "layout", "at")}
                    for e in (ex, again))  # fmt: skip
    assert ours == theirs
    again.set(x=1, kind="one")
    third = eval(again.settings, {"explorers": explorers, "sums": sums})
    assert third.summary == "one: 1 and 8."
    plain = explorers.explore(sums, group["A"] + group["B"])
    assert "['A'" not in plain.settings
    assert eval(plain.settings, {"explorers": explorers, "sums": sums}).summary == plain.summary
    with pytest.raises(ValueError, match="gamma is none of this explorer's controls: x, seed"):
        explorers.explore(sums, group, gamma=5)
    with pytest.raises(ValueError, match="seed is -1: it must be a number from 0"):
        explorers.explore(sums, group, seed=-1)
    slider = controls.Slider("n", "n", 1, 0, 2, 1, "how many")
    nameless = explorers.explore(lambda n: ({}, "Nothing."), [slider])
    assert nameless.settings.startswith("explorers.explore(your_function, [explorers.controls.")


def test_words_on_an_own_x_axis_are_categories():
    slider = controls.Slider("n", "n", 1, 0, 2, 1, "how many")

    def towns(n):
        xs = (["a", "b"], [1.0, 2.0], ("b", 3))[n]
        return {"people": (iter(xs), (float(i) for i in range(2)))}, "Towns."

    ex = explorers.explore(towns, [slider])
    for n, kind, xs in (
        (1, "linear", [1, 2]), (0, "category", ["a", "b"]), (2, "category", ["b", 3]),
        (1, "linear", [1, 2]),
    ):  # fmt: skip
        ex.controls["n"].value = n
        assert ex.card.state["layout"]["xaxis"]["type"] == kind
        assert picture(ex)["0"]["x"] == xs
        assert picture(ex)["0"]["y"] == [0, 1]
    ex = explorers.explore(towns, [slider], n=0, log_x=True)
    assert ex.card.state["layout"]["xaxis"]["type"] == "category"


def test_a_y_for_each_x():
    slider = controls.Slider("n", "n", 2, 0, 3, 1, "how many")
    ex = explorers.explore(lambda n: ({"a": ([1, 2], range(n))}, "Good."), [slider])
    assert ex.error is None
    ex.controls["n"].value = 3
    assert isinstance(ex.error, ValueError)
    assert "curve 'a' has 2 x and 3 y: each x needs one y" in ex.summary


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


def luminance(colour):
    values = [int(colour[i : i + 2], 16) / 255 for i in (1, 3, 5)]
    linear = [v / 12.92 if v <= 0.04045 else ((v + 0.055) / 1.055) ** 2.4 for v in values]
    return np.dot([0.2126, 0.7152, 0.0722], linear)


def test_every_scheme_has_a_colour_and_a_marker_of_its_own_and_so_has_every_role():
    styles = [style_of(label) for label in fl.schemes(modern=True)]
    styles += SPARE_STYLES
    colours, markers = zip(*((s.colour, s.marker) for s in styles), strict=True)
    assert len(set(colours)) == len(set(markers)) == len(styles)
    roles = {name: getattr(figures, name) for name in
             ("TRUTH", "ESTIMATE", "BEFORE", "AFTER", "KEPT", "CHANGED")}  # fmt: skip
    assert len({*roles.values(), *colours}) == len(roles) + len(colours)
    for colour in [*roles.values(), *colours]:
        assert 1.05 / (luminance(colour) + 0.05) >= 3, colour


def test_the_figure_is_plotlys_own_form():
    ex = explorers.Playground()
    assert [trace.meta for trace in ex.figure.data] == list(picture(ex))
    assert ex.figure.layout.yaxis.type == "log"


def test_all_cards_share_one_script():
    first, second = explorers.Playground().card, explorers.Posterior().card
    assert first.script is second.script
    assert first.script.version
    assert 1e6 < len(first.script.packed) < 2e6
