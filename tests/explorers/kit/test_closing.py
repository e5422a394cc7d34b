"""Explorers that are closed: they are forgotten, and others live on."""

import gc
import weakref

import ipywidgets as widgets
import pytest

from frapp_lab import explorers


def test_an_explorer_can_be_made_after_all_widgets_were_closed():
    explorers.Posterior()
    widgets.Widget.close_all()
    again = explorers.Posterior()
    assert "application/vnd.jupyter.widget-view+json" in again._repr_mimebundle_()
    assert again.card.script.comm is not None
    again.close()


@pytest.mark.parametrize("kind", explorers.every(), ids=lambda kind: kind.__name__)
def test_a_closed_explorer_is_forgotten(kind):
    made = kind()
    gone = weakref.ref(made)
    shown = [made.view, made.card, *made.controls.values()]
    script = made.card.script
    made.close()
    made.close()  # twice is once
    assert all(widget.comm is None for widget in shown)
    assert script.comm is not None  # shared with the others
    del made, shown
    gc.collect()
    assert gone() is None
