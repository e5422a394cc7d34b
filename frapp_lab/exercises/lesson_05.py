"""The exercises of lesson 05."""

EXERCISES = {}
