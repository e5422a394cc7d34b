"""Files: their checksums, and what a CSV file holds."""

import hashlib

import numpy as np
import pandas as pd
from helpers import assert_refused

import frapp_lab as fl
from frapp_lab.data.files import DATA


def test_data_files_match_their_checksums():
    readme = (DATA / "README.md").read_text()
    for name in ("census.csv.gz", "health_standin.csv.gz"):
        assert hashlib.sha256((DATA / name).read_bytes()).hexdigest() in readme


def test_measurements_are_no_categories_in_a_csv_file_either(tmp_path):
    lengths = [f"{1 + i / 100:.2f}" for i in range(81) for _ in range(3)]
    frame = pd.DataFrame({"length": [float(text) for text in lengths]})
    frame.to_csv(tmp_path / "lengths.csv", index=False)
    codes = [*lengths, "V45", "V45"]  # some are no numbers, so these are names
    pd.DataFrame({"code": codes}).to_csv(tmp_path / "codes.csv", index=False)
    words = ["'length' has 81 different values", "fractions"]
    assert_refused(lambda: fl.Dataset.from_frame(frame), words)
    assert_refused(lambda: fl.Dataset.from_csv(tmp_path / "lengths.csv"), words)
    assert_refused(lambda: fl.Dataset.from_frame(frame.astype(np.float32)), words)
    assert fl.Dataset.from_csv(tmp_path / "codes.csv").schema.sizes == (82,)
