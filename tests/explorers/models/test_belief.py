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
    # A hundred clients stand for those many: one in each hundredth of the range, in order.
    spread = alpha * (2 * np.arange(100) + 1 - 100) / 100
    assert result.r == pytest.approx(spread / (gamma * x))
    own = result.r * gamma * x
    assert result.rho == pytest.approx(rho(own))
    report = prior * (gamma * x + own) + (1 - prior) * (x - own / (n - 1))
    assert result.likely == pytest.approx(100 * report / report.sum())
    assert (result.rho > result.middle).sum() == 50
    assert np.average(result.rho, weights=result.likely) == pytest.approx(result.believed)
    above = result.likely[result.rho > result.middle].sum() / 100
    assert above == pytest.approx(result.above, abs=1e-9)
    ratios = [
        max(a, b) / min(a, b) if min(a, b) > 1e-12 * x else math.inf
        for s in (-1, 1)
        for a, b in [(gamma * x + s * alpha, x - s * alpha / (n - 1))]
    ]
    assert result.leaked == pytest.approx(max(ratios))


def test_beliefs_clients_keep_their_places_while_alpha_moves():
    narrow, wide = (belief.compute(belief.Parameters(alpha=alpha)) for alpha in (0.2, 0.8))
    assert wide.r == pytest.approx(4 * narrow.r)


@pytest.mark.parametrize("alpha", [0.0, 1e-12])
def test_without_alpha_all_clients_are_one(alpha):
    result = belief.compute(belief.Parameters(alpha=alpha))
    assert result.alpha.value == 0
    assert result.range == pytest.approx((0.5, 0.5))
    assert result.rho == pytest.approx(np.full(100, 0.5))
    assert result.likely == pytest.approx(np.ones(100))
    assert result.leaked == pytest.approx(19)
