"""The five schemes by their names, each made so that it attains a given γ."""

from __future__ import annotations

from frapp_lab.checks import check_number as check_share
from frapp_lab.mechanisms.base import Mechanism
from frapp_lab.mechanisms.cut_and_paste import CutAndPaste
from frapp_lab.mechanisms.gamma_diagonal import GammaDiagonal
from frapp_lab.mechanisms.independent import IndependentColumns
from frapp_lab.mechanisms.mask import Mask
from frapp_lab.mechanisms.randomized import RandomizedGammaDiagonal
from frapp_lab.privacy import max_alpha
from frapp_lab.schema import Schema

SCHEMES = ("DET-GD", "RAN-GD", "MASK", "C&P", "IND-RR")
"""The names of the schemes; the paper compares the first four (FRAPP §7)."""


def make_scheme(
    name: str, schema: Schema, gamma: float, alpha_share: float = 0.5, K: int = 3
) -> Mechanism:
    """A scheme by its name. `alpha_share` is RAN-GD's α as a share of the largest valid one.

    On the paper's data that largest α is γx, so that a share of ½ is the paper's α = γx/2.

    >>> make_scheme("C&P", Schema.of_sizes(4, 5, 5, 5, 2, 2), 19).K
    3
    """
    if name == "DET-GD":
        return GammaDiagonal(schema, gamma)
    if name == "RAN-GD":
        if alpha_share not in (0, 1):
            check_share("alpha_share", alpha_share, why="it is a share of the largest valid α")
        return RandomizedGammaDiagonal(
            schema, gamma, alpha_share * max_alpha(gamma, schema.n_cells)
        )
    if name == "MASK":
        return Mask.for_gamma(schema, gamma)
    if name == "C&P":
        return CutAndPaste.for_gamma(schema, gamma, min(K, schema.n_attributes))
    if name == "IND-RR":
        return IndependentColumns(schema, gamma)
    raise ValueError(f"scheme {name!r} is not known: choose from {', '.join(SCHEMES)}")
