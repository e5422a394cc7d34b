"""The exercises of lesson 05: a matrix that every client hides."""

from __future__ import annotations

import numpy as np

from frapp_lab.exercises.judging import Estimator, Exercise, Mistake
from frapp_lab.mechanisms import RandomizedGammaDiagonal
from frapp_lab.privacy import max_alpha, off_diagonal, realized_amplification, realized_posterior
from frapp_lab.reconstruction import count_variance, variance_split
from frapp_lab.schema import Schema


def largest_alpha() -> Exercise:
    """The largest valid α in a small domain, where the off-diagonal entries set the limit."""
    gamma, n = 19, 10
    x = off_diagonal(gamma, n)
    return Exercise(
        max_alpha(gamma, n),
        (
            Mistake(
                gamma * x,
                "This keeps the diagonal from falling below zero when r is negative. Look at the "
                "other entries when r is positive: which of the two limits comes first?",
            ),
            Mistake(
                x,
                "An off-diagonal entry does not lose all of r: r is shared out among the other "
                "n − 1 entries of its column.",
            ),
            Mistake(
                gamma * x / 2,
                "This is the paper's example value of α. Here it is too large: put r = +α into the "
                "off-diagonal entries.",
            ),
            Mistake(
                n * x,
                "A column has n entries, but one of them is the diagonal: how many share −r?",
            ),
            Mistake(
                (n - 1) / gamma,
                "This is in units of γx. Give α itself.",
            ),
        ),
        "In a small domain the other entries run out first; in a large one the diagonal does.",
    )


def leaked() -> Exercise:
    """The amplification of one client's matrix once r is known."""
    gamma, n = 19, 30
    x = off_diagonal(gamma, n)
    alpha = gamma * x / 2
    high, other = gamma * x + alpha, alpha / (n - 1)
    return Exercise(
        realized_amplification(gamma, alpha, n)[1],
        (
            Mistake(
                high / x,
                "The diagonal has grown, so the other entries of the column have shrunk: they are "
                "no longer x.",
            ),
            Mistake(
                high / (x + other),
                "The other entries move against the diagonal: mind their sign.",
            ),
            Mistake(
                high / (x - alpha / n),
                "This comes out if 30 entries share −α. How many entries of a column are not on "
                "the diagonal?",
            ),
            Mistake(
                high / (x - alpha),
                "An off-diagonal entry does not lose all of α, and a ratio of probabilities cannot "
                "be negative.",
            ),
            Mistake(
                realized_amplification(gamma, alpha, n)[0],
                "This is the client at the other end, with r = −α, who is hidden better.",
            ),
            Mistake(
                float(gamma),
                "This holds as long as nobody knows r. The question is about a miner who does.",
            ),
        ),
        "While r is secret the amplification is γ; for a miner who knows r it can be far above γ.",
    )


def posterior_of_r() -> Exercise:
    """The worst-case posterior as a function of r, without the paper's misprint."""

    def entries(gamma: float, r: float, n: int) -> tuple[float, float, float]:
        x = off_diagonal(gamma, n)
        return x, gamma * x + r, x - r / (n - 1)

    def printed(prior: float, gamma: float, r: float, n: int) -> float:
        x, own, other = entries(gamma, r, n)
        return (prior * gamma * x + r) / (prior * own + (1 - prior) * other)

    def other_fixed(prior: float, gamma: float, r: float, n: int) -> float:
        x, own, _ = entries(gamma, r, n)
        return prior * own / (prior * own + (1 - prior) * x)

    def whole_r(prior: float, gamma: float, r: float, n: int) -> float:
        x, own, _ = entries(gamma, r, n)
        return prior * own / (prior * own + (1 - prior) * (x - r))

    def opposite(prior: float, gamma: float, r: float, n: int) -> float:
        x, own, _ = entries(gamma, r, n)
        return prior * own / (prior * own + (1 - prior) * (x + r / (n - 1)))

    def without_r(prior: float, gamma: float, r: float, n: int) -> float:
        return realized_posterior(prior, gamma, 0, n)

    def unweighted(prior: float, gamma: float, r: float, n: int) -> float:
        _, own, other = entries(gamma, r, n)
        return prior * own / (prior * own + other)

    return Exercise(
        realized_posterior,
        (
            Mistake(
                printed,
                "This is the formula as printed: at a large r it gives a “probability” above one. "
                "The first term of the denominator must stand in the numerator, as a whole.",
            ),
            Mistake(
                other_fixed,
                "The other entries of the column depend on r too, or it would not sum to one.",
            ),
            Mistake(
                whole_r,
                "An off-diagonal entry loses only its part of r: there are n − 1 of them.",
            ),
            Mistake(
                opposite,
                "What the diagonal gains the other entries lose: mind the sign of their part of r.",
            ),
            Mistake(
                without_r,
                "This does not depend on r: it is DET-GD's posterior.",
            ),
            Mistake(
                unweighted,
                "The second term of the denominator needs the probability that Q does not hold.",
            ),
        ),
        "This is Bayes' rule with the entries of one client's own matrix.",
        ((0.05, 19, 0.1, 20), (0.05, 19, -0.1, 20), (0.2, 5, 0.05, 10)),
    )


