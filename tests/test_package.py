"""The package as a whole: what it exports, what importing it costs, and who may import whom."""

import ast
import inspect
import re
import subprocess
import sys
from pathlib import Path

import pytest

import frapp_lab as fl

PACKAGE = Path(fl.__file__).parent
MODULES = sorted(PACKAGE.rglob("*.py"))
TESTS = Path(__file__).parent


def test_it_offers_about_thirty_names_each_with_an_example():
    assert len(fl.__all__) <= 32
    for name in fl.__all__:
        if callable(getattr(fl, name)):
            assert ">>> " in (getattr(fl, name).__doc__ or ""), name


METHODS = ("for_gamma", "perturb", "estimate", "condition_number", "matrix")
DOCUMENTED = [getattr(fl, name) for name in fl.__all__] + [
    getattr(fl.Mechanism, n) for n in METHODS
]


@pytest.mark.parametrize("thing", DOCUMENTED, ids=lambda thing: thing.__qualname__)
def test_a_docstring_lists_just_the_parameters_of_the_signature(thing):
    section = re.search(
        r"^Parameters\n-+\n(.*?)(?=\n\n|\Z)", inspect.getdoc(thing), re.DOTALL | re.M
    )
    names = re.findall(r"^\S.*", section[1] if section else "", re.MULTILINE)
    listed = [name.strip("*") for line in names for name in line.split(", ")]
    assert listed == [name for name in inspect.signature(thing).parameters if name != "self"]


def test_importing_it_loads_neither_plotly_nor_ipywidgets_nor_scipy_nor_pandas():
    large = {"plotly", "ipywidgets", "scipy", "pandas"}
    code = f"import sys, frapp_lab; print({large} & set(sys.modules))"
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert run.stdout.strip() == "set()"


def test_files_of_modern_without_schemes_are_imported_when_asked_for():
    code = "import sys, frapp_lab; print(*sys.modules)"
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    for name in fl.modern.NO_SCHEMES:
        assert f"frapp_lab.modern.{name}" not in run.stdout.split()
        assert "@scheme" not in (PACKAGE / "modern" / f"{name}.py").read_text(encoding="utf-8")
    assert "recommend" in dir(fl)
    assert fl.recommend is fl.modern.recommend.recommend
    with pytest.raises(AttributeError, match="has no attribute 'recomend'"):
        _ = fl.recomend


def test_mining_crosses_at_most_twelve_modules():
    census = fl.load_census()
    mechanism, crossed = fl.GammaDiagonal(census.schema, 19), set()

    def note(frame, event, arg):
        crossed.add(frame.f_globals.get("__name__", ""))

    sys.setprofile(note)
    try:
        fl.mine(census, mechanism, rng=0)
    finally:
        sys.setprofile(None)
    ours = {name for name in crossed if name.startswith("frapp_lab")}
    assert "frapp_lab.mining.mining_run" in ours
    assert len(ours) <= 12, sorted(ours)


def private_names(path):
    """The private names that a module defines."""
    found = r"(?:def |class |self\.|cls\.|^\s*)(_[a-z]\w*)"
    return set(re.findall(found, path.read_text(encoding="utf-8"), re.MULTILINE))


OURS = set().union(*map(private_names, MODULES))


@pytest.mark.parametrize("path", MODULES, ids=lambda path: str(path.relative_to(PACKAGE)))
def test_no_private_name_is_used_across_modules(path):
    own = private_names(path)
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        used = []
        if isinstance(node, ast.ImportFrom) and (node.module or "").startswith("frapp_lab"):
            used = [alias.name for alias in node.names if alias.name.startswith("_")]
        if isinstance(node, ast.Attribute) and node.attr in OURS:
            used = [node.attr]
        assert set(used) <= own, f"line {node.lineno}: {ast.unparse(node)}"


FLOORS = (
    "_base", "data", "privacy", "mechanisms", "mining", "scale", "modern", "figures", "paper",
    "explorers", "course",
)  # fmt: skip
"""The rooms from the ground up: imports go down only."""


def imported(path):
    """All that a module imports, wherever in it, by its full name."""
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            yield from (f"{node.module}.{alias.name}" for alias in node.names)


