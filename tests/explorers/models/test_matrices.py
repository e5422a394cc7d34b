"""The model of matrices, against explicit matrices."""

import itertools
import math
from dataclasses import replace

import numpy as np
import pytest

import frapp_lab as fl
from explorers.models.formulas import gamma_diagonal
from frapp_lab.explorers.models import lit_row, matrices


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
    nothing = matrices.compute(matrices.Parameters(schemes=()))
    assert nothing.schemes == {}
    assert nothing.shown.matrix.shape == (12, 12)


def test_a_row_of_zeros_is_not_lit_and_a_single_zero_is():
    rows = np.array([[0.0, 0.0], [0.5, 0.25], [0.5, 0.75]])
    shown = lit_row.light(rows, ("1", "2", "3"), ("1", "2"))
    assert (shown.row, shown.largest, shown.smallest, shown.ratio) == (1, 0, 1, 2)
    shown = lit_row.light(np.array([[0.5, 0.4], [0.5, 0.0], [0.0, 0.6]]), ("",) * 3, ("",) * 2)
    assert shown.ratio == math.inf
    assert {shown.largest, shown.smallest} == {0, 1}


def test_of_entries_that_are_the_least_but_for_rounding_the_farthest_is_lit():
    least = 0.1 * (1 + 1e-12)
    shown = lit_row.light(np.array([[0.1, 0.5, 0.3, least]]), ("1",), ("1", "2", "3", "4"))
    assert (shown.largest, shown.smallest) == (1, 3)
    shown = lit_row.light(np.array([[0.1, 0.5, 0.3, 0.1000001]]), ("1",), ("1", "2", "3", "4"))
    assert shown.smallest == 0


def test_the_row_that_is_chosen_is_lit_and_one_that_is_not_there_is_not():
    rows = np.array([[0.5, 0.2, 0.2], [0.5, 0.1, 0.8], [0.0, 0.7, 0.0], [0.0, 0.0, 0.0]])
    names = tuple("abcd"), tuple("uvw")
    for row, lit, ratio in ((1, 0, 2.5), (2, 1, 8), (3, 2, math.inf), (0, 2, math.inf)):
        shown = lit_row.light(rows, *names, row=row)
        assert (shown.row, shown.highest) == (lit, math.inf)
        assert shown.ratio == pytest.approx(ratio)
        assert rows[lit, shown.largest] == rows[lit].max()
        assert rows[lit, shown.smallest] == rows[lit].min()
        assert set(shown.lit.values()) == {"largest", "smallest"}
    for row in (5, 64, -1):
        assert lit_row.light(rows, *names, row=row).row == 2
    nobody = lit_row.light(rows, *names, row=4)
    assert (nobody.row, nobody.lit, nobody.senders) == (3, {}, None)
    assert math.isnan(nobody.ratio)


@pytest.mark.parametrize("scheme", ["DET-GD", "MASK", "C&P", "IND-RR"])
def test_the_senders_of_a_report_are_counted(scheme):
    p = matrices.Parameters(matrix=scheme, length=2, row=2)
    matrix, shown = explicit(scheme, (3, 2, 2), 19.0, 2, 3), matrices.compute(p).shown
    # A million of each record: who is among those that sent report 2?
    sent = 1_000_000 * matrix[1]
    assert shown.senders == pytest.approx(sent / sum(sent))
    assert shown.senders.sum() == pytest.approx(1)


@pytest.mark.parametrize("sizes", [(2, 2, 2), (3, 2, 2), (4, 4, 4)])
@pytest.mark.parametrize("gamma", [1.5, 19.0, 300.0])
@pytest.mark.parametrize("length", [1, 3])
def test_a_pushed_diagonal_is_stopped_where_the_ratio_is_gamma(sizes, gamma, length):
    n = math.prod(sizes)
    p = matrices.Parameters(gamma=gamma, sizes=sizes, matrix=matrices.PUSHED, length=length)
    kappas = []
    for share in (0.001, 0.3, 0.9, 1.0):
        result = matrices.compute(replace(p, push=share))
        d = 1 / n + share * (1 - 1 / n)
        whole = np.full((n, n), (1 - d) / (n - 1))
        np.fill_diagonal(whole, d)
        cells = math.prod(sizes[:length])
        part = whole.reshape(cells, n // cells, n).sum(axis=1)[:, :: n // cells]
        np.testing.assert_allclose(result.shown.matrix, part, atol=1e-12)
        assert result.pushed.ratio == pytest.approx(d / ((1 - d) / (n - 1)) if d < 1 else math.inf)
        assert result.number == result.pushed.condition == pytest.approx(np.linalg.cond(whole))
        assert result.pushed.keeps == (share < 1 and whole.max() <= gamma * whole.min())
        assert result.drawn[matrices.PUSHED].numbers == (result.number,) * 3
        assert matrices.PUSHED not in result.schemes
        kappas.append(result.number)
    assert kappas == sorted(kappas, reverse=True)
    stop = result.pushed.stop
    at = matrices.compute(replace(p, push=stop))
    assert at.pushed.at_limit
    assert at.pushed.keeps
    assert at.pushed.diagonal == pytest.approx(at.pushed.limit)
    assert at.number == pytest.approx(at.lower_bound)
    det = matrices.compute(replace(p, matrix="DET-GD"))
    np.testing.assert_allclose(at.shown.matrix, det.shown.matrix, atol=1e-12)
    assert not matrices.compute(replace(p, push=stop * 1.001)).pushed.keeps
    nothing = matrices.compute(replace(p, push=0.0))
    assert math.isinf(nothing.number)
    assert nothing.drawn[matrices.PUSHED].singular == (1, 2, 3)
