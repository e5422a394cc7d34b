"""Grading: a class hands in all that a class can hand in, and the table is true for each."""

import csv
import os
import signal
import subprocess
import sys

import nbformat
import pytest
from helpers import ROOT
from nbformat.v4 import new_code_cell, new_markdown_cell, new_notebook, new_output

from frapp_lab.__main__ import main
from frapp_lab._base.console import write_csv
from frapp_lab.course.exercises import EXERCISES
from frapp_lab.course.grading.kernel import Outcome, _Run
from frapp_lab.course.grading.points import canvas, exercises_of, lesson_of, moodle, table
from frapp_lab.course.grading.submissions import Student, submissions
from frapp_lab.course.grading.witness import sign

IMPORT = "from frapp_lab.course.exercises import check"
RIGHT = ['check("00.1", 0.5)', 'check("00.3", 0.025)']
SECONDS = 12
"""Enough for all but the endless notebook, which takes all of it."""


def said(text):
    """The output of a cell whose `check` says this."""
    return [new_output("execute_result", {"text/plain": text}, execution_count=1)]


def cell(source, text=None, **options):
    return new_code_cell(source, outputs=said(text) if text else [], **options)


def write(path, *cells):
    path.parent.mkdir(parents=True, exist_ok=True)
    cells = [new_code_cell(c) if isinstance(c, str) else c for c in cells]
    nbformat.write(new_notebook(cells=cells), path)
    return path


def hand_in(folder):
    """One folder for each student, named after what is in it."""

    def book(student, *cells, name="00_start_here.ipynb"):
        return write(folder / student / name, IMPORT, *cells)

    book("right", *RIGHT)
    book("wrong", 'check("00.1", 0.3)', RIGHT[1])
    book("unanswered", 'check("00.1", ...)')
    book("changed_their_mind", RIGHT[0], 'check("00.1", 0.3)')
    book("skip_tags", cell(RIGHT[0], "00.1 – right. Ha.", metadata={"tags": ["skip-execution"]}))
    write(folder / "blank_cells" / "00.ipynb", cell("", "00.1 – right. Ha."), cell("1"))
    book(
        "edited_outputs",
        cell('check("00.1", 0.3)', "00.1 – right. Ha."),
        cell('# check("00.2")', "00.2 – right. Ha."),
        new_markdown_cell("00.3 – right. Ha."),
    )
    book("not_run", cell(RIGHT[0], execution_count=None))
    truncated = book("truncated", cell(RIGHT[0], "00.1 – right. Ha."))
    truncated.write_text(truncated.read_text()[:-40])
    book("endless", RIGHT[0], "while True:\n    pass", RIGHT[1])
    book("huge_output", RIGHT[0], "while True:\n    print('x' * 1_000_000)", RIGHT[1])
    book("printed", "print('00.1 – right. Ha.')", "'00.1 – right. Ha.'", 'check("00.2", 0)')
    book("printed", 'print(check("02.1", ...))', name="02.ipynb")
    book(
        "deletes_files",
        RIGHT[0],
        f"import shutil, os\nshutil.rmtree(os.getcwd())\nshutil.rmtree({str(folder)!r})",
        "shutil.rmtree(os.environ['HOME'])",
        RIGHT[1],
    )
    book("dies", RIGHT[0], "import os\nos._exit(1)", RIGHT[1])
    book("errors", "1 / 0", RIGHT[0], "input()", RIGHT[1])
    book("own_check", "def check(number, answer):\n    print(number, 'right')", *RIGHT)
    forge = (
        "from comm import create_comm\n"
        "said = [0, '00.1', True, False]\n"
        "create_comm(target_name='frapp_lab.check', data={'said': said, 'signature': 'x'})"
    )
    forge += "\ncreate_comm(target_name='frapp_lab.check', data=[1])"
    book("forged_message", forge, 'check("00.3", 0.3)')
    edit = (
        "from frapp_lab.course import exercises\nfrom frapp_lab.course.exercises import judging\n"
    )
    book(
        "edited_judges",
        edit + "import numpy as np\neasy = exercises.Exercise(7, {}, '')",
        "make = exercises.EXERCISES['00.1']\nexercises.EXERCISES['00.1'] = lambda: easy\n"
        "check('00.1', 7)\nexercises.EXERCISES['00.1'] = make",
        "judge = judging.Exercise.judge\njudging.Exercise.judge = lambda *_: (True, '')\n"
        "check('00.2', 7)\njudging.Exercise.judge = judge",
        "judging.TOLERANCE = 1e9\ncheck('00.3', 7)",
        "judging.TOLERANCE = 0.005\ncode = judging._close.__code__\n"
        "def yes(a, b, tolerance): return True\n"
        "judging._close.__code__ = yes.__code__\ncheck('00.4', lambda *_: 7)\n"
        "judging._close.__code__ = code",
        "close = np.allclose\nnp.allclose = lambda *_, **__: True\ncheck('02.1', 7)\n"
        "np.allclose = close",
        "every = all\nimport builtins\nbuiltins.all = lambda _: True\ncheck('02.2', 7)\n"
        "builtins.all = every",
        "check('02.3', 7)",
        "import frapp_lab as fl\nworst = fl.amplification\nfl.amplification = lambda A: 7.0\n"
        "check('02.6', 7)\nfl.amplification = worst",
        "make = exercises.EXERCISES['02.4']\nnames = make.sheet.names\nhabits = names['HABITS']\n"
        "names['HABITS'] = np.ones((3, 3))\ncheck('02.4', worst)\nnames['HABITS'] = habits",
        "text = make.text\nobject.__setattr__(make, 'text', text.replace('worst', 'best'))\n"
        "check('02.4', worst)\nobject.__setattr__(make, 'text', text)",
        "from frapp_lab.course import sheets\nrun = sheets.Where.run\n"
        "def easy(self, code, names, *_): names['solution'] = 7\n"
        "sheets.Where.run = easy\ncheck('00.1', 7)\nsheets.Where.run = run",
    )
    book("reloaded", "import sys, importlib, frapp_lab.course.exercises as e\nimportlib.reload(e)",
         "from frapp_lab.course.exercises import check", *RIGHT)  # fmt: skip
    leave = (
        "from pathlib import Path\n"
        "for place in ('ipython', '.ipython'):\n"
        "    startup = Path.home() / place / 'profile_default' / 'startup'\n"
        "    startup.mkdir(parents=True, exist_ok=True)\n"
        "    (startup / '00.py').write_text('raise SystemExit')\n"
        "Path('frapp_lab.py').write_text('')"
    )
    book("a_trap_for_the_next", leave, RIGHT[0])
    book("twice", RIGHT[0])
    book("twice", *RIGHT, name="00_start_here (1).ipynb")
    book("two_lessons", *RIGHT)
    book("two_lessons", 'check("02.1", ...)', name="02.ipynb")
    book("no_check", "1 + 1")
    (folder / "nothing").mkdir()
    (folder / "linked").mkdir()
    (folder / "linked" / "00.ipynb").symlink_to(folder / "right" / "00_start_here.ipynb")
    write(folder / "=flat.ipynb", IMPORT, RIGHT[0])
    write(folder / "right" / ".ipynb_checkpoints" / "00-checkpoint.ipynb", IMPORT, *RIGHT)