def test_the_house_has_these_rooms_and_little_else_at_its_door():
    entries = {path.name for path in PACKAGE.iterdir() if path.name != "__pycache__"}
    assert entries <= {*FLOORS, "__init__.py", "__main__.py", "py.typed", "_files"}
    assert set(FLOORS) <= entries


@pytest.mark.parametrize("room", FLOORS)
def test_imports_go_down(room):
    for path in (PACKAGE / room).rglob("*.py"):
        for name in imported(path):
            if name.startswith("frapp_lab."):
                other = name.split(".")[1]
                assert other in FLOORS, f"{path}: {name} is offered at the door; take its module"
                assert FLOORS.index(other) <= FLOORS.index(room), f"{path}: {name} is above it"
        if FLOORS.index(room) < FLOORS.index("modern"):
            assert "frapp_lab.modern" not in path.read_text(encoding="utf-8"), path


def long_ones(paths, most):
    """Files of more lines than `most`."""
    lengths = {path: len(path.read_text(encoding="utf-8").splitlines()) for path in paths}
    return {path: lines for path, lines in lengths.items() if lines > most}


def test_no_file_is_long():
    cards = [PACKAGE / "explorers" / f"{path.stem}.py" for path in EXPLORERS]
    assert long_ones(MODULES, 350) == {}
    assert long_ones(cards, 300) == {}
    assert long_ones(PACKAGE.rglob("*.js"), 500) == {}
    assert long_ones(TESTS.rglob("*.py"), 500) == {}


EXPLORERS = [
    path
    for path in (PACKAGE / "explorers").glob("*.py")
    if "@explorer(" in path.read_text(encoding="utf-8")
]


@pytest.mark.parametrize("place", ["explorers", "explorers/models"])
def test_neither_explorers_nor_models_import_each_other(place):
    assert len(EXPLORERS) >= 11
    siblings = [PACKAGE / place / path.name for path in EXPLORERS]
    for path in siblings:
        others = {other.stem for other in siblings if other != path}
        for name in imported(path) if path.exists() else ():
            parts = name.removeprefix(f"frapp_lab.{place}.".replace("/", ".")).split(".")
            assert parts[0] not in others, f"{path}: {name}"


def test_the_kit_knows_nothing_of_what_is_shown():
    for path in (PACKAGE / "explorers" / "kit").glob("*.py"):
        for name in imported(path):
            if name.startswith("frapp_lab."):
                assert name.startswith(("frapp_lab.explorers.kit", "frapp_lab.figures")), path
    page = [*(PACKAGE / "explorers" / "kit" / "page").glob("*.js")]
    for path in page:
        assert not re.search("gamma|CENSUS|HEALTH", path.read_text(encoding="utf-8")), path


@pytest.mark.parametrize("room", FLOORS)
def test_tests_live_in_rooms_as_the_code_does(room):
    assert list((TESTS / room).glob("test_*.py"))


def test_only_figures_paper_and_explorers_draw():
    drawing = {"plotly", "ipywidgets", "anywidget", "IPython"}
    for room in (*FLOORS[: FLOORS.index("figures")], "explorers/models", "course/exercises"):
        for path in (PACKAGE / room).rglob("*.py"):
            used = {name.split(".")[0] for name in imported(path)} & drawing
            assert not used, f"{path} imports {used}"


CONTRIBUTING = (PACKAGE.parent / "CONTRIBUTING.md").read_text(encoding="utf-8")
BUDGETS = dict(re.findall(r"^\| `(\w+)` \| (\d+) \|", CONTRIBUTING, re.MULTILINE))


def test_contributing_lists_the_rooms_from_the_ground_up():
    assert tuple(BUDGETS) == FLOORS


@pytest.mark.parametrize("room", FLOORS)
def test_a_room_keeps_to_its_budget(room):
    files = [p for p in (PACKAGE / room).rglob("*") if p.suffix in (".py", ".js", ".css")]
    lines = sum(len(p.read_text(encoding="utf-8").splitlines()) for p in files)
    assert lines <= int(BUDGETS[room]), "raise the number in CONTRIBUTING and say why, or cut"
