"""Explorers: sliders that change the mechanism, and numbers that follow at once."""

from frapp_lab.explorers.column_by_column import ColumnByColumn
from frapp_lab.explorers.matrices import Matrices
from frapp_lab.explorers.mining import Mining
from frapp_lab.explorers.playground import Playground
from frapp_lab.explorers.posterior import Posterior
from frapp_lab.explorers.randomization import Randomization
from frapp_lab.explorers.randomized_response import RandomizedResponse
from frapp_lab.explorers.reconstruction import Reconstruction

__all__ = [
    "ColumnByColumn",
    "Matrices",
    "Mining",
    "Playground",
    "Posterior",
    "Randomization",
    "RandomizedResponse",
    "Reconstruction",
]
