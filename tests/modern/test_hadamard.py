"""HR: the transform, and the size of its blocks."""

import itertools

import numpy as np

import frapp_lab as fl
from frapp_lab.modern.hadamard import transform


def test_hadamard_blocks_are_the_largest_power_of_two_below_gamma_and_twice_the_cells():
    for n, gamma in itertools.product((2, 3, 5, 8, 20, 33), (1.01, 2, 2.5, 4, 19, 64, 65, 1e6)):
        m = fl.make_scheme("HR", fl.Schema.of_sizes(n), gamma)
        powers = [2**k for k in range(12) if 2**k < min(gamma, 2 * n)]
        assert m.blocks == max(powers), (n, gamma)
        assert m.blocks * (m.block_size - 1) >= n  # each cell has a row of its own


def test_the_transform_is_a_hadamard_matrix():
    matrix = transform(np.eye(8))
    assert (matrix @ matrix.T == 8 * np.eye(8)).all()
    assert set(matrix.ravel()) == {-1, 1}
    assert (matrix == matrix.T).all()
