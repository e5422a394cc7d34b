"""Streams of random numbers: a seed and a name give the same stream everywhere.

Schemes that name the same stream (`Mechanism.luck`) share their draws: RAN-GD takes DET-GD's and
one more for r. numpy's generator is made for simulation; to protect real people a client must draw
from its operating system (`secrets`).
"""

from __future__ import annotations

import zlib
from collections.abc import Iterator, Mapping, Sequence
from numbers import Integral
from typing import Any

import numpy as np

from frapp_lab._base.checks import check_integer

Seed = int | Sequence[int] | np.random.Generator
"""A whole number, several of them, or a generator, of which one number is taken."""

BLOCK = 2**16
"""Largest number of records for which uniforms are drawn at a time."""

MOST_NUMBERS = 3 * 2**16
"""Largest number of uniforms drawn at a time (1.5 MB, near the processor)."""


def check_seed(rng: Seed) -> int | list[int]:
    """Turn a seed into numbers; of a generator, take the next number.

    >>> check_seed(7), check_seed((7, 2))
    (7, [7, 2])
    """
    if isinstance(rng, np.random.Generator):
        return int(rng.integers(2**63))
    numbers: list[Any] = list(rng) if isinstance(rng, list | tuple | np.ndarray) else [rng]
    if numbers and all(isinstance(n, Integral) and not isinstance(n, bool) for n in numbers):
        whole = [int(n) for n in numbers]
        if min(whole) >= 0:
            return whole[0] if isinstance(rng, Integral) else whole
    raise ValueError(
        f"rng is {rng!r}: it must be a whole number of 0 or more, several of them, or a numpy "
        "Generator, because that is what the same luck can be drawn from again"
    )


def generator(rng: Seed) -> np.random.Generator:
    """Give a generator itself, or the generator of a seed, to those who draw without a name."""
    return rng if isinstance(rng, np.random.Generator) else np.random.default_rng(check_seed(rng))


def stream(rng: Seed, name: str, partition: int = 0) -> np.random.Generator:
    """Give the stream of a seed, a name and a partition."""
    check_integer("partition", partition, 0, np.inf, "parts of a table are counted from 0")
    key = zlib.crc32(name.encode()), partition
    return np.random.default_rng(np.random.SeedSequence(check_seed(rng), spawn_key=key))


def blocks(
    rng: Seed, luck: Mapping[str, int], n_records: int, partition: int = 0
) -> Iterator[np.ndarray]:
    """Draw the uniforms of all records from the streams, block after block, a row for each record.

    `luck` says how many numbers a record takes from which stream; blocks go on where they were.
    A partition that is perturbed once more, in another order or elsewhere, has the same luck.

    >>> [block.shape for block in blocks(0, {"DET-GD": 2, "RAN-GD": 1}, 5)]
    [(5, 3)]
    """
    seed = check_seed(rng)
    streams = [(stream(seed, name, partition), many) for name, many in luck.items()]
    rows = max(1, min(BLOCK, MOST_NUMBERS // max(1, sum(luck.values()))))
    for start in range(0, n_records, rows):
        size = min(rows, n_records - start)
        drawn = [source.random((size, many)) for source, many in streams]
        yield drawn[0] if len(drawn) == 1 else np.hstack(drawn)
