"""Each scheme against its matrix, on small domains and exactly; and on CENSUS, by simulation."""

import itertools
import math

import numpy as np
import pytest
from helpers import assert_refused
from hypothesis import given
from hypothesis import strategies as st
from laws import LAWS
from scipy import stats

import frapp_lab as fl
from frapp_lab import privacy
from frapp_lab.data.cube import lengths
from frapp_lab.mechanisms import samplers

CENSUS = fl.Schema.of_sizes(4, 5, 5, 5, 2, 2)
HEALTH = fl.Schema.of_sizes(5, 5, 5, 3, 2, 2, 5)
SMALL = fl.Schema.of_sizes(2, 3)


def all_schemes(schema, gamma=19.0, **options):
    """One of each that is registered, at one γ."""
    return [fl.make_scheme(label, schema, gamma, **options) for label in fl.schemes()]


SCHEMES = all_schemes(SMALL)
COUNTING = [m for m in SCHEMES if hasattr(m, "perturb_counts")]
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


@pytest.mark.parametrize("power", [12, 20, 24, 28, 35, 100, 300])
def test_mask_tells_no_more_than_gamma_where_p_is_nearly_1(power):
    for schema in (fl.Schema.of_sizes(2), fl.Schema.of_sizes(2, 3), CENSUS):
        gamma, found = 10.0**power, fl.make_scheme("MASK", schema, 10.0**power).amplification
        assert found <= gamma * (1 + 1e-9)
        # And about as much as that, or as the 53 bits of p can hold.
        assert found > 0.1 * min(gamma, 2.0 ** (53 * 2 * schema.n_attributes))


@given(st.integers(1, 6), st.floats(7.5, 1e4))
def test_cut_and_paste_attains_gamma_for_every_K(K, gamma):
    assert fl.CutAndPaste.for_gamma(CENSUS, gamma, K).amplification == pytest.approx(gamma)


def test_K_3_is_not_the_best_K():
    at_3 = fl.CutAndPaste.for_gamma(CENSUS, 19, 3)
    best = fl.CutAndPaste.best(CENSUS, 19, length=3)
    assert best.K == 4
    assert best.condition_number(3) < at_3.condition_number(3)
    # "10^7" is out of reach with K = 3.
    assert at_3.condition_number(3) < 1e3


# --- the matrix ---


@pytest.mark.parametrize("law", LAWS, ids=lambda law: law.__name__)
@by_label
def test_every_scheme_is_lawful(m, law):
    assert m.amplification == pytest.approx(19)
    law(m)


def test_gamma_diagonal_matrix_by_hand():
    m = fl.GammaDiagonal(SMALL, 19)
    x = 1 / 24
    assert m.matrix() == pytest.approx(np.full((6, 6), x) + np.eye(6) * 18 * x)
    assert np.linalg.cond(m.matrix()) == pytest.approx(m.condition_number(1))


def test_independent_columns_matrix_is_a_product():
    m = fl.IndependentColumns(SMALL, 19)
    parts = [column.matrix() for column in m.columns]
    assert m.matrix() == pytest.approx(np.kron(*parts))
    assert np.linalg.cond(m.matrix()) == pytest.approx(m.condition_number(2))
    assert m.condition_number(1) == pytest.approx(max(np.linalg.cond(p) for p in parts))


def test_mask_condition_number_is_that_of_the_itemset_bits():
    m = fl.Mask(SMALL, 0.7)
    bit = np.array([[0.7, 0.3], [0.3, 0.7]])
    assert m.itemset_matrix(2) == pytest.approx(np.kron(bit, bit))
    assert m.condition_number(2) == pytest.approx(np.linalg.cond(np.kron(bit, bit)))


BITS = fl.Schema.of_sizes(2, 3, 2)


@pytest.mark.parametrize(
    "m",
    [fl.Mask(BITS, 0.7), *(fl.CutAndPaste(BITS, K, 0.3) for K in range(4))],
    ids=["MASK", *(f"K = {K}" for K in range(4))],
)
def test_the_matrix_of_an_itemsets_bits_by_brute_force(m):
    matrix, reports, first = m.matrix(), m.possible_reports(), np.array([0, 2, 5])
    for k in (1, 2, 3):
        wanted, places = m.itemset_matrix(k), 2 ** np.arange(k)[::-1]
        shown = reports[:, first[:k]] @ places  # the value 0 of the first k attributes
        for u, record in enumerate(BITS.decode(np.arange(BITS.n_cells))):
            law = np.bincount(shown, weights=matrix[:, u], minlength=2**k)
            assert law == pytest.approx(wanted[:, (record[:k] == 0) @ places])
        # Patterns with as many ones are added up.
        ones = np.array([bin(pattern).count("1") for pattern in range(2**k)])
        for column, had in zip(wanted.T, ones, strict=True):
            by_count = m.partial_support_matrix(k)[:, had]
            assert np.bincount(ones, weights=column) == pytest.approx(by_count)
        if k <= m.max_length:
            assert m.condition_number(k) == pytest.approx(np.linalg.cond(wanted))


