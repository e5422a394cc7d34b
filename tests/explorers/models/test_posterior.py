"""The model of posteriors, against Bayes' rule."""

import math

import pytest

from explorers.models.formulas import gamma_diagonal
from frapp_lab.explorers.models import posterior


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
