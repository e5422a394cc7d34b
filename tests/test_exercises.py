"""Every exercise accepts its solution and answers each listed mistake with that mistake's hint."""

import ast
import contextlib
import importlib
import inspect
import itertools
import re
import shutil
import signal
import subprocess
import sys
import threading
import time
import warnings
from pathlib import Path
from textwrap import indent

import nbformat
import numpy as np
import pytest
from helpers import assert_refused, require

from frapp_lab import course
from frapp_lab.course import exercises
from frapp_lab.course.exercises import (
    EXERCISES,
    SHEETS,
    Estimator,
    Exercise,
    add_sheet,
    check,
    exercise,
    judging,
)
from frapp_lab.course.exercises.sheet import PART, ExerciseSheet
from frapp_lab.course.exercises.timeout import TimeUp, within
from frapp_lab.privacy import amplification

NOTEBOOKS = Path(__file__).parent.parent / "notebooks"
LESSONS = sorted(NOTEBOOKS.glob("0*.ipynb"))
SOLUTIONS = sorted((NOTEBOOKS / "solutions").glob("0*.ipynb"))
numbers = pytest.mark.parametrize("number", EXERCISES)


@numbers
def test_the_solution_is_right(number):
    verdict = check(number, EXERCISES[number]().solution)
    assert verdict.right is True, verdict


@numbers
def test_each_mistake_gets_its_own_hint(number):
    exercise = EXERCISES[number]()
    many = len(exercise.mistakes)
    assert many >= 2, (
        f"{number} has {many} of at least 2 mistakes, lines such as '- `formula`: hint'"
    )
    for hint, answer in exercise.mistakes.items():
        verdict = check(number, answer)
        assert verdict.right is False
        assert verdict.message == hint


SIGNS = str.maketrans({"−": "-", "·": "*", "×": "*", "γ": "gamma ", "²": "**2"})


def numbers_in(text):
    return [float(n.replace(",", "")) for n in re.findall(r"\d+(?:,\d{3})*(?:\.\d+)?", text)]


def formulas_in(text):
    """All parts of a text that can be read as formulas: 2p − 1 and p(1 − p) too."""
    text = re.sub(r"(?<=\d)(?=[a-zA-Z(])|(?<=\))(?=\w)|(?<=\b\w)(?=\()", "*", text.translate(SIGNS))
    tokens = re.findall(r"\w+(?:\.\d+)?|\*\*|\S", text)
    for first in range(len(tokens)):
        for last in range(first, len(tokens)):
            try:
                yield compile(" ".join(tokens[first : last + 1]), "hint", "eval")
            except SyntaxError:
                continue


def is_formula_of(formula, function, inputs):
    names = list(inspect.signature(function).parameters)
    try:
        return all(
            np.allclose(eval(formula, {}, dict(zip(names, i, strict=False))), function(*i), 1e-4)
            for i in inputs
        )
    except Exception:
        return False  # it has words in it that are not arguments


def gives_away(exercise, text):
    """Whether a text has a number of the right answer in it, or a formula that gives it."""
    if isinstance(exercise, Estimator):
        said, surveys = exercise.truth, map(exercise.draw, map(np.random.default_rng, range(3)))
        inputs = list(surveys)
    else:
        said, inputs = [] if callable(exercise.solution) else exercise.solution, exercise.inputs
    right = [k * v for v in np.ravel(said) if v not in (0, 1) for k in (1, 100)]
    if any(np.isclose(n, v, rtol=0.005, atol=0) for n in numbers_in(text) for v in right):
        return True
    if not callable(exercise.solution):
        return False
    return any(is_formula_of(f, exercise.solution, inputs) for f in formulas_in(text))


@numbers
def test_no_hint_gives_the_answer_away(number):
    exercise = EXERCISES[number]()
    assert [hint for hint in exercise.mistakes if gives_away(exercise, hint)] == []


