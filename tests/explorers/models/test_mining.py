"""The model of mining, against a loop over itemsets."""

import itertools
import math
from collections import Counter
from dataclasses import replace

import numpy as np
import pytest

import frapp_lab as fl
from frapp_lab.explorers.models import mining
from frapp_lab.explorers.models.data import Data
from frapp_lab.scale import run_trials


def _shares(rows):
    """The share of the rows that have each itemset."""
    shares = Counter()
    for row, count in zip(*np.unique(rows, axis=0, return_counts=True), strict=True):
        for k in range(1, len(row) + 1):
            for columns in itertools.combinations(range(len(row)), k):
                shares[frozenset((c, int(row[c])) for c in columns)] += count / len(rows)
    return shares


def naive(supports_of, sizes, min_support, prune):
    """Apriori as a loop over itemsets: an itemset is a dict from column to value."""
    found = {}
    for length in range(1, len(sizes) + 1):
        for columns in itertools.combinations(range(len(sizes)), length):
            for values in itertools.product(*(range(sizes[c]) for c in columns)):
                itemset = frozenset(zip(columns, values, strict=True))
                smaller = [itemset - {item} for item in itemset] if length > 1 else []
                if prune and not all(s in found for s in smaller):
                    continue
                support = supports_of(itemset)
                if support >= min_support:
                    found[itemset] = support
    return found


@pytest.mark.parametrize("prune", [True, False])
@pytest.mark.parametrize(("gamma", "min_support", "seed"), [(19.0, 0.05, 7), (60.0, 0.2, 1)])
def test_mining_by_a_loop_over_itemsets(prune, gamma, min_support, seed):
    data = Data("CENSUS", (("age", 2), ("fnlwgt", 2), ("hours-per-week", 2)))
    table = data.load()
    sizes, n_cells = table.schema.sizes, table.schema.n_cells
    p = mining.Parameters(
        data=data, gamma=gamma, min_support=min_support, schemes=("DET-GD",), prune=prune, seed=seed
    )
    found = mining.compute(p).schemes["DET-GD"]
    reports = fl.GammaDiagonal(table.schema, gamma).perturb(table.records, rng=seed)
    stay = (gamma - 1) / (gamma + n_cells - 1)
    truth, seen = (_shares(rows) for rows in (table.records, reports))

    def estimate(itemset):
        chance = math.prod(1 / sizes[column] for column, _ in itemset)
        return (seen[itemset] - (1 - stay) * chance) / stay

    really = naive(truth.__getitem__, sizes, min_support, False)
    claimed = naive(estimate, sizes, min_support, prune)
    right = really.keys() & claimed.keys()
    assert found.n_true == len(really)
    assert found.n_kept == len(right)
    assert found.n_invented == len(claimed.keys() - really.keys())
    assert found.longest == max(map(len, right))
    for length in range(1, 7):
        true, got, both = ([i for i in s if len(i) == length] for s in (really, claimed, right))
        error, _, lost, invented = found.errors[length - 1]
        if not true:
            assert np.isnan(lost)
            continue
        assert lost == pytest.approx(100 * (len(true) - len(both)) / len(true))
        assert invented == pytest.approx(100 * (len(got) - len(both)) / len(true))
        relative = [abs(claimed[i] - really[i]) / really[i] for i in both]
        assert error == pytest.approx(100 * np.mean(relative) if both else np.nan, nan_ok=True)
    assert found.condition_numbers == pytest.approx([1 + n_cells / (gamma - 1)] * 6)
    assert not found.why_not
    assert not found.problem


def test_nothing_found_has_no_longest():
    p = mining.Parameters(min_support=0.9999, schemes=("DET-GD",))
    found = mining.compute(p).schemes["DET-GD"]
    assert (found.n_true, found.n_kept, found.longest) == (0, 0, 0)


