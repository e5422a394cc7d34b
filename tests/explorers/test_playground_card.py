"""What the Playground draws, against formulas and runs made apart from it."""

import numpy as np
import pytest

import frapp_lab as fl
from explorers.cards import traces
from frapp_lab import explorers
from frapp_lab.explorers import mining_panels
from frapp_lab.explorers.controls import Schemes
from frapp_lab.explorers.models import mining
from frapp_lab.figures.look import in_words, rounded
from frapp_lab.scale import run_trials, summarise

CENSUS = fl.load_census()


def test_the_posterior_panel_is_bayes_rule():
    ex = explorers.Playground(alpha=0.02, gamma=10.0)
    gx = 10 / (10 + 2000 - 1)
    rho = traces(ex)["rho"]
    r = np.array(rho["x"]) * gx
    wanted = 0.05 * (gx + r) / (0.05 * (gx + r) + 0.95 * (gx / 10 - r / 1999))
    assert rho["y"] == pytest.approx(100 * wanted, rel=2e-3, abs=0.01)
    assert [rho["x"][0], rho["x"][-1]] == [-1, 1]
    band = traces(ex)["band"]["x"]
    assert [band[0], band[-1]] == pytest.approx([-0.02, 0.02])
    ex.controls["rho1"].value = 20
    odds = 10 * 0.2 / 0.8
    assert traces(ex)["middle"]["y"] == pytest.approx([100 * odds / (1 + odds)] * 2, rel=1e-3)
    assert traces(ex)["before"]["y"] == [20, 20]


def test_condition_numbers_by_length():
    ex = explorers.Playground(gamma=10.0)
    lines = traces(ex)
    assert lines["condition DET-GD"]["x"] == [1, 2, 3, 4, 5, 6]
    assert lines["condition DET-GD"]["y"] == [223.2] * 6  # (γ + n − 1)/(γ − 1)
    assert len(lines["condition C&P"]["x"]) == 3


@pytest.mark.parametrize("error", ["support_error", "false_negatives", "false_positives"])
def test_the_errors_are_those_of_mine_with_the_same_seed(error):
    ex = explorers.Playground(error=error, gamma=30.0, seed=3)
    for scheme in ("DET-GD", "MASK", "C&P"):
        run = fl.mine(CENSUS, fl.make_scheme(scheme, CENSUS.schema, 30), 0.02, rng=3)
        shown, wanted = traces(ex)[f"run {scheme}"]["y"], rounded(run.errors[error])
        if error != "false_negatives":  # on a log axis 0 stands on a row of its own
            wanted = [y or None for y in wanted]
        assert shown == wanted


def test_the_band_holds_the_middle_of_draws_like_those_of_run_trials(monkeypatch):
    monkeypatch.setattr(mining, "DRAWS", 6)
    ex = explorers.Playground(schemes=["DET-GD", "C&P"])
    *_, band = mining.bands(ex.parameters())
    table = summarise(run_trials(CENSUS, ["DET-GD", "C&P"], trials=6, seed=7))
    for error in ("false_negatives", "support_error"):
        ex.controls["error"].value = error
        _, _, panel = ex.states.card(ex._values(), band).panels
        lines = {mark["meta"]: mark for mark in panel.marks}
        for scheme in ("DET-GD", "C&P"):
            rows = table[(table["scheme"] == scheme) & (table["error"] == error)]
            rows = rows.dropna(subset="low")
            low, high = (rounded(rows[end]) for end in ("low", "high"))
            assert lines[f"draws {scheme}"]["y"] == low + high[::-1]
            assert lines[f"draws {scheme}"]["x"] == [*rows["length"], *rows["length"][::-1]]


def test_a_band_reaches_the_card_and_leaves_the_words_alone(monkeypatch):
    monkeypatch.setattr(mining, "DRAWS", 2)
    ex = explorers.Playground(schemes=["DET-GD"])
    first = ex.card.state
    for _ in ex._draw_band(ex._values()):
        pass
    assert traces(ex)["draws DET-GD"]["x"]
    assert ex.card.state["words"] == first["words"]
    assert ex.card.state["id"] == first["id"] + "+"
    ex.controls["gamma"].value = 5
    assert "draws DET-GD" not in traces(ex)  # it belongs to its setting


