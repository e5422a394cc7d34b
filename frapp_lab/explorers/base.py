"""What every explorer is: controls → parameters → one pure compute → figure and summary."""

from __future__ import annotations

import asyncio
import copy
import html
import inspect
import logging
from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from typing import Any, ClassVar

import ipywidgets as widgets
import plotly.graph_objects as go

from frapp_lab import figures
from frapp_lab.explorers.controls import Control
from frapp_lab.explorers.figure import QuietFigure, Script, plotly_script
from frapp_lab.explorers.widgets import make

log = logging.getLogger(__name__)

STYLE = """<style>
.frapp-explorer .frapp-heading { font-weight: 600; margin: 6px 0 4px 0; line-height: 1.4;
  border-bottom: 1px solid var(--jp-border-color2, #ccc); }
.frapp-explorer .frapp-note { font-size: 12px; line-height: 1.35; }
.frapp-explorer .frapp-summary { font-size: 14px; line-height: 1.5; max-width: 75em;
  margin: 12px 4px 4px 0; }
/* What happens in a figure stays in it: the browser need not lay out the whole page again. */
.frapp-explorer .js-plotly-plot { contain: layout paint style; }
.frapp-explorer .frapp-error { border-left: 4px solid #D55E00; padding-left: 8px; }
.frapp-explorer .widget-label, .frapp-explorer .jupyter-widgets label { text-align: left; }
</style>"""

COLUMN = {"flex": "0 0 290px", "width": "290px", "padding": "0 8px 0 0", "overflow": "hidden"}
CARD = {"flex": "1 1 540px", "min_width": "0", "overflow": "hidden"}


