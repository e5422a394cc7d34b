"""Every explorer in a real browser: JupyterLab in headless Chromium."""

import re

import pytest

# The folder of these tests is on the path, because it is no package.
from lab import (
    chromium,
    jupyterlab,
    notebook,
    open_notebook,
    require_browser,
    run_all,
    set_theme,
    summary,
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


@pytest.fixture(scope="module")
def lab(tmp_path_factory):
    require_browser()
    folder = tmp_path_factory.mktemp("lab")
    for name in NAMES:
        notebook(folder, name, f"from frapp_lab import explorers\nex = explorers.{name}()\nex")
    set_theme(folder, "light")
    with jupyterlab(folder) as address, chromium() as browser:
        yield folder, address, browser


@pytest.fixture(scope="module", params=NAMES)
def opened(lab, request):
    """One explorer, running in a page; the tests of one explorer share it."""
    _, address, browser = lab
    page = open_notebook(browser, address, request.param, height=1400)
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
            page.wait_for_timeout(300)  # further key presses may be on their way
            return
        page.wait_for_timeout(50)
    raise AssertionError(
        f"{what}: figure {'changed' if now[0] != before[0] else 'did not change'}, "
        f"summary {'changed' if now[1] != before[1] else 'did not change'}"
    )


def is_at(handle, end):
    """Whether a slider stands at its "min" or "max", where it can move only one way."""
    place = handle.evaluate(
        """handle => {
             const base = handle.closest('.noUi-base').getBoundingClientRect();
             const knob = handle.getBoundingClientRect();
             return ((knob.left + knob.right) / 2 - base.left) / base.width;
           }"""
    )
    return place < 0.02 if end == "min" else place > 0.98


def move_by_keyboard(page, handle):
    """Six steps down, or up where it is at its lowest."""
    lowest = is_at(handle, "min")
    handle.focus()
    for _ in range(6):
        page.keyboard.press("ArrowRight" if lowest else "ArrowLeft")


def drag(page, handle):
    """Half its length to the right, or to the left where it is at its highest."""
    highest = is_at(handle, "max")
    box = handle.bounding_box()
    x, y = box["x"] + box["width"] / 2, box["y"] + box["height"] / 2
    page.mouse.move(x, y)
    page.mouse.down()
    page.mouse.move(x + (-130 if highest else 130), y, steps=5)
    page.mouse.up()


def test_every_slider_works_by_keyboard_and_by_mouse(opened):
    handles = opened.locator(HANDLES)
    assert handles.count() >= 1
    for i in range(handles.count()):
        for move in (move_by_keyboard, drag):
            before = state(opened)
            move(opened, handles.nth(i))
            wait_for_change(opened, before, f"slider {i}, {move.__name__}")


def test_lists_boxes_and_buttons_work(opened):
    lists = opened.locator(".frapp-explorer select")
    for i in range(lists.count()):
        before = state(opened)
        index, number = lists.nth(i).evaluate("s => [s.selectedIndex, s.options.length]")
        lists.nth(i).select_option(index=(index + 1) % number)
        wait_for_change(opened, before, f"list {i}")
    checks = opened.locator(".frapp-explorer input[type=checkbox]")
    for i in range(checks.count()):
        before = state(opened)
        checks.nth(i).click()
        wait_for_change(opened, before, f"check box {i}")
    for label in ("New draw", "Reset"):
        button = opened.locator(".frapp-explorer button", has_text=label)
        if button.count():
            before = state(opened)
            button.first.click()
            wait_for_change(opened, before, label)


def test_a_reloaded_page_shows_the_current_state(opened):
    before = state(opened)
    move_by_keyboard(opened, opened.locator(HANDLES).first)
    wait_for_change(opened, before, "first slider")
    opened.wait_for_timeout(500)
    current = state(opened)
    opened.keyboard.press("Control+s")
    opened.wait_for_timeout(1500)
    opened.reload()
    opened.wait_for_selector(".frapp-explorer .js-plotly-plot .main-svg", timeout=60_000)
    for _ in range(100):
        if state(opened) == current:
            break
        opened.wait_for_timeout(100)
    assert state(opened) == current


def assert_nothing_is_cut_off(page, theme):
    found = page.evaluate(
        """() => {
          const box = selector => document.querySelector('.frapp-explorer ' + selector)
            .getBoundingClientRect();
          const root = document.querySelector('.frapp-explorer').getBoundingClientRect();
          const text = document.querySelector('.frapp-explorer .frapp-summary');
          const plot = document.querySelector('.frapp-explorer .js-plotly-plot');
          return {left: box('.main-svg').left - root.left,
                  over: box('.main-svg').right - root.right,
                  textOver: text.getBoundingClientRect().right - root.right,
                  paper: plot.layout.paper_bgcolor, colour: getComputedStyle(text).color};
        }"""
    )
    assert found["left"] >= -1
    assert found["over"] <= 1
    assert found["textOver"] <= 1
    assert found["paper"] == "white"
    channels = [int(v) for v in re.findall(r"\d+", found["colour"])[:3]]
    assert (sum(channels) > 3 * 128) == (theme == "dark")  # light text on a dark page


def test_nothing_is_cut_off_in_the_light_theme(opened):
    assert_nothing_is_cut_off(opened, "light")


@pytest.mark.parametrize("name", NAMES)
def test_nothing_is_cut_off_on_a_narrow_dark_page(lab, name):
    folder, address, browser = lab
    set_theme(folder, "dark")
    page = open_notebook(browser, address, name, width=900)
    run_all(page)
    assert_nothing_is_cut_off(page, "dark")
    page.close()
