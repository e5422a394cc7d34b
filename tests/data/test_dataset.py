import hashlib
import importlib.util
import itertools
import warnings

import numpy as np
import pandas as pd
import pytest
from helpers import assert_refused, tables
from hypothesis import given

import frapp_lab as fl
from frapp_lab.data.census import raw_census
from frapp_lab.data.cube import lengths
from frapp_lab.data.files import DATA


def frequent_by_length(data, min_support=0.02):
    array = data.cube.array
    return np.bincount(lengths(data.schema.sizes)[array >= min_support * len(data)])[1:].tolist()


# --- CENSUS ---


def test_census_gives_the_papers_table_3():
    census = fl.load_census()
    assert len(census) == census.counts.sum() == 48_842
    assert census.schema.sizes == (4, 5, 5, 5, 2, 2)
    assert frequent_by_length(census) == [19, 102, 203, 165, 64, 10]


def test_hours_as_printed_give_other_counts():
    # Right-closed hours, as Table 1 prints them: whole hours, so shift the edges by a half.
    printed = fl.load_census(bins={"hours-per-week": [0, 20.5, 40.5, 60.5, 80.5, np.inf]})
    assert frequent_by_length(printed) == [19, 101, 204, 172, 72, 13]


def test_census_bins_by_brute_force():
    raw, census = raw_census(), fl.load_census()
    frame = census.to_frame()
    assert (frame["age"] == "(15,35]").sum() == ((raw["age"] > 15) & (raw["age"] <= 35)).sum()
    assert (frame["age"] == ">75").sum() == (raw["age"] > 75).sum()
    hours = raw["hours-per-week"]
    assert (frame["hours-per-week"] == "[40,60)").sum() == ((hours >= 40) & (hours < 60)).sum()
    assert (frame["hours-per-week"] == ">=80").sum() == (hours >= 80).sum()
    assert (frame["fnlwgt"] == "(100000,200000]").sum() == raw["fnlwgt"].between(
        100_001, 200_000
    ).sum()
    country = frame["native-country"]
    assert ((country == "Other") == (raw["native-country"] != "United-States")).all()


def test_rebinning_changes_the_domain_and_nothing_else():
    census = fl.load_census(bins={"age": 8, "fnlwgt": 3, "hours-per-week": 10})
    assert census.schema.sizes == (8, 3, 10, 5, 2, 2)
    assert census.schema.attributes[0].categories[:2] == ("(15,25]", "(25,35]")
    assert len(census) == 48_842
    same = fl.load_census(bins={"age": [15, 35, 55, 75, np.inf]})
    assert (same.records == fl.load_census().records).all()


def test_the_raw_table_is_a_copy():
    mine = raw_census()
    mine["age"] = 0
    assert raw_census()["age"].min() == 17


def test_the_raw_census_is_what_stands_in_the_file():
    stands_there = pd.read_csv(DATA / "census.csv.gz", na_filter=False)
    pd.testing.assert_frame_equal(raw_census(), stands_there)


def test_data_files_match_their_checksums():
    readme = (DATA / "README.md").read_text()
    for name in ("census.csv.gz", "health_standin.csv.gz"):
        assert hashlib.sha256((DATA / name).read_bytes()).hexdigest() in readme


# --- HEALTH, the stand-in ---


def test_the_stand_in_has_the_shape_of_health():
    health = fl.load_health()
    assert health.synthetic
    assert "synthetic" in repr(health)
    assert len(health) == 109_000
    assert health.schema.sizes == (5, 5, 5, 3, 2, 2, 5)
    assert frequent_by_length(health) == [23, 123, 292, 361, 250, 86, 12]


def test_the_stand_in_is_what_its_script_makes():
    spec = importlib.util.spec_from_file_location("make_health", DATA / "make_health.py")
    script = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(script)
    assert (script.make() == fl.load_health().counts).all()


def test_the_highest_categories_can_be_merged():
    whole, merged = fl.load_health(), fl.load_health(bins={"AGE": 3, "DV12": 2, "BDDAY12": 5})
    assert merged.schema.sizes == (3, 5, 2, 3, 2, 2, 5)
    assert merged.schema.attributes[2].categories == ("0-6", "7+")
    ages = whole.cube["AGE"]
    assert merged.cube["AGE"].tolist() == [ages[0], ages[1], ages[2:].sum()]
    assert (merged.cube["BDDAY12"] == whole.cube["BDDAY12"]).all()
    assert merged.synthetic


