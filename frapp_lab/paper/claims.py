"""The paper's claims, and verdicts that come from what was measured."""

from __future__ import annotations

import csv
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import pandas as pd


@dataclass(frozen=True)
class Claim:
    """A statement of the paper in our words: where it stands, what it says, how it is tested.

    `condition` says in words what a weaker form of the statement asks for, if there is one.
    """

    id: str
    topic: str
    where: str
    statement: str
    test: str
    condition: str = ""


with open(Path(__file__).with_name("claims.csv"), encoding="utf-8", newline="") as _file:
    CLAIMS = tuple(Claim(**row) for row in csv.DictReader(_file))
"""The paper's claims, a line each in `claims.csv`; κ is a condition number."""

VERDICTS = ("holds", "holds with a condition", "does not hold", "not testable here")
HOLDS, CONDITIONAL, FAILS, UNTESTABLE = VERDICTS
NOT_YET = "not judged yet"


class Claims:
    """What was measured of each claim, and the verdict that follows from it.

    >>> claims = Claims()
    >>> claims.judge("gamma-19", "19", holds=True)
    'holds'
    >>> claims.judge("cp-length-3", "3 with K = 3, 6 with K = 6", holds=False, holds_if=True)
    'holds with a condition'
    >>> claims.table("mining").loc["cp-length-3", "verdict"]
    'holds with a condition: with K = 3'
    """

    def __init__(self, stated: Iterable[Claim] = CLAIMS) -> None:
        self.stated = {claim.id: claim for claim in stated}
        self.judged = dict.fromkeys(self.stated, ("", NOT_YET))

    def judge(
        self, id: str, measured: str, *, holds: bool, holds_if: bool | None = None,
        testable: bool = True,
    ) -> str:  # fmt: skip
        """The verdict on a claim as it is stated, and with its condition where it has one.

        A claim about records that are not at hand is not `testable`, whatever a stand-in shows.
        """
        if id not in self.stated:
            raise ValueError(f"{id!r} is no claim: there are {', '.join(self.stated)}")
        condition = self.stated[id].condition
        if (holds_if is None) == bool(condition):
            has = f"the condition {condition!r}" if condition else "no condition in words"
            raise ValueError(f"holds_if is {holds_if}, and the claim {id!r} has {has}")
        for name, value in (("holds", holds), ("holds_if", holds_if), ("testable", testable)):
            if not isinstance(value, bool | np.bool_) and (name != "holds_if" or value is not None):
                raise ValueError(f"{name} is {value!r}: {id!r} is judged by what is true or false")
        verdict = HOLDS if holds else CONDITIONAL if holds_if else FAILS
        self.judged[id] = measured, verdict if testable else UNTESTABLE
        return self.judged[id][1]

    def table(self, topic: str | None = None) -> pd.DataFrame:
        """The claims of a topic, or all, with what was measured; a condition stands in words."""
        rows = {}
        for claim in self.stated.values():
            if topic in (None, claim.topic):
                measured, verdict = self.judged[claim.id]
                verdict += f": {claim.condition}" if verdict == CONDITIONAL else ""
                rows[claim.id] = claim.where, claim.statement, claim.test, measured, verdict
        if not rows:
            topics = dict.fromkeys(claim.topic for claim in self.stated.values())
            raise ValueError(f"topic is {topic!r}: the topics are {', '.join(topics)}")
        columns = ["where", "claim", "tested by", "measured", "verdict"]
        return pd.DataFrame.from_dict(rows, "index", columns=columns).rename_axis("id")

    def score(self) -> pd.DataFrame:
        """How many claims of each topic have which verdict."""
        found = [(claim.topic, self.judged[claim.id][1]) for claim in self.stated.values()]
        topics, verdicts = map(dict.fromkeys, zip(*found, strict=True))
        columns = pd.Index([v for v in (*VERDICTS, NOT_YET) if v in verdicts], name="verdict")
        counts = [[found.count((topic, v)) for v in columns] for topic in topics]
        score = pd.DataFrame(counts, list(topics), columns)
        return pd.concat([score, score.sum().to_frame("all").T])


class Prose:
    """A table of texts, shown so that they wrap and begin at the left; plain text has a line each.

    >>> Prose(pd.DataFrame({"claim": ["MASK on CENSUS: p = 0.5610"], "verdict": ["holds"]}))
    0 | MASK on CENSUS: p = 0.5610 | holds
    """

    def __init__(self, frame: pd.DataFrame) -> None:
        self.frame = frame

    def __repr__(self) -> str:
        return "\n".join(" | ".join(map(str, row)) for row in self.frame.itertuples(name=None))

    def _repr_html_(self) -> str:
        # A dollar sign in a text is money and no formula: so say these classes to any MathJax.
        plain = "tex2jax_ignore mathjax_ignore"
        with pd.option_context("display.max_colwidth", None):
            html = self.frame.reset_index().to_html(index=False, border=0, classes=plain)
        html = html.replace(' style="text-align: right;"', "")
        for tag in ("td", "th"):
            html = html.replace(f"<{tag}>", f'<{tag} style="text-align:left;vertical-align:top">')
        return html
