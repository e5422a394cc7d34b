"""Any matrix: checked against every scheme's own formulas, and against brute force."""

import itertools
import math

import numpy as np
import pytest
from helpers import assert_refused
from scipy import stats

import frapp_lab as fl
from frapp_lab.mechanisms import samplers
from frapp_lab.mechanisms.registry import make_scheme, schemes
from frapp_lab.mining.optimality import fano_matrix, subset_selection_matrix

SCHEMA = fl.Schema.of_sizes(2, 3, 2)
CELLS = SCHEMA.decode(np.arange(SCHEMA.n_cells))


def random_matrix(rows, columns, seed):
    a = np.random.default_rng(seed).random((rows, columns)) + 0.02
    return a / a.sum(axis=0)


def shares_of(seed):
    counts = np.random.default_rng(seed).integers(1, 30, SCHEMA.sizes)
    return fl.Cube.of_counts(SCHEMA, counts / counts.sum())


SQUARE = [
    m
    for m in (make_scheme(label, SCHEMA, 19) for label in schemes())
    if m.matrix().shape == (SCHEMA.n_cells,) * 2
]


def test_square_schemes_are_found_by_themselves():
    assert {m.label for m in SQUARE} >= {"DET-GD", "RAN-GD", "IND-RR"}


@pytest.mark.parametrize("m", SQUARE, ids=lambda m: m.label)
def test_the_matrix_of_a_square_scheme_says_all_that_the_scheme_says(m):
    any_a = fl.MatrixMechanism(SCHEMA, m.matrix())
    assert any_a.amplification == pytest.approx(m.amplification, rel=1e-12)
    counts = np.random.default_rng(3).integers(0, 50, SCHEMA.sizes)
    assert any_a.estimate_counts(counts).array == pytest.approx(m.estimate_counts(counts).array)
    supports = shares_of(1)
    ours, theirs = (s.standard_deviation(supports, 1000).array for s in (any_a, m))
    assert ours[..., :-1] == pytest.approx(theirs[..., :-1])
    assert any_a.apply(counts) == pytest.approx(m.apply(counts))
    for k in (1, 2, 3):
        assert any_a.condition_number(k) == pytest.approx(m.condition_number(k))


def bit_matrix(m):
    """MASK's or C&P's law on all patterns of its bits, not only on those of records."""
    if isinstance(m, fl.Mask):
        bit = np.array([[m.p, 1 - m.p], [1 - m.p, m.p]])
        out = np.ones((1, 1))
        for _ in range(m.n_bits):
            out = np.kron(out, bit)
        return out
    # A kept attribute keeps its ones; all other bits are noise.
    noise = np.array([[1 - m.rho] * 2, [m.rho] * 2])
    keep = np.array([[1 - m.rho, 0], [m.rho, 1]])
    sizes, out = m.schema.sizes, 0
    for w in range(m.K + 1):
        for kept in itertools.combinations(range(len(sizes)), w):
            one = np.ones((1, 1))
            for j, size in enumerate(sizes):
                for _ in range(size):
                    one = np.kron(one, keep if j in kept else noise)
            out = out + one / (m.K + 1) / math.comb(len(sizes), w)
    return out


BITS = fl.Schema.of_sizes(2, 2, 2)
SENDS_BITS = [fl.Mask(BITS, 0.7), *(fl.CutAndPaste(BITS, K, 0.3) for K in (1, 2, 3))]


