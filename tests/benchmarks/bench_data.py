"""How fast the data model is: `python tests/benchmarks/bench_data.py`."""

from timing import median_ms, show

import frapp_lab as fl
from frapp_lab.data import cube

census, health = fl.load_census(), fl.load_health()
for data, wanted in ((census, ("< 0.3", "< 2")), (health, ("", ""))):
    n_itemsets = data.cube.array.size
    time = median_ms(lambda data=data: cube.all_marginals(data.counts))
    show(f"{data.name}: all {n_itemsets:,} marginals", time, "ms", wanted[0])
    time = median_ms(lambda data=data: data.schema.counts(data.records))
    show(f"{data.name}: {len(data):,} records to joint counts", time, "ms", wanted[1])
show("load_census()", median_ms(fl.load_census, 20), "ms", "")
show("load_health()", median_ms(fl.load_health, 20), "ms", "")
