"""Every explorer in a real browser: what the page draws is what Python holds.

Moves are real key presses and clicks. FRAPP_LAB_MOVES says how many random ones are made (the gate
makes few; `matrix.py` makes 60, slowed down, in other front ends and with other settings).
"""

import os
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
from pages import (
    ODD,
    TELL,
    Kernel,
    assert_page_shows,
    audit,
    close_folds,
    drawn,
    move_and_reset,
    no_markup,
    open_folds,
    settled,
    slow_down,
)

from frapp_lab import explorers

# Those with a page of their own have tests of their own.
NAMES = [kind.__name__ for kind in explorers.every() if not kind.page]
MOVES = int(os.environ.get("FRAPP_LAB_MOVES", "8"))
WINDOWING = os.environ.get("FRAPP_LAB_WINDOWING", "none")
MAKE = "from frapp_lab import explorers\nex = explorers.{}()\nex"


@pytest.fixture(scope="module")
def lab(tmp_path_factory):
    require_browser()
    folder = tmp_path_factory.mktemp("lab")
    for name in NAMES:
        notebook(folder, name, MAKE.format(name))
    set_theme(folder, "light", WINDOWING)
    with jupyterlab(folder) as address, chromium() as browser:
        yield folder, address, browser


@pytest.fixture(scope="module", params=NAMES)
def opened(lab, request):
    """One explorer, running in a page; the tests of one explorer share it."""
    folder, address, browser = lab
    page = open_notebook(browser, address, request.param, height=1000)
    page.frapp_faults = []
    page.on("pageerror", lambda error: page.frapp_faults.append(str(error)))
    run_all(page)
    page.kernel = Kernel.of_notebook(folder, address, request.param)
    yield page
    page.close()
    assert not page.frapp_faults


OWN = """from frapp_lab.explorers import controls, explore
slider = controls.Slider("gamma", "γ", 19, 1, 100, 1, "amplification")
ex = explore(lambda gamma: ({"odds": ([0, 1], [0, gamma])}, f"γ is {gamma:g}."), [slider])
ex"""


def test_an_explorer_of_ones_own_is_drawn(lab):
    """It has no numbers beside its headline."""
    folder, address, browser = lab
    notebook(folder, "own", OWN)
    page = open_notebook(browser, address, "own", height=1000)
    faults = []
    page.on("pageerror", lambda error: faults.append(str(error)))
    run_all(page)
    page.get_by_role("slider", name="γ").press("ArrowRight")
    page.get_by_text("γ is 20.", exact=True).first.wait_for()
    page.close()
    assert faults == []


ODD_OWN = f"""import frapp_lab as fl
from frapp_lab import explorers
from frapp_lab.explorers import controls
odd = {ODD!r}
group = [
    controls.Slider("a", odd, 1, 0, 2, 1, odd), controls.Text("b", odd, "", odd),
    controls.Switch("c", odd, True, odd), controls.Choice("d", odd, (odd, "e"), odd, odd),
    controls.Choice("f", odd, (odd, "e"), odd, odd, look="buttons"),
]
def towns(a, **said):
    return {{odd: ([odd, "b"], [1, 50 + a])}}, odd
notice = {{odd: {{"a": 2}}}}
ex = explorers.explore(towns, {{"A": group, odd: [controls.Seed()]}}, x=odd, y=odd, notice=notice)
ex"""
ODD_SCHEME = f"""import frapp_lab as fl
from frapp_lab import explorers
@fl.scheme({ODD!r})
class Odd(fl.GammaDiagonal):
    @classmethod
    def for_gamma(cls, schema, gamma):
        return cls(schema, gamma)
ex = explorers.Matrices(schemes=[{ODD!r}, "C&P"], gamma=5.0)
ex"""


