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
from frapp_lab import privacy
from frapp_lab.explorers import models
from frapp_lab.explorers.models import (
    belief,
    column_by_column,
    matrices,
    mining,
    posterior,
    randomized_response,
    reconstruction,
    variance,
)
from frapp_lab.explorers.models.cache import remember
from frapp_lab.explorers.models.data import Data, attributes
from frapp_lab.scale import run_trials

NAMES = [module.name for module in pkgutil.iter_modules(models.__path__)]
MODELS = [
    module
    for module in (importlib.import_module(f"frapp_lab.explorers.models.{name}") for name in NAMES)
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
        f"for name in {NAMES}: importlib.import_module('frapp_lab.explorers.models.' + name)\n"
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
    "audit": "client='client 1', gamma=19.0, n_reports=10000, confidence=0.95, seed=7, "
    "reveal=False",
    "column_by_column": "record=(0, 1, 2, 0, 1, 0), gamma=19.0, seed=3, columns=6",
    "matrices": "gamma=19.0, sizes=(3, 2, 2), length=3, K=3, "
    "schemes=('DET-GD', 'RAN-GD', 'MASK', 'C&P', 'IND-RR'), matrix='DET-GD', "
    "own='0.6 0.2 0.2\\n0.2 0.6 0.2\\n0.2 0.2 0.6'",
    "mining": "data=Data(name='CENSUS', sizes=()), prior=0.05, gamma=19.0, alpha=0.5, "
    "min_support=0.02, schemes=('DET-GD', 'RAN-GD', 'MASK', 'C&P'), prune=True, seed=7, "
    "error='false_negatives', scheme='DET-GD', length=0",
    "posterior": "prior=0.05, gamma=19.0, rho1=0.05, n=10, scale='percent'",
    "mechanism_race": "gamma=19.0, thousands=50, data=Data(name='CENSUS', sizes=()), length=0, "
    "cost='poison'",
    "randomized_response": "truth=0.3, people=1000, coin=0.75, seed=7, repetitions=200, "
    "by_answer=False, hidden=False",
    "belief": "gamma=19.0, alpha=0.5, domain_size=2000, prior=0.05",
    "reconstruction": "n=20, gamma=19.0, people=2000, shape='one peak', repair='none', seed=7",
    "variance": "gamma=19.0, alpha=0.4, domain_size=10, seed=7",
}


@pytest.mark.parametrize("name", OPENING)
def test_a_model_opens_with_the_papers_setting(name):
    opened = importlib.import_module(f"frapp_lab.explorers.models.{name}").Parameters()
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


def test_what_is_wanted_together_is_kept_however_large_it_is():
    @remember(max_bytes=10, hold=2)
    def made(n):
        return np.zeros(n)

    for n in (10, 11, 12):
        made(n)
    assert list(made.kept) == [(11,), (12,)]


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
    # In log-odds the bound is the diagonal, shifted by ln γ.
    logs = [math.log(share / (1 - share)) for share in (prior, rho1)]
    shifted = [v + math.log(gamma) for v in logs]
    assert result.log_odds == pytest.approx(
        {"prior": logs[0], "worst": shifted[0], "rho1": logs[1], "rho2": shifted[1]}
    )
    assert result.log_curve == pytest.approx(posterior.LOG_ODDS + math.log(gamma))


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
    looks = {cell: sum(cell) + 6 for cell in cells}  # counted as `by_columns` counts them
    mean = sum(law[cell] * looks[cell] for cell in cells)
    scan = sum(law[cell] * i for i, cell in enumerate(cells, 1))
    assert result.n_cells == 2000
    assert (result.mean_columns, result.mean_scan) == pytest.approx((mean, scan))
    assert result.is_whole
    for k in range(7):  # the draw is the same, however much of it is told
        p = column_by_column.Parameters(record=own, gamma=gamma, seed=seed, columns=k)
        part = column_by_column.compute(p)
        assert [step.reported for step in part.steps] == list(report)
        assert [step.is_drawn for step in part.steps] == [True] * k + [False] * (6 - k)
        assert (part.drawn, part.is_whole) == (part.steps[:k], k == 6)
        first_k = law[own[:k]].sum() if k else 1
        assert part.unchanged_so_far == pytest.approx(first_k)
        assert part.unchanged == pytest.approx(gamma * x)
        assert part.by_columns == sum(value + 1 for value in report[:k])
        assert part.n_changed == sum(report[j] != own[j] for j in range(k))


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
    sizes, setting = (3, 2, 2), matrices.Parameters(gamma=gamma, length=length, K=K)
    for scheme in ("DET-GD", "RAN-GD", "MASK", "C&P", "IND-RR"):
        result = matrices.compute(replace(setting, matrix=scheme))
        found, shown = result.schemes[scheme], result.shown
        assert (result.label, result.chosen) == (scheme, found)
        wanted = explicit(scheme, sizes, gamma, length, K)
        np.testing.assert_allclose(shown.matrix, wanted, atol=1e-12)
        assert len(shown.rows) == len(shown.columns) == len(wanted)
        last = K if scheme == "C&P" else 3
        numbers = [np.linalg.cond(explicit(scheme, sizes, gamma, k, K)) for k in range(1, last + 1)]
        assert found.numbers == pytest.approx(numbers)
        assert found.singular == tuple(range(last + 1, 4))
        assert bool(found.why_not) == (length > last)
        assert result.number == pytest.approx(math.inf if length > last else numbers[length - 1])
        assert not found.problem
        # The lit row is the one in which two records differ most.
        ratios = [max(row) / min(row) for row in wanted]
        assert shown.ratio == pytest.approx(max(ratios)) == pytest.approx(ratios[shown.row])
        row = wanted[shown.row]
        assert (row[shown.largest], row[shown.smallest]) == pytest.approx((max(row), min(row)))
        assert found.gamma == pytest.approx(gamma)
        assert shown.ratio <= gamma * (1 + 1e-9)
        if length == 3 and scheme in ("DET-GD", "RAN-GD", "IND-RR"):  # it is the whole matrix
            assert shown.ratio == pytest.approx(gamma)
    assert list(result.schemes) == ["DET-GD", "RAN-GD", "MASK", "C&P", "IND-RR"]
    assert (result.n_cells, result.gamma) == (12, gamma)
    assert result.lower_bound == pytest.approx((gamma + 11) / (gamma - 1))


