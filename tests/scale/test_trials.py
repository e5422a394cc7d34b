"""Trials: each is a run of `mine`, always the same one; their summary; theory beside it."""

import math

import numpy as np
import pandas as pd
import pytest
from helpers import assert_refused
from scipy import stats

import frapp_lab as fl
from frapp_lab import scale as ex
from frapp_lab import scale as experiments
from frapp_lab.mining.mining_run import ERRORS
from frapp_lab.scale import add_theory, run_trials

CENSUS = fl.load_census()


def errors_of(frame):
    return frame[list(ERRORS)].to_numpy()


def test_trial_i_is_always_trial_i():
    few = ex.run_trials(CENSUS, ["DET-GD", "IND-RR"], trials=2, seed=4)
    more = ex.run_trials(CENSUS, ["IND-RR", "MASK", "DET-GD"], gammas=[5, 19], trials=3, seed=4)
    same = more[(more["gamma"] == 19) & (more["trial"] < 2)]
    for scheme in ("DET-GD", "IND-RR"):
        a, b = (errors_of(f[f["scheme"] == scheme]) for f in (few, same))
        assert np.array_equal(a, b, equal_nan=True)
    other = ex.run_trials(CENSUS, ["DET-GD"], trials=2, seed=5)
    assert not np.array_equal(errors_of(few[few["scheme"] == "DET-GD"]), errors_of(other))


def test_trials_are_runs_of_mine():
    found = ex.run_trials(CENSUS, ["RAN-GD"], alpha_shares=[0.25], trials=1, prune=False)
    assert found.columns[:7].tolist() == [
        "dataset", "scheme", "gamma", "alpha_share", "min_support", "trial", "length",
    ]  # fmt: skip
    assert found["length"].tolist() == [1, 2, 3, 4, 5, 6]
    assert found["alpha_share"].unique().tolist() == [0.25]


def test_the_summary_is_mean_and_quantiles_over_what_exists():
    trials = ex.run_trials(CENSUS, ["DET-GD", "C&P"], trials=7)
    summary = ex.summarise(trials)
    assert len(summary) == 2 * 6 * 4
    row = summary[
        (summary["scheme"] == "DET-GD")
        & (summary["length"] == 3)
        & (summary["error"] == "false_negatives")
    ].iloc[0]
    values = trials[(trials["scheme"] == "DET-GD") & (trials["length"] == 3)]["false_negatives"]
    assert row["mean"] == pytest.approx(values.mean())
    assert (row["low"], row["high"]) == pytest.approx(np.quantile(values, [0.05, 0.95]))
    assert row["trials"] == 7
    gone = summary[(summary["scheme"] == "C&P") & (summary["length"] == 5)]
    assert gone.set_index("error").loc["support_error", "trials"] == 0
    assert math.isnan(gone.set_index("error").loc["support_error", "mean"])


def test_progress_counts_every_trial():
    seen = []
    ex.run_trials(CENSUS, ["DET-GD"], gammas=[5, 19], trials=3, progress=lambda *p: seen.append(p))
    assert seen == [(i, 6) for i in range(1, 7)]


def test_ran_gd_and_det_gd_do_not_differ():
    # Draws of their own: on the same seed the two would share most of them.
    det, ran = (
        ex.run_trials(CENSUS, [scheme], trials=150, seed=seed, draw="records")
        for scheme, seed in (("DET-GD", 0), ("RAN-GD", 1))
    )
    for error in ERRORS:
        for length in range(1, 7):
            a, b = (trials[trials["length"] == length][error].dropna() for trials in (det, ran))
            if len(a) and len(b):
                # 24 comparisons at one chance in a thousand altogether.
                assert stats.ks_2samp(a, b).pvalue > 1e-3 / 24


@pytest.mark.parametrize(
    ("call", "words"),
    [
        (lambda: ex.run_trials(CENSUS, trials=0), ["trials is 0"]),
        (lambda: ex.run_trials(CENSUS, trials=1, seed=-1), ["seed is -1"]),
        (lambda: ex.run_trials([], trials=1), ["datasets is empty"]),
        (lambda: ex.run_trials(CENSUS, [], trials=1), ["schemes is empty"]),
        (lambda: ex.run_trials(CENSUS, ["GRR"], trials=1), ["'GRR'"]),
        (lambda: ex.run_trials(CENSUS, gammas=[1], trials=1), ["gamma is 1"]),
        (lambda: ex.run_trials(CENSUS, min_supports=[0], trials=1), ["min_support is 0"]),
        (lambda: fl.predicted_errors(CENSUS, fl.Mask(CENSUS.schema, 0.6), 0), ["min_support is 0"]),
        (
            lambda: fl.records_needed(CENSUS, fl.Mask(CENSUS.schema, 0.6), 0.02, 2, 0),
            ["error is 0", "above 0"],
        ),
        (
            lambda: fl.records_needed(CENSUS, fl.Mask(CENSUS.schema, 0.6), 0.95, 6, 5),
            ["length is 6", "no itemset"],
        ),
    ],
)
def test_bad_input_is_refused_in_words(call, words):
    assert_refused(call, words)


def test_an_unknown_way_to_draw_is_refused():
    assert_refused(
        lambda: run_trials(CENSUS, ["DET-GD"], trials=1, draw="clients"), ["draw is 'clients'"]
    )


def test_theory_is_added_where_pruning_does_not_matter(census, summary):
    known = summary.dropna(subset="predicted")
    assert set(known["error"]) == {"support_error_all"}
    for scheme, rows in known.groupby("scheme"):
        mechanism = fl.make_scheme(scheme, census.schema, 19)
        exact = fl.predicted_errors(census, mechanism, 0.02).support_error_all.dropna()
        assert rows["predicted"].tolist() == exact.tolist()


def test_theory_is_that_of_each_rows_own_setting(census):
    trials = experiments.run_trials(
        census, ["DET-GD", "RAN-GD"], [19, 100], [0.5, 1], [0.02, 0.05], trials=1
    )
    table = add_theory(experiments.summarise(trials), census)
    known = table[table["error"] == "support_error_all"]
    for (gamma, min_support), rows in known.groupby(["gamma", "min_support"]):
        mechanism = fl.GammaDiagonal(census.schema, gamma)  # RAN-GD has its law
        exact = fl.predicted_errors(census, mechanism, min_support).support_error_all
        assert rows["predicted"].to_numpy() == pytest.approx(
            exact[rows["length"]].to_numpy(), nan_ok=True
        )
        assert len(rows) == 18


def test_theory_knows_all_errors_of_trials_without_pruning(census):
    beside = experiments.theory_beside_simulation(census, ["MASK"], 5, 0.05, trials=1)
    mask = fl.Mask.for_gamma(census.schema, 5)
    exact = fl.predicted_errors(census, mask, 0.05)
    for row in beside.itertuples():
        assert row.predicted == pytest.approx(exact.loc[row.length, row.error], nan_ok=True)
    assert set(beside["gamma"]) == {5}
    assert set(beside["min_support"]) == {0.05}


def test_pruning_does_not_change_the_error_over_all_frequent_itemsets(census):
    pruned, whole = (
        experiments.run_trials(census, ["DET-GD", "MASK"], trials=2, prune=prune)
        for prune in (True, False)
    )
    pd.testing.assert_series_equal(pruned["support_error_all"], whole["support_error_all"])
    assert not pruned["false_positives"].equals(whole["false_positives"])
