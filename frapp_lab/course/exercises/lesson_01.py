"""The exercises of lesson 01: one coin, three answers, and records of several columns."""

from math import comb

import numpy as np

from frapp_lab.course.exercises import Estimator, Exercise, exercise
from frapp_lab.data.dataset import Dataset
from frapp_lab.data.schema import Schema
from frapp_lab.mechanisms.independent import IndependentColumns


@exercise("01.a")
def undo_once():
    """The share of yes people when 45 % of 2,000 say yes, with a coin of 75 %."""
    p, heard, n_people = 0.75, 0.45, 2000
    lies, slope = 1 - p, 2 * p - 1
    mistakes = {
        "This is the share of yes reports. Some of them are lies.": heard,
        "What the liars add is taken off. Now stretch what is left.": heard - lies,
        "This stretches first. Take off what the liars add, and then stretch.": heard / slope,
        "This divides by p. The slope of the line is 2p − 1.": (heard - lies) / p,
        "This goes the other way, from people to reports. Here the reports are known.": lies
        + slope * heard,
        "This is a number of people; a share is wanted.": n_people * (heard - lies) / slope,
    }
    return Exercise((heard - lies) / slope, mistakes, "Take off, then stretch.")


@exercise("01.b")
def says_no():
    """How probable it is that somebody who says no is yes: share 30 %, coin 75 %."""
    yes, p = 0.3, 0.75
    says_no = yes * (1 - p) + (1 - yes) * p
    mistakes = {
        "This is for somebody who says yes.": yes * p / (1 - says_no),
        "This is how often a cheater says no. The question turns it round: "
        "how many of those who say no are cheaters?": 1 - p,
        "These are the cheaters who say no, among all people. Divide by all who say no.": yes
        * (1 - p),
        "This is the share of all people who say no, the denominator.": says_no,
        "This is the opposite: how many of those who say no have not cheated.": (1 - yes)
        * p
        / says_no,
        "This is the prior. A no makes it smaller.": yes,
    }
    lesson = "A no divides the odds by 3 as a yes multiplies them: 30 : 70 becomes 10 : 70."
    return Exercise(yes * (1 - p) / says_no, mistakes, lesson)


@exercise("01.1")
def people_needed():
    """How many people make the spread one percentage point, with a coin of 60 %."""
    p, wanted = 0.6, 0.01
    slope = 2 * p - 1

    def needed(slope, wanted=wanted):
        return p * (1 - p) / (slope * wanted) ** 2

    solution = needed(slope)
    mistakes = {
        "This is the number for the share of yes reports. "
        "The estimate divides that share by 2p − 1, which makes the spread larger.": needed(1),
        "Nearly: 2p − 1 divides the standard deviation, so N holds its square.": needed(slope**0.5),
        "Did you square the spread that is wanted? N stands under a square root.": solution
        * wanted,
        "This divides by p. The slope of the line in section 2 is smaller than p.": needed(p),
        "One percentage point is a share of 0.01, not of 1.": needed(slope, 1),
    }
    lesson = (
        "Halving the spread takes four times the people; halving 2p − 1 takes even a little more."
    )
    return Exercise(solution, mistakes, lesson)


@exercise("01.2")
def share_of_yes():
    """The share of yes from the reports of a coin that tells the truth with probability p."""
    n_people, p, truth = 200, 0.7, 0.025
    is_yes = np.arange(n_people) < truth * n_people

    def draw(rng):
        # In any order, so that a part of the reports is a fair sample.
        return (rng.permutation(is_yes) == (rng.random(n_people) < p)).astype(int), p

    def solution(y, p, lies=1):
        return (y.mean() - lies * (1 - p)) / (2 * p - 1)

    mistakes = {
        "This is the share of yes reports. Some of them come from people who are not yes: "
        "undo the coin.": lambda y, p: y.mean(),
        "Taking off what the liars add is the first half. A yes more among the people raises the "
        "reports by less than one: divide by that.": lambda y, p: y.mean() - (1 - p),
        "This would be right if nobody who is “no” ever said yes. "
        "But they do, with probability 1 − p.": lambda y, p: y.mean() / p,
        "What the liars add is taken off. "
        "But a yes more among the people raises the share of yes reports by less than p: "
        "look at the slope of the line.": lambda y, p: (y.mean() - (1 - p)) / p,
        "Stretching is the second half. First take off what the liars add.": lambda y, p: solution(
            y, p, 0
        ),
        "This is in percent; a share is wanted.": lambda y, p: 100 * solution(y, p),
        "This estimates the share of “no”: the roles of p and 1 − p are swapped.": lambda y, p: (
            1 - solution(y, p)
        ),
        "It is cut off below zero. "
        "That makes one survey look better and the average of many worse: too high. "
        "Let the estimate be negative.": lambda y, p: np.clip(solution(y, p), 0, 1),
    }
    lesson = "Right on average, though every single report may be a lie."
    deviation = (p * (1 - p) / n_people) ** 0.5 / (2 * p - 1)
    return Estimator(draw, solution, truth, deviation, mistakes, lesson)