@pytest.mark.parametrize(
    ("solution", "leak", "no_leak"),
    [
        (0.4567, "It is about 0.457.", "It is about 0.47."),
        (0.5, "Half of it: 50 %.", "Half of it: 5 %."),
        (91250, "So 91,250 people.", "So 91 or 250 people."),
        ([[0.25, 0.75], [1, 0]], "The first is 0.25.", "There are 0 or 1."),
        (lambda p: 2 * p - 1, "Divide by 2p − 1.", "Divide by 2p + 1."),
        (lambda p, gamma: p * (1 - p) / gamma, "It is p(1 − p)/γ.", "It is p(1 − p), then γ."),
    ],
)
def test_it_is_seen_when_a_hint_gives_the_answer_away(solution, leak, no_leak):
    inputs = ((0.3, 2.0), (0.8, 5.0))
    if callable(solution):
        n_arguments = len(inspect.signature(solution).parameters)
        inputs = tuple(arguments[:n_arguments] for arguments in inputs)
    exercise = Exercise(solution, {}, "", inputs)
    assert gives_away(exercise, leak)
    assert not gives_away(exercise, no_leak)


@numbers
def test_no_answer_yet(number):
    for nothing in (..., None):
        verdict = check(number, nothing)
        assert verdict.right is None
        assert "not answered yet" in repr(verdict)


def test_an_unknown_number_is_refused():
    assert_refused(lambda: check("99.9", 1), ["number", "99.9", "there are"])


def example(solution, mistakes=None, **options):
    return Exercise(solution, mistakes or {}, "Good.", **options)


MEAN = Estimator(
    lambda rng: (rng.normal(3, 1, 100),),
    lambda x: x.mean(),
    3.0,
    0.1,
    {"This is the largest.": lambda x: x.max()},
    "Good.",
)

OWN_FILE = """
from frapp_lab.course.exercises import Estimator, Exercise, exercise

made = []


@exercise("77.1")
def half():
    made.append("77.1")
    mistakes = {"This is twice as much.": 2.0, "Half is not nothing.": 0.0}
    return Exercise(0.5, mistakes, "Two halves are one.")


@exercise("77.2")
def mean():
    def draw(rng):
        return (rng.normal(3, 1, 100),)

    mistakes = {"This is the largest.": lambda x: x.max(), "The least.": lambda x: x.min()}
    return Estimator(draw, lambda x: x.mean(), 3.0, 0.1, mistakes, "Right on average.")
"""


@pytest.fixture
def own_exercises():
    """What is registered in a test is forgotten after it."""
    before = dict(EXERCISES)
    yield
    EXERCISES.clear()
    EXERCISES.update(before)


def test_a_file_outside_the_package_joins_at_once(tmp_path, monkeypatch, own_exercises):
    (tmp_path / "my_lesson.py").write_text(OWN_FILE)
    monkeypatch.syspath_prepend(tmp_path)
    my_lesson = importlib.import_module("my_lesson")
    assert list(EXERCISES)[-2:] == ["77.1", "77.2"]
    assert my_lesson.made == []
    assert repr(check("77.1", 0.5)) == "77.1 – right. Two halves are one."
    assert my_lesson.made == ["77.1"]
    assert check("77.2", np.max).message == "This is the largest."
    importlib.reload(my_lesson)  # the same functions, defined again
    assert check("77.2", np.mean).right
    assert EXERCISES["77.1"] is my_lesson.half


def test_lessons_are_found():
    files = sorted(SHEETS.glob("*.md"))
    sheets = [make.sheet.name for make in EXERCISES.values()]
    assert list(dict.fromkeys(sheets)) == [path.name for path in files]
    for number, make in EXERCISES.items():
        assert (make.number, make.sheet.name) == (number, f"exercises_{number[:2]}.md")


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


def test_a_number_that_is_taken_is_refused(own_exercises):
    before = EXERCISES["02.1"]
    words = ["number", "'02.1'", before.place, "exercises_02.md", "another"]
    assert_refused(lambda: exercise("02.1")(lambda: None), words)
    assert EXERCISES["02.1"] is before


@pytest.mark.parametrize("number", [2.1, "", "02 1", " 02.1", None, len])
def test_a_number_is_text(number):
    assert_refused(lambda: exercise(number), ["number", repr(number), "02.1"])
    assert_refused(lambda: check(number, 1), ["number", repr(number), "there are"])


class Hostile:
    """An object, and an error, of which nothing can be asked."""

    def __array__(self, *_, **__):
        raise SystemExit

    def __float__(self):
        raise RuntimeError

    __len__ = __getitem__ = __iter__ = __float__


class HostileError(BaseException):
    def __str__(self):
        raise SystemExit


class Many:
    def __array__(self, dtype=None, copy=None):
        raise ValueError("no")


def raising(error):
    def function(*_):
        raise error

    return function


