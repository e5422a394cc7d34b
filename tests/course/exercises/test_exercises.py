"""Every exercise accepts its solution and answers each listed mistake with that mistake's hint."""

import importlib
import inspect
import re

import numpy as np
import pytest
from helpers import assert_refused

from course.exercises.examples import example, raising
from frapp_lab.course.exercises import EXERCISES, SHEETS, Estimator, Exercise, check, exercise

numbers = pytest.mark.parametrize("number", EXERCISES)


@numbers
def test_the_solution_is_right(number):
    verdict = check(number, EXERCISES[number]().solution)
    assert verdict.right is True, verdict


@numbers
def test_each_mistake_gets_its_own_hint(number):
    exercise = EXERCISES[number]()
    many = len(exercise.mistakes)
    assert many >= 2, (
        f"{number} has {many} of at least 2 mistakes, lines such as '- `formula`: hint'"
    )
    for hint, answer in exercise.mistakes.items():
        verdict = check(number, answer)
        assert verdict.right is False
        assert verdict.message == hint


SIGNS = str.maketrans({"−": "-", "·": "*", "×": "*", "γ": "gamma ", "²": "**2"})


def numbers_in(text):
    return [float(n.replace(",", "")) for n in re.findall(r"\d+(?:,\d{3})*(?:\.\d+)?", text)]


def formulas_in(text):
    """All parts of a text that can be read as formulas: 2p − 1 and p(1 − p) too."""
    text = re.sub(r"(?<=\d)(?=[a-zA-Z(])|(?<=\))(?=\w)|(?<=\b\w)(?=\()", "*", text.translate(SIGNS))
    tokens = re.findall(r"\w+(?:\.\d+)?|\*\*|\S", text)
    for first in range(len(tokens)):
        for last in range(first, len(tokens)):
            try:
                yield compile(" ".join(tokens[first : last + 1]), "hint", "eval")
            except SyntaxError:
                continue


def is_formula_of(formula, function, inputs):
    names = list(inspect.signature(function).parameters)
    try:
        return all(
            np.allclose(eval(formula, {}, dict(zip(names, i, strict=False))), function(*i), 1e-4)
            for i in inputs
        )
    except Exception:
        return False  # it has words in it that are not arguments


def gives_away(exercise, text):
    """Whether a text has a number of the right answer in it, or a formula that gives it."""
    if isinstance(exercise, Estimator):
        said, surveys = exercise.truth, map(exercise.draw, map(np.random.default_rng, range(3)))
        inputs = list(surveys)
    else:
        said, inputs = [] if callable(exercise.solution) else exercise.solution, exercise.inputs
    right = [k * v for v in np.ravel(said) if v not in (0, 1) for k in (1, 100)]
    if any(np.isclose(n, v, rtol=0.005, atol=0) for n in numbers_in(text) for v in right):
        return True
    if not callable(exercise.solution):
        return False
    return any(is_formula_of(f, exercise.solution, inputs) for f in formulas_in(text))


@numbers
def test_no_hint_gives_the_answer_away(number):
    exercise = EXERCISES[number]()
    assert [hint for hint in exercise.mistakes if gives_away(exercise, hint)] == []


@pytest.mark.parametrize(
    ("solution", "leak", "no_leak"),
    [
        (0.4567, "It is about 0.457.", "It is about 0.47."),
        (0.5, "Half of it: 50 %.", "Half of it: 5 %."),
        (91250, "So 91,250 people.", "So 91 or 250 people."),
        ([[0.25, 0.75], [1, 0]], "The first is 0.25.", "There are 0 or 1."),
        (lambda p: 2 * p - 1, "Divide by 2p − 1.", "Divide by 2p + 1."),
        (lambda p, gamma: p * (1 - p) / gamma, "It is p(1 − p)/γ.", "It is p(1 − p), then γ."),
    ],
)
def test_it_is_seen_when_a_hint_gives_the_answer_away(solution, leak, no_leak):
    inputs = ((0.3, 2.0), (0.8, 5.0))
    if callable(solution):
        n_arguments = len(inspect.signature(solution).parameters)
        inputs = tuple(arguments[:n_arguments] for arguments in inputs)
    exercise = Exercise(solution, {}, "", inputs)
    assert gives_away(exercise, leak)
    assert not gives_away(exercise, no_leak)


@numbers
def test_no_answer_yet(number):
    for nothing in (..., None):
        verdict = check(number, nothing)
        assert verdict.right is None
        assert "not answered yet" in repr(verdict)


