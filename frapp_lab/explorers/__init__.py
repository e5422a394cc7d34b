"""Explorers: sliders that change the mechanism, and numbers that follow at once.

Every module of this folder is looked through for explorers: a new one is a new file, and
`mechanism_race.py` holds `MechanismRace`. `Explorer`, `explorer`, `controls` and `explore` are for
those of your own; `every` gives all there are. Nothing is loaded before its name is asked for, and
widgets only when an explorer is opened.
"""

import importlib
import importlib.util
import pkgutil
import re
from typing import Any

PUBLIC = {
    "Card": "kit.card",
    "Explorer": "kit.explorer",
    "Number": "kit.card",
    "Panel": "kit.card",
    "explore": "kit.explore",
    "explorer": "kit.explorer",
}
"""Where the names are that an explorer of your own needs."""


def every() -> tuple[Any, ...]:
    """Import every explorer of this package, and give all there are, those of your own as well."""
    from frapp_lab.explorers.kit.explorer import every

    for module in pkgutil.iter_modules(__path__):
        importlib.import_module(f"{__name__}.{module.name}")
    return every()


def __getattr__(name: str) -> Any:
    if name == "marks":
        return importlib.import_module("frapp_lab.figures.marks")
    if name in PUBLIC:
        return getattr(importlib.import_module(f"{__name__}.{PUBLIC[name]}"), name)
    if importlib.util.find_spec(f"{__name__}.{name}"):
        return importlib.import_module(f"{__name__}.{name}")
    file = re.sub("(?<!^)(?=[A-Z])", "_", name).lower()
    if name[:1].isupper() and importlib.util.find_spec(f"{__name__}.{file}"):
        return getattr(importlib.import_module(f"{__name__}.{file}"), file)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


def __dir__() -> list[str]:
    return sorted({*PUBLIC, "controls", "every", "marks", *(kind.__name__ for kind in every())})
