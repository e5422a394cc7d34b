"""Sheets of exercises: how they are read, what is refused, and the lint of their Python."""

import re
import shutil
import subprocess
import sys
from pathlib import Path
from textwrap import indent

import pytest
from helpers import assert_refused, require

from frapp_lab.course import exercises
from frapp_lab.course.exercises import EXERCISES, SHEETS, add_sheet, check
from frapp_lab.course.exercises.sheet import PART, ExerciseSheet

SHEET = """A note, and what all exercises share.

```python
p = 0.5
```

# 77.1 · The chance of two heads

```python
# Independent chances multiply.
solution = p**2
```

- `p`: This is the chance of one head.
  There are two coins.
- `2 * p`: Chances of independent coins are multiplied, not added.

Right: So do the γ's
of two reports.

# 77.2 · The chance of n heads

```python
def solution(n):
    return p**n

inputs = [(1,), (3,)]
```

- `n * p`: Chances are multiplied.
- `p`: There are n coins.

Right: Good.
"""


@pytest.fixture
def own_sheet(tmp_path, own_exercises):
    """Registers the sheet above, or one that is made from it."""

    def add(text=SHEET):
        (tmp_path / "mine.md").write_text(text, encoding="utf-8")
        add_sheet(tmp_path / "mine.md")

    return add


def test_a_sheet_outside_the_package_joins_at_once(own_sheet):
    own_sheet()
    assert list(EXERCISES)[-2:] == ["77.1", "77.2"]
    assert repr(check("77.1", 0.25)) == "77.1 – right. So do the γ's of two reports."
    assert check("77.1", 0.5).message == "This is the chance of one head. There are two coins."
    assert check("77.2", lambda n: 0.5**n).right
    assert check("77.2", lambda n: n / 2).message == "Chances are multiplied."
    own_sheet(SHEET.replace("# 77.2 ·", "# 77.3 ·").replace("p = 0.5", "p = 0.4"))
    assert list(EXERCISES)[-2:] == ["77.1", "77.3"]
    assert check("77.1", 0.16).right


@pytest.mark.parametrize(
    ("before", "after", "words"),
    [
        ("p = 0.5", "p = 1 / 0", ["line 4", "the note", "ZeroDivisionError"]),
        ("A note", "# 77.0 – A note", ["line 1", "the note", "# 10.1 · What"]),
        ("solution = p**2", "half = p**2", ["line 7", "77.1", "must set solution"]),
        ("solution = p**2", "solution = q**2", ["line 11", "77.1", "NameError", "'q'"]),
        ("solution = p**2", "solution = (", ["line 11", "77.1", "SyntaxError"]),
        ("solution = p**2", "solution = p**2\ninputs = [(1,)]", ["77.1", "inputs", "function"]),
        ("inputs = [(1,), (3,)]", "", ["line 21", "77.2", "inputs", "surveys", "function"]),
        ("- `2 * p`", "- `2 *`", ["line 16", "77.1", "SyntaxError"]),
        ("- `n * p`", "- `m * p`", ["line 30", "77.2", "NameError", "'m'"]),
        ("- `n * p`", "- `n @ p`", ["line 30", "77.2", "TypeError"]),
        ("- `n * p`", "- n * p", ["line 30", "77.2", "- n * p", "- `formula`: hint"]),
        ("There are n coins.", "Chances are multiplied.", ["line 31", "77.2", "twice"]),
        ("Right: Good.", "Good.", ["line 33", "77.2", "'Good.'", "Right: …"]),
        ("Right: Good.", "", ["line 21", "77.2", "Right: …"]),
        ("# 77.2 ·", "# 77.2 –", ["line 21", "77.1", "# 77.2 –"]),
    ],
)
def test_a_wrong_sheet_is_refused_when_it_is_asked(before, after, words, own_sheet):
    assert SHEET.count(before) == 1
    own_sheet(SHEET.replace(before, after))
    number = next((word for word in words if word.startswith("77")), "77.1")
    assert_refused(lambda: check(number, 1), ["mine.md", *words])


def test_a_number_that_is_twice_in_a_sheet_is_refused(own_sheet):
    twice = SHEET.replace("# 77.2 ·", "# 77.1 ·")
    assert_refused(lambda: own_sheet(twice), ["'77.1'", "line 7 of mine.md", "another"])


