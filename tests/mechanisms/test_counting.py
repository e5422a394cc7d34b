"""Counts that are drawn have the law of counted reports."""

import numpy as np
import pytest
from helpers import all_schemes
from scipy import stats

import frapp_lab as fl

SMALL = fl.Schema.of_sizes(2, 3)
SCHEMES = all_schemes(SMALL)
COUNTING = [m for m in SCHEMES if hasattr(m, "perturb_counts")]


@pytest.mark.parametrize("m", COUNTING, ids=lambda m: m.label)
def test_perturbed_counts_have_the_mean_and_covariance_of_perturbed_records(m):
    counts = np.array([[50, 0, 7], [3, 20, 1]])
    runs = 20_000
    rng = np.random.default_rng(3)
    draws = np.array([m.perturb_counts(counts, rng).ravel() for _ in range(runs)])
    assert (draws.sum(axis=1) == counts.sum()).all()
    a, x = m.matrix(), counts.ravel()
    covariance = np.diag(a @ x) - (a * x) @ a.T  # independent multinomial trials
    z = (draws.mean(axis=0) - a @ x) / np.sqrt(np.diag(covariance) / runs)
    assert abs(z).max() < stats.norm.isf(1e-4 / 6)
    # The standard error of a covariance estimate of near-normal variables.
    spread = np.sqrt((np.outer(*[np.diag(covariance)] * 2) + covariance**2) / runs)
    z = (np.cov(draws.T) - covariance) / spread
    assert abs(z).max() < stats.norm.isf(1e-4 / 36)


def test_counts_and_records_give_one_estimate():
    records = np.random.default_rng(0).integers(0, [2, 3], (500, 2))
    for m in COUNTING:
        reports = m.perturb(records, rng=1)
        from_counts = m.estimate_counts(SMALL.counts(reports))
        assert m.estimate(reports).array == pytest.approx(from_counts.array)


def test_a_seed_is_numpys_own_where_counts_are_drawn():
    gd, counts = fl.GammaDiagonal(SMALL, 19), np.full((2, 3), 50)
    for seed in (7, np.int64(7), [7, 2], (7, 2)):
        again = gd.perturb_counts(counts, np.random.default_rng(seed))
        assert (gd.perturb_counts(counts, seed) == again).all()
