"""What the texts promise: commands, links, pictures and warnings."""

import base64
import re
import struct

import nbformat
import pytest
import yaml
from helpers import ROOT

from frapp_lab import Mechanism, explorers
from frapp_lab.figures.styles import style_of
from frapp_lab.mechanisms.registry import schemes

README = (ROOT / "README.md").read_text(encoding="utf-8")
NOTEBOOKS = sorted((ROOT / "notebooks").rglob("*.ipynb"))
TEXTS = [*ROOT.glob("*.md"), *(ROOT / "data").glob("*.md"), *(ROOT / "notebooks").rglob("*.md")]


def blocks(kind):
    return re.findall(rf"```{kind}\n(.*?)\n```", README, re.DOTALL)


@pytest.mark.parametrize("last", ["jupyter lab notebooks/00_start_here.ipynb", "pytest --nbval"])
def test_one_line_is_enough_on_each_platform(last):
    unix = "python3 -m venv .venv && .venv/bin/pip install -r requirements.txt && .venv/bin/" + last
    windows = (
        r"py -m venv .venv; .venv\Scripts\pip install -r requirements.txt; .venv\Scripts" + "\\"
    )
    assert unix in blocks("sh")
    assert windows + last in blocks("powershell")


def test_the_readme_says_how_to_get_the_files_and_shows_one_slider_first():
    assert README.index("git clone") < README.index("ZIP") < README.index("python3 -m venv")
    picture = re.search(r"!\[([^]]+)\]\((notebooks/\S+)\)", README)
    assert "slider" in picture[1]
    assert README[: picture.start()].count("\n") < 6
    film = (ROOT / picture[2]).read_bytes()
    assert film.startswith(b"GIF89a")
    assert film.count(b"\x21\xf9\x04") >= 20  # a block before every picture of it
    assert len(film) < 2_000_000


@pytest.mark.parametrize(
    "place", ["Linux and macOS", "Windows PowerShell", "[uv]", "conda", "**VS Code**", "**Colab**",
              "**Binder**", "**A shared hub**"],
)  # fmt: skip
def test_every_way_to_open_the_course_is_told(place):
    section = README[README.index("## Open the course") : README.index("## The course")]
    assert re.search(rf"^{re.escape(place)}", section, re.MULTILINE)


def test_every_line_that_opens_the_course_opens_a_file_that_exists():
    opened = re.findall(r"jupyter lab (\S+)", README)
    assert len(opened) == 4
    assert all((ROOT / path).is_file() for path in opened)
    installed = re.findall(r"install -r (\S+?);? ", README)
    assert len(installed) >= 5
    assert all((ROOT / path.rstrip("`;,")).is_file() for path in installed)


def test_the_readme_is_short_and_names_the_pythons_that_are_allowed():
    assert README.count("\n") <= 250
    project = (ROOT / "pyproject.toml").read_text(encoding="utf-8")
    lowest = re.search(r'requires-python = ">=3\.(\d+)"', project)[1]
    assert f"Python 3.{lowest}, 3.12 or 3.13" in README


def test_numpys_generator_is_said_to_protect_nobody():
    lesson = nbformat.read(ROOT / "notebooks/06_perturbing_a_record.ipynb", as_version=4)
    text = "\n".join(cell.source for cell in lesson.cells if cell.cell_type == "markdown")
    for place in (README, Mechanism.__doc__, text):
        said = " ".join(place.split())
        assert re.search(r"numpy's generator", said)
        assert re.search(r"for learning and simulation", said)
        assert re.search(r"real p(eople|erson)", said)


def links(text):
    text = re.sub(r"^```.*?^```", "", text, flags=re.DOTALL | re.MULTILINE)
    return [
        target.split("#")[0]
        for target in re.findall(r"\]\(([^)\s]+)\)", text)
        # Slides name a picture by the notebook's section or explorer: see `test_slides.py`.
        if not re.match(r"https?:|mailto:|#|explorer:|picture:", target)
    ]


