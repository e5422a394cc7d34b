"""What Belief draws and says, against formulas that are written here."""

import itertools

import numpy as np
import pytest

from explorers.cards import texts, traces
from frapp_lab import explorers
from frapp_lab.figures.look import in_words

GAMMAS, ALPHAS = (1.01, 3.0, 19.0, 1000.0), (0.0, 0.01, 0.5, 1.0)
NS, PRIORS = (3, 30, 10_000), (0.5, 5.0, 60.0)


@pytest.fixture
def ex():
    made = explorers.Belief()
    yield made
    made.close()


def rho(r, gamma, n, prior):
    """ρ₂(r) in percent, as the paper writes it; r in units of γx."""
    x = 1 / (gamma + n - 1)
    own, other = gamma * x * (1 + r), x - r * gamma * x / (n - 1)
    return 100 * prior * own / (prior * own + (1 - prior) * other)


def said(percent):
    """Three digits, or more where that would read as 100 %."""
    digits = 3 + (percent > 99.5) + (percent > 99.95)
    return f"{percent:.{digits}g} %" if percent > 1e-9 else "0 %"


def test_it_opens_with_the_papers_numbers(ex):
    state = ex.card.state
    headline = "A client's posterior ρ₂(r) is 33.2 % to 60.1 %; a Bayesian miner still "
    assert state["headline"] == f"{headline}believes 50 %."
    assert state["numbers"][2]["rest"] == "instead of 19"
    assert [number["value"] for number in state["numbers"]] == ["33.2 … 60.1 %", "50 %", "28.6"]
    assert state["lines"]["gamma"] == "5 % → at most 50 % · ε = 2.94"
    assert "33.2 %" in texts(ex)
    assert "60.1 %" in texts(ex)


@pytest.mark.parametrize(
    ("gamma", "alpha", "n", "prior"),
    [(19.0, 0.5, 2000, 5.0), (19.0, 0.3, 10, 30.0), (200.0, 1.0, 40, 5.0), (2.0, 0.02, 8, 10.0)],
)
def test_it_draws_the_range_and_a_hundred_clients(ex, gamma, alpha, n, prior):
    ex.set(gamma=gamma, alpha=alpha, n=n, prior=prior)
    shown, largest = traces(ex), min(1, (n - 1) / gamma)
    alpha = min(alpha, largest)
    low, high = shown["low"], shown["high"]
    assert low["x"] == high["x"] == pytest.approx(np.linspace(0, largest, 51), rel=1e-3)
    along = np.linspace(0, largest, 51)
    assert low["y"] == pytest.approx(rho(-along, gamma, n, prior / 100), rel=1e-3, abs=1e-9)
    assert high["y"] == pytest.approx(rho(along, gamma, n, prior / 100), rel=1e-3)
    ends = rho(np.array([-alpha, alpha]), gamma, n, prior / 100)
    assert shown["chosen"]["x"] == pytest.approx([alpha] * 2, rel=1e-3)
    assert shown["chosen"]["y"] == pytest.approx(ends, rel=1e-3, abs=1e-9)
    middle = rho(0, gamma, n, prior / 100)
    for name in ("middle", "believed"):
        assert shown[name]["y"] == pytest.approx([middle] * 2, rel=1e-3)
    for name, end in zip(("lowest", "highest"), ends, strict=True):
        assert shown[name]["y"] == pytest.approx([end] * 2, rel=1e-3, abs=1e-9)
    clients = shown["clients"]
    assert clients["x"] == list(range(1, 101))
    # Their r are the middles of a hundred equal parts of the range.
    r = alpha * (2 * (np.arange(100) + 0.5) / 100 - 1)
    posteriors = rho(r, gamma, n, prior / 100)
    assert clients["y"] == pytest.approx(posteriors, rel=1e-3)
    assert clients["customdata"] == pytest.approx(r, rel=0.06, abs=1e-9)
    # The area of a dot is how likely the client sends the report.
    x = 1 / (gamma + n - 1)
    likely = prior * gamma * x * (1 + r) + (100 - prior) * (x - r * gamma * x / (n - 1))
    areas = np.square(clients["marker"]["size"])
    assert areas / areas.sum() == pytest.approx(likely / likely.sum(), rel=0.02)
    assert (np.array(clients["y"]) @ areas) / areas.sum() == (pytest.approx(middle, rel=5e-3))
    above = 100 * likely[r > 0].sum() / likely.sum()
    assert f"50 clients above,<br>{above:.1f} % of the weight" in texts(ex)
    assert f"miner's belief: {middle:.3g} %" in texts(ex)


