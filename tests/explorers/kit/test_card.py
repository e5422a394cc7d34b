"""The card: its sliders, its figure, and the script that all cards share."""

import ipywidgets as widgets
import numpy as np
import pytest

from explorers.cards import traces
from frapp_lab import explorers
from frapp_lab.explorers.kit.page_widgets import Slider


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
    slider = Slider(value=low, min=low, max=high, step=step, log=log).declared
    values = [slider.at(k) for k in range(slider.n_steps + 1)]
    assert (values[0], values[-1]) == (low, high)
    assert values == sorted(set(values))
    assert [slider.place(value) for value in values] == list(range(len(values)))
    moves = np.diff(np.log10(values) if log else values)
    assert moves.mean() == pytest.approx(step, rel=0.02)


def test_the_figure_is_plotlys_own_form():
    ex = explorers.Playground()
    assert [trace.meta for trace in ex.figure.data] == list(traces(ex))
    assert ex.figure.layout.yaxis2.type == "log"


def test_all_cards_share_one_script():
    first, second = explorers.Playground().card, explorers.Posterior().card
    assert first.script is second.script
    assert first.script.version
    assert 1e6 < len(first.script.packed) < 2e6
