"""IND-RR: its matrix is a product of its columns' matrices."""

import numpy as np
import pytest

import frapp_lab as fl

SMALL = fl.Schema.of_sizes(2, 3)


def test_independent_columns_matrix_is_a_product():
    m = fl.IndependentColumns(SMALL, 19)
    parts = [column.matrix() for column in m.columns]
    assert m.matrix() == pytest.approx(np.kron(*parts))
    assert np.linalg.cond(m.matrix()) == pytest.approx(m.condition_number(2))
    assert m.condition_number(1) == pytest.approx(max(np.linalg.cond(p) for p in parts))
