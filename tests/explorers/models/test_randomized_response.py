"""The model of randomized response, against its formula and binomial laws."""

import math
from dataclasses import replace

import numpy as np
import pytest

from frapp_lab.explorers.models import randomized_response


@pytest.mark.parametrize(
    ("truth", "people", "coin", "seed"),
    [
        (0.3, 1000, 0.75, 7),
        (0.31, 1000, 0.75, 7),
        (0.29, 50, 0.9, 1),
        (0.0, 10, 0.55, 2),
        (1.0, 2000, 0.99, 3),
    ],
)
def test_randomized_response_by_its_formula(truth, people, coin, seed):
    p = randomized_response.Parameters(truth=truth, people=people, coin=coin, seed=seed)
    result = randomized_response.compute(p)
    n_yes = math.floor(round(truth * people, 6) + 0.5)
    assert result.is_yes.sum() == n_yes
    assert len(result.is_yes) == len(result.says_yes) == people
    assert result.truth == n_yes / people
    assert result.answers == result.says_yes.mean()
    assert result.gamma == pytest.approx(coin / (1 - coin))
    e = result.estimates
    # Warner's estimator: π̂ = (λ + p − 1)/(2p − 1), with variance p(1 − p)/(N(2p − 1)²).
    assert e.estimate == pytest.approx((result.answers + coin - 1) / (2 * coin - 1))
    deviation = math.sqrt(coin * (1 - coin) / people) / (2 * coin - 1)
    assert e.deviation == pytest.approx(deviation)
    assert 3 * deviation < e.band[1] - e.band[0] < 3.7 * deviation + 2 / people / (2 * coin - 1)
    assert e.band[0] <= e.estimate <= e.band[1]
    honest, false = n_yes * coin, (people - n_yes) * (1 - coin)
    assert result.posterior == pytest.approx(honest / (honest + false))
    assert len(e.repeated) == e.counts.sum() == 200
    assert e.n_near == sum(abs(r - n_yes / people) <= 2 * deviation + 1e-9 for r in e.repeated)
    # Each repetition lies in the bin whose middle is nearest.
    nearest = abs(e.repeated[:, None] - e.bins).argmin(axis=1)
    assert np.bincount(nearest, minlength=len(e.bins)).tolist() == e.counts.tolist()
    x, height = e.curve
    assert x[[0, -1]] == pytest.approx(n_yes / people + np.array([-3.5, 3.5]) * deviation)
    if len(e.bins) > 2:  # the expected number in a bin: its width times 200 times a normal density
        step = np.diff(e.bins).min()
        density = np.exp(-(((x - n_yes / people) / deviation) ** 2) / 2)
        density /= deviation * math.sqrt(2 * math.pi)
        assert height == pytest.approx(200 * step * density)
        assert step == pytest.approx(
            (2 * math.floor(deviation * (2 * coin - 1) * people / 4) + 1)
            / people / (2 * coin - 1)
        )  # fmt: skip
        # One bin has the most likely number of answers in its middle.
        likely = round(n_yes * coin + (people - n_yes) * (1 - coin))
        away = (e.bins - (likely / people + coin - 1) / (2 * coin - 1)) / step
        assert away == pytest.approx(away.round(), abs=1e-6)
    a_bin = (2 * math.floor(math.sqrt(people * coin * (1 - coin)) / 4) + 1) / people
    assert e.width == pytest.approx(max(a_bin / (2 * coin - 1), 0.02))
    assert e.n_below == e.counts[e.bins < -0.3].sum()
    assert e.n_above == e.counts[e.bins > 1.3].sum()


@pytest.mark.parametrize(
    ("truth", "people", "coin"), [(0.3, 200, 0.75), (0, 10, 0.9), (0.5, 2000, 0.51), (1, 30, 0.95)]
)
def test_the_band_of_an_answers_estimate_is_exact(truth, people, coin):
    n_yes = round(truth * people)
    law = np.array([1.0])  # of the number of yes answers: one person after the other
    for person in range(people):
        says_yes = coin if person < n_yes else 1 - coin
        law = np.convolve(law, [1 - says_yes, says_yes])
    for seed in range(3):
        p = randomized_response.Parameters(truth=truth, people=people, coin=coin, seed=seed)
        e = randomized_response.compute(p).estimates
        shift = (
            np.array(e.band) - e.estimate + truth
        )  # around the truth it says where estimates lie
        estimates = (np.arange(people + 1) / people + coin - 1) / (2 * coin - 1)
        low, high = 2 * truth - shift[::-1]  # the band is turned round: it is around the estimate
        assert law[estimates < low - 1e-9].sum() <= 0.05 < law[estimates <= low + 1e-9].sum()
        assert law[estimates > high + 1e-9].sum() <= 0.05 < law[estimates >= high - 1e-9].sum()


