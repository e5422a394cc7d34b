"""Lesson 03: how to get the truth back, and how wrong it is."""

import numpy as np

from frapp_lab.course.exercises import Estimator, Exercise, exercise
from frapp_lab.data.schema import Schema
from frapp_lab.mechanisms.gamma_diagonal import GammaDiagonal
from frapp_lab.mining.reconstruction import clip_and_renormalise, count_variance, project_to_simplex

PARTIES = np.array([[0.5, 0.1, 0.2], [0.3, 0.7, 0.2], [0.2, 0.2, 0.6]])


@exercise("03.a")
def by_two_numbers():
    """One estimate from the affine map."""
    gamma, n, N, seen = 5, 4, 800, 180
    x = 1 / (gamma + n - 1)
    s = (gamma - 1) * x
    wrong_x = 1 / (gamma + n)
    mistakes = {
        "The random reports are taken off. What is left comes only from those who stay with the "
        "truth: scale it up.": seen - x * N,
        "Divided by γx. What is left after the subtraction comes from those who stay, and that has "
        "the probability s.": (seen - x * N) / (gamma * x),
        "First take off the reports that land on red at random.": seen / s,
        "Count the shares in a column again: the true value is one of the n.": (
            (seen - wrong_x * N) / ((gamma - 1) * wrong_x)
        ),
        "This takes off a report in four. But only those who do not stay draw a value at random.": (
            (seen - N / n) / s
        ),
        "These are the reports as they came.": seen,
        "This is a share. The number of clients is wanted.": (seen - x * N) / s / N,
    }
    return Exercise((seen - x * N) / s, mistakes, "Take off xN, divide by s: no matrix is needed.")


@exercise("03.b")
def condition():
    """The condition number of the γ-diagonal matrix on a joint domain of three questions."""
    gamma, schema = 7, Schema.of_sizes(3, 4, 5)
    n, sizes, scheme = schema.n_cells, np.array(schema.sizes), GammaDiagonal(schema, gamma)

    def cond(n):
        return 1 + n / (gamma - 1)

    mistakes = {
        "The numbers of answers were added. How many different whole records are there?": cond(
            sum(sizes)
        ),
        "Nearly: the two eigenvalues are s + nx and s; divide them.": cond(n) - 1,
        "The smaller eigenvalue is γx − x, not γx.": 1 + n / gamma,
        "This is one over the diagonal entry γx. The smaller eigenvalue is s = γx − x.": (
            (gamma + n - 1) / gamma
        ),
        "Count the shares in a column: "
        "γ for the true cell and one for each of the n − 1 others.": cond(n + 1),
        "Count again: J, the matrix of ones, stretches the vector of ones n times, "
        "not n − 1 times.": cond(n - 1),
        "This is the smallest eigenvalue. "
        "The condition number compares the largest with it, and is never below one.": scheme.stay,
        "This perturbs each question on its own. "
        "Here one matrix perturbs the whole record.": np.prod(cond(sizes)),
        "This is the largest ratio of two entries in a row: privacy, not stretching.": gamma,
    }
    lesson = "It grows with the number of combinations: every further question multiplies n."
    return Exercise(scheme.condition_number(1), mistakes, lesson)


@exercise("03.1")
def three_answers():
    """A survey with three answers and a matrix that is not symmetric."""
    matrix, reported = PARTIES, np.array([320, 390, 290])
    solution = np.linalg.solve(matrix, reported)
    mistakes = {
        "This perturbs the reports once more. "
        "The question is which counts the matrix would turn into these reports.": matrix @ reported,
        "This solves with the transposed matrix. A column is a true party, "
        "so the first row gives the first equation.": np.linalg.solve(matrix.T, reported),
        "This takes every report of a party as sent by its own voters. "
        "Others send it too.": reported / np.diag(matrix),
        "These are shares. Numbers of people are wanted.": solution / reported.sum(),
        "These are the reports as they came. Which true counts would have caused them?": reported,
    }
    lesson = "The columns sum to one, so the estimates sum to the number of people."
    return Exercise(solution, mistakes, lesson)


@exercise("03.2")
def towns():
    """The bias that clipping brings into a sum over many towns."""
    n_towns, sd = 400, 24
    per_town = sd / (2 * np.pi) ** 0.5
    mistakes = {
        "This is the mean of the sum without repair. Now negative estimates no longer cancel "
        "positive ones.": 0.0,
        "This is one town. The means of all towns add up.": per_town,
        "This is as if all estimates were positive. A negative one is now zero, not its distance "
        "from zero.": 2 * n_towns * per_town,
        "A positive estimate is less than a standard deviation from zero, on average: section 7 "
        "has the factor.": n_towns * sd / 2,
        "This adds up the standard deviations. Which estimates are left after the repair, and how "
        "far from zero are they on average?": n_towns * sd,
        "This is the standard deviation of the sum without repair. Its mean after the repair is "
        "wanted.": n_towns**0.5 * sd,
        "Standard deviations grow with the root of the number of towns. Means add up.": (
            n_towns**0.5 * per_town
        ),
        "Halved twice: half of the towns have zero, and the others the whole mean distance.": (
            n_towns * per_town / 2
        ),
    }
    lesson = (
        "In one town the bias hides in the noise; in the sum it is all that is left to see. The "
        "raw estimates would sum to zero on average."
    )
    return Exercise(n_towns * per_town, mistakes, lesson)


