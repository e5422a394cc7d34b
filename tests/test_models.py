"""Each model against formulas and brute force that are written here, apart from it."""

import importlib
import itertools
import math
import pkgutil
import subprocess
import sys
from collections import Counter
from dataclasses import FrozenInstanceError, fields, is_dataclass, replace

import numpy as np
import pytest

import frapp_lab as fl
from frapp_lab import models, privacy
from frapp_lab.models import (
    column_by_column,
    matrices,
    mining,
    posterior,
    randomization,
    randomized_response,
    reconstruction,
)
from frapp_lab.models.cache import remember
from frapp_lab.models.data import Data, attributes

NAMES = [module.name for module in pkgutil.iter_modules(models.__path__)]
MODELS = [
    module
    for module in (importlib.import_module(f"frapp_lab.models.{name}") for name in NAMES)
    if hasattr(module, "compute")
]


def gamma_diagonal(gamma, n):
    """The matrix as the paper writes it."""
    x = 1 / (gamma + n - 1)
    return np.array([[gamma * x if v == u else x for u in range(n)] for v in range(n)])


# --- all of them ----------------------------------------------------------------------------------


def test_no_model_needs_a_widget_or_a_figure():
    code = (
        "import sys, importlib\n"
        "for name in ('ipywidgets', 'plotly', 'anywidget', 'traitlets'): sys.modules[name] = None\n"
        f"for name in {NAMES}: importlib.import_module('frapp_lab.models.' + name)\n"
        "assert not any(m.startswith(('plotly.', 'ipywidgets.')) for m in sys.modules)\n"
    )
    subprocess.run([sys.executable, "-c", code], check=True)


@pytest.mark.parametrize("model", MODELS, ids=lambda model: model.__name__.rsplit(".")[-1])
def test_a_model_is_a_pure_function_between_frozen_things(model):
    parameters = model.Parameters()
    assert hash(parameters) == hash(model.Parameters())
    first, second = model.compute(parameters), model.compute(parameters)
    for field in fields(first):
        np.testing.assert_equal(
            _plain(getattr(first, field.name)), _plain(getattr(second, field.name))
        )
    assert first.parameters is parameters
    for frozen in (parameters, first):
        with pytest.raises(FrozenInstanceError):
            frozen.gamma = 1


OPENING = {
    "column_by_column": "record=(0, 1, 2, 0, 1, 0), gamma=19.0, seed=3",
    "matrices": "gamma=19.0, sizes=(3, 2, 2), length=2, K=3, "
    "schemes=('DET-GD', 'RAN-GD', 'MASK', 'C&P', 'IND-RR')",
    "mining": "data=Data(name='CENSUS', sizes=()), prior=0.05, gamma=19.0, alpha_share=0.5, "
    "min_support=0.02, schemes=('DET-GD', 'RAN-GD', 'MASK', 'C&P'), prune=True, seed=7",
    "posterior": "prior=0.05, gamma=19.0, rho1=0.05, n=10",
    "randomization": "gamma=19.0, alpha_share=0.5, domain_size=2000, prior=0.05, seed=7",
    "randomized_response": "truth=0.3, people=1000, coin=0.75, seed=7",
    "reconstruction": "n=20, gamma=19.0, people=2000, shape='one peak', repair='none', seed=7",
}


@pytest.mark.parametrize("name", OPENING)
def test_a_model_opens_with_the_papers_setting(name):
    opened = importlib.import_module(f"frapp_lab.models.{name}").Parameters()
    assert repr(opened) == f"Parameters({OPENING[name]})"


def _plain(value):
    if is_dataclass(value):
        return {field.name: _plain(getattr(value, field.name)) for field in fields(value)}
    if isinstance(value, dict):
        return {key: _plain(item) for key, item in value.items()}
    return value if isinstance(value, np.ndarray | str | int | float | None) else None


# --- the cache ------------------------------------------------------------------------------------


def test_what_is_remembered_is_bounded_by_bytes_and_cannot_be_written():
    calls = []

    @remember(max_bytes=240)
    def made(n):
        calls.append(n)
        return np.full(10, n, dtype=float)  # 80 bytes

    first = made(1)
    with pytest.raises(ValueError, match="read-only"):
        first[0] = 9
    made(2), made(3), made(1)
    assert calls == [1, 2, 3]
    made(4)  # the one that was wanted longest ago goes: 2, not 1
    made(1), made(3)
    assert calls == [1, 2, 3, 4]
    made(2)
    assert calls == [1, 2, 3, 4, 2]
    assert sum(array.nbytes for array in made.kept.values()) == 240


def test_what_alone_is_too_large_is_not_kept():
    @remember(max_bytes=10)
    def made(n):
        return np.zeros(n)

    assert len(made(10)) == 10
    assert not made.kept


