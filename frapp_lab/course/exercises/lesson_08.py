"""Exercises of lesson 08: judging claims, fair comparisons, and the errors in print."""

import math

import numpy as np

from frapp_lab.course.exercises import Exercise, exercise
from frapp_lab.data.census import load_census
from frapp_lab.data.schema import Schema
from frapp_lab.mechanisms.cut_and_paste import CutAndPaste
from frapp_lab.mechanisms.gamma_diagonal import GammaDiagonal
from frapp_lab.mining.theory import predicted_errors


@exercise("08.a")
def found_on_average():
    """How many of ten itemsets are found, if 73 % are lost."""
    mistakes = {
        "This is how many are lost. How many are found?": 7.3,
        "This is in percent. How many of the ten are they?": 27.0,
        "This is a share. How many of the ten are they?": 0.27,
    }
    return Exercise(2.7, mistakes, "A low ρ over F is no help to whoever never sees the itemset.")


@exercise("08.b")
def attained():
    """The amplification of cut-and-paste with K = 2 and ρ = 0.4."""
    mistakes = {
        "This is the last term alone. Add up all of them.": 0.4**-2,
        "The sum begins with w = 0.": 0.4**-1 + 0.4**-2,
        "The powers are negative: every term divides.": 1 + 0.4 + 0.4**2,
        "This is for K = 3.": sum(0.4**-w for w in range(4)),
        "This is for K = 1.": 1 + 0.4**-1,
    }
    lesson = "So K and the noise decide about γ, and the data do not."
    return Exercise(1 + 0.4**-1 + 0.4**-2, mistakes, lesson)


@exercise("08.c")
def stand_in():
    """The verdict on a claim about records that are not at hand."""
    mistakes = {
        "It came out so on made-up records. Could the real ones have made it fail here?": 1,
        "A condition is a weaker form of the paper's statement, tested on its records. These are "
        "other records.": 2,
        "Nothing here speaks against the statement either.": 3,
    }
    return Exercise(
        4, mistakes, "Runs on other records, however many, are no evidence about these."
    )


@exercise("08.1")
def weakest_condition():
    """From which length on a rival's error is so many times ours."""

    def good(rival, ours, factor):
        return np.array(rival) >= factor * np.array(ours)

    def solution(rival, ours, factor):
        bad = np.flatnonzero(~good(rival, ours, factor))
        first = bad[-1] + 2 if len(bad) else 1
        return first if first <= len(rival) else 0

    def first_one(*given):
        return int(np.argmax(good(*given))) + 1 if good(*given).any() else 0

    def beyond(rival, ours, factor):
        return solution(rival, ours, factor) or len(rival) + 1

    def strictly(rival, ours, factor):
        return solution(rival, ours, factor * (1 + 1e-9))

    inputs = (
        ([30, 10, 20, 60, 90], [10] * 5, 2),
        ([7, 9, 8], [1, 1, 1], 5),
        ([40, 30, 10], [10, 10, 10], 2),
        ([1, 5, 40, 300], [20, 10, 8, 3], 4),
        ([30, 15, 40, 60], [20, 10, 15, 10], 2),
    )
    mistakes = {
        "This is the first length at which it is so. At a later one it may fail again: look from "
        "the end.": first_one,
        "You count how many lengths will do. Which is the first of those that reach to the "
        "end?": lambda *given: good(*given).sum(),
        "Lengths begin with 1, not with 0.": lambda *given: solution(*given) - 1,
        "The factor goes the other way: the rival's error is the larger one.": (
            lambda rival, ours, factor: solution(ours, rival, factor)
        ),
        "Where the last length will not do, give 0.": beyond,
        "Exactly so many times is enough: at least, not more than.": strictly,
        "You compare differences. So many times is a ratio.": (
            lambda rival, ours, factor: solution(np.array(rival) - ours, np.ones(len(ours)), factor)
        ),
    }
    lesson = "A condition found like this is the weakest that the numbers allow, and no weaker."
    return Exercise(solution, mistakes, lesson, inputs)


SUPPORTS = np.array([0.40, 0.10, 0.05, 0.04, 0.025])
ESTIMATES = np.array([0.36, 0.12, 0.01, 0.05, -0.015])
"""Five frequent itemsets at a minimum support of 2 %: true and estimated supports."""