def in_a_copy(folder, code, *left_out):
    """What Python prints in a copy of the package without some folders."""
    package = Path(exercises.__file__).parents[2]
    shutil.copytree(package, folder / package.name, ignore=shutil.ignore_patterns(*left_out))
    run = subprocess.run([sys.executable, "-c", code], cwd=folder, capture_output=True, text=True,
                         env={"PYTHONPATH": str(folder)}, check=True)  # fmt: skip
    return run.stdout


def test_importing_executes_no_sheet(tmp_path):
    code = (
        "from frapp_lab.course.exercises import EXERCISES, check\n"
        "sheets = {make.sheet.name: make.sheet for make in EXERCISES.values()}\n"
        "def ready(): print([name for name in sheets if 'names' in vars(sheets[name])])\n"
        "ready(); check('03.1', ...); ready(); check('03.1', 7); ready()"
    )
    assert in_a_copy(tmp_path, code) == "[]\n[]\n['exercises_03.md']\n"


def test_without_the_sheets_there_are_no_answers(tmp_path):
    code = (
        "import frapp_lab.course.exercises as e; print(list(e.EXERCISES))\n"
        "try: e.check('03.1', 7)\nexcept ValueError as error: print(error)"
    )
    numbers, said = in_a_copy(tmp_path, code, "sheets").splitlines()
    assert numbers == "[]"
    assert said.startswith("number is '03.1': it cannot be checked, because the sheets are not ")


def as_python(sheet):
    """A sheet's Python as a module: each exercise a function that uses what the engine uses."""
    lines = ["import numpy as np  # noqa: F401", "import frapp_lab as fl  # noqa: F401"]
    lines += [part["code"] for part in PART.finditer(sheet.note.text) if part["code"]]
    for made in sheet.exercises:
        code = "".join(part["code"] or "" for part in PART.finditer(made.text))
        used = re.findall(r"^(?:def )?(solution|inputs|surveys|percent)\b", code, re.MULTILINE)
        arguments = re.search(r"^def solution\((.*)\):$", code, re.MULTILINE)
        start = f"lambda {arguments[1]}: " if arguments else ""
        wrong = [start + part["formula"] for part in PART.finditer(made.text) if part["formula"]]
        lines += [f"def exercise_{made.number.replace('.', '_')}():", indent(code, "    ")]
        lines += [
            f"    return [{', '.join(dict.fromkeys(used))}], [",
            *(f"        {w}," for w in wrong),
            "    ]",
        ]
    return "\n".join(lines)


@pytest.mark.parametrize("path", sorted(SHEETS.glob("*.md")), ids=lambda path: path.stem)
def test_the_python_of_sheets_is_linted(path):
    """Undefined and unused names, and what flake8-bugbear finds; and no block line is too long."""
    code = as_python(ExerciseSheet(path))
    rules = ["--isolated", "--select=F,B,RUF059,E9", "--output-format=concise", "-"]
    require("ruff")
    run = subprocess.run([sys.executable, "-m", "ruff", "check", *rules], input=code,
                         capture_output=True, text=True, check=False)  # fmt: skip
    assert run.returncode == 0, run.stdout + run.stderr
    blocks = [part["code"] or "" for part in PART.finditer(path.read_text(encoding="utf-8"))]
    assert all(len(line) <= 100 for block in blocks for line in block.splitlines())


def test_the_lint_of_sheets_sees_what_is_wrong(tmp_path):
    (tmp_path / "mine.md").write_text(SHEET.replace("p**n", "q**n").replace("# Ind", "r = 1\n#"))
    with pytest.raises(AssertionError, match=r"(?s)`r` is assigned.*Undefined name `q`"):
        test_the_python_of_sheets_is_linted(tmp_path / "mine.md")


def test_the_python_of_sheets_has_right_types(tmp_path):
    require("mypy")
    wrong = SHEET.replace("solution = p**2", "solution = len(p)")
    (tmp_path / "mine.md").write_text(wrong, encoding="utf-8")
    for path in (*SHEETS.glob("*.md"), tmp_path / "mine.md"):
        (tmp_path / f"{path.stem}.py").write_text(as_python(ExerciseSheet(path)), encoding="utf-8")
    asked = [sys.executable, "-m", "mypy", "--check-untyped-defs", "--pretty", str(tmp_path)]
    run = subprocess.run(asked, cwd=Path(__file__).parents[3], capture_output=True, text=True)
    assert re.findall(r"(\w+)\.py:\d+:\s+error", run.stdout) == ["mine"], run.stdout + run.stderr