def test_the_stores_of_mining_are_bounded_together():
    mining.compute(mining.Parameters(data=Data("HEALTH"), schemes=fl.schemes()))
    for seed in range(5):
        mining.compute(mining.Parameters(schemes=("MASK", "C&P"), seed=seed))
    kept = [*mining._uniforms.kept.values(), *mining._estimates.kept.values()]
    assert sum(array.nbytes for array in kept) <= 96e6
    assert not any(array.flags.writeable for array in kept)


# --- data -----------------------------------------------------------------------------------------


def test_data_are_the_papers_unless_said_otherwise():
    assert Data().load().schema == fl.load_census().schema
    assert Data("HEALTH").load().schema == fl.load_health().schema
    assert Data("HEALTH").load() is Data("HEALTH").load()
    assert Data.of("CENSUS", {"age": 4, "sex": 2}) == Data()
    cut = Data.of("CENSUS", {"age": 4, "hours-per-week": 3})
    assert cut == Data("CENSUS", (("hours-per-week", 3),))
    assert cut.load().schema.sizes == (4, 5, 3, 5, 2, 2)


def test_every_attribute_is_told_with_its_sizes():
    assert attributes("CENSUS")[:4] == (
        ("age", 4, 8), ("fnlwgt", 5, 8), ("hours-per-week", 5, 8), ("race", 5, 5),
    )  # fmt: skip
    schema = fl.load_health().schema
    assert attributes("HEALTH") == tuple((a.name, a.size, a.size) for a in schema.attributes)


# --- posterior ------------------------------------------------------------------------------------


@pytest.mark.parametrize(("prior", "gamma", "rho1", "n"), [(0.05, 19, 0.1, 10), (0.7, 2, 0.01, 2)])
def test_posterior_by_bayes_rule(prior, gamma, rho1, n):
    p = posterior.Parameters(prior=prior, gamma=gamma, rho1=rho1, n=n)
    result = posterior.compute(p)
    a, before = gamma_diagonal(gamma, n), [prior] + [(1 - prior) / (n - 1)] * (n - 1)
    joint = [[a[report, value] * before[value] for value in range(n)] for report in range(n)]
    assert result.before == pytest.approx(before)
    assert result.after == pytest.approx([j / sum(joint[0]) for j in joint[0]])
    assert result.after_other == pytest.approx(joint[1][0] / sum(joint[1]))
    assert result.kept == pytest.approx(a[0, 0])
    assert result.becomes == pytest.approx(a[1, 0])
    assert result.epsilon == pytest.approx(math.log(gamma))
    odds = gamma * prior / (1 - prior)
    assert result.worst == pytest.approx(odds / (1 + odds))
    odds = gamma * rho1 / (1 - rho1)
    assert result.rho2 == pytest.approx(odds / (1 + odds))
    odds = gamma * posterior.PRIORS / (1 - posterior.PRIORS)
    assert result.curve == pytest.approx(odds / (1 + odds))
    assert (posterior.PRIORS[0], posterior.PRIORS[-1]) == (0.001, 0.999)


# --- column by column -----------------------------------------------------------------------------


@pytest.mark.parametrize("seed", range(8))
@pytest.mark.parametrize("gamma", [3.0, 900.0])
def test_columns_by_enumeration_of_all_reports(seed, gamma):
    sizes, own = (4, 5, 5, 5, 2, 2), (1, 0, 2, 3, 1, 0)
    result = column_by_column.compute(
        column_by_column.Parameters(record=own, gamma=gamma, seed=seed)
    )
    cells = list(itertools.product(*map(range, sizes)))
    x = 1 / (gamma + 2000 - 1)
    law = np.array([gamma * x if cell == own else x for cell in cells]).reshape(sizes)

    def chances(prefix):
        ways = law[prefix].reshape(sizes[len(prefix)], -1).sum(axis=1)
        return ways / ways.sum()

    uniforms, report = np.random.default_rng(seed).random(6), ()
    for j, step in enumerate(result.steps):
        assert step.matching == pytest.approx(chances(own[:j]))
        assert step.keep == pytest.approx(chances(own[:j])[own[j]])
        assert step.uniform == pytest.approx([1 / sizes[j]] * sizes[j])
        assert step.before == (report == own[:j])
        assert step.u == uniforms[j]
        value = 0
        while uniforms[j] >= sum(chances(report)[: value + 1]):
            value += 1
        assert step.reported == value
        assert step.matched == (value == own[j])
        assert (step.own, step.name) == (own[j], fl.load_census().schema.names[j])
        assert step.categories == fl.load_census().schema.attributes[j].categories
        report = (*report, value)
    assert result.unchanged == pytest.approx(gamma * x)
    assert result.by_columns == sum(value + 1 for value in report)
    assert result.by_scan == cells.index(report) + 1
    assert (result.n_cells, result.mean_columns, result.mean_scan) == (2000, 11.5, 1000)


