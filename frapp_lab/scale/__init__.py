"""Repeated trials and their checkpoints, the cluster, and surveys larger than memory."""

from frapp_lab.scale.surveys import collect, find_schema, resample
from frapp_lab.scale.trials import add_theory, run_trials, summarise, theory_beside_simulation
