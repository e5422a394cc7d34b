"""CENSUS: the paper's counts, and bins of one's own."""

import numpy as np
import pandas as pd
from helpers import frequent_by_length

import frapp_lab as fl
from frapp_lab.data.census import raw_census
from frapp_lab.data.files import DATA

CENSUS = fl.load_census()


def test_census_gives_the_papers_table_3():
    census = fl.load_census()
    assert len(census) == census.counts.sum() == 48_842
    assert census.schema.sizes == (4, 5, 5, 5, 2, 2)
    assert frequent_by_length(census) == [19, 102, 203, 165, 64, 10]


def test_hours_as_printed_give_other_counts():
    # Right-closed hours, as Table 1 prints them: whole hours, so shift the edges by a half.
    printed = fl.load_census(bins={"hours-per-week": [0, 20.5, 40.5, 60.5, 80.5, np.inf]})
    assert frequent_by_length(printed) == [19, 101, 204, 172, 72, 13]


def test_census_bins_by_brute_force():
    raw, census = raw_census(), fl.load_census()
    frame = census.to_frame()
    assert (frame["age"] == "(15,35]").sum() == ((raw["age"] > 15) & (raw["age"] <= 35)).sum()
    assert (frame["age"] == ">75").sum() == (raw["age"] > 75).sum()
    hours = raw["hours-per-week"]
    assert (frame["hours-per-week"] == "[40,60)").sum() == ((hours >= 40) & (hours < 60)).sum()
    assert (frame["hours-per-week"] == ">=80").sum() == (hours >= 80).sum()
    assert (frame["fnlwgt"] == "(100000,200000]").sum() == raw["fnlwgt"].between(
        100_001, 200_000
    ).sum()
    country = frame["native-country"]
    assert ((country == "Other") == (raw["native-country"] != "United-States")).all()


def test_rebinning_changes_the_domain_and_nothing_else():
    census = fl.load_census(bins={"age": 8, "fnlwgt": 3, "hours-per-week": 10})
    assert census.schema.sizes == (8, 3, 10, 5, 2, 2)
    assert census.schema.attributes[0].categories[:2] == ("(15,25]", "(25,35]")
    assert len(census) == 48_842
    same = fl.load_census(bins={"age": [15, 35, 55, 75, np.inf]})
    assert (same.records == fl.load_census().records).all()


def test_the_raw_table_is_a_copy():
    mine = raw_census()
    mine["age"] = 0
    assert raw_census()["age"].min() == 17


def test_the_raw_census_is_what_stands_in_the_file():
    stands_there = pd.read_csv(DATA / "census.csv.gz", na_filter=False)
    pd.testing.assert_frame_equal(raw_census(), stands_there)


def test_every_size_of_census():
    whole = CENSUS.to_frame()["race"].astype(str)
    for size in range(2, 6):
        data = fl.load_census(bins={"race": size})
        assert data.schema.sizes == (4, 5, 5, size, 2, 2)
        found = data.to_frame()["race"].astype(str)
        for category in data.schema.attributes[3].categories:
            parts = category.split(" or ")
            assert (found == category).sum() == whole.isin(parts).sum()
            assert len(category) <= 60
    merged = fl.load_census(bins={"race": 4}).schema.attributes[3].categories
    assert merged == ("White", "Asian-Pac-Islander", "Black", "Other or Amer-Indian-Eskimo")
    same = fl.load_census(bins={"race": 5, "sex": 2, "native-country": 2})
    assert same.schema == CENSUS.schema
    assert (same.records == CENSUS.records).all()


def test_a_size_of_one_leaves_the_attribute_out():
    data = fl.load_census(bins={"fnlwgt": 1, "race": 1, "sex": 1, "age": 7})
    assert data.schema.names == ("age", "hours-per-week", "native-country")
    assert data.schema.sizes == (7, 5, 2)
    names = ["hours-per-week", "native-country"]
    assert (data.cube[names] == CENSUS.cube[names]).all()
    alone = fl.load_health(bins={n: 1 for n in fl.load_health().schema.names if n != "PHONE"})
    assert (alone.counts == fl.load_health().cube["PHONE"]).all()
