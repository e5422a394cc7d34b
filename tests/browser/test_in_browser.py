"""Every explorer in a real browser: JupyterLab in headless Chromium."""

import os

import pytest

# The folder of these tests is on the path, because it is no package.
from lab import (
    chromium,
    jupyterlab,
    notebook,
    open_notebook,
    run_all,
    set_theme,
    summary,
    what_is_missing,
)

NAMES = [
    "RandomizedResponse",
    "Posterior",
    "Reconstruction",
    "Matrices",
    "Randomization",
    "ColumnByColumn",
    "Mining",
    "Playground",
]
HANDLES = ".frapp-explorer .noUi-handle:visible"


@pytest.fixture(scope="session")
def lab(tmp_path_factory):
    missing = what_is_missing()
    if missing and os.environ.get("FRAPP_LAB_FULL"):
        pytest.fail(missing)
    if missing:
        pytest.skip(missing)
    folder = tmp_path_factory.mktemp("lab")
    for name in NAMES:
        notebook(folder, name, f"from frapp_lab import explorers\nex = explorers.{name}()\nex")
    set_theme(folder, "light")
    with jupyterlab(folder) as address, chromium() as browser:
        yield folder, address, browser


@pytest.fixture
def opened(lab, name):
    _, address, browser = lab
    page = open_notebook(browser, address, name)
    faults = []
    page.on("pageerror", lambda error: faults.append(str(error)))
    run_all(page)
    yield page
    page.close()
    assert not faults


def picture(page):
    """All data of the figure, as the page has it."""
    return page.evaluate(
        """() => JSON.stringify(document.querySelector('.frapp-explorer .js-plotly-plot').data
                 .map(t => [t.x, t.y, t.z, t.text]))"""
    )


def state(page):
    return picture(page), summary(page)


def wait_for_change(page, before, what):
    """Wait until both the figure and the summary differ; say which did not."""
    for _ in range(100):
        now = state(page)
        if now[0] != before[0] and now[1] != before[1]:
            return
        page.wait_for_timeout(50)
    raise AssertionError(
        f"{what}: figure {'changed' if now[0] != before[0] else 'did not change'}, "
        f"summary {'changed' if now[1] != before[1] else 'did not change'}"
    )


every = pytest.mark.parametrize("name", NAMES)


@every
def test_every_slider_works_by_keyboard_and_by_mouse(opened, name):
    page = opened
    page.set_viewport_size({"width": 1280, "height": 1400})
    handles = page.locator(HANDLES)
    number = handles.count()
    if name == "ColumnByColumn":
        assert number >= 1
    else:
        assert number >= 2
    for i in range(number):
        before = state(page)
        handles.nth(i).focus()
        for _ in range(6):
            page.keyboard.press("ArrowLeft")
        wait_for_change(page, before, f"slider {i} by keyboard")
        before = state(page)
        box = handles.nth(i).bounding_box()
        x, y = box["x"] + box["width"] / 2, box["y"] + box["height"] / 2
        page.mouse.move(x, y)
        page.mouse.down()
        page.mouse.move(x + 45, y, steps=5)
        page.mouse.up()
        wait_for_change(page, before, f"slider {i} by mouse")


@every
def test_lists_boxes_and_buttons_work(opened, name):
    page = opened
    lists = page.locator(".frapp-explorer select")
    for i in range(lists.count()):
        before = state(page)
        lists.nth(i).select_option(index=1)
        wait_for_change(page, before, f"list {i}")
    checks = page.locator(".frapp-explorer input[type=checkbox]")
    for i in range(checks.count()):
        before = state(page)
        checks.nth(i).click()
        wait_for_change(page, before, f"check box {i}")
        checks.nth(i).click()
    for label in ("New draw", "Reset"):
        button = page.locator(".frapp-explorer button", has_text=label)
        if button.count():
            before = state(page)
            button.first.click()
            wait_for_change(page, before, label)


@every
def test_a_reloaded_page_shows_the_current_state(opened, name):
    page = opened
    before = state(page)
    page.locator(HANDLES).first.focus()
    for _ in range(6):
        page.keyboard.press("ArrowLeft")
    wait_for_change(page, before, "first slider")
    page.wait_for_timeout(500)
    current = state(page)
    page.keyboard.press("Control+s")
    page.wait_for_timeout(1500)
    page.reload()
    page.wait_for_selector(".frapp-explorer .js-plotly-plot .main-svg", timeout=60_000)
    for _ in range(100):
        if state(page) == current:
            break
        page.wait_for_timeout(100)
    assert state(page) == current


@every
@pytest.mark.parametrize(("theme", "width"), [("light", 1280), ("dark", 900)])
def test_nothing_is_cut_off_in_either_theme(lab, name, theme, width):
    folder, address, browser = lab
    set_theme(folder, theme)
    try:
        page = open_notebook(browser, address, name, width=width)
        run_all(page)
        page.wait_for_timeout(700)
        sizes = page.evaluate(
            """() => {
              const root = document.querySelector('.frapp-explorer').getBoundingClientRect();
              const plot = document.querySelector('.frapp-explorer .main-svg');
              const p = plot.getBoundingClientRect();
              const text = document.querySelector('.frapp-explorer .frapp-summary');
              const paper = document.querySelector('.frapp-explorer .js-plotly-plot')
                .layout.paper_bgcolor;
              return {left: p.left - root.left, over: p.right - root.right, paper,
                      columnOver: text.getBoundingClientRect().right - root.right,
                      colour: getComputedStyle(text).color};
            }"""
        )
        assert sizes["left"] >= -1
        assert sizes["over"] <= 1
        assert sizes["columnOver"] <= 1
        assert sizes["paper"] == "white"
        light = sum(int(v) for v in sizes["colour"][4:-1].split(",")[:3]) > 3 * 128
        assert light == (theme == "dark")  # light text on dark, dark text on light
        page.close()
    finally:
        set_theme(folder, "light")
