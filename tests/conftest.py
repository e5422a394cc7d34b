"""What holds for all tests, and what several rooms ask for: data sets and a table of trials."""

import pytest
from hypothesis import settings

import frapp_lab as fl
from frapp_lab import scale as experiments
from frapp_lab.scale import add_theory

# So that a failure in what tests share says what differs, as one in a test does.
pytest.register_assert_rewrite("helpers", "laws", "explorers.cards", "course.exams.twins", "pages")
# What is slow on a busy machine is not wrong.
settings.register_profile("unhurried", deadline=None)
settings.load_profile("unhurried")


@pytest.fixture(scope="session")
def census():
    return fl.load_census()


@pytest.fixture(scope="session")
def health():
    return fl.load_health()


@pytest.fixture(scope="module")
def summary(census):
    return add_theory(experiments.summarise(experiments.run_trials(census, trials=3)), census)
