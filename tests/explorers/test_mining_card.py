"""What the explorer of mining shows, against runs of `fl.mine` and formulas written here."""

import math

import numpy as np
import pytest

import frapp_lab as fl
from explorers.cards import traces
from frapp_lab import explorers
from frapp_lab.explorers.models import mining
from frapp_lab.figures.look import rounded
from frapp_lab.mechanisms.registry import forget

CENSUS = fl.load_census()


def dots(ex, kind):
    """The itemsets of a kind that are drawn: {names: (x, y, said)}."""
    trace = traces(ex)[kind]
    places = zip(trace["text"], trace["x"], trace["y"], trace["customdata"], strict=True)
    return {
        frozenset(i.replace(" = ", "=") for i in text.replace("<br>", " ").split(" & ")): (
            x,
            y,
            said,
        )
        for text, x, y, said in places
        if y is not None
    }


def percent(said):
    """What is said in words, as a number."""
    return float(said.removeprefix("estimated ").removesuffix(" %"))


def supports(run, kind):
    """All itemsets of a kind, {names: (true support, estimate)}, itemset by itemset."""
    which = {
        "found": run.found & run.frequent, "lost": run.frequent & ~run.found,
        "invented": run.found & ~run.frequent,
    }[kind]  # fmt: skip
    out = {}
    for cell in zip(*np.nonzero(which), strict=True):
        names = frozenset(
            f"{a.name}={a.categories[v]}"
            for a, v in zip(run.schema.attributes, cell, strict=True)
            if v < a.size
        )
        out[names] = run.supports[cell], run.estimates[cell]
    return out


def labels(ex):
    """The words in the figure, as one text."""
    return " ".join(note["text"] for note in ex.card.state["layout"]["annotations"])


@pytest.mark.parametrize("scheme", ["DET-GD", "MASK", "C&P", "IND-RR"])
@pytest.mark.parametrize("prune", [True, False])
def test_each_point_is_an_itemset_at_its_true_and_estimated_support(scheme, prune):
    ex = explorers.Mining(scheme=scheme, prune=prune, gamma=30.0, min_support=3.0, seed=2)
    run = fl.mine(CENSUS, fl.make_scheme(scheme, CENSUS.schema, 30), 0.03, rng=2, prune=prune)
    for kind in ("found", "lost", "invented"):
        wanted = supports(run, kind)
        shown = dots(ex, kind)
        assert shown.keys() <= wanted.keys()
        assert f"<b>{len(wanted):,}</b>" in labels(ex)
        for items, (x, y, said) in shown.items():
            true, estimate = wanted[items]
            assert x == pytest.approx(100 * max(true, 0.001), rel=1e-3)
            if kind != "lost" or said[0] != "never estimated":
                assert y == pytest.approx(100 * min(max(estimate, 0.001), 1), rel=1e-3)
                assert percent(said[0]) == pytest.approx(100 * estimate, rel=6e-3)
            else:
                assert y == 0.1
            if kind == "invented":
                assert percent(said[1]) == pytest.approx(100 * true, rel=6e-3)
            # Four quadrants: that is what makes it found, lost or invented.
            assert (x >= 3, y >= 3) == (kind != "invented", kind != "lost")
    n = len(supports(run, "found")) + len(supports(run, "lost"))
    assert len(dots(ex, "found")) + len(dots(ex, "lost")) == min(n, mining.MOST["frequent"])


def test_an_itemset_that_was_never_looked_at_is_lost_at_the_lower_edge():
    ex = explorers.Mining(min_support=8.0)
    run = fl.mine(CENSUS, "DET-GD", 0.08, rng=7)
    found = set(supports(run, "found")) | set(supports(run, "invented"))
    shown = dots(ex, "lost")
    never = {items for items, (_, _, said) in shown.items() if said == ["never estimated"]}
    lacking = {
        items for items in shown if len(items) > 1 and any(items - {i} not in found for i in items)
    }
    assert never == lacking
    assert never
    assert never != set(shown)
    assert all(shown[items][1] == 0.1 for items in never)
    ex.controls["prune"].value = False
    assert not any(said == ["never estimated"] for *_, said in dots(ex, "lost").values())
    assert "never" not in ex.card.state["numbers"][0]["rest"]


