"""Exam questions on lesson 01: randomised response."""

import numpy as np

from frapp_lab.course.exams import Part, Question, matrix, percent, pick, question, show
from frapp_lab.mining.reconstruction import count_variance
from frapp_lab.privacy import amplification, worst_posterior


@question("01", minutes=20)
def cards(rng):
    """Forced answers, drawn from ten cards."""
    yes, no = pick(rng, (1, 2), (1, 3), (2, 1), (3, 1), (2, 3), (3, 2))
    truth, N, share = 10 - yes - no, pick(rng, 1000, 2000), pick(rng, 0.2, 0.25, 0.35, 0.4)
    prior = pick(rng, 0.05, 0.1, 0.2)
    A = np.array([[10 - yes, no], [yes, 10 - no]]) / 10
    slope, said = truth / 10, round(N * (yes / 10 + truth / 10 * share))
    variance = float(count_variance(A, [(1 - share) * N, share * N])[1]) / N
    deviation = (variance / N) ** 0.5 / slope
    rows = A[0, 0] / A[0, 1], A[1, 1] / A[1, 0]
    gamma, belief = amplification(A), worst_posterior(prior, rows[1])
    own, other = A[1, 1] * A[0, 1], A[1, 0] * A[0, 0]
    more = "no" if rows[0] > rows[1] else "yes"
    parts = (
        Part(
            "Write down the perturbation matrix $A$ with $A_{vu} = p(u \\to v)$, in the order no, "
            "yes.",
            4,
            f"A “no” person says “yes” on {yes} of 10 cards, a “yes” person says “no” on {no} of "
            f"10: $A = {matrix(A)}$. Columns sum to one. Two marks for the entries, two for their "
            "places.",
        ),
        Part(
            f"Of {N:,} people {said:,} say “yes”. Estimate the share of people who are “yes”.",
            4,
            f"$g = {show(yes / 10)} + {show(slope)} f$ and $\\hat g = {said}/{N} = "
            f"{show(said / N)}$, "
            f"so $\\hat f = ({show(said / N)} - {show(yes / 10)})/{show(slope)}$ = {show(share)}.",
        ),
        Part(
            "Suppose that this estimate is the truth. What is the standard deviation of the "
            "estimate?",
            5,
            f"The variance of a report is {show(own)} for a “yes” person and {show(other)} for a "
            f"“no” person, on average ${show(share)} \\cdot {show(own)} + {show(1 - share)} \\cdot "
            f"{show(other)}$ = {show(variance)}. The share of “yes” reports has the standard "
            f"deviation $\\sqrt{{{show(variance)}/{N}}}$, divided by the slope {show(slope)}: "
            f"{show(deviation)}. Three marks for the two variances, two for the slope.",
        ),
        Part(
            "What is the amplification of $A$, and which report gives away more?",
            4,
            f"Along the row “says no” the ratio is {show(rows[0])}, along “says yes” "
            f"{show(rows[1])}. The amplification is the larger one, $\\gamma$ = {show(gamma)}; the "
            f"report “{more}” gives away more.",
        ),
        Part(
            f"Before the survey {percent(prior)} are believed to be “yes”. What is believed of "
            "somebody who says “yes”?",
            3,
            f"A “yes” multiplies the odds by {show(rows[1])}: the belief becomes "
            f"{percent(belief)}.",
        ),
    )
    text = (
        f"Ten cards lie face down: {yes} × *say yes*, {no} × *say no* and {truth} × *tell the "
        "truth*. Everybody draws one in secret, does what it says, and puts it back."
    )
    given = {"yes": yes, "no": no, "N": N, "said": said, "prior": prior}
    results = {"share": share, "deviation": deviation, "gamma": gamma, "belief": belief}
    return Question("Ten cards", text, parts, given, results)


