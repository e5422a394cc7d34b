"""Where data files and notebooks lie: beside the package in a checkout, inside it in a wheel."""

from __future__ import annotations

from pathlib import Path

PACKAGE = Path(__file__).parents[1]


def shipped(name: str) -> Path:
    """Find a folder that comes with the package, such as `data` or `notebooks`."""
    inside = PACKAGE / "_files" / name
    return inside if inside.is_dir() else PACKAGE.parent / name
