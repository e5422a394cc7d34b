"""Sheets of exam questions: how they are read, what is refused, and the lint of their Python."""

import itertools
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
from helpers import ROOT, assert_refused, require

import frapp_lab as fl
from frapp_lab.course import exams
from frapp_lab.course.exams import sheet

SEEDS = range(12)
COINS = """A note that is not printed: « and # 1 are no matter here.

# coins: Some coins (5 minutes)

```python
# Its numbers:
n = pick(rng, 3, 4)
given, results = {"n": n}, {"all": 2**-n}
```

«n» fair coins
are tossed «10**n:,» times.

## 3 · How likely are «n» heads?

$1/2^«n»$ = «2**-n».

## 2 · List the coins.

«list(range(n))», «{16, 1}», «"or " + show(0.5)» and «[1e4, 0.5]».
"""


def read_sheet(folder, text):
    path = folder / "exam_10.md"
    path.write_text(text, encoding="utf-8")
    return exams.read(path)


def test_a_sheet_is_read(tmp_path):
    (name, entry), *others = read_sheet(tmp_path, COINS).items()
    assert (name, entry.lesson, entry.minutes, others) == ("10.coins", "10", 5, [])
    one = next(q for q in map(entry.make, map(np.random.default_rng, SEEDS)) if q.given["n"] == 3)
    assert (one.title, one.marks, one.results) == ("Some coins", 5, {"all": 0.125})
    assert one.text == "3 fair coins\nare tossed 1,000 times."
    assert one.parts == (
        exams.Part("How likely are 3 heads?", 3, "$1/2^3$ = 0.125."),
        exams.Part("List the coins.", 2, "0, 1, 2, 1, 16, or 0.5 and 10,000, 0.5."),
    )


@pytest.mark.parametrize(
    ("old", "new", "line", "words"),
    [
        (" (5 minutes)", "", 3, ["# coins: Some coins", "(5 minutes)"]),
        ("(5 minutes)", "(0 minutes)", 3, ["(0 minutes)"]),
        ("# coins", "#coins", 3, ["#coins"]),
        ("```python", "", 3, ["```python"]),
        ("3, 4)\n", "3, 4\n", 7, ["'coins'", "the Python", "SyntaxError", "'(' was never closed"]),
        ("2**-n}", "2**-m}", 8, ["'coins'", "the Python", "NameError", "'m'"]),
        ('{"n": n}, {', '{}, {', 6, ["'coins'", "given"]),
        ("results", "result", 6, ["'coins'", "results"]),
        ("10**n:,", "m:,", 12, ["'coins'", "«m» fails", "NameError", "'m'"]),
        ("10**n:,", "10**n:>9", 12, ["'coins'", "«10**n:>9» fails", "SyntaxError"]),
        ("10**n:,", "'n':,", 12, ["'coins'", "«'n'» fails", "ValueError"]),
        ("10**n:,", "None", 12, ["'coins'", "«None» fails", "TypeError"]),
        ("10**n:,", "", 12, ["'coins'", "in pairs"]),
        ("tossed «", "tossed ", 12, ["'coins'", "in pairs"]),
        ("«n» heads", "«n heads", 14, ["'coins'", "in pairs"]),
        ("2**-n».", "1 / (n - n)».", 16, ["'coins'", "«1 / (n - n)»", "ZeroDivisionError"]),
        ("## 3 · How", "## How", 14, ["'coins'", "## 3 · What is asked?", "marks"]),
        ("## 3 · How", "# 3 · How", 14, ["# 3 · How"]),
        ("# coins: Some coins (5 minutes)", "", 14, ["## 3 · How"]),
        ("«n» fair coins\nare tossed «10**n:,» times.", "", 9, ["'coins'", "text"]),
        ("$1/2^«n»$ = «2**-n».", "", 14, ["'coins'", "text"]),
        (COINS[COINS.index("## 3") :], "", 11, ["'coins'", "nothing is asked"]),
        ("\n## 2 · List the coins.", COINS[COINS.index("# coins") :], 17, ["'coins'", "already"]),
    ],
)  # fmt: skip
def test_a_wrong_sheet_is_refused_with_its_line(tmp_path, old, new, line, words):
    assert COINS.count(old) == 1
    text = COINS.replace(old, new)
    assert_refused(
        lambda: read_sheet(tmp_path, text), [f"exam_10.md, line {line}, question ", *words]
    )