def test_a_dot_says_its_itemset_and_its_numbers_in_words():
    ex = explorers.Mining(length=1)
    run = fl.mine(CENSUS, "DET-GD", 0.02, rng=7)
    man = {"sex": "Male"}
    place = tuple(
        a.categories.index(man[a.name]) if a.name in man else -1 for a in CENSUS.schema.attributes
    )
    mark = traces(ex)["found"]
    at = mark["text"].index("sex = Male")
    assert mark["hovertemplate"] == (
        "%{text}:<br>true %{x:.3g} %, %{customdata[0]}, found<extra></extra>"
    )
    assert mark["x"][at] == pytest.approx(100 * run.supports[place], rel=1e-3)
    assert mark["customdata"][at] == [f"estimated {100 * run.estimates[place]:.3g} %"]
    ex.controls["length"].value = 5
    long = traces(ex)["lost"]["text"][0]
    names = [item.partition(" = ")[0] for item in long.replace("<br>", " ").split(" & ")]
    assert names == [name for name in CENSUS.schema.names if name in names]  # as in the table
    assert max(line.count(" = ") for line in long.split("<br>")) == 3


def test_labels_of_numbers_hold_nothing_that_changes():
    """Only then can a page say what a number was."""
    shown = []
    for settings in ({}, {"gamma": 5.0}, {"prune": False}, {"scheme": "C&P", "gamma": 3.0}):
        shown.append([n["label"] for n in explorers.Mining(**settings).card.state["numbers"]])
    assert all(labels == shown[0] for labels in shown)


def test_the_minimum_and_the_perfect_estimate_are_lines():
    for minimum in (0.5, 2.0, 20.0):
        ex = explorers.Mining(min_support=minimum)
        line, perfect = traces(ex)["minimum"], traces(ex)["perfect"]
        assert line["x"] == [0.1, 100, None, minimum, minimum]
        assert line["y"] == [minimum, minimum, None, 0.1, 100]
        assert perfect["x"] == perfect["y"] == [0.1, 100]
        assert f"{minimum:g} %" in labels(ex)


@pytest.mark.parametrize("error", ["false_negatives", "support_error", "false_positives"])
def test_the_errors_by_length_are_those_of_mine(error):
    ex = explorers.Mining(error=error)
    for scheme in fl.schemes(paper=True):
        errors = fl.mine(CENSUS, scheme, 0.02, rng=7).errors[error]
        trace = traces(ex)[f"run {scheme}"]
        assert trace["x"] == [1, 2, 3, 4, 5, 6]
        wanted = rounded(errors)
        if error != "false_negatives":  # on a log axis 0 stands on a row of its own
            wanted = [y or None for y in wanted]
        assert trace["y"] == wanted
    assert "run IND-RR" not in traces(ex)
    ex.controls["MASK"].value = False
    assert "run MASK" not in traces(ex)


def test_the_band_is_that_of_forty_draws(monkeypatch):
    monkeypatch.setattr(mining, "DRAWS", 3)
    ex = explorers.Mining(schemes=["MASK"], prune=False)
    *_, band = mining.bands(ex.parameters())
    _, errors = ex.states.card(ex._values(), band).panels
    shown, *_ = errors.marks
    assert shown["meta"] == "draws MASK"
    lost = [
        fl.mine(CENSUS, "MASK", 0.02, rng=(7, i), prune=False).errors["false_negatives"]
        for i in range(3)
    ]
    low, high = (np.quantile(lost, share, axis=0) for share in (0.05, 0.95))
    assert shown["x"] == [1, 2, 3, 4, 5, 6, 6, 5, 4, 3, 2, 1]
    assert shown["y"] == pytest.approx([*low, *high[::-1]], rel=1e-3)


SETTINGS = [
    {}, {"gamma": 1.01}, {"gamma": 1000.0}, {"seed": 3}, {"scheme": "C&P", "gamma": 3.0},
    {"scheme": "MASK", "seed": 11, "min_support": 20.0}, {"length": 1}, {"length": 6, "seed": 5},
    {"length": 7}, {"length": 6, "min_support": 20.0}, {"prune": False, "min_support": 0.5},
    {"data": "HEALTH", "length": 7, "scheme": "IND-RR"}, {"data": "HEALTH", "min_support": 0.5},
    {"DET-GD": False, "RAN-GD": False, "MASK": False, "C&P": False, "age": 8},
]  # fmt: skip