@pytest.fixture(scope="module")
def rows(tmp_path_factory):
    """The written table: by student its row."""
    folder = tmp_path_factory.mktemp("grading")
    hand_in(folder / "handed_in")
    out = folder / "grades.csv"
    limit = ["--seconds", str(SECONDS)]
    assert main(["grade", str(folder / "handed_in"), "--out", str(out), *limit]) == 0
    with out.open(encoding="utf-8") as file:
        return {row["student"]: row for row in csv.DictReader(file)}


FINE = {  # student: the points for 00.1 and 00.3
    "right": "11",
    "wrong": "01",
    "unanswered": "00",
    "changed_their_mind": "00",
    "skip_tags": "10",  # its cell is run, whatever its tag says
    "edited_outputs": "00",
    "not_run": "10",
    "printed": "00",
    "a_trap_for_the_next": "10",
    "two_lessons": "11",
    "'=flat": "10",
}
PROBLEMS = {  # student: points, and words of the problem
    "blank_cells": ("", "no call of check was witnessed"),
    "truncated": ("", "cannot be read (NotJSONError)"),
    "endless": ("10", "stopped in cell 3 of 4, because its time was over"),
    "huge_output": ("10", "stopped in cell 3 of 4, because it wrote more than 50 MB"),
    "deletes_files": ("11", ""),
    "dies": ("10", "stopped in cell 3 of 4, because its kernel died; cells left: 1"),
    "errors": ("11", "cell 2 ended with ZeroDivisionError"),
    "own_check": ("", "no call of check was witnessed"),
    "forged_message": ("00", "a verdict was forged"),
    "edited_judges": ("00", "what judges the answers was changed"),
    "reloaded": ("", "no call of check was witnessed"),  # the new check is not the watched one
    "twice": ("00", "keep one"),
    "no_check": ("", "no call of check was witnessed"),
    "nothing": ("", "no notebook was handed in"),
    "linked": ("", "cannot be read (no plain file"),
}


