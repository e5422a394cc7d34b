"""The data of models: the paper's, unless said otherwise."""

import frapp_lab as fl
from frapp_lab.explorers.models.data import Data, attributes


def test_data_are_the_papers_unless_said_otherwise():
    assert Data().load().schema == fl.load_census().schema
    assert Data("HEALTH").load().schema == fl.load_health().schema
    assert Data("HEALTH").load() is Data("HEALTH").load()
    assert Data.of("CENSUS", {"age": 4, "sex": 2}) == Data()
    cut = Data.of("CENSUS", {"age": 4, "hours-per-week": 3})
    assert cut == Data("CENSUS", (("hours-per-week", 3),))
    assert cut.load().schema.sizes == (4, 5, 3, 5, 2, 2)


def test_every_attribute_is_told_with_its_sizes():
    assert attributes("CENSUS")[:4] == (
        ("age", 4, 8), ("fnlwgt", 5, 8), ("hours-per-week", 5, 8), ("race", 5, 5),
    )  # fmt: skip
    schema = fl.load_health().schema
    assert attributes("HEALTH") == tuple((a.name, a.size, a.size) for a in schema.attributes)
