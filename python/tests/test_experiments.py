"""The experiments of the paper: each runs in its small version, goes on where it stopped, and names what is missing."""

import os
import pathlib
import signal
import subprocess
import sys
import time

import pandas as pd
import pytest
import threadpoolctl

pytest.importorskip("lightgbm")

from land.experiments import data_sets
from land.experiments.__main__ import main
from land.experiments.catalogue import NAMES, experiment
from land.experiments.experiment import Piece, Scale
from land.experiments.kept_rows import KeptRows
from land.experiments.run import _timed

#: Columns that a second run may have otherwise.
MEASURED = ("seconds", "megabytes")


@pytest.fixture(autouse=True)
def without_data(monkeypatch):
    monkeypatch.delenv("LAND_DATA", raising=False)


@pytest.fixture(scope="module")
def finished(tmp_path_factory):
    """A folder with the small versions that tests have run so far: each is run once."""
    return tmp_path_factory.mktemp("results")


def run(name, folder, *options):
    return main([name, "--quick", "--jobs", "1", "--results", str(folder), *options])


def values(path):
    """Rows of a CSV that a second run must give again."""
    rows = pd.read_csv(path)
    return rows[[name for name in rows if not name.endswith(MEASURED)]]


@pytest.mark.parametrize("name", NAMES)
def test_small_version(name, finished, request, monkeypatch):
    if name == "enzymes":  # the program counts graphlets
        monkeypatch.setenv("LAND_PROGRAM", request.getfixturevalue("program"))
    assert run(name, finished) == 0
    rows = pd.read_csv(finished / f"{name}.csv")
    assert set(rows["piece"]) == {piece.name for piece in experiment(name).pieces(Scale(quick=True))}
    assert (finished / f"{name}.png").read_bytes().startswith(b"\x89PNG")
    text = (finished / f"{name}.md").read_text()
    for part in ("small version", f"land.experiments {name} --quick", "- Machine: ", "- Time: ", f"({name}.png)"):
        assert part in text
    assert "nan" not in text.split("- Command")[0].lower().split()


def test_lost_pieces_are_run_again_with_the_same_result(finished):
    name = "proposition1"
    run(name, finished)
    path = finished / f"{name}.csv"
    before = values(path)
    whole = path.read_text()
    rows = pd.read_csv(path, dtype=str, keep_default_na=False)
    lost = rows["piece"].unique()[::2]
    rows[~rows["piece"].isin(lost)].to_csv(path, index=False)
    run(name, finished)
    by = [*before.columns]
    pd.testing.assert_frame_equal(
        values(path).sort_values(by, ignore_index=True), before.sort_values(by, ignore_index=True)
    )
    path.write_text(whole)


def test_nothing_runs_twice(finished, monkeypatch):
    run("proposition1", finished)
    monkeypatch.setattr("land.experiments.run._timed", lambda piece: pytest.fail(f"{piece.name} ran again"))
    assert run("proposition1", finished) == 0


def _blas_threads():
    import numpy as np
    import scipy.linalg

    scipy.linalg.eigh(np.eye(3))
    return [{"threads": one["num_threads"]} for one in threadpoolctl.threadpool_info() if one["user_api"] == "blas"]


def test_blas_has_one_thread_in_a_piece():
    """With more, small matrices take a hundred times as long on a machine that is busy."""
    _, rows = _timed(Piece("one", _blas_threads))
    assert {row["threads"] for row in rows} == {1}


def test_ctrl_c_keeps_what_is_done(tmp_path):
    words = [sys.executable, "-m", "land.experiments", "proposition1", "--quick", "--jobs", "1", "--results", "."]
    process = subprocess.Popen(words, cwd=tmp_path, stderr=subprocess.PIPE, text=True)
    kept = tmp_path / "proposition1.csv"
    deadline = time.monotonic() + 120
    while not kept.exists() and process.poll() is None and time.monotonic() < deadline:
        time.sleep(0.02)
    process.send_signal(signal.SIGINT)
    _, error = process.communicate(timeout=120)
    assert process.returncode == 130
    assert error == "land.experiments: interrupted; the same command goes on with what is left\n"
    assert not (tmp_path / "proposition1.md").exists()
    pieces = experiment("proposition1").pieces(Scale(quick=True))
    done = set(pd.read_csv(kept)["piece"])
    assert 0 < len(done) < len(pieces)


def test_another_experiment_in_the_same_file_is_refused(tmp_path, capsys):
    KeptRows(tmp_path / "proposition1.csv", Scale(quick=False, seed=1)).add("one", 0.5, [{"part": "x"}])
    assert run("proposition1", tmp_path) == 2
    error = capsys.readouterr().err
    assert "has rows of scale full, not quick" in error and "--fresh" in error


def test_what_is_missing_is_named(tmp_path, monkeypatch):
    monkeypatch.setenv("LAND_DATA", str(tmp_path))
    note = data_sets.missing_note(["TOX", "CLL-SUB"])
    assert "asu/TOX-171.mat" in note and "asu/CLL-SUB-111.mat" in note
    with pytest.raises(data_sets.MissingData, match="get it from"):
        data_sets.load_matlab("TOX")


def test_download_checks_what_comes(tmp_path, monkeypatch):
    """A file that is not the one that was seen is refused, and not kept."""
    other = tmp_path / "other.mat"
    other.write_bytes(b"something else")
    file = data_sets.FILES["TOX"]
    monkeypatch.setattr(data_sets, "FILES", {"TOX": file})
    monkeypatch.setenv("LAND_DATA", str(tmp_path / "data"))

    def fetch(url, output_file, pooch):
        assert url == file.source
        pathlib.Path(output_file).write_bytes(other.read_bytes())

    monkeypatch.setattr("pooch.core.choose_downloader", lambda url, progressbar=False: fetch)
    with pytest.raises(ValueError, match="does not match the known hash"):
        data_sets.download()
    assert not data_sets.available("TOX")


def test_list_names_all(capsys):
    assert main(["list"]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert [line.split()[0] for line in lines] == list(NAMES)
    assert os.environ.get("LAND_DATA") is None
