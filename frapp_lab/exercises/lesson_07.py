"""The exercises of lesson 07: supports, identity errors, reconstruction, and how many records."""

import numpy as np

from frapp_lab.datasets import load_census
from frapp_lab.exercises import Estimator, Exercise, exercise
from frapp_lab.mechanisms import GammaDiagonal


@exercise("07.1")
def small_table():
    """The support of an itemset and the confidence of a rule, from ten orders."""
    tea = np.array([1, 1, 1, 0, 0, 1, 0, 1, 0, 0], dtype=bool)
    scone = np.array([1, 0, 1, 1, 0, 1, 0, 0, 0, 0], dtype=bool)
    support = np.mean(tea & scone)
    confidence = support / tea.mean()
    solution = np.array([support, confidence])
    mistakes = {
        "The two are in the wrong order: first the support.": np.array([confidence, support]),
        "These are counts of orders. Which shares do they make?": np.array(
            [np.sum(tea & scone), np.sum(tea)]
        ),
        "The first number is a count of orders. A support is a share of all orders.": np.array(
            [np.sum(tea & scone), confidence]
        ),
        "The confidence is of the rule turned round, {snack=scone} ⇒ {drink=tea}. "
        "Divide by the support of the left-hand side.": np.array([support, support / scone.mean()]),
        "Both numbers are shares of all orders. A confidence is a share of those orders only that "
        "have the left-hand side.": np.array([support, support]),
        "You multiplied the supports of the two items. "
        "That would be right if they were independent; "
        "count the orders that have both.": np.array([tea.mean() * scone.mean(), scone.mean()]),
    }
    lesson = "Support says how common a pattern is, confidence how reliable the arrow in it is."
    return Exercise(solution, mistakes, lesson)


@exercise("07.2")
def identity_errors():
    """σ⁻ and σ⁺ in percent, from the true and the found itemsets."""

    def rates(frequent, found):
        lost, invented = len(frequent - found), len(found - frequent)
        return [100 * lost / len(frequent), 100 * invented / len(frequent)]

    def per_found(frequent, found):
        return [rates(frequent, found)[0], 100 * len(found - frequent) / len(found)]

    def all_per_found(frequent, found):
        return [100 * len(frequent - found) / len(found), per_found(frequent, found)[1]]

    inputs = (
        (frozenset("abcde"), frozenset("abx")),
        (frozenset("abcd"), frozenset("abcdvwxyz")),
        (frozenset("abcdefgh"), frozenset("fghxy")),
    )
    mistakes = {
        "Your σ⁺ is a share of what was found. The paper divides both errors by the number of "
        "truly frequent itemsets, so that σ⁺ may exceed 100 %.": per_found,
        "You divide by the size of R. "
        "Both errors are relative to F, the truly frequent itemsets.": all_per_found,
        "The two are swapped: first those that were lost (in F, not in R), then those that were "
        "invented (in R, not in F).": lambda frequent, found: rates(frequent, found)[::-1],
        "These are counts. Make them percentages of the truly frequent "
        "itemsets.": lambda frequent, found: [len(frequent - found), len(found - frequent)],
        "Your first number says what was kept. σ⁻ says what was lost.": lambda frequent, found: [
            100 - rates(frequent, found)[0],
            rates(frequent, found)[1],
        ],
        "You compare only how many there are. Two sets of one size can have nothing in common: "
        "take set differences.": lambda frequent, found: (
            [abs(len(frequent) - len(found)) / len(frequent) * 100] * 2
        ),
    }
    lesson = "σ⁻ cannot exceed 100 %, σ⁺ can: there are many more itemsets to invent than to lose."
    return Exercise(rates, mistakes, lesson, inputs, percent=True)


@exercise("07.3")
def privacy_of_a_part():
    """The amplification of what a report says about some of the attributes."""

    def solution(gamma, n, n_s):
        return 1 + (gamma - 1) * n_s / n

    mistakes = {
        "This is the ratio in the matrix of the whole record. On the marginal both entries are "
        "sums over n/n_s cells: add them up first.": lambda gamma, n, n_s: gamma,
        "Only one of the n/n_s cells that are added up on the diagonal holds γx. "
        "The others hold x, and they count too.": lambda gamma, n, n_s: gamma * n_s / n,
        "The ratio is upside down: an amplification is the larger entry "
        "over the smaller.": lambda gamma, n, n_s: 1 / (1 + (gamma - 1) * n_s / n),
        "n and n_s are swapped. A small n_s must come out near 1.": lambda gamma, n, n_s: (
            1 + (gamma - 1) * n / n_s
        ),
        "A cell of the marginal is the sum of n/n_s cells of the whole table, "
        "not of n_s.": lambda gamma, n, n_s: 1 + (gamma - 1) / n_s,
        "You count one cell too many on the diagonal: "
        "with n_s = n, γ must come out.": lambda gamma, n, n_s: 1 + gamma * n_s / n,
    }
    lesson = (
        "The fewer cells an itemset can choose from, the less a report says about it: privacy "
        "that nobody asked for, and that accuracy pays for."
    )
    inputs = tuple((g, n, k) for g in (3.0, 19.0) for n, k in ((2000, 2), (2000, 20), (40, 8)))
    return Exercise(solution, mistakes, lesson, inputs)


