"""A cluster: the same numbers on two workers, and after a loss."""

import itertools
import json
import os
import signal
import subprocess
import sys
import time

import numpy as np
import pandas as pd
import pytest
from helpers import assert_refused, require

import frapp_lab as fl
from frapp_lab import scale
from frapp_lab.scale import cluster as spread
from frapp_lab.scale import run_trials
from scale.small_surveys import CENSUS, N_FILES, SCHEMA, SEED, by_hand, csv_files


@pytest.mark.parametrize("scheme", fl.schemes(paper=True))
def test_a_million_records_give_the_same_statistic_here_and_on_two_workers(scheme, survey, client):
    m = fl.make_scheme(scheme, SCHEMA, 19)
    here = scale.collect(survey, m, SEED)
    parts = [fl.Dataset.from_parquet(path, SCHEMA).records for path in survey]
    np.testing.assert_array_equal(here, by_hand(m, parts))
    np.testing.assert_array_equal(scale.collect(survey, m, SEED, client=client), here)
    estimate = m.estimate_statistic(here)
    z = estimate["age"] - CENSUS.supports["age"]
    deviation = m.standard_deviation(CENSUS.supports, 10**6)["age"]
    assert abs(z).max() < 6 * np.hypot(deviation, 0.5 / 10**3).max()  # and the survey's own luck


def test_a_dask_dataframe_is_a_survey_too(client):
    import dask.dataframe

    frame = CENSUS.to_frame().astype(str)
    table = dask.dataframe.from_pandas(frame, npartitions=3, sort=False)
    m = fl.make_scheme("MASK", SCHEMA, 19)
    ends = [0, *np.cumsum([len(part) for part in table.partitions])]
    parts = [CENSUS.records[a:b] for a, b in itertools.pairwise(ends)]
    wanted = by_hand(m, parts)
    np.testing.assert_array_equal(scale.collect(table, m, SEED), wanted)
    np.testing.assert_array_equal(scale.collect(table, m, SEED, client=client), wanted)
    with pytest.warns(UserWarning, match="every record"):
        assert scale.find_schema(table, client).names == SCHEMA.names
    assert_refused(
        lambda: scale.collect(table.drop(columns="sex"), m), ["partition 0", "no column 'sex'"]
    )
    assert_refused(lambda: scale.collect(table[table["sex"] == "?"], m), ["no rows"])


class Noted(fl.GammaDiagonal):
    """DET-GD that notes every statistic, and kills its worker after noting the first one."""

    def __init__(self, schema, gamma, folder):
        super().__init__(schema, gamma)
        self.folder = folder

    def statistic(self, perturbed):
        statistic = super().statistic(perturbed)
        runs = len(list(self.folder.iterdir()))
        np.save(self.folder / f"{os.getpid()}-{runs}-{os.urandom(4).hex()}", statistic)
        try:
            (self.folder / "killed.npy").touch(exist_ok=False)
        except FileExistsError:
            return statistic
        os.kill(os.getpid(), signal.SIGKILL)


def test_a_part_that_runs_again_after_its_worker_was_killed_repeats_its_reports(
    survey, client, tmp_path
):
    """With fresh noise it would be a second report on the same people: see the next test."""
    import cloudpickle

    cloudpickle.register_pickle_by_value(sys.modules[__name__])
    here = scale.collect(survey, fl.GammaDiagonal(SCHEMA, 19), SEED)
    pids = set(client.run(os.getpid).values())
    there = scale.collect(survey, Noted(SCHEMA, 19, tmp_path), SEED, client=client)
    np.testing.assert_array_equal(there, here)
    (tmp_path / "killed.npy").unlink()
    noted = [np.load(path) for path in tmp_path.iterdir()]
    assert set(client.run(os.getpid).values()) != pids  # one of them is gone
    assert len(noted) > N_FILES  # at least one part ran twice
    assert (
        len({statistic.tobytes() for statistic in noted}) == N_FILES
    )  # with one and the same noise


def test_a_retry_with_fresh_noise_would_tell_up_to_gamma_squared():
    one = fl.GammaDiagonal(fl.Schema.of_sizes(2, 3), 19).matrix()
    two = np.stack([np.kron(column, column) for column in one.T], axis=1)  # two fresh reports
    repeated = np.stack([np.diag(column).ravel() for column in one.T], axis=1)  # the same one twice
    assert fl.amplification(two) == pytest.approx(19**2)
    assert fl.amplification(repeated[repeated.any(axis=1)]) == pytest.approx(19)


