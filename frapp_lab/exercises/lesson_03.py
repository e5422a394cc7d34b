"""Lesson 03: how to get the truth back, and how wrong it is."""

from __future__ import annotations

import numpy as np

from frapp_lab.exercises.judging import Estimator, Exercise, Mistake
from frapp_lab.mechanisms.gamma_diagonal import GammaDiagonal
from frapp_lab.privacy import off_diagonal
from frapp_lab.reconstruction import clip_and_renormalise, count_variance
from frapp_lab.schema import Schema


def three_answers() -> Exercise:
    """A survey with three answers and a matrix that is not symmetric."""
    matrix = np.array([[0.5, 0.1, 0.2], [0.3, 0.7, 0.2], [0.2, 0.2, 0.6]])
    reported = np.array([320, 390, 290])
    solution = np.linalg.solve(matrix, reported)
    return Exercise(
        solution,
        (
            Mistake(
                matrix @ reported,
                "This perturbs the reports once more. The question is which counts the matrix "
                "would turn into these reports.",
            ),
            Mistake(
                np.linalg.solve(matrix.T, reported),
                "This solves with the transposed matrix. A column is a true party, so the first "
                "row gives the first equation.",
            ),
            Mistake(
                reported / np.diag(matrix),
                "This takes every report of a party as sent by its own voters. Others send it too.",
            ),
            Mistake(solution / reported.sum(), "These are shares. Numbers of people are wanted."),
            Mistake(
                reported,
                "These are the reports as they came. Which true counts would have caused them?",
            ),
        ),
        "The columns sum to one, so the estimates sum to the number of people.",
    )


def condition() -> Exercise:
    """The condition number of the γ-diagonal matrix on a joint domain of three questions."""
    gamma, schema = 7, Schema.of_sizes(3, 4, 5)
    n = schema.n_cells
    return Exercise(
        GammaDiagonal(schema, gamma).condition_number(1),
        (
            Mistake(
                1 + sum(schema.sizes) / (gamma - 1),
                "The numbers of answers were added. How many different whole records are there?",
            ),
            Mistake(n / (gamma - 1), "Nearly: the two eigenvalues are s + nx and s; divide them."),
            Mistake(1 + n / gamma, "The smaller eigenvalue is γx − x, not γx."),
            Mistake(
                (gamma + n) / (gamma - 1),
                "Count the shares in a column: γ for the true cell and one for each of the n − 1 "
                "others.",
            ),
            Mistake(
                1 + (n - 1) / (gamma - 1),
                "Count again: J, the matrix of ones, stretches the vector of ones n times, not "
                "n − 1 times.",
            ),
            Mistake(
                GammaDiagonal(schema, gamma).stay,
                "This is the smallest eigenvalue. The condition number compares the largest with "
                "it, and is never below one.",
            ),
            Mistake(
                np.prod([1 + size / (gamma - 1) for size in schema.sizes]),
                "This perturbs each question on its own. Here one matrix perturbs the whole "
                "record.",
            ),
            Mistake(
                gamma,
                "This is the largest ratio of two entries in a row: privacy, not stretching.",
            ),
        ),
        "It grows with the number of combinations: every further question multiplies n.",
    )


def coins() -> Exercise:
    """The Poisson-binomial variance as a function of the matrix and the counts."""
    inputs = (
        (np.array([[0.9, 0.5], [0.1, 0.5]]), np.array([100, 300])),
        (
            np.array([[0.5, 0.1, 0.2], [0.3, 0.7, 0.2], [0.2, 0.2, 0.6]]),
            np.array([250, 400, 350]),
        ),
        (GammaDiagonal(Schema.of_sizes(4), 6).matrix(), np.array([0, 20, 30, 950])),
    )

    def binomial(matrix: np.ndarray, counts: np.ndarray) -> np.ndarray:
        mean = matrix @ counts
        return mean * (1 - mean / counts.sum())

    return Exercise(
        count_variance,
        (
            Mistake(
                binomial,
                "This is the binomial variance: it gives all people the same coin. People with "
                "different values have different ones.",
            ),
            Mistake(
                lambda matrix, counts: matrix @ counts,
                "This is the mean, E(Y). A coin that shows heads with probability p has the "
                "variance p(1 − p).",
            ),
            Mistake(
                lambda matrix, counts: np.sqrt(count_variance(matrix, counts)),
                "This is the standard deviation. The variance is wanted.",
            ),
            Mistake(
                lambda matrix, counts: (matrix * (1 - matrix)).T @ counts,
                "Rows and columns are swapped: the sum for a report v runs along row v.",
            ),
            Mistake(
                lambda matrix, counts: (matrix * (1 - matrix) * counts).sum(axis=0),
                "The products are right, but they are added down the columns. Add those of one "
                "report: along the row.",
            ),
            Mistake(
                lambda matrix, counts: (matrix * (1 - matrix)) @ counts**2,
                "The counts are squared. They would be if all people of a value shared one toss; "
                "but each one tosses alone.",
            ),
        ),
        "The variances of independent coins add up, however much the coins differ.",
        inputs,
    )


