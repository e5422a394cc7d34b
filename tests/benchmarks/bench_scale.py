"""Surveys larger than memory: `python tests/benchmarks/bench_scale.py 1000000 10000000 100000000`.

Makes CENSUS-like records in 100 Parquet files in a temporary folder (10⁸ take 300 MB), collects
them in one process and on two workers, one of which is killed, and spreads 2,000 trials.
"""

import argparse
import hashlib
import json
import logging
import os
import pickle
import resource
import signal
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import pandas as pd

import frapp_lab as fl
from frapp_lab import scale
from frapp_lab.data import files
from frapp_lab.data.columns import records_of
from frapp_lab.scale import run_trials
from frapp_lab.scale.cluster import cluster

CENSUS = fl.load_census()
SEED, N_FILES = 7, 100


def digest(statistic):
    return hashlib.sha256(statistic.tobytes()).hexdigest()[:12]


def mechanism(scheme):
    return fl.make_scheme(scheme, CENSUS.schema, 19)


def collect(folder, scheme, **options):
    """In a folder named "codes" the files hold codes, in others category names."""
    return scale.collect(folder, mechanism(scheme), SEED, codes=folder.name == "codes", **options)


def one_process(folder, scheme):
    """Collect in a process of its own, so that its memory is its own too."""
    call = [sys.executable, __file__, "--one", str(folder), scheme]
    run = subprocess.run(call, capture_output=True, text=True, check=True)
    return json.loads(run.stdout)


def one(folder, scheme):
    start = time.perf_counter()
    found = digest(collect(Path(folder), scheme))
    used = resource.getrusage(resource.RUSAGE_SELF)
    seconds = {"wall": time.perf_counter() - start, "cpu": used.ru_utime + used.ru_stime}
    print(json.dumps({**seconds, "peak": used.ru_maxrss / 1024, "digest": found}))


def two_workers(folder, scheme, client, kill=False):
    """Collect on a cluster; at 40 % one of its workers may be killed."""
    pids = list(client.run(os.getpid).values())

    def progress(done, total):
        if kill and done == 2 * total // 5:
            os.kill(pids[0], signal.SIGKILL)

    start = time.perf_counter()
    found = collect(folder, scheme, client=client, progress=progress)
    return time.perf_counter() - start, digest(found)


def growth(folder, n_records, client):
    """A line for each scheme: one process, two workers, and two of which one is killed."""
    for kind, schemes in (("codes", fl.schemes(paper=True)), ("names", ["DET-GD"])):
        scale.resample(CENSUS, folder / kind, n_records, N_FILES, codes=kind == "codes")
        for scheme in schemes:
            alone = one_process(folder / kind, scheme)
            wall, found = two_workers(folder / kind, scheme, client)
            with cluster(workers=2) as mortal:
                wall_killed, found_killed = two_workers(folder / kind, scheme, mortal, kill=True)
            same = "identical" if alone["digest"] == found == found_killed else "DIFFERENT"
            print(
                f"{n_records:>11,} {kind:<6} {scheme:<7} {alone['cpu']:>8.2f} {alone['wall']:>8.2f}"
                f" {alone['peak']:>8.0f} {wall:>12.2f} {wall_killed:>12.2f}  {same}",
                flush=True,
            )


def cost_of_parts(folder, n_records):
    """What each step costs, in nanoseconds of processor time for a record."""
    paths, m = sorted((folder / "names").iterdir()), mechanism("DET-GD")
    spent = dict.fromkeys(("read", "check", "perturb", "reduce"), 0.0)

    def clock(step, call):
        start = time.process_time()
        result = call()
        spent[step] += time.process_time() - start
        return result

    for number, path in enumerate(paths):
        read = files.pieces(path, m.schema.names)
        while (piece := clock("read", lambda read=read: next(read, None))) is not None:
            first, frame = piece
            records = clock("check", lambda f=frame, r=first: records_of(f, m.schema, r))
            reports = clock("perturb", lambda r=records, n=number: m.perturb(r, SEED, n))
            statistic = clock("reduce", lambda r=reports: m.statistic(r))
    each = {step: 1e9 * seconds / n_records for step, seconds in spent.items()}
    size = len(pickle.dumps(statistic))
    print(
        "\nDET-GD, category names: "
        + ", ".join(f"{s} {ns:.0f}" for s, ns in each.items())
        + " ns a record"
    )
    whole, sent = 1e-9 * sum(each.values()), size * N_FILES / 1e6
    print(
        f"A part sends {size / 1e3:.0f} kB, whatever its size, and {N_FILES} parts {sent:.1f} MB. "
        f"So k cores need about {1e8 * whole:.1f} s / k for 10⁸ records and {1e10 * whole:.0f} "
        "s / k for 10¹⁰, as long as there are more parts than cores, the disks deliver 1.5 bytes a "
        "record and a part takes longer than the milliseconds in which it is handed out."
    )


def sweep(client):
    """2,000 trials here and on two workers."""
    settings = {"schemes": fl.schemes(paper=True), "trials": 500, "seed": SEED}

    def clock(client):
        before = [time.perf_counter(), time.process_time(), *worker_seconds(client)]
        table = run_trials(CENSUS, **settings, client=client)
        after = [time.perf_counter(), time.process_time(), *worker_seconds(client)]
        return table, [b - a for a, b in zip(before, after, strict=True)]

    here, (alone, alone_cpu) = clock(None)
    there, (spread, own_cpu, *workers) = clock(client)
    pd.testing.assert_frame_equal(here, there, check_exact=True)
    used = " + ".join(f"{seconds:.1f}" for seconds in [*workers, own_cpu])
    print(
        f"\n2,000 trials: {alone:.1f} s on one core, {spread:.1f} s on two workers, "
        f"{spread / alone:.2f} of it (<= 0.65), the same table. Processor time: {alone_cpu:.1f} s; "
        f"{used} s (two workers and this process)"
    )


def worker_seconds(client):
    """The processor time of each worker so far."""
    return [] if client is None else list(client.run(time.process_time).values())


def main():
    read = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    read.add_argument("records", nargs="*", type=int, default=[10**6, 10**7, 10**8])
    read.add_argument("--one", nargs=2, help=argparse.SUPPRESS)
    options = read.parse_args()
    if options.one:
        return one(*options.one)
    print(f"load of this machine at the start: {os.getloadavg()[0]:.1f}")
    logging.disable(logging.ERROR)  # a killed worker is no news here
    with cluster(workers=2) as client, tempfile.TemporaryDirectory() as folder:
        print(f"{'':<27}one process: CPU s, wall s, peak MB | two workers, wall s | one killed")
        for n_records in options.records:
            growth(Path(folder) / str(n_records), n_records, client)
        cost_of_parts(Path(folder) / str(n_records), n_records)
        sweep(client)
    print(f"load at the end: {os.getloadavg()[0]:.1f}")


if __name__ == "__main__":
    main()