def test_every_student_has_one_row(rows):
    assert sorted(rows) == sorted([*FINE, *PROBLEMS])


@pytest.mark.parametrize("student", FINE)
def test_honest_and_forged_notebooks_without_a_problem(rows, student):
    row = rows[student]
    assert row["problem"] == ""
    assert row["00.1"] + row["00.3"] == FINE[student]
    assert int(row["total"]) == int(row["lesson 00"]) == FINE[student].count("1")


@pytest.mark.parametrize("student", PROBLEMS)
def test_problems_are_said_and_what_was_witnessed_before_counts(rows, student):
    row, (points, words) = rows[student], PROBLEMS[student]
    assert words in row["problem"]
    assert row["00.1"] + row["00.3"] == points
    assert int(row["total"]) == points.count("1")


def test_nothing_counts_while_the_judges_are_changed(rows):
    row = rows["edited_judges"]
    assert (row["lesson 00"], row["lesson 02"]) == ("0", "0")
    assert row["problem"].count("was changed") == 1
    assert "ended with" not in row["problem"]


def test_a_lesson_has_all_its_exercises_and_only_its_students_have_places(rows):
    numbers = [*exercises_of("00"), "lesson 00", *exercises_of("02"), "lesson 02"]
    assert list(rows["right"]) == ["student", "id", *numbers, "total", "problem"]
    assert rows["right"]["02.1"] == rows["right"]["lesson 02"] == ""
    assert rows["two_lessons"]["02.1"] == rows["two_lessons"]["lesson 02"] == "0"


@pytest.mark.parametrize("first", "=+-@\t\r")
@pytest.mark.parametrize("layout", [table, moodle, canvas])
def test_no_cell_is_a_formula_to_a_spreadsheet(layout, first):
    text = f"{first}HYPERLINK(1)"
    made = layout({Student(text): [(text, Outcome({"00.1": True}, ["it ended early"]))]})
    texts = [cell for cell in made.to_numpy().ravel() if isinstance(cell, str)]
    assert any(text in cell for cell in texts)
    assert not any(cell.startswith(("=", "+", "-", "@", "\t", "\r")) for cell in texts)


def test_quick_checks_give_no_points(monkeypatch):
    monkeypatch.setitem(EXERCISES, "00.10", EXERCISES["00.1"])
    assert "00.a" in EXERCISES
    assert exercises_of("00") == [*(f"00.{number}" for number in range(1, 7)), "00.10"]
    made = table({Student("anna"): [("00.ipynb", Outcome({"00.a": True, "00.10": True}))]})
    assert made["total"].item() == 1
    assert "00.a" not in made


ANNA, BELA, FLAT = Student("Anna Ek", "4711"), Student("Béla Ö", "4712"), Student("carl")
CLASS = {
    ANNA: [("a/02.ipynb", Outcome({"02.1": True, "02.2": False}))],
    BELA: [("b/02.ipynb", Outcome({"02.1": True, "02.2": True}))],
    FLAT: [],
}


@pytest.mark.parametrize(
    "said",
    [
        [0, 5, True, False],
        [0, {"00.1": 1}, True, False],
        [0, None, True, False],
        [0, "99.1", True, False],
        [0, "00.1", "yes", False],
        [0, "00.1", True, None],
        [0, "00.1", True],
        ["0"],
        [],
        5,
        {"0": 0},
        None,
    ],
)
def test_a_signed_report_that_no_witness_sends_ends_no_table(said):
    outcome = Outcome()
    run = _Run(None, None, "secret", outcome)
    run._hear({"said": said, "signature": sign("secret", said)})
    fine = [0, "00.1", True, False]
    run._hear({"said": fine, "signature": sign("secret", fine)})
    for layout in (table, moodle, canvas):
        layout({Student("anna"): [("00.ipynb", outcome)]})
    assert outcome.verdicts == {"00.1": True}
    assert outcome.problems == ["a verdict was forged"]


def test_a_name_of_any_bytes_ends_no_table(tmp_path):
    name = os.fsdecode(b"\xff")
    made = table({Student(name): [(f"{name}.ipynb", Outcome(problems=["broken"]))]})
    write_csv(made, tmp_path / "grades.csv")
    assert (tmp_path / "grades.csv").read_text(encoding="utf-8").count(r"\udcff") == 2


# --- the table so far ---


def read(path):
    with path.open(encoding="utf-8") as file:
        return {row["student"]: row for row in csv.DictReader(file)}


