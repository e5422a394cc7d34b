"""Every registered mechanism at one γ: its error, what it leaks, who can poison it, its bits."""

from __future__ import annotations

import functools
import math
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np

from frapp_lab.data.cube import lengths
from frapp_lab.explorers.models.cache import remember
from frapp_lab.explorers.models.data import Data
from frapp_lab.explorers.models.leak import is_known, leak
from frapp_lab.explorers.models.mining_runs import made
from frapp_lab.mechanisms.mechanism import Mechanism
from frapp_lab.mechanisms.registry import in_short, scheme_class, schemes
from frapp_lab.mining.predicted_errors import mean_absolute
from frapp_lab.modern.fit_noise import Response
from frapp_lab.modern.hadamard import HadamardResponse
from frapp_lab.modern.hadamard_noise import PairSums
from frapp_lab.modern.marginals import MarginalMechanism
from frapp_lab.modern.poisoning import poison_lift
from frapp_lab.modern.recommend import scaled
from frapp_lab.modern.support_sets import JointMechanism

CENSUS, MIN_SUPPORT = Data(), 0.02
DRAWS = 10
FEW = 1e-6
"""The share of liars."""


@dataclass(frozen=True)
class Parameters:
    """γ, the people who report, the data, the itemsets' length (0: all), and what is shown."""

    gamma: float = 19.0
    thousands: int = 50
    data: Data = CENSUS
    length: int = 0
    shown: str = "error"
    """A measure of `Runner`, or the map."""

    @property
    def n_records(self) -> int:
        return 1000 * self.thousands


@dataclass(frozen=True)
class Runner:
    """What one scheme costs, and what it is worth."""

    error: float
    floor: float
    """The supports' mean relative error in percent, and what of it no number of people mends."""
    model: str
    """What the scheme takes for granted; empty where nothing is."""
    leak: float
    tried: bool
    """How often a record is guessed from one report, and whether that was found by trying."""
    gain: float
    """The number of honest people with the itemset for whom a liar counts."""
    bits: float


@dataclass(frozen=True)
class Result:
    """All schemes, the best first, and what they are measured on."""

    parameters: Parameters
    name: str
    n_cells: int
    length: int
    n_itemsets: int
    runners: dict[str, Runner]
    problems: dict[str, tuple[str, str]]
    """Why schemes do not run, in their own words and in a few."""
    blind: float
    """How often a record is guessed without any report."""
    target: tuple[str, ...]
    """The itemset that liars lift: the commonest of this length."""

    @property
    def best(self) -> str:
        return next(iter(self.runners))

    def measured(self, name: str) -> dict[str, float]:
        """Give a measure of all schemes in the race, shares in percent."""
        unit = 100 if name == "leak" else 1
        return {label: unit * getattr(runner, name) for label, runner in self.runners.items()}

    def ranks(self, name: str) -> dict[str, int]:
        """Give the schemes' places in the race by a measure; equal ones share a place."""
        values = {label: float(f"{v:.6g}") for label, v in self.measured(name).items()}
        return {label: 1 + sum(w < v for w in values.values()) for label, v in values.items()}


