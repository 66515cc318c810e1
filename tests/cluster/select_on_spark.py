"""A driver of Spark that selects, in a process of its own: sessions differ in what a process can have but once."""

from __future__ import annotations

import argparse
import functools
import os
import pathlib
from typing import Any
from unittest import mock

import numpy as np
from land.spark import SparkCluster
from marked_cells import MarkedFile, Marks, score_marked
from pyspark.sql import SparkSession

from land.remote import select

SETTINGS = {
    "spark.ui.enabled": "false",
    "spark.ui.showConsoleProgress": "false",
    "spark.driver.host": "127.0.0.1",
    "spark.driver.bindAddress": "127.0.0.1",
    # Tasks start when all executors are there, so that all have some.
    "spark.scheduler.minRegisteredResourcesRatio": "1.0",
    "spark.executorEnv.PYTHONPATH": os.environ["PYTHONPATH"],
}


def arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser()
    parser.add_argument("blocks", help="a block table")
    parser.add_argument("y", help="the target, .npy")
    parser.add_argument("out", type=pathlib.Path, help="a folder for the selections, READ-PARTS.json")
    where = parser.add_mutually_exclusive_group(required=True)
    where.add_argument("--master")
    where.add_argument("--remote", help="by Spark Connect")
    parser.add_argument("--conf", nargs="*", default=[], metavar="KEY=VALUE")
    parser.add_argument("--parts", nargs="+", type=int, default=[2])
    parser.add_argument("--read", nargs="+", default=["by path"], choices=["direct", "cells"])
    parser.add_argument("--missing")
    parser.add_argument("--marks", type=pathlib.Path, metavar="FOLDER", help="of folders for them, READ")
    parser.add_argument("--crash", action="store_true", help="one worker does, once for each way to read")
    return parser.parse_args()


def main() -> None:
    told = arguments()
    builder = SparkSession.builder.remote(told.remote) if told.remote else SparkSession.builder.master(told.master)
    for key, value in [*SETTINGS.items(), *(pair.split("=", 1) for pair in told.conf)]:
        builder = builder.config(key, value)
    spark = builder.getOrCreate()
    for read in told.read:
        cells = marked(told, read) if told.marks else told.blocks
        for parts in told.parts:
            cluster = SparkCluster(spark, cells, parts=parts, read=None if read == "by path" else read)
            selection = select(cluster, np.load(told.y), n_features=10, missing=told.missing)
            told.out.mkdir(exist_ok=True)
            selection.save(told.out / f"{read}-{parts}.json")
    spark.stop()


def marked(told: argparse.Namespace, read: str) -> Any:
    """The cells, so that workers mark them: in the file, or before scoring what Spark has read."""
    marks = Marks(told.marks / read, told.crash)
    if read == "direct":
        return MarkedFile(told.blocks, marks)
    mock.patch("land.spark.cluster.score_cells", functools.partial(score_marked, marks)).start()
    return told.blocks


if __name__ == "__main__":
    main()
