"""Association rules, by brute force: those that are lost, and those that are invented."""

import itertools
import math

import numpy as np
import pytest
from helpers import rules_of

import frapp_lab as fl

SMALL = fl.Schema.of_sizes(2, 3, 2)
TABLE = fl.Dataset(SMALL, np.random.default_rng(0).integers(0, [2, 3, 2], (300, 3)) // [1, 2, 1])


def test_rules_by_brute_force():
    itemsets = fl.frequent_itemsets(TABLE, 0.05)
    rules = fl.association_rules(itemsets, 0.4)
    support = dict(zip(itemsets["itemsets"], itemsets["support"], strict=True))
    wanted = set()
    for left, right in itertools.permutations(support, 2):
        if (
            left | right in support
            and not left & right
            and support[left | right] >= 0.4 * support[left]
        ):
            wanted.add((left, right))
    assert set(zip(rules["antecedents"], rules["consequents"], strict=True)) == wanted
    for rule in rules.itertuples():
        together = support[rule.antecedents | rule.consequents]
        assert rule.support == together
        assert rule.confidence == pytest.approx(together / support[rule.antecedents])
        assert rule.lift == pytest.approx(rule.confidence / support[rule.consequents])
    assert rules["confidence"].is_monotonic_decreasing


def test_rules_lost_and_invented():
    census = fl.load_census()
    true = fl.association_rules(fl.frequent_itemsets(census, 0.02))
    run = fl.mine(census, fl.GammaDiagonal(census.schema, 200), 0.02, rng=0)
    found = fl.association_rules(run.itemsets)
    errors = fl.rule_errors(true, found)

    def keys(rules):
        return set(zip(rules["antecedents"], rules["consequents"], strict=True))

    assert keys(errors.lost) == keys(true) - keys(found)
    assert keys(errors.invented) == keys(found) - keys(true)
    assert keys(errors.kept) == keys(found) & keys(true)
    assert errors.false_negatives == pytest.approx(100 * len(errors.lost) / len(true))
    assert errors.false_positives == pytest.approx(100 * len(errors.invented) / len(true))
    assert errors.invented["confidence"].min() >= 0.6
    none = fl.rule_errors(true.iloc[:0], found)
    assert math.isnan(none.false_negatives)


def test_nothing_frequent_gives_no_rules():
    none = fl.association_rules(rules_of(0.5, 0.5, 0.5).head(0))
    assert none.empty
    some = fl.association_rules(rules_of(0.5, 0.5, 0.5))
    for errors, lengths in (
        (fl.rule_errors(none, none), (0, 0, 0)),
        (fl.rule_errors(none, some), (0, 2, 0)),
        (fl.rule_errors(some, none), (2, 0, 0)),
    ):
        assert (len(errors.lost), len(errors.invented), len(errors.kept)) == lengths
