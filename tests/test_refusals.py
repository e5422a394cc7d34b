"""Nothing wrong in silence: a call gives the right result, or says what is wrong and why."""

import gc
import math
import os
import stat
import time
import weakref

import ipywidgets as widgets
import numpy as np
import pandas as pd
import pytest
from helpers import experiments as main

import frapp_lab as fl
from frapp_lab import explorers, figures, privacy
from frapp_lab._base import checks
from frapp_lab.data import cube, schema
from frapp_lab.data.binning import Bins
from frapp_lab.data.schema import check_schema
from frapp_lab.mechanisms import samplers
from frapp_lab.mining import reconstruction as rec
from frapp_lab.scale import run_trials

HUGE = 10**400
SMALL = fl.Schema.of_sizes(2, 3)
EYE = np.eye(2)
CENSUS = fl.load_census()
LARGE = fl.Dataset(fl.Schema.of_sizes(*[2] * 31), np.repeat([[0], [1]], 31, axis=1))
ROWS = 200_000


def frame(**columns):
    return pd.DataFrame(columns)


def rules_of(*supports):
    names = [frozenset({"a"}), frozenset({"b"}), frozenset({"a", "b"})]
    return pd.DataFrame({"itemsets": names, "support": supports})


REFUSED = {
    # numbers
    "gamma that no float holds": (lambda: fl.GammaDiagonal(SMALL, HUGE), ["gamma is", "10^400"]),
    "gamma True": (lambda: fl.worst_posterior(0.05, True), ["gamma is True", "number"]),
    "prior True": (lambda: fl.worst_posterior(True, 19), ["prior is True"]),
    "prior as text": (lambda: fl.worst_posterior("0.5", 19), ["prior is '0.5'", "number"]),
    "n that no float holds": (
        lambda: privacy.off_diagonal(19, HUGE),
        ["domain_size is 10^400", "2 to 10^300"],
    ),
    "n that cannot be printed": (lambda: privacy.off_diagonal(19, 10**5000), ["10^5000"]),
    "1,100 booleans": (
        lambda: fl.GammaDiagonal(fl.Schema.of_sizes(*[2] * 1100), 19).x,
        ["domain_size is about 1.4 × 10^331"],
    ),
    "partition below 0": (
        lambda: fl.GammaDiagonal(SMALL, 19).perturb([[0, 0]], 0, partition=-1),
        ["partition is -1", "0 or more"],
    ),
    "partition of uniforms": (
        lambda: fl.GammaDiagonal(SMALL, 19).uniforms(2, 0, -1),
        ["partition is -1"],
    ),
    "a whole number as bool": (
        lambda: checks.check_integer("K", True, 0, 3, "it is"),
        ["K is True"],
    ),
    "numpy bool": (lambda: checks.check_integer("K", np.True_, 0, 3, "it is"), ["K is"]),
    "min_confidence above 1": (
        lambda: fl.association_rules(rules_of(0.5, 0.5, 0.5), 1.2),
        ["min_confidence is 1.2", "above 0 and at most 1"],
    ),
    "gamma from no epsilon": (
        lambda: fl.gamma_from_epsilon(1e-20),
        ["epsilon is 1e-20", "above 1"],
    ),
    "gamma from no prior": (
        lambda: fl.gamma_from_breach(5e-324, 0.5),
        ["rho1 is 5e-324", "finite"],
    ),
    "posterior of 2": (
        lambda: privacy.posterior_cdf(2.0, 0.05, 19, 0.004, 2000),
        ["posterior", "2", "0 to 1"],
    ),
    "posterior of nan": (
        lambda: privacy.posterior_cdf([0.5, math.nan], 0.05, 19, 0, 2000),
        ["posterior", "nan"],
    ),
    "flag as text": (
        lambda: privacy.posterior_cdf(0.5, 0.05, 19, 0.004, 2000, "False"),
        ["given_report is 'False'", "True or False"],
    ),
    "shared as text": (
        lambda: rec.variance_split([1, 2], 19, 0.01, "False"),
        ["shared is 'False'"],
    ),
    "synthetic as text": (
        lambda: fl.Dataset(SMALL, [[0, 0]], synthetic="False"),
        ["synthetic is 'False'"],
    ),
    "holds as text": (
        lambda: fl.posterior(EYE, [0.5, 0.5], ["False", "True"]),
        ["holds", "True or False"],
    ),
    "prior of nan": (
        lambda: fl.posterior(EYE, [math.nan, 1.0], [True, False]),
        ["prior", "nan"],
    ),
    "r of nan": (lambda: privacy.realized_posterior(0.05, 19, math.nan, 2000), ["nan"]),
    # matrices and counts
    "ragged matrix": (lambda: fl.check_matrix([[0.5, 0.5], [0.5]]), ["matrix", "same length"]),
    "matrix of text": (lambda: fl.check_matrix([["a", "b"]]), ["matrix", "numbers"]),
    "complex matrix": (lambda: fl.check_matrix(EYE + 1j), ["matrix", "complex"]),
    "ragged records": (lambda: SMALL.check([[0, 1], [0]]), ["records", "same length"]),
    "singular matrix": (
        lambda: rec.error_bound(np.full((2, 2), 0.5), [1, 2], [1, 2]),
        ["matrix is singular"],
    ),
    "more records than reports": (
        lambda: rec.error_bound([[1.0, 1.0]], [1, 2], [3]),
        ["matrix is singular"],
    ),
    "negative reports": (
        lambda: rec.error_bound(EYE, [1, 2], [-1, 4]),
        ["reported", "-1"],
    ),
    "negative counts": (lambda: rec.variance_split([-5, 2], 19, 0.01), ["counts", "-5"]),
    "counts of nan": (
        lambda: rec.variance_split([math.nan, 2], 19, 0.01),
        ["counts", "nan"],
    ),
    "no counts": (lambda: rec.variance_split([0, 0], 19, 0.01), ["counts", "zero"]),
    "em with bits": (
        lambda: rec.em(fl.Mask(SMALL, 0.9), np.ones((2, 3))),
        ["mechanism is", "Mask", "DET-GD"],
    ),
    "counts of 1e30": (lambda: SMALL.check_counts(np.full((2, 3), 1e30)), ["counts", "total"]),
    "counts of 9.3e18": (
        lambda: SMALL.check_counts([[9.3e18, 0, 0], [0] * 3]),
        ["counts", "total"],
    ),
    "counts past int64": (
        lambda: SMALL.check_counts(np.array([[2**63 + 5, 0, 0], [0] * 3], dtype=np.uint64)),
        ["counts", "9,223,372,036,854,775,813", "total"],
    ),
    "a total past int64": (
        lambda: fl.GammaDiagonal(SMALL, 19).perturb_counts(np.full((2, 3), 2**62), 0),
        ["counts", "total"],
    ),
    "marginals past int64": (lambda: cube.all_marginals(np.full((2, 3), 2**62)), ["total"]),
    "complex marginals": (lambda: cube.all_marginals(np.array([1j, 2])), ["counts", "complex"]),
    "a transposed cube": (
        lambda: fl.Cube.of_counts(SMALL, np.ones((3, 2))),
        ["(3, 2)", "(2, 3)"],
    ),
    # schemas
    "no schema": (lambda: fl.Dataset(None, [[0, 0]]), ["schema is None", "Schema"]),
    "a data set for a schema": (lambda: fl.Dataset(CENSUS, [[0]]), ["Dataset CENSUS", ".schema"]),
    "a tuple for a schema": (lambda: fl.Cube.of_counts((2, 3), [[1]]), ["(2, 3)", "of_sizes"]),
    "a schema for records": (lambda: fl.Cube.of_records(None, [[1]]), ["schema is None"]),
    "counts without a schema": (lambda: fl.Dataset.from_counts(None, [[1]]), ["schema is None"]),
    "a frame with no schema": (
        lambda: fl.Dataset.from_frame(frame(a=["x", "y"]), ["a"]),
        ["schema is ['a']"],
    ),
    "names for attributes": (lambda: fl.Schema(("a", "b")), ["'a'", "Attribute"]),
    "a text for attributes": (lambda: fl.Schema("ab"), ["'ab'", "Attribute"]),
    "a number for attributes": (lambda: fl.Schema(2), ["2", "Attribute"]),
    "a text for categories": (lambda: schema.Attribute("sex", "FM"), ["'sex'", "'FM'", "list"]),
    "a number for categories": (lambda: fl.Schema.of(sex=2), ["'sex'", "2", "list"]),
    "numbers as categories": (lambda: fl.Schema.of(sex=[0, 1]), ["'sex'", "0", "text"]),
    "a number as a name": (lambda: schema.Attribute(1, ("a", "b")), ["attribute 1", "text"]),
    "a size of text": (lambda: fl.Schema.of_sizes("2"), ["size", "'2'", "whole number"]),
    "a size of one": (lambda: fl.Schema.of_sizes(2, 1), ["a2", "1"]),
    "a subset by number": (lambda: SMALL.positions(1), ["1", "a1, a2"]),
    # tables
    "a list for a frame": (lambda: fl.Dataset.from_frame([[1]]), ["list", "DataFrame"]),
    "a series for a frame": (
        lambda: fl.Dataset.from_frame(pd.Series(["a", "b"])),
        ["Series", "DataFrame", "to_frame"],
    ),
    "columns 1 and '1'": (
        lambda: fl.Dataset.from_frame(
            pd.DataFrame([["x", "y"], ["y", "x"]], columns=[1, "1"]),
            fl.Schema.of(**{"1": ["x", "y"]}),
        ),
        ["'1'", "more than once"],
    ),
    "True and 1": (
        lambda: fl.Dataset.from_frame(frame(a=pd.Series([True, 1, 0], dtype=object))),
        ["'a'", "True", "same"],
    ),
    "True and 1 with a schema": (
        lambda: fl.Dataset.from_frame(
            frame(a=pd.Series([True, 1, 0], dtype=object)), fl.Schema.of(a=["True", "0", "1"])
        ),
        ["'a'", "True", "same"],
    ),
    "lists in cells": (lambda: fl.Dataset.from_frame(frame(a=[[1], [2]])), ["'a'", "list"]),
    "an identifier": (
        lambda: fl.Dataset.from_frame(frame(id=[f"p{i}" for i in range(100)])),
        ["'id'", "100 different values", "drop"],
    ),
    "too many words": (
        lambda: fl.Dataset.from_frame(frame(w=[f"w{i % 1001}" for i in range(5000)])),
        ["'w'", "1,001 different values"],
    ),
    "measurements": (
        lambda: fl.Dataset.from_frame(frame(x=np.arange(3000) % 60 / 7)),
        ["'x'", "60 different values", "pd.cut"],
    ),
    "a number in every row": (
        lambda: fl.Dataset.from_frame(frame(x=range(3000))),
        ["'x'", "3,000 different values", "pd.cut"],
    ),
    # bins
    "a list of names for bins": (lambda: fl.load_census(bins=["age"]), ["bins", "['age']", "size"]),
    "a list of names for health": (lambda: fl.load_health(bins=["AGE"]), ["bins", "['AGE']"]),
    "an unknown attribute": (lambda: fl.load_census(bins={"height": 3}), ["'height'", "age, fnlw"]),
    "an unknown one of health": (
        lambda: fl.load_health(bins={"age": 3}),
        ["'age'", "AGE, BDDAY12"],
    ),
    "bins as text": (lambda: fl.load_census(bins={"age": "8"}), ["'age'", "'8'"]),
    "bins as bool": (lambda: fl.load_census(bins={"age": True}), ["'age'", "True"]),
    "no bins": (lambda: fl.load_census(bins={"age": 0}), ["'age'", "0"]),
    "finer than they are": (lambda: fl.load_census(bins={"race": 6}), ["'race' is 6", "1 to 5"]),
    "edges of edges": (
        lambda: fl.load_census(bins={"age": [[15, 20], [35, 40], [95, 99]]}),
        ["'age'", "rising"],
    ),
    "edges of a nominal one": (lambda: fl.load_census(bins={"race": [1, 2]}), ["'race'", "[1, 2]"]),
    "nothing left": (
        lambda: fl.load_census(bins=dict.fromkeys(CENSUS.schema.names, 1)),
        ["at least one", "left out"],
    ),
    # schemes, and what is mined
    "a scheme without a schema": (
        lambda: fl.make_scheme("C&P", None),
        ["schema is None", "Schema"],
    ),
    "a scheme for a data set": (lambda: fl.make_scheme("MASK", CENSUS), ["CENSUS", ".schema"]),
    "reports that are no schema": (
        lambda: fl.MatrixMechanism(SMALL, np.eye(6), (2, 3)),
        ["reports is (2, 3)", "Schema"],
    ),
    "columns of bits": (
        lambda: samplers.perturb_by_columns(fl.Mask(SMALL, 0.9), [[0, 1]], 0),
        ["mechanism is", "Mask", "DET-GD"],
    ),
    "a scan of bits": (
        lambda: samplers.perturb_by_scan(fl.Mask(SMALL, 0.9), [[0, 1]], 0),
        ["mechanism is", "Mask", "DET-GD"],
    ),
    "itemsets of nothing": (lambda: fl.frequent_itemsets(None, 0.1), ["dataset is of type None"]),
    "theory of a frame": (lambda: fl.predicted_errors(frame(a=[1]), "MASK"), ["type DataFrame"]),
    "records of a text": (
        lambda: fl.records_needed("census", "MASK", 0.02, 1, 10),
        ["dataset is of type str"],
    ),
    "trials of nothing": (lambda: run_trials(None), ["datasets is None", "list"]),
    "trials of a frame": (lambda: run_trials(frame(a=[1])), ["dataset is of type str"]),
    "one label for a list": (lambda: run_trials(CENSUS, "MASK"), ["schemes is 'MASK'", "list"]),
    "one number for a list": (lambda: run_trials(CENSUS, gammas=19), ["gammas is 19", "list"]),
    "no number in a list": (lambda: run_trials(CENSUS, gammas=[]), ["gammas is empty"]),
    "pruning as text, level by level": (
        lambda: fl.mine(LARGE, "C&P", 0.9, 0, prune="no"),
        ["prune is 'no'"],
    ),
    # rules and figures
    "a support of zero": (
        lambda: fl.association_rules(rules_of(0.0, 0.5, 0.5)),
        ["support", "0", "'a'", "above 0"],
    ),
    "no columns": (
        lambda: fl.association_rules(pd.DataFrame()),
        ["itemsets", "columns", "support"],
    ),
    "rules without columns": (
        lambda: fl.rule_errors(pd.DataFrame(), pd.DataFrame()),
        ["true", "antecedents"],
    ),
    "more curves than looks": (
        lambda: figures.chart({str(i): ([1], [1]) for i in range(40)}, "x", "y", "Many."),
        ["40 curves", "32"],
    ),
}


