"""The look of all figures: the palette, marks, schemes' styles, and static charts."""

from frapp_lab.figures.charts import StaticFigure, chart, match_tree

__all__ = ["StaticFigure", "chart", "match_tree"]