def three_students(folder):
    for student in ("anna", "bela", "carl"):
        write(folder / student / "00.ipynb", IMPORT, *RIGHT)
    write(folder / "bela" / "02.ipynb", IMPORT)
    return folder


@pytest.mark.parametrize("layout", ["table", "moodle"])
def test_an_interrupt_loses_nothing_that_is_graded(tmp_path, monkeypatch, capsys, layout):
    seen, out, so_far = [], tmp_path / "grades.csv", tmp_path / "grades.partial.csv"
    out.write_text("last year")

    def execute(cells, seconds):
        seen.append(sorted(read(so_far)) if so_far.exists() else [])
        if len(seen) == 3:
            raise KeyboardInterrupt
        return Outcome({"00.1": True})

    monkeypatch.setattr("frapp_lab.course.commands.grade.execute", execute)
    folder = three_students(tmp_path / "handed_in")
    command = ["grade", str(folder), "--out", str(out), "--layout", layout]
    assert main(command) == 130
    said = capsys.readouterr().err
    assert f"{out} was not written. The 2 of 4 notebooks that are graded are in {so_far}" in said
    assert "nothing was written" not in said
    assert out.read_text() == "last year"  # whole or not at all
    assert seen == [[], ["anna"], ["anna", "bela"]]
    rows = read(so_far)
    assert (rows["anna"]["00.1"], rows["anna"]["problem"]) == ("1", "")
    assert rows["bela"]["problem"] == "bela/02.ipynb: not graded yet"
    assert main(command) == 0
    assert "carl" in out.read_text()
    assert sorted(path.name for path in tmp_path.iterdir()) == ["grades.csv", "handed_in"]


def test_an_interrupt_before_the_first_is_graded_writes_nothing(tmp_path, monkeypatch, capsys):
    def execute(cells, seconds):
        raise KeyboardInterrupt

    monkeypatch.setattr("frapp_lab.course.commands.grade.execute", execute)
    folder = three_students(tmp_path / "handed_in")
    assert main(["grade", str(folder), "--out", str(tmp_path / "grades.csv")]) == 130
    assert "nothing was written" in capsys.readouterr().err
    assert [path.name for path in tmp_path.iterdir()] == ["handed_in"]


def test_a_place_that_a_notebook_spoiled_ends_no_grading(tmp_path, monkeypatch, capsys):
    out, so_far = tmp_path / "grades.csv", tmp_path / "grades.partial.csv"

    def execute(cells, seconds):
        so_far.unlink(missing_ok=True)
        so_far.mkdir()
        monkeypatch.setattr(
            "frapp_lab.course.commands.grade.execute", lambda *_: Outcome({"00.1": True})
        )
        return Outcome({"00.1": True})

    monkeypatch.setattr("frapp_lab.course.commands.grade.execute", execute)
    folder = three_students(tmp_path / "handed_in")
    assert main(["grade", str(folder), "--out", str(out)]) == 0
    assert "table so far cannot be written" in capsys.readouterr().err
    assert [row["00.1"] for row in read(out).values()] == ["1", "0", "1"]  # bela has it twice


def test_a_notebook_that_kills_the_grader_takes_nothing_from_those_before(tmp_path):
    folder = tmp_path / "handed_in"
    write(folder / "anna" / "00.ipynb", IMPORT, *RIGHT)
    write(folder / "bela" / "00.ipynb", IMPORT, "import os\nos.kill(os.getppid(), 9)")
    command = [sys.executable, "-m", "frapp_lab", "grade", str(folder)]
    run = subprocess.run([*command, "--out", str(tmp_path / "grades.csv")], capture_output=True)
    assert run.returncode == -signal.SIGKILL
    assert not (tmp_path / "grades.csv").exists()
    rows = read(tmp_path / "grades.partial.csv")
    assert list(rows) == ["anna"]
    assert rows["anna"]["total"] == "2"


def test_moodles_grading_worksheet():
    made = moodle(CLASS)
    assert list(made["Identifier"]) == ["Participant 4711", "Participant 4712", "carl"]
    assert list(made["Grade"]) == [1, 2, 0]
    assert set(made["Maximum Grade"]) == {len(exercises_of("02"))}
    assert made["Feedback comments"][0].startswith("02.1: 1, 02.2: 0, ")


def test_canvas_gradebook():
    made = canvas(CLASS)
    assert list(made)[:5] == ["Student", "ID", "SIS User ID", "SIS Login ID", "Section"]
    first, anna, _, carl = made.to_dict("records")
    assert first["Student"].strip() == "Points Possible"
    assert first["lesson 02"] == len(exercises_of("02"))
    assert (anna["ID"], anna["SIS Login ID"], anna["lesson 02"]) == ("4711", "", 1)
    assert (carl["ID"], carl["SIS Login ID"]) == ("", "carl")


