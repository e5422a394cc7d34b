"""The mechanisms that came after the paper: each against its matrix, and by trial."""

import itertools
import math

import numpy as np
import pytest
from helpers import assert_refused
from laws import LAWS, records_of, rows_of
from scipy import stats

import frapp_lab as fl
from frapp_lab.data.cube import lengths
from frapp_lab.mechanisms.counting import CountingMechanism
from frapp_lab.mechanisms.registry import scheme_class
from frapp_lab.mining import optimality
from frapp_lab.modern import flawed_schemes as broken
from frapp_lab.modern import unary
from frapp_lab.modern.hadamard import transform
from frapp_lab.modern.olh import hashed
from frapp_lab.modern.support_sets import JointMechanism
from frapp_lab.scale import run_trials

SMALL = fl.Schema.of_sizes(2, 3)
MEDIUM = fl.Schema.of_sizes(2, 3, 2)
CENSUS = fl.load_census()
MODERN = [label for label in fl.schemes(modern=True) if scheme_class(label).modern]
UNBIASED = [label for label in MODERN if not scheme_class(label).model]
MODELS = [label for label in MODERN if scheme_class(label).model]


def data_of(schema, n, seed=0):
    """So many records of which attributes depend on each other, all of them at once."""
    rng = np.random.default_rng(seed)
    shares = rng.dirichlet(np.full(schema.n_cells, 2.0))
    return fl.Dataset.from_counts(schema, rng.multinomial(n, shares).reshape(schema.sizes))


# --- the matrix ---


@pytest.mark.parametrize("gamma", [1.5, 3, 19, 100.5])
@pytest.mark.parametrize("label", MODERN)
def test_the_amplification_is_gamma_by_enumeration(label, gamma):
    for sizes in ((2, 3), (2, 2, 2), (5,)):
        m = fl.make_scheme(label, fl.Schema.of_sizes(*sizes), gamma)
        assert fl.amplification(m.matrix()) == pytest.approx(gamma, rel=1e-9)
        assert m.amplification == pytest.approx(gamma, rel=1e-9)


@pytest.mark.parametrize("law", LAWS, ids=lambda law: law.__name__)
@pytest.mark.parametrize("label", UNBIASED)
def test_every_unbiased_scheme_is_lawful(label, law):
    law(fl.make_scheme(label, SMALL, 19))


ANY = [law for law in LAWS if "unbiased" not in law.__name__ and "means" not in law.__name__
       and "lengths" not in law.__name__ and "chance" not in law.__name__]  # fmt: skip


@pytest.mark.parametrize("law", ANY, ids=lambda law: law.__name__)
@pytest.mark.parametrize("label", MODELS)
def test_every_scheme_with_a_model_keeps_the_laws_that_know_no_model(label, law):
    law(fl.make_scheme(label, MEDIUM, 19))


@pytest.mark.parametrize("label", fl.schemes(modern=True))
def test_the_likelihood_is_the_matrixs(label):
    m = fl.make_scheme(label, MEDIUM, 19)
    reports = m.perturb(records_of(m).repeat(20, axis=0), rng=1)
    wanted = np.log(m.matrix()[rows_of(m, reports)])
    found = m.log_likelihood(reports)
    difference = found - wanted  # one number for each report
    assert difference == pytest.approx(np.tile(difference[:, :1], m.schema.n_cells))


@pytest.mark.parametrize("label", UNBIASED)
@pytest.mark.parametrize("sizes", [(2, 3), (7,), (2, 2, 2)])
def test_condition_numbers_in_closed_form(label, sizes):
    for gamma in (1.5, 3, 19):
        m = fl.make_scheme(label, fl.Schema.of_sizes(*sizes), gamma)
        assert m.condition_number(1) == pytest.approx(np.linalg.cond(m.matrix()))


