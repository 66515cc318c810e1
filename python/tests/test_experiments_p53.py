"""The tables of p53 and prostate cancer: read from files as they are, or made up with what they say of themselves."""

import numpy as np
import pytest
from land.experiments import copy_numbers, data_sets, p53_table
from land.experiments.boosted_trees import auc_of_trees, mean_auc


def test_mutants_with_missing_values_are_left_out(tmp_path):
    """As K8.data has them: `?` for missing, and a comma at the end of most lines."""
    path = tmp_path / "K8.data"
    path.write_text("0.5,-1,2,inactive,\n?,?,?,inactive,\n1.25,3,4,active,\n7,8,9,inactive\n")
    X, y = p53_table.read(path)
    np.testing.assert_array_equal(X, np.array([[0.5, -1, 2], [1.25, 3, 4], [7, 8, 9]], dtype=np.float32))
    np.testing.assert_array_equal(y, [0, 1, 0])
    assert X.dtype == np.float32


def test_another_class_is_refused(tmp_path):
    path = tmp_path / "K8.data"
    path.write_text("1,2,active\n3,4,unknown\n")
    with pytest.raises(ValueError, match="class 'unknown'; it should be active or inactive"):
        p53_table.read(path)


def test_made_up_mutants_are_what_their_description_says():
    X, y = p53_table.make(4000, 1250, 400, seed=0)
    assert X.shape == (4000, 1250) and y.sum() == 400
    dense = 1000
    active, rest = X[y == 1], X[y == 0]
    shifted = active[:, :20].mean() - rest[:, :20].mean()
    assert shifted == pytest.approx(0.8 * 0.9, abs=0.15)
    common = X[:, 100:120].mean(axis=1)
    assert common[y == 1].var() / common[y == 0].var() == pytest.approx(2.0, abs=0.5)
    assert np.corrcoef(rest[:, 20], rest[:, 39])[0, 1] == pytest.approx(0.81, abs=0.05)
    assert abs(np.corrcoef(rest[:, 20], rest[:, 40])[0, 1]) < 0.06
    assert np.mean(rest[:, dense:] != 0) == pytest.approx(0.05, abs=0.01)
    assert np.mean(active[:, dense : dense + 5] != 0) == pytest.approx(0.3, abs=0.05)
    assert np.mean(active[:, dense + 5 :] != 0) == pytest.approx(0.05, abs=0.01)


def test_made_up_genomes_have_segments_and_a_class_that_follows_what_is_altered():
    X, y = copy_numbers.make(400, 500, seed=0)
    assert set(np.unique(X)) <= {-2, -1, 0, 1, 2}
    assert np.mean(X[:, 1:] == X[:, :-1]) > 0.9
    altered = copy_numbers.altered_fraction(X)
    np.testing.assert_allclose(altered, [np.mean(one != 0) for one in X])
    assert altered[y == 1].mean() > 1.3 * altered[y == 0].mean()


def test_a_gleason_score_of_8_is_high(tmp_path, monkeypatch):
    monkeypatch.setenv("LAND_DATA", str(tmp_path))
    (tmp_path / "tcga_prad_cna").mkdir()
    np.savez(tmp_path / data_sets.FILES["PRAD"].path, X=np.zeros((4, 2), dtype=np.int8), y=np.array([6, 7, 8, 10]))
    np.testing.assert_array_equal(copy_numbers.read()[1], [0, 0, 1, 1])


def test_auc_of_several_classes_is_the_mean_of_those_that_can_be_told_apart():
    from sklearn.metrics import roc_auc_score

    random = np.random.default_rng(0)
    y = np.arange(30) % 3
    scores = random.random((30, 3)) + 0.3 * np.eye(3)[y]
    expected = np.mean([roc_auc_score(y == one, scores[:, one]) for one in range(3)])
    assert mean_auc(scores, np.arange(3), y) == pytest.approx(expected)
    two = y < 2
    expected = np.mean([roc_auc_score(y[two] == one, scores[two, one]) for one in range(2)])
    assert mean_auc(scores[two], np.arange(3), y[two]) == pytest.approx(expected)
    assert np.isnan(mean_auc(scores[:, :2], np.arange(2), np.zeros(30)))


def test_trees_judge_alike_whatever_the_threads_and_the_encoding():
    from scipy.sparse import csc_matrix

    random = np.random.default_rng(1)
    X = random.integers(0, 4, size=(200, 5)).astype(np.uint8)
    y = (X[:, 0] + random.integers(0, 2, 200) > 2).astype(int)
    options = dict(trees=20, leaves=4, seed=0)
    parts = (X[:150], y[:150], X[150:], y[150:])
    found = auc_of_trees(*parts, **options, threads=1)
    assert found == auc_of_trees(*parts, **options, threads=2) > 0.8
    sparse = (csc_matrix(X[:150]), y[:150], csc_matrix(X[150:]), y[150:])
    assert auc_of_trees(*sparse, **options, threads=1) == pytest.approx(found, abs=0.05)
