"""The perturbation schemes of the paper, and one more, behind one small interface."""

from frapp_lab.mechanisms.base import Mechanism
from frapp_lab.mechanisms.cut_and_paste import CutAndPaste
from frapp_lab.mechanisms.gamma_diagonal import GammaDiagonal
from frapp_lab.mechanisms.independent import IndependentColumns
from frapp_lab.mechanisms.mask import Mask
from frapp_lab.mechanisms.randomized import RandomizedGammaDiagonal

__all__ = [
    "CutAndPaste",
    "GammaDiagonal",
    "IndependentColumns",
    "Mask",
    "Mechanism",
    "RandomizedGammaDiagonal",
]
