"""What MechanismRace draws and says, against other ways to the same numbers."""

import itertools
import math
import re

import numpy as np
import pytest

import frapp_lab as fl
from explorers.cards import texts, traces
from frapp_lab import explorers
from frapp_lab.explorers.models import leak
from frapp_lab.explorers.models import mechanism_race as race
from frapp_lab.explorers.models.data import Data
from frapp_lab.figures.look import in_words
from frapp_lab.figures.styles import style_of
from frapp_lab.mechanisms.registry import forget, scheme_class
from frapp_lab.modern.guessing import guess_chance
from frapp_lab.modern.poisoning import poison_lift
from frapp_lab.modern.recommend import recommend, scaled

CENSUS = fl.load_census()
SMALL = Data("CENSUS", (("age", 2), ("fnlwgt", 1), ("hours-per-week", 1), ("race", 2)))
"""16 cells, so that the matrices of all schemes can be held."""


@pytest.fixture
def ex():
    made = explorers.MechanismRace()
    yield made
    made.close()


# --- the model ---


def test_errors_are_those_of_theory_and_of_the_recommendation():
    found = race.compute(race.Parameters()).runners
    table = recommend(CENSUS, 50_000, 19).table
    assert set(found) == set(table.index)
    for label, runner in found.items():
        wanted = table.loc[label]
        # What has no model is computed in both places; else there are 16 draws.
        assert runner.error == pytest.approx(wanted["error"], rel=0.1 if runner.model else 1e-9)
        assert runner.floor == pytest.approx(wanted["model_error"], abs=1e-6)
        assert runner.bits == wanted["bits"]
    errors = [runner.error for runner in found.values()]
    assert errors == pytest.approx(sorted(errors))
    assert list(found)[:2] == ["PAIR", "SMP"]


@pytest.mark.parametrize(
    ("gamma", "thousands", "length", "best"),
    [(19, 5, 0, "SMP"), (19, 500, 0, "PAIR"), (19, 50_000, 0, "TRIPLE"), (3, 50, 0, "SMP"),
     (19, 50, 6, "SS"), (100, 50, 0, "PAIR")],
)  # fmt: skip
def test_who_wins_moves_with_people_gamma_and_length(gamma, thousands, length, best):
    found = race.compute(race.Parameters(gamma, thousands, length=length))
    assert found.best == best


def test_a_length_is_that_of_predicted_errors():
    for length in (1, 3):
        found = race.compute(race.Parameters(thousands=49, length=length)).runners
        data = fl.Dataset.from_counts(CENSUS.schema, scaled(CENSUS.counts, 49_000))
        for label in ("DET-GD", "C&P", "HR", "SMP", "PAIR"):
            wanted = fl.predicted_errors(data, label, 0.02).support_error_all[length]
            assert found[label].error == pytest.approx(wanted, rel=0.01), label


@pytest.mark.parametrize("gamma", [1.01, 3, 19, 1000])
@pytest.mark.parametrize("label", fl.schemes(modern=True))
def test_the_leak_is_exact(label, gamma):
    data, kind = SMALL.load(), scheme_class(label)
    if label == "C&P" and gamma < 4:
        with pytest.raises(ValueError, match="cut-and-paste"):  # it cannot be had
            leak.leak(SMALL, kind, gamma)
        return
    found = leak.leak(SMALL, kind, gamma)
    wanted = guess_chance(data, fl.make_scheme(label, data.schema, gamma), draws=20_000, rng=3)
    by_trying = 0.03 if label in ("MASK", "C&P") else 0  # 200 people
    assert found == pytest.approx(wanted.chance, abs=1e-9 + by_trying + 4 * wanted.error)
    assert found >= wanted.blind * (1 - 1e-9)
    if label not in ("OLH", "SS"):  # of which reports are not or hardly to be listed
        assert wanted.error == 0


@pytest.mark.parametrize("few", [1, 3, 24])
@pytest.mark.parametrize("blocks", [1, 4, 512])
def test_the_likeliest_record_of_a_hadamard_report_is_found_however_few_are_looked_at(
    few, blocks, monkeypatch
):
    monkeypatch.setattr(leak, "FEW", few)
    data, hr = Data("CENSUS"), fl.make_scheme("HR", CENSUS.schema, 2 * blocks)
    found = leak._likeliest.__wrapped__(data, blocks)
    supported = hr.supported(np.arange(hr.blocks * hr.block_size)[:, None])
    assert hr.blocks == blocks
    assert found.tolist() == (supported * CENSUS.counts.ravel() / len(CENSUS)).max(axis=1).tolist()


