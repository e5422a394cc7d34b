"""Surveys in many files: the same numbers in memory, in a loop, on a cluster, and after a loss."""

import itertools
import json
import os
import re
import signal
import subprocess
import sys
import threading
import time
import warnings

import numpy as np
import pandas as pd
import pytest
from helpers import assert_refused, require

import frapp_lab as fl
from frapp_lab import scale
from frapp_lab.__main__ import main
from frapp_lab.data import files
from frapp_lab.mechanisms.counting import draw_statistic
from frapp_lab.mechanisms.registry import forget
from frapp_lab.mining.mining_run import judge
from frapp_lab.scale import cluster as spread
from frapp_lab.scale import run_trials

CENSUS = fl.load_census()
SCHEMA = CENSUS.schema
SEED = 7
N_FILES = 20


@pytest.fixture(scope="module")
def survey(tmp_path_factory):
    """A million CENSUS-like records, as category names."""
    require("pyarrow")
    return scale.resample(CENSUS, tmp_path_factory.mktemp("survey"), 10**6, N_FILES)


@pytest.fixture(scope="module")
def client():
    require("distributed")
    with spread.cluster(workers=2) as client:
        yield client


def csv_files(folder, n_files=3, rows=400):
    for i in range(n_files):
        frame = CENSUS.to_frame()[i * rows : (i + 1) * rows]
        frame.to_csv(folder / f"part-{i}.csv", index=False)
    return folder


def by_hand(mechanism, parts, seed=SEED):
    """The statistic of all reports, in memory: part i has the luck of partition i."""
    reports = [mechanism.perturb(records, seed, i) for i, records in enumerate(parts)]
    return mechanism.statistic(np.concatenate(reports))


# --- one code everywhere ---


@pytest.mark.parametrize("scheme", fl.schemes())
def test_a_survey_of_one_file_is_what_mine_does(scheme, tmp_path):
    CENSUS.to_frame().to_csv(tmp_path / "census.csv", index=False)
    m = fl.make_scheme(scheme, SCHEMA, 19)
    estimate = m.estimate_statistic(scale.collect(tmp_path / "census.csv", m, SEED))
    run = fl.mine(CENSUS, m, 0.02, rng=SEED)
    np.testing.assert_array_equal(estimate.array, run.estimates)
    found = fl.frequent_itemsets(estimate, 0.02, prune=True)
    pd.testing.assert_frame_equal(found, run.itemsets)


@pytest.mark.parametrize("scheme", fl.schemes())
def test_files_add_up(scheme, tmp_path):
    m = fl.make_scheme(scheme, SCHEMA, 19)
    parts = [CENSUS.records[i * 400 : (i + 1) * 400] for i in range(3)]
    np.testing.assert_array_equal(scale.collect(csv_files(tmp_path), m, SEED), by_hand(m, parts))


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


def test_a_file_larger_than_a_piece_is_read_and_perturbed_in_pieces(tmp_path, monkeypatch):
    monkeypatch.setattr(files, "PIECE", 500)
    folder = csv_files(tmp_path, n_files=2, rows=1200)
    m = fl.make_scheme("RAN-GD", SCHEMA, 19)
    wanted = drawn = 0
    for number in range(2):
        for piece, first in enumerate((0, 500, 1000)):
            records = CENSUS.records[number * 1200 :][first : min(first + 500, 1200)]
            luck = number + (piece << 32)
            wanted += m.statistic(m.perturb(records, SEED, luck))
            drawn += draw_statistic(m, SCHEMA.counts(records), SEED, luck)
    np.testing.assert_array_equal(scale.collect(folder, m, SEED), wanted)
    np.testing.assert_array_equal(scale.collect(folder, m, SEED, draw="counts"), drawn)


def test_pieces_of_a_parquet_file_hold_all_rows_in_order(survey, monkeypatch):
    monkeypatch.setattr(files, "PIECE", 20_001)
    found = list(files.pieces(survey[0], SCHEMA.names))
    assert [first for first, _ in found] == [0, 20_001, 40_002]
    together = pd.concat([frame.astype(str) for _, frame in found], ignore_index=True)
    pd.testing.assert_frame_equal(together, pd.read_parquet(survey[0]).astype(str))