def test_alpha_is_in_units_of_gamma_x_and_stops_where_it_is_valid():
    ex = explorers.Playground(alpha=0.8)
    state = ex.card.state
    assert state["marks"]["alpha"] == pytest.approx(1)
    assert state["lines"]["alpha"] == f"each hides an r within ±{0.8 * 19 / 2018:.3g}"
    ex.set(gamma=1000.0, fnlwgt=1, age=1, **{"hours-per-week": 1})  # 20 cells: at most 19x
    state = ex.card.state
    assert state["marks"]["alpha"] == pytest.approx(0.019)
    assert (
        state["lines"]["alpha"] == "each hides an r within ±0.0186: at most 0.019 γx is valid here"
    )
    assert ex.error is None


@pytest.mark.parametrize("seed", range(4))
def test_headline_and_numbers_are_true_of_the_scheme_that_they_name(seed):
    for gamma in (1.2, 5.0, 19.0, 200.0):
        ex = explorers.Playground(gamma=gamma, seed=seed)
        worst = f"{100 * fl.worst_posterior(0.05, gamma):.3g} %"
        for label in ("DET-GD", "RAN-GD", "MASK"):
            mechanism = fl.make_scheme(label, CENSUS.schema, gamma)
            run = fl.mine(CENSUS, mechanism, 0.02, rng=seed)
            kept = int((run.found & run.frequent).sum())
            belief, condition, found = ex.card.state["numbers_of"][label]
            invented = int((run.found & ~run.frequent).sum())
            assert found["value"] == f"{563 - kept} of 563"
            assert found["rest"] == f"lost, {invented} invented"
            assert condition["rest"] == label
            assert condition["value"] == f"κ {in_words(mechanism.condition_number(6))}"
            if label == "RAN-GD":
                alpha = 0.5 * gamma / (gamma + 1999)
                low, high = fl.posterior_range(0.05, gamma, alpha, 2000)
                assert belief["value"] == f"{100 * low:.0f}–{100 * high:.0f} %"
                start = f"At γ = {gamma:g} a report turns 5 % into {worst} at most, or into "
                start += f"{belief['value']} for somebody who knows r; in this draw "
                assert (
                    ex.card.state["headline"]
                    == f"{start}RAN-GD loses {563 - kept} of 563 frequent itemsets."
                )
                assert ex.card.state["numbers"] == ex.card.state["numbers_of"][label]
            else:
                assert belief["value"] == worst


def test_alpha_and_the_domain_move_the_headline_and_the_first_number():
    ex = explorers.Playground()
    seen = [ex.card.state["headline"]]
    for settings in ({"alpha": 0.0}, {"alpha": 1.0}, {"age": 2}, {"gamma": 7.0}):
        ex.set(**settings)
        seen.append(ex.card.state["headline"])
    assert len(set(seen)) == len(seen)
    assert "into 50 % at most; in this draw" in seen[1]  # one matrix for all


def test_without_a_scheme_the_headline_says_so():
    ex = explorers.Playground(**dict.fromkeys(("DET-GD", "RAN-GD", "MASK", "C&P"), False))
    assert (
        ex.card.state["headline"]
        == "At γ = 19 a report turns 5 % into 50 % at most; no scheme is shown."
    )
    ex.set(gamma=3.0, **{"C&P": True})
    assert ex.card.state["headline"].endswith("; C&P cannot be had.")
    assert [n["value"] for n in ex.card.state["numbers"][1:]] == ["–", "–"]


def test_lines_have_their_names_which_are_shared_where_lines_are():
    ex = explorers.Playground()
    notes = ex.card.state["layout"]["annotations"]
    named = {note["text"]: note["name"] for note in notes if "name" in note}
    assert named["<b>DET-GD = RAN-GD</b>"] == "condition DET-GD"
    assert {"<b>MASK</b>", "<b>C&P</b>", "<b>33.2 %</b>", "<b>60.1 %</b>"} <= set(named)
    assert set(named.values()) <= set(traces(ex))


def test_a_band_says_what_it_is():
    layout = explorers.Playground().card.state["layout"]
    assert layout["xaxis3"]["title"]["text"] == "itemset length · bands: 9 of 10 draws"


def test_zero_has_a_place_on_a_log_axis():
    band = mining.Band(np.zeros((3, 4)), np.full((3, 4), 5.0))
    legend = Schemes.of(None, ["MASK"])
    for error, least in {"support_error": 0.12, "false_negatives": 0}.items():
        drawn = mining_panels.draws(legend, "MASK", band, error)
        assert drawn["y"] == [least] * 3 + [5] * 3
