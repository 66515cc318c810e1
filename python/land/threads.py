"""How many threads work takes by itself: no more than the process, its environment and whoever called it allow."""

from __future__ import annotations

import operator
import os
import sys
import threading

import threadpoolctl

from . import _land

_limit: int | None = None  # what threadpoolctl has set, for the whole process


def thread_count(threads: int | None) -> int:
    """As asked for; -1: all that the process may use; None: as many as is considerate."""
    if threads is None:
        return _considerate()
    count = operator.index(threads)
    if count == -1:
        return _available()
    if count < 1:
        raise ValueError(f"threads={threads}: must be at least 1, or -1 for all")
    return count


def _available() -> int:
    return len(os.sched_getaffinity(0))


def _considerate() -> int:
    count = _allowed()
    return count if _limit is None else min(count, _limit)


def _allowed() -> int:
    """OMP_NUM_THREADS is what joblib sets in its worker processes; its worker threads share one process."""
    if _in_worker_thread():
        return 1
    first = os.environ.get("OMP_NUM_THREADS", "").split(",")[0].strip()
    return max(1, min(_available(), int(first))) if first.isdigit() else _available()


def _in_worker_thread() -> bool:
    """Whether joblib's threading backend called. How many workers it has cannot be told from within one."""
    joblib = sys.modules.get("joblib.parallel")
    if joblib is None or threading.current_thread() is threading.main_thread():
        return False
    return bool(joblib.get_active_backend()[0].nesting_level)


class _Controller(threadpoolctl.LibController):
    """What threadpoolctl asks and tells. The library itself knows no default: it is given a number at every call."""

    user_api = "land"
    internal_api = "land"
    filename_prefixes = ("_land.",)

    def get_num_threads(self) -> int:
        return _considerate()

    def set_num_threads(self, num_threads: int) -> None:
        global _limit
        _limit = num_threads if num_threads < _allowed() else None  # no limit: what it was before the first

    def get_version(self) -> str:
        return _land.version()


threadpoolctl.register(_Controller)
