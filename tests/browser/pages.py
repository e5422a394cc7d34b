"""What a page draws, what Python holds, and how both are moved and compared."""

import json
import os
import random
import re
import tempfile
import urllib.request
from pathlib import Path

import pytest

TELL = (
    "import json\n"
    "print('STATE', json.dumps({'state': ex.card.state, 'settled': ex.is_settled,"
    " 'error': str(ex.error or '')}))"
)


class Kernel:
    """Asks a kernel, apart from its page."""

    def __init__(self, connection_file):
        from jupyter_client import BlockingKernelClient

        self.client = BlockingKernelClient()
        self.client.load_connection_file(str(connection_file))
        self.client.start_channels()

    @classmethod
    def of_notebook(cls, folder, address, name):
        sessions = json.load(urllib.request.urlopen(f"{address}/api/sessions"))
        found = next(s["kernel"]["id"] for s in sessions if s["path"] == f"{name}.ipynb")
        return cls(folder / f".runtime/kernel-{found}.json")

    def ask(self, code=TELL):
        said = []
        self.client.execute_interactive(
            code, timeout=60, store_history=False,
            output_hook=lambda m: said.append(m["content"].get("text", "")),
        )  # fmt: skip
        found = re.search(r"STATE (.*)", "".join(said))
        return json.loads(found.group(1)) if found else "".join(said)


ODD = "<img src=x onerror=\"document.title='ran'\"><b>A</b> & &lt;"


def no_markup(page):
    """Nothing of the odd label has become an element, and it is seen letter by letter."""
    card = page.locator(".frapp-explorer").first
    assert card.locator("img").count() == 0
    for bold in card.locator("b, [style*='font-weight']").all_text_contents():
        assert bold != "A"
    assert page.title() != "ran"
    return [" ".join(t.split()) for t in card.locator("text, span, label").all_text_contents()]


def slow_down(page, rate):
    page.context.new_cdp_session(page).send("Emulation.setCPUThrottlingRate", {"rate": rate})


# In the page: the figure as it is drawn, without what the card itself adds (ghosts, marks).
# A point is lost if it is hidden though its place is in the panel.
DRAWN = """card => {
  const [plot, under] = ['plot', 'under'].map(name => card.querySelector(`.frapp-${name}`));
  const own = plot.data.filter(t => !t.meta.startsWith('frapp-'));
  const axes = Object.fromEntries(Object.entries(plot._fullLayout)
    .filter(([name, axis]) => /^[xy]axis[0-9]*$/.test(name) && axis.range)
    .map(([name, axis]) => [name, [axis.type, axis.range]]));
  const isIn = (value, axis) => {
    const [low, high] = [...axis.range].sort((a, b) => a - b);
    const at = axis.d2l(value);
    return at > low && at < high;
  };
  const lost = [...plot.querySelectorAll('.scatterlayer .trace')].flatMap(group => {
    const { xaxis, yaxis } = group.__data__[0].trace;
    const [x, y] = [xaxis, yaxis].map(name => plot._fullLayout[name.replace(/^./, '$&axis')]);
    return [...group.querySelectorAll('.point')]
      .filter(p => p.getAttribute('display') === 'none')
      .filter(p => isIn(p.__data__.x, x) && isIn(p.__data__.y, y));
  }).length;
  return {
    lost, drawn: card.dataset.drawn, waiting: card.dataset.waiting ?? '', axes,
    before: (under.data ?? []).filter(t => t.meta === 'frapp-ghost').length,
    data: own.map(t => Object.fromEntries(['meta', 'x', 'y', 'z', 'text', 'base']
      .filter(f => t[f] !== undefined).map(f => [f, t[f]]))),
    headline: card.querySelector('.frapp-headline').textContent,
    words: card.querySelector('.frapp-summary').textContent,
    numbers: [...card.querySelectorAll('.frapp-tile b')].map(b => b.textContent).filter(Boolean),
  };
}"""


def drawn(page, card=None):
    return (card or page.locator(".frapp-card").first).evaluate(DRAWN)


def settled(page, card=None, ask=TELL):
    """Wait until the kernel has nothing left to do and the page shows its state."""
    for _ in range(300):
        page.wait_for_timeout(100)  # a key that was just pressed is on its way
        said, shown = page.kernel.ask(ask), drawn(page, card)
        is_same = shown["drawn"].split()[0] == said["state"]["id"]
        if said["settled"] and is_same and not shown["waiting"]:
            return said["state"]
    raise AssertionError(
        f"settled: {said['settled']}; the kernel shows {said['state']['id']}, the page "
        f"{drawn(page, card)['drawn']}"
    )


