"""Association rules from true or reconstructed supports, and which of them noise changes."""

from __future__ import annotations

import itertools
from dataclasses import dataclass

from frapp_lab._base.checks import check_number
from frapp_lab._base.later import pd

COLUMNS = ["antecedents", "consequents", "support", "confidence", "lift"]


def association_rules(itemsets: pd.DataFrame, min_confidence: float = 0.6) -> pd.DataFrame:
    """Find all rules X ⇒ Y with sup(X ∪ Y)/sup(X) of at least `min_confidence` (FRAPP §6).

    Parameters
    ----------
    itemsets
        What `frequent_itemsets` gives, or `MiningRun.itemsets`.
    min_confidence
        The least confidence, above 0.

    Returns
    -------
    DataFrame
        A row for each rule, the most confident first.

    Raises
    ------
    ValueError
        If an itemset's subset is missing, whose support a rule needs.

    Examples
    --------
    >>> from frapp_lab import frequent_itemsets, load_census
    >>> rules = association_rules(frequent_itemsets(load_census(), 0.02), min_confidence=0.9)
    >>> rules.columns.tolist()
    ['antecedents', 'consequents', 'support', 'confidence', 'lift']
    """
    check_number("min_confidence", min_confidence, "(0, 1]", "it is a share of the records")
    _require("itemsets", itemsets, ["itemsets", "support"])
    support = dict(zip(itemsets["itemsets"], itemsets["support"], strict=True))
    for itemset, share in support.items():
        if not share > 0:
            raise ValueError(
                f"the support of {set(itemset)} is {share}: all must be above 0, because a "
                "confidence is a ratio of two of them"
            )
    rows = []
    for itemset, together in support.items():
        for size in range(1, len(itemset)):
            for chosen in itertools.combinations(sorted(itemset), size):
                left = frozenset(chosen)
                right = itemset - left
                try:
                    confidence = together / support[left]
                    lift = confidence / support[right]
                except KeyError as missing:
                    raise ValueError(
                        f"itemsets holds {set(itemset)} but not its subset {set(missing.args[0])}, "
                        "whose support a rule needs: give all frequent itemsets, mined with "
                        "prune=True, and neither filtered nor cut"
                    ) from None
                if confidence >= min_confidence:
                    rows.append((left, right, together, confidence, lift))
    frame = pd.DataFrame(rows, columns=COLUMNS)
    order = ["confidence", "support"]
    return frame.sort_values(order, ascending=False, kind="stable", ignore_index=True)


@dataclass(frozen=True, eq=False)
class RuleErrors:
    """Hold rules lost, invented and kept; the kept ones with the true and the found confidence."""

    lost: pd.DataFrame
    invented: pd.DataFrame
    kept: pd.DataFrame

    @property
    def false_negatives(self) -> float:
        """Give the rules lost, in percent of the true ones; missing if there are none."""
        return self._percent(self.lost)

    @property
    def false_positives(self) -> float:
        """Give the rules invented, in percent of the true ones; missing if there are none."""
        return self._percent(self.invented)

    def _percent(self, rules: pd.DataFrame) -> float:
        true = len(self.lost) + len(self.kept)
        return 100 * len(rules) / true if true else float("nan")


def rule_errors(true: pd.DataFrame, found: pd.DataFrame) -> RuleErrors:
    """Compare the rules of perturbed data with the rules of the clean data.

    Parameters
    ----------
    true
        The rules of the clean data, as `association_rules` gives them.
    found
        The rules of the perturbed data.

    Returns
    -------
    RuleErrors
        The rules lost, invented and kept.

    Examples
    --------
    >>> from frapp_lab import frequent_itemsets, load_census
    >>> rules = association_rules(frequent_itemsets(load_census(), 0.02))
    >>> errors = rule_errors(rules, rules.iloc[1:])
    >>> len(errors.lost), len(errors.invented)
    (1, 0)
    """
    key = ["antecedents", "consequents"]
    _require("true", true, COLUMNS)
    _require("found", found, COLUMNS)
    both = true.merge(found, on=key, how="outer", suffixes=("", "_found"), indicator=True)
    lost = both[both["_merge"] == "left_only"][COLUMNS]
    invented = both[both["_merge"] == "right_only"][key + [f"{c}_found" for c in COLUMNS[2:]]]
    kept = both[both["_merge"] == "both"].drop(columns="_merge")
    return RuleErrors(
        lost.reset_index(drop=True),
        invented.set_axis(COLUMNS, axis=1).reset_index(drop=True),
        kept.reset_index(drop=True),
    )


def _require(name: str, frame: pd.DataFrame, columns: list[str]) -> None:
    missing = set(columns) - set(frame.columns if isinstance(frame, pd.DataFrame) else [])
    if missing:
        raise ValueError(
            f"{name} must be a DataFrame with the columns {', '.join(columns)}, because these are "
            f"what is compared; it has no {', '.join(sorted(missing))}"
        )