def test_texts_stay_as_they_stand_in_a_csv_file(tmp_path, monkeypatch):
    monkeypatch.setattr(files, "PIECE", 2)
    path = tmp_path / "some.csv"
    path.write_text("year,answer\n07,NA\n7,1\n10,1.0\n10,true\n")
    found = [
        value for _, frame in files.pieces(path, ["answer", "year"]) for value in frame["year"]
    ]
    assert found == ["07", "7", "10", "10"]
    with pytest.warns(UserWarning, match="every record"):
        schema = scale.find_schema(path)
    assert schema == fl.Schema.of(year=["07", "10", "7"], answer=["1", "1.0", "NA", "true"])
    assert fl.Dataset.from_csv(path).schema == schema


def test_codes_and_category_names_are_the_same_survey(tmp_path):
    require("pyarrow")
    by_name = scale.resample(CENSUS, tmp_path / "names", 5000, 3)
    by_code = scale.resample(CENSUS, tmp_path / "codes", 5000, 3, codes=True)
    m = fl.make_scheme("DET-GD", SCHEMA, 19)
    first, second = scale.collect(by_name, m), scale.collect(by_code, m, codes=True)
    assert first.sum() == 5000
    np.testing.assert_array_equal(first, second)
    for path in by_code:
        pd.read_parquet(path).to_csv(path.with_suffix(".csv"), index=False)
    texts = [path.with_suffix(".csv") for path in by_code]
    np.testing.assert_array_equal(scale.collect(texts, m, codes=True), first)
    number = by_code[1]
    pd.read_parquet(number).replace({"sex": {1: 2}}).to_parquet(number, index=False)
    words = [number.name, "'sex'", "the code 2", "0 to 1"]
    assert_refused(lambda: scale.collect(by_code, m, codes=True), words)


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


def test_drawn_counts_are_another_luck_of_the_same_partition(tmp_path):
    folder = csv_files(tmp_path)
    m = fl.make_scheme("DET-GD", SCHEMA, 19)
    first, again = (scale.collect(folder, m, SEED, draw="counts") for _ in range(2))
    np.testing.assert_array_equal(first, again)
    counts = [SCHEMA.counts(CENSUS.records[i * 400 : (i + 1) * 400]) for i in range(3)]
    wanted = sum(draw_statistic(m, each, SEED, i) for i, each in enumerate(counts))
    np.testing.assert_array_equal(first, wanted)
    assert (first != scale.collect(folder, m, SEED)).any()
    trial = run_trials(CENSUS, ["DET-GD"], trials=1, seed=SEED)
    estimate = m.estimate_statistic(draw_statistic(m, CENSUS.counts, (SEED, 0)))
    pd.testing.assert_series_equal(
        judge(CENSUS, estimate.array, 0.02).errors["support_error"].reset_index(drop=True),
        trial["support_error"],
    )


def test_progress_counts_every_part(tmp_path):
    seen = []
    m = fl.make_scheme("DET-GD", SCHEMA, 19)
    scale.collect(csv_files(tmp_path), m, progress=lambda *p: seen.append(p))
    assert seen == [(1, 3), (2, 3), (3, 3)]


# --- retries ---


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


# --- the schema ---


def test_the_schema_can_be_found_and_says_that_it_looked(tmp_path):
    folder = csv_files(tmp_path)
    with pytest.warns(UserWarning, match="looking at every record, unperturbed"):
        found = scale.find_schema(folder)
    seen = CENSUS.to_frame()[:1200].astype(str)
    assert found == fl.Dataset.from_frame(seen).schema


def test_categories_are_judged_by_the_rows_of_all_files(tmp_path):
    values = [f"town {i:02d}" for i in range(60)]
    for i in range(2):  # each value once in a file, and twice in all: so it is no name
        pd.DataFrame({"town": values}).to_csv(tmp_path / f"part-{i}.csv", index=False)
    with pytest.warns(UserWarning, match="every record"):
        assert scale.find_schema(tmp_path) == fl.Schema.of(town=values)


def test_a_column_of_names_is_refused_before_all_are_held(tmp_path):
    frame = pd.DataFrame({"name": [f"person {i}" for i in range(3000)]})
    frame.to_csv(tmp_path / "people.csv", index=False)
    with pytest.warns(UserWarning, match="every record"):
        assert_refused(
            lambda: scale.find_schema(tmp_path), ["people.csv", "'name'", "different values"]
        )


