"""An explorer: controls, and a function from what they say to a card."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from frapp_lab.explorers.kit.card import Card
from frapp_lab.explorers.kit.controls import Control
from frapp_lab.explorers.kit.states import States

if TYPE_CHECKING:
    from frapp_lab.explorers.kit.open_explorer import OpenExplorer

Groups = Mapping[str, Sequence[Control]]
Draws = Callable[[Any], Iterator[Any]]


class Explorer:
    """Controls, and a function from what they say to a card. Calling it opens it as widgets.

    Parameters
    ----------
    show : function
        Makes the card from what the controls say, and from a `band` where there is one.
    groups : mapping or function
        The controls by heading: the first group is in sight, each further one folds away. If it is
        a function that returns them, its arguments are arguments of the explorer as well.
    reads : callable
        Makes one object of what the controls say: a frozen dataclass, or `dict`.
    draws : function, optional
        Draws many times, a little at each step, while nothing moves. The last thing that it gives
        is the band that `show` is given.
    n_first : int
        How many controls stand side by side above the figure. One stands beside it.
    page : sequence of paths
        Scripts and styles that draw the card's `stage`, each after those that it imports from.
    """

    def __init__(
        self,
        show: Callable[..., Card],
        groups: Groups | Callable[..., Groups],
        reads: Callable[..., Any] = dict,
        draws: Draws | None = None,
        n_first: int = 1,
        page: Sequence[Path] = (),
    ) -> None:
        self.show, self.groups, self.reads, self.draws = show, groups, reads, draws
        self.n_first, self.page = n_first, tuple(page)
        self.__name__ = "".join(word.capitalize() for word in show.__name__.split("_"))
        self.__doc__, self.__module__ = show.__doc__, show.__module__

    @property
    def __signature__(self) -> inspect.Signature:
        """The arguments by name, for `?` and completion: those of `groups`, controls, notice."""
        only = inspect.Parameter.KEYWORD_ONLY
        shipped = self.states().shipped
        first = {name: v for name, v in shipped.items() if name.isidentifier()} | {"notice": None}
        named = [inspect.Parameter(name, only, default=value) for name, value in first.items()]
        return inspect.Signature([*self._options().values(), *named])

    def __call__(self, *args: Any, **settings: Any) -> OpenExplorer:
        """Open it as widgets.

        `notice` names settings that a lesson points at: {"a small γ": {"gamma": 5}, …}; each
        becomes a button. All other arguments are first values of controls, by name.
        """
        from frapp_lab.explorers.kit.open_explorer import OpenExplorer  # it loads widgets

        options = {name: settings.pop(name) for name in self._options() if name in settings}
        return OpenExplorer(self.states(*args, **options), **settings)

    def card(self, *args: Any, **settings: Any) -> Card:
        """Give what is shown at these settings, without any widget."""
        options = {name: settings.pop(name) for name in self._options() if name in settings}
        states = self.states(*args, **options)
        return states.card(states.values(settings))

    def states(self, *args: Any, **options: Any) -> States:
        """Give all its states; the arguments are those of `groups`."""
        groups = self.groups(*args, **options) if callable(self.groups) else self.groups
        return States(self, groups)

    def _options(self) -> Mapping[str, inspect.Parameter]:
        return inspect.signature(self.groups).parameters if callable(self.groups) else {}


_known: dict[tuple[str, str], Explorer] = {}


def explorer(
    groups: Groups | Callable[..., Groups],
    reads: Callable[..., Any] = dict,
    draws: Draws | None = None,
    n_first: int = 1,
    page: Sequence[Path] = (),
) -> Callable[[Callable[..., Card]], Explorer]:
    """Make an explorer of the function below: `def posterior(p) -> Card` becomes `Posterior`."""

    def wrap(show: Callable[..., Card]) -> Explorer:
        made = Explorer(show, groups, reads, draws, n_first, page)
        _known[made.__module__, made.__name__] = made  # one that is defined anew takes its place
        return made

    return wrap


def every() -> tuple[Explorer, ...]:
    """Give all explorers that `@explorer` has made so far, one's own among them."""
    return tuple(_known.values())
