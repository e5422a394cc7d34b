"""What every mechanism must satisfy, its own author's too: by enumeration on a small domain.

`for law in LAWS: law(mechanism)` tries a mechanism of any kind; its schema must be small.
"""

import numpy as np
import pytest
from scipy import stats

import frapp_lab as fl
from frapp_lab.data import cube
from frapp_lab.modern.support_sets import JointMechanism


def rows_of(m, reports):
    """The matrix row of each report; of one that supports cells, that of the cells."""
    reports = m.supported(reports) if isinstance(m, JointMechanism) else reports
    place = {report.tobytes(): row for row, report in enumerate(m.possible_reports())}
    return np.array([place[report.tobytes()] for report in np.ascontiguousarray(reports)])


def records_of(m):
    return m.schema.decode(np.arange(m.schema.n_cells))


def data_of(m):
    """Some records of every kind but one."""
    counts = np.random.default_rng(1).integers(1, 40, m.schema.sizes)
    counts.flat[1] = 0
    return fl.Dataset.from_counts(m.schema, counts)


def the_matrix_is_markov_and_attains_the_amplification(m):
    matrix = fl.check_matrix(m.matrix(), gamma=m.amplification)
    assert matrix.shape == (len(m.possible_reports()), m.schema.n_cells)
    assert fl.amplification(matrix) == pytest.approx(m.amplification)


def reports_follow_the_matrix(m, draws=20_000):
    matrix = m.matrix()
    for u, record in enumerate(records_of(m)):
        reports = m.perturb(np.tile(record, (draws, 1)), rng=u)
        found = np.bincount(rows_of(m, reports), minlength=len(matrix))
        law = matrix[:, u]
        assert not found[law == 0].any()
        sent = law > 0
        assert stats.chisquare(found[sent], draws * law[sent]).pvalue > 1e-4


def each_report(m):
    """The estimate from one report alone, for every report: any estimate is a mean of these."""
    if isinstance(m, JointMechanism):
        made = (m.estimate_statistic([*cells, 1]) for cells in m.possible_reports())
    else:
        made = (m.estimate(report[None]) for report in m.possible_reports())
    return np.array([estimate.array.ravel() for estimate in made])


def estimates_are_unbiased_with_the_stated_deviation(m):
    matrix, values, data = m.matrix(), each_report(m), data_of(m)
    truth = [fl.Dataset(m.schema, r[None]).supports.array.ravel() for r in records_of(m)]
    mean = matrix.T @ values
    known = ~np.isnan(mean[0])
    assert mean[:, known] == pytest.approx(np.array(truth)[:, known], abs=1e-8)
    variance = data.counts.ravel() @ (matrix.T @ values**2 - mean**2)
    deviation = np.sqrt(np.maximum(variance, 0)) / len(data)  # 0 for the empty itemset
    found = m.standard_deviation(data.supports, len(data)).array.ravel()
    assert found[known] == pytest.approx(deviation[known], abs=1e-7)


def estimates_are_means_over_reports_in_any_order_of_attributes(m):
    data, values = data_of(m), each_report(m)
    reports = m.perturb(data.records, rng=3)
    estimate = m.estimate(reports)
    assert estimate.array.ravel() == pytest.approx(
        values[rows_of(m, reports)].mean(axis=0), nan_ok=True
    )
    names = m.schema.names
    if m.max_length >= 2:
        assert estimate[names[1], names[0]] == pytest.approx(estimate[names[:2]].T)
    assert estimate[()] == pytest.approx(1)


def statistics_of_parts_add_up_to_that_of_the_whole(m):
    reports = m.perturb(data_of(m).records, rng=3)
    parts = [m.statistic(part) for part in np.array_split(reports, 3)]
    whole = m.statistic(reports)
    assert whole.dtype.kind == "i"
    np.testing.assert_array_equal(sum(parts), whole)
    np.testing.assert_array_equal(m.estimate_statistic(sum(parts)).array, m.estimate(reports).array)


def lengths_that_cannot_be_had_are_refused_and_missing(m):
    estimate = m.estimate(m.perturb(data_of(m).records, rng=3))
    for length in range(1, m.schema.n_attributes + 1):
        names = m.schema.names[:length]
        if why := m.why_not(length):
            for call in (lambda k=length: m.condition_number(k), lambda n=names: estimate[n]):
                with pytest.raises(ValueError, match="length is") as refusal:
                    call()
                assert str(refusal.value) == why
        else:
            assert np.isfinite(estimate[names]).all()
            matrix = m.itemset_matrix(length)
            assert matrix.sum(axis=0) == pytest.approx(np.ones(matrix.shape[1]))
            assert m.condition_number(length) == pytest.approx(np.linalg.cond(matrix))
            assert len(m.itemset_labels(length)) == len(matrix)


def the_same_luck_gives_the_same_reports(m):
    records = data_of(m).records
    uniforms = m.uniforms(len(records), rng=1)
    assert uniforms.shape == (len(records), m.n_uniforms)
    first = m.perturb(records, uniforms=uniforms)
    assert (first == m.perturb(records, rng=1)).all()
    assert (first != m.perturb(records, rng=2)).any()


def the_chance_to_be_found_is_that_of_simulation(m):
    data = data_of(m)
    chance = m.chance_found(data.supports, len(data), 0.2)
    assert ((chance >= 0) & (chance <= 1) | np.isnan(chance)).all()
    lower = m.chance_found(data.supports, len(data), 0.1)
    assert (lower >= chance - 1e-12)[~np.isnan(chance)].all()
    rng = np.random.default_rng(9)
    runs = 300
    found = sum(m.estimate(m.perturb(data.records, rng)).array >= 0.2 for _ in range(runs)) / runs
    single = np.isfinite(chance) & (cube.all_marginals(np.ones(m.schema.sizes)) < m.schema.n_cells)
    # The law is known up to its shape: a twentieth, and the luck of so many runs.
    assert abs(found - chance)[single].max() < 0.05 + 4 * 0.5 / runs**0.5


def it_says_how_it_was_made(m):
    assert repr(m).startswith(f"{type(m).__name__}(<{m.schema.n_attributes} attributes")


LAWS = [
    the_matrix_is_markov_and_attains_the_amplification,
    reports_follow_the_matrix,
    estimates_are_unbiased_with_the_stated_deviation,
    estimates_are_means_over_reports_in_any_order_of_attributes,
    statistics_of_parts_add_up_to_that_of_the_whole,
    lengths_that_cannot_be_had_are_refused_and_missing,
    the_same_luck_gives_the_same_reports,
    the_chance_to_be_found_is_that_of_simulation,
    it_says_how_it_was_made,
]
