"""What RandomizedResponse draws and says, against Warner's formulas written here."""

import itertools
import math
import re

import numpy as np
import pytest

from explorers.cards import texts, traces
from frapp_lab.explorers import RandomizedResponse
from frapp_lab.explorers.models import randomized_response as model
from frapp_lab.figures.look import AFTER, CHANGED, KEPT, rounded

KINDS = ("yes, says yes", "yes, says no", "no, says yes", "no, says no")


def asked(ex):
    """Who is "yes" and who says so."""
    result = model.compute(ex.parameters())
    return result.is_yes, result.says_yes


@pytest.mark.parametrize(("people", "n_shown"), [(90, 90), (1000, 100)])
@pytest.mark.parametrize("by_answer", [False, True])
def test_every_person_is_drawn_once_as_what_they_are_and_say(people, n_shown, by_answer):
    ex = RandomizedResponse(people=people, by_answer=by_answer)
    is_yes, says_yes = (which[:n_shown] for which in asked(ex))
    shown, places = traces(ex), set()
    for name in KINDS:
        truth, answer = (word == "yes" for word in name.split(", says "))
        n = int(((is_yes == truth) & (says_yes == answer)).sum())
        assert len(shown[name]["x"]) == n, name
        places |= {*zip(shown[name]["x"], shown[name]["y"], strict=True)}
        kept = truth == answer
        assert shown[name]["marker"]["color"] == (KEPT if kept else CHANGED)
    assert len(places) == n_shown
    if by_answer:  # all who say yes stand above all who say no, under the right numbers
        lowest = max(y for name in KINDS[::2] for y in shown[name]["y"])
        assert lowest < min(y for name in KINDS[1::2] for y in shown[name]["y"])
        assert f"{says_yes.sum()} say yes, {(is_yes & says_yes).sum()} are “yes”" in texts(ex)
        assert f"{(~says_yes).sum()} say no, {(is_yes & ~says_yes).sum()} are “yes”" in texts(ex)
    low, high = ex.card.state["layout"]["xaxis"]["range"]
    bottom, top = ex.card.state["layout"]["yaxis"]["range"]
    assert all(low < x < high and top < y < bottom for x, y in places)


def test_unsorted_people_stand_in_the_order_in_which_they_were_asked():
    ex = RandomizedResponse(people=90)
    shown, (is_yes, says_yes) = traces(ex), asked(ex)
    for name in KINDS:
        for x, y in zip(shown[name]["x"], shown[name]["y"], strict=True):
            person = 10 * y + x
            said = (
                f"{'yes' if is_yes[person] else 'no'}, says {'yes' if says_yes[person] else 'no'}"
            )
            assert said == name


@pytest.mark.parametrize("by_answer", [False, True])
def test_in_the_miners_view_all_who_gave_the_same_answer_look_alike(by_answer):
    ex = RandomizedResponse(hidden=True, by_answer=by_answer, truth=41)
    shown, (_, says_yes) = traces(ex), asked(ex)
    assert not {*KINDS, "true share", "truth 1", "this draw", "below 0"} & set(shown)
    assert len(shown["says yes"]["x"]) == says_yes[:100].sum()
    assert len(shown["says no"]["x"]) == (~says_yes[:100]).sum()
    state = ex.card.state
    said = [state["headline"], state["words"], *texts(ex), *map(str, state["numbers"])]
    assert not any("41" in text or "are “yes”" in text for text in said)
    assert f"{says_yes.sum()} of 1,000 say yes" in state["headline"]


