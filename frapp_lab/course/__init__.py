"""The course: lessons, exercises, exams, grading and the commands.

`check` and `predict` are what a lesson's cells call.
"""

from frapp_lab.course.exercises import check, predict

__all__ = ["check", "predict"]