# --- matrices -------------------------------------------------------------------------------------


def explicit(scheme, sizes, gamma, length, K):
    """The matrix that is undone, written down entry by entry."""
    m, n = len(sizes), math.prod(sizes)
    bits = list(itertools.product((0, 1), repeat=length))
    if scheme in ("DET-GD", "RAN-GD"):  # a cell of the first attributes, its rest summed out
        full, cells = gamma_diagonal(gamma, n), math.prod(sizes[:length])
        rest = n // cells
        return np.array([[full[v * rest : (v + 1) * rest, u * rest].sum() for u in range(cells)]
                         for v in range(cells)])  # fmt: skip
    if scheme == "IND-RR":  # the largest attributes are the hardest to undo
        out = np.ones((1, 1))
        for size in sorted(sizes)[-length:]:
            out = np.kron(out, gamma_diagonal(gamma ** (1 / m), size))
        return out
    if scheme == "MASK":
        p = gamma ** (1 / (2 * m)) / (1 + gamma ** (1 / (2 * m)))
        return np.array([[math.prod(p if a == b else 1 - p for a, b in zip(v, u, strict=True))
                          for u in bits] for v in bits])  # fmt: skip
    low, high = 0.0, 1.0  # ρ by bisection of 1 + 1/ρ + … + ρ^−K = γ
    for _ in range(100):
        rho = (low + high) / 2
        low, high = (rho, high) if sum(rho**-w for w in range(K + 1)) > gamma else (low, rho)
    out = np.zeros((len(bits), len(bits)))
    for j, u in enumerate(bits):
        # The record has `sum(u)` of the itemset's items; which of its m items are kept?
        mine = [i for i in range(length) if u[i]] + [-1] * (m - sum(u))
        for w in range(K + 1):
            for kept in itertools.combinations(range(m), w):
                chance = 1 / (K + 1) / math.comb(m, w)
                shown = {mine[i] for i in kept}
                for i, v in enumerate(bits):
                    each = (1.0 * v[b] if b in shown else rho if v[b] else 1 - rho
                            for b in range(length))  # fmt: skip
                    out[i, j] += chance * math.prod(each)
    return out


@pytest.mark.parametrize("gamma", [19.0, 5.5])
@pytest.mark.parametrize("length", [1, 2, 3])
@pytest.mark.parametrize("K", [2, 3])
def test_matrices_and_condition_numbers_of_explicit_matrices(gamma, length, K):
    sizes = (3, 2, 2)
    result = matrices.compute(matrices.Parameters(gamma=gamma, length=length, K=K))
    assert list(result.schemes) == ["DET-GD", "RAN-GD", "MASK", "C&P", "IND-RR"]
    for scheme, found in result.schemes.items():
        wanted = explicit(scheme, sizes, gamma, length, K)
        np.testing.assert_allclose(found.matrix, wanted, atol=1e-12)
        assert len(found.labels) == len(wanted)
        last = K if scheme == "C&P" else 3
        numbers = [np.linalg.cond(explicit(scheme, sizes, gamma, k, K)) for k in range(1, last + 1)]
        assert found.numbers == pytest.approx(numbers)
        assert bool(found.why_not) == (length > last)
        assert not found.problem
    assert result.shown == {"DET-GD": ("RAN-GD",), "MASK": (), "C&P": (), "IND-RR": ()}
    assert result.n_cells == 12
    assert result.lower_bound == pytest.approx((gamma + 11) / (gamma - 1))
    every = [c for found in result.schemes.values() for c in found.numbers]
    low, high = result.heights
    assert low <= min(every) / 1.1 < 10 * low
    assert high / 10 < 2.5 * max(every) <= high
    assert math.log10(low) % 1 == math.log10(high) % 1 == 0


def test_a_matrix_of_the_same_shape_with_other_entries_is_shown():
    mask = fl.Mask(fl.Schema.of_sizes(3, 2, 2), 0.9)
    mask.label = "MASK, p = 0.9"
    result = matrices.compute(matrices.Parameters(schemes=("MASK", mask, "C&P")))
    assert list(result.shown) == ["MASK", "MASK, p = 0.9", "C&P"]
    nearly = fl.Mask(mask.schema, fl.make_scheme("MASK", mask.schema, 19).p * (1 + 1e-12))
    nearly.label = "the same"
    result = matrices.compute(matrices.Parameters(schemes=("MASK", "C&P", nearly)))
    assert result.shown == {"MASK": ("the same",), "C&P": ()}


