import itertools

import pytest

from frapp_lab import figures
from frapp_lab.figures import chart, match_tree
from frapp_lab.figures.look import PALETTE, rounded
from frapp_lab.figures.marks import (
    Panel,
    axis,
    bars,
    dots,
    drags,
    joined_dots,
    label,
    line,
    note,
    picks,
    picture,
    zeros,
)
from frapp_lab.figures.styles import style_of
from frapp_lab.mechanisms.registry import schemes


def test_a_scheme_keeps_its_colour_and_marker_in_a_chart():
    shown = chart({"MASK": ([1, 2], [3, 4]), "other": ([1, 2], [5, 6])}, "x", "y", "Two lines.")
    mask, other = shown.figure.data
    style = style_of("MASK")
    assert (mask.line.color, mask.marker.symbol) == (style.colour, style.marker)
    assert other.line.color != style.colour


def test_no_two_curves_of_a_chart_have_one_colour():
    names = [*schemes(), "a", "b", "c"]
    shown = chart({name: ([1, 2], [3, 4]) for name in names}, "x", "y", "Many lines.")
    colours = [trace.line.color for trace in shown.figure.data]
    assert len(set(colours)) == len(names)


def test_points_have_no_line_and_a_marker_each():
    curves = {name: ([1, 2], [3, 4]) for name in ("found", "lost", "right")}
    found, lost, right = chart(curves, "x", "y", "Dots.", points=("found", "lost")).figure.data
    assert (found.mode, lost.mode, right.mode) == ("markers", "markers", "lines")
    assert found.marker.symbol != lost.marker.symbol


@pytest.mark.parametrize(("bars", "kind"), [(True, "bar"), (False, "scatter")])
def test_chart_data_are_rounded_lists(bars, kind):
    shown = chart({"a": ([0.1, 2], [1 / 3, float("nan")])}, "x", "y", "One.", bars=bars)
    trace = shown.figure.to_dict()["data"][0]
    assert trace["type"] == kind
    assert (trace["x"], trace["y"]) == ([0.1, 2.0], [0.3333, None])
    bundle = shown._repr_mimebundle_()
    assert bundle["text/plain"] == "One."
    assert bundle["application/vnd.plotly.v1+json"]["layout"]["xaxis"]["title"]["text"] == "x"


def test_few_whole_numbers_each_have_a_tick():
    def tick(xs):
        return chart({"a": (xs, xs)}, "x", "y", "One.").figure.layout.xaxis.dtick

    assert tick([1, 2, 6]) == 1
    assert tick([1, 2, 60]) is None
    assert tick([1, 2.5, 6]) is None
    assert chart({"a": (["u", "v"], [1, 2])}, "x", "y", "Two.").figure.layout.xaxis.dtick is None


def test_the_palette_has_no_colour_twice():
    assert all(a != b for a, b in itertools.combinations(PALETTE, 2))


def test_rounded_keeps_four_digits_and_leaves_gaps():
    assert rounded([123456, 0.00012345, float("inf"), -2]) == [123500.0, 0.0001234, None, -2.0]


def test_a_tree_of_matches_has_two_lanes_and_their_chances():
    shown = match_tree(["a", "b", "c"], [2, 3, 4], [0.5, 0.6, 0.75])
    ways = [t for t in shown.figure.data if t.mode == "lines"]
    ends = sorted((t.x[0], t.y[0], t.y[1]) for t in ways)
    # The matching lane goes on or ends in every column; the other one starts at the second.
    later = [(j, *way) for j in (1, 2) for way in ((0, 0), (1, 0), (1, 1))]
    assert ends == [(0, 1, 0), (0, 1, 1), *later]
    said = [note.text for note in shown.figure.layout.annotations]
    assert {"0.5", "0.6", "0.75", "0.4", "0.25", "each value 1/3", "each value 1/4"} <= set(said)
    assert "each value 1/2" not in said
    assert "nothing changed:<br>0.225" in said
    assert repr(shown).endswith("After a mismatch: b 1/3 each, c 1/4 each.")


@pytest.mark.parametrize("bars", [False, True])
def test_more_curves_than_colours_can_be_told_apart(bars):
    curves = {str(i): ([1, 2], [3, 4]) for i in range(11)}
    shown = figures.chart({**curves, "MASK": ([1], [2])}, "x", "y", "Many.", bars=bars)
    if bars:
        looks = [(t.marker.color, t.marker.pattern.shape) for t in shown.figure.data]
    else:
        looks = [(t.line.color, t.line.dash) for t in shown.figure.data]
    assert len(set(looks)) == 12


