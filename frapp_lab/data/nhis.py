"""The person file of the 1993 US National Health Interview Survey, as FRAPP uses it (Table 2)."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

import numpy as np

from frapp_lab.data.attribute import Attribute
from frapp_lab.data.files import check_plain

RECORD_LENGTH = 335

_DAYS = ("0-6", "7-14", "15-29", "30-59", "60+")
_DAY_EDGES = (7, 15, 30, 60)


@dataclass(frozen=True)
class Field:
    """Place an attribute in a line (from 1, inclusive): a number cut at `edges`, or codes."""

    first: int
    last: int
    attribute: Attribute
    highest: int
    unknown: int | None = None
    edges: tuple[int, ...] = ()

    @property
    def lowest(self) -> int:
        """Give the lowest valid value of an NHIS field: numbers start at 0, codes at 1."""
        return 0 if self.edges else 1

    def categories(self, values: np.ndarray) -> np.ndarray:
        """Give the category of each (known) value of an NHIS field."""
        return np.searchsorted(self.edges, values, side="right") if self.edges else values - 1


FIELDS = (
    Field(27, 28, Attribute("AGE", ("0-19", "20-39", "40-59", "60-79", "80+")), 99,
          edges=(20, 40, 60, 80)),
    Field(108, 110, Attribute("BDDAY12", _DAYS), 366, unknown=366, edges=_DAY_EDGES),
    Field(112, 114, Attribute("DV12", _DAYS), 998, unknown=998, edges=_DAY_EDGES),
    Field(24, 24, Attribute("PHONE", ("number given", "no number given", "none")), 4, unknown=4),
    Field(25, 25, Attribute("SEX", ("male", "female")), 2),
    Field(57, 57, Attribute("INCFAM20", ("under $20,000", "$20,000 or more")), 3, unknown=3),
    Field(70, 70, Attribute("HEALTH", ("excellent", "very good", "good", "fair", "poor")), 6,
          unknown=6),
)  # fmt: skip
"""Fields of the seven attributes of Table 2, in its order."""

ATTRIBUTES = tuple(f.attribute for f in FIELDS)
"""Attributes of HEALTH, real or synthetic."""

NUMERIC = tuple(f.attribute.name for f in FIELDS if f.edges)
"""Names of the attributes whose categories are ranges of numbers."""

ORDERED = (*NUMERIC, "HEALTH")
"""Names of the attributes of more than two categories that have an order."""


def read(path: Path) -> tuple[np.ndarray, dict[str, int], int]:
    """Read the NHIS records with all codes known (N×7), and count what is unknown and dropped."""
    lines = check_plain(path).read_bytes().splitlines()
    if not lines:
        raise ValueError(f"{path} is empty: expected the NHIS 1993 person file, PERSONSX.DAT")
    for number, line in enumerate(lines, 1):
        if len(line) != RECORD_LENGTH:
            why = "this is not the NHIS 1993 person file, PERSONSX.DAT"
            if number == len(lines) > 1:
                why = "the file seems to be truncated, fetch it again"
            raise ValueError(
                f"{path}, line {number}: {len(line)} characters instead of {RECORD_LENGTH}; {why}"
            )
    text = np.frombuffer(b"".join(lines), dtype=np.uint8).reshape(-1, RECORD_LENGTH)
    for begin, end, what, wanted in ((1, 2, "record type", 20), (3, 4, "survey year", 93)):
        bad = np.flatnonzero(_integers(path, text, begin, end, what) != wanted)
        if len(bad):
            raise ValueError(
                f"{path}, line {bad[0] + 1}: {what} (columns {begin}-{end}) is not {wanted}; "
                "this is not the NHIS 1993 person file, PERSONSX.DAT"
            )
    values = [_values(path, text, f) for f in FIELDS]
    unknown = [v == f.unknown for v, f in zip(values, FIELDS, strict=True)]
    known = ~np.any(unknown, axis=0)
    if not known.any():
        raise ValueError(f"{path}: every record has an unknown code, so that none is left")
    codes = [f.categories(v[known]) for v, f in zip(values, FIELDS, strict=True)]
    names = (f.attribute.name for f in FIELDS)
    by_attribute = {name: int(u.sum()) for name, u in zip(names, unknown, strict=True) if u.any()}
    return np.stack(codes, axis=1), by_attribute, int((~known).sum())


def _values(path: Path, text: np.ndarray, field: Field) -> np.ndarray:
    name = field.attribute.name
    values = _integers(path, text, field.first, field.last, name)
    bad = np.flatnonzero((values < field.lowest) | (values > field.highest))
    if len(bad):
        raise ValueError(
            f"{path}, line {bad[0] + 1}: {name} (columns {field.first}-{field.last}) has the code "
            f"{values[bad[0]]}, outside {field.lowest} to {field.highest}"
        )
    return values


def _integers(path: Path, text: np.ndarray, first: int, last: int, what: str) -> np.ndarray:
    digits = text[:, first - 1 : last].astype(np.int64) - ord("0")
    bad = np.flatnonzero(((digits < 0) | (digits > 9)).any(axis=1))
    if len(bad):
        found = text[bad[0], first - 1 : last].tobytes().decode("latin-1")
        raise ValueError(
            f"{path}, line {bad[0] + 1}: {what} (columns {first}-{last}) holds {found!r}, which is "
            "no number; this is not the NHIS 1993 person file, PERSONSX.DAT"
        )
    return digits @ 10 ** np.arange(digits.shape[1])[::-1]
