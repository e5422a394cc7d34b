"""The command line: what every command must have, `open` and `student-copy`."""

import json
import os
import signal
import subprocess
import sys
from pathlib import Path

import nbformat
import pytest
from helpers import ROOT
from test_texts import links

from frapp_lab.__main__ import found, main
from frapp_lab.course import lessons
from frapp_lab.course.commands.open import RECORD, bring
from frapp_lab.course.commands.student_copy import without_links


def refused(arguments, capsys):
    with pytest.raises(SystemExit) as stop:
        main(arguments)
    assert stop.value.code == 2
    return capsys.readouterr().err


@pytest.mark.parametrize("name", found())
def test_every_command_has_help_with_an_example(name, capsys):
    with pytest.raises(SystemExit) as stop:
        main([name, "--help"])
    assert stop.value.code == 0
    assert f"    frapp-lab {name}" in capsys.readouterr().out


def test_the_list_of_commands(capsys):
    with pytest.raises(SystemExit):
        main(["--help"])
    said = capsys.readouterr().out
    assert {"open", "student-copy", "grade", "experiments"} <= set(found())
    assert all(name in said for name in found())
    assert "COMMAND" in refused([], capsys)
    assert "invalid choice: 'nothing'" in refused(["nothing"], capsys)


def test_it_runs_as_a_module():
    run = [sys.executable, "-m", "frapp_lab", "--help"]
    environment = {**os.environ, "PYTHONPATH": str(ROOT)}
    said = subprocess.run(run, env=environment, capture_output=True, text=True, check=True).stdout
    assert said.startswith("usage: frapp-lab")


# --- open ---


@pytest.fixture
def course(tmp_path):
    """A small course that can change."""
    source = tmp_path / "source"
    (source / "solutions").mkdir(parents=True)
    (source / "instructor").mkdir()
    for name in ("00.ipynb", "01.ipynb", "solutions/00.ipynb", "instructor/README.md"):
        (source / name).write_text("one")
    return source


def contents(folder):
    files = [path for path in sorted(folder.rglob("*")) if path.is_file() and path.name != RECORD]
    return {path.relative_to(folder).as_posix(): path.read_text() for path in files}


def test_a_learner_gets_lessons_and_solutions_and_not_the_teachers_kit(course, tmp_path):
    mine = tmp_path / "mine"
    assert bring(mine, course) == []
    assert contents(mine) == {"00.ipynb": "one", "01.ipynb": "one", "solutions/00.ipynb": "one"}


def test_what_a_learner_wrote_is_never_overwritten(course, tmp_path):
    mine = tmp_path / "mine"
    bring(mine, course)
    (mine / "00.ipynb").write_text("written")
    assert bring(mine, course) == []  # no newer version: nothing to say
    for name in ("00.ipynb", "01.ipynb"):
        (course / name).write_text("two")
    assert bring(mine, course) == [Path("00.new.ipynb")]
    assert bring(mine, course) == []
    seen = contents(mine)
    assert (seen["00.ipynb"], seen["00.new.ipynb"]) == ("written", "two")
    assert seen["01.ipynb"] == "two"  # the learner had not touched it
    (mine / "00.new.ipynb").write_text("written too")
    (course / "00.ipynb").write_text("three")
    assert bring(mine, course) == [Path("00.new2.ipynb")]
    seen = contents(mine)
    assert (seen["00.ipynb"], seen["00.new.ipynb"], seen["00.new2.ipynb"]) == (
        "written", "written too", "three",
    )  # fmt: skip


@pytest.mark.parametrize("broken", ["", "{", "[1]", None])
def test_without_a_record_every_difference_is_the_learners(course, tmp_path, broken):
    mine = tmp_path / "mine"
    bring(mine, course)
    (mine / "00.ipynb").write_text("written")
    (mine / RECORD).unlink()
    if broken is not None:
        (mine / RECORD).write_text(broken)
    (course / "01.ipynb").write_text("two")
    assert bring(mine, course) == [Path("00.new.ipynb"), Path("01.new.ipynb")]
    assert contents(mine)["00.ipynb"] == "written"