def test_subset_selection_is_the_one_of_lesson_04():
    m = fl.make_scheme("SS", fl.Schema.of_sizes(6), 2)
    assert m.d == 2
    assert m.matrix() == pytest.approx(optimality.subset_selection_matrix(6, 2, 2))
    deviation = m.standard_deviation(fl.Dataset(m.schema, [[0]]).supports, 1)["a1"][1]
    assert deviation == pytest.approx(optimality.subset_selection_deviation(6, 2, 2))


def test_hadamard_blocks_are_the_largest_power_of_two_below_gamma_and_twice_the_cells():
    for n, gamma in itertools.product((2, 3, 5, 8, 20, 33), (1.01, 2, 2.5, 4, 19, 64, 65, 1e6)):
        m = fl.make_scheme("HR", fl.Schema.of_sizes(n), gamma)
        powers = [2**k for k in range(12) if 2**k < min(gamma, 2 * n)]
        assert m.blocks == max(powers), (n, gamma)
        assert m.blocks * (m.block_size - 1) >= n  # each cell has a row of its own


@pytest.mark.parametrize("gamma", [1.2, 2, 3, 5])
def test_subsets_have_the_size_with_the_least_total_error_on_even_data(gamma):
    for n in range(2, 10):
        errors = {}
        for d in range(1, n):
            matrix = optimality.subset_selection_matrix(n, d, gamma)
            held = np.array([np.isin(range(n), s) for s in itertools.combinations(range(n), d)])
            own = matrix[:, 0] @ held  # how likely each cell is held, if the first is the true one
            estimates = (held - own[1]) / (own[0] - own[1])
            errors[d] = (matrix.mean(axis=1) @ estimates**2 - 1 / n**2).sum()
        chosen = fl.make_scheme("SS", fl.Schema.of_sizes(n), gamma).d
        assert errors[chosen] == pytest.approx(min(errors.values())), n


def test_the_gamma_diagonal_matrix_is_better_for_an_empty_cell_up_to_2_gamma_plus_1():
    for gamma in (3, 19, 60):
        one, two = (
            [optimality.subset_selection_deviation(n, d, gamma) for n in range(3, 200)]
            for d in (1, 2)
        )
        better = [n for n, a, b in zip(range(3, 200), one, two, strict=True) if b < a * (1 - 1e-9)]
        assert min(better) == 2 * gamma + 2


def test_oue_beats_the_gamma_diagonal_matrix_from_3_gamma_plus_2():
    for gamma in (3, 19):
        for n, better in ((3 * gamma + 1, False), (3 * gamma + 3, True)):
            schema = fl.Schema.of_sizes(n)
            empty = fl.Dataset(schema, [[0]]).supports
            unary, diagonal = (
                fl.make_scheme(s, schema, gamma).standard_deviation(empty, 1)["a1"][1]
                for s in ("OUE", "DET-GD")
            )
            assert (unary < diagonal) == better


def test_the_transform_is_a_hadamard_matrix():
    matrix = transform(np.eye(8))
    assert (matrix @ matrix.T == 8 * np.eye(8)).all()
    assert set(matrix.ravel()) == {-1, 1}
    assert (matrix == matrix.T).all()


def test_hash_functions_give_independent_values():
    seeds, g = np.random.default_rng(0).integers(0, 2**32, (200_000, 1)), 5
    values = hashed(seeds, np.array([0, 1, 7, 1999]), g).astype(int)
    for three in itertools.combinations(range(4), 3):
        code = values[:, three] @ [g * g, g, 1]
        assert stats.chisquare(np.bincount(code, minlength=g**3)).pvalue > 1e-4


def test_bits_per_report():
    bits = {
        s: fl.make_scheme(s, CENSUS.schema, 19).bits_per_report for s in fl.schemes(modern=True)
    }
    wanted = {
        "DET-GD": 10.97, "MASK": 23, "SUE": 2000, "OUE": 2000, "OLH": 36.3, "SS": 568.2, "HR": 11,
        "SMP": 4.5, "PAIR": 7.7, "TRIPLE": 10.0,
    }  # fmt: skip
    assert {s: bits[s] for s in wanted} == pytest.approx(wanted, abs=0.06)


