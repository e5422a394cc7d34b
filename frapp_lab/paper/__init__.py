"""What belongs to the paper alone: its tables, its figures and its claims (FRAPP §7)."""

from frapp_lab.paper.claims import CLAIMS, VERDICTS, Claim, Claims, Prose, claims_sheet
from frapp_lab.paper.plots import alpha_figure, condition_figure, error_figure
from frapp_lab.paper.tables import (
    PRIOR,
    figure_1,
    figure_2,
    figure_3,
    figure_4,
    health_at_hand,
    label,
    table_1,
    table_2,
    table_3,
)
