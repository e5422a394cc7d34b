"""Exam questions on lesson 02: how much one report may give away."""

import numpy as np

from frapp_lab.course.exams import Part, Question, percent, pick, question, show, table
from frapp_lab.privacy import (
    amplification,
    epsilon_from_gamma,
    gamma_from_breach,
    highest_prior,
    worst_posterior,
)

COLUMNS = ((5, 3, 2), (6, 3, 1), (7, 2, 1), (6, 2, 2), (5, 4, 1))
"""Columns in tenths, of which every question takes three in an order of its own."""


@question("02", minutes=18)
def three_records(rng):
    """The amplification of a matrix of three records, and what it allows."""
    while True:  # until the largest ratio of a row is neither the smallest nor that of a column
        columns = [rng.permutation(COLUMNS[i]) for i in rng.integers(len(COLUMNS), size=3)]
        A = np.array(columns).T / 10
        gamma = amplification(A)
        within = float((A.max(axis=0) / A.min(axis=0)).max())
        if 3 <= gamma <= 6 and abs(within - gamma) > 0.4:
            break
    rho1, rho2 = pick(rng, (0.05, 0.2), (0.05, 0.3), (0.1, 0.3), (0.1, 0.5))
    prior = pick(rng, 0.1, 0.2, 0.25)
    limit, belief = gamma_from_breach(rho1, rho2), worst_posterior(prior, gamma)
    twice = worst_posterior(prior, gamma**2)
    ratios = A.max(axis=1) / A.min(axis=1)
    v = int(ratios.argmax())
    u, w = int(A[v].argmax()), int(A[v].argmin())
    verdict = "is ruled out" if gamma <= limit else "is not ruled out"
    parts = (
        Part(
            f"Give γ and ε. A fellow student says γ = {show(within)}. What did they do?",
            4,
            f"Along the rows the ratios are {', '.join(map(show, ratios))}: $\\gamma$ = "
            f"{show(gamma)} "
            f"(2), $\\varepsilon = \\ln\\gamma$ = {show(epsilon_from_gamma(gamma))} (1). The "
            "student divided two entries of one column: two reports of one record (1).",
        ),
        Part(
            f"Is an upward breach from below {percent(rho1)} to {percent(rho2)} or more ruled out?",
            3,
            f"The limit is $\\rho_2(1-\\rho_1)/(\\rho_1(1-\\rho_2))$ = {show(limit)} (2), and "
            f"$\\gamma$ = {show(gamma)}: it {verdict} (1).",
        ),
        Part(
            f"Give the worst posterior of a property with prior {percent(prior)}, and a prior "
            "distribution, a property and a report that reach it.",
            6,
            f"$\\gamma\\rho_1/(\\gamma\\rho_1 + 1 - \\rho_1)$ = {percent(belief)} (2). Reached, "
            "for "
            f"instance, with P(record {u + 1}) = {percent(prior)}, P(record {w + 1}) = "
            f"{percent(1 - prior)}, the property “record {u + 1}” and report {v + 1} (4).",
        ),
        Part(
            "Each client sends two reports, perturbed independently. What is the worst posterior "
            "now? How could the second report give nothing away?",
            4,
            f"The factors multiply: $\\gamma^2$ = {show(gamma**2)}, and the posterior "
            f"{percent(twice)} "
            "(3). Perturb once, keep the result, and send it again (1).",
        ),
    )
    head = ["", "record 1", "record 2", "record 3"]
    rows = [[f"report {i + 1}", *map(show, A[i])] for i in range(3)]
    text = "Records are perturbed with this matrix:\n\n" + table(head, *rows)
    given = {"A": A, "rho1": rho1, "rho2": rho2, "prior": prior}
    results = {"gamma": gamma, "limit": limit, "belief": belief, "twice": twice}
    return Question("Three records", text, parts, given, results)


@question("02", minutes=15)
def breach(rng):
    """From a promise in words to γ, and back to what it leaves open."""
    rho1, rho2 = pick(rng, (0.1, 0.5), (0.04, 0.4), (0.2, 0.6), (0.1, 0.4), (0.25, 0.75))
    gamma = gamma_from_breach(rho1, rho2)
    while True:  # until the third part is not the second one read backwards
        prior, reached = pick(rng, 0.3, 0.4, 0.5), pick(rng, 0.8, 0.9)
        if abs(worst_posterior(prior, gamma) - reached) > 0.01:
            break
    epsilon, belief = epsilon_from_gamma(gamma), worst_posterior(prior, gamma)
    low, naive = highest_prior(reached, gamma), worst_posterior(rho1, rho2 / rho1)
    parts = (
        Part(
            "Which is the largest γ that keeps this promise, and which ε is that?",
            4,
            f"$\\gamma = \\rho_2(1-\\rho_1)/(\\rho_1(1-\\rho_2))$ = {show(gamma)} (3); "
            f"$\\varepsilon = \\ln\\gamma$ = {show(epsilon)} (1).",
        ),
        Part(
            f"Somebody believed it with {percent(prior)} before. How sure can a report make them?",
            3,
            f"The odds are multiplied by {show(gamma)} at most: up to {percent(belief)}.",
        ),
        Part(
            f"From which prior on can a report lead to {percent(reached)}?",
            4,
            f"Back: the odds of {percent(reached)} divided by {show(gamma)} are those of "
            f"{percent(low)}.",
        ),
        Part(
            f"A programmer takes γ = ρ₂/ρ₁ = {show(rho2 / rho1)}. Is the promise kept? Is anything "
            "lost?",
            4,
            f"It is kept: {percent(rho1)} rises to {percent(naive)} at most, less than allowed "
            "(2). "
            "But odds, not probabilities, are multiplied: this γ is smaller than need be, and the "
            "miner's estimates are less accurate for nothing (2).",
        ),
    )
    text = (
        f"A survey promises: *whatever somebody believed about you with less than {percent(rho1)}, "
        f"your report will not make them believe it with {percent(rho2)} or more.*"
    )
    given = {"rho1": rho1, "rho2": rho2, "prior": prior, "reached": reached}
    results = {"gamma": gamma, "epsilon": epsilon, "belief": belief, "low": low, "naive": naive}
    return Question("A promise", text, parts, given, results)
