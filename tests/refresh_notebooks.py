"""Re-execute every notebook in place, ready for a commit: `python tests/refresh_notebooks.py`.

Only what a reader or a comparison needs is kept: no timing, no widget state, no machine's metadata.
A browser then opens each notebook, runs it, and takes a picture of every figure and explorer, so
that they are also seen where no kernel runs: `pip install -r .ci/requirements.txt` and Chromium.
"""

import sys
from pathlib import Path

import nbformat
from nbclient import NotebookClient

NOTEBOOKS = Path(__file__).parent.parent / "notebooks"
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
        resources={"metadata": {"path": str(path.parent)}},
    )
    client.execute()
    notebook.metadata = {"kernelspec": KERNEL, "language_info": {"name": "python"}}
    for number, cell in enumerate(notebook.cells):
        cell["id"] = f"cell-{number:02d}"
        cell["metadata"] = {"slideshow": {"slide_type": slide_type(cell)}}
    nbformat.validate(notebook)
    nbformat.write(notebook, path)


def slide_type(cell: nbformat.NotebookNode) -> str:
    """Headings begin slides, exercises are left out, and the rest follows on."""
    first = cell.source.split("\n")[0]
    if first.startswith(("### Exercise", "answer = ...", "check(")) or 'check("' in cell.source:
        return "skip"
    if first.startswith(("# ", "## ")):
        return "slide"
    return "subslide" if first.startswith("### ") else "-"


if __name__ == "__main__":
    chosen = [Path(name) for name in sys.argv[1:]] or sorted(NOTEBOOKS.rglob("*.ipynb"))
    for path in chosen:
        execute(path)
        print(path.name)
