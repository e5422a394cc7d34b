"""SUE and OUE: bits that are drawn in groups, and where OUE beats DET-GD."""

import math

import numpy as np
import pytest
from scipy import stats

import frapp_lab as fl
from frapp_lab.modern import unary


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
