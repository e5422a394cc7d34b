"""The real survey of 1993: its file is read as its codebook says."""

import warnings

import pytest
from helpers import assert_refused, person

import frapp_lab as fl


@pytest.fixture
def nhis_file(tmp_path):
    def write(*lines, end="\n"):
        path = tmp_path / "PERSONSX.DAT"
        path.write_bytes("".join(line + end for line in lines).encode())
        return path

    return write


@pytest.mark.parametrize("end", ["\n", "\r\n"])
def test_the_real_file_is_read_as_its_codebook_says(nhis_file, end):
    path = nhis_file(
        person(),
        person(phone=2, sex=2, age=19, income=1, health=5, bed_days=6, visits=7),
        person(phone=3, age=20, health=3, bed_days=7, visits=14),
        person(age=99, bed_days=365, visits=997),
        person(age=79, bed_days=29, visits=59),
        end=end,
    )
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        health = fl.load_health(path)
    assert not health.synthetic
    assert health.dropped == 0
    assert health.schema == fl.load_health().schema
    assert list(health.to_frame().itertuples(index=False, name=None)) == [
        ("20-39", "0-6", "0-6", "number given", "male", "$20,000 or more", "excellent"),
        ("0-19", "0-6", "7-14", "no number given", "female", "under $20,000", "poor"),
        ("20-39", "7-14", "7-14", "none", "male", "$20,000 or more", "good"),
        ("80+", "60+", "60+", "number given", "male", "$20,000 or more", "excellent"),
        ("60-79", "15-29", "30-59", "number given", "male", "$20,000 or more", "excellent"),
    ]


def test_unknown_codes_are_dropped_and_counted(nhis_file):
    path = nhis_file(
        person(),
        person(phone=4),
        person(income=3, health=6),
        person(bed_days=366),
        person(visits=998),
    )
    with pytest.warns(UserWarning, match=r"4 of 5 records.*PHONE: 1.*INCFAM20: 1.*HEALTH: 1"):
        health = fl.load_health(path)
    assert len(health) == 1
    assert health.dropped == 4
    assert "4 records dropped" in repr(health)


@pytest.mark.parametrize(
    ("lines", "words"),
    [
        ([], ["empty"]),
        ([person(), person()[:200]], ["line 2", "200", "335", "truncated"]),
        (["age,sex", "3,4"], ["line 1", "7 characters", "not the NHIS"]),
        ([person(), person() + "x", person()], ["line 2", "336"]),
        ([person(), person(kind=30)], ["line 2", "record type", "20"]),
        ([person(year=94)], ["line 1", "survey year", "93"]),
        ([person(), person(sex=3)], ["line 2", "SEX", "columns 25-25", "3", "1 to 2"]),
        ([person(health=0)], ["line 1", "HEALTH", "0", "1 to 6"]),
        ([person(bed_days=367)], ["BDDAY12", "367", "0 to 366"]),
        ([person(age="  ")], ["AGE", "columns 27-28", "no number"]),
        ([person(phone=4)], ["every record"]),
    ],
)
def test_a_wrong_file_is_refused_in_words(nhis_file, lines, words):
    assert_refused(lambda: fl.load_health(nhis_file(*lines)), ["PERSONSX.DAT", *words])
