"""What Posterior draws and says, against odds × γ written here."""

import itertools
import math
import re

import numpy as np
import pytest

from explorers.cards import texts, traces
from frapp_lab.explorers import Posterior


def bound(prior, gamma):
    odds = gamma * prior / (1 - prior)
    return odds / (1 + odds)


def logit(share):
    return math.log(share / (1 - share))


def test_in_percent_it_draws_bayes_rule():
    ex = Posterior(prior=10.0, n=4, rho1=20)
    shown = traces(ex)
    assert shown["prior"]["y"] == pytest.approx([10, 30, 30, 30])
    after = np.array([19 * 10, 30, 30, 30]) / (190 + 90)
    assert shown["posterior"]["y"] == pytest.approx(100 * after, rel=1e-3)
    assert shown["rise"]["x"] == [10, 10]
    assert shown["rise"]["y"] == [10, pytest.approx(67.86)]
    assert shown["bound"]["y"] == [pytest.approx(67.86)] * 2
    rho2 = 100 * bound(0.2, 19)
    assert shown["breach"]["x"] == [0, 20, 20, 0, 0]
    assert shown["breach"]["y"] == pytest.approx([rho2, rho2, 100, 100, rho2], rel=1e-3)
    x, y = (np.array(shown["curve"][f]) / 100 for f in "xy")
    assert y == pytest.approx(19 * x / (19 * x + 1 - x), abs=1e-3)
    assert shown["nothing"]["x"] == shown["nothing"]["y"]
    assert f"out of reach (20 %, {rho2:.3g} %)" in texts(ex)
    assert "10 % → 67.9 %" in texts(ex)
    assert "at most 67.9 %" in texts(ex)


@pytest.mark.parametrize(("gamma", "prior", "rho1"), [(19.0, 5, 5), (1.01, 0.1, 50), (1000, 99, 1)])
def test_in_log_odds_the_bound_is_the_diagonal_shifted_by_epsilon(gamma, prior, rho1):
    ex = Posterior(scale="log-odds", gamma=gamma, prior=prior, rho1=rho1)
    shown, epsilon = traces(ex), math.log(gamma)
    x, y = (np.array(shown["curve"][f]) for f in "xy")
    assert y - x == pytest.approx(epsilon, abs=0.006)  # four digits are drawn
    low, high = ex.card.state["layout"]["xaxis"]["range"]
    assert x[0] <= low < high <= x[-1]
    at = logit(prior / 100)
    assert shown["rise"]["x"] == pytest.approx([at, at], abs=0.001)
    assert shown["rise"]["y"] == pytest.approx([at, at + epsilon], abs=0.006)
    corner = logit(rho1 / 100)
    assert shown["breach"]["x"][1] == pytest.approx(corner, abs=0.001)
    assert shown["breach"]["y"][0] == pytest.approx(corner + epsilon, abs=0.006)
    assert f"ln γ = ε = {epsilon:.3g}" in texts(ex)
    assert any(text.startswith(f"{prior} %") and "→" in text for text in texts(ex))
    assert f"{epsilon:.3g}" in ex.card.state["headline"]
    # Beliefs stay in percent.
    percent = traces(Posterior(gamma=gamma, prior=prior, rho1=rho1))
    assert shown["posterior"] == percent["posterior"]


def test_words_belong_to_marks_and_no_place_is_chosen_here():
    for scale in ("percent", "log-odds"):
        state = Posterior(scale=scale).card.state
        named = {note["name"]: note["text"] for note in state["layout"]["annotations"]
                 if "name" in note}  # fmt: skip
        assert named.keys() == {"worst", "breach", "nothing", "bound"} | (
            {"curve"} if scale == "log-odds" else set()
        )
        assert named["worst"] == "5 % → 50 %"
        assert named["breach"] == "out of reach (5 %, 50 %)"
        shown = {trace["meta"]: trace for trace in state["data"]}
        assert (shown["worst"]["x"], shown["worst"]["y"]) == tuple(
            shown["rise"][axis][1:] for axis in "xy"
        )
        breach = next(trace for trace in state["data"] if trace["meta"] == "breach")
        assert breach["line"]["width"] > 1  # its fill alone is hardly seen on dark paper


