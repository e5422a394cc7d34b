"""The exercises of lesson 04: which matrix is best."""

import numpy as np

from frapp_lab.course.exercises import Exercise, exercise
from frapp_lab.data.schema import Schema
from frapp_lab.mechanisms.cut_and_paste import CutAndPaste
from frapp_lab.mechanisms.gamma_diagonal import GammaDiagonal
from frapp_lab.mechanisms.mask import Mask
from frapp_lab.privacy import amplification


@exercise("04.a")
def two_by_two():
    """The amplification of a matrix: the largest ratio within a row."""
    A = np.array([[0.7, 0.2], [0.3, 0.8]])
    (a, b), (c, d) = A
    mistakes = {
        "These two entries are in different rows. A row is one report: compare within it.": d / b,
        "These two entries are in one column: what one client may send. "
        "Privacy compares two clients who send the same.": a / c,
        "Another row has a larger ratio.": d / c,
        "The smaller entry is divided by the larger one.": b / a,
    }
    lesson = "The first report fits the first record so much better than the second one."
    return Exercise(amplification(A), mistakes, lesson)


@exercise("04.b")
def two_attributes():
    """MASK's amplification for two attributes."""
    p, M = 0.6, 2
    odds = p / (1 - p)
    mistakes = {
        "In an attribute in which two records differ, two bits differ.": odds**M,
        "This is one bit. How many bits differ if the records differ everywhere?": odds,
        "The factors of independent bits multiply; they are not added.": 2 * M * odds,
        "Divide by the probability that the bit is flipped: γ is a ratio.": p ** (2 * M),
    }
    lesson = "Four bits differ, and each has its factor."
    return Exercise(odds ** (2 * M), mistakes, lesson)


@exercise("04.c")
def largest_diagonal():
    """Step 4 of the proof in numbers."""
    n, gamma = 5, 4
    mistakes = {
        "Count again: beside the diagonal entry the row has n − 1 others.": gamma / (gamma + n),
        "So small the other entries of the row are then. The diagonal one is wanted.": (
            1 / (gamma + n - 1)
        ),
        "This is γ times the average entry; but the average has the diagonal entry in it.": (
            gamma / n
        ),
        "Then nothing is left for the others, and the ratio within the row is infinite.": 1.0,
    }
    lesson = "At this γ no symmetric matrix lets a client tell the truth more often than that."
    return Exercise(gamma / (gamma + n - 1), mistakes, lesson)


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
        "This is 1/ρ_cp, and ρ_cp is a probability.": 1 / rho,
        "This takes the largest term alone. The amplification is the sum over all w.": gamma**-0.5,
        "The term of w = 1 is missing. The sum goes over all w from 0 to K.": (gamma - 1) ** -0.5,
        "The quadratic equation has another root. ρ_cp is a probability.": root(gamma, 1, sign=-1),
        "The negative root belongs to no probability, and its sign cannot be dropped: take the "
        "other one.": -root(gamma, 1, sign=-1),
        "The sum begins with w = 0, which contributes a one.": root(gamma, 0),
        "This sets the average over w to γ. The smallest probability has the same factor "
        "1/(K + 1), so it cancels and the sum remains.": root((K + 1) * gamma, 1),
        "This is the ρ_cp for K = 1: there is one more term.": 1 / (gamma - 1),
    }
    lesson = "Substitute z = 1/ρ_cp: for any K it is a polynomial equation with one positive root."
    return Exercise(rho, mistakes, lesson)


@exercise("04.4")
def crossing():
    """The number of cells at which DET-GD and MASK have one condition number at length 1."""
    gamma, M = 16, 2

    def cells(odds, length=1):
        """Solve 1 + n/(γ − 1) = κ, where κ is MASK's."""
        kappa = ((odds + 1) / (odds - 1)) ** length
        return (gamma - 1) * (kappa - 1)

    odds = gamma ** (1 / (2 * M))
    kappa = (odds + 1) / (odds - 1)
    mistakes = {
        "DET-GD's condition number is one more than n/(γ − 1).": (gamma - 1) * kappa,
        "MASK's side is right. In DET-GD's condition number n is divided by γ − 1, not by γ.": (
            gamma * (kappa - 1)
        ),
        "In an attribute in which two records differ, two bits differ: the exponent of γ is "
        "1/(2M).": cells(gamma ** (1 / M)),
        "2 is MASK's p/(1 − p): go on to its condition number, and then to the cells that give it "
        "to DET-GD. (Or, if you solved for n already, all of γ was spent on one bit.)": cells(
            gamma
        ),
        "This is for itemsets of length 2.": cells(odds, length=2),
        "This is the condition number at which they meet. How many cells give it to DET-GD?": kappa,
    }
    lesson = "On CENSUS, with M = 6 and γ = 19, they meet at about 130 cells, and it has 2,000."
    return Exercise(cells(odds), mistakes, lesson)


@exercise("04.5")
def backwards():
    """The smallest γ at which a condition number can be had."""
    n, kappa = 40, 5
    mistakes = {
        "Solve (γ + n − 1)/(γ − 1) ≤ 5 again: take off the 1 before you divide.": 1 + n / kappa,
        "This is γ − 1.": n / (kappa - 1),
        "The bound has γ + n − 1 above the line, not γ + n.": (n + kappa) / (kappa - 1),
        "This is n divided by the condition number. Write the bound as 1 + n/(γ − 1).": n / kappa,
        "The smallest condition number at this γ is larger than 5: try it.": kappa,
    }
    lesson = "For the best of this class (γ − 1)(κ − 1) = n: to halve κ − 1 is to double γ − 1."
    return Exercise(1 + n / (kappa - 1), mistakes, lesson)
