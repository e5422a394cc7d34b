"""The paper's tables."""

import pandas as pd
from helpers import person

from frapp_lab import paper
from frapp_lab import scale as experiments
from frapp_lab.paper import Prose, error_figure, health_at_hand, label


def test_the_papers_tables():
    assert paper.table_1()["attribute"].tolist()[:2] == ["age", "fnlwgt"]
    assert paper.table_2()["size"].tolist() == [5, 5, 5, 3, 2, 2, 5]
    table = paper.table_3()
    assert table.loc["CENSUS"].dropna().tolist() == [19, 102, 203, 165, 64, 10]
    assert table.loc["HEALTH (stand-in)"].tolist() == [23, 123, 292, 361, 250, 86, 12]


def test_the_real_health_file_is_taken_if_it_is_there(tmp_path):
    assert health_at_hand(tmp_path).synthetic
    lines = [person(age=a, sex=s) for a in (10, 30, 50) for s in (1, 2)]
    (tmp_path / "PERSONSX.DAT").write_text("\n".join(lines) + "\n")
    real = health_at_hand(tmp_path)
    assert not real.synthetic
    assert len(real) == 6
    assert label(real) == "HEALTH"
    errors = experiments.summarise(experiments.run_trials(real, ["DET-GD"], trials=2))
    assert "synthetic" not in error_figure(errors, real, "Figure 2").figure.layout.title.text


def test_a_table_of_texts_is_shown_whole():
    long = "a statement that is much longer than what pandas shows of a text by default & more"
    table = pd.DataFrame({"claim": [long], "cost": ["$1 and $2"]}, index=[7])
    assert repr(Prose(table)) == f"7 | {long} | $1 and $2"
    html = Prose(table)._repr_html_()
    assert long.replace("&", "&amp;") in html
    assert "mathjax_ignore" in html
    assert "right" not in html
