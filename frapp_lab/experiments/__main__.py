"""`python -m frapp_lab.experiments census --trials 100 --out results.csv`."""

from __future__ import annotations

import argparse
import importlib.util
import os
import secrets
import shutil
import sys
import tempfile
from pathlib import Path

import pandas as pd

from frapp_lab.datasets import load_census, load_health
from frapp_lab.experiments.trials import console_progress, run_trials, summarise
from frapp_lab.mechanisms.base import schemes
from frapp_lab.mining import GAMMA, MIN_SUPPORT


def parser() -> argparse.ArgumentParser:
    """What the command line takes."""
    made = argparse.ArgumentParser(
        prog="python -m frapp_lab.experiments",
        description="Perturb, reconstruct and mine a data set many times, and write the errors by "
        "itemset length: mean and 5-95 % interval of every error, as in the course's figures.",
    )
    made.add_argument("dataset", choices=("census", "health"), help="health is synthetic")
    made.add_argument("--health-file", metavar="FILE", help="the real NHIS file, PERSONSX.DAT")
    made.add_argument("--trials", type=int, default=100, help="how often (default: 100)")
    made.add_argument("--seed", type=int, default=0, help="the same seed, the same numbers")
    made.add_argument("--schemes", nargs="+", default=list(schemes(paper=True)), metavar="SCHEME",
                      help=f"of {', '.join(schemes())} (default: those of the paper)")  # fmt: skip
    made.add_argument("--use", action="append", default=[], metavar="FILE",
                      help="a Python file that registers schemes of your own")  # fmt: skip
    made.add_argument("--gamma", type=float, default=GAMMA, help="amplification (default: 19)")
    made.add_argument("--alpha-share", type=float, default=0.5, metavar="SHARE",
                      help="RAN-GD: alpha as a share of its maximum (default: 0.5)")  # fmt: skip
    made.add_argument("--min-support", type=float, default=MIN_SUPPORT, metavar="SHARE",
                      help="minimum support, a share (default: 0.02)")  # fmt: skip
    made.add_argument("--no-prune", action="store_true", help="judge every itemset by itself")
    made.add_argument("--every-trial", action="store_true", help="write all trials, no summary")
    made.add_argument("--out", required=True, type=Path, metavar="FILE", help="a CSV file")
    return made


def main(arguments: list[str] | None = None) -> int:
    """Run the trials and write the file: all of it or nothing."""
    made = parser()
    options = made.parse_args(arguments)
    if options.health_file and options.dataset != "health":
        made.error("--health-file goes with the data set health")
    try:
        for name in options.use:
            use(Path(name))
        out = place(options.out)
        census = options.dataset == "census"
        data = load_census() if census else load_health(options.health_file)
        trials = run_trials(
            data, options.schemes, [options.gamma], [options.alpha_share], [options.min_support],
            options.trials, options.seed, not options.no_prune, _progress(),
        )  # fmt: skip
        table = trials if options.every_trial else summarise(trials)
    except (ValueError, OSError) as error:
        made.error(str(error))
    except KeyboardInterrupt:
        print("\nStopped; nothing was written.", file=sys.stderr)
        return 130
    try:
        write(table, out)
    except OSError as error:
        made.error(f"--out is {options.out}: it could not be written ({error})")
    print(f"{data.name}: {options.trials} trials, {len(table)} rows in {options.out}")
    return 0


def use(path: Path) -> None:
    """Run a Python file, so that the schemes in it are registered."""
    spec = importlib.util.spec_from_file_location(path.stem, path)
    if spec is None or spec.loader is None or not path.is_file():
        raise ValueError(f"--use is {path}: there is no such Python file")
    module = importlib.util.module_from_spec(spec)
    sys.modules[path.stem] = module  # as an import would
    spec.loader.exec_module(module)


def _progress():
    """A bar on a terminal; elsewhere a line at every tenth."""
    if sys.stderr.isatty():
        return console_progress()

    def show(done: int, total: int) -> None:
        if 10 * done // total > 10 * (done - 1) // total:
            print(f"trials {done}/{total}", file=sys.stderr, flush=True)

    return show


def place(path: Path) -> Path:
    """The file to be written, found writable: a link stays, and its target is written."""
    try:
        out = path.resolve()
    except (OSError, RuntimeError) as error:
        raise ValueError(f"--out is {path}: the link leads nowhere ({error})") from None
    if not out.parent.is_dir():
        raise ValueError(f"--out is {path}: there is no folder {out.parent}")
    if os.path.lexists(out) and not out.is_file():
        kind = "a folder" if out.is_dir() else "no plain file but a pipe, a device or the like"
        raise ValueError(f"--out is {path}: that is {kind}, and a file is wanted")
    try:
        if out.exists() and not os.access(out, os.W_OK):
            raise PermissionError("the file is read-only")
        tempfile.TemporaryFile(dir=out.parent).close()
    except OSError as error:
        raise ValueError(f"--out is {path}: it cannot be written there ({error})") from None
    return out


def write(table: pd.DataFrame, path: Path) -> None:
    """Write a new file beside the old one, and put it in its place when it is whole."""
    part = path.with_name(f".{secrets.token_hex(8)}.part")
    try:
        with part.open("x", encoding="utf-8", newline="") as file:
            table.to_csv(file, index=False, float_format="%.6g")
        if path.exists():
            shutil.copymode(path, part)
        part.replace(path)
    finally:
        part.unlink(missing_ok=True)


if __name__ == "__main__":
    sys.exit(main())
