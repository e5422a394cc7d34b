"""No label is markup, whoever chose it."""

import dataclasses
import json

import ipywidgets as widgets
import pytest

import frapp_lab as fl
from frapp_lab import explorers, figures
from frapp_lab.data.attribute import Attribute
from frapp_lab.explorers import controls
from frapp_lab.explorers.kit.card import picture
from frapp_lab.explorers.models import column_by_column, mining
from frapp_lab.figures.look import plain
from frapp_lab.mechanisms.registry import forget

SCHEMES = [explorers.Playground, explorers.Mining, explorers.Matrices]
ODD = '<img src=x onerror="alert(1)"><b>A</b> & &lt;'


def markup(value, path=""):
    """Where in a state a page would find the tags of a label."""
    if isinstance(value, str):
        return [path] if "<img" in value or "<b>A" in value else []
    if not isinstance(value, dict | list | tuple):
        return []
    parts = value.items() if isinstance(value, dict) else enumerate(value)
    unseen = {"meta", "legendgroup"} | ({"name"} if "/annotations/" in path else set())
    seen = [(k, part) for k, part in parts if k not in unseen]
    return [found for key, part in seen for found in markup(part, f"{path}/{key}")]


@pytest.fixture
def odd():
    @fl.scheme(ODD)
    class Odd(fl.GammaDiagonal):
        @classmethod
        def for_gamma(cls, schema, gamma):
            return cls(schema, gamma)

    yield ODD
    forget(ODD)


PLAIN_TEXT = {"at", "call", "headline", "lines", "numbers", "numbers_of", "said", "words"}
"""What the page shows as text, whatever is in it."""


@pytest.mark.parametrize("which", [*SCHEMES, explorers.MechanismRace], ids=lambda w: w.__name__)
def test_a_schemes_label_is_never_markup(which, odd):
    ex = which() if which is explorers.MechanismRace else which(schemes=[odd, "DET-GD", "C&P"])
    settings = [
        {},
        {"gamma": 3.0},
        {"length": 1},
        {"matrix": odd},
        {"scheme": odd},
        {"data": "HEALTH"},
    ]
    for setting in settings:
        if setting.keys() <= ex.held.keys():
            ex.set(**setting)
            assert ex.error is None
            state = {k: v for k, v in ex.card.state.items() if k not in PLAIN_TEXT}
            assert markup(state) == []
            shown = json.dumps([state["data"], state["layout"]], ensure_ascii=False)
            assert "&lt;img src=x" in shown
            assert "&lt;b>A&lt;/b> & &amp;lt;" in shown


def test_a_controls_label_is_never_markup():
    every = [
        controls.Slider("a", ODD, 1, 0, 2, 1, "a"), controls.Text("b", ODD, "", "b"),
        controls.Switch("c", ODD, True, "c"), controls.Choice("d", ODD, (ODD,), ODD, "d"),
    ]  # fmt: skip
    ex = explorers.explore(
        lambda **said: ({ODD: ([ODD, "b"], [1, 2])}, ODD), {ODD: every, "more": [controls.Seed()]},
        x=ODD, y=ODD,
    )  # fmt: skip
    seen, left = [], [ex.view]
    while left:
        widget = left.pop()
        seen.append(widget)
        left += getattr(widget, "children", ())
    said = [w.value for w in seen if isinstance(w, widgets.HTML | widgets.HTMLMath)]
    said += [w.description for w in seen if getattr(w, "description_allow_html", False)]
    assert markup(said) == []
    assert any("&lt;img" in text for text in said)  # the label of the text
    assert markup(ex.card.state["layout"]) == []
    (trace,) = ex.card.state["data"]
    assert trace["name"] == trace["x"][0] == plain(ODD)


def test_categories_and_curves_are_never_markup():
    assert plain("C&P, γ > 4: a<b & &lt;") == "C&P, γ > 4: a&lt;b & &amp;lt;"
    for shown in (
        figures.chart({ODD: ([ODD], [1])}, ODD, ODD, "", title=ODD),
        figures.chart({ODD: ([ODD], [1]), "b": (["c"], [2])}, "x", "y", "", bars=True),
        figures.match_tree([ODD, "b"], [2, 2], [0.5, 0.5]),
    ):
        figure = shown.figure.to_plotly_json()
        assert markup(json.loads(json.dumps(figure, default=list))) == []
        assert "&lt;img" in json.dumps(figure, default=list)


def test_a_records_categories_are_never_markup(monkeypatch):
    result = column_by_column.compute(column_by_column.Parameters(columns=6))
    odd_ones = tuple(
        dataclasses.replace(s, name=ODD, categories=(ODD,) * len(s.categories))
        for s in result.steps
    )
    result = dataclasses.replace(result, steps=odd_ones)
    monkeypatch.setattr(column_by_column, "compute", lambda p: result)
    drawn = picture(explorers.ColumnByColumn.card())[:2]
    assert markup(drawn) == []
    assert "&lt;img" in json.dumps(drawn)
    points = mining.compute(mining.Parameters()).points
    odd = fl.Schema(
        tuple(
            Attribute(f"{ODD}{a.name}", tuple(f"{ODD}{c}" for c in a.categories))
            for a in points.itemsets.schema.attributes
        )
    )
    odd_names = dataclasses.replace(
        points, itemsets=dataclasses.replace(points.itemsets, schema=odd)
    )
    monkeypatch.setattr(mining, "points", lambda *which: odd_names)
    drawn = picture(explorers.Mining.card())[:2]
    assert markup(drawn) == []
    assert "&lt;img" in json.dumps(drawn)
