"""The ranks of a communicator of mpi4py as a cluster."""

from __future__ import annotations

import time
from collections.abc import Iterator, Mapping, Sequence
from types import TracebackType
from typing import Any

from .. import remote
from ..remote.cluster import Cells, cells_of, pick_cells, score_cells, split
from ..selection import Selection

Task = bytes | Mapping[int, Sequence[int]] | None  #: an order; what is wanted of which cells; nothing more


def select(comm: Any, cells: Cells | None, y: Any = None, **options: Any) -> Selection | None:
    """To be called by all ranks. Rank 0 has ``cells`` and ``y``, and gets the selection; the others get None.
    Parameters are those of :func:`land.remote.select`."""
    if comm.rank > 0:
        serve(comm)
        return None
    if cells is None:
        tell(comm, None)
        raise ValueError("cells: rank 0 must have them")
    with MpiCluster(comm, cells) as cluster:
        return remote.select(cluster, y, **options)


class MpiCluster:
    """All ranks, as rank 0 sees them; meanwhile the others :func:`serve`. To be used with ``with``, or closed.

    Cells are sent to the others: of a :class:`land.remote.BlockFile` its name and the places of its cells, no values.
    """

    name = "mpi"

    def __init__(self, comm: Any, cells: Cells) -> None:
        self._comm = comm
        self._cells = tell(comm, cells)
        self._working = 0  #: ranks that may still send something
        self.workers = comm.size
        self.table = cells.head

    def score(self, order: bytes) -> Iterator[bytes]:
        return self._run(order)

    def fetch(self, ids: Sequence[int]) -> Iterator[bytes]:
        return self._run(cells_of(ids, self._cells.firsts))

    def close(self) -> None:
        self._finish()
        tell(self._comm, None)

    def _run(self, task: Task) -> Iterator[bytes]:
        self._finish()
        tell(self._comm, task)
        self._working = self._comm.size - 1
        for answer in _answers(self._comm, self._cells, task):
            yield answer
            while self._working and self._comm.iprobe():
                yield from self._received()
        while self._working:
            yield from self._received()

    def _received(self) -> Iterator[bytes]:
        """An answer, or none from a rank that has given all of its own. What has failed there fails here."""
        message = self._comm.recv()
        if isinstance(message, bytes):
            yield message
            return
        self._working -= 1
        if message is not None:
            raise message

    def _finish(self) -> None:
        """Takes what is still on its way when something has failed: who sends waits until it is taken."""
        while self._working:
            self._working -= not isinstance(self._comm.recv(), bytes)

    def __enter__(self) -> MpiCluster:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()


def serve(comm: Any) -> None:
    """What the other ranks do until rank 0 closes its cluster, or says ``tell(comm, None)`` as it has none."""
    cells = tell(comm, None)
    if cells is None:
        return
    while (task := tell(comm, None)) is not None:
        try:
            for answer in _answers(comm, cells, task):
                comm.send(answer, 0)
            comm.send(None, 0)
        except (ValueError, OSError) as error:
            comm.send(error, 0)
        except Exception as error:  # of whatever kind: rank 0 must not wait for an answer
            comm.send(RuntimeError(f"rank {comm.rank}: {type(error).__name__}: {error}"), 0)


def tell(comm: Any, thing: Any) -> Any:
    """What rank 0 says to all: a broadcast. Those who wait for it leave the processor to those who work."""
    arrived = comm.Ibarrier()
    while not arrived.Test():
        time.sleep(0.001)
    return comm.bcast(thing)


def _answers(comm: Any, cells: Cells, task: Task) -> Iterator[bytes]:
    """Those of this rank's share of the cells."""
    shares = split(range(len(cells.firsts) - 1), comm.size)
    mine = shares[comm.rank] if comm.rank < len(shares) else []
    if isinstance(task, bytes):
        return score_cells(task, cells.path, cells.read(mine))
    wanted = task or {}
    return pick_cells(wanted, cells.path, cells.read([number for number in mine if number in wanted]))
