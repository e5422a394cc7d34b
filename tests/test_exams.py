"""Exam questions: every answer is found once more in another way, for several seeds."""

import itertools
import math
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
from helpers import assert_refused, require

import frapp_lab as fl
from frapp_lab.course import exams
from frapp_lab.course.exams import sheet
from frapp_lab.course.lessons import lessons

SEEDS = range(12)


def warner(p):
    return np.array([[p, 1 - p], [1 - p, p]])


def diagonal(gamma, n):
    A = np.ones((n, n)) + (gamma - 1) * np.eye(n)
    return A / A.sum(axis=0)


def odds_after(prior, ratio):
    odds = prior / (1 - prior) * ratio
    return odds / (1 + odds)


def row_ratio(A):
    return max(a / b for row in A for a, b in itertools.permutations(row, 2))


def report_spread(A, counts, v):
    """Enumerated: the standard deviation of the number of reports v, person by person."""
    return math.sqrt(sum(c * A[v, u] * (1 - A[v, u]) for u, c in enumerate(counts)))


def cards(yes, no, N, said, prior):
    deck = ["yes"] * yes + ["no"] * no + ["truth"] * (10 - yes - no)
    A = np.zeros((2, 2))
    for card, u in itertools.product(deck, (0, 1)):
        A[{"no": 0, "yes": 1, "truth": u}[card], u] += 0.1
    X = np.linalg.solve(A, [N - said, said])
    return {
        "share": X[1] / N,
        "deviation": report_spread(A, X, 1) / N / (A[1, 1] - A[1, 0]),
        "gamma": row_ratio(A),
        "belief": fl.posterior(A, [1 - prior, prior], [0, 1])[1],
    }


def coin(p, N, said, few):
    A = warner(p)
    share = np.linalg.solve(A, [N - said, said])[1] / N

    def spread(people):
        return report_spread(A, [people, 0], 1) / people / (2 * p - 1)

    needed = p * (1 - p) / (0.01 * (2 * p - 1)) ** 2
    assert spread(math.ceil(needed)) <= 0.01 < spread(math.ceil(needed) - 1)
    below = np.linalg.solve(A, [N - few, few])[1] / N
    return {"share": share, "deviation": spread(N), "needed": needed, "below": below}


def two_questions(p, q):
    A, B = warner(p), warner(q)
    cells = list(itertools.product((0, 1), repeat=2))
    whole = np.array([[A[v[0], u[0]] * B[v[1], u[1]] for u in cells] for v in cells])
    return {
        "same": whole[cells.index((1, 0)), cells.index((1, 0))],
        "one": whole[cells.index((0, 0)), cells.index((1, 0))],
        "gamma": row_ratio(whole),
    }


def three_records(A, rho1, rho2, prior):
    assert A.sum(axis=0) == pytest.approx(1)
    pairs = [(u, w) for u, w in itertools.permutations(range(3), 2)]

    def worst(chances):
        return max(
            row[u] * prior / (row[u] * prior + row[w] * (1 - prior))
            for row in chances
            for u, w in pairs
        )

    both = np.array([a * b for a, b in itertools.product(A, A)])
    limit = rho2 / (1 - rho2) / (rho1 / (1 - rho1))
    return {"gamma": row_ratio(A), "limit": limit, "belief": worst(A), "twice": worst(both)}


def breach(rho1, rho2, prior, reached):
    gamma = rho2 / (1 - rho2) / (rho1 / (1 - rho1))
    assert odds_after(rho1, gamma) == pytest.approx(rho2)
    return {
        "gamma": gamma,
        "epsilon": math.log(gamma),
        "belief": odds_after(prior, gamma),
        "low": odds_after(reached, 1 / gamma),
        "naive": odds_after(rho1, rho2 / rho1),
    }


def options(gamma, n, N, reported):
    A = diagonal(gamma, n)
    X = np.linalg.solve(A, reported)
    assert sum(reported) == N
    deviation = report_spread(A, X, n - 1) / (A[0, 0] - A[0, 1])
    return {"kappa": np.linalg.cond(A), "last": X[-1], "deviation": deviation, "needed": 4 * N}