def test_schemes_that_cannot_be_had_have_a_problem_and_no_matrix():
    result = matrices.compute(matrices.Parameters(gamma=3.0, K=2))
    assert "gamma is 3 and K is 2" in result.schemes["C&P"].problem
    assert result.schemes["C&P"].matrix is None
    assert "C&P" not in result.shown
    nothing = matrices.compute(matrices.Parameters(schemes=()))
    assert nothing.shown == nothing.schemes == {}
    assert nothing.heights == (0.1, 10.0)


# --- randomized response --------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("truth", "people", "coin", "seed"),
    [
        (0.3, 1000, 0.75, 7),
        (0.31, 1000, 0.75, 7),
        (0.29, 50, 0.9, 1),
        (0.0, 10, 0.55, 2),
        (1.0, 2000, 0.99, 3),
    ],
)
def test_randomized_response_by_its_formula(truth, people, coin, seed):
    p = randomized_response.Parameters(truth=truth, people=people, coin=coin, seed=seed)
    result = randomized_response.compute(p)
    n_yes = math.floor(round(truth * people, 6) + 0.5)
    assert result.is_yes.sum() == n_yes
    assert len(result.is_yes) == len(result.says_yes) == people
    assert result.truth == n_yes / people
    assert result.answers == result.says_yes.mean()
    assert result.gamma == pytest.approx(coin / (1 - coin))
    e = result.estimates
    # Warner's estimator: π̂ = (λ + p − 1)/(2p − 1), with variance p(1 − p)/(N(2p − 1)²).
    assert e.estimate == pytest.approx((result.answers + coin - 1) / (2 * coin - 1))
    deviation = math.sqrt(coin * (1 - coin) / people) / (2 * coin - 1)
    assert e.deviation == pytest.approx(deviation)
    assert e.interval == pytest.approx((e.estimate - 2 * deviation, e.estimate + 2 * deviation))
    assert len(e.repeated) == e.counts.sum() == 200
    assert e.n_near == sum(abs(r - n_yes / people) <= 2 * deviation + 1e-9 for r in e.repeated)
    # Each repetition lies in the bin whose middle is nearest.
    nearest = abs(e.repeated[:, None] - e.bins).argmin(axis=1)
    assert np.bincount(nearest, minlength=len(e.bins)).tolist() == e.counts.tolist()
    x, height = e.curve
    assert x[[0, -1]] == pytest.approx(n_yes / people + np.array([-3.5, 3.5]) * deviation)
    if len(e.bins) > 2:  # the expected number in a bin: its width times 200 times a normal density
        step = np.diff(e.bins).min()
        density = np.exp(-(((x - n_yes / people) / deviation) ** 2) / 2)
        density /= deviation * math.sqrt(2 * math.pi)
        assert height == pytest.approx(200 * step * density)
        assert step == pytest.approx(
            (2 * math.floor(deviation * (2 * coin - 1) * people / 4) + 1)
            / people / (2 * coin - 1)
        )  # fmt: skip
        # One bin has the most likely number of answers in its middle.
        likely = round(n_yes * coin + (people - n_yes) * (1 - coin))
        away = (e.bins - (likely / people + coin - 1) / (2 * coin - 1)) / step
        assert away == pytest.approx(away.round(), abs=1e-6)
    low, high = min(0, e.interval[0], *e.repeated), max(1, e.interval[1], *e.repeated)
    assert e.range == pytest.approx((low - 0.05 * (high - low), high + 0.05 * (high - low)))
    a_bin = (2 * math.floor(math.sqrt(people * coin * (1 - coin)) / 4) + 1) / people
    assert e.width == pytest.approx(max(a_bin / (2 * coin - 1), 0.01 * (high - low)))


def test_randomized_responses_have_the_coins_law():
    shares, means, deviations = [], [], []
    for seed in range(300):
        p = randomized_response.Parameters(people=400, coin=0.8, seed=seed)
        result = randomized_response.compute(p)
        shares.append((result.is_yes == result.says_yes).mean())
        means.append(result.estimates.repeated.mean())
        deviations.append(result.estimates.repeated.std())
    assert np.mean(shares) == pytest.approx(0.8, abs=4 * 0.4 / math.sqrt(300 * 400))
    assert np.mean(means) == pytest.approx(0.3, abs=0.002)
    assert np.mean(deviations) == pytest.approx(result.estimates.deviation, rel=0.02)


def test_the_same_seed_moves_the_same_coins():
    p = randomized_response.Parameters(people=500, coin=0.7)
    first = randomized_response.compute(p)
    truthful = first.is_yes == first.says_yes
    later = randomized_response.compute(replace(p, coin=0.8))
    assert (truthful <= (later.is_yes == later.says_yes)).all()
    fewer = randomized_response.compute(replace(p, people=100))
    assert ((fewer.is_yes == fewer.says_yes) == truthful[:100]).all()