@pytest.mark.parametrize("scale", ["percent", "log-odds"])
def test_the_dot_is_dragged_to_the_prior_below_it(scale):
    ex = Posterior(scale=scale)
    [(place, hand)] = ex.card.state["hands"].items()
    assert ex.card.state["data"][int(place)]["meta"] == "rise"
    assert (hand["does"], hand["axis"]) == ("drag", "x")
    assert hand["controls"] == ["prior", "prior"]
    if scale == "percent":
        assert hand["scale"] == []  # the axis is in the control's own unit
        return
    places, values = hand["scale"]
    assert (np.diff(places) > 0).all()
    slider = ex.states.held["prior"]
    assert (values[0], values[-1]) == pytest.approx((slider.low, slider.high))
    for prior in (0.1, 0.7, 5, 31, 50, 90.5, 99):  # between two places it is found on a line
        assert np.interp(logit(prior / 100), places, values) == pytest.approx(prior, rel=0.003)


def test_headlines_and_numbers_are_true():
    ex = Posterior()
    for gamma, prior, n in itertools.product((1.01, 1.49, 19, 1000), (0.1, 5, 60, 99), (2, 10, 50)):
        ex.set(gamma=gamma, prior=prior, n=n)
        worst = 100 * bound(prior / 100, gamma)
        for scale in ("percent", "log-odds"):
            ex.controls["scale"].value = scale
            head, numbers = ex.card.state["headline"], ex.card.state["numbers"]
            assert head.startswith(f"At γ = {gamma:.4g} ")
            before, after = re.findall(r"([\d.]+) %", head)
            assert float(before) == prior
            assert float(after) == pytest.approx(worst, rel=0.006)
            assert float(after) < 100 or worst > 99.9995
            assert len(head) <= 85
            assert numbers[0]["value"] == f"{after} %"
            assert float(numbers[1]["value"]) == pytest.approx(math.log(gamma), rel=0.006)
            kept = 100 * gamma / (gamma + n - 1)
            assert float(numbers[2]["value"].removesuffix(" %")) == pytest.approx(kept, rel=0.006)


def test_the_line_under_the_prior_is_odds_times_gamma():
    assert Posterior().card.state["lines"]["prior"] == "odds 0.0526 × γ = 1"
    line = Posterior(prior=50.0, gamma=1000.0).card.state["lines"]["prior"]
    assert line == "odds 1 × γ = 1,000"


def test_under_gamma_stands_the_prior_that_is_in_sight():
    ex = Posterior()
    assert ex.card.state["lines"]["gamma"] == "5 % → at most 50 % · ε = 2.94"
    ex.set(prior=10.0, rho1=1)
    assert ex.card.state["lines"]["gamma"] == "10 % → at most 67.9 % · ε = 2.94"
    ex.set(prior=99.0, gamma=1000.0)
    number, line = ex.card.state["numbers"][0], ex.card.state["lines"]["gamma"]
    assert line == f"99 % → at most {number['value']} · ε = 6.91"
    assert number["value"] != "100 %"


@pytest.mark.parametrize("scale", ["percent", "log-odds"])
def test_axes_stand_still_and_hold_every_setting(scale):
    ex = Posterior(scale=scale)
    first = {k: v for k, v in ex.card.state["layout"].items() if k != "annotations"}
    for gamma, prior, rho1 in itertools.product((1.01, 30, 1000), (0.1, 50, 99), (0.1, 99)):
        ex.set(gamma=gamma, prior=prior, rho1=rho1)
        assert ex.error is None
        state = ex.card.state
        assert {k: v for k, v in state["layout"].items() if k != "annotations"} == first
        assert 80 <= len(state["words"]) <= 2000
        for axis in "xy":
            low, high = first[f"{axis}axis"]["range"]
            assert all(low <= v <= high for v in traces(ex)["rise"][axis])
        for note in state["layout"]["annotations"]:
            if note["xref"] == "x":
                (x0, x1), (y0, y1) = (first[f"{axis}axis"]["range"] for axis in "xy")
                assert x0 <= note["x"] <= x1
                assert y0 <= note["y"] <= y1
    ex.controls["n"].value = 2
    assert ex.card.state["layout"]["xaxis"] == first["xaxis"]
    assert ex.card.state["layout"]["xaxis2"]["range"] == [0.4, 2.6]


def test_curve_and_posterior_leave_a_ghost():
    state = Posterior().card.state
    assert {state["data"][i]["meta"] for i in state["ghosts"]} == {"curve", "posterior"}


def test_what_is_known_from_the_lessons_is_said():
    ex = Posterior(rho1=1, gamma=99.0)
    assert "83.9 %" in ex.summary
    assert "stays below ρ₂ = 50.0 %" in ex.summary
    ex = Posterior(n=2)
    assert "95.0 %" in ex.summary
    assert "the other value" in ex.summary
    assert "a report says little" in Posterior(gamma=1.01).summary
    assert "shifted up by the same ε" in Posterior(scale="log-odds").summary
