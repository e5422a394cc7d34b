"""How numbers are written in figures and cards, read back as a reader would."""

import re

import numpy as np
import pytest

from frapp_lab.explorers.kit.words import percent, short
from frapp_lab.figures.look import decades, in_words, power

LOWERED = str.maketrans("⁻⁰¹²³⁴⁵⁶⁷⁸⁹", "-0123456789")


def read(text):
    """The number that a text says; nothing but digits, commas, a point and a power of ten."""
    found = re.fullmatch(r"(-?[\d,]*\.?\d+)(?: × 10([⁻⁰¹²³⁴⁵⁶⁷⁸⁹]+))?", text)
    assert found, text
    assert not re.search(r"\d{4}", found[1].split(".")[0]), text  # thousands have commas
    return float(found[1].replace(",", "")) * 10 ** int((found[2] or "0").translate(LOWERED))


@pytest.mark.parametrize("sign", [1, -1])
def test_a_number_of_any_size_is_read_back_and_never_in_a_computers_notation(sign):
    for number in sign * np.logspace(-12, 14.9, 2000):
        assert read(in_words(number)) == pytest.approx(number, rel=0.051)
        if 1e-4 <= abs(number) < 1e6:
            assert read(in_words(number)) == pytest.approx(number, rel=0.0051)
            assert "×" not in in_words(number)
    for edge in (999.49, 999.5, 999.51, 999_999.4, 999_999.6, 1e-4, 0.99996e-4):
        assert read(in_words(sign * edge)) == pytest.approx(sign * edge, rel=0.0051)
    assert in_words(0) == "0"


def test_shares_of_any_size_are_read_back():
    for share in np.logspace(-9, 6, 1000):
        assert read(short(share).removesuffix(" %")) == pytest.approx(100 * share, rel=0.051)
        if share > 1e-5:
            said = percent(share).removesuffix(" %")
            assert read(said) == pytest.approx(100 * share, rel=0.051, abs=0.051)
    assert percent(1e-6) == "less than 0.001 %"
    assert (short(1), percent(1), short(0)) == ("100 %", "100.0 %", "0 %")


def test_the_ticks_of_a_log_axis_say_where_they_stand():
    ticks = decades(-6, 12, 1, " %")
    for place, text in zip(ticks["tickvals"], ticks["ticktext"], strict=True):
        value = read(re.sub("^10(?=[⁻⁰¹²³⁴⁵⁶⁷⁸⁹])", "1 × 10", text.removesuffix(" %")))
        assert value == pytest.approx(place)
    assert decades(0, 4, 2)["ticktext"] == ["1", "100", power(4)]
