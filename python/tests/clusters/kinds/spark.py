"""A session of Spark on this machine: two tasks at a time, each of which is tried twice."""

import os
import pathlib
import sys

import land.spark


def session():
    """The one of this process, which ends with it: starting another would take as long as all tests of it."""
    from pyspark.sql import SparkSession

    os.environ["PYSPARK_PYTHON"] = sys.executable
    # Workers are sent objects of the tests' own classes.
    tests = str(pathlib.Path(__file__).resolve().parents[1])
    os.environ["PYTHONPATH"] = os.pathsep.join(filter(None, [tests, os.environ.get("PYTHONPATH")]))
    builder = SparkSession.builder.master("local[2,2]")
    for key, value in {
        "spark.ui.enabled": "false",
        "spark.ui.showConsoleProgress": "false",
        "spark.log.level": "OFF",
        "spark.driver.host": "localhost",
        "spark.driver.bindAddress": "127.0.0.1",
        "spark.sql.shuffle.partitions": "2",
    }.items():
        builder = builder.config(key, value)
    spark = builder.getOrCreate()
    spark.sparkContext.setLogLevel("OFF")
    return spark


class Kind:
    name = "spark"

    def __enter__(self):
        self._spark = session()
        return self

    def __exit__(self, *_):
        pass

    def select(self, path, y, *, parts, source, **options):
        return land.spark.select(path, y, spark=self._spark, parts=parts, **options)
