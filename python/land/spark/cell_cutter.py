"""The cells of a table that no process has whole."""

from __future__ import annotations

import secrets
from collections.abc import Sequence
from typing import Any

import numpy as np

from .. import _land
from ..arrays import array_table
from ..targets import set_target

STRIP = 16  #: features that are scored together; cells have whole strips
NAME = "X"  #: what messages call the DataFrame
SCHEMA = "first long, count long, head binary, cell binary"


class CellCutter:
    """What workers have to know of the whole table. ``y``: its target, if it has one."""

    def __init__(
        self,
        *,
        features: int,
        samples: int,
        missing: str | None,
        nominal: Sequence[int] = (),
        sample_ids: Sequence[str] = (),
        y: Any = None,
        cell_bytes: int,
    ) -> None:
        self.features = features
        self.samples = samples
        self.each = max(cell_bytes // (8 * samples) // STRIP, 1) * STRIP  #: features of a cell
        self._missing = missing
        self._nominal = sorted(set(nominal))
        self._sample_ids = list(sample_ids)
        head = _land.block_table(NAME, secrets.randbits(64), features, samples, self._nominal, self._sample_ids)
        self._head = head if y is None else _with_target(head, y)

    @property
    def cells(self) -> int:
        return -(-self.features // self.each)

    def room(self, number: int) -> np.ndarray:
        """For the values of a cell, a row for each feature."""
        return np.full((min(self.each, self.features - number * self.each), self.samples), np.nan)

    def cut(self, number: int, values: np.ndarray, names: Sequence[str] | None) -> Any:
        """A row of the block table."""
        import pyarrow

        first = number * self.each
        self._check(first, values, names)
        table = array_table(values.T, NAME)
        if names is not None:
            table.feature_names = list(names)
        table.add_nominal([k - first for k in self._nominal if first <= k < first + len(values)])
        cell = _land.part_as_cell(table, {"missing": self._missing}, self._head, first)
        row = [[first], [len(values)], [self._head if first == 0 else None], [cell]]
        kinds = [pyarrow.int64(), pyarrow.int64(), pyarrow.binary(), pyarrow.binary()]
        return pyarrow.record_batch(
            [pyarrow.array(one, kind) for one, kind in zip(row, kinds)], names=["first", "count", "head", "cell"]
        )

    def _check(self, first: int, values: np.ndarray, names: Sequence[str] | None) -> None:
        bad = np.isinf(values) if self._missing not in (None, "error") else ~np.isfinite(values)
        if not bad.any():
            return
        feature, sample = (int(k) for k in np.argwhere(bad)[0])
        name = names[feature] if names is not None else f"f{first + feature}"
        where = f"id {self._sample_ids[sample]!r}" if self._sample_ids else f"sample {sample} (counted from 0)"
        if np.isnan(values[feature, sample]):
            what = "the value is missing; fill it in, or choose missing='mean', 'ignore' or 'level'"
        else:
            what = "infinity is not a finite number; make it NaN if the value is missing"
        raise ValueError(f"{NAME}: feature {name!r}, {where}: {what}")


def _with_target(head: bytes, y: Any) -> bytes:
    table = _land.table_of_blocks(head)
    set_target(table, y, how="table")
    return _land.with_target(head, table)
