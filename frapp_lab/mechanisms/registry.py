"""The registry of schemes: `@scheme("LABEL")` adds one, and `make_scheme` makes its mechanism."""

from __future__ import annotations

import inspect
from collections.abc import Callable
from typing import Any, TypeVar

from frapp_lab._base.checks import check_gamma, check_integer, shown
from frapp_lab.data.schema import Schema, check_schema
from frapp_lab.mechanisms.mechanism import Mechanism

_registered: dict[str, type[Mechanism]] = {}
M = TypeVar("M", bound="type[Mechanism]")


def scheme(
    label: str, order: int = 100, paper: bool = False, modern: bool = False
) -> Callable[[M], M]:
    """Register the class below under a label; it must have `for_gamma(schema, gamma, **options)`.

    A class that is defined anew, as when a notebook's cell runs again, takes the old one's place.

    Parameters
    ----------
    label
        The text by which the scheme is asked for.
    order
        Its place in lists.
    paper
        Whether FRAPP compares it (§7).
    modern
        Whether it came later, so that only those see it who ask.

    Returns
    -------
    callable
        A decorator of classes.

    Examples
    --------
    >>> from frapp_lab import GammaDiagonal, make_scheme
    >>> @scheme("SHY-GD")
    ... class Shy(GammaDiagonal):
    ...     '''A γ-diagonal matrix that uses half of what it is allowed.'''
    ...
    ...     @classmethod
    ...     def for_gamma(cls, schema, gamma):
    ...         return cls(schema, (1 + gamma) / 2)
    >>> make_scheme("SHY-GD", Schema.of_sizes(2, 3), 19)
    Shy(<2 attributes, 6 cells>, gamma=10)
    >>> forget("SHY-GD")
    """

    if not isinstance(label, str) or not label.strip():
        raise TypeError(
            f"label is {shown(label)}: it must be a text, as in @scheme('SHY-GD') above the class, "
            "because schemes are asked for by it"
        )
    check_integer("order", order, -(10**9), 10**9, "it is a place in a list")

    def register(cls: M) -> M:
        if not isinstance(cls, type) or not issubclass(cls, Mechanism):
            raise TypeError(
                f"{shown(cls)} is no class of mechanisms: a registered scheme inherits Mechanism, "
                "or a relative of it such as MatrixMechanism, because all is asked of it by that"
            )
        new = f"{cls.__module__}.{cls.__qualname__}"
        known = _registered.get(label, cls)
        old = f"{known.__module__}.{known.__qualname__}"
        if old != new:
            raise ValueError(
                f"label is {label!r}: {old} is registered under it, and a label means one scheme; "
                "choose another, or forget(label) first"
            )
        given = any("for_gamma" in vars(c) for c in cls.__mro__ if c is not Mechanism)
        if not given or not _takes_two(cls.for_gamma):
            raise ValueError(
                f"{cls.__qualname__} has no for_gamma(schema, gamma): a registered scheme needs "
                "it, as a classmethod, because schemes are compared at the same γ"
            )
        cls.label, cls.order, cls.paper, cls.modern = label, order, paper, modern
        _registered[label] = cls
        return cls

    return register


def _takes_two(function: Any) -> bool:
    try:
        inspect.signature(function).bind(None, None)
    except (TypeError, ValueError):
        return False
    return True


def forget(label: str) -> None:
    """Take a scheme out of the registry."""
    _registered.pop(scheme_class(label).label)


def schemes(paper: bool = False, modern: bool = False) -> tuple[str, ...]:
    """List the labels of the registered schemes, with those that came after the paper if asked for.

    Parameters
    ----------
    paper
        Whether to list only those that FRAPP compares (§7).
    modern
        Whether those that came after the paper are among them.

    Returns
    -------
    tuple of str
        The labels, in order.

    Examples
    --------
    >>> schemes(paper=True)
    ('DET-GD', 'RAN-GD', 'MASK', 'C&P')
    """
    ranked = sorted(_registered.items(), key=lambda item: item[1].order)
    return tuple(
        label for label, cls in ranked if (cls.paper or not paper) and (modern or not cls.modern)
    )


def scheme_class(label: str) -> type[Mechanism]:
    """Give the class that is registered under a label."""
    if not isinstance(label, str) or label not in _registered:
        known = ", ".join(schemes(modern=True))
        raise ValueError(f"scheme {label!r} is not known: choose from {known}")
    return _registered[label]


def options_of(label: str) -> tuple[str, ...]:
    """List the options that a registered scheme takes, such as RAN-GD's alpha_share."""
    return tuple(inspect.signature(scheme_class(label).for_gamma).parameters)[2:]


def make_scheme(
    scheme: str | Mechanism, schema: Schema, gamma: float = 19.0, **options: Any
) -> Mechanism:
    """Make a registered scheme by its label, at γ or less; give a mechanism back as it is.

    Parameters
    ----------
    scheme
        A label, or a mechanism made for this schema.
    schema
        The attributes of the records.
    gamma
        The amplification to attain, above 1.
    **options
        Options of schemes (`alpha_share` of RAN-GD, `K` of C&P); a scheme passes over others'.

    Returns
    -------
    Mechanism
        What perturbs and estimates.

    Raises
    ------
    ValueError
        If no scheme has this label or knows an option, or if this one cannot attain γ here.

    Examples
    --------
    >>> make_scheme("C&P", Schema.of_sizes(4, 5, 5, 5, 2, 2), 19).K
    3
    """
    check_schema(schema)
    if isinstance(scheme, Mechanism):
        if scheme.schema != schema:
            raise ValueError(
                f"{scheme.label} is made for the attributes {', '.join(scheme.schema.names)} with "
                f"sizes {scheme.schema.sizes}, and the data have {', '.join(schema.names)} with "
                f"sizes {schema.sizes}: make the mechanism with dataset.schema"
            )
        return scheme
    cls = scheme_class(scheme)
    own = options_of(scheme) if options else ()  # to read signatures takes some time
    known = {*own} if options.keys() <= {*own} else {o for s in _registered for o in options_of(s)}
    if not options.keys() <= known:
        raise ValueError(
            f"options {sorted(options.keys() - known)} are known to no scheme: the schemes know "
            f"{', '.join(sorted(known))}"
        )
    made = cls.for_gamma(schema, gamma, **{k: v for k, v in options.items() if k in own})
    if not isinstance(made, Mechanism):
        raise TypeError(
            f"{scheme}: {cls.__qualname__}.for_gamma gives {shown(made)}, and it must give a "
            "mechanism, because that is what perturbs and estimates"
        )
    if not made.amplification <= check_gamma(gamma) * (1 + 1e-9):  # one part in 10⁹ is rounding
        raise ValueError(
            f"{scheme}: gamma is {gamma:g}, and what {cls.__qualname__}.for_gamma gives attains "
            f"{made.amplification:g}: it must be γ or less, because a scheme that tells more is "
            "no rival of those that keep the promise"
        )
    return made


def in_short(error: ValueError) -> str:
    """Say why a registered scheme cannot be had, in the few words of the error's note, if any.

    >>> error = ValueError("gamma is 3: I hide nothing below 4")
    >>> in_short(error)
    'cannot be had here'
    >>> error.add_note("needs γ > 4")
    >>> in_short(error)
    'needs γ > 4'
    """
    return str(next(iter(getattr(error, "__notes__", ())), "cannot be had here"))
