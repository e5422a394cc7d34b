"""Optimality: which matrices keep to the bound, and which beat it."""

import itertools
import math

import numpy as np
import pytest

import frapp_lab as fl
from frapp_lab.mining import optimality


def random_positive_definite_matrices(n, gamma, number, rng):
    """Symmetric doubly stochastic matrices within γ: mixtures of permutations with the flat one."""
    made = 0
    while made < number:
        a = np.zeros((n, n))
        for w in rng.dirichlet(np.ones(4)):
            p = np.eye(n)[rng.permutation(n)]
            a += w * (p + p.T) / 2
        a = a + rng.uniform(0, 5) * np.eye(n)
        a = a / a.sum(axis=0)[0]
        # Mix in just enough of the flat matrix to keep every row's ratio at γ.
        flat = np.full((n, n), 1 / n)
        for _ in range(60):
            if (a.max(axis=1) <= gamma * a.min(axis=1)).all():
                break
            a = 0.9 * a + 0.1 * flat
        if np.linalg.eigvalsh(a).min() > 1e-6:
            made += 1
            yield a


def test_no_positive_definite_matrix_beats_the_bound():
    rng = np.random.default_rng(0)
    for a in random_positive_definite_matrices(6, 4.0, 200, rng):
        fl.check_matrix(a, gamma=4.0)
        assert np.linalg.cond(a) >= optimality.condition_lower_bound(4.0, 6) - 1e-9


def test_the_gamma_diagonal_matrix_attains_the_bound():
    m = fl.GammaDiagonal(fl.Schema.of_sizes(6), 4)
    assert np.linalg.cond(m.matrix()) == pytest.approx(optimality.condition_lower_bound(4, 6))


def test_the_fano_plane_beats_the_bound():
    a = fl.check_matrix(optimality.fano_matrix(), gamma=2)
    assert (a == a.T).all()
    assert fl.amplification(a) == pytest.approx(2)
    assert np.linalg.eigvalsh(a).min() < 0  # so the paper's proof does not cover it
    assert np.linalg.cond(a) == pytest.approx(math.sqrt(50))
    assert np.linalg.cond(a) < optimality.condition_lower_bound(2, 7) == 8
    lines = a > 0.15
    assert (lines.sum(axis=0) == 3).all()
    for i, j in itertools.combinations(range(7), 2):
        assert (lines[i] & lines[j]).sum() == 1  # two lines meet in one point


@pytest.mark.parametrize(("n", "d", "gamma"), [(5, 1, 3.0), (5, 2, 3.0), (7, 3, 2.0), (8, 7, 9.0)])
def test_subset_selection_by_brute_force(n, d, gamma):
    a = fl.check_matrix(optimality.subset_selection_matrix(n, d, gamma), gamma=gamma)
    assert fl.amplification(a) == pytest.approx(gamma)
    assert np.linalg.cond(a) == pytest.approx(optimality.subset_selection_condition(n, d, gamma))
    holds = a > a.min() * (1 + gamma) / 2
    own = a[holds[:, 0], 0].sum()
    other = a[holds[:, 1], 0].sum()
    deviation = math.sqrt(other * (1 - other)) / (own - other)
    assert optimality.subset_selection_deviation(n, d, gamma) == pytest.approx(deviation)


def test_subset_selection_beats_the_gamma_diagonal_widely_on_census():
    assert optimality.subset_selection_condition(2000, 1, 19) == pytest.approx(112.1111, abs=5e-5)
    assert optimality.subset_selection_condition(2000, 100, 19) == pytest.approx(21.65, abs=5e-3)
    ratio = optimality.subset_selection_deviation(
        2000, 1, 19
    ) / optimality.subset_selection_deviation(2000, 100, 19)
    assert ratio == pytest.approx(5.17, abs=5e-3)
