"""What `Matrices` draws and says, against matrices that are written here, apart from its model."""

import math

import numpy as np
import pytest

import frapp_lab as fl
from explorers.cards import texts, traces
from frapp_lab import explorers
from frapp_lab.explorers.kit.words import short
from frapp_lab.explorers.models import matrices as model
from frapp_lab.figures.look import in_words
from frapp_lab.mining.optimality import fano_matrix

SCHEMES = ("DET-GD", "RAN-GD", "MASK", "C&P", "IND-RR")


def gamma_diagonal(gamma, n):
    x = 1 / (gamma + n - 1)
    return np.full((n, n), x) + (gamma - 1) * x * np.eye(n)


def test_the_heat_map_has_reports_as_rows_and_records_as_columns():
    ex = explorers.Matrices()
    heat, layout = traces(ex)["matrix"], ex.card.state["layout"]
    np.testing.assert_allclose(heat["z"], gamma_diagonal(19, 12), rtol=0.006)
    ex.controls["matrix"].value = "C&P"
    heat = traces(ex)["matrix"]
    assert heat["x"][:3] == heat["y"][:3] == ["000", "001", "010"]
    # C&P's is not symmetric: a true 000 cannot lose what it has not.
    rho = fl.CutAndPaste.for_gamma(fl.Schema.of_sizes(3, 2, 2), 19, 3).rho
    assert heat["z"][7][0] == pytest.approx(rho**3, rel=0.01)
    assert np.array(heat["z"]).sum(axis=0) == pytest.approx(1, abs=0.01)  # each column is a law
    assert (heat["zmin"], heat["zmax"]) == (0, 1)
    for axis in (layout["xaxis"], layout["yaxis"]):
        assert axis["type"] == "category"
    axis_titles = {
        ("DET-GD", 3): ("true record u", "report v"),
        ("DET-GD", 2): ("true values u of an itemset", "reported values v"),
        ("IND-RR", 1): ("true values u of an itemset", "reported values v"),
        ("MASK", 3): ("true bits u of an itemset", "reported bits v"),
        ("C&P", 2): ("true bits u of an itemset", "reported bits v"),
        (model.OWN, 1): ("true record u", "report v"),
    }
    for (whose, length), said in axis_titles.items():
        axes = explorers.Matrices(matrix=whose, length=length).card.state["layout"]
        assert (axes["xaxis2"]["title"]["text"], axes["yaxis"]["title"]["text"]) == said
    # The senders stand right under their columns.
    for part in ("domain", "range", "categoryarray"):
        assert layout["xaxis"][part] == layout["xaxis2"][part]
    assert layout["yaxis2"]["domain"][1] < layout["yaxis"]["domain"][0]
    assert layout["yaxis"]["range"] == [11.5, -0.5]  # from the top
    assert layout["xaxis"]["range"] == [-0.5, 11.5]


@pytest.mark.parametrize("gamma", [1.01, 1.2, 5.0, 19.0, 1000.0])
@pytest.mark.parametrize("sizes", [(2, 2, 2), (3, 2, 2), (4, 4, 4)])
def test_the_ratio_in_the_lit_row_is_gamma_in_a_whole_matrix(gamma, sizes):
    ex = explorers.Matrices(gamma=gamma, **{f"size_{j}": n for j, n in enumerate(sizes, 1)})
    for scheme in ("DET-GD", "IND-RR"):
        ex.controls["matrix"].value = scheme
        number, *_ = ex.card.state["numbers"]
        assert number["rest"] == "= γ"
        assert float(number["value"].replace(",", "")) == pytest.approx(gamma, rel=0.01)
        (frame,) = ex.card.state["layout"]["shapes"]
        row = int(frame["y0"] + 0.5)
        assert (frame["y1"] - frame["y0"], frame["x0"]) == (1, -0.5)
        entries = model.compute(ex.parameters()).shown.matrix[row]
        assert max(entries) / min(entries) == pytest.approx(gamma)
        for word, at in (("largest", max(entries)), ("smallest", min(entries))):
            (label,) = [a for a in ex.card.state["layout"]["annotations"] if word in a["text"]]
            assert label["text"] == f"{word} {short(at / entries.sum())}"
            assert (label["name"], label["xref"]) == ("senders", "x2")  # outside the cells
            assert entries[int(label["x"]) - 1] == pytest.approx(at)