@exercise("01.3")
def three_answers():
    """The matrix of a spinner with three answers, which is not symmetric."""
    matrix = np.array([[0.6, 0.2, 0.1], [0.3, 0.6, 0.3], [0.1, 0.2, 0.6]])
    shared_evenly = np.full((3, 3), 0.2) + 0.4 * np.eye(3)
    mistakes = {
        "Its rows sum to one; its columns should. "
        "Column u holds what a person with answer u says.": matrix.T,
        "Here everybody who does not tell the truth takes the other two answers evenly. "
        "Only those in the middle do so; read again what the people at the ends do.": shared_evenly,
        "Its columns do not sum to one. The probabilities in the list are of all people of that "
        "kind, not only of those who do not tell the truth.": matrix * np.where(np.eye(3), 1, 0.4),
        "The truth should stand on the diagonal: order the rows as the columns.": matrix[::-1],
    }
    lesson = (
        "A column is one person's rule. A table without negative entries whose columns sum to one "
        "is such a rule."
    )
    return Exercise(matrix, mistakes, lesson)


@exercise("01.4")
def whole_report():
    """The probability of a whole report when every column has a coin of its own."""

    def solution(u, v, p):
        same = np.sum(u == v)
        return p**same * (1 - p) ** (len(u) - same)

    pairs = ([0], [1], 0.75), ([1, 0, 1], [1, 1, 1], 0.75), ([0, 0, 1, 1], [0, 1, 1, 0], 0.6)
    pairs += (([1, 1, 0, 1, 0], [1, 1, 0, 1, 0], 0.9),)
    inputs = tuple((np.array(record), np.array(report), p) for record, report, p in pairs)
    mistakes = {
        "The columns that agree are right. "
        "Each column that differs has a probability too.": lambda u, v, p: p ** np.sum(u == v),
        "Truth and lie are swapped: "
        "a column is sent as it is with probability p.": lambda u, v, p: solution(u, v, 1 - p),
        "These are the right factors, added up. Independent events multiply.": lambda u, v, p: (
            np.where(u == v, p, 1 - p).sum()
        ),
        "This tosses one coin for the whole record. "
        "Here every column has its own.": lambda u, v, p: p if (u == v).all() else 1 - p,
        "This adds up all reports with as many wrong columns. Only one of "
        "them is meant.": lambda u, v, p: comb(len(u), int(sum(u == v))) * solution(u, v, p),
    }
    lesson = "This is one entry of the Kronecker product: only the number of equal columns matters."
    return Exercise(solution, mistakes, lesson, inputs)


@exercise("01.5")
def both_yes():
    """The share of people who are yes twice, from reports with a coin for each column."""
    schema, p = Schema.of_sizes(2, 2), 0.8
    people = Dataset.from_counts(schema, [[80, 8], [9, 3]])
    coins = IndependentColumns(schema, (p / (1 - p)) ** 2)

    def draw(rng):
        truthful, records = rng.random(people.records.shape) < p, rng.permutation(people.records)
        return np.where(truthful, records, 1 - records).astype(int), p

    def undo(y, p):
        return (y - (1 - p)) / (2 * p - 1)

    def twice(y):
        return np.mean(np.prod(y, axis=1))

    def solution(y, p):
        return twice(undo(y, p))

    mistakes = {
        "This is the share of reports that say yes twice, "
        "before anything is undone.": lambda y, p: twice(y),
        "This multiplies two shares, as if the two answers had nothing to do with each other. "
        "In this group they go together, "
        "and that is what one wants to find out.": lambda y, p: np.prod(undo(y.mean(axis=0), p)),
        "This would be right if only people who are yes twice could report yes twice. "
        "The other three kinds do so too, now and then.": lambda y, p: twice(y) / p**2,
        "This multiplies by the matrix, which perturbs once more. "
        "To undo it, solve.": lambda y, p: twice((1 - p) + (2 * p - 1) * y),
        "This undoes one coin. Two coins were tossed for each person.": lambda y, p: undo(
            twice(y), p
        ),
        "This treats everybody who is not yes twice alike. "
        "Those who are yes once report yes twice more often than those who are never yes: "
        "use all four cells.": lambda y, p: (twice(y) - (1 - p) ** 2) / (p**2 - (1 - p) ** 2),
        "It is cut off below zero, so that its average is too high. "
        "Let the estimate be negative.": lambda y, p: max(solution(y, p), 0),
    }
    lesson = (
        "What goes together can still be seen in the reports, though nobody's own pair is known."
    )
    truth = float(people.supports["a1", "a2"][1, 1])
    deviation = coins.standard_deviation(people.supports, len(people))["a1", "a2"][1, 1]
    return Estimator(draw, solution, truth, float(deviation), mistakes, lesson)