def bound(p, N, yes, Y):
    A, X = warner(p), np.array([N - yes, yes])
    estimate, norm = np.linalg.solve(A, Y), np.linalg.norm
    reports = norm(Y - A @ X) / norm(A @ X)
    return {
        "yes": estimate[1],
        "kappa": np.linalg.cond(A),
        "reports": reports,
        "estimate": norm(estimate - X) / norm(X),
        "bound": np.linalg.cond(A) * reports,
    }


def by_hand(sizes, gamma, claimed):
    n = math.prod(sizes)
    A = diagonal(gamma, n)
    assert claimed < np.linalg.cond(A)
    wider = np.linalg.cond(diagonal(gamma, 2 * n))
    x, s = A[0, 1], np.linalg.eigvalsh(A)[0]
    return {"x": x, "s": s, "kappa": np.linalg.cond(A), "wider": wider}


def bits(sizes, gamma):
    M = len(sizes)
    small = fl.Mask.for_gamma(fl.Schema.of_sizes(*[2] * M), gamma)  # γ does not depend on sizes
    assert row_ratio(small.matrix()) == pytest.approx(gamma)
    one = warner(small.p)
    longest = one
    for _ in range(M - 1):
        longest = np.kron(longest, one)
    return {
        "p": small.p,
        "one": np.linalg.cond(one),
        "longest": np.linalg.cond(longest),
        "kappa": np.linalg.cond(diagonal(gamma, math.prod(sizes))),
    }


def hidden(n, gamma, prior):
    x = diagonal(gamma, n)[0, 1]
    r = np.linspace(-1, 1, 20_001) * gamma * x / 2
    own, other = gamma * x + r, x - r / (n - 1)
    told = prior * own / (prior * own + (1 - prior) * other)
    belief = (prior * own).sum() / (prior * own + (1 - prior) * other).sum()
    leaked = (own / other).max()
    return {"x": x, "low": told.min(), "high": told.max(), "belief": belief, "leaked": leaked}


def two_kinds(more, less, N, prior):
    law = {(r, u, v): (1 / 2) * (prior if u else 1 - prior) * (r if u == v else 1 - r)
           for r in (more, less) for u in (0, 1) for v in (0, 1)}  # fmt: skip
    says = sum(chance for (r, u, v), chance in law.items() if v)
    belief = sum(chance for (r, u, v), chance in law.items() if u and v) / says
    within = np.mean([r * (1 - r) for r in (more, less)])
    between = np.var([more, less])
    own = math.sqrt(N * (more + less) / 2 * (1 - (more + less) / 2))
    # One toss for all: a mixture of two binomials, its variance by the second moment.
    second = np.mean([N * r * (1 - r) + (N * r) ** 2 for r in (more, less)])
    shared = math.sqrt(second - (N * (more + less) / 2) ** 2)
    return {"belief": belief, "within": within, "between": between, "own": own, "shared": shared}


def column(sizes, gamma):
    """All reports of record 0 with their chances, as an array with an axis for each column."""
    return diagonal(gamma, math.prod(sizes))[:, 0].reshape(sizes)


def columns(sizes, gamma):
    law = column(sizes, gamma)
    first, two, three = law[0].sum(), law[0, 0].sum(), law[0, 0, 0]
    x = law.flat[-1]
    return {"x": x, "s": three - x, "h1": first, "h2": two / first, "h3": three / two, "two": two}


def slip(sizes, gamma, prior):
    law, n = column(sizes, gamma).ravel(), math.prod(sizes)
    wrong = np.full(n, (1 - law[0]) / n)
    wrong[0] += law[0]
    assert wrong.sum() == pytest.approx(1)
    attained = wrong[0] / wrong[1]
    belief = odds_after(prior, attained)
    s = law[0] - law[1]
    return {"own": wrong[0], "other": wrong[1], "attained": attained, "belief": belief, "s": s}


