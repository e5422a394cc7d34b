"""Exercises of lesson 08: the errors in print, and how much data would be enough."""

import numpy as np

from frapp_lab.datasets import load_census
from frapp_lab.exercises import Exercise, exercise
from frapp_lab.exercises.lesson_05 import rho2_with
from frapp_lab.mechanisms.gamma_diagonal import GammaDiagonal
from frapp_lab.mechanisms.mask import Mask
from frapp_lab.privacy import max_alpha, realized_posterior
from frapp_lab.schema import Schema
from frapp_lab.theory import predicted_errors, records_needed


@exercise("08.1")
def corrected_posterior():
    """ρ₂(r) with the factor that is missing in print."""
    inputs = tuple(
        (prior, gamma, share * max_alpha(gamma, n), n)
        for prior, gamma, share, n in ((0.05, 19, 0.5, 20), (0.05, 19, -0.5, 12), (0.2, 3, 0.7, 6))
    )
    mistakes = {
        "This is the formula as printed. "
        "Compare its numerator with the first term of its denominator: "
        "they must be the same probability.": rho2_with(lambda prior, d, r: prior * d + r),
        "The column no longer sums to one: what the diagonal gains, "
        "all other entries lose together, each its part.": rho2_with(other=lambda x, r, n: x - r),
        "The numerator has lost its r: it is the first term of the denominator.": rho2_with(
            lambda prior, d, r: prior * d
        ),
        "The other entries move too: what the diagonal gains they must lose.": rho2_with(
            other=lambda x, r, n: x
        ),
        "The numerator is the likelihood alone. Bayes' rule weighs it with the prior.": rho2_with(
            lambda prior, d, r: d + r
        ),
    }
    lesson = "With the bracket in its place ρ₂(r) stays between 0 and 1; as printed it need not."
    return Exercise(realized_posterior, mistakes, lesson, inputs)


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
        "Leaving out what was lost flatters a scheme: the worst estimates are those that were lost."
    )
    return Exercise(solution, mistakes, lesson, percent=True)


@exercise("08.3")
def previous_column_only():
    """What the column algorithm does if it looks at the previous column alone."""
    scheme = GammaDiagonal(Schema.of_sizes(2, 2, 2), 19)
    p1, p2, p3 = (scheme.match_probability(j) for j in range(3))
    q1, q3 = 1 - p1, 1 - p3
    mistakes = {
        "This is what the matrix asks for. The short cut forgets the first column's mismatch when "
        "it comes to the third one.": scheme.x,
        "For the second column the previous one is a mismatch: "
        "there the short cut draws uniformly.": q1 * p2 * p3,
        "For the third column you took the probability of the second one: "
        "columns are counted from 0.": q1 * 0.5 * p2,
        "The third column of the report is that of the record, so it keeps its value.": q1
        * 0.5
        * q3,
        "The first column of the report differs from the record's: take the other case.": p1
        * 0.5
        * p3,
    }
    lesson = "A short cut that forgets a mismatch sends some records far too often, and breaks γ."
    return Exercise(q1 * 0.5 * p3, mistakes, lesson)


@exercise("08.4")
def enough_records():
    """How many records bring the mean relative error of length 6 down to 5 %."""
    census = load_census()
    scheme = GammaDiagonal(census.schema, 19)
    now, n = predicted_errors(census, scheme, 0.02).loc[6], len(census)
    ratio, of_found = now.support_error_all / 5, now.support_error / 5

    def needed(error, scheme=scheme):
        return records_needed(census, scheme, 0.02, length=6, error=error)

    solution, as_share = needed(5), needed(0.05)
    by_mask = needed(5, Mask.for_gamma(census.schema, 19))
    mistakes = {
        "The error falls with the square root of the number of records, "
        "not with the number itself.": n * ratio,
        "This is how many times more records are needed. How many are there now?": ratio**2,
        "This mixes shares and percent: the errors are in percent, and so is the aim.": as_share,
        "This is how many are to be added. How many are there in all?": solution - n,
        "This is the number for twice the error, as in the table of section 5.": needed(10),
        "This starts from the error over the itemsets found. Take that over all of F.": n
        * of_found**2,
        "This is MASK. The question is about DET-GD.": by_mask,
    }
    lesson = (
        "The error falls with √N: seven times as accurate needs nearly fifty times the records."
    )
    return Exercise(solution, mistakes, lesson)
