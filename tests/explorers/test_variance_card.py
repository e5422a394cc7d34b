"""What Variance draws and says, against formulas that are written here."""

import itertools

import numpy as np
import pytest

import frapp_lab as fl
from explorers.cards import texts, traces
from frapp_lab import explorers
from frapp_lab.explorers.models import variance
from frapp_lab.figures.look import in_words
from frapp_lab.scale import run_trials

GAMMAS, ALPHAS, NS = (1.01, 19.0, 1000.0), (0.0, 0.01, 0.4, 1.0), (3, 10, 10_000)


@pytest.fixture
def ex():
    """The view of the terms; that of the surveys is opened by its own tests."""
    made = explorers.Variance(view="terms")
    yield made
    made.close()


def terms(gamma, n, alpha):
    """The two terms, and the variance with one r for all, in shares of DET-GD's; α absolute.

    Each client's report is a coin with the chance of their matrix; a uniform r has variance α²/3.
    """
    ends = np.rint(10_000 * np.cumsum(1 / np.arange(1, n + 1)) / np.sum(1 / np.arange(1, n + 1)))
    mine, others, x = ends[0], 10_000 - ends[0], 1 / (gamma + n - 1)
    plain = mine * gamma * x * (1 - gamma * x) + others * x * (1 - x)
    between = alpha**2 / 3 * (mine + others / (n - 1) ** 2)
    shared = alpha**2 / 3 * (mine - others / (n - 1)) ** 2
    return 1 - between / plain, between / plain, 1 + (shared - between) / plain


@pytest.mark.parametrize(
    ("gamma", "alpha", "n"), [(19.0, 0.4, 10), (19.0, 0.4, 2000), (5.0, 1.0, 3), (300.0, 0.7, 40)]
)
def test_it_draws_the_two_terms_and_a_shared_r(ex, gamma, alpha, n):
    ex.set(gamma=gamma, alpha=alpha, n=n)
    shown, x = traces(ex), 1 / (gamma + n - 1)
    largest = min(gamma, n - 1) * x
    alphas = [0, largest / 4, largest / 2, 3 * largest / 4, largest]
    alphas.append(min(alpha * gamma * x, largest))
    wanted = 100 * np.array([terms(gamma, n, a) for a in alphas]).T
    for name, values in zip(("within", "between", "together"), wanted, strict=True):
        assert shown[name]["x"] == ["0", "¼", "½", "¾", "1", "chosen"]
        assert shown[name]["y"] == pytest.approx(values, rel=1e-3, abs=1e-9)
    tops = np.add(shown["within"]["y"], shown["between"]["y"])
    assert tops == pytest.approx(shown["plain"]["y"], abs=0.02)
    thin = wanted[1].max() < 1
    assert ("▨ Var E(Y | r): too thin" in texts(ex)) == thin != ("▨ Var E(Y | r)" in texts(ex))
    assert ("too little to be seen" in ex.summary) == (wanted[1, -1] < 1)
    beyond = wanted[2].max() > 150
    assert ("★ one r for all: ▲ above" in texts(ex)) == beyond
    assert ("above the panel" in ex.summary) == (wanted[2, -1] > 150)
    assert ex.card.state["numbers"][1]["value"] == f"{in_words(wanted[2, -1] / 100)} ×"


def test_it_draws_the_errors_of_mining_census(ex):
    ex.set(gamma=7.0, alpha=0.3, seed=5)
    census, shown = fl.load_census(), traces(ex)
    theory = fl.predicted_errors(census, "DET-GD", 0.02, 7).support_error_all[4]

    def error(share):
        mechanism = fl.RandomizedGammaDiagonal(census.schema, 7, share * 7 / (7 + 2000 - 1))
        return fl.mine(census, mechanism, 0.02, rng=5).errors.support_error_all[4]

    tried = [0, 0.25, 0.5, 0.75, 1]
    assert shown["error"]["x"] == tried
    relative = [100 * error(share) / theory for share in tried]
    assert shown["error"]["y"] == pytest.approx(relative, rel=1e-3)
    assert shown["plain error"]["y"] == pytest.approx(relative[:1] * 2, rel=1e-3)
    assert shown["chosen error"]["x"] == [0.3]
    assert shown["chosen error"]["y"] == pytest.approx([100 * error(0.3) / theory], rel=1e-3)
    assert shown["expected"]["y"] == [100, 100]
    for text in (f"◆ RAN-GD: {error(0.3):.3g} %", f"— DET-GD: {error(0):.3g} %",
                 f"┄ theory: {theory:.3g} %"):  # fmt: skip
        assert text in texts(ex)
    assert ex.card.state["numbers"][2]["value"] == f"{error(0.3):.3g} %"


def test_the_band_is_one_for_all_alpha(ex):
    assert "draws" not in traces(ex)
    *steps, band = variance.band(ex.parameters())
    assert len(steps) == 40
    assert not any(steps)
    marks = explorers.Variance.show(ex.parameters(), band).panels[1].marks
    shown = {mark["meta"]: mark for mark in marks}["draws"]
    assert shown == marks[0]
    assert shown["x"] == [0, 1, 1, 0]
    theory = fl.predicted_errors(fl.load_census(), "DET-GD", 0.02, 19).support_error_all[4]
    draws = run_trials(fl.load_census(), ["DET-GD"], trials=40, seed=7, progress=lambda *_: None)
    errors = draws[draws["length"] == 4].support_error_all
    low, high = 100 * np.quantile(errors, [0.05, 0.95]) / theory
    assert shown["y"] == pytest.approx([low, low, high, high], rel=1e-3)
    assert 50 < low < 100 < high < 150


