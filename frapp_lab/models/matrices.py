"""The matrices of the schemes, and how hard each is to undo (FRAPP §3 and §6)."""

from __future__ import annotations

import math
from dataclasses import dataclass, field

import numpy as np

from frapp_lab.mechanisms.base import Mechanism, make_scheme, schemes
from frapp_lab.optimality import condition_lower_bound
from frapp_lab.schema import Schema


@dataclass(frozen=True)
class Parameters:
    """γ, the sizes of the attributes, the length of itemsets, C&P's K, and the schemes."""

    gamma: float = 19.0
    sizes: tuple[int, ...] = (3, 2, 2)
    length: int = 2
    K: int = 3
    schemes: tuple[str | Mechanism, ...] = field(default_factory=schemes)


@dataclass(frozen=True)
class SchemeResult:
    """A scheme's condition numbers by length, its matrix, and in its own words what is not."""

    numbers: tuple[float, ...] = ()
    matrix: np.ndarray | None = None
    labels: tuple[str, ...] = ()
    why_not: str = ""
    """Why itemsets of the chosen length cannot be reconstructed."""
    problem: str = ""
    """Why the scheme cannot be had at all."""


@dataclass(frozen=True)
class Result:
    """Every scheme by its label; `shown` has each with a matrix of its own, and who shares it."""

    parameters: Parameters
    n_cells: int
    lower_bound: float
    schemes: dict[str, SchemeResult]
    matrices: dict[str, np.ndarray]
    """The matrices of those that can be had."""
    shown: dict[str, tuple[str, ...]]
    heights: tuple[float, float]
    """The lowest and the highest place in a panel of condition numbers."""


def compute(parameters: Parameters) -> Result:
    """Every scheme's matrix and condition numbers."""
    p = parameters
    schema = Schema.of_sizes(*p.sizes)
    made = dict(_scheme(scheme, schema, p) for scheme in p.schemes)
    matrices = {label: f.matrix for label, f in made.items() if f.matrix is not None}
    numbers = [c for found in made.values() for c in found.numbers if math.isfinite(c)] or [1.0]
    low, high = math.log10(min(numbers) / 1.1), math.log10(2.5 * max(numbers))
    return Result(
        parameters=p, n_cells=schema.n_cells,
        lower_bound=condition_lower_bound(p.gamma, schema.n_cells), schemes=made,
        matrices=matrices, shown=_different(matrices),
        heights=(10.0 ** math.floor(low), 10.0 ** math.ceil(high)),
    )  # fmt: skip


def _scheme(scheme: str | Mechanism, schema: Schema, p: Parameters) -> tuple[str, SchemeResult]:
    label = scheme if isinstance(scheme, str) else scheme.label
    try:
        mechanism = make_scheme(scheme, schema, p.gamma, K=p.K)
    except ValueError as error:
        return label, SchemeResult(problem=str(error))
    lengths = range(1, mechanism.max_length + 1)
    return label, SchemeResult(
        numbers=tuple(mechanism.condition_number(k) for k in lengths),
        matrix=mechanism.itemset_matrix(p.length), labels=mechanism.itemset_labels(p.length),
        why_not=mechanism.why_not(p.length),
    )  # fmt: skip


def _different(matrices: dict[str, np.ndarray]) -> dict[str, tuple[str, ...]]:
    shown: dict[str, tuple[str, ...]] = {}
    for label, matrix in matrices.items():
        for first, others in shown.items():
            known = matrices[first]
            if known.shape == matrix.shape and np.allclose(known, matrix, 1e-9, 0):
                shown[first] = (*others, label)
                break
        else:
            shown[label] = ()
    return shown
