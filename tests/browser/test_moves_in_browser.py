"""Moves by hand in a real browser: drags that rest, a late kernel; words, pins and pictures."""

import base64
import random
import re

import pytest

# The folder of these tests is on the path, because it is no package.
from lab import chromium, jupyterlab, notebook, open_notebook, require_browser, run_all, set_theme
from pages import Kernel, assert_page_shows, drawn, settled

from frapp_lab import explorers

# Those with a page of their own have tests of their own.
NAMES = [kind.__name__ for kind in explorers.every() if not kind.page]
MAKE = """from frapp_lab import explorers
ex = explorers.{}()
ex"""
LATE = """import os, time
os.environ["FRAPP_LAB_FILM"] = "0"
from frapp_lab import explorers
ex = explorers.{}()
said = ex._state_now
def late():
    time.sleep(0.4)
    return said()
ex._state_now = late
ex"""


@pytest.fixture(scope="module")
def lab(tmp_path_factory):
    require_browser()
    folder = tmp_path_factory.mktemp("moves")
    set_theme(folder, "light")
    with jupyterlab(folder) as address, chromium() as browser:
        yield folder, address, browser


def opened(lab, name, code):
    folder, address, browser = lab
    notebook(folder, name, code)
    page = open_notebook(browser, address, name, height=1000)
    run_all(page)
    page.kernel = Kernel.of_notebook(folder, address, name)
    return page


# In the page: every 50 ms what the slider says, what is shown, and whether that is pale.
SAMPLE = """() => {
  const root = document.querySelector('.frapp-explorer');
  const box = root.querySelector('.frapp-slider.frapp-bar input.frapp-box');
  const text = (place) => [...root.querySelectorAll(place)].map(e => e.textContent).join(' | ');
  window.frappSeen = [];
  window.frappTimer = setInterval(() => window.frappSeen.push({
    at: performance.now(), box: box.value, key: text('.frapp-key'),
    shown: text('.frapp-headline') + ' | ' + text('.frapp-tile b'),
    drawn: root.querySelector('.frapp-card').dataset.drawn.split(' ')[0],
    pale: getComputedStyle(root.querySelector('.frapp-figure')).opacity < 0.5
       && getComputedStyle(root.querySelector('.frapp-head')).opacity < 0.5,
  }), 50);
}"""
LATEST = 300
"""ms: 150 until it pales, two samples, and a frame."""
SAMPLES = 6
"""So many samples: a page that is held up by the machine takes none, and then some at once."""


def drag_with_rests(page, luck):
    """Drag the first slider to and fro, with the button held while it rests."""
    track = page.locator(".frapp-explorer input[type=range]").first
    box = track.bounding_box()
    y = box["y"] + box["height"] / 2
    share = track.evaluate("e => e.value / e.max")
    page.mouse.move(box["x"] + 8 + share * (box["width"] - 16), y)
    page.mouse.down()
    for _ in range(3):
        page.mouse.move(box["x"] + luck.uniform(0.1, 0.9) * box["width"], y, steps=6)
        page.wait_for_timeout(luck.choice([300, 1500]))
    page.mouse.up()


def assert_honest(samples, state_of):
    """What is shown is of the slider's setting, or pale, or the mismatch is a moment old."""
    since = []
    for sample in samples:
        if state_of.get(sample["box"], sample["drawn"]) == sample["drawn"]:
            since = []
            continue
        since.append(sample["at"])
        is_new = sample["at"] - since[0] <= LATEST or len(since) < SAMPLES
        assert sample["pale"] or is_new, sample


@pytest.mark.parametrize("name", ["Playground", "Posterior", "Reconstruction", "Mining", "Belief"])
@pytest.mark.parametrize("make", [MAKE, LATE], ids=["film", "late"])
def test_a_drag_is_one_move_however_it_rests_and_however_late_the_kernel_is(lab, name, make):
    page = opened(lab, f"drag{name}{make is LATE}", make.format(name))
    luck, ask = random.Random(3), "import json\nprint('STATE', json.dumps(ids))"
    page.kernel.ask(
        "ids = {}\n"
        "def note(change):\n"
        "    state, (name, slider) = change['new'], next(iter(ex.held.items()))\n"
        "    ids[slider.declared.shown(state['at'][name])] = state['id'].rstrip('+')\n"
        "ex.card.feed.observe(note, 'state')"
    )
    for _ in range(2):
        settled(page)
        first = drawn(page)
        at = page.locator(".frapp-explorer input.frapp-box").first.input_value()
        page.evaluate(SAMPLE)
        drag_with_rests(page, luck)
        state = settled(page)
        samples = page.evaluate(
            "() => { clearInterval(window.frappTimer); return window.frappSeen; }"
        )
        ids = page.kernel.ask(ask)
        for sample in samples:
            sample["drawn"] = sample["drawn"].rstrip("+")
        assert_honest(samples, ids | {at: first["drawn"].split()[0].rstrip("+")})
        keys = {
            s["key"]
            for s in samples
            if s["key"] and s["drawn"] != first["drawn"].split()[0].rstrip("+")
        }
        assert all(key.endswith(f"= {at}") for key in keys - {samples[0]["key"]}), (at, keys)
        assert_page_shows(page, state)
    page.close()


