"""What a card shows is one plain dictionary, its state; here is what states have to do with it."""

from __future__ import annotations

import zlib
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

State = dict[str, Any]


@dataclass(frozen=True)
class Number:
    """One of the three bold numbers: `269`, `of 563`, `itemsets found`."""

    value: str
    label: str
    rest: str = ""


def key_of(values: Mapping[str, Any], without: str = "") -> str:
    """A short name of settings, or of all but one of them.

    >>> key_of({"gamma": 19, "n": 10}, without="n") == key_of({"gamma": 19})
    True
    """
    rest = {name: value for name, value in values.items() if name != without}
    return f"{zlib.crc32(repr(rest).encode()):08x}"


def ghost(old: State | None, state: State) -> State | None:
    """What stays of the state before a move."""
    if old is None or old["id"].rstrip("+") == state["id"].rstrip("+"):
        return None
    moved = [name for name, value in state["at"].items() if old["at"][name] != value]
    said = old["said"].get(moved[0], "") if len(moved) == 1 else ""
    traces = [old["data"][i] for i in old["ghosts"]]
    return {
        "id": old["id"], "numbers": old["numbers"], "words": said,
        "data": [t for t in traces if _axes(t, old) == _axes(t, state)],
        # The page may go on by itself, to a frame of the film that has other axes.
        "layout": {k: v for k, v in old["layout"].items() if k.startswith(("xaxis", "yaxis"))},
    }  # fmt: skip


def thin(state: State, base: State) -> State:
    """A state without what it shares with another one: traces and parts of the layout."""
    old = {trace["meta"]: trace for trace in base["data"]}
    data = []
    for trace in state["data"]:
        same = old.get(trace["meta"], {})
        whole = not set(same) <= set(trace)  # what is gone cannot be told by what is new
        new = {k: v for k, v in trace.items() if whole or same.get(k, same) != v}
        data.append(new | {"meta": trace["meta"], "whole": whole})
    layout = {k: v for k, v in state["layout"].items() if base["layout"].get(k) != v}
    return state | {"data": data, "layout": layout}


def _axes(trace: State, state: State) -> list[State]:
    """The axes that a trace stands on: on others its ghost would say something else."""
    names = trace.get("xaxis", "x"), trace.get("yaxis", "y")
    return [state["layout"].get(f"{name[0]}axis{name[1:]}") for name in names]
