import math

import numpy as np
import pytest
from helpers import assert_refused
from hypothesis import given
from hypothesis import strategies as st
from scipy import integrate

import frapp_lab as fl
from frapp_lab import privacy

SHARES = st.floats(0.001, 0.999)
GAMMAS = st.floats(1.001, 1e6)
CENSUS, HEALTH = 2_000, 7_500
EYE = np.eye(2)


@given(SHARES, SHARES)
def test_the_ways_between_breach_gamma_and_epsilon_undo_each_other(a, b):
    rho1, rho2 = sorted((a, b))
    if rho2 - rho1 < 1e-6:
        return
    gamma = fl.gamma_from_breach(rho1, rho2)
    assert fl.worst_posterior(rho1, gamma) == pytest.approx(rho2)
    assert privacy.highest_prior(rho2, gamma) == pytest.approx(rho1)
    assert fl.gamma_from_epsilon(fl.epsilon_from_gamma(gamma)) == pytest.approx(gamma)


def test_the_papers_closed_forms():
    assert fl.gamma_from_breach(0.05, 0.50) == 19
    assert fl.worst_posterior(0.05, 19) == pytest.approx(0.5)
    assert fl.epsilon_from_gamma(19) == pytest.approx(2.944439, abs=1e-6)
    assert privacy.off_diagonal(19, CENSUS) == pytest.approx(4.955401e-4, abs=5e-11)
    assert privacy.off_diagonal(19, HEALTH) == pytest.approx(1.330141e-4, abs=5e-11)


@given(st.lists(SHARES, min_size=2, max_size=6), GAMMAS)
def test_no_prior_gets_past_the_worst_posterior(weights, gamma):
    n = len(weights)
    matrix = fl.GammaDiagonal(fl.Schema.of_sizes(n), gamma).matrix()
    prior = np.array(weights) / sum(weights)
    holds = np.arange(n) == 0
    after = fl.posterior(matrix, prior, holds)
    assert (after <= fl.worst_posterior(prior[0], gamma) + 1e-12).all()


def test_the_worst_prior_attains_the_bound():
    matrix = fl.GammaDiagonal(fl.Schema.of_sizes(5), 19).matrix()
    after = fl.posterior(matrix, [0.05, 0.95, 0, 0, 0], [True, False, False, False, False])
    assert after[0] == pytest.approx(0.5)


def test_posterior_by_brute_force():
    matrix = np.array([[0.5, 0.2, 0.3], [0.1, 0.8, 0.3], [0.4, 0.0, 0.4]])
    prior, holds = np.array([0.2, 0.3, 0.5]), np.array([True, False, True])
    for v, found in enumerate(fl.posterior(matrix, prior, holds)):
        joint = matrix[v] * prior
        assert found == pytest.approx(joint[holds].sum() / joint.sum())


def test_amplification_is_a_ratio_within_one_row():
    assert fl.amplification([[0.9, 0.3], [0.1, 0.7]]) == pytest.approx(7)
    assert fl.amplification([[1, 0.5], [0, 0.5]]) == math.inf
    assert fl.amplification([[0.5, 0.5], [0.5, 0.5], [0, 0]]) == 1


# --- RAN-GD ---


@pytest.mark.parametrize("n", [CENSUS, HEALTH])
def test_the_range_is_exact_and_the_papers_is_its_limit(n):
    x = 1 / (19 + n - 1)
    low, high = fl.posterior_range(0.05, 19, 19 * x / 2, n)
    # ρ₂(r) by hand, with the corrected numerator P(Q)·(γx + r).
    for r, found in ((-19 * x / 2, low), (19 * x / 2, high)):
        own, other = 0.05 * (19 * x + r), 0.95 * (x - r / (n - 1))
        assert found == pytest.approx(own / (own + other), rel=1e-12)
    assert low < 1 / 3
    assert high > 3 / 5
    huge = 10**12
    limit = fl.posterior_range(0.05, 19, 19 / (19 + huge - 1) / 2, huge)
    assert limit == pytest.approx((1 / 3, 3 / 5), abs=1e-9)