# --- counts, drawn and counted ---


@pytest.mark.parametrize("label", [s for s in MODERN if s != "SS"])
def test_drawn_counts_have_the_law_of_counted_reports(label):
    m, runs = fl.make_scheme(label, SMALL, 5), 6_000
    counts = np.array([[50, 0, 7], [3, 20, 1]])
    rng = np.random.default_rng(3)
    draws = np.array([m.perturb_counts(counts, rng).ravel() for _ in range(runs)], dtype=float)
    a, x = m.matrix(), counts.ravel()
    mean, covariance = a @ x, np.diag(a @ x) - (a * x) @ a.T
    if isinstance(m, JointMechanism):
        assert (draws[:, -1] == counts.sum()).all()
        draws, bits = draws[:, :-1], m.possible_reports().astype(float)
        mean, covariance = mean @ bits, bits.T @ covariance @ bits
    possible = np.diag(covariance) > 1e-12
    assert (draws[:, ~possible] == mean[~possible]).all()
    draws, mean = draws[:, possible], mean[possible]
    covariance = covariance[np.ix_(possible, possible)]
    z = (draws.mean(axis=0) - mean) / np.sqrt(np.diag(covariance) / runs)
    assert abs(z).max() < stats.norm.isf(1e-4 / len(z))
    spread = np.sqrt((np.outer(*[np.diag(covariance)] * 2) + covariance**2) / runs)
    z = (np.cov(draws.T) - covariance) / spread
    assert abs(z).max() < stats.norm.isf(1e-5 / z.size)


@pytest.mark.parametrize("label", UNBIASED)
def test_statistics_of_parts_add_up(label):
    m = fl.make_scheme(label, MEDIUM, 3)
    reports = m.perturb(data_of(MEDIUM, 1000).records, rng=2)
    if isinstance(m, JointMechanism):
        parts = sum(m.statistic(part) for part in np.array_split(reports, 3))
        assert (parts == m.statistic(reports)).all()
        assert (parts[:-1] == m.supported(reports).sum(axis=0)).all()
        assert parts[-1] == 1000
        np.testing.assert_allclose(m.estimate_statistic(parts).array, m.estimate(reports).array)


@pytest.mark.parametrize("label", [s for s in MODERN if s not in ("SUE", "OUE", "OLH", "SS")])
def test_expected_counts_and_their_transpose_are_the_matrixs(label):
    m, rng = fl.make_scheme(label, MEDIUM, 3), np.random.default_rng(0)
    assert isinstance(m, CountingMechanism)
    x, y = rng.random(MEDIUM.sizes), rng.random(m.reports.sizes)
    assert m.apply(x).ravel() == pytest.approx(m.matrix() @ x.ravel())
    assert m.apply_transposed(y).ravel() == pytest.approx(m.matrix().T @ y.ravel())


# --- estimates ---


def pooled(errors, deviation):
    """How far the mean error and the mean square error are off, in their own standard errors."""
    known = deviation > 0
    z = errors[:, known] / deviation[known]
    bias, square = z.mean(axis=1), (z**2).mean(axis=1)
    runs = math.sqrt(len(errors))
    return bias.mean() / (bias.std() / runs), (square.mean() - 1) / (square.std() / runs)


@pytest.mark.parametrize("gamma", [3, 19])
@pytest.mark.parametrize("label", UNBIASED)
def test_800_simulations_have_no_bias_and_the_stated_variance(label, gamma):
    data = data_of(MEDIUM, 400)
    m, rng = fl.make_scheme(label, MEDIUM, gamma), np.random.default_rng(5)
    truth = data.supports.array.ravel()
    errors = [m.estimate(m.perturb(data.records, rng)).array.ravel() - truth for _ in range(800)]
    deviation = m.standard_deviation(data.supports, len(data)).array.ravel()
    bias, square = pooled(np.array(errors), deviation)
    assert abs(bias) < 3
    assert abs(square) < 3


