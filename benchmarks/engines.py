#!/usr/bin/env python3
"""One selection through every engine: the same result, and what each costs beside the threads of one process.

    build/python-test/bin/python benchmarks/engines.py TABLE BLOCKS.parquet [--features M] [--engines threads,spark,...]
    build/python-test/bin/python benchmarks/engines.py --scaling BLOCKS.parquet
    build/python-test/bin/python benchmarks/engines.py --cells SAMPLES

BLOCKS is what `land convert TABLE BLOCKS.parquet --target ...` wrote; the target is that of both. The first form runs
each engine twice in one session: starting it, and the first run, which imports and compiles, are told apart from the
second. Seconds of processors are those of all processes of the engine. The second form counts what each of 1 to 64
workers would read and score. The third measures what a worker takes for cells of so many samples.

Needs pyspark, distributed and mpi4py, as `make test-cluster` installs them, for the engines of that name.
"""

import argparse
import contextlib
import os
import pathlib
import subprocess
import sys
import tempfile
import time
import warnings

import numpy as np

import land
from land import remote

WORKERS = 2


def processor_seconds():
    """Of this process and all below it, those that have ended included."""
    children = {}
    times = {}
    for folder in pathlib.Path("/proc").glob("[0-9]*"):
        with contextlib.suppress(OSError):
            fields = (folder / "stat").read_text().rpartition(")")[2].split()
            children.setdefault(int(fields[1]), []).append(int(folder.name))
            times[int(folder.name)] = sum(map(int, fields[11:15]))
    waiting = [os.getpid()]
    total = 0
    while waiting:
        pid = waiting.pop()
        total += times.get(pid, 0)
        waiting += children.get(pid, [])
    return total / os.sysconf("SC_CLK_TCK")


@contextlib.contextmanager
def threads(table, blocks):
    yield lambda options: land.select(table, threads=WORKERS, **options)


@contextlib.contextmanager
def serial(table, blocks):
    yield lambda options: remote.select(remote.SerialCluster(remote.BlockFile(blocks), WORKERS), **options)


@contextlib.contextmanager
def processes(table, blocks):
    with remote.ProcessCluster(remote.BlockFile(blocks), WORKERS) as cluster:
        yield lambda options: remote.select(cluster, **options)


@contextlib.contextmanager
def spark(table, blocks, read="direct"):
    import land.spark
    from pyspark.sql import SparkSession

    os.environ["PYSPARK_PYTHON"] = sys.executable
    builder = SparkSession.builder.master(f"local[{WORKERS}]").config("spark.ui.enabled", "false")
    builder = builder.config("spark.driver.memory", "3g").config("spark.ui.showConsoleProgress", "false")
    session = builder.config("spark.driver.host", "localhost").config("spark.log.level", "ERROR").getOrCreate()
    try:
        yield lambda options: land.spark.select(os.path.abspath(blocks), spark=session, read=read, **options)
    finally:
        session.stop()


@contextlib.contextmanager
def spark_cells(table, blocks):
    with spark(table, blocks, "cells") as run:
        yield run


@contextlib.contextmanager
def dask(table, blocks):
    import land.dask
    from distributed import Client, LocalCluster

    cluster = LocalCluster(n_workers=WORKERS, threads_per_worker=1, host="127.0.0.1", dashboard_address=":0")
    with cluster, Client(cluster) as client:
        yield lambda options: land.dask.select(blocks, client=client, **options)


@contextlib.contextmanager
def mpi(table, blocks):
    """A program that starts anew for every run."""

    def run(options):
        with tempfile.TemporaryDirectory() as folder:
            result = os.path.join(folder, "result.json")
            command = ["mpirun", "--allow-run-as-root", "--oversubscribe", "--bind-to", "none", "-n", str(WORKERS)]
            command += [sys.executable, "-m", "land.mpi", blocks, "-m", str(options["n_features"]), "-o", result]
            subprocess.run(command, check=True)
            return land.Selection.load(result)

    yield run