def broken(folder, how):
    """A survey of which one file is broken."""
    paths = scale.resample(CENSUS, folder, 6000, 60)
    bad = paths[57]
    frame = pd.read_parquet(bad).astype(str)
    if how == "category":
        frame.loc[41, "sex"] = "unknown"
    if how == "missing value":
        frame.loc[41, "sex"] = None
    if how == "column":
        frame = frame.drop(columns="race")
    frame.to_parquet(bad, index=False)
    if how == "truncated":
        bad.write_bytes(bad.read_bytes()[:-200])
    if how == "empty":
        frame[:0].to_parquet(bad, index=False)
    if how == "gone":
        bad.unlink()
    return paths


BROKEN = {
    "category": ["part-00057.parquet", "'sex'", "row 41", "'unknown'", "Female, Male"],
    "missing value": ["part-00057.parquet", "'sex'", "row 41", "missing"],
    "column": ["part-00057.parquet", "no column 'race'", "age"],
    "truncated": ["part-00057.parquet"],
    "empty": ["part-00057.parquet", "no row"],
    "gone": ["part-00057.parquet", "no such file"],
}


@pytest.mark.parametrize("how", BROKEN)
def test_a_broken_file_is_named_and_the_cluster_stays_usable(how, client, tmp_path):
    paths, m = broken(tmp_path, how), fl.make_scheme("DET-GD", SCHEMA, 19)
    for each in (None, client):
        assert_refused(lambda c=each: scale.collect(paths, m, client=c), BROKEN[how])
    good = paths[:5]
    np.testing.assert_array_equal(scale.collect(good, m, client=client), scale.collect(good, m))


def test_a_scheduler_that_cannot_be_reached_is_named():
    require("distributed")
    words = ["scheduler is 'tcp://127.0.0.1:1'", "cannot be reached", "8786"]
    assert_refused(lambda: spread.cluster(scheduler="tcp://127.0.0.1:1").__enter__(), words)
    assert_refused(lambda: spread.cluster(scheduler="nonsense://x").__enter__(), ["nonsense"])
    assert_refused(lambda: spread.cluster(workers=0).__enter__(), ["workers is 0"])
    assert_refused(lambda: spread.cluster(2, "tcp://a:1").__enter__(), ["give one of them"])


def test_what_is_no_client_is_refused(tmp_path):
    require("distributed")
    folder, m = csv_files(tmp_path), fl.make_scheme("DET-GD", SCHEMA, 19)
    for call in (
        lambda: scale.collect(folder, m, client=5),
        lambda: run_trials(CENSUS, ["DET-GD"], trials=1, client="tcp://a:1"),
    ):
        with pytest.raises(TypeError, match=r"client is .*: it must be a dask.distributed.Client"):
            call()


@pytest.fixture
def scheduler(tmp_path):
    """A scheduler and a worker in processes of their own: the first of them, and its address."""
    require("distributed")
    known, started = tmp_path / "scheduler.json", []

    def start(name, *arguments):
        command = [sys.executable, "-m", f"distributed.cli.{name}", "--no-dashboard", *arguments]
        started.append(subprocess.Popen(command, stderr=subprocess.DEVNULL))

    try:
        start("dask_scheduler", "--port", "0", "--scheduler-file", str(known))
        start("dask_worker", "--scheduler-file", str(known), "--no-nanny", "--nthreads", "1")
        while not known.exists() or not known.read_text().endswith("}"):
            assert started[0].poll() is None
            time.sleep(0.1)
        yield started[0], json.loads(known.read_text())["address"]
    finally:
        for process in started:
            process.kill()
            process.wait()


def test_a_lost_scheduler_is_named(scheduler, tmp_path):
    process, address = scheduler
    folder, m = csv_files(tmp_path, n_files=20), fl.make_scheme("DET-GD", SCHEMA, 19)

    def kill(done, total):
        process.kill()

    with spread.cluster(scheduler=address) as client:
        assert_refused(
            lambda: scale.collect(folder, m, client=client, progress=kill), ["scheduler was lost"]
        )


def test_the_library_does_not_load_dask():
    code = (
        "import sys, frapp_lab, frapp_lab.scale, frapp_lab.__main__\n"
        "print({'dask', 'distributed'} & set(sys.modules))"
    )
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert run.stdout.strip() == "set()"


def test_trials_on_two_workers_are_the_same_table(client):
    settings = {"gammas": [5, 19], "trials": 30, "seed": 3}
    here = run_trials(CENSUS, **settings)
    seen = []
    there = run_trials(CENSUS, **settings, client=client, progress=lambda *p: seen.append(p))
    pd.testing.assert_frame_equal(here, there, check_exact=True)
    assert seen == [(i, 240) for i in range(1, 241)]
