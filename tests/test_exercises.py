"""Every exercise accepts its solution and answers each listed mistake with that mistake's hint."""

import re
from pathlib import Path

import nbformat
import numpy as np
import pytest
from helpers import assert_refused

from frapp_lab.exercises import EXERCISES, Estimator, Exercise, check, collect

NOTEBOOKS = Path(__file__).parent.parent / "notebooks"
LESSONS = sorted(NOTEBOOKS.glob("0*.ipynb"))
SOLUTIONS = sorted((NOTEBOOKS / "solutions").glob("0*.ipynb"))
numbers = pytest.mark.parametrize("number", EXERCISES)


@numbers
def test_the_solution_is_right(number):
    verdict = check(number, EXERCISES[number]().solution)
    assert verdict.right is True, verdict


@numbers
def test_each_mistake_gets_its_own_hint(number):
    exercise = EXERCISES[number]()
    assert len(exercise.mistakes) >= 2
    for hint, answer in exercise.mistakes.items():
        verdict = check(number, answer)
        assert verdict.right is False
        assert verdict.message == hint


@numbers
def test_no_hint_gives_the_answer_away(number):
    exercise = EXERCISES[number]()
    if not callable(exercise.solution) and np.ndim(exercise.solution) == 0:
        value = float(exercise.solution)
        # Fewer than three digits may stand in a hint for another reason.
        said = {f"{v:.{d}g}" for v in (value, 100 * value) for d in (3, 4, 5)}
        said = {text for text in said if len(re.sub(r"\D", "", text)) >= 3}
    else:
        return
    for hint in exercise.mistakes:
        words = re.findall(r"[\w.&-]*\w", hint.casefold())
        assert not said & set(words), hint


@numbers
def test_no_answer_yet(number):
    for nothing in (..., None):
        verdict = check(number, nothing)
        assert verdict.right is None
        assert "not answered yet" in repr(verdict)


def test_an_unknown_number_is_refused():
    assert_refused(lambda: check("99.9", 1), ["number", "99.9", "there are"])


def below(share):
    """A sampler for 06.4 that stays if the first uniform number is below share(γ, n)."""

    def perturb_one(record, uniforms, sizes, gamma):
        stays = uniforms[0] < share(gamma, np.prod(sizes))
        return record if stays else (uniforms[1:] * sizes).astype(int)

    return perturb_one


def from_subsets(reports):
    """The solution of 04.5."""
    return (np.mean(reports, axis=0) - 0.28) / (0.6 - 0.28)


def stayed(reports, record, sizes):
    """The solution of 06.5."""
    by_chance = 1 / np.prod(sizes)
    return (np.mean((reports == record).all(axis=1)) - by_chance) / (1 - by_chance)


def supported(reports):
    """The solution of 07.4."""
    s = 18 / 58
    return (np.mean((reports[:, 0] == 1) & (reports[:, 2] == 1)) - (1 - s) / 8) / s


def said_yes(reports, p):
    """The solution of 01.2."""
    return (np.mean(reports) - (1 - p)) / (2 * p - 1)


def said_yes_twice(reports, p):
    """The solution of 01.5."""
    return np.mean(np.prod((reports - (1 - p)) / (2 * p - 1), axis=1))


def part_with_n(n):
    """05.2 with the right formula and another n."""
    x = 1 / (19 + n - 1)
    return 1.5 * 19 * x / (x - 19 * x / 2 / (n - 1))


def rho2(prior, gamma, r, n):
    """The solution of 05.3 and 08.1."""
    x = 1 / (gamma + n - 1)
    own, other = prior * (gamma * x + r), (1 - prior) * (x - r / (n - 1))
    return own / (own + other)


def enough(support, n_s, target, s, one_coin=False):
    """The solution of 07.5 with s = 18/2018; or with one coin for all people."""
    out = (1 - s) / n_s
    mean = out + s * support
    two_coins = support * (out + s) * (1 - out - s) + (1 - support) * out * (1 - out)
    return (mean * (1 - mean) if one_coin else two_coins) / (s * target) ** 2


