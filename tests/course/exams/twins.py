"""Each question's results once more, in another way: one function a question, of its name."""

import itertools
import math

import numpy as np
import pytest

import frapp_lab as fl


def warner(p):
    return np.array([[p, 1 - p], [1 - p, p]])


def diagonal(gamma, n):
    A = np.ones((n, n)) + (gamma - 1) * np.eye(n)
    return A / A.sum(axis=0)


def odds_after(prior, ratio):
    odds = prior / (1 - prior) * ratio
    return odds / (1 + odds)


def row_ratio(A):
    return max(a / b for row in A for a, b in itertools.permutations(row, 2))


def report_spread(A, counts, v):
    """Enumerated: the standard deviation of the number of reports v, person by person."""
    return math.sqrt(sum(c * A[v, u] * (1 - A[v, u]) for u, c in enumerate(counts)))


def cards(yes, no, N, said, prior):
    deck = ["yes"] * yes + ["no"] * no + ["truth"] * (10 - yes - no)
    A = np.zeros((2, 2))
    for card, u in itertools.product(deck, (0, 1)):
        A[{"no": 0, "yes": 1, "truth": u}[card], u] += 0.1
    X = np.linalg.solve(A, [N - said, said])
    return {
        "share": X[1] / N,
        "deviation": report_spread(A, X, 1) / N / (A[1, 1] - A[1, 0]),
        "gamma": row_ratio(A),
        "belief": fl.posterior(A, [1 - prior, prior], [0, 1])[1],
    }


def coin(p, N, said, few):
    A = warner(p)
    share = np.linalg.solve(A, [N - said, said])[1] / N

    def spread(people):
        return report_spread(A, [people, 0], 1) / people / (2 * p - 1)

    needed = p * (1 - p) / (0.01 * (2 * p - 1)) ** 2
    assert spread(math.ceil(needed)) <= 0.01 < spread(math.ceil(needed) - 1)
    below = np.linalg.solve(A, [N - few, few])[1] / N
    return {"share": share, "deviation": spread(N), "needed": needed, "below": below}


def two_questions(p, q):
    A, B = warner(p), warner(q)
    cells = list(itertools.product((0, 1), repeat=2))
    whole = np.array([[A[v[0], u[0]] * B[v[1], u[1]] for u in cells] for v in cells])
    return {
        "same": whole[cells.index((1, 0)), cells.index((1, 0))],
        "one": whole[cells.index((0, 0)), cells.index((1, 0))],
        "gamma": row_ratio(whole),
    }


def three_records(A, rho1, rho2, prior):
    assert A.sum(axis=0) == pytest.approx(1)
    pairs = [(u, w) for u, w in itertools.permutations(range(3), 2)]

    def worst(chances):
        return max(
            row[u] * prior / (row[u] * prior + row[w] * (1 - prior))
            for row in chances
            for u, w in pairs
        )

    both = np.array([a * b for a, b in itertools.product(A, A)])
    limit = rho2 / (1 - rho2) / (rho1 / (1 - rho1))
    return {"gamma": row_ratio(A), "limit": limit, "belief": worst(A), "twice": worst(both)}


def breach(rho1, rho2, prior, reached):
    gamma = rho2 / (1 - rho2) / (rho1 / (1 - rho1))
    assert odds_after(rho1, gamma) == pytest.approx(rho2)
    return {
        "gamma": gamma,
        "epsilon": math.log(gamma),
        "belief": odds_after(prior, gamma),
        "low": odds_after(reached, 1 / gamma),
        "naive": odds_after(rho1, rho2 / rho1),
    }


def options(gamma, n, N, reported):
    A = diagonal(gamma, n)
    X = np.linalg.solve(A, reported)
    assert sum(reported) == N
    deviation = report_spread(A, X, n - 1) / (A[0, 0] - A[0, 1])
    return {"kappa": np.linalg.cond(A), "last": X[-1], "deviation": deviation, "needed": 4 * N}


def bound(p, N, yes, Y):
    A, X = warner(p), np.array([N - yes, yes])
    estimate, norm = np.linalg.solve(A, Y), np.linalg.norm
    reports = norm(Y - A @ X) / norm(A @ X)
    return {
        "yes": estimate[1],
        "kappa": np.linalg.cond(A),
        "reports": reports,
        "estimate": norm(estimate - X) / norm(X),
        "bound": np.linalg.cond(A) * reports,
    }


