"""Re-execute notebooks in place, ready for a commit.

    python tests/refresh_notebooks.py                                    all of them
    python tests/refresh_notebooks.py notebooks/02_privacy_breaches.ipynb

Only what a reader or a comparison needs is kept: no timing, no widget state, no machine's metadata.
Cells keep their ids. A figure that came out as it was keeps its picture; of all others a browser
takes one, so that they are also seen where no kernel runs. That needs `pip install -r
.ci/requirements.txt` and Chromium, which is found out before anything is touched. A file is written
once, when all is there.
"""

import argparse
import base64
import importlib.util
import io
import json
import re
import sys
import tempfile
from pathlib import Path

import nbformat
from nbclient import NotebookClient

NOTEBOOKS = Path(__file__).parent.parent / "notebooks"
TEMPLATE = Path(__file__).parent / "lesson_template.ipynb"
WIDGET, PLOTLY = "application/vnd.jupyter.widget-view+json", "application/vnd.plotly.v1+json"
DENSITY = 2
"""Dots per pixel of a picture, so that it is sharp on a good screen."""
KERNEL = {"display_name": "Python 3 (ipykernel)", "language": "python", "name": "python3"}


def executed(path: Path) -> nbformat.NotebookNode:
    """A notebook with new outputs and clean metadata, and the pictures that are still true."""
    notebook = nbformat.read(path, as_version=4)
    name_cells(notebook)
    pictures = {looks(cell): cell.outputs[-1] for cell in notebook.cells if shows_figure(cell)}
    client = NotebookClient(
        notebook,
        timeout=120,
        kernel_name="python3",
        store_widget_state=False,
        record_timing=False,
        coalesce_streams=True,  # one print after the other is one output, however fast they come
        resources={"metadata": {"path": str(path.parent)}},
    )
    client.execute()
    notebook.metadata = {"kernelspec": KERNEL, "language_info": {"name": "python"}}
    for cell in notebook.cells:
        cell["metadata"] = {"slideshow": {"slide_type": slide_type(cell)}, **hidden(cell)}
        for output in cell.get("outputs", []):
            if WIDGET in output.get("data", {}):  # else another name every time
                output.data[WIDGET]["model_id"] = cell["id"]
        old = pictures.get(looks(cell)) if shows_figure(cell) else None
        if old is not None and "image/png" in old.data:
            cell.outputs[-1].data["image/png"] = old.data["image/png"]
            cell.outputs[-1].metadata["image/png"] = old.metadata["image/png"]
    return notebook


def name_cells(notebook: nbformat.NotebookNode) -> None:
    """Give an id to cells that have none of their own; others keep theirs, wherever they move."""
    notebook.nbformat_minor = max(notebook.nbformat_minor, 5)
    taken: set[str] = {cell["id"] for cell in notebook.cells if "id" in cell}
    seen: set[str] = set()
    for cell in notebook.cells:
        if cell.get("id") in {None, *seen}:
            numbers = (f"cell-{number:02d}" for number in range(len(taken) + 1))
            cell["id"] = next(name for name in numbers if name not in taken)
            taken.add(cell["id"])
        seen.add(cell["id"])


def shows_figure(cell: nbformat.NotebookNode) -> bool:
    """Whether a cell ends with a figure or an explorer, which need a picture."""
    data = cell.outputs[-1].get("data", {}) if cell.get("outputs") else {}
    return bool({WIDGET, PLOTLY} & set(data)) and not data["text/plain"].startswith("Progress bar")


def looks(cell: nbformat.NotebookNode) -> str:
    """What a cell's figure is made of: its code, its data and its words."""
    data = cell.outputs[-1].data
    # A notebook is stored with its keys in order, and a kernel sends them as they come.
    return json.dumps([cell.source, data.get("text/plain"), data.get(PLOTLY)], sort_keys=True)


def slide_type(cell: nbformat.NotebookNode) -> str:
    """Headings begin slides, exercises are left out, and the rest follows on."""
    first = cell.source.split("\n")[0]
    if first.startswith("### Exercise") or 'check("' in cell.source:
        return "skip"
    if first.startswith(("# ", "## ")):
        return "slide"
    return "subslide" if first.startswith("### ") else "-"


def hidden(cell: nbformat.NotebookNode) -> dict:
    """A lesson's plotting code is folded away, in JupyterLab and on a page; a click shows it."""
    if cell.cell_type == "code" and re.search(r"\bchart\(", cell.source):
        return {"jupyter": {"source_hidden": True}, "tags": ["hide-input"]}
    return {}


