import itertools

import numpy as np
import pytest
from helpers import SMALL_AND_LARGE, assert_refused, tables
from hypothesis import given

import frapp_lab as fl
from frapp_lab.data import schema
from frapp_lab.data.attribute import Attribute
from frapp_lab.data.schema import Schema, check_schema


@given(tables(SMALL_AND_LARGE))
def test_decode_undoes_encode(table):
    schema, records = table
    cells = schema.encode(records)
    assert ((cells >= 0) & (cells < schema.n_cells)).all()
    assert (schema.decode(cells) == records).all()


@given(tables(SMALL_AND_LARGE))
def test_names_undo_cells(table):
    schema, records = table
    cell = int(schema.encode(records)[0])
    names = schema.values(cell)
    assert schema.cell(names) == cell
    assert names == tuple(
        a.categories[c] for a, c in zip(schema.attributes, records[0], strict=True)
    )


def test_cells_are_numbered_as_numpy_numbers_an_array():
    schema = Schema.of_sizes(2, 3, 4)
    every = np.array(list(itertools.product(range(2), range(3), range(4))))
    assert schema.encode(every).tolist() == list(range(24))


@given(tables())
def test_counts_count_by_brute_force(table):
    schema, records = table
    counts = schema.counts(records)
    assert counts.shape == schema.sizes
    for cell in itertools.product(*map(range, schema.sizes)):
        assert counts[cell] == sum(tuple(r) == cell for r in records)


def test_codes_are_stored_in_the_smallest_type():
    assert Schema.of_sizes(2, 256).dtype == np.uint8
    assert Schema.of_sizes(2, 257).dtype == np.uint16


def test_two_schemas_of_the_same_attributes_are_equal():
    assert Schema.of_sizes(2, 3) == Schema.of_sizes(2, 3) != Schema.of_sizes(3, 2)


SMALL = Schema.of_sizes(2, 3)
HUGE = Schema.of_sizes(*[2] * 31)
BEYOND = Schema.of_sizes(*[2] * 80)


@pytest.mark.parametrize(
    ("call", "words"),
    [
        (lambda: Attribute("sex", ("F",)), ["'sex'", "at least two"]),
        (lambda: Attribute("sex", ("F", "F", "M")), ["'sex'", "'F'", "more than once"]),
        (lambda: Schema(()), ["at least one attribute"]),
        (
            lambda: Schema((Attribute("a", ("0", "1")), Attribute("a", ("0", "1")))),
            ["'a'", "rename"],
        ),
        (lambda: SMALL.counts([[0, 3]]), ["row 0", "'a2'", "code 3", "0 to 2"]),
        (lambda: SMALL.counts([[0, 0], [-1, 0]]), ["row 1", "'a1'", "code -1"]),
        (lambda: SMALL.counts([[0, 0.5]]), ["row 0", "'a2'", "0.5"]),
        (lambda: SMALL.counts([[0, np.nan]]), ["row 0", "'a2'", "nan"]),
        (lambda: SMALL.counts([["0", "1"]]), ["row 0", "'a1'", "from_frame"]),
        (lambda: SMALL.counts(np.array([[0, None]])), ["row 0", "'a2'", "None"]),
        (lambda: SMALL.counts(np.empty((0, 2), int)), ["empty"]),
        (lambda: SMALL.counts([[0, 1, 1]]), ["(1, 3)", "(N, 2)"]),
        (lambda: SMALL.counts([0, 1]), ["(2,)", "(N, 2)"]),
        (lambda: SMALL.decode([6]), ["cells[0]", "6", "0 to 5"]),
        (lambda: SMALL.decode([0.0]), ["integers"]),
        (lambda: SMALL.values(-1), ["-1"]),
        (lambda: SMALL.cell(["0"]), ["a1, a2"]),
        (lambda: SMALL.cell(["0", "7"]), ["'7'", "'a2'", "0, 1, 2"]),
        (lambda: SMALL.positions("b"), ["'b'", "a1, a2"]),
        (lambda: SMALL.positions(["a1", "a1"]), ["twice"]),
        (lambda: SMALL.check_counts(np.ones((3, 2))), ["(3, 2)", "(2, 3)"]),
        (lambda: SMALL.check_counts(np.full((2, 3), -1)), ["(0, 0)", "-1"]),
        (lambda: SMALL.check_counts(np.full((2, 3), 0.5)), ["(0, 0)", "0.5"]),
        (lambda: SMALL.check_counts(np.zeros((2, 3), int)), ["at least one record"]),
        (lambda: HUGE.counts(np.zeros((1, 31), int)), ["2,147,483,648", "16,777,216"]),
        (lambda: BEYOND.encode(np.zeros((1, 80), int)), [f"{2**80:,}", "subset"]),
    ],
)
def test_bad_input_is_refused_in_words(call, words):
    assert_refused(call, words)


def test_a_schema_is_let_through():
    assert check_schema(SMALL) is SMALL


def test_many_categories_are_checked_at_once():
    assert fl.Schema.of_sizes(50_000).n_cells == 50_000
    assert fl.Schema.of_sizes(*[2] * 5_000).n_attributes == 5_000
    with pytest.raises(ValueError, match=r"'7'.*more than once"):
        schema.Attribute("a", (*map(str, range(50_000)), "7"))


def test_counts_are_whole_up_to_the_last():
    most = SMALL.check_counts([[2**63 - 3, 1, 0], [1, 0, 0]])
    assert int(most.sum()) == 2**63 - 1
    assert SMALL.check_counts(np.full((2, 3), 2.0**60)).tolist() == [[2**60] * 3] * 2