def test_a_matrix_is_shown_whether_its_scheme_is_switched_on_or_not():
    mask = fl.Mask(fl.Schema.of_sizes(3, 2, 2), 0.9)
    mask.label = "MASK, p = 0.9"
    result = matrices.compute(matrices.Parameters(schemes=("MASK",), matrix=mask))
    assert (result.label, list(result.schemes)) == ("MASK, p = 0.9", ["MASK"])
    assert result.shown.matrix[0, 0] == pytest.approx(0.9**3)
    assert result.number == pytest.approx(0.8**-3)


def test_schemes_that_cannot_be_had_have_a_problem_and_no_matrix():
    result = matrices.compute(matrices.Parameters(gamma=3.0, K=2, matrix="C&P"))
    assert "gamma is 3 and K is 2" in result.schemes["C&P"].problem
    assert result.shown is None
    assert math.isnan(result.number)
    assert "C&P" not in result.names
    nothing = matrices.compute(matrices.Parameters(schemes=()))
    assert nothing.names == nothing.schemes == {}
    assert nothing.shown.matrix.shape == (12, 12)


def test_a_row_of_zeros_is_not_lit_and_a_single_zero_is():
    rows = np.array([[0.0, 0.0], [0.5, 0.25], [0.5, 0.75]])
    shown = matrices.light(rows, ("1", "2", "3"), ("1", "2"))
    assert (shown.row, shown.largest, shown.smallest, shown.ratio) == (1, 0, 1, 2)
    shown = matrices.light(np.array([[0.5, 0.4], [0.5, 0.0], [0.0, 0.6]]), ("",) * 3, ("",) * 2)
    assert shown.ratio == math.inf
    assert {shown.largest, shown.smallest} == {0, 1}


def test_of_entries_that_are_the_least_but_for_rounding_the_farthest_is_lit():
    least = 0.1 * (1 + 1e-12)
    shown = matrices.light(np.array([[0.1, 0.5, 0.3, least]]), ("1",), ("1", "2", "3", "4"))
    assert (shown.largest, shown.smallest) == (1, 3)
    shown = matrices.light(np.array([[0.1, 0.5, 0.3, 0.1000001]]), ("1",), ("1", "2", "3", "4"))
    assert shown.smallest == 0


@pytest.mark.parametrize("seed", range(5))
def test_names_stand_apart_and_move_as_little_as_can_be(seed):
    heights = np.random.default_rng(seed).uniform(0, 3, 6).round(1).tolist()
    moved = matrices.apart(heights, 0.5)
    order = np.argsort(heights, kind="stable")
    assert (np.diff(np.array(moved)[order]) >= 0.5 - 1e-9).all()
    assert matrices.apart([1.0, 5.0, 3.0], 0.5) == pytest.approx([1.0, 5.0, 3.0])
    cost = sum((a - b) ** 2 for a, b in zip(moved, heights, strict=True))
    nudge = np.random.default_rng(seed)
    for _ in range(300):  # no other way to stand apart is nearer
        other = np.array(moved) + nudge.normal(0, 0.1, 6)
        if (np.diff(other[order]) >= 0.5).all():
            assert ((other - heights) ** 2).sum() >= cost - 1e-9


# --- a matrix of one's own ---


READ = {
    "0.6 0.2\n0.4 0.8": [[0.6, 0.2], [0.4, 0.8]],
    "0.6,0.2\n0.4,0.8": [[0.6, 0.2], [0.4, 0.8]],
    "0.6\t0.2\r\n0.4\t0.8\r\n": [[0.6, 0.2], [0.4, 0.8]],
    " 0.6 ; 0.2 ;\n\n 0.4;0.8 ": [[0.6, 0.2], [0.4, 0.8]],
    "60% 20 %\n40%\t80 %": [[0.6, 0.2], [0.4, 0.8]],
    "60%20%\n40% 80%": [[0.6, 0.2], [0.4, 0.8]],
    "1/3 1 / 4\n2/3 3/4": [[1 / 3, 0.25], [2 / 3, 0.75]],
    "½ ¼\n½ ¾": [[0.5, 0.25], [0.5, 0.75]],
    "[[0.6, 0.2], [0.4, 0.8]]": [[0.6, 0.2], [0.4, 0.8]],
    "[[0.6 0.2]\n [0.4 0.8]]": [[0.6, 0.2], [0.4, 0.8]],
    "0,1\n1,0": [[0, 1], [1, 0]],
    "6e-1 .2\n4E-1 +.8": [[0.6, 0.2], [0.4, 0.8]],
    ".2 .2\n.3 .3\n.5 .5": [[0.2, 0.2], [0.3, 0.3], [0.5, 0.5]],
    "0.6\u00a00.2\n0.4\u20030.8": [[0.6, 0.2], [0.4, 0.8]],
}


