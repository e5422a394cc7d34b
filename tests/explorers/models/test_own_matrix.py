"""A matrix of one's own: how it is read, what is refused, and what it can do."""

import math

import numpy as np
import pytest

from explorers.models.formulas import gamma_diagonal
from frapp_lab.explorers.models import matrices

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