def lacking(notebook: nbformat.NotebookNode) -> list[int]:
    """The numbers, among code cells, of those that need a picture and have none."""
    code = [cell for cell in notebook.cells if cell.cell_type == "code"]
    return [
        number
        for number, cell in enumerate(code)
        if shows_figure(cell) and "image/png" not in cell.outputs[-1].data
    ]


def add_pictures(notebook: nbformat.NotebookNode) -> None:
    """Run a notebook in a browser and store a picture of each figure that has none."""
    from lab import chromium, jupyterlab, open_notebook, pictures, run_lesson, set_theme

    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        nbformat.write(notebook, folder / "lesson.ipynb")
        set_theme(folder, "light")
        with jupyterlab(folder) as address, chromium() as browser:
            page = open_notebook(browser, address, "lesson", height=1600, density=DENSITY)
            run_lesson(page)
            made = pictures(page)
    code = [cell for cell in notebook.cells if cell.cell_type == "code"]
    for number in lacking(notebook):
        output = code[number].outputs[-1]
        # Where JupyterLab shows a chart's picture it does so dot for dot, whatever its sides.
        density = 1 if PLOTLY in output.data else DENSITY
        picture, width, height = small(made[number], DENSITY // density)
        output.data["image/png"] = base64.b64encode(picture).decode()
        size = {"width": width // density, "height": height // density}
        output.metadata["image/png"] = {"alt": output.data["text/plain"], **size}


def small(picture: bytes, shrink: int = 1) -> tuple[bytes, int, int]:
    """The same picture in its 256 most frequent colours, a third of the size, and its sides.

    A palette of averages would move the colours that a scheme is known by.
    """
    from PIL import Image

    whole = Image.open(io.BytesIO(picture)).convert("RGB")
    image = whole.reduce(shrink)
    # A smaller picture is blurred: the colours that were meant come first.
    colours = list(dict.fromkeys(_frequent(whole)[:64] + _frequent(image)))[:256]
    palette = Image.new("P", (1, 1))
    palette.putpalette([channel for colour in colours for channel in colour])
    out = io.BytesIO()
    image.quantize(palette=palette, dither=Image.Dither.NONE).save(out, "PNG", optimize=True)
    return out.getvalue(), image.width, image.height


def _frequent(image) -> list[tuple[int, int, int]]:
    """The colours of a picture, the most frequent first."""
    found = sorted(image.getcolors(image.width * image.height), reverse=True)
    return [colour for _, colour in found]


def missing() -> str:
    """What pictures need and is not there, in words."""
    for module, package in (("playwright", "playwright"), ("PIL", "pillow")):
        if importlib.util.find_spec(module) is None:
            return f"{package}: pip install -r .ci/requirements.txt"
    from lab import find_browser

    return "" if find_browser() else "Chromium: apt-get install chromium (or your system's package)"


def main(arguments: list[str] | None = None) -> None:
    """Refresh the files named, or all."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("files", nargs="*", type=Path, help="notebooks (default: all)")
    words = "take no pictures: where a figure changed, its picture is left out"
    parser.add_argument("--no-pictures", action="store_true", help=words)
    words = "take all pictures anew, as when the explorers' look has changed"
    parser.add_argument("--new-pictures", action="store_true", help=words)
    options = parser.parse_args(arguments)
    sys.path.insert(0, str(Path(__file__).parent / "browser"))
    paths = options.files or [*sorted(NOTEBOOKS.rglob("[!.]*.ipynb")), TEMPLATE]
    for path in paths:
        if path.suffix != ".ipynb" or not path.is_file():
            parser.error(f"{path} is no notebook; nothing was touched")
    if not options.no_pictures and missing():
        parser.error(
            f"pictures need {missing()}; --no-pictures does without them. Nothing was touched"
        )
    for path in paths:
        notebook = executed(path)
        if options.new_pictures:
            for cell in filter(shows_figure, notebook.cells):
                cell.outputs[-1].data.pop("image/png", None)
        number = len(lacking(notebook))
        if number and not options.no_pictures:
            add_pictures(notebook)
        nbformat.validate(notebook)
        nbformat.write(notebook, path)
        print(f"{path.name}: {number} pictures {'lacking' if lacking(notebook) else 'taken'}")


if __name__ == "__main__":
    main()
