"""frapp_lab: an interactive course on privacy-preserving data mining with FRAPP.

FRAPP (Agrawal & Haritsa 2005) looks at random perturbation as a matrix. Start with the notebooks;
`import frapp_lab as fl` is what they are made of.
"""

from frapp_lab.cube import Cube, all_marginals
from frapp_lab.datasets import Dataset, load_census, load_health, raw_census
from frapp_lab.schema import Attribute, Schema

__all__ = [
    "Attribute",
    "Cube",
    "Dataset",
    "Schema",
    "all_marginals",
    "load_census",
    "load_health",
    "raw_census",
]
