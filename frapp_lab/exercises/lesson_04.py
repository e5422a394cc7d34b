"""The exercises of lesson 04: which matrix is best."""

from __future__ import annotations

import numpy as np

from frapp_lab.exercises.judging import Estimator, Exercise, Mistake
from frapp_lab.mechanisms import CutAndPaste, GammaDiagonal, Mask
from frapp_lab.optimality import fano_matrix, subset_selection_matrix
from frapp_lab.schema import Schema


def by_hand() -> Exercise:
    """The γ-diagonal matrix with three cells."""
    n, gamma = 3, 4
    shape = np.ones((n, n)) + (gamma - 1) * np.eye(n)
    swapped = gamma * np.ones((n, n)) - (gamma - 1) * np.eye(n)
    solution = GammaDiagonal(Schema.of_sizes(n), gamma).matrix()
    return Exercise(
        solution,
        (
            Mistake(
                solution.round(2),
                "Rounded too far: type the fractions, and let Python divide.",
            ),
            Mistake(
                shape,
                "The ratios are right, but these are shares and not yet probabilities: every "
                "column must sum to one.",
            ),
            Mistake(
                shape / (gamma + n),
                "The columns do not sum to one: count the shares in a column again. The true "
                "cell is one of the n.",
            ),
            Mistake(
                swapped / swapped.sum(axis=0),
                "Here every wrong cell is likelier than the true one: γx belongs on the diagonal.",
            ),
            Mistake(
                np.eye(n) / gamma + (1 - np.eye(n)) * (1 - 1 / gamma) / (n - 1),
                "The true cell has probability 1/γ here. γ is a ratio of two entries in a row.",
            ),
            Mistake(
                np.eye(n) * gamma / (gamma + 1) + (1 - np.eye(n)) / (gamma + 1),
                "This x is the one for two cells. Here a column has two off-diagonal entries.",
            ),
        ),
        "No symmetric positive definite 3 × 3 matrix with this amplification is easier to undo.",
    )


def mask_p() -> Exercise:
    """MASK's probability of keeping a bit, from γ and the number of attributes."""

    def solution(gamma: float, n_attributes: int) -> float:
        return Mask.for_gamma(Schema.of_sizes(*[2] * n_attributes), gamma).p

    return Exercise(
        solution,
        (
            Mistake(
                lambda gamma, n_attributes: 1 - solution(gamma, n_attributes),
                "This is the probability of flipping a bit; that of keeping it is wanted.",
            ),
            Mistake(
                lambda gamma, n_attributes: _share(gamma ** (1 / n_attributes)),
                "In how many bits do two records differ at most? Each attribute has a bit that is "
                "set only in the first record, and one that is set only in the second.",
            ),
            Mistake(
                lambda gamma, n_attributes: gamma ** (1 / (2 * n_attributes)),
                "This is the ratio p/(1 − p). Solve it for p.",
            ),
            Mistake(
                lambda gamma, n_attributes: _share(gamma),
                "This spends all of γ on one bit. The budget is for all bits in which two records "
                "differ, and their factors multiply.",
            ),
            Mistake(
                lambda gamma, n_attributes: _share(gamma / (2 * n_attributes)),
                "The factors of the bits multiply, so the budget of one bit is a root of γ and "
                "not a fraction of it.",
            ),
        ),
        "With every further attribute p comes nearer to ½, and 2p − 1 nearer to zero.",
        inputs=((19.0, 6), (19.0, 7), (3.0, 1), (100.0, 4)),
    )


def _share(odds: float) -> float:
    return odds / (1 + odds)


def noise() -> Exercise:
    """Cut-and-paste's ρ from γ, where the equation is quadratic."""
    gamma, K = 21, 2

    def root(target: float, constant: float) -> float:
        """1/q where q² + q + constant is the target."""
        return 2 / (-1 + (1 + 4 * (target - constant)) ** 0.5)

    rho = CutAndPaste.for_gamma(Schema.of_sizes(2, 2), gamma, K).rho
    return Exercise(
        rho,
        (
            Mistake(1 / rho, "This is 1/ρ, and ρ is a probability."),
            Mistake(
                gamma**-0.5,
                "This takes the largest term alone. The amplification is the sum over all w.",
            ),
            Mistake(
                (gamma - 1) ** -0.5,
                "The term of w = 1 is missing. The sum goes over all w from 0 to K.",
            ),
            Mistake(
                2 / (-1 - (1 + 4 * (gamma - 1)) ** 0.5),
                "The quadratic equation has another root. ρ is a probability.",
            ),
            Mistake(root(gamma, 0), "The sum begins with w = 0, which contributes a one."),
            Mistake(
                root((K + 1) * gamma, 1),
                "This sets the average over w to γ. The smallest probability has the same factor "
                "1/(K + 1), so it cancels and the sum remains.",
            ),
            Mistake(
                1 / (gamma - 1),
                "This is the ρ for K = 1: there is one more term.",
            ),
        ),
        "Substitute q = 1/ρ: for any K it is a polynomial equation with one positive root.",
    )


