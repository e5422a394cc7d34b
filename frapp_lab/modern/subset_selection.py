"""SS, subset selection (Wang et al. 2016; Ye & Barg 2018): a report is a set of cells."""

from __future__ import annotations

import itertools
import math
from functools import cached_property

import numpy as np

from frapp_lab.mechanisms.lies import Liars
from frapp_lab.mechanisms.registry import scheme
from frapp_lab.mining import optimality
from frapp_lab.modern.support_sets import MOST_BITS, JointMechanism, support_first


@scheme("SS", order=13, modern=True)
class SubsetSelection(JointMechanism):
    """Send a subset of d cells; those that hold the true one are γ times as likely: SS.

    d is about n/(γ + 1), as Ye & Barg choose it: for the smallest total squared error where all
    cells are equally full. (For a cell that nobody is in, one less may be better.)

    >>> from frapp_lab import Schema
    >>> m = SubsetSelection(Schema.of_sizes(4, 5, 5, 5, 2, 2), 19)
    >>> m.d, round(m.p, 3), round(m.bits_per_report)
    (100, 0.5, 568)
    """

    @cached_property
    def d(self) -> int:
        """Give the number of cells that a report supports."""
        n = self.schema.n_cells
        near = math.floor(n / (self.gamma + 1))
        choices = {min(max(d, 1), n - 1) for d in (near, near + 1)}

        def squared_error(d: int) -> float:
            # Of equally full cells each is held by a share d/n of the reports.
            own = self.gamma * d / (self.gamma * d + n - d)
            return d * (n - d) / (own - (d - own) / (n - 1)) ** 2

        return min(sorted(choices), key=squared_error)

    @property
    def p(self) -> float:
        n, d = self.schema.n_cells, self.d
        return self.gamma * d / (self.gamma * d + n - d)

    @property
    def q(self) -> float:
        """Compute (p(d − 1) + (1 − p)d)/(n − 1): the other cells share what is left of d."""
        return (self.d - self.p) / (self.schema.n_cells - 1)

    @property
    def luck(self) -> dict[str, int]:
        """Take one number that decides on the own cell, and d that draw others."""
        return {"SS": 1 + self.d}

    def _perturb(self, records: np.ndarray, uniforms: np.ndarray) -> np.ndarray:
        # Floyd's algorithm draws a subset of the other cells: at step j a cell up to j, or j itself
        # if that is in already. Whose own cell is in needs one cell less, and begins a step later.
        n, d = self.schema.n_cells, self.d
        own, cells = uniforms[:, 0] < self.p, self.schema.encode(records)
        bits = np.zeros((len(records), n), dtype=bool)
        rows = max(1, MOST_BITS // n)
        for start in range(0, len(records), rows):
            part = slice(start, start + rows)
            flat = bits[part].reshape(-1)
            first = np.arange(0, len(flat), n)
            for step, column in enumerate(uniforms[part, 1:].T):
                last = n - 1 - d + step
                drawn = first + (column * (last + 1)).astype(np.int64)
                chosen = np.where(flat[drawn], first + last, drawn)
                flat[chosen[~own[part]] if step == 0 else chosen] = True
        # The others were numbered without the own cell, which the last column stands in for.
        everyone = np.arange(len(records))
        bits[everyone, -1] = bits[everyone, cells]
        bits[everyone, cells] = own
        return bits

    def _craft(self, holds: np.ndarray, liars: Liars) -> np.ndarray:
        return support_first(holds, self.d)

    def _spread(self, cells: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Use that the others of m cells are hypergeometric, given whether the own one is in."""
        n, d, p = self.schema.n_cells - 1, self.d, self.p

        def moments(m: np.ndarray, drawn: int) -> tuple[np.ndarray, np.ndarray]:
            mean = drawn * m / n
            spare = (n - drawn) / max(n - 1, 1)
            return mean, mean * (1 - m / n) * spare

        def spread(m: np.ndarray, own: int) -> np.ndarray:
            (with_own, within), (without, outwith) = moments(m, d - 1), moments(m, d)
            between = p * (1 - p) * (own + with_own - without) ** 2
            return between + p * within + (1 - p) * outwith

        return spread(cells - 1, 1), spread(cells, 0)

    def condition_number(self, length: int) -> float:
        """Compute that of the matrix over all subsets, in closed form."""
        self.require(length)
        return optimality.subset_selection_condition(self.schema.n_cells, self.d, self.gamma)

    @property
    def bits_per_report(self) -> float:
        return math.log2(math.comb(self.schema.n_cells, self.d))

    def possible_reports(self) -> np.ndarray:
        n = self.schema.n_cells
        subsets = np.array(list(itertools.combinations(range(n), self.d)))
        bits = np.zeros((len(subsets), n), dtype=bool)
        bits[np.arange(len(subsets))[:, None], subsets] = True
        return bits

    def _matrix_shape(self) -> tuple[int, int]:
        return math.comb(self.schema.n_cells, self.d), self.schema.n_cells

    def _matrix(self) -> np.ndarray:
        return optimality.subset_selection_matrix(self.schema.n_cells, self.d, self.gamma)
