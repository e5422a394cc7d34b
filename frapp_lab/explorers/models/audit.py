"""A client of unknown code is audited: what reports of two inputs prove against its claim."""

from __future__ import annotations

import functools
import math
from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from frapp_lab._base.random_streams import stream
from frapp_lab.data.schema import Schema
from frapp_lab.explorers.models.cache import remember
from frapp_lab.mechanisms.gamma_diagonal import GammaDiagonal
from frapp_lab.mechanisms.mechanism import Mechanism
from frapp_lab.modern.audit import bound_counts
from frapp_lab.modern.flawed_schemes import FakeData, MissingLine
from frapp_lab.modern.support_sets import JointMechanism
from frapp_lab.modern.unary import OptimisedUnary

SCHEMA = Schema.of_sizes(2, 2, 2)
INPUTS = (0, SCHEMA.n_cells - 1)
"""The two records whose reports are compared: they differ in every attribute."""

CODES: dict[type[Mechanism], str] = {
    FakeData: "RS+FD: it tells of one attribute, drawn at random, and makes the others up",
    GammaDiagonal: "the γ-diagonal matrix, as it should be",
    MissingLine: "OUE with the line missing that clears the own bit",
    OptimisedUnary: "OUE, as it should be",
}
CLIENTS = {f"client {i}": code for i, code in enumerate(CODES, 1)}
SIZES = tuple(round(10 ** (k / 4)) for k in range(8, 25))
"""Numbers of reports of each input: 100 to a million."""
DRAWS = 200
"""Number of audits that show what is luck."""
Band = tuple[np.ndarray, np.ndarray]


@dataclass(frozen=True)
class Parameters:
    """The client, its claim, how many reports of each input, the confidence, and the seed."""

    client: str = "client 1"
    gamma: float = 19.0
    n_reports: int = 10_000
    confidence: float = 0.95
    seed: int = 7
    reveal: bool = False


@dataclass(frozen=True)
class Result:
    """One audit, how it came about, and how often such audits refute the claim."""

    parameters: Parameters
    claim: float
    epsilon: float
    true: float
    """The ε that is claimed, its lower bound, and the one that any two inputs really have."""
    reports: tuple[str, ...]
    event: np.ndarray
    """What the reports look like, and which of them are the event that was measured."""
    shares: np.ndarray
    low: np.ndarray
    high: np.ndarray
    """How often each came from either input, and the ends of its interval."""
    event_shares: tuple[float, float]
    """How often the event came in the half that was measured, from its input and the other."""
    sizes: tuple[int, ...]
    path: np.ndarray
    """Numbers of reports up to the chosen one, and the bounds of ε with them."""
    power: float
    """The share of such audits, of many, that refute the claim."""

    @property
    def is_refuted(self) -> bool:
        return self.epsilon > self.claim

    @property
    def is_broken(self) -> bool:
        return self.true > self.claim * (1 + 1e-9)


def compute(parameters: Parameters) -> Result:
    """Audit for the card with the seed's luck: more reports join those that there are."""
    p, claim = parameters, math.log(parameters.gamma)
    reports, laws = law(p.client, p.gamma)
    sizes = (*(size for size in SIZES if size < p.n_reports), p.n_reports)
    steps = np.diff(sizes, prepend=0)
    # Half of each step's reports choose the event, half measure it.
    halves = np.stack([(steps + 1) // 2, steps // 2], axis=1)
    sources = [stream(p.seed, "audit", i) for i in range(len(sizes))]
    drawn = [s.multinomial(half[:, None], laws) for s, half in zip(sources, halves, strict=True)]
    counts = np.cumsum(drawn, axis=0)
    path, events, shares = bound_counts(counts[:, 0], counts[:, 1], p.confidence)
    total = counts[-1].sum(axis=0)
    low, high = interval(total, p.n_reports, p.confidence)
    audits = _audits(p.client, p.gamma, p.n_reports, p.confidence)
    return Result(
        parameters=p, claim=claim, epsilon=float(path[-1]), reports=reports, event=events[-1],
        shares=total / p.n_reports, low=low, high=high, event_shares=tuple(shares[-1].tolist()),
        sizes=sizes, path=path, power=float((audits > claim).mean()),
        true=math.log(_made(p.client, p.gamma).amplification),
    )  # fmt: skip


def band(parameters: Parameters) -> Iterator[Band | None]:
    """Find the card's band: the middle 90 % of many audits' bounds, at each of `SIZES`."""
    p, ends = parameters, []
    for size in SIZES:
        bounds = _audits(p.client, p.gamma, size, p.confidence)
        ends.append(np.quantile(bounds, [0.05, 0.95]))
        yield None
    low, high = np.transpose(ends)
    yield low, high


def law(client: str, gamma: float) -> tuple[tuple[str, ...], np.ndarray]:
    """Tell what the card's audited client reports of two inputs, and how likely each report is.

    Of a client that sends a bit for each cell only the two inputs' bits tell them apart.

    >>> reports, laws = law("client 4", 19)
    >>> reports, laws.round(3).tolist()
    (('00', '01', '10', '11'), [[0.475, 0.025, 0.475, 0.025], [0.475, 0.475, 0.025, 0.025]])
    """
    mechanism = _made(client, gamma)
    laws = mechanism.matrix()[:, INPUTS].T
    sent = mechanism.possible_reports().astype(int)
    if isinstance(mechanism, JointMechanism):
        sent = sent[:, INPUTS]
    names, which = np.unique(sent, axis=0, return_inverse=True)
    joined = np.array([np.bincount(which.ravel(), one) for one in laws])
    return tuple("".join(map(str, name)) for name in names), joined


def interval(counts: np.ndarray, n: int, confidence: float) -> tuple[np.ndarray, np.ndarray]:
    """Give the ends of Clopper and Pearson's interval for each share on the card of the audit.

    >>> low, high = interval(np.array([0, 50]), 100, 0.95)
    >>> low.round(3).tolist(), high.round(3).tolist()
    ([0.0, 0.398], [0.036, 0.602])
    """
    from scipy.special import betaincinv  # not at the top: it takes 0.1 s to load

    level, k = (1 - confidence) / 2, np.asarray(counts, dtype=float)
    low = np.where(k > 0, betaincinv(np.maximum(k, 1), n - np.maximum(k, 1) + 1, level), 0.0)
    high = np.where(k < n, betaincinv(k + 1, np.maximum(n - k, 1), 1 - level), 1.0)
    return low, high


@functools.lru_cache(maxsize=256)
def _made(client: str, gamma: float) -> Mechanism:
    return CLIENTS[client](SCHEMA, gamma)  # type: ignore[call-arg]


@remember(max_bytes=6e6)
def _audits(client: str, gamma: float, n_reports: int, confidence: float) -> np.ndarray:
    """Find the bounds of many audits beside the card's own, with luck of their own."""
    _, laws = law(client, gamma)
    halves = np.array([(n_reports + 1) // 2, n_reports // 2])[:, None, None]
    source = stream(0, "audits", n_reports)
    drawn = source.multinomial(halves, laws[:, None], size=(2, len(laws), DRAWS))
    chosen, measured = drawn.swapaxes(1, 2)
    return bound_counts(chosen, measured, confidence)[0]
