"""Exercises of lesson 08: the errors in print, and how much data would be enough."""

from __future__ import annotations

import numpy as np

from frapp_lab.datasets import load_census
from frapp_lab.exercises.judging import Exercise, Mistake
from frapp_lab.mechanisms import GammaDiagonal, Mask
from frapp_lab.privacy import max_alpha, realized_posterior
from frapp_lab.schema import Schema
from frapp_lab.theory import predicted_errors, records_needed


def corrected_posterior() -> Exercise:
    """ρ₂(r) with the factor that is missing in print."""

    def variant(own, other):
        def rho2(prior, gamma, r, n):
            x = 1 / (gamma + n - 1)
            mine = own(prior, gamma, r, x)
            total = prior * (gamma * x + r) + (1 - prior) * other(r, x, n)
            return mine / total

        return rho2

    def right_own(prior, gamma, r, x):
        return prior * (gamma * x + r)

    def right_other(r, x, n):
        return x - r / (n - 1)

    inputs = tuple(
        (prior, gamma, share * max_alpha(gamma, n), n)
        for prior, gamma, share, n in ((0.05, 19, 0.5, 20), (0.05, 19, -0.5, 12), (0.2, 3, 0.7, 6))
    )
    return Exercise(
        realized_posterior,
        (
            Mistake(
                variant(lambda prior, gamma, r, x: prior * gamma * x + r, right_other),
                "This is the formula as printed. Compare its numerator with the first term of its "
                "denominator: they must be the same probability.",
            ),
            Mistake(
                variant(right_own, lambda r, x, n: x - r),
                "The column no longer sums to one: what the diagonal gains, all other entries lose "
                "together, each its part.",
            ),
            Mistake(
                variant(lambda prior, gamma, r, x: prior * gamma * x, right_other),
                "The numerator has lost its r: it is the first term of the denominator.",
            ),
            Mistake(
                variant(right_own, lambda r, x, n: x),
                "The other entries move too: what the diagonal gains they must lose.",
            ),
            Mistake(
                variant(lambda prior, gamma, r, x: gamma * x + r, right_other),
                "The numerator is the likelihood alone. Bayes' rule weighs it with the prior.",
            ),
        ),
        "With the bracket in its place ρ₂(r) stays between 0 and 1; as printed it need not.",
        inputs,
    )


SUPPORTS = np.array([0.40, 0.10, 0.05, 0.04, 0.025])
ESTIMATES = np.array([0.36, 0.12, 0.01, 0.05, -0.015])
"""Five frequent itemsets at a minimum support of 2 %: true and estimated supports."""


def two_support_errors() -> Exercise:
    """The support error over F, and over F∩R."""
    relative = abs(ESTIMATES - SUPPORTS) / SUPPORTS
    found = ESTIMATES >= 0.02
    over_f, over_both = 100 * relative.mean(), 100 * relative[found].mean()
    signed = (ESTIMATES - SUPPORTS) / SUPPORTS
    by_estimate = abs(ESTIMATES - SUPPORTS) / abs(ESTIMATES)
    return Exercise(
        np.array([over_f, over_both]),
        (
            Mistake([over_both, over_f], "These are the two, in the other order: F comes first."),
            Mistake(
                [100 * signed.mean(), 100 * signed[found].mean()],
                "Errors of opposite sign have cancelled: take absolute values before the mean.",
            ),
            Mistake(
                [100 * by_estimate.mean(), 100 * by_estimate[found].mean()],
                "You divide by the estimate. The error is relative to the true support.",
            ),
            Mistake(
                [over_f, 100 * relative[found].sum() / len(SUPPORTS)],
                "The second sum runs over the itemsets found, so divide it by their number, not by "
                "the number of all.",
            ),
        ),
        "Leaving out what was lost flatters a scheme: the worst estimates are those that were "
        "lost.",
        percent=True,
    )


def previous_column_only() -> Exercise:
    """What the column algorithm does if it looks at the previous column alone."""
    scheme = GammaDiagonal(Schema.of_sizes(2, 2, 2), 19)
    p1, p2, p3 = (scheme.match_probability(j) for j in range(3))
    return Exercise(
        (1 - p1) * 0.5 * p3,
        (
            Mistake(
                scheme.x,
                "This is what the matrix asks for. The short cut forgets the first column's "
                "mismatch when it comes to the third one.",
            ),
            Mistake(
                (1 - p1) * p2 * p3,
                "For the second column the previous one is a mismatch: there the short cut draws "
                "uniformly.",
            ),
            Mistake(
                (1 - p1) * 0.5 * p2,
                "For the third column you took the probability of the second one: columns are "
                "counted from 0.",
            ),
            Mistake(
                (1 - p1) * 0.5 * (1 - p3),
                "The third column of the report is that of the record, so it keeps its value.",
            ),
            Mistake(
                p1 * 0.5 * p3,
                "The first column of the report differs from the record's: take the other case.",
            ),
        ),
        "A short cut that forgets a mismatch sends some records far too often, and breaks γ.",
    )


def enough_records() -> Exercise:
    """How many records bring the mean relative error of length 6 down to 5 %."""
    census = load_census()
    scheme = GammaDiagonal(census.schema, 19)
    now = predicted_errors(census, scheme, 0.02)
    n = len(census)
    return Exercise(
        records_needed(census, scheme, 0.02, length=6, error=5),
        (
            Mistake(
                n * now.support_error_all[6] / 5,
                "The error falls with the square root of the number of records, not with the "
                "number itself.",
            ),
            Mistake(
                (now.support_error_all[6] / 5) ** 2,
                "This is how many times more records are needed. How many are there now?",
            ),
            Mistake(
                records_needed(census, scheme, 0.02, length=6, error=0.05),
                "This mixes shares and percent: the errors are in percent, and so is the aim.",
            ),
            Mistake(
                records_needed(census, scheme, 0.02, length=6, error=5) - n,
                "This is how many are to be added. How many are there in all?",
            ),
            Mistake(
                records_needed(census, scheme, 0.02, length=6, error=10),
                "This is the number for twice the error, as in the table of section 5.",
            ),
            Mistake(
                n * (now.support_error[6] / 5) ** 2,
                "This starts from the error over the itemsets found. Take that over all of F.",
            ),
            Mistake(
                records_needed(census, Mask.for_gamma(census.schema, 19), 0.02, 6, 5),
                "This is MASK. The question is about DET-GD.",
            ),
        ),
        "The error falls with √N: seven times as accurate needs nearly fifty times the records.",
    )


EXERCISES = {
    "08.1": corrected_posterior,
    "08.2": two_support_errors,
    "08.3": previous_column_only,
    "08.4": enough_records,
}