@exercise("03.3")
def coins():
    """The Poisson-binomial variance as a function of the matrix and the counts."""
    inputs = (
        (np.array([[0.9, 0.5], [0.1, 0.5]]), np.array([100, 300])),
        (PARTIES, np.array([250, 400, 350])),
        (GammaDiagonal(Schema.of_sizes(4), 6).matrix(), np.array([0, 20, 30, 950])),
    )
    mistakes = {
        "This is the binomial variance: it gives all people the same coin. People with different "
        "values have different ones.": lambda A, X: A @ X * (1 - A @ X / X.sum()),
        "This is the mean, E(Y). "
        "A coin that shows heads with probability q has the variance q(1 − q).": lambda A, X: A @ X,
        "This is the standard deviation. The variance is wanted.": lambda A, X: (
            count_variance(A, X) ** 0.5
        ),
        "Rows and columns are swapped: the sum for a report v runs along row v.": lambda A, X: (
            (A * (1 - A)).T @ X
        ),
        "The products are right, but they are added down the columns. "
        "Add those of one report: along the row.": lambda A, X: (A * (1 - A) * X).sum(axis=0),
        "The counts are squared. They would be if all people of a value shared one toss; "
        "but each one tosses alone.": lambda A, X: (A * (1 - A)) @ X**2,
    }
    lesson = "The variances of independent coins add up, however much the coins differ."
    return Exercise(count_variance, mistakes, lesson, inputs)


@exercise("03.4")
def reconstruct():
    """The reconstruction for the γ-diagonal matrix, tried on many surveys."""
    gamma, counts = 4.0, np.array([450, 300, 150, 80, 20, 0])
    mechanism = GammaDiagonal(Schema.of_sizes(len(counts)), gamma)

    def with_x(formula, shares=-1):
        def estimate(reported, gamma):
            x = 1 / (gamma + len(reported) + shares)
            return formula(reported, reported.sum(), gamma, x)

        return estimate

    def undo(Y, N, gamma, x):
        return (Y - x * N) / ((gamma - 1) * x)

    solution, too_many = with_x(undo), with_x(undo, shares=0)
    scaled = with_x(lambda Y, N, gamma, x: Y / ((gamma - 1) * x))
    mistakes = {
        "These are the reports as they came. "
        "Values that few people have get far too many of them.": lambda Y, gamma: Y,
        "Divided by the diagonal entry γx: but a part x of it is already in what "
        "was taken off.": with_x(lambda Y, N, gamma, x: (Y - x * N) / (gamma * x)),
        "Before you scale, take off the reports that land on each value at random.": scaled,
        "The random reports are taken off; what is left comes only from those who send their value "
        "on purpose. Scale it up.": with_x(lambda Y, N, gamma, x: Y - x * N),
        "Your x does not make a column sum to one: the true value is one of the n.": too_many,
        "This perturbs the reports once more. Solve E(Y) = sX + xN for X.": with_x(
            lambda Y, N, gamma, x: (gamma - 1) * x * Y + x * N
        ),
        "These are shares. Numbers of people are wanted.": lambda Y, gamma: (
            solution(Y, gamma) / Y.sum()
        ),
        "You set negative estimates to zero. Then rare values are too large on average: "
        "leave the estimates as they come out.": lambda Y, gamma: np.maximum(solution(Y, gamma), 0),
        "You went to the nearest table without negative entries. That shifts the mean: leave the "
        "estimates as they come out.": lambda Y, gamma: project_to_simplex(solution(Y, gamma)),
        "You mended the negative estimates. That shifts the mean: "
        "leave them as they come out.": lambda Y, gamma: clip_and_renormalise(solution(Y, gamma)),
    }
    lesson = "One subtraction and one division undo the perturbation for any number of values."

    def draw(rng):
        return mechanism.perturb_counts(counts, rng), gamma

    deviation = np.sqrt(count_variance(mechanism.matrix(), counts)) / mechanism.stay
    return Estimator(draw, solution, counts, deviation, mistakes, lesson)


@exercise("03.5")
def people_needed():
    """How many people bring the standard deviation of an estimated share to one point."""
    n, gamma, share, wanted = 8, 5, 0.15, 0.01
    mechanism = GammaDiagonal(Schema.of_sizes(n), gamma)
    shares = np.r_[share, np.full(n - 1, (1 - share) / (n - 1))]
    per_person = count_variance(mechanism.matrix(), shares)[0]
    s, x = mechanism.stay, mechanism.x
    own, reported = gamma * x, s * share + x

    def coin(p):
        return p * (1 - p) / (s * wanted) ** 2

    solution, ill_only = per_person / (s * wanted) ** 2, share * coin(own)
    mistakes = {
        "With so many people the reported share has this standard deviation. "
        "The estimate stretches it.": per_person / wanted**2,
        "The stretch works on the standard deviation, "
        "so it enters the variance squared.": per_person / (s * wanted**2),
        "This takes one coin for all, or adds the chance of who is asked: "
        "the two come to the same. Here the people are fixed, "
        "and those with the diagnosis and those without have different coins.": coin(reported),
        "This is the chance of who is asked, in a survey without perturbation. "
        "Here the people are fixed and their reports are random.": share * (1 - share) / wanted**2,
        "The standard deviation falls with the square root of N: "
        "the wanted value must be squared as well.": per_person / (s**2 * wanted),
        "Only those with the diagnosis toss a coin here. The others may report it too.": ill_only,
        "Everybody has the coin of those without the diagnosis here. Some do have it.": coin(x),
        "The estimate divides by s, the diagonal entry less x, "
        "not by the diagonal entry.": per_person / (own * wanted) ** 2,
    }
    lesson = (
        "The variance goes down as 1/N and is stretched by 1/s squared: privacy is paid in people."
    )
    return Exercise(solution, mistakes, lesson)