@pytest.mark.parametrize("m", SENDS_BITS, ids=repr)
def test_schemes_that_send_bits_are_matrices_over_bits(m):
    """Over all bit patterns their matrix is square: the same law, estimates, deviations and κ."""
    patterns = fl.Schema.of_sizes(*[2] * m.n_bits)
    any_a = fl.MatrixMechanism(patterns, bit_matrix(m))
    records = BITS.decode(np.arange(8))
    own = np.zeros((8, m.n_bits), dtype=int)
    np.put_along_axis(own, np.add(records, [0, 2, 4]), 1, axis=1)
    columns = patterns.encode(own)
    np.testing.assert_allclose(any_a.matrix()[:, columns], m.matrix())
    # Estimates and deviations of every itemset that the scheme can reconstruct.
    data = fl.Dataset(BITS, records.repeat(np.arange(1, 9), axis=0))
    as_bits = fl.Dataset(patterns, own.repeat(np.arange(1, 9), axis=0))
    reports = m.perturb(data.records, rng=5)
    ours = any_a.estimate(reports.astype(int))
    theirs = m.estimate(reports)
    deviations = any_a.standard_deviation(as_bits.supports, 36)
    wanted = m.standard_deviation(data.supports, 36)
    for k in range(1, m.max_length + 1):
        for names in BITS.subsets(k):
            places = BITS.positions(names)
            for values in itertools.product((0, 1), repeat=k):
                bits = [patterns.names[2 * j + v] for j, v in zip(places, values, strict=True)]
                ones = (1,) * k
                assert ours[bits][ones] == pytest.approx(theirs[names][values])
                assert deviations[bits][ones] == pytest.approx(wanted[names][values])
        first = tuple(2 * j for j in range(k))
        assert np.linalg.cond(any_a.marginal_matrix(first)) == pytest.approx(m.condition_number(k))
    assert fl.amplification(m.matrix()) == pytest.approx(m.amplification)


@pytest.mark.parametrize("shape", [(12, 12), (20, 12)], ids=["square", "rectangular"])
def test_estimates_are_unbiased_and_deviations_exact(shape):
    """By brute force: the mean and variance of each estimate over one client's possible reports."""
    a = random_matrix(*shape, seed=1)
    m = fl.MatrixMechanism(SCHEMA, a)
    supports = shares_of(2)
    law = supports.array[:-1, :-1, :-1].ravel()
    reports = m.reports.decode(np.arange(shape[0]))
    each = np.stack([m.estimate(report[None]).array for report in reports])
    for u, record in enumerate(CELLS):
        mean = np.tensordot(a[:, u], each, axes=1)
        assert mean == pytest.approx(fl.Dataset(SCHEMA, [record]).supports.array, abs=1e-9)
    variance = sum(
        share * (np.tensordot(a[:, u], each**2, axes=1) - np.tensordot(a[:, u], each, axes=1) ** 2)
        for u, share in enumerate(law)
    )
    deviation = m.standard_deviation(supports, 50).array
    assert deviation == pytest.approx(np.sqrt(np.maximum(variance, 0) / 50), abs=1e-7)


@pytest.mark.parametrize("rows", [12, 15])
def test_reports_and_counts_follow_the_matrix(rows):
    m, draws = fl.MatrixMechanism(SCHEMA, random_matrix(rows, 12, seed=4)), 20_000
    for u in (0, 5, 11):
        reports = m.perturb(np.tile(CELLS[u], (draws, 1)), rng=u)
        found = np.bincount(m.reports.encode(reports), minlength=rows)
        assert stats.chisquare(found, draws * m.A[:, u]).pvalue > 1e-4
    counts = np.zeros(SCHEMA.sizes, dtype=int)
    counts.ravel()[[0, 5]] = 10_000, 20_000
    found = m.perturb_counts(counts, rng=1).ravel()
    expected = m.apply(counts).ravel()
    assert found.sum() == 30_000
    assert abs(found - expected).max() < 6 * np.sqrt(expected.max())


def test_reports_that_are_impossible_are_never_sent():
    a = np.array([[0.3, 0.0], [0.7, 0.0], [0.0, 1.0], [0.0, 0.0]])
    m = fl.MatrixMechanism(fl.Schema.of_sizes(2), a)
    uniforms = np.array([[0.0], [0.3], [np.nextafter(1, 0)], [0.0], [np.nextafter(1, 0)]])
    reports = m.perturb([[0], [0], [0], [1], [1]], uniforms=uniforms)
    assert reports.ravel().tolist() == [0, 1, 1, 2, 2]


