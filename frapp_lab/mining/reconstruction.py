"""The error of reconstructed counts, its variance and bound, and ways to mend it (FRAPP §2)."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from frapp_lab._base.checks import check_array, check_flag, check_integer, check_matrix
from frapp_lab.mechanisms.counting import CountingMechanism, check_counting
from frapp_lab.privacy import check_alpha, off_diagonal

# --- the law of Y ---------------------------------------------------------------------------------


def expected_counts(matrix: ArrayLike, counts: ArrayLike) -> np.ndarray:
    """Compute E(Y) = AX, the reported counts from which X is reconstructed (FRAPP Eq. 6).

    >>> expected_counts([[0.75, 0.25], [0.25, 0.75]], [100, 20])
    array([80., 40.])
    """
    a, x = _matrix_and_counts(matrix, counts)
    return a @ x


def count_variance(matrix: ArrayLike, counts: ArrayLike, form: str = "direct") -> np.ndarray:
    """Compute Var(Y_v), the noise that reconstruction meets, in one of three equal forms.

    "spread" is in FRAPP §2.3, "squares" in §4.2.

    >>> [count_variance([[0.75, 0.25], [0.25, 0.75]], [100, 20], f) for f in VARIANCE_FORMS]
    [array([22.5, 22.5]), array([22.5, 22.5]), array([22.5, 22.5])]
    """
    a, x = _matrix_and_counts(matrix, counts)
    n, mean = x.sum(), a @ x
    if form == "direct":
        return (a * (1 - a)) @ x
    if form == "spread":
        return mean * (1 - mean / n) - (a - mean[:, None] / n) ** 2 @ x
    if form == "squares":
        return mean - a**2 @ x
    raise ValueError(f"form is {form!r}: choose from {', '.join(VARIANCE_FORMS)}")


VARIANCE_FORMS = ("direct", "spread", "squares")
"""The names of the equal forms of Var(Y_v)."""


@dataclass(frozen=True)
class ErrorBound:
    """Hold Theorem 1 beside the truth: relative errors in the Euclidean norm."""

    condition_number: float
    report_error: float
    """The relative error of the reports, ‖Y − E(Y)‖ / ‖E(Y)‖."""
    actual: float
    """The relative error of the estimate, ‖X̂ − X‖ / ‖X‖."""

    @property
    def bound(self) -> float:
        """Bound the error of reconstruction (Theorem 1): condition number times report error."""
        return self.condition_number * self.report_error


def error_bound(matrix: ArrayLike, counts: ArrayLike, reported: ArrayLike) -> ErrorBound:
    """Apply Theorem 1 (FRAPP §2.3) to one outcome Y, next to the real error of reconstruction.

    >>> e = error_bound([[0.75, 0.25], [0.25, 0.75]], [100, 20], [84, 36])
    >>> round(e.actual, 4), round(e.bound, 4)
    (0.1109, 0.1265)
    """
    a, x = _matrix_and_counts(matrix, counts)
    y = _counts(reported, "reported")
    if y.shape != a.shape[:1]:
        raise ValueError(
            f"reported has shape {y.shape}: it needs one count for each of the {len(a)} rows"
        )
    expected = a @ x
    stretch = np.linalg.svd(a, compute_uv=False)  # the condition number is largest to smallest
    if len(a) < len(x) or stretch[-1] <= stretch[0] * max(a.shape) * np.finfo(float).eps:
        raise ValueError(
            f"matrix is singular: its {len(x)} columns must be linearly independent, because "
            "otherwise different counts lead to the same expected reports and no estimate is right"
        )
    estimate = np.linalg.lstsq(a, y)[0]  # X̂ = A⁻¹Y where A is square
    norm = np.linalg.norm
    errors = norm(y - expected) / norm(expected), norm(estimate - x) / norm(x)
    return ErrorBound(float(stretch[0] / stretch[-1]), *map(float, errors))


def _matrix_and_counts(matrix: ArrayLike, counts: ArrayLike) -> tuple[np.ndarray, np.ndarray]:
    a, x = check_matrix(matrix), _counts(counts)
    if x.shape != a.shape[1:]:
        raise ValueError(
            f"counts have shape {x.shape}: they need one entry for each of the matrix's "
            f"{a.shape[1]} columns; flatten joint counts with .ravel()"
        )
    return a, x


def _counts(counts: ArrayLike, name: str = "counts") -> np.ndarray:
    x = check_array(name, counts).astype(float)
    bad = ~((x >= 0) & np.isfinite(x))
    if bad.any() or not x.any():
        raise ValueError(
            f"{name} {f'hold {x[bad][0]:g}' if bad.any() else 'are all zero'}: they must be 0 or "
            "more, finite, and not all zero, because they are numbers of records"
        )
    return x


# --- RAN-GD's two terms ---------------------------------------------------------------------------


@dataclass(frozen=True)
class VarianceSplit:
    """Hold Var(Y_v) of RAN-GD as E Var(Y_v | r) + Var E(Y_v | r), for every v (FRAPP §4.2)."""

    within: np.ndarray
    """The expected variance given r, E Var(Y_v | r), smaller than DET-GD's variance."""
    between: np.ndarray
    """The variance that r itself adds, Var E(Y_v | r)."""
    deterministic: np.ndarray
    """The variance Var(Y_v) of DET-GD."""

    @property
    def total(self) -> np.ndarray:
        """Add both terms of RAN-GD's Var(Y_v) before reconstruction: DET-GD's if no r is shared."""
        return self.within + self.between


