"""The noise of fitted supports, worked out quickly, is that of the slow way and of real draws."""

import numpy as np
import pytest

import frapp_lab as fl
from frapp_lab.modern.fit_noise import Response
from frapp_lab.modern.poisoning import poison_lift

CENSUS = fl.load_census()
SHARES = np.random.default_rng(0).dirichlet(np.full(24, 2.0)).reshape(2, 3, 2, 2)
TABLE = fl.Dataset.from_counts(fl.Schema.of_sizes(2, 3, 2, 2), (1e5 * SHARES).astype(int))


@pytest.mark.parametrize("gamma", [1.5, 19, 500])
@pytest.mark.parametrize("label", ["SMP", "PAIR", "TRIPLE"])
def test_it_is_the_deviation_of_the_slow_way(label, gamma):
    supports, wanted = TABLE.supports, TABLE.supports.array > 0.01
    other = fl.make_scheme(label, TABLE.schema, 7)  # what is kept has nothing to do with γ
    m = fl.make_scheme(label, TABLE.schema, gamma)
    response = Response(other, supports, wanted)
    slow = m.standard_deviation(supports, 1).array[wanted]
    assert response.deviation(m) == pytest.approx(slow, rel=1e-4, abs=1e-5)
    assert response.bias == pytest.approx((m.limit(supports).array - supports.array)[wanted])


def test_it_holds_for_census_and_chosen_itemsets():
    wanted = CENSUS.supports.array >= 0.3
    m = fl.make_scheme("PAIR", CENSUS.schema, 19)
    slow = m.standard_deviation(CENSUS.supports, 1).array[wanted]
    found = Response(m, CENSUS.supports, wanted).deviation(m)
    assert found == pytest.approx(slow, rel=1e-4, abs=1e-5)
    assert len(found) < 100


@pytest.mark.parametrize("label", ["SMP", "PAIR", "TRIPLE"])
def test_draws_have_this_deviation(label):
    m = fl.make_scheme(label, TABLE.schema, 19)
    wanted = TABLE.supports.array > 0.05
    wanted[(-1,) * 4] = False
    rng, n = np.random.default_rng(1), len(TABLE)
    drawn = [
        m.estimate_counts(m.perturb_counts(TABLE.counts, rng)).array[wanted] for _ in range(300)
    ]
    told = Response(m, TABLE.supports, wanted).deviation(m) / np.sqrt(n)
    assert np.std(drawn, axis=0) == pytest.approx(told, rel=0.2)  # 300 draws: 4 % each, of many
    assert (np.std(drawn, axis=0) / told).mean() == pytest.approx(1, abs=0.05)


@pytest.mark.parametrize("label", ["SMP", "PAIR", "TRIPLE"])
def test_the_gain_is_what_a_few_liars_achieve(label):
    m = fl.make_scheme(label, TABLE.schema, 19)
    wanted = np.zeros(TABLE.supports.array.shape, dtype=bool)
    places = [(0, 1, 1, 0), (1, -1, -1, -1), (0, 2, -1, -1), (1, -1, 0, 1)]
    for place in places:
        wanted[place] = True
    response = Response(m, TABLE.supports, wanted)
    sizes = np.array(TABLE.schema.sizes)
    for which, codes in enumerate(np.argwhere(wanted)):
        itemset = {f"a{j + 1}": str(c) for j, c in enumerate(codes) if c < sizes[j]}
        # The small floor under all estimates cancels in a difference.
        few, more = (poison_lift(TABLE, m, itemset, share=share) for share in (1e-6, 3e-6))
        assert response.gain(m, which) == pytest.approx((more - few) / 2e-6, rel=5e-3), itemset
