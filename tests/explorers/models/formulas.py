"""Formulas that are written apart from the models."""

import numpy as np


def gamma_diagonal(gamma, n):
    """The matrix as the paper writes it."""
    x = 1 / (gamma + n - 1)
    return np.array([[gamma * x if v == u else x for u in range(n)] for v in range(n)])