def reconstruct() -> Estimator:
    """The reconstruction for the γ-diagonal matrix, tried on many surveys."""
    gamma, counts = 4.0, np.array([450, 300, 150, 80, 20, 0])
    mechanism = GammaDiagonal(Schema.of_sizes(len(counts)), gamma)

    def solution(reported: np.ndarray, gamma: float) -> np.ndarray:
        x = off_diagonal(gamma, len(reported))
        return (reported - x * reported.sum()) / ((gamma - 1) * x)

    def by_diagonal(reported: np.ndarray, gamma: float) -> np.ndarray:
        x = off_diagonal(gamma, len(reported))
        return (reported - x * reported.sum()) / (gamma * x)

    def only_scaled(reported: np.ndarray, gamma: float) -> np.ndarray:
        return reported / ((gamma - 1) * off_diagonal(gamma, len(reported)))

    def only_shifted(reported: np.ndarray, gamma: float) -> np.ndarray:
        return reported - off_diagonal(gamma, len(reported)) * reported.sum()

    def too_many_shares(reported: np.ndarray, gamma: float) -> np.ndarray:
        x = 1 / (gamma + len(reported))
        return (reported - x * reported.sum()) / ((gamma - 1) * x)

    def perturbed_again(reported: np.ndarray, gamma: float) -> np.ndarray:
        x = off_diagonal(gamma, len(reported))
        return (gamma - 1) * x * reported + x * reported.sum()

    return Estimator(
        lambda rng: (mechanism.perturb_counts(counts, rng), gamma),
        solution,
        counts,
        np.sqrt(count_variance(mechanism.matrix(), counts)) / mechanism.stay,
        (
            Mistake(
                lambda reported, gamma: reported,
                "These are the reports as they came. Values that few people have get far too many "
                "of them.",
            ),
            Mistake(
                by_diagonal,
                "Divided by the diagonal entry γx: but a part x of it is already in what was "
                "taken off.",
            ),
            Mistake(
                only_scaled,
                "Before you scale, take off the reports that land on each value at random.",
            ),
            Mistake(
                only_shifted,
                "The random reports are taken off; what is left comes only from those who send "
                "their value on purpose. Scale it up.",
            ),
            Mistake(
                too_many_shares,
                "Your x does not make a column sum to one: the true value is one of the n.",
            ),
            Mistake(
                perturbed_again,
                "This perturbs the reports once more. Solve E(Y) = sX + xN for X.",
            ),
            Mistake(
                lambda reported, gamma: solution(reported, gamma) / reported.sum(),
                "These are shares. Numbers of people are wanted.",
            ),
            Mistake(
                lambda reported, gamma: np.maximum(solution(reported, gamma), 0),
                "You set negative estimates to zero. Then rare values are too large on average: "
                "leave the estimates as they come out.",
            ),
            Mistake(
                lambda reported, gamma: clip_and_renormalise(solution(reported, gamma)),
                "You mended the negative estimates. That shifts the mean: leave them as they come "
                "out.",
            ),
        ),
        "One subtraction and one division undo the perturbation for any number of values.",
    )


def people_needed() -> Exercise:
    """How many people bring the standard deviation of an estimated share to one point."""
    n, gamma, share, wanted = 8, 5, 0.15, 0.01
    mechanism = GammaDiagonal(Schema.of_sizes(n), gamma)
    shares = np.r_[share, np.full(n - 1, (1 - share) / (n - 1))]
    per_person = count_variance(mechanism.matrix(), shares)[0]
    stay, x = mechanism.stay, mechanism.x
    reported = stay * share + x
    return Exercise(
        per_person / (stay * wanted) ** 2,
        (
            Mistake(
                per_person / wanted**2,
                "With so many people the reported share has this standard deviation. The estimate "
                "stretches it.",
            ),
            Mistake(
                per_person / (stay * wanted**2),
                "The stretch works on the standard deviation, so it enters the variance squared.",
            ),
            Mistake(
                reported * (1 - reported) / (stay * wanted) ** 2,
                "This takes one coin for all, or adds the chance of who is asked: the two come to "
                "the same. Here the people are fixed, and those with the diagnosis and those "
                "without have different coins.",
            ),
            Mistake(
                share * (1 - share) / wanted**2,
                "This is the chance of who is asked, in a survey without perturbation. Here the "
                "people are fixed and their reports are random.",
            ),
            Mistake(
                per_person / (stay**2 * wanted),
                "The standard deviation falls with the square root of N: the wanted value must be "
                "squared as well.",
            ),
            Mistake(
                share * gamma * x * (1 - gamma * x) / (stay * wanted) ** 2,
                "Only those with the diagnosis toss a coin here. The others may report it too.",
            ),
            Mistake(
                x * (1 - x) / (stay * wanted) ** 2,
                "Everybody has the coin of those without the diagnosis here. Some do have it.",
            ),
            Mistake(
                per_person / (gamma * x * wanted) ** 2,
                "The estimate divides by s, the diagonal entry less x, not by the diagonal entry.",
            ),
        ),
        "The variance goes down as 1/N and is stretched by 1/s squared: privacy is paid in people.",
    )


EXERCISES = {
    "03.1": three_answers,
    "03.2": condition,
    "03.3": coins,
    "03.4": reconstruct,
    "03.5": people_needed,
}
