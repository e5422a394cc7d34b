"""The exercises of lesson 04: which matrix is best."""

import numpy as np

from frapp_lab.exercises import Estimator, Exercise, exercise
from frapp_lab.mechanisms.cut_and_paste import CutAndPaste
from frapp_lab.mechanisms.gamma_diagonal import GammaDiagonal
from frapp_lab.mechanisms.mask import Mask
from frapp_lab.optimality import fano_matrix, subset_selection_matrix
from frapp_lab.schema import Schema


@exercise("04.1")
def by_hand():
    """The γ-diagonal matrix with three cells."""
    n, gamma = 3, 4

    def table(diagonal, other):
        return np.where(np.eye(n), diagonal, other)

    shape, swapped = table(gamma, 1), table(1, gamma) / (1 + (n - 1) * gamma)
    own_is_rare, two_cells = table(1 / gamma, (1 - 1 / gamma) / (n - 1)), shape / (gamma + 1)
    solution = GammaDiagonal(Schema.of_sizes(n), gamma).matrix()
    mistakes = {
        "Rounded too far: type the fractions, and let Python divide.": solution.round(2),
        "The ratios are right, but these are shares and not yet probabilities: "
        "every column must sum to one.": shape,
        "The columns do not sum to one: count the shares in a column again. "
        "The true cell is one of the n.": shape / (gamma + n),
        "Here every wrong cell is likelier than the true one: γx belongs on the diagonal.": swapped,
        "The true cell has probability 1/γ here. "
        "γ is a ratio of two entries in a row.": own_is_rare,
        "This x is the one for two cells. Here a column has two off-diagonal entries.": two_cells,
    }
    lesson = (
        "No symmetric positive definite 3 × 3 matrix with this amplification is easier to undo."
    )
    return Exercise(solution, mistakes, lesson)


@exercise("04.2")
def mask_p():
    """MASK's probability of keeping a bit, from γ and the number of attributes."""

    def solution(gamma, M):
        return Mask.for_gamma(Schema.of_sizes(*[2] * M), gamma).p

    def share(odds):
        return odds / (1 + odds)

    mistakes = {
        "This is the probability of flipping a bit; "
        "that of keeping it is wanted.": lambda gamma, M: 1 - solution(gamma, M),
        "In how many bits do two records differ at most? "
        "Each attribute has a bit that is set only in the first record, "
        "and one that is set only in the second.": lambda gamma, M: share(gamma ** (1 / M)),
        "This is the ratio p/(1 − p). Solve it for p.": lambda gamma, M: gamma ** (1 / (2 * M)),
        "This spends all of γ on one bit. The budget is for all bits in which two records differ, "
        "and their factors multiply.": lambda gamma, M: share(gamma),
        "The factors of the bits multiply, so the budget of one bit is a root of γ and not a "
        "fraction of it.": lambda gamma, M: share(gamma / (2 * M)),
    }
    lesson = "With every further attribute p comes nearer to ½, and 2p − 1 nearer to zero."
    inputs = ((19.0, 6), (19.0, 7), (3.0, 1), (100.0, 4))
    return Exercise(solution, mistakes, lesson, inputs=inputs)


@exercise("04.3")
def noise():
    """Cut-and-paste's ρ from γ, where the equation is quadratic."""
    gamma, K = 21, 2

    def root(target, constant, sign=1):
        """1/q where q² + q + constant is the target."""
        return 2 / (-1 + sign * (1 + 4 * (target - constant)) ** 0.5)

    rho = CutAndPaste.for_gamma(Schema.of_sizes(2, 2), gamma, K).rho
    mistakes = {
        "This is 1/ρ, and ρ is a probability.": 1 / rho,
        "This takes the largest term alone. The amplification is the sum over all w.": gamma**-0.5,
        "The term of w = 1 is missing. The sum goes over all w from 0 to K.": (gamma - 1) ** -0.5,
        "The quadratic equation has another root. ρ is a probability.": root(gamma, 1, sign=-1),
        "The sum begins with w = 0, which contributes a one.": root(gamma, 0),
        "This sets the average over w to γ. The smallest probability has the same factor "
        "1/(K + 1), so it cancels and the sum remains.": root((K + 1) * gamma, 1),
        "This is the ρ for K = 1: there is one more term.": 1 / (gamma - 1),
    }
    lesson = "Substitute q = 1/ρ: for any K it is a polynomial equation with one positive root."
    return Exercise(rho, mistakes, lesson)


