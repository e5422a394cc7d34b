"""The whole matrix of what the gate tries in short: `python tests/browser/matrix.py`.

Sixty random moves of every explorer, plain, five times slowed, and in both other windowing modes of
JupyterLab; then every explorer in Notebook 7 and in Voilà, which are installed into an environment
of their own, and in Firefox if there is one (`apt-get install firefox-esr`; npm brings what drives
it). Takes about an hour. FRAPP_LAB_AXE must name axe.min.js, as in `.ci/run`.
"""

import contextlib
import os
import shutil
import socket
import subprocess
import sys
import tempfile
import time
import urllib.request
from pathlib import Path

from lab import chromium, jupyterlab, notebook, set_theme

from frapp_lab import explorers

TESTS = Path(__file__).parent
ROOT = TESTS.parent.parent
RANDOM = "random_moves or lost_axis or keys or typed or film"
VARIANTS = {
    "sixty moves": {"FRAPP_LAB_MOVES": "60"},
    "sixty moves, five times slowed": {"FRAPP_LAB_MOVES": "60", "FRAPP_LAB_SLOWED": "5"},
    "windowing: full": {"FRAPP_LAB_WINDOWING": "full", "FRAPP_LAB_MOVES": "20"},
    "windowing: contentVisibility": {
        "FRAPP_LAB_WINDOWING": "contentVisibility", "FRAPP_LAB_MOVES": "20",
    },
}  # fmt: skip
FRONTS = {"notebook": "notebooks/{}.ipynb", "voila": "voila/render/{}.ipynb"}


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
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    options = {
        "notebook": ["--no-browser", "--allow-root", "--IdentityProvider.token=", "--ip=127.0.0.1",
                     f"--notebook-dir={folder}"],
        "voila": ["--no-browser", str(folder)],
    }[name]  # fmt: skip
    server = subprocess.Popen(
        [python, "-m", name, f"--port={port}", *options],
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


def smoke(page, name: str) -> str:
    """Keys move the first slider, words and figure follow, and Reset brings the first picture."""
    if name == "notebook":
        page.wait_for_selector(".jp-Notebook .jp-Cell", timeout=60_000)
        page.wait_for_timeout(4000)
        page.get_by_role("menuitem", name="Run", exact=True).click()
        page.get_by_text("Run All Cells", exact=True).click()
    page.wait_for_selector(".frapp-explorer .frapp-plot .main-svg", timeout=90_000)
    page.wait_for_timeout(6000)
    card, figure = page.locator(".frapp-card").first, page.locator(".frapp-figure").first
    look = "c => [c.dataset.drawn, c.querySelector('.frapp-summary').textContent]"
    first, picture = card.evaluate(look), figure.screenshot()
    page.locator(".frapp-explorer input[type=range]").first.focus()
    for _ in range(5):
        page.keyboard.press("ArrowLeft")
        page.wait_for_timeout(200)
    page.wait_for_timeout(1000)
    moved = card.evaluate(look)
    page.locator(".frapp-explorer button", has_text="Reset").click()
    page.evaluate("document.activeElement.blur()")
    page.mouse.move(0, 0)
    page.wait_for_timeout(6000)
    back = card.evaluate(look) == first and figure.screenshot() == picture
    cells = page.locator(".jp-Cell").count()
    fine = moved[0] != first[0] and moved[1] != first[1] and back and cells <= 1
    return "fine" if fine else f"WRONG: moved {moved != first}, back {back}, {cells} cells"


def firefox(folder: Path, names: list[str]) -> int:
    """How many explorers go wrong in JupyterLab in Firefox."""
    if not shutil.which("firefox"):
        print("firefox    is not installed: not tried")
        return 0
    place = Path(tempfile.mkdtemp())
    shutil.copy(TESTS / "firefox.mjs", place)
    subprocess.run(["npm", "install", "--silent", "puppeteer-core@24.43.1"], cwd=place, check=True)
    set_theme(folder, "light")
    with jupyterlab(folder) as address:
        return subprocess.run(["node", "firefox.mjs", address, *names], cwd=place).returncode


def main() -> int:
    faults = 0
    for what, settings in VARIANTS.items():
        print(f"== {what}", flush=True)
        command = [sys.executable, "-m", "pytest", "-q", "-o", "addopts=", "-k", RANDOM]
        run = subprocess.run(
            [*command, TESTS / "test_in_browser.py"], env={**os.environ, **settings}, cwd=ROOT
        )
        faults += run.returncode != 0
    python = environment() / "bin/python"
    folder = Path(tempfile.mkdtemp())
    names = [kind.__name__ for kind in explorers.every()]
    for kind in names:
        notebook(folder, kind, f"from frapp_lab import explorers\nexplorers.{kind}()")
    for name, place in FRONTS.items():
        with front(python, name, folder) as address, chromium() as browser:
            for kind in names:
                page = browser.new_page(viewport={"width": 1280, "height": 900})
                page.goto(f"{address}/{place.format(kind)}", timeout=90_000)
                said = smoke(page, name)
                print(f"{name:<10} {kind:<20} {said}", flush=True)
                faults += said != "fine"
                page.close()
    return faults + firefox(folder, names)


if __name__ == "__main__":
    sys.exit(main())
