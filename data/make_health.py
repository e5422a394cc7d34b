"""Make a SYNTHETIC stand-in for the HEALTH data of FRAPP (Agrawal & Haritsa, 2005).

The paper used the person file of the 1993 US National Health Interview Survey. This script
does not use that file. It makes an invented table of 109,000 records over the same seven
attributes and writes it to health_standin.csv.gz, next to this script.

The data are synthetic. They are no evidence about anyone's health, and no evidence for the
HEALTH figures in the paper. They only give mining code an input of the right shape.

How the table is made:

1. A log-linear model gives each of the 7,500 cells a weight. It has one term for each pair of
   attributes in EFFECTS, so that, for example, worse health goes with more bed days.
2. Raking (iterative proportional fitting) scales the weights to the shares in ATTRIBUTES.
3. Systematic rounding turns the weights into whole counts that add up to exactly N.

The shares and effects are guesses of a believable size, not estimates from data. They were then
varied in small steps, by a random search done once beforehand, until the number of frequent
itemsets of length 1 to 7 at minimum support 2 % was equal to TARGET. So the agreement with these
seven numbers is built in and shows nothing. There is no randomness in this script.
"""

import gzip
from pathlib import Path

import numpy as np

N = 109_000
MIN_COUNT = 2_180  # 2 % of N
TARGET = (23, 123, 292, 361, 250, 86, 12)  # frequent itemsets of length 1, 2, ..., 7
PATH = Path(__file__).resolve().parent / "health_standin.csv.gz"

# Category labels and their shares in tenths of a percent. The order sets the array axes.
DAYS = ("0-6", "7-14", "15-29", "30-59", "60+")
ATTRIBUTES = {
    "AGE": (("0-19", "20-39", "40-59", "60-79", "80+"), (287, 304, 250, 135, 24)),
    "BDDAY12": (DAYS, (873, 67, 29, 18, 13)),  # bed days in the past 12 months
    "DV12": (DAYS, (832, 93, 45, 15, 15)),  # doctor visits in the past 12 months
    "PHONE": (("number given", "no number given", "none"), (902, 41, 57)),
    "SEX": (("male", "female"), (480, 520)),
    "INCFAM20": (("under $20,000", "$20,000 or more"), (301, 699)),  # family income
    "HEALTH": (("excellent", "very good", "good", "fair", "poor"), (379, 284, 228, 84, 25)),
}
NAMES = tuple(ATTRIBUTES)
LABELS = tuple(labels for labels, _ in ATTRIBUTES.values())
SHAPE = tuple(len(labels) for labels in LABELS)

# A score gives each category of one attribute a number. An effect joins two scores: its
# strength times the product of the two scores is added to the log weight of a cell.
SCORES = {
    "age": ("AGE", (0, 1, 2, 3, 3.4)),
    "old age": ("AGE", (0, 0, 0, 1, 2)),
    "young adult": ("AGE", (0, 1, 0, 0, 0)),
    "low-income age": ("AGE", (1, 1, 0, 2, 3)),  # the middle-aged earn most
    "bed days": ("BDDAY12", (0, 1, 2, 3, 4)),
    "some bed days": ("BDDAY12", (0, 1, 1, 1, 1)),
    "visits": ("DV12", (0, 1, 2, 3, 4)),
    "some visits": ("DV12", (0, 1, 1, 1, 1)),
    "lack of phone": ("PHONE", (0, 0.5, 2)),
    "female": ("SEX", (0, 1)),
    "low income": ("INCFAM20", (1, 0)),
    "bad health": ("HEALTH", (0, 1, 2, 3, 4)),
}
EFFECTS = (
    ("age", "bad health", 0.41),
    ("low-income age", "low income", 0.44),
    ("low income", "bad health", 0.33),
    ("low income", "lack of phone", 0.81),
    ("bed days", "bad health", 0.27),
    ("visits", "bad health", 0.25),
    ("bed days", "visits", 0.39),
    ("female", "some visits", 0.40),
    ("female", "some bed days", 0.26),
    ("old age", "female", 0.21),
    ("female", "low income", 0.03),
    # The old have more visits and bed days because of worse health. These two small terms
    # keep the trend with age from getting too steep.
    ("age", "visits", -0.02),
    ("age", "bed days", -0.06),
    ("young adult", "lack of phone", 0.29),
)


def along(axis, values):
    """Return values as an array that lies along one of the seven axes."""
    shape = [1] * len(SHAPE)
    shape[axis] = -1
    return np.array(values, dtype=float).reshape(shape)