@pytest.mark.parametrize("share", [0.2, 0.5, 1.0])
@pytest.mark.parametrize("n", [3, 40, CENSUS])
def test_the_law_of_the_realised_posterior_by_brute_force(share, n):
    gamma, prior = 19, 0.05
    alpha = share * privacy.max_alpha(gamma, n)
    x = 1 / (gamma + n - 1)
    r = np.linspace(-alpha, alpha, 200_001)
    rho = privacy.realized_posterior(prior, gamma, r, n)
    likelihood = prior * (gamma * x + r) + (1 - prior) * (x - r / (n - 1))
    for t in np.quantile(rho, [0.01, 0.3, 0.5, 0.9]):
        found = privacy.posterior_cdf(t, prior, gamma, alpha, n)
        assert found == pytest.approx((rho <= t).mean(), abs=2e-5)
        found = privacy.posterior_cdf(t, prior, gamma, alpha, n, given_report=True)
        assert found == pytest.approx(likelihood[rho <= t].sum() / likelihood.sum(), abs=2e-5)
    low, high = fl.posterior_range(prior, gamma, alpha, n)
    for given_report in (False, True):
        ends = privacy.posterior_cdf([0, low, high, 1], prior, gamma, alpha, n, given_report)
        assert ends == pytest.approx([0, 0, 1, 1], abs=1e-9)


def test_without_randomness_the_law_is_one_point():
    assert privacy.posterior_cdf([0.49, 0.51], 0.05, 19, 0, CENSUS).tolist() == [0, 1]


def test_above_the_middle_is_likelier_once_the_report_is_seen():
    # The paper says that above and below 50 % are equally likely; that holds only before.
    alpha = privacy.max_alpha(19, CENSUS) / 2
    assert privacy.posterior_cdf(0.5, 0.05, 19, alpha, CENSUS) == pytest.approx(0.5)
    above = 1 - privacy.posterior_cdf(0.5, 0.05, 19, alpha, CENSUS, given_report=True)
    assert 0.55 < above < 0.65


@given(SHARES, st.floats(1.1, 1e3), st.floats(0, 1), st.integers(2, 10**6))
def test_a_bayesian_miner_loses_nothing(prior, gamma, share, n):
    alpha = share * privacy.max_alpha(gamma, n)
    found = privacy.bayesian_posterior(prior, gamma, alpha, n)
    assert found == pytest.approx(fl.worst_posterior(prior, gamma), rel=1e-9)


def test_the_bayesian_posterior_is_the_mean_of_the_realised_one():
    n, gamma, prior = 50, 19, 0.05
    alpha, x = privacy.max_alpha(gamma, n), 1 / (gamma + n - 1)

    def density(r):
        return prior * (gamma * x + r) + (1 - prior) * (x - r / (n - 1))

    top = integrate.quad(
        lambda r: privacy.realized_posterior(prior, gamma, r, n) * density(r), -alpha, alpha
    )
    bottom = integrate.quad(density, -alpha, alpha)
    found = privacy.bayesian_posterior(prior, gamma, alpha, n)
    assert found == pytest.approx(top[0] / bottom[0], rel=1e-9)


def test_a_known_r_amplifies_more():
    x = 1 / (19 + CENSUS - 1)
    alpha = 0.3 * x
    low, high = privacy.realized_amplification(19, alpha, CENSUS)
    assert high == pytest.approx((19 * x + alpha) / (x - alpha / (CENSUS - 1)))
    assert low == pytest.approx((19 * x - alpha) / (x + alpha / (CENSUS - 1)))
    # At the bound one entry is zero: whoever knows r can rule the reported record out.
    assert privacy.realized_amplification(19, privacy.max_alpha(19, CENSUS), CENSUS)[0] == math.inf
    # In a small domain the bound is (n − 1)x, and then the record is certain.
    assert privacy.realized_amplification(19, privacy.max_alpha(19, 3), 3)[1] == math.inf


