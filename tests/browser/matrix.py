"""The whole matrix of what the gate tries in short: `python tests/browser/matrix.py`.

Sixty random moves of every explorer in JupyterLab (twenty in its other windowing modes), with
all on one page that is five times slowed, in Notebook 7 and in Voilà, which are installed into an
environment of their own; and a smoke test in Firefox, if there is one (`apt-get install
firefox-esr`; npm brings what drives it). Takes more than an hour. Arguments choose some of them:
lab, full, contentVisibility, slow, notebook, voila, firefox.
"""

import contextlib
import os
import shutil
import socket
import subprocess
import sys
import tempfile
import time
import traceback
import urllib.request
from pathlib import Path

from lab import chromium, jupyterlab, notebook, open_notebook, run_lesson, set_theme
from pages import TELL, Kernel, move_and_reset, slow_down

from frapp_lab import explorers

TESTS = Path(__file__).parent
ROOT = TESTS.parent.parent
RANDOM = "random_moves or lost_axis or keys or typed or film"
MOVES = 60
FRONTS = {"notebook": "notebooks/{}.ipynb", "voila": "voila/render/{}.ipynb"}
SHOW = "from frapp_lab import explorers\nex{0} = explorers.{1}()\nex{0}"


def in_jupyterlab(windowing: str, moves: int) -> int:
    """The gate's tests with more moves: 1 if one failed."""
    settings = {"FRAPP_LAB_MOVES": str(moves), "FRAPP_LAB_WINDOWING": windowing}
    command = [sys.executable, "-m", "pytest", "-q", "-o", "addopts=", "-k", RANDOM]
    run = subprocess.run(
        [*command, TESTS / "test_in_browser.py"], env={**os.environ, **settings}, cwd=ROOT
    )
    return run.returncode != 0


def report(place: str, name: str, page, number: int, ask: str) -> int:
    """Move one explorer and say how it went: 1 if it went wrong."""
    from playwright.sync_api import Error

    try:
        move_and_reset(page, MOVES, number, ask)
        said = "fine" if not page.frapp_faults else f"WRONG: {page.frapp_faults}"
    except (AssertionError, Error) as error:
        where = traceback.extract_tb(error.__traceback__)[-1]
        said = f"WRONG: line {where.lineno}, {where.line} {str(error)[:500]}"
    print(f"{place:<10} {name:<20} {said}", flush=True)
    return said != "fine"


def watch(page):
    page.frapp_faults = []
    page.on("pageerror", lambda error: page.frapp_faults.append(str(error)))


def on_one_slow_page(folder: Path, names: list[str]) -> int:
    """All explorers on one page that is five times as slow: how many go wrong."""
    notebook(folder, "All", *(SHOW.format(i, name) for i, name in enumerate(names)))
    set_theme(folder, "light")
    with jupyterlab(folder) as address, chromium() as browser:
        page = open_notebook(browser, address, "All", height=1000)
        watch(page)
        slow_down(page, 5)
        run_lesson(page)
        page.kernel = Kernel.of_notebook(folder, address, "All")
        return sum(
            report("slow", name, page, i, TELL.replace("ex.", f"ex{i}."))
            for i, name in enumerate(names)
        )


def environment() -> Path:
    """An environment with the other front ends."""
    place = Path(tempfile.mkdtemp()) / "fronts"
    subprocess.run([sys.executable, "-m", "venv", place], check=True)
    pip = [place / "bin/pip", "install", "--quiet", "-r", ROOT / "requirements.txt"]
    subprocess.run([*pip, "notebook", "voila"], check=True, cwd=ROOT)
    return place


@contextlib.contextmanager
def front(python: Path, name: str, folder: Path):
    """Notebook 7 or Voilà in a folder; gives its address."""
    (folder / ".runtime").mkdir(exist_ok=True)
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    options = {
        "notebook": ["--no-browser", "--allow-root", "--IdentityProvider.token=", "--ip=127.0.0.1",
                     f"--notebook-dir={folder}"],
        "voila": ["--no-browser", f"--Voila.connection_dir_root={folder}/.runtime", str(folder)],
    }[name]  # fmt: skip
    server = subprocess.Popen(
        [python, "-m", name, f"--port={port}", *options],
        env={**os.environ, "JUPYTER_RUNTIME_DIR": str(folder / ".runtime")},
        stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
    )  # fmt: skip
    address = f"http://127.0.0.1:{port}"
    try:
        for _ in range(240):
            with contextlib.suppress(OSError):
                urllib.request.urlopen(address, timeout=2)
                break
            time.sleep(0.25)
        yield address
    finally:
        server.terminate()
        server.wait(timeout=20)


def in_front(name: str, folder: Path, names: list[str]) -> int:
    """Each explorer in Notebook 7 or in Voilà: how many go wrong."""
    faults = 0
    for kind in names:
        notebook(folder, kind, SHOW.format("", kind))
    with front(environment() / "bin/python", name, folder) as address, chromium() as browser:
        for kind in names:
            page = browser.new_page(viewport={"width": 1280, "height": 1000})
            page.goto(f"{address}/{FRONTS[name].format(kind)}", timeout=90_000)
            if name == "notebook":
                page.wait_for_selector(".jp-Notebook .jp-Cell", timeout=60_000)
                page.wait_for_timeout(4000)
            watch(page)  # from here on: Notebook 7 has faults of its own while it starts
            if name == "notebook":
                page.get_by_role("menuitem", name="Run", exact=True).click()
                page.get_by_text("Run All Cells", exact=True).click()
            page.wait_for_selector(".frapp-explorer .frapp-plot .main-svg", timeout=90_000)
            page.wait_for_timeout(3000)
            # The newest kernel is that of this page; Voilà says nothing of its own.
            started = sorted(
                folder.glob(".runtime/**/kernel-*.json"), key=lambda path: path.stat().st_mtime
            )
            page.kernel = Kernel(started[-1])
            faults += report(name, kind, page, 0, TELL)
            page.close()
    return faults


def firefox(folder: Path, names: list[str]) -> int:
    """How many explorers go wrong in JupyterLab in Firefox."""
    if not shutil.which("firefox"):
        print("firefox    is not installed: not tried")
        return 0
    place = Path(tempfile.mkdtemp())
    shutil.copy(TESTS / "firefox.mjs", place)
    subprocess.run(["npm", "install", "--silent", "puppeteer-core@24.43.1"], cwd=place, check=True)
    for name in names:
        notebook(folder, name, SHOW.format("", name))
    set_theme(folder, "light")
    with jupyterlab(folder) as address:
        return subprocess.run(["node", "firefox.mjs", address, *names], cwd=place).returncode


def main() -> int:
    folder = Path(tempfile.mkdtemp())
    names = [kind.__name__ for kind in explorers.every() if not kind.page]
    tries = {
        "lab": lambda: in_jupyterlab("none", MOVES),
        "full": lambda: in_jupyterlab("full", 20),
        "contentVisibility": lambda: in_jupyterlab("contentVisibility", 20),
        "slow": lambda: on_one_slow_page(folder, names),
        "notebook": lambda: in_front("notebook", folder, names),
        "voila": lambda: in_front("voila", folder, names),
        "firefox": lambda: firefox(folder, names),
    }
    faults = 0
    for what in sys.argv[1:] or tries:
        print(f"== {what}", flush=True)
        faults += tries[what]()
    return faults


if __name__ == "__main__":
    sys.exit(main())
