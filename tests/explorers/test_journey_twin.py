"""Journey's model in the page is the same as Python's: settings by settings, number by number."""

import json
import shutil
from dataclasses import asdict

import numpy as np
import pytest

from explorers.test_page import node  # noqa: F401
from frapp_lab import explorers
from frapp_lab.explorers.kit.page_widgets import PAGE
from frapp_lab.explorers.models import journey as model

SINGULAR = "0.5 0.5 0.2\n0.3 0.3 0.2\n0.2 0.2 0.6"
TALL = "1/2 1/4\n1/4 1/4\n1/4 1/2"
OWN = [model.EXAMPLE, SINGULAR, TALL, "1 0\n0 1", "0.9 0.2 0.1\n0.1 0.5 0.2\n0 0.3 0.7"]
NUMBERS = ["matrix", "values", "reports", "truth", "counts", "shown", "estimate", "low", "high"]
NUMBERS += ["typical", "before", "after", "n", "sent", "undo", "lies", "chance", "left", "miss"]

SAY = """
import { readFileSync } from "node:fs";
import { compute, said } from "./page/journey_model.js";
const isPlain = (x) => typeof x !== "number" || Number.isFinite(x);
const plain = (_, value) => (isPlain(value) ? value : String(value));
const cases = JSON.parse(readFileSync("cases.json", "utf8"));
console.log(JSON.stringify(cases.map(([p, stage]) => {
  const it = compute(p, stage);
  return it && { ...it, ...said(it, stage) };
}), plain));
"""


def settings(n_cases):
    rng = np.random.default_rng(7)
    for _ in range(n_cases):
        yield {
            "gamma": float(rng.choice([1.01, 1.9, 2.5, 6, 19, 1000, rng.uniform(1.01, 40)])),
            "scheme": str(rng.choice(model.SCHEMES)),
            "values": int(rng.integers(2, 7)),
            "people": int(rng.choice([60, 200, 500])),
            "sent": int(rng.choice([0, 1, 2, 7, 60, 200, 500, rng.integers(0, 500)])),
            "undo": int(rng.integers(0, 4)) * int(rng.integers(0, 2)),
            "look": str(rng.choice(model.LOOKS)),
            "own": str(rng.choice(OWN)),
            "seed": int(rng.integers(0, 10**6)),
        }


@pytest.fixture
def twins(node, tmp_path):  # noqa: F811
    """What Python and the page make of the same settings."""
    cards = [(model.Parameters(**s), explorers.Journey.card(**s)) for s in settings(400)]
    cases = [[asdict(p), dict(card.stage)] for p, card in cards]
    (tmp_path / "cases.json").write_text(json.dumps(cases), encoding="utf-8")
    shutil.copytree(PAGE.parents[1] / "page", tmp_path / "page")
    (tmp_path / "say.js").write_text(SAY, encoding="utf-8")
    ran = node("say.js")
    assert ran.returncode == 0, ran.stderr
    return [(*both, page) for both, page in zip(cards, json.loads(ran.stdout), strict=True)]


def test_the_page_computes_what_python_does(twins):
    for p, card, page in twins:
        result = model.compute(p)
        if result.problem:
            assert page is None
            continue
        for name in NUMBERS:
            mine, its = getattr(result, name), page[name]
            if isinstance(its, str):  # JSON has no infinity
                its = float(its.replace("Infinity", "inf"))
            np.testing.assert_allclose(its, mine, rtol=1e-9, atol=1e-9, err_msg=f"{name} {p}")
        assert page["look"] == list(result.look)
        assert page["headline"] == card.headline, p
        assert page["words"] == card.words, p
        assert page["numbers"] == [vars(number) for number in card.numbers], p


def test_enough_was_compared(twins):
    met = {(p.scheme, page["look"][0]) for p, _, page in twins if page}
    assert len(met) == 16  # every scheme, with everything that can be looked at
    assert sum(page is None for *_, page in twins) < 60
