"""Explorers: sliders that change the mechanism, and numbers that follow at once."""

from frapp_lab.explorers.playground import Playground

__all__ = ["Playground"]
