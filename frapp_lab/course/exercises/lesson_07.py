"""The exercises of lesson 07: supports, identity errors, reconstruction, and how many records."""

import numpy as np

from frapp_lab.course.exercises import Estimator, Exercise, exercise
from frapp_lab.data.census import load_census
from frapp_lab.data.schema import Schema
from frapp_lab.mechanisms.gamma_diagonal import GammaDiagonal


@exercise("07.a")
def largest_support():
    """The largest support of a pair, from the supports of its items."""
    tea, cake = 0.30, 0.12
    mistakes = {
        "That is what it would be if the two were independent. It can be more.": tea * cake,
        "Not everybody who has tea can have cake: too few have cake.": tea,
        "That is more than either has. Whoever has both has each of them.": tea + cake,
        "That is the smallest that it can be.": 0.0,
        "Those are the orders that have tea and surely no cake.": tea - cake,
    }
    return Exercise(cake, mistakes, "So if {cake} is rare, {tea, cake} need not be counted.")


@exercise("07.b")
def strays_alone():
    """The share of all reports that support half of ten cells by straying alone."""
    mechanism = GammaDiagonal(Schema.of_sizes(10), 4)
    s = mechanism.stay
    mistakes = {
        "That is the share among the strays. Not all reports are strays.": 0.5,
        "These are all strays. Which share of them falls on this itemset?": 1 - s,
        "That is the background of one cell. How many does the itemset cover?": (1 - s) / 10,
        "These are reports sent on purpose. Strays are the others.": s / 2,
        "You took γx for s. A stray can hit the own cell too: it is still a stray.": (
            1 - mechanism.gamma * mechanism.x
        )
        / 2,
    }
    lesson = "On CENSUS it is 49.6 % for Male, whatever is true: the signal is a small surplus."
    return Exercise((1 - s) / 2, mistakes, lesson)


@exercise("07.1")
def small_table():
    """The support of an itemset and the confidence of a rule, from ten orders."""
    tea = np.array([1, 1, 1, 0, 0, 1, 0, 1, 0, 0], dtype=bool)
    scone = np.array([1, 0, 1, 1, 0, 1, 0, 0, 0, 0], dtype=bool)
    support = np.mean(tea & scone)
    confidence, both = support / tea.mean(), np.sum(tea & scone)
    as_if_independent, half = [tea.mean() * scone.mean(), scone.mean()], [both, confidence]
    mistakes = {
        "The two are in the wrong order: first the support.": [confidence, support],
        "These are counts of orders. Which shares do they make?": [both, np.sum(tea)],
        "The first number is a count of orders. A support is a share of all orders.": half,
        "The confidence is of the rule turned round, {snack=scone} ⇒ {drink=tea}. "
        "Divide by the support of the left-hand side.": [support, support / scone.mean()],
        "Both numbers are shares of all orders. A confidence is a share of those orders only that "
        "have the left-hand side.": [support, support],
        "You multiplied the supports of the two items. That would be right if they were "
        "independent; count the orders that have both.": as_if_independent,
    }
    lesson = "Support says how common a pattern is, confidence how reliable the arrow in it is."
    return Exercise(np.array([support, confidence]), mistakes, lesson)


@exercise("07.2")
def identity_errors():
    """σ⁻ and σ⁺ in percent, from the true and the found itemsets."""

    def percent(errors):
        return lambda F, R: [100 * e for e in errors(len(F - R), len(R - F), len(F), len(R))]

    def counts(F, R):
        return [len(F - R), len(R - F)]

    solution = percent(lambda lost, new, F, R: (lost / F, new / F))
    kept = percent(lambda lost, new, F, R: (1 - lost / F, new / F))
    inputs = ("abcde", "abx"), ("abcd", "abcdvwxyz"), ("abcdefgh", "fghxy")
    inputs = tuple((frozenset(true), frozenset(found)) for true, found in inputs)
    mistakes = {
        "Your σ⁺ is a share of what was found. "
        "The paper divides both errors by the number of truly frequent itemsets, "
        "so that σ⁺ may exceed 100 %.": percent(lambda lost, new, F, R: (lost / F, new / R)),
        "You divide by the size of R. Both errors are relative to F, "
        "the truly frequent itemsets.": percent(lambda lost, new, F, R: (lost / R, new / R)),
        "The two are swapped: first those that were lost (in F, not in R), "
        "then those that were invented (in R, not in F).": lambda F, R: solution(F, R)[::-1],
        "These are counts. Make them percentages of the truly frequent itemsets.": counts,
        "Your first number says what was kept. σ⁻ says what was lost.": kept,
        "You compare only how many there are. Two sets of one size can have nothing in common: "
        "take set differences.": lambda F, R: [100 * abs(len(F) - len(R)) / len(F)] * 2,
    }
    lesson = "σ⁻ cannot exceed 100 %, σ⁺ can: there are many more itemsets to invent than to lose."
    return Exercise(solution, mistakes, lesson, inputs, percent=True)


