"""An explorer's figure in the page: plotly's FigureWidget, lighter and as wide as its place."""

from __future__ import annotations

import functools
import re

import ipywidgets as widgets
import plotly.graph_objects as go
import traitlets


def quiet(script: str) -> str:
    """plotly's script for the page, without its report on all defaults after every update.

    plotly answers such a report with two messages for each trace, and drops from the figure what
    the page has said, so that a reload would start without it. No explorer needs any of that.
    """
    return re.sub(r"(_send(?:TraceDeltas|LayoutDelta)\(\w+\)\{)", r"\1return;", script)


class Script(widgets.Widget):
    """plotly's script, five million characters, sent to the page once for all figures."""

    text = traitlets.Unicode().tag(sync=True)


@functools.cache
def plotly_script() -> Script:
    """The one script of this process."""
    return Script(text=quiet(str(go.FigureWidget._esm)))


class QuietFigure(go.FigureWidget):
    """A FigureWidget that the page shows and does not report on. It differs in three more ways.

    - plotly sends its script with every figure, and the page reads it each time: a second or two,
      and after two seconds anywidget gives up and the figure never moves. Here all figures share
      one script, which the page reads once, and a late figure hears its messages all the same.
    - plotly listens to the window's width only, so that a figure starts 700 pixels wide anywhere
      and stays so when a side bar opens. Here it is told when its own place changes.
    - plotly announces a figure empty and sends its data after, and a page that is busy then shows
      an empty figure. Here it is announced when it is whole.
    """

    _esm = """
    const read = async (model) => {
      const script = await model.widget_manager.get_model(model.get("_script").split("_").pop());
      const file = new Blob([script.get("text")], { type: "text/javascript" });
      const address = URL.createObjectURL(file);
      return import(address).finally(() => URL.revokeObjectURL(address));
    };

    // anywidget waits two seconds for this script and then drops all messages: go round its wait.
    const listen = (model) => {
      const hear = (own) => {
        const plain = Object.getPrototypeOf(own.constructor.prototype)._handle_comm_msg;
        own.comm?.on_msg(plain.bind(own));
      };
      model.on("change:_heard", hear);  // the handler is given the model itself
      model.set("_heard", true);
      model.off("change:_heard", hear);
    };

    const fitWidth = (el) => {
      el.style.width = "100%";
      let width = 0;
      const tell = () => requestAnimationFrame(() => window.dispatchEvent(new Event("resize")));
      const watch = new ResizeObserver(() => {
        if (el.clientWidth !== width) { width = el.clientWidth; tell(); }
      });
      watch.observe(el);
      const rendered = (event) => { if (event.detail.element === el) tell(); };
      document.addEventListener("plotlywidget-after-render", rendered);
      return () => {
        watch.disconnect();
        document.removeEventListener("plotlywidget-after-render", rendered);
      };
    };

    export default () => {
      let figure;
      return {
        initialize(context) {
          listen(context.model);
          globalThis.frappPlotly ??= read(context.model);
          figure = globalThis.frappPlotly.then((plotly) => {
            const made = plotly.default();
            made.initialize(context);
            return made;
          });
          figure.catch(() => delete globalThis.frappPlotly);
        },
        async render(context) {
          const made = await figure;
          const leave = [fitWidth(context.el), made.render(context)];
          return () => leave.forEach((step) => step());
        },
      };
    };
    """
    _script = traitlets.Instance(Script).tag(sync=True, **widgets.widget_serialization)
    _whole = False

    def __init__(self, figure: go.Figure) -> None:
        super().__init__(figure)
        self._whole = True
        self.open()

    @traitlets.default("_script")
    def _shared(self) -> Script:
        return plotly_script()

    def open(self) -> None:
        """Announce the figure to the page."""
        if self._whole:
            super().open()
