"""Poisoning: what liars achieve, and that brute force on a small domain hardly does better."""

import itertools
import math

import numpy as np
import pytest
from helpers import assert_refused
from laws import each_report

import frapp_lab as fl
from frapp_lab.explorers.models import mechanism_race as race
from frapp_lab.mechanisms.lies import Liars
from frapp_lab.mechanisms.registry import scheme_class
from frapp_lab.modern import olh
from frapp_lab.modern.best_shares import best_shares
from frapp_lab.modern.poisoning import poison_lift

CENSUS = fl.load_census()
SMALL = fl.Schema.of_sizes(2, 3)
ITEMSETS = ([0, 1], [1, -1], [-1, 2])
LINEAR = [s for s in fl.schemes(modern=True) if not scheme_class(s).model]
TRIPLES = fl.Schema.of_sizes(2, 2, 2)
SHARES = np.random.default_rng(5).dirichlet(np.full(8, 1.0)).reshape(2, 2, 2)
TABLE = fl.Dataset.from_counts(TRIPLES, (1e6 * SHARES).astype(int))
COUNTED = fl.Dataset.from_counts(SMALL, [[30, 0, 12], [8, 20, 30]])


# --- schemes whose estimate is a mean over reports: the best report is the best mixture ---


@pytest.mark.parametrize("gamma", [3.5, 19, 100])
@pytest.mark.parametrize("label", [s for s in LINEAR if s != "OLH"])
def test_no_report_lifts_an_itemset_more(label, gamma):
    m = fl.make_scheme(label, SMALL, gamma)
    values = each_report(m).reshape(-1, 3, 4)
    for codes in ITEMSETS:
        lift = m.estimate(m.craft(np.array(codes), 3)).array[tuple(codes)]
        best = np.nanmax(values[:, codes[0], codes[1]])
        assert lift == pytest.approx(best), codes


@pytest.mark.parametrize("gamma", [3.5, 19])
def test_no_hash_function_of_those_tried_lifts_an_itemset_more(gamma, monkeypatch):
    monkeypatch.setattr(olh, "TRIES", 40)
    m = fl.make_scheme("OLH", SMALL, gamma)
    for codes in ITEMSETS:
        found = [
            m.estimate([[seed, value]]).array[tuple(codes)]
            for seed, value in itertools.product(range(40), range(m.g))
        ]
        lift = m.estimate(m.craft(np.array(codes), 3)).array[tuple(codes)]
        assert lift == pytest.approx(max(found)), codes


@pytest.mark.parametrize("label", ["SUE", "OUE"])
def test_an_unnoticed_lie_has_as_many_ones_as_an_honest_report(label):
    m = fl.make_scheme(label, fl.Schema.of_sizes(3, 4), 3)
    honest = m.perturb(np.zeros((20_000, 2), dtype=int), rng=0).sum(axis=1).mean()
    many = round(m.p + 11 * m.q)
    assert abs(many - honest) < 0.6
    for codes in ([0, 1], [1, -1], [-1, 2]):
        (lie,) = m.craft(np.array(codes), 1, Liars(unnoticed=True))
        assert lie.sum() == many
        of_so_many = [
            np.isin(np.arange(12), chosen) for chosen in itertools.combinations(range(12), many)
        ]
        best = max(m.estimate(bits[None]).array[tuple(codes)] for bits in of_so_many)
        assert m.estimate(lie[None]).array[tuple(codes)] == pytest.approx(best)


def test_a_liar_for_half_of_census_sets_a_thousand_bits_or_a_hundred():
    female = {"sex": "Female"}
    assert 100 * poison_lift(CENSUS, "OUE", female) == pytest.approx(2110.8, abs=0.1)
    hidden = 100 * poison_lift(CENSUS, "OUE", female, unnoticed=True)
    # 100 ones of the 1,000 wanted: (100 − 1000 q)/(p − q), without the honest ones' third.
    share = CENSUS.supports[["sex"]][0]
    assert hidden == pytest.approx((100 - 1000 * 0.05) / 0.45 - share, abs=0.01)


# --- schemes with a model: all mixtures of few reports, in tenths ---


def mixtures(n, most):
    """All shares in tenths of at most so many of n reports."""
    for many in range(1, most + 1):
        for places in itertools.combinations(range(n), many):
            for cuts in itertools.combinations(range(1, 10), many - 1):
                shares = np.zeros(n)
                shares[list(places)] = np.diff([0, *cuts, 10]) / 10
                yield shares