def test_column_by_column_has_the_law_of_any_matrix_by_enumeration():
    m = fl.MatrixMechanism(SCHEMA, random_matrix(12, 12, seed=9))
    for u, record in enumerate(CELLS):
        for v, report in enumerate(CELLS):
            chance = 1.0
            for j in range(3):
                chance *= m.column_chances(record[None], report[None, :j])[0, report[j]]
            assert chance == pytest.approx(m.A[v, u])


@pytest.mark.parametrize("m", SQUARE, ids=lambda m: m.label)
def test_column_by_column_of_a_scheme_is_that_of_its_matrix(m):
    any_a = fl.MatrixMechanism(SCHEMA, m.matrix())
    for report in CELLS:
        for j in range(3):
            so_far = np.tile(report[:j], (12, 1))
            ours = m.column_chances(CELLS, so_far)
            assert ours == pytest.approx(any_a.column_chances(CELLS, so_far))


def test_both_samplers_of_the_paper_take_any_matrix():
    m, draws = fl.MatrixMechanism(SCHEMA, random_matrix(12, 12, seed=9)), 20_000
    records = np.tile(CELLS[7], (draws, 1))
    for sampler in (samplers.perturb_by_columns, samplers.perturb_by_scan):
        found = np.bincount(SCHEMA.encode(sampler(m, records, rng=2)[0]), minlength=12)
        assert stats.chisquare(found, draws * m.A[:, 7]).pvalue > 1e-4


def test_a_singular_matrix_is_said_to_be_singular_and_undone_as_far_as_it_goes():
    # The first column is perturbed and sent; of the second nothing is.
    coin, nothing = np.array([[0.8, 0.2], [0.2, 0.8]]), np.full((3, 3), 1 / 3)
    schema = fl.Schema.of_sizes(2, 3)
    m = fl.MatrixMechanism(schema, np.kron(coin, nothing))
    estimate = m.estimate_counts(np.array([[20, 20, 20], [10, 10, 10]]))
    assert estimate.array[:-1, -1] == pytest.approx([7 / 9, 2 / 9])
    assert np.isnan(estimate.array[:-1, :-1]).all()
    assert m.max_length == 0  # a2 alone cannot be had, so not every itemset of length 1
    for call in (lambda: m.condition_number(1), lambda: estimate["a2"]):
        assert_refused(call, ["singular", "rank is 2", "a2"])


@pytest.mark.parametrize("power", [0, 3, 6, 9, 11, 12, 13, 14, 15, 16, 18, math.inf])
def test_the_rank_is_that_of_the_singular_values_however_small_they_are(power):
    rng, n = np.random.default_rng(3), 12
    a = rng.uniform(1, 2, (n, n))
    a[:, 0] = a[:, 1] + 10.0**-power * rng.uniform(-1, 1, n)
    for rows in (n, n + 3):  # square, and with more reports than records
        made = np.vstack([a, rng.uniform(1, 2, (rows - n, n))]) if power < math.inf else a
        m = fl.MatrixMechanism(fl.Schema.of_sizes(3, 4), made / made.sum(axis=0))
        assert m.rank == np.linalg.matrix_rank(m.A)
        assert m.rank >= 11
        square = m.A.shape == (n, n) and m.rank == n
        wanted = np.linalg.inv(m.A) if square else np.linalg.pinv(m.A)
        assert m._inverse == pytest.approx(wanted, rel=1e-6)


def test_a_matrix_far_from_singular_is_undone_without_its_singular_values(monkeypatch):
    def slow(*_, **__):
        raise AssertionError("singular values take a minute on CENSUS")

    for name in ("svd", "matrix_rank", "pinv"):
        monkeypatch.setattr(np.linalg, name, slow)
    schema = fl.Schema.of_sizes(5, 5, 4)
    m = fl.MatrixMechanism(schema, fl.GammaDiagonal(schema, 19).matrix())
    counts = np.random.default_rng(0).integers(1, 99, schema.sizes)
    assert m.rank == 100
    assert m.estimate_counts(np.rint(10**9 * m.apply(counts)).astype(int)).array == pytest.approx(
        fl.Cube.of_counts(schema, counts).array / counts.sum(), abs=1e-6
    )


