"""Nothing wrong in silence: a call gives the right result, or says what is wrong and why."""

import math

import numpy as np
import pandas as pd
import pytest
from helpers import rules_of

import frapp_lab as fl
from frapp_lab import figures, privacy
from frapp_lab._base import checks
from frapp_lab.data import cube, schema
from frapp_lab.mechanisms import samplers
from frapp_lab.mining import reconstruction as rec
from frapp_lab.scale import run_trials

HUGE = 10**400
SMALL = fl.Schema.of_sizes(2, 3)
EYE = np.eye(2)
CENSUS = fl.load_census()
LARGE = fl.Dataset(fl.Schema.of_sizes(*[2] * 31), np.repeat([[0], [1]], 31, axis=1))


def frame(**columns):
    return pd.DataFrame(columns)


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
    with pytest.raises((ValueError, TypeError)) as error:
        call()
    for word in words:
        assert word in str(error.value)
    assert len(str(error.value)) < 600