def test_files_of_different_columns_are_no_survey(tmp_path):
    folder = csv_files(tmp_path)
    CENSUS.to_frame()[:5].drop(columns="sex").to_csv(folder / "part-9.csv", index=False)
    with pytest.warns(UserWarning, match="every record"):
        assert_refused(lambda: scale.find_schema(folder), ["part-9.csv", "same columns"])


def test_data_that_fit_into_memory_are_read_as_they_are(tmp_path):
    require("pyarrow")
    frame = CENSUS.to_frame()[:300]
    frame.to_csv(tmp_path / "some.csv", index=False)
    frame.to_parquet(tmp_path / "some.parquet")
    for read, name in (
        (fl.Dataset.from_csv, "some.csv"),
        (fl.Dataset.from_parquet, "some.parquet"),
    ):
        np.testing.assert_array_equal(read(tmp_path / name, SCHEMA).records, CENSUS.records[:300])
        assert len(read(tmp_path / name)) == 300
        some = SCHEMA.subset(["sex", "age"])
        np.testing.assert_array_equal(
            read(tmp_path / name, some).records, CENSUS.records[:300, SCHEMA.positions(some.names)]
        )
        assert_refused(lambda r=read: r(tmp_path / "none.csv"), ["none.csv", "no such file"])
        (tmp_path / "bad.csv").write_bytes(b"")
        assert_refused(lambda r=read: r(tmp_path / "bad.csv"), ["bad.csv"])


# --- bad input ---


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


def test_a_broken_csv_file_is_named_with_its_row(tmp_path, monkeypatch):
    monkeypatch.setattr(files, "PIECE", 100)
    m = fl.make_scheme("DET-GD", SCHEMA, 19)
    path = csv_files(tmp_path, n_files=1) / "part-0.csv"
    lines = path.read_text().splitlines(keepends=True)
    for broken_line, words in (
        (
            lines[351].replace("Male", "Unknown").replace("Female", "Unknown"),
            ["row 350", "known are"],
        ),
        (lines[351].rsplit(",", 1)[0] + "\n", ["row 350", "missing"]),
        (lines[351].replace("\n", ",more\n"), ["line 352"]),
    ):
        path.write_text("".join([*lines[:351], broken_line, *lines[352:]]))
        assert_refused(lambda: scale.collect(path, m), ["part-0.csv", *words])
    codes = pd.DataFrame(CENSUS.records[:400].astype(int), columns=SCHEMA.names)
    codes.loc[350, "sex"] = 2
    codes.to_csv(path, index=False)
    assert_refused(
        lambda: scale.collect(path, m, codes=True), ["part-0.csv", "row 350", "'sex'", "0, 1"]
    )


@pytest.mark.parametrize(
    ("call", "words"),
    [
        (lambda m, here: scale.collect(here, m), ["no file in this folder"]),
        (lambda m, here: scale.collect([], m), ["source is empty"]),
        (lambda m, here: scale.collect([here, here], m), ["more than once", "γ²"]),
        (lambda m, here: scale.collect(here / "a.txt", m), ["a.txt", "must end in"]),
        (lambda m, here: scale.collect(here / "a.csv", m), ["a.csv", "no such file"]),
        (lambda m, here: scale.collect(here / "a.csv", m, -1), ["rng is -1"]),
        (lambda m, here: scale.collect(here / "a.csv", m, draw="clients"), ["draw is 'clients'"]),
        (lambda m, here: scale.resample(CENSUS, here, 5, 6), ["n_files is 6", "from 1 to 5"]),
    ],
)
def test_odd_surveys_are_refused_in_words(call, words, tmp_path):
    assert_refused(lambda: call(fl.make_scheme("DET-GD", SCHEMA, 19), tmp_path), words)


def odd_names(folder):
    """Files of 400 people each, and other names for the first of them."""
    csv_files(folder, n_files=2)
    first = folder / "part-0.csv"
    (folder / "link.csv").symlink_to(first)
    os.link(first, folder / "hard.csv")
    pd.read_csv(first).to_csv(folder / "part-0.csv.gz", index=False)
    (folder / "down").mkdir()
    return first


@pytest.mark.parametrize(
    "other",
    ["part-0.csv", "down/../part-0.csv", "link.csv", "hard.csv", "part-0.csv.gz", "absolute"],
)
def test_a_file_under_two_names_is_counted_once_or_not_at_all(other, tmp_path, monkeypatch):
    first = odd_names(tmp_path)
    monkeypatch.chdir(tmp_path)
    m = fl.make_scheme("DET-GD", SCHEMA, 19)
    assert scale.collect(["part-0.csv", "part-1.csv"], m).sum() == 800
    other = str(first) if other == "absolute" else other
    assert_refused(
        lambda: scale.collect(["part-0.csv", "part-1.csv", other], m),
        ["part-0.csv", other, "more than once", "γ²"],
    )


