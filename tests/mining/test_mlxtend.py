"""Our frequent itemsets and rules are mlxtend's, itemset by itemset."""

import warnings

import pandas as pd
import pytest
from helpers import require, tables
from hypothesis import given, settings
from hypothesis import strategies as st

import frapp_lab as fl


@pytest.fixture(scope="module")
def peer():
    require("mlxtend")
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        import mlxtend.frequent_patterns

    return mlxtend.frequent_patterns


def one_hot(data):
    return pd.get_dummies(data.to_frame(), prefix_sep="=").astype(bool)


def assert_same_itemsets(peer, data, min_support):
    theirs = peer.apriori(one_hot(data), min_support=min_support, use_colnames=True)
    ours = fl.frequent_itemsets(data, min_support)
    wanted = dict(zip(theirs["itemsets"], theirs["support"], strict=True))
    found = dict(zip(ours["itemsets"], ours["support"], strict=True))
    assert found.keys() == wanted.keys()
    for itemset, support in found.items():
        assert support == pytest.approx(wanted[itemset], abs=1e-12)
    assert (ours["length"] == ours["itemsets"].map(len)).all()
    return theirs, ours


@pytest.mark.parametrize("min_support", [0.02, 0.2])
def test_census(peer, min_support):
    theirs, ours = assert_same_itemsets(peer, fl.load_census(), min_support)
    rules = fl.association_rules(ours, 0.6)
    wanted = peer.association_rules(theirs, metric="confidence", min_threshold=0.6)
    key = ["antecedents", "consequents"]
    both = rules.merge(wanted, on=key, suffixes=("", "_theirs"))
    assert len(both) == len(rules) == len(wanted)
    for column in ("support", "confidence", "lift"):
        assert both[column].to_numpy() == pytest.approx(both[f"{column}_theirs"].to_numpy())


@settings(deadline=None, max_examples=50)
@given(table=tables(), min_support=st.sampled_from([0.01, 0.1, 0.25, 0.5, 1.0]))
def test_random_tables(peer, table, min_support):
    assert_same_itemsets(peer, fl.Dataset(*table), min_support)