def test_words_on_x_are_drawn_and_no_label_is_markup(lab):
    folder, address, browser = lab
    notebook(folder, "odd", ODD_OWN)
    page = open_notebook(browser, address, "odd", height=1000)
    run_all(page)
    kinds, points = page.locator(".frapp-plot").evaluate(
        "p => [p._fullLayout.xaxis.type, p.querySelectorAll('.scatterlayer .point').length]"
    )
    assert (kinds, points) == ("category", 2)
    seen = no_markup(page)
    assert sum(text == ODD for text in seen) >= 6  # axes, a tick, labels of controls
    assert page.locator(".xtick text").first.text_content() == ODD
    option = page.locator(".frapp-explorer option").first.text_content()
    assert option.replace("\xa0", " ") == ODD
    page.close()


def test_a_schemes_label_is_no_markup_and_a_missing_scheme_is_grey(lab):
    folder, address, browser = lab
    notebook(folder, "odd_scheme", ODD_SCHEME)
    page = open_notebook(browser, address, "odd_scheme", height=1000)
    run_all(page)
    assert ODD in no_markup(page)
    grey = page.locator(".frapp-chips .frapp-missing")
    assert grey.count() == 0
    box = page.get_by_role("textbox", name="amplification γ, exact value")
    for gamma, said in (
        ("4", ["▲ C&P: needs γ > 4"]),
        ("4.5", []),
        ("1.5", ["▲ C&P: needs γ > 4"]),
    ):
        box.fill(gamma)
        box.press("Enter")
        page.wait_for_function(
            "n => document.querySelectorAll('.frapp-missing').length === n", arg=len(said)
        )
        assert grey.all_text_contents() == said
    assert grey.get_attribute("title").startswith("gamma is 1.5 and K is 3: cut-and-paste")
    # In the figure the reason stands as it is, with its "<".
    page.get_by_label("matrix of").select_option("C&P")
    page.locator(".frapp-note-in-figure", has_text=re.compile(r"every\s*ρ\s*<\s*1")).wait_for()
    no_markup(page)
    page.get_by_role("checkbox", name="C&P").uncheck()
    page.wait_for_function("() => !document.querySelector('.frapp-chips .frapp-missing')")
    page.close()


CLIPBOARD = {
    "there": "",
    "undefined": "Object.defineProperty(navigator, 'clipboard', { value: undefined });",
    "refused": "navigator.clipboard.writeText = () => Promise.reject(new Error('no'));",
    "none at all": "Object.defineProperty(navigator, 'clipboard', { value: undefined });"
    "document.execCommand = () => false;",
}


def test_copied_is_said_only_when_it_was_copied(lab):
    folder, address, browser = lab
    notebook(folder, "copied", MAKE.format("Posterior"))
    for which, change in CLIPBOARD.items():
        page = open_notebook(browser, address, "copied", height=1000)
        faults = []
        page.on("pageerror", lambda error, faults=faults: faults.append(str(error)))
        page.context.grant_permissions(["clipboard-read", "clipboard-write"])
        page.evaluate("() => navigator.clipboard.writeText('old')")
        run_all(page)
        page.get_by_text("In words").click()
        read = page.evaluate_handle(
            "() => { const clipboard = navigator.clipboard; return () => clipboard.readText(); }"
        )
        page.evaluate(f"() => {{ {change} }}")
        page.locator(".frapp-copy").click()
        call = page.locator(".frapp-call").text_content()
        if which == "none at all":
            page.get_by_text("Not copied: it is marked, press Ctrl+C").wait_for()
            assert page.evaluate("() => String(getSelection())") == call
            page.keyboard.press("Control+c")
        else:
            page.get_by_role("button", name="Copied", exact=True).wait_for()
        page.wait_for_timeout(200)
        assert page.evaluate("read => read()", read) == call == "explorers.Posterior()", which
        assert faults == [], which
        page.close()


def test_after_random_moves_and_reset_the_page_is_what_python_holds(opened):
    move_and_reset(opened, MOVES)


def test_a_lost_axis_type_would_be_seen(opened):
    """The check above can fail: spoil what the page has drawn."""
    state = settled(opened)
    spoil = "(p, kind) => { p._fullLayout.yaxis.type = kind; }"
    plot = opened.locator(".frapp-plot").first
    plot.evaluate(spoil, "date")
    with pytest.raises(AssertionError):
        assert_page_shows(opened, state)
    name = state["layout"]["yaxis"]["type"]
    opened.locator(".frapp-plot").first.evaluate(f"p => {{ p._fullLayout.yaxis.type = '{name}'; }}")
    assert_page_shows(opened, state)


