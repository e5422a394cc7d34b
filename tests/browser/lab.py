"""JupyterLab on a free local port, and a page of it in headless Chromium."""

import contextlib
import json
import os
import shutil
import socket
import subprocess
import sys
import time
import urllib.request
from pathlib import Path

import nbformat
import pytest

sys.path.insert(0, str(Path(__file__).parent.parent))
from helpers import require

BROWSERS = ("chromium", "chromium-browser", "google-chrome", "chrome")
FLAGS = (
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
)


def find_browser() -> str | None:
    """The browser that is installed, if any."""
    return next((path for name in BROWSERS if (path := shutil.which(name))), None)


def require_browser() -> None:
    """Skip, with a word on how to get what is missing; in the gate that is a failure."""
    require("playwright")
    if find_browser() is None:
        message = "needs Chromium: apt-get install chromium (or your system's package of it)"
        (pytest.fail if os.environ.get("FRAPP_LAB_FULL") else pytest.skip)(message)


@contextlib.contextmanager
def jupyterlab(folder: Path):
    """Run JupyterLab in a folder, without a token, for this machine only; gives its address."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    settings = {
        "JUPYTER_CONFIG_DIR": str(folder / ".config"),
        "JUPYTER_RUNTIME_DIR": str(folder / ".runtime"),
        "JUPYTERLAB_SETTINGS_DIR": str(folder / ".settings"),
        "JUPYTERLAB_WORKSPACES_DIR": str(folder / ".workspaces"),
        "IPYTHONDIR": str(folder / ".ipython"),
    }
    command = [
        sys.executable, "-m", "jupyterlab", "--no-browser", "--allow-root", "--ip=127.0.0.1",
        f"--port={port}", "--ServerApp.port_retries=0", "--IdentityProvider.token=",
        "--ServerApp.password=", "--LabApp.news_url=None", "--LabApp.check_for_updates_class="
        "jupyterlab.handlers.announcements.NeverCheckForUpdate", f"--notebook-dir={folder}",
    ]  # fmt: skip
    with (folder / "lab.log").open("w") as log:
        server = subprocess.Popen(command, env={**os.environ, **settings}, stdout=log, stderr=log)
    address = f"http://127.0.0.1:{port}"
    try:
        for _ in range(240):
            with contextlib.suppress(OSError):
                urllib.request.urlopen(f"{address}/api", timeout=1)
                break
            time.sleep(0.25)
        else:
            raise RuntimeError((folder / "lab.log").read_text()[-2000:])
        yield address
    finally:
        server.terminate()
        server.wait(timeout=20)


def notebook(folder: Path, name: str, *cells: str) -> None:
    """Write a notebook of code cells."""
    book = nbformat.v4.new_notebook(cells=[nbformat.v4.new_code_cell(c) for c in cells])
    book.metadata["kernelspec"] = {"name": "python3", "display_name": "Python 3"}
    nbformat.write(book, folder / f"{name}.ipynb")


@contextlib.contextmanager
def chromium():
    """Headless Chromium, driven by Playwright."""
    from playwright.sync_api import sync_playwright

    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=find_browser(), args=list(FLAGS))
        try:
            yield browser
        finally:
            browser.close()


def open_notebook(browser, address, name, width=1280, height=800, density=1):
    """A page with the notebook opened, on a screen of so many dots per pixel."""
    size = {"width": width, "height": height}
    page = browser.new_page(viewport=size, device_scale_factor=density)
    # A page says "idle" also before it has read the notebook: first there must be a kernel.
    with page.expect_event("websocket", lambda socket: "/channels" in socket.url, timeout=60_000):
        page.goto(f"{address}/lab/tree/{name}.ipynb?reset")
    page.wait_for_selector(".jp-Notebook .jp-Cell", timeout=60_000)
    page.wait_for_selector(".jp-Notebook-ExecutionIndicator[data-status='idle']", timeout=60_000)
    return page


def set_theme(folder, theme, windowing="none"):
    """Choose JupyterLab's light or dark theme, for the pages opened next, and no pop-ups.

    Without windowing all cells stay in the page, also those out of sight.
    """
    name = {"light": "JupyterLab Light", "dark": "JupyterLab Dark"}[theme]
    settings = {
        "apputils-extension/themes": {"theme": name},
        "apputils-extension/notification": {"fetchNews": "false", "checkForUpdates": False},
        "notebook-extension/tracker": {"windowingMode": windowing},
    }
    for plugin, values in settings.items():
        place = folder / f".settings/@jupyterlab/{plugin}.jupyterlab-settings"
        place.parent.mkdir(parents=True, exist_ok=True)
        place.write_text(json.dumps(values))


def run_all(page, figure=".frapp-plot"):
    """Run all cells and wait until the explorer and its figure are there."""
    _press_run_all(page)
    page.wait_for_selector(f".frapp-explorer {figure} .main-svg", timeout=60_000)
    page.wait_for_timeout(500)


def _press_run_all(page):
    page.click(".jp-Notebook .jp-Cell >> nth=0")
    page.keyboard.press("Escape")
    page.evaluate("() => document.body.focus()")
    page.get_by_role("menuitem", name="Run", exact=True).click()
    _choose(page, "Run All Cells")


def _choose(page, name):
    """Choose from the open menu: a lesson may have the same words in its text."""
    page.locator(".lm-Menu").get_by_text(name, exact=True).click()


# In the page: the cells' numbers as they stand beside them, "[3]:" once a cell has run. A cell
# whose code is folded away shows none.
PROMPTS = """() => [...document.querySelectorAll('.jp-CodeCell .jp-InputPrompt')]
  .map(prompt => prompt.innerText.trim())"""
FIGURES = ".frapp-explorer, .jp-RenderedPlotly"


def run_lesson(page):
    """Clear a notebook, run it, and wait until all cells have run and all figures show."""
    page.get_by_role("menuitem", name="Edit", exact=True).click()
    _choose(page, "Clear Outputs of All Cells")
    _press_run_all(page)
    n_cells = len(page.evaluate(PROMPTS))
    wanted = [f"[{number}]:" for number in range(1, n_cells + 1)]
    for _ in range(600):
        shown = page.evaluate(PROMPTS)
        if all(prompt in ("", number) for prompt, number in zip(shown, wanted, strict=True)):
            break
        page.wait_for_timeout(200)
    else:
        said = page.locator(".jp-CodeCell .jp-OutputArea").all_inner_texts()
        raise TimeoutError(f"the cells' numbers are {page.evaluate(PROMPTS)}; they say {said}")
    for figure in page.locator(FIGURES).all():
        figure.scroll_into_view_if_needed()
        figure.locator(".main-svg").first.wait_for(timeout=60_000)
    page.wait_for_timeout(1000)


def pictures(page) -> dict[int, bytes]:
    """A PNG of every figure and explorer, by the number of its code cell."""
    if page.locator(".frapp-explorer").count():
        page.wait_for_timeout(8000)  # the bands are drawn while nothing moves
    made = {}
    for number, cell in enumerate(page.locator(".jp-CodeCell").all()):
        figures = cell.locator(FIGURES)
        if figures.count():
            made[number] = figures.first.screenshot()
    return made
