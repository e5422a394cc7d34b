"""How answers are judged: how near is right, and which mistake it is."""

import itertools
import re
import warnings

import numpy as np
import pytest

from course.exercises.examples import MEAN, example
from frapp_lab.course.exercises import Estimator, check, judging


def test_an_estimator_of_a_wrong_shape_is_called_once():
    calls = []
    assert "shape (1000000,)" in MEAN.judge(lambda x: calls.append(x) or np.zeros(10**6))[1]
    assert len(calls) == 1


THIRDS = [k / 3 for k in range(1, 20)]


def test_how_near_is_right():
    for off, right in ((1.00499, True), (0.99501, True), (1.00501, False), (0.99499, False)):
        assert example(123.456789).judge(123.456789 * off)[0] is right
    question = example(lambda a: a, inputs=((1.5,), (2.5,)))
    for off, right in ((1 + 5e-5, True), (1 - 5e-5, True), (1 + 2e-4, False), (1 - 2e-4, False)):
        assert question.judge(lambda a, off=off: off * a)[0] is right
    assert not question.judge(lambda a: 1.5)[0]
    assert not question.judge(lambda a: 2.5)[0]


@pytest.mark.parametrize(
    ("solution", "answer", "right"),
    [
        # How far an entry may be off where the right one is 0 goes by the largest entry.
        ([1000.0, 0], [1000, 1e-7], True),
        ([1000.0, 0], [1000, 1e-5], False),
        ([1e6, 0], [1e6, 1e-4], True),
        ([1000.0, 1], [1000, 3], False),
        ([1e-12, 2e-12], [1e-12, 5e-12], False),
        ([0.0, 0], [0, 0], True),
        ([], [], True),
    ],
)
def test_how_near_entries_of_an_array_must_be(solution, answer, right):
    assert example(np.array(solution)).judge(answer)[0] is right


@pytest.mark.parametrize(
    ("mistake", "answer", "says"),
    [
        (0.7123, 0.713, "^A hint"),
        (0.7123, 0.717, "not it"),
        # An answer of few digits may be near a mistake by chance.
        (0.4603, 0.46, "more digits"),
        (0.46, 0.46, "^A hint"),
    ],
)
def test_which_answers_are_taken_for_a_mistake(mistake, answer, says):
    right, message = example(0.4567, {"A hint.": mistake}).judge(answer)
    assert not right
    assert re.search(says, message)


@pytest.mark.parametrize(
    ("solution", "answer", "hint"),
    [
        (0.25, 25, "percent; a share"),
        (0.25, 25.05, "percent; a share"),
        (0.25, 15, "not it"),
        (1.0, 100, "percent; a share"),
        (25, 0.25, "not it"),  # a hundredth, but nobody asked for percent
        (25, 2500, "not it"),
        ([0.5, 5], [50, 500], "same factor"),  # not a share, at least not both
        (0.25, -0.25, "sign"),
        (0.25, [0.25, 0.25], r"^This is an array of shape \(2,\); a single number is wanted.$"),
        ([1, 2], 1, r"^This is a single number; an array of shape \(2,\) is wanted.$"),
        (0.25, "a lot", "number or an array"),
        (0.25, np.nan, "finite"),
        ([0.25, 1], [0.25, np.inf], "finite"),
        ([[1.0, 2], [3, 4]], [[1, 3], [2, 4]], "Rows and columns"),
        ([[1.0, 2], [3, 4]], [[1, 3], [2, 5]], "not it"),
        ([1.0, 2, 3], [2, 4, 6], "same factor"),
        ([1.0, 2], [2, 4], "same factor"),
        ([1.0, 2], [-2, -4], "same factor"),
        (THIRDS, [1.7 * third for third in THIRDS], "same factor"),  # but for the last bit
        ([1.0, 2, 3], [2, 4.1, 6], "not it"),
        ([1.0, 2, 0], [1, 2, 3], "not it"),
        ([1.0, 2, 0], [2, 4, 0], "same factor"),
        ([1.0, 2, 0, 0], [2, 4, 0, 3], "not it"),
        ([0.0, 0], [1, 1], "not it"),
        (0.4567, 0.46, "more digits"),
        (0.4567, 0.5, "more digits"),
        (0.45, 0.5, "more digits"),
        (1.4567, 1, "more digits"),
        (0.04567, 0.046, "more digits"),
        (0.004567, 0.0046, "more digits"),
        (0.0004567, 0.00046, "Very near"),
        ([1.4567, 0], [1, 0], "more digits"),
        ([1.4567, 0.3], [1, 0], "not it"),
        (0.4567, 0.0, "never"),
        (0.4567, 1, "certainly"),
        (0.5433, 0, "never"),
        (0.5433, 1.0, "certainly"),  # no rounding of 0.5433
        (1.0, 0, "not it"),
        (0.0, 1, "not it"),
        (2.0, 1, "not it"),
        (0.4567, 0.1, "not it"),
        (0.4567, 0.9, "not it"),
        (0.4567, 0.4612345, "Very near"),
        (100.0, 103.0, "Very near"),
        (100.0, 95.1, "Very near"),
        (100.0, 94.9, "not it"),
        (100.0, 105.1, "not it"),
        ([100.0, 200], [101, 300], "not it"),
        (100.0, 3.0, "not it"),
        (9125.0, 91.25, "not it"),  # a hundredth, but no share
        (60000.0, 6e6, "not it"),
    ],
)
def test_general_hints(solution, answer, hint):
    if isinstance(solution, list):
        solution = np.array(solution)
    right, message = example(solution).judge(answer)
    assert not right
    assert re.search(hint, message), message