@pytest.mark.parametrize("label", ["MASK", "C&P", "DET-GD", "OUE"])
def test_what_is_found_by_trying_is_right_on_average(label, monkeypatch):
    data = SMALL.load()
    m = fl.make_scheme(label, data.schema, 500)
    wanted = guess_chance(data, m)
    monkeypatch.setattr(leak, "PEOPLE", 20_000)
    error = 0.5 / math.sqrt(20_000)  # the deviation of a number between 0 and 1 is at most ½
    assert leak.tried(SMALL, m) == pytest.approx(wanted.chance, abs=4 * error)
    assert wanted.chance - wanted.blind > 4 * error


def test_the_leak_of_census():
    found = race.compute(race.Parameters()).runners
    for label, percent in {"DET-GD": 9.38, "OUE": 22.9, "SS": 23.0, "HR": 18.05}.items():
        assert 100 * found[label].leak == pytest.approx(percent, abs=0.05), label
    simulated = guess_chance(CENSUS, "PAIR", draws=4000)
    assert found["PAIR"].leak == pytest.approx(simulated.chance, abs=4 * simulated.error)


def test_a_liar_counts_for_as_many_people_as_the_lift_says():
    found = race.compute(race.Parameters())
    itemset = dict(item.split("=", 1) for item in found.target)
    assert len(itemset) == 6
    share = CENSUS.counts.max() / len(CENSUS)
    assert found.blind == pytest.approx(share)
    for label in ("DET-GD", "MASK", "IND-RR", "SUE", "OUE", "OLH", "SS", "HR"):
        lift = poison_lift(CENSUS, label, itemset, 0.01) / 0.01
        assert found.runners[label].gain == pytest.approx(lift + share, rel=1e-4), label
    assert found.runners["DET-GD"].gain == pytest.approx(112.06, abs=0.01)
    assert found.runners["OUE"].gain == pytest.approx(2.11, abs=0.01)


def test_the_map_is_that_of_the_mechanisms_own_noise():
    sizes = [
        (g, n) for g in (3, 7, 19, 60) for n in (5, 2 * g + 1, 2 * g + 3, 3 * g + 1, 3 * g + 3)
    ]
    for gamma, n in [*sizes, (1.5, 4), (1.7, 5), (1.5, 6), (1.5, 7), (300, 1000)]:
        schema = fl.Schema.of_sizes(n)
        nobody = np.zeros(n)
        nobody[1] = 1
        supports = fl.Cube.of_counts(schema, nobody)
        noise = {
            label: fl.make_scheme(label, schema, gamma).standard_deviation(supports, 1).array[0]
            for label in ("DET-GD", "SUE", "OUE", "SS", "HR")
        }
        best = "DET-GD" if n <= race.selection_wins(gamma) else "SS"
        assert noise[best] == pytest.approx(min(noise.values()), rel=1e-9), (gamma, n)
        if n != race.unary_wins(gamma):
            assert (noise["OUE"] < noise["DET-GD"]) == (n > race.unary_wins(gamma))


def test_regions_cover_the_map_between_the_lines():
    (two, gammas), (three, _) = race.MAP["2γ + 1"], race.MAP["3γ + 2"]
    inside = two < 10**4.3
    assert two[inside] == pytest.approx(2 * gammas[inside] + 1)
    inside = three < 10**4.3
    assert three[inside] == pytest.approx(3 * gammas[inside] + 2)
    assert len(race.MAP["subset"][0]) == 2 * len(gammas)


def test_real_draws_lie_by_the_theory_where_errors_are_small():
    *steps, bands = race.bands(race.Parameters(thousands=1000))
    assert not any(steps)
    found = race.compute(race.Parameters(thousands=1000)).runners
    assert set(bands) == {"SMP", "PAIR", "TRIPLE"}
    for label, (low, high) in bands.items():
        assert 0.9 * low < found[label].error < 1.1 * high, label


def test_an_impossible_length_is_refused_in_words(monkeypatch):
    monkeypatch.setattr(race, "_lengths", lambda data: np.array([1, 2]))
    with pytest.raises(ValueError, match=r"no itemset of length 6 has a support of 2 % here"):
        race.compute(race.Parameters(length=6))


# --- the card ---


def note_rows(ex):
    """The words beside each row of the ranking, from left to right, by row."""
    rows = {}
    notes = [n for n in ex.card.state["layout"]["annotations"] if n["xref"] == "x domain"]
    for note in sorted(notes, key=lambda note: (note["x"], note.get("xshift", 0))):
        if note["yref"] == "y":
            rows.setdefault(note["y"], []).append(note["text"])
    return rows


