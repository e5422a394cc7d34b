"""Make `census.csv.gz` from UCI Adult: `python make_census.py adult.data adult.test`.

It keeps the six columns that FRAPP uses (§7, Table 1) of all records, train then test, unbinned, in
their order. Values stay as published; `?` marks a missing country. The checksums of the inputs and
of the output are in `data/README.md`.
"""

import gzip
import sys
from pathlib import Path

COLUMNS = {"age": 0, "fnlwgt": 2, "hours-per-week": 12, "race": 8, "sex": 9, "native-country": 13}


def rows(path: Path) -> list[str]:
    """The six columns of one file, as CSV lines; the comment line and the empty last line go."""
    opener = gzip.open if path.suffix == ".gz" else open
    with opener(path, "rt", encoding="ascii") as file:
        fields = [line.strip().split(", ") for line in file]
    return [",".join(f[i] for i in COLUMNS.values()) for f in fields if len(f) == 15]


if __name__ == "__main__":
    lines = [",".join(COLUMNS), *(row for path in sys.argv[1:] for row in rows(Path(path)))]
    text = "\n".join(lines) + "\n"
    # mtime=0: the same input gives the same bytes on any day.
    Path(__file__).with_name("census.csv.gz").write_bytes(gzip.compress(text.encode(), mtime=0))
    print(f"{len(lines) - 1:,} records")
