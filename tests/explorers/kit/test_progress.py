"""The progress bar."""

from frapp_lab import scale as experiments
from frapp_lab.explorers.kit.progress import Progress


def test_a_progress_bar_follows_the_trials_and_reads_the_same_always(census):
    bar = Progress("CENSUS")
    before = bar._repr_mimebundle_()
    experiments.run_trials(census, ["DET-GD"], trials=7, progress=bar)
    assert (bar.bar.value, bar.bar.max) == (7, 7)
    after = bar._repr_mimebundle_()
    assert after["text/plain"] == before["text/plain"] == "Progress bar of the trials: CENSUS"
    assert "application/vnd.jupyter.widget-view+json" in after


def test_a_progress_bar_sends_a_hundred_messages_at_most():
    bar, seen = Progress(), []
    bar.bar.observe(lambda change: seen.append(change["new"]), "value")
    for done in range(1, 2001):
        bar(done, 2000)
    assert len(seen) == 100
    assert seen[-1] == 2000