@exercise("07.3")
def privacy_of_a_part():
    """The amplification of what a report says about some of the attributes."""

    def solution(gamma, m):
        return 1 + (gamma - 1) / m

    mistakes = {
        "This is the ratio in the matrix of the whole record. On the marginal both entries are "
        "sums over m cells: add them up first.": lambda gamma, m: gamma,
        "Only one of the m cells that are added up on the diagonal holds γx. "
        "The others hold x, and they count too.": lambda gamma, m: gamma / m,
        "The ratio is upside down: an amplification is the larger entry "
        "over the smaller.": lambda gamma, m: 1 / solution(gamma, m),
        "The more cells are added up, the less a report tells: a large m must come out near "
        "1.": lambda gamma, m: 1 + (gamma - 1) * m,
        "You count one cell too many on the diagonal: "
        "with m = 1, γ must come out.": lambda gamma, m: 1 + gamma / m,
    }
    lesson = (
        "The more cells an itemset covers, the less a report says about it: privacy "
        "that nobody asked for, and that accuracy pays for."
    )
    inputs = tuple((gamma, m) for gamma in (3.0, 19.0) for m in (1, 5, 100, 1000))
    return Exercise(solution, mistakes, lesson, inputs)


@exercise("07.4")
def reconstruct():
    """Estimate the support of one itemset from reports of three attributes of CENSUS."""
    census = load_census()
    columns = ["age", "race", "sex"]
    schema = census.schema.subset(columns)
    records = census.records[:2000, census.schema.positions(columns)]
    mechanism = GammaDiagonal(schema, 19)
    s, x, share = mechanism.stay, mechanism.x, 1 / schema.subset(["age", "sex"]).n_cells
    g_0, keep = (1 - s) * share, mechanism.gamma * x
    g_1 = g_0 + s

    def observed(reports):
        return np.mean((reports[:, 0] == 1) & (reports[:, 2] == 1))

    def undo(background, signal):
        return lambda reports: (observed(reports) - background) / signal

    def with_cells(n):
        wrong = (mechanism.gamma - 1) / (mechanism.gamma + n - 1)
        return undo((1 - wrong) * share, wrong)

    solution, without_s = undo(g_0, s), undo((1 - keep) * share, keep)
    of_pair, of_all = with_cells(1 / share), with_cells(census.schema.n_cells)
    mistakes = {
        "This is the share among the reports. "
        "It is the true share, shrunk, on a background of chance: undo both.": observed,
        "You take away the background of a single cell. "
        "The itemset covers several cells, and each of them collects strays.": undo(x, s),
        "The background is gone, but the signal is still shrunk: "
        "divide by the chance that a record is sent on purpose as it is.": undo(g_0, 1),
        "γx is the diagonal entry of the whole matrix. A record that stays by chance is already in "
        "the background: divide by the difference of the two entries.": undo(g_0, keep),
        "You took γx for s. But γx also counts the records that are drawn by chance.": without_s,
        "This is in percent. A support is a share between 0 and 1.": undo(g_0, s / 100),
        "You took n for the two attributes of the itemset. "
        "Clients perturbed all three, so x and s come from all cells.": of_pair,
        "You took n of the whole CENSUS. Here clients send three attributes only.": of_all,
        "It is cut off below zero, so that its average is too high for an itemset that hardly "
        "anybody has. Let the estimate be negative.": lambda reports: max(solution(reports), 0),
    }
    lesson = "Unbiased, and its spread is the one that the formula promises."

    def surveys(people, also=None):
        truth = observed(people)
        variance = truth * g_1 * (1 - g_1) + (1 - truth) * g_0 * (1 - g_0)
        deviation = (variance / len(people)) ** 0.5 / s

        def draw(rng):
            # In any order, so that a part of the reports is a fair sample.
            return (mechanism.perturb(rng.permutation(people), rng),)

        return Estimator(draw, solution, truth, deviation, mistakes, lesson, also)

    # Where nobody has the itemset, an estimate that is cut off at zero shows.
    nobody = records[(records[:, 0] != 1) | (records[:, 2] != 1)]
    return surveys(records, also=surveys(nobody))


@exercise("07.5")
def records_for():
    """How many records bring the deviation of an estimated support down to a target."""
    mechanism = GammaDiagonal(load_census().schema, 19)
    s, n = mechanism.stay, mechanism.schema.n_cells

    def variance(support, share, s=s):
        g_0 = (1 - s) * share
        g_1 = g_0 + s
        return support * g_1 * (1 - g_1) + (1 - support) * g_0 * (1 - g_0)

    def solution(support, m, target):
        return variance(support, m / n) / (s * target) ** 2

    def of_marginal(support, m, target):
        s = 18 / (18 + n / m)
        return variance(support, m / n, s) / (s * target) ** 2

    mistakes = {
        "This makes the deviation of the observed share small. Reconstruction divides the observed "
        "share by s, and its deviation too.": lambda f, m, target: solution(f, m, target / s),
        "The deviation is divided by s, so the variance is divided "
        "by its square.": lambda f, m, target: s * solution(f, m, target),
        "A deviation falls with the square root of the number of records: solve for N, "
        "and do not forget to square.": lambda f, m, target: solution(f, m, target) ** 0.5,
        "You took the background of a single cell. The itemset covers m of them, "
        "and gets their strays too.": lambda f, m, target: solution(f, 1, target),
        "You took s from the cells of the marginal. "
        "Clients perturbed the whole record, so s comes from all n cells.": of_marginal,
        "This is the rough form, which leaves out the support. "
        "Use the exact one.": lambda f, m, target: m / n / (s * target) ** 2,
        "The target is a deviation. Variances are compared with its square.": lambda f, m, target: (
            target * solution(f, m, target)
        ),
        "You took the target as relative to the support. "
        "It is the deviation itself.": lambda f, m, target: solution(f, m, f * target),
    }
    lesson = "Half the deviation costs four times the records, and a short itemset costs most."
    inputs = ((0.33, 1000, 0.01), (0.12, 100, 0.01), (0.035, 1, 0.005))
    return Exercise(solution, mistakes, lesson, inputs)