@contextlib.contextmanager
def batch(table, blocks):
    """Jobs of the program, one after the other, from the table itself."""
    program = str(pathlib.Path(__file__).resolve().parents[1] / "build" / "land")

    def run(options):
        with tempfile.TemporaryDirectory() as folder:
            scores = [os.path.join(folder, f"{part}.scores") for part in range(1, WORKERS + 1)]
            for part, path in enumerate(scores, 1):
                command = [program, "score", table, "--part", f"{part}/{WORKERS}", "-o", path, "-q", "--threads", "1"]
                subprocess.run(command, check=True)
            result = os.path.join(folder, "result.json")
            command = [program, "select", table, "-m", str(options["n_features"]), "-o", result, "-q"]
            subprocess.run([*command, "--scores", *scores], check=True)
            return land.Selection.load(result)

    yield run


ENGINES = {
    "threads": threads,
    "serial": serial,
    "processes": processes,
    "spark direct": spark,
    "spark cells": spark_cells,
    "dask": dask,
    "mpi": mpi,
    "batch": batch,
}


def compare(table, blocks, names, features):
    options = {"n_features": features}
    expected = land.select(table, **options)
    print("| engine | start s | first s | then s | processor s | jobs | MB moved | same |")
    print("|---|---|---|---|---|---|---|---|")
    for name in names:
        begin = time.perf_counter()
        with ENGINES[name](table, blocks) as run:
            start = time.perf_counter() - begin
            seconds = []
            for _ in range(2):
                used = processor_seconds()
                begin = time.perf_counter()
                found = run(options)
                seconds.append(time.perf_counter() - begin)
                used = processor_seconds() - used
        engine = found.document["engine"]
        same = "yes" if found == expected else "NO"
        print(
            f"| {name} | {start:.1f} | {seconds[0]:.2f} | {seconds[1]:.2f} | {used:.2f} | {engine['jobs']} | "
            f"{engine['bytes_moved'] / 1e6:.1f} | {same} |",
            flush=True,
        )


def scaling(blocks):
    """What falls to each worker, by counting."""
    cells = remote.BlockFile(blocks)
    samples = land._land.table_of_blocks(cells.head).samples
    sizes = np.array([len(memoryview(cell)) for _, cell in cells.read(range(len(cells.firsts) - 1))])
    features = np.diff(cells.firsts)
    print(
        f"{blocks}: {len(sizes)} cells, {sizes.sum() / 1e6:.0f} MB, {features.sum():,} features x {samples:,} samples\n"
    )
    print("| workers | MB each | largest over mean | values each | largest over mean |")
    print("|---|---|---|---|---|")
    for workers in (1, 2, 4, 8, 16, 32, 64):
        parts = remote.cluster.split(range(len(sizes)), workers)
        read = np.array([sizes[part].sum() for part in parts])
        scored = np.array([features[part].sum() * samples for part in parts])
        print(
            f"| {workers} | {read.mean() / 1e6:.1f} | {read.max() / read.mean():.2f} | {scored.mean():.3g} | "
            f"{scored.max() / scored.mean():.2f} |"
        )


class Timed(remote.SerialCluster):
    """Says how long its worker takes for each cell."""

    def score(self, order):
        begin = time.perf_counter()
        for answer in super().score(order):
            self.seconds = [*getattr(self, "seconds", []), time.perf_counter() - begin]
            yield answer
            begin = time.perf_counter()


def cells_of(samples):
    features = 640
    X = np.random.default_rng(0).normal(size=(samples, features)).astype(np.float32)
    y = X[:, 0] + X[:, 1] ** 2
    for what, target in (("numbers", y), ("two classes", y > np.median(y))):
        cluster = Timed(remote.CellList.of(X))
        remote.select(cluster, target, n_features=2)
        seconds = sum(cluster.seconds)
        print(
            f"{samples:,} samples, {what}: {seconds / (samples * features) * 1e9:.2f} ns a value, one core, cells read"
        )


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("files", nargs="*", metavar="TABLE BLOCKS")
    parser.add_argument("--features", type=int, default=100)
    parser.add_argument("--engines", default=",".join(ENGINES))
    parser.add_argument("--scaling", metavar="BLOCKS")
    parser.add_argument("--cells", type=int, metavar="SAMPLES")
    arguments = parser.parse_args()
    warnings.simplefilter("ignore", land.LandWarning)
    if arguments.scaling:
        scaling(arguments.scaling)
    elif arguments.cells:
        cells_of(arguments.cells)
    elif len(arguments.files) == 2:
        compare(*arguments.files, arguments.engines.split(","), arguments.features)
    else:
        parser.error("give TABLE and BLOCKS.parquet, or --scaling, or --cells")


if __name__ == "__main__":
    main()
