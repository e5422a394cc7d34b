"""Modern mechanisms beside pure-ldp and multi-freq-ldpy, and the recommendation beside trials.

`python tests/benchmarks/bench_modern.py`: times are of the processor, for one record.
"""

import math
import time
import warnings

import numpy as np
from timing import install_peers, show

import frapp_lab as fl
from frapp_lab.data.cube import lengths

GAMMA = 19
CENSUS = fl.load_census()
CELLS = CENSUS.schema.encode(CENSUS.records)
N_CELLS = CENSUS.schema.n_cells


def microseconds(call, many, runs=1):
    """The result of a call, and the least processor time for one of so many records."""
    times = []
    for _ in range(runs):
        start = time.process_time()
        result = call()
        times.append(time.process_time() - start)
    return result, 1e6 * min(times) / many


def peers():
    """Client and server of each peer: label, name, client of cells, server of reports.

    HR's values are shuffled there: its last item says where in the matrix each of them went.
    """
    install_peers("pure-ldp", "scikit-learn", "statsmodels", "multi-freq-ldpy", "xxhash<4")
    from multi_freq_ldpy.pure_frequency_oracles import LH, SS, UE
    from pure_ldp.frequency_oracles.hadamard_response import (
        HadamardResponseClient,
        HadamardResponseServer,
    )
    from pure_ldp.frequency_oracles.local_hashing import LHClient, LHServer
    from pure_ldp.frequency_oracles.unary_encoding import UEClient, UEServer

    epsilon = math.log(GAMMA)

    def pure(client, server):
        def estimate(reports):
            server.reset()
            for report in reports:
                server.aggregate(report)
            return np.array([server.estimate(v, True) for v in range(N_CELLS)]) / len(reports)

        return "pure-ldp", lambda cells: [client.privatise(c) for c in cells], estimate

    def multi(client, server):
        client(1)  # numba compiles it
        return "multi-freq-ldpy", lambda cells: [client(c) for c in cells], server

    def same(cell):
        return cell

    hadamard = HadamardResponseServer(epsilon, N_CELLS, same)
    for label, optimal in (("SUE", False), ("OUE", True)):
        pair = (kind(epsilon, N_CELLS, optimal, same) for kind in (UEClient, UEServer))
        yield label, *pure(*pair)
        yield (
            label,
            *multi(
                lambda c, o=optimal: UE.UE_Client(c, N_CELLS, epsilon, o),
                lambda r, o=optimal: UE.UE_Aggregator_MI(r, epsilon, o),
            ),
        )
    pair = (
        kind(epsilon, N_CELLS, use_olh=True, index_mapper=same) for kind in (LHClient, LHServer)
    )
    yield "OLH", *pure(*pair)
    yield (
        "OLH",
        *multi(
            lambda c: LH.LH_Client(c, N_CELLS, epsilon),
            lambda r: LH.LH_Aggregator_MI(r, N_CELLS, epsilon),
        ),
    )
    yield (
        "SS",
        *multi(
            lambda c: SS.SS_Client(c, N_CELLS, epsilon),
            lambda r: SS.SS_Aggregator_MI(r, N_CELLS, epsilon),
        ),
    )
    functions = hadamard.get_hash_funcs()
    client = HadamardResponseClient(epsilon, N_CELLS, functions, same)
    yield "HR", *pure(client, hadamard), np.asarray(functions)


def beside_peers():
    best: dict[str, float] = {}
    for label, name, client, server, *places in peers():
        many = 60 if label == "OLH" else 2000
        reports, sent = microseconds(lambda c=client, m=many: c(CELLS[:m].tolist()), many)
        found, counted = microseconds(lambda s=server, r=reports: s(r), many)
        show(f"{label}: {name}, client", sent, "µs", "")
        show(f"{label}: {name}, server", counted, "µs", "")
        best[label] = min(best.get(label, math.inf), sent + counted)
        if label != "OLH":  # whose hash is not ours
            off = difference(label, name, reports, found, *places)
            show(f"{label}: its estimate less ours", off, "", "~0")
    for label, theirs in best.items():
        m = fl.make_scheme(label, CENSUS.schema, GAMMA)
        m.perturb(CENSUS.records[:10], 1)
        reports, sent = microseconds(lambda m=m: m.perturb(CENSUS.records, 1), len(CENSUS), 5)
        _, counted = microseconds(lambda m=m, r=reports: m.estimate(r).array, len(CENSUS), 5)
        show(f"{label}: frapp_lab, client", sent, "µs", "")
        show(f"{label}: frapp_lab, server", counted, "µs", "")
        show(f"{label}: the faster peer takes", theirs / (sent + counted), "times", ">= 20")


def difference(label, name, reports, found, places=slice(None)):
    """How far a peer's estimate is from ours on the very same reports."""
    m = fl.make_scheme(label, CENSUS.schema, GAMMA)
    if label == "SS":
        bits = np.zeros((len(reports), N_CELLS), dtype=bool)
        bits[np.arange(len(reports))[:, None], np.array(reports)] = True
    else:
        bits = np.array(reports).reshape(len(reports), -1)
    ours = m.estimate(bits)[CENSUS.schema.names].ravel()[places]
    if name == "multi-freq-ldpy":  # it always clips and renormalises
        ours = np.maximum(ours, 0)
        ours = ours / ours.sum()
    return float(abs(ours - found).max())