def test_a_part_of_the_report_has_a_ratio_below_gamma():
    ex = explorers.Matrices(matrix="MASK")
    number, *_ = ex.card.state["numbers"]
    assert (number["value"], number["rest"]) == ("4.36", "below γ = 19")  # √19
    assert "This matrix is of a part of the report" in ex.summary
    assert "that is γ" not in ex.summary
    ex.notice({"matrix": "DET-GD"})
    assert "largest entry is 0.633 and the smallest 0.0333: their ratio is 19, and that is γ" in (
        ex.summary
    )
    shown = model.compute(ex.parameters()).shown
    assert (shown.row, shown.largest, shown.smallest) == (6, 6, 0)  # far apart: room for labels
    ex.notice({"matrix": "DET-GD", "length": 1})
    assert float(ex.card.state["numbers"][0]["value"]) == pytest.approx(1 + 18 * 3 / 12)


def test_few_entries_are_written_into_the_cells():
    ex = explorers.Matrices(length=1)
    shown = model.compute(ex.parameters()).shown
    notes = ex.card.state["layout"]["annotations"]
    said = {(a["y"], a["x"]): a["text"] for a in notes if a.get("xref") == "x"}
    assert len(said) == 9
    for (v, u), text in said.items():
        if v == shown.row and u in (shown.largest, shown.smallest):
            assert text == f"<b>{shown.matrix[v, u]:.3g}</b>"
        else:
            assert text == f"{shown.matrix[v, u]:.3g}"
    ex.controls["length"].value = 2
    assert sum(a.get("xref") == "x" for a in ex.card.state["layout"]["annotations"]) == 0


def test_condition_numbers_the_bound_and_their_names():
    ex = explorers.Matrices(size_1=4, size_2=4, size_3=4, matrix="MASK")
    shown = traces(ex)
    p = 19 ** (1 / 6) / (1 + 19 ** (1 / 6))
    assert shown["condition MASK"]["y"] == pytest.approx(
        [(2 * p - 1) ** -k for k in (1, 2, 3)], rel=1e-3
    )
    assert shown["condition DET-GD"]["y"] == pytest.approx([1 + 64 / 18] * 3, rel=1e-3)
    assert shown["bound"]["y"] == pytest.approx([(19 + 63) / 18] * 2, rel=1e-3)
    assert shown["condition MASK"]["y"][0] < shown["bound"]["y"][0]
    assert {*SCHEMES, "lower bound, 64 cells"} <= set(texts(ex))
    assert min(shown["bound"]["x"]) > 2  # shorter itemsets have matrices of fewer cells
    for scheme in SCHEMES:
        (label,) = [a for a in ex.card.state["layout"]["annotations"] if a["text"] == scheme]
        near = math.log10(shown[f"condition {scheme}"]["y"][-1])
        assert label["name"] == f"condition {scheme}"
        assert label["y"] == pytest.approx(near, abs=1e-3)
        ex.controls[scheme].value = False
        assert f"condition {scheme}" not in traces(ex)
        assert scheme not in texts(ex)
    assert "No scheme is switched on." in ex.summary
    assert "matrix" in traces(ex)


def test_singular_lengths_are_marked_at_the_top():
    ex = explorers.Matrices(K=1)
    mark = traces(ex)["singular C&P"]
    assert (mark["x"], mark["y"]) == ([2, 3], [1e6, 1e6])
    assert "C&P singular" in texts(ex)
    assert "C&P cannot be undone here: length is 3: cut-and-paste with K = 1" in ex.summary
    ex.controls["matrix"].value = "C&P"
    head = "C&P cannot undo itemsets of length 3: its matrix is singular."
    assert ex.card.state["headline"] == head
    assert ex.card.state["numbers"][1]["value"] == "∞"
    ex.controls["gamma"].value = 1.5
    assert "C&P cannot be had here: gamma is 1.5 and K is 1" in ex.summary
    assert ex.card.state["headline"] == "C&P cannot be had at this setting: the words say why."
    assert any("cut-and-paste" in text for text in texts(ex))  # the panel says why it is empty
    assert "matrix" not in traces(ex)
    ex.notice({"K": 3})
    assert "singular C&P" not in traces(ex)
    ex.set(matrix=model.PUSHED, push=0.0)
    assert traces(ex)["singular pushed diagonal"]["x"] == [1, 2, 3]


