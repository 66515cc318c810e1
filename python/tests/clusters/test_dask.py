"""What only Dask does: workers that die, arrays and data frames by columns."""

import os
import pathlib
import signal
import subprocess
import sys
import threading
import time

import numpy as np
import pandas as pd
import pytest

pytest.importorskip("distributed")

import dask.array  # noqa: E402
import dask.dataframe  # noqa: E402
import land.dask  # noqa: E402
from dask.sizeof import sizeof  # noqa: E402
from distributed import Client, LocalCluster  # noqa: E402
from land.dask import DaskCluster  # noqa: E402
from marked_blocks import (  # noqa: E402
    MarkedBlocks,
    flip_bit,
    mark,
    read_marks,
    repeated,
    small_data,
    wide_data,
    write_blocks,
)

import land  # noqa: E402
from land.remote import CellList  # noqa: E402


@pytest.fixture(scope="module")
def client():
    with (
        LocalCluster(n_workers=2, threads_per_worker=1, host="127.0.0.1", dashboard_address=":0") as cluster,
        Client(cluster) as client,
    ):
        yield client


@pytest.fixture(scope="module")
def small(tmp_path_factory):
    folder = tmp_path_factory.mktemp("small")
    X, y, cells = small_data(folder)
    return X, y, cells, write_blocks(folder / "blocks.parquet", cells)


@pytest.fixture(scope="module")
def local(small):
    return land.select(small[0], small[1], n_features=10)


class Watched(DaskCluster):
    """Marks where fetching begins."""

    marks = ""

    def fetch(self, ids):
        mark(self.marks, "fetch")
        return super().fetch(ids)


def watched(client, blocks, parts):
    cluster = Watched(client, blocks, parts)
    cluster.marks = blocks.marks
    return cluster


@pytest.mark.parametrize(
    ("rows", "parts"),
    [("in order", 1), ("shuffled", 2), ("repeated", 7), ("in order", 64), ("shuffled", 64), ("repeated", 64)],
)
def test_a_block_table_however_it_is_cut(client, small, local, tmp_path, parts, rows):
    _, y, cells, path = small
    numbers = np.random.default_rng(parts).permutation(len(cells.cells)).tolist()
    if rows != "in order":
        path = write_blocks(tmp_path / "b.parquet", cells, numbers + (numbers[::3] if rows == "repeated" else []))
    selection = land.dask.select(path, y, client, parts=parts, n_features=10)
    assert selection == local
    engine = selection.document["engine"]
    assert (engine["name"], engine["workers"]) == ("dask", min(parts, len(cells.cells)))


def test_cells_in_memory(client, small, local):
    assert land.dask.select(small[2], small[1], client, n_features=10) == local


def test_the_client_made_last_and_a_task_a_thread(client, small, local):
    selection = land.dask.select(small[3], small[1], n_features=10)
    assert selection == local
    assert selection.document["engine"]["workers"] == 2


def test_the_threads_of_a_worker_share_its_cells(small, local):
    with (
        LocalCluster(n_workers=1, threads_per_worker=4, processes=False, dashboard_address=":0") as cluster,
        Client(cluster, set_as_default=False) as client,
    ):
        for _ in range(3):
            selection = land.dask.select(small[3], small[1], client, n_features=10)
            assert selection == local
            assert selection.document["engine"]["workers"] == 4


def test_the_target_of_the_table(client, small, tmp_path):
    land.convert(small[0], tmp_path / "b.parquet", y=small[1])
    selection = land.dask.select(tmp_path / "b.parquet", client=client, n_features=10)
    assert selection.indices.tolist() == land.select(small[0], small[1], n_features=10).indices.tolist()


def test_scored_by_the_workers(client, small, local, tmp_path):
    blocks = MarkedBlocks(small[3], tmp_path / "marks", pause=0.005)
    assert land.remote.select(watched(client, blocks, 8), small[1], n_features=10) == local
    found = read_marks(blocks.marks)
    assert sorted(int(number) for _, number in found) == list(range(len(small[2].cells)))  # each once
    processes = {process for process, _ in found}
    assert len(processes) == 2
    assert os.getpid() not in processes
    assert processes == set(client.run(os.getpid).values())


def test_few_jobs_and_few_bytes(client, tmp_path):
    X, y, cells = wide_data(tmp_path)
    selection = land.dask.select(write_blocks(tmp_path / "b.parquet", cells), y, client, n_features=20)
    assert selection == land.select(X, y, n_features=20)
    engine = selection.document["engine"]
    assert 1 <= engine["jobs"] <= 6
    assert 0 < engine["bytes_moved"] < sum(map(len, cells.cells)) / 4


