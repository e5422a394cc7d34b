"""pandas, imported when it is first used, so that `import frapp_lab` is quick."""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING, Any


class Later:
    """Stand for a module that is imported when something of it is asked for."""

    def __init__(self, module: str) -> None:
        self.__module = module

    def __getattr__(self, name: str) -> Any:
        return getattr(importlib.import_module(self.__module), name)


if TYPE_CHECKING:
    import pandas as pd
else:
    pd = Later("pandas")

__all__ = ["pd"]
