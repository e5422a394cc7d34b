"""Exercises and answers to be judged."""

from frapp_lab.course.exercises import Estimator, Exercise


def example(solution, mistakes=None, **options):
    return Exercise(solution, mistakes or {}, "Good.", **options)


MEAN = Estimator(
    lambda rng: (rng.normal(3, 1, 100),),
    lambda x: x.mean(),
    3.0,
    0.1,
    {"This is the largest.": lambda x: x.max()},
    "Good.",
)


def raising(error):
    def function(*_):
        raise error

    return function