@pytest.mark.parametrize(
    ("number", "answer", "says"),
    [
        # Where the right value is 0 there is no factor.
        ("00.4", lambda values, uniforms, p: np.where(uniforms < p, values, -1), "not it"),
        ("00.4", lambda values, uniforms, p: np.where(uniforms < p, 2 * values, 0), "same factor"),
        # Nothing comes before the self-test.
        ("00.1", 0.3, "^That is not it. Read the question again"),
        ("01.2", lambda reports, p: said_yes(reports[::2], p), "its spread"),
        ("01.2", lambda reports, p: said_yes(reports[:50], p), "its spread"),
        ("01.5", lambda reports, p: said_yes_twice(reports[:50], p), "its spread"),
        # A hundred people: their number and percent are the same.
        ("01.5", lambda reports, p: 100 * said_yes_twice(reports, p), "not percent or a number of"),
        ("02.1", 0.1225, "not it"),  # γ is not in percent
        ("07.2", lambda f, r: [len(f - r) / len(f), len(r - f) / len(f)], "percent is wanted"),
        ("08.2", [0.59, 0.1833], "percent is wanted"),
        ("04.5", lambda reports: from_subsets(reports[::2]), "its spread"),
        ("04.5", lambda reports: from_subsets(reports[1::2]), "its spread"),
        ("04.5", lambda reports: from_subsets(reports[:250]), "its spread"),
        ("04.5", lambda reports: from_subsets(reports[:20]), "its spread"),
        ("04.5", lambda reports: 100 * from_subsets(reports), "not percent"),
        ("05.2", part_with_n(31), "30 entries share −α"),  # the formula is right
        ("05.3", lambda prior, gamma, r, n: rho2(prior, gamma, r, n + 1), "Very near"),
        ("05.3", lambda prior, gamma, r, n: rho2(prior, gamma, r, n - 1), "Very near"),
        ("06.4", below(lambda gamma, n: (gamma - 1) / (gamma + n)), "not it"),
        ("06.4", below(lambda gamma, n: (gamma - 1.2) / (gamma + n - 1)), "not it"),
        ("06.4", below(lambda gamma, n: (gamma - 0.9) / (gamma + n - 1)), "not it"),
        ("06.5", lambda *given: max(stayed(*given), 0), "cut off"),
        ("06.5", lambda *given: np.clip(stayed(*given), 0, 1), "cut off"),
        ("06.5", lambda reports, *given: stayed(reports[::2], *given), "its spread"),
        ("06.5", lambda *given: 100 * stayed(*given), "not percent"),
        ("07.4", lambda reports: max(supported(reports), 0), "cut off"),
        ("07.4", lambda reports: np.clip(supported(reports), 0, 1), "cut off"),
        ("07.4", lambda reports: supported(reports[:1000]), "its spread"),
        ("07.5", lambda *given: enough(*given, 18 / 2019), "Very near"),
        ("07.5", lambda *given: enough(*given, 18 / 2018, one_coin=True), "Very near"),
        ("08.1", lambda prior, gamma, r, n: rho2(prior, gamma, r, n + 1), "Very near"),
        ("08.3", 0.07, "more digits"),
        ("08.3", 0.06993, "second one"),
    ],
)
def test_wrong_answers_are_refused_with_a_true_hint(number, answer, says):
    verdict = check(number, answer)
    assert verdict.right is False
    assert re.search(says, verdict.message), verdict.message


def example(solution, **options):
    return Exercise(solution, {}, "Good.", **options)


