"""What models remember: bounded by bytes, and read-only."""

import numpy as np
import pytest

import frapp_lab as fl
from frapp_lab.explorers.models import mining, mining_runs
from frapp_lab.explorers.models.cache import remember
from frapp_lab.explorers.models.data import Data


def test_what_is_remembered_is_bounded_by_bytes_and_cannot_be_written():
    calls = []

    @remember(max_bytes=240)
    def made(n):
        calls.append(n)
        return np.full(10, n, dtype=float)  # 80 bytes

    first = made(1)
    with pytest.raises(ValueError, match="read-only"):
        first[0] = 9
    made(2), made(3), made(1)
    assert calls == [1, 2, 3]
    made(4)  # the one that was wanted longest ago goes: 2, not 1
    made(1), made(3)
    assert calls == [1, 2, 3, 4]
    made(2)
    assert calls == [1, 2, 3, 4, 2]
    assert sum(array.nbytes for array in made.kept.values()) == 240


def test_what_is_wanted_together_is_kept_however_large_it_is():
    @remember(max_bytes=10, hold=2)
    def made(n):
        return np.zeros(n)

    for n in (10, 11, 12):
        made(n)
    assert list(made.kept) == [(11,), (12,)]


def test_what_alone_is_too_large_is_not_kept():
    @remember(max_bytes=10)
    def made(n):
        return np.zeros(n)

    assert len(made(10)) == 10
    assert not made.kept


def test_the_stores_of_mining_are_bounded_together():
    mining.compute(mining.Parameters(data=Data("HEALTH"), schemes=fl.schemes()))
    for seed in range(5):
        mining.compute(mining.Parameters(schemes=("MASK", "C&P"), seed=seed))
    kept = [*mining_runs._uniforms.kept.values(), *mining_runs._estimates.kept.values()]
    assert sum(array.nbytes for array in kept) <= 96e6
    assert not any(array.flags.writeable for array in kept)
