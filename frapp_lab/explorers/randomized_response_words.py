"""What the card of Warner's coin says: headline, numbers, and the whole in words."""

from __future__ import annotations

import math

from frapp_lab.explorers.kit.card import Number
from frapp_lab.explorers.kit.words import say
from frapp_lab.explorers.models.randomized_response import SHOWN, Estimate, Repetitions, Result


def headline(result: Result) -> str:
    """State the finding of randomized response: of the last toss, or of the whole draw."""
    p, e, (n_yes, n_both) = result.parameters, result.estimate, who(result, True)
    if not result.n_asked:
        heads = f"heads ({100 * p.coin:.0f} %) mean the truth"
        return f"Nobody has answered yet: {heads}, tails the opposite."
    if result.last is not None:
        return toss(result, result.last)[1]
    if e is None:
        return "At p = 50 % every answer is a coin's toss: there is nothing to estimate."
    if p.coin == 1:
        return "Everybody tells the truth: the estimate is exact, and nothing is hidden."
    if p.hidden:
        return f"{n_yes:,} of {p.people:,} say yes; whose yes is true, the miner cannot see."
    if p.by_answer:
        share = f": {percent(n_both / n_yes)}" if n_yes else ""
        return f"In this draw {n_both:,} of the {n_yes:,} who say yes are “yes”{share}."
    truth = percent(result.truth)
    return f"In this draw the estimate is {percent(e.share)}, {_off(e)}; the truth is {truth}."


def toss(result: Result, i: int) -> tuple[str, str]:
    """Say how a person's coin fell and what was answered: in a few letters, and in a sentence."""
    truth, answer = ("yes" if which[i] else "no" for which in (result.is_yes, result.says_yes))
    name = f"Person {i + 1}"
    if result.parameters.hidden:
        said = f"{name} says {answer}"
        return said, f"{said}; how the coin fell, nobody else sees."
    coin, does = ("heads", "tells the truth") if truth == answer else ("tails", "says the opposite")
    return (
        f"{name}: {coin}, says {answer}",
        f"{name} is “{truth}”, tosses {coin} and {does}: {answer}.",
    )


def so_far(result: Result) -> str:
    """Say under its slider how many have answered with a coin's toss."""
    n, drawn = result.parameters.people, min(SHOWN, result.parameters.people)
    if result.n_asked < n:
        return f"{result.n_asked} of the {drawn} people drawn"
    return f"all {n:,}" + f"; {drawn} of them are drawn" * (n > drawn)


def numbers(result: Result) -> list[Number]:
    """Give the three numbers of randomized response."""
    e, chance, hidden = result.estimate, result.posterior, result.parameters.hidden
    gamma = "∞" if math.isinf(result.gamma) else f"{result.gamma:.3g}"
    truth = "hidden" if hidden else percent(result.truth)
    given_away = Number("–" if chance is None else percent(chance), "chance that a yes is true")
    if hidden:  # the chance would tell the true share
        given_away = Number(gamma, "γ, what one answer gives away")
    deviation = f"{100 * e.deviation:.1f} points" if e else "∞" if result.n_asked else "–"
    return [
        Number(percent(e.share) if e else "none", "estimate in this draw", f"truth {truth}"),
        Number(deviation, "its standard deviation"),
        given_away,
    ]


def words(result: Result) -> str:
    """Say what is seen of the randomized answers, of the estimate and of the repetitions."""
    p, e, r, n = result.parameters, result.estimate, result.repetitions, result.n_asked
    (n_yes, n_both), answers = who(result, True), percent(result.answers)
    share = f"({percent(n_both / n_yes)})" if n_yes else ""
    others = "; the coin made the others say it" if n_both < n_yes else ""
    people = f"{p.people:,} people" if n == p.people else f"the {n} asked so far"
    return say(
        n == 0
        and f"None of {p.people:,} people has answered yet. Each will toss a coin that nobody else "
        f"sees: on heads, in {percent(p.coin)} of tosses, the truth is said, else the opposite.",
        result.last is not None and toss(result, result.last)[1],
        n > 0
        and p.hidden
        and f"The miner's view: {n_yes:,} of {people} say yes, {answers}. All who gave "
        "the same answer look alike; who told the truth, and the true share, are hidden.",
        n > 0
        and not p.hidden
        and f"{result.is_yes[:n].sum():,} of {people} are “yes”: {percent(result.truth)}. "
        f"{answers} of the answers are yes.",
        not p.hidden
        and n_yes > 0
        and f"Of the {n_yes:,} who say yes {n_both:,} are “yes” {share}{others}.",
        r is None
        and "At p = 50 % each answer is a fair coin's toss, whoever gives it: half are yes on "
        "average, whatever the truth. There is no estimate, because it would divide by 2p − 1, "
        "which is zero. One answer gives away nothing (γ = 1), nor do all of them.",
        e is not None and _about(e, result),
        r is not None and p.coin < 1 and _again(r, result),
        r is not None
        and p.coin < 1
        and f"What one answer gives away: “yes” is γ = {result.gamma:.4g} times as likely from a "
        "person who is “yes” as from one who is not. The paper's γ = 19 is a coin of 95 %.",
        p.coin == 1
        and "Everybody tells the truth: nothing is hidden, and γ = p/(1 − p) is infinite.",
    )


def _about(e: Estimate, result: Result) -> str:
    """Say how near the estimate from randomized answers comes."""
    p, (low, high) = result.parameters, map(percent, e.band)
    return say(
        "From the answers the estimate is (answers − (1 − p))/(2p − 1) = "
        f"{percent(e.share)}{'' if p.hidden else f', {_off(e)}'}; its standard deviation is "
        f"{100 * e.deviation:.1f} points.",
        p.coin < 1
        and f"In at least 90 of 100 draws such a band ({low} to {high}) holds the truth.",
        not -1e-9 <= e.share <= 1 + 1e-9
        and f"An estimate {'below 0' if e.share < 0 else 'above 100'} % is noise, no error: the "
        "coins fell unevenly. Cutting such estimates off would spoil their average.",
        p.coin <= 0.6
        and "So close to a fair coin the answers' noise is multiplied by "
        f"1/(2p − 1) = {1 / (2 * p.coin - 1):.3g}.",
    )


def _again(r: Repetitions, result: Result) -> str:
    """Say how near the estimates come when all are asked for randomized answers again."""
    p, ends = result.parameters, (r.estimates.min(), r.estimates.max())
    all_of_them = "" if result.n_asked == p.people else f" with all {p.people:,} people"
    return say(
        f"Of {p.repetitions} repetitions{all_of_them} {r.n_near} come within two standard "
        "deviations of the truth"
        + ("." if p.hidden else f", from {percent(ends[0])} to {percent(ends[1])} in all."),
        r.n_below + r.n_above > 0 and f"{r.n_below + r.n_above} of them lie beyond the panel.",
    )


def who(result: Result, answer: bool, first: int | None = None) -> tuple[int, int]:
    """Count those who gave an answer, of all or of the first ones, and who of them are "yes"."""
    says, yes = (which[: result.n_asked][:first] for which in (result.says_yes, result.is_yes))
    return int((says == answer).sum()), int(yes[says == answer].sum())


def percent(share: float | None) -> str:
    """Write a share of yes answers or its estimate, which may lie below zero."""
    return "–" if share is None else f"{round(100 * share, 1) + 0.0:.1f} %".replace("-", "−")


def _off(e: Estimate) -> str:
    off = round(100 * e.off, 1)
    return f"{abs(off):.1f} points too {'high' if off > 0 else 'low'}" if off else "which is right"
