"""A selection from a file in a process of its own: its seconds, its memory, and what it read from the disk."""

from __future__ import annotations

import json
import os
import pathlib
import resource
import subprocess
import sys
import time
import warnings
from typing import Any, NamedTuple

#: How often the memory of the process is looked at, in seconds.
_INTERVAL = 0.01


class Measured(NamedTuple):
    wall: float  #: seconds on the clock, from the name of the file to the selection
    cpu: float  #: seconds of the processor, all threads
    peak: float  #: the most megabytes in memory, pages of the mapped file included
    own: float  #: the same without those pages, as far as was seen
    read: float  #: megabytes from the disk: 0 where all of the file is in the page cache
    indices: list[int]  #: of the selected features


def measured(path: pathlib.Path, method: str, m: int) -> Measured:
    """Classes are the target, and the process has all threads."""
    words = [sys.executable, "-m", __name__, os.fspath(path), method, str(m)]
    own = 0.0
    with subprocess.Popen(words, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as process:
        try:
            while process.poll() is None:
                own = max(own, _own_megabytes(process.pid))
                time.sleep(_INTERVAL)
            output, errors = process.communicate()
        finally:
            process.kill()  # does nothing once it has ended
    if process.returncode != 0:
        raise ValueError(f"{method} on {path.name}: {errors.strip().splitlines()[-1]}")
    return Measured(own=own, **json.loads(output))


def _own_megabytes(process: int) -> float:
    """At this moment; 0 when it has ended."""
    try:
        resident, shared = pathlib.Path(f"/proc/{process}/statm").read_text().split()[1:3]
    except (OSError, ValueError):
        return 0.0
    return (int(resident) - int(shared)) * resource.getpagesize() / 1e6


def _peak_megabytes() -> float:
    """Of this process since it was started: what getrusage tells begins with the memory of its parent."""
    for line in pathlib.Path("/proc/self/status").read_text().splitlines():
        if line.startswith("VmHWM:"):
            return int(line.split()[1]) * 1024 / 1e6
    return float("nan")


def _read_megabytes() -> float:
    """From the disk, by this process so far."""
    return resource.getrusage(resource.RUSAGE_SELF).ru_inblock * 512 / 1e6


def _run(path: str, method: str, m: int) -> dict[str, Any]:
    import land

    warnings.simplefilter("ignore", land.LandWarning)
    wall, cpu, read = time.perf_counter(), time.process_time(), _read_megabytes()
    selection = land.select(path, n_features=m, method=method, task="classification")
    return {
        "wall": time.perf_counter() - wall,
        "cpu": time.process_time() - cpu,
        "peak": _peak_megabytes(),
        "read": _read_megabytes() - read,
        "indices": [int(index) for index in selection.indices],
    }


if __name__ == "__main__":
    print(json.dumps(_run(sys.argv[1], sys.argv[2], int(sys.argv[3]))))
