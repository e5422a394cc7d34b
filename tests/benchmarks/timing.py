"""How the benchmarks measure: the median of many runs, after one to warm up."""

import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable


def median_ms(call: Callable[[], object], runs: int = 100) -> float:
    """The median time of one call, in milliseconds."""
    call()
    times = []
    for _ in range(runs):
        start = time.perf_counter()
        call()
        times.append(time.perf_counter() - start)
    return 1e3 * statistics.median(times)


def show(what: str, value: float, unit: str, limit: str) -> None:
    """Print one line of a table of results."""
    print(f"{what:<62} {value:>10.3g} {unit:<8} {limit}")


def install_peers(*packages: str) -> None:
    """Install packages to compare with into a folder of their own, behind all that is here."""
    folder = tempfile.mkdtemp()
    pip = [sys.executable, "-m", "pip", "install", "--quiet", "--target", folder]
    subprocess.run([*pip, *packages], check=True, stderr=subprocess.DEVNULL)
    sys.path.append(folder)
