"""Selections on a cluster of Ray, of block tables."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Sequence
from typing import Any

import ray

from .remote.block_file import BlockFile
from .remote.cluster import Cells, cells_of, fetch_part, score_part, split


class RayCluster:
    """What ``ray.init()`` has connected to. A block table is a file that every worker reaches, or in memory."""

    name = "ray"

    def __init__(self, cells: Cells | str | os.PathLike[str], parts: int | None = None) -> None:
        """``parts``: tasks that the cells are spread over; by default one for each processor."""
        self._cells = BlockFile(cells) if isinstance(cells, (str, os.PathLike)) else cells
        self._held = ray.put(self._cells)  # sent once, and not with every task
        processors = parts or max(1, int(ray.cluster_resources().get("CPU", 1)))
        self._parts = split(range(len(self._cells.firsts) - 1), processors)
        self.workers = len(self._parts)
        self.table = self._cells.head

    def score(self, order: bytes) -> Iterator[bytes]:
        return _run(score_part, [(order, self._held, part) for part in self._parts])

    def fetch(self, ids: Sequence[int]) -> Iterator[bytes]:
        wanted = cells_of(ids, self._cells.firsts)
        parts = split(sorted(wanted), len(self._parts))
        return _run(fetch_part, [({number: wanted[number] for number in part}, self._held) for part in parts])


def _run(work: Callable[..., list[bytes]], calls: list[tuple]) -> Iterator[bytes]:
    tasks: list[Any] = [ray.remote(work).remote(*arguments) for arguments in calls]
    while tasks:
        done, tasks = ray.wait(tasks)
        try:
            yield from ray.get(done[0])
        except ray.exceptions.RayTaskError as error:
            for task in tasks:
                ray.cancel(task)
            raise error.cause from None  # as it was raised, without the worker's trace
