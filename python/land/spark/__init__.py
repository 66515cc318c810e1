"""Selections from features that Spark holds: block tables, and DataFrames.

Everything goes through ``mapInArrow``, so a session of Spark Connect does as well as a classic one. Workers need this
package: docs/distributed/spark.md says how to ship it.
"""

from .cluster import SparkCluster
from .convert import convert
from .select import select
from .selector import LandSelector, LandSelectorModel

__all__ = ["LandSelector", "LandSelectorModel", "SparkCluster", "convert", "select"]