def test_a_fair_coin_has_no_estimate_and_a_certain_one_no_noise():
    fair = randomized_response.compute(randomized_response.Parameters(coin=0.5))
    assert fair.estimates is None
    assert fair.gamma == 1
    certain = randomized_response.compute(randomized_response.Parameters(coin=1.0))
    assert certain.gamma == math.inf
    assert certain.estimates.estimate == certain.truth == 0.3
    assert (certain.estimates.repeated == 0.3).all()
    assert len(certain.estimates.curve[0]) == 0


# --- reconstruction -------------------------------------------------------------------------------


@pytest.mark.parametrize("shape", reconstruction.SHAPES)
@pytest.mark.parametrize(("n", "gamma", "people"), [(7, 5.0, 3000), (20, 19.0, 250)])
def test_reconstruction_by_solving_the_equations(shape, n, gamma, people):
    p = reconstruction.Parameters(n=n, gamma=gamma, people=people, shape=shape)
    result = reconstruction.compute(p)
    a, x, y = gamma_diagonal(gamma, n), result.counts, result.reported
    assert x.sum() == y.sum() == people
    norm = np.linalg.norm
    raw = np.linalg.solve(a, y)
    assert result.estimates["none"] == pytest.approx(raw, abs=1e-5)
    for name, estimate in result.estimates.items():
        assert result.errors[name] == pytest.approx(norm(estimate - x) / norm(x), abs=1e-7)
        assert estimate.sum() == pytest.approx(people)
        assert name == "none" or estimate.min() >= 0
    clipped = np.maximum(raw, 0)
    assert result.estimates["clip and renormalise"] == pytest.approx(
        clipped * people / clipped.sum(), abs=1e-4
    )
    projected = result.estimates["projection"]  # one shift for all that stay positive
    shift = (raw - projected)[projected > 0]
    assert shift == pytest.approx(shift[0], abs=1e-4)
    assert (raw[projected == 0] <= shift[0] + 1e-4).all()
    steps = np.full(n, people / n)
    for _ in range(500):
        steps = steps * (a.T @ (y / (a @ steps)))
    assert result.estimates["EM"] == pytest.approx(steps, abs=1e-6)
    assert result.em_moved == pytest.approx(norm(steps - people / n) / norm(x))
    assert result.condition_number == pytest.approx(1 + n / (gamma - 1))
    reports = norm(y - a @ x) / norm(a @ x)
    assert result.stages == pytest.approx(
        (reports, norm(raw - x) / norm(x), result.condition_number * reports), abs=1e-7
    )
    # Var X̂ = A⁻¹ Cov(Y) A⁻ᵀ, with the multinomial covariance of each person's report.
    covariance = sum(c * (np.diag(a[:, u]) - np.outer(a[:, u], a[:, u])) for u, c in enumerate(x))
    inverse = np.linalg.inv(a)
    assert result.deviation == pytest.approx(
        np.sqrt(np.diag(inverse @ covariance @ inverse.T)), rel=1e-6
    )
    assert result.stay == pytest.approx((gamma - 1) / (gamma + n - 1))


def test_the_shapes_are_what_they_are_called():
    def counts(shape, n=20, people=10_000):
        p = reconstruction.Parameters(n=n, people=people, shape=shape)
        return reconstruction.compute(p).counts

    assert counts("uniform").tolist() == [500] * 20
    assert counts("uniform", 3, 100).tolist() == [34, 33, 33]
    assert counts("one value only").tolist() == [0] * 10 + [10_000] + [0] * 9
    peak, two, falling = counts("one peak"), counts("two peaks"), counts("falling")
    assert peak.tolist() == peak[::-1].tolist()
    t = (np.arange(20) + 0.5) / 20
    for found, weights in (
        (peak, np.exp(-(((t - 0.5) / 0.18) ** 2))),
        (two, np.exp(-(((t - 0.25) / 0.11) ** 2)) + 0.6 * np.exp(-(((t - 0.75) / 0.11) ** 2))),
        (falling, np.exp(-4 * t)),
    ):
        assert abs(found - 10_000 * weights / weights.sum()).max() < 1


def test_reports_of_a_seed_are_those_of_the_mechanism():
    p = reconstruction.Parameters(n=5, people=400, shape="uniform", seed=3)
    records = np.repeat(np.arange(5), 80)[:, None]
    reports = fl.GammaDiagonal(fl.Schema.of_sizes(5), 19).perturb(records, rng=3)
    assert reconstruction.compute(p).reported.tolist() == np.bincount(reports[:, 0]).tolist()
    assert reconstruction.compute(replace(p, seed=4)).reported.tolist() != (
        reconstruction.compute(p).reported.tolist()
    )


