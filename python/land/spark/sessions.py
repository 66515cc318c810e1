"""Sessions of Spark, classic or Connect, by what both have."""

from __future__ import annotations

import contextlib
import threading
from collections.abc import Iterator
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

BATCH_ROWS = "spark.sql.execution.arrow.maxRecordsPerBatch"

# All threads of a process share a session's settings: a CrossValidator may fit from several.
_one_at_a_time = threading.RLock()


@contextlib.contextmanager
def settings(spark: SparkSession, values: dict[str, int | str]) -> Iterator[None]:
    """Frames are planned when they are collected, so that must happen inside."""
    with _one_at_a_time:
        before = {key: spark.conf.get(key, None) for key in values}
        try:
            for key, value in values.items():
                spark.conf.set(key, str(value))
            yield
        finally:
            for key, old in before.items():
                if old is None:
                    spark.conf.unset(key)
                else:
                    spark.conf.set(key, old)


def parallelism(spark: SparkSession) -> int:
    """Tasks that Spark runs at a time."""
    from pyspark.sql import functions

    partitions = spark.range(1 << 16).select(functions.spark_partition_id().alias("number"))
    return int(partitions.agg(functions.max("number")).collect()[0][0]) + 1
