"""Explorers: sliders that change the mechanism, and numbers that follow at once.

Every module of this folder is looked through for explorers: a new one is a new file. `Explorer`,
`controls` and `explore` are for those of your own; `every` gives all there are. They are loaded
when one of their names is first asked for, so that a model can be imported without widgets.
"""

import functools
import importlib
import importlib.util
import pkgutil
from typing import Any

PUBLIC = ("Explorer", "controls", "every", "explore")


def __getattr__(name: str) -> Any:
    """Give a module of this folder, an explorer, or what one of your own needs."""
    if importlib.util.find_spec(f"{__name__}.{name}"):
        return importlib.import_module(f"{__name__}.{name}")
    if name in (names := _loaded()):
        return names[name]
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


def __dir__() -> list[str]:
    return sorted(_loaded())


@functools.cache
def _loaded() -> dict[str, Any]:
    """Load all modules of this folder, and find the explorers in them."""
    for module in pkgutil.iter_modules(__path__):
        importlib.import_module(f"{__name__}.{module.name}")
    from frapp_lab.explorers import controls
    from frapp_lab.explorers.kit.base import Explorer, every
    from frapp_lab.explorers.kit.explore import explore

    public = dict(zip(PUBLIC, (Explorer, controls, every, explore), strict=True))
    return public | {kind.__name__: kind for kind in every()}
