"""How long a selection takes: what prostate and enzymes share."""

from __future__ import annotations

import functools
import os
from typing import Any

import numpy as np

import land

from .experiment import Row
from .timing import best_of

METHODS = ("land", "mr-nhsic", "mrmr")
#: The least time of so many runs is taken.
RUNS = 3


def selection_times(X: Any, y: np.ndarray, m: int) -> list[Row]:
    """A row for each method, on one thread and on all, from a table in memory."""
    rows = []
    for method in METHODS:
        for threads in sorted({1, os.cpu_count() or 1}):
            work = functools.partial(
                land.select, X, y, n_features=m, method=method, task="classification", threads=threads
            )
            best = best_of(RUNS, work)
            rows.append(
                {
                    "part": "time",
                    "method": method,
                    "m": m,
                    "samples": X.shape[0],
                    "features": X.shape[1],
                    "threads": threads,
                    "wall_seconds": best.wall,
                    "cpu_seconds": best.cpu,
                    "selected": len(best.result),
                }
            )
    return rows
