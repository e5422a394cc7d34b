"""Re-execute every notebook in place, ready for a commit: `python tests/refresh_notebooks.py`.

Only what a reader or a comparison needs is kept: no timing, no widget state, no machine's metadata.
"""

import sys
from pathlib import Path

import nbformat
from nbclient import NotebookClient

NOTEBOOKS = Path(__file__).parent.parent / "notebooks"
KERNEL = {"display_name": "Python 3 (ipykernel)", "language": "python", "name": "python3"}


def refresh(path: Path) -> None:
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
    nbformat.validate(notebook)
    nbformat.write(notebook, path)


if __name__ == "__main__":
    chosen = [Path(name) for name in sys.argv[1:]] or sorted(NOTEBOOKS.rglob("*.ipynb"))
    for path in chosen:
        refresh(path)
        print(path.name)