def test_a_copy_without_the_sheets_has_no_answers_and_says_so(tmp_path):
    ignored = shutil.ignore_patterns("sheets", "__pycache__", "_files")
    package = tmp_path / "frapp_lab"
    shutil.copytree(Path(fl.__file__).parent, package, ignore=ignored)

    def run(*arguments):
        environment = os.environ | {"PYTHONPATH": str(tmp_path)}
        asked = [sys.executable, *arguments]
        return subprocess.run(asked, cwd=tmp_path, env=environment, capture_output=True, text=True)

    said = run("-c", "from frapp_lab.course import exams; print(exams.__file__, exams.lessons())")
    assert said.stdout.split("\n")[0] == f"{package / 'course' / 'exams' / '__init__.py'} []"
    refused = run("-m", "frapp_lab", "exam", "--seed", "7")
    assert refused.returncode == 2
    assert "the sheets are not there" in refused.stderr
    answers = [part[2].text for entry in exams.questions().values() for part in entry.parts]
    rest = "\n".join(path.read_text(encoding="utf-8") for path in package.rglob("*.py"))
    assert not [answer for answer in answers if answer in rest]


def python_of(path):
    """The Python of each question of a sheet, by name, every line where the sheet has it."""
    tools = f"from {sheet.__name__} import {', '.join(sheet.TOOLS)}; rng = np.random.default_rng()"
    made = {}
    for name, entry in exams.read(path).items():
        lines = [f"{tools}  # noqa", *[""] * path.read_text(encoding="utf-8").count("\n")]
        for i, line in enumerate(entry.code.text.split("\n"), entry.code.line - 1):
            lines[i] = line
        for words in (entry.text, *itertools.chain(*(part[1:] for part in entry.parts))):
            for i, line in enumerate(words.text.split("\n"), words.line - 1):
                values = [found[1] for found in sheet.VALUE.finditer(line)]
                lines[i] = f"print({', '.join(values)})" if values else ""
        made[name] = "\n".join(lines).rstrip() + "\n"
    return made


def test_the_python_of_sheets_passes_lint_and_types(tmp_path):
    require("ruff")
    require("mypy")
    wrong = COINS.replace("# Its numbers:", "import os; late = lambda: unknown + len(5)")
    read_sheet(tmp_path, wrong)  # it can be read, because the function is never called
    names = []
    for path in (*exams.SHEETS.glob("exam_*.md"), tmp_path / "exam_10.md"):
        for name, code in python_of(path).items():
            names.append(name)
            (tmp_path / f"exam_{name.replace('.', '_')}.py").write_text(code, encoding="utf-8")
    assert len(names) == len(exams.questions()) + 1
    said = []
    for tool in (
        ["ruff", "check", "--no-cache", "--output-format=concise", "--extend-ignore=D1,E402,E501",
         "--config", str(ROOT / "pyproject.toml")],
        ["mypy", "--check-untyped-defs"],
    ):  # fmt: skip
        run = [sys.executable, "-m", *tool, str(tmp_path)]
        found = subprocess.run(run, cwd=ROOT, capture_output=True, text=True, encoding="utf-8")
        said += re.findall(r"^.*?(exam_\w+\.py:\d+): *(.*)", found.stdout, re.MULTILINE)
        assert "coins" in found.stdout, found.stdout + found.stderr
    assert {where for where, _ in said} == {"exam_10_coins.py:6"}, said
    assert all(any(code in why for _, why in said) for code in ("F401", "F821", "[arg-type]"))
