"""Exam questions on lesson 09: what lies outside of the proof, and what came after it."""

import numpy as np

from frapp_lab.course.exams import Part, Question, matrix, percent, pick, question, show


@question("09", minutes=17)
def subset(rng):
    """Subset selection by hand, and how many clients it saves."""
    n, d, gamma = pick(rng, (16, 4, 3), (18, 3, 5), (20, 3, 5), (20, 3, 4), (24, 3, 6))
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


@question("09", minutes=17)
def unary(rng):
    """A bit for each cell: its γ, its estimate, its deviation, and where it wins."""
    gamma, n = pick(rng, (4, 100), (9, 150), (9, 400), (16, 100), (16, 250), (24, 200), (25, 500))
    N, f = pick(rng, 10_000, 40_000), pick(rng, 0.05, 0.1, 0.2)
    own, other = 1 / 2, 1 / (gamma + 1)
    said = round(N * (other + (own - other) * f))
    estimate = (said / N - other) / (own - other)
    spread = (other * (1 - other) / N) ** 0.5 / (own - other)
    plain = ((gamma + n - 2) / N) ** 0.5 / (gamma - 1)
    parts = (
        Part(
            "Two records have different own cells. Which bits have different laws for them? Show "
            "that the amplification is the γ that is promised.",
            5,
            "The two own bits, and no others (1). The worst report has a 1 for the first and a 0 "
            "for the second (1): $\\frac{q_1(1-q_0)}{q_0(1-q_1)}$ (1); with $q_1 = \\frac12$ that "
            f"is $(1-q_0)/q_0$ = {gamma} (2).",
        ),
        Part(
            f"{said:,} of {N:,} reports have a 1 for a certain cell. Estimate its share.",
            3,
            f"$({show(said / N)} - {show(other)})/({show(own)} - {show(other)})$ = "
            f"{show(estimate)}.",
        ),
        Part(
            "Nobody is in some other cell. Give the standard deviation of its estimated share, "
            "here and with the γ-diagonal matrix.",
            5,
            f"$\\sqrt{{q_0(1-q_0)/N}}/(q_1 - q_0)$ = {show(spread)} (2). There the chances are "
            f"$\\gamma x$ and $x$ with $x = 1/(\\gamma + n - 1)$ (1): "
            f"$\\sqrt{{(\\gamma + n - 2)/N}}/(\\gamma - 1)$ = {show(plain)} (2).",
        ),
        Part(
            "For which numbers of cells would the γ-diagonal matrix have the smaller one?",
            3,
            f"$\\gamma + n - 2 < 4\\gamma$ (2), so $n < 3\\gamma + 2$ = {3 * gamma + 2} (1).",
        ),
    )
    text = (
        f"There are $n$ = {n} cells, and γ = {gamma} is promised. A report has a bit for each "
        "cell. The bit of the own cell is 1 with probability $q_1 = \\frac12$, each other bit with "
        "probability $q_0 = 1/(\\gamma + 1)$."
    )
    given = {"gamma": gamma, "n": n, "N": N, "said": said}
    results = {"estimate": estimate, "spread": spread, "plain": plain, "even": 3 * gamma + 2}
    return Question("A bit for each cell", text, parts, given, results)


@question("09", minutes=15)
def fake(rng):
    """One attribute is told and the others are made up; and what liars do to a survey."""
    M, gamma = pick(rng, (2, 4), (2, 9), (3, 4), (3, 9), (4, 5), (5, 3))
    lies = pick(rng, 0.01, 0.02, 0.05)
    told = M * (gamma - 1) + 1
    one = (told + M - 1) / M
    n = 2**M
    weight = (gamma + n - 2) / (gamma - 1)
    parts = (
        Part(
            "Two records differ in one attribute only. How many times likelier can one of them "
            "make a report? (All other attributes of this report differ from both.)",
            5,
            "Told is the attribute that differs, or one of the others, which is wrong for both: "
            "$(\\gamma' + M - 1)/(1 + M - 1)$ (3) "
            f"= {show(one)} (1): what is promised (1).",
        ),
        Part(
            "Two records differ in all attributes. Now how many times?",
            4,
            "A report that agrees with the first in all attributes: whichever is told, the ratio "
            f"is γ' (2) = {show(told)} (1). So the promise is broken (1).",
        ),
        Part(
            "The survey changes to the γ-diagonal matrix with the same γ, for whole records. Of "
            f"its reports {percent(lies)} are lies that all name one cell, in which nobody is. "
            "Which share is estimated for it?",
            6,
            f"$q_1 = \\gamma x$ and $q_0 = x$ with $x = 1/(\\gamma + n - 1)$, $n = 2^M$ = {n} (2). "
            "The lies' share times "
            f"$(1 - q_0)/(q_1 - q_0) = (\\gamma + n - 2)/(\\gamma - 1)$ = {show(weight)} (3): "
            f"{percent(lies * weight)} (1).",
        ),
    )
    text = (
        f"A record has $M$ = {M} attributes with two values each. A client draws one of them, "
        "tells it with a γ-diagonal matrix of $\\gamma' = M(\\gamma - 1) + 1$, and makes up all "
        f"the others uniformly. Nobody sees which one was drawn. γ = {gamma} is promised."
    )
    given = {"M": M, "gamma": gamma, "lies": lies}
    results = {"one": one, "told": float(told), "weight": weight, "estimated": lies * weight}
    return Question("Made up, and lied", text, parts, given, results)
