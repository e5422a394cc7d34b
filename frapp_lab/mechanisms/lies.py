"""Liars in a survey: how many they are, and what they know."""

from __future__ import annotations

from dataclasses import dataclass

from frapp_lab.data.cube import Cube


@dataclass(frozen=True)
class Liars:
    """Describe people who send reports of their choice, so that one itemset's estimate rises."""

    share: float = 0.01
    """The liars' share of all reports."""
    supports: Cube | None = None
    """The true supports, where liars know them; without them they take all records as equal."""
    unnoticed: bool = False
    """Whether a lie must have as many ones as an honest report has on average."""


USUAL = Liars()
"""One report in a hundred is a lie, by people who know nothing of the data."""
