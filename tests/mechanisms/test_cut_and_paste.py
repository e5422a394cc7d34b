"""C&P: its ρ and K, and the matrix of partial supports, by brute force."""

import itertools

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import frapp_lab as fl

CENSUS = fl.Schema.of_sizes(4, 5, 5, 5, 2, 2)
SMALL = fl.Schema.of_sizes(2, 3)


@given(st.integers(1, 6), st.floats(7.5, 1e4))
def test_cut_and_paste_attains_gamma_for_every_K(K, gamma):
    assert fl.CutAndPaste.for_gamma(CENSUS, gamma, K).amplification == pytest.approx(gamma)


def test_K_3_is_not_the_best_K():
    at_3 = fl.CutAndPaste.for_gamma(CENSUS, 19, 3)
    best = fl.CutAndPaste.best(CENSUS, 19, length=3)
    assert best.K == 4
    assert best.condition_number(3) < at_3.condition_number(3)
    # "10^7" is out of reach with K = 3.
    assert at_3.condition_number(3) < 1e3


def test_counts_do_for_itemsets_with_too_many_patterns():
    m = fl.CutAndPaste(fl.Schema.of_sizes(*[2] * 15), 13, 0.1)
    counts = m.partial_support_matrix(13)
    assert counts.sum(axis=0) == pytest.approx(np.ones(14))
    assert np.sort(np.linalg.eigvals(counts).real)[::-1][:3] == pytest.approx(m.eigenvalues[:3])
    assert m.condition_number(13, by_count=True) > 1 / m.eigenvalues[13]
    assert fl.CutAndPaste.best(m.schema, 1e6, 13, by_count=True).K >= 13


@pytest.mark.parametrize("K", [0, 1, 2, 3])
def test_cut_and_paste_partial_supports_by_brute_force(K):
    schema = fl.Schema.of_sizes(2, 2, 2)
    m = fl.CutAndPaste(schema, K, 0.3)
    matrix = m.matrix()
    reports, first = m.possible_reports(), np.array([0, 2, 4])
    for k in (1, 2, 3):
        itemset = first[:k]  # the value 0 of the first k attributes
        wanted = m.partial_support_matrix(k)
        for u, record in enumerate(schema.decode(np.arange(8))):
            had = (record[:k] == 0).sum()
            shown = reports[:, itemset].sum(axis=1)
            law = np.bincount(shown, weights=matrix[:, u], minlength=k + 1)
            assert law == pytest.approx(wanted[:, had])
        eigenvalues = np.sort(np.linalg.eigvals(wanted).real)[::-1]
        assert eigenvalues == pytest.approx(m.eigenvalues[: k + 1], abs=1e-6)


def test_cut_and_paste_inverse_gives_the_same_estimate():
    m = fl.CutAndPaste(SMALL, 2, 0.3)
    bits = m.perturb(np.random.default_rng(0).integers(0, [2, 3], (500, 2)), rng=1)
    estimate = m.estimate(bits)
    for a, b in itertools.product(range(2), range(3)):
        partial = np.bincount(bits[:, a] + 1 * bits[:, 2 + b], minlength=3) / 500
        solved = np.linalg.solve(m.partial_support_matrix(2), partial)
        assert estimate["a1", "a2"][a, b] == pytest.approx(solved[2])