def test_a_deleted_lesson_comes_back(course, tmp_path):
    bring(tmp_path / "mine", course)
    (tmp_path / "mine" / "00.ipynb").unlink()
    assert bring(tmp_path / "mine", course) == []
    assert contents(tmp_path / "mine")["00.ipynb"] == "one"


def test_open_starts_jupyterlab_with_this_python_in_the_learners_folder(tmp_path, monkeypatch):
    calls = []

    class Server:
        def __init__(self, command, **how):
            calls.append((command, how))

        def wait(self):
            assert signal.getsignal(signal.SIGINT) == signal.SIG_IGN
            return 0

    monkeypatch.setattr(subprocess, "Popen", Server)
    before = signal.getsignal(signal.SIGINT)
    monkeypatch.chdir(tmp_path)
    main(["open"])
    main(["open", "02", "--no-browser", "--folder", "mine", "--jupyter", "--port", "9999"])
    assert signal.getsignal(signal.SIGINT) == before
    (first, how), (second, _) = calls
    assert first == [sys.executable, "-m", "jupyterlab", "00_start_here.ipynb"]
    assert how["cwd"] == tmp_path / "frapp_lab_lessons"
    assert second[3:] == ["02_privacy_breaches.ipynb", "--no-browser", "--port", "9999"]
    assert (tmp_path / "mine" / "02_privacy_breaches.ipynb").is_file()


def test_open_refuses_in_words(tmp_path, capsys):
    assert "there are 00, 01" in refused(["open", "77"], capsys)
    own = ["open", "--copy-only", "--folder", str(lessons.NOTEBOOKS)]
    assert "the lessons' own folder" in refused(own, capsys)
    (tmp_path / "file").touch()
    own[-1] = str(tmp_path / "file")
    assert "that is a file" in refused(own, capsys)


# --- student-copy ---


def test_students_get_lessons_without_outputs_and_answers(tmp_path):
    target = tmp_path / "students"
    assert main(["student-copy", str(target)]) == 0
    copied = sorted(path.name for path in target.glob("*.ipynb"))
    assert copied == [lesson.path.name for lesson in lessons.lessons()]
    assert not {"solutions", "instructor"} & {path.name for path in target.iterdir()}
    for path in target.glob("*.ipynb"):
        book, whole = nbformat.read(path, 4), nbformat.read(lessons.NOTEBOOKS / path.name, 4)
        nbformat.validate(book)
        assert [cell.id for cell in book.cells] == [cell.id for cell in whole.cells]
        for cell, original in zip(book.cells, whole.cells, strict=True):
            if cell.cell_type == "code":
                assert (cell.outputs, cell.execution_count) == ([], None)
                assert cell.source == original.source


def test_no_link_of_a_students_copy_dangles(tmp_path):
    target = tmp_path / "students"
    main(["student-copy", str(target)])
    texts = {path: path.read_text(encoding="utf-8") for path in target.rglob("*.md")}
    for path in target.rglob("*.ipynb"):
        cells = nbformat.read(path, 4).cells
        texts[path] = "\n\n".join(cell.source for cell in cells if cell.cell_type == "markdown")
    assert sum(len(links(text)) for text in texts.values()) > 10
    for path, text in texts.items():
        assert "`solutions`" not in text
        assert [t for t in links(text) if not (path.parent / t).exists()] == [], path.name


def test_only_the_sentence_with_the_link_is_left_out():
    text = "One.\nTwo is [here\nand there](solutions/00.ipynb). Three!\n\n- [kit](instructor/a.md)"
    assert without_links(text) == "One.\nThree!"
    assert without_links("See [one](01.ipynb). ") == "See [one](01.ipynb). "


@pytest.mark.parametrize("kind", ["full", "file"])
def test_student_copy_overwrites_nothing(tmp_path, capsys, kind):
    target = tmp_path / "students"
    if kind == "full":
        target.mkdir()
        (target / "mine").touch()
    else:
        target.touch()
    assert "nothing is overwritten" in refused(["student-copy", str(target)], capsys)
    (tmp_path / "empty").mkdir()
    assert main(["student-copy", str(tmp_path / "empty")]) == 0


def test_a_record_is_readable(tmp_path):
    main(["open", "--copy-only", "--folder", str(tmp_path / "mine")])
    record = json.loads((tmp_path / "mine" / RECORD).read_text())
    assert "00_start_here.ipynb" in record
