"""The model of variance, against integrals and trials."""

import math
from dataclasses import replace

import numpy as np
import pytest

import frapp_lab as fl
from frapp_lab import privacy
from frapp_lab._base.random_streams import stream
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


@pytest.mark.parametrize(("gamma", "asked", "n"), [(19.0, 0.4, 10), (3.0, 1.0, 4), (50.0, 0.7, 60)])
def test_variances_surveys_client_by_client(gamma, asked, n):
    p = variance.Parameters(gamma=gamma, alpha=asked, domain_size=n, seed=5)
    result, x = variance.compute(p), 1 / (gamma + n - 1)
    mine, alpha = result.largest_cell, result.alpha.value
    has_it = np.arange(10_000) < mine
    for name, surveys in (("each", result.each), ("all", result.together)):
        for i in (0, 117):  # two of the surveys
            luck, own = (draw(5)[i].astype(float) for draw in (variance._luck, variance._own))
            r = alpha * own if name == "each" else alpha * stream(5, "one r").uniform(-1, 1, 200)[i]
            chance = np.where(has_it, gamma * x + r, x - r / (n - 1))
            estimate = (sum(luck < chance) - 10_000 * x) / ((gamma - 1) * x)
            # A client whose luck is within a float32 of the chance may fall on either side.
            near = 2 / ((gamma - 1) * x) / result.people
            assert surveys.errors[i] == pytest.approx((estimate - mine) / result.people, abs=near)
    assert result.people == pytest.approx(result.deviation / ((gamma - 1) * x))
    each = np.concatenate([_surveys_of(p, seed).each.errors for seed in range(5)])
    together = np.concatenate([_surveys_of(p, seed).together.errors for seed in range(5)])
    # Of a thousand surveys the standard deviation is known to about 2 % (1.4 % if r is shared).
    assert np.std(each) == pytest.approx(1, rel=0.08)
    assert np.std(together) == pytest.approx(math.sqrt(result.shared[-1]), rel=0.08)
    assert abs(each.mean()) < 4 / math.sqrt(1000)
    assert abs(together.mean()) < 4 * math.sqrt(result.shared[-1] / 1000)


def _surveys_of(p, seed):
    return variance.compute(replace(p, seed=seed))


def test_variances_histograms_hold_all_surveys():
    for gamma, n in ((48.0, 48), (1.01, 10_000), (1000.0, 900), (3.0, 4)):
        for alpha in (0.0, 1.0):
            p = variance.Parameters(gamma=gamma, alpha=alpha, domain_size=n)
            result = variance.compute(p)
            for surveys in (result.each, result.together):
                assert len(surveys.errors) == surveys.counts.sum() == 200
                at = np.rint(surveys.errors[3]) + 46
                assert surveys.counts[int(at)] >= 1
                size = math.sqrt(sum(e**2 for e in surveys.errors) / 200)
                assert surveys.deviation == pytest.approx(size)


def test_variances_luck_stays_while_alpha_moves():
    none, some, more = (
        variance.compute(variance.Parameters(alpha=alpha)) for alpha in (0.0, 0.2, 0.4)
    )
    assert (none.each.errors == none.together.errors).all()
    shift = some.together.errors - none.together.errors
    again = more.together.errors - none.together.errors
    assert np.corrcoef(shift, again)[0, 1] > 0.99
    assert variance.compute(variance.Parameters(seed=8)).each.errors[0] != more.each.errors[0]


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
    *_, (low, high) = variance.band(variance.Parameters(gamma=12.0, view="terms"))
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


def test_variances_band_is_not_drawn_where_it_is_not_seen():
    assert not [*variance.band(variance.Parameters())]


def test_variances_band_does_not_depend_on_alpha_or_the_survey():
    def band(**settings):
        *_, drawn = variance.band(variance.Parameters(**settings, view="terms"))
        return drawn

    one, another_seed = band(alpha=0.0, seed=3), band(seed=4)
    other = band(alpha=1.0, domain_size=500, seed=3)
    assert one == other != another_seed


@pytest.mark.parametrize("alpha", [0.0, 1e-12])
def test_without_alpha_variance_is_det_gds(alpha):
    result = variance.compute(variance.Parameters(alpha=alpha))
    assert result.alpha.value == 0
    assert (result.within[-1], result.between[-1], result.shared[-1]) == pytest.approx((1, 0, 1))
    assert result.chosen == result.plain
