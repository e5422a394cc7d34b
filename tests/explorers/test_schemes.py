"""Schemes in explorers: whatever is registered appears, and says why it cannot be had."""

import numpy as np
import pytest

import frapp_lab as fl
from explorers import test_every_explorer
from explorers.cards import assert_agrees, traces
from frapp_lab import explorers
from frapp_lab.explorers.controls import Schemes
from frapp_lab.figures.look import rounded
from frapp_lab.mechanisms.registry import forget

SCHEMES = [explorers.Playground, explorers.Mining, explorers.Matrices]
CENSUS = fl.load_census()


def legend_of(ex):
    return next(c for c in ex.states.declared if isinstance(c, Schemes))


def test_an_explorer_shows_a_modern_scheme_when_it_is_asked_for():
    ex = explorers.Mining(schemes=["DET-GD", "PAIR"])
    assert ex.error is None
    assert "PAIR" in ex.summary
    assert "PAIR" not in explorers.Mining().controls
    ex.close()


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
        legend = legend_of(ex)
        assert [s for s in legend.options if ex.controls[s].value] == [
            "DET-GD", "MASK (2)", "C&P, K = 2",
        ]  # fmt: skip
        assert "MASK (2)" in ex.summary
        colours = [legend.colour(label) for label in legend.options]
        assert len(set(colours)) == len(colours)
        assert_agrees(ex)
        errors = fl.mine(CENSUS, mine, 0.02, rng=7).errors["false_negatives"]
        assert traces(ex)["run MASK (2)"]["y"] == rounded(errors)
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
    assert traces(ex)["singular MATRIX"]["x"]


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
    every = ", ".join(legend_of(ex).options)
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
    assert "matrix" not in traces(ex)
    test_every_explorer.test_every_axis_says_what_kind_it_is_and_from_where_to_where(ex)


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


@pytest.mark.parametrize("matrix", ["SMP", "DET-GD"])
def test_a_scheme_without_a_matrix_of_this_length_leaves_the_others_in_sight(matrix):
    ex = explorers.Matrices(schemes=["SMP", "DET-GD"], length=2, matrix=matrix)
    assert ex.error is None
    assert traces(ex)["condition DET-GD"]["y"]
    assert ("matrix" in traces(ex)) == (matrix == "DET-GD")
    ex.close()
