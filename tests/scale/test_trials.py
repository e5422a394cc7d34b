import math
import sys

import numpy as np
import pandas as pd
import pytest
from helpers import assert_refused
from helpers import experiments as main
from scipy import stats

import frapp_lab as fl
from frapp_lab import scale as ex
from frapp_lab.mining.mining_run import ERRORS

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


# --- trials that are kept ---

TINY = fl.Schema.of_sizes(2, 3)


def tiny(*counts):
    return fl.Dataset.from_counts(TINY, np.reshape(counts, (2, 3)))


def matrices():
    """Two matrices of one γ, one schema and one repr."""
    rows = np.random.default_rng(0).uniform(1, 3, (6, 6))
    made = [fl.MatrixMechanism(TINY, a / a.sum(axis=0)) for a in (rows, rows[:, ::-1])]
    assert repr(made[0]) == repr(made[1])
    assert made[0].amplification == made[1].amplification
    return made


KEPT = {
    "data": [(tiny(9, 1, 1, 1, 1, 9), "DET-GD"), (tiny(1, 9, 9, 1, 1, 1), "DET-GD")],
    "the order of records": [
        (fl.Dataset(TINY, [[0, 0], [1, 2]]), "DET-GD"),
        (fl.Dataset(TINY, [[1, 2], [0, 0]]), "DET-GD"),
    ],
    "matrix": [(tiny(9, 1, 1, 1, 1, 9), m) for m in matrices()],
    "a function": [
        (tiny(9, 1, 1, 1, 1, 9), fl.RandomizedGammaDiagonal(TINY, 19, 0.01, quantile))
        for quantile in (lambda u: 2 * u - 1, lambda u: 1 - 2 * u)
    ],
}


@pytest.mark.parametrize("differs", KEPT)
def test_kept_trials_are_those_of_the_same_data_and_mechanism(differs, tmp_path):
    (data, scheme), (other, another) = KEPT[differs]
    keep = tmp_path / "kept.jsonl"
    first = ex.run_trials(data, [scheme], trials=2, draw="records", keep=keep)
    again = ex.run_trials(data, [scheme], trials=2, draw="records", keep=keep)
    pd.testing.assert_frame_equal(first, again, check_exact=True)
    assert_refused(
        lambda: ex.run_trials(other, [another], trials=2, draw="records", keep=keep),
        ["kept.jsonl", "these settings"],
    )


def test_what_a_mechanism_found_out_meanwhile_does_not_matter(tmp_path):
    keep, data = tmp_path / "kept.jsonl", tiny(9, 1, 1, 1, 1, 9)
    m, same = matrices()[0], matrices()[0]
    ex.run_trials(data, [m], trials=2, keep=keep)
    assert vars(m).keys() > vars(same).keys()
    size = keep.stat().st_size
    for mechanism in (m, same):
        ex.run_trials(data, [mechanism], trials=2, keep=keep)
    assert keep.stat().st_size == size


@pytest.mark.parametrize(
    "line",
    ["5", "[]", "[0, 0]", "[0, 0, 5]", "[0, 0, [[1.0]]]", "[1, 0, [[0, 0, 0, 0], [0, 0, 0, 0]]]",
     "[-1, 0, [[0, 0, 0, 0], [0, 0, 0, 0]]]", '[0, "0", [[0, 0, 0, 0], [0, 0, 0, 0]]]',
     "[0, 0, [[0, 0, 0, 0], [0]]]", '{"0": 0}', "null"],
)  # fmt: skip
def test_a_kept_line_that_is_no_trial_is_named(line, tmp_path):
    keep, data = tmp_path / "kept.jsonl", tiny(9, 1, 1, 1, 1, 9)
    ex.run_trials(data, ["DET-GD"], trials=1, keep=keep)
    with keep.open("a") as file:
        file.write(line + "\n")
    assert_refused(
        lambda: ex.run_trials(data, ["DET-GD"], trials=1, keep=keep),
        ["kept.jsonl, line 3", "no trial of these settings"],
    )