HOSTILE = [10**400, [10**400], -(10**400), 1e308, [[1], [1, 2]], Hostile(), Many(), {}, "", 1j]
RAISING = [
    SystemExit(1),
    GeneratorExit(),
    HostileError(),
    RecursionError(),
    ValueError("x" * 10**6),
]


@numbers
def test_no_answer_breaks_the_notebook(number):
    for answer in [*HOSTILE, Hostile, lambda *_: Hostile(), *map(raising, RAISING[:3])]:
        verdict = check(number, answer)
        assert verdict.right is False
        assert 10 < len(repr(verdict)) < 500


def test_what_a_hostile_answer_is_told():
    exercise = example(lambda a: a, inputs=((1,),))
    said = [exercise.judge(raising(error))[1] for error in RAISING]
    assert said[0] == "Your function stopped with SystemExit: 1. It was called with 1 argument."
    assert said[2] == "Your function stopped with HostileError. It was called with 1 argument."
    assert example(1).judge(Hostile())[1].endswith("and this is of type Hostile.")
    assert example(1).judge(10**400)[1].endswith("and this is of type int.")
    two = example(lambda a, b: a, inputs=((1, 2),)).judge(raising(ValueError("x" * 400)))[1]
    cut = "ValueError: " + "x" * 288
    assert two == f"Your function stopped with {cut}. It was called with 2 arguments."


def test_a_learner_can_interrupt():
    with pytest.raises(KeyboardInterrupt):
        example(lambda: 1, inputs=((),)).judge(raising(KeyboardInterrupt()))


def endless(*_, **__):
    while True:
        pass


def stubborn(*_):
    while True:
        with contextlib.suppress(Exception):
            time.sleep(0.001)


def deaf(*_):
    while True:
        with contextlib.suppress(BaseException):
            pass


class Endless:
    __array__ = endless


def in_thread(function):
    """Its result in a thread beside the main one, where signals do not come."""
    results = []
    thread = threading.Thread(target=lambda: results.append(function()), daemon=True)
    thread.start()
    thread.join(20)
    assert results, "it was not stopped"
    return results[0]


@pytest.fixture
def impatient(monkeypatch):
    monkeypatch.setattr(judging, "PATIENCE", 0.2)


@pytest.mark.parametrize("answer", [endless, stubborn, deaf, lambda *_: time.sleep(60), Endless()])
def test_an_endless_answer_is_stopped(answer, impatient):
    began = time.monotonic()
    question = example(lambda a: a, inputs=((1,),)) if callable(answer) else example(1)
    right, message = question.judge(answer)
    assert not right
    assert message.startswith("It was stopped after 0.2 seconds")
    assert 0.2 <= time.monotonic() - began < 5


@pytest.mark.parametrize("answer", [endless, stubborn, Endless()])
def test_an_endless_answer_is_stopped_in_a_thread(answer, impatient):
    question = example(lambda a: a, inputs=((1,),)) if callable(answer) else example(1)
    assert in_thread(lambda: question.judge(answer))[1].startswith("It was stopped after 0.2")


def test_an_endless_answer_is_stopped_where_there_is_no_timer(impatient, monkeypatch):
    monkeypatch.delattr(signal, "setitimer", raising=False)
    tracer = sys.gettrace()
    assert "stopped after" in example(lambda a: a, inputs=((1,),)).judge(endless)[1]
    assert sys.gettrace() is tracer


@pytest.mark.skipif(not hasattr(signal, "setitimer"), reason="there are no timers here")
def test_a_timer_is_left_as_it_was():
    handler = raising(AssertionError)
    before = signal.signal(signal.SIGALRM, handler)
    try:
        signal.setitimer(signal.ITIMER_REAL, 100, 7)
        with pytest.raises(TimeUp):
            within(0.05, endless)
        left, interval = signal.getitimer(signal.ITIMER_REAL)
        assert 90 < left <= 100
        assert interval == pytest.approx(7)
        assert signal.getsignal(signal.SIGALRM) is handler
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)


def test_how_long_is_waited():
    assert 2 <= judging.PATIENCE <= 10
    assert judging.PATIENCE <= judging.ALL_PATIENCE <= 60


def test_a_slow_estimator_is_stopped(monkeypatch):
    monkeypatch.setattr(judging, "ALL_PATIENCE", 0.1)
    calls = []

    def slow(x):
        calls.append(time.sleep(0.02))
        return x.mean()

    right, message = MEAN.judge(slow)
    assert not right
    assert message == (
        f"Your estimator is too slow: it came to survey {len(calls)} of 500 in 0.1 seconds."
    )
    assert len(calls) < 10