@pytest.mark.parametrize(
    ("call", "words"),
    [
        (lambda: fl.worst_posterior(0.05, 1), ["gamma is 1", "above 1"]),
        (lambda: fl.worst_posterior(0.05, math.inf), ["gamma is inf", "finite"]),
        (lambda: fl.worst_posterior(0.05, math.nan), ["gamma is nan"]),
        (lambda: fl.worst_posterior(0.05, "19"), ["gamma is '19'"]),
        (lambda: fl.worst_posterior(0, 19), ["prior is 0", "between 0 and 1"]),
        (lambda: privacy.highest_prior(1, 19), ["posterior is 1"]),
        (lambda: fl.gamma_from_breach(0.5, 0.05), ["rho2 is 0.05", "above ρ₁"]),
        (lambda: fl.gamma_from_breach(0.5, 0.5), ["rho2 is 0.5", "above ρ₁"]),
        (lambda: fl.gamma_from_breach(0.5, 1), ["rho2 is 1"]),
        (lambda: fl.gamma_from_breach(math.nan, 0.5), ["rho1 is nan"]),
        (lambda: fl.gamma_from_epsilon(0), ["epsilon is 0", "above 1"]),
        (lambda: fl.gamma_from_epsilon(1e9), ["epsilon is 1000000000.0", "finite"]),
        (lambda: fl.posterior_range(0.05, 19, -0.1, 2000), ["alpha is -0.1", "0 to 0.00941526"]),
        (lambda: fl.posterior_range(0.05, 19, 0.01, 2000), ["alpha is 0.01", "negative entry"]),
        (lambda: fl.posterior_range(0.05, 19, math.nan, 2000), ["alpha is nan"]),
        (lambda: fl.posterior_range(0.05, 19, 0, 1), ["domain_size is 1"]),
        (lambda: fl.posterior_range(0.05, 19, 0, 2.5), ["domain_size is 2.5", "whole"]),
        (lambda: fl.amplification([[0.5, 0.5], [0.5, 0.6]]), ["column 1", "1.1"]),
        (lambda: fl.amplification([[1.5, 0.5], [-0.5, 0.5]]), ["matrix[1, 0]", "-0.5"]),
        (lambda: fl.amplification([[math.nan, 0.5], [0.5, 0.5]]), ["matrix[0, 0]", "nan"]),
        (lambda: fl.amplification([0.5, 0.5]), ["(2,)"]),
        (
            lambda: fl.check_matrix([[0.9, 0.3], [0.1, 0.7]], gamma=3),
            ["row 1", "entry 1 is 0.7", "entry 0 is 0.1", "γ = 3"],
        ),
        (lambda: fl.posterior(np.eye(2), [0.5, 0.6], [True, False]), ["prior sums to 1.1"]),
        (lambda: fl.posterior(np.eye(2), [1.0], [True, False]), ["prior has shape (1,)"]),
        (lambda: fl.posterior(np.eye(2), [0.5, 0.5], [True]), ["holds has shape (1,)"]),
    ],
)
def test_bad_input_is_refused_in_words(call, words):
    assert_refused(call, words)


def test_alpha_may_be_its_bound_up_to_rounding():
    highest = privacy.max_alpha(19, 2000)
    assert privacy.check_alpha(highest * (1 + 1e-13), 19, 2000) == highest
    with pytest.raises(ValueError, match="negative entry"):
        privacy.check_alpha(highest * (1 + 1e-9), 19, 2000)


def test_shares_of_zero_and_one_are_posteriors():
    assert privacy.posterior_cdf([0, 1], 0.05, 19, 0.004, 2000).tolist() == [0, 1]
    assert fl.posterior(EYE, [0.5, 0.5], [1, 0]).tolist() == [1, 0]
    assert fl.gamma_from_epsilon(1e-15) > 1
