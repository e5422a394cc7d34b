"""The instructor's recipe and `collect`: handed-in notebooks are executed anew, none is lost."""

import json
import os
import re
import subprocess
import sys
from pathlib import Path

import nbformat
import pytest
from nbformat.v4 import new_code_cell, new_markdown_cell, new_notebook, new_output

from frapp_lab.exercises import collect

ROOT = Path(__file__).parent.parent
RIGHT = 'from frapp_lab.exercises import check\ncheck("00.1", 0.5)'


def said(text):
    """The output of a cell whose `check` says this."""
    return [new_output("execute_result", {"text/plain": text}, execution_count=1)]


def cell(source, text=None, **options):
    return new_code_cell(source, outputs=said(text) if text else [], **options)


def write(path, *cells):
    path.parent.mkdir(parents=True, exist_ok=True)
    nbformat.write(new_notebook(cells=list(cells)), path)
    return path


def test_notebooks_of_one_name_in_two_folders_are_two_rows(tmp_path):
    paths = [
        write(tmp_path / "anna" / "02.ipynb", cell("1", "02.1 – right. Good.", execution_count=1)),
        write(tmp_path / "bela" / "02.ipynb", cell("1", "02.1 – not yet. No.", execution_count=1)),
    ]
    table = collect(paths)
    assert list(table["02.1"]) == ["right", "not yet"]
    assert list(table.index) == [path.as_posix() for path in paths]
    assert list(table.columns) == ["problem", "02.1"]
    assert list(table["problem"]) == ["", ""]


NO_SOURCE = '{"cells": [{"cell_type": "code"}], "metadata": {}, "nbformat": 4, "nbformat_minor": 4}'


@pytest.mark.parametrize("text", ["", NO_SOURCE[:30], "[]", "{}", "\x00", NO_SOURCE])
def test_a_broken_notebook_is_named_and_the_rest_goes_on(tmp_path, text):
    broken = tmp_path / "broken.ipynb"
    broken.write_text(text)
    fine = write(tmp_path / "fine.ipynb", cell("1", "02.1 – right. Good.", execution_count=1))
    table = collect([broken, fine, tmp_path / "missing.ipynb"])
    assert list(table["02.1"].fillna("")) == ["", "right", ""]
    assert table.loc[broken.as_posix(), "problem"].startswith("cannot be read")
    assert table.loc[fine.as_posix(), "problem"] == ""
    assert table["problem"].iloc[2] == "cannot be read (FileNotFoundError)"


def test_a_single_path_is_a_single_notebook(tmp_path):
    path = write(tmp_path / "one.ipynb", cell("1", "02.1 – right. Good.", execution_count=1))
    for one in (path, str(path)):
        assert collect(one).equals(collect([path]))


def test_what_was_not_executed_is_a_problem(tmp_path):
    path = write(tmp_path / "one.ipynb", cell("1", execution_count=1), cell("2"), cell(""))
    assert collect(path)["problem"].item() == "not executed to the end (cells left: 1)"


def test_only_code_cells_count(tmp_path):
    path = tmp_path / "one.ipynb"
    text = {"cell_type": "markdown", "source": "", "metadata": {}}
    text["outputs"] = said("02.1 – right. Good.")
    notebook = {"cells": [text], "metadata": {}, "nbformat": 4, "nbformat_minor": 4}
    path.write_text(json.dumps(notebook))
    assert "02.1" not in collect(path)


def hand_in(folder):
    write(folder / "anna" / "00.ipynb", cell(RIGHT), cell('check("00.3", 0.05)'))
    write(folder / "bela" / "00.ipynb", cell(RIGHT.replace("0.5", "...")))
    write(
        folder / "forger" / "00.ipynb",
        cell(RIGHT, "00.1 – right. Ha.", metadata={"tags": ["skip-execution"]}),
        cell("", "00.2 – right. Ha."),
        cell("# check", "00.3 – right. Ha."),
        new_markdown_cell("00.4 – right. Ha."),
    )
    endless = (cell(RIGHT), cell("while True:\n    pass"), cell('check("00.3", 0.025)'))
    write(folder / "endless" / "00.ipynb", *endless)
    truncated = folder / "truncated" / "00.ipynb"
    write(truncated, cell(RIGHT, "00.1 – right. Ha."))
    truncated.write_text(truncated.read_text()[:-40])


def test_the_recipe_of_the_instructor_guide(tmp_path):
    guide = (ROOT / "notebooks" / "instructor" / "README.md").read_text(encoding="utf-8")
    guide = guide.split("## How to collect answers")[1].split("\n## ")[0]
    (recipe,) = re.findall(r"```python\n(.*?)```", guide, re.DOTALL)
    assert recipe.count("timeout=120") == 1
    (tmp_path / "recipe.py").write_text(recipe.replace("timeout=120", "timeout=8"))
    hand_in(tmp_path / "handed_in")
    environment = {**os.environ, "PYTHONPATH": str(ROOT)}
    subprocess.run(
        [sys.executable, "recipe.py"], cwd=tmp_path, env=environment, check=True, timeout=120
    )
    written = (tmp_path / "exercises.csv").read_text(encoding="utf-8").splitlines()
    assert written == [
        ",problem,00.1,00.3",
        "executed/anna/00.ipynb,,right,not yet",
        "executed/bela/00.ipynb,,not answered yet,",
        "executed/endless/00.ipynb,not executed to the end (cells left: 2),right,",
        "executed/forger/00.ipynb,not executed to the end (cells left: 1),,",
        "executed/truncated/00.ipynb,cannot be read (NotJSONError),,",
    ]