def test_an_estimator_of_a_wrong_shape_is_called_once():
    calls = []
    assert "shape (1000000,)" in MEAN.judge(lambda x: calls.append(x) or np.zeros(10**6))[1]
    assert len(calls) == 1


def below(share):
    """A sampler for 06.4 that stays if the first uniform number is below share(γ, n)."""

    def perturb_one(record, uniforms, sizes, gamma):
        stays = uniforms[0] < share(gamma, np.prod(sizes))
        return record if stays else (uniforms[1:] * sizes).astype(int)

    return perturb_one


def from_subsets(reports):
    """The solution of 09.2."""
    return (np.mean(reports, axis=0) - 0.28) / (0.6 - 0.28)


def stayed(reports, record, sizes):
    """The solution of 06.5."""
    by_chance = 1 / np.prod(sizes)
    return (np.mean((reports == record).all(axis=1)) - by_chance) / (1 - by_chance)


def supported(reports):
    """The solution of 07.4."""
    s = 18 / 58
    return (np.mean((reports[:, 0] == 1) & (reports[:, 2] == 1)) - (1 - s) / 8) / s


def said_yes(reports, p):
    """The solution of 01.2."""
    return (np.mean(reports) - (1 - p)) / (2 * p - 1)


def said_yes_twice(reports, p):
    """The solution of 01.5."""
    return np.mean(np.prod((reports - (1 - p)) / (2 * p - 1), axis=1))


def part_with_n(n):
    """05.1 with the right formula and another n."""
    x = 1 / (19 + n - 1)
    return 1.5 * 19 * x / (x - 19 * x / 2 / (n - 1))


def rho2(prior, gamma, r, n):
    """The solution of 05.2."""
    x = 1 / (gamma + n - 1)
    own, other = prior * (gamma * x + r), (1 - prior) * (x - r / (n - 1))
    return own / (own + other)


def two_reports(gamma, alpha, n, few=None):
    """The largest ratio of a pair of reports' probabilities if both have one r, by enumeration."""
    x, chances = 1 / (gamma + n - 1), 0
    nodes, weights = np.polynomial.legendre.leggauss(2)  # exact: it is of second degree in r
    for r, weight in zip(alpha * nodes, weights / 2, strict=True):
        matrix = np.where(np.eye(n) > 0, gamma * x + r, x - r / (n - 1))[:few]
        chances = chances + weight * matrix[:, None, :] * matrix[None, :, :]
    return np.max(chances.max(axis=2) / chances.min(axis=2))


def enough(support, m, target, s, one_coin=False):
    """The solution of 07.5 with s = 18/2018; or with one coin for all people."""
    out = (1 - s) * m / 2000
    mean = out + s * support
    two_coins = support * (out + s) * (1 - out - s) + (1 - support) * out * (1 - out)
    return (mean * (1 - mean) if one_coin else two_coins) / (s * target) ** 2


