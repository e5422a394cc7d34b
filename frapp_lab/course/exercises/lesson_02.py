"""The exercises of lesson 02: how much one report may give away."""

import numpy as np

from frapp_lab.course.exercises import Exercise, exercise
from frapp_lab.privacy import (
    amplification,
    epsilon_from_gamma,
    gamma_from_breach,
    gamma_from_epsilon,
    highest_prior,
    posterior,
    worst_posterior,
)

HABITS = np.array([[0.7, 0.2, 0.2], [0.2, 0.6, 0.2], [0.1, 0.2, 0.6]])
OTHER = np.array([[0.5, 0.4, 0.1], [0.3, 0.2, 0.5], [0.2, 0.4, 0.4]])
FOUR_REPORTS = np.array([[0.4, 0.2, 0.3], [0.3, 0.2, 0.2], [0.2, 0.3, 0.1], [0.1, 0.3, 0.4]])
SKEWED = np.array([[0.5, 0.2], [0.25, 0.4], [0.25, 0.4]])
TWO_RECORDS = np.array([[0.65, 0.3], [0.2, 0.1], [0.15, 0.6]])


@exercise("02.a")
def from_a_fifth():
    """What a yes of γ = 3 makes of a prior of 20 %."""
    prior, factor = 0.20, 3.0
    odds = factor * prior / (1 - prior)
    mistakes = {
        "This multiplies the probability. A report multiplies the odds.": factor * prior,
        "These are the new odds. A probability is odds / (1 + odds).": odds,
        "This is after a no, which divides the odds.": prior / (prior + factor * (1 - prior)),
        "These are the odds before the report.": prior / (1 - prior),
        "This takes 5 % for the prior, as in the table above.": worst_posterior(0.05, factor),
    }
    return Exercise(odds / (1 + odds), mistakes, "Odds of 1 to 4 become 3 to 4.")


@exercise("02.b")
def worst_row():
    """The amplification of a matrix of three reports and two records."""
    by_row = TWO_RECORDS.max(axis=1) / TWO_RECORDS.min(axis=1)
    by_column = TWO_RECORDS.max(axis=0) / TWO_RECORDS.min(axis=0)
    mistakes = {
        "This is the largest entry over the smallest of the whole matrix: they belong to different "
        "reports.": TWO_RECORDS.max() / TWO_RECORDS.min(),
        "These two stand in one column: different reports of one record. "
        "Compare within a row.": by_column.max(),
        "This is the ratio of the first column. Compare within a row.": by_column.min(),
        "This is the first row. Another one gives more away.": by_row[0],
        "This is the second row, which gives least away. The promise is for the worst.": by_row[1],
        "This is upside down: the larger over the smaller.": 1 / by_row.max(),
    }
    return Exercise(by_row.max(), mistakes, "The third report speaks for the second record.")


@exercise("02.c")
def how_many_reports():
    """How many independent reports of ε = 0.5 keep γ at or below 19."""
    epsilon, total = 0.5, epsilon_from_gamma(19)
    reports = total / epsilon
    mistakes = {
        "Nearly: with so many the limit is passed. Go down to a whole number.": np.ceil(reports),
        "A number of reports is whole: what does the last part of one mean?": reports,
        "This divides γ itself. ε adds up, and γ multiplies: turn one into the other first.": 19
        / epsilon,
        "This divides by γ = e^0.5, as if γ's added up.": 19 / gamma_from_epsilon(epsilon),
    }
    return Exercise(np.floor(reports), mistakes, "ε is a budget: each report spends a part of it.")


@exercise("02.1")
def another_breach():
    """The γ that keeps what was believed with less than 2 % below 20 %."""
    rho1, rho2 = 0.02, 0.20
    gamma, ratio = gamma_from_breach(rho1, rho2), rho2 / rho1
    wrong_sides = ratio * (1 - rho2) / (1 - rho1)
    percents = ratio * (1 - 100 * rho1) / (1 - 100 * rho2)
    mistakes = {
        "This is the ratio of the two probabilities. γ is a ratio of odds, ρ / (1 − ρ).": ratio,
        "This is upside down: γ is above one. Which odds are the larger?": 1 / gamma,
        "The complements stand on the wrong sides: "
        "the odds of ρ are ρ divided by 1 − ρ.": wrong_sides,
        "This is ε, the logarithm of what is asked for.": np.log(gamma),
        "These are the odds afterwards. Compare them with before.": rho2 / (1 - rho2),
        "It looks as if percents went into 1 − ρ. Write both as shares between 0 and 1.": percents,
    }
    lesson = (
        "For small probabilities γ is a little more than their ratio; for larger ones, much more."
    )
    return Exercise(gamma, mistakes, lesson)


@exercise("02.2")
def largest_prior():
    """The highest prior that ε = 2 keeps at or below 80 %."""
    epsilon, rho2 = 2.0, 0.80
    gamma = gamma_from_epsilon(epsilon)
    odds, solution = rho2 / (1 - rho2), highest_prior(rho2, gamma)
    mistakes = {
        "Here ε itself was taken for γ. First turn ε into γ.": highest_prior(rho2, epsilon),
        "This goes forward from 80 %, to a still higher posterior. "
        "Go back from 80 % to the prior.": worst_posterior(rho2, gamma),
        "This divides the probability by γ. The report multiplies the odds: "
        "divide those, then turn odds into a probability.": rho2 / gamma,
        "These are the odds of the prior. A probability is odds / (1 + odds).": odds / gamma,
    }
    lesson = "Going back is dividing the odds by γ: the same curve, read from the vertical axis."
    return Exercise(solution, mistakes, lesson)