def test_rows_stand_still_and_say_rank_and_error(ex):
    names, ends = list(fl.schemes(modern=True)), []
    for gamma in (19.0, 300.0, 2.0):
        ex.set(gamma=gamma)
        result, shown, rows = race.compute(ex.parameters()), traces(ex), note_rows(ex)
        layout = ex.card.state["layout"]
        assert layout["yaxis"]["ticktext"] == names  # in the same order at every γ
        ends.append([layout[axis] for axis in ("xaxis", "yaxis")])
        errors = {s: float(f"{r.error:.6g}") for s, r in result.runners.items()}
        said_of = {s: in_words(e) if e <= 1e15 else "over" for s, e in errors.items()}
        for label, row in race.rows()[0].items():
            if label == "C&P":
                assert "error C&P" not in shown
                assert rows[row] == ["needs γ > 4" if gamma == 2 else "only up to length 3"]
                continue
            # Schemes that read the same share a place.
            order = [said_of[s] for s in sorted(errors, key=errors.get)]
            rank = order.index(said_of[label]) + 1
            dot, (said,) = shown[f"error {label}"], rows[row]
            symbol = style_of(label).marker if errors[label] <= 1e6 else "arrow-right"
            assert (dot["y"], dot["marker"]["symbol"]) == ([row], symbol)
            assert dot["x"] == pytest.approx([min(errors[label], 1e6)], rel=1e-3)
            assert dot["legendgroup"] == label
            assert re.fullmatch(rf"(<b>)?{rank} · [^<]+(</b>)?", said)
            assert (said[:3] == "<b>") == (label == result.best)
            if errors[label] < 999:
                assert f"{errors[label]:.3g} %" in said
            assert f"{label}: " in dot["hovertemplate"]
        best = race.rows()[0][result.best]
        assert set(shown["winner"]["y"]) == {best - 0.5, best + 0.5}
        floors = {s: shown[f"floor {s}"]["x"] for s, r in result.runners.items() if r.model}
        for label, x in floors.items():
            runner = result.runners[label]
            assert x == pytest.approx([runner.floor, runner.error], rel=1e-3)
    assert ends[0] == ends[1] == ends[2]


@pytest.mark.parametrize(("shown", "unit"), [("leak", 100), ("gain", 1), ("bits", 1)])
def test_a_button_ranks_by_another_measure_in_the_same_rows(ex, shown, unit):
    rows = ex.card.state["layout"]["yaxis"]
    ex.controls["shown"].value = shown
    result = race.compute(ex.parameters())
    assert ex.card.state["layout"]["yaxis"] == rows
    values = {s: unit * getattr(runner, shown) for s, runner in result.runners.items()}
    for label, value in values.items():
        assert traces(ex)[f"{shown} {label}"]["x"] == pytest.approx([value], rel=1e-3)
    least = min(values, key=values.get)
    (first,) = note_rows(ex)[race.rows()[0][least]]
    assert first.startswith("1 · ")
    assert not any(name.startswith(("floor", "error", "draws")) for name in traces(ex))
    headline = ex.card.state["headline"]
    assert headline.startswith("PAIR errs least; ")
    assert f"{values['PAIR']:.3g}" in headline
    if shown == "leak":
        assert traces(ex)["blind"]["x"] == pytest.approx([100 * result.blind] * 2, rel=1e-3)
        assert "without a report" in texts(ex)
    else:
        assert headline.endswith(f"{least} has the fewest: {values[least]:.3g}.")
    label = "bits in a report" if shown == "bits" else "people that one liar counts for"
    assert ex.card.state["numbers"][2]["label"] == label


def test_the_map_says_who_is_best_in_one_cell(ex):
    ex.controls["shown"].value = "map"
    here = traces(ex)["here"]
    assert (here["x"], here["y"]) == ([2000], [19])
    start = "Without a model SS errs least in one rare cell; DET-GD does up to 2γ + 1 = "
    assert ex.card.state["headline"] == f"{start}39 cells."
    ex.controls["gamma"].value = 1000.0
    start = "Without a model DET-GD errs least in one rare cell, as up to 2γ + 1 = "
    assert ex.card.state["headline"] == f"{start}2,001 cells."
    (at,) = [n for n in ex.card.state["layout"]["annotations"] if n["text"] == "here"]
    assert (at["x"], at["y"]) == pytest.approx((math.log10(2000), 3))