@pytest.mark.parametrize(
    ("number", "answer", "says"),
    [
        # Where the right value is 0 there is no factor.
        ("00.4", lambda values, uniforms, p: np.where(uniforms < p, values, -1), "not it"),
        ("00.4", lambda values, uniforms, p: np.where(uniforms < p, 2 * values, 0), "same factor"),
        # Nothing comes before the self-test.
        ("00.1", 0.3, "^That is not it. Read the question again"),
        ("00.b", 2004, "^About so many"),  # 2,000 and the four new intervals
        ("00.5", 7, "^That is not it"),
        ("00.6", [1, 0.5], "shape"),
        ("01.2", lambda reports, p: said_yes(reports[::2], p), "its spread"),
        ("01.2", lambda reports, p: said_yes(reports[:50], p), "its spread"),
        ("01.5", lambda reports, p: said_yes_twice(reports[:50], p), "its spread"),
        # A hundred people: their number and percent are the same.
        ("01.5", lambda reports, p: 100 * said_yes_twice(reports, p), "not percent or a number of"),
        ("02.1", 0.1225, "not it"),  # γ is not in percent
        ("02.5", lambda a, b: amplification(np.kron(a, b)), "for every pair of records"),
        ("02.5", lambda a, b: amplification(a) * amplification(b), "bound"),
        ("02.6", 1505, "not it"),
        ("05.b", 1, "Only one of the ten"),
        ("06.b", 1, "certainly"),
        ("07.2", lambda f, r: [len(f - r) / len(f), len(r - f) / len(f)], "percent is wanted"),
        ("08.2", [0.59, 0.1833], "percent is wanted"),
        ("05.1", part_with_n(31), "30 entries share −α"),  # the formula is right
        ("05.1", part_with_n(29), "Very near"),
        ("05.1", part_with_n(2000), "as large as CENSUS's"),
        ("05.2", lambda prior, gamma, r, n: rho2(prior, gamma, r, n + 1), "Very near"),
        ("05.2", lambda prior, gamma, r, n: rho2(prior, gamma, r, n - 1), "Very near"),
        ("06.4", below(lambda gamma, n: (gamma - 1) / (gamma + n)), "not it"),
        ("06.4", below(lambda gamma, n: (gamma - 1.2) / (gamma + n - 1)), "not it"),
        ("06.4", below(lambda gamma, n: (gamma - 0.9) / (gamma + n - 1)), "not it"),
        ("06.5", lambda *given: max(stayed(*given), 0), "cut off"),
        ("06.5", lambda *given: np.clip(stayed(*given), 0, 1), "cut off"),
        ("06.5", lambda reports, *given: stayed(reports[::2], *given), "its spread"),
        ("06.5", lambda *given: 100 * stayed(*given), "not percent"),
        ("06.5", lambda *given: 0.993 * stayed(*given), "misses"),
        ("07.4", lambda reports: max(supported(reports), 0), "cut off"),
        ("07.4", lambda reports: np.clip(supported(reports), 0, 1), "cut off"),
        ("07.4", lambda reports: supported(reports[:1000]), "its spread"),
        ("07.5", lambda *given: enough(*given, 18 / 2019), "Very near"),
        ("07.5", lambda *given: enough(*given, 18 / 2018, one_coin=True), "Very near"),
        ("07.4", lambda reports: 100 * supported(reports), "in percent"),
        ("07.a", 12, "in percent"),
        ("07.b", 0.37, "Very near"),
        ("08.a", 3, "more digits"),
        ("08.1", lambda rival, ours, factor: len(rival), "not it"),
        ("08.3", 0.07, "more digits"),
        ("08.3", 0.06993, "second one"),
        ("08.4", lambda rate, chance: round(np.log(1 - chance) / np.log(1 - rate)), "not it"),
        ("08.5", 4.5, "Very near"),
        ("09.2", lambda reports: from_subsets(reports[::2]), "its spread"),
        ("09.2", lambda reports: from_subsets(reports[1::2]), "its spread"),
        ("09.2", lambda reports: from_subsets(reports[:250]), "its spread"),
        ("09.2", lambda reports: from_subsets(reports[:20]), "its spread"),
        ("09.2", lambda reports: 100 * from_subsets(reports), "not percent"),
    ],
)
def test_wrong_answers_are_refused_with_a_true_hint(number, answer, says):
    verdict = check(number, answer)
    assert verdict.right is False
    assert re.search(says, verdict.message), verdict.message


SHARES = [
    number for number, make in EXERCISES.items()
    if isinstance(right := getattr(make(), "solution", None), float) and 0 < right < 1
]  # fmt: skip


@pytest.mark.parametrize("number", SHARES)
@pytest.mark.parametrize("answer", [0, 1])
def test_never_and_certainly_get_a_hint_of_their_own(number, answer):
    verdict = check(number, answer)
    assert verdict.right is False
    assert not re.search("digits|^That is not it", verdict.message)


@pytest.mark.parametrize(
    ("gamma", "n", "share", "worse"),
    [(3, 5, 0.5, True), (3, 5, 1.0, True), (3, 3, 0.5, False), (19, 30, 0.5, True)],
)
def test_an_r_that_is_used_twice(gamma, n, share, worse):
    alpha = share * gamma / (gamma + n - 1)
    pair = EXERCISES["05.5"].names()["pair_amplification"](gamma, alpha, n)
    assert pair == pytest.approx(two_reports(gamma, alpha, n), rel=1e-12)
    assert (pair > gamma**2) is worse is (n - 1 > gamma)


def test_an_r_that_is_used_twice_in_census():
    # All pairs of reports are (v, v) or (v, w) under other names: two reports have both.
    alpha = 19 / 2018 / 2
    pair = two_reports(19, alpha, 2000, few=2)
    assert pair == pytest.approx(391.08, abs=0.005)
    by_formula = EXERCISES["05.5"].names()["pair_amplification"](19, alpha, 2000)
    assert by_formula == pytest.approx(pair, rel=1e-12)


