"""Every registered mechanism at one γ: its error, what it leaks, who can poison it, its bits."""

from __future__ import annotations

import functools
import math
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np

from frapp_lab._base.random_streams import stream
from frapp_lab.data.cube import lengths
from frapp_lab.explorers.models.cache import remember
from frapp_lab.explorers.models.data import Data
from frapp_lab.mechanisms.gamma_diagonal import GammaDiagonal
from frapp_lab.mechanisms.independent import IndependentColumns
from frapp_lab.mechanisms.mechanism import Mechanism
from frapp_lab.mechanisms.registry import in_short, make_scheme, scheme_class, schemes
from frapp_lab.mining.theory import mean_absolute
from frapp_lab.modern.fit_noise import Response
from frapp_lab.modern.hadamard import HadamardResponse
from frapp_lab.modern.marginals import MarginalMechanism
from frapp_lab.modern.poisoning import poison_lift
from frapp_lab.modern.recommend import scaled
from frapp_lab.modern.subset_selection import SubsetSelection
from frapp_lab.modern.support_sets import IndependentBits, JointMechanism

CENSUS, MIN_SUPPORT = Data(), 0.02
DRAWS = 10
SUPPORTING = (IndependentBits, SubsetSelection, HadamardResponse, MarginalMechanism)
OURS = Mechanism.__module__.partition(".")[0] + "."
"""Where schemes are whose law is known."""
FEW = 1e-6
"""The share of liars."""
PEOPLE = 200
"""Number of people who are guessed where the leak can only be found by trying."""


@dataclass(frozen=True)
class Parameters:
    """γ, the people who report, the data, the itemsets' length (0: all), and the cost shown."""

    gamma: float = 19.0
    thousands: int = 50
    data: Data = CENSUS
    length: int = 0
    cost: str = "poison"

    @property
    def n_records(self) -> int:
        """How many people report."""
        return 1000 * self.thousands


@dataclass(frozen=True)
class Runner:
    """What one scheme costs, and what it is worth."""

    error: float
    """The mean relative error of the frequent itemsets' supports, in percent …"""
    floor: float
    """… and what of it no number of people takes away, because a model is wrong."""
    model: str
    """What the scheme takes for granted; empty where nothing is."""
    leak: float
    """How often an attacker who knows the joint guesses a record from one report."""
    tried: bool
    """Whether that was found by trying."""
    gain: float
    """A liar counts for so many honest people who have the itemset."""
    bits: float


@dataclass(frozen=True)
class Result:
    """All schemes, the best first, and which joint scheme is best for one cell."""

    parameters: Parameters
    name: str
    n_cells: int
    length: int
    """At most as many as the data have attributes."""
    n_itemsets: int
    runners: dict[str, Runner]
    problems: dict[str, str]
    """Why schemes do not run …"""
    short: dict[str, str]
    """… and in few words."""
    blind: float
    """How often a record is guessed without any report."""
    target: tuple[str, ...]
    """The itemset that liars lift: the commonest of this length."""
    cell: str
    """The joint scheme with the least noise in one cell."""

    @property
    def per_cell(self) -> float:
        """How many people there are for each cell."""
        return self.parameters.n_records / self.n_cells

    @property
    def best(self) -> str:
        """The scheme with the smallest error."""
        return next(iter(self.runners))


