"""Cells that tell who has scored them: to see that a fault has hit work that was under way, and that it was done again.

Workers import this, as what they are sent refers to it.
"""

from __future__ import annotations

import ctypes
import os
import pathlib
import time
from collections.abc import Iterable, Iterator
from typing import NamedTuple

from land.remote.cluster import Cell

from land.remote import BlockFile, score_cells

PAUSE = 0.1  # seconds a cell, so that there is time to hit
BEFORE_CRASH = 3  # cells


class Mark(NamedTuple):
    """A cell that was dealt with: in which stage of Spark, by which attempt at a task, by which process."""

    stage: int
    attempt: int
    parent: int
    process: int
    cell: int


class Marks:
    """A file of marks in a folder. ``crash``: the first worker that has made a few of them dies of a segfault."""

    def __init__(self, folder: pathlib.Path, crash: bool = False) -> None:
        self._file = folder / "marks"
        self._crashed = folder / "crashed"
        self._crash = crash

    def all(self) -> list[Mark]:
        if not self._file.exists():
            return []
        return [Mark(*map(int, line.split())) for line in self._file.read_text().splitlines()]

    def done_again(self) -> list[int]:
        """Cells that more than one attempt of the same stage has dealt with."""
        attempts: dict[tuple[int, int], set[int]] = {}
        for mark in self.all():
            attempts.setdefault((mark.stage, mark.cell), set()).add(mark.attempt)
        return sorted(cell for (_, cell), found in attempts.items() if len(found) > 1)

    @property
    def crashed(self) -> bool:
        return self._crashed.exists()

    def over(self, cells: Iterable[Cell]) -> Iterator[Cell]:
        """The cells, each with a mark once the worker asks for the next."""
        from pyspark import TaskContext

        task = TaskContext.get()
        assert task is not None
        for done, (number, cell) in enumerate(cells, 1):
            yield number, cell
            mark = Mark(task.stageId(), task.attemptNumber(), os.getppid(), os.getpid(), number)
            with self._file.open("a") as file:
                file.write(" ".join(map(str, mark)) + "\n")
            time.sleep(PAUSE)
            if self._crash and done == BEFORE_CRASH:
                self._crash_once()

    def _crash_once(self) -> None:
        try:
            self._crashed.touch(exist_ok=False)
        except FileExistsError:
            return
        ctypes.string_at(0)


class MarkedFile(BlockFile):
    """A block table that marks what a worker reads of it."""

    def __init__(self, path: str, marks: Marks) -> None:
        super().__init__(path)
        self._marks = marks

    def read(self, numbers: Iterable[int]) -> Iterator[Cell]:
        return self._marks.over(super().read(numbers))


def score_marked(marks: Marks, order: bytes, path: str, cells: Iterable[Cell]) -> Iterator[bytes]:
    """``score_cells`` with marks, whoever has read the cells."""
    return score_cells(order, path, marks.over(cells))
