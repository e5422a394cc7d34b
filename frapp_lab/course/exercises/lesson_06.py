"""The exercises of lesson 06: drawing a report."""

from functools import partial

import numpy as np

from frapp_lab.course.exercises import Estimator, Exercise, exercise
from frapp_lab.data.schema import Schema
from frapp_lab.mechanisms.gamma_diagonal import GammaDiagonal


def _small():
    """The domain of exercises 06.1 and 06.3."""
    return GammaDiagonal(Schema.of_sizes(3, 4, 2), 7)


@exercise("06.a")
def after_a_mismatch():
    """The chance that the second column comes out right after the first was changed."""
    m = GammaDiagonal(Schema.of_sizes(2, 3), 4)
    mistakes = {
        "This is so when her sex was kept. Read the other row.": m.match_probability(1),
        "The own value is not forbidden: it may come back by chance.": 0.0,
        "This is the probability that both happen, in the first table. Given that her sex was "
        "changed, the row must sum to one.": m.x,
        "This is her own cell, with her own sex. Her sex was changed.": m.gamma * m.x,
        "There are three ages, and after a mismatch none is favoured.": 0.5,
    }
    return Exercise(1 / 3, mistakes, "After a mismatch nothing is favoured: 1/n_j for every value.")


@exercise("06.b")
def mixed():
    """The own cell's probability if the two descriptions of the matrix are mixed."""
    m = GammaDiagonal(Schema.of_sizes(2, 3), 4)
    n, gx = m.schema.n_cells, m.gamma * m.x
    mistakes = {
        "This is what it should be. The program sends the own cell once more when it draws any "
        "cell and happens to hit it.": gx,
        "The uniform draw is made only if the own cell was not sent on purpose: weigh it with that "
        "probability.": gx + 1 / n,
        "This is s, with which the other description stays. Here the own cell is sent on purpose "
        "with γx, and a uniform draw can hit it too.": m.stay,
        "This adds the probability of one other cell under the right law. Here a cell is drawn "
        "uniformly from all n, with probability 1 − γx.": gx + m.x,
    }
    lesson = "More than γx: the promise is broken, since the other cells have less than x each."
    return Exercise(gx + (1 - gx) / n, mistakes, lesson)


@exercise("06.1")
def first_column():
    """The probability that the first of three columns keeps its value."""
    m = _small()
    first, rest = m.schema.sizes[0], m.schema.n_cells / m.schema.sizes[0]
    mistakes = {
        "This is the probability that the whole record is unchanged. "
        "Cells that agree with the record in the first column alone count too.": m.gamma * m.x,
        "This is the stay probability s. "
        "The first column can also keep its value when a uniform record is drawn.": m.stay,
        "This comes out if one cell is counted twice: of the cells that share the first value, "
        "one is the record itself, and only the others have probability x.": (m.gamma + rest) * m.x,
        "This is the probability of one particular *other* value. "
        "Among the cells with the own value, one has γx in place of x.": rest * m.x,
        "This perturbs the first column as if it were the whole record. "
        "The cells of the whole domain have the γ-diagonal law: "
        "add up those that share the first value.": m.gamma / (m.gamma + first - 1),
        "This would be a uniform column. The own value is likelier than that.": 1 / first,
    }
    lesson = (
        "With more cells in the other columns it falls towards chance: in a large domain one "
        "column alone says little."
    )
    return Exercise(m.match_probability(0), mistakes, lesson)


@exercise("06.2")
def second_column():
    """Both conditional laws of the second of two columns."""
    m, own = GammaDiagonal(Schema.of_sizes(2, 4), 5), (1, 2)
    table = m.matrix()[:, int(m.schema.encode([own])[0])].reshape(m.schema.sizes)
    kept, changed = table[own[0]], table[1 - own[0]]
    first, second = kept / kept.sum(), changed / changed.sum()
    solution, swapped = np.array([first, second]), [second, first]
    shifted, forbidden = [np.roll(first, -1), second], [first, (np.arange(4) != own[1]) / 3]
    mistakes = {
        "These are the joint probabilities, and the rows do not sum to one. "
        "Divide each row by the probability of its condition.": [kept, changed],
        "The second row is wrong: once the first column has changed, "
        "no cell of that row is the client's own, so none is favoured.": [first, first],
        "This is the law of the second column when nothing is known about the first. "
        "Condition on what happened to the first.": [table.sum(axis=0)] * 2,
        "The two rows are swapped: the first row is for a first column that was kept.": swapped,
        "The largest value stands in the wrong place: codes are counted from 0.": shifted,
        "In the second row the own value is not forbidden: it may come back by chance.": forbidden,
    }
    lesson = "A kept column raises the stakes for the next one; a changed one ends the game."
    return Exercise(solution, mistakes, lesson)


@exercise("06.3")
def expected_steps():
    """The mean number of steps of the column algorithm for a record of first values."""
    m = _small()
    sizes = np.array(m.schema.sizes)
    uniform, own = float(np.sum((sizes + 1) / 2)), len(sizes)

    def steps(stay):
        return stay * own + (1 - stay) * uniform

    solution, weighed = steps(m.stay), steps(m.gamma * m.x)
    moving, scan = solution - m.stay * own, (m.schema.n_cells + 1) / 2
    mistakes = {
        "This is the paper's Σ|S_U^j|/2. Count the steps: the first value takes one, "
        "the last one as many as there are values; and the record may stay.": sizes.sum() / 2,
        "This is right for a uniform record. But with probability s the record stays, "
        "and this one is found at once in every column.": uniform,
        "You weigh with γx. In 'stay, else a uniform record' the weight of staying is s.": weighed,
        "This is the scan over the whole domain. Here each column is scanned by itself.": scan,
        "A record that stays takes steps too: its value must be found in every column.": moving,
    }
    lesson = (
        "Because all samplers have one law, the easy description tells us the cost of the other."
    )
    return Exercise(solution, mistakes, lesson)


