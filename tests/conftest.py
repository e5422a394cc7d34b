"""The paper's data sets and a table of trials, for whichever test asks for them."""

import pytest

import frapp_lab as fl
from frapp_lab import scale as experiments
from frapp_lab.scale import add_theory


@pytest.fixture(scope="session")
def census():
    return fl.load_census()


@pytest.fixture(scope="session")
def health():
    return fl.load_health()


@pytest.fixture(scope="module")
def summary(census):
    return add_theory(experiments.summarise(experiments.run_trials(census, trials=3)), census)
