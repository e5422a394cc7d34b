"""Data sets: from a frame, from counts, and what is refused."""

import numpy as np
import pandas as pd
import pytest
from helpers import assert_refused, tables
from hypothesis import given

import frapp_lab as fl

ROWS = 200_000

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


def frame(**columns):
    return pd.DataFrame(columns)


@pytest.mark.parametrize("ids", [range(ROWS), [f"p{i}" for i in range(ROWS)]], ids=["int", "str"])
def test_identifiers_of_many_rows_are_refused(ids):
    table = pd.DataFrame({"id": ids, "sex": ["F", "M"] * (ROWS // 2)})
    with pytest.raises(ValueError, match=r"'id'.*200,000 different values"):
        fl.Dataset.from_frame(table)


def test_codes_and_short_tables_are_taken_as_they_are():
    codes = fl.Dataset.from_frame(frame(a=np.arange(3000) % 300, b=np.arange(3000) % 4 / 4))
    assert codes.schema.sizes == (300, 4)
    whole = fl.Dataset.from_frame(frame(a=(np.arange(3000) % 300).astype(float)))
    assert whole.schema.sizes == (300,)
    assert fl.Dataset.from_frame(frame(a=range(50))).schema.sizes == (50,)
    cut = fl.Dataset.from_frame(frame(a=pd.cut(np.arange(3000) / 7, 5)))
    assert cut.schema.sizes == (5,)
    chosen = pd.Categorical([str(i) for i in range(2000)])
    assert fl.Dataset.from_frame(frame(a=chosen)).schema.sizes == (2000,)


def test_a_thousand_booleans_are_counted():
    schema = fl.Schema.of_sizes(*[2] * 1100)
    data = fl.Dataset(schema, np.eye(1100, dtype=int))
    assert data.cube["a7"].tolist() == [1099, 1]
    assert data.supports["a7", "a9"].tolist() == [[1098 / 1100, 1 / 1100], [1 / 1100, 0]]
    assert "about 1.4 × 10^331 cells" in repr(data)
    with pytest.raises(ValueError, match=r"about 1\.4 × 10\^331 cells, more than the limit"):
        data.counts  # noqa: B018
