"""Lesson 09: what the proof forbids and what it does not, and why the variance decides."""

import numpy as np

from frapp_lab.exercises import Estimator, Exercise, exercise
from frapp_lab.optimality import condition_lower_bound, subset_selection_matrix


@exercise("09.a")
def trace():
    """The largest trace of a Markov matrix with a given γ."""
    n, gamma = 3, 2
    mistakes = {
        "This is the limit of one diagonal entry of a symmetric matrix. The trace is the sum of "
        "all three.": gamma / (gamma + n - 1),
        "That is the identity, whose γ is infinite.": float(n),
        "So small it is if all reports are equally likely, which is γ = 1.": 1.0,
        "Below the line is γ + n − 1.": n * gamma / (gamma + n),
        "This is γ. The trace is limited by more than that.": float(gamma),
        "This is the trace of the matrix in the next cell. Others may have a larger one.": 1.4,
    }
    lesson = "The γ-diagonal matrix attains it."
    return Exercise(n * gamma / (gamma + n - 1), mistakes, lesson)


@exercise("09.b")
def holds_the_true_cell():
    """The probability that a subset holds the true cell."""
    n, d, gamma = 10, 2, 3
    own = gamma * d / (gamma * d + n - d)
    mistakes = {
        "This is the γ-diagonal matrix, where a report is a single cell.": gamma / (gamma + n - 1),
        "This is a set drawn uniformly: those with the true cell are preferred.": d / n,
        "Below the line are the weights of the sets with the cell and of those without: "
        "for each d of the first there are n − d of the others.": gamma * d / (gamma * d + n),
        "This is the probability for another given cell.": (own * (d - 1) + (1 - own) * d)
        / (n - 1),
        "One set with the true cell is γ times as likely as one without. But there are more sets "
        "without it than with it.": gamma / (gamma + 1),
    }
    lesson = "A uniformly drawn pair would hold it one time in five."
    return Exercise(own, mistakes, lesson)


@exercise("09.1")
def larger_plane():
    """The condition number of the matrix of the plane with 13 points."""
    points, on_line, gamma = 13, 4, 2
    total = points + on_line
    mistakes = {
        "This is the bound for positive definite matrices. This one has negative eigenvalues.": (
            condition_lower_bound(gamma, points)
        ),
        "BᵀB stretches by so much; B itself by the square root of it.": total / (on_line - 1),
        "Entry (u, u) of BᵀB is 4, but a 1 of it belongs to J, which does nothing to vectors that "
        "sum to zero.": total / on_line**0.5,
        "That is without the root, too: and a 1 of the 4 belongs to J.": total / on_line,
        "This is the smallest singular value.": (on_line - 1) ** 0.5 / total,
        "This is the Fano matrix of section 2.": 10 / 2**0.5,
        "The largest eigenvalue of A is 1; this is B's, divided by how much B stretches vectors "
        "that sum to zero.": on_line / (on_line - 1) ** 0.5,
    }
    lesson = "The bound for positive definite matrices would be 14: this one is well below it."
    return Exercise(total / (on_line - 1) ** 0.5, mistakes, lesson)


@exercise("09.2")
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


@exercise("09.3")
def longer_itemsets():
    """MASK's deviation for an itemset of values that nobody has."""

    def one(p):
        return (p * (1 - p)) ** 0.5 / (2 * p - 1)

    mistakes = {
        "This is N times the variance. Take the root.": lambda p, k: one(p) ** (2 * k),
        "You divide by the power of 2p − 1, but above the line there is the deviation of one bit "
        "only: k factors are multiplied.": lambda p, k: (p * (1 - p)) ** 0.5 / (2 * p - 1) ** k,
        "You have the deviation of the product. The estimate divides it by λ.": lambda p, k: (
            (p * (1 - p)) ** (k / 2)
        ),
        "This is a sum of k independent factors. Here they are multiplied.": lambda p, k: (
            k**0.5 * one(p)
        ),
        "The deviation of one value is multiplied by k. Is a product of two factors twice as far "
        "off?": lambda p, k: k * one(p),
        "This is one value, whatever k is.": lambda p, k: one(p),
        "The product is divided by 2p − 1 once. For k values λ is another one.": lambda p, k: (
            (p * (1 - p)) ** (k / 2) / (2 * p - 1)
        ),
    }
    lesson = (
        "On CENSUS one factor is about 4: each further value makes the noise four times larger."
    )
    inputs = ((0.75, 1), (0.6, 2), (0.561, 3), (0.9, 4))
    return Exercise(lambda p, k: one(p) ** k, mistakes, lesson, inputs)
