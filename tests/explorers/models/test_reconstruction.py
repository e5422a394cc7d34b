"""The model of reconstruction, against equations that are solved here."""

import math
from dataclasses import replace

import numpy as np
import pytest

import frapp_lab as fl
from explorers.models.formulas import gamma_diagonal
from frapp_lab.explorers.models import reconstruction


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
    taken, *others = result.off.values()
    assert others == [*result.stages, *list(result.errors.values())[1:]]
    assert taken == pytest.approx(math.dist(y.tolist(), x.tolist()) / math.hypot(*x.tolist()))
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


def test_what_is_set_by_hand_holds_and_the_others_keep_their_proportions():
    set_to = reconstruction.with_hands
    thirds = np.array([0.5, 0.25, 0.25, 0.0])
    assert set_to(thirds, []).tolist() == set_to(thirds, [-0.5] * 20).tolist() == thirds.tolist()
    assert set_to(thirds, [0, -1]).tolist() == [0, 0.5, 0.5, 0]
    assert set_to(thirds, [-1, -1, 10]) == pytest.approx([0.6, 0.3, 0.1, 0])
    assert set_to(thirds, [60, 60]).tolist() == [0.5, 0.5, 0, 0]  # too much
    assert set_to(thirds, [10, 10, 10, 10]).tolist() == [0.25] * 4  # too little, and no others
    assert set_to(thirds, [0, 0, 0, 0]).tolist() == thirds.tolist()  # nobody is no data
    only = np.array([0.0, 1.0, 0.0])
    assert set_to(only, [-1, 40]) == pytest.approx([0.3, 0.4, 0.3])  # nobody else was there
    for seed in range(50):
        rng = np.random.default_rng(seed)
        shares, hands = rng.dirichlet(np.ones(6)), rng.uniform(-60, 60, 8)
        made = set_to(shares, hands)
        assert made.sum() == pytest.approx(1)
        assert made.min() >= 0
        fixed = hands[:6] >= 0
        if hands[:6][fixed].sum() < 100 and not fixed.all():
            assert made[fixed] == pytest.approx(hands[:6][fixed] / 100)
            assert np.ptp(made[~fixed] / shares[~fixed]) == pytest.approx(0, abs=1e-9)


def test_reports_of_a_seed_are_those_of_the_mechanism():
    p = reconstruction.Parameters(n=5, people=400, shape="uniform", seed=3)
    records = np.repeat(np.arange(5), 80)[:, None]
    reports = fl.GammaDiagonal(fl.Schema.of_sizes(5), 19).perturb(records, rng=3)
    assert reconstruction.compute(p).reported.tolist() == np.bincount(reports[:, 0]).tolist()
    assert reconstruction.compute(replace(p, seed=4)).reported.tolist() != (
        reconstruction.compute(p).reported.tolist()
    )
