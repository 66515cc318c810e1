"""The experiment with runtimes: tables in files, processes that are measured, and the paper's figure beside them."""

import tempfile
from types import SimpleNamespace

import numpy as np
import pandas as pd
import pytest
from land.experiments import runtimes, stored_tables
from land.experiments.experiment import Scale
from land.experiments.measured_run import measured
from land.experiments.planted import two_classes
from land.experiments.stored_tables import Shape, check_room, forget, room_for, store_of

import land

SMALL = Shape("small", 300, 2000, counts=True)


@pytest.fixture(scope="module")
def store(tmp_path_factory):
    return store_of(SMALL, 20, 5, tmp_path_factory.mktemp("store"))


def table_row(shape):
    about = {"part": "table", "shape": shape.name, "samples": shape.samples, "features": shape.features}
    return about | {"values": "float32", "store_megabytes": 1.0, "generate_seconds": 2.0, "convert_seconds": 3.0}


def time_row(shape, method, cache, seconds):
    return {
        "part": "time",
        "shape": shape.name,
        "samples": shape.samples,
        "features": shape.features,
        "method": method,
        "cache": cache,
        "m": 100,
        "threads": 2,
        "runs": 3,
        "wall_seconds": seconds,
        "cpu_seconds": seconds,
        "peak_megabytes": 1.0,
        "own_megabytes": 1.0,
        "read_megabytes": 0.0,
        "selected": 100,
        "planted": 100,
    }


def report(seconds):
    """On rows of the full shapes: a warm run takes `seconds`, a cold one twice as long."""
    rows = [table_row(shape) for shape in runtimes.SHAPES]
    for shape in runtimes.SHAPES:
        for method in runtimes.METHODS:
            rows += [time_row(shape, method, "cold", 2 * seconds), time_row(shape, method, "warm", seconds)]
    return runtimes.EXPERIMENT.report(pd.DataFrame(rows), Scale())


def test_the_shapes_are_those_of_the_paper():
    shapes = {shape.name: (shape.samples, shape.features) for shape in runtimes.SHAPES}
    assert shapes == {"p53": (26_120, 5_408), "prostate cancer": (302, 276_322), "enzymes": (13_794, 1_062_420)}
    assert [piece.name for piece in runtimes.EXPERIMENT.pieces(Scale())] == list(shapes)


@pytest.mark.parametrize("counts", [False, True])
def test_a_store_holds_the_planted_table(tmp_path, counts):
    shape = Shape("any", 60, 90, counts=counts)
    stored = store_of(shape, 5, 3, tmp_path)
    assert [path.name for path in tmp_path.iterdir()] == ["any.h5"]  # the array is gone
    X, y = two_classes(60, 90, 5, [3, 60, 90], counts=counts)
    expected = land.select(X, y, n_features=10, task="classification")
    found = land.select(stored.path, n_features=10, task="classification")
    assert list(found.indices) == list(expected.indices)
    assert list(found.coefficients) == list(expected.coefficients)


def test_there_is_room_for_the_array_and_the_store(store):
    assert SMALL.bytes + store.path.stat().st_size < room_for(SMALL) < 4 * SMALL.bytes
    enzymes = runtimes.SHAPES[2]
    assert enzymes.bytes == 13_794 * 1_062_420  # one byte each
    assert 29.3e9 < room_for(enzymes) < 33e9


def test_a_disk_that_is_too_small_is_refused_before_any_work(tmp_path, monkeypatch):
    monkeypatch.setattr(stored_tables.shutil, "disk_usage", lambda folder: SimpleNamespace(free=31e9))
    monkeypatch.setattr(runtimes, "store_of", lambda *_: pytest.fail("the table was made"))
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    enzymes = runtimes.EXPERIMENT.pieces(Scale())[2]
    with pytest.raises(ValueError) as refused:
        enzymes.work(*enzymes.arguments)
    message = str(refused.value)
    assert "enzymes takes 31.3 GB" in message and f"{tmp_path} has 31 GB free" in message
    assert "TMPDIR=FOLDER" in message and "\n" not in message
    assert not list(tmp_path.iterdir())
    check_room(runtimes.SHAPES[1], tmp_path)  # the others fit


