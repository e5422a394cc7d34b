"""The paper's two ways to draw a γ-diagonal report (FRAPP §5), kept for the course and for tests.

Both have the law of `GammaDiagonal.perturb`, which needs neither. They count their steps,
one for each value that is looked at, the right one too.
"""

from __future__ import annotations

import numpy as np

from frapp_lab.mechanisms.gamma_diagonal import GammaDiagonal
from frapp_lab.schema import MAX_CELLS


def match_probability(mechanism: GammaDiagonal, column: int) -> float:
    """P(column j keeps its value | all columns before it did): the first case in FRAPP §5.

    After any mismatch the rest of the record is uniform, so the paper's "o.w." is 1/|S_U^j| there.

    >>> from frapp_lab.schema import Schema
    >>> round(match_probability(GammaDiagonal(Schema.of_sizes(2, 2), 3), 0), 4)
    0.6667
    """
    sizes, x = mechanism.schema.sizes, mechanism.x

    def all_match(first: int) -> float:
        """P(the first columns all keep their values) = (γ + n_M/n_j − 1)x."""
        after = np.prod([float(s) for s in sizes[first:]])
        return (mechanism.gamma - 1 + after) * x

    return float(all_match(column + 1) / all_match(column))


def perturb_by_columns(
    mechanism: GammaDiagonal, records: np.ndarray, rng: int | np.random.Generator
) -> tuple[np.ndarray, np.ndarray]:
    """Column by column, each depending on whether all before it matched (FRAPP §5).

    Returns the reports and the number of steps for each record, Σ|S_U^j|/2 or so on average.

    >>> from frapp_lab.schema import Schema
    >>> m = GammaDiagonal(Schema.of_sizes(2, 3), 19)
    >>> reports, steps = perturb_by_columns(m, [[0, 2], [1, 1]], rng=0)
    >>> reports.shape, steps.shape
    ((2, 2), (2,))
    """
    records = mechanism.schema.check(records)
    rng = np.random.default_rng(rng)
    reports = np.empty_like(records)
    matched = np.ones(len(records), dtype=bool)
    for j, size in enumerate(mechanism.schema.sizes):
        keep = match_probability(mechanism, j)
        chances = np.full((len(records), size), 1 / size)
        chances[matched] = (1 - keep) / (size - 1)
        chances[np.flatnonzero(matched), records[matched, j]] = keep
        reports[:, j] = _scan(chances.cumsum(axis=1), rng.random(len(records)))
        matched &= reports[:, j] == records[:, j]
    return reports, reports.astype(np.int64).sum(axis=1) + mechanism.schema.n_attributes


def perturb_by_scan(
    mechanism: GammaDiagonal, records: np.ndarray, rng: int | np.random.Generator
) -> tuple[np.ndarray, np.ndarray]:
    """Scan the cumulative distribution over the whole domain (FRAPP §5, the straightforward way).

    Returns the reports and the number of steps for each record, n/2 or so on average.

    >>> from frapp_lab.schema import Schema
    >>> m = GammaDiagonal(Schema.of_sizes(2, 3), 19)
    >>> perturb_by_scan(m, [[0, 2], [1, 1]], rng=0)[0].shape
    (2, 2)
    """
    schema = mechanism.schema
    cells = schema.encode(records)
    if len(cells) * schema.n_cells > MAX_CELLS:
        whom = "1 record" if len(cells) == 1 else f"each of {len(cells):,} records"
        raise ValueError(
            f"a scan of {schema.n_cells:,} cells for {whom} needs more than the limit of "
            f"{MAX_CELLS:,} steps: this is why the paper has a better algorithm"
        )
    chances = np.full((len(cells), schema.n_cells), mechanism.x)
    chances[np.arange(len(cells)), cells] *= mechanism.gamma
    reports = _scan(chances.cumsum(axis=1), np.random.default_rng(rng).random(len(cells)))
    return schema.decode(reports), reports + 1


def _scan(cumulative: np.ndarray, uniforms: np.ndarray) -> np.ndarray:
    """The first position in each row whose cumulative probability exceeds the uniform."""
    # The last sum is 1 up to rounding; the last value must be found even so.
    return (uniforms[:, None] >= cumulative[:, :-1]).sum(axis=1)