def test_keys_move_the_slider_and_never_the_notebook(opened):
    slider = opened.locator(".frapp-explorer input[type=range]").first
    slider.focus()
    before = slider.input_value()
    for key in ("Home", "ArrowRight", "ArrowRight", "ArrowUp"):
        opened.keyboard.press(key)
    assert slider.input_value() == "3"
    opened.keyboard.press("End")
    assert slider.input_value() == slider.get_attribute("max")
    opened.keyboard.press("Tab")
    controls = opened.locator(
        ".frapp-explorer :is(input, select, button, summary):visible:enabled"
    ).all()
    cells = opened.locator(".jp-Cell").count()
    for control in controls:
        control.focus()
        for key in ("b", "a", "x", "d", "d", "m", "ArrowDown", "ArrowUp"):
            opened.keyboard.press(key)
    opened.keyboard.press("Escape")
    assert opened.locator(".jp-Cell").count() == cells
    assert opened.locator(".jp-CodeCell").count() == cells
    opened.locator(".frapp-explorer button", has_text="Reset").click()
    opened.wait_for_function("([s, old]) => s.value === old", arg=[slider.element_handle(), before])
    settled(opened)


def test_what_is_typed_stays_and_what_is_out_of_range_is_said(opened):
    explorer = opened.locator(".frapp-explorer").first
    bar = explorer.locator(".frapp-slider.frapp-bar").first
    box = bar.locator("input.frapp-box")
    old = box.input_value()
    box.fill("1e9")
    box.press("Enter")
    assert "is out of range" in bar.locator(".frapp-fault").inner_text()
    box.fill("many")
    box.press("Enter")
    assert "is no number" in bar.locator(".frapp-fault").inner_text()
    box.fill("99" if float(old) != 99 else "98")
    box.press("Enter")
    state = settled(opened)
    assert next(iter(state["at"].values())) in (99, 98)
    assert box.input_value() in ("99", "98")
    assert not bar.locator(".frapp-fault").inner_text()
    explorer.locator("button", has_text="Reset").click()
    settled(opened)


def test_a_film_is_drawn_from_the_page_and_then_not_again(opened):
    """With the kernel held up, a step that the film has is drawn all the same."""
    slider = opened.locator(".frapp-explorer input[type=range]").first
    opened.wait_for_timeout(1200)
    slider.focus()
    opened.wait_for_function("document.querySelector('.frapp-card').dataset.film > 4")
    settled(opened)
    start = drawn(opened)
    key = "ArrowLeft" if slider.input_value() != "0" else "ArrowRight"
    opened.evaluate(
        "() => { window.frappDrawn = []; const card = document.querySelector('.frapp-card');"
        " new MutationObserver(() => window.frappDrawn.push(card.dataset.drawn)).observe(card,"
        " {attributes: true, attributeFilter: ['data-drawn']}); }"
    )
    opened.kernel.client.execute("import time; time.sleep(1.5)")
    opened.wait_for_timeout(200)
    opened.keyboard.press(key)
    opened.wait_for_timeout(600)
    early = drawn(opened)
    assert early["drawn"] != start["drawn"]
    assert early["before"] > 0
    state = settled(opened)
    assert_page_shows(opened, state)
    assert early["data"] == [t for t in drawn(opened)["data"] if t["meta"] in
                             {old["meta"] for old in early["data"]}]  # fmt: skip
    times = opened.evaluate("window.frappDrawn")
    assert times.count(early["drawn"]) == 1  # and the band, if there is one, after it
    opened.locator(".frapp-explorer button", has_text="Reset").click()
    settled(opened)