@exercise("07.4")
def reconstruct():
    """Estimate the support of one itemset from reports of three attributes of CENSUS."""
    census = load_census()
    columns = ["age", "race", "sex"]
    schema = census.schema.subset(columns)
    records = census.records[:2000, census.schema.positions(columns)]
    mechanism = GammaDiagonal(schema, 19)
    s, x, n_s = mechanism.stay, mechanism.x, schema.subset(["age", "sex"]).n_cells

    def observed(reports):
        return np.mean((reports[:, 0] == 1) & (reports[:, 2] == 1))

    def with_cells(reports, n):
        wrong = (mechanism.gamma - 1) / (mechanism.gamma + n - 1)
        return (observed(reports) - (1 - wrong) / n_s) / wrong

    p_out = (1 - s) / n_s
    p_in = p_out + s

    def solution(reports):
        return (observed(reports) - p_out) / s

    mistakes = {
        "This is the share among the reports. "
        "It is the true share, shrunk, on a background of chance: undo both.": observed,
        "You take away the background of a single cell. The itemset holds n/n_s cells, "
        "and each of them collects strays.": lambda reports: (observed(reports) - x) / s,
        "The background is gone, but the signal is still shrunk: divide by the chance that a "
        "record is sent on purpose as it is.": lambda reports: observed(reports) - p_out,
        "γx is the diagonal entry of the whole matrix. "
        "A record that stays by chance is already in the background: divide by the difference of "
        "the two entries.": lambda reports: (observed(reports) - p_out) / (mechanism.gamma * x),
        "You took γx for s. "
        "But γx also counts the records that are drawn by chance.": lambda reports: (
            (observed(reports) - (1 - mechanism.gamma * x) / n_s) / (mechanism.gamma * x)
        ),
        "This is in percent. A support is a share between 0 and 1.": lambda reports: (
            100 * solution(reports)
        ),
        "You took n for the two attributes of the itemset. Clients perturbed all three, "
        "so x and s come from all cells.": lambda reports: with_cells(reports, n_s),
        "You took n of the whole CENSUS. Here clients send "
        "three attributes only.": lambda reports: with_cells(reports, census.schema.n_cells),
        "It is cut off below zero, so that its average is too high for an itemset that hardly "
        "anybody has. Let the estimate be negative.": lambda reports: max(solution(reports), 0),
    }

    def surveys(people, also=None):
        truth = observed(people)
        variance = truth * p_in * (1 - p_in) + (1 - truth) * p_out * (1 - p_out)
        return Estimator(
            # In any order, so that a part of the reports is a fair sample.
            lambda rng: (mechanism.perturb(rng.permutation(people), rng),),
            solution,
            float(truth),
            float((variance / len(people)) ** 0.5 / s),
            mistakes,
            "Unbiased, and its spread is the one that the formula promises.",
            also,
        )

    # Where nobody has the itemset, an estimate that is cut off at zero shows.
    nobody = records[(records[:, 0] != 1) | (records[:, 2] != 1)]
    return surveys(records, also=surveys(nobody))


@exercise("07.5")
def records_for():
    """How many records bring the deviation of an estimated support down to a target."""
    mechanism = GammaDiagonal(load_census().schema, 19)
    s, n = mechanism.stay, mechanism.schema.n_cells

    def variance(support, n_s, s=s):
        p_out = (1 - s) / n_s
        p_in = p_out + s
        return support * p_in * (1 - p_in) + (1 - support) * p_out * (1 - p_out)

    solution = lambda support, n_s, target: variance(support, n_s) / (s * target) ** 2
    mistakes = {
        "This makes the deviation of the observed share small. "
        "Reconstruction divides the observed share by s, "
        "and its deviation too.": lambda support, n_s, target: variance(support, n_s) / target**2,
        "The deviation is divided by s, so the variance is divided "
        "by its square.": lambda support, n_s, target: variance(support, n_s) / (s * target**2),
        "A deviation falls with the square root of the number of records: "
        "solve for N, and do not forget to "
        "square.": lambda support, n_s, target: variance(support, n_s) ** 0.5 / (s * target),
        "You took the background of the whole domain, 1/n. "
        "On the marginal each itemset gets the share 1/n_s "
        "of the strays.": lambda support, n_s, target: variance(support, n) / (s * target) ** 2,
        "You took s from the cells of the marginal. Clients perturbed the whole record, "
        "so s comes from all n cells.": lambda support, n_s, target: (
            variance(support, n_s, 18 / (18 + n_s)) * ((18 + n_s) / (18 * target)) ** 2
        ),
        "This is the rough form, which leaves out the support. "
        "Use the exact one.": lambda support, n_s, target: 1 / n_s / (s * target) ** 2,
        "The target is a deviation. Variances are compared "
        "with its square.": lambda support, n_s, target: variance(support, n_s) / (s**2 * target),
        "You took the target as relative to the support. "
        "It is the deviation itself.": lambda support, n_s, target: (
            variance(support, n_s) / (s * support * target) ** 2
        ),
    }
    lesson = "Half the deviation costs four times the records, and a short itemset costs most."
    inputs = ((0.33, 2, 0.01), (0.12, 20, 0.01), (0.035, 2000, 0.005))
    return Exercise(solution, mistakes, lesson, inputs)
