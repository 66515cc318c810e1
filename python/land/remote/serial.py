"""A cluster that is no cluster: one worker at a time, in this process."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from .cluster import Cells, cells_of, pick_cells, score_cells, split


class SerialCluster:
    """Does what clusters do without one, to try things out. ``parts``: workers that the cells are spread over."""

    name = "serial"

    def __init__(self, cells: Cells, parts: int = 1) -> None:
        self._cells = cells
        self._parts = split(range(len(cells.firsts) - 1), parts)
        self.workers = len(self._parts)
        self.table = cells.head

    def score(self, order: bytes) -> Iterator[bytes]:
        for part in self._parts:
            yield from score_cells(order, self._cells.path, self._cells.read(part))

    def fetch(self, ids: Sequence[int]) -> Iterator[bytes]:
        wanted = cells_of(ids, self._cells.firsts)
        yield from pick_cells(wanted, self._cells.path, self._cells.read(sorted(wanted)))
