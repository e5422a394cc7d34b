"""The exercises of lesson 05: a matrix that every client hides."""

import numpy as np

from frapp_lab.checks import max_alpha, off_diagonal
from frapp_lab.exercises import Estimator, Exercise, exercise
from frapp_lab.mechanisms import RandomizedGammaDiagonal
from frapp_lab.privacy import realized_amplification, realized_posterior
from frapp_lab.reconstruction import count_variance, variance_split
from frapp_lab.schema import Schema


@exercise("05.1")
def largest_alpha():
    """The largest valid α in a small domain, where the off-diagonal entries set the limit."""
    gamma, n = 19, 10
    x = off_diagonal(gamma, n)
    solution = max_alpha(gamma, n)
    mistakes = {
        "This keeps the diagonal from falling below zero when r is negative. Look at the other "
        "entries when r is positive: which of the two limits comes first?": gamma * x,
        "An off-diagonal entry does not lose all of r: "
        "r is shared out among the other n − 1 entries of its column.": x,
        "This is the paper's example value of α. "
        "Here it is too large: put r = +α into the off-diagonal entries.": gamma * x / 2,
        "A column has n entries, but one of them is the diagonal: how many share −r?": n * x,
        "This is in units of γx. Give α itself.": (n - 1) / gamma,
    }
    lesson = "In a small domain the other entries run out first; in a large one the diagonal does."
    return Exercise(solution, mistakes, lesson)


@exercise("05.2")
def leaked():
    """The amplification of one client's matrix once r is known."""
    gamma, n = 19, 30
    x = off_diagonal(gamma, n)
    alpha = gamma * x / 2
    high, other = gamma * x + alpha, alpha / (n - 1)
    solution = realized_amplification(gamma, alpha, n)[1]
    mistakes = {
        "The diagonal has grown, so the other entries of the column have shrunk: "
        "they are no longer x.": high / x,
        "The other entries move against the diagonal: mind their sign.": high / (x + other),
        "This comes out if 30 entries share −α. "
        "How many entries of a column are not on the diagonal?": high / (x - alpha / n),
        "An off-diagonal entry does not lose all of α, "
        "and a ratio of probabilities cannot be negative.": high / (x - alpha),
        "This is the client at the other end, with r = −α, "
        "who is hidden better.": realized_amplification(gamma, alpha, n)[0],
        "This holds as long as nobody knows r. The question is about a miner who does.": float(
            gamma
        ),
    }
    lesson = (
        "While r is secret the amplification is γ; for a miner who knows r it can be far above γ."
    )
    return Exercise(solution, mistakes, lesson)


@exercise("05.3")
def posterior_of_r():
    """The worst-case posterior as a function of r, without the paper's misprint."""

    def entries(gamma, r, n):
        x = off_diagonal(gamma, n)
        return x, gamma * x + r, x - r / (n - 1)

    def printed(prior, gamma, r, n):
        x, own, other = entries(gamma, r, n)
        return (prior * gamma * x + r) / (prior * own + (1 - prior) * other)

    def other_fixed(prior, gamma, r, n):
        x, own, _ = entries(gamma, r, n)
        return prior * own / (prior * own + (1 - prior) * x)

    def whole_r(prior, gamma, r, n):
        x, own, _ = entries(gamma, r, n)
        return prior * own / (prior * own + (1 - prior) * (x - r))

    def opposite(prior, gamma, r, n):
        x, own, _ = entries(gamma, r, n)
        return prior * own / (prior * own + (1 - prior) * (x + r / (n - 1)))

    def without_r(prior, gamma, r, n):
        return realized_posterior(prior, gamma, 0, n)

    def unweighted(prior, gamma, r, n):
        _, own, other = entries(gamma, r, n)
        return prior * own / (prior * own + other)

    mistakes = {
        "This is the formula as printed: at a large r it gives a “probability” above one. "
        "The first term of the denominator must stand in the numerator, as a whole.": printed,
        "The other entries of the column depend on r too, or it would not sum to one.": other_fixed,
        "An off-diagonal entry loses only its part of r: there are n − 1 of them.": whole_r,
        "What the diagonal gains the other entries lose: "
        "mind the sign of their part of r.": opposite,
        "This does not depend on r: it is DET-GD's posterior.": without_r,
        "The second term of the denominator needs the probability that Q "
        "does not hold.": unweighted,
    }
    lesson = "This is Bayes' rule with the entries of one client's own matrix."
    inputs = ((0.05, 19, 0.1, 20), (0.05, 19, -0.1, 20), (0.2, 5, 0.05, 10))
    return Exercise(realized_posterior, mistakes, lesson, inputs)


