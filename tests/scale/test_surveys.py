"""Surveys in many files: the same numbers in memory and in a loop, and what is refused."""

import os
import re
import threading
import warnings

import numpy as np
import pandas as pd
import pytest
from helpers import assert_refused, require

import frapp_lab as fl
from frapp_lab import scale
from frapp_lab.data import files
from frapp_lab.mechanisms.counting import draw_statistic
from frapp_lab.mining.mining_run import judge
from frapp_lab.scale import run_trials
from scale.small_surveys import CENSUS, SCHEMA, SEED, by_hand, csv_files

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
