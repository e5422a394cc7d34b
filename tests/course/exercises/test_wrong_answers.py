"""Wrong answers that learners give are refused with a true hint."""

import re

import numpy as np
import pytest

from frapp_lab.course.exercises import EXERCISES, check
from frapp_lab.privacy import amplification


def below(share):
    """A sampler for 06.4 that stays if the first uniform number is below share(γ, n)."""

    def perturb_one(record, uniforms, sizes, gamma):
        stays = uniforms[0] < share(gamma, np.prod(sizes))
        return record if stays else (uniforms[1:] * sizes).astype(int)

    return perturb_one


def from_subsets(reports):
    """The solution of 09.2."""
    return (np.mean(reports, axis=0) - 0.28) / (0.6 - 0.28)


def stayed(reports, record, sizes):
    """The solution of 06.5."""
    by_chance = 1 / np.prod(sizes)
    return (np.mean((reports == record).all(axis=1)) - by_chance) / (1 - by_chance)


def supported(reports):
    """The solution of 07.4."""
    s = 18 / 58
    return (np.mean((reports[:, 0] == 1) & (reports[:, 2] == 1)) - (1 - s) / 8) / s


def said_yes(reports, p):
    """The solution of 01.2."""
    return (np.mean(reports) - (1 - p)) / (2 * p - 1)


def said_yes_twice(reports, p):
    """The solution of 01.5."""
    return np.mean(np.prod((reports - (1 - p)) / (2 * p - 1), axis=1))


def part_with_n(n):
    """05.1 with the right formula and another n."""
    x = 1 / (19 + n - 1)
    return 1.5 * 19 * x / (x - 19 * x / 2 / (n - 1))


def rho2(prior, gamma, r, n):
    """The solution of 05.2."""
    x = 1 / (gamma + n - 1)
    own, other = prior * (gamma * x + r), (1 - prior) * (x - r / (n - 1))
    return own / (own + other)


def two_reports(gamma, alpha, n, few=None):
    """The largest ratio of a pair of reports' probabilities if both have one r, by enumeration."""
    x, chances = 1 / (gamma + n - 1), 0
    nodes, weights = np.polynomial.legendre.leggauss(2)  # exact: it is of second degree in r
    for r, weight in zip(alpha * nodes, weights / 2, strict=True):
        matrix = np.where(np.eye(n) > 0, gamma * x + r, x - r / (n - 1))[:few]
        chances = chances + weight * matrix[:, None, :] * matrix[None, :, :]
    return np.max(chances.max(axis=2) / chances.min(axis=2))


def enough(support, m, target, s, one_coin=False):
    """The solution of 07.5 with s = 18/2018; or with one coin for all people."""
    out = (1 - s) * m / 2000
    mean = out + s * support
    two_coins = support * (out + s) * (1 - out - s) + (1 - support) * out * (1 - out)
    return (mean * (1 - mean) if one_coin else two_coins) / (s * target) ** 2


