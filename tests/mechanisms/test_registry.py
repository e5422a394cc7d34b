"""Schemes register themselves: one file, and every place that takes schemes knows them."""

import numpy as np
import pytest
from helpers import assert_refused

import frapp_lab as fl
from frapp_lab import privacy
from frapp_lab.figures.styles import SPARE_STYLES, style_of
from frapp_lab.mechanisms.registry import forget, options_of, scheme_class
from frapp_lab.scale import run_trials

SMALL = fl.Schema.of_sizes(2, 3)
CENSUS = fl.load_census()


def test_a_label_means_one_scheme():
    def other():
        @fl.scheme("DET-GD")
        class Other(fl.GammaDiagonal):
            pass

    assert_refused(other, ["'DET-GD'", "GammaDiagonal"])
    assert scheme_class("DET-GD") is fl.GammaDiagonal


def test_a_class_that_is_defined_anew_takes_the_old_ones_place():
    made = []
    for _ in range(2):

        @fl.scheme("AGAIN")
        class Again(fl.GammaDiagonal):
            pass

        made.append(Again)
    try:
        assert scheme_class("AGAIN") is made[1]
        assert fl.schemes().count("AGAIN") == 1
        assert "AGAIN" not in fl.schemes(paper=True)  # unless it says so
    finally:
        forget("AGAIN")
    assert "AGAIN" not in fl.schemes()


def test_a_scheme_without_for_gamma_is_refused():
    def without():
        @fl.scheme("NO-GAMMA")
        class NoGamma(fl.MatrixMechanism):
            pass

    assert_refused(without, ["NoGamma", "for_gamma"])
    assert "NO-GAMMA" not in fl.schemes()


@pytest.mark.parametrize(
    ("label", "options", "words"),
    [
        (None, {}, "label is None: it must be a text"),
        ("", {}, "label is '': it must be a text"),
        (fl.GammaDiagonal, {}, r"label is <class .*it must be a text.* above the class"),
    ],
)
def test_a_label_that_is_none_is_refused_and_breaks_nothing_later(label, options, words):
    with pytest.raises(TypeError, match=words):
        fl.scheme(label, **options)(type("Odd", (fl.GammaDiagonal,), {}))
    assert_refused(lambda: fl.scheme("ODD", order="first"), ["order is 'first'"])
    assert "ODD" not in fl.schemes(modern=True)
    assert fl.make_scheme("DET-GD", SMALL, 19).gamma == 19


@pytest.mark.parametrize("odd", [5, None, dict, lambda schema, gamma: None])
def test_what_is_no_class_of_mechanisms_is_not_registered(odd):
    with pytest.raises(TypeError, match=r"is no class of mechanisms: .*inherits Mechanism"):
        fl.scheme("ODD")(odd)
    assert "ODD" not in fl.schemes()


@pytest.mark.parametrize(
    "for_gamma", [5, lambda self, schema, gamma: None, classmethod(lambda cls, gamma: None)]
)
def test_a_for_gamma_that_cannot_be_called_is_refused(for_gamma):
    odd = type("Odd", (fl.GammaDiagonal,), {"for_gamma": for_gamma})
    assert_refused(lambda: fl.scheme("ODD")(odd), ["Odd", "for_gamma(schema, gamma)"])
    assert "ODD" not in fl.schemes()


@pytest.fixture
def registered():
    """Register schemes whose for_gamma is given; all are forgotten afterwards."""
    labels = []

    def register(label, for_gamma):
        made = classmethod(lambda cls, schema, gamma: for_gamma(schema, gamma))
        fl.scheme(label)(type("Own", (fl.GammaDiagonal,), {"for_gamma": made}))
        labels.append(label)

    yield register
    for label in labels:
        forget(label)


def test_a_for_gamma_that_gives_no_mechanism_is_named(registered):
    registered("FIVE", lambda schema, gamma: 5)
    with pytest.raises(TypeError, match=r"FIVE: Own\.for_gamma gives 5, and it must give a mech"):
        fl.make_scheme("FIVE", SMALL, 19)