@pytest.mark.parametrize("other", ["link.csv", "hard.csv", "part-0.csv.gz", "part-0.CSV"])
def test_a_folder_that_holds_a_file_twice_is_refused(other, tmp_path):
    odd_names(tmp_path)
    (tmp_path / "part-0.CSV").write_text((tmp_path / "part-0.csv").read_text())
    for name in {"link.csv", "hard.csv", "part-0.csv.gz", "part-0.CSV"} - {other}:
        (tmp_path / name).unlink()
    m = fl.make_scheme("DET-GD", SCHEMA, 19)
    assert_refused(lambda: scale.collect(tmp_path, m), ["part-0.csv", other, "more than once"])


def test_no_file_of_a_folder_is_passed_over_without_a_word(tmp_path):
    folder, m = csv_files(tmp_path), fl.make_scheme("DET-GD", SCHEMA, 19)
    (folder / "part-0.csv").rename(folder / "PART-0.CSV")
    assert scale.collect(folder, m).sum() == 1200
    (folder / "part-1.csv").rename(folder / ".part-1.csv")
    with pytest.warns(UserWarning, match=r"hidden.*: \.part-1\.csv"):
        assert scale.collect(folder, m).sum() == 800


def test_an_older_survey_is_not_mixed_with_a_new_one(tmp_path):
    require("pyarrow")
    old = scale.resample(CENSUS, tmp_path, 50, 3)
    assert_refused(
        lambda: scale.resample(CENSUS, tmp_path, 50, 2), ["folder is", "part-00000.parquet"]
    )
    assert sorted(tmp_path.iterdir()) == old


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("a,b\nx,y,x\ny,x,y\n", ["rows hold 3 values", "2 names (a, b)"]),
        ("a,b\nx,y,x,y\n", ["rows hold 4 values", "2 names (a, b)"]),
        ("a,b\nx,y,\ny,x,\n", ["rows hold 3 values", "2 names (a, b)"]),
        ("a,b,a\nx,x,y\ny,y,x\n", ["'a' is there 2 times", "rename"]),
        ("a,b\n", ["no row"]),
    ],
)
def test_a_csv_file_whose_values_have_no_column_of_their_own_is_refused(text, words, tmp_path):
    path, schema = tmp_path / "odd.csv", fl.Schema.of(a=["x", "y"], b=["x", "y"])
    path.write_text(text)
    for read in (
        lambda: fl.Dataset.from_csv(path),
        lambda: fl.Dataset.from_csv(path, schema),
        lambda: scale.collect(path, fl.make_scheme("DET-GD", schema, 19)),
        lambda: scale.find_schema(path),
    ):
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            assert_refused(read, ["odd.csv", *words])


def test_repeated_and_nameless_columns_that_nobody_asks_for_are_ignored(tmp_path):
    path, schema = tmp_path / "odd.csv", fl.Schema.of(a=["x", "y"])
    path.write_text("b,a,b,,\n1,x,2,3,4\n1,y,2,3,4\n")
    assert fl.Dataset.from_csv(path, schema).records.tolist() == [[0], [1]]
    assert scale.collect(path, fl.make_scheme("DET-GD", schema, 19)).sum() == 2


def test_odd_parquet_files_are_refused_with_their_names(tmp_path):
    require("pyarrow")
    import pyarrow
    from pyarrow import parquet

    path, schema = tmp_path / "odd.parquet", fl.Schema.of(a=["x", "y"])
    m = fl.make_scheme("DET-GD", schema, 19)
    for table, words in (
        (pyarrow.table({"a": [["x"], ["y"]]}), ["'a'", "list", "one value"]),
        (pyarrow.table([["x"], ["y"]], names=["a", "a"]), ["'a' is there 2 times"]),
        (pyarrow.table({"a": pyarrow.array([], "string")}), ["no row"]),
    ):
        parquet.write_table(table, path)
        for read in (
            lambda: fl.Dataset.from_parquet(path, schema),
            lambda: scale.collect(path, m),
        ):
            assert_refused(read, ["odd.parquet", *words])
    parquet.write_table(pyarrow.table({"a": pyarrow.array([], "string")}), path)
    assert_refused(lambda: fl.Dataset.from_parquet(path), ["odd.parquet", "no row"])


