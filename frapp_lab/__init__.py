"""frapp_lab: an interactive course and toolkit on privacy-preserving data mining with FRAPP.

FRAPP (Agrawal & Haritsa 2005) looks at random perturbation as a matrix. Start with the notebooks;
`import frapp_lab as fl` offers what a user needs, and the rest is imported from its module.
"""

from typing import TYPE_CHECKING, Any

from frapp_lab import modern  # noqa: F401  its schemes are registered
from frapp_lab._base.checks import check_matrix
from frapp_lab.data.census import load_census
from frapp_lab.data.cube import Cube
from frapp_lab.data.dataset import Dataset
from frapp_lab.data.health import load_health
from frapp_lab.data.schema import Schema
from frapp_lab.mechanisms.cut_and_paste import CutAndPaste
from frapp_lab.mechanisms.gamma_diagonal import GammaDiagonal
from frapp_lab.mechanisms.independent import IndependentColumns
from frapp_lab.mechanisms.mask import Mask
from frapp_lab.mechanisms.matrix import MatrixMechanism
from frapp_lab.mechanisms.mechanism import Mechanism
from frapp_lab.mechanisms.randomized import RandomizedGammaDiagonal
from frapp_lab.mechanisms.registry import make_scheme, scheme, schemes
from frapp_lab.mining.itemsets import frequent_itemsets
from frapp_lab.mining.mining_run import MiningRun, mine
from frapp_lab.mining.predicted_errors import predicted_errors, records_needed
from frapp_lab.mining.rules import association_rules, rule_errors
from frapp_lab.privacy import (
    amplification,
    epsilon_from_gamma,
    gamma_from_breach,
    gamma_from_epsilon,
    posterior,
    posterior_range,
    worst_posterior,
)

if TYPE_CHECKING:
    from frapp_lab.modern.recommend import recommend

__all__ = [
    "Cube",
    "CutAndPaste",
    "Dataset",
    "GammaDiagonal",
    "IndependentColumns",
    "Mask",
    "MatrixMechanism",
    "Mechanism",
    "MiningRun",
    "RandomizedGammaDiagonal",
    "Schema",
    "amplification",
    "association_rules",
    "check_matrix",
    "epsilon_from_gamma",
    "frequent_itemsets",
    "gamma_from_breach",
    "gamma_from_epsilon",
    "load_census",
    "load_health",
    "make_scheme",
    "mine",
    "posterior",
    "posterior_range",
    "predicted_errors",
    "recommend",
    "records_needed",
    "rule_errors",
    "scheme",
    "schemes",
    "worst_posterior",
]


def __getattr__(name: str) -> Any:
    """Import `recommend` when it is first asked for, so that `import frapp_lab` is quick."""
    if name == "recommend":
        from frapp_lab.modern.recommend import recommend

        return recommend
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
