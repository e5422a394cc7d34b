"""The quick noise of HR against the mechanism's own, which adds up pair after pair."""

import numpy as np
import pytest

import frapp_lab as fl
from frapp_lab.modern import hadamard_noise
from frapp_lab.modern.hadamard_noise import PairSums

SCHEMA = fl.Schema.of_sizes(4, 3, 5, 2)


@pytest.mark.parametrize("few", [0, 10, 10**6])
@pytest.mark.parametrize("sizes", [(2,), (4, 3, 5, 2), (70, 70)])
def test_both_ways_of_adding_up_give_the_mechanisms_own_noise(few, sizes, monkeypatch):
    monkeypatch.setattr(hadamard_noise, "FEW", few if np.prod(sizes) < 1000 else min(few, 80))
    monkeypatch.setattr(hadamard_noise, "AT_ONCE", 5)
    schema = fl.Schema.of_sizes(*sizes)
    counts = np.random.default_rng(1).integers(0, 9, sizes)
    supports = fl.Cube.of_counts(schema, counts / counts.sum())
    wanted = supports.array >= (0.02 if np.prod(sizes) > 1000 else 0)
    sums = PairSums(supports, wanted)
    for gamma in (1.2, 1.9, 2, 2.1, 5, 19, 600):  # one block of cells, or several
        hr = fl.make_scheme("HR", schema, gamma)
        slow = hr.standard_deviation(supports, 1).array[wanted]
        assert sums.deviation(hr) == pytest.approx(slow, rel=1e-9), gamma


def test_it_is_the_noise_of_reports():
    """Of every column of the matrix, by its chance: the square of what it is worth."""
    counts = np.arange(SCHEMA.n_cells).reshape(SCHEMA.sizes) ** 2
    supports = fl.Cube.of_counts(SCHEMA, counts / counts.sum())
    wanted = np.zeros(supports.array.shape, dtype=bool)
    for place in ((0, 1, 2, 1), (3, -1, 4, -1), (-1, -1, -1, 0)):
        wanted[place] = True
    hr = fl.make_scheme("HR", SCHEMA, 6)
    found = PairSums(supports, wanted).deviation(hr)
    chance = hr.matrix() @ counts.ravel() / counts.sum()
    undo = [hr.estimate(np.full((1, 1), column)).array[wanted] for column in range(len(chance))]
    squares = chance @ np.square(undo)
    # A record has the itemset or not: its own spread is given and not by chance.
    assert found == pytest.approx(np.sqrt(squares - supports.array[wanted]), rel=1e-9)
