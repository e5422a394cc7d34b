"""The exercises of lesson 01: one coin, three answers, and records of several columns."""

from __future__ import annotations

from math import comb

import numpy as np

from frapp_lab.datasets import Dataset
from frapp_lab.exercises.judging import Estimator, Exercise, Mistake
from frapp_lab.mechanisms import IndependentColumns
from frapp_lab.schema import Schema


def people_needed() -> Exercise:
    """How many people make the spread one percentage point, with a coin of 60 %."""
    p, wanted = 0.6, 0.01
    return Exercise(
        p * (1 - p) / ((2 * p - 1) * wanted) ** 2,
        (
            Mistake(
                p * (1 - p) / wanted**2,
                "This is the number for the share of yes reports. The estimate divides that share "
                "by 2p − 1, which makes the spread larger.",
            ),
            Mistake(
                p * (1 - p) / ((2 * p - 1) * wanted**2),
                "Nearly: 2p − 1 divides the standard deviation, so N holds its square.",
            ),
            Mistake(
                p * (1 - p) / (2 * p - 1) ** 2 / wanted,
                "Did you square the spread that is wanted? N stands under a square root.",
            ),
            Mistake(
                p * (1 - p) / (p * wanted) ** 2,
                "This divides by p. The slope of the line in section 2 is smaller than p.",
            ),
            Mistake(
                p * (1 - p) / (2 * p - 1) ** 2,
                "One percentage point is a share of 0.01, not of 1.",
            ),
        ),
        "Halving the spread takes four times the people; halving 2p − 1 takes even a little more.",
    )


def share_of_yes() -> Estimator:
    """The share of yes from the reports of a coin that tells the truth with probability p."""
    n_people, p, truth = 200, 0.7, 0.025
    is_yes = np.arange(n_people) < truth * n_people

    def draw(rng: np.random.Generator) -> tuple[np.ndarray, float]:
        # In any order, so that a part of the reports is a fair sample.
        return (rng.permutation(is_yes) == (rng.random(n_people) < p)).astype(int), p

    def solution(reports: np.ndarray, p: float) -> float:
        return (reports.mean() - (1 - p)) / (2 * p - 1)

    return Estimator(
        draw,
        solution,
        truth,
        (p * (1 - p) / n_people) ** 0.5 / (2 * p - 1),
        (
            Mistake(
                lambda reports, p: reports.mean(),
                "This is the share of yes reports. Some of them come from people who are not yes: "
                "undo the coin.",
            ),
            Mistake(
                lambda reports, p: reports.mean() - (1 - p),
                "Taking off what the liars add is the first half. A yes more among the people "
                "raises the reports by less than one: divide by that.",
            ),
            Mistake(
                lambda reports, p: reports.mean() / p,
                "This would be right if nobody who is “no” ever said yes. But they do, with "
                "probability 1 − p.",
            ),
            Mistake(
                lambda reports, p: (reports.mean() - (1 - p)) / p,
                "What the liars add is taken off. But a yes more among the people raises the "
                "share of yes reports by less than p: look at the slope of the line.",
            ),
            Mistake(
                lambda reports, p: reports.mean() / (2 * p - 1),
                "Stretching is the second half. First take off what the liars add.",
            ),
            Mistake(
                lambda reports, p: 100 * solution(reports, p),
                "This is in percent; a share is wanted.",
            ),
            Mistake(
                lambda reports, p: (p - reports.mean()) / (2 * p - 1),
                "This estimates the share of “no”: the roles of p and 1 − p are swapped.",
            ),
            Mistake(
                lambda reports, p: np.clip(solution(reports, p), 0, 1),
                "It is cut off below zero. That makes one survey look better and the average of "
                "many worse: too high. Let the estimate be negative.",
            ),
        ),
        "Right on average, though every single report may be a lie.",
    )


def three_answers() -> Exercise:
    """The matrix of a spinner with three answers, which is not symmetric."""
    columns = [[0.6, 0.3, 0.1], [0.2, 0.6, 0.2], [0.1, 0.3, 0.6]]
    matrix = np.array(columns).T
    upside_down = matrix[::-1]
    off_diagonal = 1 - np.eye(3)
    shared_evenly = np.full((3, 3), 0.2) + 0.4 * np.eye(3)
    return Exercise(
        matrix,
        (
            Mistake(
                matrix.T,
                "Its rows sum to one; its columns should. Column u holds what a person with "
                "answer u says.",
            ),
            Mistake(
                shared_evenly,
                "Here everybody who does not tell the truth takes the other two answers evenly. "
                "Only those in the middle do so; read again what the people at the ends do.",
            ),
            Mistake(
                matrix * np.where(off_diagonal, 0.4, 1),
                "Its columns do not sum to one. The probabilities in the list are of all people of "
                "that kind, not only of those who do not tell the truth.",
            ),
            Mistake(
                upside_down,
                "The truth should stand on the diagonal: order the rows as the columns.",
            ),
        ),
        "A column is one person's rule. A table without negative entries "
        "whose columns sum to one is such a rule.",
    )


