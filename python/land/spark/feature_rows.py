"""A DataFrame with a row for each feature, a name and an array of values, as a block table."""

from __future__ import annotations

import itertools
from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING, Any

import numpy as np

from ..remote.cell_list import CELL_BYTES
from .cell_cutter import NAME, SCHEMA, CellCutter
from .frames import as_array, check_column
from .sample_rows import BATCH_BYTES

if TYPE_CHECKING:
    from pyspark.sql import DataFrame


class FeatureRows:
    """Features are numbered in the order of their names, since a DataFrame has none."""

    def __init__(
        self, frame: DataFrame, *, name: str, values: str, missing: str | None, cell_bytes: int = CELL_BYTES
    ) -> None:
        from pyspark.sql import Window, functions

        check_column(frame, "nameCol", name)
        rows = frame.select(
            frame[name].cast("string").alias("name"), as_array(frame, "valuesCol", values).alias("values")
        )
        features, samples = _size(rows)
        self._cutter = CellCutter(features=features, samples=samples, missing=missing, cell_bytes=cell_bytes)
        self.batch_rows = max(1, BATCH_BYTES // (8 * samples))
        # The names alone go through one task.
        number = functions.row_number().over(Window.orderBy("name")) - 1
        self._rows = rows.join(rows.select("name", number.cast("long").alias("id")), "name")

    def table(self, parts: int) -> DataFrame:
        """The rows of the block table. ``parts``: tasks that make them."""
        cutter = self._cutter

        def into_cells(batches: Iterable[Any]) -> Iterator[Any]:
            rows = (
                row
                for batch in batches
                for row in zip(batch.column("id").to_pylist(), batch.column("name").to_pylist(), batch.column("values"))
            )
            for number, some in itertools.groupby(rows, key=lambda row: int(row[0]) // cutter.each):
                values, names = _put_together(cutter.room(number), some)
                yield cutter.cut(number, values, names)

        gathered = self._rows.withColumn("number", (self._rows["id"] / cutter.each).cast("long"))
        gathered = gathered.repartition(parts, "number").sortWithinPartitions("id")
        return gathered.select("id", "name", "values").mapInArrow(into_cells, SCHEMA)


def _size(rows: DataFrame) -> tuple[int, int]:
    from pyspark.sql import functions

    size = functions.size("values")
    found = rows.agg(
        functions.count("*"),
        functions.count("name"),
        functions.countDistinct("name"),
        functions.min(size),
        functions.max(size),
    ).collect()[0]
    features, named, different, least, most = (int(one or 0) for one in found)
    if features == 0 or most <= 0:
        raise ValueError("the DataFrame has no features")
    if different < features:
        what = "have no name" if named < features else "have the name of another"
        raise ValueError(f"nameCol: {features - (named if named < features else different)} features {what}")
    if least != most:
        raise ValueError(f"valuesCol: features have {least} to {most} values; each needs one for every sample")
    return features, most


def _put_together(room: np.ndarray, rows: Iterable[tuple[int, str, Any]]) -> tuple[np.ndarray, list[str]]:
    names = []
    for k, (_, name, values) in enumerate(rows):
        names.append(name)
        room[k] = values.values.to_numpy(zero_copy_only=False)
    if len(names) != len(room):
        raise ValueError(f"{NAME}: {len(names)} features came of {len(room)}; cache or write the DataFrame first")
    return room, names