def test_a_scheme_may_attain_less_than_gamma_and_never_more(registered):
    registered("OPEN", lambda schema, gamma: fl.GammaDiagonal(schema, 50 * gamma))
    registered("SHY", lambda schema, gamma: fl.GammaDiagonal(schema, 1 + (gamma - 1) / 2))
    registered("HAIR", lambda schema, gamma: fl.GammaDiagonal(schema, gamma * (1 + 1e-7)))
    assert fl.make_scheme("SHY", SMALL, 19).amplification == 10
    words = ["OPEN", "gamma is 19", "attains 950", "γ or less"]
    assert_refused(lambda: fl.make_scheme("OPEN", SMALL, 19), words)
    assert_refused(lambda: fl.mine(CENSUS, "OPEN"), words)
    assert_refused(lambda: fl.make_scheme("HAIR", SMALL, 19), ["HAIR", "γ or less"])
    found = fl.recommend(CENSUS, 50_000, 19)
    assert "SHY" in found.table.index
    assert not {"OPEN", "HAIR"} & set(found.table.index)


def test_newcomers_have_styles_of_their_own_and_the_old_ones_keep_theirs():
    styles = [style_of(label) for label in fl.schemes(modern=True)]
    assert len({s.colour for s in styles}) == len({s.marker for s in styles}) == len(styles)
    classes = []
    for number in range(len(SPARE_STYLES) + 1):  # one more than there are styles
        made = type(f"New{number}", (fl.GammaDiagonal,), {})
        classes.append(fl.scheme(f"NEW-{number}")(made))
    try:
        spare = [style_of(c.label) for c in classes[: len(SPARE_STYLES)]]
        assert len(set(spare)) == len(SPARE_STYLES)
        assert not set(spare) & set(styles)
    finally:
        for number in range(len(classes)):
            forget(f"NEW-{number}")


def test_options_go_to_those_who_know_them():
    assert options_of("C&P") == ("K",)
    assert fl.make_scheme("C&P", CENSUS.schema, 19, K=2, alpha_share=0.1).K == 2
    alpha = fl.make_scheme("RAN-GD", CENSUS.schema, 19, alpha_share=1).alpha
    assert alpha == pytest.approx(privacy.max_alpha(19, 2000))
    assert fl.make_scheme("C&P", SMALL, 19).K == 2  # two attributes, so at most two items
    assert_refused(lambda: fl.make_scheme("DET-GD", SMALL, 19, p=1), ["'p'", "alpha_share"])


def test_modern_schemes_are_seen_by_those_who_ask():
    assert fl.schemes() == ("DET-GD", "RAN-GD", "MASK", "C&P", "IND-RR")
    later = ("SUE", "OUE", "OLH", "SS", "HR", "SMP", "PAIR", "TRIPLE")
    assert fl.schemes(modern=True) == fl.schemes() + later
    assert fl.schemes(paper=True, modern=True) == fl.schemes(paper=True)
    assert_refused(lambda: fl.make_scheme("FOO", SMALL), ["'FOO' is not known", "PAIR"])


@pytest.mark.parametrize("label", fl.schemes(modern=True))
def test_every_scheme_wants_a_schema(label):
    for call in (scheme_class(label).for_gamma, lambda s, g: fl.make_scheme(label, s, g)):
        for none in (None, (2, 3), CENSUS):
            with pytest.raises(TypeError, match=r"schema is .*: it must be a Schema"):
                call(none, 19)


def test_a_mechanism_is_taken_as_it_is_if_it_fits():
    m = fl.GammaDiagonal(SMALL, 5)
    assert fl.make_scheme(m, SMALL, 19) is m
    assert_refused(lambda: fl.make_scheme(m, CENSUS.schema, 19), ["a1, a2", "dataset.schema"])


def test_labels_and_mechanisms_are_mined_alike():
    data = fl.Dataset(SMALL, np.random.default_rng(0).integers(0, [2, 3], (2000, 2)))
    for label in fl.schemes(modern=True):
        m = fl.make_scheme(label, SMALL, 19)
        by_label, by_hand = fl.mine(data, label, 0.1, rng=4), fl.mine(data, m, 0.1, rng=4)
        np.testing.assert_array_equal(by_label.estimates, by_hand.estimates)
    own = fl.GammaDiagonal(SMALL, 7)
    table = run_trials(data, ["DET-GD", own], gammas=[19], trials=2)
    assert table.groupby("gamma")["scheme"].unique().map(list).to_dict() == {
        19: ["DET-GD"],
        7: ["DET-GD"],
    }
    assert_refused(lambda: run_trials(data, [own, fl.GammaDiagonal(SMALL, 7)], trials=1), ["label"])
