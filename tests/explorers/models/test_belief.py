"""The model of belief, against numeric integration."""

import math

import numpy as np
import pytest

from frapp_lab.explorers.models import belief


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