@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)
def test_links_in_notebooks_lead_to_files(path):
    cells = nbformat.read(path, as_version=4).cells
    for cell in cells:
        if cell.cell_type == "markdown":
            for target in links(cell.source):
                # JupyterLab opens files, and has no answer to a link to a folder.
                assert (path.parent / target).is_file(), target


@pytest.mark.parametrize("path", TEXTS, ids=lambda path: path.name)
def test_links_in_texts_lead_somewhere(path):
    for target in links(path.read_text(encoding="utf-8")):
        assert (path.parent / target).exists(), target


def palette(png):
    """The colours of a picture that has a palette."""
    place = 8
    while place < len(png):
        (length,), kind = struct.unpack(">I", png[place : place + 4]), png[place + 4 : place + 8]
        if kind == b"PLTE":
            channels = png[place + 8 : place + 8 + length]
            return {tuple(channels[i : i + 3]) for i in range(0, length, 3)}
        place += length + 12
    raise ValueError("the picture has no palette")


def shown_schemes(output, source):
    """The schemes that a stored figure or explorer shows with a line of their own."""
    figure = output.data.get("application/vnd.plotly.v1+json")
    if figure is None:
        name = re.search(r"explorers\.(\w+)\(\)", source)
        figure = getattr(explorers, name[1])().figure.to_plotly_json() if name else {"data": []}
    return {t["name"] for t in figure["data"] if t.get("name") in schemes() and len(t["y"])}


@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)
def test_stored_pictures_keep_the_colours_of_the_schemes(path):
    for cell in nbformat.read(path, as_version=4).cells:
        for output in cell.get("outputs", []):
            if "image/png" in output.get("data", {}):
                colours = palette(base64.b64decode(output.data["image/png"]))
                for scheme in shown_schemes(output, cell.source):
                    wanted = bytes.fromhex(style_of(scheme).colour[1:])
                    assert tuple(wanted) in colours, f"{scheme} in {cell.source}"


@pytest.mark.parametrize("path", [*NOTEBOOKS, *TEXTS], ids=lambda path: path.stem)
def test_symbols_of_the_notation_sheet_mean_nothing_else(path):
    text = path.read_text(encoding="utf-8")
    if path.suffix == ".ipynb":
        text = "\n".join(cell.source for cell in nbformat.reads(text, as_version=4).cells)
    assert not re.search(r"\bAx *= *b\b", text)  # x is one share of probability
    assert not re.search(r"\bQ *=|QQ|\bQ *@", text)  # Q is a property of records


def test_the_journal_version_is_named_with_the_word_that_it_adds():
    lessons = {p.name[:2]: p for p in (ROOT / "notebooks").glob("0*.ipynb")}
    for path in (lessons["04"], lessons["08"], ROOT / "README.md", ROOT / "CITATION.cff"):
        text = " ".join(path.read_text(encoding="utf-8").split())
        assert "FRAPP: a framework for high-accuracy privacy-preserving mining" in text.replace(
            "A Framework for High-Accuracy Privacy-Preserving Mining",
            "a framework for high-accuracy privacy-preserving mining",
        )
        assert "Prakash" in text
        if path.suffix != ".cff":
            assert "“symmetric positive-definite”" in text
            assert re.search("(read|saw) (only )?its abstract|its abstract only", text)


def test_what_to_cite_is_complete():
    cited = yaml.safe_load((ROOT / "CITATION.cff").read_text(encoding="utf-8"))
    assert cited["cff-version"] == "1.2.0"
    assert {"title", "message", "authors"} <= set(cited)
    by_year = {work["year"]: work for work in cited["references"]}
    journal = by_year[2009]
    assert (journal["type"], journal["doi"]) == ("article", "10.1007/s10618-008-0119-9")
    assert (journal["volume"], journal["start"], journal["end"]) == (18, 101, 139)
    people = [person["family-names"] for person in journal["authors"]]
    assert people == ["Agrawal", "Haritsa", "Prakash"]
    for work in cited["references"]:
        assert {"type", "title", "authors", "year", "doi"} <= set(work)