@pytest.mark.parametrize("settings", SETTINGS, ids=str)
def test_the_headline_and_the_numbers_are_true(settings):
    ex = explorers.Mining(**settings)
    state = ex.card.state
    p = ex.parameters()
    assert not state["error"]
    assert len(state["headline"]) <= 90
    assert 80 <= len(state["words"]) <= 2000
    data = p.data.load()
    try:
        mechanism = fl.make_scheme(p.scheme, data.schema, p.gamma)
    except ValueError:
        assert state["headline"] == f"{p.scheme} cannot be had at this setting."
        assert f"{p.scheme} cannot be had here: " in state["words"]
        assert f"{p.scheme} cannot be had here" in labels(ex)
        assert [number["value"] for number in state["numbers"]] == ["–"] * 3
        return
    run = fl.mine(data, mechanism, p.min_support, rng=p.seed, prune=p.prune)
    found, lost, invented = (
        {i: v for i, v in supports(run, kind).items() if p.length in (0, len(i))}
        for kind in ("found", "lost", "invented")
    )
    n = len(found) + len(lost)
    which = "frequent itemsets" + (f" of length {p.length}" if p.length else "")
    invents = f"{p.scheme} invents {len(invented):,}" if invented else f"{p.scheme} invents none"
    if n:
        start = f"In this draw {p.scheme} finds {len(found):,} of {n:,} {which} and "
        assert state["headline"] == start + invents.removeprefix(f"{p.scheme} ") + "."
    else:
        assert state["headline"] == f"There are no {which}; in this draw {invents}."
    values = [number["value"] for number in state["numbers"]]
    assert values[:2] == [f"{len(lost):,}", f"{len(invented):,}"]
    n_unseen = mining.compute(p).points.n_unseen
    never = f", {n_unseen:,} never estimated" if n_unseen else ""
    assert state["numbers"][0]["rest"] == f"of {n:,}{never}"
    if found:
        error = np.mean([abs(e - t) / t for t, e in found.values()])
        plain = values[2].removesuffix(" %").replace(",", "").replace(" × 10", "e")
        shown = float(plain.translate(str.maketrans("⁰¹²³⁴⁵⁶⁷⁸⁹", "0123456789")))
        assert shown == pytest.approx(100 * error, rel=0.06)
    else:
        assert values[2] == "–"
    for kind, many in (("found", found), ("lost", lost), ("invented", invented)):
        shown = dots(ex, kind)
        assert shown.keys() <= many.keys()
        assert bool(shown) == bool(many)
    n_shown = sum(len(dots(ex, kind)) for kind in ("found", "lost", "invented"))
    assert f"shows {n_shown} of {p.scheme}'s {n + len(invented)} itemsets" in state["words"]


def test_axes_stand_still_and_hold_all_that_is_drawn():
    ex = explorers.Mining()
    first = ex.card.state["layout"]
    for settings in ({"gamma": 1.01}, {"gamma": 1000.0}, {"min_support": 20.0}, {"seed": 99},
                     {"scheme": "MASK"}, {"length": 5}, {"prune": False}):  # fmt: skip
        ex.notice(settings)
        layout = ex.card.state["layout"]
        for axis in ("xaxis", "yaxis", "xaxis2", "yaxis2"):
            assert layout[axis] == first[axis]
        for kind in ("found", "lost", "invented"):
            for name in "xy":
                low, high = layout[f"{name}axis"]["range"]
                values = [v for v in traces(ex)[kind][name] if v is not None]
                assert all(low < math.log10(v) < high for v in values)
    ex.notice({"data": "HEALTH"})
    assert ex.card.state["layout"]["xaxis2"]["range"] == [0.6, 7.4]


def test_what_gamma_does_not_change_stays_as_it_is():
    """So that a film need not hold it again: the same itemsets at the same true supports."""
    ex = explorers.Mining()
    before = traces(ex)
    ex.controls["gamma"].value = 100.0
    for kind in ("found", "lost"):
        assert traces(ex)[kind]["x"] == before[kind]["x"]
        assert traces(ex)[kind]["text"] == before[kind]["text"]
        assert traces(ex)[kind]["y"] != before[kind]["y"]