def test_condition_numbers_of_mask_and_cut_and_paste_stand_on_one_footing():
    mask, cut = fl.Mask.for_gamma(CENSUS, 19), fl.CutAndPaste.for_gamma(CENSUS, 19, 3)
    assert mask.condition_number(3) == pytest.approx(549.7, abs=0.05)
    assert cut.condition_number(3) == pytest.approx(485.6, abs=0.05)
    assert mask.condition_number(3, by_count=True) == pytest.approx(683.1, abs=0.05)
    assert cut.condition_number(3, by_count=True) == pytest.approx(603.9, abs=0.05)


def test_counts_do_for_itemsets_with_too_many_patterns():
    m = fl.CutAndPaste(fl.Schema.of_sizes(*[2] * 15), 13, 0.1)
    counts = m.partial_support_matrix(13)
    assert counts.sum(axis=0) == pytest.approx(np.ones(14))
    assert np.sort(np.linalg.eigvals(counts).real)[::-1][:3] == pytest.approx(m.eigenvalues[:3])
    assert m.condition_number(13, by_count=True) > 1 / m.eigenvalues[13]
    assert fl.CutAndPaste.best(m.schema, 1e6, 13, by_count=True).K >= 13


@pytest.mark.parametrize("K", [0, 1, 2, 3])
def test_cut_and_paste_partial_supports_by_brute_force(K):
    schema = fl.Schema.of_sizes(2, 2, 2)
    m = fl.CutAndPaste(schema, K, 0.3)
    matrix = m.matrix()
    reports, first = m.possible_reports(), np.array([0, 2, 4])
    for k in (1, 2, 3):
        itemset = first[:k]  # the value 0 of the first k attributes
        wanted = m.partial_support_matrix(k)
        for u, record in enumerate(schema.decode(np.arange(8))):
            had = (record[:k] == 0).sum()
            shown = reports[:, itemset].sum(axis=1)
            law = np.bincount(shown, weights=matrix[:, u], minlength=k + 1)
            assert law == pytest.approx(wanted[:, had])
        eigenvalues = np.sort(np.linalg.eigvals(wanted).real)[::-1]
        assert eigenvalues == pytest.approx(m.eigenvalues[: k + 1], abs=1e-6)


# --- the clients ---


@pytest.mark.parametrize("sampler", [samplers.perturb_by_columns, samplers.perturb_by_scan])
def test_the_papers_samplers_have_the_same_law(sampler):
    # Three columns: only then does "all previous columns match" differ from "the previous one".
    schema, draws = fl.Schema.of_sizes(2, 2, 3), 50_000
    m = fl.GammaDiagonal(schema, 19)
    for u in (0, 7, 11):
        records = np.tile(schema.decode(np.array([u])), (draws, 1))
        reports, steps = sampler(m, records, rng=10 + u)
        found = np.bincount(schema.encode(reports), minlength=12)
        assert stats.chisquare(found, draws * m.matrix()[:, u]).pvalue > 1e-4
        if sampler is samplers.perturb_by_scan:
            assert (steps == schema.encode(reports) + 1).all()
        else:
            assert (steps == reports.sum(axis=1) + 3).all()


@given(st.lists(st.integers(2, 4), min_size=1, max_size=4), st.floats(1.01, 100))
def test_column_by_column_is_the_matrix_by_exact_enumeration(sizes, gamma):
    schema = fl.Schema.of_sizes(*sizes)
    m = fl.GammaDiagonal(schema, gamma)
    records = schema.decode(np.arange(schema.n_cells))
    u = records[0]
    law = []
    for v in records:
        chance, matched = 1.0, True
        for j, size in enumerate(sizes):
            keep = m.match_probability(j)
            if not matched:
                chance *= 1 / size
            elif v[j] == u[j]:
                chance *= keep
            else:
                chance *= (1 - keep) / (size - 1)
                matched = False
        law.append(chance)
    assert law == pytest.approx(m.matrix()[:, 0], rel=1e-9)


