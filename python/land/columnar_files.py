"""Parquet and Feather files, through pyarrow, a few columns at a time."""

from __future__ import annotations

import contextlib
import threading
from collections.abc import Iterator
from typing import Any

import numpy as np

from . import _land
from ._running import Running
from .frames import arrow_table, pandas_index
from .lookups import Features, find_all, find_one
from .windows import Windows

_PARQUET = (".parquet", ".pq")
_FEATHER = (".feather", ".arrow")
BLOCK_COLUMNS = ("first", "count", "head", "cell")  # of a block table


def is_columnar(path: str) -> bool:
    return path.endswith(_PARQUET + _FEATHER)


def columnar_table(
    path: str, y: str | None, nominal: Features | None, choice: dict[str, Any], run: Running, in_passing: bool
) -> _land.Table:
    file = _open(path)
    if tuple(file.schema.names) == BLOCK_COLUMNS:
        raise ValueError(
            f"{path}: a block table is for clusters: land.spark.select, land.dask.select, or here "
            "land.remote.select(land.remote.SerialCluster(land.remote.BlockFile(path)), y)"
        )
    target = None if y is None else file.schema.names[find_one(path, "target", y, file.schema.names)]
    labels = [name for name in (target, pandas_index(file)) if name is not None]
    features = [field for field in file.schema if field.name not in labels]
    names = [field.name for field in features]
    categories = set(find_all(path, "nominal", nominal, names))
    taken = _land.chosen(names, choice)
    for position, field in enumerate(features):
        if not taken[position]:
            continue
        if _is_dictionary(field.type):
            categories.add(position)
        elif position not in categories and not _is_number(field.type):
            raise ValueError(
                f"{path}: column {field.name!r} holds no numbers (its type is {field.type}); name it in nominal if its "
                "values are classes, or leave it out with exclude"
            )
    read_at_all = [field for field, is_taken in zip(features, taken) if is_taken]
    dtype = np.float32 if all(_fits_float32(field.type) for field in read_at_all) else np.float64
    lock = threading.Lock()  # pyarrow's readers are not for two threads at once

    def read(first: int, count: int) -> np.ndarray:
        block = np.full((count, file.rows), np.nan, dtype=dtype)
        rows = [row for row in range(count) if taken[first + row]]
        with lock, errors_named(path):
            for row, column in zip(rows, file.read([names[first + row] for row in rows])):
                block[row] = _numbers(column)
        return block

    table = Windows(read, names, file.rows, dtype, path).table(run, in_passing)
    table.add_nominal(sorted(categories))
    if labels:
        table.take_labels(arrow_table(file.read_table(labels), target, None, {}, path))
    return table


def _open(path: str) -> Any:
    try:
        import pyarrow  # noqa: F401
    except ImportError as error:
        raise ImportError(f"{path}: Parquet and Feather files are read by pyarrow: pip install pyarrow") from error
    with errors_named(path):
        return _Parquet(path) if path.endswith(_PARQUET) else _Feather(path)


@contextlib.contextmanager
def errors_named(path: str) -> Iterator[None]:
    """Errors of pyarrow with the file's name, in one line."""
    import pyarrow

    try:
        yield
    except (pyarrow.ArrowException, OSError) as error:
        raise ValueError(f"{path}: cannot be read: {str(error).splitlines()[0]}") from error


class _Parquet:
    def __init__(self, path: str) -> None:
        import pyarrow.parquet

        self._file = pyarrow.parquet.ParquetFile(path)
        self.schema = self._file.schema_arrow
        self.rows = self._file.metadata.num_rows

    def read_table(self, names: list[str]) -> Any:
        return self._file.read(columns=names)

    def read(self, names: list[str]) -> list[Any]:
        part = self.read_table(names)
        return [part.column(name) for name in names]  # the file has an order of its own


class _Feather:
    def __init__(self, path: str) -> None:
        import pyarrow.ipc

        # Mapped: nothing is read before it is used.
        self._table = pyarrow.ipc.open_file(pyarrow.memory_map(path)).read_all()
        self.schema = self._table.schema
        self.rows = self._table.num_rows

    def read_table(self, names: list[str]) -> Any:
        return self._table.select(names)

    def read(self, names: list[str]) -> list[Any]:
        return [self._table.column(name) for name in names]


def _is_dictionary(kind: Any) -> bool:
    from pyarrow.types import is_dictionary

    return bool(is_dictionary(kind))


def _is_number(kind: Any) -> bool:
    from pyarrow.types import is_boolean, is_floating, is_integer

    return bool(is_integer(kind) or is_floating(kind) or is_boolean(kind))


def _fits_float32(kind: Any) -> bool:
    """Whether a float32 holds every value; numbers of categories are small."""
    return not _is_number(kind) or kind.bit_width <= 16 or str(kind) == "float"


def _numbers(column: Any) -> np.ndarray:
    """NaN where there is none; numbers for categories and words, in any order."""
    import pyarrow as pa

    if not _is_number(column.type):
        words = column.cast(column.type.value_type) if _is_dictionary(column.type) else column
        column = words.combine_chunks().dictionary_encode().indices
    return column.cast(pa.float64()).to_numpy(zero_copy_only=False) if column.null_count else np.asarray(column)