# --- workers that die -----------------------------------------------------------------------------------------------


@pytest.fixture(params=["with nannies", "without"])
def mortal(request):
    """Two workers, which a nanny replaces or nobody."""
    nannies = request.param == "with nannies"
    with LocalCluster(
        n_workers=2 if nannies else 0, threads_per_worker=1, host="127.0.0.1", dashboard_address=":0"
    ) as cluster:
        command = [sys.executable, "-m", "distributed.cli.dask_worker", cluster.scheduler_address]
        command += ["--no-nanny", "--nthreads", "1", "--no-dashboard"]
        environment = {**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)}
        workers = [] if nannies else [subprocess.Popen(command, env=environment) for _ in range(2)]
        try:
            with Client(cluster) as client:
                client.wait_for_workers(2, timeout=30)
                yield client
        finally:
            for worker in workers:
                worker.kill()
                worker.wait()


def test_a_worker_dies_while_it_scores(mortal, small, local, tmp_path):
    blocks = MarkedBlocks(small[3], tmp_path / "marks", pause=0.05)
    killed = []

    def kill():
        deadline = time.monotonic() + 30
        while not killed and time.monotonic() < deadline:
            found = read_marks(blocks.marks)
            if len(found) >= 6:  # this worker has read cells in this job, and given no answer yet
                killed.append(found[-1][0])
                os.kill(killed[0], signal.SIGKILL)
            time.sleep(0.005)

    assassin = threading.Thread(target=kill)
    assassin.start()
    selection = land.remote.select(watched(mortal, blocks, 2), small[1], n_features=10)
    assassin.join()
    assert selection == local
    found = read_marks(blocks.marks)
    again = repeated(found)
    assert again  # the fault has hit
    assert all(killed[0] in {process for process, what in found if what == number} for number in again)


def _marked(block, marks, block_info=None):
    mark(marks, "-".join(map(str, block_info[0]["chunk-location"])))
    return block


@pytest.mark.parametrize("mortal", ["with nannies"], indirect=True)
def test_a_worker_dies_that_keeps_columns(mortal, small, local, tmp_path):
    X, y = np.load(small[0]), small[1]
    marks = str(tmp_path / "marks")
    source = dask.array.from_array(X, chunks=(200, 150)).map_blocks(_marked, marks, dtype=X.dtype)
    cluster = DaskCluster.of(mortal, source, 2)
    deadline = time.monotonic() + 30
    while len(read_marks(marks)) < 4 and time.monotonic() < deadline:
        time.sleep(0.01)
    before = read_marks(marks)
    assert len(before) == 4
    assert not repeated(before)
    os.kill(before[0][0], signal.SIGKILL)
    selection = land.remote.select(cluster, y, n_features=10)
    assert _results(selection) == _results(local)
    assert len(read_marks(marks)) > 4  # what it had is made again


# --- what is wrong is said ------------------------------------------------------------------------------------------


def test_a_flipped_bit(client, small, tmp_path):
    _, y, cells, _ = small
    path = write_blocks(tmp_path / "b.parquet", cells)
    flip_bit(path, cells, 20)
    with pytest.raises(ValueError) as refused:
        land.dask.select(path, y, client, parts=4, n_features=10)
    assert str(refused.value).startswith(f"{path}: row 20 (features ")
    assert "checksum" in str(refused.value)
    assert "\n" not in str(refused.value)


def test_a_missing_value_in_a_block(client, small, tmp_path):
    X = np.load(small[0])
    X[3, 77] = np.nan
    np.save(tmp_path / "X.npy", X)
    cells = CellList.of(str(tmp_path / "X.npy"), cell_bytes=1 << 14, missing="ignore")
    path = write_blocks(tmp_path / "b.parquet", cells)
    with pytest.raises(ValueError, match=r"^.*X\.npy: 1 missing values, the first in feature f77; [^\n]*$"):
        land.dask.select(path, small[1], client, parts=4, n_features=10)
    filled = land.dask.select(path, small[1], client, parts=4, n_features=10, missing="mean")
    assert filled == land.select(str(tmp_path / "X.npy"), small[1], n_features=10, missing="mean")


def test_a_missing_value_in_an_array(client, small):
    X = np.load(small[0])
    X[3, 577] = np.nan
    source = dask.array.from_array(X, chunks=(50, 100))
    with pytest.raises(ValueError, match=r"^X: 1 missing values, the first in feature f577; [^\n]*$"):
        land.dask.select(source, small[1], client)
    filled = land.dask.select(source, small[1], client, n_features=10, missing="mean")
    assert filled == land.select(X, small[1], n_features=10, missing="mean")


