"""The explorers' JavaScript that needs no page, by node's own test runner."""

import shutil
import subprocess

import pytest

from frapp_lab.explorers.kit.page_widgets import PAGE, Card

SCRIPTS = "frapp_lab/explorers/kit/page"
TESTS = "tests/explorers/page"


@pytest.fixture
def node(tmp_path):
    """Node's program, in a folder where a .js file is a module. The gate has it, for its npm."""
    found = shutil.which("node") or pytest.skip("needs node: https://nodejs.org")
    (tmp_path / "package.json").write_text('{"type": "module"}')
    return lambda *arguments: subprocess.run(
        [found, *arguments], cwd=tmp_path, capture_output=True, encoding="utf-8", check=False
    )


def test_the_scripts_pass_their_own_tests(node, tmp_path):
    shutil.copytree(PAGE, tmp_path / SCRIPTS)
    shutil.copytree(PAGE.parents[3] / TESTS, tmp_path / TESTS)
    files = [str(path) for path in sorted((tmp_path / TESTS).glob("*.test.mjs"))]
    assert len(files) == 4
    ran = node("--test", *files)
    assert ran.returncode == 0, ran.stdout + ran.stderr


def test_the_scripts_are_one_module_in_a_page(node, tmp_path):
    """No name is there twice, and nothing is left to be imported."""
    (tmp_path / "joined.js").write_text(Card._esm, encoding="utf-8")
    ran = node("-e", "import('./joined.js').then((m) => console.log(typeof m.default.render))")
    assert ran.stdout == "function\n", ran.stderr
