"""Intervals of estimates: they cover, they say what they assume, and mining can decide by them."""

import numpy as np
import pytest
from helpers import assert_refused

import frapp_lab as fl
from frapp_lab.data.cube import lengths
from frapp_lab.mechanisms.registry import scheme_class

CENSUS = fl.load_census()
LENGTHS = lengths(CENSUS.schema.sizes)
SMALL = fl.Schema.of_sizes(2, 3)


def some(n):
    chosen = np.random.default_rng(1).choice(len(CENSUS), n, replace=False)
    return CENSUS if n == len(CENSUS) else fl.Dataset(CENSUS.schema, CENSUS.records[chosen])


def coverage(m, data, runs, seed=0):
    """How often the interval of each frequent itemset holds the truth, in percent, by length."""
    truth, held = data.supports.array, np.zeros(LENGTHS.shape)
    for i in range(runs):
        estimate = m.estimate_counts(m.perturb_counts(data.counts, (seed, i)))
        low, high = (end.array for end in m.interval(estimate, len(data)))
        held += (low <= truth) & (truth <= high)
    frequent = truth >= 0.02
    return [100 * held[frequent & (k == LENGTHS)].mean() / runs for k in range(1, 7)]


@pytest.mark.parametrize("n", [1000, 5000, len(CENSUS)])
@pytest.mark.parametrize("label", ["DET-GD", "OUE"])
def test_intervals_cover(label, n):
    found = coverage(fl.make_scheme(label, CENSUS.schema, 19), some(n), 800)
    assert min(found) >= 94
    assert max(found) <= 96.5


@pytest.mark.parametrize("label", ["IND-RR", "HR", "SUE"])
def test_intervals_of_others_cover(label):
    found = coverage(fl.make_scheme(label, CENSUS.schema, 19), some(5000), 40)
    assert min(found) >= 92
    assert max(found) <= 98


def test_a_models_interval_covers_the_models_limit_and_not_always_the_truth():
    m, data = fl.make_scheme("SMP", CENSUS.schema, 19), CENSUS
    limit, truth = m.limit(data.supports).array, data.supports.array
    frequent, runs = (truth >= 0.02) & (LENGTHS == 4), 40
    of_limit = of_truth = 0.0
    for i in range(runs):
        estimate = m.estimate_counts(m.perturb_counts(data.counts, i))
        low, high = (end.array for end in m.interval(estimate, len(data)))
        of_limit += ((low <= limit) & (limit <= high))[frequent].mean() / runs
        of_truth += ((low <= truth) & (truth <= high))[frequent].mean() / runs
    assert 0.92 < of_limit < 0.98
    assert of_truth < 0.5


def test_the_interval_is_wilsons_where_the_reports_are_binomial():
    """A cell that nobody is in: its reports are binomial, and the ends solve Wilson's equation."""
    m = fl.GammaDiagonal(SMALL, 19)
    counts = np.array([[30, 0, 10], [20, 5, 35]])
    low, high = (end["a1", "a2"][0, 0] for end in m.interval(m.estimate_counts(counts), 100))
    estimate = m.estimate_counts(counts)["a1", "a2"][0, 0]
    for end in (low, high):
        deviation = m.standard_deviation(fl.Cube.of_counts(SMALL, np.full((2, 3), end)), 100)
        z = (estimate - end) / deviation["a1", "a2"][0, 0]
        assert abs(z) == pytest.approx(1.959964, abs=1e-5)


@pytest.mark.parametrize("label", fl.schemes(modern=True))
def test_every_scheme_has_intervals_that_hold_the_estimate_and_grow_with_confidence(label):
    data = fl.Dataset(SMALL, np.random.default_rng(0).integers(0, [2, 3], (2000, 2)))
    m = fl.make_scheme(label, SMALL, 19)
    estimate = m.estimate(m.perturb(data.records, rng=0))
    (low, high), (lower, higher) = (m.interval(estimate, 2000, level) for level in (0.5, 0.99))
    known = ~np.isnan(estimate.array)
    inside = np.clip(estimate.array, 0, 1)[known]
    assert (lower.array[known] <= low.array[known] + 1e-12).all()
    assert (low.array[known] <= inside + 1e-12).all()
    assert (inside <= high.array[known] + 1e-12).all()
    assert (high.array[known] <= higher.array[known] + 1e-12).all()
    assert low[()] == high[()] == 1
    assert 0 < (higher["a1"] - lower["a1"]).max() <= 1


def test_mining_decides_by_the_interval():
    runs = {how: fl.mine(CENSUS, "OUE", rng=0, decide=how) for how in ("estimate", "low", "high")}
    assert runs["estimate"].interval is None
    assert "low" not in runs["estimate"].itemsets
    sure, maybe = runs["low"], runs["high"]
    assert len(sure.itemsets) < len(runs["estimate"].itemsets) < len(maybe.itemsets)
    assert (sure.itemsets["low"] >= 0.02).all()
    assert (maybe.itemsets["high"] >= 0.02).all()
    assert len(sure.invented) < 0.05 * len(sure.itemsets)  # each is sure to 97.5 %
    assert len(maybe.lost) < 0.1 * maybe.frequent.sum()
    frame = fl.mine(CENSUS, "OUE", rng=0, confidence=0.8).itemsets
    assert frame.columns.tolist() == ["support", "itemsets", "length", "low", "high"]
    assert ((frame["low"] <= frame["support"]) & (frame["support"] <= frame["high"])).all()
    assert_refused(lambda: fl.mine(CENSUS, "OUE", rng=0, decide="no"), ["decide is 'no'", "high"])
    assert_refused(lambda: fl.mine(CENSUS, "OUE", rng=0, confidence=95), ["confidence is 95"])


def test_a_large_domain_has_the_same_intervals(monkeypatch):
    data = fl.Dataset(SMALL, np.random.default_rng(0).integers(0, [2, 3], (500, 2)))
    whole = fl.mine(data, "DET-GD", 0.1, rng=3, decide="high").itemsets
    monkeypatch.setattr("frapp_lab.data.cube.MAX_CELLS", 3)
    apart = fl.mine(fl.Dataset(SMALL, data.records), "DET-GD", 0.1, rng=3, decide="high").itemsets
    for name in ("low", "high"):
        ours, theirs = (dict(zip(t["itemsets"], t[name], strict=True)) for t in (apart, whole))
        assert ours == pytest.approx(theirs)


def test_what_cannot_be_reconstructed_has_no_interval():
    m = fl.make_scheme("C&P", CENSUS.schema, 19)
    estimate = m.estimate(m.perturb(CENSUS.records, rng=0))
    low, _ = m.interval(estimate, len(CENSUS))
    assert np.isnan(low.array[LENGTHS > 3]).all()
    assert_refused(lambda: low[CENSUS.schema.names[:4]], ["length is 4"])


def test_models_say_what_they_take_for_granted():
    said = {s: scheme_class(s).model for s in fl.schemes(modern=True) if scheme_class(s).model}
    assert list(said) == ["SMP", "PAIR", "TRIPLE"]
    assert "independent" in said["SMP"]