@pytest.mark.parametrize("text", READ)
def test_a_matrix_is_read_as_people_write_it(text):
    own = matrices.read_own(text)
    assert own.problems == ()
    np.testing.assert_allclose(own.matrix, READ[text], rtol=1e-15)


REFUSED = {
    "": "there is no number yet: type a row on each line",
    " \n\t\n": "there is no number yet",
    "[[], []]": "there is no number yet",
    "0.5 half\n0.5 0.5": "row 1, column 2: “half” is no number",
    "0.5 0.5\n0.5 <b>a very long word</b>": "row 2, column 2: “<b>a” is no number",
    "x" * 500: "row 1, column 1: “xxxxxxxxxxx…” is no number",
    "0.5 1/x\n0.5 0.5": "row 1, column 2: “1/x” is no number",
    "0.5 /\n0.5 0.5": "row 1, column 1: “0.5/” is no number",
    "50%% 1\n1 1": "row 1, column 2: “%” is no number",
    "1/0 1\n0 0": "row 1, column 1: 1/0 divides by 0",
    "0.5 nan\n0.5 1": "row 1, column 2: nan is no probability",
    "0.5 inf\n0.5 1": "row 1, column 2: inf is no probability",
    "0.5 1e999\n0.5 1": "row 1, column 2: 1e999 is no probability",
    "1 0\n0 1\n0": "row 3 has 1 number and row 1 has 2: all need as many",
    "1\n0 1": "row 2 has 2 numbers and row 1 has 1: all need as many",
    "1": "one column is one record",
    "0.4\n0.6": "one column is one record",
    "1 1 1": "one row is one report",
    "0.5 1.2\n0.5 -0.2": "row 2, column 2 is −0.2: no probability is below 0",
    "0.5 1.2\n0.5 −0.2": "row 2, column 2 is −0.2: no probability is below 0",
    "0.5 0.333\n0.5 0.666": "column 2 sums to 0.999, which is 0.001 too little",
    "0.5 0.7\n0.6 0.3": "column 1 sums to 1.1, which is 0.1 too much",
    "1e308 0\n1e308 1": "column 1 sums to inf, which is inf too much",
    "60 40\n40 60": "column 1 sums to 100, which is 99 too much",
    "0,6 0,4\n0,4 0,6": "a comma stands between numbers: write 0.5 with a point",
    "0.1 " * 5000: "it has 5,000 entries: at most 4,096 can be shown",
}


@pytest.mark.parametrize("text", REFUSED, ids=lambda text: repr(text[:20]))
def test_what_is_no_matrix_is_told_in_words(text):
    own = matrices.read_own(text)
    assert own.problems[0].startswith(REFUSED[text])
    assert len(own.problems[0]) < 75  # it is a headline
    for matrix in ("DET-GD", matrices.OWN):
        result = matrices.compute(matrices.Parameters(own=text, matrix=matrix))
        assert not result.is_own
        assert result.schemes["DET-GD"].numbers  # all else goes on


def test_all_that_is_wrong_is_told_but_not_without_end():
    own = matrices.read_own("0.5 -1 0.5\n0.4 2 0.4")
    assert own.problems == (
        "row 1, column 2 is −1: no probability is below 0",
        "column 1 sums to 0.9, which is 0.1 too little",
        "column 3 sums to 0.9, which is 0.1 too little",
    )
    shown = matrices.compute(matrices.Parameters(own="0.5 0\n0.4 1", matrix=matrices.OWN)).shown
    assert (shown.row, shown.off, shown.sums) == (None, (0,), pytest.approx((0.9,)))
    many = matrices.read_own("0.5 " * 40 + "\n" + "0.4 " * 40)
    assert many.problems[-1] == "and so on for 38 more columns"


def brute_deviation(a, n_records=48842, support=0.02):
    """Of the estimate Σ_v W[i, v] Y_v / N with W·A = 1, from the variance of each report."""
    weights, n = np.linalg.pinv(a), a.shape[1]
    worst = 0
    for i in range(n):
        records = [support if u == i else (1 - support) / (n - 1) for u in range(n)]
        variance = 0
        for u, share in enumerate(records):
            mean = sum(weights[i, v] * a[v, u] for v in range(len(a)))
            square = sum(weights[i, v] ** 2 * a[v, u] for v in range(len(a)))
            variance += share * (square - mean**2)
        worst = max(worst, variance)
    return math.sqrt(worst / n_records)


