"""From reports back to the data: X, Y and X̂, Theorem 1, and what mends the estimate (§2)."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from frapp_lab import reconstruction as rec
from frapp_lab.cube import Cube
from frapp_lab.mechanisms.gamma_diagonal import GammaDiagonal
from frapp_lab.models.cache import remember
from frapp_lab.schema import Schema

MOST_PEOPLE = 100_000
SHAPES = ("uniform", "one peak", "two peaks", "falling", "one value only")
REPAIRS = ("none", "clip and renormalise", "projection", "EM")
EM_STEPS = 500


@dataclass(frozen=True)
class Parameters:
    """n values, γ, how many people, how they are spread, what mends the estimate, the seed."""

    n: int = 20
    gamma: float = 19.0
    people: int = 2000
    shape: str = "one peak"
    repair: str = "none"
    seed: int = 7


@dataclass(frozen=True)
class Result:
    """X, Y, and by repair the estimates and their errors."""

    parameters: Parameters
    stay: float
    counts: np.ndarray
    reported: np.ndarray
    estimates: dict[str, np.ndarray]
    errors: dict[str, float]
    deviation: np.ndarray
    """The exact standard deviation of each entry of X̂, in people."""
    condition_number: float
    stages: tuple[float, float, float]
    """Theorem 1: the relative error of Y, that of X̂, and the bound of the latter."""
    em_moved: float
    """How far EM went from the uniform table that it starts from, as a share of ‖X‖."""


def compute(parameters: Parameters) -> Result:
    """Perturb once, estimate, and mend the estimate in all ways."""
    p = parameters
    mechanism = GammaDiagonal(Schema.of_sizes(p.n), p.gamma)
    x = _counts(p.shape, p.n, p.people)
    records = np.repeat(np.arange(p.n), x)[:, None]
    reports = mechanism.perturb(records, uniforms=_uniforms(p.seed)[: p.people])
    y = mechanism.schema.counts(reports)
    # Rounded, so that an estimate of zero is not called negative.
    raw = (p.people * mechanism.estimate_counts(y)["a1"]).round(6) + 0.0
    mended = (raw, rec.clip_and_renormalise(raw), rec.project_to_simplex(raw))
    estimates = dict(zip(REPAIRS, (*mended, rec.em(mechanism, y, EM_STEPS)), strict=True))
    errors = {name: _relative(estimate - x, x) for name, estimate in estimates.items()}
    shares = Cube.of_counts(mechanism.schema, x / p.people)
    theorem = rec.error_bound(mechanism.matrix(), x, y)
    return Result(
        parameters=p, stay=mechanism.stay, counts=x, reported=y, estimates=estimates,
        errors=errors, deviation=p.people * mechanism.standard_deviation(shares, p.people)["a1"],
        condition_number=theorem.condition_number,
        stages=(theorem.report_error, errors["none"], theorem.bound),
        em_moved=_relative(estimates["EM"] - p.people / p.n, x),
    )  # fmt: skip


def _counts(shape: str, n: int, people: int) -> np.ndarray:
    """So many people over n values in a given shape, by largest remainders: no luck in it."""
    t = (np.arange(n) + 0.5) / n
    weights = {
        "uniform": np.ones(n),
        "one peak": _peak(t, 0.5, 0.18),
        "two peaks": _peak(t, 0.25, 0.11) + 0.6 * _peak(t, 0.75, 0.11),
        "falling": np.exp(-4 * t),
        "one value only": (np.arange(n) == n // 2).astype(float),
    }[shape]
    quotas = (people * weights / weights.sum()).round(9)
    counts = quotas.astype(np.int64)
    counts[np.argsort(counts - quotas, kind="stable")[: people - counts.sum()]] += 1
    return counts


def _peak(t: np.ndarray, middle: float, width: float) -> np.ndarray:
    return np.exp(-(((t - middle) / width) ** 2))


@remember(max_bytes=8e6)
def _uniforms(seed: int) -> np.ndarray:
    """The random numbers of as many people as there can be: every setting takes the first ones."""
    return GammaDiagonal(Schema.of_sizes(2), 2).uniforms(MOST_PEOPLE, seed)


def _relative(difference: np.ndarray, x: np.ndarray) -> float:
    return float(np.linalg.norm(difference) / np.linalg.norm(x))
