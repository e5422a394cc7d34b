"""The exercises of lesson 02."""

EXERCISES = {}
