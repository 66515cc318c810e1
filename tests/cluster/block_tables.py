"""Block tables for the tests."""

from __future__ import annotations

import pathlib
from typing import Any

import land.remote
import numpy as np
import pyarrow
import pyarrow.parquet


def write_blocks(path: pathlib.Path, X: Any, cell_bytes: int, **options: Any) -> list[bytes]:
    """A block table of ``X``, and its cells."""
    cells = land.remote.CellList.of(X, cell_bytes=cell_bytes, **options)
    head = [cells.head] + [None] * (len(cells.cells) - 1)
    columns = {
        "first": pyarrow.array(cells.firsts[:-1], pyarrow.int64()),
        "count": pyarrow.array(np.diff(cells.firsts), pyarrow.int64()),
        "head": pyarrow.array(head, pyarrow.binary()),
        "cell": pyarrow.array(cells.cells, pyarrow.binary()),
    }
    table = pyarrow.table(columns)
    pyarrow.parquet.write_table(table, path, row_group_size=1, compression="none", use_dictionary=False)
    return list(cells.cells)
