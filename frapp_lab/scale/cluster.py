"""Many calls of one function, here or on the workers of a Dask cluster.

Only who gives a client needs dask: `pip install "frapp_lab[scale]"`.
"""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterator, Sequence
from contextlib import contextmanager
from typing import Any

from frapp_lab._base.checks import check_integer, shown


def spread(
    function: Callable, tasks: Sequence[tuple], shared: Any, client: Any = None
) -> Generator[tuple[int, Any], None, None]:
    """Call `function(*task, shared)` per task, also on a cluster; give place and result when done.

    With a `dask.distributed.Client` its workers do it, and get `shared` once. The task of a lost
    worker runs again, so that the function must give the same result again. If one fails, or the
    caller stops asking, the others are given up and the cluster is free for more.

    >>> list(spread(lambda a, b, shared: a * b + shared, [(1, 2), (3, 4)], 100))
    [(0, 102), (1, 112)]
    """
    if client is None:
        for place, task in enumerate(tasks):
            yield place, function(*task, shared)
        return
    import dask
    from distributed import Client, as_completed

    if not isinstance(client, Client):
        raise TypeError(
            f"client is {shown(client)}: it must be a dask.distributed.Client, as `cluster` gives, "
            "or None, and then all is done here"
        )
    # Part of the graph, not scattered: what is scattered is lost with the worker that holds it.
    held = dask.delayed(_Shared(shared), traverse=False)
    call = dask.delayed(_call, pure=False)
    futures = client.compute([call(function, task, held) for task in tasks], optimize_graph=False)
    places = {future.key: place for place, future in enumerate(futures)}
    try:
        for future, result in as_completed(futures, with_results=True):
            if future.cancelled():
                raise ValueError(
                    f"the cluster gave up a task (it is {client.status}): its scheduler was lost, "
                    "or somebody cancelled it; nothing is wrong with the data, so start again"
                )
            yield places[future.key], result
    finally:
        client.cancel(futures)


class _Shared:
    """Box a value, because dask looks into tuples and lists."""

    def __init__(self, content: Any) -> None:
        self.content = content


def _call(function: Callable, task: tuple, held: _Shared) -> Any:
    return function(*task, held.content)


# Dask's workers give freed memory back at once and are given the same pages again, empty, for the
# next array: that takes as long as a trial does. Ours keep some of it for the next trial or piece,
# and nobody looks at what a profiler would see of them.
_LEAN = {
    "distributed.worker.profile.enabled": False,
    "distributed.nanny.pre-spawn-environ.MALLOC_TRIM_THRESHOLD_": 2**28,
    "distributed.nanny.pre-spawn-environ.MALLOC_MMAP_THRESHOLD_": 2**25,
}


@contextmanager
def cluster(workers: int | None = None, scheduler: str | None = None) -> Iterator[Any]:
    """Give a client of worker processes on this machine, or of the scheduler at an address.

    With neither it is None: all is done here.
    """
    if workers is None and scheduler is None:
        yield None
        return
    if workers is not None and scheduler is not None:
        raise ValueError(
            f"workers is {workers} and scheduler is {scheduler!r}: give one of them, because the "
            "cluster behind an address has its own workers"
        )
    try:
        import dask
        from distributed import Client, LocalCluster
    except ImportError:
        raise ValueError('a cluster needs dask: pip install "frapp_lab[scale]"') from None
    if workers is not None:
        check_integer("workers", workers, 1, 10**4, "each is a process of this machine")
        with dask.config.set(_LEAN):
            local = LocalCluster(n_workers=workers, threads_per_worker=1, dashboard_address=":0")
        with local, Client(local) as client:
            yield client
        return
    try:
        client = Client(scheduler, timeout="10s")
    except (OSError, ValueError) as error:
        raise ValueError(
            f"scheduler is {scheduler!r}: it cannot be reached ({error}); its address looks like "
            "tcp://host:8786, and `dask scheduler` prints it when it starts"
        ) from None
    with client:
        yield client
