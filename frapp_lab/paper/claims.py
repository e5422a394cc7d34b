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
    """State a claim of the paper in our words: where it stands, what it says, its test."""

    id: str
    topic: str
    where: str
    statement: str
    test: str


with open(Path(__file__).with_name("claims.csv"), encoding="utf-8", newline="") as _file:
    CLAIMS = tuple(Claim(**row) for row in csv.DictReader(_file))
"""The paper's claims, a line each in `claims.csv`; κ is a condition number."""

VERDICTS = ("holds", "holds with a condition", "does not hold", "not testable here")
HOLDS, CONDITIONAL, FAILS, UNTESTABLE = VERDICTS
NOT_YET = "not judged yet"


class Claims:
    """Collect what was measured of each claim, and the verdict that follows from it.

    >>> claims = Claims()
    >>> claims.judge("gamma-19", "19", holds=True)
    'holds'
    >>> measured = "3 with K = 3, 6 with K = 6"
    >>> claims.judge("cp-length-3", measured, holds=False, holds_if=("with K = 3", True))
    'holds with a condition: with K = 3'
    >>> claims.table("mining").loc["cp-length-3", "verdict"]
    'holds with a condition: with K = 3'
    """

    def __init__(self, stated: Iterable[Claim] = CLAIMS) -> None:
        self.stated = {claim.id: claim for claim in stated}
        self.judged = dict.fromkeys(self.stated, ("", NOT_YET))

    def judge(
        self,
        id: str,
        measured: str,
        *,
        holds: bool,
        holds_if: tuple[str, bool] | None = None,
        testable: bool = True,
    ) -> str:
        """Judge a claim as it is stated, and a weaker form of it, if there is one.

        `holds_if` is that form's condition: in words, and whether the claim is true with it. A
        claim about records that are not at hand is not `testable`, whatever a stand-in shows; nor
        is one about a reason, whatever goes together.
        """
        if id not in self.stated:
            raise ValueError(f"{id!r} is no claim: there are {', '.join(self.stated)}")
        words, weaker = ("", False) if holds_if is None else _condition(id, holds_if)
        for name, value in (("holds", holds), ("holds_if", weaker), ("testable", testable)):
            if not isinstance(value, bool | np.bool_):
                raise ValueError(f"{name} is {value!r}: {id!r} is judged by what is true or false")
        verdict = HOLDS if holds else f"{CONDITIONAL}: {words}" if weaker else FAILS
        self.judged[id] = measured, verdict if testable else UNTESTABLE
        return self.judged[id][1]

    def table(self, topic: str | None = None) -> pd.DataFrame:
        """Tabulate the claims of a topic, or all, with what was measured and the verdict."""
        rows = {}
        for claim in self.stated.values():
            if topic in (None, claim.topic):
                rows[claim.id] = claim.where, claim.statement, claim.test, *self.judged[claim.id]
        if not rows:
            topics = dict.fromkeys(claim.topic for claim in self.stated.values())
            raise ValueError(f"topic is {topic!r}: the topics are {', '.join(topics)}")
        columns = ["where", "claim", "tested by", "measured", "verdict"]
        return pd.DataFrame.from_dict(rows, "index", columns=columns).rename_axis("id")

    def score(self) -> pd.DataFrame:
        """Count the claims of each topic by verdict."""
        said = {id: verdict.partition(":")[0] for id, (_, verdict) in self.judged.items()}
        found = [(claim.topic, said[claim.id]) for claim in self.stated.values()]
        topics, verdicts = map(dict.fromkeys, zip(*found, strict=True))
        columns = pd.Index([v for v in (*VERDICTS, NOT_YET) if v in verdicts], name="verdict")
        counts = [[found.count((topic, v)) for v in columns] for topic in topics]
        score = pd.DataFrame(counts, list(topics), columns)
        return pd.concat([score, score.sum().to_frame("all").T])


def _condition(id: str, holds_if: tuple[str, bool]) -> tuple[str, bool]:
    if isinstance(holds_if, tuple) and len(holds_if) == 2:
        words, weaker = holds_if
        if isinstance(words, str) and words.strip():
            return words, weaker
    raise ValueError(
        f"holds_if is {holds_if!r}: it must be (words, true or false), because a condition of "
        f"{id!r} that is not said helps nobody"
    )


SHEET = (
    "What would show that a statement is false? Write down your test before you look. The verdicts "
    f"are: {', '.join(VERDICTS)}. Say every condition in words."
)
HEAD = "| claim | where | your test | your verdict |", "|---|---|---|---|"


def claims_sheet(stated: Iterable[Claim] = CLAIMS) -> str:
    """Write the claims as Markdown, with room for a reader's own tests and verdicts.

    >>> claims_sheet().splitlines()[8]
    '| (5 %, 50 %) privacy means γ = 19 | §7 | | |'
    """
    lines, topic = ["# Claims of the paper: a sheet to fill in", "", SHEET], ""
    for claim in stated:
        if claim.topic != topic:
            topic = claim.topic
            lines += ["", f"## {topic.capitalize()}", "", *HEAD]
        lines.append(f"| {claim.statement} | {claim.where} | | |")
    return "\n".join(lines) + "\n"


class Prose:
    """Show a table of texts so that they wrap and begin at the left; as plain text, a line each.

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
