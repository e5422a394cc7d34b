"""The model of variance, against integrals and trials."""

import math

import numpy as np
import pytest

import frapp_lab as fl
from frapp_lab import privacy
from frapp_lab.explorers.models import variance


@pytest.mark.parametrize(("n", "asked"), [(6, 0.9), (60, 0.9), (4, 1.0)])
def test_variances_terms_by_integration(n, asked):
    result = variance.compute(variance.Parameters(gamma=5.0, alpha=asked, domain_size=n))
    counts = variance._falling(n)
    assert counts.sum() == 10_000
    assert abs(counts - 10_000 / np.arange(1, n + 1) / sum(1 / np.arange(1, n + 1))).max() <= 1
    assert result.largest_cell == counts[0]
    x = 1 / (5 + n - 1)
    largest = min(5 * x, (n - 1) * x)
    assert result.alpha.value == pytest.approx(min(asked * 5 * x, largest))
    assert len(result.within) == len(result.between) == len(result.shared) == 6
    first, others = counts[0], counts.sum() - counts[0]
    plain = first * 5 * x * (1 - 5 * x) + others * x * (1 - x)
    assert result.deviation == pytest.approx(math.sqrt(plain))
    alphas = [share * largest for share in (0, 0.25, 0.5, 0.75, 1)]
    for place, alpha in enumerate([*alphas, min(asked * 5 * x, largest)]):
        r, weights = np.polynomial.legendre.leggauss(5)
        r, weights = alpha * r, weights / 2
        p_own, p_other = 5 * x + r, x - r / (n - 1)
        within = weights @ (first * p_own * (1 - p_own) + others * p_other * (1 - p_other))
        assert result.within[place] == pytest.approx(within / plain)
        between = first * (weights @ p_own**2 - (weights @ p_own) ** 2)
        between += others * (weights @ p_other**2 - (weights @ p_other) ** 2)
        assert result.between[place] == pytest.approx(between / plain, abs=1e-12)
        mean = first * p_own + others * p_other  # one r for all: its law is that of one number
        together = within + weights @ mean**2 - (weights @ mean) ** 2
        assert result.shared[place] == pytest.approx(together / plain)


def test_variances_errors_are_those_of_mining():
    # α = 0.9 γx is more than the survey of 5 cells can have, but not more than CENSUS can.
    result = variance.compute(variance.Parameters(gamma=12.0, alpha=0.9, domain_size=5, seed=4))
    assert result.mined.in_gx == pytest.approx(0.9)
    assert result.alpha.in_gx == pytest.approx(4 / 12)
    census = fl.load_census()

    def error(share):
        alpha = share * 12 / (12 + 2000 - 1)
        mechanism = fl.RandomizedGammaDiagonal(census.schema, 12, alpha)
        return fl.mine(census, mechanism, 0.02, rng=4).errors.support_error_all[4]

    assert result.tried == pytest.approx([error(s) for s in (0, 0.25, 0.5, 0.75, 1)])
    assert result.chosen == pytest.approx(error(0.9))
    every = sorted([*result.tried, result.chosen])
    assert result.along == (every[0], every[-1])
    plain = fl.mine(census, fl.GammaDiagonal(census.schema, 12), 0.02, rng=4)
    assert result.plain == pytest.approx(plain.errors.support_error_all[4])
    # An estimate is normal about the truth, so the mean of |error| is √(2/π) deviations.
    deviation = fl.GammaDiagonal(census.schema, 12).standard_deviation(census.supports, len(census))
    relative = []
    for subset in census.schema.subsets(4):
        support = census.supports[subset]
        frequent = support >= 0.02
        relative += (deviation[subset][frequent] / support[frequent]).tolist()
    assert result.expected == pytest.approx(100 * math.sqrt(2 / math.pi) * np.mean(relative))
    assert result.expected == pytest.approx(
        fl.predicted_errors(census, "DET-GD", 0.02, 12).support_error_all[4]
    )
    assert result.relative(result.expected) == 1


def test_variances_band_holds_ran_gds_draws_at_any_alpha():
    *_, (low, high) = variance.band(variance.Parameters(gamma=12.0))
    census = fl.load_census()
    for share in (0.3, 1.0):
        alpha = share * privacy.max_alpha(12, 2000)
        mechanism = fl.RandomizedGammaDiagonal(census.schema, 12, alpha)
        errors = [
            fl.mine(census, mechanism, 0.02, rng=seed).errors.support_error_all[4]
            for seed in range(100, 140)
        ]
        inside = np.mean([low <= error <= high for error in errors])
        assert inside >= 0.75  # of 90 %: the band and the draws are 40 each
        assert np.quantile(errors, [0.05, 0.95]) == pytest.approx([low, high], rel=0.1)


def test_variances_band_does_not_depend_on_alpha_or_the_survey():
    *_, one = variance.band(variance.Parameters(alpha=0.0, seed=3))
    *_, other = variance.band(variance.Parameters(alpha=1.0, domain_size=500, seed=3))
    *_, another_seed = variance.band(variance.Parameters(seed=4))
    assert one == other != another_seed


@pytest.mark.parametrize("alpha", [0.0, 1e-12])
def test_without_alpha_variance_is_det_gds(alpha):
    result = variance.compute(variance.Parameters(alpha=alpha))
    assert result.alpha.value == 0
    assert (result.within[-1], result.between[-1], result.shared[-1]) == pytest.approx((1, 0, 1))
    assert result.chosen == result.plain
