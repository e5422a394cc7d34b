"""What several test files share: hypothesis strategies, and how a refusal is checked."""

import importlib.util
import os
import re

import numpy as np
import pytest
from hypothesis import settings
from hypothesis import strategies as st

import frapp_lab as fl
from frapp_lab.__main__ import main
from frapp_lab.data.schema import Schema


def experiments(arguments):
    """Run the command `frapp-lab experiments`."""
    return main(["experiments", *arguments])


# What is slow on a busy machine is not wrong.
settings.register_profile("unhurried", deadline=None)
settings.load_profile("unhurried")


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