def whole_report() -> Exercise:
    """The probability of a whole report when every column has a coin of its own."""

    def solution(record: np.ndarray, report: np.ndarray, p: float) -> float:
        same = np.sum(record == report)
        return p**same * (1 - p) ** (len(record) - same)

    inputs = (
        (np.array([0]), np.array([1]), 0.75),
        (np.array([1, 0, 1]), np.array([1, 1, 1]), 0.75),
        (np.array([0, 0, 1, 1]), np.array([0, 1, 1, 0]), 0.6),
        (np.array([1, 1, 0, 1, 0]), np.array([1, 1, 0, 1, 0]), 0.9),
    )
    return Exercise(
        solution,
        (
            Mistake(
                lambda record, report, p: p ** np.sum(record == report),
                "The columns that agree are right. Each column that differs has a probability too.",
            ),
            Mistake(
                lambda record, report, p: solution(record, report, 1 - p),
                "Truth and lie are swapped: a column is sent as it is with probability p.",
            ),
            Mistake(
                lambda record, report, p: np.where(record == report, p, 1 - p).sum(),
                "These are the right factors, added up. Independent events multiply.",
            ),
            Mistake(
                lambda record, report, p: p if (record == report).all() else 1 - p,
                "This tosses one coin for the whole record. Here every column has its own.",
            ),
            Mistake(
                lambda record, report, p: (
                    solution(record, report, p) * comb(len(record), int(sum(record == report)))
                ),
                "This adds up all reports with as many wrong columns. Only one of them is meant.",
            ),
        ),
        "This is one entry of the Kronecker product: only the number of equal columns matters.",
        inputs,
    )


def both_yes() -> Estimator:
    """The share of people who are yes twice, from reports with a coin for each column."""
    schema, p = Schema.of_sizes(2, 2), 0.8
    people = Dataset.from_counts(schema, [[80, 8], [9, 3]])
    coins = IndependentColumns(schema, (p / (1 - p)) ** 2)

    def draw(rng: np.random.Generator) -> tuple[np.ndarray, float]:
        truthful, records = rng.random(people.records.shape) < p, rng.permutation(people.records)
        return np.where(truthful, records, 1 - records).astype(int), p

    def one(column: np.ndarray, p: float) -> np.ndarray:
        return (column - (1 - p)) / (2 * p - 1)

    def again(column: np.ndarray, p: float) -> np.ndarray:
        return (1 - p) + (2 * p - 1) * column

    def solution(reports: np.ndarray, p: float) -> float:
        return float(np.mean(one(reports[:, 0], p) * one(reports[:, 1], p)))

    def raw(reports: np.ndarray) -> float:
        return float(np.mean(reports[:, 0] * reports[:, 1]))

    return Estimator(
        draw,
        solution,
        float(people.supports["a1", "a2"][1, 1]),
        float(coins.standard_deviation(people.supports, len(people))["a1", "a2"][1, 1]),
        (
            Mistake(
                lambda reports, p: raw(reports),
                "This is the share of reports that say yes twice, before anything is undone.",
            ),
            Mistake(
                lambda reports, p: one(reports[:, 0].mean(), p) * one(reports[:, 1].mean(), p),
                "This multiplies two shares, as if the two answers had nothing to do with each "
                "other. In this group they go together, and that is what one wants to find out.",
            ),
            Mistake(
                lambda reports, p: raw(reports) / p**2,
                "This would be right if only people who are yes twice could report yes twice. "
                "The other three kinds do so too, now and then.",
            ),
            Mistake(
                lambda reports, p: np.mean(again(reports[:, 0], p) * again(reports[:, 1], p)),
                "This multiplies by the matrix, which perturbs once more. To undo it, solve.",
            ),
            Mistake(
                lambda reports, p: one(raw(reports), p),
                "This undoes one coin. Two coins were tossed for each person.",
            ),
            Mistake(
                lambda reports, p: (raw(reports) - (1 - p) ** 2) / (p**2 - (1 - p) ** 2),
                "This treats everybody who is not yes twice alike. Those who are yes once report "
                "yes twice more often than those who are never yes: use all four cells.",
            ),
            Mistake(
                lambda reports, p: max(solution(reports, p), 0),
                "It is cut off below zero, so that its average is too high. Let the estimate be "
                "negative.",
            ),
        ),
        "What goes together can still be seen in the reports, though nobody's own pair is known.",
    )


EXERCISES = {
    "01.1": people_needed,
    "01.2": share_of_yes,
    "01.3": three_answers,
    "01.4": whole_report,
    "01.5": both_yes,
}