@pytest.mark.parametrize("seed", [7, 8, 99])
@pytest.mark.parametrize("gamma", GAMMAS)
def test_words_are_true_everywhere_and_axes_stand_still(ex, gamma, seed):
    axes = {k: v for k, v in ex.card.state["layout"].items() if "axis" in k}
    assert axes["xaxis"]["type"] == "category"
    assert axes["xaxis"]["dtick"] == 1
    for alpha, n in itertools.product(ALPHAS, NS):
        ex.set(gamma=gamma, alpha=alpha, n=n, seed=seed)
        state = ex.card.state
        assert ex.error is None
        assert {k: v for k, v in state["layout"].items() if "axis" in k} == axes
        x = 1 / (gamma + n - 1)
        _, between, shared = terms(gamma, n, min(alpha * gamma, n - 1) * x)
        if not alpha:
            wanted = "With α = 0 every client's r is 0: RAN-GD is DET-GD, draw by draw."
            assert traces(ex)["chosen error"]["y"] == traces(ex)["plain error"]["y"][:1]
        elif alpha > (n - 1) / gamma:
            wanted = f"Only α ≤ {(n - 1) / gamma:.2g} γx is valid here: "
            wanted += (
                f"one r for all gives {in_words(shared)} times DET-GD's variance."
                if shared >= 1.005
                else "so small an α changes almost nothing."
            )
        elif shared < 1.005:
            wanted = "With an r each the variance stays DET-GD's; "
            wanted += "so small an α changes nothing else."
        else:
            wanted = "With an r each the variance stays DET-GD's; with one r for all it is "
            wanted += f"{in_words(shared)} times that."
        assert state["headline"] == wanted
        assert len(wanted) <= 86
        assert state["numbers"][0]["value"] == f"{100 * between:.2g} %"
        assert state["marks"]["alpha"] == pytest.approx(min(1, (n - 1) / gamma))
        cut = alpha > (n - 1) / gamma
        assert ("is valid here" in state["lines"]["alpha"]) == cut
        assert ("α can be at most" in state["words"]) == cut
        assert 80 <= len(state["words"]) <= 2000
        assert {"★", "DET-GD", "■ E Var(Y | r)"} <= {t.split(" one")[0] for t in texts(ex)}


@pytest.mark.parametrize("seed", [7, 8])
@pytest.mark.parametrize("gamma", GAMMAS)
def test_surveys_are_two_histograms_on_one_axis_that_stands_still(gamma, seed):
    ex = explorers.Variance()
    axes = {k: v for k, v in ex.card.state["layout"].items() if "axis" in k}
    assert axes["xaxis"]["range"] == axes["xaxis2"]["range"]
    assert axes["yaxis"]["range"] == axes["yaxis2"]["range"]
    for n, box in zip(("", "2"), ex.card.state["layout"]["shapes"], strict=True):
        assert (box["xref"], box["x0"], box["x1"], box["layer"]) == (f"x{n}", -1, 1, "below")
    assert axes["yaxis"]["domain"][0] > axes["yaxis2"]["domain"][1]
    for alpha, n in itertools.product(ALPHAS, NS):
        ex.set(gamma=gamma, alpha=alpha, n=n, seed=seed)
        state, shown, x = ex.card.state, traces(ex), 1 / (gamma + n - 1)
        assert ex.error is None
        assert {k: v for k, v in state["layout"].items() if "axis" in k} == axes
        *_, shared = terms(gamma, n, min(alpha * gamma, n - 1) * x)
        result = variance.compute(ex.parameters())
        for name, surveys, times in (
            ("each", result.each, 1), ("all", result.together, np.sqrt(shared)),
        ):  # fmt: skip
            assert shown[name]["x"] == list(range(-46, 47))
            heights = [int(((surveys.errors >= v - 0.5) & (surveys.errors < v + 0.5)).sum())
                       for v in shown[name]["x"]]  # fmt: skip
            assert shown[name]["y"] == heights
            assert max(heights) <= axes["yaxis"]["range"][1]
            ends = shown[f"{name} deviation"]["x"]
            assert ends == pytest.approx([-times, times], rel=1e-3)
            people = in_words(result.people * times)
            assert f"━ standard deviation<br>{people} people" in texts(ex)
            size = np.sqrt(np.mean(np.square(result.people * surveys.errors)))
            with_r = "people with an r each" if name == "each" else "with one r for all"
            assert f"of {in_words(size)} {with_r}" in state["words"]
            assert shown[f"{name} plain"]["x"] == [-1, -1, None, 1, 1]
        assert shown["each"]["y"] == shown["all"]["y"] or alpha
        assert f"┆ DET-GD's<br>{in_words(result.people)} people" in texts(ex)
        assert "panel" not in state["words"]
        assert "band" not in state["words"]
        assert 80 <= len(state["words"]) <= 2000
    ex.close()


def test_a_ghost_stays_of_the_surveys_deviations():
    state = explorers.Variance().card.state
    assert [state["data"][i]["meta"] for i in state["ghosts"]] == [
        "each deviation",
        "all deviation",
    ]


def test_the_chosen_error_can_be_dragged_along_alpha(ex):
    place = [trace["meta"] for trace in ex.card.state["data"]].index("chosen error")
    assert ex.card.state["hands"][str(place)]["controls"] == ["alpha"]


def test_a_ghost_stays_of_the_bars_and_of_the_errors(ex):
    names = [ex.card.state["data"][i]["meta"] for i in ex.card.state["ghosts"]]
    assert names == ["within", "error"]
