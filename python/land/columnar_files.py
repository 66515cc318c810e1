"""Parquet and Feather files, through pyarrow: as a whole if they fit, else column by column into a store."""

from __future__ import annotations

import os
import tempfile
import threading
from typing import Any, List, Optional

import numpy as np

from . import _land
from ._running import DEFAULTS
from .frames import _pandas_index, arrow_table

_ENDINGS = (".parquet", ".pq", ".feather", ".arrow")


def is_columnar(path: str) -> bool:
    return path.endswith(_ENDINGS)


class _Columns:
    """The columns of a file, a few at a time."""

    def __init__(self, path: str) -> None:
        try:
            import pyarrow.ipc
            import pyarrow.parquet
        except ImportError as error:
            raise ImportError(f"{path}: Parquet and Feather files are read by pyarrow: pip install pyarrow") from error
        self.path = path
        self._parquet = None
        try:
            if path.endswith((".parquet", ".pq")):
                self._parquet = pyarrow.parquet.ParquetFile(path)
                self.schema = self._parquet.schema_arrow
                self.rows = self._parquet.metadata.num_rows
            else:
                self._ipc = pyarrow.ipc.open_file(pyarrow.memory_map(path))
                self.schema = self._ipc.schema
                self.rows = sum(self._ipc.get_batch(b).num_rows for b in range(self._ipc.num_record_batches))
        except pyarrow.ArrowInvalid as error:
            raise ValueError(f"{path}: cannot be read: {str(error).splitlines()[0]}") from error

    def read(self, names: Optional[List[str]] = None) -> Any:
        import pyarrow as pa

        if self._parquet is not None:
            return self._parquet.read(columns=names)
        table = self._ipc.read_all()  # mapped: nothing is read before it is used
        return table if names is None else table.select(names)


def _bytes_of(columns: _Columns) -> int:
    return columns.rows * len(columns.schema.names) * 8


def columnar_table(path: str, y: Optional[str], nominal: List[str], threads: int, progress: Any) -> _land.Table:
    columns = _Columns(path)
    if y is not None and y not in columns.schema.names:
        raise ValueError(f"{path}: --target {y!r}: no such column")
    memory = os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_AVPHYS_PAGES")
    if _bytes_of(columns) < memory // 3:
        return arrow_table(columns.read(), y, nominal, path)
    store = tempfile.NamedTemporaryFile(prefix="land-", suffix=".h5", delete=False)
    store.close()
    try:
        # Missing values are kept; whoever selects from the store says what becomes of them.
        convert_columnar(path, store.name, y, nominal, DEFAULTS["memory"], threads, progress, missing="ignore")
        return _land.table_of_file(store.name, {}, threads, progress)
    finally:
        os.unlink(store.name)  # the table holds the mapped file


def convert_columnar(
    path: str, out: str, y: Optional[str], nominal: List[str], memory: int, threads: int, progress: Any,
    missing: Optional[str] = None,
) -> None:
    """To a store, holding no more than a few blocks of columns."""
    import pyarrow as pa

    columns = _Columns(path)
    ids = _pandas_index(columns)
    special = [name for name in (y, ids) if name is not None]
    names = [name for name in columns.schema.names if name not in special]
    categorical = []
    for at, name in enumerate(names):
        kind = columns.schema.field(name).type
        if pa.types.is_dictionary(kind) or name in nominal:
            categorical.append(at)
        elif not (pa.types.is_integer(kind) or pa.types.is_floating(kind) or pa.types.is_boolean(kind)):
            raise ValueError(
                f"{path}: column {name!r} holds no numbers (its type is {kind}); name it in nominal if its values are "
                "classes, or leave it out"
            )
    lock = threading.Lock()  # pyarrow's readers are not for two threads at once

    def read(first: int, count: int) -> np.ndarray:
        wanted = names[first : first + count]
        block = np.empty((count, columns.rows))
        with lock:
            part = columns.read(wanted)
        for row, name in zip(block, wanted):
            row[:] = _numbers(part.column(name))
        return block

    table = _land.table_of_columns(read, names, columns.rows, path)
    table.nominal = categorical
    if special:
        head = arrow_table(columns.read(special), y, [], path)
        table.take_labels(head)
    _land.convert(table, out, {"memory": memory, "missing": missing}, threads, progress)


def _numbers(column: Any) -> np.ndarray:
    """NaN where there is none; numbers for categories and words, in any order."""
    import pyarrow as pa

    kind = column.type
    if not (pa.types.is_integer(kind) or pa.types.is_floating(kind) or pa.types.is_boolean(kind)):
        words = column.cast(kind.value_type) if pa.types.is_dictionary(kind) else column
        column = words.combine_chunks().dictionary_encode().indices
    return column.cast(pa.float64()).to_numpy(zero_copy_only=False) if column.null_count else np.asarray(column)
