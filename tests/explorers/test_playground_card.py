"""What the Playground draws, against formulas and runs made apart from it."""

import numpy as np
import pytest

import frapp_lab as fl
from explorers.cards import traces
from frapp_lab import explorers
from frapp_lab.explorers import mining_panels
from frapp_lab.explorers.controls import Schemes
from frapp_lab.explorers.models import mining
from frapp_lab.figures.look import rounded
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
    assert ex.card.state["layout"]["annotations"][1]["text"] == "<b>Posterior of 20 %</b>"


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
        assert traces(ex)[f"run {scheme}"]["y"] == rounded(run.errors[error])


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
    assert state["lines"]["alpha"] == f"r within ±{0.8 * 19 / 2018:.3g}"
    ex.set(gamma=1000.0, fnlwgt=1, age=1, **{"hours-per-week": 1})  # 20 cells: at most 19x
    state = ex.card.state
    assert state["marks"]["alpha"] == pytest.approx(0.019)
    assert state["lines"]["alpha"] == "r within ±0.0186: at most 0.019 γx is valid here"
    assert ex.error is None


@pytest.mark.parametrize("seed", range(4))
def test_the_headline_is_true(seed):
    for gamma in (1.2, 5.0, 19.0, 200.0):
        ex = explorers.Playground(gamma=gamma, seed=seed)
        runs = {
            s: fl.mine(CENSUS, fl.make_scheme(s, CENSUS.schema, gamma), 0.02, rng=seed)
            for s in ("DET-GD", "RAN-GD", "MASK", "C&P")
            if s != "C&P" or gamma > 4
        }
        kept = {s: int((run.found & run.frequent).sum()) for s, run in runs.items()}
        headline = ex.card.state["headline"]
        assert f"DET-GD finds {kept['DET-GD']} of 563 frequent itemsets" in headline
        if "none longer than" in headline:
            scheme = headline.split("; ")[1].split()[0]
            right = runs[scheme].found & runs[scheme].frequent
            longest = (np.argwhere(right) < np.array(CENSUS.schema.sizes)).sum(axis=1).max()
            assert headline.endswith(f"{scheme} none longer than {longest}.")
        elif "; " in headline:
            scheme, number = headline.split("; ")[1].rstrip(".").split(" finds ")
            assert kept[scheme] == int(number) > 1.5 * kept["DET-GD"]


def test_names_at_the_ends_of_lines_are_shared_where_lines_are():
    ex = explorers.Playground()
    texts = [note["text"] for note in ex.card.state["layout"]["annotations"]]
    assert "DET-GD = RAN-GD" in texts
    assert {"MASK", "C&P", "33.2 %", "60.1 %"} <= set(texts)


def test_zero_has_a_place_on_a_log_axis():
    band = mining.Band(np.zeros((3, 4)), np.full((3, 4), 5.0))
    legend = Schemes.of(None, ["MASK"])
    for error, least in {"support_error": 0.01, "false_negatives": 0}.items():
        drawn = mining_panels.draws(legend, "MASK", band, error)
        assert drawn["y"] == [least] * 3 + [5] * 3
