"""A block table in Parquet, on a disk that every worker reaches."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator, Sequence
from typing import Any

import numpy as np

from ..columnar_files import BLOCK_COLUMNS, errors_named
from .cluster import Cell


class BlockFile:
    """What ``land convert TABLE BLOCKS.parquet`` and :func:`land.convert` write: a cell in every row, a row in every
    group. A folder of such files, as Spark writes them, is one table, too.

    It can be sent to other processes, which open the files again.
    """

    def __init__(self, path: str | os.PathLike[str]) -> None:
        self.path = os.fspath(path)
        if not os.path.exists(self.path):
            raise FileNotFoundError(f"{self.path}: cannot read the file: No such file or directory")
        self._open: dict[str, Any] = {}
        #: of every cell its file, its group of rows and its row there
        self._places: list[tuple[str, int, int]] = []
        self.head = b""
        self.firsts = self._look()

    def _look(self) -> np.ndarray:
        found = []
        for file in _files(self.path):
            for group in range(self._file(file).num_row_groups):
                with errors_named(file):
                    rows = self._file(file).read_row_group(group, columns=["first", "count", "head"]).to_pylist()
                for row, one in enumerate(rows):
                    found.append((one["first"], one["first"] + one["count"], (file, group, row)))
                    self.head = one["head"] or self.head
        # Each once: a task that was tried again may have written a cell twice.
        found = sorted({one[:2]: one for one in found}.values())
        self._places = [place for _, _, place in found]
        return firsts_of(self.path, [(first, end) for first, end, _ in found], self.head)

    def _file(self, path: str) -> Any:
        import pyarrow.parquet

        if path not in self._open:
            with errors_named(path):
                file = pyarrow.parquet.ParquetFile(path, memory_map=True)
            check_columns(path, file.schema_arrow.names)
            self._open[path] = file
        return self._open[path]

    def read(self, numbers: Iterable[int]) -> Iterator[Cell]:
        for number in numbers:
            file, group, row = self._places[number]
            with errors_named(file):
                column = self._file(file).read_row_group(group, columns=["cell"]).column(0)
            yield number, column[row].as_buffer()

    def __getstate__(self) -> dict[str, Any]:
        return {**self.__dict__, "_open": {}}


def check_columns(path: str, names: Iterable[str]) -> None:
    if tuple(names) != BLOCK_COLUMNS:
        raise ValueError(
            f"{path}: not a block table, which has the columns {', '.join(BLOCK_COLUMNS)}; "
            "land.convert(X, 'BLOCKS.parquet') writes one"
        )


def firsts_of(path: str, ranges: Sequence[tuple[int, int]], head: bytes) -> np.ndarray:
    """The first feature of every cell, and of the one behind the last, from the ranges of all, ascending."""
    if not ranges or not head:
        raise ValueError(f"{path}: a block table without its first row; write it again")
    return np.array([first for first, _ in ranges] + [ranges[-1][1]])


def _files(path: str) -> list[str]:
    if not os.path.isdir(path):
        return [path]
    names = sorted(name for name in os.listdir(path) if name.endswith(".parquet") and name[0] not in "._")
    if not names:
        raise ValueError(f"{path}: there is no .parquet in this folder")
    return [os.path.join(path, name) for name in names]
