"""Exam questions: every answer is found once more in another way, for several seeds."""

import re

import numpy as np
import pytest
from helpers import assert_refused

from course.exams import twins
from frapp_lab.course import exams
from frapp_lab.course.lessons import lessons

SEEDS = range(12)


def twin(name):
    """The function that finds a question's results in another way."""
    own = name.partition(".")[2]
    if not hasattr(twins, own):
        entry = exams.questions()[name]
        pytest.fail(
            f"question {own!r} of {entry.where.sheet} has no twin: write a function {own} in "
            "tests/course/exams/twins.py that takes what is `given` by name and returns all "
            "`results`, found in another way than in the sheet, such as by counting all cases"
        )
    return getattr(twins, own)


def test_every_lesson_has_two_questions():
    asked = [entry.lesson for entry in exams.questions().values()]
    assert set(asked) >= {lesson.number for lesson in lessons()} - {"00"}
    assert all(asked.count(lesson) >= 2 for lesson in asked)
    names = [entry.name for entry in exams.questions().values()]
    assert len(set(names)) == len(names), "a twin is found by its name"


@pytest.mark.parametrize("seed", SEEDS)
@pytest.mark.parametrize("name", exams.questions())
def test_answers_are_right(name, seed):
    one = exams.make(name, seed)
    expected = twin(name)(**one.given)
    assert expected.keys() == one.results.keys()
    for key, value in one.results.items():
        assert value == pytest.approx(expected[key], rel=1e-9), key


def said_in(number, text):
    """Whether a number stands in a text, as itself or in percent, and not as part of another."""
    shown = {
        exams.show(number),
        exams.percent(number),
        f"{exams.show(100 * number)} %",
        f"{number}",
    }
    return any(re.search(rf"(?<![\d.,]){re.escape(s)}(?![\d]|[.,]\d)", text) for s in shown)


@pytest.mark.parametrize("seed", SEEDS)
@pytest.mark.parametrize("name", exams.questions())
def test_numbers_are_in_the_text_and_results_in_the_answers(name, seed):
    one = exams.make(name, seed)
    asked = one.text + "\n" + "\n".join(part.ask for part in one.parts)
    for key, value in one.given.items():
        for number in np.ravel(value).tolist():
            assert said_in(number, asked), key
    answers = "\n".join(part.answer for part in one.parts)
    for key, value in one.results.items():
        assert said_in(value, answers), key
    for text in (asked, answers):
        assert text.count("$") % 2 == 0
        assert "nan" not in text
        assert not re.search(r"\d{7,}|e[-+−]\d", text)  # numbers that can be read


@pytest.mark.parametrize("seed", SEEDS)
def test_words_of_the_answers_are_true(seed):
    one = exams.make("01.cards", seed)
    yes, no = one.given["yes"] / 10, one.given["no"] / 10  # who is "no" says yes, and vice versa
    answers = [part.answer for part in one.parts]
    variances = no * (1 - no), yes * (1 - yes)
    own, other = map(exams.show, variances)
    assert f"is {own} for a “yes” person and {other} for a “no” person" in answers[2]
    more = "yes" if (1 - no) / yes > (1 - yes) / no else "no"
    assert f"the report “{more}” gives away more" in answers[3]

    one = exams.make("02.three_records", seed)
    expected = twins.three_records(**one.given)
    verdict = "is ruled out" if expected["gamma"] <= expected["limit"] else "is not ruled out"
    assert f"it {verdict} (1)" in one.parts[1].answer

    one = exams.make("04.bits", seed)
    found = twins.bits(**one.given)
    better, best = (
        "MASK" if found[length] < found["kappa"] else "the γ-diagonal matrix"
        for length in ("one", "longest")
    )
    last = f"At length 1 it is {better}, at length {len(one.given['sizes'])} {best} (2)"
    assert last in one.parts[3].answer


def test_a_seed_is_a_paper_and_another_seed_another():
    assert exams.paper(7) == exams.paper(7)
    assert len({exams.paper(seed) for seed in SEEDS}) == len(SEEDS)
    for name in exams.questions():
        assert len({exams.make(name, seed).text for seed in range(40)}) >= 4, name


@pytest.mark.parametrize("name", exams.questions())
def test_it_is_never_the_lessons_own_example(name):
    for seed in range(40):
        given = exams.make(name, seed).given
        assert given.get("gamma") != 19
        assert given.get("p") != 0.75
        assert (given.get("rho1"), given.get("rho2")) != (0.05, 0.5)


def test_minutes_and_marks_add_up():
    both = exams.paper(3, ["01", "04"], each=None), exams.paper(3, ["01", "04"], None, True)
    for text in both:
        first, *rest = re.findall(r"(\d+) minutes, (\d+) marks", text)
        assert np.array(rest, int).sum(axis=0).tolist() == [int(n) for n in first]
        parts = re.findall(r"\*\((\d+)\)\*$", text, re.MULTILINE)
        assert sum(map(int, parts)) == int(first[1])
    for name, entry in exams.questions().items():
        marks = exams.make(name, 0).marks
        assert 0.9 * marks <= entry.minutes <= 1.25 * marks, name  # about a minute for a mark


@pytest.mark.parametrize(
    ("call", "words"),
    [
        (lambda: exams.paper(0, ["99"]), ["lessons", "'99'", "01"]),
        (lambda: exams.paper(0, ["01"], each=9), ["each", "9", "3 questions"]),
        (lambda: exams.make("01.dice", 0), ["name", "01.dice", "01.cards"]),
        (lambda: exams.make("01.cards", -1), ["seed", "-1"]),
    ],
)
def test_refusals(call, words):
    assert_refused(call, words)


def test_a_question_without_a_twin_is_told_what_to_write(monkeypatch):
    monkeypatch.setitem(exams.questions(), "01.dice", exams.questions()["01.cards"])
    with pytest.raises(
        pytest.fail.Exception, match=r"function dice in tests/course/exams/twins\.py"
    ):
        twin("01.dice")
