"""What the tests of surveys share: CENSUS in a few files, and its statistic by hand."""

import numpy as np

import frapp_lab as fl

CENSUS = fl.load_census()
SCHEMA = CENSUS.schema
SEED = 7
N_FILES = 20


def csv_files(folder, n_files=3, rows=400):
    for i in range(n_files):
        frame = CENSUS.to_frame()[i * rows : (i + 1) * rows]
        frame.to_csv(folder / f"part-{i}.csv", index=False)
    return folder


def by_hand(mechanism, parts, seed=SEED):
    """The statistic of all reports, in memory: part i has the luck of partition i."""
    reports = [mechanism.perturb(records, seed, i) for i, records in enumerate(parts)]
    return mechanism.statistic(np.concatenate(reports))
