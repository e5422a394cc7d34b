"""Checks: intervals with open and closed ends, and what is said of them."""

import math

import numpy as np
import pytest

from frapp_lab._base import checks

HUGE = 10**400


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
