"""Every model: a pure function between frozen things, that opens with the paper's setting."""

import importlib
import pkgutil
import subprocess
import sys
from dataclasses import FrozenInstanceError, fields, is_dataclass

import numpy as np
import pytest

from frapp_lab.explorers import models

NAMES = [module.name for module in pkgutil.iter_modules(models.__path__)]
MODELS = [
    module
    for module in (importlib.import_module(f"frapp_lab.explorers.models.{name}") for name in NAMES)
    if hasattr(module, "compute")
]


# --- all of them ----------------------------------------------------------------------------------


def test_no_model_needs_a_widget_or_a_figure():
    code = (
        "import sys, importlib\n"
        "for name in ('ipywidgets', 'plotly', 'anywidget', 'traitlets'): sys.modules[name] = None\n"
        f"for name in {NAMES}: importlib.import_module('frapp_lab.explorers.models.' + name)\n"
        "assert not any(m.startswith(('plotly.', 'ipywidgets.')) for m in sys.modules)\n"
    )
    subprocess.run([sys.executable, "-c", code], check=True)


@pytest.mark.parametrize("model", MODELS, ids=lambda model: model.__name__.rsplit(".")[-1])
def test_a_model_is_a_pure_function_between_frozen_things(model):
    parameters = model.Parameters()
    assert hash(parameters) == hash(model.Parameters())
    first, second = model.compute(parameters), model.compute(parameters)
    for field in fields(first):
        np.testing.assert_equal(
            _plain(getattr(first, field.name)), _plain(getattr(second, field.name))
        )
    assert first.parameters is parameters
    for frozen in (parameters, first):
        with pytest.raises(FrozenInstanceError):
            frozen.gamma = 1


OPENING = {
    "audit": "client='client 1', gamma=19.0, n_reports=10000, confidence=0.95, seed=7, "
    "reveal=False",
    "column_by_column": "record=(0, 1, 2, 0, 1, 0), gamma=19.0, seed=3, columns=0",
    "matrices": "gamma=19.0, sizes=(3, 2, 2), length=3, K=3, "
    "schemes=('DET-GD', 'RAN-GD', 'MASK', 'C&P', 'IND-RR'), matrix='DET-GD', "
    "own='0.6 0.2 0.2\\n0.2 0.6 0.2\\n0.2 0.2 0.6', push=0.3, row=0",
    "mining": "data=Data(name='CENSUS', sizes=()), prior=0.05, gamma=19.0, alpha=0.5, "
    "min_support=0.02, schemes=('DET-GD', 'RAN-GD', 'MASK', 'C&P'), prune=True, seed=7, "
    "error='false_negatives', scheme='DET-GD', length=0",
    "posterior": "prior=0.05, gamma=19.0, rho1=0.05, n=10, scale='percent'",
    "mechanism_race": "gamma=19.0, thousands=50, data=Data(name='CENSUS', sizes=()), length=0, "
    "shown='error'",
    "randomized_response": "truth=0.3, people=1000, coin=0.75, seed=7, asked=100, repetitions=200, "
    "by_answer=False, hidden=False",
    "belief": "gamma=19.0, alpha=0.5, domain_size=2000, prior=0.05",
    "reconstruction": "n=20, gamma=19.0, people=2000, shape='one peak', repair='none', seed=7, "
    f"by_hand={(-0.5,) * 20}",
    "variance": "gamma=19.0, alpha=0.4, domain_size=10, seed=7, view='surveys'",
}


@pytest.mark.parametrize("name", OPENING)
def test_a_model_opens_with_the_papers_setting(name):
    opened = importlib.import_module(f"frapp_lab.explorers.models.{name}").Parameters()
    assert repr(opened) == f"Parameters({OPENING[name]})"


def _plain(value):
    if is_dataclass(value):
        return {field.name: _plain(getattr(value, field.name)) for field in fields(value)}
    if isinstance(value, dict):
        return {key: _plain(item) for key, item in value.items()}
    return value if isinstance(value, np.ndarray | str | int | float | None) else None