def brute_force(m, data, codes, share, most):
    """The largest lift of all mixtures, by estimates from expected counts."""
    told = [
        [value if j in table else -1 for j, value in enumerate(cell)]
        for table in m.told
        for cell in itertools.product(*(range(s) if j in table else [0]
                                        for j, s in enumerate(m.schema.sizes)))
    ]  # fmt: skip
    expected = m.apply(data.counts) / len(data)
    many, best = 10**9, -np.inf
    for shares in mixtures(len(told), most):
        lies = np.zeros(m.reports.sizes)
        for report, part in zip(told, shares, strict=True):
            lies[tuple(report)] += part
        mixed = np.rint(many * ((1 - share) * expected + share * lies)).astype(int)
        best = max(best, float(m.estimate_counts(mixed).array[codes]))
    honest = m.estimate_counts(np.rint(many * expected).astype(int)).array[codes]
    return best - float(honest)


@pytest.mark.parametrize(
    ("label", "most"), [("SMP", 3), ("PAIR", 2), ("TRIPLE", 2)], ids=["SMP", "PAIR", "TRIPLE"]
)
@pytest.mark.parametrize("share", [0.01, 0.2])
def test_liars_choose_tables_nearly_as_well_as_brute_force(label, most, share):
    m = fl.make_scheme(label, TRIPLES, 5)
    for codes in ((1, 0, 1), (0, -1, -1), (-1, 1, 0)):
        itemset = {f"a{j + 1}": str(c) for j, c in enumerate(codes) if c >= 0}
        best = brute_force(m, TABLE, codes, share, most)
        assert poison_lift(TABLE, m, itemset, share) >= 0.99 * best, codes


def test_liars_lift_records_of_census_under_smp_and_pair():
    lesson = dict(zip(CENSUS.schema.names, CENSUS.schema.values(0), strict=True))
    assert 100 * poison_lift(CENSUS, "PAIR", lesson) >= 3.5
    assert 100 * poison_lift(CENSUS, "PAIR", {"sex": "Female"}) == pytest.approx(4.29, abs=0.02)
    runners = race.compute(race.Parameters()).runners
    assert runners["PAIR"].gain == pytest.approx(6.8, abs=0.05)
    assert runners["SMP"].gain == pytest.approx(0.766, abs=0.002)


def test_what_is_promised_is_what_real_reports_do():
    lesson = dict(zip(CENSUS.schema.names, CENSUS.schema.values(0), strict=True))
    m, n = fl.make_scheme("PAIR", CENSUS.schema, 19), len(CENSUS)
    lies = m.craft(np.zeros(6, dtype=int), n // 99, Liars(0.01, CENSUS.supports))
    lies = m.reports.counts(lies)
    found = [
        m.estimate_counts(m.perturb_counts(CENSUS.counts, seed) + lies).array[(0,) * 6]
        for seed in range(20)
    ]
    lift = poison_lift(CENSUS, m, lesson)
    honest = m.limit(CENSUS.supports).array[(0,) * 6]
    error = np.std(found) / np.sqrt(20)
    assert np.mean(found) - honest == pytest.approx(lift, abs=4 * error)


# --- the search ---


def test_the_search_finds_the_best_shares_of_a_product():
    powers = np.array([[1.0], [2.0], [0.0], [5.0]])  # the best shares are proportional to them

    def product(shares):
        return np.prod(shares**powers, axis=0)

    found = best_shares(product, np.array([[0.25] * 4, [0, 0, 1, 0]]).T, np.arange(4))
    assert found == pytest.approx(powers[:, 0] / 8, abs=0.02)


def test_the_condition_number_is_the_poisoners_lever():
    one = dict(zip(CENSUS.schema.names, CENSUS.schema.values(7), strict=True))
    m = fl.GammaDiagonal(CENSUS.schema, 19)
    assert poison_lift(CENSUS, m, one) / 0.01 == pytest.approx(m.condition_number(1), rel=1e-3)
    assert 100 * poison_lift(CENSUS, "OUE", one) == pytest.approx(2.1, abs=0.05)


@pytest.mark.parametrize("label", fl.schemes(modern=True))
def test_the_lift_is_what_liars_achieve(label):
    data = fl.Dataset.from_counts(SMALL, 100 * COUNTED.counts)
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


def test_itemsets_that_are_none_are_refused():
    for itemset, words in (({}, "empty"), ({"a1": "7"}, "'7'"), ({"b": "0"}, "'b'")):
        assert_refused(lambda i=itemset: poison_lift(COUNTED, "DET-GD", i), [words])
