"""DET-GD: its matrix by hand, its inverse, its chances, and huge domains."""

import itertools
import math

import numpy as np
import pytest
from helpers import all_schemes, assert_refused
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

import frapp_lab as fl

SMALL = fl.Schema.of_sizes(2, 3)

SCHEMES = all_schemes(SMALL)


def test_gamma_diagonal_matrix_by_hand():
    m = fl.GammaDiagonal(SMALL, 19)
    x = 1 / 24
    assert m.matrix() == pytest.approx(np.full((6, 6), x) + np.eye(6) * 18 * x)
    assert np.linalg.cond(m.matrix()) == pytest.approx(m.condition_number(1))


@given(st.lists(st.integers(2, 4), min_size=1, max_size=4), st.floats(1.01, 100))
def test_column_by_column_is_the_matrix_by_exact_enumeration(sizes, gamma):
    schema = fl.Schema.of_sizes(*sizes)
    m = fl.GammaDiagonal(schema, gamma)
    records = schema.decode(np.arange(schema.n_cells))
    u = records[0]
    law = []
    for v in records:
        chance, matched = 1.0, True
        for j, size in enumerate(sizes):
            keep = m.match_probability(j)
            if not matched:
                chance *= 1 / size
            elif v[j] == u[j]:
                chance *= keep
            else:
                chance *= (1 - keep) / (size - 1)
                matched = False
        law.append(chance)
    assert law == pytest.approx(m.matrix()[:, 0], rel=1e-9)


def test_sliding_gamma_moves_the_mechanism_and_not_the_luck():
    records = np.random.default_rng(0).integers(0, [2, 3], (2000, 2))
    uniforms = fl.GammaDiagonal(SMALL, 2).uniforms(2000, rng=1)
    kept = []
    for gamma in (2, 5, 19, 100):
        reports = fl.GammaDiagonal(SMALL, gamma).perturb(records, uniforms=uniforms)
        kept.append((reports == records).all(axis=1))
    for less, more in itertools.pairwise(kept):
        assert (less <= more).all()  # whoever told the truth at a small γ does so at a larger one


def test_the_papers_inverse_gives_the_same_estimate():
    """X̂ = A⁻¹Y for the whole domain, and the subset matrix of §6 for a part of it."""
    m = SCHEMES[0]
    reports = m.perturb(np.random.default_rng(0).integers(0, [2, 3], (500, 2)), rng=1)
    y = SMALL.counts(reports)
    estimate = m.estimate(reports)
    assert estimate["a1", "a2"].ravel() * 500 == pytest.approx(
        np.linalg.solve(m.matrix(), y.ravel())
    )
    x, others = 1 / 24, 2  # over a2 alone: n_C/n_Cs = 2 cells of a1 for each value
    subset = np.full((3, 3), others * x) + np.eye(3) * 18 * x
    assert estimate["a2"] * 500 == pytest.approx(np.linalg.solve(subset, y.sum(axis=0)))


@pytest.mark.parametrize("shift", [-1.5, -0.3, 0.4, 2.0])
def test_the_chance_of_a_count_is_nearly_that_of_its_exact_law(shift):
    """A reported count is a sum of two binomials: their convolution, against the matched one."""
    data = fl.Dataset.from_counts(SMALL, np.array([[300, 120, 40], [200, 30, 310]]))
    m, n = fl.GammaDiagonal(SMALL, 19), len(data)
    deviations = m.standard_deviation(data.supports, n)
    for names, index in ((("a1", "a2"), (1, 1)), (("a1", "a2"), (0, 2)), (("a2",), (1,))):
        # Around its support, so that the chance is neither 0 nor 1.
        threshold = data.supports[names][index] + shift * deviations[names][index]
        chance = m.chance_found(data.supports, n, threshold)
        count = int(data.cube[names][index])
        cells = math.prod(data.schema.subset(names).sizes)
        p_out = (1 - m.stay) / cells
        own = stats.binom(count, p_out + m.stay).pmf(np.arange(count + 1))
        rest = stats.binom(n - count, p_out).pmf(np.arange(n - count + 1))
        law = np.convolve(own, rest)
        estimates = (np.arange(len(law)) / n - p_out) / m.stay
        place = index if len(names) == 2 else (-1, *index)
        assert chance[place] == pytest.approx(law[estimates >= threshold].sum(), abs=5e-3)


@pytest.mark.parametrize("booleans", [10, 31, 56, 60, 70, 120])
def test_the_claimed_gamma_is_attained_in_every_domain(booleans):
    """The chance to stay, counted on the grid of the uniform numbers that decide it."""
    m = fl.GammaDiagonal(fl.Schema.of_sizes(*[2] * booleans), 19)
    blocks = -(-booleans // 16)
    digits, grid = m.n_uniforms - blocks, 2**53
    below, prefix = 0, []
    for place in range(digits):
        low, high = 0, grid  # by bisection: the first digit that, with zeros after it, is not below
        while low < high:
            middle = (low + high) // 2
            trial = [*prefix, middle, *[0] * (digits - place - 1)]
            row = np.array([[d / grid for d in trial] + [0.5] * blocks])
            low, high = (middle + 1, high) if m._below(row, m.stay)[0] else (low, middle)
        first = low if place == digits - 1 else max(low - 1, 0)
        below = below * grid + first
        prefix.append(first)
    stay = below / grid**digits
    attained = 1 + stay * 2**booleans / (1 - stay)
    assert attained == pytest.approx(19, rel=1e-8)


def test_in_a_huge_domain_whoever_may_stay_stays():
    m = fl.GammaDiagonal(fl.Schema.of_sizes(*[2] * 60), 19)
    records = np.ones((4, 60), dtype=int)
    uniforms = np.full((4, m.n_uniforms), 0.3)
    # s = 18/(2^60 + 18) is 0.14 of the finest step of one uniform: its first digit is 0.
    uniforms[:, 0] = 0, 0, 2.0**-53, 0.9
    uniforms[:, 1] = 0.1, 0.2, 0.0, 0.0
    stays = (m.perturb(records, uniforms=uniforms) == 1).all(axis=1)
    assert stays.tolist() == [True, False, False, False]


def test_a_domain_beyond_all_numbers_is_refused():
    assert_refused(
        lambda: fl.GammaDiagonal(fl.Schema.of_sizes(*[2] * 1100), 19), ["domain_size", "because"]
    )


@pytest.mark.parametrize("column", [-1, 2, 0.5])
def test_columns_that_are_not_there_are_refused(column):
    assert_refused(lambda: fl.GammaDiagonal(SMALL, 19).match_probability(column), ["column is"])
