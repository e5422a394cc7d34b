"""The model of matrices, against explicit matrices."""

import itertools
import math
from dataclasses import replace

import numpy as np
import pytest

import frapp_lab as fl
from explorers.models.formulas import gamma_diagonal
from frapp_lab.explorers.models import matrices


def explicit(scheme, sizes, gamma, length, K):
    """The matrix that is undone, written down entry by entry."""
    m, n = len(sizes), math.prod(sizes)
    bits = list(itertools.product((0, 1), repeat=length))
    if scheme in ("DET-GD", "RAN-GD"):  # a cell of the first attributes, its rest summed out
        full, cells = gamma_diagonal(gamma, n), math.prod(sizes[:length])
        rest = n // cells
        return np.array([[full[v * rest : (v + 1) * rest, u * rest].sum() for u in range(cells)]
                         for v in range(cells)])  # fmt: skip
    if scheme == "IND-RR":  # the largest attributes are the hardest to undo
        out = np.ones((1, 1))
        for size in sorted(sizes)[-length:]:
            out = np.kron(out, gamma_diagonal(gamma ** (1 / m), size))
        return out
    if scheme == "MASK":
        p = gamma ** (1 / (2 * m)) / (1 + gamma ** (1 / (2 * m)))
        return np.array([[math.prod(p if a == b else 1 - p for a, b in zip(v, u, strict=True))
                          for u in bits] for v in bits])  # fmt: skip
    low, high = 0.0, 1.0  # ρ by bisection of 1 + 1/ρ + … + ρ^−K = γ
    for _ in range(100):
        rho = (low + high) / 2
        low, high = (rho, high) if sum(rho**-w for w in range(K + 1)) > gamma else (low, rho)
    out = np.zeros((len(bits), len(bits)))
    for j, u in enumerate(bits):
        # The record has `sum(u)` of the itemset's items; which of its m items are kept?
        mine = [i for i in range(length) if u[i]] + [-1] * (m - sum(u))
        for w in range(K + 1):
            for kept in itertools.combinations(range(m), w):
                chance = 1 / (K + 1) / math.comb(m, w)
                shown = {mine[i] for i in kept}
                for i, v in enumerate(bits):
                    each = (1.0 * v[b] if b in shown else rho if v[b] else 1 - rho
                            for b in range(length))  # fmt: skip
                    out[i, j] += chance * math.prod(each)
    return out


@pytest.mark.parametrize("gamma", [19.0, 5.5])
@pytest.mark.parametrize("length", [1, 2, 3])
@pytest.mark.parametrize("K", [2, 3])
def test_matrices_and_condition_numbers_of_explicit_matrices(gamma, length, K):
    sizes, setting = (3, 2, 2), matrices.Parameters(gamma=gamma, length=length, K=K)
    for scheme in ("DET-GD", "RAN-GD", "MASK", "C&P", "IND-RR"):
        result = matrices.compute(replace(setting, matrix=scheme))
        found, shown = result.schemes[scheme], result.shown
        assert (result.label, result.chosen) == (scheme, found)
        wanted = explicit(scheme, sizes, gamma, length, K)
        np.testing.assert_allclose(shown.matrix, wanted, atol=1e-12)
        assert len(shown.rows) == len(shown.columns) == len(wanted)
        last = K if scheme == "C&P" else 3
        numbers = [np.linalg.cond(explicit(scheme, sizes, gamma, k, K)) for k in range(1, last + 1)]
        assert found.numbers == pytest.approx(numbers)
        assert found.singular == tuple(range(last + 1, 4))
        assert bool(found.why_not) == (length > last)
        assert result.number == pytest.approx(math.inf if length > last else numbers[length - 1])
        assert not found.problem
        # The lit row is the one in which two records differ most.
        ratios = [max(row) / min(row) for row in wanted]
        assert shown.ratio == pytest.approx(max(ratios)) == pytest.approx(ratios[shown.row])
        row = wanted[shown.row]
        assert (row[shown.largest], row[shown.smallest]) == pytest.approx((max(row), min(row)))
        assert found.gamma == pytest.approx(gamma)
        assert shown.ratio <= gamma * (1 + 1e-9)
        if length == 3 and scheme in ("DET-GD", "RAN-GD", "IND-RR"):  # it is the whole matrix
            assert shown.ratio == pytest.approx(gamma)
    assert list(result.schemes) == ["DET-GD", "RAN-GD", "MASK", "C&P", "IND-RR"]
    assert (result.n_cells, result.gamma) == (12, gamma)
    assert result.lower_bound == pytest.approx((gamma + 11) / (gamma - 1))


