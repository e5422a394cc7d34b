"""What Audit draws and says, and whether its bounds keep what they promise."""

import itertools
import math

import numpy as np
import pytest

import frapp_lab as fl
from explorers.cards import texts, traces
from frapp_lab import explorers
from frapp_lab.explorers.models import audit
from frapp_lab.modern.audit import bound_counts, epsilon_lower_bound

TRUE = {"client 1": lambda g: 3 * g - 2, "client 2": lambda g: g, "client 3": lambda g: g + 2,
        "client 4": lambda g: g}  # fmt: skip
"""The γ that the clients have when they claim g."""


@pytest.fixture
def ex():
    made = explorers.Audit()
    yield made
    made.close()


# --- the model ---


@pytest.mark.parametrize("gamma", [1.01, 19, 1000])
@pytest.mark.parametrize("client", TRUE)
def test_the_two_inputs_show_all_that_a_client_gives_away(client, gamma):
    reports, laws = audit.law(client, gamma)
    assert laws.sum(axis=1) == pytest.approx([1, 1])
    assert len(reports) == laws.shape[1] in (4, 8)
    ratios = np.concatenate([laws[0] / laws[1], laws[1] / laws[0]])
    assert ratios.max() == pytest.approx(TRUE[client](gamma))
    result = audit.compute(audit.Parameters(client, gamma))
    assert math.exp(result.true) == pytest.approx(TRUE[client](gamma))
    assert result.is_broken == (client in ("client 1", "client 3"))


def test_an_audit_from_counts_is_the_audit_of_the_reports():
    rng = np.random.default_rng(0)
    for _ in range(20):
        chances = rng.dirichlet(np.ones(6), size=2)
        one, two = (rng.choice(6, 400, p=p) for p in chances)
        one[:6] = two[:6] = range(6)  # so that every report has come
        wanted = epsilon_lower_bound(one, two, 0.9)
        counts = [[np.bincount(x[half::2], minlength=6) for x in (one, two)] for half in (0, 1)]
        bound, event, shares = bound_counts(*map(np.array, counts), 0.9)
        assert float(bound) == wanted.epsilon
        assert tuple(np.flatnonzero(event)) == wanted.event
        assert tuple(shares) == wanted.shares


def test_many_audits_at_once_are_audits_one_by_one():
    rng = np.random.default_rng(1)
    chosen, measured = rng.integers(0, 50, (2, 30, 2, 5))
    bounds, events, shares = bound_counts(chosen, measured, 0.95)
    for i in range(30):
        bound, event, share = bound_counts(chosen[i], measured[i], 0.95)
        assert bound == bounds[i]
        assert (event == events[i]).all()
        assert (share == shares[i]).all()


@pytest.mark.parametrize("confidence", [0.5, 0.95])
@pytest.mark.parametrize("client", TRUE)
def test_the_bound_is_wrong_as_rarely_as_it_says(client, confidence):
    _, laws = audit.law(client, 3)
    true, rng = math.log(TRUE[client](3)), np.random.default_rng(5)
    chosen, measured = (
        np.stack([rng.multinomial(500, law, 2000) for law in laws], axis=1) for _ in range(2)
    )
    wrong = (bound_counts(chosen, measured, confidence)[0] > true).mean()
    assert wrong <= 1 - confidence + 4 * math.sqrt(confidence * (1 - confidence) / 2000)


def test_more_reports_join_those_that_there_are():
    few, many = (audit.compute(audit.Parameters(n_reports=n)) for n in (1000, 100_000))
    assert few.sizes[-1] == 1000
    assert few.shares.sum(axis=1) == pytest.approx([1, 1])  # just so many were sent
    there = len(few.sizes) - 1
    assert many.sizes[:there] == few.sizes[:there]
    assert (many.path[:there] == few.path[:there]).all()
    other = audit.compute(audit.Parameters(n_reports=1000, seed=8))
    assert (other.path != few.path).any()
    assert other.power == few.power  # which is not luck of the seed


def test_the_power_is_the_share_of_audits_that_refute():
    """The line that was missing: shown by few reports at a small ε, by very many at a large one."""
    powers = {
        (gamma, n): audit.compute(audit.Parameters("client 3", gamma, n)).power
        for gamma, n in itertools.product((1.105, 19.0), (1000, 40_000, 1_000_000))
    }
    assert powers[1.105, 1000] > 0.99
    assert powers[19.0, 1000] < 0.1
    assert 0.2 < powers[19.0, 40_000] < 0.8
    assert powers[19.0, 1_000_000] > 0.99
    for client in ("client 2", "client 4"):
        assert audit.compute(audit.Parameters(client)).power <= 0.05