def assert_page_shows(page, state, card=None):
    """Axes, data and words in the page are those that Python holds."""
    shown = drawn(page, card)
    wanted = [
        {f: trace[f] for f in ("meta", "x", "y", "z", "text", "base") if f in trace}
        for trace in state["data"]
    ]
    assert shown["data"] == wanted
    assert shown["lost"] == 0
    for name, (kind, ends) in shown["axes"].items():
        axis = state["layout"][name]
        assert kind == axis["type"], name
        assert ends == pytest.approx(axis["range"]), name
    assert shown["headline"] == state["headline"]
    assert shown["words"] == state["words"]
    assert shown["numbers"] == [number["value"] for number in state["numbers"]]


def look(page, number=0):
    """Pictures of the headline with its numbers and of the figure, without pointer and focus.

    They are painted as a whole: where a browser paints only what changed, shades differ a little.
    """
    page.evaluate(
        "() => { document.activeElement.blur(); for (const e of document.querySelectorAll("
        "'.jp-WindowedPanel-outer, .jp-Notebook')) e.scrollTop = 0; }"
    )
    page.mouse.move(0, 0)
    places = [page.locator(place).nth(number) for place in (".frapp-head", ".frapp-figure")]
    for shown in ("hidden", ""):
        for place in places:
            place.evaluate("(e, shown) => { e.style.visibility = shown; }", shown)
        page.wait_for_timeout(300)
    return [place.screenshot() for place in places]


def assert_same_picture(now, before):
    """Pixel for pixel; where they differ, both are kept to be looked at."""
    if now != before:
        folder = Path(tempfile.mkdtemp(prefix="frapp-pictures-"))
        for number, (old, new) in enumerate(zip(before, now, strict=True)):
            (folder / f"before{number}.png").write_bytes(old)
            (folder / f"now{number}.png").write_bytes(new)
        raise AssertionError(f"the pictures differ: see {folder}")


def open_folds(page, number=0):
    for fold in page.locator(".frapp-explorer").nth(number).locator(".frapp-fold:visible").all():
        if fold.get_attribute("aria-expanded") == "false":
            fold.click()


def close_folds(page, number=0):
    for fold in page.locator(".frapp-explorer").nth(number).locator(".frapp-fold:visible").all():
        if fold.get_attribute("aria-expanded") == "true":
            fold.click()


def random_move(page, luck, number=0):
    """Move one of the controls that are in sight, as a person would."""
    explorer = page.locator(".frapp-explorer").nth(number)
    kinds = {
        "range": "input[type=range]:visible", "step": "button.frapp-step:visible:enabled",
        "check": "input[type=checkbox]:visible", "radio": "input[type=radio]:visible",
        "list": "select:visible", "draw": "button:visible:has-text('New draw')",
        "box": ".frapp-bar input.frapp-box:visible",
    }  # fmt: skip
    places = [(k, control) for k, s in kinds.items() for control in explorer.locator(s).all()]
    kind, control = luck.choice(places)
    if kind == "range":
        keys = ["ArrowLeft", "ArrowRight", "ArrowUp", "ArrowDown", "PageUp", "Home", "End"]
        control.focus()
        for _ in range(luck.randint(1, 4)):
            page.keyboard.press(luck.choice(keys))
    elif kind == "list":
        number = control.evaluate("s => s.options.length")
        control.select_option(index=luck.randrange(number))
    else:
        control.click()
    page.wait_for_timeout(luck.choice([0, 60, 300, 1300]))


def move_and_reset(page, moves, number=0, ask=TELL):
    """Random moves of one explorer, then Reset: the page always shows what Python holds."""
    card = page.locator(".frapp-card").nth(number)
    open_folds(page, number)
    first_state, first = settled(page, card, ask), look(page, number)
    assert_page_shows(page, first_state, card)
    assert drawn(page, card)["before"] == 0
    luck = random.Random(5)
    for move in range(1, moves + 1):
        random_move(page, luck, number)
        if move % 10 == 0 or move == moves:
            assert_page_shows(page, settled(page, card, ask), card)
    page.locator(".frapp-explorer").nth(number).locator("button", has_text="Reset").click()
    state = settled(page, card, ask)
    assert state == first_state
    assert_page_shows(page, state, card)
    assert drawn(page, card)["before"] == 0
    assert_same_picture(look(page, number), first)
    close_folds(page, number)


def audit(page, selector):
    """The serious faults that axe-core finds (WCAG A and AA)."""
    script = Path(os.environ.get("FRAPP_LAB_AXE", ""))
    if not script.is_file():
        (pytest.fail if os.environ.get("FRAPP_LAB_FULL") else pytest.skip)(
            "FRAPP_LAB_AXE must name axe.min.js (npm install axe-core)"
        )
    page.add_script_tag(path=str(script))
    found = page.evaluate(
        "where => axe.run(where, {runOnly: ['wcag2a', 'wcag2aa', 'wcag21aa']})", selector
    )
    assert found["passes"]
    return [
        (fault["id"], [node["html"][:200] for node in fault["nodes"]])
        for fault in found["violations"]
        if fault["impact"] in ("serious", "critical")
    ]
