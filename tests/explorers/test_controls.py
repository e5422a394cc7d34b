"""Controls: γ in three ways, sizes of attributes, and what they say to a model."""

import numpy as np
import pytest

from explorers.cards import assert_agrees
from frapp_lab import explorers
from frapp_lab.explorers import controls
from frapp_lab.explorers.models import mining
from frapp_lab.explorers.models.data import Data

SCHEMES = [explorers.Playground, explorers.Mining, explorers.Matrices]


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


def test_where_a_control_stands_is_said_in_its_own_words():
    """What was before a move is named by it, under the figure."""
    said = explorers.MechanismRace().card.state["said"]
    assert said["length"] == "itemsets of length = all"
    said = explorers.MechanismRace(data="HEALTH").card.state["said"]
    assert said["data"] == "data = HEALTH (synthetic)"
    said = explorers.Audit(n_reports=1_000_000).card.state["said"]
    assert said["n_reports"] == "reports of each input = 1000000"  # and not 1e+06


def test_what_gamma_means_is_known_at_each_of_its_steps():
    ex = explorers.Playground()
    slider, steps = ex.controls["gamma"], ex.states.slider("gamma")
    for rho1 in (5.0, 20.0):
        ex.controls["rho1"].value = rho1
        assert len(slider.says) == steps.n_steps + 1
        for place in (0, 30, 96, steps.n_steps):
            ex.controls["gamma"].value = steps.at(place)
            assert slider.says[place] == ex.card.state["lines"]["gamma"]


def test_the_slider_of_the_domain_sets_all_attributes_and_follows_them():
    ex = explorers.Playground()
    moved = []
    ex.card.feed.observe(lambda change: moved.append(change["new"]["id"]), "state")
    ex.controls["domain"].value = 0
    sizes = {name: ex.controls[name].value for name in ("age", "fnlwgt", "race", "sex", "AGE")}
    assert sizes == dict.fromkeys(sizes, 2)
    assert len(moved) == 1  # they move as one
    assert ex.card.state["lines"]["domain"] == "64 cells: 2 · 2 · 2 · 2 · 2 · 2"
    assert repr(ex.controls["domain"]) == "cells of the domain = 64"
    assert "64 cells" in ex.summary
    ex.controls["domain"].value = 5
    assert ex.parameters().data.load().schema.n_cells == 8 * 8 * 8 * 5 * 2 * 2
    ex.set(age=4, fnlwgt=5, **{"hours-per-week": 5})
    assert ex.card.state["derived"]["domain"] == 3
    assert ex.controls["domain"].value == 3
    steps = ex.controls["domain"].sets
    ex.controls["domain"].value = 1
    assert all(ex.controls[name].value == size for name, size in steps[1].items())
    ex.reset()
    assert ex.controls["domain"].value == 3


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
    assert ex.card.state["derived"] == {"epsilon": 2.944, "rho2": 67.857, "domain": 3}


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
        for part in controls.DataSet().cases[name]:
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