@pytest.mark.parametrize(
    ("coin", "truth", "people", "seed"), [(75, 30, 1000, 7), (60, 80, 90, 2), (97, 0, 2000, 3)]
)
def test_the_shares_are_warners(coin, truth, people, seed):
    ex = RandomizedResponse(coin=coin, truth=truth, people=people, seed=seed)
    shown, p = traces(ex), coin / 100
    answers = asked(ex)[1].mean()
    estimate = (answers + p - 1) / (2 * p - 1)
    assert shown["true share"]["x"] == pytest.approx([truth], abs=0.6)
    assert shown["yes answers"]["x"] == rounded([100 * answers])
    assert shown["estimate"]["x"] == pytest.approx([100 * estimate], rel=1e-3, abs=0.01)
    assert shown["this draw"]["x"] == pytest.approx([100 * estimate - truth], abs=0.02)
    deviation = 100 * math.sqrt(p * (1 - p) / people) / (2 * p - 1)
    low, high = shown["interval"]["x"]
    step = 100 / people / (2 * p - 1)  # the band's ends are possible estimates
    wanted = (100 * estimate + side * 1.645 * deviation for side in (-1, 1))
    assert (low, high) == pytest.approx([min(max(x, -10), 110) for x in wanted], abs=2 * step)
    assert ex.card.state["numbers"][1]["value"] == f"{deviation:.1f} points"
    yes, no = truth / 100 * p, (1 - truth / 100) * (1 - p)
    said = float(ex.card.state["numbers"][2]["value"].removesuffix(" %"))
    assert said == pytest.approx(100 * yes / (yes + no), abs=0.6)
    assert any(text.startswith("estimate ") for text in texts(ex))
    assert f"γ = p/(1 − p) = {p / (1 - p):.3g}" in ex.card.state["lines"]["coin"]


def test_estimates_drop_into_the_histogram_one_by_one():
    ex = RandomizedResponse()
    curve = traces(ex)["curve"]
    assert "last" not in traces(ex)
    before = {}
    for k in (1, 2, 3, 50, 199, 200):
        ex.controls["repetitions"].value = k
        bars = traces(ex)["repeated"]
        counts = dict(zip(bars["x"], bars["y"], strict=True))
        assert sum(counts.values()) == k
        assert all(counts[x] >= n for x, n in before.items())
        if k < 200:
            (x,), (y,) = traces(ex)["last"]["x"], traces(ex)["last"]["y"]
            assert counts[x] == y
            if k <= 3:  # it is the newest
                assert counts[x] == before.get(x, 0) + 1
        assert traces(ex)["curve"] == curve
        before = counts


@pytest.mark.parametrize(
    ("button", "control", "steps"),
    [("drop", "repetitions", range(1, 201)), ("ask", "asked", range(101))],
)
def test_play_goes_through_a_slider_and_from_its_end_anew(button, control, steps):
    ex = RandomizedResponse(people=10)
    seen = []
    ex.controls[control].observe(lambda change: seen.append(change.new), "value")
    ex.controls[button].click()
    assert seen == list(steps)


