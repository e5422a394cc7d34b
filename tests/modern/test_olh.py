"""OLH: hash functions that are independent, and how often each value is sent."""

import itertools

import numpy as np
import pytest
from scipy import stats

import frapp_lab as fl
from frapp_lab.modern.olh import hashed

SMALL = fl.Schema.of_sizes(2, 3)


def test_hash_functions_give_independent_values():
    seeds, g = np.random.default_rng(0).integers(0, 2**32, (200_000, 1)), 5
    values = hashed(seeds, np.array([0, 1, 7, 1999]), g).astype(int)
    for three in itertools.combinations(range(4), 3):
        code = values[:, three] @ [g * g, g, 1]
        assert stats.chisquare(np.bincount(code, minlength=g**3)).pvalue > 1e-4


def test_olh_sends_each_value_as_often_as_gamma_says():
    """All numbers between 0 and 1 draw the value of given hash functions: this is the law."""
    steps = (np.arange(6000) + 0.5) / 6000
    for gamma, seed in itertools.product((1.5, 3, 19, 100.5), (0, 1, 2**31, 2**32 - 1)):
        m = fl.make_scheme("OLH", SMALL, gamma)
        uniforms = np.stack([np.full(6000, (seed + 0.5) / 2**32), steps], axis=1)
        law = np.empty((m.g, 6))
        for cell, record in enumerate(SMALL.decode(np.arange(6))):
            reports = m.perturb(np.tile(record, (6000, 1)), uniforms=uniforms)
            assert (reports[:, 0] == seed).all()
            law[:, cell] = np.bincount(reports[:, 1], minlength=m.g) / 6000
        own = hashed(np.array([[seed]]), np.arange(6), m.g)
        weights = np.where(np.arange(m.g)[:, None] == own, gamma, 1)
        assert law == pytest.approx(weights / weights.sum(axis=0), abs=2 / 6000)
        assert fl.amplification(law) <= gamma * (1 + 3 * m.g / 1000)  # of 6,000 steps each
