"""Attributes, records, cells and counts, the cube of itemsets, and the tables that are read."""
