"""The exercises of lesson 05: a matrix that every client hides."""

import numpy as np

from frapp_lab.course.exercises import Estimator, Exercise, exercise
from frapp_lab.data.schema import Schema
from frapp_lab.mechanisms.randomized import RandomizedGammaDiagonal
from frapp_lab.mining.reconstruction import count_variance, variance_split
from frapp_lab.privacy import max_alpha, off_diagonal, realized_amplification, realized_posterior


@exercise("05.a")
def largest_alpha():
    """The largest valid α in a small domain, where the off-diagonal entries set the limit."""
    gamma, n = 19, 10
    x = off_diagonal(gamma, n)
    mistakes = {
        "This keeps the diagonal from falling below zero when r is negative. Look at the other "
        "entries when r is positive: which of the two limits comes first?": gamma * x,
        "An off-diagonal entry does not lose all of r: "
        "r is shared out among the other n − 1 entries of its column.": x,
        "This is the paper's example value of α. "
        "Here it is too large: put r = +α into the off-diagonal entries.": gamma * x / 2,
        "A column has n entries, but one of them is the diagonal: how many share −r?": n * x,
        "This is in units of γx. Give α itself.": (n - 1) / gamma,
        "Then r is no random number, and this is DET-GD. There is room for more.": 0.0,
        "The diagonal would be more than 1, and no probability.": 1.0,
    }
    lesson = "In a small domain the other entries run out first; in a large one the diagonal does."
    return Exercise(max_alpha(gamma, n), mistakes, lesson)


@exercise("05.b")
def bag():
    """The probability of the truth when a coin of unknown bias is tossed once."""
    plain, swapped = (0.6 + 1) / 2, (0.6 + 9 * 1) / 10
    mistakes = {
        "Nine coins are of one kind and one is of the other: weigh them by their number.": plain,
        "The weights are swapped: only one coin always tells the truth.": swapped,
        "You may also draw the coin that always tells the truth.": 0.6,
        "This is the part of the nine coins. Add that of the tenth.": 0.9 * 0.6,
        "Only one of the ten coins always tells the truth.": 1.0,
    }
    lesson = "Tossed once, a coin of unknown bias is a coin of average bias."
    return Exercise(0.64, mistakes, lesson)


@exercise("05.1")
def leaked():
    """The amplification of one client's matrix once r is known."""
    gamma, n = 19, 30
    x = off_diagonal(gamma, n)
    alpha = gamma * x / 2
    high, other = gamma * x + alpha, alpha / (n - 1)
    low, solution = realized_amplification(gamma, alpha, n)
    mistakes = {
        "This comes out if the other entries of the column stay x, or nearly so, as in a domain as "
        "large as CENSUS's. Here they are few, and each loses a good part.": high / x,
        "The other entries move against the diagonal: mind their sign.": high / (x + other),
        "This comes out if 30 entries share −α. "
        "How many entries of a column are not on the diagonal?": high / (x - alpha / n),
        "An off-diagonal entry does not lose all of α, "
        "and a ratio of probabilities cannot be negative.": high / (x - alpha),
        "This is the client at the other end, with r = −α, who is hidden better.": low,
        "This holds as long as nobody knows r. The question is about a miner who does.": gamma,
    }
    lesson = (
        "While r is secret the amplification is γ; for a miner who knows r it can be far above γ."
    )
    return Exercise(solution, mistakes, lesson)


def rho2_with(own=None, other=None, weighted=True):
    """ρ₂(r) with a numerator, or entries off the diagonal, of one's own (08.1 asks again)."""

    def rho2(prior, gamma, r, n):
        x = off_diagonal(gamma, n)
        first, entry = prior * (gamma * x + r), other(x, r, n) if other else x - r / (n - 1)
        numerator = own(prior, gamma * x, r) if own else first
        return numerator / (first + ((1 - prior) * entry if weighted else entry))

    return rho2


@exercise("05.2")
def posterior_of_r():
    """The worst-case posterior as a function of r, without the paper's misprint."""
    mistakes = {
        "This is the formula as printed: at a large r it gives a “probability” above one. "
        "The first term of the denominator must stand in the numerator, "
        "as a whole.": rho2_with(lambda p, d, r: p * d + r),
        "The other entries of the column depend on r too, or it would not sum to one.": rho2_with(
            other=lambda x, r, n: x
        ),
        "An off-diagonal entry loses only its part of r: there are n − 1 of them.": rho2_with(
            other=lambda x, r, n: x - r
        ),
        "What the diagonal gains the other entries lose: "
        "mind the sign of their part of r.": rho2_with(other=lambda x, r, n: x + r / (n - 1)),
        "This does not depend on r: it is DET-GD's posterior.": lambda p, gamma, r, n: (
            realized_posterior(p, gamma, 0, n)
        ),
        "The second term of the denominator needs the probability that Q does not hold.": rho2_with(
            weighted=False
        ),
    }
    lesson = "This is Bayes' rule with the entries of one client's own matrix."
    inputs = ((0.05, 19, 0.1, 20), (0.05, 19, -0.1, 20), (0.2, 5, 0.05, 10))
    return Exercise(realized_posterior, mistakes, lesson, inputs)


