"""frapp_lab: an interactive course on privacy-preserving data mining with FRAPP.

FRAPP (Agrawal & Haritsa 2005) looks at random perturbation as a matrix. Start with the notebooks;
`import frapp_lab as fl` is what they are made of.
"""

from frapp_lab.checks import check_matrix
from frapp_lab.cube import Cube, all_marginals
from frapp_lab.datasets import Dataset, load_census, load_health, raw_census
from frapp_lab.mechanisms.base import Mechanism, make_scheme, scheme, schemes
from frapp_lab.mechanisms.cut_and_paste import CutAndPaste
from frapp_lab.mechanisms.gamma_diagonal import GammaDiagonal
from frapp_lab.mechanisms.independent import IndependentColumns
from frapp_lab.mechanisms.mask import Mask
from frapp_lab.mechanisms.matrix import MatrixMechanism
from frapp_lab.mechanisms.randomized import RandomizedGammaDiagonal
from frapp_lab.mechanisms.samplers import perturb_by_columns, perturb_by_scan
from frapp_lab.mining import MiningRun, frequent_arrays, frequent_itemsets, judge, mine
from frapp_lab.optimality import (
    condition_lower_bound,
    fano_matrix,
    subset_selection_condition,
    subset_selection_deviation,
    subset_selection_matrix,
)
from frapp_lab.privacy import (
    amplification,
    bayesian_posterior,
    epsilon_from_gamma,
    gamma_from_breach,
    gamma_from_epsilon,
    highest_prior,
    max_alpha,
    off_diagonal,
    posterior,
    posterior_cdf,
    posterior_range,
    realized_amplification,
    realized_posterior,
    worst_posterior,
)
from frapp_lab.reconstruction import (
    clip_and_renormalise,
    count_variance,
    em,
    error_bound,
    expected_counts,
    project_to_simplex,
    variance_split,
)
from frapp_lab.rules import association_rules, rule_errors
from frapp_lab.schema import Attribute, Schema
from frapp_lab.theory import predicted_errors, records_needed

__all__ = [
    "Attribute",
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
    "all_marginals",
    "amplification",
    "association_rules",
    "bayesian_posterior",
    "check_matrix",
    "clip_and_renormalise",
    "condition_lower_bound",
    "count_variance",
    "em",
    "epsilon_from_gamma",
    "error_bound",
    "expected_counts",
    "fano_matrix",
    "frequent_arrays",
    "frequent_itemsets",
    "gamma_from_breach",
    "gamma_from_epsilon",
    "highest_prior",
    "judge",
    "load_census",
    "load_health",
    "make_scheme",
    "max_alpha",
    "mine",
    "off_diagonal",
    "perturb_by_columns",
    "perturb_by_scan",
    "posterior",
    "posterior_cdf",
    "posterior_range",
    "predicted_errors",
    "project_to_simplex",
    "raw_census",
    "realized_amplification",
    "realized_posterior",
    "records_needed",
    "rule_errors",
    "scheme",
    "schemes",
    "subset_selection_condition",
    "subset_selection_deviation",
    "subset_selection_matrix",
    "variance_split",
    "worst_posterior",
]