def marginal(sizes, gamma, N, reported):
    law = column(sizes, gamma).sum(axis=2)
    own, off = law[0, 0], law[1, 1]
    s = own - off
    schema = fl.Schema.of_sizes(*sizes)
    assert fl.GammaDiagonal(schema, gamma).condition_number(2) == pytest.approx(1 / s)
    chance = np.array([0.01, 0.99]) @ [own, off]
    away = 0.01 * s / math.sqrt(chance * (1 - chance) / N)
    return {
        "off": off,
        "own": own,
        "part": own / off,
        "estimate": (reported - off) / s,
        "deviation": math.sqrt(reported * (1 - reported) / N) / s,
        "by_luck": 0.5 * (1 - math.erf(away / math.sqrt(2))),
    }


def lost_and_invented(true, seen, least):
    true, seen = np.array(true), np.array(seen)
    F, R = true >= least, seen >= least
    off = 100 * abs(seen - true) / true
    assert (F & ~R).any()
    assert (R & ~F).any()
    return {
        "lost": 100 * (F & ~R).sum() / F.sum(),
        "invented": 100 * (R & ~F).sum() / F.sum(),
        "rho_all": off[F].mean(),
        "rho": off[F & R].mean(),
    }


def one_run(runs, k, more):
    found = np.r_[np.ones(k), np.zeros(runs - k)]
    none = 1 - found.mean()
    return {"none": none, "error": found.std() / math.sqrt(runs), "all_none": none**more}


def constant_condition(sizes, gamma, N, support):
    schema = fl.Schema.of_sizes(*sizes)
    m = fl.GammaDiagonal(schema, gamma)
    # So many records support both itemsets, the others neither.
    counts = np.zeros(sizes, int)
    counts[0, 0, 0], counts[1, 1, 1] = round(N * support), N - round(N * support)
    deviations = m.standard_deviation(fl.Cube.of_counts(schema, counts) / N, N)
    names = schema.names
    short, long = deviations[names[:1]][0], deviations[names][0, 0, 0]
    return {"kappa": m.condition_number(1), "short": short, "long": long, "half": 4 * N}


def subset(n, d, gamma, N, said):
    sets = list(itertools.combinations(range(n), d))

    def held(sets):
        """The chances that a report of record 0 holds cell 0, and cell 1, over all sets."""
        chances = np.array([gamma if 0 in one else 1 for one in sets], float)
        chances /= chances.sum()
        return [sum(c for c, one in zip(chances, sets, strict=True) if k in one) for k in (0, 1)]

    own, other = held(sets)
    singles = held([(k,) for k in range(n)])

    def deviation(own, other):
        return math.sqrt(other * (1 - other) / N) / (own - other)

    spread, plain = deviation(own, other), deviation(*singles)
    return {
        "own": own,
        "other": other,
        "estimate": (said / N - other) / (own - other),
        "spread": spread,
        "plain": plain,
        "times": (plain / spread) ** 2,
    }


def split(p):
    whole = warner(p)
    rows = np.array([whole[0], whole[1] / 2, whole[1] / 2])

    def stretch(A):
        """From the trace and the determinant of AᵀA: the roots of its two eigenvalues."""
        (a, b), (_, d) = A.T @ A
        root = math.sqrt((a + d) ** 2 - 4 * (a * d - b * b))
        return math.sqrt((a + d + root) / (a + d - root))

    return {"gamma": row_ratio(rows), "before": stretch(whole), "after": stretch(rows)}


def unary(gamma, n, N, said):
    q1, q0 = 1 / 2, 1 / (gamma + 1)

    def chance(bits, own):
        return math.prod(
            (q1 if bit else 1 - q1) if k == own else (q0 if bit else 1 - q0)
            for k, bit in enumerate(bits)
        )

    reports = list(itertools.product((0, 1), repeat=4))  # four cells are enough to see γ
    law = np.array([[chance(bits, own) for own in range(4)] for bits in reports])
    assert row_ratio(law) == pytest.approx(gamma)
    holds = np.array(reports)[:, 0]
    own, other = holds @ law[:, 0], holds @ law[:, 1]

    def deviation(own, other):
        return math.sqrt(other * (1 - other) / N) / (own - other)

    def plain(cells):
        A = diagonal(gamma, cells)
        return deviation(A[0, 0], A[0, 1])

    even = next(
        cells for cells in itertools.count(2) if plain(cells) >= deviation(own, other) - 1e-12
    )
    return {
        "estimate": (said / N - other) / (own - other),
        "spread": deviation(own, other),
        "plain": plain(n),
        "even": even,
    }


