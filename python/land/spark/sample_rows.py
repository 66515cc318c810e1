"""A DataFrame with a row for each sample as a block table: it is turned over in tiles."""

from __future__ import annotations

import itertools
from collections.abc import Iterable, Iterator, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from ..lookups import Features, find_all
from ..remote.cell_list import CELL_BYTES
from .cell_cutter import NAME, SCHEMA, CellCutter
from .frames import as_array, check_column, is_number

if TYPE_CHECKING:
    from pyspark.sql import Column, DataFrame

BATCH_BYTES = 64 << 20


class SampleRows:
    """Samples are in the order of their ids, since a DataFrame has none. ``label``: the target of the table."""

    def __init__(
        self,
        frame: DataFrame,
        *,
        id: str | None,
        features: str | Sequence[str] | None,
        label: str | None,
        missing: str | None,
        nominal: Features | None,
        cell_bytes: int = CELL_BYTES,
    ) -> None:
        _check_id(frame, id)
        assert id is not None
        if label is not None:
            check_column(frame, "labelCol", label)
        found = _features_of(frame, features, [id, label])
        ids, y = _samples(frame, id, label)
        count = len(found.names) if found.names is not None else _width(frame, found.values)
        self._cutter = CellCutter(
            features=count,
            samples=len(ids),
            missing=missing,
            nominal=[*found.nominal, *find_all(NAME, "nominal", nominal, found.names or [], count)],
            sample_ids=[str(one) for one in ids],
            y=y,
            cell_bytes=cell_bytes,
        )
        self._ids = ids
        self._names = found.names
        self._rows = frame.select(frame[id].alias("id"), found.values.alias("values"))
        # Of rows and of tiles: a batch of either fits.
        numbers = BATCH_BYTES // 8
        self.batch_rows = max(1, min(numbers // count, int((numbers / self._cutter.each) ** 0.5)))

    def table(self, parts: int) -> DataFrame:
        """The rows of the block table. ``parts``: tasks that make them."""
        cutter, names = self._cutter, self._names
        position = {id: k for k, id in enumerate(self._ids)}

        def into_tiles(batches: Iterable[Any]) -> Iterator[Any]:
            for batch in batches:
                yield _tiles(batch, position, cutter)

        def into_cells(batches: Iterable[Any]) -> Iterator[Any]:
            rows = (row for batch in batches for row in zip(*batch.to_pydict().values()))
            for number, tiles in itertools.groupby(rows, key=lambda row: int(row[0])):
                values = _put_together(cutter.room(number), tiles)
                first = number * cutter.each
                yield cutter.cut(number, values, None if names is None else names[first : first + len(values)])

        tiles = self._rows.mapInArrow(into_tiles, "number long, samples binary, tile binary")
        gathered = tiles.repartition(parts, "number").sortWithinPartitions("number")
        return gathered.mapInArrow(into_cells, SCHEMA)


class _Found(NamedTuple):
    values: Column  #: arrays of doubles
    names: list[str] | None
    nominal: list[int]


def _check_id(frame: DataFrame, id: str | None) -> None:
    from pyspark.sql.types import IntegralType, StringType

    if not id:
        raise ValueError(
            "idCol: a DataFrame has no order; name a column of whole numbers or text that tells its samples apart"
        )
    check_column(frame, "idCol", id)
    kind = frame.schema[id].dataType
    if not isinstance(kind, (IntegralType, StringType)):
        raise ValueError(f"idCol={id!r}: must be whole numbers or text, not {kind.simpleString()}")


def _features_of(frame: DataFrame, features: str | Sequence[str] | None, others: list[str | None]) -> _Found:
    from pyspark.sql import functions

    if features is None:
        names = [field.name for field in frame.schema if is_number(field.dataType) and field.name not in others]
        features = "features" if "features" in frame.columns else names
    if isinstance(features, str):
        return _Found(as_array(frame, "featuresCol", features), *_attributes(frame, features))
    names = list(features)
    for name in names:
        check_column(frame, "featuresCol", name)
        kind = frame.schema[name].dataType
        if not is_number(kind):
            raise ValueError(f"featuresCol: column {name!r} holds no numbers; its type is {kind.simpleString()}")
    if not names:
        raise ValueError("featuresCol: the DataFrame has no columns of numbers but the id and the label")
    return _Found(functions.array(*[frame[name].cast("double") for name in names]), names, [])


def _attributes(frame: DataFrame, column: str) -> tuple[list[str] | None, list[int]]:
    """Names of all elements of a vector, and its categories, as VectorAssembler notes them down."""
    attributes = frame.schema[column].metadata.get("ml_attr", {}).get("attrs", {})
    listed = sorted((one for kind in attributes.values() for one in kind), key=lambda one: int(one["idx"]))
    named = bool(listed) and all("name" in one for one in listed)
    return [one["name"] for one in listed] if named else None, [
        int(one["idx"]) for one in attributes.get("nominal", [])
    ]


def _samples(frame: DataFrame, id: str, label: str | None) -> tuple[list[Any], Any]:
    import pandas

    rows = frame.select(id, *([label] if label is not None else [])).collect()
    if not rows:
        raise ValueError("the DataFrame has no rows")
    if any(row[0] is None for row in rows):
        raise ValueError(f"idCol={id!r}: some rows have no id")
    rows.sort(key=lambda row: row[0])
    for one, next_one in zip(rows, rows[1:]):
        if one[0] == next_one[0]:
            raise ValueError(f"idCol={id!r}: the id {one[0]!r} occurs more than once")
    ids = [row[0] for row in rows]
    if label is None:
        return ids, None
    y = pandas.Series([row[1] for row in rows], name=label)
    for id, missing in zip(ids, y.isna()):
        if missing:
            raise ValueError(
                f"labelCol={label!r}: id {id!r} has no label; leave such rows out: frame.dropna(subset=[{label!r}])"
            )
    return ids, y


def _width(frame: DataFrame, values: Column) -> int:
    from pyspark.sql import functions

    sizes = frame.select(functions.size(values).alias("size")).where("size >= 0").limit(1).collect()
    if not sizes or sizes[0][0] == 0:
        raise ValueError("featuresCol: there are no features")
    return int(sizes[0][0])


def _tiles(batch: Any, position: dict[Any, int], cutter: CellCutter) -> Any:
    import pyarrow

    ids = batch.column("id").to_pylist()
    if unknown := [id for id in ids if id not in position]:
        raise ValueError(f"{NAME}: id {unknown[0]!r} was not there a moment ago; cache or write the DataFrame first")
    values = batch.column("values")
    widths = values.value_lengths().fill_null(0).to_numpy(zero_copy_only=False)
    if wrong := np.flatnonzero(widths != cutter.features).tolist():
        raise ValueError(f"{NAME}: id {ids[wrong[0]]!r} has {widths[wrong[0]]} features, others have {cutter.features}")
    rows = values.flatten().to_numpy(zero_copy_only=False).reshape(len(ids), cutter.features)
    places = np.array([position[id] for id in ids], dtype=np.int64).tobytes()
    tiles = [rows[:, k * cutter.each : (k + 1) * cutter.each].tobytes() for k in range(cutter.cells)]
    return pyarrow.record_batch(
        [pyarrow.array(range(cutter.cells)), pyarrow.array([places] * cutter.cells), pyarrow.array(tiles)],
        names=["number", "samples", "tile"],
    )


def _put_together(values: np.ndarray, tiles: Iterable[tuple[int, bytes, bytes]]) -> np.ndarray:
    there = 0
    for _, samples, tile in tiles:
        places = np.frombuffer(samples, dtype=np.int64)
        values[:, places] = np.frombuffer(tile).reshape(len(places), len(values)).T
        there += len(places)
    if there != values.shape[1]:
        raise ValueError(
            f"{NAME}: {there} rows came of the {values.shape[1]} that were there; cache or write the DataFrame first"
        )
    return values
