"""Journey's people draw by the matrix, the cut moves only whom it crosses, undoing is exact."""

import itertools

import numpy as np
import pytest
from scipy import stats

from frapp_lab.explorers.models import journey as model
from frapp_lab.explorers.models.journey import CUT, DIAGONAL, MASK, OWN, Parameters, compute

SEEDS = range(40)


def diagonal(gamma, n):
    return (np.ones((n, n)) + (gamma - 1) * np.eye(n)) / (gamma + n - 1)


def mask(gamma, n):
    """Flip each bit with 1 − p, where (p / (1 − p))² = γ: two records differ in two bits."""
    p = np.sqrt(gamma) / (1 + np.sqrt(gamma))
    patterns = list(itertools.product((0, 1), repeat=n))
    return np.array(
        [[np.prod([p if b == (i == v) else 1 - p for i, b in enumerate(bits)]) for v in range(n)]
         for bits in patterns]
    )  # fmt: skip


def cut(gamma, n):
    """Keep the item in one of two cases, then paste every missing one in with ρ = 1 / (γ − 1)."""
    rho, law = 1 / (gamma - 1), np.zeros((2**n, n))
    for v, kept, *pasted in itertools.product(range(n), (0, 1), *[(0, 1)] * n):
        bits = [int(b or (kept and i == v)) for i, b in enumerate(pasted)]
        chance = 0.5 * np.prod([rho if b else 1 - rho for b in pasted])
        law[int("".join(map(str, bits)), 2), v] += chance
    return law


@pytest.mark.parametrize("gamma", [2.5, 6.0, 19.0])
@pytest.mark.parametrize(("scheme", "law"), [(DIAGONAL, diagonal), (MASK, mask), (CUT, cut)])
def test_people_send_by_the_matrix(scheme, law, gamma):
    values = 3
    expected = law(gamma, values)
    drawn = np.zeros_like(expected)
    for seed in SEEDS:
        result = compute(Parameters(gamma, scheme, values, people=500, seed=seed))
        np.testing.assert_allclose(result.matrix, expected, atol=1e-12)
        np.add.at(drawn, (result.reports, result.values), 1)
    for seen, column in zip(drawn.T, expected.T, strict=True):
        possible = column > 0
        assert seen[~possible].sum() == 0
        assert stats.chisquare(seen[possible], seen.sum() * column[possible]).pvalue > 1e-4


def test_people_send_by_a_matrix_of_ones_own():
    own = "0.7 0.1 0.2\n0.2 0.6 0\n0.1 0.3 0.8"
    expected = np.array([[0.7, 0.1, 0.2], [0.2, 0.6, 0], [0.1, 0.3, 0.8]])
    drawn = np.zeros((3, 3))
    for seed in SEEDS:
        result = compute(Parameters(scheme=OWN, own=own, people=500, seed=seed))
        np.add.at(drawn, (result.reports, result.values), 1)
    assert drawn[1, 2] == 0
    for v in range(3):
        possible = expected[:, v] > 0
        seen = drawn[possible, v]
        assert stats.chisquare(seen, seen.sum() * expected[possible, v]).pvalue > 1e-4


@pytest.mark.parametrize("gamma", [1.5, 6.0, 50.0])
def test_undoing_solves_the_equations(gamma):
    result = compute(Parameters(gamma, sent=200, people=200, undo=model.UNDONE))
    solved = np.linalg.solve(diagonal(gamma, 5), np.bincount(result.reports, minlength=5))
    np.testing.assert_allclose(result.estimate, solved, rtol=1e-9)
    x = 1 / (gamma + 4)
    np.testing.assert_allclose(result.chance, x)
    np.testing.assert_allclose((result.counts - 200 * x) / result.left, solved, rtol=1e-9)


def test_intervals_cover_and_the_typical_error_is_typical():
    covered, missed = [], []
    for seed in range(300):
        result = compute(Parameters(people=200, sent=200, seed=seed))
        covered.append((result.low <= result.truth) & (result.truth <= result.high))
        missed.append(result.miss)
    assert 0.92 < np.mean(covered) < 0.98
    assert np.mean(missed) == pytest.approx(result.typical, rel=0.05)


def test_only_those_whose_number_the_cut_crosses_change():
    before, after = (compute(Parameters(gamma, people=500)) for gamma in (6.0, 9.0))
    keeps = [(gamma - 1) / (gamma + 4) for gamma in (6.0, 9.0)]
    first = before.uniforms[:, 0]
    crossed = (keeps[0] <= first) & (first < keeps[1])
    assert crossed.any()
    assert (before.reports[~crossed] == after.reports[~crossed]).all()
    assert (after.reports[crossed] == after.values[crossed]).all()


def test_a_chosen_row_is_bayes():
    result = compute(Parameters(look="row 2"))
    shares = np.bincount(result.values, minlength=5) / 60
    joint = shares * diagonal(6.0, 5)[2]
    np.testing.assert_allclose(result.after, joint / joint.sum())


@pytest.mark.parametrize(
    ("settings", "said"),
    [
        ({"scheme": CUT, "gamma": 1.9}, "needs a γ above 2"),
        ({"scheme": OWN, "own": "0.5 0.5\n0.4 0.5"}, "column"),
        ({"scheme": OWN, "own": "\n".join(["0.1 0.1"] * 10)}, "10 × 2"),
    ],
)
def test_what_cannot_be_sent_says_why(settings, said):
    result = compute(Parameters(sent=60, **settings))
    assert said in result.problem
    assert result.sent == 0
