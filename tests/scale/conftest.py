"""A large survey and a cluster, for all tests of this room."""

import pytest
from helpers import require

from frapp_lab import scale
from frapp_lab.scale import cluster as spread
from scale.small_surveys import CENSUS, N_FILES


@pytest.fixture(scope="package")
def survey(tmp_path_factory):
    """A million CENSUS-like records, as category names."""
    require("pyarrow")
    return scale.resample(CENSUS, tmp_path_factory.mktemp("survey"), 10**6, N_FILES)


@pytest.fixture(scope="package")
def client():
    require("distributed")
    with spread.cluster(workers=2) as client:
        yield client
