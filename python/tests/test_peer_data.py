"""The data that pyHSICLasso is tested with, if LAND_DATA says where they are."""

import os
import pathlib

import numpy as np
import pytest

import land


@pytest.fixture
def folder():
    path = pathlib.Path(os.environ.get("LAND_DATA", "")) / "pyhsiclasso"
    if not os.environ.get("LAND_DATA") or not path.is_dir():
        pytest.skip("LAND_DATA is not set to a folder with pyhsiclasso/")
    return path


def test_planted_features_are_found(folder):
    X, y = np.load(folder / "X_in.npy").T, np.load(folder / "Y_in.npy").ravel()
    found = land.select(X, y, n_features=5)
    # 1099 and 1299 are near copies of 99 and 299.
    assert found.indices.tolist() == [1099, 99, 199, 1299, 299]
    assert found.certificate["valid"]


def test_classes_of_the_tables(folder):
    expected = {"v1423", "v513", "v249", "v1582", "v765", "v1671", "v1772", "v897", "v780", "v1473"}
    for name in ("csv_data.csv", "tsv_data.tsv"):
        assert set(land.select(folder / name, "class", n_features=10).names) == expected