def condition() -> Exercise:
    """The condition number of a symmetric matrix from its eigenvalues."""

    def solution(matrix: np.ndarray) -> float:
        return float(np.linalg.cond(matrix))

    def signed(matrix: np.ndarray) -> float:
        values = np.linalg.eigvalsh(matrix)
        return values[-1] / values[0]

    def absolute_of_least(matrix: np.ndarray) -> float:
        return abs(signed(matrix))

    def only_positive(matrix: np.ndarray) -> float:
        values = np.linalg.eigvalsh(matrix)
        return values[-1] / values[values > 0].min()

    # Neither the largest nor the smallest |λ| belongs to a positive eigenvalue: −5, −½ and 2.
    negative = np.array([[-1.5, 3.5, 0], [3.5, -1.5, 0], [0, 0, -0.5]])
    mixed = np.array([[0.2, 0.5, 0.3], [0.5, 0.2, 0.3], [0.3, 0.3, 0.4]])
    definite = GammaDiagonal(Schema.of_sizes(5), 3).matrix()
    return Exercise(
        solution,
        (
            Mistake(
                signed,
                "A condition number is never negative. The singular values of a symmetric matrix "
                "are the absolute values of its eigenvalues.",
            ),
            Mistake(
                absolute_of_least,
                "This divides the last eigenvalue by the first and drops the sign. The lowest one "
                "need not be the one nearest to zero, and absolute values are no longer sorted: "
                "take the largest and the smallest of them.",
            ),
            Mistake(
                lambda matrix: 1 / abs(np.linalg.eigvalsh(matrix)).min(),
                "This takes the largest eigenvalue for 1. So it is if the columns sum to one, but "
                "not for every symmetric matrix.",
            ),
            Mistake(
                lambda matrix: (
                    np.linalg.eigvalsh(matrix)[-1] / abs(np.linalg.eigvalsh(matrix)).min()
                ),
                "The eigenvalue with the largest absolute value may be negative too.",
            ),
            Mistake(
                only_positive,
                "You left the negative eigenvalues out. Their absolute values are singular values "
                "as well.",
            ),
            Mistake(
                lambda matrix: 1 / solution(matrix),
                "The ratio is upside down: the condition number is at least one.",
            ),
            Mistake(
                lambda matrix: solution(matrix) ** 2,
                "These are eigenvalues of A·A, or squares: take the square root.",
            ),
        ),
        "For positive definite matrices the absolute values change nothing, and there the paper's "
        "proof holds.",
        inputs=((definite,), (fano_matrix(),), (mixed,), (negative,)),
    )


def undo_subsets() -> Estimator:
    """The shares of six cells from reports that are sets of two cells."""
    n, d, gamma = 6, 2, 3.0
    people = np.array([200, 120, 80, 60, 30, 10])
    matrix = subset_selection_matrix(n, d, gamma)
    holds = matrix > matrix.mean()

    def draw(rng: np.random.Generator) -> tuple:
        sent = sum(
            rng.multinomial(count, column) for count, column in zip(people, matrix.T, strict=True)
        )
        return (rng.permutation(np.repeat(holds, sent, axis=0)),)

    own = gamma * d / (gamma * d + n - d)
    other = (own * (d - 1) + (1 - own) * d) / (n - 1)

    def undo(yes: float, no: float):
        return lambda reports: (np.mean(reports, axis=0) - no) / (yes - no)

    share = people / people.sum()
    variance = share * own * (1 - own) + (1 - share) * other * (1 - other)
    x = 1 / (gamma + n - 1)
    return Estimator(
        draw,
        undo(own, other),
        share,
        np.sqrt(variance / people.sum()) / (own - other),
        (
            Mistake(
                lambda reports: np.mean(reports, axis=0),
                "These are the shares of reports that hold each cell. They sum to two, and even a "
                "cell with nobody in it is held by many: undo the perturbation.",
            ),
            Mistake(
                lambda reports: np.sum(reports, axis=0) / np.sum(reports),
                "You have shared out the reports' cells, but not undone the perturbation: a cell "
                "with nobody in it would still get something.",
            ),
            Mistake(
                undo(gamma * x, x),
                "These are the probabilities of the γ-diagonal matrix, where a report is a single "
                "cell. Here it is a set of two.",
            ),
            Mistake(
                undo(own, d / n),
                "A cell that is not the true one is in fewer reports than a cell taken at random, "
                "because the true one is preferred: work out its probability.",
            ),
            Mistake(
                undo(own, 1 - own),
                "The probability that the true cell is missing is not the probability that "
                "another given cell is there.",
            ),
            Mistake(
                lambda reports: (np.mean(reports, axis=0) - other) / own,
                "Subtracting is right. Then divide by how much being there raises the chance to "
                "be held: a difference of two probabilities.",
            ),
            Mistake(
                lambda reports: np.maximum(undo(own, other)(reports), 0),
                "You set negative estimates to zero. Then rare cells are too large on average: "
                "leave the estimates as they come out.",
            ),
            Mistake(
                lambda reports: len(reports) * undo(own, other)(reports),
                "These are numbers of people; shares are wanted.",
            ),
        ),
        "One line undoes a matrix of fifteen reports: only how often each cell is held matters.",
    )


EXERCISES = {
    "04.1": by_hand,
    "04.2": mask_p,
    "04.3": noise,
    "04.4": condition,
    "04.5": undo_subsets,
}