def test_an_unknown_number_is_refused():
    assert_refused(lambda: check("99.9", 1), ["number", "99.9", "there are"])


OWN_FILE = """
from frapp_lab.course.exercises import Estimator, Exercise, exercise

made = []


@exercise("77.1")
def half():
    made.append("77.1")
    mistakes = {"This is twice as much.": 2.0, "Half is not nothing.": 0.0}
    return Exercise(0.5, mistakes, "Two halves are one.")


@exercise("77.2")
def mean():
    def draw(rng):
        return (rng.normal(3, 1, 100),)

    mistakes = {"This is the largest.": lambda x: x.max(), "The least.": lambda x: x.min()}
    return Estimator(draw, lambda x: x.mean(), 3.0, 0.1, mistakes, "Right on average.")
"""


def test_a_file_outside_the_package_joins_at_once(tmp_path, monkeypatch, own_exercises):
    (tmp_path / "my_lesson.py").write_text(OWN_FILE)
    monkeypatch.syspath_prepend(tmp_path)
    my_lesson = importlib.import_module("my_lesson")
    assert list(EXERCISES)[-2:] == ["77.1", "77.2"]
    assert my_lesson.made == []
    assert repr(check("77.1", 0.5)) == "77.1 – right. Two halves are one."
    assert my_lesson.made == ["77.1"]
    assert check("77.2", np.max).message == "This is the largest."
    importlib.reload(my_lesson)  # the same functions, defined again
    assert check("77.2", np.mean).right
    assert EXERCISES["77.1"] is my_lesson.half


def test_lessons_are_found():
    files = sorted(SHEETS.glob("*.md"))
    sheets = [make.sheet.name for make in EXERCISES.values()]
    assert list(dict.fromkeys(sheets)) == [path.name for path in files]
    for number, make in EXERCISES.items():
        assert (make.number, make.sheet.name) == (number, f"exercises_{number[:2]}.md")


def test_a_number_that_is_taken_is_refused(own_exercises):
    before = EXERCISES["02.1"]
    words = ["number", "'02.1'", before.place, "exercises_02.md", "another"]
    assert_refused(lambda: exercise("02.1")(lambda: None), words)
    assert EXERCISES["02.1"] is before


@pytest.mark.parametrize("number", [2.1, "", "02 1", " 02.1", None, len])
def test_a_number_is_text(number):
    assert_refused(lambda: exercise(number), ["number", repr(number), "02.1"])
    assert_refused(lambda: check(number, 1), ["number", repr(number), "there are"])


class Hostile:
    """An object, and an error, of which nothing can be asked."""

    def __array__(self, *_, **__):
        raise SystemExit

    def __float__(self):
        raise RuntimeError

    __len__ = __getitem__ = __iter__ = __float__


class HostileError(BaseException):
    def __str__(self):
        raise SystemExit


class Many:
    def __array__(self, dtype=None, copy=None):
        raise ValueError("no")


HOSTILE = [10**400, [10**400], -(10**400), 1e308, [[1], [1, 2]], Hostile(), Many(), {}, "", 1j]
RAISING = [
    SystemExit(1),
    GeneratorExit(),
    HostileError(),
    RecursionError(),
    ValueError("x" * 10**6),
]


@numbers
def test_no_answer_breaks_the_notebook(number):
    for answer in [*HOSTILE, Hostile, lambda *_: Hostile(), *map(raising, RAISING[:3])]:
        verdict = check(number, answer)
        assert verdict.right is False
        assert 10 < len(repr(verdict)) < 500


def test_what_a_hostile_answer_is_told():
    exercise = example(lambda a: a, inputs=((1,),))
    said = [exercise.judge(raising(error))[1] for error in RAISING]
    assert said[0] == "Your function stopped with SystemExit: 1. It was called with 1 argument."
    assert said[2] == "Your function stopped with HostileError. It was called with 1 argument."
    assert example(1).judge(Hostile())[1].endswith("and this is of type Hostile.")
    assert example(1).judge(10**400)[1].endswith("and this is of type int.")
    two = example(lambda a, b: a, inputs=((1, 2),)).judge(raising(ValueError("x" * 400)))[1]
    cut = "ValueError: " + "x" * 288
    assert two == f"Your function stopped with {cut}. It was called with 2 arguments."


def test_a_learner_can_interrupt():
    with pytest.raises(KeyboardInterrupt):
        example(lambda: 1, inputs=((),)).judge(raising(KeyboardInterrupt()))