def fake(M, gamma, lies):
    told, records = M * (gamma - 1) + 1, list(itertools.product((0, 1), repeat=M))

    def chance(v, u):
        right, wrong = told / (told + 1), 1 / (told + 1)
        return (
            sum((right if a == b else wrong) / 2 ** (M - 1) for a, b in zip(v, u, strict=True)) / M
        )

    law = np.array([[chance(v, u) for u in records] for v in records])
    assert law.sum(axis=0) == pytest.approx(1)
    last = records.index((0,) * (M - 1) + (1,))  # differs from the first record in one attribute
    A = diagonal(gamma, len(records))
    honest = (1 - lies) * A[:, 1:].mean(axis=1)  # nobody is in the first cell
    honest[0] += lies
    estimated = np.linalg.solve(A, honest)[0]
    return {
        "one": (law[:, 0] / law[:, last]).max(),
        "told": row_ratio(law),
        "weight": estimated / lies,
        "estimated": estimated,
    }


def twin(name):
    """The function above that finds a question's results in another way."""
    own = name.partition(".")[2]
    if own not in globals():
        entry = exams.questions()[name]
        pytest.fail(
            f"question {own!r} of {entry.where.sheet} has no twin: write a function {own} in "
            "tests/test_exams.py that takes what is `given` by name and returns all `results`, "
            "found in another way than in the sheet, such as by counting all cases"
        )
    return globals()[own]


def test_every_lesson_has_two_questions():
    asked = [entry.lesson for entry in exams.questions().values()]
    assert set(asked) >= {lesson.number for lesson in lessons()} - {"00"}
    assert all(asked.count(lesson) >= 2 for lesson in asked)
    names = [entry.name for entry in exams.questions().values()]
    assert len(set(names)) == len(names), "a twin is found by its name"


@pytest.mark.parametrize("seed", SEEDS)
@pytest.mark.parametrize("name", exams.questions())
def test_answers_are_right(name, seed):
    one = exams.make(name, seed)
    expected = twin(name)(**one.given)
    assert expected.keys() == one.results.keys()
    for key, value in one.results.items():
        assert value == pytest.approx(expected[key], rel=1e-9), key


def said_in(number, text):
    """Whether a number stands in a text, as itself or in percent, and not as part of another."""
    shown = {
        exams.show(number),
        exams.percent(number),
        f"{exams.show(100 * number)} %",
        f"{number}",
    }
    return any(re.search(rf"(?<![\d.,]){re.escape(s)}(?![\d]|[.,]\d)", text) for s in shown)


@pytest.mark.parametrize("seed", SEEDS)
@pytest.mark.parametrize("name", exams.questions())
def test_numbers_are_in_the_text_and_results_in_the_answers(name, seed):
    one = exams.make(name, seed)
    asked = one.text + "\n" + "\n".join(part.ask for part in one.parts)
    for key, value in one.given.items():
        for number in np.ravel(value).tolist():
            assert said_in(number, asked), key
    answers = "\n".join(part.answer for part in one.parts)
    for key, value in one.results.items():
        assert said_in(value, answers), key
    for text in (asked, answers):
        assert text.count("$") % 2 == 0
        assert "nan" not in text
        assert not re.search(r"\d{7,}|e[-+−]\d", text)  # numbers that can be read


