"""What reports leak, what liars do, what repeating and shuffling change, what an audit finds."""

import itertools
import math
from fractions import Fraction

import numpy as np
import pytest
from helpers import assert_refused
from scipy import stats

import frapp_lab as fl
from frapp_lab.modern import composition, shuffling
from frapp_lab.modern import flawed_schemes as broken
from frapp_lab.modern import guessing as leak
from frapp_lab.modern.audit import epsilon_lower_bound
from frapp_lab.modern.guessing import guess_chance
from frapp_lab.modern.poisoning import poison_lift

CENSUS = fl.load_census()
SMALL = fl.Schema.of_sizes(2, 3)
TABLE = fl.Dataset.from_counts(SMALL, [[30, 0, 12], [8, 20, 30]])


# --- leaking ---


def test_one_report_is_guessed_by_the_largest_joint_chance():
    m = fl.GammaDiagonal(SMALL, 5)
    prior = TABLE.counts.ravel() / 100
    wanted = sum(max(prior[u] * m.matrix()[v, u] for u in range(6)) for v in range(6))
    assert guess_chance(TABLE, m).chance == pytest.approx(wanted)
    two = sum(
        max(prior[u] * m.matrix()[v, u] * m.matrix()[w, u] for u in range(6))
        for v, w in itertools.product(range(6), repeat=2)
    )
    found = guess_chance(TABLE, m, n_reports=2)
    assert (found.chance, found.error, found.blind) == (pytest.approx(two), 0, 0.3)


@pytest.mark.parametrize("label", fl.schemes(modern=True))
def test_simulation_finds_what_is_exact(label, monkeypatch):
    m = fl.make_scheme(label, SMALL, 5)
    exact = guess_chance(TABLE, m, 1)
    monkeypatch.setattr(leak, "MAX_ENTRIES", 1)
    found = guess_chance(TABLE, m, 1, draws=4000, rng=1)
    assert 0 < found.error < 0.01
    assert found.chance == pytest.approx(exact.chance, abs=4 * found.error)


def test_the_same_gamma_is_not_the_same_leak():
    wanted = {"DET-GD": (9.38, 12.2), "OUE": (22.2, 89.2), "SS": (23.2, 87.6)}
    for label, (once, ten_times) in wanted.items():
        for n_reports, chance in ((1, once), (10, ten_times)):
            found = guess_chance(CENSUS, label, n_reports, draws=1500)
            assert 100 * found.chance == pytest.approx(chance, abs=0.15 + 400 * found.error)
            assert 100 * found.blind == pytest.approx(9.0, abs=0.05)


# --- poisoning ---


def test_the_condition_number_is_the_poisoners_lever():
    one = dict(zip(CENSUS.schema.names, CENSUS.schema.values(7), strict=True))
    m = fl.GammaDiagonal(CENSUS.schema, 19)
    assert poison_lift(CENSUS, m, one) / 0.01 == pytest.approx(m.condition_number(1), rel=1e-3)
    assert 100 * poison_lift(CENSUS, "OUE", one) == pytest.approx(2.1, abs=0.05)


@pytest.mark.parametrize("label", fl.schemes(modern=True))
def test_the_lift_is_what_liars_achieve(label):
    data = fl.Dataset.from_counts(SMALL, 100 * TABLE.counts)
    m = fl.make_scheme(label, SMALL, 19)
    itemset, place = {"a1": "1", "a2": "1"}, (1, 1)
    lies = m.craft(np.array(place), 1000)  # a share of 1/11
    rng, gains = np.random.default_rng(2), []
    for _ in range(30):
        honest = m.perturb(data.records, rng)
        with_lies = m.estimate(np.concatenate([honest, lies]).astype(honest.dtype))
        gains.append(with_lies.array[place] - m.limit(data.supports).array[place])
    error = np.std(gains) / math.sqrt(30)
    lift = poison_lift(data, m, itemset, share=1 / 11)
    assert np.mean(gains) == pytest.approx(lift, abs=4 * error + 1e-3)
    assert lift > 0.02


