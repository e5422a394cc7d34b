"""C&P: cut-and-paste (Evfimievski et al. 2002)."""

from __future__ import annotations

import numpy as np

from frapp_lab._base.checks import check_gamma, check_integer, check_number
from frapp_lab.data.cube import Cube
from frapp_lab.data.schema import Schema, check_schema
from frapp_lab.mechanisms.bits import BitMechanism, choose
from frapp_lab.mechanisms.registry import scheme


@scheme("C&P", order=4, paper=True)
class CutAndPaste(BitMechanism):
    """Keep w ≤ K items of the record, w uniform on 0 … K, and add noise: C&P (FRAPP §3).

    Every item that was not kept, the record's others too, is put in with probability ρ.

    Parameters
    ----------
    schema
        The attributes of the records.
    K
        The largest number of the record's items that are kept.
    rho
        The probability ρ that an item is put in.

    Examples
    --------
    >>> m = CutAndPaste(Schema.of_sizes(4, 5, 5, 5, 2, 2), K=3, rho=0.494)
    >>> round(m.amplification, 1)
    15.4
    """

    def __init__(self, schema: Schema, K: int, rho: float) -> None:
        self.schema = check_schema(schema)
        m = schema.n_attributes
        self.K = check_integer("K", K, 0, m, f"a record has {m} items of which up to K are kept")
        self.rho = check_number("rho", rho)

    @classmethod
    def for_gamma(cls, schema: Schema, gamma: float, K: int | None = None) -> CutAndPaste:
        """Find the ρ that attains γ for a given K (3, or M if that is less), from Σ_w ρ^−w = γ.

        >>> round(CutAndPaste.for_gamma(Schema.of_sizes(4, 5, 5, 5, 2, 2), 19, 3).rho, 6)
        0.451351
        """
        gamma = check_gamma(gamma)
        m = check_schema(schema).n_attributes
        K = min(3, m) if K is None else K
        K = check_integer("K", K, 1, m, f"a record has {m} items, and with K = 0 none is kept")
        if gamma <= K + 1:
            remedy = f"choose K below γ − 1 = {gamma - 1:g}" if gamma > 2 else "no K works at γ ≤ 2"
            error = ValueError(
                f"gamma is {gamma:g} and K is {K}: cut-and-paste with K = {K} has an amplification "
                f"above {K + 1} for every ρ < 1, so {remedy}"
            )
            error.add_note(f"needs γ > {K + 1}")
            raise error
        # With q = 1/ρ: q^K + … + q + 1 = γ has exactly one positive root, and it is above 1.
        roots = np.roots([1.0] * K + [1 - gamma])
        q = roots[abs(roots.imag) < 1e-9 * abs(roots)].real.max()
        return cls(schema, K, 1 / q)

    @classmethod
    def best(cls, schema: Schema, gamma: float, length: int, by_count: bool = False) -> CutAndPaste:
        """Choose the K with the lowest condition number for itemsets of this length.

        >>> CutAndPaste.best(Schema.of_sizes(4, 5, 5, 5, 2, 2), 19, length=3).K
        4
        """
        length, gamma = check_schema(schema).check_length(length), check_gamma(gamma)
        choices = [K for K in range(length, schema.n_attributes + 1) if gamma > K + 1]
        if not choices:
            raise ValueError(
                f"gamma is {gamma:g} and length is {length}: itemsets of this length need "
                f"K ≥ {length}, and that has an amplification above {length + 1} for every ρ"
            )
        made = [cls.for_gamma(schema, gamma, K) for K in choices]
        return min(made, key=lambda m: m.condition_number(length, by_count))

    @property
    def amplification(self) -> float:
        """Compute Σ_{w=0..K} ρ^−w, between a record inside the report and one outside of it."""
        return float((self.rho ** -np.arange(self.K + 1.0)).sum())

    @property
    def luck(self) -> dict[str, int]:
        """Take one number for w, one for each item of the record, one for each bit."""
        return {"C&P": 1 + self.schema.n_attributes + self.n_bits}

    @property
    def background(self) -> float:
        return self.rho

    @property
    def kept(self) -> np.ndarray:
        """Give κ_i, the probability that i given items of the record are all kept, i = 0 … M."""
        i = np.arange(self.schema.n_attributes + 1)
        w = np.arange(self.K + 1)[:, None]
        return choose(w, i).mean(axis=0) / choose(self.schema.n_attributes, i)

    @property
    def eigenvalues(self) -> np.ndarray:
        """Give λ_i = (1 − ρ)^i κ_i, which is 0 for i > K."""
        return (1 - self.rho) ** np.arange(self.schema.n_attributes + 1.0) * self.kept

    def why_not(self, length: int) -> str:
        """Refuse lengths beyond K, where the reconstruction matrix is singular."""
        if length <= self.K:
            return ""
        return (
            f"length is {length}: cut-and-paste with K = {self.K} keeps at most {self.K} items of "
            f"a record, so reports never show {length} of its items together other than by chance; "
            "the reconstruction matrix is singular. Use itemsets of length up to K, or a larger K"
        )

    def _pattern_chance(
        self, k: int, shown: np.ndarray, own: np.ndarray, both: np.ndarray
    ) -> np.ndarray:
        # Of the record's own items z are kept, all of them shown; the rest of the pattern is noise.
        m, w = self.schema.n_attributes, np.arange(self.K + 1)
        out = np.zeros(np.broadcast(shown, own, both).shape)
        for z in range(min(k, self.K) + 1):
            others = choose(m - own[..., None], np.maximum(w - z, 0)) * (w >= z)
            just_these = (others / choose(m, w)).mean(axis=-1)
            noise = self.rho ** np.maximum(shown - z, 0) * (1 - self.rho) ** (k - shown)
            out += choose(np.arange(k + 1), z)[both] * just_these * noise
        return out

    def _perturb(self, records: np.ndarray, uniforms: np.ndarray) -> np.ndarray:
        m = self.schema.n_attributes
        bits = np.ascontiguousarray(uniforms[:, 1 + m :] < self.rho)
        flat = bits.reshape(-1)
        # Selection sampling: item j is kept with probability (still to keep)/(items still to see).
        first, *others = np.asfortranarray(uniforms[:, : 1 + m]).T
        left = np.floor(first * (self.K + 1))
        for j, own in enumerate(self._own(records, bits)):
            keep = others[j] * (m - j) < left
            left -= keep
            flat[own] |= keep
        return bits

    def _deviation(self, supports: Cube, positions: tuple[int, ...]) -> np.ndarray:
        """Sum the second moment of products over bits by which items are kept.

        (b − ρ)² has mean ρ(1 − ρ) for an item that is not kept and is (1 − ρ)² for one that is. So
        the product's second moment is a sum over sub-itemsets R, each with the probability κ_|R|
        that R is kept.
        """
        flat = self.rho * (1 - self.rho)
        extra = (1 - self.rho) ** 2 - flat
        share = supports.build(positions)
        # by_size[r]: the sum over sub-itemsets of size r, one axis taken in after the other.
        by_size = np.zeros((share.ndim + 1, *share.shape))
        by_size[0] = share
        for axis in range(share.ndim):
            values = np.moveaxis(by_size, axis + 1, 1)
            with_item = extra * values[:, :-1]
            values[:, :-1] = flat * values[:, -1:]
            values[1:, :-1] += with_item[:-1]
        moment = np.tensordot(self.kept[: share.ndim + 1], by_size, axes=1)
        return np.sqrt(np.maximum(moment / self._lambda(positions) ** 2 - share, 0))
