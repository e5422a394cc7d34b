"""Exam questions: a seed gives every class numbers of its own, with a worked answer.

A question is a function with one line above it, in `lesson_NN.py`. It draws its numbers from the
generator that it is given, and is found by itself:

    @question("02", minutes=5)
    def coins(rng):
        n = int(rng.choice([3, 4, 5]))
        ask = Part("How likely is it that all of them show heads?", 2, f"$1/2^{n}$ = {show(2**-n)}")
        text = f"{n} fair coins are tossed."
        return Question("Coins", text, (ask,), {"n": n}, {"all": 2**-n})
"""

from __future__ import annotations

import pkgutil
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from importlib import import_module
from typing import Any, NamedTuple

import numpy as np

from frapp_lab._base.checks import check_integer
from frapp_lab._base.random_streams import stream

__all__ = ["QUESTIONS", "Part", "Question", "lessons", "make", "paper", "percent", "question",
           "show"]  # fmt: skip


class Part(NamedTuple):
    """One thing that is asked, its marks and its worked answer, both in Markdown."""

    ask: str
    marks: int
    answer: str


@dataclass(frozen=True)
class Question:
    """A question with its numbers: `given` are those of the text, `results` those of the answer."""

    title: str
    text: str
    parts: tuple[Part, ...]
    given: Mapping[str, Any] = field(repr=False)
    results: Mapping[str, float] = field(repr=False)

    @property
    def marks(self) -> int:
        """The marks of all parts together."""
        return sum(part.marks for part in self.parts)

    def lines(self, answers: bool) -> list[str]:
        """The parts as they are printed: asked, or answered."""
        said = [part.answer if answers else part.ask for part in self.parts]
        return [
            f"({letter}) {text} *({part.marks})*"
            for letter, text, part in zip("abcdefgh", said, self.parts, strict=False)
        ]


class Entry(NamedTuple):
    """A registered question: its lesson, its time, and the function that makes it."""

    lesson: str
    minutes: int
    make: Callable[[np.random.Generator], Question]


QUESTIONS: dict[str, Entry] = {}
"""All questions by name: the lesson's number, a point, and the function's name."""


def question(lesson: str, minutes: int) -> Callable[[Callable], Callable]:
    """Register the function that makes a question, as `@question("02", minutes=15)` above it."""

    def register(make: Callable) -> Callable:
        QUESTIONS[f"{lesson}.{make.__name__}"] = Entry(lesson, minutes, make)
        return make

    return register


def make(name: str, seed: int) -> Question:
    """The question of a name with the numbers of a seed.

    >>> make("02.breach", 7) == make("02.breach", 7)
    True
    """
    if name not in QUESTIONS:
        raise ValueError(
            f"name is {name!r}: there is no such question; there are {', '.join(QUESTIONS)}"
        )
    seed = check_integer("seed", seed, 0, np.inf, "a paper is found again by its seed")
    return QUESTIONS[name].make(stream(seed, name))


def lessons() -> list[str]:
    """The lessons that have questions.

    >>> lessons()[:2]
    ['01', '02']
    """
    return sorted({entry.lesson for entry in QUESTIONS.values()})


def paper(
    seed: int, chosen: Iterable[str] = (), each: int | None = 1, answers: bool = False
) -> str:
    """An exam paper in Markdown, or its answer sheet; the same seed gives the same paper.

    From each chosen lesson (all, if none is) it takes so many questions, or with `each=None` all.

    >>> print(paper(7, ["02"]).splitlines()[0])
    # Exam paper: 15 minutes, 15 marks
    """
    chosen = sorted(set(chosen)) or lessons()
    for lesson in chosen:
        if lesson not in lessons():
            raise ValueError(
                f"lessons has {lesson!r}: there are questions on {', '.join(lessons())}"
            )
    names = []
    for lesson in chosen:
        there = [name for name, entry in QUESTIONS.items() if entry.lesson == lesson]
        many = len(there) if each is None else each
        check_integer("each", many, 1, len(there), f"lesson {lesson} has {len(there)} questions")
        order = stream(seed, f"paper {lesson}").permutation(len(there))
        names += [there[i] for i in sorted(order[:many])]
    asked = [make(name, seed) for name in names]
    minutes, marks = sum(QUESTIONS[n].minutes for n in names), sum(q.marks for q in asked)
    # Who knows the seed can print the answers, so that the paper does not show it.
    kind = f"Answers to exam paper {seed}" if answers else "Exam paper"
    lines = [f"# {kind}: {minutes} minutes, {marks} marks"]
    for number, (name, one) in enumerate(zip(names, asked, strict=True), 1):
        lines += [
            f"## {number} · {one.title}",
            f"*(lesson {QUESTIONS[name].lesson}, {QUESTIONS[name].minutes} minutes, "
            f"{one.marks} marks)*",
            one.text,
            *one.lines(answers),
        ]
    return "\n\n".join(lines) + "\n"


def show(value: float) -> str:
    """A number as it stands in an answer: whole, or with four digits.

    >>> show(0.123456), show(2500.0), show(-1234.56)
    ('0.1235', '2,500', '−1,235')
    """
    whole = round(value)
    text = f"{whole:,}" if abs(value - whole) < 1e-9 or abs(value) >= 1000 else f"{value:.4g}"
    return text.replace("-", "−")


def percent(value: float) -> str:
    """A share in percent.

    >>> percent(0.05), percent(0.4567)
    ('5 %', '45.7 %')
    """
    return f"{round(100 * value, 1):g} %"


def matrix(entries: np.ndarray) -> str:
    """A matrix, inside a formula.

    >>> print(matrix(np.eye(2)))
    \\begin{pmatrix} 1 & 0 \\\\ 0 & 1 \\end{pmatrix}
    """
    rows = [" & ".join(show(float(entry)) for entry in row) for row in np.asarray(entries)]
    return r"\begin{pmatrix} " + r" \\ ".join(rows) + r" \end{pmatrix}"


def table(head: Iterable[str], *rows: Iterable[object]) -> str:
    """A table of few numbers, in Markdown.

    >>> print(table(["option", "1"], ["reports", 620]))
    | option | 1 |
    |---|---|
    | reports | 620 |
    """
    lines: list[list[object]] = [list(head), *(list(row) for row in rows)]
    texts = [
        "| " + " | ".join(f"{c:,}" if isinstance(c, int) else str(c) for c in line) + " |"
        for line in lines
    ]
    return "\n".join([texts[0], "|" + "---|" * len(lines[0]), *texts[1:]])


def pick(rng: np.random.Generator, *options: Any) -> Any:
    """One of the options, by a fair draw.

    >>> pick(np.random.default_rng(0), "only")
    'only'
    """
    return options[int(rng.integers(len(options)))]


for _module in pkgutil.iter_modules(__path__):  # last, because lessons import this package
    import_module(f"{__name__}.{_module.name}")
