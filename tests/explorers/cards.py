"""How the tests of the cards read what an explorer shows."""


def traces(ex):
    """What is drawn, by name."""
    return {trace["meta"]: trace for trace in ex.card.state["data"]}


def texts(ex):
    """The words in the figure."""
    return [note["text"] for note in ex.card.state["layout"]["annotations"]]