# --- the command line ---


def test_the_command_line_writes_what_the_notebooks_show(tmp_path, capsys):
    out = tmp_path / "results.csv"
    assert main(["census", "--trials", "3", "--schemes", "DET-GD", "MASK", "--out", str(out)]) == 0
    wanted = ex.summarise(ex.run_trials(CENSUS, ["DET-GD", "MASK"], trials=3))
    pd.testing.assert_frame_equal(pd.read_csv(out), wanted, check_dtype=False, rtol=1e-5)
    said = capsys.readouterr()
    assert "48 rows" in said.out
    assert "trials 6/6" in said.err
    assert [path.name for path in tmp_path.iterdir()] == ["results.csv"]


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["census", "--trials", "0"], "trials is 0"),
        (["census", "--schemes", "FOO"], "'FOO' is not known"),
        (["census", "--min-support", "2"], "min_support is 2"),
        (["census", "--gamma", "0.5"], "gamma is 0.5"),
        (["health", "--health-file", "no such file"], "No such file"),
        (["census", "--health-file", "some file"], "goes with the data set health"),
        (["elsewhere"], "invalid choice"),
    ],
)
def test_bad_arguments_are_named_and_nothing_is_written(tmp_path, capsys, arguments, words):
    out = tmp_path / "results.csv"
    with pytest.raises(SystemExit) as stop:
        main([*arguments, "--out", str(out)])
    assert stop.value.code == 2
    assert words in capsys.readouterr().err
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize(
    ("name", "text", "words"),
    [
        ("own.py", "import frapp_lab as fl\n1 +\n", ["own.py", "SyntaxError", "line 2"]),
        ("own.py", "nonsense\n", ["own.py", "NameError: name 'nonsense'"]),
        ("own.py", "raise SystemExit(3)\n", ["own.py", "SystemExit: 3"]),
        ("own.py", "import no_such_module\n", ["own.py", "no_such_module"]),
        ("json.py", "", ["json.py", "module json already", "another name"]),
        ("numpy.py", "", ["numpy.py", "module numpy already"]),
        ("this.py", "", ["this.py", "module this already"]),  # Python's own, not yet loaded
    ],
)
def test_a_file_of_schemes_that_cannot_be_used_is_named(tmp_path, capsys, name, text, words):
    path, before = tmp_path / name, dict(sys.modules)
    path.write_text(text)
    with pytest.raises(SystemExit) as stop:
        main(["census", "--trials", "1", "--use", str(path), "--out", str(tmp_path / "a.csv")])
    assert stop.value.code == 2
    said = " ".join(capsys.readouterr().err.split())
    for word in words:
        assert word in said
    assert sys.modules.get(path.stem) is before.get(path.stem)


def test_a_place_that_cannot_be_written_is_found_before_the_trials(tmp_path, capsys):
    for out, words in ((tmp_path / "nowhere" / "a.csv", "no folder"), (tmp_path, "is a folder")):
        with pytest.raises(SystemExit):
            main(["census", "--out", str(out)])
        assert words in capsys.readouterr().err


def test_an_interrupt_leaves_the_old_file_alone(tmp_path, monkeypatch, capsys):
    out = tmp_path / "results.csv"
    out.write_text("old")

    def interrupted(*_, **__):
        raise KeyboardInterrupt

    monkeypatch.setattr("frapp_lab.course.commands.experiments.run_trials", interrupted)
    assert main(["census", "--out", str(out)]) == 130
    assert "nothing was written" in capsys.readouterr().err
    monkeypatch.undo()
    monkeypatch.setattr(pd.DataFrame, "to_csv", interrupted)
    assert main(["census", "--trials", "1", "--schemes", "DET-GD", "--out", str(out)]) == 130
    assert out.read_text() == "old"
    assert [path.name for path in tmp_path.iterdir()] == ["results.csv"]
