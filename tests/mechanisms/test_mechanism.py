"""Every scheme of the registry, on small domains and exactly; and on CENSUS, by simulation."""

import math

import numpy as np
import pytest
from helpers import all_schemes, assert_refused
from laws import LAWS
from scipy import stats

import frapp_lab as fl
from frapp_lab.data.cube import lengths
from frapp_lab.mechanisms import samplers

CENSUS = fl.Schema.of_sizes(4, 5, 5, 5, 2, 2)
HEALTH = fl.Schema.of_sizes(5, 5, 5, 3, 2, 2, 5)
SMALL = fl.Schema.of_sizes(2, 3)

SCHEMES = all_schemes(SMALL)
by_label = pytest.mark.parametrize("m", SCHEMES, ids=lambda m: m.label)


# --- closed forms ---


def test_the_papers_condition_numbers_and_parameters():
    for k in range(1, 7):
        assert fl.GammaDiagonal(CENSUS, 19).condition_number(k) == pytest.approx(112.1111, abs=5e-5)
        assert fl.GammaDiagonal(HEALTH, 19).condition_number(k) == pytest.approx(417.6667, abs=5e-5)
    for schema, p in ((CENSUS, 0.561037), (HEALTH, 0.552386)):
        mask = fl.Mask.for_gamma(schema, 19)
        assert mask.p == pytest.approx(p, abs=5e-7)
        assert mask.amplification == pytest.approx(19)
        for k in range(1, 7):
            assert mask.condition_number(k) == pytest.approx((2 * mask.p - 1) ** -k)
    # The paper's p for HEALTH is rounded up, past γ.
    assert fl.Mask(HEALTH, 0.5524).amplification > 19
    assert fl.CutAndPaste(CENSUS, 3, 0.494).amplification == pytest.approx(15.4, abs=0.05)
    assert fl.CutAndPaste.for_gamma(CENSUS, 19, 3).rho == pytest.approx(0.451351, abs=5e-7)
    assert fl.CutAndPaste.for_gamma(HEALTH, 19, 3).rho == pytest.approx(0.451351, abs=5e-7)


# --- the matrix ---


@pytest.mark.parametrize("law", LAWS, ids=lambda law: law.__name__)
@by_label
def test_every_scheme_is_lawful(m, law):
    assert m.amplification == pytest.approx(19)
    law(m)


@by_label
def test_the_same_uniforms_give_the_same_reports_and_a_seed_is_enough(m):
    records = SMALL.decode(np.arange(6)).repeat(50, axis=0)
    uniforms = m.uniforms(len(records), rng=1)
    first = m.perturb(records, uniforms=uniforms)
    assert (first == m.perturb(records, rng=1)).all()
    again = [m.perturb(records, rng=np.random.default_rng(1)) for _ in range(2)]
    assert (again[0] == again[1]).all()
    rng = np.random.default_rng(1)
    assert (m.perturb(records, rng) != m.perturb(records, rng)).any()  # each call takes new luck
    assert (first != m.perturb(records, rng=2)).any()


def test_blocks_change_nothing(monkeypatch):
    records = SMALL.decode(np.arange(6)).repeat(50, axis=0)
    whole = SCHEMES[0].perturb(records, rng=1)
    monkeypatch.setattr("frapp_lab._base.random_streams.BLOCK", 7)
    assert (SCHEMES[0].perturb(records, rng=1) == whole).all()


# --- the miner ---


@pytest.mark.parametrize("m", all_schemes(CENSUS, K=6), ids=lambda m: m.label)
def test_estimates_on_census_are_unbiased_with_the_stated_deviation(m):
    census, runs = fl.load_census(), 100
    m.schema = census.schema
    truth = census.supports.array
    deviation = m.standard_deviation(census.supports, len(census)).array
    rng = np.random.default_rng(7)
    errors = np.array(
        [m.estimate(m.perturb(census.records, rng)).array - truth for _ in range(runs)]
    )
    kinds = lengths(census.schema.sizes)
    for length in range(1, 7):
        chosen = kinds == length
        z = errors[:, chosen] / deviation[chosen]
        # All itemsets at once (Bonferroni), at one chance in a thousand for each length.
        level = 1e-3 / chosen.sum()
        assert abs(z.mean(axis=0)).max() * math.sqrt(runs) < stats.norm.isf(level / 2)
        scatter = (z**2).sum(axis=0)
        assert scatter.min() > stats.chi2.ppf(level / 2, runs)
        assert scatter.max() < stats.chi2.isf(level / 2, runs)