def test_a_run_tells_its_seconds_its_memory_and_what_it_selected(store):
    run = measured(store.path, "mr-nhsic", 10)
    assert run.indices == list(land.select(store.path, n_features=10, method="mr-nhsic").indices)
    assert 0.0 < run.wall < 60.0 and 0.0 < run.cpu < 60.0
    assert store.path.stat().st_size / 1e6 < run.peak < 1000.0
    assert 1.0 < run.own < run.peak


def test_memory_is_that_of_the_run_and_not_of_this_process(store):
    mine = np.ones(40_000_000)  # 320 MB
    assert measured(store.path, "mr-nhsic", 10).peak < mine.nbytes / 1e6 / 2


def test_a_forgotten_file_is_read_from_the_disk(store):
    size = store.path.stat().st_size / 1e6
    measured(store.path, "mr-nhsic", 10)
    assert measured(store.path, "mr-nhsic", 10).read < 0.1 * size
    forget(store.path)
    cold = measured(store.path, "mr-nhsic", 10).read
    if cold == 0.0:
        pytest.skip("temporary files are in memory here")
    assert cold > 0.9 * size


def test_a_run_that_fails_says_why(tmp_path):
    with pytest.raises(ValueError, match=r"land on none\.h5: FileNotFoundError"):
        measured(tmp_path / "none.h5", "land", 10)


def test_the_fastest_run_counts_and_no_more_follow_after_enough_seconds(monkeypatch):
    walls = iter([9.0, 5.0, 4.0, 6.0, 80.0, 70.0])
    memory = iter([1.0, 7.0, 3.0, 2.0, 1.0, 1.0])

    def run(store, method, m):
        return runtimes.Measured(next(walls), 1.0, next(memory), 1.0, 0.0, [0, 1, 100])

    monkeypatch.setattr(runtimes, "measured", run)
    monkeypatch.setattr(runtimes, "forget", lambda store: None)
    cold, warm = runtimes._runs(None, "land", 3)
    assert (cold["cache"], cold["runs"], cold["wall_seconds"]) == ("cold", 1, 9.0)
    assert (warm["cache"], warm["runs"], warm["wall_seconds"], warm["peak_megabytes"]) == ("warm", 3, 4.0, 7.0)
    assert warm["planted"] == 2
    assert [row["runs"] for row in runtimes._runs(None, "land", 3)] == [1, 1]  # 70 s are enough


def test_the_one_known_figure_of_the_paper_stands_in_its_place_alone():
    text = report(seconds=5.0).findings
    lines = [line for line in text.splitlines() if line.startswith("|") and line.count("|") == 12]
    last = {tuple(cell.strip() for cell in line.split("|")[1:3]): line.split("|")[-2].strip() for line in lines[2:]}
    assert len(last) == 9
    assert last.pop(("enzymes", "land")) == "10,800"
    assert set(last.values()) == {""}
    assert "about 2,200 and 1,100 times less" in " ".join(text.split())
    assert "**confirmed**" in text
    assert "**not confirmed**" in report(seconds=6000.0).findings  # cold it takes longer than the cluster


def test_another_shape_has_no_figure_of_the_paper():
    assert runtimes.paper_seconds("land", 13_794, 1_062_420) == 10_800
    assert runtimes.paper_seconds("land", 500, 10_000) is None
    assert runtimes.paper_seconds("mrmr", 13_794, 1_062_420) is None


def test_times_are_drawn_on_a_logarithmic_axis_with_the_papers_figure():
    ax = report(seconds=5.0).figure.axes[0]
    assert ax.get_xscale() == "log"
    assert [label.get_text() for label in ax.get_yticklabels()] == [shape.name for shape in runtimes.SHAPES]
    star = [line for line in ax.get_lines() if line.get_marker() == "*"]
    assert [list(line.get_xdata()) for line in star] == [[10_800.0]]
    assert star[0].get_ydata()[0] == pytest.approx(-0.2, abs=0.01)  # the line of enzymes, where land is drawn
