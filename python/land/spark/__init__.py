"""Selections from features that Spark holds: block tables, and DataFrames.

All but :class:`LandSelector` goes through ``mapInArrow``, so a session of Spark Connect does as well as a classic one.
Workers need this package: docs/distributed/spark.md says how to ship it.
"""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING, Any

from .cluster import SparkCluster
from .convert import convert
from .select import select

if TYPE_CHECKING:
    from .selector import LandSelector, LandSelectorModel

__all__ = ["LandSelector", "LandSelectorModel", "SparkCluster", "convert", "select"]


def __getattr__(name: str) -> Any:
    if name not in ("LandSelector", "LandSelectorModel"):
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(importlib.import_module(".selector", __name__), name)  # workers have no use for pyspark.ml
