"""Repeated trials with intervals, and theory beside them.

`python -m frapp_lab.experiments --help` runs trials without a notebook.
"""

from frapp_lab.experiments.trials import (
    GAMMA,
    MIN_SUPPORT,
    add_theory,
    console_progress,
    run_trials,
    summarise,
    theory_beside_simulation,
)  # fmt: skip

__all__ = [
    "GAMMA", "MIN_SUPPORT", "add_theory", "console_progress", "run_trials", "summarise",
    "theory_beside_simulation",
]  # fmt: skip
