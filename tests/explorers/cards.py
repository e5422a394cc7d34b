"""How the tests of the cards read what an explorer shows."""


def traces(ex):
    """What is drawn, by name."""
    return {trace["meta"]: trace for trace in ex.card.state["data"]}


def texts(ex):
    """The words in the figure."""
    return [note["text"] for note in ex.card.state["layout"]["annotations"]]


def assert_agrees(ex):
    """The card's figure and words are those of what the controls say now."""
    assert ex.error is None
    result, state = ex.compute(ex.parameters()), ex.card.state
    assert state["words"] == ex.summary == ex.describe(result)
    assert state["headline"] == ex.headline(result)
    assert "nan" not in ex.summary
    wanted = ex.series(result)
    assert set(traces(ex)) == set(wanted)
    for name, trace in traces(ex).items():
        for field, values in wanted[name].items():
            assert trace[field] == values, (name, field)
    assert state["at"].keys() == ex.held.keys()