def test_the_titles_say_whose_itemsets_and_which_error():
    ex = explorers.Mining(scheme="MASK", length=3, error="false_positives")
    notes = ex.card.state["layout"]["annotations"]
    titles = [note["text"] for note in notes[:2]]
    assert titles == [
        "<b>Itemsets of MASK, length 3</b>",
        "<b>Itemsets invented</b> ↓ better",
    ]
    for word in (
        "● found",
        "✕ lost",
        "▲ invented",
        "minimum 2 %",
        "rightly",
        "estimate<br>= truth",
    ):
        assert word in labels(ex)


def test_a_scheme_of_ones_own_can_be_looked_at():
    own = fl.Mask(CENSUS.schema, 0.9)  # its label is taken
    ex = explorers.Mining(schemes=[own, "C&P"])
    assert ex.controls["scheme"].value == "MASK (2)"  # DET-GD is not switched on
    run = fl.mine(CENSUS, own, 0.02, rng=7)
    start = f"In this draw MASK (2) finds {len(supports(run, 'found'))} of 563"
    assert ex.card.state["headline"].startswith(start)
    assert "MASK (2) finds" in ex.summary
    ex.controls["MASK (2)"].value = False  # it is still the one looked at
    assert "run MASK (2)" not in traces(ex)
    assert ex.card.state["headline"].startswith(start)
    ex.controls["age"].value = 8  # it was made for other data
    assert ex.card.state["headline"] == "MASK (2) cannot be had at this setting."
    assert "MASK (2) cannot be had here: MASK (2) is made for the attributes age" in ex.summary


def test_a_scheme_that_is_registered_later_can_be_looked_at():
    @fl.scheme("SHY-GD")
    class Shy(fl.GammaDiagonal):
        @classmethod
        def for_gamma(cls, schema, gamma):
            return cls(schema, 1 + (gamma - 1) / 2)

    try:
        ex = explorers.Mining(scheme="SHY-GD")
        run = fl.mine(CENSUS, fl.GammaDiagonal(CENSUS.schema, 10), 0.02, rng=7)
        n = len(supports(run, "found"))
        assert ex.card.state["headline"].startswith(f"In this draw SHY-GD finds {n} of 563")
    finally:
        forget("SHY-GD")


def test_what_the_controls_say_to_the_model():
    ex = explorers.Mining()
    assert ex.parameters() == mining.Parameters()
    assert next(iter(ex.controls)) == "gamma"
    ex.set(scheme="C&P", length=3, prune=False, alpha=0.3, min_support=4.5, error="support_error")
    assert ex.parameters() == mining.Parameters(
        scheme="C&P", length=3, prune=False, alpha=0.3, min_support=0.045, error="support_error"
    )
    assert ex.settings.startswith("explorers.Mining(")
    lines = ex.card.state["lines"]
    n = len(fl.frequent_itemsets(CENSUS, 0.045))
    assert lines["min_support"] == f"{n} itemsets are frequent"
    assert lines["cells"] == "2,000 cells"
    assert lines["alpha"].startswith("each hides an r within ±")
    assert set(ex.card.state["marks"]) == {"alpha"}


def test_the_words_tell_what_is_found_lost_and_invented():
    ex = explorers.Mining()
    run = fl.mine(CENSUS, "MASK", 0.02, rng=7)
    n = len(supports(run, "found"))
    assert "CENSUS at γ = 19 and 2 % minimum support, with pruning." in ex.summary
    assert f"MASK finds {n} of 563 frequent itemsets, loses {len(run.lost)} and invents " in (
        ex.summary
    )
    ex.notice({"gamma": 1.2, "prune": False})
    assert "without pruning" in ex.summary
    assert "So close to γ = 1 a report says almost nothing" in ex.summary
    ex.notice(dict.fromkeys(fl.schemes(), False))
    assert "No scheme is switched on." in ex.summary
    assert dots(ex, "found")  # the itemsets of one are still shown


def test_the_words_tell_why_itemsets_were_never_estimated():
    pruned, long = "Apriori had lost a subset of each", "they are too long for the scheme"
    for scheme, prune, why in (
        ("DET-GD", True, pruned), ("C&P", True, f"{pruned} or {long}"), ("C&P", False, long),
    ):  # fmt: skip
        ex = explorers.Mining(scheme=scheme, prune=prune)
        assert f"never estimated: {why}." in ex.summary
    assert "never estimated" not in explorers.Mining(prune=False).summary