def compute(parameters: Parameters) -> Result:
    """Errors by theory; leaks and poison in closed form, but where only trying helps."""
    p, data = parameters, parameters.data.load()
    length = min(p.length, data.schema.n_attributes)
    here = _lengths(p.data) == length if length else np.ones(len(_lengths(p.data)), dtype=bool)
    if not here.any():
        raise ValueError(
            f"no itemset of length {length} has a support of {100 * MIN_SUPPORT:g} % here: choose "
            "a shorter one or fewer categories, because errors are relative to supports"
        )
    share = data.supports.array[_wanted(p.data)]
    # What liars lift: of the longest of these itemsets the commonest.
    longest = here & (_lengths(p.data) == _lengths(p.data)[here].max())
    target = int(np.flatnonzero(longest)[share[longest].argmax()])
    found: dict[str, Runner] = {}
    problems: dict[str, str] = {}
    short: dict[str, str] = {}
    for label in schemes(modern=True):
        kind = scheme_class(label)
        try:
            mechanism = _made(p.data, kind, p.gamma)
            bias, deviation = _law(p.data, kind, p.gamma)
            errors = mean_absolute(bias[here], deviation[here] / math.sqrt(p.n_records))
            if np.isnan(errors).any():
                problems[label] = mechanism.why_not(int(_lengths(p.data)[here].max()))
                short[label] = f"only up to length {mechanism.max_length}"
                continue
            found[label] = Runner(
                error=100 * float((errors / share[here]).mean()),
                floor=100 * float((abs(bias[here]) / share[here]).mean()),
                model=mechanism.model, leak=_leak(p.data, kind, p.gamma), tried=not _is_known(kind),
                gain=_gain(p.data, kind, p.gamma, target), bits=mechanism.bits_per_report,
            )  # fmt: skip
        except ValueError as error:  # this γ or this domain is not for this scheme
            problems[label], short[label] = str(error), in_short(error)
    # Schemes of one law have one error: then the shorter report is better.
    order = sorted(found, key=lambda label: (float(f"{found[label].error:.6g}"), found[label].bits))
    n = data.schema.n_cells
    return Result(
        parameters=p, name=data.name, n_cells=n, length=length, n_itemsets=int(here.sum()),
        runners={label: found[label] for label in order}, problems=problems,
        short=short,
        blind=float(data.counts.max()) / len(data), target=_said(p.data, target),
        cell="DET-GD" if n <= selection_wins(p.gamma) else "SS",
    )  # fmt: skip


# --- one cell -------------------------------------------------------------------------------------


def selection_wins(gamma: Any) -> Any:
    """Give 2γ + 1: with more cells subset selection has less noise in a rare one than DET-GD.

    >>> selection_wins(19)
    39
    """
    return 2 * gamma + 1


def unary_wins(gamma: Any) -> Any:
    """3γ + 2: beyond so many cells OUE has less noise in a rare cell than DET-GD.

    >>> unary_wins(19)
    59
    """
    return 3 * gamma + 2


def _map() -> dict[str, tuple[np.ndarray, np.ndarray]]:
    """Domain sizes and γs: the outlines of the regions, and the lines between them."""
    # From the lowest γ to the highest, and far beyond the largest domain that is drawn.
    gammas = np.geomspace(1, 1000, 25)
    edge, ends = np.full(25, 10**4.3), gammas[[0, -1]]
    two = np.minimum(selection_wins(gammas), edge)
    three = np.minimum(unary_wins(gammas), edge)
    along = np.concatenate([gammas, gammas[::-1]])
    return {
        "diagonal": (np.concatenate([[2, 2], two[::-1]]), np.concatenate([ends, gammas[::-1]])),
        "subset": (np.concatenate([two, three[::-1]]), along),
        "unary": (np.concatenate([three, edge]), along),
        "2γ + 1": (two, gammas),
        "3γ + 2": (three, gammas),
    }


MAP = _map()


# --- what is remembered ---------------------------------------------------------------------------


@functools.lru_cache(maxsize=256)
def _made(data: Data, kind: type[Mechanism], gamma: float) -> Mechanism:
    return make_scheme(kind.label, data.load().schema, gamma)


@remember(max_bytes=4e6)
def _wanted(data: Data) -> np.ndarray:
    """Which itemsets are frequent."""
    frequent = data.load().supports.array >= MIN_SUPPORT
    frequent[(-1,) * frequent.ndim] = False  # the empty itemset
    return frequent


@remember(max_bytes=4e6)
def _lengths(data: Data) -> np.ndarray:
    """Their lengths."""
    return lengths(data.load().schema.sizes)[_wanted(data)]


