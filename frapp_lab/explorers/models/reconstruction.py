"""From reports back to the data: X, Y and X̂, Theorem 1, and what mends the estimate (§2)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from frapp_lab._base.random_streams import stream
from frapp_lab.data.cube import Cube
from frapp_lab.data.schema import Schema
from frapp_lab.explorers.models.cache import remember
from frapp_lab.mechanisms.gamma_diagonal import GammaDiagonal
from frapp_lab.mining import reconstruction as rec

MOST_PEOPLE = 100_000
SHAPES = ("uniform", "one peak", "two peaks", "falling", "one value only")
ROOM = 2.5
"""How many times the mean a bar that is dragged has room for, at least."""

REPAIRS = ("none", "clip and renormalise", "projection", "EM")
EM_STEPS = 500
DRAWS = 100
NINE_OF_TEN = 1.645
"""Standard deviations to either side that hold 90 % of a normal law."""

BY_HAND, AS_IT_IS = 20, -0.5
"""How many values can be set by hand, and what stands for one that is as the shape has it."""


@dataclass(frozen=True)
class Parameters:
    """n values, γ, how many people, how they are spread, what mends the estimate, the seed.

    `by_hand` are the shares of the first values, in percent, where they are not as in the shape.
    """

    n: int = 20
    gamma: float = 19.0
    people: int = 2000
    shape: str = "one peak"
    repair: str = "none"
    seed: int = 7
    by_hand: tuple[float, ...] = (AS_IT_IS,) * BY_HAND


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
    low: np.ndarray
    high: np.ndarray
    """Between these lie nine of ten draws of X̂, which is X on average and nearly normal."""
    condition_number: float
    off: dict[str, float]
    """All relative errors by name: of Y taken as X, of Theorem 1 (of Y from E(Y)), by repair."""
    mends: bool
    """Whether the repair changes the estimate at all."""
    em_moved: float
    """How far EM went from the uniform table that it starts from, as a share of ‖X‖."""
    scale: float
    """The people at a peak, whatever is set by hand: axes follow it, and no bar that is dragged."""

    @property
    def set_by_hand(self) -> list[int]:
        """Name the values of reconstruction's data that were set by hand, from 1."""
        shares = self.parameters.by_hand[: self.parameters.n]
        return [value for value, share in enumerate(shares, 1) if share >= 0]

    @property
    def is_uniform(self) -> bool:
        """Tell whether all values of the reconstructed data are equally common."""
        return bool(np.ptp(self.counts) <= 1)

    @property
    def stages(self) -> tuple[float, ...]:
        """Give Theorem 1 for the card: how far Y is from E(Y), X̂ from X, and may be."""
        return tuple(self.off[name] for name in ("reports", "estimate", "bound"))


def compute(parameters: Parameters) -> Result:
    """Perturb once, reconstruct the data, and mend the estimate in all ways."""
    p, mechanism, x = parameters, *_survey(parameters)
    records = np.repeat(np.arange(p.n), x)[:, None]
    reports = mechanism.perturb(records, uniforms=_uniforms(p.seed)[: p.people])
    y = mechanism.schema.counts(reports)
    estimates, errors, off = _errors(mechanism, x, y)
    shares = Cube.of_counts(mechanism.schema, x / p.people)
    deviation = p.people * mechanism.standard_deviation(shares, p.people)["a1"]
    raw, change = estimates["none"], np.abs(estimates[p.repair] - estimates["none"]).max()
    return Result(
        parameters=p, stay=mechanism.stay, counts=x, reported=y, estimates=estimates,
        errors=errors, off=off, deviation=deviation, low=x - NINE_OF_TEN * deviation,
        high=x + NINE_OF_TEN * deviation, condition_number=mechanism.condition_number(1),
        mends=bool(raw.min() < 0 or change >= 0.005 * raw.max()),
        em_moved=_relative(estimates["EM"] - p.people / p.n, x),
        scale=p.people * max(float(_shape(p.shape, p.n).max()), min(1, ROOM / p.n)),
    )  # fmt: skip


