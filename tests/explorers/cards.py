"""How the tests of the cards read what an explorer shows."""

from frapp_lab.explorers.kit.card import picture


def traces(ex):
    """What is drawn, by name."""
    return {trace["meta"]: trace for trace in ex.card.state["data"]}


def texts(ex):
    """The words in the figure."""
    return [note["text"] for note in ex.card.state["layout"]["annotations"]]


def assert_agrees(ex):
    """The card's figure and words are those of what the controls say now."""
    assert ex.error is None
    card, state = ex.states.card(ex._values()), ex.card.state
    assert state["words"] == ex.summary == card.words
    assert state["headline"] == card.headline
    assert "nan" not in ex.summary
    assert state["data"] == picture(card)[0]
    assert state["at"].keys() == ex.held.keys()
