"""Cells in memory, of whatever land.select takes."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from .. import _land
from .._running import Progress, running
from ..lookups import Features
from ..reading import Reading
from ..tables import make_table
from .cluster import Cell

if TYPE_CHECKING:
    from typing_extensions import Unpack

CELL_BYTES = 8 << 20


class CellList:
    """Cells that stay in memory: for tests, and for data that this process has."""

    def __init__(self, path: str, head: bytes, firsts: np.ndarray, cells: Sequence[bytes]) -> None:
        self.path = path
        self.head = head
        self.firsts = firsts
        self.cells = cells

    @classmethod
    def of(
        cls,
        X: Any,
        *,
        cell_bytes: int = CELL_BYTES,
        missing: str | None = None,
        nominal: Features | None = None,
        feature_names: Sequence[str] | None = None,
        threads: int | None = None,
        progress: Progress = None,
        **reading: Unpack[Reading],
    ) -> CellList:
        """The features of ``X``; all parameters but ``cell_bytes``, about the size of a cell, are those of
        :func:`land.select`."""
        with running(threads, progress) as run:
            table = make_table(
                X, nominal=nominal, feature_names=feature_names, missing=missing, reading=reading, run=run
            )
            cells = _land.Cells(table, {"missing": missing}, cell_bytes)
        return cls(table.path, cells.head, np.array(cells.firsts), [cells.cut(k) for k in range(len(cells))])

    def read(self, numbers: Iterable[int]) -> Iterator[Cell]:
        for number in numbers:
            yield number, self.cells[number]