@pytest.mark.parametrize(("hidden", "by_answer"), [*itertools.product((False, True), repeat=2)])
@pytest.mark.parametrize("people", [60, 1000])
def test_people_toss_and_answer_one_after_the_other(people, hidden, by_answer):
    ex = RandomizedResponse(people=people, hidden=hidden, by_answer=by_answer)
    (is_yes, says_yes), drawn = asked(ex), min(people, 100)
    axes = {k: v for k, v in ex.card.state["layout"].items() if "axis" in k}
    repeated = traces(ex)["repeated"]
    assert "last answer" not in traces(ex)
    for k in (0, 1, 2, 3, 20, drawn - 1):
        ex.controls["asked"].value = k
        state, shown = ex.card.state, traces(ex)
        assert f"{k} of {drawn} have answered" in " ".join(texts(ex))
        waiting = [t for name, t in shown.items() if "not asked" in name]
        assert sum(len(t["x"]) for t in waiting) == drawn - k
        assert all(t["marker"]["size"] < 10 for t in waiting)
        answered = [shown[name] for name in (("says yes", "says no") if hidden else KINDS)]
        assert sum(len(t["x"]) for t in answered) == k
        assert {k: v for k, v in state["layout"].items() if "axis" in k} == axes
        assert shown["repeated"] == repeated
        if k == 0:
            assert state["headline"].startswith("Nobody has answered yet")
            assert not {"estimate", "yes answers", "last answer"} & set(shown)
            continue
        truth, answer = ("yes" if which[k - 1] else "no" for which in (is_yes, says_yes))
        coin = "heads and tells the truth" if truth == answer else "tails and says the opposite"
        said = f"Person {k} is “{truth}”, tosses {coin}: {answer}."
        if hidden:
            said = f"Person {k} says {answer}; how the coin fell, nobody else sees."
        assert state["headline"] == said
        assert said in state["words"]
        notes = state["layout"]["annotations"]
        (colour,) = (t["font"]["color"] for t in notes if f"Person {k}" in t["text"])
        assert colour == (AFTER if hidden else KEPT if truth == answer else CHANGED)
        at = [(t["x"][0], t["y"][0]) for t in (shown["last answer"],)]
        kind = f"says {answer}" if hidden else f"{truth}, says {answer}"
        assert at[0] in {*zip(shown[kind]["x"], shown[kind]["y"], strict=True)}
        who = shown[kind]["hovertext"]
        assert f"person {k}: {kind}" in who
        assert shown["yes answers"]["x"] == rounded([100 * says_yes[:k].mean()])
        if not hidden:
            assert shown["true share"]["x"] == rounded([100 * is_yes[:k].mean()])
    ex.controls["asked"].value = drawn
    assert ex.summary == RandomizedResponse(people=people, hidden=hidden).summary


def test_what_the_coin_does_is_the_key_under_the_people():
    key = " ".join(texts(RandomizedResponse(coin=80)))
    assert "heads 80 %: the truth</b><br>● yes says yes □ no says no" in key
    assert "tails 20 %: the opposite</b><br>○ yes says no ■ no says yes" in key
    hidden = texts(RandomizedResponse(coin=80, hidden=True))
    assert {"● says yes", "○ says no"} < set(hidden)
    assert not any("heads" in text or "no says" in text for text in hidden)


@pytest.mark.parametrize("seed", range(4))
@pytest.mark.parametrize(("coin", "people"), [(51, 10), (52, 100), (55, 200), (75, 1000)])
def test_what_lies_beyond_the_axis_is_marked_and_counted(coin, people, seed):
    ex = RandomizedResponse(coin=coin, people=people, seed=seed)
    shown, result = traces(ex), model.compute(ex.parameters())
    out = 200 - sum(shown["repeated"]["y"])
    said = [int(n) for text in texts(ex) for n in re.findall(r"(\d+) (?:lower|higher)", text)]
    assert sum(said) == out
    assert (out > 0) == ("beyond the panel" in ex.summary)
    estimate = 100 * result.estimate.share
    places = (("estimate", estimate, -10, 110), ("this draw", estimate - 30, -25, 25))
    for name, wanted, low, high in places:
        symbol, (x,) = shown[name]["marker"]["symbol"], shown[name]["x"]
        if low <= wanted <= high:
            assert (symbol, x) == ("circle", pytest.approx(wanted, rel=1e-3, abs=1e-9))
        else:
            side = ("triangle-left", low) if wanted < low else ("triangle-right", high)
            assert (symbol, x) == side
    assert all(-10 <= x <= 110 for x in shown["interval"]["x"])


def test_estimates_below_zero_have_a_ground_of_their_own():
    for truth in (0, 10, 19):
        shown = traces(RandomizedResponse(truth=truth))["below 0"]
        assert (min(shown["x"]), max(shown["x"])) == (-25, -truth)
    assert "below 0" not in traces(RandomizedResponse(truth=20))


