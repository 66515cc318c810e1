"""What only MPI does: the command, and ranks that fail or die."""

import os
import signal
import subprocess
import time

import numpy as np
import pytest
from kinds.mpi import Kind
from marked_blocks import flip_bit, read_marks, small_data, wide_data, write_blocks
from mpirun import mpirun

import land
from land.remote import CellList

LIMIT = 40  # seconds, after which a command hangs


def run(ranks, *arguments):
    command, environment = mpirun(ranks, "-m", "land.mpi", *arguments)
    return subprocess.run(command, env=environment, capture_output=True, text=True, timeout=LIMIT)


def said(done):
    """What the program has said, without what mpirun says of it."""
    return [line for line in done.stderr.splitlines() if line.startswith(("land.mpi:", "python -m land.mpi:", "Trace"))]


@pytest.fixture(scope="module")
def small(tmp_path_factory):
    folder = tmp_path_factory.mktemp("small")
    X, y, cells = small_data(folder)
    return folder, X, y, cells, write_blocks(folder / "blocks.parquet", cells)


@pytest.fixture(scope="module")
def ranks():
    with Kind() as kind:
        yield kind


@pytest.mark.parametrize("parts", [1, 2, 4])
@pytest.mark.parametrize("rows", ["in order", "shuffled", "repeated"])
def test_a_block_table_however_it_is_cut(ranks, small, tmp_path, parts, rows):
    _, X, y, cells, path = small
    numbers = np.random.default_rng(parts).permutation(len(cells.cells)).tolist()
    if rows != "in order":
        path = write_blocks(tmp_path / "b.parquet", cells, numbers + (numbers[::3] if rows == "repeated" else []))
    selection = ranks.select(path, y, parts=parts, n_features=10)
    assert selection == land.select(X, y, n_features=10)
    assert (selection.document["engine"]["name"], selection.document["engine"]["workers"]) == ("mpi", parts)


def test_more_ranks_than_cells(ranks, small, tmp_path):
    path = write_blocks(tmp_path / "b.parquet", CellList.of(small[1]))
    selection = ranks.select(path, small[2], parts=4, n_features=10)
    assert selection == land.select(small[1], small[2], n_features=10)


def test_few_jobs_and_few_bytes(ranks, tmp_path):
    X, y, cells = wide_data(tmp_path)
    selection = ranks.select(write_blocks(tmp_path / "b.parquet", cells), y, parts=4, n_features=20)
    assert selection == land.select(X, y, n_features=20)
    assert 1 <= selection.document["engine"]["jobs"] <= 6
    assert 0 < selection.document["engine"]["bytes_moved"] < sum(map(len, cells.cells)) / 4


def test_a_failure_leaves_the_ranks_fit(ranks, small, tmp_path):
    """What other ranks send when one has failed is taken, not left for the next selection."""
    _, X, y, cells, path = small
    damaged = write_blocks(tmp_path / "b.parquet", cells)
    flip_bit(damaged, cells, 20)
    for _ in range(2):
        with pytest.raises(ValueError, match="row 20 \\(features .*checksum"):
            ranks.select(damaged, y, parts=4, n_features=10)
        assert ranks.select(path, y, parts=4, n_features=10) == land.select(X, y, n_features=10)


def test_a_missing_value(ranks, small, tmp_path):
    X = np.load(small[1])
    X[3, 577] = np.nan  # a feature of the last rank
    np.save(tmp_path / "X.npy", X)
    cells = CellList.of(str(tmp_path / "X.npy"), cell_bytes=1 << 14, missing="ignore")
    path = write_blocks(tmp_path / "b.parquet", cells)
    with pytest.raises(ValueError, match=r"^.*X\.npy: 1 missing values, the first in feature f577; [^\n]*$"):
        ranks.select(path, small[2], parts=4, n_features=10)


# --- the command ----------------------------------------------------------------------------------------------------


