"""How exercises of a test are forgotten after it."""

import pytest

from frapp_lab.course.exercises import EXERCISES


@pytest.fixture
def own_exercises():
    """What is registered in a test is forgotten after it."""
    before = dict(EXERCISES)
    yield
    EXERCISES.clear()
    EXERCISES.update(before)