def test_general_hints_on_functions():
    question = example(lambda a: a, inputs=((0.4567,), (5.0,)))
    assert "same factor" in question.judge(lambda a: 100 * a)[1]  # one of them is no share
    assert "Very near" in question.judge(lambda a: round(a, 2))[1]  # no word about digits
    mixed = example(lambda a: a, inputs=((np.array([[1.0, 2], [3, 4]]),), (5.0,)))
    assert "not it" in mixed.judge(np.transpose)[1]


def test_huge_answers_give_no_warnings():
    with warnings.catch_warnings(action="error"):
        for question in (example(25, percent=True), example(np.array([0.1, 25])), MEAN):
            for huge in (1e308, [1e308, -1e308], lambda x: 1e308 * x[0], lambda x: np.exp(1e9 + x)):
                assert not question.judge(huge)[0]


def test_percent_are_asked_for_where_percent_are_wanted():
    assert "percent is wanted" in example(25, percent=True).judge(0.25)[1]


def test_functions_are_tried():
    exercise = example(lambda a, b: a + b, inputs=((1, 2), (3, 4)))
    assert exercise.judge(lambda a, b: b + a) == (True, "Good.")
    assert "A function is wanted" in exercise.judge(3)[1]
    assert "returned nothing" in exercise.judge(lambda a, b: None)[1]
    assert "ZeroDivisionError" in exercise.judge(lambda a, b: a / 0)[1]
    assert "TypeError" in exercise.judge(lambda a: a)[1]


@pytest.mark.parametrize(
    ("answer", "hint"),
    [
        (lambda x: np.median(x), "spread"),  # unbiased, with a wider spread
        (lambda x: x.mean() + 0.1, "misses the truth"),
        (lambda x: x, "This is an array of shape (100,); a single number is wanted."),
        (lambda x: x.mean() if x[0] < 4 else x, "Other surveys gave the right shape"),
        (lambda x: x[:3].mean(), "spread"),  # unbiased, with a much wider one
        (lambda x: np.nan, "not finite"),
        (lambda x: x.mean() if x[0] < 4 else np.inf, "not finite"),
        (lambda x: x.max(), "the largest"),
        (3, "An estimator is a function"),
    ],
)
def test_an_estimator_is_tried_on_many_surveys(answer, hint):
    right, message = MEAN.judge(answer)
    assert not right
    assert hint in message


def exact(truth=3.0, deviation=0.1, also=None):
    """Its surveys are 500 numbers whose mean is exactly 0 and whose deviation is exactly 1."""
    z = np.random.default_rng(1).normal(size=500)
    z = itertools.cycle((z - z.mean()) / z.std(ddof=1))
    shape = np.shape(truth)

    def draw(rng):
        return (np.full(shape, next(z)),)

    return Estimator(draw, None, truth, deviation, {}, "Good.", also)


