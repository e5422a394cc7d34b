"""The exercises of lesson 06."""

EXERCISES = {}