# --- randomization --------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("gamma", "share", "n", "prior"), [(19.0, 0.5, 2000, 0.05), (4.0, 0.8, 5, 0.3)]
)
def test_randomizations_posteriors_by_numeric_integration(gamma, share, n, prior):
    p = randomization.Parameters(gamma=gamma, alpha_share=share, domain_size=n, prior=prior)
    result = randomization.compute(p)
    x = 1 / (gamma + n - 1)
    largest = min(gamma * x, (n - 1) * x)
    alpha = share * largest
    assert result.alpha == pytest.approx(alpha)
    assert result.alpha_in_gx == pytest.approx(alpha / (gamma * x))

    def rho(r):
        own, other = prior * (gamma * x + r), (1 - prior) * (x - r / (n - 1))
        return own / (own + other)

    assert result.shares == pytest.approx(np.arange(51) / 50)
    assert result.low == pytest.approx(rho(-result.shares * largest), abs=1e-12)
    assert result.high == pytest.approx(rho(result.shares * largest), abs=1e-12)
    assert result.range == pytest.approx((rho(-alpha), rho(alpha)))
    assert result.middle == pytest.approx(rho(0))
    # Many clients, each with an r of their own; a report weighs each by how likely they send it.
    r = alpha * (2 * (np.arange(200_000) + 0.5) / 200_000 - 1)
    report = prior * (gamma * x + r) + (1 - prior) * (x - r / (n - 1))
    after = report / report.sum()
    assert result.believed == pytest.approx(after @ rho(r), rel=1e-6)
    assert result.above == pytest.approx(after @ (rho(r) > rho(0)), abs=1e-4)
    points, before_density, after_density = result.law
    assert points[[0, -1]] == pytest.approx([rho(-alpha), rho(alpha)])
    assert (np.diff(points) > 0).all()
    edges = np.quantile(rho(r), [0.1, 0.3, 0.5, 0.7, 0.9])
    for density, weights in ((before_density, np.full(len(r), 1 / len(r))), (after_density, after)):
        sums = np.r_[0, np.cumsum((density[1:] + density[:-1]) / 2 * np.diff(points))]
        wanted = [weights @ (rho(r) <= edge) for edge in edges]
        assert np.interp(edges, points, sums) == pytest.approx(wanted, abs=0.01)
    ratios = [max(a, b) / min(a, b) for s in (-1, 1)
              for a, b in [(gamma * x + s * alpha, x - s * alpha / (n - 1))]]  # fmt: skip
    assert result.leaked == pytest.approx(max(ratios))


@pytest.mark.parametrize("n", [6, 60])
def test_randomizations_variance_by_simulation(n):
    p = randomization.Parameters(gamma=5.0, alpha_share=0.9, domain_size=n)
    result = randomization.compute(p)
    counts = randomization._falling(n)
    assert counts.sum() == 10_000
    assert abs(counts - 10_000 / np.arange(1, n + 1) / sum(1 / np.arange(1, n + 1))).max() <= 1
    assert result.largest_cell == counts[0]
    x = 1 / (5 + n - 1)
    assert len(result.within) == len(result.between) == len(result.shared) == 6
    first, others = counts[0], counts.sum() - counts[0]
    plain = first * 5 * x * (1 - 5 * x) + others * x * (1 - x)
    assert result.deviation == pytest.approx(math.sqrt(plain))
    for place, share in enumerate((0, 0.25, 0.5, 0.75, 1, 0.9)):
        alpha = share * min(5 * x, (n - 1) * x)
        r, weights = np.polynomial.legendre.leggauss(5)
        r, weights = alpha * r, weights / 2
        p_own, p_other = 5 * x + r, x - r / (n - 1)
        within = weights @ (first * p_own * (1 - p_own) + others * p_other * (1 - p_other))
        assert result.within[place] == pytest.approx(within / plain)
        between = first * (weights @ p_own**2 - (weights @ p_own) ** 2)
        between += others * (weights @ p_other**2 - (weights @ p_other) ** 2)
        assert result.between[place] == pytest.approx(between / plain, abs=1e-12)
        mean = first * p_own + others * p_other  # one r for all: its law is that of one number
        together = within + weights @ mean**2 - (weights @ mean) ** 2
        assert result.shared[place] == pytest.approx(together / plain)


