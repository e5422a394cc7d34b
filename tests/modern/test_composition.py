"""Repeating: fresh reports multiply, memoised ones do not, and two stages are one matrix."""

import math
from fractions import Fraction

import numpy as np
import pytest
from helpers import assert_refused

import frapp_lab as fl
from frapp_lab.modern import composition


def test_fresh_reports_multiply_and_memoised_ones_do_not():
    a = fl.GammaDiagonal(fl.Schema.of_sizes(3), 5).matrix()
    for k in (1, 2, 3, 4):
        fresh = composition.repeated_matrix(a, k)
        assert fl.amplification(fresh) == pytest.approx(composition.repeated_gamma(5, k))
        assert fresh.sum(axis=0) == pytest.approx(np.ones(3))
        same = composition.memoised_matrix(a, np.eye(3), k)
        assert fl.amplification(same) == pytest.approx(5)
        assert fl.amplification(composition.memoised_matrix(a, a, k)) < 5
    assert composition.gamma_per_report(composition.repeated_gamma(5, 3), 3) == pytest.approx(5)


def test_two_stages_are_a_product_of_matrices():
    first, second = (fl.GammaDiagonal(fl.Schema.of_sizes(4), g).matrix() for g in (5, 9))
    assert composition.two_stage_gamma(5, 9, 4) == pytest.approx(fl.amplification(second @ first))
    one = composition.memoised_matrix(first, second, 1)
    assert one == pytest.approx(second @ first)


def test_repeats_that_cannot_be_are_refused():
    assert_refused(lambda: composition.repeated_matrix(np.eye(10), 8), ["n_reports is 8"])
    assert_refused(lambda: composition.repeated_gamma(5, 0), ["n_reports is 0"])
    assert_refused(lambda: composition.memoised_matrix(np.eye(2), np.eye(3), 1), ["3 columns"])


def test_repeats_beyond_what_a_float_holds_have_a_plain_answer():
    assert composition.repeated_gamma(19, 10**6) == math.inf
    assert composition.repeated_gamma(19, 10**400) == math.inf
    assert composition.repeated_gamma(19, 240) == pytest.approx(19.0**240)
    for gamma, n in ((1e17, 2), (1e12, 7), (1e308, 2), (1 + 1e-12, 10**300)):
        g = Fraction(gamma) - 1
        wanted = 1 + g * g / (g + g + n)  # both stages alike
        assert composition.two_stage_gamma(gamma, gamma, n) == pytest.approx(float(wanted))
