"""Exam questions on lesson 04: which matrix is best at a given γ."""

from frapp_lab.course.exams import Part, Question, pick, question, show
from frapp_lab.data.schema import Schema
from frapp_lab.mechanisms.gamma_diagonal import GammaDiagonal
from frapp_lab.mechanisms.mask import Mask
from frapp_lab.mining.optimality import condition_lower_bound


@question("04", minutes=16)
def by_hand(rng):
    """The γ-diagonal matrix by hand, one more attribute, and a claim that cannot be true."""
    sizes, gamma = pick(rng, (2, 2), (2, 4), (3, 4), (2, 5)), pick(rng, 5, 6, 9, 11)
    m = GammaDiagonal(Schema.of_sizes(*sizes), gamma)
    n, x, s, kappa = m.schema.n_cells, m.x, m.stay, m.condition_number(1)
    wider = condition_lower_bound(gamma, 2 * n)
    claimed = round(0.8 * kappa + 0.2, 2)
    parts = (
        Part(
            "How many cells are there, and what stands on the diagonal of the γ-diagonal matrix "
            "and off it?",
            4,
            f"$n$ = {n} (1), $x = 1/({gamma} + {n} - 1)$ = {show(x)} off the diagonal (2) and "
            f"$\\gamma x$ = {show(gamma * x)} on it (1).",
        ),
        Part(
            "Give its eigenvalues and its condition number.",
            4,
            f"1 for the vector of ones, and $(\\gamma - 1)x$ = {show(s)} for all vectors that sum "
            "to "
            f"zero, {n - 1} times (3). κ = {show(kappa)} (1).",
        ),
        Part(
            "A further yes/no attribute is added at the same γ. What is κ now?",
            3,
            f"There are {2 * n} cells: $1 + {2 * n}/{gamma - 1}$ = {show(wider)}.",
        ),
        Part(
            f"A colleague shows a symmetric positive definite matrix over the {n} cells of the "
            f"first survey, with columns that sum to one, κ = {show(claimed)} and, they say, the "
            "same γ. What do you conclude, and why?",
            5,
            f"Among such matrices κ is at least $(\\gamma + n - 1)/(\\gamma - 1)$ = {show(kappa)} "
            f"(2). {show(claimed)} is less, so the amplification must be larger than {gamma} (2): "
            "look for two entries of one row with a larger ratio (1).",
        ),
    )
    text = (
        f"A survey has {len(sizes)} attributes with {' and '.join(map(str, sizes))} values. Whole "
        f"records are perturbed with amplification γ = {gamma}."
    )
    given = {"sizes": sizes, "gamma": gamma, "claimed": claimed}
    results = {"x": x, "s": s, "kappa": kappa, "wider": wider}
    return Question("A matrix by hand", text, parts, given, results)


@question("04", minutes=15)
def bits(rng):
    """MASK's p at a given γ, and where it beats the γ-diagonal matrix."""
    odds, sizes = pick(
        rng, (2.0, (6, 6)), (1.5, (4, 3, 5)), (1.5, (5, 4)), (2.0, (5, 6, 5)), (3.0, (5, 4))
    )
    M, schema = len(sizes), Schema.of_sizes(*sizes)
    gamma = odds ** (2 * M)
    mask, diagonal = Mask.for_gamma(schema, gamma), GammaDiagonal(schema, gamma)
    one, longest = mask.condition_number(1), mask.condition_number(M)
    kappa, n_bits = diagonal.condition_number(1), mask.n_bits
    better = "MASK" if one < kappa else "the γ-diagonal matrix"
    best = "MASK" if longest < kappa else "the γ-diagonal matrix"
    parts = (
        Part(
            "How many bits has a report, and in how many bits do two records differ at most?",
            3,
            f"{n_bits} bits (1). Each attribute has one bit set, so two records differ in two bits "
            f"for each attribute: {2 * M} at most (2).",
        ),
        Part(
            "Give MASK's $p$.",
            4,
            f"$(p/(1-p))^{{{2 * M}}}$ = {show(gamma)}, so $p/(1-p)$ = {show(odds)} and $p$ = "
            f"{show(mask.p)}.",
        ),
        Part(
            f"Give MASK's condition numbers for itemsets of length 1 and {M}.",
            4,
            f"One bit's matrix has the eigenvalues 1 and $2p - 1$ = {show(2 * mask.p - 1)}. So "
            f"{show(one)} (2), and to the power of {M}: {show(longest)} (2).",
        ),
        Part(
            "Which of MASK and the γ-diagonal matrix over whole records is better conditioned at "
            f"length 1, and which at length {M}?",
            4,
            f"The γ-diagonal matrix has $1 + {schema.n_cells}/{show(gamma - 1)}$ = {show(kappa)} "
            "at "
            f"every length (2). At length 1 it is {better}, at length {M} {best} (2).",
        ),
    )
    text = (
        f"A survey has {M} attributes with {' and '.join(map(str, sizes))} values. MASK turns each "
        "value into a bit and flips every bit with probability $1 - p$. The amplification of a "
        f"whole report shall be γ = {show(gamma)}."
    )
    given = {"sizes": sizes, "gamma": gamma}
    results = {"p": mask.p, "one": one, "longest": longest, "kappa": kappa}
    return Question("Flipped bits", text, parts, given, results)