@pytest.mark.parametrize(
    "a",
    [
        gamma_diagonal(3, 3),
        np.array([[0.9, 0.3], [0.1, 0.7]]),
        np.array([[0.5, 0.2, 0.1], [0.3, 0.5, 0.2], [0.2, 0.3, 0.7]]),
        np.array([[0.4, 0.1, 0.2], [0.1, 0.4, 0.2], [0.3, 0.3, 0.1], [0.2, 0.2, 0.5]]),
    ],
)
def test_what_a_matrix_of_ones_own_can_do(a):
    text = "\n".join(" ".join(map(repr, row)) for row in a.tolist())
    own = matrices.read_own(text)
    gamma, n = max(max(row) / min(row) for row in a), a.shape[1]
    singular = np.linalg.svd(a, compute_uv=False)
    assert own.gamma == pytest.approx(gamma)
    assert own.condition == pytest.approx(singular[0] / singular[-1])
    assert own.deviation == pytest.approx(brute_deviation(a))
    assert own.diagonal == pytest.approx(brute_deviation(gamma_diagonal(gamma, n)))
    result = matrices.compute(matrices.Parameters(matrix=matrices.OWN, own=text))
    assert (result.is_own, result.n_cells) == (True, n)
    assert result.shown.rows == ("1", "2", "3", "4")[: len(a)]
    assert result.shown.columns == ("1", "2", "3")[:n]
    assert result.lower_bound == pytest.approx((gamma + n - 1) / (gamma - 1))
    # The schemes stand at the same γ and n.
    p = math.sqrt(gamma) / (1 + math.sqrt(gamma))
    assert result.schemes["DET-GD"].numbers == pytest.approx([1 + n / (gamma - 1)])
    assert result.schemes["MASK"].numbers == pytest.approx([1 / (2 * p - 1)])
    assert result.keeps
    lower = matrices.Parameters(matrix=matrices.OWN, own=text, gamma=gamma * 0.99)
    assert not matrices.compute(lower).keeps


@pytest.mark.parametrize(
    ("text", "gamma", "condition"),
    [
        ("0.5 0.5\n0.5 0.5", 1, math.inf),  # says nothing
        ("1 0\n0 1", math.inf, 1),  # says all
        ("0.5 0.3 0.2\n0.5 0.7 0.8", 2.5, math.inf),  # fewer reports than records
        ("0.5 0.5 0.1\n0.3 0.3 0.3\n0.2 0.2 0.6", 5, math.inf),  # two records alike
    ],
)
def test_matrices_of_ones_own_at_the_edge(text, gamma, condition):
    own = matrices.read_own(text)
    assert (own.gamma, own.condition) == (pytest.approx(gamma), pytest.approx(condition))
    result = matrices.compute(matrices.Parameters(matrix=matrices.OWN, own=text))
    assert result.is_own
    assert result.number == own.condition
    assert math.isnan(result.lower_bound) == (gamma in (1, math.inf))
    assert result.chosen.singular == ((1,) if condition == math.inf else ())


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
    assert 3 * deviation < e.band[1] - e.band[0] < 3.7 * deviation + 2 / people / (2 * coin - 1)
    assert e.band[0] <= e.estimate <= e.band[1]
    honest, false = n_yes * coin, (people - n_yes) * (1 - coin)
    assert result.posterior == pytest.approx(honest / (honest + false))
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
    a_bin = (2 * math.floor(math.sqrt(people * coin * (1 - coin)) / 4) + 1) / people
    assert e.width == pytest.approx(max(a_bin / (2 * coin - 1), 0.02))
    assert e.n_below == e.counts[e.bins < -0.3].sum()
    assert e.n_above == e.counts[e.bins > 1.3].sum()


@pytest.mark.parametrize(
    ("truth", "people", "coin"), [(0.3, 200, 0.75), (0, 10, 0.9), (0.5, 2000, 0.51), (1, 30, 0.95)]
)
def test_the_band_of_an_answers_estimate_is_exact(truth, people, coin):
    n_yes = round(truth * people)
    law = np.array([1.0])  # of the number of yes answers: one person after the other
    for person in range(people):
        says_yes = coin if person < n_yes else 1 - coin
        law = np.convolve(law, [1 - says_yes, says_yes])
    for seed in range(3):
        p = randomized_response.Parameters(truth=truth, people=people, coin=coin, seed=seed)
        e = randomized_response.compute(p).estimates
        shift = (
            np.array(e.band) - e.estimate + truth
        )  # around the truth it says where estimates lie
        estimates = (np.arange(people + 1) / people + coin - 1) / (2 * coin - 1)
        low, high = 2 * truth - shift[::-1]  # the band is turned round: it is around the estimate
        assert law[estimates < low - 1e-9].sum() <= 0.05 < law[estimates <= low + 1e-9].sum()
        assert law[estimates > high + 1e-9].sum() <= 0.05 < law[estimates >= high - 1e-9].sum()


