"""nbval compares the outputs; these tests see to it that there is something to compare."""

from pathlib import Path

import nbformat
import pytest

NOTEBOOKS = sorted((Path(__file__).parent.parent / "notebooks").rglob("*.ipynb"))


def test_there_are_notebooks():
    assert "00_start_here.ipynb" in [path.name for path in NOTEBOOKS]


@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)
def test_a_notebook_is_stored_executed_and_clean(path):
    notebook = nbformat.read(path, as_version=4)
    code = [cell for cell in notebook.cells if cell.cell_type == "code"]
    assert [cell.execution_count for cell in code] == list(range(1, len(code) + 1))
    for cell in code:
        assert not any("nbval" in tag for tag in cell.metadata.get("tags", []))
        assert "NBVAL" not in cell.source
        assert all(o.output_type != "error" and o.get("name") != "stderr" for o in cell.outputs)
    assert set(notebook.metadata) == {"kernelspec", "language_info"}
    assert path.stat().st_size < 400_000