@pytest.mark.parametrize("most", [2**26, 0])
def test_what_undoes_a_singular_matrix_is_found_once_if_there_is_room(monkeypatch, most):
    monkeypatch.setattr("frapp_lab.mechanisms.matrix.MAX_KEPT", most)
    halves = np.kron(np.array([[0.8, 0.3], [0.2, 0.7]]), np.full((3, 3), 1 / 3))
    m = fl.MatrixMechanism(fl.Schema.of_sizes(2, 3), halves)
    assert m.weights((1,)) is None
    known = m.weights((0,))
    assert (m.weights((0,)) is known) == (most > 0)
    assert (m.weights((0,)) == known).all()
    assert not known.flags.writeable
    reports = np.repeat([[1, 0], [0, 1]], 3, axis=1)
    assert known == pytest.approx(np.linalg.inv([[0.8, 0.3], [0.2, 0.7]]) @ reports)


def test_mixtures_that_differ_only_in_dependence_cannot_be_told_apart():
    # What is reported: the sum of two coins. Its law does not name a record.
    a = np.array([[1, 0, 0, 0], [0, 1, 1, 0], [0, 0, 0, 1]], dtype=float)
    m = fl.MatrixMechanism(fl.Schema.of_sizes(2, 2), a)
    assert "singular" in m.why_not(2)
    assert m.rank == 3


def test_fano_and_subset_selection_can_be_mined():
    seven = fl.Schema.of_sizes(7)
    counts = np.array([400, 300, 200, 50, 30, 10, 10]) * 100
    data = fl.Dataset.from_counts(seven, counts)
    for a, better in ((fano_matrix(), 7.0711), (subset_selection_matrix(7, 3, 2), None)):
        m = fl.MatrixMechanism(seven, a)
        assert m.amplification == pytest.approx(2)
        if better:
            assert m.condition_number(1) == pytest.approx(better, abs=1e-4)
        run = fl.mine(data, m, 0.15, rng=0)
        deviation = m.standard_deviation(data.supports, len(data)).array
        assert abs(run.estimates - run.supports)[:-1].max() < 5 * deviation.max()
        assert set(run.itemsets["itemsets"]) >= {frozenset({"a1=0"}), frozenset({"a1=1"})}


def test_em_takes_a_matrix_that_is_not_symmetric():
    from frapp_lab.mining.reconstruction import em

    a = np.array([[0.9, 0.3], [0.1, 0.7]])
    m = fl.MatrixMechanism(fl.Schema.of_sizes(2), a)
    assert em(m, [60, 40], 5000) == pytest.approx([50, 50], abs=0.01)


@pytest.mark.parametrize(
    ("call", "words"),
    [
        (lambda: fl.MatrixMechanism(SCHEMA, np.eye(5)), ["(5, 5)", "12"]),
        (lambda: fl.MatrixMechanism(fl.Schema.of_sizes(2), [[0.5, 0.5], [0.4, 0.5]]), ["column 0"]),
        (
            lambda: fl.MatrixMechanism(SCHEMA, np.eye(12), reports=fl.Schema.of_sizes(2, 2)),
            ["4 cells", "12 rows"],
        ),
        (lambda: fl.MatrixMechanism(SCHEMA, np.eye(12)).condition_number(4), ["length is 4"]),
        (lambda: fl.MatrixMechanism.for_gamma(SCHEMA, 19), ["γ alone"]),
    ],
)
def test_what_is_refused(call, words):
    assert_refused(call, words)


def test_the_matrix_cannot_be_changed_from_outside():
    a = np.eye(12)
    m = fl.MatrixMechanism(SCHEMA, a)
    a[:] = 0
    assert m.A.sum() == 12
    with pytest.raises(ValueError, match="read-only"):
        m.matrix()[0, 0] = 0
