"""The vocabulary of cards: how shares, counts and sentences are written, the same everywhere."""

from __future__ import annotations

from frapp_lab.figures.look import decades, in_words, plain, power

__all__ = ["count", "decades", "in_words", "percent", "plain", "power", "say", "short"]


def short(share: float) -> str:
    """Write a share in a card's words with three digits, or more where it would read as 100 %.

    >>> short(0.05), short(0.99961), short(12.5), short(9.86e-7)
    ('5 %', '99.961 %', '1,250 %', '9.9 × 10⁻⁵ %')
    """
    if 0.995 < share < 1:
        return f"{100 * share:.{5 if share > 0.9995 else 4}g} %"
    return f"{in_words(100 * share)} %"


def percent(share: float, digits: int = 1) -> str:
    """Write a share in a card's words with a digit after the point, or more near 0 and 100 %.

    >>> percent(0.268), percent(0.00042), percent(0.99995), percent(12.5)
    ('26.8 %', '0.042 %', '99.995 %', '1,250 %')
    """
    value = 100 * share
    if value >= 999.5:
        return f"{in_words(value)} %"
    if value < 0.001:
        return "less than 0.001 %"
    if value < 0.1:
        return f"{value:.2g} %"
    return f"{value:.{3 if 99.9 < value < 100 else digits}f} %"


def count(number: float, noun: str = "", nouns: str = "") -> str:
    """Write a count in a card's words with its noun: `nouns`, or with an s, if there are several.

    >>> count(12345, "itemset"), count(1, "itemset"), count(2, "child", "children")
    ('12,345 itemsets', '1 itemset', '2 children')
    """
    said = noun if number == 1 else nouns or noun + "s" * bool(noun)
    return f"{number:,.0f} {said}".rstrip()


def say(*sentences: str | bool) -> str:
    """Join the sentences of a card's words; one whose condition does not hold is left out.

    >>> say("γ is 2.", False and "It is large.", "It is small.")
    'γ is 2. It is small.'
    """
    return " ".join(text for text in sentences if isinstance(text, str) and text)