def test_lists_boxes_and_buttons_work(opened):
    explorer = opened.locator(".frapp-explorer").first
    explorer.locator("button", has_text="Reset").click()
    settled(opened)
    for selector in ("select:visible", "input[type=checkbox]:visible", "input[type=radio]:visible"):
        for control in explorer.locator(selector).all():
            before = drawn(opened)["drawn"]
            if selector.startswith("select"):
                index, number = control.evaluate("s => [s.selectedIndex, s.options.length]")
                control.select_option(index=(index + 1) % number)
            elif "radio" in selector and control.is_checked():
                continue
            else:
                control.click()
            opened.wait_for_function(
                "old => document.querySelector('.frapp-card').dataset.drawn !== old", arg=before
            )
    explorer.locator("button", has_text="Reset").click()
    assert_page_shows(opened, settled(opened))


def test_a_reloaded_page_shows_the_current_state(opened):
    slider = opened.locator(".frapp-explorer input[type=range]").first
    slider.focus()
    opened.keyboard.press("Home")
    state = settled(opened)
    opened.keyboard.press("Control+s")
    opened.wait_for_timeout(1500)
    opened.reload()
    opened.wait_for_selector(".frapp-explorer .frapp-plot .main-svg", timeout=60_000)
    assert settled(opened) == state
    assert_page_shows(opened, state)
    opened.locator(".frapp-explorer button", has_text="Reset").click()
    settled(opened)


def test_the_card_fits_the_window_and_names_everything(opened):
    opened.evaluate("window.scrollTo(0, 0)")
    explorer = opened.locator(".frapp-explorer").first
    box = explorer.bounding_box()
    assert 800 <= box["width"] <= 900
    assert box["height"] <= 620
    slider = explorer.locator("input[type=range]").first
    assert slider.get_attribute("aria-valuetext")
    for control in explorer.locator("input:visible, select:visible, button:visible").all():
        name = control.evaluate(
            "e => (e.getAttribute('aria-label') || e.labels?.[0]?.innerText || e.innerText"
            " || e.title || '').trim()"
        )
        assert name, control.evaluate("e => e.outerHTML")
    assert explorer.locator(".frapp-plot").get_attribute("role") == "img"
    state = settled(opened)
    assert explorer.locator(".frapp-plot").get_attribute("aria-label") == state["words"]
    live = explorer.locator("[aria-live=polite]")
    assert live.count() == 1
    node = live.element_handle()
    slider.focus()
    opened.keyboard.press("Home")
    state = settled(opened)
    opened.wait_for_timeout(700)
    assert node.text_content().startswith(state["headline"])  # the same node, with new words
    explorer.locator("button", has_text="Reset").click()
    settled(opened)


def test_no_serious_fault_of_accessibility(opened):
    open_folds(opened)
    assert not audit(opened, ".frapp-explorer")
    close_folds(opened)
    name = opened.locator(".frapp-slider.frapp-bar label").first
    name.evaluate("label => label.removeAttribute('for')")
    assert audit(opened, ".frapp-explorer")  # it would have been seen
    name.evaluate("l => l.htmlFor = l.closest('.frapp-slider').querySelector('[type=range]').id")


def test_after_a_restart_of_the_kernel_the_card_says_so(lab):
    folder, address, browser = lab
    notebook(folder, "restarted", MAKE.format("Posterior"))
    page = open_notebook(browser, address, "restarted", height=1000)
    run_all(page)
    page.wait_for_timeout(1500)
    page.get_by_role("menuitem", name="Kernel", exact=True).click()
    page.get_by_text("Restart Kernel…", exact=True).click()
    page.get_by_role("button", name="Restart", exact=True).or_(
        page.get_by_role("button", name="Confirm Kernel Restart")
    ).first.click()
    page.wait_for_timeout(4000)
    page.locator(".frapp-explorer input[type=range]").first.focus()
    page.keyboard.press("ArrowLeft")
    page.wait_for_timeout(3000)
    assert "run the cell again" in page.locator(".frapp-sign").inner_text()
    assert page.locator(".frapp-explorer.frapp-stale").count() == 1
    page.close()