THIRDS = [k / 3 for k in range(1, 20)]


def test_how_near_is_right():
    for off, right in ((1.00499, True), (0.99501, True), (1.00501, False), (0.99499, False)):
        assert example(123.456789).judge(123.456789 * off)[0] is right
    question = example(lambda a: a, inputs=((1.5,), (2.5,)))
    for off, right in ((1 + 5e-5, True), (1 - 5e-5, True), (1 + 2e-4, False), (1 - 2e-4, False)):
        assert question.judge(lambda a, off=off: off * a)[0] is right
    assert not question.judge(lambda a: 1.5)[0]
    assert not question.judge(lambda a: 2.5)[0]


@pytest.mark.parametrize(
    ("solution", "answer", "right"),
    [
        # How far an entry may be off where the right one is 0 goes by the largest entry.
        ([1000.0, 0], [1000, 1e-7], True),
        ([1000.0, 0], [1000, 1e-5], False),
        ([1e6, 0], [1e6, 1e-4], True),
        ([1000.0, 1], [1000, 3], False),
        ([1e-12, 2e-12], [1e-12, 5e-12], False),
        ([0.0, 0], [0, 0], True),
        ([], [], True),
    ],
)
def test_how_near_entries_of_an_array_must_be(solution, answer, right):
    assert example(np.array(solution)).judge(answer)[0] is right


@pytest.mark.parametrize(
    ("mistake", "answer", "says"),
    [
        (0.7123, 0.713, "^A hint"),
        (0.7123, 0.717, "not it"),
        # An answer of few digits may be near a mistake by chance.
        (0.4603, 0.46, "more digits"),
        (0.46, 0.46, "^A hint"),
    ],
)
def test_which_answers_are_taken_for_a_mistake(mistake, answer, says):
    right, message = example(0.4567, {"A hint.": mistake}).judge(answer)
    assert not right
    assert re.search(says, message)


@pytest.mark.parametrize(
    ("solution", "answer", "hint"),
    [
        (0.25, 25, "percent; a share"),
        (0.25, 25.05, "percent; a share"),
        (0.25, 15, "not it"),
        (1.0, 100, "percent; a share"),
        (25, 0.25, "not it"),  # a hundredth, but nobody asked for percent
        (25, 2500, "not it"),
        ([0.5, 5], [50, 500], "same factor"),  # not a share, at least not both
        (0.25, -0.25, "sign"),
        (0.25, [0.25, 0.25], r"^This is an array of shape \(2,\); a single number is wanted.$"),
        ([1, 2], 1, r"^This is a single number; an array of shape \(2,\) is wanted.$"),
        (0.25, "a lot", "number or an array"),
        (0.25, np.nan, "finite"),
        ([0.25, 1], [0.25, np.inf], "finite"),
        ([[1.0, 2], [3, 4]], [[1, 3], [2, 4]], "Rows and columns"),
        ([[1.0, 2], [3, 4]], [[1, 3], [2, 5]], "not it"),
        ([1.0, 2, 3], [2, 4, 6], "same factor"),
        ([1.0, 2], [2, 4], "same factor"),
        ([1.0, 2], [-2, -4], "same factor"),
        (THIRDS, [1.7 * third for third in THIRDS], "same factor"),  # but for the last bit
        ([1.0, 2, 3], [2, 4.1, 6], "not it"),
        ([1.0, 2, 0], [1, 2, 3], "not it"),
        ([1.0, 2, 0], [2, 4, 0], "same factor"),
        ([1.0, 2, 0, 0], [2, 4, 0, 3], "not it"),
        ([0.0, 0], [1, 1], "not it"),
        (0.4567, 0.46, "more digits"),
        (0.4567, 0.5, "more digits"),
        (0.45, 0.5, "more digits"),
        (1.4567, 1, "more digits"),
        (0.04567, 0.046, "more digits"),
        (0.004567, 0.0046, "more digits"),
        (0.0004567, 0.00046, "Very near"),
        ([1.4567, 0], [1, 0], "more digits"),
        ([1.4567, 0.3], [1, 0], "not it"),
        (0.4567, 0.0, "never"),
        (0.4567, 1, "certainly"),
        (0.5433, 0, "never"),
        (0.5433, 1.0, "certainly"),  # no rounding of 0.5433
        (1.0, 0, "not it"),
        (0.0, 1, "not it"),
        (2.0, 1, "not it"),
        (0.4567, 0.1, "not it"),
        (0.4567, 0.9, "not it"),
        (0.4567, 0.4612345, "Very near"),
        (100.0, 103.0, "Very near"),
        (100.0, 95.1, "Very near"),
        (100.0, 94.9, "not it"),
        (100.0, 105.1, "not it"),
        ([100.0, 200], [101, 300], "not it"),
        (100.0, 3.0, "not it"),
        (9125.0, 91.25, "not it"),  # a hundredth, but no share
        (60000.0, 6e6, "not it"),
    ],
)
def test_general_hints(solution, answer, hint):
    if isinstance(solution, list):
        solution = np.array(solution)
    right, message = example(solution).judge(answer)
    assert not right
    assert re.search(hint, message), message


