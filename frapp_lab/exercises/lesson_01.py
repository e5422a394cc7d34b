"""The exercises of lesson 01."""

EXERCISES = {}
