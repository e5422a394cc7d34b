"""Colours and markers: every scheme and every role has its own."""

import numpy as np

import frapp_lab as fl
from frapp_lab.figures import look
from frapp_lab.figures.styles import SPARE_STYLES, style_of


def luminance(colour):
    values = [int(colour[i : i + 2], 16) / 255 for i in (1, 3, 5)]
    linear = [v / 12.92 if v <= 0.04045 else ((v + 0.055) / 1.055) ** 2.4 for v in values]
    return np.dot([0.2126, 0.7152, 0.0722], linear)


def test_every_scheme_has_a_colour_and_a_marker_of_its_own_and_so_has_every_role():
    styles = [style_of(label) for label in fl.schemes(modern=True)]
    styles += SPARE_STYLES
    colours, markers = zip(*((s.colour, s.marker) for s in styles), strict=True)
    assert len(set(colours)) == len(set(markers)) == len(styles)
    roles = {name: getattr(look, name) for name in
             ("TRUTH", "ESTIMATE", "BEFORE", "AFTER", "KEPT", "CHANGED")}  # fmt: skip
    assert len({*roles.values(), *colours}) == len(roles) + len(colours)
    for colour in [*roles.values(), *colours]:
        assert 1.05 / (luminance(colour) + 0.05) >= 3, colour
