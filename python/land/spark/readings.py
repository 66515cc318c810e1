"""The two ways in which cells come to workers. A worker gets batches of Arrow and gives batches of answers."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import TYPE_CHECKING, Any

from ..remote.block_file import check_columns, firsts_of
from ..remote.cluster import Cell, Cells, split
from .sessions import BATCH_ROWS, settings

if TYPE_CHECKING:
    from pyspark.sql import DataFrame, SparkSession

Work = Callable[[Iterator[Cell]], Iterator[bytes]]

ANSWER = "answer binary"
# Cells whose row groups a filter names one by one; of more, Spark reads all between the first and the last.
NAMED_CELLS = 500


class DirectReading:
    """Tasks are sent numbers of cells, and read those themselves."""

    def __init__(self, spark: SparkSession, cells: Cells) -> None:
        self._spark = spark
        self._cells = cells
        self.path = cells.path
        self.head = cells.head
        self.firsts = cells.firsts

    def answers(self, work: Work, numbers: Sequence[int], parts: int) -> list[bytes]:
        cells = self._cells
        runs = split(numbers, parts)

        def on_worker(batches: Iterable[Any]) -> Iterator[Any]:
            for batch in batches:
                for part in batch.column(0).to_pylist():
                    yield from _batches(work(cells.read(runs[part])))

        tasks = self._spark.range(0, len(runs), 1, len(runs))
        return _collect(tasks.mapInArrow(on_worker, ANSWER))


class CellReading:
    """Spark has the table as a frame, and hands each cell over."""

    def __init__(self, spark: SparkSession, table: DataFrame, path: str) -> None:
        check_columns(path, table.columns)
        self._spark = spark
        self._table = table
        self.path = path
        rows = self._table.select("first", "count", "head").collect()
        found = sorted({(row["first"], row["first"] + row["count"]) for row in rows})  # some may be there twice
        heads = [bytes(row["head"]) for row in rows if row["head"]]
        self.head = heads[0] if heads else b""
        self.firsts = firsts_of(path, found, self.head)

    def answers(self, work: Work, numbers: Sequence[int], parts: int) -> list[bytes]:
        firsts = self.firsts[list(numbers)].tolist()
        number_of = dict(zip(firsts, numbers))

        def on_worker(batches: Iterable[Any]) -> Iterator[Any]:
            rows = (row for batch in batches for row in zip(batch.column("first").to_pylist(), batch.column("cell")))
            yield from _batches(work((number_of[first], cell.as_buffer()) for first, cell in rows))

        reading: dict[str, int | str] = {
            BATCH_ROWS: 1,
            # As many partitions as asked for, whatever the sizes of the files.
            "spark.sql.files.minPartitionNum": parts,
            "spark.sql.files.openCostInBytes": 0,
            "spark.sql.files.maxPartitionBytes": 1 << 60,
            "spark.sql.parquet.pushdown.inFilterThreshold": NAMED_CELLS,
        }
        rows = self._table.select("first", "cell")
        if len(numbers) < len(self.firsts) - 1:
            rows = rows.where(rows["first"].isin(firsts))
        with settings(self._spark, reading):
            return _collect(rows.coalesce(parts).mapInArrow(on_worker, ANSWER))


def _batches(answers: Iterable[bytes]) -> Iterator[Any]:
    import pyarrow

    for answer in answers:
        yield pyarrow.record_batch([pyarrow.array([answer], pyarrow.binary())], names=["answer"])


def _collect(answers: DataFrame) -> list[bytes]:
    return [row[0] for row in answers.collect()]
