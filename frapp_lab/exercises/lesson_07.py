"""The exercises of lesson 07."""

EXERCISES = {}
