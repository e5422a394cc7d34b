"""SMP, PAIR and TRIPLE: tables that agree, and what a model makes of them."""

import math

import numpy as np
import pytest
from helpers import assert_refused, dependent_data

import frapp_lab as fl
from frapp_lab.mechanisms.registry import scheme_class

MEDIUM = fl.Schema.of_sizes(2, 3, 2)
CENSUS = fl.load_census()


@pytest.mark.parametrize(("label", "k"), [("SMP", 1), ("PAIR", 2), ("TRIPLE", 3)])
def test_a_models_limit_has_the_true_tables_and_the_largest_entropy(label, k):
    schema = fl.Schema.of_sizes(2, 3, 2, 2)
    data = dependent_data(schema, 5000)
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
    data = dependent_data(schema, 5000)
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
    reports = m.perturb(dependent_data(MEDIUM, 100).records, 0)
    for call in (
        lambda: m.estimate(reports)["a1", "a3"],
        lambda: m.limit(dependent_data(MEDIUM, 100).supports)["a1", "a3"],
    ):
        assert_refused(call, ["no table of CHAIN tells of a1, a3 together", "`told`"])


def test_consistent_tables_agree_and_nothing_changes_if_they_do():
    m = fl.make_scheme("PAIR", MEDIUM, 19)
    data = dependent_data(MEDIUM, 500)
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