@pytest.mark.parametrize("label", MODELS)
def test_800_simulations_of_a_model_tend_to_its_limit_with_the_stated_variance(label):
    schema = fl.Schema.of_sizes(2, 3, 2, 2) if label == "TRIPLE" else MEDIUM
    data = data_of(schema, 200_000)  # so many that nothing is clipped
    m, rng = fl.make_scheme(label, schema, 19), np.random.default_rng(6)
    limit = m.limit(data.supports).array.ravel()
    drawn = (m.perturb_counts(data.counts, rng) for _ in range(800))
    errors = np.array([m.estimate_counts(one).array.ravel() - limit for one in drawn])
    deviation = m.standard_deviation(data.supports, len(data)).array.ravel()
    bias, square = pooled(errors, deviation)
    assert abs(bias) < 4  # what is not linear in the reports has a bias of the order of 1/N
    assert abs(square) < 3


@pytest.mark.parametrize(("label", "k"), [("SMP", 1), ("PAIR", 2), ("TRIPLE", 3)])
def test_a_models_limit_has_the_true_tables_and_the_largest_entropy(label, k):
    schema = fl.Schema.of_sizes(2, 3, 2, 2)
    data = data_of(schema, 5000)
    m = fl.make_scheme(label, schema, 19)
    limit = m.limit(data.supports)
    for names in schema.subsets(k):
        assert limit[names] == pytest.approx(data.supports[names], abs=1e-4)
    # The largest entropy: ln p is a sum of functions of k attributes, so it has no larger effect.
    p = np.log(limit[schema.names])
    effect = p
    for axis in range(k + 1):
        effect = effect - effect.mean(axis=axis, keepdims=True)
    rest = effect.mean(axis=tuple(range(k + 1, 4))) if k < 3 else effect
    assert abs(rest).max() < 1e-4
    if k == 1:
        product = np.einsum("i,j,k,l", *(data.supports[name] for name in schema.names))
        assert limit[schema.names] == pytest.approx(product, abs=1e-5)


@pytest.mark.parametrize(("label", "k"), [("SMP", 1), ("PAIR", 2), ("TRIPLE", 3)])
def test_a_model_is_right_where_its_assumption_holds(label, k):
    schema = fl.Schema.of_sizes(2, 3, 2, 2)
    data = data_of(schema, 5000)
    m = fl.make_scheme(label, schema, 19)
    fitted = np.rint(10**9 * m.limit(data.supports)[schema.names]).astype(np.int64)
    supports = fl.Cube.of_counts(schema, fitted / fitted.sum())
    assert m.limit(supports).array == pytest.approx(supports.array, abs=1e-5)
    assert abs(m.limit(data.supports).array - data.supports.array).max() > 1e-3


def test_a_pair_that_nobody_tells_of_is_named():
    class Chain(scheme_class("PAIR")):
        """Neighbours alone are told."""

        label = "CHAIN"
        told = ((0, 1), (1, 2))

    m = Chain(MEDIUM, 19)
    reports = m.perturb(data_of(MEDIUM, 100).records, 0)
    for call in (
        lambda: m.estimate(reports)["a1", "a3"],
        lambda: m.limit(data_of(MEDIUM, 100).supports)["a1", "a3"],
    ):
        assert_refused(call, ["no table of CHAIN tells of a1, a3 together", "`told`"])


