"""Print an exam paper in Markdown, whose numbers belong to a seed, or its answer sheet.

The same seed gives the same paper again, another seed other numbers and other questions:

    frapp-lab exam --seed 7 --lessons 01 02 03 > paper.md
    frapp-lab exam --seed 7 --lessons 01 02 03 --answers > answers.md
"""

from __future__ import annotations

import argparse

from frapp_lab.course.exams import paper


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add what `frapp-lab exam` takes."""
    parser.add_argument("--seed", type=int, default=0, help="which paper (0)")
    parser.add_argument("--lessons", nargs="+", default=[], metavar="NN", help="such as 01 02 03")
    parser.add_argument("--each", type=int, default=1, help="questions from each lesson (1)")
    parser.add_argument("--all", action="store_true", help="all questions of the lessons")
    parser.add_argument("--answers", action="store_true", help="the answer sheet, with marks")


def run(options: argparse.Namespace) -> int:
    """Print the exam paper or its answers."""
    each = None if options.all else options.each
    print(paper(options.seed, options.lessons, each, options.answers), end="")
    return 0