@question("01", minutes=15)
def coin(rng):
    """Warner's coin: estimate, spread, people needed, and an estimate below zero."""
    p, N = pick(rng, 0.6, 0.7, 0.8, 0.9), pick(rng, 400, 900, 1600, 2500)
    share = pick(rng, 0.1, 0.15, 0.2, 0.35)
    slope = 2 * p - 1
    said, few = round(N * (1 - p + slope * share)), round(N * (1 - p - 0.02))
    deviation = (p * (1 - p) / N) ** 0.5 / slope
    needed, below = p * (1 - p) / (0.01 * slope) ** 2, -0.02 / slope
    parts = (
        Part(
            f"{said:,} of {N:,} people say “yes”. Estimate the share of “yes”.",
            3,
            f"$\\hat f = (\\hat g - (1 - p))/(2p - 1) = ({show(said / N)} - {show(1 - p)})/"
            f"{show(slope)}$ = {show(share)}.",
        ),
        Part(
            "Give the standard deviation of this estimate.",
            4,
            f"Every report has the variance $p(1-p)$ = {show(p * (1 - p))}, whoever sends it. So "
            f"$\\sqrt{{{show(p * (1 - p))}/{N}}}/{show(slope)}$ = {show(deviation)}.",
        ),
        Part(
            "How many people would bring it down to one percentage point?",
            4,
            f"$N = p(1-p)/(0.01 \\cdot {show(slope)})^2$ = {show(needed)} (a share of a person is "
            "rounded up).",
        ),
        Part(
            f"In another town only {few:,} of {N:,} say “yes”. Give the estimate. A colleague sets "
            "it to zero. Say in two sentences why this is not a good habit.",
            4,
            f"The estimate is {show(below)}, below zero. It is that far down by luck; others are "
            "as "
            "far up. Setting the low ones to zero and leaving the high ones makes the average over "
            "many towns too large.",
        ),
    )
    text = (
        f"In a survey everybody tells the truth with probability {show(p)}, and else the opposite."
    )
    given = {"p": p, "N": N, "said": said, "few": few}
    results = {"share": share, "deviation": deviation, "needed": needed, "below": below}
    return Question("A coin", text, parts, given, results)


@question("01", minutes=12)
def two_questions(rng):
    """Two yes/no questions with a coin each: the matrix of a whole record."""
    p, q = pick(rng, (0.6, 0.9), (0.7, 0.8), (0.8, 0.6), (0.9, 0.7))
    A, B = (np.array([[t, 1 - t], [1 - t, t]]) for t in (p, q))
    both = np.kron(A, B)
    same, one, gamma = float(both[2, 2]), float(both[0, 2]), amplification(both)
    parts = (
        Part(
            "How many rows and columns has the matrix of a whole record?",
            2,
            "Four and four: one for each of no-no, no-yes, yes-no and yes-yes.",
        ),
        Part(
            "Somebody is *yes* and *no*. How likely is the report *yes* and *no*? How likely is "
            "*no* and *no*?",
            4,
            f"The coins are independent, so chances multiply: ${show(p)} \\cdot {show(q)}$ = "
            f"{show(same)}, and ${show(1 - p)} \\cdot {show(q)}$ = {show(one)}.",
        ),
        Part(
            "Give the amplification of the whole report. What would it be if both questions were "
            "answered with one and the same toss: truth for both with the first coin's "
            "probability, else both turned?",
            6,
            f"It multiplies: ${show(p / (1 - p))} \\cdot {show(q / (1 - q))}$ = {show(gamma)} (3). "
            "With one toss the report *yes, no* can only come from *yes, no* or *no, yes*. Other "
            "records never send it, so the ratio is infinite (3).",
        ),
    )
    text = (
        f"Two yes/no questions are answered with a coin each: the first with the truth with "
        f"probability {show(p)}, the second with probability {show(q)}, else the opposite."
    )
    results = {"same": same, "one": one, "gamma": gamma}
    return Question("Two questions, two coins", text, parts, {"p": p, "q": q}, results)
