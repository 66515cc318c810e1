"""How work is run: options by their defaults, threads, progress."""

from __future__ import annotations

import os
from typing import Any, Callable, Optional, Union

from . import _land

DEFAULTS = _land.defaults()

Progress = Union[bool, Callable[[str, float, float], None], None]


def thread_count(threads: Optional[int]) -> int:
    """As many as the process may use, and no more than OMP_NUM_THREADS, which joblib sets in its workers."""
    if threads is not None:
        if threads < 1:
            raise ValueError(f"threads {threads}: must be at least 1")
        return int(threads)
    count = len(os.sched_getaffinity(0))
    limit = os.environ.get("OMP_NUM_THREADS", "")
    return max(1, min(count, int(limit))) if limit.isdigit() else count


class TqdmProgress:
    """A bar of tqdm.auto for every stage of the work."""

    def __init__(self) -> None:
        self._bar: Any = None

    def __call__(self, stage: str, done: float, total: float) -> None:
        from tqdm.auto import tqdm

        if self._bar is None or self._bar.desc != f"{stage}: ":
            self.close()
            self._bar = tqdm(total=int(total) or None, desc=stage, unit="", leave=False)
        self._bar.n = int(done)
        self._bar.refresh()

    def close(self) -> None:
        if self._bar is not None:
            self._bar.close()
            self._bar = None


class reporting:
    """`with reporting(progress) as report`: what the extension may call, or None."""

    def __init__(self, progress: Progress) -> None:
        self._report = TqdmProgress() if progress is True else (progress or None)

    def __enter__(self) -> Optional[Callable[[str, float, float], None]]:
        return self._report

    def __exit__(self, *_: object) -> None:
        if isinstance(self._report, TqdmProgress):
            self._report.close()