def test_randomizations_errors_are_those_of_mining():
    p = randomization.Parameters(gamma=12.0, alpha_share=0.3, seed=4)
    result = randomization.compute(p)
    census = fl.load_census()

    def error(share):
        alpha = share * privacy.max_alpha(12, 2000)
        mechanism = fl.RandomizedGammaDiagonal(census.schema, 12, alpha)
        return fl.mine(census, mechanism, 0.02, rng=4).errors.support_error_all[4]

    assert result.tried == pytest.approx([error(s) for s in (0, 0.2, 0.4, 0.6, 0.8, 1)])
    assert result.chosen == pytest.approx(error(0.3))
    every = sorted([*result.tried, result.chosen])
    assert result.along == (every[0], every[-1])
    plain = fl.mine(census, fl.GammaDiagonal(census.schema, 12), 0.02, rng=4)
    assert result.plain == pytest.approx(plain.errors.support_error_all[4]) == result.tried[0]
    # An estimate is normal about the truth, so the mean of |error| is √(2/π) deviations.
    deviation = fl.GammaDiagonal(census.schema, 12).standard_deviation(census.supports, len(census))
    relative = []
    for subset in census.schema.subsets(4):
        support = census.supports[subset]
        frequent = support >= 0.02
        relative += (deviation[subset][frequent] / support[frequent]).tolist()
    assert result.expected == pytest.approx(100 * math.sqrt(2 / math.pi) * np.mean(relative))


@pytest.mark.parametrize("share", [0.0, 1e-12])
def test_without_alpha_randomization_is_a_spike(share):
    result = randomization.compute(randomization.Parameters(alpha_share=share))
    assert result.alpha == 0
    assert result.range == pytest.approx((0.5, 0.5))
    assert result.law[0] == pytest.approx([0.5, 0.5])
    assert result.within[-1] == pytest.approx(1)
    assert result.chosen == result.plain
    assert result.leaked == pytest.approx(19)


# --- mining ---------------------------------------------------------------------------------------


def _shares(rows):
    """The share of the rows that have each itemset."""
    shares = Counter()
    for row, count in zip(*np.unique(rows, axis=0, return_counts=True), strict=True):
        for k in range(1, len(row) + 1):
            for columns in itertools.combinations(range(len(row)), k):
                shares[frozenset((c, int(row[c])) for c in columns)] += count / len(rows)
    return shares


def naive(supports_of, sizes, min_support, prune):
    """Apriori as a loop over itemsets: an itemset is a dict from column to value."""
    found = {}
    for length in range(1, len(sizes) + 1):
        for columns in itertools.combinations(range(len(sizes)), length):
            for values in itertools.product(*(range(sizes[c]) for c in columns)):
                itemset = frozenset(zip(columns, values, strict=True))
                smaller = [itemset - {item} for item in itemset] if length > 1 else []
                if prune and not all(s in found for s in smaller):
                    continue
                support = supports_of(itemset)
                if support >= min_support:
                    found[itemset] = support
    return found


@pytest.mark.parametrize("prune", [True, False])
@pytest.mark.parametrize(("gamma", "min_support", "seed"), [(19.0, 0.05, 7), (60.0, 0.2, 1)])
def test_mining_by_a_loop_over_itemsets(prune, gamma, min_support, seed):
    data = Data("CENSUS", (("age", 2), ("fnlwgt", 2), ("hours-per-week", 2)))
    table = data.load()
    sizes, n_cells = table.schema.sizes, table.schema.n_cells
    p = mining.Parameters(
        data=data, gamma=gamma, min_support=min_support, schemes=("DET-GD",), prune=prune, seed=seed
    )
    found = mining.compute(p).schemes["DET-GD"]
    reports = fl.GammaDiagonal(table.schema, gamma).perturb(table.records, rng=seed)
    stay = (gamma - 1) / (gamma + n_cells - 1)
    truth, seen = (_shares(rows) for rows in (table.records, reports))

    def estimate(itemset):
        chance = math.prod(1 / sizes[column] for column, _ in itemset)
        return (seen[itemset] - (1 - stay) * chance) / stay

    really = naive(truth.__getitem__, sizes, min_support, False)
    claimed = naive(estimate, sizes, min_support, prune)
    right = really.keys() & claimed.keys()
    assert found.n_true == len(really)
    assert found.n_kept == len(right)
    assert found.n_invented == len(claimed.keys() - really.keys())
    assert found.longest == max(map(len, right))
    for length in range(1, 7):
        true, got, both = ([i for i in s if len(i) == length] for s in (really, claimed, right))
        error, _, lost, invented = found.errors[length - 1]
        if not true:
            assert np.isnan(lost)
            continue
        assert lost == pytest.approx(100 * (len(true) - len(both)) / len(true))
        assert invented == pytest.approx(100 * (len(got) - len(both)) / len(true))
        relative = [abs(claimed[i] - really[i]) / really[i] for i in both]
        assert error == pytest.approx(100 * np.mean(relative) if both else np.nan, nan_ok=True)
    assert found.condition_numbers == pytest.approx([1 + n_cells / (gamma - 1)] * 6)
    assert not found.why_not
    assert not found.problem


def test_nothing_found_has_no_longest():
    p = mining.Parameters(min_support=0.9999, schemes=("DET-GD",))
    found = mining.compute(p).schemes["DET-GD"]
    assert (found.n_true, found.n_kept, found.longest) == (0, 0, 0)


