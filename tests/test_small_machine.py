"""The library on a small machine: numpy of 32 bits, no threads, and libraries that are missing."""

import ast
import functools
import hashlib
import importlib
import inspect
import io
import json
import pkgutil
import subprocess
import sys
import traceback
from dataclasses import fields, is_dataclass, replace
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

import frapp_lab as fl
from frapp_lab.course.exercises import EXERCISES, check
from frapp_lab.explorers import models
from frapp_lab.mechanisms.counting import draw_statistic
from frapp_lab.modern.audit import epsilon_lower_bound

TESTS, PACKAGE = Path(__file__).parent, Path(fl.__file__).parent
MODELS = [
    module
    for module in (
        importlib.import_module(f"frapp_lab.explorers.models.{found.name}")
        for found in pkgutil.iter_modules(models.__path__)
    )
    if hasattr(module, "compute")
]
SMALL = {"age": 3, "fnlwgt": 3, "hours-per-week": 2, "race": 2, "native-country": 1}


def in_a_new_process(call):
    """What a function of this file prints when it is called in a process of its own, from JSON."""
    code = f"import sys; sys.path.insert(0, {str(TESTS)!r}); import {Path(__file__).stem} as here"
    run = [sys.executable, "-c", f"{code}; here.{call}()"]
    done = subprocess.run(run, capture_output=True, text=True, check=False)
    assert not done.returncode, done.stderr
    return json.loads(done.stdout)


# --- 32 bits --------------------------------------------------------------------------------------

CAREFUL = {"bincount": 0, "take": 1, "repeat": 1, "put": 1}
"""What takes only numbers that are sure to fit into `intp`, and at which argument."""


class Numpy32:
    """numpy as the library sees it where `intp` and Python's `int` have 32 bits.

    `np.intp` is int32. Functions that choose their own integers (`arange`, `flatnonzero`, `array`,
    …) give int32, unless they were given, or asked for, 64 bits. Those that take only `intp`
    refuse wider numbers, as numpy does there: "Cannot cast array data … according to 'safe'".

    It sees what the library calls as `np.…`. It does not see methods of arrays, which is why they
    are looked for in the source. Sums by a method (`a.sum(axis=1)`) stay 64 bits wide here, so that
    of those it refuses more than is refused there. Nor does it see what numpy, pandas or scipy do
    among themselves, or how much memory there is.
    """

    intp = np.int32

    def __getattr__(self, name):
        found = getattr(np, name)
        if not inspect.isroutine(found) and not hasattr(found, "_implementation"):
            return found
        return functools.partial(narrow_call, name, found)


def is_wide(value):
    if isinstance(value, list | tuple):
        return any(map(is_wide, value))
    if isinstance(value, np.ndarray | np.generic):
        return value.dtype in (np.int64, np.uint64, np.uint32)
    return value is np.int64


def narrow(value):
    if isinstance(value, list | tuple):
        return type(value)(map(narrow, value))
    wide = isinstance(value, np.ndarray | np.generic) and value.dtype == np.int64
    fits = wide and (not np.size(value) or abs(value).max() < 2**31)
    return value.astype(np.int32) if fits else value


def narrow_call(name, function, *args, **options):
    careful = np.array([]) if name not in CAREFUL else args[CAREFUL[name]]
    if is_wide(careful):
        raise TypeError(f"Cannot cast array data from {careful.dtype} to int32 for {name}")
    if options.get("dtype") is int:
        options["dtype"] = np.int32
    made = function(*args, **options)
    if name == "unique" and isinstance(made, tuple):
        return made[0], *narrow(made[1:])
    positions = ("argsort", "flatnonzero", "nonzero", "argwhere", "searchsorted", "lexsort")
    wide = is_wide(list(args)) or is_wide(list(options.values()))
    return made if wide and name not in positions else narrow(made)


def plain(value):
    """Numbers and texts that are the same however many bits they were held in."""
    if is_dataclass(value):
        return {f.name: plain(getattr(value, f.name)) for f in fields(value)}
    if isinstance(value, dict):
        return {str(name): plain(part) for name, part in value.items()}
    if isinstance(value, list | tuple):
        return [plain(part) for part in value]
    if isinstance(value, np.ndarray | np.generic):
        return value.tolist()
    return value if isinstance(value, int | float | str) else repr(type(value))


def a_frame():
    return pd.DataFrame({"sex": ["M", "F", "M"] * 20, "age": [30, 20, 10] * 20})


def mined(label):
    data = fl.load_census(bins=SMALL)
    mechanism = fl.make_scheme(label, data.schema, 19)
    run = fl.mine(data, mechanism, rng=0, confidence=0.95)
    reports = mechanism.perturb(data.records[:100], 0)
    lies = mechanism.craft(np.array([0, -1, 1, -1, 0][: data.schema.n_attributes]), 3)
    return [
        run, run.error_array(), reports, lies, draw_statistic(mechanism, data.counts, 0),
        mechanism.condition_number(1), mechanism.log_likelihood(reports[:3]),
    ]  # fmt: skip


