"""Reconstruction: means and variances by brute force, repairs, and EM."""

import itertools
import math

import numpy as np
import pytest
from helpers import assert_refused
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays
from scipy import optimize

import frapp_lab as fl
from frapp_lab import privacy
from frapp_lab.mining import optimality
from frapp_lab.mining import reconstruction as rec
from frapp_lab.mining.reconstruction import VARIANCE_FORMS

MATRIX = np.array([[0.5, 0.2, 0.3], [0.1, 0.8, 0.3], [0.4, 0.0, 0.4]])
TABLES = arrays(float, st.integers(2, 8), elements=st.floats(-50, 100)).filter(
    lambda t: t.sum() > 1
)


def law_of_y(matrix, counts):
    """Every outcome of all clients' reports with its probability: brute force."""
    clients = np.repeat(np.arange(len(counts)), counts)
    for reports in itertools.product(range(len(matrix)), repeat=len(clients)):
        chance = math.prod(matrix[v, u] for v, u in zip(reports, clients, strict=True))
        yield np.bincount(reports, minlength=len(matrix)), chance


def test_mean_and_variance_of_the_reports_by_brute_force():
    counts = [2, 1, 2]
    outcomes = list(law_of_y(MATRIX, counts))
    mean = sum(p * y for y, p in outcomes)
    variance = sum(p * (y - mean) ** 2 for y, p in outcomes)
    assert rec.expected_counts(MATRIX, counts) == pytest.approx(mean)
    for form in VARIANCE_FORMS:
        assert rec.count_variance(MATRIX, counts, form) == pytest.approx(variance)


@pytest.mark.parametrize("seed", range(20))
def test_theorem_1_holds_and_the_error_is_what_it_bounds(seed):
    schema = fl.Schema.of_sizes(2, 4)
    m = fl.GammaDiagonal(schema, 5)
    rng = np.random.default_rng(seed)
    x = rng.multinomial(1000, rng.dirichlet(np.ones(8)))
    y = m.perturb_counts(x.reshape(2, 4), rng).ravel()
    found = rec.error_bound(m.matrix(), x, y)
    estimate = m.estimate_counts(y.reshape(2, 4))["a1", "a2"].ravel() * 1000
    assert found.actual == pytest.approx(np.linalg.norm(estimate - x) / np.linalg.norm(x))
    assert found.condition_number == pytest.approx(m.condition_number(1))
    assert found.actual <= found.bound


def test_the_squared_error_of_the_reports_is_the_sum_of_the_variances():
    # The paper says that ‖Y − E(Y)‖ is given by the variance; only its mean square is.
    counts = [2, 1, 2]
    mean = rec.expected_counts(MATRIX, counts)
    squared = sum(p * ((y - mean) ** 2).sum() for y, p in law_of_y(MATRIX, counts))
    assert squared == pytest.approx(rec.count_variance(MATRIX, counts).sum())


@given(
    st.lists(st.integers(0, 100), min_size=2, max_size=8).filter(any),
    st.floats(1.01, 100),
    st.floats(0, 1),
)
def test_ran_gds_two_variance_terms_cancel_exactly(counts, gamma, share):
    n = len(counts)
    alpha = share * privacy.max_alpha(gamma, n)
    split = rec.variance_split(np.array(counts), gamma, alpha)
    m = fl.GammaDiagonal(fl.Schema.of_sizes(n), gamma)
    assert split.deterministic == pytest.approx(rec.count_variance(m.matrix(), counts))
    assert split.total == pytest.approx(split.deterministic, rel=1e-9)
    assert (split.between >= 0).all()


@pytest.mark.parametrize("shared", [False, True])
def test_the_variance_terms_by_integrating_over_r(shared):
    n, gamma, counts = 3, 19.0, np.array([3, 2, 1])
    alpha = privacy.max_alpha(gamma, n)
    split = rec.variance_split(counts, gamma, alpha, shared)
    points, weights = np.polynomial.legendre.leggauss(4)
    weights = weights / 2
    x = 1 / (gamma + n - 1)
    for v in range(n):
        p = np.array([gamma * x + alpha * points, x - alpha * points / (n - 1)])
        own, other = p  # P(report v | r) of a client in v and of one elsewhere
        mean_var = sum(
            c * (weights @ (q * (1 - q)))
            for c, q in ((counts[v], own), (counts.sum() - counts[v], other))
        )
        assert split.within[v] == pytest.approx(mean_var)
        if shared:
            total = counts[v] * own + (counts.sum() - counts[v]) * other
            var_mean = weights @ total**2 - (weights @ total) ** 2
        else:
            var_mean = sum(
                c * (weights @ q**2 - (weights @ q) ** 2)
                for c, q in ((counts[v], own), (counts.sum() - counts[v], other))
            )
        assert split.between[v] == pytest.approx(var_mean)
    assert bool(np.allclose(split.total, split.deterministic)) is not shared


