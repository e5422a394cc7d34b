"""Trials that are kept: they go on where they were, and only with the same data and schemes."""

import numpy as np
import pandas as pd
import pytest
from helpers import assert_refused

import frapp_lab as fl
from frapp_lab import scale as ex
from frapp_lab.scale import run_trials
from scale.small_surveys import CENSUS


def test_interrupted_trials_go_on_where_they_were(client, tmp_path):
    path = tmp_path / "kept.jsonl"
    settings = {"schemes": ["DET-GD", "C&P"], "trials": 60, "seed": 3}
    whole = run_trials(CENSUS, **settings)

    def stop(done, total):
        if done == 31:
            raise KeyboardInterrupt

    for each in (None, client):
        path.unlink(missing_ok=True)
        with pytest.raises(KeyboardInterrupt):
            run_trials(CENSUS, **settings, client=each, keep=path, progress=stop)
        with path.open("a") as file:
            file.write("[0, 32, [[1.0")  # as if the power had gone
        seen = []
        table = run_trials(
            CENSUS, **settings, client=each, keep=path, progress=lambda *p, s=seen: s.append(p[0])
        )
        assert seen == list(range(32, 121))
        pd.testing.assert_frame_equal(table, whole, check_exact=True)
    more = run_trials(CENSUS, schemes=["DET-GD", "C&P"], trials=62, seed=3, keep=path)
    assert len(more) == 2 * 6 * 62
    assert_refused(
        lambda: run_trials(CENSUS, schemes=["DET-GD"], trials=2, seed=3, keep=path),
        ["kept.jsonl", "these settings"],
    )


def test_a_file_of_something_else_is_left_alone(tmp_path):
    path = tmp_path / "letter.txt"
    for text in ("Dear all\n", "Dear all"):
        path.write_text(text)
        assert_refused(
            lambda: run_trials(CENSUS, ["DET-GD"], trials=1, keep=path), ["letter.txt", "new file"]
        )
        assert path.read_text() == text


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
