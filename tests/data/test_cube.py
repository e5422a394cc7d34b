import itertools
import math

import numpy as np
import pytest
from helpers import SMALL_AND_LARGE, tables
from hypothesis import given
from hypothesis import strategies as st

import frapp_lab as fl
from frapp_lab import Cube, GammaDiagonal, Schema
from frapp_lab.data import cube
from frapp_lab.data.cube import all_marginals, lengths, map_axes

SMALL = fl.Schema.of_sizes(2, 3)
LARGE = fl.Dataset(fl.Schema.of_sizes(*[2] * 31), np.repeat([[0], [1]], 31, axis=1))


@given(tables())
def test_every_marginal_is_a_sum_over_the_other_axes(table):
    schema, records = table
    counts = schema.counts(records)
    array = all_marginals(counts)
    assert array.dtype == counts.dtype
    assert lengths(schema.sizes).shape == array.shape
    for length in range(schema.n_attributes + 1):
        for kept in itertools.combinations(range(schema.n_attributes), length):
            index = tuple(slice(-1) if j in kept else -1 for j in range(schema.n_attributes))
            others = tuple(j for j in range(schema.n_attributes) if j not in kept)
            assert (array[index] == counts.sum(axis=others)).all()
            assert (lengths(schema.sizes)[index] == length).all()


@given(tables(SMALL_AND_LARGE), st.data())
def test_a_cube_counts_any_subset_in_any_order(table, data):
    schema, records = table
    names = data.draw(st.lists(st.sampled_from(schema.names), max_size=3, unique=True))
    found = Cube.of_records(schema, records)[names]
    columns = records[:, schema.positions(names)]
    assert found.shape == schema.sizes[:0] + tuple(schema.sizes[j] for j in schema.positions(names))
    for cell in itertools.product(*map(range, found.shape)):
        assert found[cell] == (columns == cell).all(axis=1).sum()


def test_counts_of_a_domain_whose_cube_is_too_large():
    # 2^20 cells fit, but 3^20 itemsets do not.
    schema = Schema.of_sizes(*[2] * 20)
    records = np.random.default_rng(0).integers(0, 2, (100, 20))
    by_counts = Cube.of_counts(schema, schema.counts(records))
    by_records = Cube.of_records(schema, records)
    assert not by_counts.is_small
    for names in (["a3"], ["a20", "a1"], ["a7", "a2", "a11"], []):
        assert (by_counts[names] == by_records[names]).all()


def test_map_axes_by_brute_force():
    rng = np.random.default_rng(0)
    array = all_marginals(rng.random((2, 3)))
    mapped = map_axes(array, [2.0, 3.0], [-0.5, 0.25])
    for i, j in itertools.product(range(2), range(3)):
        by_hand = (
            6 * array[i, j]
            + 2 * 0.25 * array[i, -1]
            - 0.5 * 3 * array[-1, j]
            - 0.125 * array[-1, -1]
        )
        assert mapped[i, j] == pytest.approx(by_hand, rel=1e-12)
    assert mapped[-1, -1] == array[-1, -1]


def test_a_large_cube_is_refused_as_a_whole():
    schema = Schema.of_sizes(*[2] * 31)
    cube = Cube.of_records(schema, np.zeros((1, 31), dtype=np.uint8))
    with pytest.raises(ValueError, match=r"617,673,396,283,947 itemsets.*16,777,216"):
        cube.array  # noqa: B018
    with pytest.raises(ValueError, match="'b', which is no attribute"):
        cube["b"]


def test_a_guard_refuses_lengths():
    def guard(length):
        if length > 1:
            raise ValueError(f"length {length}")

    cube = Cube(Schema.of_sizes(2, 2), lambda positions: all_marginals(np.ones((2, 2))), guard)
    assert cube["a1"].tolist() == [2, 2]
    with pytest.raises(ValueError, match="length 2"):
        cube["a1", "a2"]


def test_shared_lengths_cannot_be_spoilt():
    with pytest.raises(ValueError, match="read-only"):
        lengths((2, 3))[0, 0] = 7