# --- post-processing ---


@given(TABLES.filter(lambda t: t.sum() > 1))
def test_both_repairs_leave_nothing_negative_and_the_total(estimate):
    for repair in (rec.clip_and_renormalise, rec.project_to_simplex):
        mended = repair(estimate)
        assert (mended >= 0).all()
        assert mended.sum() == pytest.approx(estimate.sum())
        assert repair(mended) == pytest.approx(mended, abs=1e-9)


def test_the_projection_is_the_nearest_point():
    estimate = np.array([-3.0, 8.0, 2.0, 0.5, -1.5])
    start = np.full(5, estimate.sum() / 5)
    solved = optimize.minimize(
        lambda t: ((t - estimate) ** 2).sum(),
        start,
        bounds=[(0, None)] * 5,
        constraints={"type": "eq", "fun": lambda t: t.sum() - estimate.sum()},
        options={"ftol": 1e-12},
    )
    assert rec.project_to_simplex(estimate) == pytest.approx(solved.x, abs=1e-5)


@pytest.mark.parametrize("kind", [fl.GammaDiagonal, fl.IndependentColumns])
def test_em_takes_the_steps_of_the_dense_formula_and_climbs(kind):
    schema = fl.Schema.of_sizes(2, 3)
    m = kind(schema, 9)
    y = np.array([[40, 3, 9], [10, 22, 6]])
    a, x = m.matrix(), np.full(6, 15.0)
    likelihood = []
    for step in range(1, 30):
        x = x * (a.T @ (y.ravel() / (a @ x)))
        assert rec.em(m, y, step).ravel() == pytest.approx(x)
        likelihood.append(y.ravel() @ np.log(a @ x))
    assert all(a <= b + 1e-9 for a, b in itertools.pairwise(likelihood))
    assert x.sum() == pytest.approx(90)
    assert (x >= 0).all()


def test_em_agrees_with_the_inverse_where_that_has_nothing_negative():
    m = fl.GammaDiagonal(fl.Schema.of_sizes(3), 19)
    y = np.array([50, 30, 20])
    inverse = m.estimate_counts(y)["a1"] * 100
    assert (inverse > 0).all()
    assert rec.em(m, y, 2000) == pytest.approx(inverse)


@pytest.mark.parametrize(
    ("call", "words"),
    [
        (lambda: rec.expected_counts(np.eye(2), [1, 2, 3]), ["(3,)", "2 columns"]),
        (lambda: rec.expected_counts(np.eye(2), [0, 0]), ["not all zero"]),
        (lambda: rec.expected_counts(np.ones((2, 2)), [1, 2]), ["column 0 sums to 2"]),
        (lambda: rec.count_variance(np.eye(2), [1, 2], "best"), ["'best'", "spread"]),
        (lambda: rec.error_bound(np.eye(2), [1, 2], [1, 2, 3]), ["reported", "2 rows"]),
        (lambda: rec.variance_split([1, 2], 19, 1.0), ["alpha is 1.0"]),
        (lambda: rec.clip_and_renormalise([-1.0, 0.5]), ["sums to -0.5"]),
        (lambda: rec.project_to_simplex([math.nan, 1.0]), ["finite"]),
        (
            lambda: rec.em(fl.GammaDiagonal(fl.Schema.of_sizes(2), 3), [1, 2, 3]),
            ["(3,)"],
        ),
        (
            lambda: rec.em(fl.GammaDiagonal(fl.Schema.of_sizes(2), 3), [1, 2], 0),
            ["iterations is 0"],
        ),
        (lambda: optimality.condition_lower_bound(1, 7), ["gamma is 1"]),
        (lambda: optimality.subset_selection_condition(7, 7, 2), ["subset_size is 7", "1 to 6"]),
        (lambda: optimality.subset_selection_matrix(50, 25, 2), ["subset_selection_condition"]),
    ],
)
def test_bad_input_is_refused_in_words(call, words):
    assert_refused(call, words)
