"""Binder builds from `binder/`: render its Dockerfile, without Docker, and read it."""

import shutil
import subprocess
import sys

import pytest
from helpers import ROOT, require


@pytest.fixture(scope="module")
def dockerfile():
    require("repo2docker")
    if not shutil.which("git"):
        pytest.skip("needs git")
    command = [sys.executable, "-m", "repo2docker", "--no-build", "--debug", str(ROOT)]
    run = subprocess.run(command, capture_output=True, text=True, check=False)
    assert run.returncode == 0, run.stderr[-2000:]
    return run.stdout + run.stderr


def test_binder_installs_the_pinned_set_and_the_project(dockerfile):
    assert '-r "binder/requirements.txt"' in dockerfile
    lines = (ROOT / "binder/requirements.txt").read_text().split("\n")
    assert lines[:2] == ["-r ../requirements.txt", "-e ."]


def test_binder_uses_python_3_11(dockerfile):
    assert "python=3.11" in dockerfile
