"""CONTRIBUTING's examples: each is complete, runs, and joins the others by itself."""

import importlib.util
import re
import sys
from pathlib import Path

import numpy as np
import pytest
import test_notebooks
from course import test_teachers_kit
from course.commands import test_commands
from course.exams import test_exams, twins
from course.exercises import test_exercises
from course.exercises import test_exercises_in_lessons as in_lessons
from helpers import experiments as main
from laws import LAWS

import frapp_lab as fl
from frapp_lab.__main__ import main as frapp_lab
from frapp_lab.course import commands, exams, exercises
from frapp_lab.figures.styles import SPARE_STYLES, style_of
from frapp_lab.mechanisms.registry import forget
from frapp_lab.scale import run_trials

TEXT = (Path(__file__).parent.parent / "CONTRIBUTING.md").read_text(encoding="utf-8")
SMALL = fl.Schema.of_sizes(2, 3)


def steps(heading):
    section = re.search(rf"^## {heading}\n(.*?)(?=^## [A-Z]|\Z)", TEXT, re.DOTALL | re.MULTILINE)[1]
    assert len(re.findall(r"^\d\. ", section, re.MULTILINE)) == 5, "each in five steps"
    return section


def example(heading, kind="python"):
    blocks = re.findall(r"^(`{3,})(\w+)\n(.*?)^\1$", steps(heading), re.DOTALL | re.MULTILINE)
    return next(text for _, name, text in blocks if name == kind)


def run(path, code):
    """Import a file with this code, as `import` would."""
    path.write_text(code, encoding="utf-8")
    spec = importlib.util.spec_from_file_location(path.stem, path)
    module = importlib.util.module_from_spec(spec)
    sys.modules[path.stem] = module
    spec.loader.exec_module(module)
    return module


@pytest.fixture
def own_scheme(tmp_path):
    run(tmp_path / "my_scheme.py", example("A mechanism"))
    yield tmp_path / "my_scheme.py"
    forget("ONE-GD")
    del sys.modules["my_scheme"]


def test_the_mechanism_fits_thirty_lines_and_is_lawful(own_scheme):
    assert len(own_scheme.read_text(encoding="utf-8").strip().splitlines()) <= 30
    m = fl.make_scheme("ONE-GD", SMALL, 19)
    assert m.amplification == pytest.approx(19)
    for law in LAWS:
        law(m)


def test_the_mechanism_is_known_everywhere(own_scheme):
    assert fl.schemes()[-1] == "ONE-GD"
    assert fl.schemes(paper=True) == ("DET-GD", "RAN-GD", "MASK", "C&P")
    data = fl.Dataset(SMALL, np.random.default_rng(0).integers(0, [2, 3], (2000, 2)))
    assert fl.mine(data, "ONE-GD", 0.1, rng=0).error_array().shape == (2, 4)
    trials = run_trials(data, ["DET-GD", "ONE-GD"], trials=2)
    assert trials["scheme"].unique().tolist() == ["DET-GD", "ONE-GD"]
    assert np.isfinite(fl.predicted_errors(data, "ONE-GD", 0.1, gamma=5).support_error_all[1])
    assert "singular" in fl.make_scheme("ONE-GD", SMALL, 19).why_not(2)  # one column a report
    assert style_of("ONE-GD") in SPARE_STYLES


def test_the_command_line_takes_the_mechanism(tmp_path, capsys):
    path, out = tmp_path / "my_scheme.py", tmp_path / "results.csv"
    # A relative of DET-GD in its place: the matrix of all CENSUS takes seconds.
    code = example("A mechanism").replace("fl.MatrixMechanism", "fl.GammaDiagonal")
    body = code[code.index("    def __init__") : code.index("    @classmethod")]
    last = code[code.index("        m = np.mean") :]
    path.write_text(code.replace(body, "").replace(last, "        return cls(schema, gamma)\n"))
    asked = ["census", "--use", str(path), "--schemes", "ONE-GD", "--trials", "1", "--out"]
    try:
        assert main([*asked, str(out)]) == 0
    finally:
        forget("ONE-GD")
    assert "ONE-GD" in out.read_text()
    asked[2] = str(tmp_path / "none.py")
    with pytest.raises(SystemExit):
        main([*asked, str(out)])
    assert "none.py" in capsys.readouterr().err


def test_the_mechanism_is_shown_by_the_explorers(own_scheme):
    from frapp_lab import explorers

    for kind in (explorers.Playground, explorers.Mining):
        ex = kind()
        ex.controls["age"].value = ex.controls["fnlwgt"].value = 2  # a matrix of 400 cells
        ex.controls["ONE-GD"].value = True
        assert "ONE-GD" in ex.summary
        assert any(t.name == "ONE-GD" and t.y for t in ex.figure.data)
        ex.close()


def test_the_explorer_moves(tmp_path):
    ex = run(tmp_path / "one_cell.py", example("An explorer")).ex
    begins = "At γ = 19 a prior of 5 % can become 50%."
    assert ex.card.state["headline"] == begins
    ex.controls["gamma"].value = 5
    assert ex.summary.startswith("At γ = 5 a prior of 5 % can become 21%. ")
    assert [number["value"] for number in ex.card.state["numbers"]] == ["21%", "1.61", "0.26"]
    assert ex.figure.data[0].y[4] == pytest.approx(20.83, abs=0.01)
    ex.controls["prior"].value = 50
    assert ex.figure.data[1].x[0] == 50
    ex.reset()
    assert ex.card.state["headline"] == begins
    code = example("An explorer")
    assert len(code[code.index("PRIORS =") :].strip().splitlines()) <= 40
    ex.close()