def test_the_empty_itemset_of_a_domain_whose_cube_is_too_large():
    large = fl.Schema.of_sizes(*[6] * 9)
    data = fl.Dataset(large, np.random.default_rng(0).integers(0, 6, (50, 9)))
    for m in all_schemes(large, K=3):
        estimate = m.estimate(m.perturb(data.records, rng=1))
        assert not estimate.is_small
        assert estimate[()] == pytest.approx(1)
        assert m.standard_deviation(data.supports, 50)[()] == pytest.approx(0, abs=1e-6)


@pytest.mark.parametrize("label", ["DET-GD", "RAN-GD", "MASK", "C&P", "IND-RR"])
def test_thirty_one_boolean_attributes(label):
    schema = fl.Schema.of_sizes(*[2] * 31)
    m = {s.label: s for s in all_schemes(schema, gamma=1e9, K=3)}[label]
    records = np.random.default_rng(0).integers(0, 2, (20_000, 31))
    data = fl.Dataset(schema, records)
    estimate = m.estimate(m.perturb(records, rng=1))
    deviation = m.standard_deviation(data.supports, len(data))
    for subset in (["a1"], ["a31", "a7"], ["a2", "a30", "a5"]):
        z = (estimate[subset] - data.supports[subset]) / deviation[subset]
        assert abs(z).max() < stats.norm.isf(1e-4)


# --- bad input ---


def cut(K=3, rho=0.4):
    return fl.CutAndPaste(CENSUS, K, rho)


