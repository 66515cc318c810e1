"""land.stability: the program's halves and counts, its JSON, its picture."""

import json
import subprocess

import numpy as np
import pytest

import land


@pytest.fixture(scope="module")
def found(numbers):
    X, y = numbers
    return land.stability(X, y, 4, pairs=6, seed=3)


def outcome(stability):
    """Without times and places."""
    document = json.loads(stability.dumps())
    return {key: value for key, value in document.items() if key not in ("command", "seconds", "data")}


def test_counts_are_those_of_the_program(program, numbers, found, tmp_path):
    X, y = numbers
    np.save(tmp_path / "X.npy", X)
    np.save(tmp_path / "y.npy", y)
    words = ["-m", "4", "--pairs", "6", "--seed", "3", "-q", "-o", tmp_path / "found.json"]
    subprocess.run([program, "stability", tmp_path / "X.npy", "-t", tmp_path / "y.npy", *words], check=True)
    theirs = land.Stability.load(tmp_path / "found.json")
    assert outcome(theirs) == {**outcome(found), "target": outcome(theirs)["target"]}


def test_frequencies_count_selections_from_halves(found):
    assert found.document["selections"] == 12
    counts = np.array([one["count"] for one in found.document["features"]])
    assert np.array_equal(found.frequencies, counts / 12)
    assert np.all(np.diff(found.frequencies) <= 0)
    assert counts.sum() == pytest.approx(12 * found.mean_selected)
    assert np.all(found.group_frequencies >= found.frequencies)
    assert found.stable.tolist() == found.indices[found.frequencies >= found.threshold].tolist()
    frame = found.to_frame()
    assert frame["stable"].sum() == len(found.stable)
    assert "stable at" in repr(found)


def test_it_is_saved_and_loaded(found, tmp_path):
    found.save(tmp_path / "found.json")
    assert land.Stability.load(tmp_path / "found.json").document == found.document
    with pytest.raises(ValueError, match="this is no stability"):
        land.Stability.loads('{"schema_version": 1, "kind": "folds"}')


def test_no_threshold_is_told(numbers):
    X, y = numbers
    said = r"select fewer from each half \(n_features\), or allow more \(max_false\)"
    with pytest.warns(land.LandWarning, match=said):
        found = land.stability(X, y, 6, pairs=4, max_false=1e-3)
    assert found.threshold is None
    assert found.bound is None
    assert len(found.stable) == 0
    assert "no threshold" in repr(found)


def test_mistakes(numbers):
    X, y = numbers
    with pytest.raises(ValueError, match="^pairs=1: take 2 to 10000 pairs of halves"):
        land.stability(X, y, pairs=1)
    with pytest.raises(ValueError, match="^max_false=0: give a number of features above 0"):
        land.stability(X, y, max_false=0.0)
    with pytest.raises(ValueError, match="^n_features=0: ask for at least 1 feature"):
        land.stability(X, y, 0)


def test_the_picture_shows_the_threshold(found):
    pyplot = pytest.importorskip("matplotlib.pyplot")
    ax = found.plot(top=5)
    assert [tick.get_text() for tick in ax.get_yticklabels()] == found.names[:5]
    assert any(line.get_xdata()[0] == found.threshold for line in ax.get_lines())
    pyplot.close(ax.figure)
