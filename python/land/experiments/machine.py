"""What results were made with."""

from __future__ import annotations

import os
import platform

from .. import _land


def machine() -> str:
    """Processor, cores and memory, in a line."""
    return f"{_processor()}, {os.cpu_count()} cores, {_gigabytes()}, {platform.system()}"


def versions(*packages: str) -> str:
    """Of LAND, Python and these, in a line."""
    from importlib import metadata

    found = [f"land {_land.version()}", f"Python {platform.python_version()}"]
    for package in packages:
        try:
            found.append(f"{package} {metadata.version(package)}")
        except metadata.PackageNotFoundError:
            continue
    return ", ".join(found)


def _processor() -> str:
    try:
        with open("/proc/cpuinfo", encoding="utf-8") as file:
            for line in file:
                if line.startswith("model name"):
                    return line.split(":", 1)[1].strip()
    except OSError:
        pass
    return platform.processor() or platform.machine()


def _gigabytes() -> str:
    try:
        return f"{os.sysconf('SC_PAGE_SIZE') * os.sysconf('SC_PHYS_PAGES') / 1e9:.0f} GB"
    except (ValueError, OSError):
        return "memory unknown"
