"""Exam questions on lesson 05: does hiding the matrix help?"""

from frapp_lab.course.exams import Part, Question, percent, pick, question, show
from frapp_lab.privacy import (
    bayesian_posterior,
    off_diagonal,
    posterior_range,
    realized_amplification,
)


@question("05", minutes=18)
def hidden(rng):
    """What RAN-GD's r hides from a miner, and what not."""
    n, gamma = pick(rng, 16, 20, 30, 40), pick(rng, 5, 9, 11, 15)
    prior = pick(rng, 0.05, 0.1, 0.2)
    x = off_diagonal(gamma, n)
    alpha = gamma * x / 2
    low, high = posterior_range(prior, gamma, alpha, n)
    belief, leaked = bayesian_posterior(prior, gamma, alpha, n), realized_amplification(
        gamma, alpha, n)[1]  # fmt: skip
    parts = (
        Part(
            "Give $x$ and α. What stands on the diagonal of a client's matrix at $r = +\\alpha$, "
            "and what off it?",
            4,
            f"$x = 1/({gamma} + {n} - 1)$ = {show(x)}, α = {show(alpha)} (2). On it $\\gamma x + "
            f"\\alpha$ = {show(gamma * x + alpha)}, off it $x - \\alpha/(n-1)$ = "
            f"{show(x - alpha / (n - 1))} (2).",
        ),
        Part(
            "Between which values does the worst posterior lie, if $r$ were known?",
            5,
            "$\\rho_2(r) = P(\\gamma x + r)/(P(\\gamma x + r) + (1-P)(x - r/(n-1)))$: "
            f"{percent(low)} at $-\\alpha$, {percent(high)} at $+\\alpha$.",
        ),
        Part(
            f"“So a miner can determine no more than {percent(low)}.” What does a miner believe "
            "who "
            "knows the law of $r$ and uses Bayes' rule?",
            4,
            f"Numerator and denominator are linear in $r$, and $E(r) = 0$: {percent(belief)}, as "
            "without $r$, whatever α is.",
        ),
        Part(
            "By accident the clients' $r$ become known. Which amplification do those with "
            "$r = +\\alpha$ have?",
            3,
            f"$(\\gamma x + \\alpha)/(x - \\alpha/(n-1))$ = {show(leaked)}, where {gamma} was "
            "promised.",
        ),
    )
    text = (
        f"Over $n$ = {n} cells each client draws $r$ evenly from $[-\\alpha, \\alpha]$, α = γx/2, "
        f"and uses the γ-diagonal matrix for γ = {gamma} with $r$ added on the diagonal. A "
        "property "
        f"has the prior $P$ = {percent(prior)}."
    )
    given = {"n": n, "gamma": gamma, "prior": prior}
    results = {"x": x, "low": low, "high": high, "belief": belief, "leaked": leaked}
    return Question("A hidden matrix", text, parts, given, results)


@question("05", minutes=18)
def two_kinds(rng):
    """Two kinds of coins: a law of total variance, and one r for all."""
    p, r = pick(rng, (0.6, 0.1), (0.6, 0.2), (0.7, 0.1), (0.7, 0.2), (0.8, 0.1))
    N, prior = pick(rng, 400, 900, 2500), pick(rng, 0.1, 0.3, 0.4)
    says = {sign: prior * (p + sign * r) + (1 - prior) * (1 - p - sign * r) for sign in (1, -1)}
    told = {sign: prior * (p + sign * r) / says[sign] for sign in (1, -1)}
    careful = says[1] / (says[1] + says[-1])
    belief = careful * told[1] + (1 - careful) * told[-1]
    within, between = ((p + r) * (1 - p - r) + (p - r) * (1 - p + r)) / 2, r**2
    own, shared = (N * p * (1 - p)) ** 0.5, (N * within + N**2 * between) ** 0.5
    parts = (
        Part(
            "A client says “yes”. What is believed by somebody who knows the client's kind?",
            4,
            f"{percent(told[1])} for a client of the first kind (2), {percent(told[-1])} for one "
            "of "
            "the second (2).",
        ),
        Part(
            "What is believed by a miner who does not know it?",
            5,
            "The report says something about the kind as well: $P(\\text{first} \\mid "
            f"\\text{{yes}})$ = {show(careful)} (2). The two beliefs with these weights give "
            f"{percent(belief)} (2), which is what one coin with {show(p)} gives (1). A plain "
            f"average, {percent((told[1] + told[-1]) / 2)}, gets one mark.",
        ),
        Part(
            "For one client who is “yes”, split the variance of the report into the two parts of "
            "the law of total variance.",
            4,
            f"Within the kinds {show(within)}, between them {show(between)}: together "
            f"$p(1-p)$ = {show(p * (1 - p))}.",
        ),
        Part(
            f"{N:,} clients are all “yes”. Give the standard deviation of the number of “yes” "
            "reports if each has a kind of their own, and if one toss decides for all of them.",
            5,
            f"Own kinds: $\\sqrt{{N p (1-p)}}$ = {show(own)} (2). One for all: the second part is "
            f"multiplied by $N^2$, {show(shared)} (2); relative to $N$ it never becomes small (1).",
        ),
    )
    text = (
        f"In a yes/no survey a fair toss makes each client one of two kinds, in secret: the first "
        f"kind tells the truth with probability {show(p + r)}, the second with {show(p - r)}. "
        f"Before the survey P(yes) = {percent(prior)}."
    )
    given = {"more": p + r, "less": p - r, "N": N, "prior": prior}
    results = {"belief": belief, "within": within, "between": between, "own": own, "shared": shared}
    return Question("Two kinds of clients", text, parts, given, results)