def test_repetitions_are_quantiles_of_binomial_laws():
    from scipy.stats import binom

    for truth, people, coin in ((0.3, 1000, 0.75), (0.0, 10, 0.55), (1.0, 300, 0.99)):
        p = randomized_response.Parameters(truth=truth, people=people, coin=coin, seed=4)
        rng, n_yes = np.random.default_rng(4), round(truth * people)
        rng.random((2, 2000))
        u, v = rng.random((2, 200))
        totals = binom.ppf(u, n_yes, coin) + binom.ppf(v, people - n_yes, 1 - coin)
        expected = (totals / people + coin - 1) / (2 * coin - 1)
        assert randomized_response.compute(p).estimates.repeated == pytest.approx(expected)
        for k in (1, 40):
            few = randomized_response.compute(replace(p, repetitions=k)).estimates
            assert few.repeated == pytest.approx(expected[:k])
            assert few.counts.sum() == k
            middle, height = few.last
            assert abs(middle - expected[k - 1]) <= few.width / 2 + 1e-9
            assert few.counts[abs(few.bins - middle) < 1e-9].tolist() == [height]


def test_people_stand_in_a_square_or_in_two_blocks():
    p = randomized_response.Parameters(people=90)
    plain = randomized_response.compute(p).grid
    assert (plain.side * plain.row + plain.column).tolist() == list(range(90))
    assert plain.heads == ()
    result = randomized_response.compute(replace(p, by_answer=True))
    grid = result.grid
    assert len({*zip(grid.row, grid.column, strict=True)}) == 90
    assert grid.row.max() < grid.n_rows
    assert grid.column.max() < grid.side
    says, place = result.says_yes, grid.side * grid.row + grid.column
    assert grid.heads[0] < grid.row[says].min()
    assert grid.row[says].max() < grid.heads[1] < grid.row[~says].min()
    for these in (says, ~says):
        assert place[these & result.is_yes].max() < place[these & ~result.is_yes].min()


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
    assert (result.low + result.high) / 2 == pytest.approx(x)
    assert (result.high - result.low) / 2 == pytest.approx(1.645 * result.deviation)
    assert list(result.off.values()) == [*result.stages, *list(result.errors.values())[1:]]
    for repair, estimate in result.estimates.items():
        mended = reconstruction.compute(replace(p, repair=repair))
        far = abs(estimate - raw).max() >= 0.005 * raw.max()
        assert mended.mends == (raw.min() < -1e-6 or far)


def test_reconstructions_bands_are_of_draws_like_the_one_shown(monkeypatch):
    monkeypatch.setattr(reconstruction, "DRAWS", 300)
    p = reconstruction.Parameters(n=6, people=800, gamma=4.0)
    *steps, band = reconstruction.bands(p)
    assert steps == [None] * 300
    runs = (reconstruction.compute(replace(p, seed=seed)).off for seed in range(300))
    drawn = np.array([list(off.values()) for off in runs])
    for (low, high), errors in zip(band.values(), drawn.T, strict=True):
        assert 0.84 < ((low <= errors) & (errors <= high)).mean() < 0.96
    assert list(reconstruction.bands(p))[-1] == band


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


# --- belief ---------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("gamma", "alpha", "n", "prior"),
    [(19.0, 0.5, 2000, 0.05), (4.0, 0.8, 5, 0.3), (19.0, 0.5, 10, 0.2), (50.0, 1.0, 8, 0.05)],
)
def test_beliefs_posteriors_by_numeric_integration(gamma, alpha, n, prior):
    p = belief.Parameters(gamma=gamma, alpha=alpha, domain_size=n, prior=prior)
    result = belief.compute(p)
    x = 1 / (gamma + n - 1)
    largest = min(gamma * x, (n - 1) * x)
    asked, alpha = alpha, min(alpha * gamma * x, largest)
    assert result.alpha.value == pytest.approx(alpha)
    assert result.alpha.largest == pytest.approx(largest)
    assert result.alpha.in_gx == pytest.approx(min(asked, (n - 1) / gamma))
    assert result.alpha.largest_in_gx == pytest.approx(min(1, (n - 1) / gamma))
    assert result.alpha.share == pytest.approx(alpha / largest)
    assert result.epsilon == pytest.approx(math.log(gamma))

    def rho(r):
        own, other = prior * (gamma * x + r), (1 - prior) * (x - r / (n - 1))
        return own / (own + other)

    r = np.linspace(0, largest, 51)
    assert result.along == pytest.approx(r / (gamma * x))
    assert result.low == pytest.approx(rho(-r), abs=1e-12)
    assert result.high == pytest.approx(rho(r), abs=1e-12)
    assert result.range == pytest.approx((rho(-alpha), rho(alpha)))
    assert result.middle == pytest.approx(rho(0))
    # Many clients, each with an r of their own; a report weighs each by how likely they send it.
    r = alpha * (2 * (np.arange(200_000) + 0.5) / 200_000 - 1)
    report = prior * (gamma * x + r) + (1 - prior) * (x - r / (n - 1))
    after = report / report.sum()
    assert result.believed == pytest.approx(after @ rho(r), rel=1e-6)
    assert result.above == pytest.approx(after @ (rho(r) > rho(0)), abs=1e-4)
    assert result.rho[[0, -1]] == pytest.approx([rho(-alpha), rho(alpha)])
    assert (np.diff(result.rho) > 0).all()
    assert max(result.before.max(), result.after.max()) == pytest.approx(1)
    edges = np.quantile(rho(r), [0.1, 0.3, 0.5, 0.7, 0.9])
    areas = []
    for density, weights in (
        (result.before, np.full(len(r), 1 / len(r))),
        (result.after, after),
    ):
        sums = np.r_[0, np.cumsum((density[1:] + density[:-1]) / 2 * np.diff(result.rho))]
        wanted = [weights @ (rho(r) <= edge) for edge in edges]
        assert np.interp(edges, result.rho, sums / sums[-1]) == pytest.approx(wanted, abs=0.01)
        areas.append(sums[-1])
    assert areas[0] == pytest.approx(areas[1], rel=0.01)  # one scale for both
    ratios = [
        max(a, b) / min(a, b) if min(a, b) > 1e-12 * x else math.inf
        for s in (-1, 1)
        for a, b in [(gamma * x + s * alpha, x - s * alpha / (n - 1))]
    ]
    assert result.leaked == pytest.approx(max(ratios))


