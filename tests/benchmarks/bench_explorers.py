"""From key press to drawn page, beside a bare FigureWidget: needs .ci/requirements.txt.

`python tests/benchmarks/bench_explorers.py`

Key presses and mouse moves are real ones. All cases take turns in one run, so that a slow minute of
the machine falls on all of them: what holds are the ratios.
"""

import statistics
import subprocess
import sys
import tempfile
from pathlib import Path

import nbformat
from nbclient import NotebookClient

sys.path.insert(0, str(Path(__file__).parent.parent / "browser"))

from lab import chromium, jupyterlab, notebook, open_notebook, run_all, set_theme
from timing import show

MOVES, ROUNDS = 60, 6

BARE = """
import ipywidgets as widgets
import plotly.graph_objects as go

figure = go.FigureWidget(go.Scatter(x=[1, 2, 3], y=[1, 2, 3]))
slider = widgets.FloatSlider(min=0, max=1000, step=1, value=500, continuous_update=True)

def move(_):
    with figure.batch_update():
        figure.data[0].y = [slider.value, 2, 3]

slider.observe(move, "value")
view = widgets.VBox([slider, figure])
view.add_class("frapp-explorer")
view
"""
EXPLORER = """
import os
os.environ["FRAPP_LAB_FILM"] = "{film}"
from frapp_lab import explorers
ex = explorers.Playground(**{{"IND-RR": True, "data": "{data}"}})
ex
"""
CASES = {
    "bare": BARE,
    "film": EXPLORER.format(film=1, data="CENSUS"),
    "CENSUS": EXPLORER.format(film=0, data="CENSUS"),
    "HEALTH": EXPLORER.format(film=0, data="HEALTH"),
}
SLIDERS = {"bare": ".noUi-handle", "film": "input[type=range]"}

# In the page: from an event until what is drawn is another thing, in milliseconds.
CLOCK = """() => {
  const root = document.querySelector('.frapp-explorer');
  const plot = root.querySelector('.js-plotly-plot:not(.frapp-under)');
  const card = root.querySelector('.frapp-card');
  const read = () => card ? card.dataset.drawn : JSON.stringify(plot.data[0].y);
  const begin = () => {
    const [before, start] = [read(), performance.now()];
    window.frappTime = null;
    const look = () => {
      if (read() !== before) window.frappTime = performance.now() - start;
      else if (performance.now() - start < 5000) requestAnimationFrame(look);
    };
    requestAnimationFrame(look);
  };
  for (const kind of ['keydown', 'click', 'change']) root.addEventListener(kind, begin, true);
  window.frappSeen = new Set();
  const count = () => { window.frappSeen.add(read()); requestAnimationFrame(count); };
  requestAnimationFrame(count);
}"""


def quantile(times, share):
    return statistics.quantiles(times, n=100, method="inclusive")[round(100 * share) - 1]


def timed(page, act):
    """The time that the page takes to draw what an act changes."""
    page.evaluate("window.frappTime = null")
    act()
    return page.wait_for_function("window.frappTime", timeout=8000).json_value()


def keys(page, name, number):
    """The first slider by arrow keys, to and fro."""
    page.locator(f".frapp-explorer {SLIDERS.get(name, 'input[type=range]')}").first.focus()
    page.wait_for_timeout(2600 if name == "film" else 300)
    times = []
    for i in range(number + 2):
        key = "ArrowLeft" if i % 20 < 10 else "ArrowRight"
        times.append(timed(page, lambda key=key: page.keyboard.press(key)))
        page.wait_for_timeout(60)
    return times[2:]  # the first ones warm up


def other_controls(page):
    """How to move every other control of the Playground, to and fro."""
    explorer = page.locator(".frapp-explorer")
    for fold in explorer.locator(".frapp-fold:visible").all():
        if fold.get_attribute("aria-expanded") == "false":
            fold.click()
    acts = {}
    for slider in explorer.locator("input[type=range]:visible").all()[1:]:
        name = slider.evaluate("e => e.closest('.frapp-slider').innerText.split('\\n')[0]")
        acts[name] = [lambda s=slider: s.press("ArrowLeft"), lambda s=slider: s.press("ArrowRight")]
    for stepper in explorer.locator(".frapp-stepper:visible").all():
        name = stepper.locator("label").inner_text()
        less, more = stepper.locator("button").all()
        acts[f"size of {name}"] = [less.click, more.click]
    for box in explorer.locator("input[type=checkbox]:visible").all():
        name = box.evaluate("e => e.closest('label')?.innerText ?? e.parentElement.innerText")
        acts[f"scheme {name.strip()}"] = [box.click, box.click]
    radios = explorer.locator("input[type=radio]:visible")
    acts["errors"] = [radios.nth(1).click, radios.nth(0).click]
    draw = explorer.locator("button", has_text="New draw")
    acts["new draw"] = [draw.click, draw.click]
    return acts