def variance_split(
    counts: ArrayLike, gamma: float, alpha: float, shared: bool = False
) -> VarianceSplit:
    """Split RAN-GD's Var(Y_v), which reconstruction meets, in two; §4.2 says they almost cancel.

    They cancel exactly, unless one r is `shared` by all clients: then the second is far larger.

    >>> split = variance_split(np.array([60, 30, 10]), gamma=19, alpha=0.09)
    >>> bool(np.allclose(split.total, split.deterministic))
    True
    """
    x_u = _counts(counts).ravel()
    check_flag("shared", shared)
    n = len(x_u)
    alpha = check_alpha(alpha, gamma, n)
    x = off_diagonal(gamma, n)
    others = x_u.sum() - x_u
    d = gamma * x
    deterministic = x_u * d * (1 - d) + others * x * (1 - x)
    # A client in cell v reports v with probability γx + r, any other one with x − r/(n − 1).
    var_r = alpha**2 / 3
    each = var_r * (x_u + others / (n - 1) ** 2)
    together = var_r * (x_u - others / (n - 1)) ** 2
    return VarianceSplit(deterministic - each, together if shared else each, deterministic)


# --- post-processing ------------------------------------------------------------------------------


def clip_and_renormalise(estimate: ArrayLike) -> np.ndarray:
    """Mend reconstructed counts: set negative ones to zero and scale the rest to the old total.

    >>> clip_and_renormalise([-10.0, 40.0, 70.0])
    array([ 0.        , 36.36363636, 63.63636364])
    """
    estimate = _estimate(estimate)
    clipped = np.maximum(estimate, 0)
    return clipped * (estimate.sum() / clipped.sum())


def project_to_simplex(estimate: ArrayLike) -> np.ndarray:
    """Mend reconstructed counts: find the nearest (Euclidean), none negative, of the same total.

    >>> project_to_simplex([-10.0, 40.0, 70.0])
    array([ 0., 35., 65.])
    """
    estimate = _estimate(estimate)
    total = estimate.sum()
    falling = np.sort(estimate, axis=None)[::-1]
    # Take the same amount off every entry that stays positive, so that the total is kept.
    excess = (falling.cumsum() - total) / np.arange(1, estimate.size + 1)
    amount = excess[np.flatnonzero(falling > excess)[-1]]
    return np.maximum(estimate - amount, 0)


def em(mechanism: CountingMechanism, reported: ArrayLike, iterations: int = 1000) -> np.ndarray:
    """Reconstruct the joint counts by iterative Bayes (EM), X ← X ∘ Aᵀ(Y / AX): never negative.

    >>> from frapp_lab import GammaDiagonal, Schema
    >>> em(GammaDiagonal(Schema.of_sizes(3), 3), [50, 30, 20]).round(1)
    array([74.9, 25. ,  0.1])
    """
    y = check_counting(mechanism).reports.check_counts(reported, "reported").astype(float)
    check_integer("iterations", iterations, 1, np.inf, "EM starts from a uniform table")
    x = np.full(mechanism.schema.sizes, y.sum() / mechanism.schema.n_cells)
    for _ in range(iterations):
        x = x * mechanism.apply_transposed(y / mechanism.apply(x))
    return x


def _estimate(estimate: ArrayLike) -> np.ndarray:
    estimate = check_array("estimate", estimate).astype(float)
    if not np.isfinite(estimate).all() or not estimate.sum() > 0:
        raise ValueError(
            f"estimate sums to {estimate.sum():g}: it must hold finite numbers with a total above "
            "0, because the total stays as it is"
        )
    return estimate
