"""land.score and land.neighbors."""

import subprocess

import numpy as np
import pytest

import land


def test_scores_hold_what_they_say(numbers):
    X, y = numbers
    X = np.column_stack([X, np.ones(len(X))])
    bounds = land.score(X, y)
    exact = land.score(X, y, refine=True)
    assert np.isnan(bounds.relevance[-1]) and np.isnan(exact.relevance[-1])
    low, high = bounds.relevance[:-1] - bounds.error[:-1], bounds.relevance[:-1]
    assert (exact.relevance[:-1] <= high).all() and (exact.relevance[:-1] >= low).all()
    assert (high - low < 5e-3).all()
    assert bounds.names[:2] == ["f0", "f1"] and bounds.task == "regression"
    found = land.select(X, y, n_features=5)
    np.testing.assert_allclose(exact.relevance[found.indices], found.relevance, rtol=1e-6)
    assert list(exact.to_frame().columns) == ["index", "name", "relevance", "error"]
    best = exact.names[np.nanargmax(exact.relevance)]
    assert repr(exact).startswith(f"Scores(61 features, regression; most relevant: {best} 0.")
    assert repr(exact).endswith(", ...)") and len(repr(exact)) < 200


def test_neighbors_are_those_of_all_pairs(numbers):
    X, _ = numbers
    found = land.neighbors(X, 3, 5)
    # Redundancy is the relevance of every feature for this one as a target.
    every = land.score(X, X[:, 3], refine=True).relevance
    every[3] = -1.0
    order = np.argsort(-every)[:5]
    np.testing.assert_array_equal(found.indices, order)
    np.testing.assert_allclose(found.redundancy, every[order], rtol=1e-6)
    assert found.indices[0] == 43
    assert found.feature == "f3" and found.names[0] == "f43"
    assert list(found.to_frame().columns) == ["index", "name", "redundancy"]
    assert repr(found).startswith("Neighbors(5 of f3: f43 0.")
    assert len(repr(land.neighbors(X, 3, 59))) < 200
    by_name = land.neighbors(X, "g3", 5, feature_names=[f"g{k}" for k in range(60)])
    np.testing.assert_array_equal(by_name.indices, order)
    np.testing.assert_array_equal(land.neighbors(X, found.feature, 5).indices, order)  # "f3", where there are no names
    misleading = [str(59 - k) for k in range(60)]
    np.testing.assert_array_equal(land.neighbors(X, 3, 5, feature_names=misleading).indices, order)
    np.testing.assert_array_equal(land.neighbors(X, "56", 5, feature_names=misleading).indices, order)


def test_neighbors_like_the_program(numbers, program, tmp_path):
    X, _ = numbers
    np.save(tmp_path / "X.npy", X)
    run = subprocess.run(
        [program, "neighbors", tmp_path / "X.npy", "--feature", "3", "-k", "4"],
        check=True,
        capture_output=True,
        text=True,
    )
    lines = [line.split("\t") for line in run.stdout.splitlines()[1:]]
    found = land.neighbors(X, 3, 4)
    assert [int(line[1]) for line in lines] == found.indices.tolist()
    assert [float(line[3]) for line in lines] == found.redundancy.tolist()


def test_bad_features(numbers):
    X, _ = numbers
    with pytest.raises(ValueError, match="no such feature"):
        land.neighbors(X, "TP53")
    with pytest.raises(ValueError, match="feature=60: no such feature"):
        land.neighbors(X, 60)
    constant = X.copy()
    constant[:, 0] = 1.0
    with pytest.raises(ValueError, match="constant"):
        land.neighbors(constant, 0)