@pytest.mark.parametrize("case", REFUSED, ids=str)
def test_it_is_refused_in_words(case):
    call, words = REFUSED[case]
    start = time.monotonic()
    with pytest.raises((ValueError, TypeError)) as error:
        call()
    assert time.monotonic() - start < 2
    for word in words:
        assert word in str(error.value)
    assert len(str(error.value)) < 600


# --- checks ---


@pytest.mark.parametrize(
    ("interval", "inside", "outside"),
    [
        ("(0, 1)", [1e-300, 0.5, np.float32(0.25)], [0, 1, -1, math.nan, math.inf]),
        ("[0, 1]", [0, 1, 0.5], [-1e-300, math.nextafter(1, 2), math.nan]),
        ("(0, 1]", [1, 1e-300], [0, 1.1]),
        ("(1, inf)", [2, 1e308, math.nextafter(1, 2)], [1, math.inf, HUGE]),
    ],
)
def test_an_interval_has_open_and_closed_ends(interval, inside, outside):
    for value in inside:
        found = checks.check_number("x", value, interval, "of a reason")
        assert type(found) is float
        assert found == value
    for value in [*outside, True, False, "0.5", "False", None, np.True_, 0.5j, [0.5]]:
        with pytest.raises(ValueError, match=r"x is .*: it must be a .*number .*, because of a re"):
            checks.check_number("x", value, interval, "of a reason")


