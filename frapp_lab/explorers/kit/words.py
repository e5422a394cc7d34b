"""The vocabulary of cards: how shares, counts and sentences are written, the same everywhere."""

from __future__ import annotations

from frapp_lab.figures.look import in_words, plain

__all__ = ["count", "in_words", "percent", "plain", "say", "short"]


def short(share: float) -> str:
    """Write a share in a card's words with three digits, or more where it would read as 100 %.

    >>> short(0.05), short(0.99961)
    ('5 %', '99.961 %')
    """
    return f"{100 * share:.{5 if share > 0.9995 else 4 if share > 0.995 else 3}g} %"


def percent(share: float, digits: int = 1) -> str:
    """Write a share in a card's words with a digit after the point, or more near 0 and 100 %.

    >>> percent(0.268), percent(0.00042), percent(0.99995)
    ('26.8 %', '0.042 %', '99.995 %')
    """
    value = 100 * share
    if value < 0.001:
        return "less than 0.001 %"
    if value < 0.1:
        return f"{value:.2g} %"
    return f"{value:.{3 if value > 99.9 else digits}f} %"


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
