"""Exam questions on lesson 08: reading a paper with a measurement in hand."""

from frapp_lab.course.exams import Part, Question, percent, pick, question, show
from frapp_lab.data.schema import Schema
from frapp_lab.mechanisms.gamma_diagonal import GammaDiagonal


@question("08", minutes=12)
def one_run(rng):
    """What one run can show, and what it cannot."""
    k, runs, more = pick(rng, 10, 12, 16, 20, 25), 100, pick(rng, 3, 4, 5)
    share = k / runs
    none, all_none = 1 - share, (1 - share) ** more
    error = (share * (1 - share) / runs) ** 0.5
    parts = (
        Part(
            "How likely is a single run that finds none, by your runs?",
            2,
            f"$1 - {k}/{runs}$ = {show(none)}.",
        ),
        Part(
            "Give an interval of two standard errors for the share of runs that find one.",
            4,
            f"The standard error is $\\sqrt{{{show(share)} \\cdot {show(none)}/{runs}}}$ = "
            f"{show(error)} (2): from {percent(share - 2 * error)} to {percent(share + 2 * error)} "
            "(2).",
        ),
        Part(
            f"Somebody else makes {more} runs and finds none in any. Does this contradict you?",
            3,
            f"That happens with ${show(none)}^{more}$ = {show(all_none)}: no contradiction.",
        ),
        Part(
            "Write the sentence that you would print instead.",
            3,
            f"“In {runs} runs the scheme found an itemset of length 5 in {k}; usually it finds "
            "none.” The number of runs (1), the count or an interval (1), a word such as *usually* "
            "(1).",
        ),
    )
    text = (
        "A paper shows one run, in which a scheme found no itemset of length 5, and writes: *the "
        f"scheme cannot find itemsets of length 5*. In {runs} runs of your own it found at least "
        f"one in {k}."
    )
    results = {"none": none, "error": error, "all_none": all_none}
    return Question("One run", text, parts, {"runs": runs, "k": k, "more": more}, results)


@question("08", minutes=16)
def constant_condition(rng):
    """A constant condition number, and an error that is not constant."""
    sizes, gamma = pick(rng, (2, 5, 5), (2, 4, 5), (2, 3, 10)), pick(rng, 9, 11, 21)
    N, support = pick(rng, 10_000, 50_000), pick(rng, 0.02, 0.05, 0.1)
    m = GammaDiagonal(Schema.of_sizes(*sizes), gamma)
    n, s = m.schema.n_cells, m.stay

    def spread(cells):
        out = (1 - s) / cells
        variance = support * (out + s) * (1 - out - s) + (1 - support) * out * (1 - out)
        return (variance / N) ** 0.5 / s

    short, long = spread(sizes[0]), spread(n)
    half = 4 * N
    parts = (
        Part(
            "Give $s$ and the condition number for itemsets of length 1 and of length 3.",
            3,
            f"$n$ = {n}, $s = (\\gamma-1)/(\\gamma+n-1)$ = {show(s)} (2), and κ = $1/s$ = "
            f"{show(1 / s)} for both (1).",
        ),
        Part(
            "How likely does a record without the itemset support it in its report, for an item "
            "of "
            f"the first attribute ({sizes[0]} values) and for an itemset of all three?",
            3,
            f"$(1-s)/{sizes[0]}$ = {show((1 - s) / sizes[0])} and $(1-s)/{n}$ = "
            f"{show((1 - s) / n)}.",
        ),
        Part(
            f"Both have a true support of {percent(support)}. Give the standard deviations of both "
            "estimates.",
            6,
            "With $o$ for the chance above, the variance of a report is $f(o+s)(1-o-s) + "
            f"(1-f)\\,o(1-o)$; divided by $N$, its root divided by $s$: {show(short)} and "
            f"{show(long)} (three marks each).",
        ),
        Part(
            "“As the condition number does not change with the length, nor does the error.” Say in "
            "two sentences what is wrong, and how many records would halve both deviations.",
            4,
            "κ says how much noise is magnified, not how much there is: a report of one attribute "
            "is mostly background, which is spread over few cells, a report of all three is spread "
            f"over many (3). Four times as many: {show(half)} (1).",
        ),
    )
    text = (
        f"{N:,} records with three attributes of {sizes[0]}, {sizes[1]} and {sizes[2]} values are "
        f"perturbed as whole records with the γ-diagonal matrix at γ = {gamma}."
    )
    given = {"sizes": sizes, "gamma": gamma, "N": N, "support": support}
    results = {"kappa": 1 / s, "short": short, "long": long, "half": half}
    return Question("A constant condition number", text, parts, given, results)
