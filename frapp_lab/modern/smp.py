"""SMP: one attribute for each client, and independence for the rest."""

from __future__ import annotations

from frapp_lab.mechanisms.registry import scheme
from frapp_lab.mechanisms.style import Style
from frapp_lab.modern.marginals import ToldMechanism


@scheme("SMP", Style("#6B4226", "circle-open"), order=15, modern=True)
class OneAttribute(ToldMechanism):
    """SMP: a client tells of one attribute; longer itemsets are products.

    >>> from frapp_lab import Schema
    >>> m = OneAttribute(Schema.of_sizes(4, 5, 5, 5, 2, 2), 19)
    >>> len(m.told), round(m.condition_number(1), 2), m.condition_number(2)
    (6, 1.28, inf)
    """

    k = 1
    model = "attributes are independent"