def test_general_hints_on_functions():
    question = example(lambda a: a, inputs=((0.4567,), (5.0,)))
    assert "same factor" in question.judge(lambda a: 100 * a)[1]  # one of them is no share
    assert "Very near" in question.judge(lambda a: round(a, 2))[1]  # no word about digits
    mixed = example(lambda a: a, inputs=((np.array([[1.0, 2], [3, 4]]),), (5.0,)))
    assert "not it" in mixed.judge(np.transpose)[1]


def test_huge_answers_give_no_warnings():
    with warnings.catch_warnings(action="error"):
        for question in (example(25, percent=True), example(np.array([0.1, 25])), MEAN):
            for huge in (1e308, [1e308, -1e308], lambda x: 1e308 * x[0], lambda x: np.exp(1e9 + x)):
                assert not question.judge(huge)[0]


def test_percent_are_asked_for_where_percent_are_wanted():
    assert "percent is wanted" in example(25, percent=True).judge(0.25)[1]


def test_functions_are_tried():
    exercise = example(lambda a, b: a + b, inputs=((1, 2), (3, 4)))
    assert exercise.judge(lambda a, b: b + a) == (True, "Good.")
    assert "A function is wanted" in exercise.judge(3)[1]
    assert "returned nothing" in exercise.judge(lambda a, b: None)[1]
    assert "ZeroDivisionError" in exercise.judge(lambda a, b: a / 0)[1]
    assert "TypeError" in exercise.judge(lambda a: a)[1]


@pytest.mark.parametrize(
    ("answer", "hint"),
    [
        (lambda x: np.median(x), "spread"),  # unbiased, with a wider spread
        (lambda x: x.mean() + 0.1, "misses the truth"),
        (lambda x: x, "This is an array of shape (100,); a single number is wanted."),
        (lambda x: x.mean() if x[0] < 4 else x, "Other surveys gave the right shape"),
        (lambda x: x[:3].mean(), "spread"),  # unbiased, with a much wider one
        (lambda x: np.nan, "not finite"),
        (lambda x: x.mean() if x[0] < 4 else np.inf, "not finite"),
        (lambda x: x.max(), "the largest"),
        (3, "An estimator is a function"),
    ],
)
def test_an_estimator_is_tried_on_many_surveys(answer, hint):
    right, message = MEAN.judge(answer)
    assert not right
    assert hint in message


def exact(truth=3.0, deviation=0.1, also=None):
    """Its surveys are 500 numbers whose mean is exactly 0 and whose deviation is exactly 1."""
    z = np.random.default_rng(1).normal(size=500)
    z = itertools.cycle((z - z.mean()) / z.std(ddof=1))
    shape = np.shape(truth)

    def draw(rng):
        return (np.full(shape, next(z)),)

    return Estimator(draw, None, truth, deviation, {}, "Good.", also)


