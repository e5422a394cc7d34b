"""The paper's two ways to draw a report (FRAPP §5), with the number of values looked at for each.

Both have the law of `perturb`, which needs neither; kept for the course and the tests.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike

from frapp_lab._base.random_streams import Seed, generator
from frapp_lab.data.schema import MAX_CELLS
from frapp_lab.mechanisms.counting import CountingMechanism, check_counting


def perturb_by_columns(
    mechanism: CountingMechanism, records: ArrayLike, rng: Seed
) -> tuple[np.ndarray, np.ndarray]:
    """Sample reports column by column, each given all before it, and count the steps (FRAPP §5).

    >>> from frapp_lab import GammaDiagonal, Schema
    >>> m = GammaDiagonal(Schema.of_sizes(2, 3), 19)
    >>> reports, steps = perturb_by_columns(m, [[0, 2], [1, 1]], rng=0)
    >>> reports.shape, steps.shape
    ((2, 2), (2,))
    """
    records = check_counting(mechanism).schema.check(records)
    rng = generator(rng)
    reports = np.empty((len(records), mechanism.reports.n_attributes), mechanism.reports.dtype)
    for j in range(reports.shape[1]):
        chances = mechanism.column_chances(records, reports[:, :j])
        reports[:, j] = _scan(chances.cumsum(axis=1), rng.random(len(records)))
    return reports, reports.astype(np.int64).sum(axis=1) + reports.shape[1]


def perturb_by_scan(
    mechanism: CountingMechanism, records: ArrayLike, rng: Seed
) -> tuple[np.ndarray, np.ndarray]:
    """Sample reports by a scan of the cumulative distribution, and count the steps (FRAPP §5).

    >>> from frapp_lab import GammaDiagonal, Schema
    >>> m = GammaDiagonal(Schema.of_sizes(2, 3), 19)
    >>> perturb_by_scan(m, [[0, 2], [1, 1]], rng=0)[0].shape
    (2, 2)
    """
    schema = check_counting(mechanism).schema
    cells = schema.encode(records)
    if len(cells) * mechanism.reports.n_cells > MAX_CELLS:
        whom = "1 record" if len(cells) == 1 else f"each of {len(cells):,} records"
        raise ValueError(
            f"a scan of {mechanism.reports.n_cells:,} cells for {whom} needs more than the limit "
            f"of {MAX_CELLS:,} steps: this is why the paper has a better algorithm"
        )
    present, which = np.unique(cells, return_inverse=True)
    laws = []
    for cell in present:
        one = np.zeros(schema.sizes)
        one.flat[cell] = 1
        laws.append(mechanism.apply(one).ravel())
    cumulative = np.cumsum(laws, axis=1)[which]
    reports = _scan(cumulative, generator(rng).random(len(cells)))
    return mechanism.reports.decode(reports), reports + 1


def _scan(cumulative: np.ndarray, uniforms: np.ndarray) -> np.ndarray:
    """Sample each row: the first position whose cumulative probability exceeds the uniform."""
    # The last sum is 1 up to rounding; the last value must be found even so.
    return (uniforms[:, None] >= cumulative[:, :-1]).sum(axis=1)
