"""Block tables for the tests of clusters: as the library writes them, in disorder, damaged, and watched."""

import os
import pathlib
import time
from collections import Counter

import numpy as np
import pyarrow
import pyarrow.parquet

from land.remote import BlockFile, CellList

SCHEMA = pyarrow.schema(
    [("first", pyarrow.int64()), ("count", pyarrow.int64()), ("head", pyarrow.binary()), ("cell", pyarrow.binary())]
)


def write_blocks(path, cells: CellList, rows=None):
    """`rows`: numbers of cells, in any order and any of them more than once."""
    writer = pyarrow.parquet.ParquetWriter(path, SCHEMA, compression="none", use_dictionary=False)
    with writer:
        for k in range(len(cells.cells)) if rows is None else rows:
            first, end = (int(at) for at in cells.firsts[k : k + 2])
            row = [[first], [end - first], [None if first else cells.head], [cells.cells[k]]]
            writer.write_table(pyarrow.table(row, schema=SCHEMA))
    return str(path)


def flip_bit(path, cells: CellList, number):
    """One bit in the values of a cell of a file."""
    content = bytearray(pathlib.Path(path).read_bytes())
    at = content.index(cells.cells[number]) + len(cells.cells[number]) // 2
    content[at] ^= 1
    pathlib.Path(path).write_bytes(content)


class MarkedBlocks(BlockFile):
    """Writes down which process reads which cell, and takes its time."""

    def __init__(self, path, marks, pause=0.0):
        super().__init__(path)
        self.marks = str(marks)
        self.pause = pause

    def read(self, numbers):
        for number in numbers:
            mark(self.marks, number)
            time.sleep(self.pause)
            yield from super().read([number])


def mark(marks, what):
    with open(marks, "a") as file:
        file.write(f"{os.getpid()} {what}\n")


def read_marks(marks):
    """(process, what), in their order, up to the first fetch: what is read again for that is no repetition."""
    if not os.path.exists(marks):
        return []
    lines = [line.split() for line in pathlib.Path(marks).read_text().splitlines() if len(line.split()) == 2]
    found = [(int(process), what) for process, what in lines]
    ends = [k for k, (_, what) in enumerate(found) if what == "fetch"]
    return found[: ends[0]] if ends else found


def repeated(found):
    """What more than one mark is of."""
    return [what for what, times in Counter(what for _, what in found).items() if times > 1]


def small_data(folder):
    """A file of 200 x 600 and its target: 38 cells, and 15 features that repeat others."""
    random = np.random.default_rng(3)
    X = random.normal(size=(200, 600))
    X[:, 300:315] = X[:, :15]
    y = X[:, 0] * np.tanh(X[:, 1]) + X[:, 2] + 0.1 * random.normal(size=200)
    np.save(folder / "X.npy", X)
    np.save(folder / "y.npy", y)
    return str(folder / "X.npy"), y, CellList.of(str(folder / "X.npy"), cell_bytes=1 << 14)


def wide_data(folder):
    """200 x 20,000, of which little must be moved."""
    random = np.random.default_rng(4)
    X = random.normal(size=(200, 20000)).astype(np.float32)
    y = X[:, 0] + X[:, 1] ** 2 + 0.1 * random.normal(size=200)
    np.save(folder / "wide.npy", X)
    return str(folder / "wide.npy"), y, CellList.of(str(folder / "wide.npy"), cell_bytes=1 << 17)
