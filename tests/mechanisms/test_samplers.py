"""The paper's samplers: both have the law of the matrix, and take the steps that it says."""

import math

import numpy as np
import pytest
from scipy import stats

import frapp_lab as fl
from frapp_lab.mechanisms import samplers

SMALL = fl.Schema.of_sizes(2, 3)


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


def test_a_scan_takes_half_the_domain_and_columns_half_the_sum():
    records = np.zeros((4000, 3), dtype=int)
    m = fl.GammaDiagonal(fl.Schema.of_sizes(10, 10, 10), 1.01)  # nearly uniform reports
    scan = samplers.perturb_by_scan(m, records, rng=0)[1]
    columns = samplers.perturb_by_columns(m, records, rng=0)[1]
    assert scan.mean() == pytest.approx(1001 / 2, abs=4 * scan.std() / math.sqrt(4000))
    assert columns.mean() == pytest.approx(33 / 2, abs=4 * columns.std() / math.sqrt(4000))


@pytest.mark.parametrize("seed", [None, True, "x", -1, 2.5, [], [1, -2], math.nan], ids=str)
def test_an_odd_seed_is_refused_by_all_who_draw(seed):
    gd = fl.GammaDiagonal(SMALL, 19)
    for call in (
        lambda: gd.perturb_counts(np.ones((2, 3), int), seed),
        lambda: samplers.perturb_by_columns(gd, [[0, 1]], seed),
        lambda: samplers.perturb_by_scan(gd, [[0, 1]], seed),
    ):
        with pytest.raises(ValueError, match=r"rng is .*: it must be a whole number"):
            call()
