"""The workers of Dask as a cluster."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Sequence
from typing import Any

import numpy as np
from distributed import Client, Future, as_completed

from ..lookups import Features
from ..remote.block_file import BlockFile
from ..remote.cell_list import CELL_BYTES
from ..remote.cluster import Cells, cells_of, fetch_part, score_part, split
from .columns import keep_columns

RETRIES = 2  #: of a task that failed; one whose worker died is tried again anyway


class DaskCluster:
    """A block table, in a file that every worker reaches or in memory, or with :meth:`of` the columns of a collection.

    Tasks take their cells from what other tasks have made, so that Dask makes them again if a worker dies.
    """

    name = "dask"

    def __init__(self, client: Client, cells: Cells | str | os.PathLike[str], parts: int | None = None) -> None:
        """``parts``: tasks that the cells are spread over; by default one for each thread of a worker."""
        table = BlockFile(cells) if isinstance(cells, (str, os.PathLike)) else cells
        # Sent once, and not with every task.
        held = client.submit(_itself, table, pure=False, retries=RETRIES)
        numbers = split(range(len(table.firsts) - 1), parts or _threads(client))
        self._hold(client, table.head, table.firsts, [(held, part) for part in numbers])

    @classmethod
    def of(
        cls,
        client: Client,
        source: Any,
        parts: int | None = None,
        *,
        missing: str | None = None,
        nominal: Features | None = None,
        cell_bytes: int = CELL_BYTES,
    ) -> DaskCluster:
        """The columns of a dask array or data frame, which workers encode and keep."""
        columns = keep_columns(client, source, parts or _threads(client), missing, nominal, cell_bytes, RETRIES)
        cluster = cls.__new__(cls)
        cluster._hold(client, *columns)
        return cluster

    def _hold(self, client: Client, head: bytes, firsts: np.ndarray, parts: list[tuple[Future, list[int]]]) -> None:
        self._client = client
        self._firsts = firsts
        self._parts = parts  #: who can read these cells, and their numbers
        self.workers = len(parts)
        self.table = head

    def score(self, order: bytes) -> Iterator[bytes]:
        return self._run(score_part, [(order, held, numbers) for held, numbers in self._parts])

    def fetch(self, ids: Sequence[int]) -> Iterator[bytes]:
        wanted = cells_of(ids, self._firsts)
        here = [(held, {k: wanted[k] for k in numbers if k in wanted}) for held, numbers in self._parts]
        return self._run(fetch_part, [(of_part, held) for held, of_part in here if of_part])

    def _run(self, work: Callable[..., list[bytes]], calls: list[tuple]) -> Iterator[bytes]:
        # Not pure: a call is never answered with what an earlier one gave.
        tasks = [self._client.submit(work, *arguments, pure=False, retries=RETRIES) for arguments in calls]
        try:
            for task in as_completed(tasks):
                yield from task.result()
        finally:
            self._client.cancel(tasks)


def _threads(client: Client) -> int:
    return max(1, int(sum(client.nthreads().values())))


def _itself(cells: Cells) -> Cells:
    return cells
