"""Processes of this machine as a cluster."""

from __future__ import annotations

import multiprocessing
import os
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import Future, ProcessPoolExecutor, as_completed
from types import TracebackType
from typing import Any

from .cluster import Cells, cells_of, fetch_part, score_part, split


class ProcessCluster:
    """A pool of processes. To be used with ``with``, or closed.

    Threads are faster on one machine (:func:`land.select`); this one is for tests, and for a block table that is
    already there.
    """

    name = "processes"

    def __init__(self, cells: Cells, workers: int | None = None, parts: int | None = None) -> None:
        """``parts``: tasks that the cells are spread over; by default one for each worker."""
        self._cells = cells
        processes = workers or len(os.sched_getaffinity(0))
        self._parts = split(range(len(cells.firsts) - 1), parts or processes)
        self.workers = len(self._parts)
        self.table = cells.head
        # Fresh ones: those of a fork would have the locks of this process's threads.
        self._pool = ProcessPoolExecutor(
            processes, multiprocessing.get_context("spawn"), initializer=_keep, initargs=(cells,)
        )

    def score(self, order: bytes) -> Iterator[bytes]:
        return self._run(_score, [(order, part) for part in self._parts])

    def fetch(self, ids: Sequence[int]) -> Iterator[bytes]:
        wanted = cells_of(ids, self._cells.firsts)
        parts = split(sorted(wanted), len(self._parts))
        return self._run(_fetch, [({number: wanted[number] for number in part},) for part in parts])

    def _run(self, work: Callable[..., list[bytes]], calls: list[tuple]) -> Iterator[bytes]:
        tasks: list[Future] = [self._pool.submit(work, *arguments) for arguments in calls]
        try:
            for task in as_completed(tasks):
                yield from task.result()
        finally:
            for task in tasks:
                task.cancel()

    def close(self) -> None:
        self._pool.shutdown()

    def __enter__(self) -> ProcessCluster:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()


# In a process of the pool: the cells, sent once.
_kept: dict[str, Any] = {}


def _keep(cells: Cells) -> None:
    _kept["cells"] = cells


def _score(order: bytes, numbers: list[int]) -> list[bytes]:
    return score_part(order, _kept["cells"], numbers)


def _fetch(wanted: Mapping[int, Sequence[int]]) -> list[bytes]:
    return fetch_part(wanted, _kept["cells"])
