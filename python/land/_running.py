"""How work is run: options by their defaults, threads, memory, progress."""

from __future__ import annotations

import contextlib
import operator
import os
from typing import Any, Callable, Iterator, NamedTuple, Optional, Union

from . import _land

DEFAULTS = _land.defaults()

Report = Callable[[str, float, float], None]
Progress = Union[bool, Report, None]


def thread_count(threads: Optional[int]) -> int:
    """As many as the process may use, and no more than OMP_NUM_THREADS, which joblib sets in its workers."""
    if threads is not None:
        if operator.index(threads) < 1:
            raise ValueError(f"threads {threads}: must be at least 1")
        return operator.index(threads)
    count = len(os.sched_getaffinity(0))
    limit = os.environ.get("OMP_NUM_THREADS", "")
    return max(1, min(count, int(limit))) if limit.isdigit() else count


class Running(NamedTuple):
    threads: int
    report: Optional[Report]
    memory: Optional[int]  #: bytes; None: what the machine has


@contextlib.contextmanager
def running(threads: Optional[int], progress: Progress, memory: Optional[int] = None) -> Iterator[Running]:
    bars = _Bars() if progress is True else None
    try:
        yield Running(thread_count(threads), bars or progress or None, memory)
    finally:
        if bars is not None:
            bars.close()


class _Bars:
    """A bar of tqdm.auto for every stage of the work."""

    def __init__(self) -> None:
        self._stage = ""
        self._bar: Any = None

    def __call__(self, stage: str, done: float, total: float) -> None:
        from tqdm.auto import tqdm

        if stage != self._stage:
            self.close()
            self._stage = stage
            self._bar = tqdm(total=int(total) or None, desc=stage, unit="", leave=False)
        self._bar.n = int(done)
        self._bar.refresh()

    def close(self) -> None:
        if self._bar is not None:
            self._bar.close()