@pytest.mark.parametrize(
    ("call", "words"),
    [
        (lambda: fl.GammaDiagonal(SMALL, 1), ["gamma is 1", "above 1"]),
        (lambda: fl.GammaDiagonal(SMALL, math.inf), ["gamma is inf"]),
        (lambda: fl.GammaDiagonal(SMALL, math.nan), ["gamma is nan"]),
        (lambda: fl.IndependentColumns(SMALL, 0.5), ["gamma is 0.5"]),
        (lambda: fl.RandomizedGammaDiagonal(SMALL, 19, -1e-3), ["alpha is -0.001"]),
        (lambda: fl.RandomizedGammaDiagonal(CENSUS, 19, 0.01), ["alpha is 0.01", "0.00941526"]),
        (lambda: fl.Mask(SMALL, 0.5), ["p is 0.5", "(½, 1]", "singular"]),
        (lambda: fl.Mask(SMALL, 1.1), ["p is 1.1"]),
        (lambda: fl.Mask(SMALL, math.nan), ["p is nan"]),
        (lambda: fl.Mask.for_gamma(SMALL, 1), ["gamma is 1"]),
        (lambda: cut(rho=0), ["rho is 0", "between 0 and 1"]),
        (lambda: cut(rho=1), ["rho is 1"]),
        (lambda: cut(K=7), ["K is 7", "0 to 6"]),
        (lambda: cut(K=-1), ["K is -1"]),
        (lambda: cut(K=2.5), ["K is 2.5", "whole"]),
        (lambda: fl.CutAndPaste.for_gamma(CENSUS, 3, 3), ["gamma is 3", "K is 3", "K below"]),
        (lambda: fl.CutAndPaste.for_gamma(CENSUS, 4, 3), ["gamma is 4", "K is 3", "K below"]),
        (lambda: fl.CutAndPaste.for_gamma(CENSUS, 2, 3), ["gamma is 2", "no K works at γ ≤ 2"]),
        (lambda: fl.CutAndPaste.for_gamma(CENSUS, 1.5, 1), ["gamma is 1.5", "no K works"]),
        (lambda: fl.CutAndPaste.for_gamma(CENSUS, 19, 0), ["K is 0", "none is kept"]),
        (lambda: fl.CutAndPaste.best(CENSUS, 3, 4), ["gamma is 3", "length is 4"]),
        (lambda: cut().condition_number(4), ["length is 4", "K = 3", "singular"]),
        (lambda: cut().condition_number(7), ["length is 7", "1 to 6"]),
        (lambda: cut().condition_number(4, by_count=True), ["length is 4", "singular"]),
        (
            lambda: fl.Mask(fl.Schema.of_sizes(*[2] * 12), 0.7).itemset_matrix(12),
            ["length is 12", "2^12", "10,000,000", "by_count"],
        ),
        (
            lambda: cut().estimate(np.ones((5, 23), bool))["a1", "a2", "a3", "a4"],
            ["length is 4", "singular"],
        ),
        (
            lambda: cut().standard_deviation(fl.load_census().supports, 10)["a1", "a2", "a3", "a4"],
            ["length is 4", "singular"],
        ),
        (lambda: fl.GammaDiagonal(CENSUS, 19).condition_number(0), ["length is 0", "1 to 6"]),
        (lambda: fl.GammaDiagonal(SMALL, 19).perturb([[0, 3]], rng=0), ["'a2'", "code 3"]),
        (lambda: fl.GammaDiagonal(SMALL, 19).perturb([[0, 1, 1]], rng=0), ["(1, 3)", "(N, 2)"]),
        (lambda: fl.GammaDiagonal(SMALL, 19).perturb([[0, 1]]), ["rng", "uniforms"]),
        (
            lambda: fl.GammaDiagonal(SMALL, 19).perturb([[0, 1]], uniforms=np.zeros((1, 3))),
            ["uniforms have shape (1, 3)", "2 for each"],
        ),
        (lambda: fl.GammaDiagonal(SMALL, 19).estimate(np.empty((0, 2), int)), ["empty"]),
        (lambda: fl.GammaDiagonal(SMALL, 19).estimate([[0, 1]])["b"], ["'b'", "a1, a2"]),
        (lambda: fl.Mask(SMALL, 0.7).estimate(np.empty((0, 5))), ["empty"]),
        (lambda: fl.Mask(SMALL, 0.7).estimate([[0, 1]]), ["(1, 2)", "5 bits"]),
        (lambda: fl.Mask(SMALL, 0.7).estimate([[0, 1, 2, 0, 0]]), ["bit 2", "0 or 1"]),
        (lambda: fl.Mask(SMALL, 0.7).estimate([[0, 1, 1, 0, 0]])["b"], ["'b'"]),
        (lambda: fl.GammaDiagonal(SMALL, 19).perturb_counts(np.ones((3, 2)), 0), ["(2, 3)"]),
        (lambda: fl.GammaDiagonal(HEALTH, 19).matrix(), ["7,500 × 7,500", "10,000,000"]),
        (lambda: fl.Mask(CENSUS, 0.7).matrix(), ["8,388,608 × 2,000"]),
        (
            lambda: samplers.perturb_by_scan(
                fl.GammaDiagonal(CENSUS, 19), np.zeros((9999, 6), int), 0
            ),
            ["2,000 cells", "9,999 records"],
        ),
        (
            lambda: fl.Mask(fl.Schema.of_sizes(62, 2), 0.7).estimate(np.ones((1, 64)))["a1"],
            ["64 values", "62 bits"],
        ),
    ],
)
def test_bad_input_is_refused_in_words(call, words):
    assert_refused(call, words)


@by_label
def test_one_client_is_enough(m):
    assert m.uniforms(1, rng=0).shape == (1, m.n_uniforms)
    assert_refused(lambda: m.uniforms(0, rng=0), ["n_records is 0"])
    supports = fl.Dataset(SMALL, [[0, 1]]).supports
    assert np.isfinite(m.standard_deviation(supports, 1)["a1"]).all()


# --- nothing wrong in silence ---


@by_label
@pytest.mark.parametrize("bad", [1.0, -0.1, math.nan, math.inf])
def test_uniforms_that_are_none_are_refused(m, bad):
    uniforms = m.uniforms(3, rng=0)
    uniforms[1, -1] = bad
    assert_refused(
        lambda: m.perturb([[0, 1]] * 3, uniforms=uniforms), [f"uniforms[1, {m.n_uniforms - 1}]"]
    )


@by_label
@pytest.mark.parametrize("n", [0, -5, math.nan, 2.5, "many"])
def test_a_deviation_needs_somebody(m, n):
    supports = fl.Dataset(SMALL, [[0, 1]]).supports
    assert_refused(lambda: m.standard_deviation(supports, n), ["n_records is"])


def test_shared_numbers_cannot_be_spoilt():
    m = fl.GammaDiagonal(SMALL, 19)
    with pytest.raises(ValueError, match="read-only"):
        m.uniform_supports()[:] = 0