def test_consistent_tables_agree_and_nothing_changes_if_they_do():
    m = fl.make_scheme("PAIR", MEDIUM, 19)
    data = data_of(MEDIUM, 500)
    true = [data.supports[[MEDIUM.names[j] for j in t]] for t in m.told]
    for found, table in zip(m._consistent(true), true, strict=True):
        assert found == pytest.approx(table)
    rng = np.random.default_rng(0)
    noisy = [table + rng.normal(0, 0.1, table.shape) for table in true]
    noisy = [table + (1 - table.sum()) / table.size for table in noisy]
    made = dict(zip(m.told, m._consistent(noisy), strict=True))
    assert made[0, 1].sum(axis=1) == pytest.approx(made[0, 2].sum(axis=1))
    assert made[0, 1].sum(axis=0) == pytest.approx(made[1, 2].sum(axis=1))

    # What tables share is their mean, each with one over its variance: it is noisier if there are
    # more cells to be summed, and if each is told with less truth.
    deviation = {}
    for table in m.told:
        cells = math.prod(MEDIUM.sizes[j] for j in table)
        stay, x = 18 / (18 + cells), 1 / (18 + cells)
        deviation[table] = math.sqrt(x * (1 - x) * cells / 2) / stay  # of a margin of two cells
    known = dict(zip(m.told, noisy, strict=True))
    weights = [1 / deviation[t] ** 2 for t in ((0, 1), (0, 2))]
    margins = [known[t].sum(axis=1) for t in ((0, 1), (0, 2))]
    assert made[0, 1].sum(axis=1) == pytest.approx(np.average(margins, axis=0, weights=weights))

    # What only one table knows stays: the interaction within it.
    def interaction(t):
        return t - t.mean(axis=0) - t.mean(axis=1, keepdims=True) + t.mean()

    for found, table in zip(made.values(), noisy, strict=True):
        assert interaction(found) == pytest.approx(interaction(table))


def test_reports_with_blanks_tell_of_k_attributes():
    for label, k in (("SMP", 1), ("PAIR", 2), ("TRIPLE", 3)):
        m = fl.make_scheme(label, CENSUS.schema, 19)
        reports = m.perturb(CENSUS.records[:2000], rng=0)
        assert ((reports < CENSUS.schema.sizes).sum(axis=1) == k).all()
        told = np.unique(reports < CENSUS.schema.sizes, axis=0)
        assert len(told) == math.comb(6, k)


def test_few_records_and_large_domains_are_fitted_too():
    m = fl.make_scheme("PAIR", MEDIUM, 3)
    found = m.estimate(m.perturb([[0, 1, 0], [1, 2, 1]], rng=0)).array
    assert np.isfinite(found).all()
    assert found[-1, -1, -1] == pytest.approx(1)
    wide = fl.Schema.of_sizes(*[2] * 31)
    rng = np.random.default_rng(0)
    records = (rng.random((100_000, 31)) < 0.7).astype(int)
    records[:, 1] = records[:, 0]
    m = fl.make_scheme("PAIR", wide, 1e6)
    found = m.estimate(m.perturb(records, rng=0))["a1", "a2", "a3"]
    assert found[1, 1, 1] == pytest.approx(0.49, abs=0.05)
    assert found[1, 0].sum() < 0.05


@pytest.mark.parametrize("label", [s for s in MODERN if s != "SS"])  # which draws each client
def test_trials_of_census_by_label(label):
    table = run_trials(CENSUS, [label], trials=2)
    assert np.isfinite(table.support_error_all).all()


WANTED = {
    3: {"OUE": 82, "OLH": 82, "SMP": 17},
    19: {"OUE": 23, "OLH": 23, "PAIR": 9.9, "SMP": 14},
    100: {"OUE": 9.5, "OLH": 9.5, "PAIR": 6.1},
}
"""Mean relative errors on CENSUS over all frequent itemsets, in percent, measured elsewhere."""


