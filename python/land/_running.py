"""How work is run: options by their defaults, memory, progress."""

from __future__ import annotations

import contextlib
import functools
from collections.abc import Callable, Iterator
from typing import Any, NamedTuple

from . import _land
from .threads import thread_count

DEFAULTS = _land.defaults()


@functools.cache
def _names(command: str) -> list[str]:
    return [option["name"] for option in _land.options_of(command)]


def options_in(arguments: dict[str, Any], command: str) -> dict[str, Any]:
    """Those of a function's arguments that are options of the command."""
    return {name: arguments[name] for name in _names(command) if name in arguments}


Report = Callable[[str, float, float], None]
Progress = bool | Report | None


class Running(NamedTuple):
    threads: int
    report: Report | None
    memory: int | None  #: bytes; None: what the machine has


@contextlib.contextmanager
def running(
    threads: int | None, progress: Progress, memory: int | None = None, keywords: dict[str, str] | None = None
) -> Iterator[Running]:
    """`keywords`: what messages call options that have other names here than in land.select, by their keys."""
    bars = _Bars()
    before = _land.set_keywords(keywords or {})
    try:
        yield Running(thread_count(threads), bars if progress is True else progress or None, memory)
    finally:
        _land.set_keywords(before)
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