def share(table, **wanted):
    """The percentage, among the records with the first conditions, that satisfy the last one."""
    *given_, (name, values) = wanted.items()
    for column, allowed in given_:
        table = table[table[column].isin(allowed)]
    return round(100 * table[name].isin(values).mean(), 1)


def test_the_stand_in_is_believable_and_described_as_it_is():
    table = fl.load_health().to_frame()
    readme = (DATA / "README.md").read_text()
    values = {a.name: a.categories for a in fl.load_health().schema.attributes}
    shares = {name: [share(table, **{name: [v]}) for v in values[name]] for name in values}
    for name, found in shares.items():
        assert f"| {name} | {', '.join(map(str, found))} |" in readme

    # What is known of 1993, give or take three points.
    believable = {
        "SEX": (48, 52),
        "PHONE": (88, 5, 6),
        "INCFAM20": (30, 70),
        "HEALTH": (37, 28, 24, 8, 3),
    }
    for name, wanted in believable.items():
        assert shares[name] == pytest.approx(wanted, abs=3)
    assert shares["BDDAY12"][0] > 75
    assert shares["DV12"][0] > 75

    def by(attribute, **wanted):
        return [share(table, **{attribute: [v]}, **wanted) for v in values[attribute]]

    many = ["7-14", "15-29", "30-59", "60+"]
    rising = {
        "fair or poor health | age": by("AGE", HEALTH=["fair", "poor"]),
        "income under $20,000 | health": by("HEALTH", INCFAM20=["under $20,000"]),
        "7 or more bed days | health": by("HEALTH", BDDAY12=many),
        "7 or more visits | health": by("HEALTH", DV12=many),
        "7 or more visits | bed days": by("BDDAY12", DV12=many),
        "female | age": by("AGE", SEX=["female"]),
    }
    for what, found in rising.items():
        assert f"| {what} | {', '.join(map(str, found))} |" in readme
        assert all(a < b for a, b in itertools.pairwise(found))
    male, female = by("SEX", DV12=many)
    assert f"| 7 or more visits | sex | male {male}, female {female} |" in readme
    assert male < female
    poor, others = by("INCFAM20", PHONE=["none"])
    assert f"| no phone | income | under $20,000 {poor}, others {others} |" in readme
    assert poor > others


# --- HEALTH, the real file ---


def person(phone=1, sex=1, age=30, income=2, health=1, bed_days=0, visits=0, kind=20, year=93):
    """One record in the true layout: 335 characters, columns counted from 1."""
    line = [" "] * 335

    def put(first, last, value):
        line[first - 1 : last] = str(value).zfill(last - first + 1)

    put(1, 2, kind)
    put(3, 4, year)
    put(24, 24, phone)
    put(25, 25, sex)
    put(27, 28, age)
    put(57, 57, income)
    put(70, 70, health)
    put(108, 110, bed_days)
    put(112, 114, visits)
    return "".join(line)


@pytest.fixture
def nhis_file(tmp_path):
    def write(*lines, end="\n"):
        path = tmp_path / "PERSONSX.DAT"
        path.write_bytes("".join(line + end for line in lines).encode())
        return path

    return write


@pytest.mark.parametrize("end", ["\n", "\r\n"])
def test_the_real_file_is_read_as_its_codebook_says(nhis_file, end):
    path = nhis_file(
        person(),
        person(phone=2, sex=2, age=19, income=1, health=5, bed_days=6, visits=7),
        person(phone=3, age=20, health=3, bed_days=7, visits=14),
        person(age=99, bed_days=365, visits=997),
        person(age=79, bed_days=29, visits=59),
        end=end,
    )
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        health = fl.load_health(path)
    assert not health.synthetic
    assert health.dropped == 0
    assert health.schema == fl.load_health().schema
    assert list(health.to_frame().itertuples(index=False, name=None)) == [
        ("20-39", "0-6", "0-6", "number given", "male", "$20,000 or more", "excellent"),
        ("0-19", "0-6", "7-14", "no number given", "female", "under $20,000", "poor"),
        ("20-39", "7-14", "7-14", "none", "male", "$20,000 or more", "good"),
        ("80+", "60+", "60+", "number given", "male", "$20,000 or more", "excellent"),
        ("60-79", "15-29", "30-59", "number given", "male", "$20,000 or more", "excellent"),
    ]