@pytest.mark.parametrize(
    ("bias", "spread", "says"),
    [
        (0, 1, None),
        (4.4, 1, None),
        (-4.4, 1, None),
        (
            4.6,
            1,
            "mean misses the truth by 5 standard errors; an unbiased estimator stays below 4.5.",
        ),
        (-4.6, 1, "mean misses the truth by 5 standard errors"),
        (4.8, 1.1, None),  # wider, so that its mean is off by more
        (4.3, 0.9, None),
        (0, 1.142, None),
        (0, 0.858, None),
        (0, 1.146, "surveys is 1.15 times what the formula says; within 14 % would pass."),
        (0, 0.854, "surveys is 0.85 times what the formula says; within 14 % would pass."),
        ([0, 4.6], [1, 1], "misses the truth by 5"),
        ([-4.6, 0], [1, 1], "misses the truth by 5"),
        ([0, 0], [1, 1.15], "is 1.15 times"),
        ([0, 0], [0.85, 1], "is 0.85 times"),
        ([0, 0], [0.8, 1.2], "is 1.20 times"),
        ([4.4, -4.4], [1.1, 0.9], None),
    ],
)
def test_how_far_an_estimator_may_be_off(bias, spread, says):
    truth = 3.0 + np.arange(np.size(bias)) if np.ndim(bias) else 3.0
    bias, spread = 0.1 / 500**0.5 * np.array(bias), 0.1 * np.array(spread)
    right, message = exact(truth).judge(lambda z: truth + bias + spread * z)
    assert right is (says is None)
    assert (
        says or "Good. (Tried on 500 surveys: the mean is within 4.5 standard errors of"
    ) in message
    assert not right or message.endswith("the spread within 14 % of the formula's.)")


@pytest.mark.parametrize(
    ("truth", "says"),
    [(0.5, "a hundred times"), (1.0, "a hundred times"), (3.0, "misses"), ([0.5, 3], "misses")],
)
def test_an_estimate_in_percent(truth, says):
    truth = np.array(truth) if np.ndim(truth) else truth
    assert says in exact(truth).judge(lambda z: 100 * (truth + 0.1 * z))[1]
    assert "hundred" not in exact(truth).judge(lambda z: 10 * (truth + 0.1 * z))[1]


def test_surveys_of_another_kind_must_be_passed_too():
    both = exact(also=exact(truth=5.0))
    assert both.judge(lambda z: 3 + 0.1 * z)[0] is False
    assert exact(also=exact()).judge(lambda z: 3 + 0.1 * z)[0] is True


def test_every_answer_gets_the_same_surveys():
    seen = []
    for _ in range(2):
        MEAN.judge(lambda x: seen.append(x[0]) or x.mean())
    assert seen[:500] == seen[500:]


def test_which_estimators_are_taken_for_a_mistake():
    assert MEAN.judge(lambda x: x.max() * (1 + 1e-8))[1] == "This is the largest."
    assert "misses" in MEAN.judge(lambda x: x.max() * (1 + 1e-5))[1]


def test_results_are_copied():
    shared = np.zeros(())
    answer = MEAN.judge(lambda x: np.copyto(shared, x.mean()) or shared)
    assert answer[0]


def test_a_function_that_returns_nothing():
    question = example(lambda a: a, inputs=((1,),))
    assert "returned nothing" in question.judge(lambda a: None)[1]


def test_a_function_whose_body_returns_the_three_dots_is_not_answered_yet():
    for question in (example(lambda a: a, inputs=((1,),)), MEAN):
        assert question.judge(lambda a: ...) == (None, judging.DOTS)
    verdict = check("00.4", lambda values, uniforms, p: ...)
    assert repr(verdict).startswith("00.4 – not answered yet. Put your answer in place")


def is_quick(number):
    return number.split(".")[1].isalpha()


def test_a_function_cannot_spoil_the_next_call():
    def greedy(values):
        values[:] = 0
        return values.sum()

    shared = np.ones(3)
    exercise = example(lambda values: values.sum(), inputs=((shared,),))
    assert not exercise.judge(greedy)[0]
    assert exercise.judge(lambda values: values.sum())[0]
    exercise = example(len, inputs=(({1, 2},),))
    assert not exercise.judge(lambda values: values.clear() or 0)[0]
    assert exercise.judge(len)[0]


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


def test_the_python_of_sheets_has_right_types(tmp_path):
    require("mypy")
    wrong = SHEET.replace("solution = p**2", "solution = len(p)")
    (tmp_path / "mine.md").write_text(wrong, encoding="utf-8")
    for path in (*SHEETS.glob("*.md"), tmp_path / "mine.md"):
        (tmp_path / f"{path.stem}.py").write_text(as_python(ExerciseSheet(path)), encoding="utf-8")
    asked = [sys.executable, "-m", "mypy", "--check-untyped-defs", "--pretty", str(tmp_path)]
    run = subprocess.run(asked, cwd=NOTEBOOKS.parent, capture_output=True, text=True)
    assert re.findall(r"(\w+)\.py:\d+:\s+error", run.stdout) == ["mine"], run.stdout + run.stderr