def test_a_beliefs_law_goes_from_end_to_end():
    result = belief.compute(belief.Parameters())
    assert result.rho[[0, -1]] == pytest.approx(np.array(result.range), abs=1e-12)


@pytest.mark.parametrize("alpha", [0.0, 1e-12])
def test_without_alpha_belief_is_a_spike(alpha):
    result = belief.compute(belief.Parameters(alpha=alpha))
    assert result.alpha.value == 0
    assert result.range == pytest.approx((0.5, 0.5))
    assert result.rho == pytest.approx([0.5, 0.5])
    assert result.leaked == pytest.approx(19)


# --- variance -------------------------------------------------------------------------------------


@pytest.mark.parametrize(("n", "asked"), [(6, 0.9), (60, 0.9), (4, 1.0)])
def test_variances_terms_by_integration(n, asked):
    result = variance.compute(variance.Parameters(gamma=5.0, alpha=asked, domain_size=n))
    counts = variance._falling(n)
    assert counts.sum() == 10_000
    assert abs(counts - 10_000 / np.arange(1, n + 1) / sum(1 / np.arange(1, n + 1))).max() <= 1
    assert result.largest_cell == counts[0]
    x = 1 / (5 + n - 1)
    largest = min(5 * x, (n - 1) * x)
    assert result.alpha.value == pytest.approx(min(asked * 5 * x, largest))
    assert len(result.within) == len(result.between) == len(result.shared) == 6
    first, others = counts[0], counts.sum() - counts[0]
    plain = first * 5 * x * (1 - 5 * x) + others * x * (1 - x)
    assert result.deviation == pytest.approx(math.sqrt(plain))
    alphas = [share * largest for share in (0, 0.25, 0.5, 0.75, 1)]
    for place, alpha in enumerate([*alphas, min(asked * 5 * x, largest)]):
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


def test_variances_errors_are_those_of_mining():
    # α = 0.9 γx is more than the survey of 5 cells can have, but not more than CENSUS can.
    result = variance.compute(variance.Parameters(gamma=12.0, alpha=0.9, domain_size=5, seed=4))
    assert result.mined.in_gx == pytest.approx(0.9)
    assert result.alpha.in_gx == pytest.approx(4 / 12)
    census = fl.load_census()

    def error(share):
        alpha = share * 12 / (12 + 2000 - 1)
        mechanism = fl.RandomizedGammaDiagonal(census.schema, 12, alpha)
        return fl.mine(census, mechanism, 0.02, rng=4).errors.support_error_all[4]

    assert result.tried == pytest.approx([error(s) for s in (0, 0.25, 0.5, 0.75, 1)])
    assert result.chosen == pytest.approx(error(0.9))
    every = sorted([*result.tried, result.chosen])
    assert result.along == (every[0], every[-1])
    plain = fl.mine(census, fl.GammaDiagonal(census.schema, 12), 0.02, rng=4)
    assert result.plain == pytest.approx(plain.errors.support_error_all[4])
    # An estimate is normal about the truth, so the mean of |error| is √(2/π) deviations.
    deviation = fl.GammaDiagonal(census.schema, 12).standard_deviation(census.supports, len(census))
    relative = []
    for subset in census.schema.subsets(4):
        support = census.supports[subset]
        frequent = support >= 0.02
        relative += (deviation[subset][frequent] / support[frequent]).tolist()
    assert result.expected == pytest.approx(100 * math.sqrt(2 / math.pi) * np.mean(relative))
    assert result.expected == pytest.approx(
        fl.predicted_errors(census, "DET-GD", 0.02, 12).support_error_all[4]
    )
    assert result.relative(result.expected) == 1


def test_variances_band_holds_ran_gds_draws_at_any_alpha():
    *_, (low, high) = variance.band(variance.Parameters(gamma=12.0))
    census = fl.load_census()
    for share in (0.3, 1.0):
        alpha = share * privacy.max_alpha(12, 2000)
        mechanism = fl.RandomizedGammaDiagonal(census.schema, 12, alpha)
        errors = [
            fl.mine(census, mechanism, 0.02, rng=seed).errors.support_error_all[4]
            for seed in range(100, 140)
        ]
        inside = np.mean([low <= error <= high for error in errors])
        assert inside >= 0.75  # of 90 %: the band and the draws are 40 each
        assert np.quantile(errors, [0.05, 0.95]) == pytest.approx([low, high], rel=0.1)


