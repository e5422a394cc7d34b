"""Cards are plain data: they load no widgets, and a move seldom enters an explorer's own code."""

import subprocess
import sys
from pathlib import Path

import pytest

from frapp_lab import explorers

WIDGETS = "plotly", "ipywidgets", "anywidget", "traitlets", "IPython"
WITH_DATA = {"ColumnByColumn", "MechanismRace", "Mining", "Playground", "Reconstruction"}
"""Explorers that show a data set."""

ALONE = """
import json, sys
for name in {blocked}:
    sys.modules[name] = None  # its import fails
from frapp_lab import explorers
for kind in explorers.every():
    if kind.__name__ not in {left_out}:
        states = kind.states()
        state, fault = states.state(states.shipped)
        assert fault is None, (kind.__name__, fault)
        assert json.loads(json.dumps(state))["headline"], kind.__name__
        print(kind.__name__)
"""


@pytest.mark.parametrize(("more", "left_out"), [((), set()), (("pandas",), WITH_DATA)])
def test_a_state_is_computed_where_there_are_no_widgets(more, left_out):
    code = ALONE.format(blocked=(*WIDGETS, *more), left_out=left_out)
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
    assert run.returncode == 0, run.stderr
    assert set(run.stdout.split()) == {kind.__name__ for kind in explorers.every()} - left_out


@pytest.mark.parametrize("kind", explorers.every(), ids=lambda kind: kind.__name__)
def test_a_move_enters_an_explorers_own_code_at_most_twice(kind):
    ex = kind()
    folder = str(Path(explorers.__file__).parent)
    kit, entries = f"{folder}/kit/", []

    def watch(frame, event, _):
        if event == "call" and frame.f_back is not None:
            here, caller = frame.f_code.co_filename, frame.f_back.f_code.co_filename
            shared = here.endswith(("/controls.py", "/cache.py"))
            is_own = here.startswith(folder) and not here.startswith(kit) and not shared
            if is_own and (caller.startswith(kit) or caller == "<string>"):
                entries.append(frame.f_code.co_qualname)

    holder = ex.held["gamma"] if "gamma" in ex.held else next(iter(ex.held.values()))
    sys.setprofile(watch)
    try:
        holder.value = holder.declared.at(1)
    finally:
        sys.setprofile(None)
    assert 1 <= len(entries) <= 2, entries
    ex.close()
