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
    e, r = result.estimate, result.repetitions
    # Warner's estimator: π̂ = (λ + p − 1)/(2p − 1), with variance p(1 − p)/(N(2p − 1)²).
    assert e.share == pytest.approx((result.answers + coin - 1) / (2 * coin - 1))
    assert e.off == pytest.approx(e.share - n_yes / people)
    deviation = math.sqrt(coin * (1 - coin) / people) / (2 * coin - 1)
    assert e.deviation == pytest.approx(deviation)
    assert 3 * deviation < e.band[1] - e.band[0] < 3.7 * deviation + 2 / people / (2 * coin - 1)
    assert e.band[0] <= e.share <= e.band[1]
    honest, false = n_yes * coin, (people - n_yes) * (1 - coin)
    assert result.posterior == pytest.approx(honest / (honest + false))
    assert len(r.estimates) == r.counts.sum() == 200
    assert r.truth == n_yes / people
    offs = r.estimates - n_yes / people
    assert r.n_near == sum(abs(off) <= 2 * deviation + 1e-9 for off in offs)
    # Each repetition lies in the bin whose middle is nearest.
    nearest = abs(offs[:, None] - r.bins).argmin(axis=1)
    assert np.bincount(nearest, minlength=len(r.bins)).tolist() == r.counts.tolist()
    x, height = r.curve
    assert x[[0, -1]] == pytest.approx(np.array([-3.5, 3.5]) * deviation)
    if len(r.bins) > 2:  # the expected number in a bin: its width times 200 times a normal density
        step = np.diff(r.bins).min()
        density = np.exp(-((x / deviation) ** 2) / 2) / deviation / math.sqrt(2 * math.pi)
        assert height == pytest.approx(200 * step * density)
        assert step == pytest.approx(
            (2 * math.floor(deviation * (2 * coin - 1) * people / 4) + 1)
            / people / (2 * coin - 1)
        )  # fmt: skip
        # One bin has the most likely number of answers in its middle.
        likely = round(n_yes * coin + (people - n_yes) * (1 - coin))
        middle = (likely / people + coin - 1) / (2 * coin - 1) - n_yes / people
        away = (r.bins - middle) / step
        assert away == pytest.approx(away.round(), abs=1e-6)
    a_bin = (2 * math.floor(math.sqrt(people * coin * (1 - coin)) / 4) + 1) / people
    assert r.width == pytest.approx(max(a_bin / (2 * coin - 1), 0.006))
    assert r.n_below == r.counts[r.bins < -0.25].sum()
    assert r.n_above == r.counts[r.bins > 0.25].sum()


@pytest.mark.parametrize("by_answer", [False, True])
@pytest.mark.parametrize("people", [10, 57, 100, 1000])
def test_a_survey_of_those_asked_so_far_is_a_survey_of_so_many(people, by_answer):
    whole = randomized_response.Parameters(people=people, by_answer=by_answer)
    complete, drawn = randomized_response.compute(whole), min(people, 100)
    for k in (0, 1, 7, drawn - 1, drawn, 100):
        result = randomized_response.compute(replace(whole, asked=k))
        n = people if k >= drawn else k
        assert result.n_asked == n
        assert result.last == (k - 1 if 0 < k < drawn else None)
        # The same people toss the same coins, and the repetitions are those of all of them.
        assert (result.is_yes == complete.is_yes).all()
        assert (result.says_yes == complete.says_yes).all()
        assert (result.repetitions.estimates == complete.repetitions.estimates).all()
        places = {*zip(result.grid.row.tolist(), result.grid.column.tolist(), strict=True)}
        assert len(places) == drawn
        assert max(row for row, _ in places) < result.grid.n_rows == complete.grid.n_rows
        if by_answer and k < drawn:  # who waits stands below all who have answered
            waiting, there = result.grid.row[k:], result.grid.row[:k]
            assert waiting.min() > max(there, default=-1)
        if k == 0:
            assert result.truth is result.answers is result.estimate is None
            continue
        asked = complete.is_yes[:n], complete.says_yes[:n]
        assert (result.truth, result.answers) == tuple(which.mean() for which in asked)
        assert result.estimate.share == pytest.approx((asked[1].mean() - 0.25) / 0.5)
        assert result.estimate.off == pytest.approx(result.estimate.share - asked[0].mean())
        assert result.estimate.deviation == pytest.approx(math.sqrt(0.75 * 0.25 / n) / 0.5)


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
        e = randomized_response.compute(p).estimate
        shift = np.array(e.band) - e.share + truth  # around the truth: where estimates lie
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
        assert randomized_response.compute(p).repetitions.estimates == pytest.approx(expected)
        for k in (1, 40):
            few = randomized_response.compute(replace(p, repetitions=k)).repetitions
            assert few.estimates == pytest.approx(expected[:k])
            assert few.counts.sum() == k
            middle, height = few.last
            assert abs(middle + few.truth - expected[k - 1]) <= few.width / 2 + 1e-9
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
        means.append(result.repetitions.estimates.mean())
        deviations.append(result.repetitions.estimates.std())
    assert np.mean(shares) == pytest.approx(0.8, abs=4 * 0.4 / math.sqrt(300 * 400))
    assert np.mean(means) == pytest.approx(0.3, abs=0.002)
    assert np.mean(deviations) == pytest.approx(result.estimate.deviation, rel=0.02)


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
    assert fair.estimate is fair.repetitions is None
    assert fair.gamma == 1
    certain = randomized_response.compute(randomized_response.Parameters(coin=1.0))
    assert certain.gamma == math.inf
    assert certain.estimate.share == certain.truth == 0.3
    assert (certain.repetitions.estimates == 0.3).all()
    assert len(certain.repetitions.curve[0]) == 0
