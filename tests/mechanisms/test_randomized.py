"""RAN-GD: each client's own r, and the laws that r may have."""

import numpy as np
import pytest
from helpers import assert_refused
from laws import LAWS
from scipy import stats

import frapp_lab as fl
from frapp_lab import privacy
from frapp_lab.explorers import Playground, Variance
from frapp_lab.scale import run_trials

SMALL = fl.Schema.of_sizes(2, 3)
CENSUS = fl.load_census()
ERRORS = ["support_error", "support_error_all", "false_negatives", "false_positives"]


def randomized_matrix(n, gamma, r):
    x = 1 / (gamma + n - 1)
    return np.full((n, n), x - r / (n - 1)) + np.eye(n) * (gamma * x + r - x + r / (n - 1))


def test_ran_gd_has_det_gds_law_and_a_shared_r_has_not():
    n, gamma = 3, 19
    alpha = privacy.max_alpha(gamma, n)
    points, weights = np.polynomial.legendre.leggauss(4)  # exact: all is polynomial in r
    weights = weights / 2
    matrices = [randomized_matrix(n, gamma, alpha * t) for t in points]
    det = fl.GammaDiagonal(fl.Schema.of_sizes(n), gamma).matrix()

    def mean(values):
        return sum(w * v for w, v in zip(weights, values, strict=True))

    # One client; and two clients, each with an r of their own: every pair of r's.
    assert mean(matrices) == pytest.approx(det)
    own = mean([mean([np.kron(a, b) for b in matrices]) for a in matrices])
    assert own == pytest.approx(np.kron(det, det))
    # Two clients with one r: their reports are no longer independent.
    shared = mean([np.kron(a, a) for a in matrices])
    assert abs(shared - np.kron(det, det)).max() > 1e-3


@pytest.mark.parametrize("share", [-1.0, -0.97, -0.5, 0.0, 1.0])
@pytest.mark.parametrize("sizes", [(2, 3), (5, 5)])
def test_ran_gd_uses_each_clients_own_matrix(sizes, share):
    schema, gamma, draws = fl.Schema.of_sizes(*sizes), 3.0, 50_000
    n = schema.n_cells
    alpha = privacy.max_alpha(gamma, n)  # γx: at r = −α the true record is never sent
    m = fl.RandomizedGammaDiagonal(schema, gamma, alpha)
    r = share * alpha
    records = np.tile(schema.decode(np.array([1])), (draws, 1))
    uniforms = np.random.default_rng(5).random((draws, 2))
    reports = m.perturb_given(records, np.full(draws, r), uniforms)
    found = np.bincount(schema.encode(reports), minlength=n)
    law = randomized_matrix(n, gamma, r)[:, 1]
    possible = law > 1e-9
    assert found[~possible].sum() == 0
    assert stats.chisquare(found[possible], draws * law[possible]).pvalue > 1e-4


def test_ran_gd_takes_any_law_of_r_with_mean_zero():
    schema, gamma, draws = fl.Schema.of_sizes(2, 2), 3.0, 60_000
    alpha = privacy.max_alpha(gamma, 4)
    ends = fl.RandomizedGammaDiagonal(schema, gamma, alpha, lambda u: np.where(u < 0.5, -1.0, 1.0))
    skewed = fl.RandomizedGammaDiagonal(
        schema, gamma, alpha, lambda u: np.where(u < 0.75, -1 / 3, 1)
    )
    plain = fl.GammaDiagonal(schema, gamma)
    for m in (ends, skewed):
        for law in LAWS:
            law(m)
        reports = m.perturb(np.zeros((draws, 2), int), rng=1)
        stayed = (reports == 0).all(axis=1).mean()
        assert stayed == pytest.approx(gamma * plain.x, abs=4 * 0.5 / draws**0.5)
    # At r = −α the true record is never sent; half of the clients have that r.
    uniforms = np.random.default_rng(0).random((draws, ends.n_uniforms))
    uniforms[:, -1] = 0.2
    reports = ends.perturb(np.zeros((draws, 2), int), uniforms=uniforms)
    assert not (reports == 0).all(axis=1).any()


@pytest.mark.parametrize("quantile", [lambda u: u, lambda u: 3 * u - 1.5, lambda u: 0.0])
def test_a_law_of_r_that_breaks_the_matrix_or_its_mean_is_refused(quantile):
    assert_refused(
        lambda: fl.RandomizedGammaDiagonal(SMALL, 19, 0.1, quantile), ["quantile", "mean 0"]
    )


def det_and_ran(alpha_share):
    alpha = alpha_share * privacy.max_alpha(19, CENSUS.schema.n_cells)
    det = fl.GammaDiagonal(CENSUS.schema, 19)
    return det, fl.RandomizedGammaDiagonal(CENSUS.schema, 19, alpha)


@pytest.mark.parametrize("rng", [7, (7, 3), "generator"])
def test_without_alpha_ran_gd_sends_what_det_gd_sends(rng):
    det, ran = (
        m.perturb(CENSUS.records, np.random.default_rng(7) if rng == "generator" else rng)
        for m in det_and_ran(0)
    )
    assert (det == ran).all()


def test_with_alpha_ran_gd_differs_from_det_gd_in_few_reports():
    det, ran = (m.perturb(CENSUS.records, 7) for m in det_and_ran(0.5))
    # A report differs only if its uniform lies between s and s + r·n/(n − 1).
    alpha = 0.5 * privacy.max_alpha(19, 2000)
    changed = (det != ran).any(axis=1).mean()
    assert 0 < changed < 2 * alpha / 2 * 2000 / 1999


def test_without_alpha_trials_of_ran_gd_are_those_of_det_gd():
    for draw in ("records", "counts"):
        table = run_trials(CENSUS, ["DET-GD", "RAN-GD"], alpha_shares=[0], trials=2, draw=draw)
        det, ran = (table[table["scheme"] == s][ERRORS].to_numpy() for s in ("DET-GD", "RAN-GD"))
        np.testing.assert_array_equal(det, ran)


def test_without_alpha_explorers_show_one_and_the_same_scheme():
    playground = Playground()
    playground.controls["alpha"].value = 0
    traces = {trace.meta: trace.y for trace in playground.figure.data}
    assert traces["run DET-GD"] == traces["run RAN-GD"]
    variance = Variance()
    variance.controls["alpha"].value = 0
    assert "with the same draws" in variance.summary
