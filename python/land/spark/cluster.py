"""Spark as a cluster."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from typing import TYPE_CHECKING, Literal
from urllib.parse import unquote, urlsplit

from .. import _land
from ..remote.block_file import BlockFile
from ..remote.cluster import Cell, Cells, cells_of, pick_cells, score_cells, split
from .errors import readable_errors
from .frames import is_frame
from .readings import CellReading, DirectReading
from .sessions import parallelism

if TYPE_CHECKING:
    from pyspark.sql import DataFrame, SparkSession

# Of answers that one job brings, about: drivers have a heap of 1 GB by default, and refuse results of more. What is
# larger comes by several jobs, one after the other.
JOB_BYTES = 128 << 20
# What a worker sends of each feature that it scored, and of how many it sends the values, about.
SCORE_BYTES = 28
FEATURES_ALONG = 5000


class SparkCluster:
    """The workers of a Spark session, classic or Connect.

    Parameters
    ----------
    spark : SparkSession
    cells : str, path, DataFrame or Cells
        The block table: a path, a URI of whatever Spark reads, a DataFrame of its rows, or an object that workers can
        be sent.
    parts : int, optional
        Tasks at a time that cells are spread over. By default as many as Spark would run now: give it where executors
        come and go. Each costs time to start, so more do not help.
    read : {"direct", "cells"}, optional
        Who reads. "direct": workers open the files themselves, the fastest, where they all have the same disk.
        "cells": Spark does, from whatever it knows (HDFS, object stores), and hands cells over by Arrow. By default
        "cells" for URIs, but for those of files.
    """

    name = "spark"

    def __init__(
        self,
        spark: SparkSession,
        cells: str | os.PathLike[str] | DataFrame | Cells,
        *,
        parts: int | None = None,
        read: Literal["direct", "cells"] | None = None,
    ) -> None:
        if read not in (None, "direct", "cells"):
            raise ValueError(f"read={read!r}: must be 'direct' or 'cells'")
        self._reading = _reading_of(spark, cells, read)
        self._samples = _land.table_of_blocks(self._reading.head).samples
        at_a_time = parts or parallelism(spark)
        features = int(self._reading.firsts[-1])
        along = min(features, FEATURES_ALONG) * self._value_bytes
        self._rounds = _rounds(features * SCORE_BYTES + along)
        self._at_a_time = min(at_a_time, self._cells)
        self.workers = min(at_a_time * self._rounds, self._cells)
        self.table = self._reading.head

    @property
    def _cells(self) -> int:
        return len(self._reading.firsts) - 1

    @property
    def _value_bytes(self) -> int:
        return 8 * self._samples  # of a feature, at most

    def score(self, order: bytes) -> Iterator[bytes]:
        return self._run(partial(score_cells, order, self._reading.path), range(self._cells), self._rounds)

    def fetch(self, ids: Sequence[int]) -> Iterator[bytes]:
        wanted = cells_of(ids, self._reading.firsts)
        work = partial(pick_cells, wanted, self._reading.path)
        return self._run(work, sorted(wanted), _rounds(len(ids) * self._value_bytes))

    def _run(
        self, work: Callable[[Iterator[Cell]], Iterator[bytes]], numbers: Sequence[int], rounds: int
    ) -> Iterator[bytes]:
        for run in split(numbers, rounds):
            with readable_errors():
                answers = self._reading.answers(work, run, min(self._at_a_time, len(run)))
            yield from answers


def _reading_of(
    spark: SparkSession, cells: str | os.PathLike[str] | DataFrame | Cells, read: Literal["direct", "cells"] | None
) -> DirectReading | CellReading:
    if is_frame(cells):
        with readable_errors():
            return CellReading(spark, cells, "X")
    if not isinstance(cells, (str, os.PathLike)):
        return DirectReading(spark, cells)
    path = os.fspath(cells)
    uri = urlsplit(path)
    if read == "cells" or (read is None and uri.scheme not in ("", "file")):
        with readable_errors():
            return CellReading(spark, spark.read.parquet(path), path)
    return DirectReading(spark, BlockFile(unquote(uri.path) if uri.scheme == "file" else path))


def _rounds(size: int) -> int:
    return max(1, -(-size // JOB_BYTES))
