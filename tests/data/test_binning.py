"""Bins: edges that are close have names of their own."""

import math

from frapp_lab.data.binning import Bins


def test_close_edges_have_names_of_their_own():
    assert Bins((0, 50, 50.0000001, 60)).labels == ("(0,50]", "(50,50.0000001]", "(50.0000001,60]")
    close = (1.0, math.nextafter(1, 2), math.nextafter(math.nextafter(1, 2), 2))
    assert len({*Bins(close).labels}) == 2
    low, high = Bins(close).labels[0][1:-1].split(",")
    assert float(low) < float(high)
