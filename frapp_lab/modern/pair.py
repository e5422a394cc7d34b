"""PAIR: two attributes for each client, and the largest entropy for the rest."""

from __future__ import annotations

from frapp_lab.mechanisms.registry import scheme
from frapp_lab.mechanisms.style import Style
from frapp_lab.modern.marginals import ToldMechanism


@scheme("PAIR", Style("#CC3311", "square-open"), order=16, modern=True)
class OnePair(ToldMechanism):
    """PAIR: a client tells of one pair of attributes; longer itemsets are fitted to all pairs.

    >>> from frapp_lab import Schema
    >>> m = OnePair(Schema.of_sizes(4, 5, 5, 5, 2, 2), 19)
    >>> len(m.told), round(m.bits_per_report, 1)
    (15, 7.7)
    """

    k = 2
    model = "attributes depend on each other in pairs, and in no other way"