def test_a_scheme_that_cannot_be_had_is_said_by_its_chip():
    ex = explorers.Matrices(gamma=2.0, length=1)
    assert "condition C&P" not in traces(ex)
    assert "no K works at γ ≤ 2" in ex.summary
    assert "needs" in str(ex.card.state["chips"])
    ex.controls["gamma"].value = 3.0  # K = 3 needs more, K = 1 does not
    assert "condition C&P" not in traces(ex)
    ex.controls["K"].value = 1
    assert "condition C&P" in traces(ex)
    assert not any("cannot be had" in text for text in texts(ex))


def test_axes_stand_still_while_gamma_moves():
    kinds = {}, {"matrix": "MASK"}, {"length": 1}, {"matrix": model.OWN}, {"matrix": model.PUSHED}
    for settings in kinds:
        ex = explorers.Matrices(**settings)
        seen = []
        for gamma in (19.0, 1.01, 1000.0, 4.0):
            ex.controls["gamma"].value = gamma
            layout = ex.card.state["layout"]
            seen.append({k: v for k, v in layout.items() if "axis" in k})
            ex.set(push=gamma / 10, row=int(gamma) % 5)
            layout = ex.card.state["layout"]
            seen.append({k: v for k, v in layout.items() if "axis" in k})
        assert all(axes == seen[0] for axes in seen)


@pytest.mark.parametrize("gamma", [1.01, 1.1, 3.0, 4.2, 19.0, 300.0, 1000.0])
def test_the_headline_is_true(gamma):
    schema, ex = fl.Schema.of_sizes(3, 2, 2), explorers.Matrices(gamma=gamma)
    for scheme in SCHEMES:
        for length in (1, 2, 3):
            ex.set(matrix=scheme, length=length)
            head = ex.card.state["headline"]
            assert len(head) <= 85
            assert not ex.error
            if scheme == "C&P" and gamma <= 4:
                assert "cannot be had" in head
                continue
            conditions = {
                s: fl.make_scheme(s, schema, gamma).condition_number(length)
                for s in SCHEMES
                if s != "C&P" or gamma > 4
            }
            number = conditions[scheme]
            begins, _, rest = head.partition(", that of ")
            said = f"At length {length} the condition number of {scheme} is"
            assert begins.startswith(said)
            assert in_words(number) == begins.removeprefix(said).strip(" ")
            other, _, value = rest.removesuffix(".").partition(" ")
            assert value == in_words(conditions[other])
            extremes = (max(conditions.values()), min(conditions.values()))
            assert conditions[other] == pytest.approx(extremes[number == extremes[0]])


def test_nothing_fails_at_the_ends_of_the_controls():
    ex = explorers.Matrices()
    for matrix in (*SCHEMES, model.OWN, model.PUSHED):
        for length, size, K in ((1, 2, 1), (3, 4, 3), (2, 4, 1), (3, 2, 2)):
            for gamma in (1.01, 2.5, 1000.0):
                ex.set(matrix=matrix, length=length, size_1=size, size_3=size, K=K, gamma=gamma)
                assert ex.error is None
                assert len(ex.card.state["numbers"]) == 3
                assert 80 <= len(ex.summary) <= 2000
                for push, row in ((0.0, 64), (100.0, 1), (30.0, 0)):
                    ex.set(push=push, row=row)
                    assert ex.error is None
                    assert len(ex.card.state["headline"]) <= 95


