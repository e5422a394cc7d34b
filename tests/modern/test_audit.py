"""An audit: what it finds is there, and it is seldom wrong."""

import math

import numpy as np
import pytest
from scipy import stats

import frapp_lab as fl
from frapp_lab.modern import flawed_schemes as broken
from frapp_lab.modern.audit import epsilon_lower_bound

CENSUS = fl.load_census()
SMALL = fl.Schema.of_sizes(2, 3)


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
