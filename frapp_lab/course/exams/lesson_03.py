"""Exam questions on lesson 03: getting the truth back, and how wrong it is."""

import numpy as np

from frapp_lab.course.exams import Part, Question, matrix, pick, question, show, table
from frapp_lab.data.schema import Schema
from frapp_lab.mechanisms.gamma_diagonal import GammaDiagonal
from frapp_lab.mining.reconstruction import count_variance, error_bound


@question("03", minutes=18)
def options(rng):
    """Counts of a γ-diagonal survey, undone by one subtraction and one division."""
    gamma, n = pick(rng, (5, 6), (7, 4), (16, 5), (17, 4), (15, 6))
    N = pick(rng, 2000, 4000)
    m = GammaDiagonal(Schema.of_sizes(n), gamma)
    shares = [0.3, 0.25, 0.2, 0.15, 0.05, 0.05]
    shares = [*shares[: n - 1], round(1 - sum(shares[: n - 1]), 2)]
    counts = np.array([round(N * share) for share in rng.permutation(shares)])
    reported = [round(y) for y in m.matrix() @ counts]
    last, x, s = int(counts[-1]), m.x, m.stay
    variance = float(count_variance(m.matrix(), counts)[-1])
    deviation = variance**0.5 / s
    parts = (
        Part(
            "Compute $x$, $s$ and the condition number κ.",
            3,
            f"$x = 1/(\\gamma + n - 1)$ = {show(x)}; $s = (\\gamma - 1)x$ = {show(s)}; "
            f"$\\kappa = 1/s$ = {show(1 / s)}.",
        ),
        Part(
            "Estimate the true counts.",
            3,
            f"$\\hat X = (Y - xN)/s = (Y - {show(x * N)})/{show(s)}$ = "
            f"({', '.join(map(show, counts))}). Check: the sum is {N:,}.",
        ),
        Part(
            "Suppose that the estimate for the last option is the truth. What is its standard "
            "deviation?",
            5,
            f"{last:,} people have a coin with $\\gamma x$ = {show(gamma * x)}, the other "
            f"{N - last:,} one with $x$ = {show(x)}. The variance of the reports is "
            f"{show(variance)} (3), its root divided by $s$ gives {show(deviation)} people (2). "
            "The binomial variance, one coin for all, loses two marks.",
        ),
        Part(
            "How many people would halve the *relative* standard deviation at the same shares?",
            2,
            f"It falls as $1/\\sqrt N$: four times as many, {show(4 * N)}.",
        ),
        Part(
            "One more option is offered that nobody chooses. A colleague says that its estimate is "
            "zero or too large, because counts are not negative. Correct this in two sentences.",
            3,
            "Its reports are below their mean $xN$ about half of the time, and then the estimate "
            "is "
            "negative. It must be so: an estimate that is never below zero and sometimes above is "
            "too large on average.",
        ),
    )
    text = (
        f"{N:,} people choose one of {n} options. Reports are made with the γ-diagonal matrix, "
        f"γ = {gamma}. The reports:\n\n"
        + table(["option", *map(str, range(1, n + 1))], ["reports", *reported])
    )
    given = {"gamma": gamma, "n": n, "N": N, "reported": reported}
    results = {"kappa": 1 / s, "last": last, "deviation": deviation, "needed": 4 * N}
    return Question("A survey with options", text, parts, given, results)


@question("03", minutes=15)
def bound(rng):
    """Theorem 1 beside the error that was really made."""
    p, N = pick(rng, 0.6, 0.7, 0.8, 0.9), 1000
    yes, off = pick(rng, 100, 200, 250, 400), pick(rng, 6, 12, 18, 24)
    A, X = np.array([[p, 1 - p], [1 - p, p]]), np.array([N - yes, yes])
    expected = A @ X
    Y = np.array([round(expected[0]) - off, round(expected[1]) + off])
    found = error_bound(A, X, Y)
    estimate, kappa = np.linalg.solve(A, Y), 1 / (2 * p - 1)
    parts = (
        Part(
            "How many reports “no” and “yes” are expected?",
            2,
            f"$E(Y) = AX$ = ({show(expected[0])}, {show(expected[1])}).",
        ),
        Part(
            f"({Y[0]}, {Y[1]}) come in. Estimate the true counts.",
            3,
            f"Solve $A\\hat X = Y$: ({show(estimate[0])}, {show(estimate[1])}).",
        ),
        Part(
            "Give the eigenvalues of $A$ and the condition number κ.",
            3,
            f"1 and $2p - 1$ = {show(2 * p - 1)}; κ = {show(kappa)}.",
        ),
        Part(
            "Compare the relative error of the estimate with the bound of Theorem 1.",
            5,
            f"The reports are off by $\\|Y - E(Y)\\|/\\|E(Y)\\|$ = {show(found.report_error)} "
            "(1), the "
            f"estimate by {show(found.actual)} (2); the bound is κ times the first, "
            f"{show(found.bound)} (2).",
        ),
        Part(
            "For which true counts would the two be equal?",
            2,
            f"For equal ones, {N // 2} and {N // 2}: then $E(Y) = X$, and all of the error meets "
            "the small eigenvalue.",
        ),
    )
    text = (
        f"Of {N:,} people {yes} are “yes”. Their reports are made with $A = {matrix(A)}$, in the "
        "order no, yes."
    )
    given = {"p": p, "N": N, "yes": yes, "Y": Y.tolist()}
    results = {
        "yes": float(estimate[1]),
        "kappa": kappa,
        "reports": found.report_error,
        "estimate": found.actual,
        "bound": found.bound,
    }
    return Question("A bound and an error", text, parts, given, results)