# In the page: the boxes of words in figures, and what is drawn there, by panel.
WORDS = """() => {
  const root = document.querySelector('.frapp-explorer');
  const plot = root.querySelector('.frapp-plot');
  const origin = plot.getBoundingClientRect();
  const box = (e) => {
    const b = e.getBoundingClientRect();
    const [l, t] = [b.left - origin.left, b.top - origin.top];
    return { text: e.textContent, l, t, r: l + b.width, b: t + b.height };
  };
  const words = [...root.querySelectorAll('.frapp-note-in-figure')].map(box).filter(b => b.r > b.l);
  const meet = (a, b, m) => a.l < b.r - m && a.r > b.l + m && a.t < b.b - m && a.b > b.t + m;
  const over = [];
  const points = [...plot.querySelectorAll('.scatterlayer .trace .point')]
    .filter(p => p.getAttribute('display') !== 'none').map(box);
  words.forEach((a, i) => {
    for (const b of words.slice(i + 1)) if (meet(a, b, 2)) over.push([a.text, b.text]);
    for (const point of points) if (meet(a, point, 2)) over.push([a.text, 'a point']);
    if (a.l < -1 || a.r > origin.width + 1) over.push([a.text, 'the edge']);
  });
  return over;
}"""


@pytest.mark.parametrize("name", NAMES)
def test_words_in_a_figure_hide_neither_points_nor_each_other(lab, name):
    page = opened(lab, f"words{name}", MAKE.format(name))
    settled(page)
    root, found = page.locator(".frapp-explorer").first, {}
    for width in (0, 620, 336):
        root.evaluate("(e, w) => { e.style.width = w ? `${w}px` : ''; }", width)
        for key in ("", "Home", "End"):
            if key:
                root.locator("input[type=range]").first.focus()
                page.keyboard.press(key)
                settled(page)
            page.wait_for_timeout(300)
            if over := page.evaluate(WORDS):
                found[width or 848, key] = over
        root.locator("button", has_text="Reset").first.evaluate("b => b.click()")
        settled(page)
    page.close()
    assert found == {}


def test_a_pinned_state_stays_until_it_is_unpinned_and_reset_forgets_it(lab):
    page = opened(lab, "pin", MAKE.format("Posterior"))
    settled(page)
    page.get_by_role("button", name="Pin", exact=True).click()
    slider = page.locator(".frapp-explorer input[type=range]").first
    for key in ("Home", "End"):
        slider.press(key)
        settled(page)
        page.wait_for_timeout(1300)
    assert page.locator(".frapp-key").inner_text() == "pale: pinned, γ = 19"
    changes = page.locator(".frapp-change").all_inner_texts()
    assert changes[0].startswith("50 → ")
    page.get_by_role("button", name="Unpin").click()
    page.wait_for_timeout(200)
    assert page.locator(".frapp-key").inner_text() == "pale: before, γ = 1.01"
    page.get_by_role("button", name="Reset").click()
    settled(page)
    assert page.locator(".frapp-key").inner_text() == ""
    assert drawn(page)["before"] == 0
    page.close()


