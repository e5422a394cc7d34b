"""Print the learning goals of the lessons, each with the exercises that practise it.

It reads them from the notebooks: a lesson lists its goals (`- **G1** …`), and the heading of an
exercise names its own (`### Exercise 02.1 · Another breach (G3)`).

    frapp-lab goals
    frapp-lab goals --lessons 02 03
"""

from __future__ import annotations

import argparse
import json
import re

from frapp_lab.course.lessons import Lesson, lessons

GOAL = re.compile(r"^- \*\*(G\d+)\*\* ((?:.+\n?)(?:  .+\n?)*)", re.MULTILINE)
EXERCISE = re.compile(r"^### Exercise (\S+) · .*\((G\d+(?:, G\d+)*)\)$", re.MULTILINE)


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add what `frapp-lab goals` takes."""
    parser.add_argument("--lessons", nargs="+", default=[], metavar="NN", help="such as 02 03")


def run(options: argparse.Namespace) -> int:
    """Print the table of learning goals in Markdown."""
    there = {lesson.number: lesson for lesson in lessons()}
    for number in options.lessons:
        if number not in there:
            raise ValueError(f"--lessons has {number}: there are {', '.join(there)}")
    print("| lesson | goal | | exercises |\n|---|---|---|---|")
    for number in options.lessons or there:
        goals, exercises = goals_of(there[number])
        for goal, text in goals.items():
            practised = [name for name, named in exercises.items() if goal in named]
            print(f"| {number} | {goal} | {text} | {', '.join(practised)} |")
    return 0


def goals_of(lesson: Lesson) -> tuple[dict[str, str], dict[str, list[str]]]:
    """List a lesson's goals with their texts, and its exercises with the goals they practise."""
    cells = json.loads(lesson.path.read_text(encoding="utf-8"))["cells"]
    text = "\n\n".join("".join(c["source"]) for c in cells if c["cell_type"] == "markdown")
    goals = {goal: " ".join(words.split()).rstrip(";.") for goal, words in GOAL.findall(text)}
    return goals, {name: named.split(", ") for name, named in EXERCISE.findall(text)}
