"""The recommendation: its errors are those of trials, and it says what it knows."""

import math

import numpy as np
import pytest
from helpers import assert_refused

import frapp_lab as fl
from frapp_lab.data.cube import lengths
from frapp_lab.mechanisms.registry import forget

CENSUS = fl.load_census()


def test_the_winner_changes_with_gamma_and_records_and_lengths():
    def best(n, gamma=19.0, lengths=None):
        return fl.recommend(CENSUS, n, gamma, lengths).scheme

    assert best(5_000) == "SMP"
    assert best(50_000) == "PAIR"
    assert best(10**8) == "TRIPLE"
    assert best(50_000, lengths=[5, 6]) == "SS"
    assert best(50_000, gamma=1e5) == "DET-GD"  # and RAN-GD, with which it shares its law


def test_errors_are_those_of_trials():
    found = fl.recommend(CENSUS, len(CENSUS), 19, [2, 3], draws=20)
    truth = CENSUS.supports.array
    wanted = (truth >= 0.02) & np.isin(lengths(CENSUS.schema.sizes), [2, 3])
    for label in ("PAIR", "SMP", "OUE", "DET-GD"):
        m = fl.make_scheme(label, CENSUS.schema, 19)
        errors = []
        for seed in range(40):
            estimate = m.estimate_counts(m.perturb_counts(CENSUS.counts, seed)).array[wanted]
            errors.append(100 * (abs(estimate - truth[wanted]) / truth[wanted]).mean())
        spread = np.std(errors) * (1 / math.sqrt(40) + 1 / math.sqrt(20))
        row = found.table.loc[label]
        assert row["error"] == pytest.approx(np.mean(errors), abs=3 * spread)
        assert row["model_error"] <= row["error"]
    assert found.table["error"].is_monotonic_increasing
    assert found.error == found.table["error"].iloc[0]


def test_so_many_records_halve_the_error():
    for n, gamma, chosen in ((50_000, 19, "PAIR"), (50_000, 1000, "SS")):
        found = fl.recommend(CENSUS, n, gamma, [4])
        assert found.scheme == chosen
        again = fl.recommend(CENSUS, round(found.records_to_halve), gamma, [4]).table
        assert again.loc[chosen, "error"] == pytest.approx(found.error / 2, rel=0.1)
    assert fl.recommend(CENSUS, 5_000).records_to_halve == math.inf  # independence does not hold


def test_where_hardly_anything_is_told_the_number_of_records_is_huge_and_yet_found():
    halves = [fl.recommend(CENSUS, 50_000, 1 + excess) for excess in (1e-3, 1e-7)]
    assert [found.scheme for found in halves] == ["TRIPLE", "TRIPLE"]
    few, many = (found.records_to_halve for found in halves)
    assert many / few == pytest.approx(1e8, rel=0.02)  # the noise of a report goes with 1/(γ − 1)²
    assert f"{many:.3g} records would halve it" in halves[1].why


def test_it_says_why_and_what_it_leaks():
    found = fl.recommend(CENSUS, 50_000)
    for words in (
        "PAIR",
        "smallest predicted error",
        "in pairs",
        "records would halve it",
        "guesses",
    ):
        assert words in found.why
    assert str(found) == found.why
    assert found.blind < found.leak < 0.2


@pytest.mark.parametrize("gamma", [19, 1e5])  # at 1e5 DET-GD and RAN-GD are first together
def test_the_runner_up_is_the_next_smallest_error(gamma):
    found = fl.recommend(CENSUS, 50_000, gamma)
    behind = {s: e for s, e in found.table["error"].items() if e > found.error * (1 + 1e-6)}
    label = min(behind, key=behind.get)
    assert f"; {label} has {behind[label]:.3g} %." in found.why


def test_noise_is_what_the_model_does_not_explain():
    few, many = (fl.recommend(CENSUS, n, lengths=[2]).table for n in (10**5, 10**9))
    for label, row in (*few.iterrows(), *many.iterrows()):
        whole, model = row["error"] ** 2, row["model_error"] ** 2
        assert row["noise"] ** 2 == pytest.approx(max(whole - model, 0))
        assert (row["model_error"] > 0.01) == (label == "SMP")
    assert (many["noise"] < few["noise"][many.index] / 10).all()  # only the noise falls with N


def test_with_a_schema_alone_it_ranks_by_noise_and_says_so():
    found = fl.recommend(CENSUS.schema, 50_000)
    assert found.scheme == "SMP"
    assert "Nothing is known of the data" in found.why
    assert found.model_error == pytest.approx(0, abs=0.01)


def test_schemes_of_ones_own_are_asked_too():
    @fl.scheme("QUIET-GD")
    class Quiet(fl.GammaDiagonal):
        """It says that it has a thousandth of the noise."""

        def _deviation(self, supports, positions):
            return super()._deviation(supports, positions) / 1000

    try:
        assert fl.recommend(CENSUS, 50_000, 19).scheme == "QUIET-GD"
    finally:
        forget("QUIET-GD")


@pytest.mark.parametrize(
    ("call", "words"),
    [
        (lambda: fl.recommend(CENSUS, 1), ["n_records is 1"]),
        (lambda: fl.recommend(CENSUS, 100, 1), ["gamma is 1"]),
        (lambda: fl.recommend(CENSUS, 100, lengths=[7]), ["lengths is 7"]),
        (lambda: fl.recommend(CENSUS, 100, lengths=[6], min_support=0.9), ["no itemset"]),
    ],
)
def test_what_cannot_be_asked_is_refused(call, words):
    assert_refused(call, words)


def test_a_reference_is_a_data_set_or_a_schema():
    with pytest.raises(TypeError, match="reference is a list"):
        fl.recommend([1, 2], 100)