def test_variances_band_does_not_depend_on_alpha_or_the_survey():
    *_, one = variance.band(variance.Parameters(alpha=0.0, seed=3))
    *_, other = variance.band(variance.Parameters(alpha=1.0, domain_size=500, seed=3))
    *_, another_seed = variance.band(variance.Parameters(seed=4))
    assert one == other != another_seed


@pytest.mark.parametrize("alpha", [0.0, 1e-12])
def test_without_alpha_variance_is_det_gds(alpha):
    result = variance.compute(variance.Parameters(alpha=alpha))
    assert result.alpha.value == 0
    assert (result.within[-1], result.between[-1], result.shared[-1]) == pytest.approx((1, 0, 1))
    assert result.chosen == result.plain


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


@pytest.mark.parametrize(("gamma", "alpha", "prior"), [(19.0, 0.51, 0.05), (3.0, 0.123, 0.4)])
def test_minings_posteriors_by_their_formula(gamma, alpha, prior):
    p = mining.Parameters(gamma=gamma, alpha=alpha, prior=prior, schemes=())
    result = mining.compute(p)
    x = 1 / (gamma + 1999)
    assert (result.n_cells, result.n_records, result.name) == (2000, 48_842, "CENSUS")
    assert result.unit == pytest.approx(gamma * x)
    assert result.alpha == pytest.approx(alpha * gamma * x)
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


def test_minings_alpha_is_cut_to_the_largest_valid_one():
    data = Data("CENSUS", tuple((name, 1) for name in fl.load_census().schema.names[:4]))
    p = mining.Parameters(data=data, gamma=19.0, alpha=0.5, schemes=("RAN-GD",))
    result = mining.compute(p)
    x = 1 / (19 + 3)  # n = 4: off the diagonal an entry is x − r/3, so that r is at most 3x
    assert (result.n_cells, result.unit) == (4, pytest.approx(19 * x))
    assert result.alpha == result.largest == pytest.approx(3 * x)
    table = data.load()
    run = fl.mine(table, fl.make_scheme("RAN-GD", table.schema, 19.0, alpha_share=1.0), rng=7)
    np.testing.assert_array_equal(result.schemes["RAN-GD"].errors, run.error_array())