def test_what_has_no_estimate_has_no_lift():
    schema = fl.Schema.of_sizes(2, 3)  # of the second column nothing is told
    a = np.kron([[0.8, 0.2], [0.2, 0.8]], np.full((3, 3), 1 / 3))
    data, m = fl.Dataset(schema, [[0, 0], [1, 2]]), fl.MatrixMechanism(schema, a)
    assert poison_lift(data, m, {"a1": "0"}) > 0
    for itemset in ({"a2": "0"}, {"a1": "0", "a2": "1"}):
        assert_refused(lambda i=itemset: poison_lift(data, m, i), ["no estimate", "A is singular"])


def test_so_many_reports_that_nobody_would_wait_for_them_are_refused():
    words = ["n_reports is 1000000000", "from 1 to 10000", "drawn and weighed"]
    assert_refused(lambda: guess_chance(TABLE, "DET-GD", 10**9), words)


def test_itemsets_that_are_none_are_refused():
    for itemset, words in (({}, "empty"), ({"a1": "7"}, "'7'"), ({"b": "0"}, "'b'")):
        assert_refused(lambda i=itemset: poison_lift(TABLE, "DET-GD", i), [words])


# --- repeating ---


def test_fresh_reports_multiply_and_memoised_ones_do_not():
    a = fl.GammaDiagonal(fl.Schema.of_sizes(3), 5).matrix()
    for k in (1, 2, 3, 4):
        fresh = composition.repeated_matrix(a, k)
        assert fl.amplification(fresh) == pytest.approx(composition.repeated_gamma(5, k))
        assert fresh.sum(axis=0) == pytest.approx(np.ones(3))
        same = composition.memoised_matrix(a, np.eye(3), k)
        assert fl.amplification(same) == pytest.approx(5)
        assert fl.amplification(composition.memoised_matrix(a, a, k)) < 5
    assert composition.gamma_per_report(composition.repeated_gamma(5, 3), 3) == pytest.approx(5)


def test_two_stages_are_a_product_of_matrices():
    first, second = (fl.GammaDiagonal(fl.Schema.of_sizes(4), g).matrix() for g in (5, 9))
    assert composition.two_stage_gamma(5, 9, 4) == pytest.approx(fl.amplification(second @ first))
    one = composition.memoised_matrix(first, second, 1)
    assert one == pytest.approx(second @ first)


def test_repeats_that_cannot_be_are_refused():
    assert_refused(lambda: composition.repeated_matrix(np.eye(10), 8), ["n_reports is 8"])
    assert_refused(lambda: composition.repeated_gamma(5, 0), ["n_reports is 0"])
    assert_refused(lambda: composition.memoised_matrix(np.eye(2), np.eye(3), 1), ["3 columns"])


def test_repeats_beyond_what_a_float_holds_have_a_plain_answer():
    assert composition.repeated_gamma(19, 10**6) == math.inf
    assert composition.repeated_gamma(19, 10**400) == math.inf
    assert composition.repeated_gamma(19, 240) == pytest.approx(19.0**240)
    for gamma, n in ((1e17, 2), (1e12, 7), (1e308, 2), (1 + 1e-12, 10**300)):
        g = Fraction(gamma) - 1
        wanted = 1 + g * g / (g + g + n)  # both stages alike
        assert composition.two_stage_gamma(gamma, gamma, n) == pytest.approx(float(wanted))


# --- shuffling ---


def test_the_exact_delta_by_brute_force():
    n, gamma, central = 5, 3.0, 0.4
    tell = gamma / (gamma + 1)
    for ones in range(n):
        laws = []
        for bit in (1, 0):
            people, law = [bit] + [1] * ones + [0] * (n - 1 - ones), np.zeros(n + 1)
            for sent in itertools.product((0, 1), repeat=n):
                pairs = zip(people, sent, strict=True)
                law[sum(sent)] += math.prod(tell if a == b else 1 - tell for a, b in pairs)
            laws.append(law)
        wanted = max(np.maximum(p - math.exp(central) * q, 0).sum() for p, q in (laws, laws[::-1]))
        found = shuffling.shuffled_delta(math.log(gamma), n, central, ones)
        assert found == pytest.approx(wanted)