@pytest.mark.parametrize(
    ("number", "answer", "says"),
    [
        # Where the right value is 0 there is no factor.
        ("00.4", lambda values, uniforms, p: np.where(uniforms < p, values, -1), "not it"),
        ("00.4", lambda values, uniforms, p: np.where(uniforms < p, 2 * values, 0), "same factor"),
        # Nothing comes before the self-test.
        ("00.1", 0.3, "^That is not it. Read the question again"),
        ("00.b", 2004, "^About so many"),  # 2,000 and the four new intervals
        ("00.5", 7, "^That is not it"),
        ("00.6", [1, 0.5], "shape"),
        ("01.2", lambda reports, p: said_yes(reports[::2], p), "its spread"),
        ("01.2", lambda reports, p: said_yes(reports[:50], p), "its spread"),
        ("01.5", lambda reports, p: said_yes_twice(reports[:50], p), "its spread"),
        # A hundred people: their number and percent are the same.
        ("01.5", lambda reports, p: 100 * said_yes_twice(reports, p), "not percent or a number of"),
        ("02.1", 0.1225, "not it"),  # γ is not in percent
        ("02.5", lambda a, b: amplification(np.kron(a, b)), "for every pair of records"),
        ("02.5", lambda a, b: amplification(a) * amplification(b), "bound"),
        ("02.6", 1505, "not it"),
        ("05.b", 1, "Only one of the ten"),
        ("06.b", 1, "certainly"),
        ("07.2", lambda f, r: [len(f - r) / len(f), len(r - f) / len(f)], "percent is wanted"),
        ("08.2", [0.59, 0.1833], "percent is wanted"),
        ("05.1", part_with_n(31), "30 entries share −α"),  # the formula is right
        ("05.1", part_with_n(29), "Very near"),
        ("05.1", part_with_n(2000), "as large as CENSUS's"),
        ("05.2", lambda prior, gamma, r, n: rho2(prior, gamma, r, n + 1), "Very near"),
        ("05.2", lambda prior, gamma, r, n: rho2(prior, gamma, r, n - 1), "Very near"),
        ("06.4", below(lambda gamma, n: (gamma - 1) / (gamma + n)), "not it"),
        ("06.4", below(lambda gamma, n: (gamma - 1.2) / (gamma + n - 1)), "not it"),
        ("06.4", below(lambda gamma, n: (gamma - 0.9) / (gamma + n - 1)), "not it"),
        ("06.5", lambda *given: max(stayed(*given), 0), "cut off"),
        ("06.5", lambda *given: np.clip(stayed(*given), 0, 1), "cut off"),
        ("06.5", lambda reports, *given: stayed(reports[::2], *given), "its spread"),
        ("06.5", lambda *given: 100 * stayed(*given), "not percent"),
        ("06.5", lambda *given: 0.993 * stayed(*given), "misses"),
        ("07.4", lambda reports: max(supported(reports), 0), "cut off"),
        ("07.4", lambda reports: np.clip(supported(reports), 0, 1), "cut off"),
        ("07.4", lambda reports: supported(reports[:1000]), "its spread"),
        ("07.5", lambda *given: enough(*given, 18 / 2019), "Very near"),
        ("07.5", lambda *given: enough(*given, 18 / 2018, one_coin=True), "Very near"),
        ("07.4", lambda reports: 100 * supported(reports), "in percent"),
        ("07.a", 12, "in percent"),
        ("07.b", 0.37, "Very near"),
        ("08.a", 3, "more digits"),
        ("08.1", lambda rival, ours, factor: len(rival), "not it"),
        ("08.3", 0.07, "more digits"),
        ("08.3", 0.06993, "second one"),
        ("08.4", lambda rate, chance: round(np.log(1 - chance) / np.log(1 - rate)), "not it"),
        ("08.5", 4.5, "Very near"),
        ("09.2", lambda reports: from_subsets(reports[::2]), "its spread"),
        ("09.2", lambda reports: from_subsets(reports[1::2]), "its spread"),
        ("09.2", lambda reports: from_subsets(reports[:250]), "its spread"),
        ("09.2", lambda reports: from_subsets(reports[:20]), "its spread"),
        ("09.2", lambda reports: 100 * from_subsets(reports), "not percent"),
    ],
)
def test_wrong_answers_are_refused_with_a_true_hint(number, answer, says):
    verdict = check(number, answer)
    assert verdict.right is False
    assert re.search(says, verdict.message), verdict.message


SHARES = [
    number for number, make in EXERCISES.items()
    if isinstance(right := getattr(make(), "solution", None), float) and 0 < right < 1
]  # fmt: skip


@pytest.mark.parametrize("number", SHARES)
@pytest.mark.parametrize("answer", [0, 1])
def test_never_and_certainly_get_a_hint_of_their_own(number, answer):
    verdict = check(number, answer)
    assert verdict.right is False
    assert not re.search("digits|^That is not it", verdict.message)


@pytest.mark.parametrize(
    ("gamma", "n", "share", "worse"),
    [(3, 5, 0.5, True), (3, 5, 1.0, True), (3, 3, 0.5, False), (19, 30, 0.5, True)],
)
def test_an_r_that_is_used_twice(gamma, n, share, worse):
    alpha = share * gamma / (gamma + n - 1)
    pair = EXERCISES["05.5"].names()["pair_amplification"](gamma, alpha, n)
    assert pair == pytest.approx(two_reports(gamma, alpha, n), rel=1e-12)
    assert (pair > gamma**2) is worse is (n - 1 > gamma)


def test_an_r_that_is_used_twice_in_census():
    # All pairs of reports are (v, v) or (v, w) under other names: two reports have both.
    alpha = 19 / 2018 / 2
    pair = two_reports(19, alpha, 2000, few=2)
    assert pair == pytest.approx(391.08, abs=0.005)
    by_formula = EXERCISES["05.5"].names()["pair_amplification"](19, alpha, 2000)
    assert by_formula == pytest.approx(pair, rel=1e-12)