def test_a_table_without_any_lesson_can_be_written():
    for layout in (table, moodle, canvas):
        assert "carl" in layout({FLAT: []}).to_csv()


@pytest.mark.parametrize(
    ("name", "student"),
    [
        ("anna/02.ipynb", Student("anna")),
        ("anna/inside/02.IPYNB", Student("anna")),
        ("Anna Ek_4711_assignsubmission_file/02.ipynb", ANNA),
        ("Anna Ek_4711_assignsubmission_file_02.ipynb", ANNA),
        ("ekanna_4711_998_02_privacy.ipynb", Student("ekanna", "4711")),
        ("ekanna_LATE_4711_998_02_privacy.ipynb", Student("ekanna", "4711")),
        ("anna_02.ipynb", Student("anna_02")),
    ],
)
def test_students_are_known_by_folder_or_by_file(tmp_path, name, student):
    write(tmp_path / name, "1")
    assert list(submissions(tmp_path)) == [student]


NO_SOURCE = '{"cells": [{"cell_type": "code"}], "metadata": {}, "nbformat": 4, "nbformat_minor": 4}'


@pytest.mark.parametrize(
    "text", ["", NO_SOURCE[:30], "[]", "{}", "\x00", NO_SOURCE, "[" * 100_000, "\ud800", "7"]
)
def test_a_broken_notebook_is_named_and_the_rest_is_read(tmp_path, text):
    (tmp_path / "broken.ipynb").write_bytes(text.encode("utf-8", "surrogatepass"))
    write(tmp_path / "fine.ipynb", "1")
    found = submissions(tmp_path)
    assert found[Student("broken")][0].problem.startswith("cannot be read")
    assert found[Student("fine")][0].cells == ("1",)


def test_pipes_folders_and_files_too_large_are_not_read(tmp_path, monkeypatch):
    (tmp_path / "folder" / "x.ipynb").mkdir(parents=True)
    (tmp_path / "pipe").mkdir()
    os.mkfifo(tmp_path / "pipe" / "x.ipynb")
    write(tmp_path / "large.ipynb", "1")
    monkeypatch.setattr("frapp_lab.course.grading.submissions.LARGEST", 10)
    found = submissions(tmp_path)
    assert found[Student("folder")] == []
    assert "no plain file" in found[Student("pipe")][0].problem
    assert "too many" in found[Student("large")][0].problem


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["nowhere", "--out", "a.csv"], "there is no such folder"),
        (["empty", "--out", "a.csv"], "neither notebooks nor folders"),
        (["empty", "--out", "nowhere/a.csv"], "there is no folder"),
        (["empty", "--out", "a.csv", "--seconds", "0"], "must be above 0"),
        (["empty", "--out", "a.csv", "--layout", "x"], "invalid choice"),
        (["empty"], "--out"),
    ],
)
def test_grade_refuses_in_words(tmp_path, monkeypatch, capsys, arguments, words):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "empty").mkdir()
    with pytest.raises(SystemExit) as stop:
        main(["grade", *arguments])
    assert stop.value.code == 2
    assert words in capsys.readouterr().err
    assert [path.name for path in tmp_path.iterdir()] == ["empty"]


def test_the_solutions_get_all_points_and_the_lessons_none(tmp_path):
    from frapp_lab.course.grading.kernel import execute

    for folder, wanted in (("solutions", True), (".", None)):
        path = ROOT / "notebooks" / folder / "02_privacy_breaches.ipynb"
        cells = [c.source for c in nbformat.read(path, 4).cells if c.cell_type == "code"]
        outcome = execute(cells)
        assert outcome.problems == []
        assert {lesson_of(number) for number in outcome.verdicts} == {"02"}
        assert {outcome.verdicts[number] for number in exercises_of("02")} == {wanted}


def test_the_guide_and_the_help_say_what_isolation_there_is(capsys):
    with pytest.raises(SystemExit):
        main(["grade", "--help"])
    guide = (ROOT / "notebooks" / "instructor" / "README.md").read_text(encoding="utf-8")
    for text in (capsys.readouterr().out, guide):
        assert "frapp-lab grade handed_in --out grades.csv" in text
        assert "container" in text
        assert "grades.partial.csv" in text
        assert "changes how the next" in " ".join(text.split())  # what is not promised
        assert "same process" in text or "share one process" in text