def a_whole_trial_of_pairs():
    m, truth = fl.make_scheme("PAIR", CENSUS.schema, GAMMA), CENSUS.supports.array
    frequent = (truth >= 0.02) & (lengths(CENSUS.schema.sizes) > 0)
    errors, times = [], []
    for seed in range(20):
        start = time.process_time()
        found = m.estimate(m.perturb(CENSUS.records, seed)).array[frequent]
        times.append(time.process_time() - start)
        errors.append(100 * (abs(found - truth[frequent]) / truth[frequent]).mean())
    show("PAIR, CENSUS: mean support error over 20 seeds", np.mean(errors), "%", "<= 10.5")
    show("PAIR, CENSUS: clients, server and fit", 1e3 * np.median(times), "ms", "<= 100")


def coverage():
    kinds = lengths(CENSUS.schema.sizes)
    for label in fl.schemes(modern=True):
        m = fl.make_scheme(label, CENSUS.schema, GAMMA)
        if not hasattr(m, "perturb_counts"):
            continue
        for n in (1000, 5000, len(CENSUS)):
            chosen = np.random.default_rng(1).choice(len(CENSUS), n, replace=False)
            data = fl.Dataset(CENSUS.schema, CENSUS.records[chosen])
            truth, held, runs = data.supports.array, np.zeros(kinds.shape), 20 if m.model else 500
            for i in range(runs):
                estimate = m.estimate_counts(m.perturb_counts(data.counts, i))
                low, high = (end.array for end in m.interval(estimate, n))
                held += (low <= truth) & (truth <= high)
            frequent = truth >= 0.02
            found = [100 * held[frequent & (kinds == k)].mean() / runs for k in range(1, 7)]
            print(f"{label:<7} N = {n:>6,} covers by length", *(f"{c:5.1f}" for c in found))


def synthetic():
    """Three tables of other structure: independent, strongly dependent, sparse."""
    rng = np.random.default_rng(0)
    schema = fl.Schema.of_sizes(4, 4, 3, 3, 2)
    margins = [rng.dirichlet(np.full(s, 2.0)) for s in schema.sizes]
    independent = np.einsum("i,j,k,l,m", *margins)
    kinds = rng.integers(0, schema.sizes, (4, 5))
    dependent = np.full(schema.sizes, 0.2 / schema.n_cells)
    for share, kind in zip((0.35, 0.25, 0.15, 0.05), kinds, strict=True):
        dependent[tuple(kind)] += share
    sparse = np.zeros(schema.n_cells)
    sparse[rng.choice(schema.n_cells, 25, replace=False)] = rng.dirichlet(np.ones(25))
    for name, shares in (("independent", independent), ("dependent", dependent),
                         ("sparse", sparse.reshape(schema.sizes))):  # fmt: skip
        counts = rng.multinomial(100_000, shares.ravel()).reshape(schema.sizes)
        yield fl.Dataset.from_counts(schema, counts, name, synthetic=True)


def recommendations(draws=12):
    """60 settings: is the predicted winner the winner of trials, or within 5 % of it?"""
    from frapp_lab.modern.recommend import scaled

    right, settings = 0, 0
    for data in (CENSUS, fl.load_health(), *synthetic()):
        for gamma in (3, 19, 100):
            for n in (2_000, 20_000, 200_000, 5_000_000):
                kinds, truth = lengths(data.schema.sizes), data.supports.array
                wanted = (truth >= 0.02) & (kinds > 0)
                predicted = fl.recommend(data, n, gamma)
                counts, errors = scaled(data.counts, n), {}
                for label in predicted.table.index[:5]:  # all others are far behind
                    m = fl.make_scheme(label, data.schema, gamma)
                    found = []
                    for seed in range(draws):
                        if hasattr(m, "perturb_counts"):
                            estimate = m.estimate_counts(m.perturb_counts(counts, (99, seed)))
                        elif n <= 20_000:
                            some = fl.Dataset.from_counts(data.schema, counts)
                            estimate = m.estimate(m.perturb(some.records, (99, seed)))
                        else:  # subset selection, which draws each client: by its exact deviation
                            continue
                        off = abs(estimate.array[wanted] - truth[wanted])
                        found.append((off / truth[wanted]).mean())
                    errors[label] = np.mean(found) if found else predicted.table.error[label] / 100
                good = errors[predicted.scheme] <= 1.05 * min(errors.values())
                right, settings = right + good, settings + 1
                if not good:
                    best = min(errors, key=errors.get)
                    print(f"  {data.name} γ = {gamma} N = {n:,}: {predicted.scheme}, and {best} is")
    show(f"recommend: right of {settings} settings", 100 * right / settings, "%", ">= 95")


if __name__ == "__main__":
    warnings.simplefilter("ignore", RuntimeWarning)  # pure-ldp warns of few records
    a_whole_trial_of_pairs()
    beside_peers()
    recommendations()
    coverage()