def test_a_static_figure_is_shown_with_its_summary():
    panel = Panel("a", axis(0, 1), axis(0, 1), [line("l", [0, 1], [0, 1], "#333333")])
    shown = figures.StaticFigure([panel], "One panel.", height=300)
    bundle = shown._repr_mimebundle_()
    assert bundle["text/plain"] == "One panel."
    assert bundle["application/vnd.plotly.v1+json"]["layout"]["height"] == 300
    assert shown.figure.layout.annotations[0].text == "a"
    shown.figure.update_layout(height=200)  # as a lesson does
    bundle = shown._repr_mimebundle_()
    assert bundle["application/vnd.plotly.v1+json"]["layout"]["height"] == 200


def test_panels_stand_side_by_side_and_each_has_its_own_axes():
    def panel(title, **options):
        words = [note("in a corner", 0, 1, "#333333", corner=True), note("here", 1, 2, "#333333")]
        marks = [bars("b", [1], [2], "#333333", ghost=True), line("l", [1], [2], "#333333")]
        return Panel(title, axis(0, 9, "x"), axis(0, 5), marks, words, **options)

    wide = panel("wide", width=3)
    data, layout, ghosts, hands = picture(
        [panel("one"), wide], {"height": 9}, {}, {"text": "<{}>"}, 0.2
    )
    assert [mark["xaxis"] for mark in data] == ["x", "x", "x2", "x2"]
    assert not any("ghost" in mark for mark in data)
    assert ghosts == [0, 2]
    assert hands == {}
    assert (layout["xaxis"]["domain"], layout["xaxis2"]["domain"]) == ([0, 0.2], [0.4, 1])
    assert (layout["xaxis2"]["anchor"], layout["yaxis2"]["anchor"]) == ("y2", "x2")
    said = [(n["text"], n["xref"], n["yref"]) for n in layout["annotations"]]
    assert said == [
        ("<one>", "x domain", "y domain"), ("<wide>", "x2 domain", "y2 domain"),
        ("in a corner", "x domain", "y domain"), ("here", "x", "y"),
        ("in a corner", "x2 domain", "y2 domain"), ("here", "x2", "y2"),
    ]  # fmt: skip
    assert layout["height"] == 9
    above = panel("above", place=((0, 1), (0.5, 1)))
    assert picture([above], {}, {}, {"text": ""}, 0)[1]["yaxis"]["domain"] == [0.5, 1]


def test_what_hands_can_do_with_a_mark_stands_beside_the_figure():
    point = drags(dots("point", [1], [2], "#333333"), ["prior"], "x", [[0, 1], [0, 100]])
    rows = picks(line("rows", [1], [2], "#333333"), "row", range(2), along="y")
    panel = Panel("", {}, {}, [line("l", [1], [2], "#333333"), point, rows], says="↓ is better")
    drawn = picture([panel], {}, {}, {"text": "<{}>"}, 0)
    assert not any("hand" in mark for mark in drawn.data)
    assert drawn.hands == {
        "1": {"does": "drag", "controls": ["prior"], "axis": "x", "scale": [[0, 1], [0, 100]]},
        "2": {"does": "pick", "control": "row", "values": [0, 1], "along": "y"},
    }
    assert drawn.layout["annotations"][0]["text"] == "↓ is better"


def test_a_label_has_its_marks_colour_and_name_and_stands_at_one_of_its_points():
    mark = line("curve", [1, 2, 3], [4, 5, 6], "#123456")
    words = label("here", mark, 0, yshift=3)
    assert (words["x"], words["y"], words["name"], words["yshift"]) == (1, 4, "curve", 3)
    assert words["font"]["color"] == "#123456"
    assert label("b", bars("b", [1], [2], "#654321"))["font"]["color"] == "#654321"
    assert label("b", mark, colour="#000000")["font"]["color"] == "#000000"


def test_zeros_break_a_line_and_stand_hollow_on_their_row():
    mark = joined_dots("a", [1, 2, 3], [5, 0, 7], "#333333", "square", legendgroup="A")
    broken, hollow = zeros(mark, 0.1)
    assert broken["y"] == [5, None, 7]
    assert (hollow["x"], hollow["y"]) == ([2], [0.1])
    assert (hollow["marker"]["symbol"], hollow["legendgroup"]) == ("square-open", "A")
    none = joined_dots("a", [1], [5], "#333333", "circle-open")
    assert zeros(none, 0.1) == [none]
    assert zeros(none | {"y": [0]}, 0.1)[1]["marker"]["symbol"] == "circle-open"