def compute(parameters: Parameters) -> Result:
    """Run the race: errors by theory; leaks and poison in closed form, or else by trying."""
    p, data = parameters, parameters.data.load()
    length = min(p.length, data.schema.n_attributes)
    here = _of_length(p.data, length)
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
    problems: dict[str, tuple[str, str]] = {}
    for label in schemes(modern=True):
        kind = scheme_class(label)
        try:
            mechanism = made(p.data, kind, p.gamma)
            bias, deviation = _law(p.data, kind, p.gamma)
            errors = mean_absolute(bias[here], deviation[here] / math.sqrt(p.n_records))
            if np.isnan(errors).any():
                why_not = mechanism.why_not(int(_lengths(p.data)[here].max()))
                problems[label] = why_not, f"only up to length {mechanism.max_length}"
                continue
            found[label] = Runner(
                error=100 * float((errors / share[here]).mean()),
                floor=100 * float((abs(bias[here]) / share[here]).mean()),
                model=mechanism.model, leak=leak(p.data, kind, p.gamma), tried=not is_known(kind),
                gain=_gain(p.data, kind, p.gamma, target), bits=mechanism.bits_per_report,
            )  # fmt: skip
        except ValueError as error:  # this γ or this domain is not for this scheme
            problems[label] = str(error), in_short(error)
    # Schemes of one law have one error: then the shorter report is better.
    order = sorted(found, key=lambda label: (float(f"{found[label].error:.6g}"), found[label].bits))
    return Result(
        parameters=p, name=data.name, n_cells=data.schema.n_cells, length=length,
        n_itemsets=int(here.sum()), runners={label: found[label] for label in order},
        problems=problems, blind=float(data.counts.max()) / len(data), target=_said(p.data, target),
    )  # fmt: skip


def rows() -> tuple[dict[str, float], list[tuple[str, float]]]:
    """Give the race's rows from the top down: those of schemes, and of headings between them."""
    places: dict[str, float] = {}
    headings: list[tuple[str, float]] = []
    row = 0.0
    for label in schemes(modern=True):
        heading = _heading(scheme_class(label))
        if heading not in [text for text, _ in headings[-1:]]:
            headings.append((heading, round(row + 0.9, 2)))
            row += 0.7
        row += 1
        places[label] = round(row, 2)
    return places, headings


def _heading(kind: type[Mechanism]) -> str:
    if not kind.__module__.startswith("frapp_lab."):
        return "your own"
    if issubclass(kind, MarginalMechanism):
        return "splitting: each tells a part"
    return "local DP, later" if kind.modern else "FRAPP and before"


# --- one cell -------------------------------------------------------------------------------------


def selection_wins(gamma: Any) -> Any:
    """Give 2γ + 1: with more cells subset selection beats DET-GD in the race for a rare one.

    >>> selection_wins(19)
    39
    """
    return 2 * gamma + 1


def unary_wins(gamma: Any) -> Any:
    """Give 3γ + 2: with more cells OUE beats DET-GD in the race for a rare one.

    >>> unary_wins(19)
    59
    """
    return 3 * gamma + 2


def _map() -> dict[str, tuple[np.ndarray, np.ndarray]]:
    """Find the race's map: the regions of domain sizes and γs, and the lines between them."""
    # From the lowest γ to the highest, and far beyond the largest domain that is drawn.
    gammas = np.geomspace(1, 1000, 25)
    edge, back = np.full(25, 10**4.3), gammas[::-1]
    two = np.minimum(selection_wins(gammas), edge)
    three = np.minimum(unary_wins(gammas), edge)
    return {
        "diagonal": (np.r_[2, 2, two[::-1]], np.r_[1, 1000, back]),
        "subset": (np.r_[two, three[::-1]], np.r_[gammas, back]),
        "unary": (np.r_[three, edge], np.r_[gammas, back]),
        "2γ + 1": (two, gammas),
        "3γ + 2": (three, gammas),
    }


MAP = _map()


# --- what is remembered ---------------------------------------------------------------------------


@remember(max_bytes=4e6)
def _wanted(data: Data) -> np.ndarray:
    """Mark the frequent itemsets, on which mechanisms race."""
    frequent = data.load().supports.array >= MIN_SUPPORT
    frequent[(-1,) * frequent.ndim] = False  # the empty itemset
    return frequent


@remember(max_bytes=4e6)
def _lengths(data: Data) -> np.ndarray:
    """Give the lengths of the frequent itemsets, on which mechanisms race."""
    return lengths(data.load().schema.sizes)[_wanted(data)]


def _of_length(data: Data, length: int) -> np.ndarray:
    """Mark those of a length among the itemsets on which mechanisms race; at 0 all of them."""
    return (_lengths(data) == length) | (length == 0)