def test_each_scheme_has_its_own_numbers_when_it_is_looked_at():
    result = race.compute(race.Parameters())
    card = explorers.MechanismRace.show(race.Parameters())
    assert set(card.numbers_of) == set(result.runners)
    assert card.numbers_of["PAIR"] == card.numbers
    error, leak_, gain = card.numbers_of["DET-GD"]
    assert (error.value, error.rest) == ("115 %", "DET-GD")
    assert (leak_.value, gain.value) == ("9.38 %", "112")
    for numbers in card.numbers_of.values():  # so that a page can say what a number was
        assert [n.label for n in numbers] == [n.label for n in card.numbers]


def test_schemes_of_one_law_share_a_place():
    p = race.Parameters(1000.0, 1000, Data("CENSUS", (("age", 2), ("fnlwgt", 1), ("race", 1))), 2)
    ranks = race.compute(p).ranks("error")
    assert ranks["DET-GD"] == ranks["RAN-GD"] == ranks["SS"] == 1
    assert sorted(ranks.values())[3] == 4
    said = explorers.MechanismRace.show(p).headline
    assert said.startswith("DET-GD errs least, like RAN-GD and SS, at length 2: ")


def test_short_itemsets_let_cut_and_paste_run(ex):
    ex.controls["length"].value = 2
    assert "only up to length 3" not in texts(ex)
    assert "error C&P" in traces(ex)
    ex.controls["length"].value = 7  # CENSUS has six attributes
    assert "length 6" in ex.card.state["headline"]


def test_what_is_beyond_a_panel_stands_at_its_edge(ex):
    ex.set(gamma=1.01, thousands=1)
    mask = traces(ex)["error MASK"]
    assert (mask["x"], mask["marker"]["symbol"]) == ([1e6], "arrow-right")
    assert ex.error is None


@pytest.mark.parametrize("gamma", [1.01, 3.0, 19.0, 1000.0])
def test_words_are_true_everywhere(ex, gamma):
    for thousands, length in itertools.product((1, 50, 100_000), (0, 1, 6)):
        ex.set(gamma=gamma, thousands=thousands, length=length)
        result = race.compute(ex.parameters())
        best = min(result.runners.values(), key=lambda r: r.error)
        state = ex.card.state
        assert state["headline"].startswith(f"{result.best} errs least")
        assert result.runners[result.best].error == pytest.approx(best.error, rel=1e-5)
        assert ("more people" in state["headline"]) == (
            result.runners[result.best].floor > result.runners[result.best].error / 2
        )
        assert len(state["headline"]) < 100
        assert 80 < len(state["words"]) < 2000


def test_headings_stand_between_the_schemes(ex):
    places, headings = race.rows()
    firsts = [min(row for row in places.values() if row > at) for _, at in headings]
    assert [label for label, row in places.items() if row in firsts] == ["DET-GD", "SUE", "SMP"]
    assert all(text in texts(ex) for text, _ in headings)


def test_schemes_that_read_the_same_share_a_rank(ex):
    ex.set(gamma=1.01)
    values = race.compute(ex.parameters()).measured("error")
    assert len({round(values[s], 6) for s in ("SUE", "OUE", "OLH")}) > 1
    rows, places = note_rows(ex), race.rows()[0]
    assert len({rows[places[s]][0] for s in ("SUE", "OUE", "OLH")}) == 1


def test_draws_stand_in_their_rows():
    band = {"PAIR": (9.0, 11.0), "NONE": (1.0, 2.0)}
    errors, *_ = explorers.MechanismRace.show(race.Parameters(), band=band).panels
    drawn = {m["meta"]: (m["x"], m["y"]) for m in errors.marks if m["meta"].startswith("draws")}
    assert drawn == {"draws PAIR": ([9.0, 11.0], [race.rows()[0]["PAIR"]] * 2)}


def test_a_scheme_of_ones_own_runs_too():
    @fl.scheme("SHY-GD")
    class Shy(fl.GammaDiagonal):
        @classmethod
        def for_gamma(cls, schema, gamma):
            return cls(schema, (1 + gamma) / 2)

    try:
        ex = explorers.MechanismRace()
        shown = traces(ex)
        assert "SHY-GD" in ex.card.state["layout"]["yaxis"]["ticktext"]
        assert shown["error SHY-GD"]["x"] > shown["error DET-GD"]["x"]
        assert re.search(r"How often with [^.]*SHY-GD[^.]* was tried on 200 people", ex.summary)
        ex.close()
    finally:
        forget("SHY-GD")
