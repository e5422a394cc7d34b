"""The exercises of lesson 03."""

EXERCISES = {}