@pytest.mark.parametrize("seed", SEEDS)
def test_words_of_the_answers_are_true(seed):
    one = exams.make("01.cards", seed)
    yes, no = one.given["yes"] / 10, one.given["no"] / 10  # who is "no" says yes, and vice versa
    answers = [part.answer for part in one.parts]
    variances = no * (1 - no), yes * (1 - yes)
    own, other = map(exams.show, variances)
    assert f"is {own} for a “yes” person and {other} for a “no” person" in answers[2]
    more = "yes" if (1 - no) / yes > (1 - yes) / no else "no"
    assert f"the report “{more}” gives away more" in answers[3]

    one = exams.make("02.three_records", seed)
    expected = three_records(**one.given)
    verdict = "is ruled out" if expected["gamma"] <= expected["limit"] else "is not ruled out"
    assert f"it {verdict} (1)" in one.parts[1].answer

    one = exams.make("04.bits", seed)
    found = bits(**one.given)
    better, best = (
        "MASK" if found[length] < found["kappa"] else "the γ-diagonal matrix"
        for length in ("one", "longest")
    )
    last = f"At length 1 it is {better}, at length {len(one.given['sizes'])} {best} (2)"
    assert last in one.parts[3].answer


def test_a_seed_is_a_paper_and_another_seed_another():
    assert exams.paper(7) == exams.paper(7)
    assert len({exams.paper(seed) for seed in SEEDS}) == len(SEEDS)
    for name in exams.questions():
        assert len({exams.make(name, seed).text for seed in range(40)}) >= 4, name


@pytest.mark.parametrize("name", exams.questions())
def test_it_is_never_the_lessons_own_example(name):
    for seed in range(40):
        given = exams.make(name, seed).given
        assert given.get("gamma") != 19
        assert given.get("p") != 0.75
        assert (given.get("rho1"), given.get("rho2")) != (0.05, 0.5)


def test_minutes_and_marks_add_up():
    both = exams.paper(3, ["01", "04"], each=None), exams.paper(3, ["01", "04"], None, True)
    for text in both:
        first, *rest = re.findall(r"(\d+) minutes, (\d+) marks", text)
        assert np.array(rest, int).sum(axis=0).tolist() == [int(n) for n in first]
        parts = re.findall(r"\*\((\d+)\)\*$", text, re.MULTILINE)
        assert sum(map(int, parts)) == int(first[1])
    for name, entry in exams.questions().items():
        marks = exams.make(name, 0).marks
        assert 0.9 * marks <= entry.minutes <= 1.25 * marks, name  # about a minute for a mark


@pytest.mark.parametrize(
    ("call", "words"),
    [
        (lambda: exams.paper(0, ["99"]), ["lessons", "'99'", "01"]),
        (lambda: exams.paper(0, ["01"], each=9), ["each", "9", "3 questions"]),
        (lambda: exams.make("01.dice", 0), ["name", "01.dice", "01.cards"]),
        (lambda: exams.make("01.cards", -1), ["seed", "-1"]),
    ],
)
def test_refusals(call, words):
    assert_refused(call, words)


def test_a_question_without_a_twin_is_told_what_to_write(monkeypatch):
    monkeypatch.setitem(exams.questions(), "01.dice", exams.questions()["01.cards"])
    with pytest.raises(pytest.fail.Exception, match=r"function dice in tests/test_exams\.py"):
        twin("01.dice")


# --- sheets ---

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
    root = Path(__file__).parent.parent
    said = []
    for tool in (
        ["ruff", "check", "--no-cache", "--output-format=concise", "--extend-ignore=D1,E402,E501",
         "--config", str(root / "pyproject.toml")],
        ["mypy", "--check-untyped-defs"],
    ):  # fmt: skip
        run = [sys.executable, "-m", *tool, str(tmp_path)]
        found = subprocess.run(run, cwd=root, capture_output=True, text=True, encoding="utf-8")
        said += re.findall(r"^.*?(exam_\w+\.py:\d+): *(.*)", found.stdout, re.MULTILINE)
        assert "coins" in found.stdout, found.stdout + found.stderr
    assert {where for where, _ in said} == {"exam_10_coins.py:6"}, said
    assert all(any(code in why for _, why in said) for code in ("F401", "F821", "[arg-type]"))
