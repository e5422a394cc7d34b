"""plotly's own object of a picture, for who asks for it; nothing else here loads plotly."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import frapp_lab.figures.quick_import  # noqa: F401  before plotly, which it makes load faster

# isort: split
import plotly.graph_objects as go


def plotly_figure(data: Sequence[Mapping[str, Any]], layout: Mapping[str, Any]) -> go.Figure:
    """Make plotly's figure of marks and a layout.

    >>> plotly_figure([{"type": "bar", "y": [1]}], {"height": 300}).layout.height
    300
    """
    return go.Figure({"data": list(data), "layout": dict(layout)})