def bands(parameters: Parameters) -> Iterator[dict[str, tuple[float, float]] | None]:
    """Reconstruct many times; the last thing given is where the middle 90 % of each error lie."""
    mechanism, x = _survey(parameters)
    rng, drawn = stream(parameters.seed, "reconstruction's bands"), []
    for _ in range(DRAWS):
        *_, off = _errors(mechanism, x, mechanism.perturb_counts(x, rng))
        drawn.append([*off.values()])
        yield None
    low, high = np.quantile(drawn, [0.05, 0.95], axis=0).tolist()
    yield dict(zip(off, zip(low, high, strict=True), strict=True))


def _survey(p: Parameters) -> tuple[GammaDiagonal, np.ndarray]:
    return GammaDiagonal(Schema.of_sizes(p.n), p.gamma), _counts(p)


def _errors(
    mechanism: GammaDiagonal, x: np.ndarray, y: np.ndarray
) -> tuple[dict[str, np.ndarray], dict[str, float], dict[str, float]]:
    """Reconstruct for the card: give estimates and errors by repair, and those of Theorem 1."""
    # Rounded, so that an estimate of zero is not called negative.
    raw = (x.sum() * mechanism.estimate_counts(y)["a1"]).round(6) + 0.0
    mended = (raw, rec.clip_and_renormalise(raw), rec.project_to_simplex(raw))
    estimates = dict(zip(REPAIRS, (*mended, rec.em(mechanism, y, EM_STEPS)), strict=True))
    errors = {name: _relative(estimate - x, x) for name, estimate in estimates.items()}
    theorem = rec.error_bound(mechanism.matrix(), x, y)
    stages = {"taken": _relative(y - x, x), "reports": theorem.report_error}
    stages |= {"estimate": errors["none"], "bound": theorem.bound}
    return estimates, errors, stages | {name: errors[name] for name in REPAIRS[1:]}


def _counts(p: Parameters) -> np.ndarray:
    """Make the data to be reconstructed: whole people over n values, with no luck in it."""
    quotas = (p.people * with_hands(_shape(p.shape, p.n), p.by_hand)).round(9)
    counts = quotas.astype(np.intp)
    counts[np.argsort(counts - quotas, kind="stable")[: p.people - counts.sum()]] += 1
    return counts


def _shape(shape: str, n: int) -> np.ndarray:
    t = (np.arange(n) + 0.5) / n
    weights = {
        "uniform": np.ones(n),
        "one peak": _peak(t, 0.5, 0.18),
        "two peaks": _peak(t, 0.25, 0.11) + 0.6 * _peak(t, 0.75, 0.11),
        "falling": np.exp(-4 * t),
        "one value only": (np.arange(n) == n // 2).astype(float),
    }[shape]
    return weights / weights.sum()


def with_hands(shares: np.ndarray, by_hand: Sequence[float]) -> np.ndarray:
    """Set shares of the data to be reconstructed by hand, in percent; the others make room.

    Negative ones are left to the others. If all are set, or too much, the set ones make it 100 %.

    >>> with_hands(np.array([0.5, 0.3, 0.2]), [20, -1, -1]).round(6).tolist()
    [0.2, 0.48, 0.32]
    """
    asked = np.full(len(shares), -1.0)
    asked[: len(by_hand)] = by_hand[: len(shares)]
    fixed, free = asked.clip(0) / 100, np.where(asked < 0, shares, 0)
    if free.sum() == 0:  # the shape has nobody there
        free = (asked < 0).astype(float)
    left = 1 - fixed.sum()
    if left > 0 and free.any():
        return fixed + left * free / free.sum()
    return fixed / fixed.sum() if fixed.any() else shares


def _peak(t: np.ndarray, middle: float, width: float) -> np.ndarray:
    return np.exp(-(((t - middle) / width) ** 2))


@remember(max_bytes=8e6)
def _uniforms(seed: int) -> np.ndarray:
    """Draw reconstruction's uniforms for as many people as can be: settings take the first ones."""
    return GammaDiagonal(Schema.of_sizes(2), 2).uniforms(MOST_PEOPLE, seed)


def _relative(difference: np.ndarray, x: np.ndarray) -> float:
    return float(np.linalg.norm(difference) / np.linalg.norm(x))