@functools.lru_cache(maxsize=12)
def _response(data: Data, kind: type[MarginalMechanism]) -> Response:
    mechanism = kind(data.load().schema, 19)  # any γ will do
    return Response(mechanism, data.load().supports, _wanted(data))


@functools.lru_cache(maxsize=4)
def _pair_sums(data: Data) -> PairSums:
    """Add up, once for all γ, what the noise of HR follows from in the race."""
    return PairSums(data.load().supports, _wanted(data))


@remember(max_bytes=24e6)
def _law(data: Data, kind: type[Mechanism], gamma: float) -> np.ndarray:
    """Give a racing mechanism's bias, and √N times its standard deviation, by frequent itemset."""
    mechanism = made(data, kind, gamma)
    if isinstance(mechanism, MarginalMechanism):
        response = _response(data, type(mechanism))
        return np.array([response.bias, response.deviation(mechanism)])
    supports, wanted = data.load().supports, _wanted(data)
    if type(mechanism) is HadamardResponse:
        return np.array([np.zeros(wanted.sum()), _pair_sums(data).deviation(mechanism)])
    bias = (mechanism.limit(supports).array - supports.array)[wanted]
    return np.array([bias, mechanism.standard_deviation(supports, 1).array[wanted]])


@functools.lru_cache(maxsize=4096)
def _gain(data: Data, kind: type[Mechanism], gamma: float, target: int) -> float:
    """Give the number of honest people with the itemset for whom one liar counts in the race.

    An honest client who has it counts for 1, and one who has not for 0: so a liar's lift comes on
    top of what the estimate is without liars.
    """
    mechanism = made(data, kind, gamma)
    itemset = dict(item.split("=", 1) for item in _said(data, target))
    share = float(data.load().supports.array[_wanted(data)][target])
    if isinstance(mechanism, MarginalMechanism):
        response = _response(data, type(mechanism))
        return response.gain(mechanism, target) + share + float(response.bias[target])
    if isinstance(mechanism, JointMechanism) and len(itemset) == mechanism.schema.n_attributes:
        return (1 - mechanism.q) / (mechanism.p - mechanism.q)  # a report can support any one cell
    return poison_lift(data.load(), mechanism, itemset, FEW, unnoticed=True) / FEW + share


def _said(data: Data, which: int) -> tuple[str, ...]:
    """Write one of the race's frequent itemsets as attribute=category."""
    schema = data.load().schema
    codes = np.argwhere(_wanted(data))[which]
    return tuple(
        f"{a.name}={a.categories[code]}"
        for a, code in zip(schema.attributes, codes, strict=True)
        if code < a.size
    )


# --- what draws show ------------------------------------------------------------------------------


def bands(parameters: Parameters) -> Iterator[dict[str, tuple[float, float]] | None]:
    """Give the range of draws' errors for racing schemes with a model; only the last is whole.

    Theory does not know that they mend negative estimates.
    """
    p, data = parameters, parameters.data.load()
    if p.shown != "error":  # which the draws are of
        yield {}
        return
    here = _of_length(p.data, min(p.length, data.schema.n_attributes))
    share = data.supports.array[_wanted(p.data)][here]
    counts = scaled(data.counts, p.n_records)
    found: dict[str, tuple[float, float]] = {}
    for label in schemes(modern=True):
        kind = scheme_class(label)
        if not issubclass(kind, MarginalMechanism):
            continue
        mechanism, errors = made(p.data, kind, p.gamma), []
        assert isinstance(mechanism, MarginalMechanism)
        for draw in range(DRAWS):
            estimates = mechanism.estimate_counts(mechanism.perturb_counts(counts, draw)).array
            errors.append((abs(estimates[_wanted(p.data)][here] - share) / share).mean())
            yield None
        found[label] = 100 * float(min(errors)), 100 * float(max(errors))
    yield found