@functools.lru_cache(maxsize=12)
def _response(data: Data, kind: type[MarginalMechanism]) -> Response:
    mechanism = kind(data.load().schema, 19)  # any γ will do
    return Response(mechanism, data.load().supports, _wanted(data))


@remember(max_bytes=24e6)
def _law(data: Data, kind: type[Mechanism], gamma: float) -> np.ndarray:
    """Of each frequent itemset's estimate the bias, and √N times the standard deviation."""
    mechanism = _made(data, kind, gamma)
    if isinstance(mechanism, MarginalMechanism):
        response = _response(data, type(mechanism))
        return np.array([response.bias, response.deviation(mechanism)])
    supports, wanted = data.load().supports, _wanted(data)
    bias = (mechanism.limit(supports).array - supports.array)[wanted]
    return np.array([bias, mechanism.standard_deviation(supports, 1).array[wanted]])


@functools.lru_cache(maxsize=4096)
def _gain(data: Data, kind: type[Mechanism], gamma: float, target: int) -> float:
    """For how many honest people with the itemset one liar counts, among very many clients.

    An honest client who has it counts for 1, and one who has not for 0: so a liar's lift comes on
    top of what the estimate is without liars.
    """
    mechanism = _made(data, kind, gamma)
    itemset = dict(item.split("=", 1) for item in _said(data, target))
    share = float(data.load().supports.array[_wanted(data)][target])
    if isinstance(mechanism, MarginalMechanism):
        response = _response(data, type(mechanism))
        return response.gain(mechanism, target) + share + float(response.bias[target])
    if isinstance(mechanism, JointMechanism) and len(itemset) == mechanism.schema.n_attributes:
        return (1 - mechanism.q) / (mechanism.p - mechanism.q)  # a report can support any one cell
    return poison_lift(data.load(), mechanism, itemset, FEW, unnoticed=True) / FEW + share


def _said(data: Data, which: int) -> tuple[str, ...]:
    """One of the frequent itemsets, as attribute=category."""
    schema = data.load().schema
    codes = np.argwhere(_wanted(data))[which]
    return tuple(
        f"{a.name}={a.categories[code]}"
        for a, code in zip(schema.attributes, codes, strict=True)
        if code < a.size
    )


# --- what draws show ------------------------------------------------------------------------------


def bands(parameters: Parameters) -> Iterator[dict[str, tuple[float, float]] | None]:
    """The range of some draws' errors, for schemes with a model; the last that is given is whole.

    Theory does not know that they mend negative estimates.
    """
    p, data = parameters, parameters.data.load()
    length = min(p.length, data.schema.n_attributes)
    here = _lengths(p.data) == length if length else np.ones(len(_lengths(p.data)), dtype=bool)
    share = data.supports.array[_wanted(p.data)][here]
    counts = scaled(data.counts, p.n_records)
    found: dict[str, tuple[float, float]] = {}
    for label in schemes(modern=True):
        kind = scheme_class(label)
        if not issubclass(kind, MarginalMechanism):
            continue
        mechanism, errors = _made(p.data, kind, p.gamma), []
        assert isinstance(mechanism, MarginalMechanism)
        for draw in range(DRAWS):
            estimates = mechanism.estimate_counts(mechanism.perturb_counts(counts, draw)).array
            errors.append((abs(estimates[_wanted(p.data)][here] - share) / share).mean())
            yield None
        found[label] = 100 * float(min(errors)), 100 * float(max(errors))
    yield found


# --- what one report gives away -------------------------------------------------------------------


