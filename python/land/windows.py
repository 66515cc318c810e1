"""Features that are read a few at a time, for files too large to be read at once."""

from __future__ import annotations

import os
import tempfile
from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np

from . import _land
from ._running import DEFAULTS, Running
from .arrays import array_table

_WINDOW = 16 << 20  # bytes


class Windows(NamedTuple):
    read: Callable[[int, int], np.ndarray]  #: (first, count) -> an array of count features by samples
    names: list[str]
    samples: int
    dtype: Any  #: float32 or float64, of what is read
    path: str

    def table(self, run: Running, in_passing: bool) -> _land.Table:
        """In memory if they take no more than a third of it, else in a temporary store. `in_passing`: neither, for
        whoever goes through them once."""
        passing = _land.table_of_columns(self.read, self.names, self.samples, self.path)
        if in_passing:
            return passing
        if len(self.names) * self.samples * np.dtype(self.dtype).itemsize <= (run.memory or _free_memory()) // 3:
            return self._in_memory(run)
        return _stored(passing, run)

    def _in_memory(self, run: Running) -> _land.Table:
        matrix = np.empty((len(self.names), self.samples), dtype=self.dtype)
        step = max(1, _WINDOW // max(1, self.samples * matrix.itemsize))
        for first in range(0, len(matrix), step):
            window = matrix[first : first + step]
            window[:] = self.read(first, len(window))
            if run.report is not None:
                run.report("reading", first + len(window), len(matrix))
        table = array_table(matrix.T, self.path)
        table.feature_names = self.names
        return table


def _stored(passing: _land.Table, run: Running) -> _land.Table:
    store = tempfile.NamedTemporaryFile(prefix="land-", suffix=".h5", delete=False)
    store.close()
    try:
        # Missing values are kept; whoever selects from the store says what becomes of them.
        options = {"memory": run.memory or DEFAULTS["memory"], "missing": "ignore"}
        _land.convert(passing, store.name, options, run.threads, run.report)
        table = _land.table_of_file(store.name, {}, run.threads, run.report)
    finally:
        os.unlink(store.name)  # the table holds the mapped file
    table.path = passing.path
    return table


def _free_memory() -> int:
    with open("/proc/meminfo", encoding="ascii") as lines:
        return next(1024 * int(line.split()[1]) for line in lines if line.startswith("MemAvailable:"))
