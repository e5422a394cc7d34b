"""The stand-in for HEALTH: its shape, its making, and what is believable about it."""

import importlib.util
import itertools

import pytest
from helpers import frequent_by_length

import frapp_lab as fl
from frapp_lab.data.files import DATA


def test_the_stand_in_has_the_shape_of_health():
    health = fl.load_health()
    assert health.synthetic
    assert "synthetic" in repr(health)
    assert len(health) == 109_000
    assert health.schema.sizes == (5, 5, 5, 3, 2, 2, 5)
    assert frequent_by_length(health) == [23, 123, 292, 361, 250, 86, 12]


def test_the_stand_in_is_what_its_script_makes():
    spec = importlib.util.spec_from_file_location("make_health", DATA / "make_health.py")
    script = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(script)
    assert (script.make() == fl.load_health().counts).all()


def test_the_highest_categories_can_be_merged():
    whole, merged = fl.load_health(), fl.load_health(bins={"AGE": 3, "DV12": 2, "BDDAY12": 5})
    assert merged.schema.sizes == (3, 5, 2, 3, 2, 2, 5)
    assert merged.schema.attributes[2].categories == ("0-6", "7+")
    ages = whole.cube["AGE"]
    assert merged.cube["AGE"].tolist() == [ages[0], ages[1], ages[2:].sum()]
    assert (merged.cube["BDDAY12"] == whole.cube["BDDAY12"]).all()
    assert merged.synthetic


def share(table, **wanted):
    """The percentage, among the records with the first conditions, that satisfy the last one."""
    *given_, (name, values) = wanted.items()
    for column, allowed in given_:
        table = table[table[column].isin(allowed)]
    return round(100 * table[name].isin(values).mean(), 1)


def test_the_stand_in_is_believable_and_described_as_it_is():
    table = fl.load_health().to_frame()
    readme = (DATA / "README.md").read_text()
    values = {a.name: a.categories for a in fl.load_health().schema.attributes}
    shares = {name: [share(table, **{name: [v]}) for v in values[name]] for name in values}
    for name, found in shares.items():
        assert f"| {name} | {', '.join(map(str, found))} |" in readme

    # What is known of 1993, give or take three points.
    believable = {
        "SEX": (48, 52),
        "PHONE": (88, 5, 6),
        "INCFAM20": (30, 70),
        "HEALTH": (37, 28, 24, 8, 3),
    }
    for name, wanted in believable.items():
        assert shares[name] == pytest.approx(wanted, abs=3)
    assert shares["BDDAY12"][0] > 75
    assert shares["DV12"][0] > 75

    def by(attribute, **wanted):
        return [share(table, **{attribute: [v]}, **wanted) for v in values[attribute]]

    many = ["7-14", "15-29", "30-59", "60+"]
    rising = {
        "fair or poor health | age": by("AGE", HEALTH=["fair", "poor"]),
        "income under $20,000 | health": by("HEALTH", INCFAM20=["under $20,000"]),
        "7 or more bed days | health": by("HEALTH", BDDAY12=many),
        "7 or more visits | health": by("HEALTH", DV12=many),
        "7 or more visits | bed days": by("BDDAY12", DV12=many),
        "female | age": by("AGE", SEX=["female"]),
    }
    for what, found in rising.items():
        assert f"| {what} | {', '.join(map(str, found))} |" in readme
        assert all(a < b for a, b in itertools.pairwise(found))
    male, female = by("SEX", DV12=many)
    assert f"| 7 or more visits | sex | male {male}, female {female} |" in readme
    assert male < female
    poor, others = by("INCFAM20", PHONE=["none"])
    assert f"| no phone | income | under $20,000 {poor}, others {others} |" in readme
    assert poor > others


def test_every_size_of_health():
    whole = fl.load_health()
    for attribute in whole.schema.attributes:
        for size in range(2, attribute.size + 1):
            data = fl.load_health(bins={attribute.name: size})
            found = data.cube[attribute.name]
            assert found.shape == (size,)
            assert found.sum() == len(whole)
    merged = fl.load_health(bins={"HEALTH": 3, "PHONE": 2}).schema
    assert merged.attributes[6].categories == ("excellent", "very good", "good or fair or poor")
    assert merged.attributes[3].categories == ("number given", "no number given or none")
