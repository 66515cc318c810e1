"""The columns of a collection of Dask as cells, which its workers make and keep."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any, NamedTuple

import numpy as np
from dask.delayed import delayed
from distributed import Client, Future

from .. import _land
from ..arrays import check_kind
from ..frames import column_values, is_range
from ..lookups import Features, find_all
from ..remote.cluster import Cell, split

CHUNK_BYTES = 128 << 20  #: of the values of a task, at most; a cell at least
STRIP = 16  #: features that stand together


class Shape(NamedTuple):
    """What every task knows of the whole."""

    features: int
    samples: int
    dtype: Any  #: of the values, as land.select takes them
    names: list[str] | None  #: None: f0, f1, ...
    sample_ids: list[str]
    nominal: list[int]
    missing: str | None
    cell_bytes: int = 0

    def cells(self, first: int, values: np.ndarray, strip: np.ndarray) -> _land.Cells:
        """The cells of all features, of which those of ``values`` can be cut: features by samples, from ``first``.
        ``strip``: the first features of all, by which data sets are told apart."""

        def read(begin: int, count: int) -> np.ndarray:
            return values[begin - first : begin - first + count] if begin >= first else strip[begin : begin + count]

        names = [f"f{k}" for k in range(self.features)] if self.names is None else self.names
        table = _land.table_of_columns(read, names, self.samples, "X")
        table.add_nominal(self.nominal)
        table.sample_ids = self.sample_ids
        return _land.Cells(table, {"missing": self.missing}, self.cell_bytes)


class Chunk(NamedTuple):
    """What a worker keeps: some cells, one behind the other."""

    path: str
    head: bytes
    number: int  #: of the first
    cells: list[bytes]

    def read(self, numbers: Iterable[int]) -> Iterator[Cell]:
        for number in numbers:
            yield number, self.cells[number - self.number]


def keep_columns(
    client: Client,
    source: Any,
    parts: int,
    missing: str | None,
    nominal: Features | None,
    cell_bytes: int,
    retries: int,
) -> tuple[bytes, np.ndarray, list[tuple[Future, list[int]]]]:
    """The head of the table, where its cells begin, and who keeps which of them."""
    shape = (_frame_shape if hasattr(source, "columns") else _array_shape)(source, missing, nominal)
    if shape.samples == 0:
        raise ValueError("X: has no samples")
    # At least one cell for every part.
    shape = shape._replace(cell_bytes=min(cell_bytes, 4 * shape.samples * -(-shape.features // parts)))
    empty = np.zeros((min(STRIP, shape.features), shape.samples), dtype=np.float32)
    firsts = np.array(shape.cells(0, empty, empty).firsts)
    largest = max(1, CHUNK_BYTES // (np.dtype(shape.dtype).itemsize * shape.samples * int(firsts[1])))
    numbers = split(range(len(firsts) - 1), max(parts, -(-(len(firsts) - 1) // largest)))
    begins = [int(firsts[run[0]]) for run in numbers]
    blocks = _blocks(source, begins, shape)
    strip = delayed(_strip)(blocks[0])
    sent = delayed(shape, traverse=False)  # once, and not with every task
    cut = delayed(_cut)
    cells = [cut(sent, run, begin, block, strip) for run, begin, block in zip(numbers, begins, blocks)]
    kept = client.compute(cells, retries=retries)
    head = client.submit(_head, kept[0], pure=False, retries=retries).result()
    return head, firsts, list(zip(kept, numbers))


def _array_shape(source: Any, missing: str | None, nominal: Features | None) -> Shape:
    if source.ndim != 2:
        raise ValueError(f"X: has {source.ndim} dimensions, needs 2: samples by features")
    if not isinstance(source._meta, np.ndarray):
        raise ValueError(
            f"X: chunks of type {type(source._meta).__name__} cannot be read; give X.map_blocks(lambda c: c.toarray())"
        )
    if any(np.isnan(source.shape)):
        raise ValueError("X: its size is not known; call X.compute_chunk_sizes() first")
    check_kind(source.dtype, "X")
    samples, features = source.shape
    categories = find_all("X", "nominal", nominal, [], features)
    return Shape(features, samples, _real(source.dtype), None, [], categories, missing)


def _frame_shape(source: Any, missing: str | None, nominal: Features | None) -> Shape:
    index = source.index.compute()
    # A frame whose parts each count from 0 has no ids.
    ids = [] if is_range(index) or not index.is_unique else [str(label) for label in index]
    names = [str(name) for name in source.columns]
    categories = set(find_all("X", "nominal", nominal, names))
    categories.update(k for k, dtype in enumerate(source.dtypes) if str(dtype) == "category")
    dtype = _real(source._meta.to_numpy().dtype)  # what all columns have in common
    return Shape(len(names), len(index), dtype, names, ids, sorted(categories), missing)


def _blocks(source: Any, begins: list[int], shape: Shape) -> list[Any]:
    """Of each range of columns a task that gives features by samples."""
    ends = [*begins[1:], shape.features]
    if not hasattr(source, "columns"):
        widths = tuple(end - begin for begin, end in zip(begins, ends))
        chunks = source.rechunk((shape.samples, widths)).to_delayed().ravel()
        return [delayed(_features)(chunk, shape.dtype) for chunk in chunks]
    of_frame = delayed(_features_of_frame)
    return [
        of_frame(
            source.iloc[:, begin:end].repartition(npartitions=1).to_delayed()[0],
            shape.dtype,
            [k - begin for k in shape.nominal if begin <= k < end],
        )
        for begin, end in zip(begins, ends)
    ]


def _features(block: np.ndarray, dtype: Any) -> np.ndarray:
    return np.ascontiguousarray(block.T, dtype=dtype)


def _features_of_frame(frame: Any, dtype: Any, nominal: list[int]) -> np.ndarray:
    values = np.empty((frame.shape[1], len(frame)), dtype=dtype)
    for k, row in enumerate(values):
        row[:] = column_values(frame.iloc[:, k], k in nominal, True)[0]
    return values


def _real(dtype: np.dtype) -> Any:
    return np.float32 if dtype == np.float32 else np.float64


def _strip(values: np.ndarray) -> np.ndarray:
    return values[:STRIP].copy()


def _cut(shape: Shape, numbers: list[int], first: int, values: np.ndarray, strip: np.ndarray) -> Chunk:
    cells = shape.cells(first, values, strip)
    return Chunk("X", cells.head, numbers[0], [cells.cut(number) for number in numbers])


def _head(chunk: Chunk) -> bytes:
    return chunk.head