def test_both_ends_are_said():
    with pytest.raises(ValueError, match=r"x is 2: .* above 0 and at most 1, because"):
        checks.check_number("x", 2, "(0, 1]", "of a reason")
    with pytest.raises(ValueError, match=r"x is 0: .* 1 or more, because"):
        checks.check_integer("x", 0, 1, math.inf, "of a reason")


def test_alpha_may_be_its_bound_up_to_rounding():
    highest = privacy.max_alpha(19, 2000)
    assert privacy.check_alpha(highest * (1 + 1e-13), 19, 2000) == highest
    with pytest.raises(ValueError, match="negative entry"):
        privacy.check_alpha(highest * (1 + 1e-9), 19, 2000)


def test_a_schema_is_let_through():
    assert check_schema(SMALL) is SMALL


# --- large and many ---


def test_many_categories_are_checked_at_once():
    start = time.monotonic()
    assert fl.Schema.of_sizes(50_000).n_cells == 50_000
    assert fl.Schema.of_sizes(*[2] * 5_000).n_attributes == 5_000
    assert time.monotonic() - start < 2
    with pytest.raises(ValueError, match=r"'7'.*more than once"):
        schema.Attribute("a", (*map(str, range(50_000)), "7"))


@pytest.mark.parametrize("ids", [range(ROWS), [f"p{i}" for i in range(ROWS)]], ids=["int", "str"])
def test_identifiers_of_many_rows_are_refused_fast(ids):
    table = pd.DataFrame({"id": ids, "sex": ["F", "M"] * (ROWS // 2)})
    start = time.monotonic()
    with pytest.raises(ValueError, match=r"'id'.*200,000 different values"):
        fl.Dataset.from_frame(table)
    assert time.monotonic() - start < 2


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


# --- whole numbers stay whole ---


@pytest.mark.parametrize("kind", [bool, np.int8, np.uint8, np.int32, np.uint64, np.int64])
def test_integers_do_not_wrap(kind):
    top = 1 if kind is bool else min(np.iinfo(kind).max // 6, 2**60)
    top = top if kind not in (np.int8, np.uint8, np.int32) else np.iinfo(kind).max
    counts = np.full((2, 3), top, dtype=kind)
    marginals = cube.all_marginals(counts)
    assert marginals.dtype == np.int64
    for i, j in np.ndindex(3, 4):
        cells = (2 if i == 2 else 1) * (3 if j == 3 else 1)
        assert int(marginals[i, j]) == cells * int(top)
    assert fl.Cube.of_counts(SMALL, counts)["a1"].tolist() == [3 * int(top)] * 2


def test_sums_past_two_to_the_53_are_exact():
    odd = 2**53 + 1
    marginals = cube.all_marginals(np.array([[odd, 2, 4], [1, 1, 2**61]]))
    assert marginals[0].tolist() == [odd, 2, 4, odd + 6]
    assert marginals[2].tolist() == [odd + 1, 3, 2**61 + 4, odd + 2**61 + 8]
    most = np.array([2**63 - 2, 1])
    assert cube.all_marginals(most).tolist() == [2**63 - 2, 1, 2**63 - 1]
    # Terms that cancel: the total is small and the terms are not.
    signed = np.array([2**60 + 1, -(2**60), 3])
    assert cube.all_marginals(signed).tolist() == [2**60 + 1, -(2**60), 3, 4]


def test_fractions_become_doubles():
    assert cube.all_marginals(np.full((2, 3), 6e4, dtype=np.float16))[-1, -1] == pytest.approx(36e4)
    tenth = cube.all_marginals(np.full(10, 0.1, dtype=np.float32))
    assert tenth.dtype == np.float64
    with_gap = cube.all_marginals(np.array([[1.0, math.nan], [2.0, 3.0]]))
    assert with_gap[1].tolist() == [2, 3, 5]
    assert np.isnan(with_gap[0, 1:]).all()
    assert with_gap[:, 0].tolist() == [1, 2, 3]


def test_a_large_cube_of_counts_is_exact_too():
    schema = fl.Schema.of_sizes(*[2] * 16)
    counts = np.zeros(schema.sizes, dtype=np.uint8)
    counts[0], counts[1] = 200, 100
    cube = fl.Cube.of_counts(schema, counts)
    assert not cube.is_small
    assert cube["a1"].tolist() == [200 * 2**15, 100 * 2**15]


def test_counts_are_whole_up_to_the_last():
    most = SMALL.check_counts([[2**63 - 3, 1, 0], [1, 0, 0]])
    assert int(most.sum()) == 2**63 - 1
    assert SMALL.check_counts(np.full((2, 3), 2.0**60)).tolist() == [[2**60] * 3] * 2


def test_what_a_cache_gives_out_is_read_only():
    data = fl.Dataset(SMALL, [[0, 1], [1, 2]])
    estimates = fl.GammaDiagonal(SMALL, 19).estimate(data.records)
    for array in (data.cube.array, data.supports.array, estimates.array, data.cube["a1"]):
        with pytest.raises(ValueError, match="read-only"):
            array[...] = 0
    assert LARGE.cube["a1"].tolist() == [1, 1]


# --- seeds ---


@pytest.mark.parametrize("seed", [None, True, "x", -1, 2.5, [], [1, -2], math.nan], ids=str)
def test_an_odd_seed_is_refused_by_all_who_draw(seed):
    gd = fl.GammaDiagonal(SMALL, 19)
    for call in (
        lambda: gd.perturb_counts(np.ones((2, 3), int), seed),
        lambda: samplers.perturb_by_columns(gd, [[0, 1]], seed),
        lambda: samplers.perturb_by_scan(gd, [[0, 1]], seed),
    ):
        with pytest.raises(ValueError, match=r"rng is .*: it must be a whole number"):
            call()


def test_a_seed_is_numpys_own_where_counts_are_drawn():
    gd, counts = fl.GammaDiagonal(SMALL, 19), np.full((2, 3), 50)
    for seed in (7, np.int64(7), [7, 2], (7, 2)):
        again = gd.perturb_counts(counts, np.random.default_rng(seed))
        assert (gd.perturb_counts(counts, seed) == again).all()


# --- privacy and bins ---


def test_shares_of_zero_and_one_are_posteriors():
    assert privacy.posterior_cdf([0, 1], 0.05, 19, 0.004, 2000).tolist() == [0, 1]
    assert fl.posterior(EYE, [0.5, 0.5], [1, 0]).tolist() == [1, 0]
    assert fl.gamma_from_epsilon(1e-15) > 1


def test_close_edges_have_names_of_their_own():
    assert Bins((0, 50, 50.0000001, 60)).labels == ("(0,50]", "(50,50.0000001]", "(50.0000001,60]")
    close = (1.0, math.nextafter(1, 2), math.nextafter(math.nextafter(1, 2), 2))
    assert len({*Bins(close).labels}) == 2
    low, high = Bins(close).labels[0][1:-1].split(",")
    assert float(low) < float(high)


# --- every domain size ---


def test_every_size_of_census():
    whole = CENSUS.to_frame()["race"].astype(str)
    for size in range(2, 6):
        data = fl.load_census(bins={"race": size})
        assert data.schema.sizes == (4, 5, 5, size, 2, 2)
        found = data.to_frame()["race"].astype(str)
        for category in data.schema.attributes[3].categories:
            parts = category.split(" or ")
            assert (found == category).sum() == whole.isin(parts).sum()
            assert len(category) <= 60
    merged = fl.load_census(bins={"race": 4}).schema.attributes[3].categories
    assert merged == ("White", "Asian-Pac-Islander", "Black", "Other or Amer-Indian-Eskimo")
    same = fl.load_census(bins={"race": 5, "sex": 2, "native-country": 2})
    assert same.schema == CENSUS.schema
    assert (same.records == CENSUS.records).all()


def test_a_size_of_one_leaves_the_attribute_out():
    data = fl.load_census(bins={"fnlwgt": 1, "race": 1, "sex": 1, "age": 7})
    assert data.schema.names == ("age", "hours-per-week", "native-country")
    assert data.schema.sizes == (7, 5, 2)
    names = ["hours-per-week", "native-country"]
    assert (data.cube[names] == CENSUS.cube[names]).all()
    alone = fl.load_health(bins={n: 1 for n in fl.load_health().schema.names if n != "PHONE"})
    assert (alone.counts == fl.load_health().cube["PHONE"]).all()


def test_every_size_of_health():
    whole = fl.load_health()
    for attribute in whole.schema.attributes:
        for size in range(2, attribute.size + 1):
            data = fl.load_health(bins={attribute.name: size})
            found = data.cube[attribute.name]
            assert found.shape == (size,)
            assert found.sum() == len(whole)
    merged = fl.load_health(bins={"HEALTH": 3, "PHONE": 2}).schema
    assert merged.attributes[6].categories == ("excellent", "very good", "good or fair or poor")
    assert merged.attributes[3].categories == ("number given", "no number given or none")


# --- rules and figures ---


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


@pytest.mark.parametrize("bars", [False, True])
def test_more_curves_than_colours_can_be_told_apart(bars):
    curves = {str(i): ([1, 2], [3, 4]) for i in range(11)}
    shown = figures.chart({**curves, "MASK": ([1], [2])}, "x", "y", "Many.", bars=bars)
    if bars:
        looks = [(t.marker.color, t.marker.pattern.shape) for t in shown.figure.data]
    else:
        looks = [(t.line.color, t.line.dash) for t in shown.figure.data]
    assert len(set(looks)) == 12


# --- the command line ---

QUICK = ["census", "--trials", "1", "--schemes", "DET-GD", "--out"]


def refused(arguments, capsys):
    with pytest.raises(SystemExit) as stop:
        main(arguments)
    assert stop.value.code == 2
    said = capsys.readouterr().err
    assert "trials 1/1" not in said
    return said


def test_a_pipe_or_a_device_is_left_alone(tmp_path, capsys):
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    link = tmp_path / "link"
    link.symlink_to(pipe)
    for out in (pipe, link):
        assert "no plain file" in refused([*QUICK, str(out)], capsys)
    assert stat.S_ISFIFO(pipe.stat().st_mode)
    assert "no plain file" in refused([*QUICK, "/dev/null"], capsys)
    assert stat.S_ISCHR(os.stat("/dev/null").st_mode)
    loop = tmp_path / "loop"
    loop.symlink_to(loop)
    assert "--out is" in refused([*QUICK, str(loop)], capsys)


def test_a_link_stays_and_its_target_is_written(tmp_path):
    folder = tmp_path / "elsewhere"
    folder.mkdir()
    for target in (folder / "old.csv", folder / "new.csv"):
        if target.name == "old.csv":
            target.write_text("old")
            target.chmod(0o640)
        link = tmp_path / f"to_{target.name}"
        link.symlink_to(target)
        assert main([*QUICK, str(link)]) == 0
        assert link.is_symlink()
        assert target.read_text().startswith("dataset,")
    assert stat.S_IMODE((folder / "old.csv").stat().st_mode) == 0o640
    assert len(list(folder.iterdir())) == 2


def test_a_file_of_ones_own_beside_the_result_stays(tmp_path):
    part = tmp_path / "results.csv.part"
    part.write_text("mine")
    assert main([*QUICK, str(tmp_path / "results.csv")]) == 0
    assert part.read_text() == "mine"
    assert sorted(p.name for p in tmp_path.iterdir()) == ["results.csv", "results.csv.part"]


@pytest.mark.skipif(not os.path.isdir("/proc/self"), reason="needs a folder nobody can write in")
def test_a_folder_that_cannot_be_written_is_found_before_the_trials(capsys):
    said = refused([*QUICK, "/proc/results.csv"], capsys)
    assert "cannot be written" in said
    assert "Traceback" not in said


def test_a_disc_that_fills_up_is_told_in_a_sentence(tmp_path, monkeypatch, capsys):
    def full(*_, **__):
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(pd.DataFrame, "to_csv", full)
    with pytest.raises(SystemExit) as stop:
        main([*QUICK, str(tmp_path / "results.csv")])
    assert stop.value.code == 2
    assert "No space left" in capsys.readouterr().err
    assert not list(tmp_path.iterdir())


def test_a_share_of_alpha_goes_from_0_to_1(tmp_path, capsys):
    out = str(tmp_path / "a.csv")
    said = refused([*QUICK, out, "--alpha-share", "1.5"], capsys)
    assert "alpha_share is 1.5" in said
    assert "from 0 to 1" in said.replace("\n", " ")
    assert main([*QUICK, out, "--alpha-share", "1"]) == 0


# --- explorers ---


def test_an_explorer_can_be_made_after_all_widgets_were_closed():
    explorers.Posterior()
    widgets.Widget.close_all()
    again = explorers.Posterior()
    assert "application/vnd.jupyter.widget-view+json" in again._repr_mimebundle_()
    assert again.card.script.comm is not None
    again.close()


@pytest.mark.parametrize("kind", explorers.every(), ids=lambda kind: kind.__name__)
def test_a_closed_explorer_is_forgotten(kind):
    made = kind()
    gone = weakref.ref(made)
    shown = [made.view, made.card, *made.controls.values()]
    script = made.card.script
    made.close()
    made.close()  # twice is once
    assert all(widget.comm is None for widget in shown)
    assert script.comm is not None  # shared with the others
    del made, shown
    gc.collect()
    assert gone() is None
