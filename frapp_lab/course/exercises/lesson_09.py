"""Lesson 09: what the proof does not forbid, why the variance decides, and what winners cost."""

import numpy as np

from frapp_lab.course.exercises import Estimator, Exercise, exercise
from frapp_lab.mining.optimality import condition_lower_bound, subset_selection_matrix


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


@exercise("09.c")
def bits_apart():
    """The amplification of a unary encoding, from the chances of its bits."""
    own, other = 0.6, 0.2
    up, down = own / other, (1 - other) / (1 - own)
    mistakes = {
        "This is the bit of one record's own cell. The bit of the other record's own cell differs, "
        "too.": up,
        "This is the bit of the other record's own cell. The bit of the first one's differs, "
        "too.": down,
        "The two ratios belong to two bits, which are drawn independently. So do not add them.": (
            up + down
        ),
        "The second bit is 0 here, not 1: its ratio is that of the chances of a zero.": up**2,
        "This is the odds of a bit that is not the own one. Two records are compared: which bits "
        "do they treat differently?": (1 - other) / other,
        "This is the smallest ratio, for the report that speaks most against the record.": 1
        / (up * down),
    }
    lesson = "All other bits have the same law for both records: they cancel."
    return Exercise(up * down, mistakes, lesson)


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
        sent = rng.multinomial(people, matrix.T).sum(axis=0).astype(np.intp)
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


@exercise("09.4")
def unary_deviation():
    """OUE's deviation for a cell that nobody is in."""

    def deviation(own, other):
        return (other * (1 - other)) ** 0.5 / (own - other)

    def solution(gamma):
        return deviation(0.5, 1 / (gamma + 1))

    mistakes = {
        "This is N times the variance. Take the root.": lambda gamma: solution(gamma) ** 2,
        "So much the share of reports that hold the cell varies. The estimate divides by "
        "something.": lambda gamma: gamma**0.5 / (gamma + 1),
        "The variance of a coin has a second factor: that it shows the other side.": lambda gamma: (
            (gamma + 1) ** -0.5 / (0.5 - 1 / (gamma + 1))
        ),
        "You have the spread of an own bit. Nobody is in this cell, so that it is no client's "
        "own.": lambda gamma: 0.5 / (0.5 - 1 / (gamma + 1)),
        "Divide by how much being in the cell raises the chance that a report holds it: that is a "
        "difference.": lambda gamma: 2 * gamma**0.5 / (gamma + 1),
        "These are the chances of SUE, all of whose bits tell the truth equally often.": (
            lambda gamma: deviation(gamma**0.5 / (gamma**0.5 + 1), 1 / (gamma**0.5 + 1))
        ),
        "You have taken 1/γ as the chance of a bit that is another's. See how it follows from the "
        "formula of γ.": lambda gamma: deviation(0.5, 1 / gamma),
    }
    lesson = (
        "The number of cells is not in it! The γ-diagonal matrix has √(γ + n − 2)/(γ − 1), which "
        "is smaller just when n < 3γ + 2: the dashed line on the map."
    )
    return Exercise(solution, mistakes, lesson, ((3.0,), (9.0,), (19.0,), (100.0,)))


@exercise("09.5")
def liars():
    """The estimated share of an empty cell that liars name."""

    def solution(share, q1, q0):
        return share * (1 - q0) / (q1 - q0)

    mistakes = {
        "This is the share of all reports that hold the cell. Now undo the perturbation.": (
            lambda share, q1, q0: share + (1 - share) * q0
        ),
        "So many lie. But the miner undoes a perturbation that their reports never had.": (
            lambda share, q1, q0: share
        ),
        "You magnify, but a background is taken off first, off lies as off honest reports.": (
            lambda share, q1, q0: share / (q1 - q0)
        ),
        "You undo as if only lies held the cell. Honest reports hold it too, by chance.": (
            lambda share, q1, q0: (share - q0) / (q1 - q0)
        ),
        "Liars toss no coin: their reports hold the cell for certain.": lambda share, q1, q0: (
            share * q1 / (q1 - q0)
        ),
        "The honest reports' background is still in it.": lambda share, q1, q0: (
            (share + (1 - share) * q0) / (q1 - q0)
        ),
        "This is what a single lie is worth, if it were the only report. How many lie?": (
            lambda share, q1, q0: (1 - q0) / (q1 - q0)
        ),
        "Divide by the difference of the two chances, not by the first.": lambda share, q1, q0: (
            share * (1 - q0) / q1
        ),
    }
    lesson = (
        "Put in the two chances of the γ-diagonal matrix on CENSUS, and those of OUE: 1 % of liars "
        "make up 112 points of support there and 2.1 here."
    )
    inputs = ((0.01, 0.5, 0.05), (0.02, 19 / 118, 1 / 118), (0.1, 0.75, 0.25), (0.05, 0.6, 0.3))
    return Exercise(solution, mistakes, lesson, inputs)


@exercise("09.6")
def missing_line():
    """The γ that SUE attains if its own bit, where not told, keeps its noise."""

    def attained(own, other):
        return own * (1 - other) / (other * (1 - own))

    def bits(gamma):
        root = gamma**0.5
        return root / (root + 1), 1 / (root + 1)

    def solution(gamma):
        own, other = bits(gamma)
        return attained(own + (1 - own) * other, other)

    def too_often(gamma):
        own, other = bits(gamma)
        return attained(own + own * other, other)

    def one_bit(gamma):
        own, other = bits(gamma)
        return (own + (1 - own) * other) / other

    def other_bit(gamma):
        own, other = bits(gamma)
        return (1 - other) / ((1 - own) * (1 - other))

    mistakes = {
        "This is what is promised, with the line in place.": lambda gamma: gamma,
        "This is what OUE attains without the line. SUE's own bit is told more often.": (
            lambda gamma: gamma + 2
        ),
        "The noise decides only when the bit was not told: weigh it with the chance of that.": (
            too_often
        ),
        "This is the ratio of one bit. Two records differ in two bits.": one_bit,
        "This is the ratio of the other record's own bit. Two records differ in two bits.": (
            other_bit
        ),
        "You have taken SUE's chances without the roots.": lambda gamma: gamma**2 + gamma + 1,
    }
    lesson = "A promise of 19 becomes 24.4; OUE without the line has 21."
    return Exercise(solution, mistakes, lesson, ((4.0,), (9.0,), (19.0,), (1.5,)))