def test_headlines_are_true():
    settings = itertools.product((51, 60, 75, 99), (0, 30, 100), (10, 1000), range(3))
    ex = RandomizedResponse()
    for coin, truth, people, seed in settings:
        ex.set(coin=coin, truth=truth, people=people, seed=seed, by_answer=False)
        is_yes, says_yes = asked(ex)
        p, head = coin / 100, ex.card.state["headline"]
        estimate = 100 * (says_yes.mean() + p - 1) / (2 * p - 1)
        found = re.fullmatch(
            r"In this draw the estimate is ([\d.−]+) %, (which is right|([\d.]+) points too "
            r"(high|low)); the truth is ([\d.]+) %\.", head,
        )  # fmt: skip
        assert found, head
        assert float(found[1].replace("−", "-")) == pytest.approx(estimate, abs=0.051)
        assert float(found[5]) == truth
        off = float(found[3] or 0) * (-1 if found[4] == "low" else 1)
        assert off == pytest.approx(estimate - truth, abs=0.051)
        assert len(head) <= 85
        ex.controls["by_answer"].value = True
        head = ex.card.state["headline"]
        both, n = (is_yes & says_yes).sum(), says_yes.sum()
        assert head.startswith(f"In this draw {both:,} of the {n:,} who say yes are “yes”")
        if n:
            assert f"{100 * both / n:.0f}" == f"{float(head.split(': ')[1].split(' ')[0]):.0f}"


def test_a_fair_coin_and_a_certain_one_are_explained():
    for by_answer, hidden in itertools.product((False, True), repeat=2):
        ex = RandomizedResponse(coin=50, by_answer=by_answer, hidden=hidden)
        assert "nothing to estimate" in ex.card.state["headline"]
        assert "no estimate: division by 0" in texts(ex)
        assert not {"estimate", "interval", "repeated", "curve"} & set(traces(ex))
        assert "truth 2" in traces(ex)  # a panel without a mark would lose its axes
        assert "divide by 2p − 1, which is zero" in ex.summary
        ex.controls["coin"].value = 100
        assert ex.card.state["headline"].startswith("Everybody tells the truth")
        assert traces(ex)["repeated"]["y"] == [200]
        assert "▲ 200" in texts(ex)
        assert "infinite" in ex.summary


def test_axes_stand_still():
    ex = RandomizedResponse()
    first = {k: v for k, v in ex.card.state["layout"].items() if k != "annotations"}
    for coin, truth, seed, k in itertools.product((50, 51, 99, 100), (0, 100), (1, 2), (1, 200)):
        ex.set(coin=coin, truth=truth, seed=seed, repetitions=k)
        now = {k: v for k, v in ex.card.state["layout"].items() if k != "annotations"}
        assert now == first
    ex.reset()
    ex.controls["people"].value = 10
    now = ex.card.state["layout"]
    assert all(now[axis] == first[axis] for axis in ("xaxis2", "yaxis2", "xaxis3", "yaxis3"))


def test_no_setting_fails():
    extremes = {
        "coin": (50, 51, 100), "truth": (0, 100), "people": (10, 2000), "repetitions": (1, 200),
        "asked": (0, 1, 100),
        "by_answer": (False, True), "hidden": (False, True),
    }  # fmt: skip
    ex = RandomizedResponse()
    for values in itertools.product(*extremes.values()):
        ex.set(**dict(zip(extremes, values, strict=True)))
        assert ex.error is None, values
        state = ex.card.state
        assert 80 <= len(state["words"]) <= 2000
        assert len(state["headline"]) <= 90
        assert len(state["numbers"]) == 3
        assert "nan" not in str(state["words"])


def test_the_miners_view_hides_what_tells_the_truth():
    shown, hidden = RandomizedResponse(), RandomizedResponse(hidden=True)
    numbers = shown.card.state["numbers"], hidden.card.state["numbers"]
    for one, other in list(zip(*numbers, strict=True))[:2]:
        assert (one["value"], one["label"]) == (other["value"], other["label"])
    # The chance that a yes is true holds the true share: p·t / (p·t + (1 − p)(1 − t)).
    assert numbers[0][2]["value"] == "56.2 %"
    assert numbers[1][2] == {"value": "3", "label": "γ, what one answer gives away", "rest": ""}
    np.testing.assert_equal(traces(shown)["repeated"], traces(hidden)["repeated"])
