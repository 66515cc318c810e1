"""Times of work that runs in this process."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Any, NamedTuple


class Timed(NamedTuple):
    cpu: float  #: seconds of the processor, the least of all runs
    wall: float  #: seconds on the clock, the least of all runs
    result: Any  #: of the last run


def best_of(repeats: int, work: Callable[[], Any], enough: float = float("inf")) -> Timed:
    """Runs `work` so many times, but not again once that has taken `enough` seconds."""
    cpu = wall = float("inf")
    result: Any = None
    begin = time.perf_counter()
    for repeat in range(repeats):
        if repeat > 0 and time.perf_counter() - begin >= enough:
            break
        cpu_before, wall_before = time.process_time(), time.perf_counter()
        result = work()
        cpu = min(cpu, time.process_time() - cpu_before)
        wall = min(wall, time.perf_counter() - wall_before)
    return Timed(cpu, wall, result)
