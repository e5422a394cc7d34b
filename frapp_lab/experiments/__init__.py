"""Repeated trials with intervals, and the paper's tables and figures (FRAPP §7).

`python -m frapp_lab.experiments --help` runs trials without a notebook.
"""

from frapp_lab.experiments.paper import (
    PRIOR,
    figure_1,
    figure_2,
    figure_3,
    figure_4,
    table_1,
    table_2,
    table_3,
)
from frapp_lab.experiments.trials import (
    GAMMA,
    MIN_SUPPORT,
    console_progress,
    run_trials,
    summarise,
    theory_beside_simulation,
)

__all__ = [
    "GAMMA",
    "MIN_SUPPORT",
    "PRIOR",
    "console_progress",
    "figure_1",
    "figure_2",
    "figure_3",
    "figure_4",
    "run_trials",
    "summarise",
    "table_1",
    "table_2",
    "table_3",
    "theory_beside_simulation",
]