def test_unknown_codes_are_dropped_and_counted(nhis_file):
    path = nhis_file(
        person(),
        person(phone=4),
        person(income=3, health=6),
        person(bed_days=366),
        person(visits=998),
    )
    with pytest.warns(UserWarning, match=r"4 of 5 records.*PHONE: 1.*INCFAM20: 1.*HEALTH: 1"):
        health = fl.load_health(path)
    assert len(health) == 1
    assert health.dropped == 4
    assert "4 records dropped" in repr(health)


@pytest.mark.parametrize(
    ("lines", "words"),
    [
        ([], ["empty"]),
        ([person(), person()[:200]], ["line 2", "200", "335", "truncated"]),
        (["age,sex", "3,4"], ["line 1", "7 characters", "not the NHIS"]),
        ([person(), person() + "x", person()], ["line 2", "336"]),
        ([person(), person(kind=30)], ["line 2", "record type", "20"]),
        ([person(year=94)], ["line 1", "survey year", "93"]),
        ([person(), person(sex=3)], ["line 2", "SEX", "columns 25-25", "3", "1 to 2"]),
        ([person(health=0)], ["line 1", "HEALTH", "0", "1 to 6"]),
        ([person(bed_days=367)], ["BDDAY12", "367", "0 to 366"]),
        ([person(age="  ")], ["AGE", "columns 27-28", "no number"]),
        ([person(phone=4)], ["every record"]),
    ],
)
def test_a_wrong_file_is_refused_in_words(nhis_file, lines, words):
    assert_refused(lambda: fl.load_health(nhis_file(*lines)), ["PERSONSX.DAT", *words])


# --- tables of one's own ---


@given(tables())
def test_a_frame_comes_back_as_it_went(table):
    schema, records = table
    data = fl.Dataset(schema, records)
    again = fl.Dataset.from_frame(data.to_frame())
    assert again.schema == schema
    assert (again.records == records).all()


@given(tables())
def test_counts_come_back_as_they_went(table):
    schema, records = table
    data = fl.Dataset(schema, records)
    assert (fl.Dataset.from_counts(schema, data.counts).counts == data.counts).all()
    assert data.supports[()] == 1
    name = schema.names[0]
    assert data.supports[name] == pytest.approx(data.cube[name] / len(data))


def test_values_are_sorted_as_values_and_named_as_text():
    data = fl.Dataset.from_frame(pd.DataFrame({"n": [10, 9, 9], "b": [True, False, True]}))
    assert data.schema.attributes[0].categories == ("9", "10")
    assert data.schema.attributes[1].categories == ("False", "True")
    assert data.records.tolist() == [[1, 1], [0, 0], [0, 1]]
    mixed = fl.Dataset.from_frame(pd.DataFrame({"m": ["b", 1, "a"]}))
    assert mixed.schema.attributes[0].categories == ("1", "a", "b")


def test_a_categorical_keeps_its_order_and_its_unused_categories():
    column = pd.Categorical(["low", "high"], categories=["low", "middle", "high"])
    data = fl.Dataset.from_frame(pd.DataFrame({"level": column}))
    assert data.schema.attributes[0].categories == ("low", "middle", "high")
    assert data.records.ravel().tolist() == [0, 2]


def test_a_schema_decides_the_order_of_the_columns():
    schema = fl.Schema.of(a=["x", "y"], b=["u", "v"])
    data = fl.Dataset.from_frame(pd.DataFrame({"b": ["v", "u"], "a": ["x", "y"]}), schema)
    assert data.records.tolist() == [[0, 1], [1, 0]]


def test_thirty_one_attributes_work_as_records():
    schema = fl.Schema.of_sizes(*[2] * 31)
    records = np.random.default_rng(1).integers(0, 2, (1000, 31))
    data = fl.Dataset(schema, records)
    assert data.cube["a5", "a30"].sum() == 1000
    assert data.supports["a31"][1] == records[:, 30].mean()
    with pytest.raises(ValueError, match=r"2,147,483,648 cells.*16,777,216"):
        data.counts  # noqa: B018