def by_hand(sizes, gamma, claimed):
    n = math.prod(sizes)
    A = diagonal(gamma, n)
    assert claimed < np.linalg.cond(A)
    wider = np.linalg.cond(diagonal(gamma, 2 * n))
    x, s = A[0, 1], np.linalg.eigvalsh(A)[0]
    return {"x": x, "s": s, "kappa": np.linalg.cond(A), "wider": wider}


def bits(sizes, gamma):
    M = len(sizes)
    small = fl.Mask.for_gamma(fl.Schema.of_sizes(*[2] * M), gamma)  # γ does not depend on sizes
    assert row_ratio(small.matrix()) == pytest.approx(gamma)
    one = warner(small.p)
    longest = one
    for _ in range(M - 1):
        longest = np.kron(longest, one)
    return {
        "p": small.p,
        "one": np.linalg.cond(one),
        "longest": np.linalg.cond(longest),
        "kappa": np.linalg.cond(diagonal(gamma, math.prod(sizes))),
    }


def hidden(n, gamma, prior):
    x = diagonal(gamma, n)[0, 1]
    r = np.linspace(-1, 1, 20_001) * gamma * x / 2
    own, other = gamma * x + r, x - r / (n - 1)
    told = prior * own / (prior * own + (1 - prior) * other)
    belief = (prior * own).sum() / (prior * own + (1 - prior) * other).sum()
    leaked = (own / other).max()
    return {"x": x, "low": told.min(), "high": told.max(), "belief": belief, "leaked": leaked}


def two_kinds(more, less, N, prior):
    law = {(r, u, v): (1 / 2) * (prior if u else 1 - prior) * (r if u == v else 1 - r)
           for r in (more, less) for u in (0, 1) for v in (0, 1)}  # fmt: skip
    says = sum(chance for (r, u, v), chance in law.items() if v)
    belief = sum(chance for (r, u, v), chance in law.items() if u and v) / says
    within = np.mean([r * (1 - r) for r in (more, less)])
    between = np.var([more, less])
    own = math.sqrt(N * (more + less) / 2 * (1 - (more + less) / 2))
    # One toss for all: a mixture of two binomials, its variance by the second moment.
    second = np.mean([N * r * (1 - r) + (N * r) ** 2 for r in (more, less)])
    shared = math.sqrt(second - (N * (more + less) / 2) ** 2)
    return {"belief": belief, "within": within, "between": between, "own": own, "shared": shared}


def column(sizes, gamma):
    """All reports of record 0 with their chances, as an array with an axis for each column."""
    return diagonal(gamma, math.prod(sizes))[:, 0].reshape(sizes)


def columns(sizes, gamma):
    law = column(sizes, gamma)
    first, two, three = law[0].sum(), law[0, 0].sum(), law[0, 0, 0]
    x = law.flat[-1]
    return {"x": x, "s": three - x, "h1": first, "h2": two / first, "h3": three / two, "two": two}


def slip(sizes, gamma, prior):
    law, n = column(sizes, gamma).ravel(), math.prod(sizes)
    wrong = np.full(n, (1 - law[0]) / n)
    wrong[0] += law[0]
    assert wrong.sum() == pytest.approx(1)
    attained = wrong[0] / wrong[1]
    belief = odds_after(prior, attained)
    s = law[0] - law[1]
    return {"own": wrong[0], "other": wrong[1], "attained": attained, "belief": belief, "s": s}


def marginal(sizes, gamma, N, reported):
    law = column(sizes, gamma).sum(axis=2)
    own, off = law[0, 0], law[1, 1]
    s = own - off
    schema = fl.Schema.of_sizes(*sizes)
    assert fl.GammaDiagonal(schema, gamma).condition_number(2) == pytest.approx(1 / s)
    chance = np.array([0.01, 0.99]) @ [own, off]
    away = 0.01 * s / math.sqrt(chance * (1 - chance) / N)
    return {
        "off": off,
        "own": own,
        "part": own / off,
        "estimate": (reported - off) / s,
        "deviation": math.sqrt(reported * (1 - reported) / N) / s,
        "by_luck": 0.5 * (1 - math.erf(away / math.sqrt(2))),
    }


def lost_and_invented(true, seen, least):
    true, seen = np.array(true), np.array(seen)
    F, R = true >= least, seen >= least
    off = 100 * abs(seen - true) / true
    assert (F & ~R).any()
    assert (R & ~F).any()
    return {
        "lost": 100 * (F & ~R).sum() / F.sum(),
        "invented": 100 * (R & ~F).sum() / F.sum(),
        "rho_all": off[F].mean(),
        "rho": off[F & R].mean(),
    }


