"""What theory predicts, beside simulation and beside integrals that are written apart from it."""

import math

import numpy as np
import pytest
from helpers import assert_refused
from scipy import integrate, stats

import frapp_lab as fl
from frapp_lab import scale as ex
from frapp_lab.mining.itemsets import frequent_arrays
from frapp_lab.mining.mining_run import ERRORS

CENSUS = fl.load_census()
SMALL = fl.Dataset.from_counts(
    fl.Schema.of_sizes(2, 3), np.array([[300, 120, 40], [200, 30, 310]]), "small"
)


@pytest.mark.parametrize("label", ["MASK", "IND-RR", "SMP"])  # SMP's model is wrong here
@pytest.mark.parametrize("threshold", [0.05, 0.2])
def test_predicted_errors_are_integrals_over_the_normal_law(label, threshold):
    m = fl.make_scheme(label, SMALL.schema, 19)
    predicted = fl.predicted_errors(SMALL, m, threshold)
    deviations, limit = m.standard_deviation(SMALL.supports, len(SMALL)), m.limit(SMALL.supports)
    for length in (1, 2):
        found, absolute, lost, invented, n_true = [], [], 0.0, 0.0, 0
        for names in SMALL.schema.subsets(length):
            cubes = SMALL.supports, limit, deviations
            for s, mean, sd in zip(*(cube[names].ravel() for cube in cubes), strict=True):
                law = stats.norm(mean, sd)
                reached = law.sf(threshold)
                if s < threshold:
                    invented += reached
                    continue
                n_true += 1
                lost += 1 - reached

                def error(x, s=s, law=law):
                    return abs(x - s) / s * law.pdf(x)

                low, high = mean - 9 * sd, mean + 9 * sd
                cut = max(low, threshold)
                absolute.append(integrate.quad(error, low, high, points=[s])[0])
                found.append((integrate.quad(error, cut, high, points=[s])[0], reached))
        errors = [
            sum(part for part, _ in found) / sum(chance for _, chance in found),
            np.mean(absolute),
            lost / n_true,
            invented / n_true,
        ]
        assert predicted.loc[length].to_numpy() == pytest.approx(100 * np.array(errors), rel=1e-6)


def test_where_nothing_is_frequent_there_is_no_error():
    table = fl.predicted_errors(SMALL, "DET-GD", 0.4)
    assert table.loc[2].isna().all()
    assert table.loc[1].notna().all()


def test_where_a_scheme_cannot_reconstruct_all_is_lost():
    m = fl.CutAndPaste.for_gamma(SMALL.schema, 19, 1)
    two = fl.predicted_errors(SMALL, m, 0.05).loc[2]
    assert two["false_negatives"] == 100
    assert two[["support_error", "support_error_all", "false_positives"]].isna().all()


def test_theory_predicts_the_simulation():
    """Every scheme, error and length: the mean of the trials lies about where theory says."""
    beside = ex.theory_beside_simulation(CENSUS, trials=100)
    trials = ex.run_trials(CENSUS, fl.schemes(), trials=100, prune=False)
    spread = trials.groupby(["scheme", "length"])[list(ERRORS)].std()
    checked = 0
    for row in beside.itertuples():
        if row.error == "support_error" or math.isnan(row.mean):
            continue  # a ratio of two random sums; see the next test
        standard_error = spread.loc[(row.scheme, row.length), row.error] / math.sqrt(row.trials)
        # Four standard errors, and one percent of the value: no law is exactly the assumed one.
        tolerance = 4 * standard_error + 0.01 * row.predicted
        assert abs(row.mean - row.predicted) <= tolerance, row
        checked += 1
    lengths = sum(fl.make_scheme(s, CENSUS.schema).max_length for s in fl.schemes())
    cannot = 6 * len(fl.schemes()) - lengths
    assert checked == 3 * lengths + cannot  # beyond its length a scheme only loses


def test_the_predicted_error_of_found_itemsets():
    """Pooled over the trials, the error over the itemsets found is a ratio of sums."""
    runs, m = 200, fl.GammaDiagonal(CENSUS.schema, 19)
    predicted = fl.predicted_errors(CENSUS, m, 0.02)["support_error"]
    n_true = np.bincount(frequent_arrays(CENSUS, 0.02).length)[1:]
    found, total = np.zeros((runs, 6)), np.zeros((runs, 6))
    for i in range(runs):
        errors = fl.mine(CENSUS, m, 0.02, rng=i, prune=False).errors
        found[i] = n_true * (1 - errors["false_negatives"] / 100)
        total[i] = errors["support_error"].fillna(0) * found[i]
    ratio = total.sum(axis=0) / found.sum(axis=0)
    # The delta method gives the standard error of a ratio of sums.
    standard_error = (total - ratio * found).std(axis=0) * math.sqrt(runs) / found.sum(axis=0)
    assert (abs(ratio - predicted) <= 4 * standard_error + 0.01 * predicted).all()


def test_records_needed_bring_the_error_down():
    m = fl.GammaDiagonal(CENSUS.schema, 19)
    n = fl.records_needed(CENSUS, m, 0.02, length=4, error=20)
    larger = fl.Dataset.from_counts(CENSUS.schema, CENSUS.counts * 10)
    now = fl.predicted_errors(CENSUS, m, 0.02)["support_error_all"][4]
    assert n == pytest.approx(len(CENSUS) * (now / 20) ** 2)
    later = fl.predicted_errors(larger, m, 0.02)["support_error_all"][4]
    assert later == pytest.approx(now / math.sqrt(10))
    cut = fl.CutAndPaste.for_gamma(CENSUS.schema, 19, 3)
    assert fl.records_needed(CENSUS, cut, 0.02, length=4, error=20) == math.inf


def test_no_number_of_records_takes_away_what_a_model_gets_wrong():
    counts = np.array([[300, 120, 200], [200, 60, 120]])  # nearly independent
    data = fl.Dataset.from_counts(fl.Schema.of_sizes(2, 3), counts)
    m = fl.make_scheme("SMP", data.schema, 19)
    truth, limit = data.supports["a1", "a2"], m.limit(data.supports)["a1", "a2"]
    floor = 100 * (abs(limit - truth) / truth).mean()
    for share in (0.1, 0.5, 0.999):
        assert fl.records_needed(data, m, 0.02, length=2, error=share * floor) == math.inf
    n = fl.records_needed(data, m, 0.02, length=2, error=1.05 * floor)
    many = fl.Dataset.from_counts(data.schema, counts * round(n / len(data)))
    error = fl.predicted_errors(many, m, 0.02)["support_error_all"][2]
    assert error == pytest.approx(1.05 * floor, rel=1e-2)


def test_no_error_can_be_brought_down_where_nothing_is_frequent():
    assert_refused(
        lambda: fl.records_needed(SMALL, "DET-GD", 0.4, length=2, error=10), ["length is 2"]
    )
    assert_refused(
        lambda: fl.records_needed(SMALL, "DET-GD", 0.1, length=1, error=0), ["error is 0"]
    )


def test_labels_and_mechanisms_are_predicted_alike():
    m = fl.Mask.for_gamma(SMALL.schema, 7)
    by_label = fl.predicted_errors(SMALL, "MASK", 0.1, gamma=7)
    np.testing.assert_array_equal(by_label, fl.predicted_errors(SMALL, m, 0.1))
    needed = [fl.records_needed(SMALL, who, 0.1, 1, 5, gamma=7) for who in ("MASK", m)]
    assert needed[0] == needed[1]
