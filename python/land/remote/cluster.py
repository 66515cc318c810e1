"""What a cluster must offer, and what its workers do. All that crosses is bytes: a new kind of cluster carries them and
knows nothing of kernels."""

from __future__ import annotations

import copy
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any, Protocol

import numpy as np

from .._land import Worker, pick

__all__ = [
    "Cells",
    "Cluster",
    "Worker",
    "cells_of",
    "fetch_part",
    "pick",
    "pick_cells",
    "score_cells",
    "score_part",
    "split",
]

Cell = tuple[int, Any]  #: its number, and its bytes in whatever has a buffer


class Cluster(Protocol):
    """Where features are held.

    Both verbs may give their answers in any order, and any of them more than once, as tasks that are tried again or
    twice at the same time do. An answer that never comes is an error of the selection, which names the features.
    """

    @property
    def name(self) -> str:
        """What results call it: "spark", ..."""

    @property
    def workers(self) -> int:
        """How many tasks score at the same time, about: each sends its likeliest features along."""

    @property
    def table(self) -> bytes:
        """What a driver has to know of the features: ``head`` of their cells."""

    def score(self, order: bytes) -> Iterable[bytes]:
        """Everything that :func:`score_cells` gives, over all cells, by as many workers as there are."""

    def fetch(self, ids: Sequence[int]) -> Iterable[bytes]:
        """Everything that :func:`pick_cells` gives for these features, ascending."""


class Cells(Protocol):
    """Cells that a process can read by their numbers."""

    @property
    def path(self) -> str:
        """What errors call them."""

    @property
    def head(self) -> bytes:
        """What a driver has to know of them."""

    @property
    def firsts(self) -> np.ndarray:
        """The first feature of every cell, and of the one behind the last."""

    def read(self, numbers: Iterable[int]) -> Iterator[Cell]:
        """These cells, one after the other."""


def score_cells(order: bytes, path: str, cells: Iterable[Cell]) -> Iterator[bytes]:
    """What one worker does: the scores of each cell, then the likeliest features of all of them."""
    worker = Worker(order)
    for number, cell in cells:
        yield worker.score(cell, where(path, number))
    if likeliest := worker.likeliest():
        yield likeliest


def pick_cells(wanted: Mapping[int, Sequence[int]], path: str, cells: Iterable[Cell]) -> Iterator[bytes]:
    """The features that are wanted of each cell, by its number."""
    for number, cell in cells:
        if number in wanted:
            yield pick(cell, where(path, number), wanted[number])


def score_part(order: bytes, cells: Cells, numbers: Sequence[int]) -> list[bytes]:
    """What one task answers to an order. Tasks of one process may share the cells, but not an open file: each has a
    copy, which opens its own."""
    return list(score_cells(order, cells.path, copy.copy(cells).read(numbers)))


def fetch_part(wanted: Mapping[int, Sequence[int]], cells: Cells) -> list[bytes]:
    """What one task fetches, likewise."""
    return list(pick_cells(wanted, cells.path, copy.copy(cells).read(wanted)))


def where(path: str, number: int) -> str:
    """What errors call a cell."""
    return f"{path}: row {number}"


def cells_of(ids: Sequence[int], firsts: np.ndarray) -> dict[int, list[int]]:
    """Features by the numbers of the cells they are in."""
    wanted: dict[int, list[int]] = {}
    for id, number in zip(ids, np.searchsorted(firsts, ids, side="right") - 1):
        wanted.setdefault(int(number), []).append(int(id))
    return wanted


def split(numbers: Sequence[int], parts: int) -> list[list[int]]:
    """Numbers in as many runs of about the same length, none of them empty."""
    parts = min(parts, len(numbers))
    return [list(numbers[len(numbers) * p // parts : len(numbers) * (p + 1) // parts]) for p in range(parts)]