def test_repetitions_are_quantiles_of_binomial_laws():
    from scipy.stats import binom

    for truth, people, coin in ((0.3, 1000, 0.75), (0.0, 10, 0.55), (1.0, 300, 0.99)):
        p = randomized_response.Parameters(truth=truth, people=people, coin=coin, seed=4)
        rng, n_yes = np.random.default_rng(4), round(truth * people)
        rng.random((2, 2000))
        u, v = rng.random((2, 200))
        totals = binom.ppf(u, n_yes, coin) + binom.ppf(v, people - n_yes, 1 - coin)
        expected = (totals / people + coin - 1) / (2 * coin - 1)
        assert randomized_response.compute(p).estimates.repeated == pytest.approx(expected)
        for k in (1, 40):
            few = randomized_response.compute(replace(p, repetitions=k)).estimates
            assert few.repeated == pytest.approx(expected[:k])
            assert few.counts.sum() == k
            middle, height = few.last
            assert abs(middle - expected[k - 1]) <= few.width / 2 + 1e-9
            assert few.counts[abs(few.bins - middle) < 1e-9].tolist() == [height]


def test_people_stand_in_a_square_or_in_two_blocks():
    p = randomized_response.Parameters(people=90)
    plain = randomized_response.compute(p).grid
    assert (plain.side * plain.row + plain.column).tolist() == list(range(90))
    assert plain.heads == ()
    result = randomized_response.compute(replace(p, by_answer=True))
    grid = result.grid
    assert len({*zip(grid.row, grid.column, strict=True)}) == 90
    assert grid.row.max() < grid.n_rows
    assert grid.column.max() < grid.side
    says, place = result.says_yes, grid.side * grid.row + grid.column
    assert grid.heads[0] < grid.row[says].min()
    assert grid.row[says].max() < grid.heads[1] < grid.row[~says].min()
    for these in (says, ~says):
        assert place[these & result.is_yes].max() < place[these & ~result.is_yes].min()


def test_randomized_responses_have_the_coins_law():
    shares, means, deviations = [], [], []
    for seed in range(300):
        p = randomized_response.Parameters(people=400, coin=0.8, seed=seed)
        result = randomized_response.compute(p)
        shares.append((result.is_yes == result.says_yes).mean())
        means.append(result.estimates.repeated.mean())
        deviations.append(result.estimates.repeated.std())
    assert np.mean(shares) == pytest.approx(0.8, abs=4 * 0.4 / math.sqrt(300 * 400))
    assert np.mean(means) == pytest.approx(0.3, abs=0.002)
    assert np.mean(deviations) == pytest.approx(result.estimates.deviation, rel=0.02)


def test_the_same_seed_moves_the_same_coins():
    p = randomized_response.Parameters(people=500, coin=0.7)
    first = randomized_response.compute(p)
    truthful = first.is_yes == first.says_yes
    later = randomized_response.compute(replace(p, coin=0.8))
    assert (truthful <= (later.is_yes == later.says_yes)).all()
    fewer = randomized_response.compute(replace(p, people=100))
    assert ((fewer.is_yes == fewer.says_yes) == truthful[:100]).all()


def test_a_fair_coin_has_no_estimate_and_a_certain_one_no_noise():
    fair = randomized_response.compute(randomized_response.Parameters(coin=0.5))
    assert fair.estimates is None
    assert fair.gamma == 1
    certain = randomized_response.compute(randomized_response.Parameters(coin=1.0))
    assert certain.gamma == math.inf
    assert certain.estimates.estimate == certain.truth == 0.3
    assert (certain.estimates.repeated == 0.3).all()
    assert len(certain.estimates.curve[0]) == 0
