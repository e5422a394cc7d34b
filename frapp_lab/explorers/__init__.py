"""Explorers: sliders that change the mechanism, and numbers that follow at once.

Every module of this folder is looked through for explorers: a new one is a new file. `Explorer`,
`controls` and `explore` are for those of your own; `every` gives all there are.
"""

import importlib
import pkgutil

from frapp_lab.explorers import controls
from frapp_lab.explorers.base import Explorer, every
from frapp_lab.explorers.own import explore

for _module in pkgutil.iter_modules(__path__):
    importlib.import_module(f"{__name__}.{_module.name}")
globals().update({kind.__name__: kind for kind in every()})
__all__ = ["Explorer", "controls", "every", "explore", *sorted(k.__name__ for k in every())]
