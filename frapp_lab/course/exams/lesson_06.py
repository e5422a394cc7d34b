"""Exam questions on lesson 06: drawing a report."""

from frapp_lab.course.exams import Part, Question, percent, pick, question, show
from frapp_lab.data.schema import Schema
from frapp_lab.mechanisms.gamma_diagonal import GammaDiagonal
from frapp_lab.privacy import worst_posterior


@question("06", minutes=16)
def columns(rng):
    """A record drawn column by column."""
    sizes, gamma = pick(rng, (2, 3, 4), (3, 2, 2), (4, 2, 3), (2, 5, 2)), pick(rng, 5, 8, 9, 11)
    m = GammaDiagonal(Schema.of_sizes(*sizes), gamma)
    first, second, third = (m.match_probability(j) for j in range(3))
    two = first * second
    strayed = first * (1 - second) / (sizes[1] - 1) / sizes[2]
    parts = (
        Part(
            "Compute $x$, the probability to stay $s$, and the probability that the report equals "
            "the record.",
            3,
            f"$n$ = {m.schema.n_cells}, $x$ = {show(m.x)}, $s = (\\gamma-1)x$ = {show(m.stay)}, "
            "and "
            f"$\\gamma x = s + x$ = {show(gamma * m.x)}.",
        ),
        Part(
            "Compute $h_1, h_2, h_3$: how likely a column keeps its value if all before it did. "
            "Check their product.",
            6,
            f"$h_1$ = {show(first)}, $h_2$ = {show(second)}, $h_3$ = {show(third)} (five marks). "
            f"The product is $\\gamma x$ = {show(gamma * m.x)} (1).",
        ),
        Part(
            "How likely are the first two columns both kept?",
            2,
            f"$h_1 h_2$ = {show(two)}.",
        ),
        Part(
            "The first column is kept and the second is not. How is the third drawn? Show that a "
            "report that keeps only the first column comes out with probability $x$.",
            5,
            "Uniformly, whatever its own value is: the client's own cell is ruled out, and no "
            "other "
            f"cell is favoured (2). $h_1 \\cdot (1-h_2)/{sizes[1] - 1} \\cdot 1/{sizes[2]}$ = "
            f"{show(strayed)} = $x$ (3).",
        ),
    )
    text = (
        f"A record has three columns with {sizes[0]}, {sizes[1]} and {sizes[2]} values. Clients "
        "use "
        f"the γ-diagonal matrix with γ = {gamma}."
    )
    results = {"x": m.x, "s": m.stay, "h1": first, "h2": second, "h3": third, "two": two}
    return Question("Column by column", text, parts, {"sizes": sizes, "gamma": gamma}, results)


@question("06", minutes=15)
def slip(rng):
    """A sampler that mixes two descriptions, and what it costs the clients."""
    sizes, gamma = pick(rng, (5, 2), (4, 4), (3, 2, 2), (2, 2, 2)), pick(rng, 4, 6, 9, 12)
    m = GammaDiagonal(Schema.of_sizes(*sizes), gamma)
    n, prior = m.schema.n_cells, pick(rng, 0.05, 0.1)
    other = (1 - gamma * m.x) / n
    own = gamma * m.x + other
    attained = own / other
    belief, promised = worst_posterior(prior, attained), worst_posterior(prior, gamma)
    parts = (
        Part(
            "How likely is the own record, and how likely one other record, with this program?",
            5,
            f"$x$ = {show(m.x)}, $\\gamma x$ = {show(gamma * m.x)} (1). Any other record: "
            f"$(1 - \\gamma x)/n$ = {show(other)} (2). The own one: {show(gamma * m.x)} + "
            f"{show(other)} = {show(own)} (2).",
        ),
        Part(
            "Which amplification does it attain?",
            3,
            f"{show(own)}/{show(other)} = {show(attained)}, where {gamma} was promised "
            "(from unrounded numbers).",
        ),
        Part(
            f"What does this mean for a prior of {percent(prior)}?",
            3,
            f"It can rise to {percent(belief)}; {percent(promised)} was promised.",
        ),
        Part(
            "Mend the program with one change, and say why it is right.",
            4,
            f"Keep the record with $s = (\\gamma - 1)x$ = {show(m.stay)} (2). Then every record "
            "gets "
            "$(1-s)/n = x$ from the uniform draw, and the own one $s + x = \\gamma x$ (2).",
        ),
    )
    text = (
        f"Records have {len(sizes)} columns with {' and '.join(map(str, sizes))} values, and the "
        f"γ-diagonal matrix with γ = {gamma} is wanted. A programmer writes: *with probability γx "
        "send the record as it is; otherwise draw every column uniformly.*"
    )
    given = {"sizes": sizes, "gamma": gamma, "prior": prior}
    results = {"own": own, "other": other, "attained": attained, "belief": belief, "s": m.stay}
    return Question("A programmer's slip", text, parts, given, results)