@pytest.mark.parametrize("gamma", WANTED)
def test_errors_on_census_are_those_of_an_independent_reference(gamma):
    truth = CENSUS.supports.array
    frequent = (truth >= 0.02) & (lengths(CENSUS.schema.sizes) > 0)
    for label, wanted in WANTED[gamma].items():
        m = fl.make_scheme(label, CENSUS.schema, gamma)
        errors = []
        for seed in range(20):
            estimate = m.estimate_counts(m.perturb_counts(CENSUS.counts, seed)).array[frequent]
            errors.append(100 * (abs(estimate - truth[frequent]) / truth[frequent]).mean())
        assert np.mean(errors) == pytest.approx(wanted, rel=0.05), label
        if label == "PAIR" and gamma == 19:
            assert np.mean(errors) <= 10.5


def test_olh_sends_each_value_as_often_as_gamma_says():
    """All numbers between 0 and 1 draw the value of given hash functions: this is the law."""
    steps = (np.arange(6000) + 0.5) / 6000
    for gamma, seed in itertools.product((1.5, 3, 19, 100.5), (0, 1, 2**31, 2**32 - 1)):
        m = fl.make_scheme("OLH", SMALL, gamma)
        uniforms = np.stack([np.full(6000, (seed + 0.5) / 2**32), steps], axis=1)
        law = np.empty((m.g, 6))
        for cell, record in enumerate(SMALL.decode(np.arange(6))):
            reports = m.perturb(np.tile(record, (6000, 1)), uniforms=uniforms)
            assert (reports[:, 0] == seed).all()
            law[:, cell] = np.bincount(reports[:, 1], minlength=m.g) / 6000
        own = hashed(np.array([[seed]]), np.arange(6), m.g)
        weights = np.where(np.arange(m.g)[:, None] == own, gamma, 1)
        assert law == pytest.approx(weights / weights.sum(axis=0), abs=2 / 6000)
        assert fl.amplification(law) <= gamma * (1 + 3 * m.g / 1000)  # of 6,000 steps each


# --- schemes that break their promise ---


@pytest.mark.parametrize("m", [2, 3, 4])
def test_fake_data_break_the_promise(m):
    schema = fl.Schema.of_sizes(*[2] * m)
    scheme = broken.FakeData(schema, 19)
    assert fl.amplification(scheme.matrix()) == pytest.approx(m * 18 + 1, rel=1e-9)
    # Records that differ in one attribute are kept apart no better than promised.
    matrix, records = scheme.matrix(), schema.decode(np.arange(schema.n_cells))
    one = [j for j in range(schema.n_cells) if (records[j] != records[0]).sum() == 1]
    assert (matrix[:, [0]] / matrix[:, one]).max() == pytest.approx(19)
    assert "RS+FD" not in fl.schemes(modern=True)
    for law in LAWS:
        law(broken.FakeData(SMALL, 19))


@pytest.mark.parametrize("gamma", [1.1, 3, 19])
def test_a_missing_line_adds_two(gamma):
    m = broken.MissingLine(SMALL, gamma)
    assert fl.amplification(m.matrix()) == pytest.approx(gamma + 2, rel=1e-9)
    assert m.claimed == gamma


# --- refusals ---


def test_what_cannot_be_is_refused_in_words():
    wide = fl.Schema.of_sizes(*[2] * 31)
    for label in ("SUE", "OUE", "OLH", "SS", "HR"):
        assert_refused(lambda s=label: fl.make_scheme(s, wide, 19), ["2,147,483,648", label])
    oue, olh = (fl.make_scheme(s, SMALL, 19) for s in ("OUE", "OLH"))
    assert_refused(lambda: oue.estimate(np.zeros((3, 5))), ["(3, 5)", "6 bits"])
    assert_refused(lambda: oue.estimate(np.full((3, 6), 2)), ["row 0, bit 0 is"])
    assert_refused(lambda: oue.estimate(np.zeros((0, 6))), ["(0, 6)"])
    assert_refused(lambda: oue.estimate_statistic([1, 2, 3]), ["statistic has shape (3,)"])
    assert_refused(lambda: oue.estimate_statistic([0] * 7), ["1 or more"])
    assert_refused(lambda: olh.estimate([[1, 2, 3]]), ["(1, 3)", "seed"])
    assert_refused(lambda: olh.estimate([[1, 20]]), ["20 as its value", "0 to 19"])
    assert_refused(lambda: olh.estimate([[-1, 2]]), ["-1 as its seed"])
    pair = fl.make_scheme("PAIR", MEDIUM, 19)
    assert pair.condition_number(3) == math.inf
    assert_refused(lambda: pair.itemset_matrix(3), ["length is 3", "the model"])
    assert_refused(lambda: pair.estimate([[0, 0, 3]]), ["outside 0 to 2"])
    for label in MODERN:
        assert_refused(lambda s=label: fl.make_scheme(s, SMALL, 1), ["gamma is 1"])