@pytest.mark.parametrize(("gamma", "alpha", "prior"), [(19.0, 0.51, 0.05), (3.0, 0.123, 0.4)])
def test_minings_posteriors_by_their_formula(gamma, alpha, prior):
    p = mining.Parameters(gamma=gamma, alpha=alpha, prior=prior, schemes=())
    result = mining.compute(p)
    x = 1 / (gamma + 1999)
    assert (result.n_cells, result.n_records, result.name) == (2000, 48_842, "CENSUS")
    assert result.unit == pytest.approx(gamma * x)
    assert result.alpha == pytest.approx(alpha * gamma * x)
    assert result.r[[0, -1]] == pytest.approx([-gamma * x, gamma * x])
    assert len(result.r) == 61 + 2
    own, other = prior * (gamma * x + result.r), (1 - prior) * (x - result.r / 1999)
    assert result.rho == pytest.approx(own / (own + other), abs=1e-12)
    inside = result.r[result.within]
    assert inside[[0, -1]] == pytest.approx([-result.alpha, result.alpha])
    assert result.within.sum() == sum(abs(r) <= result.alpha * 1.0001 for r in result.r)
    assert result.range == pytest.approx(tuple(result.rho[result.within][[0, -1]]))
    assert result.middle == pytest.approx(gamma * prior / (gamma * prior + 1 - prior))
    assert result.schemes == {}


def test_minings_alpha_is_cut_to_the_largest_valid_one():
    data = Data("CENSUS", tuple((name, 1) for name in fl.load_census().schema.names[:4]))
    p = mining.Parameters(data=data, gamma=19.0, alpha=0.5, schemes=("RAN-GD",))
    result = mining.compute(p)
    x = 1 / (19 + 3)  # n = 4: off the diagonal an entry is x − r/3, so that r is at most 3x
    assert (result.n_cells, result.unit) == (4, pytest.approx(19 * x))
    assert result.alpha == result.largest == pytest.approx(3 * x)
    table = data.load()
    run = fl.mine(table, fl.make_scheme("RAN-GD", table.schema, 19.0, alpha_share=1.0), rng=7)
    np.testing.assert_array_equal(result.schemes["RAN-GD"].errors, run.error_array())


def test_every_scheme_is_mined_with_the_luck_of_mine():
    for seed, gamma in ((7, 19.0), (2, 30.0)):
        p = mining.Parameters(
            gamma=gamma, alpha=0.7, min_support=0.03, schemes=fl.schemes(), seed=seed
        )
        result = mining.compute(p)
        assert list(result.schemes) == list(fl.schemes())
        census = fl.load_census()
        for scheme, found in result.schemes.items():
            mechanism = fl.make_scheme(scheme, census.schema, gamma, alpha_share=0.7)
            run = fl.mine(census, mechanism, 0.03, rng=seed)
            np.testing.assert_array_equal(found.errors, run.error_array())
            np.testing.assert_array_equal(found.run.estimates, run.estimates)
            numbers = [mechanism.condition_number(k) for k in range(1, mechanism.max_length + 1)]
            assert found.condition_numbers == pytest.approx(numbers)
            assert found.why_not == ("" if scheme != "C&P" else mechanism.why_not(4))


def test_a_mechanism_is_mined_as_it_is_whatever_gamma():
    census = fl.load_census()
    own = fl.Mask(census.schema, 0.8)
    for gamma in (19.0, 3.0):
        p = mining.Parameters(gamma=gamma, schemes=(own, "C&P"))
        result = mining.compute(p)
        run = fl.mine(census, own, 0.02, rng=7)
        np.testing.assert_array_equal(result.schemes["MASK"].errors, run.error_array())
    assert "gamma is 3 and K is 3" in result.schemes["C&P"].problem
    assert result.schemes["C&P"].run is None
    other = mining.Parameters(data=Data("CENSUS", (("age", 8),)), schemes=(own,))
    assert "made for the attributes" in mining.compute(other).schemes["MASK"].problem
    with pytest.raises(ValueError, match="each needs a label of its own"):
        mining.compute(mining.Parameters(schemes=(own, "MASK")))