def shown(model):
    opened = model.Parameters()
    made = [model.compute(opened)]
    if hasattr(opened, "view"):  # of Variance's views only this one has a band
        opened = replace(opened, view="terms")
        made.append(model.compute(opened))
    for name in ("bands", "band"):
        if hasattr(model, name):
            draws = getattr(model, name)(opened)
            made += [next(draws) for _ in range(2)]
    return made


def solved(number):
    return vars(check(number, EXERCISES[number]().solution))


JOBS = {
    "CENSUS": lambda: fl.load_census().counts,
    "CENSUS, fewer": lambda: fl.load_census(bins=SMALL).counts,
    "HEALTH": lambda: fl.load_health().counts,
    "HEALTH, fewer": lambda: fl.load_health(bins={"AGE": 3, "INCFAM20": 1, "PHONE": 2}).counts,
    "a frame": lambda: fl.Dataset.from_frame(a_frame()).counts,
    "a CSV file": lambda: fl.Dataset.from_csv(io.StringIO(a_frame().to_csv(index=False))).counts,
    "an audit": lambda: epsilon_lower_bound(np.arange(100) % 2, np.arange(100) % 3 > 0),
    **{label: functools.partial(mined, label) for label in fl.schemes(modern=True)},
    **{module.__name__: functools.partial(shown, module) for module in MODELS},
    **{number: functools.partial(solved, number) for number in EXERCISES},
}


def results():
    """What comes of each job, as a digest, or how it failed."""
    found = {}
    for name, job in JOBS.items():
        try:
            said = json.dumps(plain(job()))
        except TypeError as error:
            frames = traceback.extract_tb(error.__traceback__)
            last = [f for f in frames if PACKAGE in Path(f.filename).parents][-1]
            found[name] = f"{Path(last.filename).name}:{last.lineno}: {error}"
        else:
            found[name] = hashlib.sha256(said.encode()).hexdigest()
    return found


def print_here():
    """Print the results of this machine."""
    print(json.dumps(results()))


def print_small():
    """Print the results of a machine of 32 bits."""
    factorize = pd.factorize
    pd.factorize = lambda *args, **options: narrow(factorize(*args, **options))
    for name, module in list(sys.modules.items()):
        if name.split(".")[0] == "frapp_lab" and vars(module).get("np") is np:
            module.np = Numpy32()
    print(json.dumps(results()))


def test_all_results_are_the_same_where_numpy_counts_in_32_bits():
    small, here = map(in_a_new_process, ("print_small", "print_here"))
    assert {
        "CENSUS",
        "HEALTH",
        "DET-GD",
        "TRIPLE",
        "frapp_lab.explorers.models.mechanism_race",
    } <= set(here)
    assert small == here


@pytest.mark.parametrize("path", sorted(PACKAGE.rglob("*.py")), ids=lambda path: path.name)
def test_the_library_calls_what_is_careful_as_a_function_of_numpy(path):
    """As a method of an array the test above would not see it."""
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute):
            called = node.func
            by_name = isinstance(called.value, ast.Name) and called.value.id == "np"
            assert by_name or called.attr not in CAREFUL, f"line {node.lineno}"


# --- what is missing ------------------------------------------------------------------------------

WITHOUT = """
import json, sys, threading
for name in ("jsonschema", "pandas", "scipy"):
    sys.modules[name] = None  # whoever imports it, or a part of it, is told that there is none

def start(thread):
    raise RuntimeError("can't start new thread")  # as a browser's Python says

threading.Thread.start = start
from frapp_lab import explorers

said = {}
for name, move in json.loads(sys.argv[1]).items():
    options = {"schemes": ["DET-GD", "RAN-GD", "IND-RR"]} if name == "Playground" else {}
    explorer = getattr(explorers, name)(**options)
    first = explorer.card.state
    explorer.set(**move)
    second = explorer.card.state
    said[name] = [first["error"], second["error"], first["words"] != second["words"]]
print(json.dumps(said))
"""


def test_explorers_work_without_threads_and_without_jsonschema_pandas_and_scipy():
    names = ["Posterior", "Reconstruction", "Matrices", "ColumnByColumn", "Belief", "Variance"]
    moves = {name: {"gamma": 25.0} for name in [*names, "Playground"]}
    moves["RandomizedResponse"] = {"coin": 60}
    run = [sys.executable, "-c", WITHOUT, json.dumps(moves)]
    done = subprocess.run(run, capture_output=True, text=True, check=False)
    assert not done.returncode, done.stderr
    assert json.loads(done.stdout) == {name: ["", "", True] for name in moves}