def test_the_ends_of_the_range_can_be_dragged_along_alpha(ex):
    place = next(i for i, t in enumerate(ex.card.state["data"]) if t["meta"] == "chosen")
    hand = ex.card.state["hands"][str(place)]
    assert (hand["controls"], hand["axis"], hand["scale"]) == (["alpha", "alpha"], "x", [])


def test_what_is_not_valid_is_shaded_marked_and_told(ex):
    assert "invalid" not in traces(ex)
    assert ex.card.state["marks"]["alpha"] == 1
    ex.controls["n"].value = 5
    shown = traces(ex)["invalid"]
    assert shown["x"] == pytest.approx([4 / 19, 4 / 19, 1, 1], rel=1e-3)
    assert shown["y"] == [0, 100, 100, 0]
    assert ex.card.state["marks"]["alpha"] == pytest.approx(4 / 19)
    assert "at most 0.21 γx is valid here" in ex.card.state["lines"]["alpha"]
    assert "α can be at most 0.21 γx" in ex.summary
    assert any("not valid" in text for text in texts(ex))
    ex.controls["alpha"].value = 0.2
    assert "at most 0.21 γx" not in ex.summary + ex.card.state["lines"]["alpha"]


@pytest.mark.parametrize("alpha", ALPHAS)
@pytest.mark.parametrize("gamma", GAMMAS)
def test_words_are_true_everywhere_and_axes_stand_still(ex, gamma, alpha):
    axes = {k: v for k, v in ex.card.state["layout"].items() if "axis" in k}
    for n, prior in itertools.product(NS, PRIORS):
        ex.set(gamma=gamma, alpha=alpha, n=n, prior=prior)
        state = ex.card.state
        assert ex.error is None
        assert {k: v for k, v in state["layout"].items() if "axis" in k} == axes
        at = min(alpha, (n - 1) / gamma)
        low, middle, high = (said(rho(r, gamma, n, prior / 100)) for r in (-at, 0, at))
        if not alpha:
            wanted = f"With α = 0 every r is 0: RAN-GD is DET-GD, and all believe {middle}."
        elif low == high:
            wanted = f"α is so small that every client's posterior ρ₂(r) is {low}, as with DET-GD."
        else:
            wanted = f"A client's posterior ρ₂(r) is {low} to {high}; "
            wanted += f"a Bayesian miner still believes {middle}."
        assert state["headline"] == wanted
        assert len(wanted) <= 93
        assert state["numbers"][1]["value"] == middle
        own, other = [1 - at, 1 + at], [1 / gamma + at / (n - 1), 1 / gamma - at / (n - 1)]
        leaked = max(
            max(a, b) / min(a, b) if min(a, b) > 1e-12 else np.inf
            for a, b in zip(own, other, strict=True)
        )
        assert state["numbers"][2]["value"] == ("∞" if np.isinf(leaked) else in_words(leaked))
        same = in_words(leaked) == in_words(gamma)
        rest = "as without r" if same else f"instead of {in_words(gamma)}"
        assert state["numbers"][2]["rest"] == rest
        assert f"{prior:.3g} % → at most {middle}" in state["lines"]["gamma"]
        assert 80 <= len(state["words"]) <= 2000
        assert all(trace["y"] for trace in state["data"])


def test_a_ghost_stays_of_the_range(ex):
    names = [ex.card.state["data"][i]["meta"] for i in ex.card.state["ghosts"]]
    assert names == ["low", "high", "lowest", "highest"]
