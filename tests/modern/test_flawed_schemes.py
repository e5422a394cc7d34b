"""Schemes that break their promise: by how much."""

import numpy as np
import pytest
from laws import LAWS

import frapp_lab as fl
from frapp_lab.modern import flawed_schemes as broken

SMALL = fl.Schema.of_sizes(2, 3)


@pytest.mark.parametrize("m", [2, 3, 4])
def test_fake_data_break_the_promise(m):
    schema = fl.Schema.of_sizes(*[2] * m)
    scheme = broken.FakeData(schema, 19)
    assert fl.amplification(scheme.matrix()) == pytest.approx(m * 18 + 1, rel=1e-9)
    # Records that differ in one attribute are kept apart no better than promised.
    matrix, records = scheme.matrix(), schema.decode(np.arange(schema.n_cells))
    one = [j for j in range(schema.n_cells) if (records[j] != records[0]).sum() == 1]
    assert (matrix[:, [0]] / matrix[:, one]).max() == pytest.approx(19)
    assert "RS+FD" not in fl.schemes(modern=True)
    for law in LAWS:
        law(broken.FakeData(SMALL, 19))


@pytest.mark.parametrize("gamma", [1.1, 3, 19])
def test_a_missing_line_adds_two(gamma):
    m = broken.MissingLine(SMALL, gamma)
    assert fl.amplification(m.matrix()) == pytest.approx(gamma + 2, rel=1e-9)
    assert m.claimed == gamma
