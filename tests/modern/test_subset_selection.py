"""SS: it is the matrix of lesson 04, and its subsets have the best size."""

import itertools

import numpy as np
import pytest

import frapp_lab as fl
from frapp_lab.mining import optimality


def test_subset_selection_is_the_one_of_lesson_04():
    m = fl.make_scheme("SS", fl.Schema.of_sizes(6), 2)
    assert m.d == 2
    assert m.matrix() == pytest.approx(optimality.subset_selection_matrix(6, 2, 2))
    deviation = m.standard_deviation(fl.Dataset(m.schema, [[0]]).supports, 1)["a1"][1]
    assert deviation == pytest.approx(optimality.subset_selection_deviation(6, 2, 2))


@pytest.mark.parametrize("gamma", [1.2, 2, 3, 5])
def test_subsets_have_the_size_with_the_least_total_error_on_even_data(gamma):
    for n in range(2, 10):
        errors = {}
        for d in range(1, n):
            matrix = optimality.subset_selection_matrix(n, d, gamma)
            held = np.array([np.isin(range(n), s) for s in itertools.combinations(range(n), d)])
            own = matrix[:, 0] @ held  # how likely each cell is held, if the first is the true one
            estimates = (held - own[1]) / (own[0] - own[1])
            errors[d] = (matrix.mean(axis=1) @ estimates**2 - 1 / n**2).sum()
        chosen = fl.make_scheme("SS", fl.Schema.of_sizes(n), gamma).d
        assert errors[chosen] == pytest.approx(min(errors.values())), n


def test_the_gamma_diagonal_matrix_is_better_for_an_empty_cell_up_to_2_gamma_plus_1():
    for gamma in (3, 19, 60):
        one, two = (
            [optimality.subset_selection_deviation(n, d, gamma) for n in range(3, 200)]
            for d in (1, 2)
        )
        better = [n for n, a, b in zip(range(3, 200), one, two, strict=True) if b < a * (1 - 1e-9)]
        assert min(better) == 2 * gamma + 2
