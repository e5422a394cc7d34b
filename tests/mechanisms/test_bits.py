"""Schemes that send bits: their matrices and counts, by brute force."""

import itertools

import numpy as np
import pytest

import frapp_lab as fl

CENSUS = fl.Schema.of_sizes(4, 5, 5, 5, 2, 2)

BITS = fl.Schema.of_sizes(2, 3, 2)


@pytest.mark.parametrize(
    "m",
    [fl.Mask(BITS, 0.7), *(fl.CutAndPaste(BITS, K, 0.3) for K in range(4))],
    ids=["MASK", *(f"K = {K}" for K in range(4))],
)
def test_the_matrix_of_an_itemsets_bits_by_brute_force(m):
    matrix, reports, first = m.matrix(), m.possible_reports(), np.array([0, 2, 5])
    for k in (1, 2, 3):
        wanted, places = m.itemset_matrix(k), 2 ** np.arange(k)[::-1]
        shown = reports[:, first[:k]] @ places  # the value 0 of the first k attributes
        for u, record in enumerate(BITS.decode(np.arange(BITS.n_cells))):
            law = np.bincount(shown, weights=matrix[:, u], minlength=2**k)
            assert law == pytest.approx(wanted[:, (record[:k] == 0) @ places])
        # Patterns with as many ones are added up.
        ones = np.array([bin(pattern).count("1") for pattern in range(2**k)])
        for column, had in zip(wanted.T, ones, strict=True):
            by_count = m.partial_support_matrix(k)[:, had]
            assert np.bincount(ones, weights=column) == pytest.approx(by_count)
        if k <= m.max_length:
            assert m.condition_number(k) == pytest.approx(np.linalg.cond(wanted))


def test_condition_numbers_of_mask_and_cut_and_paste_stand_on_one_footing():
    mask, cut = fl.Mask.for_gamma(CENSUS, 19), fl.CutAndPaste.for_gamma(CENSUS, 19, 3)
    assert mask.condition_number(3) == pytest.approx(549.7, abs=0.05)
    assert cut.condition_number(3) == pytest.approx(485.6, abs=0.05)
    assert mask.condition_number(3, by_count=True) == pytest.approx(683.1, abs=0.05)
    assert cut.condition_number(3, by_count=True) == pytest.approx(603.9, abs=0.05)


@pytest.mark.parametrize("sizes", [(3, 2, 12, 4), (2, 3, 4), (9, 9, 2, 2), (11, 8, 7, 5)])
def test_counting_bits_by_brute_force(sizes):
    """Few bits and many, narrow attributes and wide ones: all ways through the sum."""
    schema = fl.Schema.of_sizes(*sizes)
    m = fl.Mask(schema, 0.8)
    bits = np.random.default_rng(0).random((300, sum(sizes))) < 0.4
    found = m._observed(bits, tuple(range(len(sizes))))
    first = m.first_bits
    for cell in itertools.product(*(range(s + 1) for s in sizes)):
        wanted = [f + v for f, v, s in zip(first, cell, schema.sizes, strict=True) if v < s]
        assert found[cell] == bits[:, wanted].all(axis=1).sum()


@pytest.mark.parametrize("sizes", [(30, 2), (31, 2), (30, 31), (31, 31)])
def test_reports_of_up_to_62_bits_are_counted_right(sizes):
    """Around 32 bits, where one more no longer fits into the smaller integer."""
    schema = fl.Schema.of_sizes(*sizes)
    m = fl.Mask(schema, 0.9)
    records = np.random.default_rng(0).integers(0, sizes, (300, 2))
    bits = m.perturb(records, rng=1)
    estimate = m.estimate(bits)
    for a, b in ((0, 0), (sizes[0] - 1, sizes[1] - 1), (5, 1)):
        terms = (bits[:, a] - 0.1) * (bits[:, sizes[0] + b] - 0.1) / 0.8**2
        assert estimate["a1", "a2"][a, b] == pytest.approx(terms.mean())