@pytest.mark.parametrize(
    ("epsilon", "n", "delta"),
    [(0.5, 1000, 1e-4), (1.0, 1000, 1e-3), (1.8, 1000, 1e-4), (3.0, 5000, 1e-4)],
)
def test_the_closed_form_holds_in_an_exact_case(epsilon, n, delta):
    central = shuffling.shuffled_epsilon(epsilon, n, delta)
    assert central < epsilon
    for ones in (0, n // 2, n - 1):
        assert shuffling.shuffled_delta(epsilon, n, central, ones) <= delta
        # It is no empty promise: a tenth of it would not hold.
        assert shuffling.shuffled_delta(epsilon, n, central / 10, ones) > delta


def test_shuffling_needs_many():
    found = shuffling.shuffled_epsilon(math.log(19), len(CENSUS), 1e-6)
    assert found == pytest.approx(0.443, abs=1e-3)
    assert_refused(
        lambda: shuffling.shuffled_epsilon(math.log(19), 1000, 1e-6), ["epsilon is 2.944", "1,000"]
    )
    for n, delta in ((1000, 1e-4), (50_000, 1e-6)):
        highest = math.log(n / (16 * math.log(2 / delta)))  # Feldman et al. 2021, Theorem 3.1
        assert shuffling.shuffled_epsilon(highest - 1e-9, n, delta) < highest
        beyond = highest + 1e-9
        words = [f"up to ε = {highest:.4g}"]
        assert_refused(lambda e=beyond, n=n, d=delta: shuffling.shuffled_epsilon(e, n, d), words)


# --- audits ---


def test_an_audit_is_seldom_wrong_and_finds_what_is_there():
    rng, tell = np.random.default_rng(0), 0.75
    bounds = [
        epsilon_lower_bound(rng.random(2000) < tell, rng.random(2000) < 1 - tell).epsilon
        for _ in range(300)
    ]
    wrong = np.mean(np.array(bounds) > math.log(3))
    assert wrong <= 0.05 + 3 * math.sqrt(0.05 * 0.95 / 300)
    assert np.median(bounds) > 0.8 * math.log(3)
    nothing = epsilon_lower_bound(rng.random(2000) < 0.5, rng.random(2000) < 0.5)
    assert nothing.epsilon < 0.15


def test_the_event_speaks_for_the_input_that_it_names():
    zeros, ones = np.zeros(100, int), np.r_[np.ones(50, int), np.zeros(50, int)]
    audit = epsilon_lower_bound(zeros, ones)
    assert audit.event == (1,)
    assert audit.shares == (0.5, 0.0)
    # Clopper and Pearson's ends, each wrong with 2.5 %.
    low, high = stats.beta.ppf(0.025, 25, 26), stats.beta.ppf(0.975, 1, 50)
    assert audit.epsilon == pytest.approx(math.log(low / high))
    with pytest.raises(ValueError, match="two reports or more"):
        epsilon_lower_bound([1], [2])


@pytest.mark.parametrize("label", fl.schemes(modern=True))
def test_an_audit_on_census_finds_no_violation(label):
    """Two records that differ in everything: what the likelihood says of them is all there is."""
    m = fl.make_scheme(label, CENSUS.schema, 19)
    records = np.array([[0] * 6, [1] * 6])
    cells, bounds = CENSUS.schema.encode(records), []
    for seed in range(3):
        seen = []
        for record in records:
            reports = m.perturb(np.tile(record, (4000, 1)), rng=(seed, int(record[0])))
            weight = m.log_likelihood(reports)[:, cells]
            seen.append(np.round(weight[:, 0] - weight[:, 1], 6))
        bounds.append(epsilon_lower_bound(*seen, confidence=0.999).gamma)
    assert max(bounds) <= 19
    if label in ("SUE", "OUE", "OLH", "SS"):
        assert max(bounds) > 8  # it is not that nothing can be found


def test_an_audit_finds_the_missing_line_at_a_small_gamma_and_not_at_a_large_one():
    for epsilon, breaks in ((0.1, True), (2.9, False)):
        m = broken.MissingLine(SMALL, math.exp(epsilon))
        first, second = (
            m.perturb(np.tile(record, (20_000, 1)), rng=i)[:, [0, 5]]
            for i, record in enumerate([[0, 0], [1, 2]])
        )
        audit = epsilon_lower_bound(first, second)
        assert audit.breaks(m.claimed) == breaks


def test_an_audit_finds_fake_data():
    m = broken.FakeData(fl.Schema.of_sizes(2, 2, 2), 19)
    first, second = (m.perturb(np.full((20_000, 3), value), rng=value) for value in (0, 1))
    audit = epsilon_lower_bound(first, second)
    assert 19 < audit.gamma < 55
    assert audit.event in (([0, 0, 0],), ([1, 1, 1],))
