"""Shuffling: the exact δ by brute force, and the closed form."""

import itertools
import math

import numpy as np
import pytest
from helpers import assert_refused

import frapp_lab as fl
from frapp_lab.modern import shuffling

CENSUS = fl.load_census()


def test_the_exact_delta_by_brute_force():
    n, gamma, central = 5, 3.0, 0.4
    tell = gamma / (gamma + 1)
    for ones in range(n):
        laws = []
        for bit in (1, 0):
            people, law = [bit] + [1] * ones + [0] * (n - 1 - ones), np.zeros(n + 1)
            for sent in itertools.product((0, 1), repeat=n):
                pairs = zip(people, sent, strict=True)
                law[sum(sent)] += math.prod(tell if a == b else 1 - tell for a, b in pairs)
            laws.append(law)
        wanted = max(np.maximum(p - math.exp(central) * q, 0).sum() for p, q in (laws, laws[::-1]))
        found = shuffling.shuffled_delta(math.log(gamma), n, central, ones)
        assert found == pytest.approx(wanted)


@pytest.mark.parametrize(
    ("epsilon", "n", "delta"),
    [(0.5, 1000, 1e-4), (1.0, 1000, 1e-3), (1.8, 1000, 1e-4), (3.0, 5000, 1e-4)],
)
def test_the_closed_form_holds_in_an_exact_case(epsilon, n, delta):
    central = shuffling.shuffled_epsilon(epsilon, n, delta)
    assert central < epsilon
    for ones in (0, n // 2, n - 1):
        assert shuffling.shuffled_delta(epsilon, n, central, ones) <= delta
        # It is no empty promise: a tenth of it would not hold.
        assert shuffling.shuffled_delta(epsilon, n, central / 10, ones) > delta


def test_shuffling_needs_many():
    found = shuffling.shuffled_epsilon(math.log(19), len(CENSUS), 1e-6)
    assert found == pytest.approx(0.443, abs=1e-3)
    assert_refused(
        lambda: shuffling.shuffled_epsilon(math.log(19), 1000, 1e-6), ["epsilon is 2.944", "1,000"]
    )
    for n, delta in ((1000, 1e-4), (50_000, 1e-6)):
        highest = math.log(n / (16 * math.log(2 / delta)))  # Feldman et al. 2021, Theorem 3.1
        assert shuffling.shuffled_epsilon(highest - 1e-9, n, delta) < highest
        beyond = highest + 1e-9
        words = [f"up to ε = {highest:.4g}"]
        assert_refused(lambda e=beyond, n=n, d=delta: shuffling.shuffled_epsilon(e, n, d), words)
