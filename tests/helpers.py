"""What tests of several rooms share: strategies, data, schemes, and how a refusal is checked."""

import importlib.util
import itertools
import os
import re
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from hypothesis import strategies as st

import frapp_lab as fl
from frapp_lab.__main__ import main
from frapp_lab.data.cube import lengths
from frapp_lab.data.schema import Schema

ROOT = Path(__file__).parent.parent


def experiments(arguments):
    """Run the command `frapp-lab experiments`."""
    return main(["experiments", *arguments])


@st.composite
def schemas(draw, max_attributes=4, max_size=4):
    sizes = draw(st.lists(st.integers(2, max_size), min_size=1, max_size=max_attributes))
    return Schema.of_sizes(*sizes)


@st.composite
def tables(draw, some_schemas=None, max_records=30):
    """A schema with some records of it."""
    schema = draw(schemas() if some_schemas is None else some_schemas)
    row = st.tuples(*(st.integers(0, size - 1) for size in schema.sizes))
    records = np.array(draw(st.lists(row, min_size=1, max_size=max_records)))
    return schema, records


SMALL_AND_LARGE = st.one_of(
    schemas(),
    st.just(Schema.of_sizes(3)),  # one attribute
    st.just(Schema.of_sizes(*[2] * 31)),  # 2^31 cells: nothing of that size may be built
)


def assert_refused(call, words):
    """The call raises a ValueError whose message holds every one of the words."""
    with pytest.raises(ValueError, match=re.escape(words[0])) as error:
        call()
    for word in words:
        assert word in str(error.value)


def require(module):
    """Skip if a module of .ci/requirements.txt is missing; in the gate that is a failure."""
    if importlib.util.find_spec(module) is None:
        message = f"needs {module}: pip install -r .ci/requirements.txt"
        if os.environ.get("FRAPP_LAB_FULL"):
            pytest.fail(message)
        pytest.skip(message)


def all_schemes(schema, gamma=19.0, **options):
    """One of each that is registered, at one γ."""
    return [fl.make_scheme(label, schema, gamma, **options) for label in fl.schemes()]


def dependent_data(schema, n, seed=0):
    """Draw n records of which attributes depend on each other, all of them at once."""
    rng = np.random.default_rng(seed)
    shares = rng.dirichlet(np.full(schema.n_cells, 2.0))
    return fl.Dataset.from_counts(schema, rng.multinomial(n, shares).reshape(schema.sizes))


def frequent_by_length(data, min_support=0.02):
    array = data.cube.array
    return np.bincount(lengths(data.schema.sizes)[array >= min_support * len(data)])[1:].tolist()


def person(phone=1, sex=1, age=30, income=2, health=1, bed_days=0, visits=0, kind=20, year=93):
    """One record of the real HEALTH in its true layout: 335 characters, columns counted from 1."""
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


def all_itemsets(schema):
    """Every itemset as {attribute position: code}."""
    for length in range(1, schema.n_attributes + 1):
        for subset in itertools.combinations(range(schema.n_attributes), length):
            for codes in itertools.product(*(range(schema.sizes[j]) for j in subset)):
                yield dict(zip(subset, codes, strict=True))


def cell_of(schema, itemset):
    return tuple(itemset.get(j, -1) for j in range(schema.n_attributes))


def rules_of(*supports):
    names = [frozenset({"a"}), frozenset({"b"}), frozenset({"a", "b"})]
    return pd.DataFrame({"itemsets": names, "support": supports})