# In the page: the slider goes to and fro by a step every 16 ms, as a hand moves it (the driver's
# own mouse moves come only about 16 times a second); how many pictures are drawn?
DRAG = """async ([seconds, reach]) => {
  const card = document.querySelector('.frapp-card');
  const slider = document.querySelector('.frapp-explorer input[type=range]');
  let frames = 0, last = '', going = true;
  const look = () => {
    if (card.dataset.drawn !== last) { frames += 1; last = card.dataset.drawn; }
    if (going) requestAnimationFrame(look);
  };
  requestAnimationFrame(look);
  const start = Number(slider.value);
  let [step, way] = [0, 1];
  const end = performance.now() + 1000 * seconds;
  while (performance.now() < end) {
    step += way;
    if (Math.abs(step) >= reach) way = -way;
    slider.value = start + step;
    slider.dispatchEvent(new Event('input', {bubbles: true}));
    await new Promise(resolve => setTimeout(resolve, 16));
  }
  going = false;
  return frames / seconds;
}"""


def drag(page):
    """How many pictures a second a drag shows, and whether the last one is right."""
    page.locator(".frapp-explorer input[type=range]").first.focus()
    page.wait_for_timeout(3500)
    frames = page.evaluate(DRAG, [5.0, 25])
    page.wait_for_timeout(2500)
    gamma = page.locator(".frapp-explorer input.frapp-box").first.input_value()
    right = f"γ = {gamma} " in page.locator(".frapp-summary").text_content()
    return frames, right


def main():
    folder = Path(tempfile.mkdtemp())
    for name, code in CASES.items():
        notebook(folder, name, code)
    set_theme(folder, "light")
    with jupyterlab(folder) as address, chromium() as browser:
        pages = {}
        for name in CASES:
            pages[name] = open_notebook(browser, address, name, height=1000)
            run_all(pages[name], ".js-plotly-plot")
            pages[name].wait_for_timeout(5000)
            pages[name].evaluate(CLOCK)
        times = {name: [] for name in CASES}
        for _ in range(ROUNDS):
            for name, page in pages.items():
                page.bring_to_front()
                times[name] += keys(page, name, MOVES // ROUNDS)
        bare50, bare95 = (quantile(times["bare"], share) for share in (0.5, 0.95))
        show("bare FigureWidget, γ: p50, p95", bare50, "ms", f"p95 {bare95:.0f}")
        for name, p50, p95 in (("film", 0.6, 1.0), ("CENSUS", 1.3, None), ("HEALTH", 2.5, None)):
            show(f"Playground, {name}, γ: p50", quantile(times[name], 0.5), "ms", "")
            show("  p50, ratio to bare", quantile(times[name], 0.5) / bare50, "times", f"<= {p50}")
            wanted = f"<= {p95}" if p95 else ""
            show("  p95, ratio to bare", quantile(times[name], 0.95) / bare95, "times", wanted)
        for name, limit in (("CENSUS", 2.0), ("HEALTH", 2.5)):
            page = pages[name]
            page.bring_to_front()
            beside, others = [], {}
            acts = other_controls(page)
            for round_ in range(5):
                pages["bare"].bring_to_front()
                beside += keys(pages["bare"], "bare", 8)
                page.bring_to_front()
                # With another draw nothing is kept from before; what is gone back to is, so that
                # only the way there counts.
                timed(page, acts["new draw"][0])
                for what, (there, back) in acts.items():
                    time = timed(page, there)
                    page.wait_for_timeout(150)
                    timed(page, back)
                    page.wait_for_timeout(150)
                    if round_:
                        others.setdefault(what, []).append(time)
            base = quantile(beside, 0.5)
            for what, moves in others.items():
                ratio = quantile(moves, 0.5) / base
                show(f"Playground, {name}, {what}: p50 to bare", ratio, "times", f"<= {limit}")
        pages["film"].bring_to_front()
        drags = [drag(pages["film"]) for _ in range(3)]
        frames, right = statistics.median(f for f, _ in drags), all(r for _, r in drags)
        said = ">= 20" if right else "and the last picture is WRONG"
        show("drag of five seconds, median of three", frames, "frames/s", said)
    seconds = [first_explorer() for _ in range(3)]
    show("first explorer in a fresh process, imports included", min(seconds), "s", "<= 2")
    show("memory of a kernel with the Playground", memory(), "MB", "<= 250")


def first_explorer():
    code = (
        "import time; t = time.perf_counter(); from frapp_lab import explorers; "
        "explorers.Playground(); print(time.perf_counter() - t)"
    )
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, check=True)
    return float(run.stdout)


def memory():
    """What a kernel holds after a move of each kind, in MB.

    Learners have no pyarrow, which pandas would load (37 MB): it belongs to `frapp_lab[scale]`.
    """
    code = """
import sys
sys.modules["pyarrow"] = None
import psutil
from frapp_lab import explorers
ex = explorers.Playground()
ex.controls["gamma"].value = 5.0
ex.controls["age"].value = 3
ex.controls["seed"].value = 8
print(psutil.Process().memory_info().rss / 1e6)
"""
    book = nbformat.v4.new_notebook(cells=[nbformat.v4.new_code_cell(code)])
    NotebookClient(book).execute()
    return float(book.cells[0].outputs[0]["text"])


if __name__ == "__main__":
    main()
