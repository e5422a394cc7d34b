"""Predictions are recorded, compared, and never stop a lesson."""

import pytest
from helpers import assert_refused

from frapp_lab.course.exercises import predict


@pytest.mark.parametrize(
    ("said", "noted", "compared"),
    [
        (..., "No prediction yet: put “up”, “down” or “none” in", "It is “down”. (No prediction"),
        (None, "No prediction yet", "It is “down”. (No prediction was made.)"),
        ("DOWN ", "Noted: “down”.", "You said “down”, and so it is."),
        ("up", "Noted: “up”.", "You said “up”; it is “down”. What made you think so?"),
        ("sideways", "'sideways' is no prediction here: put “up”", "It is “down”. (No prediction"),
        (3, "3 is no prediction here", "It is “down”. (No prediction was made.)"),
    ],
)
def test_words(said, noted, compared, capsys):
    prediction = predict(said, "up", "down", "none")
    assert capsys.readouterr().out.startswith(noted)
    prediction.compare("down")
    assert capsys.readouterr().out.startswith(compared)


@pytest.mark.parametrize(
    ("said", "noted", "compared"),
    [
        (..., "No prediction yet: put a number in place of the three dots.", "It is 2.74 points."),
        (2.5, "Noted: 2.5 points.", "You said 2.5 points; it is 2.74 points: near."),
        (30, "Noted: 30 points.", "You said 30 points; it is 2.74 points: what made the diff"),
        ("many", "'many' is no prediction here: put a number", "It is 2.74 points. (No pred"),
        (float("nan"), "nan is no prediction here", "It is 2.74 points. (No prediction was"),
        ([1, 2], "[1, 2] is no prediction here", "It is 2.74 points. (No prediction was"),
        (2.7386, "Noted: 2.74 points.", "You said 2.74 points, and so it is."),
    ],
)
def test_numbers(said, noted, compared, capsys):
    prediction = predict(said, unit=" points")
    assert capsys.readouterr().out.startswith(noted)
    prediction.compare(2.7386)
    assert capsys.readouterr().out.startswith(compared)


def test_near_is_within_a_fifth(capsys):
    for guess, near in ((8.01, True), (7.99, False), (11.99, True), (12.01, False), (-10, False)):
        predict(guess).compare(10)
        said = capsys.readouterr().out.rstrip()
        assert said.endswith("near." if near else "what made the difference?")


def test_large_numbers_have_no_exponent(capsys):
    predict(104_200)
    assert capsys.readouterr().out == "Noted: 104000.\n"


def test_a_lesson_compares_with_what_it_asked_for():
    assert_refused(lambda: predict(..., "up", "down").compare("left"), ["came_out", "left", "“up”"])
    assert_refused(lambda: predict(..., "up", "down").compare(1), ["came_out", "1", "“up”"])
    assert_refused(lambda: predict(...).compare("up"), ["came_out", "'up'", "a number"])
