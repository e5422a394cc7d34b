"""Every lesson in a real browser: "Run All" from top to bottom, and nothing looks wrong."""

import os
import shutil
from pathlib import Path

import pytest
from lab import FIGURES, chromium, jupyterlab, open_notebook, require_browser, run_lesson, set_theme

NOTEBOOKS = Path(__file__).parent.parent.parent / "notebooks"
NAMES = [path.stem for path in sorted(NOTEBOOKS.glob("*.ipynb"))]

# In the page: texts that a lesson must not show, and what is wider than its place.
FAULTS = """() => {
  const found = [];
  for (const bad of document.querySelectorAll(
      '.jp-RenderedText[data-mime-type*="stderr"], .jp-mod-error, .frapp-failed,'
      + '.frapp-sign:not(:empty)'))
    found.push(bad.innerText);
  for (const output of document.querySelectorAll('.jp-Notebook .jp-OutputArea-output'))
    if (output.scrollWidth > output.clientWidth + 2)
      found.push('too wide: ' + output.innerText.slice(0, 80));
  for (const maths of document.querySelectorAll('.jp-RenderedMarkdown'))
    if (/\\$\\$|\\\\(frac|begin|sum|rho|gamma)/.test(maths.innerText))
      found.push('formula not typeset: ' + maths.innerText.slice(0, 80));
  return found;
}"""


@pytest.fixture(scope="module")
def lab(tmp_path_factory):
    require_browser()
    folder = tmp_path_factory.mktemp("lessons")
    shutil.copytree(NOTEBOOKS, folder / "notebooks")
    set_theme(folder, "light")
    with jupyterlab(folder) as address, chromium() as browser:
        yield address, browser


@pytest.mark.parametrize("name", NAMES)
def test_a_notebook_runs_from_top_to_bottom(lab, name):
    address, browser = lab
    page = open_notebook(browser, address, f"notebooks/{name}", height=1400)
    faults = []
    page.on("pageerror", lambda error: faults.append(str(error)))
    run_lesson(page)
    shown = page.locator(FIGURES).count()
    drawn = page.locator(FIGURES).locator(".main-svg").count()
    faults += page.evaluate(FAULTS)
    folder = os.environ.get("FRAPP_LAB_PAGES")
    if folder:  # to look at the whole page
        height = page.evaluate(
            "() => [...document.querySelectorAll('.jp-Cell')]"
            ".reduce((sum, cell) => sum + cell.offsetHeight, 0)"
        )
        page.set_viewport_size({"width": 1280, "height": min(height + 200, 16000)})
        page.locator(".jp-Cell").first.scroll_into_view_if_needed()
        page.wait_for_timeout(500)
        page.screenshot(path=Path(folder) / f"{name}.png")
        page.locator(".jp-Cell").last.scroll_into_view_if_needed()
        page.wait_for_timeout(500)
        page.screenshot(path=Path(folder) / f"{name}_end.png")
    page.close()
    assert not faults
    assert drawn >= shown