class Explorer(ABC):
    """Controls on the left, one figure on the right, and a summary in words below.

    A subclass says what it shows: `groups` (headings and the controls under them, see
    `controls.py`), `model` (with `Parameters` and `compute`, a pure function to a result),
    `skeleton` and `series` (the figure, and the data for its traces) and `describe` (the summary).
    Nothing numeric happens anywhere but in the model. Every subclass is found by `every`, unless
    it is made with `listed=False`.
    """

    model: Any
    _known: ClassVar[dict[tuple[str, str], type[Explorer]]] = {}

    def __init_subclass__(cls, listed: bool = True, **options: object) -> None:
        """Join the others; a class that is defined anew takes the old one's place."""
        super().__init_subclass__(**options)
        if listed:
            Explorer._known[cls.__module__, cls.__qualname__] = cls

    def __init__(self) -> None:
        groups = self.groups
        self._declared = [control for group in groups.values() for control in group]
        self._parts = [make(control, self) for control in self._declared]
        self.controls: dict[str, widgets.Widget] = {}
        for part in self._parts:
            self.controls |= part.held | part.extras
        self._shown: dict[tuple[str, str], object] = {}
        self.summary = ""
        self.error: Exception | None = None
        self._text = widgets.HTML()
        self._note = widgets.HTML()
        self.figure: go.Figure = self.skeleton()
        self._show()
        plotly_script().open()  # it is shared, and may have been closed with all widgets
        self.figure = QuietFigure(self.figure)
        # Follow the width of the page, and spare learners the tool bar's many buttons.
        self.figure._config = {"responsive": True, "displaylogo": False, "displayModeBar": False}
        self._paused = False
        self._timer: asyncio.TimerHandle | None = None
        reset = widgets.Button(
            description="Reset", tooltip="back to the first setting", layout={"width": "40%"}
        )
        reset.on_click(lambda _: self.reset())
        self.controls["reset"] = reset
        column, views = [], iter(part.view for part in self._parts)
        for heading, group in groups.items():
            column.append(widgets.HTML(f'<div class="frapp-heading">{heading}</div>'))
            column.extend(next(views) for _ in group)
        legend = [widgets.HTML(self.legend(), layout={"margin": "0"})] if self.legend() else []
        self.view = widgets.VBox(
            [
                widgets.HTML(STYLE, layout={"display": "none"}),
                widgets.Box(
                    [
                        widgets.VBox([*column, reset, self._note], layout=COLUMN),
                        widgets.VBox([*legend, self.figure], layout=CARD),
                    ],
                    layout={"flex_flow": "row wrap", "align_items": "flex-start"},
                ),
                self._text,
            ]
        )
        self.view.add_class("frapp-explorer")
        for part in self._parts:
            for holder in part.holders:
                holder.observe(self._changed, "value")

    # --- what a subclass gives ---

    @property
    @abstractmethod
    def groups(self) -> Mapping[str, Sequence[Control]]:
        """The headings, and the controls under each; a plain attribute of the class will do."""

    @abstractmethod
    def skeleton(self) -> go.Figure:
        """The figure with all its traces, empty."""

    @abstractmethod
    def series(self, result: Any) -> dict[str, dict[str, object]]:
        """The data of the figure's traces."""

    @abstractmethod
    def describe(self, result: Any) -> str:
        """The summary: one paragraph in plain words, with the numbers in it."""

    def legend(self) -> str:
        """HTML above the figure, for a figure without a legend of its own."""
        return ""

    def note(self, result: Any) -> str:
        """A line under the controls that says what the settings amount to."""
        return ""

    def layout(self, result: Any) -> dict[str, object]:
        """What of the figure's layout depends on the result, in plotly's underscore notation."""
        return {}

    # --- how it runs ---

    def parameters(self) -> Any:
        """What the controls say, as the model's frozen parameters: field by field."""
        values = {name: w.value for part in self._parts for name, w in part.held.items()}
        said: dict[str, object] = {}
        for control in self._declared:
            said |= control.read(values)
        return self.model.Parameters(**said)

    def compute(self, parameters: Any) -> Any:
        """The model's result."""
        return self.model.compute(parameters)

    def _changed(self, _: object) -> None:
        if not self._paused:
            self.update()

    def update(self) -> None:
        """Show what the controls say, and keep it for a page that is reloaded."""
        self._show()
        self._refresh_later()

    def _show(self) -> None:
        """Compute once and show the result; an error becomes a sentence."""
        try:
            result = self.compute(self.parameters())
            series, layout = self.series(result), self.layout(result)
            summary, note, kind = self.describe(result), self.note(result), "frapp-summary"
            self.error = None
        except Exception as error:  # whatever it is, the learner must see it and be able to go on
            self.error = error
            if not isinstance(error, ValueError):  # no odd setting but a fault in the program
                log.exception("%s cannot show its setting", type(self).__name__)
            series, layout, note = {}, {}, ""
            what = str(error) or type(error).__name__
            summary, kind = f"This setting cannot be shown: {what}.", "frapp-summary frapp-error"
            summary = summary.replace("..", ".")
        with self.figure.batch_update():
            figures.fill(self.figure, series, self._shown)
            if layout:
                self.figure.update_layout(**layout)
        self.summary = summary
        text = html.escape(summary).replace(" %", "&nbsp;%")  # never parted at a line's end
        self._text.value = f'<div class="{kind}" aria-live="polite">{text}</div>'
        self._note.value = f'<div class="frapp-note">{html.escape(note)}</div>'

    def _refresh_later(self) -> None:
        """Once it is quiet, renew the state that a reloaded page starts from.

        It takes as long as a move, so that doing it at once would hold up the next one.
        """
        if self._timer is not None:
            self._timer.cancel()
        try:
            loop = asyncio.get_running_loop()
        except RuntimeError:  # no kernel, so no page
            return
        self._timer = loop.call_later(0.3, self._refresh)

    def _refresh(self) -> None:
        """Renew the state that a page starts from; plotly does so only when it shows a figure."""
        self.figure._widget_data = copy.deepcopy(self.figure._data)
        self.figure._widget_layout = copy.deepcopy(self.figure._layout_obj._props)

    def reset(self) -> None:
        """Go back to the setting that the explorer opened with: the paper's, where it has one."""
        self._paused = True
        try:
            for part in self._parts:
                part.reset()
        finally:
            self._paused = False
        self.update()

    def close(self) -> None:
        """Close all its widgets, so that the page and the memory forget it."""
        if self._timer is not None:
            self._timer.cancel()
        for holder in (holder for part in self._parts for holder in part.holders):
            holder.unobserve(self._changed, "value")
        self._parts = []
        open_ones = [self.view, *self.controls.values()]
        while open_ones:
            widget = open_ones.pop()
            if widget.comm is None or isinstance(widget, Script):
                continue
            held = [getattr(widget, name) for name in widget.keys]
            widget.close()
            for value in held:
                held_ones = value if isinstance(value, list | tuple) else [value]
                open_ones += [one for one in held_ones if isinstance(one, widgets.Widget)]

    def __repr__(self) -> str:
        return self.summary

    def _repr_mimebundle_(self, include=None, exclude=None) -> dict[str, object]:
        self._refresh()  # the page starts from the state of now
        bundle = self.view._repr_mimebundle_()
        data = dict(bundle[0] if isinstance(bundle, tuple) else bundle)
        data["text/plain"] = self.summary
        return data


def every() -> tuple[type[Explorer], ...]:
    """All explorers there are: those of this folder, and those of a file or cell of one's own."""
    return tuple(kind for kind in Explorer._known.values() if not inspect.isabstract(kind))