@exercise("05.3")
def one_r_for_all():
    """How much the variance grows if all clients share one r."""
    counts, gamma, alpha = np.array([500, 300, 200]), 3, 0.2
    own = variance_split(counts, gamma, alpha)
    shared = variance_split(counts, gamma, alpha, shared=True)
    total, within, between = own.total[0], shared.within[0], shared.between[0]
    inside, outside, var_r = counts[0], counts[1:].sum(), alpha**2 / 3
    solution, ratio = shared.total[0] / total, between / own.between[0]
    tripled = total + 3 * (between - own.between[0])
    mistakes = {
        "This is the second term alone. The first, E Var(Y | r), is still there.": between / total,
        "The first term is not DET-GD's variance: a random r takes a little off it, "
        "shared or not.": (total + between) / total,
        "The variance of a uniform r on [−α, α] is not α².": tripled / total,
        "The people with other records move too, and the other way: their shift, −r/(n−1) each, "
        "is taken off before you square.": (within + var_r * inside**2) / total,
        "The two shifts go opposite ways: that of the people with other records is taken off "
        "before you square, not added.": (within + var_r * (inside + outside / 2) ** 2) / total,
        "This compares the second terms alone. Add the first term to each of them.": ratio,
        "This compares the standard deviations; the variances are wanted.": solution**0.5,
        "That is so when every client has an r of their own. Here all of them move together, "
        "so that their shifts add up instead of averaging out.": 1.0,
    }
    lesson = (
        "Independent shifts add their variances, shared ones add themselves: only the former "
        "vanish in a crowd."
    )
    return Exercise(solution, mistakes, lesson)


@exercise("05.4")
def slip():
    """Estimate the counts although every r was drawn from [0, α]."""
    counts, gamma, alpha = np.array([700, 300, 0]), 3, 0.2
    n = len(counts)
    x = off_diagonal(gamma, n)

    def matrix(r):
        return np.where(np.eye(n), gamma * x + r, x - r / (n - 1))

    def solve(matrix):
        return lambda reports: np.linalg.solve(matrix, reports)

    def draw(rng):
        return (schema.counts(clients.perturb(records, rng)),)

    mean = matrix(alpha / 2)
    solution = solve(mean)
    # A uniform r on [0, α] is α/2 plus a uniform one on [−α/2, α/2]: RAN-GD about another matrix.
    schema = Schema.of_sizes(n)
    clients = RandomizedGammaDiagonal(schema, mean[0, 0] / mean[0, 1], alpha / 2)
    records = np.repeat(np.arange(n), counts)[:, None]
    mistakes = {
        "This is the matrix for an r that is zero on average. "
        "What is the average of r after the slip?": solve(matrix(0)),
        "This is the matrix of the most extreme client. "
        "The miner needs that of the average one.": solve(matrix(alpha)),
        "The columns of your matrix do not sum to one: what is added to the diagonal is taken from "
        "the other entries.": solve(matrix(0) + np.eye(n) * alpha / 2),
        "These are the counts of the reports: they must still be reconstructed.": np.asarray,
        "They are cut off below zero, so that their average is too high. "
        "Let estimates be negative.": lambda reports: np.maximum(solution(reports), 0),
    }
    lesson = (
        "The miner needs nothing but the mean matrix, and the spread is that of clients who all "
        "use it."
    )
    deviation = np.sqrt(count_variance(mean, counts)) / (mean[0, 0] - mean[0, 1])
    return Estimator(draw, solution, counts, deviation, mistakes, lesson)


@exercise("05.5")
def reuse():
    """The amplification of two reports of one record that were drawn with the same r."""
    gamma, n = 3, 5
    x = off_diagonal(gamma, n)
    alpha = gamma * x / 2
    nodes = np.linspace(-alpha, alpha, 100_001)
    each = (gamma * x + nodes) / (x - nodes / (n - 1))
    variance = alpha**2 / 3

    def ratio(variance, parts=(n - 1) ** 2):
        return ((gamma * x) ** 2 + variance) / (x**2 + variance / parts)

    fixed, not_squared, shared_by_n = (ratio(variance, p) for p in (np.inf, n - 1, n**2))
    mistakes = {
        "This is right if r is drawn anew for each report. Here both have the same r: average the "
        "product over r, not each factor by itself.": gamma**2,
        "This is the client with r = +α, for somebody who knows r. Here nobody does: average over "
        "r.": realized_amplification(gamma, alpha, n)[1] ** 2,
        "You average the ratio. The two probabilities are averaged over r first, and then "
        "divided.": np.mean(each**2),
        "The mean of r² for a uniform r on [−α, α] is not α².": ratio(alpha**2),
        "The entries off the diagonal vary with r too: the mean of their square is not x².": fixed,
        "An entry off the diagonal has the part −r/(n−1) of r, and it is squared.": not_squared,
        "This comes out if n entries share −r. One of them is the diagonal.": shared_by_n,
        "This is for one report. Here there are two.": gamma,
    }
    lesson = (
        "Where n − 1 > γ a reused r is worse than none: for CENSUS (γ = 19, α = γx/2) two reports "
        "have 391, where DET-GD has 19² = 361."
    )
    return Exercise(pair_amplification(gamma, alpha, n), mistakes, lesson)


def pair_amplification(gamma: float, alpha: float, n: int) -> float:
    """How many times likelier one record makes two reports with the same hidden r than another.

    The largest ratio is that of the pair (v, v): E(γx + r)² / E(x − r/(n−1))² with r uniform on
    [−α, α]. Two reports under DET-GD have γ².

    >>> round(pair_amplification(19, 19 / 2018 / 2, 2000), 1)
    391.1
    """
    x, variance = off_diagonal(gamma, n), alpha**2 / 3
    return ((gamma * x) ** 2 + variance) / (x**2 + variance / (n - 1) ** 2)
