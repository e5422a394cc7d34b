"""nbval compares the outputs; these tests see to it that there is something to compare."""

import base64
import re
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
    assert path.stat().st_size < 800_000


WIDGET, PLOTLY = "application/vnd.jupyter.widget-view+json", "application/vnd.plotly.v1+json"


@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)
def test_figures_are_also_seen_and_read_where_no_kernel_runs(path):
    notebook = nbformat.read(path, as_version=4)
    for cell in notebook.cells:
        for output in cell.get("outputs", []):
            data = output.get("data", {})
            if {WIDGET, PLOTLY} & set(data) and not data["text/plain"].startswith("Progress bar"):
                assert data["image/png"], cell.source
                assert len(data["text/plain"]) > 20, cell.source
                picture = output.metadata["image/png"]
                assert picture["alt"] == data["text/plain"]
                # JupyterLab shows a chart's picture dot for dot, an explorer's as wide as said.
                dots = int.from_bytes(base64.b64decode(data["image/png"])[16:20])
                assert dots == picture["width"] * (1 if PLOTLY in data else 2), cell.source


@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)
def test_every_cell_has_its_place_in_the_slides(path):
    cells = nbformat.read(path, as_version=4).cells
    kinds = [cell.metadata.slideshow.slide_type for cell in cells]
    assert kinds[0] == "slide"
    assert set(kinds) <= {"slide", "subslide", "skip", "-"}
    for cell in cells[1:]:
        assert "\n## " not in cell.source, "a heading begins a cell, and so a slide"


LESSONS = [path for path in NOTEBOOKS if path.parent.name == "notebooks"]
SKELETON = ["**What you'll do**", "**What you'll learn**", "**What you'll need**", "**Time**",
            "## What we learned", "## Where next", "## References"]  # fmt: skip


@pytest.mark.parametrize("path", LESSONS, ids=lambda path: path.stem)
def test_lessons_have_one_skeleton(path):
    cells = nbformat.read(path, as_version=4).cells
    text = "\n".join(cell.source for cell in cells if cell.cell_type == "markdown")
    places = [text.find(part) for part in SKELETON]
    assert -1 not in places
    assert places == sorted(places)
    for number, cell in enumerate(cells):
        if cell.cell_type == "code" and "explorers." in cell.source and "import" not in cell.source:
            assert "**Before you slide" in cells[number - 2].source, cell.source
            asked = re.match(r"(\w+) = predict\(\.\.\.", cells[number - 1].source)
            assert asked, f"no prediction is recorded before {cell.source}"
            later = "\n".join(c.source for c in cells[number + 2 :] if c.cell_type == "code")
            assert f"{asked[1]}.compare(" in later, f"{asked[1]} is not come back to"
            assert "**What to notice" in cells[number + 1].source, cell.source


@pytest.mark.parametrize("path", LESSONS, ids=lambda path: path.stem)
def test_a_lesson_fits_its_hour(path):
    cells = nbformat.read(path, as_version=4).cells
    code = [cell.source for cell in cells if cell.cell_type == "code"]
    words = sum(len(cell.source.split()) for cell in cells if cell.cell_type == "markdown")
    assert len(cells) <= 53
    assert words <= 2800
    minutes = re.search(r"\*\*Time\*\* (?:about )?(\d+) minutes", cells[0].source)
    assert 60 <= int(minutes[1]) <= 75
    assert 2 <= sum(bool(re.search(r'^check\("\d\d\.[a-z]"', c, re.MULTILINE)) for c in code) <= 3
    assert sum(bool(re.search(r"\bexplorers\.[A-Z]|\bexplore\(", c)) for c in code) <= 3


@pytest.mark.parametrize("path", LESSONS, ids=lambda path: path.stem)
def test_plotting_code_is_folded_away_and_nothing_else_is(path):
    for cell in nbformat.read(path, as_version=4).cells:
        if cell.cell_type == "code":
            folded = cell.metadata.get("jupyter", {}).get("source_hidden", False)
            assert folded == bool(re.search(r"\bchart\(", cell.source)), cell.source


def test_there_are_45_exercises():
    exercises = [
        re.findall(r"^### Exercise [\d.]+ · .* \(G\d\)$", cell.source, re.MULTILINE)
        for path in LESSONS
        for cell in nbformat.read(path, as_version=4).cells
    ]
    assert sum(map(len, exercises)) >= 45


def test_teachers_have_notes_for_every_lesson():
    folder = NOTEBOOKS[0].parent / "instructor"
    wanted = ["## Timing", "## What students get wrong", "## Discussion questions", "## Live demo",
              "## Exam question", "### Answer"]  # fmt: skip
    for path in LESSONS[1:]:
        text = (folder / f"{path.stem}.md").read_text(encoding="utf-8")
        assert [part for part in wanted if part not in text] == []