def test_a_mechanism_of_ones_own_is_shown_and_speaks_for_itself():
    tiny = fl.Schema.of_sizes(3, 2, 2)
    halves = np.zeros((12, 12))
    halves[::2, ::2] = halves[::2, 1::2] = 1 / 6
    ex = explorers.Matrices(schemes=[fl.MatrixMechanism(tiny, halves)])
    assert ex.controls["matrix"].value == "MATRIX"
    assert "MATRIX cannot be undone here: length is 3: A is singular" in ex.summary
    assert traces(ex)["singular MATRIX"]["x"]
    assert np.array(traces(ex)["matrix"]["z"]) == pytest.approx(halves, rel=0.01)
    ex.controls["MATRIX"].value = False  # its matrix stays
    assert "matrix" in traces(ex)
    assert "singular MATRIX" not in traces(ex)
    ex.controls["size_1"].value = 2
    assert "MATRIX cannot be had here: MATRIX is made for the attributes" in ex.summary


# --- a row, and a diagonal ------------------------------------------------------------------------


def hand_of(ex, name):
    """What a page lets a reader do with a mark."""
    place = [trace["meta"] for trace in ex.card.state["data"]].index(name)
    return ex.card.state["hands"].get(str(place))


def test_a_click_on_a_row_lights_it_and_bayes_says_who_sent_the_report():
    ex = explorers.Matrices(matrix="C&P")
    hand = hand_of(ex, "matrix")
    assert (hand["control"], hand["along"], hand["values"]) == ("row", "y", [*range(1, 9)])
    ex.controls["row"].value = hand["values"][7]  # 111
    (frame,) = ex.card.state["layout"]["shapes"]
    assert (frame["y0"], frame["y1"]) == (6.5, 7.5)
    row = np.array(traces(ex)["matrix"]["z"])[7]
    bayes, bars = 100 * row / row.sum(), traces(ex)["senders"]
    assert bars["y"] == pytest.approx(bayes, rel=0.01)
    assert bars["x"] == traces(ex)["matrix"]["x"]
    assert traces(ex)["before"]["y"] == [12.5] * 8
    assert {"<b>Who sent report 111?</b> if all equally likely", "before: 1 in 8"} < set(texts(ex))
    (value, *_), rest = ex.card.state["numbers"][2]["value"].split(), ex.card.state["numbers"][2]
    assert float(value) == pytest.approx(bayes.max(), rel=0.01)
    assert rest["rest"] == "bits 111; 12.5 % before"
    said = f"came from bits 111 with {value} %, if all 8 are equally common."
    assert ex.card.state["headline"] == f"Report 111 {said}"
    assert f"12.5 % each: bits 111 with {value} %, bits 000 with" in ex.summary
    again = hand_of(ex, "matrix")["values"]
    assert again == [*range(1, 8), 0]  # a second click gives it back
    ex.controls["row"].value = 0
    assert ex.card.state["headline"].startswith("At length 3 the condition number of C&P is")
    ex.controls["row"].value = 60  # there is none
    assert ex.card.state["headline"].startswith("At length 3 the condition number of C&P is")


def test_rows_at_the_edge_teach():
    ex = explorers.Matrices(matrix=model.OWN, own="0.5 0.3\n0.5 0.7\n0 0", row=3)
    assert "Nobody sends report 3: its row has only zeros." in ex.summary
    assert "<b>Nobody sends report 3</b>" in texts(ex)
    assert (ex.card.state["numbers"][0]["value"], "senders" in traces(ex)) == ("–", False)
    ex.set(own="1 0.5\n0 0.5", row=1)  # γ is made by the other row
    assert "in the row where it is largest it is ∞" in ex.summary
    assert "Report 2 cannot come from record 1" in ex.summary
    ex.set(row=2)
    assert "record 2 with 100 %, record 1 with 0 %" in ex.summary
    ex.set(matrix=model.PUSHED, push=0.0, row=2)
    head = "Report 2 says nothing: it is as likely from every record."
    assert ex.card.state["headline"] == head
    ex.set(matrix="MASK", gamma=1.01)
    assert ex.card.state["headline"].startswith("Report 001 says almost nothing")


