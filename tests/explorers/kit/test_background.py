"""Work for when the kernel has nothing else to do: order, silence, timers, what is forgotten."""

import asyncio

import pytest

from frapp_lab.explorers.kit.background import Background


def steps(done, name, number):
    for i in range(number):
        done.append(f"{name}{i}")
        yield


def run(act):
    """Run an act on a loop, with a background of two jobs and a list of what is done."""

    async def main():
        done = []
        background = Background("first", "second")
        await act(background, done)
        return done

    return asyncio.run(main())


async def quiet(background):
    for _ in range(500):
        if background.is_quiet:
            return
        await asyncio.sleep(0.002)
    raise AssertionError("it never came to rest")


def test_the_job_that_was_named_first_goes_first_slice_by_slice():
    async def act(background, done):
        background.begin("second", steps(done, "b", 2))
        background.begin("first", steps(done, "a", 2))
        assert done == []  # nothing is done at once
        assert not background.is_quiet
        await quiet(background)

    assert run(act) == ["a0", "a1", "b0", "b1"]


def test_a_new_job_takes_the_place_of_an_older_one_of_its_name_and_a_stopped_one_ends():
    async def act(background, done):
        background.begin("first", steps(done, "old", 10_000))
        await asyncio.sleep(0.02)
        background.begin("first", steps(done, "new", 2))
        await quiet(background)
        assert done[-2:] == ["new0", "new1"]
        assert 0 < len(done) < 1000
        background.begin("second", steps(done, "never ending", 10_000))
        background.stop("second")
        assert background.is_quiet

    run(act)


def test_it_is_not_quiet_from_the_moment_that_a_timer_is_asked_for():
    async def act(background, done):
        background.later("rest", 0.01, lambda: done.append("rang"))
        assert not background.is_quiet
        await quiet(background)

    assert run(act) == ["rang"]


def test_a_later_call_takes_the_place_of_an_earlier_one():
    async def act(background, done):
        background.later("rest", 0.01, lambda: done.append("early"))
        await asyncio.sleep(0)
        background.later("rest", 0.03, lambda: done.append("late"))
        await quiet(background)

    assert run(act) == ["late"]


def test_what_is_closed_does_nothing_any_more():
    async def act(background, done):
        background.begin("first", steps(done, "a", 10_000))
        background.later("rest", 0.01, lambda: done.append("rang"))
        await asyncio.sleep(0)
        background.later("other", 0.0, lambda: done.append("rang too"))
        background.close()
        assert background.is_quiet
        await asyncio.sleep(0.05)
        assert "rang" not in done
        assert "rang too" not in done
        assert len(done) <= 1

    run(act)


def test_a_job_that_fails_ends_and_the_next_one_runs():
    def fails():
        yield
        raise KeyError("a fault")

    async def act(background, done):
        faults = []
        asyncio.get_running_loop().set_exception_handler(lambda _, said: faults.append(said))
        background.begin("first", fails())
        await quiet(background)
        assert isinstance(faults[0]["exception"], KeyError)
        background.begin("second", steps(done, "b", 1))
        await quiet(background)

    assert run(act) == ["b0"]


def test_without_a_loop_nothing_is_ever_begun():
    background = Background("first")
    background.begin("first", iter(()))
    background.later("rest", 0.0, pytest.fail)
    assert background.is_quiet
