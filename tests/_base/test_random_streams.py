"""One keeper of luck: a seed and a scheme give the same random numbers everywhere."""

import tracemalloc

import numpy as np
import pytest
from helpers import assert_refused

import frapp_lab as fl
from frapp_lab._base import random_streams as luck
from frapp_lab.explorers.models.data import Data
from frapp_lab.explorers.models.mining_runs import simulate
from frapp_lab.scale import run_trials

SCHEMES = fl.schemes()
CENSUS = fl.load_census()
ERRORS = ["support_error", "support_error_all", "false_negatives", "false_positives"]


@pytest.mark.parametrize("scheme", SCHEMES)
def test_a_seed_is_the_same_luck_in_mine_in_trials_and_in_explorers(scheme):
    mechanism = fl.make_scheme(scheme, CENSUS.schema, 19)
    run = fl.mine(CENSUS, mechanism, 0.02, rng=7)
    kept = fl.mine(CENSUS, mechanism, 0.02, uniforms=mechanism.uniforms(len(CENSUS), 7))
    shown = simulate(Data("CENSUS"), scheme, 19.0, 0.5, 0.02, seed=7)
    for other in (kept, shown):
        np.testing.assert_array_equal(run.estimates, other.estimates)
    trials = run_trials(CENSUS, [scheme], trials=2, seed=7, draw="records")
    first, second = (trials[trials["trial"] == i][ERRORS].to_numpy() for i in (0, 1))
    np.testing.assert_array_equal(first, run.error_array())
    again = fl.mine(CENSUS, mechanism, 0.02, rng=(7, 1))
    np.testing.assert_array_equal(second, again.error_array())


def test_schemes_with_names_of_the_same_letters_have_luck_of_their_own():
    assert luck.stream(0, "DET-GD").random() != luck.stream(0, "GD-DET").random()


def test_a_stream_belongs_to_seed_name_and_partition():
    first = {
        luck.stream(seed, name, partition).random()
        for seed in (0, 1)
        for name in ("DET-GD", "MASK")
        for partition in (0, 1)
    }
    assert len(first) == 8


def test_blocks_are_one_stream_however_they_are_cut(monkeypatch):
    names = {"one": 2, "two": 3}
    whole = np.concatenate(list(luck.blocks(5, names, 10)))
    monkeypatch.setattr(luck, "MOST_NUMBERS", 20)
    cut = list(luck.blocks(5, names, 10))
    assert [len(block) for block in cut] == [4, 4, 2]
    np.testing.assert_array_equal(np.concatenate(cut), whole)


@pytest.mark.parametrize("scheme", SCHEMES)
def test_a_partition_repeats_its_reports_and_shares_them_with_no_other(scheme):
    m, records = fl.make_scheme(scheme, CENSUS.schema, 19), CENSUS.records[:500]
    first, other, again = (m.perturb(records, 7, partition) for partition in (3, 4, 3))
    assert (first == again).all()
    assert (first != other).any()
    kept = m.perturb(records, uniforms=m.uniforms(500, 7, partition=3))
    assert (first == kept).all()
    assert (m.perturb(records, 7) == m.perturb(records, 7, partition=0)).all()


def test_many_numbers_for_a_record_are_not_held():
    tracemalloc.start()
    for _ in luck.blocks(0, {"many": 2000}, 20_000):  # 320 MB in all
        pass
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert peak < 120e6


@pytest.mark.parametrize("rng", [-1, 1.5, "seven", None, True, [], [1, -2], [True]])
def test_odd_seeds_are_refused_in_words(rng):
    assert_refused(lambda: luck.stream(rng, "DET-GD"), ["rng is", "whole number"])
