"""The package as a whole: what it exports, and what importing it costs."""

import subprocess
import sys

import frapp_lab as fl


def test_every_public_name_is_shown_in_a_doctest():
    for name in fl.__all__:
        if callable(getattr(fl, name)):
            assert ">>> " in (getattr(fl, name).__doc__ or ""), name


def test_importing_it_loads_neither_plotly_nor_ipywidgets():
    code = "import sys, frapp_lab; print({'plotly', 'ipywidgets'} & set(sys.modules))"
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert run.stdout.strip() == "set()"
