"""From key press to changed page, beside a bare FigureWidget: needs .ci/requirements.txt.

`python tests/benchmarks/bench_explorers.py`
"""

import statistics
import subprocess
import sys
import tempfile
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent.parent / "browser"))

from lab import chromium, jupyterlab, notebook, open_notebook, run_all, set_theme
from timing import show

MOVES, ROUNDS = 50, 5

BARE = """
import ipywidgets as widgets
import plotly.graph_objects as go

figure = go.FigureWidget(go.Scatter(x=[1, 2, 3], y=[1, 2, 3]))
slider = widgets.FloatSlider(min=0, max=1000, step=1, value=500, continuous_update=True)
text = widgets.HTML('<div class="frapp-summary">500</div>')

def move(_):
    with figure.batch_update():
        figure.data[0].y = [slider.value, 2, 3]
    text.value = f'<div class="frapp-summary">{slider.value}</div>'

slider.observe(move, "value")
view = widgets.VBox([slider, figure, text])
view.add_class("frapp-explorer")
view
"""
EXPLORER = """
from frapp_lab import explorers

ex = explorers.{name}()
{setting}
ex
"""
CASES = {
    "bare FigureWidget": BARE,
    "Playground, CENSUS, all schemes": EXPLORER.format(
        name="Playground", setting='ex.controls["IND-RR"].value = True'
    ),
    "Mining, CENSUS, all schemes": EXPLORER.format(
        name="Mining", setting='ex.controls["IND-RR"].value = True'
    ),
    "Playground, HEALTH, all schemes": EXPLORER.format(
        name="Playground",
        setting='ex.controls["IND-RR"].value = True\nex.controls["data"].value = "HEALTH"',
    ),
}
LIMITS = {"CENSUS": 2, "HEALTH": 4}

# In the page: from the key press until both the figure's data and the text have changed.
MEASURE = """async () => {
  const plot = document.querySelector('.frapp-explorer .js-plotly-plot');
  const read = () => JSON.stringify(plot.data.map(t => t.y))
    + document.querySelector('.frapp-explorer .frapp-summary').innerText;
  const before = read();
  const start = performance.now();
  const handle = document.querySelector('.frapp-explorer .noUi-handle');
  handle.dispatchEvent(new KeyboardEvent('keydown', {key: 'ArrowRight', bubbles: true}));
  while (read() === before) {
    if (performance.now() - start > 5000) throw new Error('nothing changed');
    await new Promise(requestAnimationFrame);
  }
  return performance.now() - start;
}"""


def quantile(times, share):
    return statistics.quantiles(times, n=100, method="inclusive")[round(100 * share) - 1]


def main():
    folder = Path(tempfile.mkdtemp())
    for number, code in enumerate(CASES.values()):
        notebook(folder, f"case{number}", code)
    set_theme(folder, "light")
    with jupyterlab(folder) as address, chromium() as browser:
        pages = {}
        for number, name in enumerate(CASES):
            pages[name] = open_notebook(browser, address, f"case{number}", height=1400)
            run_all(pages[name])
        # By turns, so that a slow minute of the machine falls on all of them.
        times = {name: [] for name in CASES}
        for _ in range(ROUNDS):
            for name, page in pages.items():
                page.bring_to_front()
                page.wait_for_timeout(1000)
                moves = []
                for _ in range(MOVES // ROUNDS + 3):
                    moves.append(page.evaluate(MEASURE))
                    page.wait_for_timeout(60)
                times[name] += moves[3:]  # the first ones warm up
        bare = quantile(times["bare FigureWidget"], 0.95)
        for name, page in pages.items():
            p95 = quantile(times[name], 0.95)
            show(f"{name}: p50", quantile(times[name], 0.5), "ms", "")
            show(f"{name}: p95", p95, "ms", "")
            limit = next((v for k, v in LIMITS.items() if k in name), None)
            if limit:
                page.bring_to_front()
                show(f"{name}: p95, ratio to bare", p95 / bare, "times", f"<= {limit}")
                print(f"{'':<62} {drag(page)}")
    seconds = [first_explorer() for _ in range(3)]
    show("first explorer in a fresh process, imports included", min(seconds), "s", "<= 2")


def drag(page):
    """Drag the first slider by 120 mouse moves; is the last state the right one?"""
    handle = page.locator(".frapp-explorer .noUi-handle:visible").first
    box = handle.bounding_box()
    x, y = box["x"] + box["width"] / 2, box["y"] + box["height"] / 2
    page.mouse.move(x, y)
    page.mouse.down()
    for step in range(1, 121):
        page.mouse.move(x - 0.5 * step, y)
    page.mouse.up()
    page.wait_for_timeout(3000)
    gamma = float(page.locator(".frapp-explorer input[type=number]").first.input_value())
    text = page.inner_text(".frapp-explorer .frapp-summary")
    shown = float(text.split("γ = ")[1].split()[0].rstrip(".,;"))
    right = abs(shown / gamma - 1) < 1e-3
    return f"after a drag of 120 moves: γ = {gamma:g}, summary says {shown:g}: " + (
        "right" if right else "WRONG"
    )


def first_explorer():
    code = (
        "import time; t = time.perf_counter(); from frapp_lab import explorers; "
        "explorers.Playground(); print(time.perf_counter() - t)"
    )
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, check=True)
    return float(run.stdout)


if __name__ == "__main__":
    main()