def test_the_command(small, tmp_path):
    folder, X, _, _, path = small
    output = tmp_path / "result.json"
    options = ["--target", folder / "y.npy", "-m", "7", "--sigma", "2", "--measure", "hsic"]
    done = run(2, path, *options, "-o", output)
    assert (done.returncode, done.stdout) == (0, "")
    selection = land.Selection.load(output)
    assert selection == land.select(X, str(folder / "y.npy"), n_features=7, sigma=2, measure="hsic")
    assert selection.document["engine"]["workers"] == 2
    assert os.listdir(tmp_path) == ["result.json"]


def test_a_damaged_cell_on_rank_1_ends_all(small, tmp_path):
    folder, _, _, cells, _ = small
    path = write_blocks(tmp_path / "b.parquet", cells)
    flip_bit(path, cells, 30)  # the second half
    done = run(2, path, "--target", folder / "y.npy", "-o", tmp_path / "result.json")
    assert done.returncode == 2
    assert len(said(done)) == 1
    assert said(done)[0].startswith(f"land.mpi: {path}: row 30 (features ")
    assert os.listdir(tmp_path) == ["b.parquet"]


@pytest.mark.parametrize(
    ("ranks", "arguments", "line"),
    [
        (2, ["no.parquet"], "land.mpi: no.parquet: cannot read the file: No such file or directory"),
        (1, ["BLOCKS", "--target", "Y", "-o", "r.tsv"], "land.mpi: --output r.tsv: a result is JSON here"),
        (1, ["BLOCKS", "--target", "Y", "-o", "no/r.json"], "land.mpi: --output no/r.json: there is no such folder"),
    ],
)
def test_what_is_wrong_is_said_once(small, ranks, arguments, line):
    words = {"BLOCKS": small[4], "Y": small[0] / "y.npy"}
    done = run(ranks, *[words.get(one, one) for one in arguments])
    assert done.returncode == 2
    assert len(said(done)) == 1
    assert said(done)[0].startswith(line)


def test_help():
    done = run(2, "--help")
    assert done.returncode == 0
    for option in ("--features", "--missing {error,mean", "--target FILE[:COLUMN]", "--plain-path", "mpirun -n 8"):
        assert done.stdout.count(option) >= 1
    assert done.stdout.count("usage:") == 1  # rank 0 alone


SCRIPT = """
import sys
from mpi4py import MPI
import land.mpi
from marked_blocks import MarkedBlocks

comm = MPI.COMM_WORLD
cells = MarkedBlocks(sys.argv[1], sys.argv[2], float(sys.argv[3])) if comm.rank == 0 else None
selection = land.mpi.select(comm, cells, sys.argv[4], n_features=10)
if selection is not None:
    selection.save(sys.argv[5])
"""


@pytest.mark.parametrize("dies", [False, True])
def test_a_rank_that_dies_ends_all(small, tmp_path, dies):
    folder, X, _, cells, path = small
    marks, output, script = tmp_path / "marks", tmp_path / "result.json", tmp_path / "script.py"
    script.write_text(SCRIPT)
    command, environment = mpirun(2, script, path, marks, 0.05, folder / "y.npy", output)
    ranks = subprocess.Popen(command, env=environment, stderr=subprocess.DEVNULL)
    try:
        if dies:
            while len(read_marks(marks)) < 6 and ranks.poll() is None:
                time.sleep(0.01)
            # The second half of the cells is that of rank 1.
            os.kill(next(process for process, number in read_marks(marks) if int(number) >= 19), signal.SIGKILL)
        assert (ranks.wait(LIMIT) != 0) == dies
    finally:
        ranks.terminate()
    assert output.exists() != dies
    if not dies:
        assert land.Selection.load(output) == land.select(X, str(folder / "y.npy"), n_features=10)
        found = read_marks(marks)
        assert {int(number) for _, number in found} == set(range(len(cells.cells)))
        processes = {process for process, _ in found}
        assert len(processes) == 2
        assert os.getpid() not in processes
