"""The model of column by column, against an enumeration of all reports."""

import itertools

import numpy as np
import pytest

import frapp_lab as fl
from frapp_lab.explorers.models import column_by_column


@pytest.mark.parametrize("seed", range(8))
@pytest.mark.parametrize("gamma", [3.0, 900.0])
def test_columns_by_enumeration_of_all_reports(seed, gamma):
    sizes, own = (4, 5, 5, 5, 2, 2), (1, 0, 2, 3, 1, 0)
    result = column_by_column.compute(
        column_by_column.Parameters(record=own, gamma=gamma, seed=seed, columns=6)
    )
    cells = list(itertools.product(*map(range, sizes)))
    x = 1 / (gamma + 2000 - 1)
    law = np.array([gamma * x if cell == own else x for cell in cells]).reshape(sizes)

    def chances(prefix):
        ways = law[prefix].reshape(sizes[len(prefix)], -1).sum(axis=1)
        return ways / ways.sum()

    uniforms, report = np.random.default_rng(seed).random(6), ()
    for j, step in enumerate(result.steps):
        assert step.matching == pytest.approx(chances(own[:j]))
        assert step.keep == pytest.approx(chances(own[:j])[own[j]])
        assert step.uniform == pytest.approx([1 / sizes[j]] * sizes[j])
        assert step.before == (report == own[:j])
        start = sum(chances(own[:j])[: own[j]])
        assert step.aim(before=True) == pytest.approx((start, start + step.keep))
        assert step.aim(before=False) == pytest.approx((own[j] / sizes[j], (own[j] + 1) / sizes[j]))
        assert step.u == uniforms[j]
        value = 0
        while uniforms[j] >= sum(chances(report)[: value + 1]):
            value += 1
        assert step.reported == value
        assert step.matched == (value == own[j])
        assert (step.own, step.name) == (own[j], fl.load_census().schema.names[j])
        assert step.categories == fl.load_census().schema.attributes[j].categories
        report = (*report, value)
    assert result.unchanged == pytest.approx(gamma * x)
    assert result.by_columns == sum(value + 1 for value in report)
    assert result.by_scan == cells.index(report) + 1
    looks = {cell: sum(cell) + 6 for cell in cells}  # counted as `by_columns` counts them
    mean = sum(law[cell] * looks[cell] for cell in cells)
    scan = sum(law[cell] * i for i, cell in enumerate(cells, 1))
    assert result.n_cells == 2000
    assert (result.mean_columns, result.mean_scan) == pytest.approx((mean, scan))
    assert result.is_whole
    for k in range(7):  # the draw is the same, however much of it is told
        p = column_by_column.Parameters(record=own, gamma=gamma, seed=seed, columns=k)
        part = column_by_column.compute(p)
        assert [step.reported for step in part.steps] == list(report)
        assert [step.is_drawn for step in part.steps] == [True] * k + [False] * (6 - k)
        assert (part.drawn, part.is_whole) == (part.steps[:k], k == 6)
        wrong = [j for j in range(k) if report[j] != own[j]]
        assert part.first_change == (wrong[0] if wrong else 6)
        first_k = law[own[:k]].sum() if k else 1
        assert part.unchanged_so_far == pytest.approx(first_k)
        assert part.unchanged == pytest.approx(gamma * x)
        assert part.by_columns == sum(value + 1 for value in report[:k])
        assert part.n_changed == sum(report[j] != own[j] for j in range(k))
