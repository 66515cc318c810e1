"""Selections by Spark."""

from __future__ import annotations

import contextlib
import os
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any, Literal

from ..lookups import Features
from ..remote.select import select as select_on_cluster
from ..selection import Selection
from .cluster import SparkCluster
from .convert import TASKS_PER_SLOT
from .errors import readable_errors
from .frames import is_frame
from .sample_rows import SampleRows
from .sessions import BATCH_ROWS, parallelism, settings

if TYPE_CHECKING:
    from pyspark.sql import DataFrame, SparkSession


def select(
    source: DataFrame | str | os.PathLike[str],
    y: Any = None,
    *,
    spark: SparkSession | None = None,
    idCol: str | None = None,
    featuresCol: str | Sequence[str] | None = None,
    nominal: Features | None = None,
    missing: str | None = None,
    parts: int | None = None,
    read: Literal["direct", "cells"] | None = None,
    **options: Any,
) -> Selection:
    """Select features with Spark: the result is that of :func:`land.select`, to the bit.

    Parameters
    ----------
    source : path or DataFrame
        A block table (:func:`convert`), which can be used again and again; or a DataFrame with a row for each sample,
        whose block table is kept by Spark as long as this takes.
    y : array, Series or str, optional
        The target of a block table, unless that has one: see :func:`land.remote.select`. Of a DataFrame the name of its
        column.
    spark : SparkSession, optional
        By default the active one.
    idCol, featuresCol, nominal
        Of a DataFrame: see :func:`convert`.
    parts, read
        See :class:`SparkCluster`.
    **options
        Those of :func:`land.remote.select`.
    """
    if is_frame(source):
        if not isinstance(y, str):
            raise ValueError("y: of a DataFrame it is the name of a column")
        tasks = parts or parallelism(source.sparkSession)
        with readable_errors():
            rows = SampleRows(source, id=idCol, features=featuresCol, label=y, missing=missing, nominal=nominal)
        with _kept(rows, source.sparkSession, tasks) as table:
            cluster = SparkCluster(source.sparkSession, table, parts=tasks)
            return select_on_cluster(cluster, missing=missing, **options)
    if idCol is not None or featuresCol is not None or nominal is not None:
        raise ValueError("idCol, featuresCol and nominal are for DataFrames; a block table has been made with them")
    cluster = SparkCluster(spark or _active(), source, parts=parts, read=read)
    return select_on_cluster(cluster, y, missing=missing, **options)


@contextlib.contextmanager
def _kept(rows: SampleRows, spark: SparkSession, tasks: int) -> Iterator[DataFrame]:
    making: dict[str, int | str] = {
        BATCH_ROWS: rows.batch_rows,
        "spark.sql.inMemoryColumnarStorage.batchSize": 1,  # cells are large
    }
    with readable_errors(), settings(spark, making):
        table = rows.table(TASKS_PER_SLOT * tasks).persist()
        table.count()
    try:
        yield table
    finally:
        table.unpersist()


def _active() -> SparkSession:
    from pyspark.sql import SparkSession

    spark = SparkSession.getActiveSession()
    if spark is None:
        raise ValueError("spark: there is no active session; give one")
    return spark
