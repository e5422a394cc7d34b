"""HEALTH (FRAPP §7, Table 2): a synthetic stand-in, or the real file of the 1993 NHIS."""

from __future__ import annotations

import warnings
from collections.abc import Mapping
from pathlib import Path

import numpy as np

from frapp_lab.data import nhis
from frapp_lab.data.binning import check_bins, merge
from frapp_lab.data.dataset import Dataset
from frapp_lab.data.files import shipped_columns
from frapp_lab.data.schema import Schema


def load_health(path: str | Path | None = None, bins: Mapping[str, int] | None = None) -> Dataset:
    """Load HEALTH (FRAPP §7, Table 2): a synthetic stand-in, or the real NHIS 1993 person file.

    Parameters
    ----------
    path
        The real file, `PERSONSX.DAT`; its records with an unknown code are dropped, and a warning
        says how many. Without it the stand-in is loaded.
    bins
        Fewer categories by attribute: of AGE, BDDAY12, DV12 and HEALTH the highest are merged, of
        the others the rarest; an attribute of size 1 is left out.

    Returns
    -------
    Dataset
        Records of seven attributes, or of those that are left; `synthetic` says if made up.

    Examples
    --------
    >>> load_health()
    <Dataset HEALTH (stand-in), synthetic: 109,000 records, 7 attributes, 7,500 cells>
    >>> load_health(bins={"AGE": 3}).schema.attributes[0].categories
    ('0-19', '20-39', '40+')
    """
    schema, sizes = Schema(nhis.ATTRIBUTES), check_bins(bins)
    if path is None:
        table = shipped_columns("health_standin.csv.gz")
        counts = np.zeros(schema.sizes, dtype=np.int64)
        counts[tuple(a.codes(table[a.name]) for a in schema.attributes)] = table["count"]
        made_up = Dataset.from_counts(schema, counts, "HEALTH (stand-in)", synthetic=True)
        return merge(made_up, sizes)
    codes, unknown, dropped = nhis.read(Path(path))
    if dropped:
        which = ", ".join(f"{name}: {number:,}" for name, number in unknown.items())
        warnings.warn(
            f"{dropped:,} of {len(codes) + dropped:,} records have an unknown code and were "
            f"dropped ({which})",
            stacklevel=2,
        )
    return merge(Dataset(schema, codes, "HEALTH", dropped=dropped), sizes)