@exercise("06.4")
def direct_sampler():
    """Stay or draw every column anew, as a function of the record and of uniform numbers."""

    def stay(gamma, x):
        return (gamma - 1) * x

    def cut_off(u, sizes):
        return (u[1:] * sizes).astype(int)

    def draw(columns=cut_off, stay=stay, n_cells=np.prod, swap=False):
        def perturb(record, u, sizes, gamma):
            stays = u[0] < stay(gamma, 1 / (gamma + n_cells(sizes) - 1))
            return record if stays != swap else columns(u, sizes)

        return perturb

    inputs, swapped, never = [], draw(swap=True), draw(stay=lambda gamma, x: 0)
    for seed, (sizes, gamma) in enumerate([((2, 3), 4.0), ((4, 3, 2), 9.0), ((3, 2, 2, 5), 60.0)]):
        rng, sizes = np.random.default_rng(seed), np.array(sizes)
        x = 1 / (gamma + np.prod(sizes) - 1)
        # Just below and above s and γx, so that another threshold is neither taken for right nor
        # for γx; and anywhere else.
        near = [t * (1 + e) for t in (stay(gamma, x), gamma * x) for e in (-1e-6, 1e-6)]
        for first in [stay(gamma, x) / 2, *near, *rng.random(6)]:
            u = np.r_[first, rng.random(len(sizes))]
            # No column of the record is as drawn, so that one sees whether it stays.
            record = (cut_off(u, sizes) + rng.integers(1, sizes)) % sizes
            inputs.append((record, u, sizes, gamma))
    mistakes = {
        "You stay with probability γx and then also reach the own cell by a uniform draw: "
        "the own cell gets too much. "
        "The stay probability is smaller by x.": draw(stay=lambda gamma, x: gamma * x),
        "It stays with probability 1 − s. A uniform number is below s with probability s.": swapped,
        "The first uniform number decides whether to stay and must not be used again: "
        "when the record does not stay, "
        "that number is known to be large.": draw(lambda u, k: u[:-1] * k // 1),
        "Rounding to the nearest code gives the first and the last code only half their share. "
        "Cut off the fraction of uniform × size.": draw(lambda u, k: np.rint(u[1:] * (k - 1))),
        "Rounding can give a code that is one too large. Cut off the fraction.": draw(
            lambda u, k: np.rint(u[1:] * k)
        ),
        "The last code never comes. Stretch the uniform number by the whole size.": draw(
            lambda u, k: u[1:] * (k - 1) // 1
        ),
        "These are not codes yet: cut off the fractions.": draw(lambda u, k: u[1:] * k),
        "Codes start at zero, and yours start at one.": draw(lambda u, k: 1 + cut_off(u, k)),
        "The number of cells is the product of the sizes, not their sum.": draw(n_cells=np.sum),
        "The record never stays: compare the first uniform number with s.": never,
    }
    lesson = "This is all that a phone has to do, for any domain."
    return Exercise(draw(), mistakes, lesson, tuple(inputs))


AUDITED = Schema.of_sizes(3, 2, 2)
"""The domain of the apps that exercise 06.5 audits."""
OWN, N_REPORTS = np.array([2, 0, 1]), 400


@exercise("06.5")
def audit():
    """Estimate the stay probability of an app from many reports of one known record."""
    n, sizes = AUDITED.n_cells, np.array(AUDITED.sizes)

    def unchanged(sent, record):
        return np.mean((sent == record).all(axis=1))

    def solution(sent, record, sizes, n_cells=np.prod):
        by_chance = 1 / n_cells(sizes)
        return (unchanged(sent, record) - by_chance) / (1 - by_chance)

    mistakes = {
        "This is the share of unchanged reports, which estimates γx. Some of them did not stay: "
        "a uniform draw hit the own cell.": lambda sent, record, sizes: unchanged(sent, record),
        "You subtract lucky hits for everybody, but those who stay make no uniform draw. "
        "Write down E(share) in terms of s and solve "
        "it for s.": lambda sent, record, sizes: unchanged(sent, record) - 1 / n,
        "This counts columns that agree, one by one. A report is unchanged only if all its columns "
        "agree: use .all(axis=1).": lambda sent, record, sizes: np.mean(sent == record),
        "The number of cells is the product of the sizes, not their sum.": partial(
            solution, n_cells=np.sum
        ),
        "It is cut off below zero, "
        "so that its average is too high for an app where the record hardly ever stays. "
        "Let the estimate be negative.": lambda *survey: max(solution(*survey), 0),
    }

    lesson = "A sampler can be audited from outside, with one known record and enough reports."

    def app(gamma, also=None):
        app = GammaDiagonal(AUDITED, gamma)
        keep = app.gamma * app.x
        deviation = (keep * (1 - keep) / N_REPORTS) ** 0.5 / (1 - 1 / n)

        def draw(rng):
            return app.perturb(np.tile(OWN, (N_REPORTS, 1)), rng), OWN, sizes

        return Estimator(draw, solution, app.stay, deviation, mistakes, lesson, also)

    # Where records hardly ever stay, an estimate that is cut off at zero shows; where most of them
    # do, one that is off by a factor near one.
    return app(5, also=app(1.1, also=app(100)))
