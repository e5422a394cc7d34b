"""Perturbation schemes behind one small interface: every file here is found by itself.

A scheme of one's own lives anywhere and joins by `@scheme("LABEL")` (see `registry.py`).
"""

import importlib
import pkgutil

for _file in pkgutil.iter_modules(__path__):
    importlib.import_module(f"{__name__}.{_file.name}")
