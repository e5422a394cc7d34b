"""Exam questions on lesson 09: what lies outside of the proof."""

import numpy as np

from frapp_lab.exams import Part, Question, matrix, pick, question, show


@question("09", minutes=17)
def subset(rng):
    """Subset selection by hand, and how many clients it saves."""
    n, d, gamma = pick(rng, (13, 3, 5), (16, 4, 3), (11, 2, 6), (11, 3, 4), (12, 2, 5))
    share, N = pick(rng, 0.1, 0.15, 0.2), pick(rng, 2500, 10_000)

    def held(d):
        own = gamma * d / (gamma * d + n - d)
        return own, own * (d - 1) / (n - 1) + (1 - own) * d / (n - 1)

    def deviation(d):
        own, other = held(d)
        return (other * (1 - other) / N) ** 0.5 / (own - other)

    own, other = held(d)
    said = round(N * (other + (own - other) * share))
    estimate, spread, plain = (said / N - other) / (own - other), deviation(d), deviation(1)
    parts = (
        Part(
            "With which probability $q_1$ does a report hold the own cell?",
            3,
            f"For each $d$ sets with it there are $n - d$ without: $q_1 = \\gamma d/(\\gamma d + n "
            f"- d)$ = {show(own)}.",
        ),
        Part(
            "With which probability $q_0$ does it hold one other given cell?",
            4,
            f"$q_1 (d-1)/(n-1) + (1 - q_1)\\,d/(n-1)$ = {show(other)}. Two marks for each case.",
        ),
        Part(
            f"{said:,} of {N:,} reports hold a certain cell. Estimate its share.",
            3,
            f"$({show(said / N)} - {show(other)})/({show(own)} - {show(other)})$ = "
            f"{show(estimate)}.",
        ),
        Part(
            "Nobody is in some other cell. Give the standard deviation of its estimated share, "
            "here and with the γ-diagonal matrix ($d = 1$). How many times the clients would the "
            "latter need for the same spread?",
            6,
            f"$\\sqrt{{q_0(1-q_0)/N}}/(q_1 - q_0)$ = {show(spread)} (2); with $d = 1$ it is "
            f"{show(plain)} (2). The square of the quotient: {show((plain / spread) ** 2)} times "
            "(2).",
        ),
    )
    text = (
        f"There are $n$ = {n} cells. A report is a set of $d$ = {d} cells; each set that holds the "
        f"own cell is γ = {gamma} times as likely as each set that does not."
    )
    given = {"n": n, "d": d, "gamma": gamma, "N": N, "said": said}
    results = {"own": own, "other": other, "estimate": estimate, "spread": spread, "plain": plain,
               "times": (plain / spread) ** 2}  # fmt: skip
    return Question("Sets of cells", text, parts, given, results)


@question("09", minutes=15)
def split(rng):
    """A report that is split in two: privacy and accuracy stay, the condition number does not."""
    p = pick(rng, 0.6, 0.7, 0.8, 0.9)
    A = np.array([[p, 1 - p], [1 - p, p]])
    B = np.vstack([A[:1], A[1:] / 2, A[1:] / 2])
    before, after = np.linalg.cond(A), np.linalg.cond(B)
    squares = B.T @ B
    gamma = p / (1 - p)
    parts = (
        Part(
            "Write down the new matrix, in the order no, yes-a, yes-b.",
            3,
            f"${matrix(B)}$: the row of “yes” is halved, twice.",
        ),
        Part(
            "Compare the amplifications of both.",
            3,
            f"Halving a row changes no ratio within it: $\\gamma$ = {show(gamma)} for both.",
        ),
        Part(
            "Compare the condition numbers. (For the new one use $B^\\top B$.)",
            6,
            f"Before: $1/(2p-1)$ = {show(before)} (2). Now $B^\\top B = {matrix(squares)}$ (2); "
            "the "
            f"root of the quotient of its eigenvalues is {show(after)} (2).",
        ),
        Part(
            "Has the estimate of the share of “yes” become better or worse? What follows for the "
            "condition number as a measure?",
            3,
            "Neither: the miner can add yes-a and yes-b and has the old reports again (2). It "
            "guides, and does not decide; what counts is the variance of the estimate (1).",
        ),
    )
    text = (
        f"Reports on a yes/no question tell the truth with probability {show(p)}. Now everybody "
        "who would report “yes” tosses a fair coin, and reports “yes-a” or “yes-b”."
    )
    results = {"gamma": gamma, "before": float(before), "after": float(after)}
    return Question("A report split in two", text, parts, {"p": p}, results)