@exercise("04.4")
def condition():
    """The condition number of a symmetric matrix from its eigenvalues."""

    def solution(A):
        return float(np.linalg.cond(A))

    def of_values(ratio):
        return lambda A: ratio(np.linalg.eigvalsh(A))

    def power(k):
        return lambda A: solution(A) ** k

    # Neither the largest nor the smallest |λ| belongs to a positive eigenvalue: −5, −½ and 2.
    negative = np.array([[-1.5, 3.5, 0], [3.5, -1.5, 0], [0, 0, -0.5]])
    mixed = np.array([[0.2, 0.5, 0.3], [0.5, 0.2, 0.3], [0.3, 0.3, 0.4]])
    definite = GammaDiagonal(Schema.of_sizes(5), 3).matrix()
    mistakes = {
        "A condition number is never negative. The singular values of a symmetric matrix are the "
        "absolute values of its eigenvalues.": of_values(lambda v: v[-1] / v[0]),
        "This divides the last eigenvalue by the first and drops the sign. The "
        "lowest one need not be the one nearest to zero, and absolute values are no longer sorted: "
        "take the largest and the smallest of them.": of_values(lambda v: abs(v[-1] / v[0])),
        "This takes the largest eigenvalue for 1. So it is if the columns sum to one, "
        "but not for every symmetric matrix.": of_values(lambda v: 1 / abs(v).min()),
        "The eigenvalue with the largest absolute value may be negative too.": of_values(
            lambda v: v[-1] / abs(v).min()
        ),
        "You left the negative eigenvalues out. Their absolute values are singular "
        "values as well.": of_values(lambda v: v[-1] / v[v > 0].min()),
        "The ratio is upside down: the condition number is at least one.": power(-1),
        "These are eigenvalues of A·A, or squares: take the square root.": power(2),
    }
    lesson = (
        "For positive definite matrices the absolute values change nothing, and there the paper's "
        "proof holds."
    )
    inputs = ((definite,), (fano_matrix(),), (mixed,), (negative,))
    return Exercise(solution, mistakes, lesson, inputs=inputs)


@exercise("04.5")
def undo_subsets():
    """The shares of six cells from reports that are sets of two cells."""
    n, d, gamma = 6, 2, 3.0
    people = np.array([200, 120, 80, 60, 30, 10])
    matrix = subset_selection_matrix(n, d, gamma)
    holds = matrix > matrix.mean()

    def draw(rng):
        sent = rng.multinomial(people, matrix.T).sum(axis=0)
        return (rng.permutation(np.repeat(holds, sent, axis=0)),)

    own = gamma * d / (gamma * d + n - d)
    other = (own * (d - 1) + (1 - own) * d) / (n - 1)

    def undo(yes, no):
        return lambda held: (held.mean(axis=0) - no) / (yes - no)

    share = people / people.sum()
    variance = share * own * (1 - own) + (1 - share) * other * (1 - other)
    x = 1 / (gamma + n - 1)
    solution = undo(own, other)
    mistakes = {
        "These are the shares of reports that hold each cell. They sum to two, and even a cell "
        "with nobody in it is held by many: undo the perturbation.": lambda held: held.mean(axis=0),
        "You have shared out the reports' cells, but not undone the perturbation: a cell with "
        "nobody in it would still get something.": lambda held: held.sum(axis=0) / held.sum(),
        "These are the probabilities of the γ-diagonal matrix, where a report is a single cell. "
        "Here it is a set of two.": undo(gamma * x, x),
        "A cell that is not the true one is in fewer reports than a cell taken at random, "
        "because the true one is preferred: work out its probability.": undo(own, d / n),
        "The probability that the true cell is missing is not the probability that another given "
        "cell is there.": undo(own, 1 - own),
        "Subtracting is right. Then divide by how much being there raises the chance to be held: "
        "a difference of two probabilities.": lambda held: (held.mean(axis=0) - other) / own,
        "You set negative estimates to zero. Then rare cells are too large on average: "
        "leave the estimates as they come out.": lambda held: np.maximum(solution(held), 0),
        "These are numbers of people; shares are wanted.": lambda held: len(held) * solution(held),
    }
    lesson = (
        "One line undoes a matrix of fifteen reports: only how often each cell is held matters."
    )
    deviation = np.sqrt(variance / people.sum()) / (own - other)
    return Estimator(draw, solution, share, deviation, mistakes, lesson)
