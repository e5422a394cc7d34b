"""The self-test of lesson 00: what the course takes for granted."""

import numpy as np

from frapp_lab.exercises import Exercise, exercise


@exercise("00.1")
def bayes():
    """A test that is right nine times in ten, for something that one person in ten has."""
    prior, hit, false_alarm = 0.1, 0.9, 0.1
    both = hit * prior
    positive = both + false_alarm * (1 - prior)
    mistakes = {
        "This is P(positive | has it). The question turns it round: P(has it | positive).": hit,
        "This is P(has it and positive). Divide by P(positive).": both,
        "This is P(positive), the denominator of Bayes' rule.": positive,
        "This is what we believed before the test. A positive test tells more.": prior,
    }
    lesson = "A report changes what we believe by the ratio of its two probabilities: lesson 02."
    return Exercise(both / positive, mistakes, lesson)


@exercise("00.2")
def solve():
    """Two linear equations whose matrix has columns that sum to one."""
    matrix, seen = np.array([[0.8, 0.3], [0.2, 0.7]]), np.array([70.0, 30.0])
    solution = np.linalg.solve(matrix, seen)
    mistakes = {
        "This solves with the transposed matrix. "
        "The first equation is the first row.": np.linalg.solve(matrix.T, seen),
        "This multiplies the right-hand side by the matrix. "
        "The question is which x the matrix turns into it.": matrix @ seen,
        "The two entries are in the wrong order. Put them into the first equation.": solution[::-1],
        "These are shares. The columns of the matrix sum to one, so the entries of x have the same "
        "sum as those of the right-hand side.": solution / seen.sum(),
    }
    lesson = "Undoing a perturbation is solving such equations: lesson 03."
    return Exercise(solution, mistakes, lesson)


@exercise("00.3")
def spread():
    """The standard deviation of a share among independent people."""
    n, p = 400, 0.5
    variance = p * (1 - p)
    mistakes = {
        "This is the variance. Take its square root.": variance / n,
        "This is the standard deviation of how many say yes, not of the share.": (n * variance)
        ** 0.5,
        "This is the deviation of one person's answer.": variance**0.5,
        "This is the variance of one person's answer.": variance,
        "This is one over the root of the number of people. "
        "The deviation of one person's answer is missing.": 1 / n**0.5,
    }
    lesson = "It falls with the square root of the number of people: so does every error to come."
    return Exercise((variance / n) ** 0.5, mistakes, lesson)


@exercise("00.4")
def keep():
    """A little Python: keep a value with probability p, for a whole array at once."""

    def solution(values, uniforms, p):
        return np.where(uniforms < p, values, 0)

    rng = np.random.default_rng(0)
    # The last uniform number is p itself.
    inputs = tuple((rng.integers(1, 9, 7), np.r_[rng.random(6), p], p) for p in (0.3, 0.8))
    mistakes = {
        "It keeps what should go and drops what should stay: "
        "a uniform number is below p with probability p.": lambda v, u, p: v * (u >= p),
        "It leaves values out, so that the array gets shorter: "
        "put a 0 in their place.": lambda v, u, p: v[u < p],
        "It says which values stay. "
        "Return the values themselves, and 0 for the others.": lambda v, u, p: u < p,
        "Nearly: a random number that is exactly p is not below p.": lambda v, u, p: v * (u <= p),
        "It keeps a value with probability 1 − p.": lambda v, u, p: v * (u < 1 - p),
    }
    lesson = (
        "One comparison for all records: this is how explorers change the mechanism and not the "
        "luck."
    )
    return Exercise(solution, mistakes, lesson, inputs)