def marginal(table, *names):
    """Sum a table over all attributes but the named ones."""
    keep = [NAMES.index(name) for name in names]
    return table.sum(axis=tuple(a for a in range(len(NAMES)) if a not in keep))


def expected_counts():
    """Return the expected count of each cell: log-linear weights, raked to the shares."""
    scores = {key: along(NAMES.index(name), values) for key, (name, values) in SCORES.items()}
    log_weight = np.zeros(SHAPE)
    for first, second, strength in EFFECTS:
        log_weight = log_weight + strength * scores[first] * scores[second]
    table = np.exp(log_weight)
    for _ in range(60):  # far more rounds than needed to reach floating-point accuracy
        for axis, name in enumerate(NAMES):
            wanted = np.array(ATTRIBUTES[name][1]) / 1000
            table = table * along(axis, wanted / marginal(table, name))
    return table * (N / table.sum())


def round_counts(table):
    """Round to whole counts with sum N, by rounding the running total of the cells.

    Unlike rounding each cell by itself, this does not wipe out the many cells whose expected
    count is below one half: it gives one record to every few of them.
    """
    total = np.cumsum(table.ravel())[:-1]
    # Floating-point results may differ in the last digits between computers. That is harmless
    # as long as no running total is so close to a half that it could be rounded either way.
    if np.abs(total - np.floor(total) - 0.5).min() < 1e-6:
        raise ValueError("a running total is too close to one half for a safe rounding")
    ends = np.floor(total + 0.5).astype(np.int64)
    return np.diff(ends, prepend=0, append=N).reshape(SHAPE)


def itemset_counts(table):
    """Return the counts of all itemsets, and their lengths, as two flat arrays."""
    length = np.zeros(SHAPE, dtype=np.int64) + len(SHAPE)
    # Each axis gets one more slot, which means "any value": the attribute is not in the set.
    for axis in range(len(SHAPE)):
        table = np.concatenate([table, table.sum(axis=axis, keepdims=True)], axis=axis)
        any_value = length.take([0], axis=axis) - 1
        length = np.concatenate([length, any_value], axis=axis)
    return table.ravel(), length.ravel()


def frequent_by_length(table):
    """Return the number of frequent itemsets of length 1, 2, ..., 7."""
    counts, length = itemset_counts(table)
    found = np.bincount(length[counts >= MIN_COUNT], minlength=len(SHAPE) + 1)
    return tuple(int(n) for n in found[1:])


def make():
    """Return the table of counts: an integer array of shape (5, 5, 5, 3, 2, 2, 5)."""
    table = round_counts(expected_counts())
    if table.sum() != N or table.min() < 0 or frequent_by_length(table) != TARGET:
        raise ValueError("the table does not have the wanted size and frequent itemsets")
    return table


def write(path=PATH, table=None):
    """Write one CSV row for each nonzero cell, in C order, compressed with gzip.

    No label has a comma except those of INCFAM20, which are put in quotes.
    """
    if table is None:
        table = make()
    lines = [",".join(NAMES) + ",count"]
    for cell in np.argwhere(table):
        labels = [names[i] for names, i in zip(LABELS, cell, strict=True)]
        fields = [f'"{label}"' if "," in label else label for label in labels]
        lines.append(",".join(fields) + f",{table[tuple(cell)]}")
    text = "\n".join(lines) + "\n"
    # No file name and mtime=0: the header then has nothing that changes from run to run. The
    # compressed bytes can still depend on the zlib version, but the text inside cannot.
    with open(path, "wb") as raw, gzip.GzipFile("", "wb", 9, raw, mtime=0) as packed:
        packed.write(text.encode("ascii"))


def main():
    """Write the file and print what is in it."""
    table = make()
    write(PATH, table)
    print(f"N = {table.sum()}, nonzero cells: {np.count_nonzero(table)}")
    print("frequent itemsets by length:", *frequent_by_length(table))
    nearest = np.abs(itemset_counts(table)[0] - MIN_COUNT).min()
    print("smallest distance of an itemset count from the threshold:", nearest)
    for name, labels in zip(NAMES, LABELS, strict=True):
        shares = 100 * marginal(table, name) / N
        row = (f"{label} {share:.1f} %" for label, share in zip(labels, shares, strict=True))
        print(f"{name:9}", "; ".join(row))


if __name__ == "__main__":
    main()
