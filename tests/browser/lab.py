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


def what_is_missing() -> str | None:
    """How to get what these tests need, if it is not there."""
    try:
        import playwright  # noqa: F401
    except ImportError:
        return "needs Playwright: pip install -r .ci/requirements.txt"
    if find_browser() is None:
        return "needs Chromium: apt-get install chromium (or your system's package of it)"
    return None


@contextlib.contextmanager
def jupyterlab(folder: Path):
    """Run JupyterLab in a folder, without a token, for this machine only; gives its address."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    settings = {
        "JUPYTER_CONFIG_DIR": str(folder / ".config"),
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


def open_notebook(browser, address, name, width=1280, height=800):
    """A page with the notebook opened."""
    page = browser.new_page(viewport={"width": width, "height": height})
    page.goto(f"{address}/lab/tree/{name}.ipynb?reset")
    page.wait_for_selector(".jp-Notebook .jp-Cell", timeout=60_000)
    page.wait_for_selector(".jp-Notebook-ExecutionIndicator[data-status='idle']", timeout=60_000)
    return page


def set_theme(folder, theme):
    """Choose JupyterLab's light or dark theme, for the pages opened next, and no pop-ups."""
    name = {"light": "JupyterLab Light", "dark": "JupyterLab Dark"}[theme]
    settings = {
        "themes": {"theme": name},
        "notification": {"fetchNews": "false", "checkForUpdates": False},
    }
    place = folder / ".settings/@jupyterlab/apputils-extension"
    place.mkdir(parents=True, exist_ok=True)
    for plugin, values in settings.items():
        (place / f"{plugin}.jupyterlab-settings").write_text(json.dumps(values))


def run_all(page):
    """Run all cells and wait until the explorer and its figure are there."""
    page.click(".jp-Notebook .jp-Cell >> nth=0")
    page.keyboard.press("Escape")
    page.evaluate("() => document.body.focus()")
    page.get_by_role("menuitem", name="Run", exact=True).click()
    page.get_by_text("Run All Cells", exact=True).click()
    page.wait_for_selector(".frapp-explorer .js-plotly-plot .main-svg", timeout=60_000)
    page.wait_for_timeout(500)


def summary(page) -> str:
    """The text that stands under the figure."""
    return page.inner_text(".frapp-explorer .frapp-summary")