@pytest.mark.parametrize("label", ["SUE", "OUE"])
@pytest.mark.parametrize("n", [5, 16, 35])
@pytest.mark.parametrize("gamma", [1.01, 19, 1e6])
def test_a_group_of_bits_is_the_pattern_at_its_number(label, n, gamma, monkeypatch):
    """Numbers anywhere, and on, below and above the places where one pattern ends."""
    monkeypatch.setattr(unary, "AT_ONCE", 1000)
    m, many = fl.make_scheme(label, fl.Schema.of_sizes(n), gamma), min(n, 16)
    ones = np.array([number.bit_count() for number in range(2**many)])
    ends = np.cumsum(m.q**ones * (1 - m.q) ** (many - ones))[:-1]
    some = np.random.default_rng(0).choice(ends[ends < 1], 300)
    numbers = np.r_[some, np.nextafter(some, 0), np.nextafter(some, 1), 0, 1 - 2**-53]
    numbers = np.r_[numbers, np.random.default_rng(1).random(1098)]
    numbers = numbers[numbers < 1]
    groups = m.n_uniforms - 1
    uniforms = np.full((len(numbers), 1 + groups), 0.5)
    uniforms[:, 1:] = np.resize(numbers, (groups, len(numbers))).T[:, ::-1]
    records = np.zeros((len(numbers), 1), dtype=int)
    found = m.perturb(records, uniforms=uniforms)
    wanted = np.zeros((len(numbers), 16 * groups), dtype=bool)
    for group in range(groups):
        pattern = np.searchsorted(ends, uniforms[:, 1 + group], side="right")
        wanted[:, 16 * group : 16 * group + 16] = (pattern[:, None] >> np.arange(16)) & 1
    # The own bit has a number of its own.
    assert (found[:, 1:] == wanted[:, 1:n]).all()
    assert (found[:, 0] == (m.p > 0.5)).all()


@pytest.mark.parametrize("label", ["SUE", "OUE"])
def test_bits_drawn_in_groups_are_independent_of_each_other(label):
    """Over more cells than one number draws; and a group that is cut short."""
    schema, draws, own = fl.Schema.of_sizes(37), 100_000, 20
    m = fl.make_scheme(label, schema, 3)
    bits = m.perturb(np.full((draws, 1), own), rng=1)
    chance = np.where(np.arange(37) == own, m.p, m.q)
    z = (bits.mean(axis=0) - chance) / np.sqrt(chance * (1 - chance) / draws)
    assert abs(z).max() < stats.norm.isf(1e-4 / 37)
    correlation = np.corrcoef(bits.T.astype(float))[np.triu_indices(37, 1)]
    assert abs(correlation).max() * math.sqrt(draws) < stats.norm.isf(1e-4 / len(correlation))


def test_an_explorer_shows_a_modern_scheme_when_it_is_asked_for():
    from frapp_lab import explorers

    ex = explorers.Mining(schemes=["DET-GD", "PAIR"])
    assert ex.error is None
    assert "PAIR" in ex.summary
    assert "PAIR" not in explorers.Mining().controls
    ex.close()
