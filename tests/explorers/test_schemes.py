"""Schemes in explorers: whatever is registered appears, and says why it cannot be had."""


def test_an_explorer_shows_a_modern_scheme_when_it_is_asked_for():
    from frapp_lab import explorers

    ex = explorers.Mining(schemes=["DET-GD", "PAIR"])
    assert ex.error is None
    assert "PAIR" in ex.summary
    assert "PAIR" not in explorers.Mining().controls
    ex.close()
