"""The package as a whole: what it exports, what importing it costs, and who may import whom."""

import ast
import re
import subprocess
import sys
from pathlib import Path

import pytest

import frapp_lab as fl

PACKAGE = Path(fl.__file__).parent
MODULES = sorted(PACKAGE.rglob("*.py"))


def test_it_offers_about_thirty_names_each_with_an_example():
    assert len(fl.__all__) <= 32
    for name in fl.__all__:
        if callable(getattr(fl, name)):
            assert ">>> " in (getattr(fl, name).__doc__ or ""), name


def test_importing_it_loads_neither_plotly_nor_ipywidgets_nor_scipy_nor_pandas():
    large = {"plotly", "ipywidgets", "scipy", "pandas"}
    code = f"import sys, frapp_lab; print({large} & set(sys.modules))"
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert run.stdout.strip() == "set()"


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


ROOMS = {  # what a room may not import: data flows one way
    "models": ("frapp_lab.explorers", "frapp_lab.figures", "plotly", "ipywidgets"),
    "mechanisms": ("frapp_lab.explorers", "frapp_lab.models", "frapp_lab.figures", "plotly"),
    "exercises": ("frapp_lab.explorers", "frapp_lab.models", "plotly", "ipywidgets"),
    "explorers": ("frapp_lab.exercises", "frapp_lab.paper"),
}


@pytest.mark.parametrize("room", ROOMS)
def test_data_flow_one_way(room):
    for path in (PACKAGE / room).rglob("*.py"):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            names = [alias.name for alias in node.names] if isinstance(node, ast.Import) else []
            if isinstance(node, ast.ImportFrom):
                names = [node.module, *(f"{node.module}.{alias.name}" for alias in node.names)]
            for name in names:
                assert not name.startswith(ROOMS[room]), f"{path.name} imports {name}"