@pytest.mark.parametrize(
    ("source", "message"),
    [
        (dask.array.zeros((0, 5)), "X: has no samples"),
        (dask.array.zeros((5, 0)), "X: no features besides the target"),
        (dask.array.zeros(5), "X: has 1 dimensions, needs 2"),
        (dask.array.zeros((5, 5)).astype("M8[s]"), "X: values of type datetime64"),
        (dask.array.zeros((5, 5))[dask.array.ones(5) > 0], r"compute_chunk_sizes"),
    ],
)
def test_arrays_that_cannot_be_used(client, source, message):
    with pytest.raises(ValueError, match=message):
        land.dask.select(source, np.arange(5.0), client)


def test_a_block_table_has_its_nominal_features(client, small):
    with pytest.raises(ValueError, match="nominal: decided when a block table is made"):
        land.dask.select(small[3], small[1], client, nominal=[0])


# --- arrays and data frames -----------------------------------------------------------------------------------------


def _results(selection):
    """Without the name of the data."""
    document = dict(selection.document)
    return [document[key] for key in ("selected", "path", "certificate", "stopped", "lambda")]


@pytest.mark.parametrize(("dtype", "parts"), [("float64", None), ("float32", 1), ("int16", 7), ("int32", 64)])
def test_an_array(client, small, dtype, parts):
    X = np.load(small[0])
    X = (100 * X).astype(dtype)
    source = dask.array.from_array(X, chunks=(37, 61))
    selection = land.dask.select(source, dask.array.from_array(small[1]), client, parts=parts, n_features=10)
    assert selection == land.select(X, small[1], n_features=10)
    assert selection.document["engine"]["workers"] == min(parts or 2, 38)


def test_an_array_of_bytes(client, small):
    """All is the same but the fingerprint of the data: workers have them as float64."""
    X = np.load(small[0]) > 0
    selection = land.dask.select(dask.array.from_array(X, chunks=(37, 61)), small[1], client, n_features=10)
    assert _results(selection) == _results(land.select(X, small[1], n_features=10))


def test_columns_are_not_gathered(client, tmp_path, monkeypatch):
    gathered = []
    gather = Client._gather

    async def watch(self, *arguments, **options):
        result = await gather(self, *arguments, **options)
        gathered.append(sizeof(result))
        return result

    monkeypatch.setattr(Client, "_gather", watch)
    X, y, cells = wide_data(tmp_path)
    source = dask.array.from_array(np.load(X), chunks=(50, 3000))
    selection = land.dask.select(source, y, client, n_features=20)
    assert selection == land.select(np.load(X), y, n_features=20)
    assert selection.document["engine"]["bytes_moved"] <= sum(gathered) < sum(map(len, cells.cells)) / 4


@pytest.fixture(scope="module")
def frame(small):
    frame = pd.DataFrame(np.load(small[0])[:, :100], columns=[f"g{k}" for k in range(100)])
    frame["g1"] = pd.cut(frame["g1"], 4, labels=list("abcd"))
    frame["g5"] = frame["g5"].astype("float32")
    frame["g9"] = np.where(frame["g9"] > 0, "high", "low")
    frame["grade"] = small[1]
    return frame


@pytest.mark.parametrize("labels", ["a range", "ids", "repeated"])
def test_a_data_frame(client, frame, labels):
    if labels != "a range":
        frame = frame.set_axis([f"p{k}" for k in range(200)] if labels == "ids" else list(range(100)) * 2)
    source = dask.dataframe.from_pandas(frame, npartitions=3, sort=False)
    selection = land.dask.select(source, "grade", client, nominal="g9", n_features=10)
    local = land.select(frame, "grade", nominal="g9", n_features=10)
    assert _results(selection) == _results(local)
    assert selection.document["data"]["nominal_features"] == 2
    assert selection.document["data"]["matched"]["how"] == ("ids" if labels == "ids" else "order")


def test_a_frame_from_files_and_a_target_in_another_order(client, frame, tmp_path):
    named = frame.set_axis(pd.Index([f"p{k}" for k in range(200)], name="patient")).drop(columns=["g9"])
    for part in range(4):
        named.iloc[50 * part : 50 * part + 50].to_parquet(tmp_path / f"{part}.parquet")
    source = dask.dataframe.read_parquet(pathlib.Path(tmp_path)).drop(columns="grade")
    selection = land.dask.select(source, named["grade"][::-1], client, n_features=10)
    assert selection == land.select(named.drop(columns="grade"), named["grade"], n_features=10)