def one_r_for_all() -> Exercise:
    """How much the variance grows if all clients share one r."""
    counts, gamma, alpha = np.array([500, 300, 200]), 3, 0.2
    own = variance_split(counts, gamma, alpha)
    shared = variance_split(counts, gamma, alpha, shared=True)
    total, between = own.total[0], shared.between[0]
    inside, outside, var_r = counts[0], counts[1:].sum(), alpha**2 / 3
    return Exercise(
        shared.total[0] / total,
        (
            Mistake(
                between / total,
                "This is the second term alone. The first, E Var(Y | r), is still there.",
            ),
            Mistake(
                (total + between) / total,
                "The first term is not DET-GD's variance: a random r takes a little off it, shared "
                "or not.",
            ),
            Mistake(
                (total - 3 * own.between[0] + 3 * between) / total,
                "The variance of a uniform r on [−α, α] is not α².",
            ),
            Mistake(
                (shared.within[0] + var_r * inside**2) / total,
                "The people with other records move too, and the other way: their shift, −r/(n−1) "
                "each, is taken off before you square.",
            ),
            Mistake(
                (shared.within[0] + var_r * (inside + outside / 2) ** 2) / total,
                "The two shifts go opposite ways: that of the people with other records is taken "
                "off before you square, not added.",
            ),
            Mistake(
                between / own.between[0],
                "This compares the second terms alone. Add the first term to each of them.",
            ),
            Mistake(
                (shared.total[0] / total) ** 0.5,
                "This compares the standard deviations; the variances are wanted.",
            ),
            Mistake(
                1.0,
                "That is so when every client has an r of their own. Here all of them move "
                "together, so that their shifts add up instead of averaging out.",
            ),
        ),
        "Independent shifts add their variances, shared ones add themselves: only the former "
        "vanish in a crowd.",
    )


def slip() -> Estimator:
    """Estimate the counts although every r was drawn from [0, α]."""
    counts, gamma, alpha = np.array([700, 300, 0]), 3, 0.2
    n = len(counts)
    x = off_diagonal(gamma, n)

    def matrix(r: float) -> np.ndarray:
        return np.where(np.eye(n) > 0, gamma * x + r, x - r / (n - 1))

    mean = matrix(alpha / 2)
    # A uniform r on [0, α] is α/2 plus a uniform one on [−α/2, α/2]: RAN-GD about another matrix.
    schema = Schema.of_sizes(n)
    clients = RandomizedGammaDiagonal(schema, mean[0, 0] / mean[0, 1], alpha / 2)
    records = np.repeat(np.arange(n), counts)[:, None]
    return Estimator(
        lambda rng: (schema.counts(clients.perturb(records, rng)),),
        lambda reports: np.linalg.solve(mean, reports),
        counts,
        np.sqrt(count_variance(mean, counts)) / (mean[0, 0] - mean[0, 1]),
        (
            Mistake(
                lambda reports: np.linalg.solve(matrix(0), reports),
                "This is the matrix for an r that is zero on average. What is the average of r "
                "after the slip?",
            ),
            Mistake(
                lambda reports: np.linalg.solve(matrix(alpha), reports),
                "This is the matrix of the most extreme client. The miner needs that of the "
                "average one.",
            ),
            Mistake(
                lambda reports: np.linalg.solve(matrix(0) + np.eye(n) * alpha / 2, reports),
                "The columns of your matrix do not sum to one: what is added to the diagonal is "
                "taken from the other entries.",
            ),
            Mistake(
                lambda reports: np.asarray(reports),
                "These are the counts of the reports: they must still be reconstructed.",
            ),
            Mistake(
                lambda reports: np.maximum(np.linalg.solve(mean, reports), 0),
                "They are cut off below zero, so that their average is too high. Let estimates be "
                "negative.",
            ),
        ),
        "The miner needs nothing but the mean matrix, and the spread is that of clients who all "
        "use it.",
    )


EXERCISES = {
    "05.1": largest_alpha,
    "05.2": leaked,
    "05.3": posterior_of_r,
    "05.4": one_r_for_all,
    "05.5": slip,
}