@pytest.mark.parametrize(("gamma", "share", "prior"), [(19.0, 0.51, 0.05), (3.0, 0.123, 0.4)])
def test_minings_posteriors_by_their_formula(gamma, share, prior):
    p = mining.Parameters(gamma=gamma, alpha_share=share, prior=prior, schemes=())
    result = mining.compute(p)
    x = 1 / (gamma + 1999)
    assert (result.n_cells, result.n_records, result.name) == (2000, 48_842, "CENSUS")
    assert result.unit == pytest.approx(gamma * x)
    assert result.alpha == pytest.approx(share * gamma * x)
    assert result.r[[0, -1]] == pytest.approx([-gamma * x, gamma * x])
    assert len(result.r) == 61 + 2
    own, other = prior * (gamma * x + result.r), (1 - prior) * (x - result.r / 1999)
    assert result.rho == pytest.approx(own / (own + other), abs=1e-12)
    inside = result.r[result.within]
    assert inside[[0, -1]] == pytest.approx([-result.alpha, result.alpha])
    assert result.within.sum() == sum(abs(r) <= result.alpha * 1.0001 for r in result.r)
    assert result.range == pytest.approx(tuple(result.rho[result.within][[0, -1]]))
    assert result.middle == pytest.approx(gamma * prior / (gamma * prior + 1 - prior))
    assert result.schemes == {}


def test_every_scheme_is_mined_with_the_luck_of_mine():
    for seed, gamma in ((7, 19.0), (2, 30.0)):
        p = mining.Parameters(
            gamma=gamma, alpha_share=0.7, min_support=0.03, schemes=fl.schemes(), seed=seed
        )
        result = mining.compute(p)
        assert list(result.schemes) == list(fl.schemes())
        census = fl.load_census()
        for scheme, found in result.schemes.items():
            mechanism = fl.make_scheme(scheme, census.schema, gamma, alpha_share=0.7)
            run = fl.mine(census, mechanism, 0.03, rng=seed)
            np.testing.assert_array_equal(found.errors, run.error_array())
            np.testing.assert_array_equal(found.run.estimates, run.estimates)
            numbers = [mechanism.condition_number(k) for k in range(1, mechanism.max_length + 1)]
            assert found.condition_numbers == pytest.approx(numbers)
            assert found.why_not == ("" if scheme != "C&P" else mechanism.why_not(4))


def test_a_mechanism_is_mined_as_it_is_whatever_gamma():
    census = fl.load_census()
    own = fl.Mask(census.schema, 0.8)
    for gamma in (19.0, 3.0):
        p = mining.Parameters(gamma=gamma, schemes=(own, "C&P"))
        result = mining.compute(p)
        run = fl.mine(census, own, 0.02, rng=7)
        np.testing.assert_array_equal(result.schemes["MASK"].errors, run.error_array())
    assert "gamma is 3 and K is 3" in result.schemes["C&P"].problem
    assert result.schemes["C&P"].run is None
    other = mining.Parameters(data=Data("CENSUS", (("age", 8),)), schemes=(own,))
    assert "made for the attributes" in mining.compute(other).schemes["MASK"].problem
    with pytest.raises(ValueError, match="each needs a label of its own"):
        mining.compute(mining.Parameters(schemes=(own, "MASK")))


def test_intervals_are_of_draws_like_the_one_shown(monkeypatch):
    assert mining.DRAWS == 50
    monkeypatch.setattr(mining, "DRAWS", 4)
    told = []
    p = mining.Parameters(
        gamma=4.0, alpha_share=0.9, min_support=0.05, schemes=("C&P", "RAN-GD", "MASK"), seed=3,
        prune=False,
    )  # fmt: skip
    table = mining.intervals(p, lambda done, total: told.append((done, total)))
    assert table["scheme"].unique().tolist() == ["RAN-GD", "MASK"]  # C&P cannot be had here
    assert table.index.tolist() == list(range(len(table)))
    assert told == [(done, 12) for done in range(5, 13)]
    census = fl.load_census()
    mechanism = fl.make_scheme("RAN-GD", census.schema, 4.0, alpha_share=0.9)
    lost = [
        fl.mine(census, mechanism, 0.05, rng=(3, i), prune=False).errors.false_negatives[2]
        for i in range(4)
    ]
    row = table.query("scheme == 'RAN-GD' and length == 2 and error == 'false_negatives'").iloc[0]
    assert row["mean"] == pytest.approx(np.mean(lost))
    assert row["low"] == pytest.approx(np.quantile(lost, 0.05))
    assert row["high"] == pytest.approx(np.quantile(lost, 0.95))
    with pytest.raises(ValueError, match="none of the chosen schemes"):
        mining.intervals(replace(p, schemes=("C&P",)))
    assert len(mining.intervals(replace(p, schemes=("DET-GD",)))) == 24
