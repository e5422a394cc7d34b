"""Lessons ask every exercise, and solutions answer them."""

import ast
import re

import nbformat
import pytest
from helpers import ROOT

from course.exercises.test_judging import is_quick
from frapp_lab import course
from frapp_lab.course import exercises
from frapp_lab.course.exercises import EXERCISES, check

NOTEBOOKS = ROOT / "notebooks"
LESSONS = sorted(NOTEBOOKS.glob("0*.ipynb"))
SOLUTIONS = sorted((NOTEBOOKS / "solutions").glob("0*.ipynb"))


def asked(path):
    """The numbers that a notebook's `check` calls ask for, in order."""
    code = [c.source for c in nbformat.read(path, as_version=4).cells if c.cell_type == "code"]
    return re.findall(r'check\("([\w.]+)"', "\n".join(code))


def test_lessons_ask_each_exercise_once_and_in_order():
    numbers = [number for path in LESSONS for number in asked(path)]
    unasked = [f'check("{number}", answer)' for number in EXERCISES if number not in numbers]
    assert not unasked, f"no lesson has a cell that ends in {', '.join(unasked)}"
    assert numbers == sorted(EXERCISES, key=lambda n: (n[:2], not is_quick(n), n))


def test_there_is_a_solution_for_every_lesson_with_exercises():
    solved = {path.name: asked(path) for path in SOLUTIONS}
    for path in LESSONS:
        unsolved = [number for number in asked(path) if number not in solved.get(path.name, [])]
        assert not unsolved, f"notebooks/solutions/{path.name} has no answer to {unsolved}"
    assert solved == {path.name: asked(path) for path in LESSONS if asked(path)}


def stored_verdicts(path):
    """What `check` says in the stored outputs of a notebook, by exercise."""
    cells = nbformat.read(path, as_version=4).cells
    outputs = [output for cell in cells for output in cell.get("outputs", [])]
    texts = [output.get("data", {}).get("text/plain", "").partition(" – ") for output in outputs]
    return {number: said.split(".")[0] for number, dash, said in texts if number in EXERCISES}


@pytest.mark.parametrize("path", SOLUTIONS, ids=lambda path: path.stem)
def test_all_is_right_in_the_solutions(path):
    stale = f"run python tests/refresh_notebooks.py notebooks/solutions/{path.name}"
    assert stored_verdicts(path) == dict.fromkeys(asked(path), "right"), stale


def statements(path, imports):
    """The statements of a notebook's code that import something, or the others, in order."""
    cells = [c for c in nbformat.read(path, as_version=4).cells if c.cell_type == "code"]
    parts = [part for cell in cells for part in ast.parse(cell.source).body]
    parts = [part for part in parts if isinstance(part, ast.Import | ast.ImportFrom) is imports]
    return compile(ast.Module(parts, []), path.name, "exec")


@pytest.mark.parametrize("path", SOLUTIONS, ids=lambda path: path.stem)
def test_solutions_run_with_what_their_lesson_imports(path, monkeypatch):
    verdicts = []
    for module in (course, exercises):
        monkeypatch.setattr(module, "check", lambda *given: verdicts.append(check(*given)))
    names = {}
    exec(statements(NOTEBOOKS / path.name, imports=True), names)
    exec(statements(path, imports=False), names)
    assert [verdict.number for verdict in verdicts] == asked(path)
    assert all(verdict.right for verdict in verdicts)


@pytest.mark.parametrize("path", LESSONS, ids=lambda path: path.stem)
def test_nothing_is_answered_in_the_lessons(path):
    assert stored_verdicts(path) == dict.fromkeys(asked(path), "not answered yet")