@pytest.mark.parametrize(
    ("solution", "answer", "hint"),
    [
        (0.25, 25, "percent; a share"),
        (25, 0.25, "not it"),  # a hundredth, but nobody asked for percent
        (0.25, -0.25, "sign"),
        (0.25, [0.25, 0.25], r"shape \(2,\)"),
        (0.25, "a lot", "number or an array"),
        (0.25, np.nan, "finite"),
        (np.array([[1.0, 2], [3, 4]]), [[1, 3], [2, 4]], "Rows and columns"),
        (np.array([1.0, 2, 3]), [2, 4, 6], "same factor"),
        (np.array([1.0, 2, 0]), [1, 2, 3], "not it"),
        (np.array([1.0, 2, 0]), [2, 4, 0], "same factor"),
        (np.array([0.0, 0]), [1, 1], "not it"),
        (0.4567, 0.46, "more digits"),
        (0.4567, 0.5, "more digits"),
        (0.4567, 0.0, "not it"),
        (100.0, 103.0, "Very near"),
        (100.0, 3.0, "not it"),
        (9125.0, 91.25, "not it"),  # a hundredth, but no share
        (60000.0, 6e6, "not it"),
    ],
)
def test_general_hints(solution, answer, hint):
    right, message = example(solution).judge(answer)
    assert not right
    assert re.search(hint, message)


def test_percent_are_asked_for_where_percent_are_wanted():
    assert "percent is wanted" in example(25, percent=True).judge(0.25)[1]


def test_functions_are_tried():
    exercise = example(lambda a, b: a + b, inputs=((1, 2), (3, 4)))
    assert exercise.judge(lambda a, b: b + a) == (True, "Good.")
    assert "A function is wanted" in exercise.judge(3)[1]
    assert "returned nothing" in exercise.judge(lambda a, b: None)[1]
    assert "ZeroDivisionError" in exercise.judge(lambda a, b: a / 0)[1]
    assert "TypeError" in exercise.judge(lambda a: a)[1]


def survey(rng):
    return (rng.normal(3, 1, 100),)


@pytest.mark.parametrize(
    ("answer", "hint"),
    [
        (lambda x: np.median(x), "spread"),  # unbiased, with a wider spread
        (lambda x: x.mean() + 0.1, "misses the truth"),
        (lambda x: x, "single number is wanted"),
        (lambda x: x[:3].mean(), "spread"),  # unbiased, with a much wider one
        (lambda x: np.nan, "not finite"),
        (lambda x: x[x > 3], "single number is wanted"),
        (lambda x: x.mean() if x[0] < 4 else x, "Other surveys gave the right shape"),
        (lambda x: x.max(), "the largest"),
        (3, "An estimator is a function"),
    ],
)
def test_an_estimator_is_tried_on_many_surveys(answer, hint):
    mistakes = {"This is the largest.": lambda x: x.max()}
    exercise = Estimator(survey, lambda x: x.mean(), 3.0, 0.1, mistakes, "Good.")
    assert exercise.judge(exercise.solution)[0]
    right, message = exercise.judge(answer)
    assert not right
    assert hint in message


def test_a_function_cannot_spoil_the_next_call():
    def greedy(values):
        values[:] = 0
        return values.sum()

    shared = np.ones(3)
    exercise = example(lambda values: values.sum(), inputs=((shared,),))
    assert not exercise.judge(greedy)[0]
    assert exercise.judge(lambda values: values.sum())[0]


def asked(path):
    """The numbers that a notebook's `check` calls ask for, in order."""
    code = [c.source for c in nbformat.read(path, as_version=4).cells if c.cell_type == "code"]
    return re.findall(r'check\("([\d.]+)"', "\n".join(code))


def test_lessons_ask_each_exercise_once_and_in_order():
    assert [number for path in LESSONS for number in asked(path)] == sorted(EXERCISES)


def test_there_is_a_solution_for_every_lesson_with_exercises():
    solved = {path.name: asked(path) for path in SOLUTIONS}
    assert solved == {path.name: asked(path) for path in LESSONS if asked(path)}


@pytest.mark.parametrize("path", SOLUTIONS, ids=lambda path: path.stem)
def test_all_is_right_in_the_solutions(path):
    row = collect(path).drop(columns="problem").iloc[0]
    assert (row == "right").all()
    assert list(row.index) == sorted(asked(path))


@pytest.mark.parametrize("path", LESSONS, ids=lambda path: path.stem)
def test_nothing_is_answered_in_the_lessons(path):
    row = collect(path).drop(columns="problem")
    assert (row == "not answered yet").all(axis=None)
