"""The self-test of lesson 00: what the course takes for granted."""

import numpy as np

from frapp_lab.course.exercises import Exercise, exercise
from frapp_lab.data.census import load_census
from frapp_lab.privacy import gamma_from_epsilon


@exercise("00.a")
def gamma_of_two():
    """The γ of ε = 2."""
    epsilon = 2.0
    mistakes = {
        "This is the logarithm of ε. Here ε is given, and it is itself a logarithm: undo it.": (
            np.log(epsilon)
        ),
        "This is ε itself. It is a logarithm: undo it.": epsilon,
        "This is the square of ε. The base is e, 2.718…: np.exp.": epsilon**2,
        "This takes 10 for the base. ε is a natural logarithm: np.exp.": 10**epsilon,
        "This takes 2 to the power e. It is the other way round.": epsilon**np.e,
        "This multiplies e by ε. To undo a logarithm is to take a power.": np.e * epsilon,
    }
    lesson = "So ε = 2 is stricter than γ = 19, which is ε = 2.94."
    return Exercise(gamma_from_epsilon(epsilon), mistakes, lesson)


@exercise("00.b")
def another_bin():
    """How many cells CENSUS has if age is cut into eight intervals and not into four."""
    sizes = load_census().schema.sizes
    solution = 2 * np.prod(sizes)
    mistakes = {
        "Sizes multiply, they do not add up: every value of one attribute meets every value of the "
        "others.": sum(sizes) + sizes[0],
        "About so many cells there are with four intervals of age. "
        "Each interval is halved now, and so is each cell.": np.prod(sizes),
        "This multiplies by eight. There were four intervals already.": 8 * np.prod(sizes),
    }
    return Exercise(solution, mistakes, "One attribute twice as fine: twice as many cells.")


@exercise("00.1")
def bayes():
    """A report that is right nine times in ten, on something that one client in ten has."""
    prior, hit, false_alarm = 0.1, 0.9, 0.1
    both = hit * prior
    positive = both + false_alarm * (1 - prior)
    mistakes = {
        "This is P(positive | has it). The question turns it round: P(has it | positive).": hit,
        "This is P(has it and positive). Divide by P(positive).": both,
        "This is P(positive), the denominator of Bayes' rule.": positive,
        "This is what we believed before the report. A positive report tells more.": prior,
        "This is certainty. Those who do not have it test positive too, now and then.": 1.0,
    }
    lesson = "A report changes what we believe by the ratio of its two probabilities: lesson 02."
    return Exercise(both / positive, mistakes, lesson)


@exercise("00.2")
def solve():
    """Two linear equations whose matrix has columns that sum to one."""
    matrix, seen = np.array([[0.8, 0.3], [0.2, 0.7]]), np.array([70.0, 30.0])
    solution = np.linalg.solve(matrix, seen)
    mistakes = {
        "This solves with the transposed matrix. "
        "The first equation is the first row.": np.linalg.solve(matrix.T, seen),
        "This multiplies the right-hand side by the matrix. "
        "The question is which X the matrix turns into it.": matrix @ seen,
        "The two entries are in the wrong order. Put them into the first equation.": solution[::-1],
        "These are shares. The columns of the matrix sum to one, so the entries of X have the same "
        "sum as those of the right-hand side.": solution / seen.sum(),
    }
    lesson = "Undoing a perturbation is solving such equations: lesson 03."
    return Exercise(solution, mistakes, lesson)


@exercise("00.3")
def spread():
    """The standard deviation of a share among independent people."""
    n, p = 400, 0.5
    variance = p * (1 - p)
    mistakes = {
        "This is the variance. Take its square root.": variance / n,
        "This is the standard deviation of how many say yes, not of the share.": (n * variance)
        ** 0.5,
        "This is the deviation of one person's answer.": variance**0.5,
        "This is the variance of one person's answer.": variance,
        "Then every sample of so many people would have the same share.": 0.0,
        "A share lies between 0 and 1, and cannot spread so far.": 1.0,
        "This is one over the root of the number of people. "
        "The deviation of one person's answer is missing.": 1 / n**0.5,
    }
    lesson = "It falls with the square root of the number of people: so does every error to come."
    return Exercise((variance / n) ** 0.5, mistakes, lesson)