@pytest.fixture
def own_exercises(tmp_path):
    path = tmp_path / "exercises_10.md"
    path.write_text(example("An exercise", "markdown"), encoding="utf-8")
    exercises.add_sheet(path)
    yield ["10.1", "10.2"]
    for number in ("10.1", "10.2"):
        del exercises.EXERCISES[number]


def test_the_exercises_answer_and_pass_the_generic_tests(own_exercises):
    assert exercises.check("10.1", 0.25).right
    assert "multiplied" in exercises.check("10.1", 1.0).message
    for number in own_exercises:
        for name in GENERIC:
            getattr(test_exercises, name)(number)


def test_what_an_exercise_still_lacks_is_named(own_exercises, monkeypatch):
    with pytest.raises(AssertionError, match=r'no lesson has a cell .*check\("10\.1", answer\)'):
        in_lessons.test_lessons_ask_each_exercise_once_and_in_order()
    monkeypatch.setattr(in_lessons, "SOLUTIONS", in_lessons.SOLUTIONS[1:])
    with pytest.raises(AssertionError, match=r"notebooks/solutions/00_start_here\.ipynb .*00\.1"):
        in_lessons.test_there_is_a_solution_for_every_lesson_with_exercises()
    monkeypatch.setattr(in_lessons, "stored_verdicts", lambda path: {})
    with pytest.raises(AssertionError, match=r"refresh_notebooks\.py notebooks/solutions/01"):
        in_lessons.test_all_is_right_in_the_solutions(in_lessons.SOLUTIONS[0])
    one = exercises.Exercise(1.0, {"A hint.": 2.0}, "Good.")
    monkeypatch.setitem(exercises.EXERCISES, "10.1", lambda: one)
    with pytest.raises(AssertionError, match=r"10\.1 has 1 of at least 2 mistakes.*formula.*hint"):
        test_exercises.test_each_mistake_gets_its_own_hint("10.1")
    goals = {"G1": "", "G2": ""}, {"02.9": ["G1", "G2"]}
    monkeypatch.setattr(test_teachers_kit, "goals_of", lambda lesson: goals)
    with pytest.raises(AssertionError, match=r"### Exercise 02\.1 · Title \(G1\)"):
        test_teachers_kit.test_every_goal_is_practised_and_every_exercise_has_a_goal("02")


GENERIC = [
    name
    for name, test in vars(test_exercises).items()
    if any(mark.args[1:] == (exercises.EXERCISES,) for mark in getattr(test, "pytestmark", []))
]


def test_there_are_generic_tests_of_exercises():
    assert len(GENERIC) >= 3


@pytest.fixture
def own_question(tmp_path, monkeypatch):
    path = tmp_path / "exam_10.md"
    path.write_text(example("An exam question", "markdown"), encoding="utf-8")
    ((name, entry),) = exams.read(path).items()
    monkeypatch.setitem(exams.questions(), name, entry)
    return name


def test_the_exam_question_is_printed_and_its_twin_finds_the_same(
    own_question, tmp_path, monkeypatch
):
    assert own_question == "10.coins"
    with pytest.raises(pytest.fail.Exception, match="has no twin"):
        test_exams.test_answers_are_right(own_question, 0)
    twin = run(tmp_path / "coins_twin.py", example("An exam question")).coins
    monkeypatch.setattr(twins, "coins", twin, raising=False)
    for seed in test_exams.SEEDS:
        test_exams.test_answers_are_right(own_question, seed)
        test_exams.test_numbers_are_in_the_text_and_results_in_the_answers(own_question, seed)
    test_exams.test_it_is_never_the_lessons_own_example(own_question)
    test_exams.test_a_seed_is_a_paper_and_another_seed_another()
    test_exams.test_minutes_and_marks_add_up()
    said = exams.paper(7, ["10"], answers=True)
    assert said.startswith("# Answers to exam paper 7: 5 minutes, 5 marks\n\n## 1 · Some coins\n")
    del sys.modules["coins_twin"]


def test_the_lesson_template_has_the_skeleton_and_runs():
    steps("A lesson")
    path = Path(__file__).parent / "lesson_template.ipynb"  # nbval runs it and compares
    test_notebooks.test_lessons_have_one_skeleton(path)
    test_notebooks.test_a_notebook_is_stored_executed_and_clean(path)
    test_notebooks.test_figures_are_also_seen_and_read_where_no_kernel_runs(path)
    test_notebooks.test_every_cell_has_its_place_in_the_slides(path)


def test_the_command_runs_and_refuses(tmp_path, monkeypatch, capsys):
    (tmp_path / "worst_posterior.py").write_text(example("A command"), encoding="utf-8")
    monkeypatch.setattr(commands, "__path__", [*commands.__path__, str(tmp_path)])
    try:
        assert frapp_lab(["worst-posterior", "0.05"]) == 0
        assert capsys.readouterr().out == "50.0%\n"
        with pytest.raises(SystemExit):
            frapp_lab(["worst-posterior", "2"])
        assert "prior is 2" in capsys.readouterr().err
        test_commands.test_every_command_has_help_with_an_example("worst-posterior", capsys)
    finally:
        sys.modules.pop("frapp_lab.course.commands.worst_posterior", None)
