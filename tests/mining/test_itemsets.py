"""Frequent itemsets of clean data, by brute force and level by level."""

import numpy as np
import pytest
from helpers import all_itemsets, tables
from hypothesis import given, settings
from hypothesis import strategies as st

import frapp_lab as fl
from frapp_lab.mining.itemsets import apriori


@given(tables(), st.sampled_from([0.05, 0.2, 0.5, 1.0]))
def test_frequent_itemsets_by_brute_force(table, min_support):
    data = fl.Dataset(*table)
    wanted = {}
    for itemset in all_itemsets(data.schema):
        share = np.mean([all(r[j] == c for j, c in itemset.items()) for r in data.records])
        if share >= min_support:
            names = frozenset(f"{data.schema.names[j]}={c}" for j, c in itemset.items())
            wanted[names] = share
    found = fl.frequent_itemsets(data, min_support)
    assert dict(zip(found["itemsets"], found["support"], strict=True)) == pytest.approx(wanted)
    assert found["length"].is_monotonic_increasing


def test_an_itemset_exactly_at_the_threshold_is_frequent():
    data = fl.Dataset(fl.Schema.of_sizes(2), [[0]] * 7 + [[1]] * 93)
    assert set(fl.frequent_itemsets(data, 0.07)["itemsets"]) == {
        frozenset(["a1=0"]),
        frozenset(["a1=1"]),
    }


def test_max_length_and_top():
    census = fl.load_census()
    short = fl.frequent_itemsets(census, 0.02, max_length=2)
    assert short["length"].value_counts().to_dict() == {1: 19, 2: 102}
    top = fl.frequent_itemsets(census, 0.02, top=5)
    every = fl.frequent_itemsets(census, 0.02)["support"].sort_values(ascending=False)
    assert top["support"].tolist() == every[:5].tolist()


def test_items_are_named_readably():
    names = set().union(*fl.frequent_itemsets(fl.load_census(), 0.02)["itemsets"])
    assert {"sex=Female", "age=(15,35]", "native-country=United-States"} <= names


@settings(max_examples=50)
@given(tables(), st.sampled_from([0.05, 0.2, 0.5]), st.integers(1, 4))
def test_level_by_level_finds_the_same(table, min_support, max_length):
    data = fl.Dataset(*table)
    max_length = min(max_length, data.schema.n_attributes)
    found = apriori(data.supports, min_support, max_length).frame()
    wanted = fl.frequent_itemsets(data, min_support, max_length)
    by_name = [dict(zip(f["itemsets"], f["support"], strict=True)) for f in (found, wanted)]
    assert by_name[0] == pytest.approx(by_name[1])


def test_thirty_one_boolean_attributes():
    records = np.random.default_rng(0).random((500, 31)) < 0.3
    records[:, 1] = records[:, 0]
    data = fl.Dataset(fl.Schema.of_sizes(*[2] * 31), records)
    found = fl.frequent_itemsets(data, 0.2, max_length=2)
    both = found[found["itemsets"] == frozenset(["a1=1", "a2=1"])]
    assert both["support"].item() == pytest.approx(records[:, 0].mean())
