"""Grading: each handed-in notebook is executed anew, and only witnessed calls of `check` count.

`submissions` reads what was handed in, `kernel` executes it, `witness` runs inside that kernel and
reports every call of `check`, and `points` makes the tables.
"""