@exercise("00.4")
def keep():
    """A little Python: keep a value with probability q, for a whole array at once."""

    def solution(values, uniforms, q):
        return np.where(uniforms < q, values, 0)

    rng = np.random.default_rng(0)
    # The last uniform number is q itself.
    inputs = tuple((rng.integers(1, 9, 7), np.r_[rng.random(6), q], q) for q in (0.3, 0.8))
    mistakes = {
        "It keeps what should go and drops what should stay: "
        "a uniform number is below q with probability q.": lambda v, u, q: v * (u >= q),
        "It keeps what should go: a value stays where its "
        "random number is below q.": lambda v, u, q: v * (u > q),
        "It leaves values out, so that the array gets shorter: "
        "put a 0 in their place.": lambda v, u, q: v[u < q],
        "It says which values stay. "
        "Return the values themselves, and 0 for the others.": lambda v, u, q: u < q,
        "Nearly: a random number that is exactly q is not below q.": lambda v, u, q: v * (u <= q),
        "It keeps a value with probability 1 − q.": lambda v, u, q: v * (u < 1 - q),
    }
    lesson = (
        "One comparison for all records: this is how explorers change the mechanism and not the "
        "luck."
    )
    return Exercise(solution, mistakes, lesson, inputs)


@exercise("00.5")
def difference():
    """The standard deviation of a weighted difference of independent numbers."""
    sd_x, sd_y, weight = 2.0, 3.0, 2.0
    variance = sd_x**2 + weight**2 * sd_y**2
    mistakes = {
        "This is the variance. Take its square root.": variance,
        "Variances of independent numbers add up, also when one is taken off: "
        "its chance does not undo the other's.": abs(sd_x**2 - weight**2 * sd_y**2) ** 0.5,
        "This takes one deviation off the other. Variances add up, deviations do not.": abs(
            sd_x - weight * sd_y
        ),
        "A standard deviation is never negative. Add up variances, then take the root.": sd_x
        - weight * sd_y,
        "This adds up deviations. Add up the variances, and then take the root.": sd_x
        + weight * sd_y,
        "The factor 2 is missing: it stretches the deviation of the second.": (sd_x**2 + sd_y**2)
        ** 0.5,
        "The factor 2 stretches the deviation, so the variance takes its square.": (
            sd_x**2 + weight * sd_y**2
        )
        ** 0.5,
    }
    lesson = "Variances of independent noise add up: what the miner subtracts adds noise too."
    return Exercise(variance**0.5, mistakes, lesson)


@exercise("00.6")
def stretching():
    """The eigenvalues and the singular values of a matrix whose columns sum to one."""
    matrix = np.array([[0.9, 0.4], [0.1, 0.6]])
    eigen = np.sort(np.linalg.eigvals(matrix).real)[::-1]
    singular = np.linalg.svd(matrix, compute_uv=False)
    mistakes = {
        "The eigenvalues stand twice. Singular values are how much the matrix stretches the circle "
        "at most and at least; this matrix is not symmetric, and so they are others.": (
            np.r_[eigen, eigen]
        ),
        "The singular values stand twice. "
        "Eigenvalues are the factors of vectors that keep their direction.": (
            np.r_[singular, singular]
        ),
        "The singular values come first here; the eigenvalues were asked for first.": (
            np.r_[singular, eigen]
        ),
        "The larger one of each kind should come first.": np.r_[eigen[::-1], singular[::-1]],
        "The larger eigenvalue should come first: eigvals sorts nothing.": (
            np.r_[eigen[::-1], singular]
        ),
        "The larger singular value should come first.": np.r_[eigen, singular[::-1]],
        "The first two are right. The others are eigenvalues of AᵀA: take their roots.": (
            np.r_[eigen, singular**2]
        ),
    }
    lesson = "How much a matrix stretches decides how much undoing it magnifies noise: lesson 03."
    return Exercise(np.r_[eigen, singular], mistakes, lesson)
