"""A progress bar for trials that take some seconds."""

from __future__ import annotations

import ipywidgets as widgets


class Progress:
    """A bar that fills while trials run: show it with `display`, then hand it to `run_trials`.

    >>> bar = Progress("CENSUS")
    >>> bar(30, 120)
    >>> bar.bar.value, bar.bar.max
    (30, 120)
    """

    def __init__(self, what: str = "trials") -> None:
        self.what = what
        self.bar = widgets.IntProgress(
            description=what,
            style={"description_width": "200px"},
            layout={"width": "min(100%, 600px)"},
        )
        self.bar.tooltip = f"how far the trials are: {what}"

    def __call__(self, done: int, total: int) -> None:
        """Show how many are done, of how many."""
        self.bar.max = total
        # A message for each of a hundred steps is enough for the eye.
        if done == total or 100 * done // total > 100 * (done - 1) // total:
            self.bar.value = done

    def __repr__(self) -> str:
        return f"Progress bar of the trials: {self.what}"

    def _repr_mimebundle_(self, include=None, exclude=None) -> dict[str, object]:
        bundle = self.bar._repr_mimebundle_()
        data = dict(bundle[0] if isinstance(bundle, tuple) else bundle)
        data["text/plain"] = repr(self)
        return data