def test_bands_are_of_draws_like_the_one_shown(monkeypatch):
    assert mining.DRAWS == 40
    monkeypatch.setattr(mining, "DRAWS", 4)
    p = mining.Parameters(
        gamma=4.0, alpha=0.9, min_support=0.05, schemes=("C&P", "RAN-GD", "MASK"), seed=3,
        prune=False,
    )  # fmt: skip
    *steps, bands = mining.bands(p)
    assert steps == [None] * 12
    assert list(bands) == ["RAN-GD", "MASK"]  # C&P cannot be had here
    census = fl.load_census()
    mechanism = fl.make_scheme("MASK", census.schema, 4.0)
    runs = [fl.mine(census, mechanism, 0.05, rng=(3, i), prune=False) for i in range(4)]
    trials = run_trials(census, ["RAN-GD"], [4.0], [0.9], [0.05], 4, 3, False)
    drawn = {"MASK": [run.errors.false_negatives[2] for run in runs],
             "RAN-GD": trials.query("length == 2")["false_negatives"]}  # fmt: skip
    for label, lost in drawn.items():
        assert bands[label].low[1, 2] == pytest.approx(np.quantile(lost, 0.05))
        assert bands[label].high[1, 2] == pytest.approx(np.quantile(lost, 0.95))
    first = mining.compute(replace(p, schemes=("MASK",))).schemes["MASK"].errors
    one = fl.mine(census, mechanism, 0.05, rng=3, prune=False)
    np.testing.assert_array_equal(first, one.error_array())
    assert list(mining.bands(replace(p, schemes=("C&P",)))) == [None] * 4 + [{}]


def test_bands_are_drawn_once_whatever_is_looked_at(monkeypatch):
    monkeypatch.setattr(mining, "DRAWS", 2)
    p = mining.Parameters(schemes=("DET-GD",), min_support=0.1)
    *_, bands = mining.bands(p)
    for other in (replace(p, scheme="MASK", length=3), replace(p, error="support_error")):
        assert list(mining.bands(other)) == [bands]
    for other in ({"seed": 8}, {"gamma": 20.0}, {"min_support": 0.2}, {"prune": False},
                  {"data": Data("CENSUS", (("age", 2),))}, {"schemes": ("RAN-GD",)}):  # fmt: skip
        *steps, anew = mining.bands(replace(p, **other))
        assert len(steps) == 2
        assert anew is not bands
    for seed in range(20):
        list(mining.bands(replace(p, seed=seed)))
    assert len(mining._bands) <= 16


@pytest.mark.parametrize("prune", [True, False])
@pytest.mark.parametrize("scheme", ["DET-GD", "C&P"])
@pytest.mark.parametrize("length", [0, 2, 4])
def test_the_points_of_mining_by_a_loop_over_itemsets(prune, scheme, length):
    data = Data("CENSUS", (("age", 2), ("fnlwgt", 2), ("hours-per-week", 2)))
    table = data.load()
    p = mining.Parameters(
        data=data, min_support=0.05, prune=prune, scheme=scheme, length=length, schemes=()
    )
    points = mining.compute(p).points
    mechanism = fl.make_scheme(scheme, table.schema, 19.0)
    truth = _shares(table.records)
    cube = mechanism.estimate(mechanism.perturb(table.records, rng=7)).array

    def estimate(itemset):
        at = [-1] * len(table.schema.sizes)
        for column, value in itemset:
            at[column] = value
        return cube[tuple(at)]

    really = naive(truth.__getitem__, table.schema.sizes, 0.05, False)
    claimed = naive(estimate, table.schema.sizes, 0.05, prune)
    wanted = {}
    for itemset in really.keys() | claimed.keys():
        if length in (0, len(itemset)):
            parts = [itemset - {item} for item in itemset] if len(itemset) > 1 else []
            seen = not prune or all(part in claimed for part in parts)
            kind = "lost" if itemset not in claimed else "found"
            kind = kind if itemset in really else "invented"
            wanted[itemset] = truth[itemset], estimate(itemset) if seen else np.nan, kind
    got = {}
    for codes, *numbers in zip(
        points.itemsets.codes, points.itemsets.support, points.estimates, points.kinds, strict=True
    ):
        got[frozenset((c, int(v)) for c, v in enumerate(codes) if v >= 0)] = tuple(numbers)
    assert got.keys() == wanted.keys()
    for itemset, (true, estimated, kind) in wanted.items():
        assert got[itemset][2] == kind
        assert got[itemset][:2] == pytest.approx((true, estimated), nan_ok=True)
    kinds = Counter(kind for _, _, kind in wanted.values())
    assert points.counts == {kind: kinds[kind] for kind in ("found", "lost", "invented")}
    assert points.n_true == kinds["found"] + kinds["lost"]
    assert points.n_unseen == sum(np.isnan(estimated) for _, estimated, _ in wanted.values())
    right = [abs(e - t) / t for t, e, kind in wanted.values() if kind == "found"]
    assert points.error == pytest.approx(np.mean(right) if right else np.nan, nan_ok=True)


