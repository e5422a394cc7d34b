"""What reports leak: the chance to guess a record, exactly and by simulation."""

import itertools

import pytest
from helpers import assert_refused

import frapp_lab as fl
from frapp_lab.modern import guessing as leak
from frapp_lab.modern.guessing import guess_chance

CENSUS = fl.load_census()
SMALL = fl.Schema.of_sizes(2, 3)
TABLE = fl.Dataset.from_counts(SMALL, [[30, 0, 12], [8, 20, 30]])


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


def test_so_many_reports_that_nobody_would_wait_for_them_are_refused():
    words = ["n_reports is 1000000000", "from 1 to 10000", "drawn and weighed"]
    assert_refused(lambda: guess_chance(TABLE, "DET-GD", 10**9), words)