def test_a_cache_keeps_small_arrays_only():
    one, other = (2, 3), (2,) * 12  # 3^12 numbers of 8 bytes are 4 MB
    assert lengths(one) is lengths(one)
    assert lengths(other) is not lengths(other)
    background = [GammaDiagonal(Schema.of_sizes(*other), g).uniform_supports() for g in (2, 3)]
    assert background[0] is not background[1]
    for array in (lengths(one), lengths(other), *background):
        assert not array.flags.writeable


def test_sums_over_some_attributes_are_exact_for_counts_and_keep_parts_of_shares():
    schema = Schema.of_sizes(2, 2)
    large = Cube.of_counts(schema, np.array([[2**60, 1], [1, 1]]))
    assert large.build((0,)).tolist() == [2**60 + 1, 2, 2**60 + 3]
    shares = Cube.of_counts(schema, np.array([[0.25, 0.5], [0.125, 0.125]]))
    assert shares.build((0,)).tolist() == [0.75, 0.25, 1.0]


def test_marginals_are_exact_where_only_their_total_is_large():
    assert all_marginals(np.array([2**53, 0, 1])).tolist() == [2**53, 0, 1, 2**53 + 1]


@pytest.mark.parametrize("kind", [bool, np.int8, np.uint8, np.int32, np.uint64, np.int64])
def test_integers_do_not_wrap(kind):
    top = 1 if kind is bool else min(np.iinfo(kind).max // 6, 2**60)
    top = top if kind not in (np.int8, np.uint8, np.int32) else np.iinfo(kind).max
    counts = np.full((2, 3), top, dtype=kind)
    marginals = cube.all_marginals(counts)
    assert marginals.dtype == np.int64
    for i, j in np.ndindex(3, 4):
        cells = (2 if i == 2 else 1) * (3 if j == 3 else 1)
        assert int(marginals[i, j]) == cells * int(top)
    assert fl.Cube.of_counts(SMALL, counts)["a1"].tolist() == [3 * int(top)] * 2


def test_sums_past_two_to_the_53_are_exact():
    odd = 2**53 + 1
    marginals = cube.all_marginals(np.array([[odd, 2, 4], [1, 1, 2**61]]))
    assert marginals[0].tolist() == [odd, 2, 4, odd + 6]
    assert marginals[2].tolist() == [odd + 1, 3, 2**61 + 4, odd + 2**61 + 8]
    most = np.array([2**63 - 2, 1])
    assert cube.all_marginals(most).tolist() == [2**63 - 2, 1, 2**63 - 1]
    # Terms that cancel: the total is small and the terms are not.
    signed = np.array([2**60 + 1, -(2**60), 3])
    assert cube.all_marginals(signed).tolist() == [2**60 + 1, -(2**60), 3, 4]


def test_fractions_become_doubles():
    assert cube.all_marginals(np.full((2, 3), 6e4, dtype=np.float16))[-1, -1] == pytest.approx(36e4)
    tenth = cube.all_marginals(np.full(10, 0.1, dtype=np.float32))
    assert tenth.dtype == np.float64
    with_gap = cube.all_marginals(np.array([[1.0, math.nan], [2.0, 3.0]]))
    assert with_gap[1].tolist() == [2, 3, 5]
    assert np.isnan(with_gap[0, 1:]).all()
    assert with_gap[:, 0].tolist() == [1, 2, 3]


def test_a_large_cube_of_counts_is_exact_too():
    schema = fl.Schema.of_sizes(*[2] * 16)
    counts = np.zeros(schema.sizes, dtype=np.uint8)
    counts[0], counts[1] = 200, 100
    cube = fl.Cube.of_counts(schema, counts)
    assert not cube.is_small
    assert cube["a1"].tolist() == [200 * 2**15, 100 * 2**15]


def test_what_a_cache_gives_out_is_read_only():
    data = fl.Dataset(SMALL, [[0, 1], [1, 2]])
    estimates = fl.GammaDiagonal(SMALL, 19).estimate(data.records)
    for array in (data.cube.array, data.supports.array, estimates.array, data.cube["a1"]):
        with pytest.raises(ValueError, match="read-only"):
            array[...] = 0
    assert LARGE.cube["a1"].tolist() == [1, 1]
