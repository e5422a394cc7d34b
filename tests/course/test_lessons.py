"""The list of lessons: the notebooks are its one source, and all texts agree with it."""

import re

import nbformat
import pytest
from helpers import ROOT

from frapp_lab.course.lessons import NOTEBOOKS, SOLUTIONS, TEACHERS, course_files, lessons

ROW = re.compile(r"^\| \[?(\w+ · [^\]|]+?)\]?(?:\((\S+)\))? \|", re.MULTILINE)


def listed(text):
    """The lessons that a table lists, as `02 · Title`, in its order."""
    return [name for name, _ in ROW.findall(text)]


ALL = [f"{lesson.number} · {lesson.title}" for lesson in lessons()]


def test_lessons_are_numbered_one_after_the_other_as_their_files_are():
    assert [lesson.number for lesson in lessons()] == [f"{n:02d}" for n in range(len(ALL))]
    for lesson in lessons():
        assert lesson.path.name.startswith(f"{lesson.number}_")
        assert lesson.question.endswith("?") or lesson.number == "00"


def test_the_readme_lists_every_lesson():
    text = (ROOT / "README.md").read_text(encoding="utf-8")
    assert listed(text) == ALL
    linked = [target for _, target in ROW.findall(text)]
    assert linked == [lesson.path.relative_to(ROOT).as_posix() for lesson in lessons()]


def test_the_first_lesson_maps_all_others():
    cells = nbformat.read(lessons()[0].path, as_version=4).cells
    text = "\n".join(cell.source for cell in cells if cell.cell_type == "markdown")
    assert listed(text) == ALL[1:]


def test_the_teachers_kit_has_notes_for_every_other_lesson():
    text = (NOTEBOOKS / TEACHERS / "README.md").read_text(encoding="utf-8")
    assert listed(text) == ALL[1:]


def test_a_notebook_without_a_lessons_heading_is_refused(tmp_path):
    book = nbformat.v4.new_notebook(cells=[nbformat.v4.new_markdown_cell("# Coins")])
    nbformat.write(book, tmp_path / "10_coins.ipynb")
    with pytest.raises(ValueError, match=r"10_coins\.ipynb begins with '# Coins': .*because"):
        lessons(tmp_path)


def test_hidden_files_and_left_out_folders_are_no_part_of_the_course(tmp_path):
    for name in ("00.ipynb", "images/a.png", "solutions/00.ipynb", ".ipynb_checkpoints/00.ipynb"):
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).touch()
    names = [path.as_posix() for path in course_files(SOLUTIONS, folder=tmp_path)]
    assert names == ["00.ipynb", "images/a.png"]
