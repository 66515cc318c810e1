"""Block tables written by Spark."""

from __future__ import annotations

import os
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from .. import commands
from ..lookups import Features
from ..remote.cell_list import CELL_BYTES
from .errors import readable_errors
from .feature_rows import FeatureRows
from .frames import is_frame
from .sample_rows import SampleRows
from .sessions import BATCH_ROWS, parallelism, settings

if TYPE_CHECKING:
    from pyspark.sql import DataFrame

# A row in every group: many cells in one would have to fit in an executor's heap.
ROW_GROUPS = {
    "compression": "none",
    "parquet.block.size": "1",
    "parquet.page.size.row.check.min": "1",
    "parquet.page.size.row.check.max": "1",
    "parquet.enable.dictionary": "false",
    "parquet.column.statistics.enabled#cell": "false",  # each would be a copy of a cell
}
TASKS_PER_SLOT = 3  # cells fall to tasks by chance, so some get more


def convert(
    source: DataFrame | str | os.PathLike[str],
    path: str,
    *,
    idCol: str | None = None,
    featuresCol: str | Sequence[str] | None = None,
    labelCol: str | None = None,
    nameCol: str | None = None,
    valuesCol: str = "values",
    missing: str | None = None,
    nominal: Features | None = None,
    cell_bytes: int = CELL_BYTES,
    **options: Any,
) -> None:
    """Write a block table: a folder of Parquet files, on whatever Spark writes to.

    Parameters
    ----------
    source : DataFrame or path
        A DataFrame with a row for each sample, or for each feature (then ``nameCol`` says so). A path is that of any
        file that :func:`land.select` takes, and is converted here by :func:`land.convert`.
    path : str
        Where to; must not be there yet.
    idCol : str
        What tells samples apart: whole numbers or text. Samples are in its order, since a DataFrame has none.
    featuresCol : str or list of str, optional
        A column of vectors or arrays, or columns of numbers. By default "features", else all numbers but the id and the
        label.
    labelCol : str, optional
        The target, which is kept in the table: :func:`select` needs no other then.
    nameCol, valuesCol : str
        Of a DataFrame with a row for each feature: its name, and its values, an array or a vector. Features are in the
        order of their names.
    missing, nominal
        As in :func:`land.convert`. Elements of a vector that are noted down as nominal, as by StringIndexer and
        VectorAssembler, are.
    cell_bytes : int
        The size of a cell, about.
    **options
        For a path: those of :func:`land.convert`.
    """
    if not is_frame(source):
        commands.convert(source, path, missing=missing, nominal=nominal, **options)
        return
    if options:
        raise TypeError(f"{', '.join(options)}: not for DataFrames")
    with readable_errors():
        rows: SampleRows | FeatureRows
        if nameCol is not None:
            if any(one is not None for one in (idCol, featuresCol, labelCol, nominal)):
                raise ValueError("nameCol: a row is a feature, so there is no idCol, featuresCol, labelCol or nominal")
            rows = FeatureRows(source, name=nameCol, values=valuesCol, missing=missing, cell_bytes=cell_bytes)
        else:
            rows = SampleRows(
                source,
                id=idCol,
                features=featuresCol,
                label=labelCol,
                missing=missing,
                nominal=nominal,
                cell_bytes=cell_bytes,
            )
        spark = source.sparkSession
        table = rows.table(TASKS_PER_SLOT * parallelism(spark))
        with settings(spark, {BATCH_ROWS: rows.batch_rows}):
            table.write.options(**ROW_GROUPS).parquet(path)