@pytest.mark.parametrize(
    ("push", "headline", "rest"),
    [
        (0.0, "All entries are 1/12: the reports say nothing, and nobody can undo them.", "below"),
        (40.0, "Diagonal ÷ others is 9, and γ = 19 allows more. Condition number 2.5.", "below"),
        (60.0, "The diagonal is where γ = 19 stops it: condition number 1.67, the lower bound.",
         "= γ"),
        (80.0, "γ = 19 stops this: diagonal ÷ others is 49. Condition number 1.25.", "above"),
        (100.0, "γ = 19 stops this: diagonal ÷ others is ∞. Condition number 1.", "above"),
    ],
)  # fmt: skip
def test_a_diagonal_is_pushed_until_gamma_stops_it(push, headline, rest):
    ex = explorers.Matrices(matrix=model.PUSHED, push=push)
    state = ex.card.state
    assert state["headline"] == headline
    assert state["numbers"][0]["rest"].startswith(rest)
    assert state["marks"] == {"push": pytest.approx(60)}  # where (γ − 1)/(γ + n − 1) is
    assert "cannot exceed γ/(γ + n − 1) = 0.633" in ex.summary
    assert ("breaks γ" in ex.summary) == ("pushed diagonal breaks γ" in texts(ex)) == (push > 60)
    if push:
        drawn = traces(ex)["condition pushed diagonal"]
        hand = hand_of(ex, "condition pushed diagonal")
        assert (hand["controls"], hand["axis"]) == (["push"] * 3, "y")
        assert np.diff(hand["scale"][0]).min() > 0
        assert np.interp(drawn["y"], *hand["scale"]) == pytest.approx([push] * 3, rel=0.01)


# --- a matrix of one's own ------------------------------------------------------------------------


def test_a_typed_matrix_is_compared_at_its_own_gamma_and_n():
    ex = explorers.Matrices(matrix=model.OWN)
    shown = traces(ex)
    assert ex.card.state["headline"] == (
        "My own matrix has γ = 3 and condition number 2.5; γ-diagonal has 2.5."
    )
    assert shown["condition my own"]["y"] == shown["condition DET-GD"]["y"] == [2.5]
    assert shown["bound"]["y"] == [2.5, 2.5]
    assert shown["condition MASK"]["y"] == pytest.approx([(3**0.5 + 1) / (3**0.5 - 1)], rel=1e-3)
    # s = 0.4 and x = 0.2: √(0.02·0.6·0.4 + 0.98·0.2·0.8)/0.4/√48842 = 0.454 %
    error = (0.02 * 0.24 + 0.98 * 0.16) ** 0.5 / 0.4 / 48842**0.5
    assert ex.card.state["numbers"][2]["value"] == f"±{100 * error:.2g}"
    assert f"standard deviation of {100 * error:.2g} percentage points" in ex.summary
    assert "With N = 48,842 records an estimated support of 2 %" in ex.summary
    assert ex.card.state["lines"]["gamma"] == "my own has γ = 3: it keeps this"
    ex.controls["gamma"].value = 2.9
    assert ex.card.state["lines"]["gamma"].endswith("it breaks this")


@pytest.mark.parametrize(("gamma", "word"), [(6.99, "breaks"), (7.0, "keeps"), (7.01, "keeps")])
def test_a_matrix_with_just_the_gamma_that_is_asked_for_keeps_it(gamma, word):
    card = explorers.Matrices.card(matrix=model.OWN, own="0.9 0.3\n0.1 0.7", gamma=gamma)
    assert card.lines["gamma"] == f"my own has γ = 7: it {word} this"


def test_a_matrix_below_the_bound_is_told_to_be_no_symmetric_positive_definite_one():
    fano = fano_matrix()
    text = "\n".join(" ".join(map(str, row)) for row in fano)
    ex = explorers.Matrices(matrix=model.OWN, own=text)
    assert "condition number 7.07; γ-diagonal has 8." in ex.card.state["headline"]
    assert "lies below it: it is not symmetric positive definite" in ex.summary
    deviations = [float(n) for n in (ex.card.state["numbers"][2]["value"].strip("±"),
                  ex.card.state["numbers"][2]["rest"].split("±")[1])]  # fmt: skip
    assert deviations[0] < deviations[1]