@functools.lru_cache(maxsize=4096)
def _leak(data: Data, kind: type[Mechanism], gamma: float) -> float:
    """How often the likeliest record is the right one: the mean of max p(u)·P(report | u).

    Most schemes have two chances: a report is γ times as likely from records that it *supports*.
    Then the best guess is the likeliest record that is supported, or else the likeliest of all.
    """
    mechanism, prior = _made(data, kind, gamma), _prior(data)
    if not _is_known(kind):
        return _tried(data, mechanism)
    flat = np.sort(prior.ravel())[::-1]
    n, top = len(flat), flat[0]
    if isinstance(mechanism, IndependentBits):
        # The likeliest supported record is the jth likeliest, if it is in and those before are not.
        p, q = mechanism.p, mechanism.q
        first = q * (1 - q) ** np.arange(n)
        ratio = p * (1 - q) / (q * (1 - p))
        mean = float(first @ np.maximum(ratio * flat, top)) + (1 - q) ** n * top
        return float((1 - p) / (1 - q) * mean)
    if isinstance(mechanism, SubsetSelection):
        # Of d cells drawn from n the first is the jth: so many of those before are left out.
        d = mechanism.d
        left = (n - d - np.arange(n)) / (n - np.arange(n))
        before = np.concatenate([[1.0], np.cumprod(np.maximum(left, 0))[:-1]])
        first = before * (1 - np.maximum(left, 0))
        return n / (gamma * d + n - d) * float(first @ np.maximum(gamma * flat, top))
    if isinstance(mechanism, HadamardResponse):
        likeliest = _likeliest(data, mechanism.blocks)
        return float(np.maximum(gamma * likeliest, top).sum()) / mechanism.shares
    if isinstance(mechanism, MarginalMechanism):
        told = []
        for table in mechanism.told:
            others = tuple(j for j in range(prior.ndim) if j not in table)
            likeliest = prior.max(axis=others)
            total = np.maximum(gamma * likeliest, top).sum()
            told.append(total / (gamma + likeliest.size - 1))
        return float(np.mean(told))
    if isinstance(mechanism, GammaDiagonal):  # RAN-GD's reports have the same law
        return float(np.maximum(gamma * flat, top).sum()) / (gamma + n - 1)
    assert isinstance(mechanism, IndependentColumns)
    # One column after the other: the report's own value, or the likeliest of all.
    best = prior
    for j, column in enumerate(mechanism.columns):
        most = best.max(axis=j, keepdims=True)
        best = column.x * np.maximum(column.gamma * best, most)
    return float(best.sum())


def _is_known(kind: type[Mechanism]) -> bool:
    """Whether the law of its reports is one of those above: a relative may do something else."""
    ours = kind.__module__.startswith(OURS)
    return ours and issubclass(kind, (*SUPPORTING, GammaDiagonal, IndependentColumns))


def _tried(data: Data, mechanism: Mechanism) -> float:
    """The same by trying: the blind guess, and what a report adds to it on average.

    The mean belief in the likeliest record of all is known; so only what is above it is drawn.
    """
    source, loaded = stream(0, "guesses"), data.load()
    records = loaded.records[source.choice(len(loaded), PEOPLE)]
    with np.errstate(divide="ignore"):
        weight = np.log(_prior(data).ravel())
    top = int(weight.argmax())
    weight = weight + mechanism.log_likelihood(mechanism.perturb(records, source))
    weight = np.exp(weight - weight.max(axis=1, keepdims=True))
    return float(_prior(data).max() + ((1 - weight[:, top]) / weight.sum(axis=1)).mean())


@remember(max_bytes=4e6)
def _prior(data: Data) -> np.ndarray:
    """What an attacker knows beforehand."""
    return data.load().counts / len(data.load())


@remember(max_bytes=4e6)
def _likeliest(data: Data, blocks: int) -> np.ndarray:
    """Of each report of Hadamard response the likeliest record that it supports."""
    mechanism = HadamardResponse(data.load().schema, 2 * blocks)  # which has so many blocks
    prior, found = _prior(data).ravel(), []
    columns = np.arange(mechanism.blocks * mechanism.block_size)[:, None]
    for start in range(0, len(columns), 512):
        held = mechanism.supported(columns[start : start + 512])
        found.append(np.where(held, prior, 0).max(axis=1))
    return np.concatenate(found)
