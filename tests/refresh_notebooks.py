"""Re-execute every notebook in place, ready for a commit: `python tests/refresh_notebooks.py`.

Only what a reader or a comparison needs is kept: no timing, no widget state, no machine's metadata.
A browser then opens each notebook, runs it, and takes a picture of every figure and explorer, so
that they are also seen where no kernel runs: `pip install -r .ci/requirements.txt` and Chromium.
"""

import base64
import io
import re
import shutil
import sys
import tempfile
from pathlib import Path

import nbformat
from nbclient import NotebookClient

NOTEBOOKS = Path(__file__).parent.parent / "notebooks"
WIDGET = "application/vnd.jupyter.widget-view+json"
DENSITY = 2
"""Dots per pixel of a picture, so that it is sharp on a good screen."""
KERNEL = {"display_name": "Python 3 (ipykernel)", "language": "python", "name": "python3"}


def execute(path: Path) -> None:
    """Execute one notebook and store it with clean metadata."""
    notebook = nbformat.read(path, as_version=4)
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
    for number, cell in enumerate(notebook.cells):
        cell["id"] = f"cell-{number:02d}"
        cell["metadata"] = {"slideshow": {"slide_type": slide_type(cell)}, **hidden(cell)}
        for output in cell.get("outputs", []):
            if WIDGET in output.get("data", {}):  # else another name every time
                output.data[WIDGET]["model_id"] = cell["id"]
    nbformat.validate(notebook)
    nbformat.write(notebook, path)


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


def add_pictures(paths: list[Path]) -> None:
    """Run the notebooks in a browser and store a picture of each figure beside its data."""
    sys.path.insert(0, str(Path(__file__).parent / "browser"))
    from lab import chromium, jupyterlab, open_notebook, pictures, run_lesson, set_theme

    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        shutil.copytree(NOTEBOOKS, folder / "notebooks")
        set_theme(folder, "light")
        with jupyterlab(folder) as address, chromium() as browser:
            for path in paths:
                place = Path("notebooks") / path.resolve().relative_to(NOTEBOOKS.resolve())
                page = open_notebook(
                    browser, address, str(place.with_suffix("")), height=1600, density=DENSITY
                )
                run_lesson(page)
                store(path, pictures(page))
                page.close()
                print(path.name, "pictures")


def store(path: Path, made: dict[int, bytes]) -> None:
    """Put the pictures into the outputs of their cells, with the summary as alternative text."""
    notebook = nbformat.read(path, as_version=4)
    code = [cell for cell in notebook.cells if cell.cell_type == "code"]
    for number, picture in made.items():
        output = code[number].outputs[-1]
        picture, width, height = small(picture)
        output.data["image/png"] = base64.b64encode(picture).decode()
        size = {"width": width // DENSITY, "height": height // DENSITY}
        output.metadata["image/png"] = {"alt": output.data["text/plain"], **size}
    nbformat.write(notebook, path)


def small(picture: bytes) -> tuple[bytes, int, int]:
    """The same picture in its 256 most frequent colours, a third of the size, and its sides.

    A palette of averages would move the colours that a scheme is known by.
    """
    from PIL import Image

    image = Image.open(io.BytesIO(picture)).convert("RGB")
    colours = sorted(image.getcolors(image.width * image.height), reverse=True)[:256]
    palette = Image.new("P", (1, 1))
    palette.putpalette([channel for _, colour in colours for channel in colour])
    out = io.BytesIO()
    image.quantize(palette=palette, dither=Image.Dither.NONE).save(out, "PNG", optimize=True)
    return out.getvalue(), image.width, image.height


if __name__ == "__main__":
    chosen = [Path(name) for name in sys.argv[1:]] or sorted(NOTEBOOKS.rglob("*.ipynb"))
    for path in chosen:
        execute(path)
        print(path.name)
    add_pictures(chosen)