WRONG = {
    "0.5 0.2\n0.5 0.799": "My own matrix: column 2 sums to 0.999, which is 0.001 too little.",
    "0.5 1.2\n0.5 -0.2": "My own matrix: row 2, column 2 is −0.2: no probability is below 0.",
    "0.5 0.2\n0.5": "My own matrix: row 2 has 1 number and row 1 has 2: all need as many.",
    "": "My own matrix: there is no number yet: type a row on each line.",
    "<b>words": "My own matrix: row 1, column 1: “<b>words” is no number.",
    "1": "My own matrix: one column is one record: there is nothing to hide; type more.",
    "1 0\nnan 1": "My own matrix: row 2, column 1: nan is no probability.",
}


@pytest.mark.parametrize("text", WRONG)
def test_a_wrong_matrix_is_a_sentence_and_the_next_good_one_recovers(text):
    ex = explorers.Matrices(matrix=model.OWN)
    first = ex.card.state
    ex.controls["own"].value = text
    assert ex.error is None
    assert ex.card.state["headline"] == WRONG[text]
    assert ex.summary.startswith(WRONG[text])
    assert ex.card.state["lines"]["own_note"] == WRONG[text]
    assert len(ex.card.state["headline"]) <= 85
    assert [n["value"] for n in ex.card.state["numbers"]] == ["–", "–", "–"]
    assert "condition DET-GD" in traces(ex)
    if "matrix" not in traces(ex):  # the panel is not blank but says why
        assert any(a.get("xref") == "paper" and "<b>w" not in a["text"] for a in
                   ex.card.state["layout"]["annotations"][2:])  # fmt: skip
    ex.controls["own"].value = model.EXAMPLE
    assert ex.card.state == first | {"fresh": False}


def test_a_column_that_does_not_sum_to_one_is_framed():
    ex = explorers.Matrices(matrix=model.OWN, own="0.5 0.2 .1\n0.5 0.7 .9")
    (frame,) = ex.card.state["layout"]["shapes"]
    assert (frame["x0"], frame["x1"], frame["y0"], frame["y1"]) == (0.5, 1.5, -0.5, 1.5)
    assert "Σ = 0.9" in texts(ex)


def test_what_is_typed_is_told_at_once_while_another_matrix_is_shown():
    ex = explorers.Matrices()
    assert "My own matrix" not in ex.summary
    ex.controls["own"].value = "0.9 0.3\n0.1 0.7"
    said = "My own matrix (2 × 2) has γ = 7 and condition number 1.77."
    assert ex.card.state["lines"]["own_note"].startswith(said)
    assert said in ex.summary
    assert ex.card.state["headline"].startswith("At length 3 the condition number of DET-GD")
    assert isinstance(ex.controls["own_note"], explorers.kit.page_widgets.Slider)
    assert "own_note" in ex.card.controls


@pytest.mark.parametrize(
    ("text", "headline"),
    [
        ("1 0\n0 1", "My own matrix has γ = ∞: report 2 rules out record 1."),
        ("1 0.5\n0 0.5", "My own matrix has γ = ∞: report 2 rules out record 1."),
        (".5 .5\n.5 .5", "My own matrix has γ = 1, and it is singular: nobody can undo it."),
        (
            ".5 .3 .2\n.5 .7 .8",
            "My own matrix has γ = 2.5, and it is singular: nobody can undo it.",
        ),
    ],
)
def test_matrices_at_the_edge_teach(text, headline):
    ex = explorers.Matrices(matrix=model.OWN, own=text)
    assert (ex.error, ex.card.state["headline"]) == (None, headline)
    assert ("singular my own" in traces(ex)) == ("singular" in headline)
    assert ("bound" in traces(ex)) == ("2.5" in headline)
    assert "matrix" in traces(ex)


def test_a_scheme_below_the_bound_is_no_contradiction():
    assert "Below the bound" not in explorers.Matrices().summary
    said = explorers.Matrices(gamma=2.0, length=1).summary  # 13, and IND-RR has 12.5
    assert "Below the bound: IND-RR. That is no contradiction" in said
