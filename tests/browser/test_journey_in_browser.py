"""Journey in a real browser: what stands on the stage is what Python holds."""

import json
import random

import numpy as np
import pytest

# The folder of these tests is on the path, because it is no package.
from lab import chromium, jupyterlab, notebook, open_notebook, require_browser, run_all, set_theme
from pages import Kernel

from frapp_lab.explorers.models import journey as model

MAKE = "from frapp_lab import explorers\nex = explorers.Journey()\nex"
TELL = (
    "import json\n"
    "from dataclasses import asdict\n"
    "print('STATE', json.dumps([asdict(ex.parameters()), ex.card.state['headline'], ex.summary]))"
)
LOOK = """() => {
  const card = document.querySelector('.frapp-card');
  const stage = card.querySelector('.frapp-stage');
  const dots = [...stage.querySelectorAll('.dots circle')]
    .sort((a, b) => a.dataset.person - b.dataset.person);
  return {
    dots: dots.map(d => ['cx', 'cy', 'fill', 'opacity'].map(a => d.getAttribute(a))),
    rows: dots.map(d => d.dataset.row),
    big: [...stage.querySelectorAll('.front .big')].map(t => t.textContent),
    drawing: stage.innerHTML.replace(/<g class="dots">.*?<\\/g>/, ''),
    headline: card.querySelector('.frapp-headline').textContent,
    words: card.querySelector('.frapp-summary').textContent,
    height: document.querySelector('.frapp-explorer').getBoundingClientRect().height,
    stale: document.querySelector('.frapp-explorer').classList.contains('frapp-stale'),
  };
}"""


@pytest.fixture(scope="module")
def lab(tmp_path_factory):
    require_browser()
    folder = tmp_path_factory.mktemp("journey")
    notebook(folder, "Journey", MAKE)
    set_theme(folder, "light")
    with jupyterlab(folder) as address, chromium() as browser:
        yield folder, address, browser


@pytest.fixture
def page(lab):
    folder, address, browser = lab
    page = open_notebook(browser, address, "Journey", height=1000)
    page.faults = []
    page.on("pageerror", lambda error: page.faults.append(str(error)))
    run_all(page)
    page.wait_for_timeout(1500)
    page.kernel = Kernel.of_notebook(folder, address, "Journey")
    yield page
    assert page.faults == []
    page.close()


def press(page, name):
    page.locator(f"[data-does={name}]").evaluate("b => b.click()")


def at_rest(page):
    """Wait until nothing moves any more and page and kernel say the same; give both."""
    before, calm = None, 0
    for _ in range(150):
        page.wait_for_timeout(200)
        shown, said = page.evaluate(LOOK), page.kernel.ask(TELL)
        is_same = shown["headline"] == said[1] and shown["words"] == said[2]
        calm = calm + 1 if shown == before and is_same and not shown["stale"] else 0
        before = shown
        if calm == 3:
            return model.compute(model.Parameters(**said[0])), shown
    raise AssertionError(f"{shown['headline']!r} in the page, {said[1]!r} in the kernel")


def assert_stands_right(result, shown):
    rows = [str(r) if i < result.sent else "" for i, r in enumerate(result.reports)]
    assert shown["rows"] == rows
    if not result.undo and result.sent:
        assert shown["big"] == [str(count) for count in result.counts]
    if result.undo == model.UNDONE:
        told = [float(text.replace("−", "-")) for text in shown["big"] if text not in "»«"]
        np.testing.assert_allclose(told, result.estimate, rtol=6e-3, atol=1e-6)


def test_what_is_pressed_is_what_stands_there(page):
    """Sixty random actions; every dot in the model's row; Reset is the first picture."""
    chance = random.Random(7)
    first = at_rest(page)[1]
    slider = page.locator(".frapp-explorer input[type=range]").first
    for step in range(60):
        does = chance.choice(["one", "one", "play", "all", "undo", "row", "column", "gamma", "new"])
        if does == "gamma":
            slider.focus()
            for _ in range(chance.randint(1, 12)):
                page.keyboard.press(chance.choice(["ArrowLeft", "ArrowRight"]))
        elif does == "new":
            page.locator(".frapp-explorer button", has_text="New draw").click()
        elif does in ("row", "column"):
            page.locator(f'[data-look="{does} {chance.randrange(5)}"]').click()
        else:
            press(page, does)
        page.wait_for_timeout(chance.choice([30, 200, 900]))
        if step % 10 == 9:
            press(page, "all")
            result, shown = at_rest(page)
            assert_stands_right(result, shown)
            assert shown["height"] == first["height"]
            if step < 50:
                page.locator(".frapp-explorer button", has_text="Reset").first.click()
                at_rest(page)
    page.locator(".frapp-explorer button", has_text="Reset").first.click()
    again = at_rest(page)[1]
    assert again == first


def test_two_hundred_people_and_every_scheme(page):
    for scheme in model.SCHEMES:
        code = f"ex.set(scheme={scheme!r}, people=200, sent=0, undo=0, look='everybody', gamma=6.0)"
        page.kernel.ask(code)
        at_rest(page)
        press(page, "all")
        page.wait_for_timeout(2500)
        result, shown = at_rest(page)
        assert (result.sent, result.parameters.scheme) == (200, scheme)
        assert_stands_right(result, shown)
        page.locator(".frapp-explorer input[type=range]").first.focus()
        for _ in range(6):
            page.keyboard.press("ArrowRight")
        assert_stands_right(*at_rest(page))
        press(page, "undo")
        page.wait_for_timeout(5000)
        result, shown = at_rest(page)
        assert result.undo == model.UNDONE
        assert_stands_right(result, shown)


def test_keys_step_and_nothing_leaves_the_stage(page):
    """By keyboard, with reduced motion: N sends one, U undoes by steps, Tab reaches letters."""
    page.emulate_media(reduced_motion="reduce")
    page.locator("[data-does=one]").focus()
    for _ in range(3):
        page.keyboard.press("n")
    page.keyboard.press("p")
    assert at_rest(page)[0].sent == 13
    for step in (1, 2, 3):
        page.keyboard.press("u")
        assert at_rest(page)[0].undo == step
    for _ in range(4):  # over the four buttons
        page.keyboard.press("Tab")
    assert page.evaluate("document.activeElement.getAttribute('aria-label')").startswith("value A")
    page.keyboard.press("Enter")
    assert at_rest(page)[0].look == ("column", 0)
    root = page.locator(".frapp-explorer").first
    for width in (336, 620, 0):
        root.evaluate("(e, w) => { e.style.width = w ? `${w}px` : ''; }", width)
        page.wait_for_timeout(500)
        outside = page.evaluate(
            """() => { const box = document.querySelector('.frapp-plot').getBoundingClientRect();
            return [...document.querySelectorAll('.frapp-stage text, .frapp-stage circle')]
              .map(n => [n.textContent, n.getBoundingClientRect()])
              .filter(([, b]) => b.width && (b.left < box.left - 2 || b.right > box.right + 2))
              .map(([t]) => t); }"""
        )
        assert outside == [], width


def test_a_late_answer_takes_nothing_back(page):
    """The kernel's older answers come while people stream; none of them sends anybody home."""
    seen = []
    press(page, "all")
    for _ in range(25):
        page.wait_for_timeout(80)
        seen.append(sum(row != "" for row in page.evaluate(LOOK)["rows"]))
    assert seen == sorted(seen), json.dumps(seen)
    assert at_rest(page)[0].sent == 60
