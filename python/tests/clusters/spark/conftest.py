"""What starts Spark and what it stands on is in tests/cluster; here are the data, and how a test runs a driver."""

import pathlib
import subprocess
import sys

import numpy as np
import pytest
from marked_blocks import write_blocks

import land
from land.remote import CellList

REPOSITORY = pathlib.Path(__file__).resolve().parents[4]
CLUSTER = REPOSITORY / "tests" / "cluster"
sys.path.insert(0, str(CLUSTER))

N_FEATURES = 10
PARTS = 2
PATIENCE = 120  # seconds, of a driver


class Blocks:
    """A block table, and the selection from what it was made of."""

    def __init__(self, folder, X, cell_bytes):
        random = np.random.default_rng(1)
        self.X = X
        y = X[:, 0] + np.abs(X[:, 1]) + np.tanh(X[:, 2] * X[:, 3]) + 0.1 * random.normal(size=len(X))
        self.cells = CellList.of(X, cell_bytes=cell_bytes)
        self.path = write_blocks(folder / "blocks.parquet", self.cells)
        self.target = folder / "y.npy"
        np.save(self.target, y)
        self.selection = land.select(X, y, n_features=N_FEATURES)


def features(samples, count):
    random = np.random.default_rng(0)
    X = random.normal(size=(samples, count))
    X[:, count // 2 :] = X[:, : count // 2] + 0.3 * random.normal(size=(samples, count // 2))
    return X


@pytest.fixture(scope="session")
def blocks(tmp_path_factory):
    """38 cells of 16 features."""
    blocks = Blocks(tmp_path_factory.mktemp("blocks"), features(100, 600), cell_bytes=1 << 14)
    assert len(blocks.cells.cells) == 38
    return blocks


@pytest.fixture(scope="session")
def large_blocks(tmp_path_factory):
    """16 MB, in cells of half a megabyte."""
    return Blocks(tmp_path_factory.mktemp("large_blocks"), features(1000, 2000), cell_bytes=1 << 19)


@pytest.fixture(scope="session")
def jars():
    """Of HDFS and S3, for the Hadoop that Spark 4 has."""
    pytest.importorskip("pyspark", "4", reason="the jars are for Spark 4")
    folder = REPOSITORY / "build" / "cluster-jars"
    assert folder.is_dir(), f"{folder} is missing: scripts/test_cluster fetches the jars"
    return folder


@pytest.fixture(scope="session")
def standalone(tmp_path_factory):
    """The address of Spark's own cluster of two workers."""
    from standalone_spark import standalone_spark

    with standalone_spark(tmp_path_factory.mktemp("standalone")) as master:
        yield master


@pytest.fixture
def driver(tmp_path):
    """Starts a program that selects on Spark, and ends it after the test."""
    from standalone_spark import environment

    started = []

    def start(blocks, target, *options):
        command = [sys.executable, CLUSTER / "select_on_spark.py", blocks, target, tmp_path / "out", *options]
        started.append(
            subprocess.Popen(
                [str(part) for part in command],
                stdout=subprocess.DEVNULL,
                stderr=(tmp_path / "log").open("w"),
                env=environment(),
            )
        )
        return Driver(started[-1], tmp_path)

    yield start
    for process in started:
        process.kill()
        process.wait()


class Driver:
    def __init__(self, process, folder):
        self.process = process
        self.out = folder / "out"
        self._log = folder / "log"

    @property
    def log(self):
        return self._log.read_text()

    def ends(self):
        """Its exit code."""
        return self.process.wait(PATIENCE)

    def selection(self, read="by path", parts=PARTS):
        assert self.ends() == 0, self.log[-4000:]
        return land.Selection.load(self.out / f"{read}-{parts}.json")
