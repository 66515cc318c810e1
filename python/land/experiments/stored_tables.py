"""Generated tables of given shapes, each in a store: what a selection from a file begins with."""

from __future__ import annotations

import os
import pathlib
import shutil
import time
from typing import NamedTuple

import numpy as np

import land

from .planted import fill_two_classes

#: A store beside the array it is made of: both are there for a while. Besides, a store has a few numbers a feature.
_COPIES, _BYTES_A_FEATURE = 2.1, 512


class Shape(NamedTuple):
    name: str
    samples: int
    features: int
    counts: bool  #: of one byte each, else float32

    @property
    def bytes(self) -> int:
        return self.samples * self.features * (1 if self.counts else 4)


class Stored(NamedTuple):
    path: pathlib.Path
    generated: float  #: seconds to make the table
    converted: float  #: seconds to make the store of it


def store_of(shape: Shape, planted: int, seed: int, folder: pathlib.Path) -> Stored:
    """The table of `planted.two_classes`, of which no more than a few thousand features are in memory at a time."""
    array, store = folder / f"{shape.name}.npy", folder / f"{shape.name}.h5"
    begin = time.perf_counter()
    classes = _write(array, shape, planted, seed)
    made = time.perf_counter()
    land.convert(array, store, classes, rows="features")
    array.unlink()
    return Stored(store, made - begin, time.perf_counter() - made)


def check_room(shape: Shape, folder: pathlib.Path) -> None:
    """Before minutes of work, and not when the disk is full."""
    needed, free = room_for(shape), shutil.disk_usage(folder).free
    if free < needed:
        raise ValueError(
            f"the table of {shape.name} takes {needed / 1e9:.3g} GB of disk for a while, and {folder} has "
            f"{free / 1e9:.3g} GB free; begin the command with TMPDIR=FOLDER, a folder with more"
        )


def room_for(shape: Shape) -> int:
    """Bytes, at most."""
    return round(_COPIES * shape.bytes) + _BYTES_A_FEATURE * shape.features


def forget(path: pathlib.Path) -> None:
    """Takes a file out of the page cache."""
    with path.open("rb") as file:
        os.fsync(file.fileno())
        os.posix_fadvise(file.fileno(), 0, 0, os.POSIX_FADV_DONTNEED)


def _write(path: pathlib.Path, shape: Shape, planted: int, seed: int) -> np.ndarray:
    """An array of features by samples. Returns the classes."""
    kind = np.dtype(np.uint8 if shape.counts else np.float32)
    table = np.lib.format.open_memmap(path, mode="w+", dtype=kind, shape=(shape.features, shape.samples))
    with path.open("rb+") as file:  # a mapped file that finds the disk full would end the process
        os.posix_fallocate(file.fileno(), 0, path.stat().st_size)
    return fill_two_classes(table, planted, [seed, shape.samples, shape.features], counts=shape.counts)
