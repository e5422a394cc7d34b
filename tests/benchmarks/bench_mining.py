"""How fast mining is, beside mlxtend and pyfim: `python tests/benchmarks/bench_mining.py`."""

import time

import numpy as np
import pandas as pd
from timing import install_peers, median_ms, show

import frapp_lab as fl
from frapp_lab.mining.itemsets import frequent_arrays
from frapp_lab.scale import run_trials


def beside_mlxtend_and_pyfim():
    install_peers("mlxtend", "pyfim")
    import fim
    from mlxtend.frequent_patterns import apriori

    census = fl.load_census()
    one_hot = pd.get_dummies(census.to_frame(), prefix_sep="=").astype(bool)
    # A new data set each time, so that nothing is remembered from the run before.
    ours = median_ms(lambda: fl.frequent_itemsets(fl.Dataset(census.schema, census.records), 0.02))
    theirs = median_ms(lambda: apriori(one_hot, min_support=0.02, use_colnames=True), 10)
    show("CENSUS at 2 %: frequent_itemsets, from records to DataFrame", ours, "ms", "")
    show("CENSUS at 2 %: mlxtend apriori, from one-hot records", theirs, "ms", "")
    show("ratio", theirs / ours, "times", ">= 40")

    counts = census.counts
    cells = np.flatnonzero(counts)
    first = np.r_[0, np.cumsum(census.schema.sizes)[:-1]]
    items = census.schema.decode(cells) + first
    histogram = {
        tuple(row): int(n) for row, n in zip(items.tolist(), counts.ravel()[cells], strict=True)
    }

    def from_counts():
        # Both start from the histogram of the records; forget what was made of it before.
        census.__dict__.pop("cube", None)
        census.__dict__.pop("supports", None)
        return frequent_arrays(census, 0.02)

    found = fim.fpgrowth(histogram, target="s", supp=2, zmin=1, report="a")
    assert len(found) == len(from_counts().support) == 563
    ours = median_ms(from_counts)
    theirs = median_ms(lambda: fim.fpgrowth(histogram, target="s", supp=2, zmin=1, report="a"))
    show("CENSUS at 2 %: frequent_arrays, from joint counts", ours, "ms", "")
    show("CENSUS at 2 %: pyfim fpgrowth, from a histogram", theirs, "ms", "")
    show("ratio", theirs / ours, "times", ">= 1")


def whole_trials():
    limits = {"DET-GD": (2, 5), "MASK": (25, 120), "C&P": (25, 120)}
    for i, data in enumerate((fl.load_census(), fl.load_health())):
        for scheme in fl.schemes():
            taken = median_ms(lambda s=scheme, d=data: run_trials(d, [s], trials=50), 3) / 50
            limit = f"<= {limits[scheme][i]}" if scheme in limits else ""
            show(f"{data.name}: a whole {scheme} trial", taken, "ms", limit)


def a_hundred_trials():
    start = time.perf_counter()
    run_trials(fl.load_census(), fl.schemes(), trials=100)
    show("CENSUS: 100 trials of all schemes", time.perf_counter() - start, "s", "< 10")


if __name__ == "__main__":
    beside_mlxtend_and_pyfim()
    whole_trials()
    a_hundred_trials()