def test_settings_made_before_it_is_shown_are_shown(lab):
    folder, address, browser = lab
    notebook(folder, "before", "from frapp_lab import explorers\nex = explorers.Playground()\n"
             'ex.controls["gamma"].value = 5\nex.controls["age"].value = 2\nex')  # fmt: skip
    page = open_notebook(browser, address, "before", height=1000)
    run_all(page)
    page.kernel = Kernel.of_notebook(folder, address, "before")
    state = settled(page)
    assert_page_shows(page, state)
    assert state["at"]["gamma"] == 5
    assert drawn(page)["before"] == 0
    page.close()


def test_a_ghost_does_not_stay_on_axes_that_it_was_not_drawn_for(lab):
    """Within one move the page goes on by its film, to a domain of fewer attributes."""
    folder, address, browser = lab
    notebook(folder, "fewer", MAKE.format("Playground"))
    page = open_notebook(browser, address, "fewer", height=1000)
    run_all(page)
    page.kernel = Kernel.of_notebook(folder, address, "fewer")
    open_folds(page)
    less = page.locator(".frapp-slider", has_text="age").locator("button.frapp-step").first
    less.click()  # from 4 to 3
    settled(page)
    page.wait_for_function("document.querySelector('.frapp-card').dataset.film > 3")
    page.wait_for_timeout(1500)
    less.click()  # another move begins
    page.wait_for_timeout(300)
    two = drawn(page)
    assert two["before"] > 1
    page.kernel.client.execute("import time; time.sleep(1)")
    less.click()  # age is left out
    page.wait_for_timeout(300)
    early = drawn(page)
    assert early["drawn"] != two["drawn"]
    assert early["before"] == 1  # that of the panel without lengths
    assert_page_shows(page, settled(page))
    page.close()


@pytest.fixture(scope="module")
def all_in_one(lab):
    """All explorers in one notebook, on a narrow dark page that is five times as slow."""
    folder, address, browser = lab
    shows = [f"ex{i} = explorers.{name}()\nex{i}" for i, name in enumerate(NAMES)]
    notebook(folder, "All", "from frapp_lab import explorers", *shows)
    set_theme(folder, "dark", WINDOWING)
    page = open_notebook(browser, address, "All", width=900, height=1000)
    slow_down(page, 5)
    run_lesson(page)
    page.kernel = Kernel.of_notebook(folder, address, "All")
    yield page
    page.close()
    set_theme(folder, "light", WINDOWING)


@pytest.mark.parametrize("number", range(len(NAMES)), ids=NAMES)
def test_on_one_narrow_dark_slow_page_each_moves_and_nothing_is_cut_off(all_in_one, number):
    page = all_in_one
    explorer = page.locator(".frapp-explorer").nth(number)
    explorer.scroll_into_view_if_needed()
    card, ask = explorer.locator(".frapp-card"), TELL.replace("ex.", f"ex{number}.")
    slider = explorer.locator("input[type=range]").first
    slider.focus()
    page.keyboard.press("ArrowLeft")
    page.keyboard.press("ArrowLeft")
    state = settled(page, card, ask)
    assert_page_shows(page, state, card)
    found = explorer.evaluate(
        """explorer => {
          const root = explorer.getBoundingClientRect();
          const parts = '.main-svg, .frapp-head, .frapp-slider, button';
          const out = [...explorer.querySelectorAll(parts)]
            .filter(e => e.getBoundingClientRect().width > 0)
            .filter(e => e.getBoundingClientRect().right > root.right + 1
                      || e.getBoundingClientRect().left < root.left - 1);
          const first = explorer.querySelector('.frapp-first').getBoundingClientRect();
          const plot = explorer.querySelector('.frapp-figure').getBoundingClientRect();
          return {out: out.map(e => e.className.baseVal ?? e.className),
                  gap: plot.top - first.bottom,
                  colour: getComputedStyle(explorer.querySelector('.frapp-headline')).color};
        }"""
    )
    assert not found["out"]
    assert 0 <= found["gap"] < 130  # γ stands right above the figure, and the switches of it
    channels = [int(v) for v in re.findall(r"\d+", found["colour"])[:3]]
    assert sum(channels) > 3 * 128  # light text on a dark page


def test_on_a_dark_page_there_is_no_serious_fault_of_accessibility(all_in_one):
    assert not audit(all_in_one, ".frapp-explorer")