def test_records_cannot_be_changed_and_the_callers_array_can():
    mine = np.zeros((2, 1), dtype=np.uint8, order="F")
    data = fl.Dataset(fl.Schema.of_sizes(2), mine)
    with pytest.raises(ValueError, match="read-only"):
        data.records[0, 0] = 1
    mine[0, 0] = 1
    with pytest.raises(ValueError, match="read-only"):
        data.counts[0] = 1


def test_measurements_are_no_categories_in_a_csv_file_either(tmp_path):
    lengths = [f"{1 + i / 100:.2f}" for i in range(81) for _ in range(3)]
    frame = pd.DataFrame({"length": [float(text) for text in lengths]})
    frame.to_csv(tmp_path / "lengths.csv", index=False)
    codes = [*lengths, "V45", "V45"]  # some are no numbers, so these are names
    pd.DataFrame({"code": codes}).to_csv(tmp_path / "codes.csv", index=False)
    words = ["'length' has 81 different values", "fractions"]
    assert_refused(lambda: fl.Dataset.from_frame(frame), words)
    assert_refused(lambda: fl.Dataset.from_csv(tmp_path / "lengths.csv"), words)
    assert_refused(lambda: fl.Dataset.from_frame(frame.astype(np.float32)), words)
    assert fl.Dataset.from_csv(tmp_path / "codes.csv").schema.sizes == (82,)


YES_NO = fl.Schema.of(a=["yes", "no"])
MASKED = np.ma.array([[0], [1]], mask=[[False], [True]])


@pytest.mark.parametrize(
    ("call", "words"),
    [
        (lambda: fl.Dataset.from_frame(pd.DataFrame()), ["empty"]),
        (lambda: fl.Dataset.from_frame(pd.DataFrame({"a": []})), ["(0, 1)", "empty"]),
        (
            lambda: fl.Dataset.from_frame(pd.DataFrame([[1, 2]], columns=["a", "a"])),
            ["'a'", "more than once"],
        ),
        (
            lambda: fl.Dataset.from_frame(pd.DataFrame({"a": ["x", None, "y"]})),
            ["'a'", "row 1", "missing"],
        ),
        (lambda: fl.Dataset.from_frame(pd.DataFrame({"a": ["x", "x"]})), ["'a'", "at least two"]),
        (lambda: fl.Dataset.from_frame(pd.DataFrame({"a": [1, "1"]})), ["'a'", "more than once"]),
        (
            lambda: fl.Dataset.from_frame(pd.DataFrame({"a": ["yes", "maybe"]}), YES_NO),
            ["'a'", "row 1", "'maybe'", "yes, no"],
        ),
        (lambda: fl.Dataset.from_frame(pd.DataFrame({"b": ["yes"]}), YES_NO), ["b", "exactly a"]),
        (lambda: fl.Dataset(YES_NO, [[2]]), ["row 0", "'a'", "code 2"]),
        (lambda: fl.Dataset(YES_NO, MASKED), ["records", "1 of its values are masked"]),
        (lambda: YES_NO.check_counts(MASKED[:, 0]), ["counts", "masked"]),
        (lambda: YES_NO.decode(MASKED[:, 0]), ["cells", "masked"]),
        (lambda: fl.check_matrix(np.ma.masked_equal([[1, 0], [0, 1]], 0)), ["matrix", "2 of"]),
        (lambda: fl.make_scheme("MASK", YES_NO).estimate(MASKED), ["perturbed", "masked"]),
        (lambda: fl.make_scheme("OUE", YES_NO).estimate(MASKED), ["perturbed", "masked"]),
        (lambda: fl.make_scheme("OLH", YES_NO).estimate(MASKED), ["perturbed", "masked"]),
        (lambda: fl.load_census(bins={"age": 1001}), ["'age' is 1001", "2 to 1000"]),
        (lambda: fl.load_census(bins={"age": [15, 35]}), ["'age'", "three rising"]),
        (lambda: fl.load_census(bins={"age": [15, 35, 35]}), ["'age'", "rising"]),
        (lambda: fl.load_census(bins={"age": [20, 35, 55]}), ["'age'", "cover", "17 to 90", "row"]),
        (lambda: fl.load_health(bins={"WEIGHT": 2}), ["'WEIGHT'", "AGE, BDDAY12, DV12"]),
        (lambda: fl.load_health(bins={"AGE": 6}), ["'AGE' is 6", "1 to 5"]),
    ],
)
def test_bad_input_is_refused_in_words(call, words):
    assert_refused(call, words)