@exercise("05.4")
def one_r_for_all():
    """How much the variance grows if all clients share one r."""
    counts, gamma, alpha = np.array([500, 300, 200]), 3, 0.2
    own = variance_split(counts, gamma, alpha)
    shared = variance_split(counts, gamma, alpha, shared=True)
    total, between = own.total[0], shared.between[0]
    inside, outside, var_r = counts[0], counts[1:].sum(), alpha**2 / 3
    solution = shared.total[0] / total
    mistakes = {
        "This is the second term alone. The first, E Var(Y | r), is still there.": between / total,
        "The first term is not DET-GD's variance: a random r takes a little off it, "
        "shared or not.": (total + between) / total,
        "The variance of a uniform r on [−α, α] is not α².": (
            total - 3 * own.between[0] + 3 * between
        )
        / total,
        "The people with other records move too, and the other way: their shift, −r/(n−1) each, "
        "is taken off before you square.": (shared.within[0] + var_r * inside**2) / total,
        "The two shifts go opposite ways: "
        "that of the people with other records is taken off before you "
        "square, not added.": (shared.within[0] + var_r * (inside + outside / 2) ** 2) / total,
        "This compares the second terms alone. Add the first term to each of them.": between
        / own.between[0],
        "This compares the standard deviations; the variances are wanted.": (
            shared.total[0] / total
        )
        ** 0.5,
        "That is so when every client has an r of their own. Here all of them move together, "
        "so that their shifts add up instead of averaging out.": 1.0,
    }
    lesson = (
        "Independent shifts add their variances, shared ones add themselves: only the former "
        "vanish in a crowd."
    )
    return Exercise(solution, mistakes, lesson)


@exercise("05.5")
def slip():
    """Estimate the counts although every r was drawn from [0, α]."""
    counts, gamma, alpha = np.array([700, 300, 0]), 3, 0.2
    n = len(counts)
    x = off_diagonal(gamma, n)

    def matrix(r):
        return np.where(np.eye(n) > 0, gamma * x + r, x - r / (n - 1))

    mean = matrix(alpha / 2)
    # A uniform r on [0, α] is α/2 plus a uniform one on [−α/2, α/2]: RAN-GD about another matrix.
    schema = Schema.of_sizes(n)
    clients = RandomizedGammaDiagonal(schema, mean[0, 0] / mean[0, 1], alpha / 2)
    records = np.repeat(np.arange(n), counts)[:, None]
    solution = lambda reports: np.linalg.solve(mean, reports)
    mistakes = {
        "This is the matrix for an r that is zero on average. What is the average of r "
        "after the slip?": lambda reports: np.linalg.solve(matrix(0), reports),
        "This is the matrix of the most extreme client. The miner needs that of "
        "the average one.": lambda reports: np.linalg.solve(matrix(alpha), reports),
        "The columns of your matrix do not sum to one: "
        "what is added to the diagonal is taken from the other "
        "entries.": lambda reports: np.linalg.solve(matrix(0) + np.eye(n) * alpha / 2, reports),
        "These are the counts of the reports: they must still be reconstructed.": lambda reports: (
            np.asarray(reports)
        ),
        "They are cut off below zero, so that their average is too high. "
        "Let estimates be negative.": lambda reports: np.maximum(np.linalg.solve(mean, reports), 0),
    }
    lesson = (
        "The miner needs nothing but the mean matrix, and the spread is that of clients who all "
        "use it."
    )
    return Estimator(
        lambda rng: (schema.counts(clients.perturb(records, rng)),),
        solution,
        counts,
        np.sqrt(count_variance(mean, counts)) / (mean[0, 0] - mean[0, 1]),
        mistakes,
        lesson,
    )