def test_pictures_have_all_words_in(lab):
    page = opened(lab, "save", MAKE.format("Playground"))
    settled(page)
    with page.expect_download() as svg:
        page.get_by_role("button", name="SVG", exact=True).click()
    text = svg.value.path().read_text(encoding="utf-8")
    words = re.findall(r"[\w.,–]*\w", page.locator(".frapp-headline").inner_text())
    words += page.locator(".frapp-tile b, .frapp-note-in-figure").all_inner_texts()
    told = text.replace("&#38;", "&")
    for word in words:
        assert word.strip() in told, word
    assert svg.value.suggested_filename == "Playground.svg"
    with page.expect_download() as png:
        page.get_by_role("button", name="PNG", exact=True).click()
    content = png.value.path().read_bytes()
    assert content.startswith(b"\x89PNG")
    shades = page.evaluate(
        """async (data) => {
          const image = new Image();
          image.src = 'data:image/png;base64,' + data;
          await image.decode();
          const canvas = document.createElement('canvas');
          [canvas.width, canvas.height] = [image.width, image.height];
          const pen = canvas.getContext('2d');
          pen.drawImage(image, 0, 0);
          const { data: dots } = pen.getImageData(0, 0, image.width, image.height);
          const seen = new Set();
          for (let i = 0; i < dots.length; i += 4) seen.add(dots.slice(i, i + 3).join());
          return [image.width, image.height, seen.size];
        }""",
        base64.b64encode(content).decode(),
    )
    assert shades[0] > 1500
    assert shades[1] > 600
    assert shades[2] > 200  # lines, areas and letters, not a blank page
    page.close()


def test_a_projector_shows_numbers_and_figure_with_letters_of_28_px(lab):
    page = opened(lab, "projector", MAKE.format("Playground"))
    page.set_viewport_size({"width": 1920, "height": 1080})
    settled(page)
    page.get_by_role("button", name="Full screen").click()
    page.wait_for_function("document.fullscreenElement !== null")
    page.wait_for_timeout(1200)
    sizes = page.evaluate(
        """places => [...document.querySelectorAll(`.frapp-explorer :is(${places})`)]
          .filter(e => e.textContent.trim() && e.getBoundingClientRect().width)
          .map(e => [parseFloat(getComputedStyle(e).fontSize), e.textContent.slice(0, 20)])""",
        ".frapp-headline, .frapp-tile b, .frapp-tile small, .frapp-note-in-figure, "
        ".frapp-plot text, .frapp-first label, .frapp-line",
    )
    assert [size for size in sizes if size[0] < 27.9] == []
    figure = page.locator(".frapp-figure").bounding_box()
    assert figure["y"] + figure["height"] <= 1081
    page.get_by_role("button", name="Leave full screen").click()
    page.wait_for_function("document.fullscreenElement === null")
    page.close()


def test_a_scheme_in_focus_stands_out_and_the_numbers_become_its(lab):
    page = opened(lab, "focus", MAKE.format("Playground"))
    state = settled(page)
    chip = page.locator(".frapp-chips .widget-checkbox", has_text="MASK")
    chip.hover()
    page.wait_for_timeout(400)
    shown = page.locator(".frapp-tile b").all_inner_texts()
    assert shown == [n["value"] for n in state["numbers_of"]["MASK"]]
    fade = page.locator(".frapp-plot").evaluate(
        "p => Object.fromEntries(p.data.map(t => [t.meta, t.opacity ?? 1]))"
    )
    assert fade["condition MASK"] == fade["run MASK"] == 1
    assert fade["condition C&P"] < 0.2
    page.mouse.move(2, 2)
    page.wait_for_timeout(400)
    assert page.locator(".frapp-tile b").all_inner_texts() == [n["value"] for n in state["numbers"]]
    chip.locator("input").focus()
    page.wait_for_timeout(400)
    assert page.locator(".frapp-tile b").all_inner_texts() == shown
    page.close()


def test_a_point_is_dragged_and_the_slider_follows(lab):
    page = opened(lab, "handle", MAKE.format("Posterior"))
    settled(page)
    handle = page.locator(".frapp-handle").first.bounding_box()
    x, y = handle["x"] + handle["width"] / 2, handle["y"] + handle["height"] / 2
    page.mouse.move(x, y)
    page.mouse.down()
    page.mouse.move(x + 80, y, steps=8)
    page.mouse.up()
    state = settled(page)
    assert state["at"]["prior"] > 15
    assert_page_shows(page, state)
    now = page.locator(".frapp-handle").first.bounding_box()
    assert abs(now["x"] - handle["x"] - 80) < 4  # it is under the pointer still
    assert page.locator(".frapp-key").inner_text() == "pale: before, prior (%) = 5"
    page.close()


def test_a_slider_of_the_domain_pales_the_card_until_the_answer(lab):
    page = opened(lab, "domain", LATE.format("Playground"))
    settled(page)
    slider = page.get_by_role("slider", name="cells of the domain")
    slider.focus()
    page.keyboard.press("Home")
    page.wait_for_timeout(320)
    assert page.locator(".frapp-explorer.frapp-stale").count() == 1
    state = settled(page)
    assert "64 cells" in state["words"]
    assert page.locator(".frapp-explorer.frapp-stale").count() == 0
    assert slider.input_value() == "0"
    page.close()
