"""Mining perturbed data: errors and pruning by brute force, and large domains."""

import math

import numpy as np
import pandas as pd
import pytest
from helpers import all_itemsets, assert_refused, cell_of

import frapp_lab as fl
from frapp_lab.mining.itemsets import frequent_arrays, frequent_cells
from frapp_lab.mining.mining_run import ERRORS, judge

SMALL = fl.Schema.of_sizes(2, 3, 2)
TABLE = fl.Dataset(SMALL, np.random.default_rng(0).integers(0, [2, 3, 2], (300, 3)) // [1, 2, 1])


# --- perturbed data ---


def errors_by_hand(run, data, min_support):
    """FRAPP §7, itemset by itemset, in plain Python."""
    rows = []
    for length in range(1, data.schema.n_attributes + 1):
        cells = [cell_of(data.schema, i) for i in all_itemsets(data.schema) if len(i) == length]
        true = {c: data.supports.array[c] for c in cells}
        f = {c for c in cells if true[c] >= min_support}
        r = {c for c in cells if run.found[c]}

        def mean_error(chosen, true=true):
            errors = [abs(run.estimates[c] - true[c]) / true[c] for c in chosen]
            return 100 * np.mean(errors) if errors else math.nan

        share = 100 / len(f) if f else math.nan
        rows.append([mean_error(f & r), mean_error(f), share * len(f - r), share * len(r - f)])
    return np.array(rows)


@pytest.mark.parametrize("name", fl.schemes())
@pytest.mark.parametrize("prune", [True, False])
@pytest.mark.parametrize("min_support", [0.05, 0.3])
def test_errors_and_pruning_by_brute_force(name, prune, min_support):
    m = fl.make_scheme(name, SMALL, 19)
    run = fl.mine(TABLE, m, min_support, rng=3, prune=prune)
    found = set()
    for itemset in all_itemsets(SMALL):  # shorter ones come first, as in Apriori's passes
        cell = cell_of(SMALL, itemset)
        smaller = [{k: v for k, v in itemset.items() if k != drop} for drop in itemset]
        candidate = not prune or all(not s or cell_of(SMALL, s) in found for s in smaller)
        if candidate and run.estimates[cell] >= min_support:
            found.add(cell)
        assert run.found[cell] == (cell in found)
    wanted = errors_by_hand(run, TABLE, min_support)
    assert run.errors.to_numpy() == pytest.approx(wanted, nan_ok=True)
    assert run.errors.columns.tolist() == list(ERRORS)
    assert run.errors.index.tolist() == [1, 2, 3]
    n_found, n_true = run.found.sum(), run.frequent.sum()
    assert len(run.itemsets) == n_found
    assert n_found - len(run.invented) + len(run.lost) == n_true


def test_the_empty_itemset_counts_as_found_and_no_other_does():
    """Whatever is estimated of it; and an itemset with all its subsets found may yet be rare."""
    supports = np.full((3, 3), 0.5)
    supports[-1, -1] = 0.0  # the empty itemset
    supports[1, 1] = 0.1  # the last values together
    found = frequent_cells(supports, 0.3, prune=True, max_length=2)
    assert found.tolist() == [[True, True, True], [True, False, True], [True, True, False]]


def test_estimates_are_the_mechanisms_own():
    m = fl.GammaDiagonal(SMALL, 19)
    uniforms = m.uniforms(len(TABLE), rng=5)
    run = fl.mine(TABLE, m, 0.05, uniforms=uniforms)
    reports = m.perturb(TABLE.records, uniforms=uniforms)
    assert (run.estimates == m.estimate(reports).array).all()


def test_what_does_not_exist_is_missing_and_not_zero():
    census = fl.load_census()
    errors = fl.mine(census, fl.CutAndPaste(census.schema, 3, 0.494), 0.02, rng=0).errors
    gone = ["support_error", "support_error_all", "false_positives"]
    assert errors.loc[4:, gone].isna().to_numpy().all()
    assert (errors.loc[4:, "false_negatives"] == 100).all()
    # At 90 % no itemset of length 4 or more is frequent.
    rare = fl.mine(census, fl.GammaDiagonal(census.schema, 19), 0.9, rng=0)
    none = ~np.isin(np.arange(1, 7), frequent_arrays(census, 0.9).length)
    assert none.any()
    assert rare.errors[none].isna().to_numpy().all()


def test_a_nearly_open_mechanism_makes_nearly_no_error():
    for name in fl.schemes():
        m = fl.make_scheme(name, SMALL, 1e40)
        errors = fl.mine(TABLE, m, 0.05, rng=0).errors
        if name == "C&P":
            assert errors["support_error_all"].max() > 1  # it keeps w items, whatever γ is
            continue
        assert errors.to_numpy() == pytest.approx(0, abs=1e-3)


def test_ran_gd_really_randomises():
    census = fl.load_census()
    runs = [
        fl.mine(census, fl.make_scheme("RAN-GD", census.schema, 19, alpha_share=share), 0.02, rng=1)
        for share in (0.1, 0.9)
    ]
    assert (runs[0].estimates != runs[1].estimates).any()


CENSUS = fl.load_census()
DET = fl.GammaDiagonal(CENSUS.schema, 19)
ITEMSETS = fl.frequent_itemsets(CENSUS, 0.02)


@pytest.mark.parametrize(
    ("call", "words"),
    [
        (lambda: fl.frequent_itemsets(CENSUS, 0), ["min_support is 0", "above 0"]),
        (lambda: fl.frequent_itemsets(CENSUS, 1.5), ["min_support is 1.5", "at most 1"]),
        (lambda: fl.frequent_itemsets(CENSUS, math.nan), ["min_support is nan"]),
        (lambda: fl.frequent_itemsets(CENSUS, "2%"), ["min_support is '2%'", "0.02"]),
        (lambda: fl.frequent_itemsets(CENSUS, 0.02, max_length=7), ["max_length is 7", "1 to 6"]),
        (lambda: fl.frequent_itemsets(CENSUS, 0.02, top=0), ["top is 0"]),
        (lambda: fl.mine(CENSUS, DET, 0, 0), ["min_support is 0"]),
        (lambda: fl.mine(CENSUS, DET, 1.5, 0), ["min_support is 1.5"]),
        (lambda: fl.mine(CENSUS, DET, math.nan, 0), ["min_support is nan"]),
        (lambda: fl.mine(CENSUS, fl.GammaDiagonal(SMALL, 19), 0.02, 0), ["a1, a2, a3", "schema"]),
        (lambda: fl.mine(CENSUS, DET, 0.02), ["rng"]),
        (lambda: fl.mine(CENSUS, DET, 0.02, 0, uniforms=np.zeros((1, 2))), ["rng", "uniforms"]),
        (lambda: fl.Dataset(SMALL, np.empty((0, 3), int)), ["empty"]),
        (lambda: fl.association_rules(ITEMSETS, 0), ["min_confidence is 0"]),
        (lambda: fl.association_rules(ITEMSETS, 1.2), ["min_confidence is 1.2"]),
        (lambda: fl.association_rules(ITEMSETS.tail(5)), ["not its subset", "prune=True"]),
        (lambda: fl.make_scheme("GRR", SMALL, 19), ["'GRR'", "DET-GD"]),
        (lambda: fl.make_scheme("RAN-GD", SMALL, 19, alpha_share=1.5), ["alpha_share is 1.5"]),
    ],
)
def test_bad_input_is_refused_in_words(call, words):
    assert_refused(call, words)


def test_an_empty_table_is_refused_before_it_is_mined():
    assert_refused(lambda: fl.Dataset.from_frame(pd.DataFrame({"a": []})), ["empty"])


# --- large domains ---


def large(n=3000):
    """31 boolean attributes, even; the first four almost always agree."""
    rng = np.random.default_rng(4)
    records = rng.integers(0, 2, (n, 31))
    agree = rng.random(n) < 0.95
    records[agree, 1:4] = records[agree, :1]
    return fl.Dataset(fl.Schema.of_sizes(*[2] * 31), records)


def test_31_boolean_attributes_are_mined_level_by_level():
    data = large()
    m = fl.Mask(data.schema, 0.99)
    run = fl.mine(data, m, 0.3, rng=0)
    true = fl.frequent_itemsets(data, 0.3)
    assert true["length"].max() == 4
    assert len(run.itemsets) + len(run.lost) - len(run.invented) == len(true)
    assert run.errors.false_negatives[:4].tolist() == [0, 0, 0, 0]
    assert run.errors.support_error[:4].max() < 10
    # The estimates are those of the scheme, itemset by itemset.
    estimate = m.estimate(m.perturb(data.records, 0))
    for items, support in zip(run.itemsets["itemsets"], run.itemsets["support"], strict=True):
        pairs = sorted(item.split("=") for item in items)
        value = estimate[[name for name, _ in pairs]][tuple(int(v) for _, v in pairs)]
        assert value == support


def test_a_large_domain_and_a_small_one_are_mined_alike(monkeypatch):
    data = fl.Dataset(SMALL, TABLE.records)
    for label in fl.schemes():
        whole = fl.mine(data, label, 0.05, rng=3)
        monkeypatch.setattr("frapp_lab.data.cube.MAX_CELLS", 3)
        apart = fl.mine(fl.Dataset(SMALL, TABLE.records), label, 0.05, rng=3)
        monkeypatch.undo()
        assert apart.codes is not None
        np.testing.assert_allclose(apart.error_array(), whole.error_array())
        for part in ("itemsets", "lost", "invented"):
            ours, theirs = (
                dict(
                    zip(getattr(run, part)["itemsets"], getattr(run, part)["support"], strict=True)
                )
                for run in (apart, whole)
            )
            assert ours == pytest.approx(theirs)


def test_pruning_is_a_matter_of_true_or_false():
    with pytest.raises(TypeError, match="prune is 'no'"):
        fl.mine(TABLE, "DET-GD", 0.1, rng=0, prune="no")


def test_level_by_level_the_threshold_itself_is_frequent(monkeypatch):
    data = fl.Dataset.from_counts(SMALL, np.full(SMALL.sizes, 5))
    whole = fl.frequent_itemsets(data, 1 / 12)  # every cell has just that support
    monkeypatch.setattr("frapp_lab.data.cube.MAX_CELLS", 3)
    apart = fl.frequent_itemsets(fl.Dataset(SMALL, data.records), 1 / 12)
    assert len(apart) == len(whole) == 3 * 4 * 3 - 1


def test_a_large_domain_without_pruning_is_refused():
    assert_refused(lambda: fl.mine(large(50), "DET-GD", 0.3, rng=0, prune=False), ["prune is"])


@pytest.mark.parametrize(
    ("call", "words"),
    [
        (lambda: fl.mine(None, "DET-GD", 0.1, rng=0), ["dataset is of type NoneType"]),
        (lambda: fl.mine("census", "DET-GD", 0.1, rng=0), ["dataset is of type str"]),
        (lambda: fl.mine(TABLE.to_frame(), "DET-GD", 0.1, rng=0), ["from_frame"]),
        (lambda: fl.mine(TABLE, None, 0.1, rng=0), ["scheme None is not known"]),
        (lambda: fl.mine(TABLE, "DET-GD", 0.1, rng=0).changed("Lost"), ["how is 'Lost'"]),
        (
            lambda: judge(TABLE, TABLE.supports.array.T[:, :, :2], 0.1),
            ["estimates have shape"],
        ),
    ],
)
def test_more_that_is_refused(call, words):
    assert_refused(call, words)


def test_a_run_does_not_print_its_arrays():
    run = fl.mine(fl.load_census(), "IND-RR", rng=0)
    assert "estimates" not in repr(run)
    assert len(repr(run)) < 1000