@exercise("08.2")
def two_support_errors():
    """The support error over F, and over F∩R."""
    found, error = ESTIMATES >= 0.02, ESTIMATES - SUPPORTS

    def percent(errors):
        return [100 * errors.mean(), 100 * errors[found].mean()]

    relative = abs(error) / SUPPORTS
    over_f, over_both = solution = percent(relative)
    of_all = 100 * relative[found].sum() / len(relative)
    signed, by_estimate = percent(error / SUPPORTS), percent(abs(error / ESTIMATES))
    mistakes = {
        "These are the two, in the other order: F comes first.": [over_both, over_f],
        "Errors of opposite sign have cancelled: take absolute values before the mean.": signed,
        "You divide by the estimate. The error is relative to the true support.": by_estimate,
        "The second sum runs over the itemsets found, so divide it by their number, "
        "not by the number of all.": [over_f, of_all],
    }
    lesson = (
        "Leaving out what was lost flatters a scheme on average. Here the two worst estimates are "
        "those that were lost; in a single draw it can be the other way round."
    )
    return Exercise(solution, mistakes, lesson, percent=True)


@exercise("08.3")
def previous_column_only():
    """What the column algorithm does if it looks at the previous column alone."""
    scheme = GammaDiagonal(Schema.of_sizes(2, 2, 2), 19)
    h1, h2, h3 = (scheme.match_probability(j) for j in range(3))
    mistakes = {
        "This is what the matrix asks for. The short cut forgets the first column's mismatch when "
        "it comes to the third one.": scheme.x,
        "For the second column the previous one is a mismatch: "
        "there the short cut draws uniformly.": (1 - h1) * h2 * h3,
        "For the third column you took the probability of the second one: "
        "columns are counted from 0.": (1 - h1) * 0.5 * h2,
        "The third column of the report is that of the record, so it keeps its value.": (
            (1 - h1) * 0.5 * (1 - h3)
        ),
        "The first column of the report differs from the record's: take the other case.": (
            h1 * 0.5 * h3
        ),
    }
    lesson = "A short cut that forgets a mismatch sends some records far too often, and breaks γ."
    return Exercise((1 - h1) * 0.5 * h3, mistakes, lesson)


@exercise("08.4")
def refute_never():
    """How many runs refute "never" with a given probability."""

    def exact(rate, chance):
        return math.log(1 - chance) / math.log(1 - rate)

    def solution(rate, chance):
        return math.ceil(exact(rate, chance))

    mistakes = {
        "A number of runs is whole: take the next one that is enough.": exact,
        "With one run fewer than needed the probability is still too low: round up.": (
            lambda rate, chance: math.floor(exact(rate, chance))
        ),
        "You took the probability that no run finds one. What is wanted is its opposite.": (
            lambda rate, chance: math.ceil(math.log(chance) / math.log(1 - rate))
        ),
        "Probabilities of several runs do not add up: two runs at 60 % would be 120 %.": (
            lambda rate, chance: math.ceil(chance / rate)
        ),
        "You took the rate where its opposite is needed: all runs together fail if each of them "
        "finds nothing.": (lambda rate, chance: math.ceil(math.log(1 - chance) / math.log(rate))),
        "This is the mean number of runs until the first find. It does not depend on the "
        "chance that you ask for.": lambda rate, chance: math.ceil(1 / rate),
    }
    lesson = "One run without a find says little: at a rate of 15 % most single runs have none."
    inputs = ((0.15, 0.95), (0.4, 0.9), (0.02, 0.5), (0.3, 0.99))
    return Exercise(solution, mistakes, lesson, inputs)


@exercise("08.5")
def fair_rival():
    """How much of C&P's error at length 3 is due to its printed parameters."""
    census = load_census()

    def error(mechanism, column="support_error_all"):
        return predicted_errors(census, mechanism, 0.02)[column][3]

    printed = CutAndPaste(census.schema, K=3, rho=0.494)
    made = [CutAndPaste.for_gamma(census.schema, 19, K) for K in range(3, 7)]
    best = min(made, key=error)
    # A mistake's hint must be true of whoever gives it, so each is one step off.
    of_found = error(printed, "support_error") / error(best, "support_error")
    mistakes = {
        "This uses γ fully, but with K = 3. Another K has a smaller error.": (
            error(printed) / error(made[0])
        ),
        "This changes K alone, from what attains γ. Begin with what is printed.": (
            error(made[0]) / error(best)
        ),
        "The ratio is upside down.": error(best) / error(printed),
        "This is the difference. How many times larger is it?": error(printed) - error(best),
        "This is over the itemsets found. Take ρ over all of F.": of_found,
        "These are condition numbers. Take the errors.": (
            printed.condition_number(3) / best.condition_number(3)
        ),
        "The best K is the one with the smallest error, not with the smallest condition "
        "number.": error(printed) / error(min(made, key=lambda m: m.condition_number(3))),
    }
    lesson = "So much of the gap between the schemes comes from the rival's settings."
    return Exercise(error(printed) / error(best), mistakes, lesson)