def test_a_scan_takes_half_the_domain_and_columns_half_the_sum():
    records = np.zeros((4000, 3), dtype=int)
    m = fl.GammaDiagonal(fl.Schema.of_sizes(10, 10, 10), 1.01)  # nearly uniform reports
    scan = samplers.perturb_by_scan(m, records, rng=0)[1]
    columns = samplers.perturb_by_columns(m, records, rng=0)[1]
    assert scan.mean() == pytest.approx(1001 / 2, abs=4 * scan.std() / math.sqrt(4000))
    assert columns.mean() == pytest.approx(33 / 2, abs=4 * columns.std() / math.sqrt(4000))


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


def test_sliding_gamma_moves_the_mechanism_and_not_the_luck():
    records = np.random.default_rng(0).integers(0, [2, 3], (2000, 2))
    uniforms = fl.GammaDiagonal(SMALL, 2).uniforms(2000, rng=1)
    kept = []
    for gamma in (2, 5, 19, 100):
        reports = fl.GammaDiagonal(SMALL, gamma).perturb(records, uniforms=uniforms)
        kept.append((reports == records).all(axis=1))
    for less, more in itertools.pairwise(kept):
        assert (less <= more).all()  # whoever told the truth at a small γ does so at a larger one


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


def test_counts_and_records_give_one_estimate():
    records = np.random.default_rng(0).integers(0, [2, 3], (500, 2))
    for m in COUNTING:
        reports = m.perturb(records, rng=1)
        from_counts = m.estimate_counts(SMALL.counts(reports))
        assert m.estimate(reports).array == pytest.approx(from_counts.array)


def test_the_papers_inverse_gives_the_same_estimate():
    """X̂ = A⁻¹Y for the whole domain, and the subset matrix of §6 for a part of it."""
    m = SCHEMES[0]
    reports = m.perturb(np.random.default_rng(0).integers(0, [2, 3], (500, 2)), rng=1)
    y = SMALL.counts(reports)
    estimate = m.estimate(reports)
    assert estimate["a1", "a2"].ravel() * 500 == pytest.approx(
        np.linalg.solve(m.matrix(), y.ravel())
    )
    x, others = 1 / 24, 2  # over a2 alone: n_C/n_Cs = 2 cells of a1 for each value
    subset = np.full((3, 3), others * x) + np.eye(3) * 18 * x
    assert estimate["a2"] * 500 == pytest.approx(np.linalg.solve(subset, y.sum(axis=0)))


def test_cut_and_paste_inverse_gives_the_same_estimate():
    m = fl.CutAndPaste(SMALL, 2, 0.3)
    bits = m.perturb(np.random.default_rng(0).integers(0, [2, 3], (500, 2)), rng=1)
    estimate = m.estimate(bits)
    for a, b in itertools.product(range(2), range(3)):
        partial = np.bincount(bits[:, a] + 1 * bits[:, 2 + b], minlength=3) / 500
        solved = np.linalg.solve(m.partial_support_matrix(2), partial)
        assert estimate["a1", "a2"][a, b] == pytest.approx(solved[2])


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


@pytest.mark.parametrize("sizes", [(3, 2, 12, 4), (2, 3, 4), (9, 9, 2, 2), (11, 8, 7, 5)])
def test_counting_bits_by_brute_force(sizes):
    """Few bits and many, narrow attributes and wide ones: all ways through the sum."""
    schema = fl.Schema.of_sizes(*sizes)
    m = fl.Mask(schema, 0.8)
    bits = np.random.default_rng(0).random((300, sum(sizes))) < 0.4
    found = m._observed(bits, tuple(range(len(sizes))))
    first = m.first_bits
    for cell in itertools.product(*(range(s + 1) for s in sizes)):
        wanted = [f + v for f, v, s in zip(first, cell, schema.sizes, strict=True) if v < s]
        assert found[cell] == bits[:, wanted].all(axis=1).sum()


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


