"""Repeated trials: the errors of mining, with intervals, as a table.

Perturbs, reconstructs and mines a data set many times, and writes the errors by itemset length:
mean and 5-95 % interval of every error, as in the course's figures.

    frapp-lab experiments census --trials 100 --out results.csv
"""

from __future__ import annotations

import argparse
import importlib.util
import sys
from pathlib import Path

from frapp_lab._base.console import bar_or_lines, place, write_csv
from frapp_lab.data.census import load_census
from frapp_lab.data.health import load_health
from frapp_lab.mechanisms.registry import schemes
from frapp_lab.mining.mining_run import GAMMA, MIN_SUPPORT
from frapp_lab.scale.cluster import cluster
from frapp_lab.scale.trials import run_trials, summarise


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add what `frapp-lab experiments` takes."""
    add = parser.add_argument
    add("dataset", choices=("census", "health"), help="health is synthetic")
    add("--health-file", metavar="FILE", help="the real NHIS file, PERSONSX.DAT")
    add("--trials", type=int, default=100, help="how often (default: 100)")
    add("--seed", type=int, default=0, help="the same seed, the same numbers")
    known = f"of {', '.join(schemes(modern=True))} (default: those of the paper)"
    add("--schemes", nargs="+", default=list(schemes(paper=True)), metavar="SCHEME", help=known)
    add("--use", action="append", default=[], metavar="FILE",
        help="a Python file that registers schemes of your own")  # fmt: skip
    add("--gamma", type=float, default=GAMMA, help="amplification (default: 19)")
    add("--alpha-share", type=float, default=0.5, metavar="SHARE",
        help="RAN-GD: alpha as a share of its maximum (default: 0.5)")  # fmt: skip
    add("--min-support", type=float, default=MIN_SUPPORT, metavar="SHARE",
        help="minimum support, a share (default: 0.02)")  # fmt: skip
    add("--no-prune", action="store_true", help="judge every itemset by itself")
    add("--every-trial", action="store_true", help="write all trials, no summary")
    add("--workers", type=int, metavar="N",
        help="spread the trials over so many processes of this machine")  # fmt: skip
    add(
        "--scheduler", metavar="ADDRESS", help="spread them over a Dask cluster, as tcp://host:8786"
    )
    add("--resume", type=Path, metavar="FILE",
        help="keep finished trials in this file, and go on from there")  # fmt: skip
    add("--out", required=True, type=Path, metavar="FILE", help="a CSV file")


def run(options: argparse.Namespace) -> int:
    """Run the trials of `frapp-lab experiments` and write their file: all of it or nothing."""
    if options.health_file and options.dataset != "health":
        raise ValueError("--health-file goes with the data set health")
    for name in options.use:
        use(Path(name))
    out = place(options.out)
    census = options.dataset == "census"
    data = load_census() if census else load_health(options.health_file)
    try:
        with cluster(options.workers, options.scheduler) as client:
            for name in options.use if client else ():
                client.upload_file(name)  # the workers must know these schemes too
            trials = run_trials(
                data, options.schemes, [options.gamma], [options.alpha_share],
                [options.min_support], options.trials, options.seed, not options.no_prune,
                bar_or_lines("trials"), client=client, keep=options.resume,
            )  # fmt: skip
    except KeyboardInterrupt:
        if options.resume:
            print(f"\nThe same command goes on from {options.resume}.", file=sys.stderr)
        raise
    table = trials if options.every_trial else summarise(trials)
    write_csv(table, out)
    print(f"{data.name}: {options.trials} trials, {len(table)} rows in {options.out}")
    return 0


_used: dict[str, Path] = {}


def use(path: Path) -> None:
    """Run a Python file for `frapp-lab experiments`, so that the schemes in it are registered."""
    spec = importlib.util.spec_from_file_location(path.stem, path)
    if spec is None or spec.loader is None or not path.is_file():
        raise ValueError(f"--use is {path}: there is no such Python file")
    taken = path.stem in sys.modules or path.stem in sys.stdlib_module_names
    if taken and _used.get(path.stem) != path.resolve():  # the same file may be used once more
        raise ValueError(
            f"--use is {path}: there is a module {path.stem} already, whose place it would take; "
            "give the file another name"
        )
    module = importlib.util.module_from_spec(spec)
    sys.modules[path.stem] = module  # as an import would
    try:
        spec.loader.exec_module(module)
    except (Exception, SystemExit) as error:
        del sys.modules[path.stem]
        raise ValueError(
            f"--use is {path}: it cannot be run ({type(error).__name__}: {error})"
        ) from error
    _used[path.stem] = path.resolve()
