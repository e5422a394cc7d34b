"""MASK: its p, and the matrix of an itemset's bits."""

import numpy as np
import pytest

import frapp_lab as fl

CENSUS = fl.Schema.of_sizes(4, 5, 5, 5, 2, 2)
SMALL = fl.Schema.of_sizes(2, 3)


@pytest.mark.parametrize("power", [12, 20, 24, 28, 35, 100, 300])
def test_mask_tells_no_more_than_gamma_where_p_is_nearly_1(power):
    for schema in (fl.Schema.of_sizes(2), fl.Schema.of_sizes(2, 3), CENSUS):
        gamma, found = 10.0**power, fl.make_scheme("MASK", schema, 10.0**power).amplification
        assert found <= gamma * (1 + 1e-9)
        # And about as much as that, or as the 53 bits of p can hold.
        assert found > 0.1 * min(gamma, 2.0 ** (53 * 2 * schema.n_attributes))


def test_mask_condition_number_is_that_of_the_itemset_bits():
    m = fl.Mask(SMALL, 0.7)
    bit = np.array([[0.7, 0.3], [0.3, 0.7]])
    assert m.itemset_matrix(2) == pytest.approx(np.kron(bit, bit))
    assert m.condition_number(2) == pytest.approx(np.linalg.cond(np.kron(bit, bit)))