def test_the_band_holds_the_middle_of_many_audits():
    *steps, (low, high) = audit.band(audit.Parameters())
    assert not any(steps)
    assert len(low) == len(high) == len(audit.SIZES) == 17
    assert (audit.SIZES[0], audit.SIZES[-1]) == (100, 10**6)
    assert (low <= high).all()
    assert high[-1] <= math.log(55)
    assert low[-1] > math.log(19)
    path = audit.compute(audit.Parameters(n_reports=10**6)).path
    assert ((path >= low) & (path <= high)).mean() > 0.5


def test_intervals_are_those_of_clopper_and_pearson():
    from scipy.stats import binomtest

    counts = np.array([0, 1, 37, 99, 100])
    low, high = audit.interval(counts, 100, 0.9)
    for k, a, b in zip(counts, low, high, strict=True):
        wanted = binomtest(int(k), 100).proportion_ci(0.9, "exact")
        assert (a, b) == pytest.approx((wanted.low, wanted.high))


# --- the card ---


def test_it_draws_the_shares_their_intervals_and_the_path(ex):
    result, shown = audit.compute(ex.parameters()), traces(ex)
    assert ex.card.state["layout"]["xaxis"]["ticktext"] == [
        "".join(map(str, bits)) for bits in itertools.product((0, 1), repeat=3)
    ]
    for i in (0, 1):
        assert shown[f"reports {i}"]["y"] == pytest.approx(100 * result.shares[i], rel=1e-3)
        ends = [v for v in shown[f"interval {i}"]["y"] if v is not None]
        assert ends[::2] == pytest.approx(100 * result.low[i], rel=1e-3)
        assert ends[1::2] == pytest.approx(100 * result.high[i], rel=1e-3)
    assert shown["path"]["x"] == [*audit.SIZES[:8], 10_000]
    assert shown["path"]["y"] == pytest.approx(100 * result.path / math.log(19), rel=1e-3)
    assert shown["chosen"]["y"] == shown["path"]["y"][-1:]
    assert texts(ex).count("★") == result.event.sum()
    assert "truth" not in shown
    assert "RS+FD" not in ex.summary


def test_the_code_is_told_only_if_it_is_asked_for(ex):
    for client, gamma in itertools.product(TRUE, (1.01, 19.0)):
        ex.set(client=client, gamma=gamma, reveal=False)
        hidden = ex.summary
        assert not any(word in hidden for word in ("OUE", "RS+FD", "diagonal", "The code"))
        ex.set(reveal=True)
        true = TRUE[client](gamma)
        share = min(200, 100 * math.log(true) / math.log(gamma))
        assert traces(ex)["truth"]["y"] == pytest.approx([share] * 2, rel=1e-3)
        assert f"its γ is {true:.4g}" in ex.summary
        assert ("breaks its claim" in ex.summary) == (true > gamma)


@pytest.mark.parametrize("seed", [7, 8, 99])
def test_headlines_say_what_is_proved_and_no_more(ex, seed):
    for client, gamma, n in itertools.product(TRUE, (1.01, 19.0, 1000.0), (100, 10_000, 10**6)):
        ex.set(client=client, gamma=gamma, n_reports=n, seed=seed)
        result, state = audit.compute(ex.parameters()), ex.card.state
        refuted = result.epsilon > math.log(gamma)
        assert ("is refuted" in state["headline"]) == refuted
        assert ("no proof of it" in state["headline"]) != refuted
        assert len(state["headline"]) < 110
        axes = {k: (v["type"], v["range"]) for k, v in state["layout"].items() if "axis" in k}
        assert axes["yaxis2"] == ("linear", [0, 240])


@pytest.mark.parametrize(("confidence", "share"), [(95, "5"), (50, "50"), (99.9, "0.1")])
def test_it_is_said_how_many_audits_are_wrong(ex, confidence, share):
    ex.set(confidence=confidence)
    assert ex.card.state["lines"]["confidence"] == f"wrong in at most {share} % of audits"


