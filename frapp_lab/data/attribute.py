"""One categorical attribute, and helpers for lists of names."""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable, Iterable
from dataclasses import dataclass
from typing import Any

import numpy as np

from frapp_lab._base.checks import shown


@dataclass(frozen=True)
class Attribute:
    """Name a categorical attribute and its ordered categories.

    >>> Attribute("sex", ("Female", "Male")).size
    2
    """

    name: str
    categories: tuple[str, ...]

    def __post_init__(self) -> None:
        listed = as_tuple(self.categories)
        texts = all(isinstance(text, str) for text in (self.name, *listed))
        if not texts or isinstance(self.categories, str):
            raise TypeError(
                f"attribute {shown(self.name)} has the categories {shown(self.categories)}: its "
                "name must be a text and its categories a list of texts, because they are known by "
                "these names; use str()"
            )
        object.__setattr__(self, "categories", listed)
        if len(listed) < 2:
            raise ValueError(
                f"attribute {self.name!r} has categories {listed!r}: at least two are needed, "
                "because a single value tells nothing and cannot be perturbed; drop it"
            )
        if (repeated := first_repeated(listed)) is not None:
            raise ValueError(
                f"attribute {self.name!r} lists {repeated!r} more than once: each category "
                "must have a name of its own; rename or merge them"
            )

    @property
    def size(self) -> int:
        """Count the categories, |S_U^j| in the paper."""
        return len(self.categories)

    def codes(self, names: Iterable[str]) -> np.ndarray:
        """Give the codes of category names."""
        return np.array(list(map(self.categories.index, names)))


def numbered(name: str, size: int) -> Attribute:
    """Make an attribute whose categories are the numbers from 0, as texts."""
    return Attribute(name, tuple(map(str, range(size))))


def as_tuple(values: Any) -> tuple:
    """Make a tuple of a list of categories or attributes; a single one becomes a tuple of one."""
    one = isinstance(values, str) or not isinstance(values, Iterable)
    return (values,) if one else tuple(values)


def first_repeated(values: Iterable[Hashable]) -> object:
    """Find the first category or name that occurs more than once; None if there is none."""
    return next((value for value, times in Counter(values).items() if times > 1), None)
