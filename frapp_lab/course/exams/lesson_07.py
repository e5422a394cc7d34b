"""Exam questions on lesson 07: what can be mined from noise."""

from math import erfc

from frapp_lab.course.exams import Part, Question, percent, pick, question, show, table
from frapp_lab.data.schema import Schema
from frapp_lab.mechanisms.gamma_diagonal import GammaDiagonal


@question("07", minutes=16)
def marginal(rng):
    """An itemset over some of the attributes: matrix, amplification, estimate, interval."""
    sizes, gamma = pick(rng, ((2, 5, 3), 11), ((4, 2, 5), 21), ((2, 3, 4), 9), ((3, 2, 5), 16))
    N, support = pick(rng, 10_000, 40_000), pick(rng, 0.1, 0.15, 0.25, 0.3)
    m = GammaDiagonal(Schema.of_sizes(*sizes), gamma)
    n, part = m.schema.n_cells, sizes[0] * sizes[1]
    off = n // part * m.x
    own = off + m.stay
    reported = round(own * support + off * (1 - support), 4)
    estimate = (reported - off) / m.stay
    deviation = (reported * (1 - reported) / N) ** 0.5 / m.stay
    rare = off + m.stay * 0.01
    away = 0.01 * m.stay / (rare * (1 - rare) / N) ** 0.5
    by_luck = erfc(away / 2**0.5) / 2
    parts = (
        Part(
            "Give $x$, $s$ and both entries of the matrix of this marginal.",
            4,
            f"$n$ = {n}, $x$ = {show(m.x)}, $s$ = {show(m.stay)} (2). A cell of the marginal holds "
            f"{n // part} cells: off the diagonal ${n // part}x$ = {show(off)}, on it $s$ more, "
            f"{show(own)} (2).",
        ),
        Part(
            "Give its condition number and its amplification. Which of the two depends on the "
            "choice of attributes?",
            4,
            f"κ = $1/s$ = {show(1 / m.stay)} (1), amplification {show(own / off)} (2). Only the "
            "amplification does (1).",
        ),
        Part(
            f"Of {N:,} reports {show(100 * reported)} % support an itemset over these attributes. "
            "Estimate its support, with an interval of two standard deviations.",
            4,
            f"$({show(reported)} - {show(off)})/{show(m.stay)}$ = {show(estimate)} (2). The "
            "standard "
            f"deviation is about $\\sqrt{{g(1-g)/N}}/s$ = {show(deviation)}: from "
            f"{show(estimate - 2 * deviation)} to {show(estimate + 2 * deviation)} (2).",
        ),
        Part(
            "At a minimum support of 2 %, how often is an itemset over these attributes found "
            "whose true support is 1 %? What should a miner print?",
            4,
            f"{percent(rare)} of the reports show it, and the threshold lies {show(away)} standard "
            f"deviations above its support: in about {percent(by_luck)} of all surveys (3, or 2 "
            "for "
            "the distance alone). Print the interval with every itemset (1).",
        ),
    )
    text = (
        f"A survey has three attributes with {sizes[0]}, {sizes[1]} and {sizes[2]} values. Whole "
        f"records are perturbed with the γ-diagonal matrix at γ = {gamma}. The miner looks at "
        "itemsets over the first two attributes."
    )
    given = {"sizes": sizes, "gamma": gamma, "N": N, "reported": reported}
    results = {"off": off, "own": own, "part": own / off, "estimate": estimate,
               "deviation": deviation, "by_luck": by_luck}  # fmt: skip
    return Question("A part of the record", text, parts, given, results)


@question("07", minutes=12)
def lost_and_invented(rng):
    """The three errors of a mining run, from true and estimated supports."""
    names = ["1", "2", "3", "4", "5", "6"]
    while True:  # until something is lost and something is invented
        true = [int(t) for t in rng.choice([2, 4, 8, 12, 15, 16, 20, 24, 25], 6)]
        seen = [t + int(d) for t, d in zip(true, rng.choice([-6, -3, -2, -1, 1, 2, 4, 9], 6),
                                           strict=True)]  # fmt: skip
        least = 10
        frequent = {k for k in range(6) if true[k] >= least}
        found = {k for k in range(6) if seen[k] >= least}
        if len(frequent) in (4, 5) and frequent - found and found - frequent:
            break
    lost = 100 * len(frequent - found) / len(frequent)
    invented = 100 * len(found - frequent) / len(frequent)
    both = sorted(frequent & found)
    rho_all = 100 * sum(abs(seen[k] - true[k]) / true[k] for k in frequent) / len(frequent)
    rho = 100 * sum(abs(seen[k] - true[k]) / true[k] for k in both) / len(both)

    def named(chosen):
        return ", ".join(names[k] for k in sorted(chosen))

    parts = (
        Part(
            "Which itemsets are lost, and which are invented? Give σ⁻ and σ⁺.",
            5,
            f"Truly frequent: {named(frequent)}. Lost: {named(frequent - found)}; invented: "
            f"{named(found - frequent)} (2). Both are divided by the {len(frequent)} truly "
            "frequent "
            f"ones: σ⁻ = {show(lost)} %, σ⁺ = {show(invented)} % (3).",
        ),
        Part(
            "Give the mean relative error ρ of the supports over all truly frequent itemsets, and "
            "over those that were found.",
            4,
            f"{show(rho_all)} % and {show(rho)} % (over {named(both)}).",
        ),
        Part(
            "Can σ⁺ be larger than 100 %? Which number would tell a reader how much of what is "
            "printed is true?",
            3,
            "Yes: more can be invented than there is (1). The share of the found ones that are "
            f"truly frequent, {len(both)} of {len(found)} (2).",
        ),
    )
    shown = table(["itemset", *names], ["true support, %", *true], ["estimate, %", *seen])
    text = (
        "Six itemsets of a survey; all others are rare and are not found. The minimum support is "
        f"{least} %.\n\n"
    )
    given = {"true": true, "seen": seen, "least": least}
    results = {"lost": lost, "invented": invented, "rho_all": rho_all, "rho": rho}
    return Question("Lost and invented", text + shown, parts, given, results)