@pytest.mark.parametrize("shift", [-1.5, -0.3, 0.4, 2.0])
def test_the_chance_of_a_count_is_nearly_that_of_its_exact_law(shift):
    """A reported count is a sum of two binomials: their convolution, against the matched one."""
    data = fl.Dataset.from_counts(SMALL, np.array([[300, 120, 40], [200, 30, 310]]))
    m, n = fl.GammaDiagonal(SMALL, 19), len(data)
    deviations = m.standard_deviation(data.supports, n)
    for names, index in ((("a1", "a2"), (1, 1)), (("a1", "a2"), (0, 2)), (("a2",), (1,))):
        # Around its support, so that the chance is neither 0 nor 1.
        threshold = data.supports[names][index] + shift * deviations[names][index]
        chance = m.chance_found(data.supports, n, threshold)
        count = int(data.cube[names][index])
        cells = math.prod(data.schema.subset(names).sizes)
        p_out = (1 - m.stay) / cells
        own = stats.binom(count, p_out + m.stay).pmf(np.arange(count + 1))
        rest = stats.binom(n - count, p_out).pmf(np.arange(n - count + 1))
        law = np.convolve(own, rest)
        estimates = (np.arange(len(law)) / n - p_out) / m.stay
        place = index if len(names) == 2 else (-1, *index)
        assert chance[place] == pytest.approx(law[estimates >= threshold].sum(), abs=5e-3)


@pytest.mark.parametrize("sizes", [(30, 2), (31, 2), (30, 31), (31, 31)])
def test_reports_of_up_to_62_bits_are_counted_right(sizes):
    """Around 32 bits, where one more no longer fits into the smaller integer."""
    schema = fl.Schema.of_sizes(*sizes)
    m = fl.Mask(schema, 0.9)
    records = np.random.default_rng(0).integers(0, sizes, (300, 2))
    bits = m.perturb(records, rng=1)
    estimate = m.estimate(bits)
    for a, b in ((0, 0), (sizes[0] - 1, sizes[1] - 1), (5, 1)):
        terms = (bits[:, a] - 0.1) * (bits[:, sizes[0] + b] - 0.1) / 0.8**2
        assert estimate["a1", "a2"][a, b] == pytest.approx(terms.mean())


@by_label
def test_one_client_is_enough(m):
    assert m.uniforms(1, rng=0).shape == (1, m.n_uniforms)
    assert_refused(lambda: m.uniforms(0, rng=0), ["n_records is 0"])
    supports = fl.Dataset(SMALL, [[0, 1]]).supports
    assert np.isfinite(m.standard_deviation(supports, 1)["a1"]).all()


# --- huge domains ---


@pytest.mark.parametrize("booleans", [10, 31, 56, 60, 70, 120])
def test_the_claimed_gamma_is_attained_in_every_domain(booleans):
    """The chance to stay, counted on the grid of the uniform numbers that decide it."""
    m = fl.GammaDiagonal(fl.Schema.of_sizes(*[2] * booleans), 19)
    blocks = -(-booleans // 16)
    digits, grid = m.n_uniforms - blocks, 2**53
    below, prefix = 0, []
    for place in range(digits):
        low, high = 0, grid  # by bisection: the first digit that, with zeros after it, is not below
        while low < high:
            middle = (low + high) // 2
            trial = [*prefix, middle, *[0] * (digits - place - 1)]
            row = np.array([[d / grid for d in trial] + [0.5] * blocks])
            low, high = (middle + 1, high) if m._below(row, m.stay)[0] else (low, middle)
        first = low if place == digits - 1 else max(low - 1, 0)
        below = below * grid + first
        prefix.append(first)
    stay = below / grid**digits
    attained = 1 + stay * 2**booleans / (1 - stay)
    assert attained == pytest.approx(19, rel=1e-8)


def test_in_a_huge_domain_whoever_may_stay_stays():
    m = fl.GammaDiagonal(fl.Schema.of_sizes(*[2] * 60), 19)
    records = np.ones((4, 60), dtype=int)
    uniforms = np.full((4, m.n_uniforms), 0.3)
    # s = 18/(2^60 + 18) is 0.14 of the finest step of one uniform: its first digit is 0.
    uniforms[:, 0] = 0, 0, 2.0**-53, 0.9
    uniforms[:, 1] = 0.1, 0.2, 0.0, 0.0
    stays = (m.perturb(records, uniforms=uniforms) == 1).all(axis=1)
    assert stays.tolist() == [True, False, False, False]


def test_a_domain_beyond_all_numbers_is_refused():
    assert_refused(
        lambda: fl.GammaDiagonal(fl.Schema.of_sizes(*[2] * 1100), 19), ["domain_size", "because"]
    )


# --- RAN-GD's r ---


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


@pytest.mark.parametrize("column", [-1, 2, 0.5])
def test_columns_that_are_not_there_are_refused(column):
    assert_refused(lambda: fl.GammaDiagonal(SMALL, 19).match_probability(column), ["column is"])


def test_shared_numbers_cannot_be_spoilt():
    m = fl.GammaDiagonal(SMALL, 19)
    with pytest.raises(ValueError, match="read-only"):
        m.uniform_supports()[:] = 0