def one_run(runs, k, more):
    found = np.r_[np.ones(k), np.zeros(runs - k)]
    none = 1 - found.mean()
    return {"none": none, "error": found.std() / math.sqrt(runs), "all_none": none**more}


def constant_condition(sizes, gamma, N, support):
    schema = fl.Schema.of_sizes(*sizes)
    m = fl.GammaDiagonal(schema, gamma)
    # So many records support both itemsets, the others neither.
    counts = np.zeros(sizes, int)
    counts[0, 0, 0], counts[1, 1, 1] = round(N * support), N - round(N * support)
    deviations = m.standard_deviation(fl.Cube.of_counts(schema, counts) / N, N)
    names = schema.names
    short, long = deviations[names[:1]][0], deviations[names][0, 0, 0]
    return {"kappa": m.condition_number(1), "short": short, "long": long, "half": 4 * N}


def subset(n, d, gamma, N, said):
    sets = list(itertools.combinations(range(n), d))

    def held(sets):
        """The chances that a report of record 0 holds cell 0, and cell 1, over all sets."""
        chances = np.array([gamma if 0 in one else 1 for one in sets], float)
        chances /= chances.sum()
        return [sum(c for c, one in zip(chances, sets, strict=True) if k in one) for k in (0, 1)]

    own, other = held(sets)
    singles = held([(k,) for k in range(n)])

    def deviation(own, other):
        return math.sqrt(other * (1 - other) / N) / (own - other)

    spread, plain = deviation(own, other), deviation(*singles)
    return {
        "own": own,
        "other": other,
        "estimate": (said / N - other) / (own - other),
        "spread": spread,
        "plain": plain,
        "times": (plain / spread) ** 2,
    }


def split(p):
    whole = warner(p)
    rows = np.array([whole[0], whole[1] / 2, whole[1] / 2])

    def stretch(A):
        """From the trace and the determinant of AᵀA: the roots of its two eigenvalues."""
        (a, b), (_, d) = A.T @ A
        root = math.sqrt((a + d) ** 2 - 4 * (a * d - b * b))
        return math.sqrt((a + d + root) / (a + d - root))

    return {"gamma": row_ratio(rows), "before": stretch(whole), "after": stretch(rows)}


def unary(gamma, n, N, said):
    q1, q0 = 1 / 2, 1 / (gamma + 1)

    def chance(bits, own):
        return math.prod(
            (q1 if bit else 1 - q1) if k == own else (q0 if bit else 1 - q0)
            for k, bit in enumerate(bits)
        )

    reports = list(itertools.product((0, 1), repeat=4))  # four cells are enough to see γ
    law = np.array([[chance(bits, own) for own in range(4)] for bits in reports])
    assert row_ratio(law) == pytest.approx(gamma)
    holds = np.array(reports)[:, 0]
    own, other = holds @ law[:, 0], holds @ law[:, 1]

    def deviation(own, other):
        return math.sqrt(other * (1 - other) / N) / (own - other)

    def plain(cells):
        A = diagonal(gamma, cells)
        return deviation(A[0, 0], A[0, 1])

    even = next(
        cells for cells in itertools.count(2) if plain(cells) >= deviation(own, other) - 1e-12
    )
    return {
        "estimate": (said / N - other) / (own - other),
        "spread": deviation(own, other),
        "plain": plain(n),
        "even": even,
    }


def fake(M, gamma, lies):
    told, records = M * (gamma - 1) + 1, list(itertools.product((0, 1), repeat=M))

    def chance(v, u):
        right, wrong = told / (told + 1), 1 / (told + 1)
        return (
            sum((right if a == b else wrong) / 2 ** (M - 1) for a, b in zip(v, u, strict=True)) / M
        )

    law = np.array([[chance(v, u) for u in records] for v in records])
    assert law.sum(axis=0) == pytest.approx(1)
    last = records.index((0,) * (M - 1) + (1,))  # differs from the first record in one attribute
    A = diagonal(gamma, len(records))
    honest = (1 - lies) * A[:, 1:].mean(axis=1)  # nobody is in the first cell
    honest[0] += lies
    estimated = np.linalg.solve(A, honest)[0]
    return {
        "one": (law[:, 0] / law[:, last]).max(),
        "told": row_ratio(law),
        "weight": estimated / lies,
        "estimated": estimated,
    }
