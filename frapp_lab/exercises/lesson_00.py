"""The self-test of lesson 00: what the course takes for granted."""

from __future__ import annotations

import numpy as np

from frapp_lab.exercises.judging import Exercise, Mistake


def bayes() -> Exercise:
    """A test that is right nine times in ten, for something that one person in ten has."""
    prior, hit, false_alarm = 0.1, 0.9, 0.1
    return Exercise(
        hit * prior / (hit * prior + false_alarm * (1 - prior)),
        (
            Mistake(
                hit,
                "This is P(positive | has it). The question turns it round: P(has it | positive).",
            ),
            Mistake(hit * prior, "This is P(has it and positive). Divide by P(positive)."),
            Mistake(
                hit * prior + false_alarm * (1 - prior),
                "This is P(positive), the denominator of Bayes' rule.",
            ),
            Mistake(prior, "This is what we believed before the test. A positive test tells more."),
        ),
        "A report changes what we believe by the ratio of its two probabilities: lesson 02.",
    )


def solve() -> Exercise:
    """Two linear equations whose matrix has columns that sum to one."""
    matrix, seen = np.array([[0.8, 0.3], [0.2, 0.7]]), np.array([70.0, 30.0])
    return Exercise(
        np.linalg.solve(matrix, seen),
        (
            Mistake(
                np.linalg.solve(matrix.T, seen),
                "This solves with the transposed matrix. The first equation is the first row.",
            ),
            Mistake(
                matrix @ seen,
                "This multiplies the right-hand side by the matrix. The question is which x the "
                "matrix turns into it.",
            ),
            Mistake(
                np.linalg.solve(matrix, seen)[::-1],
                "The two entries are in the wrong order. Put them into the first equation.",
            ),
            Mistake(
                np.linalg.solve(matrix, seen) / seen.sum(),
                "These are shares. The columns of the matrix sum to one, so the entries of x have "
                "the same sum as those of the right-hand side.",
            ),
        ),
        "Undoing a perturbation is solving such equations: lesson 03.",
    )


def spread() -> Exercise:
    """The standard deviation of a share among independent people."""
    n, p = 400, 0.5
    return Exercise(
        (p * (1 - p) / n) ** 0.5,
        (
            Mistake(p * (1 - p) / n, "This is the variance. Take its square root."),
            Mistake(
                (n * p * (1 - p)) ** 0.5,
                "This is the standard deviation of how many say yes, not of the share.",
            ),
            Mistake((p * (1 - p)) ** 0.5, "This is the deviation of one person's answer."),
            Mistake(p * (1 - p), "This is the variance of one person's answer."),
            Mistake(
                1 / n**0.5,
                "This is one over the root of the number of people. The deviation of one person's "
                "answer is missing.",
            ),
        ),
        "It falls with the square root of the number of people: so does every error to come.",
    )


def keep() -> Exercise:
    """A little Python: keep a value with probability p, for a whole array at once."""

    def solution(values: np.ndarray, uniforms: np.ndarray, p: float) -> np.ndarray:
        return np.where(uniforms < p, values, 0)

    rng = np.random.default_rng(0)
    # The last uniform number is p itself.
    inputs = tuple((rng.integers(1, 9, 7), np.r_[rng.random(6), p], p) for p in (0.3, 0.8))
    return Exercise(
        solution,
        (
            Mistake(
                lambda values, uniforms, p: np.where(uniforms < p, 0, values),
                "It keeps what should go and drops what should stay: a uniform number is below p "
                "with probability p.",
            ),
            Mistake(
                lambda values, uniforms, p: values[uniforms < p],
                "It leaves values out, so that the array gets shorter: put a 0 in their place.",
            ),
            Mistake(
                lambda values, uniforms, p: uniforms < p,
                "It says which values stay. Return the values themselves, and 0 for the others.",
            ),
            Mistake(
                lambda values, uniforms, p: np.where(uniforms <= p, values, 0),
                "Nearly: a random number that is exactly p is not below p.",
            ),
            Mistake(
                lambda values, uniforms, p: np.where(uniforms < 1 - p, values, 0),
                "It keeps a value with probability 1 − p.",
            ),
        ),
        "One comparison for all records: this is how explorers change the mechanism and not the "
        "luck.",
        inputs,
    )


EXERCISES = {"00.1": bayes, "00.2": solve, "00.3": spread, "00.4": keep}
