"""TRIPLE: three attributes for each client, and the largest entropy for the rest."""

from __future__ import annotations

from frapp_lab.mechanisms.registry import scheme
from frapp_lab.mechanisms.style import Style
from frapp_lab.modern.marginals import ToldMechanism


@scheme("TRIPLE", Style("#00708A", "triangle-up-open"), order=17, modern=True)
class OneTriple(ToldMechanism):
    """TRIPLE: a client tells of three attributes; longer itemsets are fitted to all triples.

    >>> from frapp_lab import Schema
    >>> m = OneTriple(Schema.of_sizes(4, 5, 5, 5, 2, 2), 19)
    >>> len(m.told), round(m.bits_per_report, 1)
    (20, 10.0)
    """

    k = 3
    model = "attributes depend on each other in threes, and in no other way"
