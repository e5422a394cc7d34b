"""The paper's figures: what they show, what they say, and what they do not mix."""

import math

import numpy as np
import pandas as pd
import pytest
from helpers import assert_refused

import frapp_lab as fl
from frapp_lab import paper
from frapp_lab import scale as experiments
from frapp_lab.paper import alpha_figure, condition_figure, error_figure


def traces(shown, name):
    return [trace for trace in shown.figure.data if trace.name == name]


def test_the_papers_figures():
    one, two = paper.figure_1(trials=2), paper.figure_2(trials=2)
    assert set(one["scheme"]) == set(two["scheme"]) == set(fl.schemes(paper=True))
    assert (one["length"].max(), two["length"].max()) == (6, 7)
    ranges, errors = paper.figure_3(trials=2, alpha_shares=[0, 0.5, 1])
    assert set(errors["length"]) == {4}
    assert len(ranges) == 6
    half = ranges[(ranges["dataset"] == "CENSUS") & (ranges["alpha_share"] == 0.5)].iloc[0]
    assert (half["low"], half["high"]) == pytest.approx((1 / 3, 3 / 5), abs=2e-3)
    four = paper.figure_4().set_index(["dataset", "scheme", "length"])["condition_number"]
    assert four["CENSUS", "DET-GD", 5] == pytest.approx(112.1111, abs=5e-5)
    assert four["HEALTH (stand-in)", "RAN-GD", 1] == pytest.approx(417.6667, abs=5e-5)
    assert four["CENSUS", "MASK", 5] == pytest.approx(0.122074**-5, rel=1e-4)
    assert four["CENSUS", "C&P", 3] == pytest.approx(485.6, abs=0.05)  # bit patterns, as MASK's
    assert math.isnan(four["CENSUS", "C&P", 4])


def test_titles_and_texts_say_that_the_stand_in_is_synthetic(census, health):
    errors = experiments.summarise(experiments.run_trials(health, ["DET-GD"], trials=1))
    along = paper.figure_3(trials=1, alpha_shares=[0, 0.5])
    for shown in (
        error_figure(errors, health, "Figure 2"),
        alpha_figure(*along, [census, health]),
        condition_figure(paper.figure_4(), [census, health]),
    ):
        assert "synthetic" in shown.figure.layout.title.text
        assert "synthetic" in repr(shown)


def test_an_error_figure_shows_means_bands_and_theory(census, summary):
    shown = error_figure(summary, census, "Figure 1")
    line = traces(shown, "DET-GD")[0]
    rows = summary[(summary["scheme"] == "DET-GD") & (summary["error"] == "support_error_all")]
    np.testing.assert_allclose(line.y, rows["mean"], rtol=1e-3)
    band = next(t for t in shown.figure.data if t.fill == "toself")
    np.testing.assert_allclose(band.y[:6], rows["high"], rtol=1e-3)
    np.testing.assert_allclose(band.y[6:], rows["low"][::-1], rtol=1e-3)
    theory = next(t for t in shown.figure.data if t.meta == "theory DET-GD 1")
    assert (theory.mode, line.mode) == ("lines", "markers")  # one must not hide the other
    assert shown.figure.data.index(theory) < shown.figure.data.index(line)
    lost = next(t for t in shown.figure.data if t.meta == "DET-GD false_negatives")
    assert (lost.mode, lost.line.dash) == ("lines+markers", "dot")  # no theory is beside it
    np.testing.assert_allclose(theory.y, rows["predicted"], rtol=1e-3)
    assert [shown.figure.layout[f"yaxis{i}"].type for i in ("", 2, 3)] == ["log", None, None]
    assert traces(shown, "C&P")[0].y[3:] == (None, None, None)  # nothing beyond K


def theories(shown):
    return [t.meta for t in shown.figure.data if t.name == "theory" and len(t.x) > 1]


def test_one_law_has_one_line_of_theory(census, summary):
    one_law = [f"theory {scheme} 1" for scheme in ("DET-GD", "MASK", "C&P")]
    assert theories(error_figure(summary, census, "")) == one_law
    alone = summary[summary["scheme"] == "RAN-GD"]
    assert theories(error_figure(alone, census, "")) == ["theory RAN-GD 1"]
    other = summary.assign(predicted=summary["predicted"] + (summary["scheme"] == "RAN-GD"))
    assert len(theories(error_figure(other, census, ""))) == 4


@pytest.mark.parametrize(
    ("setting", "column"),
    [
        ({"gammas": [19, 100]}, "gamma"),
        ({"min_supports": [0.02, 0.05]}, "min_support"),
        ({"alpha_shares": [0, 1]}, "alpha_share"),
    ],
)
def test_a_figure_does_not_mix_settings(census, setting, column):
    trials = experiments.run_trials(census, ["RAN-GD"], trials=1, **setting)
    summary = experiments.summarise(trials)
    assert_refused(lambda: error_figure(summary, census, ""), ["RAN-GD", f"differ in {column})"])
    for _, rows in summary.groupby(column):
        assert error_figure(rows, census, "").figure.data


def test_figure_3_does_not_mix_lengths(census, health):
    ranges, errors = paper.figure_3(trials=1, alpha_shares=[0, 1])
    longer = pd.concat([errors, errors.assign(length=5)])
    words = ["one alpha_share", "differ in length"]
    assert_refused(lambda: alpha_figure(ranges, longer, [census, health]), words)


def test_figure_4_is_on_log_scales(census, health):
    shown = condition_figure(paper.figure_4(), [census, health])
    assert shown.figure.layout.yaxis.type == shown.figure.layout.yaxis2.type == "log"
    assert traces(shown, "MASK")[1].y[-1] == pytest.approx(7.215e6)


def test_figures_hold_plain_rounded_lists(census, summary):
    bundle = error_figure(summary, census, "Figure 1")._repr_mimebundle_()
    for trace in bundle["application/vnd.plotly.v1+json"]["data"]:
        assert all(value is None or type(value) in (int, float) for value in trace["y"])
