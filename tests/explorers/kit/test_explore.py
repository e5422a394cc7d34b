"""An explorer of one's own, from a function in a cell."""

import numpy as np
import pytest

from explorers.cards import assert_agrees, traces
from frapp_lab import explorers
from frapp_lab.explorers import controls


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
    shown = traces(ex)["0"]
    assert (shown["x"][4], shown["y"][4]) == (0.05, 0.5)
    layout = ex.figure.layout
    assert (layout.xaxis.title.text, layout.yaxis.title.text) == ("prior", "posterior")
    assert layout.yaxis.range == (0, 1)
    ex.controls["gamma"].value = 100
    assert ex.summary == "At γ = 100 5 % can become 84%."
    assert traces(ex)["0"]["y"][4] == 0.8403
    assert_agrees(ex)
    assert "application/vnd.jupyter.widget-view+json" in ex._repr_mimebundle_()
    ex.view.children[0].children[1].children[0].click()  # the button of what is to be noticed
    assert ex.summary == "At γ = 3 5 % can become 14%."
    ex.reset()
    assert ex.summary == "At γ = 19 5 % can become 50%."
    assert ex.states.kind not in explorers.every()


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
        assert traces(ex)["0"]["x"] == xs
        assert traces(ex)["0"]["y"] == [0, 1]
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
    assert "it must give a Card, or ({name: (xs, ys)}, text)" in ex.summary
    assert not caplog.records
    ex = explorers.explore(lambda m: m, [slider])
    assert isinstance(ex.error, TypeError)
    assert len(caplog.records) == 1
