"""Ray: any parts, workers that die, damaged cells."""

import os
import signal
import threading
import time

import pytest

import land

pytest.importorskip("ray")

from kinds.ray import Kind  # noqa: E402
from land.ray import RayCluster  # noqa: E402
from marked_blocks import MarkedBlocks, flip_bit, mark, read_marks, repeated, small_data, write_blocks  # noqa: E402


@pytest.fixture(scope="module", autouse=True)
def kind():
    with Kind() as kind:
        yield kind


@pytest.fixture(scope="module")
def small(tmp_path_factory):
    folder = tmp_path_factory.mktemp("small")
    X, y, cells = small_data(folder)
    return y, cells, write_blocks(folder / "blocks.parquet", cells), land.select(X, y, n_features=10)


@pytest.mark.parametrize("parts", [1, 2, 7, 64])
def test_any_parts(kind, small, parts):
    y, cells, path, local = small
    selection = kind.select(path, y, parts=parts, n_features=10)
    assert selection == local
    assert selection.document["engine"]["workers"] == min(parts, len(cells.cells))
    assert selection.document["engine"]["jobs"] <= 6


class Watched(RayCluster):
    """Marks where fetching begins."""

    def fetch(self, ids):
        mark(self._cells.marks, "fetch")
        return super().fetch(ids)


def test_a_worker_dies_while_it_scores(small, tmp_path):
    y, cells, path, local = small
    blocks = MarkedBlocks(path, tmp_path / "marks", pause=0.05)
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
    selection = land.remote.select(Watched(blocks, 2), y, n_features=10)
    assassin.join()
    assert selection == local
    found = read_marks(blocks.marks)
    again = repeated(found)
    assert again  # the fault has hit
    assert all(killed[0] in {process for process, what in found if what == number} for number in again)
    assert os.getpid() not in {process for process, _ in found}


def test_a_flipped_bit(kind, small, tmp_path):
    y, cells, _, _ = small
    path = write_blocks(tmp_path / "b.parquet", cells)
    flip_bit(path, cells, 20)
    with pytest.raises(ValueError) as refused:
        kind.select(path, y, parts=4, n_features=10)
    assert str(refused.value).startswith(f"{path}: row 20 (features ")
    assert "\n" not in str(refused.value)
