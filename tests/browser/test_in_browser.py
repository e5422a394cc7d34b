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
    run_lesson,
    set_theme,
)

from frapp_lab import explorers

NAMES = [kind.__name__ for kind in explorers.every()]
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


def state(place):
    """All data of the figure and the text under it, in a page or in one explorer of it."""
    data = place.locator(".js-plotly-plot").evaluate(
        "plot => JSON.stringify(plot.data.map(t => [t.x, t.y, t.z, t.text]))"
    )
    return data, place.locator(".frapp-summary").inner_text()


def wait_for_change(page, before, what, place=None):
    """Wait until both the figure and the summary differ; say which did not."""
    for _ in range(100):
        now = state(place or page)
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


def move_by_keyboard(page, handle, place=None):
    """Down, or up where it is at its lowest, by as few of six steps as can be seen."""
    key = "ArrowRight" if is_at(handle, "min") else "ArrowLeft"
    before = state(place or page)
    handle.focus()
    for _ in range(6):
        page.keyboard.press(key)
        page.wait_for_timeout(250)
        if all(now != old for now, old in zip(state(place or page), before, strict=True)):
            return


def drag(page, handle):
    """Half its length to the right, or to the left where it is at its highest."""
    highest = is_at(handle, "max")
    box = handle.bounding_box()
    x, y = box["x"] + box["width"] / 2, box["y"] + box["height"] / 2
    page.mouse.move(x, y)
    page.mouse.down()
    page.mouse.move(x + (-130 if highest else 130), y, steps=5)
    page.mouse.up()


# In the page: what kind each axis is, and from where to where it goes.
AXES = """plot => Object.entries(plot._fullLayout)
  .filter(([name, axis]) => /^[xy]axis[0-9]*$/.test(name) && axis.range)
  .map(([name, axis]) => [name, axis.type, axis.range, axis._categories ?? []])"""


def drawn(page):
    """The figure as the page draws it: its axes, and its picture without a pointer on it."""
    page.mouse.move(0, 0)
    page.wait_for_timeout(300)
    plot = page.locator(".js-plotly-plot")
    return plot.evaluate(AXES), plot.screenshot()


def test_after_every_slider_and_reset_the_first_picture_is_back(opened):
    first, (axes, picture) = state(opened), drawn(opened)
    handles = opened.locator(HANDLES)
    for i in range(handles.count()):
        before = state(opened)
        move_by_keyboard(opened, handles.nth(i))
        wait_for_change(opened, before, f"slider {i}")
    kinds = {name: kind for name, kind, *_ in axes}
    assert {name: kind for name, kind, *_ in drawn(opened)[0]} == kinds
    opened.locator(".frapp-explorer button", has_text="Reset").click()
    for _ in range(100):
        if state(opened) == first:
            break
        opened.wait_for_timeout(50)
    assert state(opened) == first
    axes_now, picture_now = drawn(opened)
    assert axes_now == axes
    assert picture_now == picture


def test_every_slider_works_by_keyboard_and_by_mouse(opened):
    handles = opened.locator(HANDLES)
    assert handles.count() >= 1
    for i in range(handles.count()):
        for move in (move_by_keyboard, drag):
            before = state(opened)
            move(opened, handles.nth(i))
            wait_for_change(opened, before, f"slider {i}, {move.__name__}")


def test_lists_boxes_and_buttons_work(opened):
    # From the first setting: where the sliders were left there may be nothing random to draw anew.
    opened.locator(".frapp-explorer button", has_text="Reset").click()
    opened.wait_for_timeout(1000)
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
        if label == "Reset":
            move_by_keyboard(opened, opened.locator(HANDLES).first)
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


def assert_nothing_is_cut_off(explorer, theme):
    found = explorer.evaluate(
        """explorer => {
          const box = selector => explorer.querySelector(selector).getBoundingClientRect();
          const root = explorer.getBoundingClientRect();
          return {left: box('.main-svg').left - root.left,
                  over: box('.main-svg').right - root.right,
                  textOver: box('.frapp-summary').right - root.right,
                  paper: explorer.querySelector('.js-plotly-plot').layout.paper_bgcolor,
                  colour: getComputedStyle(explorer.querySelector('.frapp-summary')).color};
        }"""
    )
    assert found["left"] >= -1
    assert found["over"] <= 1
    assert found["textOver"] <= 1
    assert found["paper"] == "white"
    channels = [int(v) for v in re.findall(r"\d+", found["colour"])[:3]]
    assert (sum(channels) > 3 * 128) == (theme == "dark")  # light text on a dark page


def test_nothing_is_cut_off_in_the_light_theme(opened):
    assert_nothing_is_cut_off(opened.locator(".frapp-explorer"), "light")


@pytest.fixture(scope="module")
def all_in_one(lab):
    """All explorers in one notebook, on a narrow dark page where anywidget does not wait.

    It waits two seconds for a figure's script, which is too short on a busy machine.
    """
    folder, address, browser = lab
    shows = [f"ex = explorers.{name}()\nex" for name in NAMES]
    notebook(folder, "All", "from frapp_lab import explorers", *shows)
    set_theme(folder, "dark")
    no_wait = """const timeout = AbortSignal.timeout.bind(AbortSignal);
                 AbortSignal.timeout = ms => timeout(ms === 2000 ? 1 : ms);"""
    page = open_notebook(browser, address, "All", width=900, height=1400, script=no_wait)
    run_lesson(page)
    yield page
    page.close()


@pytest.mark.parametrize("number", range(len(NAMES)), ids=NAMES)
def test_on_one_narrow_dark_page_nothing_is_cut_off_and_each_moves(all_in_one, number):
    explorer = all_in_one.locator(".frapp-explorer").nth(number)
    explorer.scroll_into_view_if_needed()
    assert_nothing_is_cut_off(explorer, "dark")
    before = state(explorer)
    handle = explorer.locator(".noUi-handle:visible").first
    move_by_keyboard(all_in_one, handle, explorer)
    wait_for_change(all_in_one, before, "first slider", explorer)
