"""How fast the core is, beside pure-ldp: `python tests/benchmarks/bench_core.py`."""

import math
import subprocess
import sys
import time

import numpy as np
from timing import install_peers, median_ms, show

import frapp_lab as fl
from frapp_lab.mining import reconstruction as rec


def beside_pure_ldp():
    install_peers("pure-ldp", "scikit-learn", "statsmodels")  # it does not name all its needs
    from pure_ldp.frequency_oracles.direct_encoding import DEClient

    census = fl.load_census()
    schema, records = census.schema, np.array(census.records)
    m = fl.GammaDiagonal(schema, 19)
    client = DEClient(math.log(19), schema.n_cells, index_mapper=lambda cell: cell)

    def peer():
        return schema.decode(
            np.array([client.privatise(c) for c in schema.encode(records).tolist()])
        )

    ours = median_ms(lambda: m.perturb(records, rng=1), 20)
    theirs = median_ms(peer, 5)
    show("CENSUS, six columns in and out: frapp_lab", ours, "ms", "")
    show("CENSUS, six columns in and out: pure-ldp DEClient", theirs, "ms", "")
    show("ratio", theirs / ours, "times", ">= 20")


def a_million_records_of_31_booleans():
    code = """
import time, resource, numpy as np, frapp_lab as fl
schema = fl.Schema.of_sizes(*[2] * 31)
records = np.random.default_rng(0).integers(0, 2, (10**6, 31), dtype=np.uint8)
start = time.perf_counter()
fl.GammaDiagonal(schema, 19).perturb(records, rng=1)
print(time.perf_counter() - start, resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024)
"""
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    seconds, megabytes = map(float, run.stdout.split())
    show("10^6 records of 31 boolean attributes", seconds, "s", "< 2")
    show("its process, everything included, at most", megabytes, "MB", "< 500")


def counts_do_not_feel_n():
    census = fl.load_census()
    m = fl.GammaDiagonal(census.schema, 19)
    share = census.counts / len(census)
    times = {}
    for n in (10**4, 10**9):
        counts = np.round(share * n).astype(np.int64)
        times[n] = median_ms(lambda counts=counts: m.perturb_counts(counts, 1), 200)
        show(f"perturbing joint counts, N = {n:,}", times[n], "ms", "")
    show("ratio", times[10**9] / times[10**4], "times", "<= 1.5")


def em_is_fast():
    census = fl.load_census()
    m = fl.GammaDiagonal(census.schema, 19)
    reported = m.perturb_counts(census.counts, 1)
    start = time.perf_counter()
    rec.em(m, reported, 10_000)
    show("10,000 EM iterations on CENSUS", time.perf_counter() - start, "s", "< 1")


def import_is_fast():
    code = "import time; t = time.perf_counter(); import frapp_lab; print(time.perf_counter() - t)"
    times = [
        float(subprocess.run([sys.executable, "-c", code], capture_output=True, check=True).stdout)
        for _ in range(5)
    ]
    show("import frapp_lab", sorted(times)[2], "s", "< 0.5")


if __name__ == "__main__":
    beside_pure_ldp()
    a_million_records_of_31_booleans()
    counts_do_not_feel_n()
    em_is_fast()
    import_is_fast()
