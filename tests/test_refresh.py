"""Refreshing notebooks: nothing is touched in vain, and nothing changes that need not."""

import nbformat
import pytest
import refresh_notebooks
from nbformat.v4 import new_code_cell, new_markdown_cell, new_notebook
from refresh_notebooks import PLOTLY, WIDGET, executed, lacking, main, name_cells

FIGURE = f"""class Figure:
    def _repr_mimebundle_(self, **_):
        return {{"text/plain": "A line that rises.", "{PLOTLY}": {{"x": 0, "data": [VALUE]}}}}, {{}}
Figure()"""
PICTURE = "iVBORw0KGgo="


def write(path, *cells):
    nbformat.write(new_notebook(cells=list(cells)), path)
    return path


@pytest.fixture
def no_browser(monkeypatch):
    monkeypatch.setattr(refresh_notebooks, "missing", lambda: "Chromium")


def test_without_a_browser_nothing_is_touched(tmp_path, capsys, no_browser):
    path = write(tmp_path / "a.ipynb", new_code_cell("1 + 1"))
    before = path.read_bytes()
    with pytest.raises(SystemExit):
        main([str(path)])
    assert "pictures need Chromium" in capsys.readouterr().err
    assert path.read_bytes() == before


def test_what_is_no_notebook_is_found_before_anything_is_touched(tmp_path, capsys, no_browser):
    path = write(tmp_path / "a.ipynb", new_code_cell("1 + 1"))
    before = path.read_bytes()
    with pytest.raises(SystemExit):
        main(["--no-pictures", str(path), str(tmp_path / "b.ipynb")])
    assert "b.ipynb is no notebook; nothing was touched" in capsys.readouterr().err
    assert path.read_bytes() == before


def test_a_notebook_that_fails_stays_as_it_was(tmp_path, no_browser):
    path = write(tmp_path / "a.ipynb", new_code_cell("1 / 0"))
    before = path.read_bytes()
    with pytest.raises(Exception, match="ZeroDivisionError"):
        main(["--no-pictures", str(path)])
    assert path.read_bytes() == before


def test_what_pictures_need_is_named(monkeypatch):
    monkeypatch.setattr(refresh_notebooks.importlib.util, "find_spec", lambda name: None)
    assert "pip install -r .ci/requirements.txt" in refresh_notebooks.missing()


def test_cells_keep_their_ids_and_others_get_the_first_free_one():
    cells = [new_markdown_cell("a", id=name) for name in ("intro", "cell-00", "cell-00", "cell-02")]
    del cells[3]["id"]
    book = new_notebook()
    book.cells = cells
    name_cells(book)
    assert [cell.id for cell in book.cells] == ["intro", "cell-00", "cell-01", "cell-02"]
    book.cells.insert(1, new_markdown_cell("b", id="3f9c"))
    name_cells(book)
    assert [cell.id for cell in book.cells] == ["intro", "3f9c", "cell-00", "cell-01", "cell-02"]


def test_a_picture_stays_while_its_figure_stays(tmp_path):
    same = new_code_cell(FIGURE.replace("VALUE", "1"), id="same")
    moved = new_code_cell("value = 1\n" + FIGURE.replace("VALUE", "value"), id="moved")
    book = executed(write(tmp_path / "a.ipynb", same, moved))
    assert lacking(book) == [0, 1]
    for cell in book.cells:
        cell.outputs[-1].data["image/png"] = PICTURE
        cell.outputs[-1].metadata["image/png"] = {"alt": "A line that rises."}
    book.cells[1].outputs[-1].data[PLOTLY] = {"data": [0]}  # as if it had come out otherwise
    book.cells.insert(0, new_markdown_cell("A text in front.", id="text"))
    nbformat.write(book, tmp_path / "a.ipynb")
    again = executed(tmp_path / "a.ipynb")
    assert [cell.id for cell in again.cells] == ["text", "same", "moved"]
    assert again.cells[1].outputs[-1].data["image/png"] == PICTURE
    assert again.cells[1].outputs[-1].metadata["image/png"] == {"alt": "A line that rises."}
    assert lacking(again) == [1]


def test_a_widgets_stored_name_is_its_cells(tmp_path):
    code = "import ipywidgets\nfrom IPython.display import display\ndisplay(ipywidgets.IntSlider())"
    book = executed(write(tmp_path / "a.ipynb", new_code_cell(code, id="slider")))
    assert book.cells[0].outputs[-1].data[WIDGET]["model_id"] == "slider"
    assert book.metadata == {
        "kernelspec": refresh_notebooks.KERNEL, "language_info": {"name": "python"},
    }  # fmt: skip
