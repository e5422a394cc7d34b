"""Where an explorer's parts stand: the classes are those of `page/card.css`."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

import ipywidgets as widgets

from frapp_lab.explorers.kit.widgets import Made


def button(text: str, tooltip: str, call: Callable[[], None]) -> widgets.Button:
    """Make a button for an explorer's view, as wide as its text."""
    made = widgets.Button(description=text, tooltip=tooltip, layout={"width": "auto"})
    made.on_click(lambda _: call())
    return made


def _fold(text: str, content: Sequence[widgets.Widget]) -> tuple[widgets.Widget, widgets.Widget]:
    """Make a button for an explorer's view, and what it shows or hides."""
    opener = widgets.ToggleButton(description=text, tooltip=f"show or hide: {text}")
    return _named(opener, "frapp-fold"), _named(widgets.VBox(list(content)), "frapp-folded")


def _named(widget: widgets.Widget, name: str) -> widgets.Widget:
    widget.add_class(name)
    return widget


def compose(
    card: widgets.Widget,
    groups: Mapping[str, Sequence[Made]],
    reset: widgets.Button,
    hints: Sequence[widgets.Button],
    n_first: int = 1,
) -> widgets.Widget:
    """Make the view: the first controls, what stands by the figure, all the rest, and the card.

    The first group of controls is in sight; each further one folds away under its heading. Where
    there are several first controls, they stand side by side above the figure. The card comes last,
    so that the tab key reaches the controls before what stands under the figure.
    """
    (_, controls), *further = groups.items()
    first, others = controls[:n_first], controls[n_first:]
    draws = [part for part in others if "new_draw" in part.extras]
    buttons = [widget for part in draws for widget in part.view.children]
    row = _named(widgets.HBox([*buttons[:1], reset, *buttons[1:]]), "frapp-row")
    inner = [part.view for part in others if part not in draws and not part.in_bar] + [row]
    for heading, parts in further:
        inner += _fold(heading, [part.view for part in parts])
    opener, settings = _fold("More settings", inner)  # where the card is narrow
    opener.add_class("frapp-narrow-only")
    settings.remove_class("frapp-folded")
    settings.add_class("frapp-settings")
    rows = {"frapp-notice": hints, "frapp-bar": [part.view for part in others if part.in_bar]}
    places = [_named(widgets.Box(list(row)), name) for name, row in rows.items() if row]
    places.insert(0, _named(widgets.VBox([part.view for part in first]), "frapp-first"))
    places.append(_named(widgets.VBox([opener, settings]), "frapp-rest"))
    grid = _named(widgets.Box([*places, card]), "frapp-grid")
    if n_first > 1:
        grid.add_class("frapp-on-top")
    return _named(widgets.VBox([grid]), "frapp-explorer")
