"""Answers that never end are stopped."""

import contextlib
import signal
import sys
import threading
import time

import pytest

from course.exercises.examples import MEAN, example, raising
from frapp_lab.course.exercises import judging
from frapp_lab.course.exercises.timeout import TimeUp, within


def endless(*_, **__):
    while True:
        pass


def stubborn(*_):
    while True:
        with contextlib.suppress(Exception):
            time.sleep(0.001)


def deaf(*_):
    while True:
        with contextlib.suppress(BaseException):
            pass


class Endless:
    __array__ = endless


def in_thread(function):
    """Its result in a thread beside the main one, where signals do not come."""
    results = []
    thread = threading.Thread(target=lambda: results.append(function()), daemon=True)
    thread.start()
    thread.join(20)
    assert results, "it was not stopped"
    return results[0]


@pytest.fixture
def impatient(monkeypatch):
    monkeypatch.setattr(judging, "PATIENCE", 0.2)


@pytest.mark.parametrize("answer", [endless, stubborn, deaf, lambda *_: time.sleep(60), Endless()])
def test_an_endless_answer_is_stopped(answer, impatient):
    began = time.monotonic()
    question = example(lambda a: a, inputs=((1,),)) if callable(answer) else example(1)
    right, message = question.judge(answer)
    assert not right
    assert message.startswith("It was stopped after 0.2 seconds")
    assert 0.2 <= time.monotonic() - began < 5


@pytest.mark.parametrize("answer", [endless, stubborn, Endless()])
def test_an_endless_answer_is_stopped_in_a_thread(answer, impatient):
    question = example(lambda a: a, inputs=((1,),)) if callable(answer) else example(1)
    assert in_thread(lambda: question.judge(answer))[1].startswith("It was stopped after 0.2")


def test_an_endless_answer_is_stopped_where_there_is_no_timer(impatient, monkeypatch):
    monkeypatch.delattr(signal, "setitimer", raising=False)
    tracer = sys.gettrace()
    assert "stopped after" in example(lambda a: a, inputs=((1,),)).judge(endless)[1]
    assert sys.gettrace() is tracer


@pytest.mark.skipif(not hasattr(signal, "setitimer"), reason="there are no timers here")
def test_a_timer_is_left_as_it_was():
    handler = raising(AssertionError)
    before = signal.signal(signal.SIGALRM, handler)
    try:
        signal.setitimer(signal.ITIMER_REAL, 100, 7)
        with pytest.raises(TimeUp):
            within(0.05, endless)
        left, interval = signal.getitimer(signal.ITIMER_REAL)
        assert 90 < left <= 100
        assert interval == pytest.approx(7)
        assert signal.getsignal(signal.SIGALRM) is handler
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)


def test_how_long_is_waited():
    assert 2 <= judging.PATIENCE <= 10
    assert judging.PATIENCE <= judging.ALL_PATIENCE <= 60


def test_a_slow_estimator_is_stopped(monkeypatch):
    monkeypatch.setattr(judging, "ALL_PATIENCE", 0.1)
    calls = []

    def slow(x):
        calls.append(time.sleep(0.02))
        return x.mean()

    right, message = MEAN.judge(slow)
    assert not right
    assert message == (
        f"Your estimator is too slow: it came to survey {len(calls)} of 500 in 0.1 seconds."
    )
    assert len(calls) < 10