@exercise("02.3")
def belief():
    """Bayes' rule for one report, any matrix, prior and property."""

    def solution(A, prior, holds, v):
        return posterior(A, prior, holds)[v]

    def share(weights, holds, among=slice(None)):
        return weights[holds].sum() / weights[among].sum()

    mistakes = {
        "This is the probability of the property and the report together. "
        "Divide by that of the report.": lambda A, prior, holds, v: (A[v] * prior)[holds].sum(),
        "This reads column v: what a client with record v sends. What is known is the report, "
        "so read row v.": lambda A, prior, holds, v: share(A[:, v] * prior, holds),
        "This leaves the prior out, "
        "as if all records were equally probable.": lambda A, prior, holds, v: share(A[v], holds),
        "This is P(report | Q). The question turns it round: P(Q | "
        "report).": lambda A, prior, holds, v: A[v, holds] @ prior[holds] / prior[holds].sum(),
        "These are the odds of Q. Divide by all records, "
        "those with Q too.": lambda A, prior, holds, v: share(A[v] * prior, holds, ~holds),
    }
    lesson = "Row v times the prior, and then the share of it that lies in Q: this is all of Bayes."
    inputs = (
        (HABITS, np.array([0.8, 0.15, 0.05]), np.array([False, True, True]), 2),
        (HABITS, np.array([0.3, 0.3, 0.4]), np.array([True, False, False]), 1),
        (OTHER, np.array([0.5, 0.3, 0.2]), np.array([False, True, False]), 0),
    )
    return Exercise(solution, mistakes, lesson, inputs)


@exercise("02.4")
def rows_only():
    """The amplification of a matrix: the largest ratio within one row."""

    def ratios(A, axis=1):
        return A.max(axis=axis) / A.min(axis=axis)

    mistakes = {
        "This compares entries within a column: different reports of one client. Compare different "
        "clients that send one and the same report.": lambda A: ratios(A, axis=0).max(),
        "This compares entries of different reports. A report that is equally rare from everybody "
        "gives nothing away.": lambda A: A.max() / A.min(),
        "This is the report that gives least away. "
        "The promise must hold for the worst.": lambda A: ratios(A).min(),
        "This is an average over the reports. The promise must hold for the worst.": lambda A: (
            ratios(A).mean()
        ),
        "This is one ratio for each report. The promise needs one number: the worst.": ratios,
        "This is upside down: the larger over the smaller.": lambda A: 1 / ratios(A).max(),
    }
    lesson = "Only clients who send the same report are compared; that is why only rows count."
    inputs = ((HABITS,), (FOUR_REPORTS,), (SKEWED,))
    return Exercise(amplification, mistakes, lesson, inputs)


@exercise("02.5")
def two_reports():
    """The amplification of a pair of independent reports on one record."""

    def solution(first, second):
        pairs = np.einsum("vu,wu->vwu", first, second).reshape(-1, first.shape[1])
        return amplification(pairs)

    mistakes = {
        "The product is a bound that always holds. It is attained only if the worst rows "
        "of both speak for the same record and against the same other one. Both reports are made "
        "from one record: try all pairs of rows, column by column. A matrix with a column for "
        "every pair of records, such as np.kron's, lets each report have a record of its "
        "own.": lambda A, B: amplification(A) * amplification(B),
        "This is the worse of the two reports alone. The attacker sees both.": lambda A, B: max(
            amplification(A), amplification(B)
        ),
        "What adds up is ε, the logarithm. Probabilities of "
        "independent reports multiply.": lambda A, B: amplification(A) + amplification(B),
        "The matrix product perturbs the first report once more, "
        "and the attacker sees only the result. Here both reports are made from the record, "
        "and both are seen.": lambda A, B: amplification(B @ A),
    }
    lesson = (
        "Two reports can give away up to the product of their γ's, and less if their worst rows "
        "do not speak for the same record and against the same other one."
    )
    inputs = ((HABITS, OTHER), (HABITS, HABITS), (OTHER, FOUR_REPORTS))
    return Exercise(solution, mistakes, lesson, inputs)


@exercise("02.6")
def invariant_pram():
    """γ of invariant PRAM for a yes/no variable with 10 % yes, at sdcMicro's defaults."""
    f, truthful, share = np.array([0.9, 0.1]), 0.8, 0.5
    first = np.array([[truthful, 1 - truthful], [1 - truthful, truthful]])
    back = first.T * f[:, None]
    back = back / back.sum(axis=0)  # its column v holds P(u | v)
    whole = share * back @ first + (1 - share) * np.eye(2)
    mistakes = {
        "This is step 1 alone.": amplification(first),
        "This is the matrix of steps 1 and 2. Step 3 leaves half of the values untouched, "
        "which gives more away.": amplification(back @ first),
        "This is the row of the report “no”. The other one gives more away.": (
            whole[0].max() / whole[0].min()
        ),
        "This compares entries within a column. Compare those of one report.": (
            whole[:, 0].max() / whole[:, 0].min()
        ),
        "This makes half of step 1 a certain stay, without step 2.": (
            amplification(share * first + (1 - share) * np.eye(2))
        ),
        "In step 2 the shares of 90 % and 10 % were left out, as if both were 50 %.": (
            amplification(share * first @ first + (1 - share) * np.eye(2))
        ),
        "This is ε, the logarithm of what is asked for.": np.log(amplification(whole)),
    }
    lesson = (
        "A rare value is protected least: those who are “no” hardly ever send “yes”. sdcMicro "
        "draws the 0.8 of step 1 between 0.8 and 1, so its γ here is never below this one."
    )
    return Exercise(amplification(whole), mistakes, lesson)
