"""pandas, loaded when it is first used: `import frapp_lab` is quicker, and works without it."""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING, Any


class Later:
    """Stand for a module that is imported when something of it is asked for.

    >>> Later("math").sqrt(4)
    2.0
    """

    def __init__(self, module: str) -> None:
        self.__module = module

    def __getattr__(self, name: str) -> Any:
        return getattr(importlib.import_module(self.__module), name)


if TYPE_CHECKING:
    import pandas as pd
else:
    pd = Later("pandas")

__all__ = ["pd"]
