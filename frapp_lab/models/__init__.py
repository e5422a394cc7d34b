"""What explorers show, as numbers: in each module `Parameters`, `Result` and `compute`.

A model is a pure function from a frozen setting to a frozen result. Its defaults are the setting
that its explorer opens with. No model needs a widget or a figure.
"""