def test_the_points_are_drawn_evenly_and_within_the_edges():
    result = mining.compute(mining.Parameters(gamma=1.5, min_support=0.005))
    points, (most, more) = result.points, mining.MOST.values()
    assert list(mining.MOST) == ["frequent", "invented"]
    n, drawn = points.n_true, points.drawn
    assert (n, len(points.kinds) - n) == (1225, points.counts["invented"])
    assert (drawn < n).sum() == most
    assert len(drawn) == most + min(more, points.counts["invented"])
    assert {0, n - 1} <= set(drawn.tolist())  # the largest, and the one nearest to the minimum
    assert len(set(drawn.tolist())) == len(drawn)
    steps = np.diff(drawn[drawn < n])
    assert steps.max() - steps.min() <= 1
    assert (points.kinds[n:] == "invented").all()
    assert (np.diff(points.itemsets.support[:n]) <= 0).all()
    assert (np.diff(points.estimates[n:]) <= 0).all()
    for position, x, y in zip(drawn, points.x, points.y, strict=True):
        true, estimate = points.itemsets.support[position], points.estimates[position]
        assert x == min(max(true, 0.001), 1)
        assert y == (0.001 if np.isnan(estimate) else min(max(estimate, 0.001), 1))
    assert (points.y == 1).any()
    assert np.isnan(points.estimates).any()


def test_the_points_are_of_any_scheme_whether_switched_on_or_not():
    census = fl.load_census()
    own = fl.Mask(census.schema, 0.8)
    result = mining.compute(mining.Parameters(scheme=own))
    assert "MASK" in result.schemes  # the registered one, which has the same label
    own.label = "mine"
    result = mining.compute(mining.Parameters(scheme=own))
    run = fl.mine(census, own, 0.02, rng=7)
    assert result.points.counts["lost"] == len(run.lost)
    assert result.points.counts["invented"] == len(run.invented)
    on = mining.compute(mining.Parameters(scheme="MASK"))
    assert on.shown is on.schemes["MASK"]
    none = mining.compute(mining.Parameters(scheme="C&P", gamma=3.0, schemes=()))
    assert none.points is None
    assert "gamma is 3 and K is 3" in none.shown.problem


def test_there_is_no_reason_for_lengths_that_no_itemset_has():
    sizes = {"fnlwgt": 1, "hours-per-week": 1, "race": 1}
    small = mining.Parameters(data=Data.of("CENSUS", sizes), schemes=("C&P", "DET-GD"))
    for scheme in mining.compute(small).schemes.values():  # three attributes, and K is 3
        assert (len(scheme.condition_numbers), scheme.why_not) == (3, "")
    assert mining.compute(mining.Parameters(schemes=("C&P",))).schemes["C&P"].why_not
