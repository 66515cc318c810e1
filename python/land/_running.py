"""How work is run: options by their defaults, memory, progress."""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Iterator
from typing import Any, NamedTuple

from . import _land
from .threads import thread_count

DEFAULTS = _land.defaults()

Report = Callable[[str, float, float], None]
Progress = bool | Report | None


class Running(NamedTuple):
    threads: int
    report: Report | None
    memory: int | None  #: bytes; None: what the machine has


@contextlib.contextmanager
def running(threads: int | None, progress: Progress, memory: int | None = None) -> Iterator[Running]:
    bars = _Bars()
    try:
        yield Running(thread_count(threads), bars if progress is True else progress or None, memory)
    finally:
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
