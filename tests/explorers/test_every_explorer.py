"""Every explorer, without a browser: setting a control is the same as moving it."""

import functools
import importlib.util
import json
import logging

import ipywidgets as widgets
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from explorers.cards import assert_agrees, traces
from frapp_lab import explorers
from frapp_lab.explorers.kit import explorer, open_explorer
from frapp_lab.explorers.kit.page_widgets import Slider, plotly_script
from frapp_lab.explorers.kit.states import key_of


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


def still(axes):
    """What may not change while a slider moves: kinds and ranges of the axes."""
    return {
        name: (axis.get("type"), tuple(axis["range"]))
        for name, axis in axes.items()
        if name[1:5] == "axis"
    }


# --- all of them ----------------------------------------------------------------------------------


def test_an_explorer_opens_with_its_models_defaults(opened):
    assert opened.parameters() == opened.states.kind.reads()
    assert opened.error is None


def test_the_bundle_holds_a_widget_and_the_summary(opened):
    bundle = opened._repr_mimebundle_()
    assert "application/vnd.jupyter.widget-view+json" in bundle
    assert bundle["text/plain"] == opened.summary == repr(opened)
    assert 80 < len(opened.summary) < 2000
    assert any(character.isdigit() for character in opened.summary)
    assert_agrees(opened)


def longest(state):
    """How long a headline may be: where numbers stand above panels, two lines are kept for it."""
    return 180 if state["columns"] else 100


def test_a_card_has_a_headline_three_numbers_and_at_most_three_panels(opened):
    state = opened.card.state
    assert 20 < len(state["headline"]) < longest(state)
    assert state["headline"].endswith(".")
    assert len(state["numbers"]) == 3
    assert all(n["value"] and n["label"] for n in state["numbers"])
    panels = [name for name in state["layout"] if name.startswith("xaxis")]
    assert 1 <= len(panels) <= 3
    assert state["ghosts"]


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
        assert 20 < len(ex.card.state["headline"]) < longest(ex.card.state) + 20

    sets()


def test_away_and_back_is_the_same_picture(ex):
    before, text = traces(ex), ex.summary
    for name, widget in settable(ex).items():
        old = widget.value
        for value in extremes_of(widget):
            widget.value = value
        widget.value = old
        if name in ("epsilon", "rho2"):  # they show γ rounded: set γ itself back
            ex.controls["gamma"].value = 19
        assert ex.summary == text, name
        assert traces(ex) == before, name


def test_reset_returns_to_the_first_setting(ex):
    before, text = traces(ex), ex.summary
    for widget in settable(ex).values():
        widget.value = extremes_of(widget)[-1]
    ex.controls["reset"].click()
    assert ex.summary == text
    assert traces(ex) == before
    assert ex.parameters() == ex.states.kind.reads()


@pytest.mark.parametrize(
    ("error", "logged"), [(ValueError("gamma is 0: it must be above 1"), 0), (KeyError("age"), 1)]
)
def test_an_error_becomes_a_sentence_and_the_next_setting_recovers(
    ex, monkeypatch, caplog, error, logged
):
    text = ex.summary

    axes = still(ex.card.state["layout"])

    def fails(*parameters, **options):
        raise error

    monkeypatch.setattr(ex.states.kind, "show", fails)
    ex._kept.clear()
    with caplog.at_level(logging.ERROR):
        ex.update()
    assert ex.error is error
    assert ex.summary == f"This setting cannot be shown: {error}."
    assert ex.card.state["headline"] == ex.summary
    assert not ex.card.state["data"]
    assert still(ex.card.state["layout"]) == axes  # the last good ones stay
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
    for trace in traces(opened).values():
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
        before, text = traces(ex), ex.summary
        ex.controls["rho1"].value = 20
        assert traces(ex) != before
        assert ex.summary != text


def test_the_settings_are_a_call_that_makes_the_explorer_again(ex):
    for widget in ex.held.values():
        widget.value = extremes_of(widget)[-1]
    again = eval(ex.settings, {"explorers": explorers})
    assert again.parameters() == ex.parameters()
    assert again.summary == ex.summary
    again.controls["reset"].click()  # which is the setting that it opened with
    assert again.parameters() == ex.parameters()


def test_only_what_has_not_moved_since_it_was_opened_or_reset_is_fresh(ex):
    """The page shows what was before a move, and forgets it at Reset: that is told by the state."""
    first = ex.card.state
    assert first["fresh"]
    widget = next(w for w in ex.held.values() if isinstance(w, Slider))
    widget.value = widget.max if widget.value != widget.max else widget.min
    assert not ex.card.state["fresh"]
    ex.reset()
    assert ex.card.state == first
    ex.set(**{next(iter(ex.held)): widget.max})
    assert not ex.card.state["fresh"]


def test_a_frame_of_the_film_is_the_state_of_that_step(ex, monkeypatch):
    sent = []
    monkeypatch.setattr(type(ex.card), "send_film", lambda card, message: sent.append(message))
    name, slider = next((n, w) for n, w in ex.held.items() if isinstance(w, Slider))
    job = ex._film(name, key_of(ex._values(), name))
    for _ in range(4):
        next(job)
    opening, *frames = sent
    steps, here = slider.declared, slider.declared.place(slider.value)
    for message in frames:
        (frame,) = message["frames"]
        place = steps.place(frame["at"][name])
        assert abs(place - here) <= 3
        assert frame["at"][name] == steps.at(place)
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
    monkeypatch.setattr(open_explorer.time, "process_time", lambda: next(spent))
    assert len(list(ex._film(name, key_of(ex._values(), name)))) == open_explorer.FILM_SECONDS


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


# --- explorers of one's own -----------------------------------------------------------------------

OWN_FILE = '''
"""How odds grow: an explorer in a file of its own."""
from dataclasses import dataclass

from frapp_lab.explorers import Card, Number, Panel, controls, explorer, marks


@dataclass(frozen=True)
class Parameters:
    times: float = 19.0


CONTROLS = {"Odds": [controls.Slider("times", "times", 19.0, 1.0, 99.0, 0.1, "how")]}


@explorer(CONTROLS, Parameters)
def odds(p):
    """Odds before and after."""
    line = marks.line("odds", [0, 1], [1, p.times], "#0072B2", ghost=True)
    words = (f"The odds grow from 1 to {p.times:g}. After the report they are "
             "that many times as high as before, whoever sent it.")
    return Card(
        headline=f"The odds grow from 1 to {p.times:g}.",
        numbers=[Number(f"{v:g}", "odds") for v in (1, p.times, 1 + p.times)],
        panels=[Panel("Odds", marks.axis(0, 1), marks.axis(0, 99), [line])],
        words=words,
    )
'''


def test_an_explorer_in_a_new_file_joins_the_generic_tests(tmp_path):
    (tmp_path / "odds.py").write_text(OWN_FILE)
    before = len(explorers.every())
    spec = importlib.util.spec_from_file_location("odds", tmp_path / "odds.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    try:
        assert explorers.every()[-1] is module.odds
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
            test(module.odds())
    finally:
        explorer._known.pop(("odds", "Odds"))
