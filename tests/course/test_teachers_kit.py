"""The teacher's kit: minutes add up, sections and exercises exist, commands are understood."""

import re
import shlex
from itertools import pairwise

import nbformat
import pytest
from helpers import ROOT

from frapp_lab.__main__ import found, main, parser
from frapp_lab.course.commands.goals import goals_of
from frapp_lab.course.exercises import EXERCISES
from frapp_lab.course.lessons import NOTEBOOKS, TEACHERS, lessons

KIT = (NOTEBOOKS / TEACHERS / "README.md").read_text(encoding="utf-8")
LESSONS = {lesson.number: lesson for lesson in lessons()}


def markdown(lesson):
    cells = nbformat.read(lesson.path, as_version=4).cells
    return "\n\n".join(cell.source for cell in cells if cell.cell_type == "markdown")


def sections(lesson):
    """The numbers of a lesson's sections."""
    return {int(n) for n in re.findall(r"^## (\d+) · ", markdown(lesson), re.MULTILINE)}


def numbers(text):
    """The numbers that a text such as "1–4, 8" or "1, 2 and 5 to 7" names."""
    named = set()
    for first, last in re.findall(r"(\d+)(?:(?:–| to )(\d+))?", text):
        named |= set(range(int(first), int(last or first) + 1))
    return named


def table(text):
    """The rows of the first table of a text, without its head."""
    rows = [line for line in text.split("\n") if line.startswith("|")]
    return [[cell.strip() for cell in row.strip("|").split("|")] for row in rows[2:]]


PLANS = {
    heading: table(body)
    for heading, body in re.findall(r"^## ([^\n]+ of \d+ minutes)\n(.*?)(?=^## )", KIT, re.S | re.M)
}


def test_there_are_session_plans():
    assert len(PLANS) == 3


@pytest.mark.parametrize("heading", PLANS)
def test_minutes_of_every_session_add_up(heading):
    each = int(re.search(r"of (\d+) minutes", heading)[1])
    minutes, session = {}, None
    for row in PLANS[heading]:
        session = row[0] or session
        minutes[session] = minutes.get(session, 0) + int(row[1])
    assert minutes == {str(n): each for n in range(1, len(minutes) + 1)}


@pytest.mark.parametrize("heading", PLANS)
def test_plans_name_sections_and_exercises_that_exist(heading):
    for row in PLANS[heading]:
        assert bool(row[2]) == bool(row[3]), row
        if row[2]:
            assert numbers(row[3]) <= sections(LESSONS[row[2]]), row
        for first, last in re.findall(r"(\d\d\.\d+)(?: to (\d\d\.\d+))?", " ".join(row[4:])):
            assert {first, last or first} <= EXERCISES.keys(), row


def test_the_long_plan_leaves_no_section_out():
    (long,) = (rows for heading, rows in PLANS.items() if heading.startswith("Ten"))
    planned = {}
    for row in long:
        if row[2]:
            planned.setdefault(row[2], set()).update(numbers(row[3]))
    assert planned == {number: sections(lesson) for number, lesson in LESSONS.items()}


@pytest.mark.parametrize("number", [number for number in LESSONS if number != "00"])
def test_the_notes_of_a_lesson_fill_its_time(number):
    notes = (NOTEBOOKS / TEACHERS / f"{LESSONS[number].path.stem}.md").read_text(encoding="utf-8")
    rows = table(re.search(r"^## Timing\n(.*?)(?=^## )", notes, re.S | re.M)[1])
    spans = [tuple(map(int, re.fullmatch(r"(\d+)–(\d+)", row[0]).groups())) for row in rows]
    assert (spans[0][0], spans[-1][1]) == (0, 75)
    assert all(one[1] == two[0] and one[0] < one[1] for one, two in pairwise(spans))
    named = set()
    for row in rows:
        if len(row) == 3:  # a column of their own
            named |= numbers(row[1])
        for place in re.findall(r"[Ss]ections? ((?:\d+(?:, | and | to |–)?)+)", row[-1]):
            named |= numbers(place)
    assert named == sections(LESSONS[number])


@pytest.mark.parametrize("number", LESSONS)
def test_every_goal_is_practised_and_every_exercise_has_a_goal(number):
    goals, exercises = goals_of(LESSONS[number])
    assert len(goals) >= 2
    assert {goal for named in exercises.values() for goal in named} == set(goals)
    at_the_end = {name for name in EXERCISES if re.fullmatch(rf"{number}\.\d+", name)}
    unasked = [f"### Exercise {name} · Title (G1)" for name in at_the_end - exercises.keys()]
    assert not unasked, f"lesson {number} has no heading such as {', '.join(sorted(unasked))}"
    assert exercises.keys() == at_the_end


def test_goals_are_printed_as_a_table(capsys):
    assert main(["goals", "--lessons", "02"]) == 0
    rows = table(capsys.readouterr().out)
    assert [row[:2] for row in rows] == [["02", goal] for goal in goals_of(LESSONS["02"])[0]]
    with pytest.raises(SystemExit):
        main(["goals", "--lessons", "77"])
    assert "there are 00, 01" in capsys.readouterr().err


def commands(text):
    """Every `frapp-lab …` of a text, in blocks and in the line, with lines joined."""
    text = text.replace("\\\n", " ")
    lines = re.findall(r"(?:^|`|/|\\)(frapp-lab [a-z][^`\n>]*)", text, re.MULTILINE)
    return [line.strip() for line in lines if line.split()[1:2] != ["COMMAND"]]


TEXTS = [ROOT / "README.md", *(NOTEBOOKS / TEACHERS).glob("*.md")]


@pytest.mark.parametrize("path", TEXTS, ids=lambda path: path.name)
def test_commands_in_texts_are_understood(path):
    for line in commands(path.read_text(encoding="utf-8")):
        _, name, *options = shlex.split(line)
        assert name in found()
        if options:  # else the command is only named
            parser().parse_args([name, *options])


def test_commands_are_found_in_texts():
    assert len(commands(KIT)) >= 8
    assert commands("Try `frapp-lab no-such 1`.\nOr\nfrapp-lab exam > p") == [
        "frapp-lab no-such 1",
        "frapp-lab exam",
    ]


def test_the_glossary_is_in_order_and_its_lessons_explain_the_words():
    rows = table((NOTEBOOKS / "glossary.md").read_text(encoding="utf-8"))
    words = [row[0] for row in rows]
    spelled = [word.replace("ε", "epsilon").replace("γ", "gamma").casefold() for word in words]
    assert spelled == sorted(spelled)
    for word, _, number in rows:
        text = markdown(LESSONS[number]).casefold().replace("$\\gamma$", "γ")
        for part in word.split(", "):
            assert part.casefold() in text, (part, number)


def test_the_rubric_and_the_project_add_up():
    rubric = (NOTEBOOKS / TEACHERS / "essay_rubric.md").read_text(encoding="utf-8")
    assert "Five criteria of four marks each, 20 in all" in rubric
    assert len(table(rubric)) == 5
    project = (NOTEBOOKS / TEACHERS / "project_brief.md").read_text(encoding="utf-8")
    assert sum(int(row[-1]) for row in table(project)) == 100
    exec(re.search(r"```python\n(.*?)```", project, re.DOTALL)[1], {})