@pytest.mark.parametrize(
    ("bias", "spread", "says"),
    [
        (0, 1, None),
        (4.4, 1, None),
        (-4.4, 1, None),
        (
            4.6,
            1,
            "mean misses the truth by 5 standard errors; an unbiased estimator stays below 4.5.",
        ),
        (-4.6, 1, "mean misses the truth by 5 standard errors"),
        (4.8, 1.1, None),  # wider, so that its mean is off by more
        (4.3, 0.9, None),
        (0, 1.142, None),
        (0, 0.858, None),
        (0, 1.146, "surveys is 1.15 times what the formula says; within 14 % would pass."),
        (0, 0.854, "surveys is 0.85 times what the formula says; within 14 % would pass."),
        ([0, 4.6], [1, 1], "misses the truth by 5"),
        ([-4.6, 0], [1, 1], "misses the truth by 5"),
        ([0, 0], [1, 1.15], "is 1.15 times"),
        ([0, 0], [0.85, 1], "is 0.85 times"),
        ([0, 0], [0.8, 1.2], "is 1.20 times"),
        ([4.4, -4.4], [1.1, 0.9], None),
    ],
)
def test_how_far_an_estimator_may_be_off(bias, spread, says):
    truth = 3.0 + np.arange(np.size(bias)) if np.ndim(bias) else 3.0
    bias, spread = 0.1 / 500**0.5 * np.array(bias), 0.1 * np.array(spread)
    right, message = exact(truth).judge(lambda z: truth + bias + spread * z)
    assert right is (says is None)
    assert (
        says or "Good. (Tried on 500 surveys: the mean is within 4.5 standard errors of"
    ) in message
    assert not right or message.endswith("the spread within 14 % of the formula's.)")


@pytest.mark.parametrize(
    ("truth", "says"),
    [(0.5, "a hundred times"), (1.0, "a hundred times"), (3.0, "misses"), ([0.5, 3], "misses")],
)
def test_an_estimate_in_percent(truth, says):
    truth = np.array(truth) if np.ndim(truth) else truth
    assert says in exact(truth).judge(lambda z: 100 * (truth + 0.1 * z))[1]
    assert "hundred" not in exact(truth).judge(lambda z: 10 * (truth + 0.1 * z))[1]


def test_surveys_of_another_kind_must_be_passed_too():
    both = exact(also=exact(truth=5.0))
    assert both.judge(lambda z: 3 + 0.1 * z)[0] is False
    assert exact(also=exact()).judge(lambda z: 3 + 0.1 * z)[0] is True


def test_every_answer_gets_the_same_surveys():
    seen = []
    for _ in range(2):
        MEAN.judge(lambda x: seen.append(x[0]) or x.mean())
    assert seen[:500] == seen[500:]


def test_which_estimators_are_taken_for_a_mistake():
    assert MEAN.judge(lambda x: x.max() * (1 + 1e-8))[1] == "This is the largest."
    assert "misses" in MEAN.judge(lambda x: x.max() * (1 + 1e-5))[1]


def test_results_are_copied():
    shared = np.zeros(())
    answer = MEAN.judge(lambda x: np.copyto(shared, x.mean()) or shared)
    assert answer[0]


def test_a_function_that_returns_nothing():
    question = example(lambda a: a, inputs=((1,),))
    assert "returned nothing" in question.judge(lambda a: None)[1]


def test_a_function_whose_body_returns_the_three_dots_is_not_answered_yet():
    for question in (example(lambda a: a, inputs=((1,),)), MEAN):
        assert question.judge(lambda a: ...) == (None, judging.DOTS)
    verdict = check("00.4", lambda values, uniforms, p: ...)
    assert repr(verdict).startswith("00.4 – not answered yet. Put your answer in place")


def is_quick(number):
    return number.split(".")[1].isalpha()


def test_a_function_cannot_spoil_the_next_call():
    def greedy(values):
        values[:] = 0
        return values.sum()

    shared = np.ones(3)
    exercise = example(lambda values: values.sum(), inputs=((shared,),))
    assert not exercise.judge(greedy)[0]
    assert exercise.judge(lambda values: values.sum())[0]
    exercise = example(len, inputs=(({1, 2},),))
    assert not exercise.judge(lambda values: values.clear() or 0)[0]
    assert exercise.judge(len)[0]