def test_what_pandas_wrote_as_an_index_is_a_column_for_whoever_names_it(tmp_path):
    require("pyarrow")
    frame = pd.DataFrame({"a": ["x", "y", "y"], "b": ["u", "v", "u"]}).set_index("a")
    frame.to_parquet(tmp_path / "some.parquet")
    schema = fl.Schema.of(a=["x", "y"])
    read = fl.Dataset.from_parquet(tmp_path / "some.parquet", schema)
    assert read.records.tolist() == [[0], [1], [1]]
    assert scale.collect(tmp_path, fl.make_scheme("DET-GD", schema, 19)).sum() == 3
    with pytest.warns(UserWarning, match="every record"):
        assert scale.find_schema(tmp_path).names == ("b",)


@pytest.fixture
def pipe(tmp_path):
    """A pipe with a good table in it, for whoever would read it."""
    path = tmp_path / "pipe.csv"
    os.mkfifo(path)
    writer = threading.Thread(target=lambda: path.write_text("a\nx\ny\n"), daemon=True)
    writer.start()
    yield path
    reader = os.open(path, os.O_RDONLY | os.O_NONBLOCK)  # so that the writer ends
    writer.join()
    os.close(reader)


def test_a_pipe_is_no_file(pipe):
    schema = fl.Schema.of(a=["x", "y"])
    m = fl.make_scheme("DET-GD", schema, 19)
    for read in (
        lambda: scale.collect(pipe, m),
        lambda: scale.collect(pipe.parent, m),
        lambda: scale.find_schema(pipe),
        lambda: fl.Dataset.from_csv(pipe),
        lambda: fl.Dataset.from_parquet(pipe),
        lambda: fl.load_health(pipe),
        lambda: run_trials(CENSUS, ["DET-GD"], trials=1, keep=pipe),
    ):
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            assert_refused(read, ["pipe.csv", "plain file"])


def test_what_is_no_survey_and_no_mechanism_is_refused():
    m = fl.make_scheme("DET-GD", SCHEMA, 19)
    with pytest.raises(TypeError, match=re.escape("Dataset.from_frame")):
        scale.collect(CENSUS.to_frame(), m)
    with pytest.raises(TypeError, match="make_scheme"):
        scale.collect("folder", "DET-GD")


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


# --- trials ---


def test_trials_on_two_workers_are_the_same_table(client):
    settings = {"gammas": [5, 19], "trials": 30, "seed": 3}
    here = run_trials(CENSUS, **settings)
    seen = []
    there = run_trials(CENSUS, **settings, client=client, progress=lambda *p: seen.append(p))
    pd.testing.assert_frame_equal(here, there, check_exact=True)
    assert seen == [(i, 240) for i in range(1, 241)]


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


OWN_SCHEME = """
import frapp_lab as fl


@fl.scheme("SHY-GD")
class Shy(fl.GammaDiagonal):
    @classmethod
    def for_gamma(cls, schema, gamma):
        return cls(schema, (1 + gamma) / 2)
"""


def test_the_command_line_spreads_trials_and_goes_on_after_an_interrupt(
    tmp_path, capsys, monkeypatch
):
    require("distributed")
    (tmp_path / "shy_gd.py").write_text(OWN_SCHEME)
    here, there, kept = (tmp_path / name for name in ("here.csv", "there.csv", "kept.jsonl"))
    trials = ["experiments", "census", "--trials", "30", "--use", str(tmp_path / "shy_gd.py")]
    trials += ["--schemes", "SHY-GD", "MASK", "--every-trial"]

    def stop(done, total):
        if done == 7:
            raise KeyboardInterrupt

    monkeypatch.setattr("frapp_lab.course.commands.experiments.bar_or_lines", lambda what: stop)
    assert main([*trials, "--resume", str(kept), "--out", str(there)]) == 130
    assert f"goes on from {kept}" in capsys.readouterr().err
    assert not there.exists()
    assert len(kept.read_text().splitlines()) == 1 + 7
    monkeypatch.undo()
    try:
        assert main([*trials, "--resume", str(kept), "--workers", "2", "--out", str(there)]) == 0
        assert main([*trials, "--out", str(here)]) == 0
    finally:
        forget("SHY-GD")
    assert there.read_bytes() == here.read_bytes()