def test_a_report_that_never_came_is_hollow_on_the_row_of_0(ex):
    ex.set(client="client 2", gamma=1000.0, n_reports=100)
    shown, axis = traces(ex), ex.card.state["layout"]["yaxis"]
    row = axis["tickvals"][axis["ticktext"].index("0")]
    missing = [i for i, y in enumerate(shown["reports 1"]["y"]) if y is None]
    hollow = shown["reports 1, none"]
    assert missing
    assert hollow["x"] == pytest.approx([i + 0.14 for i in missing])
    assert {*hollow["y"]} == {row}
    assert hollow["marker"]["symbol"] == "square-open"
    assert hollow["text"] == [f"{i:03b}" for i in missing]
    assert "never came" in hollow["hovertemplate"]
    for i in missing:
        assert shown["interval 1"]["y"][3 * i] == row
        assert shown["interval 1"]["y"][3 * i + 1] == pytest.approx(3.62, abs=0.01)
    # What did come lies above that row, whoever is asked how often.
    for client, gamma in itertools.product(TRUE, (1.01, 19, 1000)):
        assert 100 * audit.law(client, gamma)[1].min() > 10 * row


def test_the_verdict_is_stamped_where_nothing_is_drawn(ex):
    for client, n in itertools.product(TRUE, (100, 10_000, 10**6)):
        ex.set(client=client, n_reports=n)
        wanted = "REFUTED" if audit.compute(ex.parameters()).is_refuted else "NOT REFUTED"
        stamps = [t for t in ex.card.state["layout"]["annotations"] if t["font"]["size"] > 20]
        assert [stamp["text"] for stamp in stamps] == [f"<b>{wanted}</b>"]
    # It takes the room above all that is drawn: a sixth of the panel.
    for client, gamma in itertools.product(TRUE, (1.01, 1000)):
        ex.set(client=client, gamma=gamma, reveal=True)
        shown = traces(ex)
        assert max(max(shown[name]["y"]) for name in ("path", "truth", "chosen")) <= 240 * 5 / 6


def test_no_proof_is_drawn_as_nothing_and_what_is_beyond_the_axis_at_its_last_tick(ex):
    ex.set(client="client 2", gamma=1.01, n_reports=100)
    assert audit.compute(ex.parameters()).epsilon == 0
    assert traces(ex)["chosen"]["y"] == [0]
    ex.set(client="client 3", n_reports=10**6)
    axis, chosen = ex.card.state["layout"]["yaxis2"], traces(ex)["chosen"]
    assert axis["tickvals"][axis["ticktext"].index("200+")] == chosen["y"][0] == 200
    assert chosen["text"] == [f"{audit.compute(ex.parameters()).epsilon:.2f}"]


def test_stars_stand_in_a_strip_above_all_shares(ex):
    stars = [t for t in ex.card.state["layout"]["annotations"] if t["text"] == "★"]
    low, high = (math.log10(end(traces(ex)["strip"]["y"])) for end in (min, max))
    assert stars
    assert all(2.2 < low < star["y"] < high for star in stars)


def test_reports_run_in_until_there_are_a_million(ex):
    ex.controls["n_reports"].value = 500_000
    seen = []
    ex.controls["n_reports"].observe(lambda change: seen.append(change.new), "value")
    ex.controls["run_in"].click()
    assert seen == sorted(set(seen))
    assert seen[-1] == 10**6


def test_the_band_lies_behind_the_path(ex):
    assert "audits" not in traces(ex)
    *_, band = audit.band(ex.parameters())
    marks = explorers.Audit.show(ex.parameters(), band).panels[1].marks
    shown = {mark["meta"]: mark for mark in marks}["audits"]
    assert shown == marks[0]
    assert shown["x"] == [*audit.SIZES, *audit.SIZES[::-1]]
    assert shown["y"][0] == pytest.approx(100 * band[0][0] / math.log(19), rel=1e-3)


def test_words_of_the_band_stand_where_it_is_wide_or_not_at_all(ex):
    parameters = ex.parameters()
    *_, band = audit.band(parameters)
    [words] = [n for n in explorers.Audit.show(parameters, band).panels[1].notes
               if n["text"] == "90 % of audits"]  # fmt: skip
    widest = int(np.argmax(band[1] - band[0]))
    assert words["x"] == audit.SIZES[widest]
    assert words["y"] == pytest.approx(100 * band[1][widest] / math.log(19), rel=1e-3)
    nothing = np.zeros(17), np.zeros(17)
    notes = explorers.Audit.show(parameters, nothing).panels[1].notes
    assert "90 % of audits" not in [n["text"] for n in notes]


def test_a_mechanism_of_the_audit_is_registered_nowhere():
    assert not {"RS+FD", "OUE, a line missing"} & set(fl.schemes(modern=True))