def test_a_matrix_is_shown_whether_its_scheme_is_switched_on_or_not():
    mask = fl.Mask(fl.Schema.of_sizes(3, 2, 2), 0.9)
    mask.label = "MASK, p = 0.9"
    result = matrices.compute(matrices.Parameters(schemes=("MASK",), matrix=mask))
    assert (result.label, list(result.schemes)) == ("MASK, p = 0.9", ["MASK"])
    assert result.shown.matrix[0, 0] == pytest.approx(0.9**3)
    assert result.number == pytest.approx(0.8**-3)


def test_schemes_that_cannot_be_had_have_a_problem_and_no_matrix():
    result = matrices.compute(matrices.Parameters(gamma=3.0, K=2, matrix="C&P"))
    assert "gamma is 3 and K is 2" in result.schemes["C&P"].problem
    assert result.shown is None
    assert math.isnan(result.number)
    assert "C&P" not in result.names
    nothing = matrices.compute(matrices.Parameters(schemes=()))
    assert nothing.names == nothing.schemes == {}
    assert nothing.shown.matrix.shape == (12, 12)


def test_a_row_of_zeros_is_not_lit_and_a_single_zero_is():
    rows = np.array([[0.0, 0.0], [0.5, 0.25], [0.5, 0.75]])
    shown = matrices.light(rows, ("1", "2", "3"), ("1", "2"))
    assert (shown.row, shown.largest, shown.smallest, shown.ratio) == (1, 0, 1, 2)
    shown = matrices.light(np.array([[0.5, 0.4], [0.5, 0.0], [0.0, 0.6]]), ("",) * 3, ("",) * 2)
    assert shown.ratio == math.inf
    assert {shown.largest, shown.smallest} == {0, 1}


def test_of_entries_that_are_the_least_but_for_rounding_the_farthest_is_lit():
    least = 0.1 * (1 + 1e-12)
    shown = matrices.light(np.array([[0.1, 0.5, 0.3, least]]), ("1",), ("1", "2", "3", "4"))
    assert (shown.largest, shown.smallest) == (1, 3)
    shown = matrices.light(np.array([[0.1, 0.5, 0.3, 0.1000001]]), ("1",), ("1", "2", "3", "4"))
    assert shown.smallest == 0


@pytest.mark.parametrize("seed", range(5))
def test_names_stand_apart_and_move_as_little_as_can_be(seed):
    heights = np.random.default_rng(seed).uniform(0, 3, 6).round(1).tolist()
    moved = matrices.apart(heights, 0.5)
    order = np.argsort(heights, kind="stable")
    assert (np.diff(np.array(moved)[order]) >= 0.5 - 1e-9).all()
    assert matrices.apart([1.0, 5.0, 3.0], 0.5) == pytest.approx([1.0, 5.0, 3.0])
    cost = sum((a - b) ** 2 for a, b in zip(moved, heights, strict=True))
    nudge = np.random.default_rng(seed)
    for _ in range(300):  # no other way to stand apart is nearer
        other = np.array(moved) + nudge.normal(0, 0.1, 6)
        if (np.diff(other[order]) >= 0.5).all():
            assert ((other - heights) ** 2).sum() >= cost - 1e-9