def test_every_scheme_is_mined_with_the_luck_of_mine():
    for seed, gamma in ((7, 19.0), (2, 30.0)):
        p = mining.Parameters(
            gamma=gamma, alpha=0.7, min_support=0.03, schemes=fl.schemes(), seed=seed
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


def test_bands_are_of_draws_like_the_one_shown(monkeypatch):
    assert mining.DRAWS == 40
    monkeypatch.setattr(mining, "DRAWS", 4)
    p = mining.Parameters(
        gamma=4.0, alpha=0.9, min_support=0.05, schemes=("C&P", "RAN-GD", "MASK"), seed=3,
        prune=False,
    )  # fmt: skip
    *steps, bands = mining.bands(p)
    assert steps == [None] * 12
    assert list(bands) == ["RAN-GD", "MASK"]  # C&P cannot be had here
    census = fl.load_census()
    mechanism = fl.make_scheme("MASK", census.schema, 4.0)
    runs = [fl.mine(census, mechanism, 0.05, rng=(3, i), prune=False) for i in range(4)]
    trials = run_trials(census, ["RAN-GD"], [4.0], [0.9], [0.05], 4, 3, False)
    drawn = {"MASK": [run.errors.false_negatives[2] for run in runs],
             "RAN-GD": trials.query("length == 2")["false_negatives"]}  # fmt: skip
    for label, lost in drawn.items():
        assert bands[label].low[1, 2] == pytest.approx(np.quantile(lost, 0.05))
        assert bands[label].high[1, 2] == pytest.approx(np.quantile(lost, 0.95))
    first = mining.compute(replace(p, schemes=("MASK",))).schemes["MASK"].errors
    one = fl.mine(census, mechanism, 0.05, rng=3, prune=False)
    np.testing.assert_array_equal(first, one.error_array())
    assert list(mining.bands(replace(p, schemes=("C&P",)))) == [None] * 4 + [{}]


def test_bands_are_drawn_once_whatever_is_looked_at(monkeypatch):
    monkeypatch.setattr(mining, "DRAWS", 2)
    p = mining.Parameters(schemes=("DET-GD",), min_support=0.1)
    *_, bands = mining.bands(p)
    for other in (replace(p, scheme="MASK", length=3), replace(p, error="support_error")):
        assert list(mining.bands(other)) == [bands]
    for other in ({"seed": 8}, {"gamma": 20.0}, {"min_support": 0.2}, {"prune": False},
                  {"data": Data("CENSUS", (("age", 2),))}, {"schemes": ("RAN-GD",)}):  # fmt: skip
        *steps, anew = mining.bands(replace(p, **other))
        assert len(steps) == 2
        assert anew is not bands
    for seed in range(20):
        list(mining.bands(replace(p, seed=seed)))
    assert len(mining._bands) <= 16


@pytest.mark.parametrize("prune", [True, False])
@pytest.mark.parametrize("scheme", ["DET-GD", "C&P"])
@pytest.mark.parametrize("length", [0, 2, 4])
def test_the_points_of_mining_by_a_loop_over_itemsets(prune, scheme, length):
    data = Data("CENSUS", (("age", 2), ("fnlwgt", 2), ("hours-per-week", 2)))
    table = data.load()
    p = mining.Parameters(
        data=data, min_support=0.05, prune=prune, scheme=scheme, length=length, schemes=()
    )
    points = mining.compute(p).points
    mechanism = fl.make_scheme(scheme, table.schema, 19.0)
    truth = _shares(table.records)
    cube = mechanism.estimate(mechanism.perturb(table.records, rng=7)).array

    def estimate(itemset):
        at = [-1] * len(table.schema.sizes)
        for column, value in itemset:
            at[column] = value
        return cube[tuple(at)]

    really = naive(truth.__getitem__, table.schema.sizes, 0.05, False)
    claimed = naive(estimate, table.schema.sizes, 0.05, prune)
    wanted = {}
    for itemset in really.keys() | claimed.keys():
        if length in (0, len(itemset)):
            parts = [itemset - {item} for item in itemset] if len(itemset) > 1 else []
            seen = not prune or all(part in claimed for part in parts)
            kind = "lost" if itemset not in claimed else "found"
            kind = kind if itemset in really else "invented"
            wanted[itemset] = truth[itemset], estimate(itemset) if seen else np.nan, kind
    got = {}
    for codes, *numbers in zip(
        points.itemsets.codes, points.itemsets.support, points.estimates, points.kinds, strict=True
    ):
        got[frozenset((c, int(v)) for c, v in enumerate(codes) if v >= 0)] = tuple(numbers)
    assert got.keys() == wanted.keys()
    for itemset, (true, estimated, kind) in wanted.items():
        assert got[itemset][2] == kind
        assert got[itemset][:2] == pytest.approx((true, estimated), nan_ok=True)
    kinds = Counter(kind for _, _, kind in wanted.values())
    assert points.counts == {kind: kinds[kind] for kind in ("found", "lost", "invented")}
    assert points.n_true == kinds["found"] + kinds["lost"]
    assert points.n_unseen == sum(np.isnan(estimated) for _, estimated, _ in wanted.values())
    right = [abs(e - t) / t for t, e, kind in wanted.values() if kind == "found"]
    assert points.error == pytest.approx(np.mean(right) if right else np.nan, nan_ok=True)


def test_the_points_are_drawn_evenly_and_within_the_edges():
    result = mining.compute(mining.Parameters(gamma=1.5, min_support=0.005))
    points, (most, more) = result.points, mining.MOST.values()
    assert list(mining.MOST) == ["frequent", "invented"]
    n, drawn = points.n_true, points.drawn
    assert (n, len(points.kinds) - n) == (1225, points.counts["invented"])
    assert (drawn < n).sum() == most
    assert len(drawn) == most + min(more, points.counts["invented"])
    assert {0, n - 1} <= set(drawn.tolist())  # the largest, and the one nearest to the minimum
    assert len(set(drawn.tolist())) == len(drawn)
    steps = np.diff(drawn[drawn < n])
    assert steps.max() - steps.min() <= 1
    assert (points.kinds[n:] == "invented").all()
    assert (np.diff(points.itemsets.support[:n]) <= 0).all()
    assert (np.diff(points.estimates[n:]) <= 0).all()
    for position, x, y in zip(drawn, points.x, points.y, strict=True):
        true, estimate = points.itemsets.support[position], points.estimates[position]
        assert x == min(max(true, 0.001), 1)
        assert y == (0.001 if np.isnan(estimate) else min(max(estimate, 0.001), 1))
    assert (points.y == 1).any()
    assert np.isnan(points.estimates).any()


def test_the_points_are_of_any_scheme_whether_switched_on_or_not():
    census = fl.load_census()
    own = fl.Mask(census.schema, 0.8)
    result = mining.compute(mining.Parameters(scheme=own))
    assert "MASK" in result.schemes  # the registered one, which has the same label
    own.label = "mine"
    result = mining.compute(mining.Parameters(scheme=own))
    run = fl.mine(census, own, 0.02, rng=7)
    assert result.points.counts["lost"] == len(run.lost)
    assert result.points.counts["invented"] == len(run.invented)
    on = mining.compute(mining.Parameters(scheme="MASK"))
    assert on.shown is on.schemes["MASK"]
    none = mining.compute(mining.Parameters(scheme="C&P", gamma=3.0, schemes=()))
    assert none.points is None
    assert "gamma is 3 and K is 3" in none.shown.problem


def test_there_is_no_reason_for_lengths_that_no_itemset_has():
    sizes = {"fnlwgt": 1, "hours-per-week": 1, "race": 1}
    small = mining.Parameters(data=Data.of("CENSUS", sizes), schemes=("C&P", "DET-GD"))
    for scheme in mining.compute(small).schemes.values():  # three attributes, and K is 3
        assert (len(scheme.condition_numbers), scheme.why_not) == (3, "")
    assert mining.compute(mining.Parameters(schemes=("C&P",))).schemes["C&P"].why_not
